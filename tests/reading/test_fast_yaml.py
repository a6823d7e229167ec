"""The quick reader gives what the events give, or nothing: never another tree, never a file that deserves a finding."""
from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st

from specdil_records.reading import fast_yaml, read_document
from specdil_records.reading.yaml_events import read_yaml

pytest.importorskip("yaml_rs", reason="the quick parser (yaml-rs, the extra fast) is not installed")

ROOT = Path(__file__).parents[2]
FILES = sorted([*ROOT.glob("records/*/*.yaml"), *ROOT.glob("tests/examples/good/*/*/*.yaml")])
TEXTS = [file.read_text(encoding="utf-8") for file in FILES]
HARMLESS = {"bad-character", "byte-order-mark"}
"""Findings of the characters of a file, which are looked at before either reader is asked."""

PIECES = [
    "#", " #", "&", "*", "!", "? ", "- ", ": ", ":\n", ", ", "[", "]", "{", "}", "'", '"', "|", ">", "|-\n", ">-\n",
    "\n",
    "\n\n", "  ", "\t", "~", "null", "Null", "true", "True", "yes", "on", "no", "1", "0", "01", "0x1f", "1_0", "1e3",
    ".5", "5.",
    "+3", "-0", "1:30", "2026-10-05", "0o7", ".inf", ".nan", "<<", "=", "%", "@", "`", "---", "\n---\n", "\n...\n",
    "\\",
    "\\n", "\\ud800", "\u00e9", "\u00a0", "\u200b", "\ufeff", "12345678901234567890", "1.5e400", "a: b", "''", '""',
    "[]",
    "{}", "\n- ", "\n  ", "\n a", "? a\n: b\n", "!!str ", "&a ", "*a", "|2\n", "figure:,",
]


@st.composite
def damaged(draw: st.DrawFn) -> str:
    """Some lines of a record with a few pieces put in or taken out."""
    text = draw(st.sampled_from(TEXTS))
    lines = text.split("\n")
    first = draw(st.integers(0, max(0, len(lines) - 5)))
    text = "\n".join(lines[first:first + draw(st.integers(3, 40))]) + "\n"
    for _ in range(draw(st.integers(1, 3))):
        at = draw(st.integers(0, len(text)))
        piece = draw(st.sampled_from(PIECES) | st.just(""))
        text = text[:at] + piece + text[at + draw(st.integers(0, 6)):]
    return text


@settings(max_examples=400)
@given(damaged())
def test_what_it_reads_is_what_the_events_read_without_a_finding(text: str) -> None:
    data = fast_yaml.tree_of(text)
    assume(data is not None)
    document = read_document(text.encode("utf-8", "surrogatepass"), "x.yaml")
    tree = read_yaml(text)
    assert tree.whole
    assert repr(tree.data) == repr(data) == repr(document.data)
    assert {problem.name for problem in document.problems} <= HARMLESS
    assert not [fault for fault in tree.faults if fault.name not in HARMLESS]


def test_most_records_are_read_by_it() -> None:
    read = [file.name for file, text in zip(FILES, TEXTS, strict=True) if fast_yaml.tree_of(text) is not None]
    assert len(FILES) > 100
    assert len(read) > 0.8 * len(FILES)


@pytest.mark.parametrize("text", [
    "a: 0x1F\n", "a: 010\n", "a: 1_000\n", "a: 1e3\n", "a: +3\n", "a: .5\n", "a: 5.\n", "a: .nan\n", "a: -.inf\n",
    "a: 1e999\n",
    "a: 12345678901234567890\n", "a: yes\n", "a: Null\n", "a: True\n", "a: 1:30\n", "a: -1:30\n", "a: 2026-10-05\n",
    "a: =\n", "a: '2026-10-05'\nb: 2026-10-05\n", "a: '2026-10-05'\nb: [x, 2026-10-05]\n",
    "a: '2026-10-05'\nb:\n- - 2026-10-05 # so\n", "a: '2026-10-05'\nb:\n  2026-10-05\n",
    "36: x\n", "true: x\n", "~: x\n", "<<: {a: 1}\n", "a: &x 1\nb: *x\n", "a: !!str 1\n", "a: ! b\n", "!x\na: b\n",
    "? a\n: b\n", "a: {? b : c}\n", "a: b\n---\nc: d\n", "a: b\n...\n", "%YAML 1.2\n---\na: b\n", "--- a\n",
    "a: see #88\n",
    "a: |2\n   b\n", "a: >+\n  b\n", "a: >1-\n  b\n", "a: b\r\n", "a:\tb\n", "a: \"\\ud800\"\n", "a: 1\na: 2\n",
    "a: {b: 1, b: 2}\n",
    "", "# nothing\n", "- a\n", "a\n", "{}\n", "a: {b:, c: d}\n", "a: {b\n  c: d}\n", "a: [b\n  c]\n",
    "a: {b: |-\n  c}\n",
    "a: [b: c,|-\n d]\n", "a: @b\n", "a: 'b\n", "a: " + "[" * 101 + "]" * 101 + "\n", "a: " + "[" * 50_000 + "\n",
    "a: b" + " " * 300_000 + "\n",
    "c: 1\nk: {id: a, :s sai}\n", "a: >\n  no line end", "a: >\n", "a: |-\n\nb: c\n", " {B:: [\"1\"::\"2\", \"4\"]}\n",
    "s: _3.0\n", "s: -_3\n", "a: {b::c}\n", ":a: b\n",  # found by fuzzing
])
def test_what_could_be_taken_differently_is_left_to_the_events(text: str) -> None:
    assert fast_yaml.tree_of(text) is None


@pytest.mark.parametrize(("text", "data"), [
    ("a: b\n", {"a": "b"}), ("a: 1\nb: -0.5\nc: true\nd: null\ne:\n", {"a": 1, "b": -0.5, "c": True, "d": None,
    "e": None}),
    ("a: >-\n  b\n  c\n\n  d\n", {"a": "b c\nd"}), ("a: |\n  b\n   c\n", {"a": "b\n c\n"}),
    ('a: "2026-10-05"\nb: "yes"\nc: "016"\n', {"a": "2026-10-05", "b": "yes", "c": "016"}),
    ("a: b * c != d\n", {"a": "b * c != d"}), ("# a note\na: b # another\n", {"a": "b"}),
    ('a: "2026-10-05"\nb: since 2026-10-05 or so\n', {"a": "2026-10-05", "b": "since 2026-10-05 or so"}),
    ("a: {b: [1, 2],\n  c: d}\n", {"a": {"b": [1, 2], "c": "d"}}), ("a: '\u2212 \u00e9'\n", {"a": "\u2212 \u00e9"}),
])
def test_plain_records_are_read(text: str, data: dict[str, Any]) -> None:
    assert fast_yaml.tree_of(text) == data


def test_places_are_found_when_they_are_asked_for() -> None:
    document = read_document(b"a:\n- b: >-\n    c d\n    e\n", "x.yaml")
    assert document.data == {"a": [{"b": "c d e"}]}
    assert document.written(("a", 0, "b")) == ">-\n    c d\n    e"
    assert document.exists(("a", 0, "b"))
    assert not document.exists(("a", 1))


def test_without_the_quick_parser_the_events_read_everything(monkeypatch: pytest.MonkeyPatch) -> None:
    text = TEXTS[0]
    quick = read_document(text.encode(), "x.yaml")
    monkeypatch.setattr(fast_yaml, "_loads", lambda: None)
    slow = read_document(text.encode(), "x.yaml")
    assert quick.data == slow.data
    assert fast_yaml.tree_of(text) is None
