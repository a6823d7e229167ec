"""What validation says, and what it leaves to others."""
from __future__ import annotations

import json
import pickle
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from specdil_records.findings import Place, Problem
from specdil_records.reading import read_document
from specdil_records.schemas import UnknownSchema, catalogue, validate
from specdil_records.shipped import ShippedDataMissing, shipped_folder

LEAST: dict[str, Any] = {
    "schema_version": "3.0", "id": "flops/least", "name": "Least", "status": "active", "arithmetic_intensity": "None.",
    "scales_with": [], "affected_by_hardware": [], "hardware_parameters": [], "workarounds": [], "notes": "None.",
}  # fmt: skip

NO_SUCH_DAY = {"date": "2026-02-30", "change": "a", "kind": "content"}


class Read:
    """A document that was read without a fault."""

    broken = False
    refused: frozenset[tuple[str | int, ...]] = frozenset()

    def __init__(self, **changes: Any) -> None:
        self.data = {key: value for key, value in {**LEAST, **changes}.items() if value is not ...}


def at(problem: Problem) -> Place:
    assert isinstance(problem.where, Place)
    return problem.where


def said(**changes: Any) -> list[tuple[str, str, str]]:
    problems = validate(Read(**changes), "flop", "3.0")
    return [(problem.name, "/".join(map(str, at(problem).pointer)), problem.message) for problem in problems]


def test_a_valid_record_has_no_problems() -> None:
    assert said() == []


@pytest.mark.parametrize(
    ("changes", "name", "pointer", "words"),
    [
        ({"statu": "x"}, "schema", "statu", ["statu", "did you mean", "status"]),
        ({"zebra": "x"}, "schema", "zebra", ["zebra", "flop record"]),
        ({"notes": ...}, "schema", "", ["notes", "needs"]),
        ({"status": "actve"}, "schema", "status", ["actve", "active"]),
        ({"notes": 1.5}, "wrong-type", "notes", ["notes", "1.5", "text"]),
        ({"notes": True}, "wrong-type", "notes", ["true", "text"]),
        ({"notes": None}, "wrong-type", "notes", ["empty", "text"]),
        ({"workarounds": ["a", 2]}, "wrong-type", "workarounds/1", ["item 2", "text"]),
        ({"workarounds": "a"}, "wrong-type", "workarounds", ["list"]),
        ({"id": "flops/A"}, "bad-id", "id", ["flops/A", "lower-case"]),
        ({"id": 4}, "wrong-type", "id", ["text"]),
        ({"history": [NO_SUCH_DAY]}, "schema", "history/0/date", ["2026-02-30", "calendar"]),
    ],
)
def test_one_fault_is_one_problem_in_plain_words(changes: Any, name: str, pointer: str, words: list[str]) -> None:
    [(found_name, found_pointer, message)] = said(**changes)
    assert (found_name, found_pointer) == (name, pointer)
    assert all(word in message for word in words), message


def test_each_unknown_and_each_missing_key_is_a_fault() -> None:
    found = said(a="1", b="2", notes=..., name=...)
    assert {name for name, _, _ in found} == {"schema"}
    assert sorted(pointer for _, pointer, _ in found) == ["", "", "a", "b"]


def test_an_unknown_key_is_marked_at_the_key() -> None:
    [problem] = validate(Read(zebra=1), "flop", "3.0")
    assert problem.where == Place(("zebra",), key=True)


def test_a_long_value_is_not_dumped() -> None:
    [(_, _, message)] = said(status="very " * 1000)
    assert len(message) < 120
    [(_, _, message)] = said(**{"k" * 5000: 1})
    assert len(message) < 120
    [(_, _, message)] = said(notes=10**390)
    assert len(message) < 120


def test_control_characters_are_shown_escaped() -> None:
    [(_, _, message)] = said(status="a\x1b[31m\n")
    assert message.isprintable()


def test_what_reading_refused_is_not_reported_again() -> None:
    document = read_document(b'{"schema_version": "3.0", "name": NaN}', "a.json")
    pointers = {at(problem).pointer for problem in validate(document, "flop", "3.0")}
    assert [problem.name for problem in document.problems] == ["wrong-type"]
    assert ("name",) not in pointers
    broken = read_document(b"", "a.yaml")
    assert broken.problems
    assert validate(broken, "flop", "3.0") == []


@pytest.mark.parametrize("top", [None, [], "text", 4, True])
def test_another_top_than_a_mapping_is_a_fault_of_the_schema(top: Any) -> None:
    document = Read()
    document.data = top
    assert [(problem.name, at(problem).pointer) for problem in validate(document, "flop", "3.0")] == [("schema", ())]


def test_an_unknown_version_is_an_exception_that_travels() -> None:
    with pytest.raises(UnknownSchema) as caught:
        validate(Read(), "flop", "9.9")
    assert pickle.loads(pickle.dumps(caught.value)).version == "9.9"


def test_a_damaged_installation_is_no_fault_of_the_record(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(catalogue, "shipped_folder", lambda name: tmp_path)
    catalogue.schema_text.cache_clear()
    with pytest.raises(ShippedDataMissing) as caught:
        catalogue.schema_text("3.0", "flop")
    assert pickle.loads(pickle.dumps(caught.value)).path == tmp_path / "3.0" / "flop.json"
    with pytest.raises(ShippedDataMissing):
        shipped_folder("no-such-folder")


def test_the_slow_validator_is_not_imported_for_a_valid_record() -> None:
    code = (
        "import sys, types, json\n"
        "from specdil_records.schemas import validate\n"
        "good = types.SimpleNamespace(data=json.loads(sys.argv[1]), broken=False, refused=())\n"
        "assert validate(good, 'flop', '3.0') == []\n"
        "assert 'jsonschema' not in sys.modules\n"
    )
    subprocess.run([sys.executable, "-c", code, json.dumps(LEAST)], check=True, cwd=Path(__file__).parents[2])
