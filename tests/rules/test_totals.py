"""The totals that a model's record states are those of its shape."""
from __future__ import annotations

from pathlib import Path

import pytest

from specdil_records.checking import check
from specdil_records.checking.selftest import sample_corpus
from specdil_records.rules import Sample
from specdil_records.rules.totals import TOTALS
from tests.claims.support import MODEL

MODELS = Path(__file__).parents[2] / "records" / "models"


def found(model: str, **changed: str) -> list[tuple[str, str]]:
    """What is found in a shipped model's record with some of its totals changed: name and place."""
    lines = (MODELS / f"{model}.yaml").read_text(encoding="utf-8").splitlines()
    text = "\n".join(f'{key}: "{changed[key]}"' if (key := line.partition(":")[0]) in changed else line
                     for line in lines) + "\n"
    path = f"records/models/{model}.yaml"
    report = check(sample_corpus(Sample(files={path: text})))
    return [(finding.name, str(finding.pointer[0])) for finding in report.findings
            if finding.path == path and finding.name != "unresolved-reference"]


@pytest.mark.parametrize("model", sorted(path.stem for path in MODELS.glob("*.yaml")))
def test_shipped_totals_are_those_of_the_shape(model: str) -> None:
    assert found(model) == []


@pytest.mark.parametrize(("name", "said", "right"), [
    ("parameters", "8030261248", True), ("parameters", "8.03B", True), ("parameters", "8.0B", True),
    ("parameters", "8030261247", False), ("parameters", "8030400000", True), ("parameters", "8032000000", False),
    ("parameters", "8.1B", False), ("parameters", "6.74B", False),
    ("matmul_parameters", "7504658432", True), ("matmul_parameters", "7504658433", False),
    ("matmul_parameters", "7.5B", True), ("matmul_parameters", "8.0B", False),
    ("kv_bytes_per_token", "131072 B", True), ("kv_bytes_per_token", "128 KiB", True),
    ("kv_bytes_per_token", "512 KiB", False), ("kv_bytes_per_token", "131073 B", False),
])
def test_a_total_is_held_against_the_shape(name: str, said: str, right: bool) -> None:
    assert found("llama-3.1-8b", **{name: said}) == ([] if right else [("contradiction", name)])


@pytest.mark.parametrize(("said", "right"), [("12879925248", True), ("12.9B", True), ("12748587008", False),
                                             ("46.7B", False)])
def test_active_parameters_are_those_of_one_token(said: str, right: bool) -> None:
    assert found("mixtral-8x7b", active_parameters=said) == ([] if right else [("contradiction", "active_parameters")])


@pytest.mark.parametrize(("name", "said"), [("kv_bytes_per_token", "131072 FLOP"), ("parameters", "8030261248 GB/s"),
                                            ("matmul_parameters", "7504658432 W")])
def test_a_total_in_another_unit_is_none(name: str, said: str) -> None:
    assert ("unknown-unit", name) in found("llama-3.1-8b", **{name: said})


def test_a_total_that_cannot_be_read_is_told_once() -> None:
    assert found("llama-3.1-8b", parameters="8,03B") == [("unreadable-number", "parameters")]


def test_behind_a_total_that_cannot_be_read_the_others_are_still_held_against_the_shape() -> None:
    assert found("llama-3.1-8b", parameters="8,03B", kv_bytes_per_token="512 KiB") == [
        ("unreadable-number", "parameters"), ("contradiction", "kv_bytes_per_token")]


@pytest.mark.parametrize(("said", "right"), [("8030M", True), ("8030261K", True), ("8030000K", False), ("8131M", False),
                                             ("8131000K", False)])
def test_millions_and_thousands_are_parameters_as_well(said: str, right: bool) -> None:
    assert found("llama-3.1-8b", parameters=said) == ([] if right else [("contradiction", "parameters")])


@pytest.mark.parametrize(("said", "right"), [
    # The shape of `tests.claims.support.MODEL`, by hand: two layers of attention with 64*64 (Q), 2 * 64*32 (K, V) and
    # 64*64 (output), three matrices of 64*128, and the head of 1000*64; the table of embeddings is looked up.
    ("137728", True), ("137727", False), ("137729", False),
    # Written with fewer digits it stands for half a unit to either side, both ends with it.
    ("137.7K", True), ("138K", True), ("137K", False), ("139K", False)])
def test_a_total_worked_out_by_hand(said: str, right: bool) -> None:
    text = MODEL + f'matmul_parameters: "{said}"\n'
    report = check(sample_corpus(Sample(files={"records/models/small.yaml": text})))
    assert [(one.name, one.pointer) for one in report.findings] == (
        [] if right else [("contradiction", ("matmul_parameters",))])
    assert [one.data for one in report.findings] == (
        [] if right else [{"thing": "models/small", "quantity": "matmul_parameters"}])
    assert all(one.message == f"matmul_parameters is {said} here, the shape of the same record gives 137,728"
               for one in report.findings)


@pytest.mark.parametrize(("vocabulary", "said", "right"), [
    # 73728 + 233223 * 64 is 15000000: the upper end of what 1e7 stands for, and the lower of what 2e7 does.
    (233223, "1e7", True), (233223, "2e7", True), (233224, "1e7", False), (233222, "2e7", False)])
def test_an_end_of_the_interval_belongs_to_it(vocabulary: int, said: str, right: bool) -> None:
    text = MODEL.replace("vocabulary: 1000", f"vocabulary: {vocabulary}") + f'matmul_parameters: "{said}"\n'
    report = check(sample_corpus(Sample(files={"records/models/small.yaml": text})))
    assert [one.name for one in report.findings] == ([] if right else ["contradiction"])


def test_every_total_of_the_schema_is_held_against_the_shape() -> None:
    schema = (MODELS.parents[1] / "schema" / "3.0" / "model.json").read_text(encoding="utf-8")
    assert all(f'"{name}"' in schema for name in TOTALS)
