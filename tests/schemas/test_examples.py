"""The examples of every version: the good ones are faultless, each bad one has exactly the faults that it names.

An example lies at `examples/{good,bad}/VERSION/KIND/NAME.yaml` (or `.json`) and is kept for ever. A bad one begins with
one comment a fault, `# expect: NAME at /POINTER`, or `NAME at key /POINTER` where the key is to blame instead of its
value; in JSON the same texts stand in a list under `x-expect`. `/` alone is the whole record.
"""
from __future__ import annotations

import re
from pathlib import Path

import pytest

from specdil_records.findings import Place, Problem
from specdil_records.reading import Document, read_document
from specdil_records.schemas import agree, kinds, validate, versions

EXAMPLES = Path(__file__).parents[1] / "examples"
GOOD = sorted(path for path in (EXAMPLES / "good").rglob("*") if path.is_file())
BAD = sorted(path for path in (EXAMPLES / "bad").rglob("*") if path.is_file())
EXPECT = re.compile(r"(?P<name>[a-z-]+) at (?P<key>key )?(?P<pointer>/.*)")


def name_of(path: Path) -> str:
    return path.relative_to(EXAMPLES).as_posix()


def read(path: Path) -> Document:
    return read_document(path.read_bytes(), path.name)


def found(path: Path) -> list[str]:
    """The problems of an example, written as the examples write what they expect."""
    problems = validate(read(path), path.parent.name, path.parent.parent.name)
    return sorted(f"{problem.name} at {place_of(problem)}" for problem in problems)


def place_of(problem: Problem) -> str:
    assert isinstance(problem.where, Place)
    return ("key " if problem.where.key else "") + "/" + "/".join(map(str, problem.where.pointer))


def expected(path: Path) -> list[str]:
    if path.suffix == ".json":
        return sorted(read(path).data["x-expect"])
    lines = path.read_text(encoding="utf-8").splitlines()
    return sorted(line.removeprefix("# expect: ") for line in lines if line.startswith("# expect: "))


@pytest.mark.parametrize("path", GOOD, ids=name_of)
def test_a_good_example_is_faultless(path: Path) -> None:
    assert [problem for problem in read(path).problems if problem.name != "ambiguous-scalar"] == []
    assert found(path) == []


@pytest.mark.parametrize("path", BAD, ids=name_of)
def test_a_bad_example_has_the_faults_that_it_names(path: Path) -> None:
    assert expected(path), "a bad example says what it must yield"
    assert all(EXPECT.fullmatch(line) for line in expected(path))
    assert found(path) == expected(path)


@pytest.mark.parametrize("path", [*GOOD, *BAD], ids=name_of)
def test_both_validators_agree_on_every_example(path: Path) -> None:
    assert agree(read(path).data)


@pytest.mark.parametrize("path", BAD, ids=name_of)
def test_a_message_is_short_and_names_its_place(path: Path) -> None:
    document = read(path)
    for problem in validate(document, path.parent.name, path.parent.parent.name):
        assert 0 < len(problem.message) < 300
        assert len(problem.help) < 300
        assert "\n" not in problem.message
        assert isinstance(problem.where, Place)
        assert document.exists(problem.where.pointer)


def test_every_version_of_every_kind_has_both_sorts() -> None:
    wanted = {(version, kind) for kind in kinds() for version in versions(kind)}
    for side in (GOOD, BAD):
        assert {(path.parent.parent.name, path.parent.name) for path in side} == wanted


def test_the_seed_is_carried_over_to_the_letter() -> None:
    seed = (EXAMPLES.parent / "data" / "seed-record.txt").read_text(encoding="utf-8")
    for version in ("1.0", "2.0"):
        data = read(EXAMPLES / "good" / version / "flop" / "sd-batch-dilution-problem.yaml").data
        assert f"\n{data['arithmetic_intensity']}\n" in seed
        assert "\n" + "".join(data["scales_with"]) + "\n" in seed
        assert "\n" + "".join(data["workarounds"]) + "\n" in seed
        assert seed.rstrip("\n").endswith("\nnotes\n" + data["notes"])
        for row in data.get("hardware_parameters", []):
            assert f"effect{row['effect']}basis{row['basis']}values_for{','.join(row['values_for'])}\n" in seed
