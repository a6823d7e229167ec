"""What counts as content, which entries of a history are new, and how two sequences are aligned."""
from __future__ import annotations

from typing import Any

from hypothesis import given
from hypothesis import strategies as st

from specdil_records.checking.selftest import sample_corpus
from specdil_records.rules import Sample
from specdil_records.rules.changed import (
    MOST_ALIGNED,
    aligned,
    content,
    differing,
    keeps_history,
    new_entries,
    shorten,
    touched,
)

TEXTS = st.text(st.sampled_from("ab é1.\n\t"), max_size=8)
DATA = st.recursive(TEXTS | st.integers(0, 9) | st.booleans(),
                    lambda inner: st.lists(inner, max_size=3)
                    | st.dictionaries(st.sampled_from("abcd"), inner, max_size=3),
                    max_leaves=12)
RECORDS = st.dictionaries(st.sampled_from(["id", "notes", "claims", "history", "x-mine"]), DATA, max_size=5)
ENTRIES = st.lists(st.builds(lambda change, kind: {"date": "2026-10-05", "change": change, "kind": kind},
                             st.sampled_from("abcd"), st.sampled_from(["schema", "content"])), max_size=5)


@given(RECORDS, RECORDS)
def test_states_differ_at_some_place_just_when_their_content_does(a: dict[str, Any], b: dict[str, Any]) -> None:
    one, two = content(a), content(b)
    assert bool(list(differing(one, two))) == (one != two or _types(one) != _types(two))


def _types(value: Any) -> Any:
    if isinstance(value, dict):
        return {key: _types(inner) for key, inner in value.items()}
    return [_types(inner) for inner in value] if isinstance(value, list) else type(value)


@given(RECORDS, DATA)
def test_history_own_keys_and_white_space_are_no_content(record: dict[str, Any], other: Any) -> None:
    more = {**record, "history": other, "x-mine": other}
    if isinstance(more.get("notes"), str):
        more["notes"] = more["notes"].replace(" ", " \n  ") + "\n"
    assert list(differing(content(record), content(more))) == []


@given(ENTRIES, ENTRIES)
def test_entries_that_were_added_are_the_new_ones_wherever_they_stand(old: list[Any], more: list[Any]) -> None:
    assert new_entries({"history": old}, {"history": old + more}) == more
    assert sorted(map(str, new_entries({"history": old}, {"history": more + old}))) == sorted(map(str, more))
    assert new_entries({"history": old}, {"history": old[::-1]}) == []


def test_an_entry_that_was_written_over_is_not_new() -> None:
    old = [{"date": "2026-10-05", "change": "a", "kind": "created"}]
    assert new_entries({"history": old}, {"history": [{**old[0], "change": "b"}]}) == []
    added = {"date": "2026-11-02", "change": "c", "kind": "schema"}
    assert new_entries({"history": old}, {"history": [{**old[0], "change": "b"}, added]}) == [added]


@given(st.lists(st.sampled_from("abc"), max_size=8), st.lists(st.sampled_from("abc"), max_size=8))
def test_every_place_of_both_sequences_is_aligned_once_and_in_order(old: list[str], new: list[str]) -> None:
    pairs = list(aligned(old, new))
    assert [a for a, _ in pairs if a is not None] == list(range(len(old)))
    assert [b for _, b in pairs if b is not None] == list(range(len(new)))
    assert (old == new) == all(a is not None and b is not None and old[a] == new[b] for a, b in pairs)


def test_an_entry_with_other_white_space_or_its_keys_in_another_order_is_not_new() -> None:
    old = {"date": "2026-10-05", "change": "rows added", "kind": "schema"}
    added = {**old, "change": "a trend added"}
    for same in (dict(reversed(old.items())), {**old, "change": "rows\n added "}):
        assert new_entries({"history": [old]}, {"history": [same]}) == []
        assert new_entries({"history": [old]}, {"history": [added, same]}) == [added]


