"""`fix`: safe repairs only, each kept because the record is the better for it."""
from __future__ import annotations

import json
from fractions import Fraction
from pathlib import Path
from typing import Any

import pytest
import yaml
from hypothesis import given
from hypothesis import strategies as st

from specdil_records.authoring.rounding import _WRITTEN, _rounded
from specdil_records.authoring.splicing import CannotSplice, planned, spliced
from specdil_records.findings import Splice
from specdil_records.reading import read_document
from tests.authoring.commands import Done, records
from tests.conftest import Build

FLOP = "records/flops/example-stall.yaml"
NOTES = ("flop", "  More bandwidth lowers the ridge.\nclaims:\n",
         "  More bandwidth lowers the ridge.\n  {prose}\nclaims:\n{claim}")


def with_claim(prose: str, claim: str) -> tuple[str, str, str]:
    """An edit that adds a line to the notes and a claim about it."""
    return (NOTES[0], NOTES[1], NOTES[2].format(prose=prose, claim=claim))


def findings(folder: Path) -> list[str]:
    return [one["name"] for one in json.loads(records(folder, "check", "--format", "json").out)["findings"]]


def flop(folder: Path) -> str:
    return (folder / FLOP).read_bytes().decode()


def fix(folder: Path) -> Done:
    """Run the command, and prove that a second run changes no byte."""
    done = records(folder, "fix")
    once = flop(folder)
    records(folder, "fix")
    assert flop(folder) == once
    return done


def test_an_ambiguous_scalar_is_quoted_and_a_mark_is_dropped(build: Build) -> None:
    folder = build(("flop", 'date: "2026-10-05"', "date: 2026-10-05"))
    (folder / FLOP).write_bytes(b"\xef\xbb\xbf" + (folder / FLOP).read_bytes())
    assert sorted(findings(folder)) == ["ambiguous-scalar", "byte-order-mark"]
    done = fix(folder)
    assert (done.code, done.err) == (0, "")
    assert "4 records: 2 repairs made, 0 left to you" in done.out
    assert findings(folder) == []
    assert 'date: "2026-10-05"' in flop(folder)
    assert (folder / FLOP).read_bytes().startswith(b"schema_version")


def test_an_effect_takes_the_characters_of_the_prose(build: Build) -> None:
    folder = build(("flop", "  More bandwidth lowers the ridge.", "  More bandwidth lowers the\u2011ridge."),
                   ("flop", "effect: More bandwidth lowers the ridge",
                    "effect: 'More bandwidth lowers the-ridge'  # so"))
    assert findings(folder) == ["typography-differs"]
    assert fix(folder).code == 0
    assert findings(folder) == []
    assert "effect: 'More bandwidth lowers the\u2011ridge'  # so\n" in flop(folder)


def test_a_quote_takes_the_characters_of_the_prose_and_keeps_its_lines(build: Build) -> None:
    folder = build(with_claim("It\u2019s a \u201cdraft\u201d \u2013 nothing more.",
                              "- id: odd\n  in: notes\n  quote: >-\n    It's a \"draft\" -\n    nothing more\n"
                              "  basis: unverified\n"))
    assert findings(folder) == ["typography-differs"]
    assert fix(folder).code == 0
    assert findings(folder) == []
    assert "  quote: >-\n    It\u2019s a \u201cdraft\u201d \u2013\n    nothing more\n" in flop(folder)


UNVERIFIED = "- id: liked\n  in: notes\n  quote: \"Users like 3 drafts a step\"  # said\n  basis: unverified\n"


def test_a_changed_number_that_no_figure_objects_to_is_followed(build: Build) -> None:
    row = ("flop", "  effect: More bandwidth lowers the ridge\n", "  effect: Users like 3 drafts a step\n")
    folder = build(with_claim("Users like 5 drafts a step.", UNVERIFIED), row)
    assert findings(folder) == ["quote-not-verbatim"]
    done = fix(folder)
    assert done.code == 0
    assert "1 repair made" in done.out
    assert findings(folder) == []
    assert '  quote: "Users like 5 drafts a step"  # said\n' in flop(folder)
    assert "  effect: Users like 5 drafts a step\n" in flop(folder)


