"""A record beside an earlier state of itself: what needs an entry of the history, and what a schema pass may not do."""
from __future__ import annotations

import re
from typing import Any

import pytest

from specdil_records.checking.selftest import check_sample
from specdil_records.findings import Finding
from specdil_records.rules import Sample
from specdil_records.rules.samples import BASE

Edit = tuple[str, str, str]
CREATED = "kind: created}\n"
PASS = ("flop", CREATED, CREATED + '- {date: "2026-11-02", change: rows added, kind: schema}\n')
NAME = ("flop", "name: Drafting stalls", "name: Drafting stops")
WORKAROUND = ("flop", "- Draft less when", "- Draft more when")
EFFECT = ("flop", "  effect: More bandwidth lowers the ridge", "  effect: The gain fades as the batch grows")
BASIS = ("flop", "  basis: derived\n  of:", "  basis: unverified\n  of:")


def found(*edits: Edit, before: tuple[Edit, ...] = ()) -> list[Finding]:
    """What is found beside an earlier state that has other edits."""
    return [one for one in check_sample(Sample(edits, before=before))
            if one.name in ("history-missing", "schema-pass-changed-content")]


def counted(count: int) -> tuple[Edit, ...]:
    """Edits that change so many places of the flop record that no finding but one about history looks at."""
    edits = (NAME, WORKAROUND, ("flop", "id: ridge\n", "id: ridge\n  because: so\n"))
    return edits[:count]


@pytest.mark.parametrize(("count", "message"), [
    (1, "name changed, and history has no new entry"),
    (2, "name and 1 more place changed, and history has no new entry"),
    (3, "name and 2 more places changed, and history has no new entry"),
])
def test_the_first_place_is_named_and_the_others_are_counted(count: int, message: str) -> None:
    (one,) = found(*counted(count))
    assert (one.name, one.message, one.pointer) == ("history-missing", message, ("history",))
    assert one.data["changed"] == ["/name", "/workarounds/0", "/claims/2/because"][:count]


def test_it_sits_at_the_key_of_the_history_or_else_at_the_id() -> None:
    (one,) = found(NAME)
    line = next(i for i, text in enumerate(BASE["flop"].splitlines(), 1) if text.startswith("history:"))
    assert (one.span.line, one.span.column, one.span.end_column) == (line, 1, 8)
    (one,) = found(("bench", '"2.10"', '"2.20"'))
    assert (one.path, one.pointer, one.span.line) == ("records/sources/bench-report.yaml", ("id",), 2)


def test_at_most_twenty_places_are_listed() -> None:
    many = "workarounds:\n" + "".join(f"- Draft less, way {letter}.\n" for letter in "abcdefghijklmnopqrstuvwxy")
    old = ("flop", "workarounds:\n", many)
    new = ("flop", "workarounds:\n", re.sub("way", "path", many))
    (one,) = found(new, before=(old,))
    assert one.message == "workarounds/0 and 24 more places changed, and history has no new entry"
    assert one.data["changed"] == [f"/workarounds/{i}" for i in range(20)]


@pytest.mark.parametrize("edit", [
    ("flop", "status: active", "status: active  # for now"), ("flop", "a gain of 25%.\n  The", "a gain of\n  25%. The"),
    ("flop", 'change: first written', 'change: written first'), PASS,
    ("flop", "- Draft less when the batch is large.", "- Draft less when  the batch\n  is large.")])
def test_what_is_no_content_needs_no_entry(edit: Edit) -> None:
    assert found(edit) == []


def test_a_record_that_could_not_be_read_or_is_not_sound_is_not_compared() -> None:
    broken = ("flop", "status: active", "status: [active")
    unsound = ("flop", "status: active", "status: idle")
    assert found(NAME, before=(broken,)) == []
    assert found(NAME, broken) == []
    cell = ("bench", '"2.10"', '"2.20"')
    assert found(cell, before=(("bench", "kind: benchmark", "kind: [benchmark"),)) == []
    assert [one.name for one in found(cell, before=(("bench", "kind: benchmark", "kind: rumour"),))] == [
        "history-missing"]
    assert found(NAME, unsound) == []
    assert found(PASS, EFFECT, before=(unsound,)) == []
    assert found(PASS, EFFECT, unsound) == []
    assert [one.name for one in found(NAME, before=(unsound,))] == ["history-missing"]


def test_a_history_does_not_become_shorter_whatever_the_entries_say() -> None:
    two = (CREATED, CREATED + '- {date: "2026-11-02", change: rows added, kind: content}\n')
    (one,) = found(before=(("flop", *two),))
    assert (one.message, one.pointer) == ("history has lost 1 of its entries", ("history",))
    history = "history:\n" + BASE["flop"].partition("history:\n")[2]
    (one,) = found(("flop", history, ""))
    assert (one.message, one.pointer) == ("history has lost 1 of its entries", ("id",))


@pytest.mark.parametrize("words", ['""', '" "', '"\u200b"', '"..."'])
def test_an_entry_that_says_nothing_is_none(words: str) -> None:
    entry = ("flop", CREATED, CREATED + f'- {{date: "2026-11-02", change: {words}, kind: content}}\n')
    assert [one.name for one in found(NAME, entry)] == ["history-missing"]