def test_a_record_that_says_no_known_version_keeps_no_history() -> None:
    for old, new in (('schema_version: "3.0"\n', ""), ('"3.0"', '"9.9"')):
        assert not keeps_history(sample_corpus(Sample((("flop", old, new),))).by_id["flops/example-stall"])
    assert keeps_history(sample_corpus(Sample()).by_id["flops/example-stall"])


def test_one_more_at_the_front_leaves_the_others_together_however_often_a_text_is_repeated() -> None:
    many = ["4"] * 300
    assert list(aligned(many, ["5", *many])) == [(None, 0), *((i, i + 1) for i in range(300))]


def test_sequences_too_long_to_be_aligned_are_compared_place_by_place() -> None:
    many = list(map(str, range(MOST_ALIGNED)))
    assert list(aligned(many, ["x", *many])) == [*((i, i) for i in range(3000)), (None, 3000)]
    assert list(aligned(["x", *many], many)) == [*((i, i) for i in range(3000)), (3000, None)]
    assert list(aligned(many, ["x", *many[:-1]])) == [(None, 0), *((i, i + 1) for i in range(2999)), (2999, None)]


def test_a_text_for_a_message_has_sixty_characters_at_most() -> None:
    assert shorten("a" * 60) == "a" * 60
    assert shorten("a" * 61) == "a" * 59 + "…"
    assert shorten(" a \n b\t") == "a b"
    assert shorten("abcde", 4) == "abc…"


# What a schema pass may do ----------------------------------------------------------------------------------


def changed(*edits: tuple[str, str, str]) -> list[str]:
    """What of the example a pass with these edits would touch, kind by kind."""
    before, now = sample_corpus(Sample()), sample_corpus(Sample(edits))
    found = []
    for record in now.own:
        assert record.sound, [problem.message for problem in record.problems]
        found += [str(one) for one in touched(before.by_id[record.id], record)]
    return found


ROW = ("- parameter: memory_capacity\n  effect: The gain fades as the batch grows\n  basis: unverified\n"
       "  values_for: []\n")


def test_a_pass_may_add_rows_claims_disputes_asides_and_values() -> None:
    assert changed(
        ("flop", "workarounds:", ROW + "workarounds:"),
        ("flop", "claims:\n", ("claims:\n- {id: more, in: notes, quote: More bandwidth lowers the ridge, basis: "
                              "unverified}\n")),
        ("flop", "history:", ("disputes:\n- {claim: ridge, words: moves, basis: measured, "
                             "against: bench-report#fading, because: so}\n"
                             "asides:\n- {in: notes, text: 1.25x at batch, kind: other}\nhistory:")),
        ("chip", "quantities:\n", "quantities:\n  tdp: {value: 700 W, basis: specified, source: chip-sheet}\n"),
    ) == []


def test_other_line_breaks_and_other_reasons_are_no_change() -> None:
    assert changed(("flop", "a gain of 25%.\n  The gain", "a gain of\n  25%. The gain"),
                   ("flop", "- id: ridge\n", "- id: ridge\n  because: it is so\n")) == []


def test_prose_figures_effects_claims_and_values_may_not_change() -> None:
    assert changed(("flop", "a gain of 25%.", "a gain of 26%.")) == ["a figure, 25% -> 26%"]
    assert changed(("flop", "Draft less when", "Draft more when"))[0].startswith("the prose, Draft less")
    assert changed(("flop", "effect: More bandwidth", "effect: Less bandwidth"))[0].startswith("an effect, More")
    assert changed(("flop", "  basis: derived\n  of:", "  basis: reported\n  of:")) == ["the claim ridge (basis)"]
    assert changed(("flop", "is: decreasing", "is: increasing")) == ["the trend of additive.gain(B, k)"]
    assert changed(("chip", "2.00 TB/s", "2.10 TB/s")) == ["the value of memory_bandwidth, 2.00 TB/s -> 2.10 TB/s"]
    assert changed(("bench", '"1.25"', '"1.26"')) == ["the table table-1 (columns/speedup/1)"]
    assert changed(("flop", "status: active", "status: withdrawn")) == ["the status, active -> withdrawn"]
    assert len(changed(("flop", "- id: gain-fades\n", "- id: gain-fades-away\n"))) == 1
