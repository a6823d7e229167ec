"""Every character of a value stands at a character of the source that is that character, its escape or its fold."""
from __future__ import annotations

import json

import pytest
import yaml
from hypothesis import assume, given, settings
from hypothesis import strategies as st

from specdil_records.findings.values import Place, Span
from specdil_records.reading import read_document
from specdil_records.reading.align import align

WORDS = st.text(alphabet="ab-:#'\"\\,[]{}&*!|>%@ \t\u00e9\u20ac\U0001f680\ufeff\u00a0", max_size=7)
BREAKS = st.sampled_from(["\n", "\r\n", "\r"])
ESCAPES = [*(f"\\{letter}" for letter in 'n\\"t _/0eNL'), "\\x41", "\\u20ac", "\\U0001F680"]


def decoded(piece: str, style: str) -> str:
    """What a piece of source stands for, by an independent reading."""
    if style == '"' and piece.startswith("\\"):
        return str(yaml.safe_load(f'"{piece}"'))
    return "'" if style == "'" and piece == "''" else piece


def check_every_character(source: str, style: str, value: str, is_json: bool = False) -> None:
    aligned = align(source, style, value, is_json)
    assert aligned is not None
    assert aligned.length == len(value)
    before = 0
    for at, character in enumerate(value):
        start, end = aligned.range(at, at + 1)
        assert before <= start < end <= len(source)
        before = end
        piece = source[start:end]
        is_fold = character in " \n" and piece.strip(" \t\r\n") == "" and ("\n" in piece or "\r" in piece)
        if is_json and piece.startswith("\\"):
            assert json.loads(f'"{piece}"') == character
        else:
            assert is_fold or decoded(piece, style) == character, (source, value, at, piece)


def check_document(text: str, style: str) -> None:
    document = read_document(text.encode(), "a.yaml")
    assume(not document.broken and isinstance(document.data.get("k"), str) and document.style(("k",)) == style)
    marks = document._marks
    node = marks.locate(("k",))[0]
    check_every_character(text[marks.starts[node] : marks.ends[node]], style, document.data["k"])


@st.composite
def flow_sources(draw: st.DrawFn, quote: str) -> str:
    word = WORDS if quote != '"' else st.one_of(WORDS, st.sampled_from(ESCAPES), st.sampled_from(["\\\n", "\\\r\n  "]))
    pieces = draw(st.lists(word, min_size=1, max_size=6))
    folds = BREAKS.map(lambda end: end + "  ") | BREAKS.map(lambda end: f" {end} \t{end}   ")
    between = st.sampled_from(["", " "]) | folds
    text = "".join(piece + draw(between) for piece in pieces)
    if quote == "'":
        text = text.replace("'", "''")
    elif quote == '"':
        text = text.replace('\\"', "\0").replace('"', "").replace("\0", '\\"')
    else:
        text = "x" + text.strip() + "x"
    return quote + text + quote


@pytest.mark.parametrize("quote", ["", "'", '"'])
def test_flow_scalars(quote: str) -> None:
    @settings(max_examples=250, deadline=None)
    @given(flow_sources(quote))
    def run(source: str) -> None:
        check_document(f"a: 1\nk: {source}\nz: 2\n", quote)

    run()


@st.composite
def block_sources(draw: st.DrawFn) -> tuple[str, str]:
    style = draw(st.sampled_from("|>"))
    explicit = draw(st.sampled_from(["", "", "1", "2", "4"]))
    chomp = draw(st.sampled_from(["", "-", "+"]))
    indent = int(explicit or draw(st.sampled_from("123")))
    lines = draw(st.lists(st.tuples(st.sampled_from(["", "", "", " ", "  ", "\t"]), WORDS), max_size=7))
    line_break = draw(BREAKS)
    body = "".join((" " * indent + extra + word if word or extra else "") + line_break for extra, word in lines)
    signs = draw(st.sampled_from([explicit + chomp, chomp + explicit]))
    header = style + signs + draw(st.sampled_from(["", " # note"]))
    last = draw(st.sampled_from(["z: 2\n", "", "# end\n"]))
    text = f"k: {header}{line_break}{body}{last}"
    return (text if last else text.rstrip("\r\n") or text), style


@settings(max_examples=600, deadline=None)
@given(block_sources())
def test_block_scalars(case: tuple[str, str]) -> None:
    check_document(*case)


@settings(max_examples=200, deadline=None)
@given(st.text(alphabet=st.characters(codec="utf-8"), max_size=20), st.booleans())
def test_json_strings(value: str, ascii_only: bool) -> None:
    check_every_character(json.dumps(value, ensure_ascii=ascii_only), '"', value, is_json=True)


@settings(max_examples=200, deadline=None)
@given(
    st.text(alphabet="ab \n\t'\"\\:#-\u20ac\U0001f680", max_size=60),
    st.sampled_from([None, "'", '"', "|", ">"]),
    st.integers(20, 80),
)
def test_what_pyyaml_writes(value: str, style: str | None, width: int) -> None:
    text = yaml.safe_dump({"k": value}, default_style=style, width=width, allow_unicode=True)
    document = read_document(text.encode(), "a.yaml")
    assert document.data is not None
    key = next(iter(document.data))
    assert document.data[key] == value
    marks = document._marks
    node = marks.locate((key,))[0]
    check_every_character(text[marks.starts[node] : marks.ends[node]], marks.styles[node], value)


@pytest.mark.parametrize(
    ("text", "value", "part", "expected"),
    [
        ("k: >-\n  one\n  two 12.5%\n", "one two 12.5%", "12.5%", Span(3, 7, 3, 12)),
        ("k: >\n\n  a\n\n  b 7\n", "\na\nb 7\n", "7", Span(5, 5, 5, 6)),
        ("k: |2-\n    x\n  y 3\n", "  x\ny 3", "3", Span(3, 5, 3, 6)),
        ("k: |+\r\n  a\r\n\r\n  4\r\n\r\n", "a\n\n4\n\n", "4", Span(4, 3, 4, 4)),
        ("k: one\n  two\n\n  three 9\n", "one two\nthree 9", "9", Span(4, 9, 4, 10)),
        ("k: one\n  two\n", "one two", "one two", Span(1, 4, 2, 6)),
        ("k: 'it''s 5'\n", "it's 5", "5", Span(1, 11, 1, 12)),
        ('k: "\\u20ac \\\n    8"\n', "\u20ac 8", "8", Span(2, 5, 2, 6)),
        ("k: \U0001f680 6\n", "\U0001f680 6", "6", Span(1, 6, 1, 7)),
        ("\ufeffk: a 2\n", "a 2", "2", Span(1, 6, 1, 7)),
        ("k: \ufeffa 2\n", "\ufeffa 2", "2", Span(1, 7, 1, 8)),
        ("k: 12.50\n", 12.5, "50", Span(1, 7, 1, 9)),
    ],
)
def test_digits_inside_scalars(text: str, value: object, part: str, expected: Span) -> None:
    document = read_document(text.encode(), "a.yaml")
    assert document.data == {"k": value}
    decoded_text = value if isinstance(value, str) else document.written(("k",))
    start = decoded_text.index(part)
    assert document.span(Place(("k",), start, start + len(part))) == expected


def test_source_that_does_not_fit_gives_no_alignment() -> None:
    assert align("'abc'", "'", "abd") is None
    assert align("|\n  abc\n", "|", "abd\n") is None
