"""The seed record's prose, character for character, in every version in which it is kept."""
from __future__ import annotations

import re
from pathlib import Path
from typing import Any

import pytest

from specdil_records.claims import evaluate
from specdil_records.corpus import Corpus, load_corpus
from specdil_records.findings import Status
from specdil_records.reading import read_document

ROOT = Path(__file__).parents[2]
SEED = (ROOT / "tests/data/seed-record.txt").read_text(encoding="utf-8").split("\n")
NAME = "flops/sd-batch-dilution-problem"
RECORDS = {
    "1.0": ROOT / "tests/examples/good/1.0/flop/sd-batch-dilution-problem.yaml",
    "2.0": ROOT / "tests/examples/good/2.0/flop/sd-batch-dilution-problem.yaml",
    "3.0": ROOT / f"records/{NAME}.yaml",
}


def section(heading: str) -> str:
    """The line under a heading of the flattened table."""
    return SEED[SEED.index(heading) + 1]


def data(version: str) -> dict[str, Any]:
    document = read_document(RECORDS[version].read_bytes(), "seed.yaml")
    assert document.problems == ()
    assert document.data["schema_version"] == version
    found: dict[str, Any] = document.data
    return found


@pytest.mark.parametrize("version", RECORDS)
def test_the_prose_is_kept_character_for_character(version: str) -> None:
    record = data(version)
    assert record["id"] == section("id") == NAME
    assert record["arithmetic_intensity"] == section("Arithmetic intensity")
    assert record["notes"] == "\n".join(SEED[SEED.index("notes") + 1:])
    # List items run together in the flattened table; joined again they have to give the very same line.
    assert "".join(record["workarounds"]) == section("Workarounds")
    rows = [row if isinstance(row, str) else f"{row['parameter']} ({row['effect']})" for row in record["scales_with"]]
    assert "".join(rows) == section("Scales with")
    assert all(re.fullmatch(r"\w+ \(.*\)", row) for row in rows)


@pytest.mark.parametrize("version", ["2.0", "3.0"])
def test_the_hardware_row_is_kept_character_for_character(version: str) -> None:
    (row,) = data(version)["hardware_parameters"]
    flattened = "".join(["parameter", row["parameter"], "effect", row["effect"], "basis", row["basis"],
                         "values_for", ",".join(row["values_for"])])
    assert flattened == section("Hardware parameters")
    assert row["values_for"] == data(version)["affected_by_hardware"]


@pytest.fixture(scope="module")
def corpus() -> Corpus:
    return load_corpus(ROOT)


def test_every_number_of_the_seed_is_accounted_for(corpus: Corpus) -> None:
    entries = evaluate(corpus.by_id[NAME], corpus).ledger
    by_status = {status: [entry.written for entry in entries if entry.status == status] for status in Status}
    assert by_status[Status.UNBOUND] == []
    assert by_status[Status.DISPUTED] == ["36", "12.5%", "132", "3.1%", "3", "6.5x", "3", "6.5x"]
    assert sorted(by_status[Status.UNVERIFIED]) == ["1", "1", "1", "16"]
    assert len(entries) == sum(map(len, by_status.values())) == 40


def test_the_known_errors_of_the_seed_are_disputed_and_the_disputes_stand(corpus: Corpus) -> None:
    claims = {claim.id: claim for claim in evaluate(corpus.by_id[NAME], corpus).claims}
    standing = {(name, str(dispute.data.get("figure") or dispute.data.get("words")))
                for name, claim in claims.items() for dispute in claim.disputes if dispute.state == "stands"}
    assert {dispute.state for claim in claims.values() for dispute in claim.disputes} == {"stands"}
    assert standing >= {
        ("additive-model", "AI = B + k"), ("gain-at-batch-32", "to 36"), ("gain-at-batch-32", "12.5%"),
        ("gain-at-batch-128", "to 132"), ("gain-at-batch-128", "3.1%"), ("gain-at-batch-1", "to k"),
        ("gain-at-batch-1", "kx improvement"), ("raises-one-to-k", "to k"), ("scaling-one-to-k", "to k"),
        ("headroom", "higher on parts with more bandwidth headroom"),
        ("medusa-called-measured", "direct measured evidence"), ("eagle3-range", "3-6.5x"),
        ("latency-not-throughput", "idle bandwidth"), ("latency-not-throughput", "not a THROUGHPUT optimization"),
        ("eagle3-batch-64", "EAGLE-3 paper confirms"), ("universal", "universal"),
    }


CHANGES = {
    "12.5% -> 12.6%": ("(only 12.5%", "(only 12.6%", {("figure-drift", "12.6")}),
    "3.1% -> 3.2%": ("132 (3.1%", "132 (3.2%", {("figure-drift", "3.2")}),
    "to 36 -> to 37": ("from 32 to 36", "from 32 to 37", {("figure-drift", "37")}),
    "1.38x -> 1.83x": ("only 1.38x", "only 1.83x", {("figure-drift", "1.83")}),
    "k=4 -> k=5": ("So a k=4", "So a k=5", {
        ("quote-not-verbatim", "5"), ("figure-drift", "36"), ("figure-drift", "12.5"), ("figure-drift", "132"),
        ("figure-drift", "3.1")}),
    "batch 32 -> 33": ("At batch 32,", "At batch 33,", {
        ("quote-not-verbatim", "33"), ("figure-drift", "32"), ("figure-drift", "36"), ("figure-drift", "12.5")}),
    "exceeds 32 -> exceeds 23": ("exceeds 32, the speedup decreases", "exceeds 23, the speedup decreases",
                                 {("quote-not-verbatim", "23")}),
    "3-6.5x -> 3-6.6x": ("(vs 3-6.5x at batch 1). This", "(vs 3-6.6x at batch 1). This", {("figure-drift", "6.6")}),
    "from 1 -> from 2": ("AI from 1 to k (a", "AI from 2 to k (a", {("figure-drift", "2")}),
    "1-16 -> 1-17": ("at batch 1-16", "at batch 1-17", {("quote-not-verbatim", "17")}),
    "G.3 -> G.4": ("Appendix G.3", "Appendix G.4", {("unresolved-reference", "Appendix G.4"),
                                                    ("quote-not-verbatim", "4")}),
}


@pytest.mark.parametrize("change", CHANGES)
def test_a_number_changed_in_the_prose_is_found_at_its_digits(change: str, tmp_path: Path) -> None:
    import shutil

    from specdil_records.checking import check

    old, new, expected = CHANGES[change]
    shutil.copytree(ROOT / "records", tmp_path / "records")
    path = tmp_path / f"records/{NAME}.yaml"
    text = path.read_text(encoding="utf-8")
    # Folded prose breaks lines where it likes; match whatever white space stands between two words.
    pattern = re.compile(r"\s+".join(map(re.escape, old.split(" "))))
    assert pattern.search(text)
    path.write_text(pattern.sub(lambda match: replaced(match[0], old, new), text, count=1), encoding="utf-8")
    report = check(load_corpus(tmp_path))
    lines = path.read_text(encoding="utf-8").split("\n")
    found = {(finding.name, lines[finding.span.line - 1][finding.span.column - 1:finding.span.end_column - 1])
             for finding in report.findings if finding.severity == "error" and finding.record == NAME}
    assert found == expected


def replaced(match: str, old: str, new: str) -> str:
    """The new words in the old ones' white space."""
    spaces = re.findall(r"\s+", match)
    words = new.split(" ")
    assert len(words) == len(old.split(" "))
    return "".join(word + space for word, space in zip(words, [*spaces, ""], strict=True))
