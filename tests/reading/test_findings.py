"""Every finding of this room on small files, with its exact place; the worst cases first."""
from __future__ import annotations

import pytest

from specdil_records.reading import read_document


def findings(text: str | bytes, name: str = "a.yaml") -> list[tuple[str, int, int]]:
    document = read_document(text if isinstance(text, bytes) else text.encode("utf-8", "surrogatepass"), name)
    spans = [(problem.name, document.span(problem.where)) for problem in document.problems]
    return [(name, span.line, span.column) for name, span in spans]


LOST = [
    ("a: see #88 of it\n", [(1, 8)]),
    ("a: see\t#88\n", [(1, 8)]),
    ("- #88\n- b #9\n", [(1, 3), (2, 5)]),
    ("a:\n- b\n- see #88\n", [(3, 7)]),
    ("a: #88\n", [(1, 4)]),
    ("a: #88\nb: c\n", [(1, 4)]),
    ("a: #text\n  more of it\n", [(1, 4)]),
    ('"a": #88\n', [(1, 6)]),
    ("a:\n  - #88\n  - b\n", [(2, 5)]),
    ("a: one\n  two #3\n", [(2, 7)]),
    ("a: see #88\n  and more\nb: c\n", [(1, 8)]),
    ("b: x\na: see #88\n  and: more\n", [(2, 8)]),
    ("a:\n- see #88\n  and more\n- b\n", [(2, 7)]),
    ("a: [b #3,\n  c]\n", [(1, 7)]),
    ("a: [b, #3\n  c]\n", [(1, 8)]),
    ("a: [b #3\n  c]\n", [(1, 7)]),
    ("a: b ##\n", [(1, 6)]),
    ("a: [#17 says so\n  b]\n", [(1, 5)]), ("a: {b: [# 17\n  c]}\n", [(1, 9)]), ("a: {#b\n  c: d}\n", [(1, 5)]),
    ('a: "b"#c\n', [(1, 7)]), ("a: 'b'# c\n", [(1, 7)]), ("a: [b]#c\n", [(1, 7)]), ("a: {b: c}#d\n", [(1, 10)]),
    ("a: [b,#c\n  d]\n", [(1, 7)]), ("a: see [#1]\n", []), ('a: "[#1]"\n', []), ("a: b]#c\n", []),
    ("# see [#12]\na: b\n", []), ('a: b # as [#12] and "#3"\n', []), ("a: [b, c] # as {#2}\n", []),
    ("- b  # '#1'\n", []), ("a: # [#1]\n  b\n", []), ("a: [ # as ,#1\n  b]\n", []), ("a: b\n# [#1]\nc: d\n", []),
    ("a: {b: c}#d [#e]\n", [(1, 10)]), ("a: [b#c,#d\n  e]\n", [(1, 9)]),
    ("a: b\r\nc: see #1\r\nd: e\r\n", [(2, 8)]),
    ("a: b\rc: see #1\rd: e\r", [(2, 8)]),
    ("a: b # remark #12\n", []),
    ("a: b  # remark\n", []),
    ("a: b#12\n", []),
    ("a: 'b' #c\n", []),
    ('a: "b" #c\n', []),
    ('a: "b #c"\n', []),
    ("a: 'b\n  #c d'\n", []),
    ("a: [b, c] #d\n", []),
    ("a: {b: c} #d\n", []),
    ("a: [ #d\n  b]\n", []),
    ("a: | #d\n  b #c\n", []),
    ("a: >- #d\n  b #c\n", []),
    ("#a\n  #b\na: c\n#d\n", []),
    ("a: b\n  #c\nd: e\n", []),
    ("a: #nested\n  b: c\n", []),
    ("a: #listed\n- b\n", []),
    ("a: #quoted\n  'b'\n", []),
    ("- #nested\n  b: c\n", []),
    ("a: #block\n  [b]\n", []),
]


@pytest.mark.parametrize(("text", "places"), LOST)
def test_lost_text(text: str, places: list[tuple[int, int]]) -> None:
    found = [finding for finding in findings(text) if finding[0] != "schema"]
    assert found == [("lost-text", *place) for place in places]