def test_two_numbers_that_become_the_same_are_both_followed_in_one_run(build: Build) -> None:
    two = UNVERIFIED.replace("liked", "again").replace("Users like", "Others like")
    folder = build(with_claim("Users like 5 drafts a step. Others like 5 drafts a step.", UNVERIFIED + two))
    assert findings(folder) == ["quote-not-verbatim", "quote-not-verbatim"]
    assert fix(folder).code == 0
    assert findings(folder) == []


@pytest.mark.parametrize(("key", "written"), [
    ("Up to 60", "{'Up to 1,061': fit, of 2000: all}"), ("'Up to 60'", "{'Up to 1,061': fit, of 2000: all}"),
    ('"Up to 60"', '{"Up to 1,061": fit, of 2000: all}')])
def test_a_number_with_a_comma_gets_quotes_between_braces(build: Build, key: str, written: str) -> None:
    claim = ("- id: bound\n  in: notes\n  quote: Up to 60 of 2000 users fit\n  basis: derived\n"
             f"  held: {{{key}: fit, of 2000: all}}\n  holds: [fit < all]\n")
    folder = build(with_claim("Up to 1,061 of 2000 users fit.", claim))
    assert findings(folder) == ["quote-not-verbatim"]
    assert fix(folder).code == 0
    assert findings(folder) == []
    assert f"held: {written}" in flop(folder)


@pytest.mark.parametrize("unread", ["3,5", "\uff13", ".5", "9-3"])
def test_a_number_that_cannot_be_read_is_told_once_and_nothing_follows_it(build: Build, unread: str) -> None:
    folder = build(with_claim(f"Users like {unread} drafts a step.", UNVERIFIED))
    assert findings(folder) == ["unreadable-number"]
    before = flop(folder)
    assert "4 records: 0 repairs" in fix(folder).out
    assert flop(folder) == before


def test_an_input_s_anchor_and_a_held_key_follow_too(build: Build) -> None:
    claim = ("- id: bound\n  in: notes\n  quote: Up to 60 of 64 users fit\n  basis: derived\n"
             "  held: {Up to 60: fit, of 64: all}\n  holds: [fit < all]\n")
    folder = build(with_claim("Up to 61 of 64 users fit.", claim))
    assert findings(folder) == ["quote-not-verbatim"]
    assert fix(folder).code == 0
    assert findings(folder) == []
    assert "held: {Up to 61: fit, of 64: all}" in flop(folder)
    assert "quote: Up to 61 of 64 users fit" in flop(folder)


GAIN = ("- id: added\n  in: notes\n  quote: Drafts add 26% to the intensity\n  basis: derived\n"
        "  assume: {{batch: \"16\", k: \"4\"}}\n  figures: {{26%{rest}: 'additive.gain(batch, k)'}}\n"
        "  because: a batch of 16 with four drafts\n")


def test_a_drifted_figure_alone_in_its_sentence_is_written_anew(build: Build) -> None:
    folder = build(with_claim("Drafts add 26% to the intensity.", GAIN.format(rest="")))
    assert findings(folder) == ["figure-drift"]
    done = fix(folder)
    assert (done.code, done.err) == (0, "")
    assert "repaired figure-drift: 26 becomes 25 in /notes" in done.out
    assert findings(folder) == []
    text = flop(folder)
    assert "  Drafts add 25% to the intensity.\n" in text
    assert "  quote: Drafts add 25% to the intensity\n" in text
    assert "figures: {25%: 'additive.gain(batch, k)'}" in text


def test_both_ends_of_a_range_are_written_anew(build: Build) -> None:
    folder = build(with_claim("The intensities are 3-5 FLOP/byte here.", (
        "- id: added\n  in: notes\n  quote: The intensities are 3-5 FLOP/byte here\n  basis: derived\n"
        "  assume: {k: \"7\", batch: \"32\"}\n  because: of a test\n"
        "  figures: {3-5 FLOP/byte: '(decode.intensity(k), decode.intensity(batch))'}\n")))
    assert findings(folder) == ["figure-drift", "figure-drift"]
    assert fix(folder).code == 0
    assert findings(folder) == []
    assert "  figures: {7-32 FLOP/byte: '(decode" in flop(folder)