def test_a_record_does_not_go_back_to_a_version_without_a_history() -> None:
    older = ('schema_version: "2.0"\nid: flops/example-stall\narithmetic_intensity: At batch 8 it is 9.\n'
             "scales_with: [batch_size (less)]\naffected_by_hardware: []\nhardware_parameters: []\nworkarounds: []\n"
             "notes: None.\n")
    (one,) = found(("flop", BASE["flop"], older))
    assert (one.name, one.pointer) == ("history-missing", ("schema_version",))
    assert one.message == "it was a record of version 3.0 with a history; version 2.0 has none"
    assert found(before=(("flop", BASE["flop"], older),)) == []


# A schema pass --------------------------------------------------------------------------------------------


def test_one_change_of_a_pass_is_told_where_it_stands() -> None:
    (one,) = found(PASS, BASIS)
    assert one.message == "the history speaks of a schema pass, but the claim ridge (basis) changed"
    assert (one.name, one.pointer, one.notes) == ("schema-pass-changed-content", ("claims", 2, "basis"), ())
    assert one.data["changed"] == ["/claims/2/basis"]


def test_a_change_of_words_is_told_with_the_words() -> None:
    (one,) = found(PASS, EFFECT)
    assert one.message == ("the history speaks of a schema pass, but this changed: an effect, "
                           "More bandwidth lowers the ridge -> The gain fades as the batch grows")
    assert one.pointer == ("hardware_parameters", 0, "effect")


@pytest.mark.parametrize(("edits", "more", "notes"), [
    ((WORKAROUND, BASIS), " (and 1 more)", ["the claim ridge (basis)"]),
    ((WORKAROUND, EFFECT, BASIS), " (and 2 more)", ["the claim ridge (basis)", "an effect, More"]),
])
def test_further_changes_are_counted_and_noted(edits: tuple[Edit, ...], more: str, notes: list[str]) -> None:
    (one,) = found(PASS, *edits)
    assert one.message == ("the history speaks of a schema pass, but this changed: the prose, Draft less when the "
                           f"batch is large. -> Draft more when the batch is large.{more}")
    assert len(one.notes) == len(notes)
    assert all(note.startswith(f"changed   {text}") for note, text in zip(one.notes, notes, strict=True))


def test_at_most_twenty_changes_are_listed_and_nine_noted() -> None:
    many = "workarounds:\n" + "".join(f"- Draft less, way {letter}.\n" for letter in "abcdefghijklmnopqrstuvwxy")
    new = ("flop", "workarounds:\n", many.replace("way", "path"))
    (one,) = found(PASS, new, before=(("flop", "workarounds:\n", many),))
    assert one.message == ("the history speaks of a schema pass, but this changed: the prose, Draft less, way a. -> "
                           "Draft less, path a. (and 24 more)")
    assert one.notes == tuple(f"changed   the prose, Draft less, way {letter}. -> Draft less, path {letter}."
                              for letter in "bcdefghij")
    assert one.data["changed"] == [f"/workarounds/{i}" for i in range(20)]


def test_words_that_are_gone_became_nothing_and_new_ones_came_from_it() -> None:
    (one,) = found(PASS, ("flop", "- Draft less when the batch is large.\n", "- Wait.\n"),
                   before=(("flop", "- Draft less when", "- Wait.\n- Draft less when"),))
    assert one.message == ("the history speaks of a schema pass, but this changed: the prose, Draft less when the "
                           "batch is large. -> nothing")
    (one,) = found(PASS, ("flop", "- Draft less when", "- Wait.\n- Draft less when"))
    assert one.message == "the history speaks of a schema pass, but this changed: the prose, nothing -> Wait."


def test_a_figure_that_is_new_came_from_nothing() -> None:
    (one,) = found(PASS, ("flop", "- Draft less when the batch is large.", "- Draft less when the batch is over 24."))
    assert one.message == "the history speaks of a schema pass, but this changed: a figure, nothing -> 24"


@pytest.mark.parametrize("kind", ["content", "evidence", "correction", "editorial"])
def test_one_entry_of_another_kind_speaks_for_the_change(kind: str) -> None:
    both = PASS[2] + f'- {{date: "2026-11-03", change: b, kind: {kind}}}\n'
    assert found(("flop", CREATED, both), EFFECT) == []
    assert [one.name for one in found(("flop", CREATED, both.replace(kind, "schema")), EFFECT)] == [
        "schema-pass-changed-content"]


@pytest.mark.parametrize(("edit", "place"), [
    (("flop", "a gain of 25%.", "a gain of 26%."), ("arithmetic_intensity",)),
    (("flop", "status: active", "status: withdrawn"), ("status",)),
    (("flop", "|-\n  The chip moves 2.00 TB/s", "|-\n  The chip moves 2.01 TB/s"), ("notes",)),
    (("flop", "is: decreasing", "is: increasing"), ("scales_with",)),
    (("flop", "- Draft less when the batch is large.", "- Draft less."), ("workarounds", 0)),
])
def test_the_place_is_that_of_the_change_now(edit: Edit, place: tuple[Any, ...]) -> None:
    (one,) = found(PASS, edit)
    assert (one.name, one.pointer) == ("schema-pass-changed-content", place)


def test_a_changed_figure_is_marked_at_its_digits() -> None:
    (one,) = found(PASS, ("flop", "a gain of 25%.", "a gain of 26%."))
    line = BASE["flop"].splitlines()[one.span.line - 1].replace("25%", "26%")
    assert line[one.span.column - 1:one.span.end_column - 1] == "26"