TABLE: list[tuple[str | bytes, list[tuple[str, int, int]]]] = [
    # not YAML at all, at the exact place
    (b"a: b\nc: \xc3\xa9\xff\n", [("not-yaml", 2, 5)]),
    (b"a: \xe2\x82", [("not-yaml", 1, 4)]),
    ("a: \u20ac\n".encode("utf-16"), [("not-yaml", 1, 1)]),
    ("a: b\n".encode("utf-16-le"), [("not-yaml", 1, 1)]),
    ("a: b\n".encode("utf-16-be"), [("not-yaml", 1, 1)]),
    ("a: b\n".encode("utf-32"), [("not-yaml", 1, 1)]),
    ("a: b: c\n", [("not-yaml", 1, 5)]),
    ("a: [b\n", [("not-yaml", 2, 1)]),
    ("a: 'b\n", [("not-yaml", 2, 1)]),
    ("a: @b\n", [("not-yaml", 1, 4)]),
    ("a: b\n\tc: d\n", [("not-yaml", 2, 1)]),
    ('a: "\\q"\n', [("not-yaml", 1, 5)]),
    ("\ufeffa: b: c\n", [("byte-order-mark", 1, 1), ("not-yaml", 1, 5)]),
    # repeated keys
    ("a: 1\nb: 2\na: 3\n", [("duplicate-key", 3, 1)]),
    ('a: 1\n"a": 2\n', [("duplicate-key", 2, 1)]),
    ('caf\u00e9: 1\n"caf\\u00e9": 2\n', [("duplicate-key", 2, 1)]),
    ("a: 1\na: 2\na: 3\n", [("duplicate-key", 2, 1), ("duplicate-key", 3, 1)]),
    ("x: {a: 1, b: 2, 'a': 3}\n", [("duplicate-key", 1, 17)]),
    ("1: a\n1.0: b\n01: c\n", []),
    ("~: a\nnull: b\n'': c\n", []),
    # features
    ("a: &a0 1\n", [("yaml-feature", 1, 4)]),
    ("a: &a0 [1]\nb: *a0\n", [("yaml-feature", 1, 4), ("yaml-feature", 2, 4)]),
    ("a: *b\n", [("yaml-feature", 1, 4)]),
    ("*a : b\n", [("yaml-feature", 1, 1)]),
    ("&a b: c\n", [("yaml-feature", 1, 1)]),
    ("a: !!str 1\n", [("yaml-feature", 1, 4)]),
    ("a: !tag\n", [("yaml-feature", 1, 4)]),
    ("a: ! b\n", [("yaml-feature", 1, 4)]),
    ("a: !!python/object/apply:os.system [ls]\n", [("yaml-feature", 1, 4)]),
    ("a: !t &b c\n", [("yaml-feature", 1, 4), ("yaml-feature", 1, 7)]),
    ("a:\n  <<: {b: 1}\n  c: 2\n", [("yaml-feature", 2, 3)]),
    ("'<<': 1\n", []),
    ("[a]: b\n", [("yaml-feature", 1, 1)]),
    ("? {a: b}\n: c\n", [("yaml-feature", 1, 3)]),
    ("a: 1\n---\nb: 2\n", [("yaml-feature", 2, 1)]),
    ("a: 1\n...\n---\n", [("yaml-feature", 3, 1)]),
    ("--- \na: 1\n...\n# end\n", []),
    ("a: **bold** text\n", [("not-yaml", 1, 5)]),
    ("a: *bold text\n", [("yaml-feature", 1, 4)]),
    ("&a\n", [("yaml-feature", 1, 1)]),
    # characters
    ("a: b\x07c\n", [("bad-character", 1, 5)]),
    ("a: \x00\x7f\n", [("bad-character", 1, 4), ("bad-character", 1, 5)]),
    ("a: b\x85c: d\n", [("bad-character", 1, 5)]),
    ("a: b\u2028c\nd: \u2029\n", [("bad-character", 1, 5), ("bad-character", 2, 4)]),
    ("a: \ufdd0\ufffe\U0010ffff\n", [("bad-character", 1, column) for column in (4, 5, 6)]),
    ("a: \ud800\n", [("bad-character", 1, 4)]),
    ("a: [\x1b\n", [("bad-character", 1, 5)]),
    ('a: "\\ud800"\n', [("bad-character", 1, 5)]),
    ('a: "x\\U0000dfff" \nb: "\\uFFFE"\n', [("bad-character", 1, 6), ("bad-character", 2, 5)]),
    ('a: "\\ud83d\\ude80"\n', [("bad-character", 1, 5), ("bad-character", 1, 11)]),
    ('a: "\\U0001FFFF"\n', [("bad-character", 1, 5)]),
    ("a: '\\ud800 \\uffff'\n", []),
    ('a: "\\\\ud800 \\\\\\\\uffff"\n', []),
    ('a: "\\0\\x07\\e\\N\\L\\u2029\\x7f"\n', []),
    ("a: \ufeff\u00a0\u200b\u00ad\ue000\U0001f680\n", []),
    # a top that is no mapping
    (b"", [("schema", 1, 1)]),
    ("\n# only this\n", [("schema", 1, 1)]),
    ("---\n", [("schema", 1, 1)]),
    ("\n  null\n", [("schema", 2, 3)]),
    ("# list\n- a\n", [("schema", 2, 1)]),
    ("text\n", [("schema", 1, 1)]),
    ("no\n", [("schema", 1, 1)]),
    # not finite
    ("a: .nan\nb: [.inf, -.INF]\n", [("wrong-type", 1, 4), ("wrong-type", 2, 5), ("wrong-type", 2, 11)]),
    ("a: +.Inf\nb: .NaN\n", [("wrong-type", 1, 4), ("wrong-type", 2, 4)]),
    ("a: 1e999\nb: -1e999\n", [("wrong-type", 1, 4), ("wrong-type", 2, 4)]),
    (".nan: '.nan'\n1e999: x\n", []),
    ("\ufeff\ufeffa: b\n", [("byte-order-mark", 1, 1)]),
]