def test_prose_that_was_edited_alone_is_written_back(build: Build) -> None:
    claim = GAIN.format(rest=" to the").replace("26%", "25%")
    folder = build(with_claim("Drafts add 52% to the intensity.", claim))
    assert findings(folder) == ["figure-drift"]
    assert fix(folder).code == 0
    assert findings(folder) == []
    assert "  Drafts add 25% to the intensity.\n" in flop(folder)


@pytest.mark.parametrize("word", ["only", "half", "halves", "twice", "double", "exceeds", "more", "less", "most",
                                  "least", "peak", "never", "always", "Only"])
def test_a_sentence_that_argues_with_its_number_is_left(build: Build, word: str) -> None:
    claim = GAIN.format(rest="").replace("Drafts add", f"Drafts {word} add")
    folder = build(with_claim(f"Drafts {word} add 26% to the intensity.", claim))
    before = flop(folder)
    done = fix(folder)
    assert done.code == 1
    assert repr(word) in done.err
    assert flop(folder) == before


def test_a_word_that_only_contains_one_of_them_is_no_argument(build: Build) -> None:
    claim = GAIN.format(rest="").replace("Drafts add", "Furthermore drafts add")
    folder = build(with_claim("Furthermore drafts add 26% to the intensity.", claim))
    assert fix(folder).code == 0
    assert findings(folder) == []


def test_a_sentence_with_another_number_is_left(build: Build) -> None:
    folder = build(("flop", "a gain of 25%.", "a gain of 52%."))
    before = flop(folder)
    done = fix(folder)
    assert done.code == 1
    assert "holds another number, 16" in done.err
    assert flop(folder) == before


def test_what_rests_on_something_coarse_is_left(build: Build) -> None:
    claim = ("- id: far\n  in: notes\n  quote: The ridge lies at 230 FLOP/byte\n  basis: derived\n"
             "  of: {chip: example-chip}\n  figures: {at 230 FLOP/byte: 'ridge(chip, \"bf16\")'}\n")
    folder = build(with_claim("The ridge lies at 230 FLOP/byte.", claim))
    before = flop(folder)
    done = fix(folder)
    assert done.code == 1
    assert "anything from 199 to 201 would do" in done.err
    assert flop(folder) == before


def test_a_value_of_a_record_is_taken_as_it_is_written(build: Build) -> None:
    claim = ("- id: moved\n  in: notes\n  quote: The chip moves 2.1 TB/s\n  basis: specified\n"
             "  of: {chip: example-chip}\n  figures: {2.1 TB/s: chip.memory_bandwidth}\n")
    folder = build(with_claim("The chip moves 2.1 TB/s.", claim))
    assert fix(folder).code == 0
    assert findings(folder) == []
    assert "  The chip moves 2.0 TB/s.\n" in flop(folder)


def test_a_repair_that_brings_another_finding_is_not_kept(build: Build) -> None:
    # With the number written anew the sentence would stand in the notes twice.
    claim = GAIN.format(rest="")
    folder = build(with_claim("Drafts add 26% to the intensity.\n  Drafts add 25% to the intensity.", claim
                              + GAIN.format(rest="").replace("added", "again").replace("26%", "25%")))
    assert findings(folder) == ["figure-drift"]
    before = flop(folder)
    done = fix(folder)
    assert done.code == 1
    assert "it would bring" in done.err
    assert flop(folder) == before


def test_a_figure_that_a_dispute_lets_fail_is_left(build: Build) -> None:
    dispute = ("disputes:\n- {claim: added, figure: 26%, own_model: fails, because: rounded by hand,"
               " sources: [chip-sheet]}\n")
    folder = build(with_claim("Drafts add 26% to the intensity.", GAIN.format(rest="")),
                   ("flop", "history:\n", dispute + "history:\n"))
    assert findings(folder) == []
    assert fix(folder).out == "4 records: 0 repairs made, 0 left to you\n"


