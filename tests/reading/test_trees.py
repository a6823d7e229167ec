"""The tree is what was written: the same as other readers give, wherever they are right."""
from __future__ import annotations

import json
import pickle
from typing import Any

import pytest
import yaml
from hypothesis import given, settings
from hypothesis import strategies as st

from specdil_records.findings.values import Place, Pointer, Span
from specdil_records.reading import Document, read_document

TEXT = st.text(alphabet=st.characters(codec="utf-8", exclude_categories=("Cc", "Cs", "Cn", "Zl", "Zp")), max_size=20)
PROSE = st.text(alphabet="ab \n:#-'\"\\\u20ac\u2192\U0001f680%,[]{}", max_size=40)
NUMBERS = st.integers() | st.floats(allow_nan=False, allow_infinity=False)
JSON_LIKE = st.dictionaries(
    TEXT,
    st.recursive(
        TEXT | PROSE | NUMBERS | st.booleans() | st.none(),
        lambda inner: st.lists(inner, max_size=4) | st.dictionaries(TEXT, inner, max_size=4),
        max_leaves=12,
    ),
    max_size=5,
)
TEXTS = st.dictionaries(
    st.text(alphabet="abcxyz_", min_size=2, max_size=6),
    st.recursive(
        PROSE, lambda inner: st.lists(inner, max_size=4) | st.dictionaries(PROSE, inner, max_size=3), max_leaves=12
    ),
    max_size=5,
)
STYLES = st.sampled_from([None, "'", '"', "|", ">"])
YAML_BITS = st.sampled_from([
    *"a[]{}#'\"\\|1~", "no", "*a", "\n", "\n  ", "\n    ", "\t", "\r\n", "\r", "a: b\n", "- c\n", "key: #x\n",
    "? k\n: v\n", "|\n  x\n", "|+\n\n", ">2-\n   y\n", "b: ", "- ", "? ", ": ", ", ", "# c", " #d", "'x y'", '"z"',
    "&a ", "!t ", "!!str ", "<<: ", "---\n", "...\n", ">-\n", "\ufeff", "\u2028", "\x85", "\U0001f680", "\x00",
    "%YAML 1.1\n", '"\\ud800"', "\\n", "2.5e3", ".nan", "1e999",
])  # fmt: skip


def all_pointers(data: Any, pointer: Pointer = ()) -> list[Pointer]:
    inside = data.items() if isinstance(data, dict) else enumerate(data) if isinstance(data, list) else ()
    return [pointer, *(found for key, value in inside for found in all_pointers(value, (*pointer, key)))]


def at(data: Any, pointer: Pointer) -> Any:
    for part in pointer:
        data = data[part]
    return data


def cut(document: Document, span: Span) -> str:
    """The text of a span, found by counting lines and columns alone."""
    if span.line == span.end_line:
        return document.line(span.line)[span.column - 1 : span.end_column - 1]
    middle = [document.line(number) for number in range(span.line + 1, span.end_line)]
    first, last = document.line(span.line)[span.column - 1 :], document.line(span.end_line)[: span.end_column - 1]
    return "\n".join([first, *middle, last])


def same(one: Any, other: Any) -> bool:
    """Equality that tells 1 from 1.0 and from true."""
    if isinstance(one, dict) and isinstance(other, dict):
        return list(one) == list(other) and all(same(one[key], other[key]) for key in one)
    if isinstance(one, list) and isinstance(other, list):
        return len(one) == len(other) and all(map(same, one, other))
    return type(one) is type(other) and bool(one == other)


@settings(max_examples=150, deadline=None)
@given(JSON_LIKE, st.sampled_from([None, 0, 2]), st.booleans())
def test_json_gives_what_was_written(data: dict[str, Any], indent: int | None, ascii_only: bool) -> None:
    document = read_document(json.dumps(data, indent=indent, ensure_ascii=ascii_only).encode(), "a.json")
    assert document.problems == ()
    assert same(document.data, data)
    for pointer in all_pointers(data):
        written = json.loads(document.written(pointer))
        assert same(written, at(data, pointer))
        assert json.loads(cut(document, document.span(Place(pointer)))) == written
        if pointer and isinstance(pointer[-1], str):
            assert json.loads(cut(document, document.span(Place(pointer, key=True)))) == pointer[-1]