@pytest.mark.parametrize(("text", "expected"), TABLE)
def test_yaml(text: str | bytes, expected: list[tuple[str, int, int]]) -> None:
    assert findings(text) == expected


AMBIGUOUS = """
yes Yes YES no No NO on On ON off Off OFF y Y n N True TRUE False FALSE Null NULL << =
010 0x1F 0b101 1_000 +1 -0_1 1:30 22:22 -1:30:59 1:30.5 09:30.5 .5 +.5 -.5e+3 1. 1_0.5 +1.5 01.5
2026-10-05 2026-1-5T1:02:03 2026-10-05T01:02:03.5Z 2.05e12 1e5 1E+5 1.5e5 -2e-3
"""
ALIKE = """
true false null ~ 0 -0 1 -12 1.5 -0.5 1.5e+5 2.0E-3 yES nO oN 08 09:30 0o17 1.2.3 v1.0 2026-13 . .. +x 1x
0xZZ 1:99 1:60 2026-1-5 e5 .e5 1e 1e+ none NaN inf Infinity -inf nan _1 1,000 12:30pm 3.35TB tRUE
"""


@pytest.mark.parametrize("text", AMBIGUOUS.split())
def test_ambiguous_scalars_are_told_as_values_only(text: str) -> None:
    assert findings(f"a: {text}\n") == [("ambiguous-scalar", 1, 4)]
    assert findings(f"a: [{text}]\n") == [("ambiguous-scalar", 1, 5)]
    assert findings(f"a: '{text}'\nb: \"{text}\"\nc: |-\n  {text}\n") == []
    if text != "<<":
        assert findings(f"{text}: a\n") == []


@pytest.mark.parametrize("text", ALIKE.split())
def test_scalars_that_every_reader_takes_alike(text: str) -> None:
    assert findings(f"a: {text}\n") == []