def test_diff_looks_first(build: Build) -> None:
    folder = build(with_claim("Drafts add 26% to the intensity.", GAIN.format(rest="")))
    before = flop(folder)
    done = records(folder, "fix", "--diff")
    assert "+  Drafts add 25% to the intensity." in done.out
    assert "would repair" in done.out
    assert flop(folder) == before


def test_a_sound_corpus_has_nothing_to_repair(build: Build) -> None:
    folder = build()
    assert records(folder, "fix").out == "4 records: 0 repairs made, 0 left to you\n"


# The parts --------------------------------------------------------------------------------------------------


@given(st.fractions(min_value=Fraction(-10**6), max_value=Fraction(10**6), max_denominator=10**6),
       st.integers(min_value=0, max_value=6), st.sampled_from(["1", "1,000", "-1", "\u22121", "+1"]))
def test_a_rounded_value_lies_within_half_a_unit(value: Fraction, places: int, manner: str) -> None:
    shape = _WRITTEN.fullmatch(manner)
    assert shape is not None
    text = _rounded(value, places, shape)
    back = Fraction(text.replace(",", "").replace("\u2212", "-"))
    assert abs(back - value) <= Fraction(1, 2 * 10**places)
    assert len(text.partition(".")[2]) == places


WORDS = st.lists(st.sampled_from(["12", "it's", 'say "so"', "b\\c", "→ é", "x"]), min_size=1, max_size=6)


@given(WORDS, st.sampled_from("'\">|"), st.sampled_from(["36", "it's", 'q"q', "é", "a b"]), st.data())
def test_a_splice_changes_one_stretch_of_one_scalar(words: list[str], style: str, new: str,
                                                    data: st.DataObject) -> None:
    text = " ".join(words)
    written = {"'": "'" + text.replace("'", "''").replace(" ", "\n  ") + "'", '"': json.dumps(text, ensure_ascii=False),
               ">": ">-  # kept\n  " + text.replace(" ", "\n  "), "|": "|-\n  " + text}[style]
    source = f"# top\na: {written}\nb: [{{c: d}}]  # end\n"
    document = read_document(source.encode(), "x.yaml")
    start = data.draw(st.integers(0, len(text) - 1))
    end = data.draw(st.integers(start + 1, len(text)))
    one = Splice(("a",), start, end, new)
    after = read_document(spliced(document, [one]).encode(), "x.yaml")
    assert planned(document.data, [one]) == {"a": text[:start] + new + text[end:], "b": [{"c": "d"}]}
    # Blanks at the border of a line fold: the command compares the tree and drops such a repair.
    if not text[:start].endswith(" ") and not text[end:].startswith(" ") and text[start:end] == text[start:end].strip():
        assert after.data == planned(document.data, [one])
    assert after.text.endswith("\nb: [{c: d}]  # end\n")


@pytest.mark.parametrize("key", ["12.5%", "'12.5%'", '"12.5%"', "only 12.5% more"])
def test_digits_in_a_key_are_written_anew_in_its_own_quotes(key: str) -> None:
    source = f"figures: {{{key}: x, y: z}}\n"
    document = read_document(source.encode(), "x.yaml")
    name = next(iter(document.data["figures"]))
    at = name.index("12.5")
    one = Splice(("figures", name), at, at + 4, "13.5", True)
    new = spliced(document, [one])
    assert new == source.replace("12.5", "13.5")
    tree: Any = yaml.load(new, yaml.BaseLoader)
    assert planned(document.data, [one]) == tree


def test_splices_that_overlap_are_refused() -> None:
    document = read_document(b"a: 12 34\n", "x.yaml")
    with pytest.raises(CannotSplice):
        spliced(document, [Splice(("a",), 0, 4, "x"), Splice(("a",), 3, 5, "y")])