@settings(max_examples=150, deadline=None)
@given(TEXTS, st.sampled_from([True, False, None]), STYLES, st.sampled_from(["\n", "\r\n"]))
def test_yaml_gives_what_was_written(data: dict[str, Any], flow: bool | None, style: str | None, ends: str) -> None:
    text = yaml.safe_dump(data, default_flow_style=flow, default_style=style, allow_unicode=True, line_break=ends)
    document = read_document(text.encode(), "a.yaml")
    if "yaml-feature" not in [problem.name for problem in document.problems]:  # safe_dump tags some keys
        assert {problem.name for problem in document.problems} <= {"ambiguous-scalar"}
        assert document.data == data
        for pointer in all_pointers(data):
            assert document.exists(pointer)


@settings(max_examples=400, deadline=None)
@given(st.lists(YAML_BITS, max_size=14).map("".join))
def test_marks_are_those_of_pyyaml_and_nothing_raises(text: str) -> None:
    document = read_document(text.encode(), "a.yaml")
    marks = document._marks
    assert marks.starts == sorted(marks.starts)
    pointers = all_pointers(document.data)
    for pointer in [*pointers, ("nowhere", 3), (0, "x")]:
        span = document.span(Place(pointer, 0, 1))
        assert (span.line, span.column) <= (span.end_line, span.end_column)
        document.written(pointer)
    assert all(isinstance(problem.where, Span) for problem in document.problems)
    names = [problem.name for problem in document.problems]
    assert document.broken == any(name not in ("ambiguous-scalar", "byte-order-mark", "wrong-type") for name in names)
    if "bad-character" in names or "yaml-feature" in names or "\ufeff" in text:
        return
    compare_with_composed(text, document)


def compare_with_composed(text: str, document: Document) -> None:
    """Broken structure is broken for PyYAML too; all other nodes stand where its composer says."""
    try:
        top = yaml.compose(text, Loader=yaml.CSafeLoader)
    except yaml.YAMLError:
        assert document.broken
        return
    if "too-large" not in [problem.name for problem in document.problems]:
        marks = document._marks
        expected = list(composed_nodes(top)) if top is not None else []
        assert [(start, kind) for start, kind in zip(marks.starts, map(kind_of, marks.texts), strict=True)] == expected


def kind_of(text: str | None) -> str:
    return "collection" if text is None else text


def composed_nodes(node: yaml.Node) -> Any:
    yield node.start_mark.index, node.value if isinstance(node, yaml.ScalarNode) else "collection"
    if isinstance(node, yaml.MappingNode):
        for key, value in node.value:
            yield from composed_nodes(key)
            yield from composed_nodes(value)
    elif isinstance(node, yaml.SequenceNode):
        for inside in node.value:
            yield from composed_nodes(inside)


@settings(max_examples=200, deadline=None)
@given(st.binary(max_size=60), st.sampled_from(["a.yaml", "a.json"]))
def test_no_bytes_raise(raw: bytes, name: str) -> None:
    document = read_document(raw, name)
    assert document.broken or isinstance(document.data, dict)


@settings(max_examples=200, deadline=None)
@given(st.text(alphabet='{}[]",:\\u0d8aeE+-.1 \n\ttrufalsn', max_size=40))
def test_json_takes_what_the_standard_library_takes(text: str) -> None:
    names = {problem.name for problem in read_document(text.encode(), "a.json").problems}
    try:
        json.loads(text)
    except ValueError:
        assert names & {"not-yaml", "schema", "bad-character"}
    else:
        assert "not-yaml" not in names


