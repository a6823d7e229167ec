"""Bad input of any kind gives findings or nothing, never a failure of the tool."""
from __future__ import annotations

import json
import random
import unicodedata
from pathlib import Path

import pytest
import yaml
from hypothesis import given, settings
from hypothesis import strategies as st

from specdil_records.checking import Options, Report, check
from specdil_records.corpus import Settings, SourceFile, build_corpus
from specdil_records.report import json_report, text
from specdil_records.rules.samples import BASE, PATHS

ROOT = Path("/example")
OTHERS = [name for name in PATHS if name != "flop"]


def judged(raw: bytes, path: str = PATHS["flop"]) -> Report:
    """The base example with one file's bytes replaced, checked and written in every format."""
    contents = {PATHS[name]: BASE[name].encode() for name in PATHS}
    contents[path] = raw
    files = [SourceFile(name, name.removeprefix("records/"), lambda data=data: data)  # type: ignore[misc]
             for name, data in sorted(contents.items())]
    report = check(build_corpus(Settings(ROOT, ROOT / "records"), files), Options())
    assert report.summary.broken == {}, "a rule failed"
    json.loads(json_report.write(report))
    if report.summary.claims["undecided"] or report.summary.claims["drifted"]:
        assert report.summary.errors, "a claim that is not settled is never silent"
    shown = "".join(text.write(report))
    assert all(ch.isprintable() or unicodedata.category(ch) == "Zs" for ch in shown)
    return report


@given(st.binary(max_size=300))
def test_any_bytes(raw: bytes) -> None:
    report = judged(raw)
    assert report.summary.errors, "no random bytes are a flop record"


@given(st.binary(max_size=200))
def test_any_bytes_of_a_json_file(raw: bytes) -> None:
    judged(raw, "records/flops/example.json")


VALUES = st.recursive(
    st.none() | st.booleans() | st.integers(-10**25, 10**25) | st.floats() | st.text(max_size=12)
    | st.sampled_from(["3.0", "flops/example-stall", "k", "additive.gain(B, k)", "notes", "12.5%", "1..4",
                       "derived"]),
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(
        st.sampled_from(["id", "in", "quote", "basis", "claims", "figures", "read", "over", "holds", "of", "cites"])
        | st.text(max_size=6), inner, max_size=5),
    max_leaves=20)
KEYS = [line.split(":")[0] for line in BASE["flop"].splitlines() if line and line[0].isalpha()]


@settings(max_examples=150)
@given(st.dictionaries(st.sampled_from([*KEYS, "disputes", "asides", "mentions", "superseded_by"]), VALUES, max_size=4))
def test_any_value_at_any_key(changes: dict[str, object]) -> None:
    record = {**yaml.safe_load(BASE["flop"]), **changes}
    judged(yaml.safe_dump(record, allow_unicode=True).encode("utf-8", "surrogatepass"))


def mutants(count: int, seed: int) -> list[str]:
    """Texts near the base record: characters dropped, doubled, swapped, replaced; words and lines moved."""
    choice = random.Random(seed)
    base = BASE["flop"]
    pieces = ["\n", " ", ":", "-", '"', "'", "#", "&a", "*a", "!!str", "{", "}", "[", "]", "0", "9", ".", ",", "%", "x",
              "\u2212", "\u00a0", "\U0001f680", "\x1b", "k", "B", "**", "(", ")", "1e999", "\t", "|", ">", "TB/s", "½"]
    found = []
    for _ in range(count):
        text = base
        for _ in range(choice.choice([1, 1, 1, 2, 5])):
            at = choice.randrange(len(text))
            match choice.randrange(5):
                case 0:
                    text = text[:at] + text[at + choice.choice([1, 1, 3, 20]):]
                case 1:
                    text = text[:at] + choice.choice(pieces) + text[at:]
                case 2:
                    text = text[:at] + choice.choice(pieces) + text[at + 1:]
                case 3:
                    other = choice.randrange(len(text))
                    text = text[:at] + text[other:other + 15] + text[at:]
                case _:
                    lines = text.split("\n")
                    lines.insert(choice.randrange(len(lines)), lines.pop(choice.randrange(len(lines))))
                    text = "\n".join(lines)
        found.append(text)
    return found


@pytest.mark.parametrize("seed", range(8))
def test_thousands_of_mutated_records(seed: int) -> None:
    quiet = 0
    for mutant in mutants(250, seed):
        report = judged(mutant.encode("utf-8"))
        quiet += not report.findings
    assert quiet < 125, "most changes of a record change what it says"