JSON_TABLE: list[tuple[str | bytes, list[tuple[str, int, int]]]] = [
    ('{"a": 1} x', [("not-yaml", 1, 10)]),
    ('{"a": 1,}', [("not-yaml", 1, 9)]),
    ('{"a": 01}', [("not-yaml", 1, 8)]),
    ("{'a': 1}", [("not-yaml", 1, 2)]),
    ('{"a": 1 // note\n}', [("not-yaml", 1, 9)]),
    ('{"a": "b', [("not-yaml", 1, 7)]),
    ('{"a": "b\nc"}', [("not-yaml", 1, 9)]),
    ('{"a": "\tb"}', [("not-yaml", 1, 8)]),
    ('{"a": "\\q"}', [("not-yaml", 1, 8)]),
    ('{"a": +1}', [("not-yaml", 1, 7)]),
    ('{"a": .5}', [("not-yaml", 1, 7)]),
    ('{"a": \u0661}', [("not-yaml", 1, 7)]),
    ('{"a": truer}', [("not-yaml", 1, 7)]),
    ('{"a"}', [("not-yaml", 1, 5)]),
    ('{"a": ', [("not-yaml", 1, 7)]),
    ('{\u00a0"a": 1}', [("not-yaml", 1, 2)]),
    ('{"a": 1,\n "\\u0061": 2}', [("duplicate-key", 2, 2)]),
    ('{"a": "\x01"}', [("bad-character", 1, 8)]),
    ('{"a": "\x85"}', [("bad-character", 1, 8)]),
    ('{"a": "x\\ud800"}', [("bad-character", 1, 9)]),
    ('{"a": "\\ude80\\ud83d"}', [("bad-character", 1, 8), ("bad-character", 1, 14)]),
    ('{"\\ufdd0": "\\ud83f\\udfff"}', [("bad-character", 1, 3), ("bad-character", 1, 13)]),
    ('{"a": "\\ud83d\\ude80 \\\\ud800 \\u0000 \\u2028"}', []),
    ('{"a": NaN, "b": [Infinity, -Infinity]}', [("wrong-type", 1, 7), ("wrong-type", 1, 18), ("wrong-type", 1, 28)]),
    ('{"a": -1e999}', [("wrong-type", 1, 7)]),
    ('\ufeff{"a": 1}', [("byte-order-mark", 1, 1)]),
    ("", [("schema", 1, 1)]),
    (" \n", [("schema", 1, 1)]),
    ("\n [1]", [("schema", 2, 2)]),
    ("null", [("schema", 1, 1)]),
    ('{"a": "no", "b": 2.05e12, "c": "#x #y", "<<": "*a"}', []),
]


@pytest.mark.parametrize(("text", "expected"), JSON_TABLE)
def test_json(text: str | bytes, expected: list[tuple[str, int, int]]) -> None:
    assert findings(text, "a.json") == expected


def test_a_repeated_key_names_the_line_of_the_first() -> None:
    (problem,) = read_document(b"b: 1\nx:\n  a: 1\n  b: 2\n  a: 3\n", "a.yaml").problems
    assert "line 3" in problem.message
    assert problem.data["first_line"] == 3


def test_a_syntax_fault_says_what_to_do() -> None:
    def told(text: bytes) -> str:
        (problem,) = read_document(text, "a.yaml").problems
        return f"{problem.message} {problem.help}"

    assert "begun on line 2" in told(b"a: b\nc: 'd\n")
    assert "tabs" in told(b"a:\n\t- b\n")
    assert "quotes" in told(b"a: b: c\n")
    assert "quotes" in told(b"a: @b\n")


def test_which_faults_leave_the_tree_in_doubt() -> None:
    for text in ("a: 1\na: 2\n", "a: *b\n", "a: b #c\n", "a: \x07\n", "- a\n", "a: [\n", "a: " + "9" * 401):
        assert read_document(text.encode(), "a.yaml").broken
    for text in ("a: no\n", "\ufeffa: b\n", "a: .nan\n"):
        assert not read_document(text.encode(), "a.yaml").broken


def test_a_broken_record_still_tells_its_id() -> None:
    for text in ("a: 1\na: 2\n", "a: \x07\n", 'a: "\\ud800"\n', "--- a\n", "a: *b\n", "a: b #c\n"):
        assert read_document(f"id: flops/x\n{text}".encode(), "a.yaml").data["id"] == "flops/x"


def test_refused_numbers_are_none_and_their_pointers_known() -> None:
    document = read_document(b"a: [1, .nan]\nb: {c: 1e999}\n", "a.yaml")
    assert document.data == {"a": [1, None], "b": {"c": None}}
    assert document.refused == {("a", 1), ("b", "c")}