@pytest.mark.parametrize(
    ("written", "value"),
    [
        ("true", True), ("false", False), ("null", None), ("~", None), ("", None), ("0", 0), ("-0", 0), ("12", 12),
        ("2.0", 2.0), ("-1.5", -1.5), ("2.05e12", 2.05e12), ("1E-3", 0.001), ("9" * 400, int("9" * 400)),
        ("no", "no"), ("TRUE", "TRUE"), ("010", "010"), ("0x1F", "0x1F"), ("1_000", "1_000"), ("1:30", "1:30"),
        ("+1", "+1"), (".5", ".5"), ("1.", "1."), ("2026-10-05", "2026-10-05"), ("3.35 TB/s", "3.35 TB/s"), ("=", "="),
        ("\u0661", "\u0661"), ("NaN", "NaN"), ("'1'", "1"), ('"true"', "true"),
    ],
)  # fmt: skip
def test_typing_is_narrow(written: str, value: object) -> None:
    assert same(read_document(f"k: {written}\n".encode(), "a.yaml").data, {"k": value})


def test_keys_are_text_as_written() -> None:
    document = read_document(b"36: a\n12.50%: b\nno: c\n~: d\ntrue: e\n'1': f\n2026-10-05: g\n", "a.yaml")
    assert list(document.data) == ["36", "12.50%", "no", "~", "true", "1", "2026-10-05"]


def test_places_of_keys_values_and_collections() -> None:
    text = "# top\na:\n  - x: 1\n    'y': [2, 3]  # end\n\n  - z:\nb: |\n  text\n\n\nc: >-\n\n  folded\n"
    document = read_document(text.encode(), "a.yaml")
    spans = {
        (("a",), True): Span(2, 1, 2, 2),
        (("a",), False): Span(3, 3, 6, 7),
        (("a", 0), False): Span(3, 5, 4, 16),
        (("a", 0, "y"), True): Span(4, 5, 4, 8),
        (("a", 0, "y"), False): Span(4, 10, 4, 16),
        (("a", 0, "y", 1), False): Span(4, 14, 4, 15),
        (("a", 1, "z"), False): Span(6, 7, 6, 7),
        (("b",), False): Span(7, 4, 8, 7),
        (("c",), False): Span(11, 4, 13, 9),
        ((), False): Span(2, 1, 13, 9),
        (("a", 0, "gone", 4), False): Span(3, 5, 4, 16),
    }
    for (pointer, key), span in spans.items():
        assert document.span(Place(pointer, key=key)) == span
    assert document.span(Place(("a", 0, "y"), 0, 1, key=True)) == Span(4, 6, 4, 7)
    assert document.span(Span(9, 9, 9, 9)) == Span(9, 9, 9, 9)


def test_written_is_the_source() -> None:
    document = read_document(b"schema_version: 3.00\na: 'it''s'\nb: [1,  2]\n", "a.yaml")
    assert document.written(("schema_version",)) == "3.00"
    assert document.written(("a",)) == "'it''s'"
    assert document.written(("b",)) == "[1,  2]"
    assert document.written(("nowhere",)) == ""
    assert (document.style(("a",)), document.style(("b",)), document.style(("x",))) == ("'", "[", None)


def test_only_three_line_ends_count() -> None:
    document = read_document("a: 1\r\nb: 2\rc: '\u0085\u2028x'\nd: \x0b.nan\n".encode(), "a.yaml")
    assert [document.line(number) for number in (0, 1, 2, 3, 4, 5, 6)] == [
        "", "a: 1", "b: 2", "c: '\u0085\u2028x'", "d: \x0b.nan", "", "",
    ]  # fmt: skip
    assert document.span(Place(("c",))) == Span(3, 4, 3, 9)


def test_a_document_crosses_processes() -> None:
    document = read_document(b"a: [no, '1']\n", "a.yaml")
    copy = pickle.loads(pickle.dumps(document))
    assert (copy.data, copy.problems) == (document.data, document.problems)
    assert copy.span(Place(("a", 1))) == document.span(Place(("a", 1)))
