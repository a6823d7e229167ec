"""Claims judged: figures, ranges, terms, statements, citations, loopholes; the worst cases first."""
from __future__ import annotations

import pytest

from tests.claims.support import judge

READ = {"read": {"batch": "At batch 16", "k": "with k=4"}}


@pytest.mark.parametrize(("figure", "expression"), [
    ("20", "20"),
    ("20", "16 + 4"),
    ("20", "batch - batch + 20"),
    ("20", "20 + 0 * batch"),
    ("20", "own"),
    ("20", "own + batch - batch"),
    ("20", "(own * batch) / batch"),
    ("20", "max(20, 0 * batch)"),
    ("20", "20 * batch ** 0"),
])
def test_a_figure_is_not_proved_by_its_own_digits(figure: str, expression: str) -> None:
    names = {"batch": "At batch 16", "own": f"is {figure}"}
    used = {name: anchor for name, anchor in names.items() if name in expression}
    judged = judge(f"At batch 16 it is {figure}.",
                   {"figures": {f"is {figure}": expression}, **({"read": used} if used else {})})
    assert "formula" in judged.names
    assert judged.report.summary.errors


def test_two_claims_may_check_each_other() -> None:
    judged = judge("Rack A has 8 cards, rack B twice as many, 16.",
                   {"read": {"a": "A has 8"}, "figures": {"many, 16": "2 * a"}},
                   {"read": {"b": "many, 16"}, "figures": {"A has 8": "b / 2"}})
    assert judged.found == []


def test_an_input_that_no_expression_uses_is_refused() -> None:
    judged = judge("At batch 16 with k=4 it is 20.",
                   {**READ, "figures": {"is 20": "batch + 4"}})
    assert judged.names == ["formula"]


@pytest.mark.parametrize(("prose", "figures", "expected"), [
    ("Of 8 cards 2 are idle, or 25%.", {"or 25%": "idle / cards"}, []),
    ("Of 8 cards 2 are idle, or 26%.", {"or 26%": "idle / cards"}, [("figure-drift", "26")]),
    ("Of 8 cards 2 are idle, or 0.25.", {"or 0.25": "idle / cards"}, []),
    ("Of 8 cards 2 are idle, or 4x.", {"or 4x": "cards / idle"}, []),
    ("Of 8 cards 2 are idle, or 25 points.", {"or 25 points": "idle / cards"}, [("formula", '"idle / cards"')]),
    ("Of 8 cards 2 are idle, or 25 GB.", {"or 25 GB": "idle / cards"}, [("formula", '"idle / cards"')]),
    ("Of 8 cards 2 are idle, or 25%.", {"or 25%": "idle / (cards - cards)"},
     [("undecided", '"idle / (cards - cards)"')]),
])
def test_units_of_a_figure_and_its_expression(prose: str, figures: dict[str, str],
                                              expected: list[tuple[str, str]]) -> None:
    judged = judge(prose, {"read": {"cards": "Of 8 cards", "idle": "cards 2"}, "figures": figures})
    assert judged.found == expected


@pytest.mark.parametrize(("figure", "fault"), [("9.4 points", None), ("9.4%", "formula"),
                                               ("9.5 points", "figure-drift")])
def test_a_difference_of_percentages_is_in_points(figure: str, fault: str | None) -> None:
    judged = judge(f"It falls from 12.50% to 3.10%, by {figure}.",
                   {"read": {"a": "from 12.50%", "b": "to 3.10%"}, "figures": {f"by {figure}": "a - b"}})
    assert judged.names == ([fault] if fault else [])


@pytest.mark.parametrize(("expression", "unit", "fault"), [
    ("max(0, a - b)", " points", None), ("max(a - b, 0)", " points", None), ("max(a - b, b)", " points", "formula"),
    ("max(b, a - b)", " points", "formula"), ("max(a - b, b)", "%", None), ("max(b, a - b)", "%", None),
])
def test_the_greater_of_two_shares_has_a_kind_in_either_order(expression: str, unit: str, fault: str | None) -> None:
    judged = judge(f"It falls from 12.50% to 3.10%, by 9.4{unit}.",
                   {"read": {"a": "from 12.50%", "b": "to 3.10%"}, "figures": {f"by 9.4{unit}": expression}})
    assert judged.names == ([fault] if fault else [])


@pytest.mark.parametrize(("prose", "expression", "faults"), [
    ("Racks hold 3 to 6.5 times 10 users, 30-65 in all.", "(low * n, high * n)", []),
    ("Racks hold 3 to 6.5 times 10 users, 30-80 in all.", "(low * n, high * n)", ["figure-drift"]),
    ("Racks hold 3 to 6.5 times 10 users, 20-80 in all.", "(low * n, high * n)", ["figure-drift", "figure-drift"]),
    ("Racks hold 3 to 6.5 times 10 users, 30-65 in all.", "low * n", ["formula"]),
    ("Racks hold 3 to 6.5 times 10 users, 30 in all.", "(low * n, high * n)", ["formula"]),
])
def test_each_end_of_a_range_is_judged_by_itself(prose: str, expression: str, faults: list[str]) -> None:
    figure = prose.rsplit(", ", 1)[1].removesuffix(".")
    judged = judge(prose, {"read": {"n": "times 10"}, "assume": {"low": "3", "high": "6.5"}, "because": "read",
                           "figures": {figure: expression}},
                   {"quote": "Racks hold 3 to 6.5 times", "basis": "unverified"})
    assert judged.names == faults


@pytest.mark.parametrize(("anchor", "expression", "faults"), [
    ("AI = B + k", "additive.intensity(B, k)", []),
    ("AI = B + k", "verify.intensity(B, k)", ["figure-drift"]),
    ("AI = B", "decode.intensity(B)", ["formula"]),
    ("k, a kx", "k", ["formula"]),
    ("a kx gain", "k", []),
    ("a kx gain", "k + 1", ["figure-drift"]),
    ("B(k + 1) tokens", "B * k + B", []),
    ("to K there", "k", ["formula"]),
    ("the gain", "k", ["formula"]),
])
def test_symbolic_terms_equal_their_expression_on_the_whole_grid(anchor: str, expression: str,
                                                                 faults: list[str]) -> None:
    prose = "The step has AI = B + k, a kx gain, from B(k + 1) tokens, to K there, and the gain stays."
    judged = judge(prose, {"over": {"B": "1..64", "k": "1..8"}, "figures": {anchor: expression}},
                   {"basis": "unverified"})
    assert judged.names == faults


def test_digits_inside_a_term_take_the_status_of_the_figure() -> None:
    judged = judge("It checks k + 1 tokens.", {"over": {"k": "1..8"}, "figures": {"k + 1 tokens": "k + 1"}})
    assert judged.statuses == {"recomputed": ["1"]}
    assert judged.found == []


@pytest.mark.parametrize(("statement", "fault"), [
    ("additive.gain(B, k) < limit", None),
    ("additive.gain(B, k) < 9", "formula"),
    ("limit == limit", "formula"),
    ("limit > 0 * B", "conclusion-false"),
    ("additive.gain(B, k) + limit < 10 + limit", "formula"),
])
def test_a_held_number_can_be_refuted_by_its_statement(statement: str, fault: str | None) -> None:
    prose = "The gain stays below 9 on every shelf." if fault != "conclusion-false" else "It stays over -9 here."
    anchor = "below 9" if fault != "conclusion-false" else "over -9"
    judged = judge(prose, {"over": {"B": "1..64", "k": "1..8"}, "held": {anchor: "limit"}, "holds": [statement]})
    assert set(judged.names) - {"unbound-figure"} == ({fault} if fault else set())


@pytest.mark.parametrize(("holds", "fault"), [
    (["decreasing(additive.gain(B, k), B)"], None),
    (["increasing(additive.gain(B, k), k)"], None),
    (["constant(verify.gain(B, k), B)"], None),
    (["increasing(verify.gain(B, k), B)"], "conclusion-false"),
    (["decreasing(additive.gain(B, k), x)"], "formula"),
    (["tends(additive.gain(B, k), B, 0)"], None),
    (["tends(additive.gain(B, k), B, 1)"], "conclusion-false"),
    (["tends(k, B, 0)"], "conclusion-false"),
    (["additive.gain(B, k) == k / B"], None),
    (["additive.gain(B, k) != k / B"], "conclusion-false"),
    (["B < k"], "conclusion-false"),
    (["additive.gain(B, k)"], "formula"),
    (["ridge(B) > 1"], "formula"),
    (["decode.intensity(B) > 1"], "formula"),
])
def test_statements_over_a_grid(holds: list[str], fault: str | None) -> None:
    judged = judge("The gain moves.", {"over": {"B": "1..64", "k": "1..8"}, "holds": holds})
    assert judged.names == ([fault] if fault else [])


def test_the_first_grid_point_that_fails_is_named() -> None:
    judged = judge("The gain stays low.", {"over": {"B": "2..64", "k": "1..8"}, "holds": ["additive.gain(B, k) < 1"]})
    assert "B=2, k=2" in judged.messages


@pytest.mark.parametrize("over", [{"B": "64..1"}, {"B": "1..100001"}, {"B": "1..400", "k": "1..400"}, {"B": []},
                                  {"B": ["x"]}, {"B": ["1", "1"]}, {"B": "0..8*2"}, {"B": "1...8"}])
def test_a_grid_that_cannot_be_walked_is_refused(over: dict[str, object]) -> None:
    judged = judge("The gain moves.", {"over": over, "holds": ["additive.gain(B, 1) > 0"]})
    assert set(judged.names) <= {"formula", "schema"}
    assert judged.names


@pytest.mark.parametrize(("words", "target", "fault"), [
    ("gains fade with every request", "bench-report#fading", None),
    ("gains fade", "bench-report#fading", "formula"),
    ("gains grow with every request", "bench-report#fading", "cited-quote-differs"),
    ("gains fade with every request", "bench-report#nosuch", "unresolved-reference"),
    ("gains fade with every request", "nosuch#fading", "unresolved-reference"),
    ("fade with every request of 9", "bench-report#fading", "cited-quote-differs"),
])
def test_cited_words_are_the_sources_own(words: str, target: str, fault: str | None) -> None:
    judged = judge(f"It says that {words}.", {"basis": "reported", "cites": {words: target}})
    assert set(judged.names) - {"unbound-figure"} == ({fault} if fault else set())


@pytest.mark.parametrize(("cell", "faults"), [
    ('cited("bench-report", "table-1", "speedup", batch=batch)', []),
    ('cited("bench-report", "table-1", "speedup")', ["unresolved-reference"]),
    ('cited("bench-report", "table-1", "speedup", batch=1)', ["figure-drift"]),
    ('cited("bench-report", "table-1", "speedup", batch="16")', []),
    ('cited("bench-report", "table-1", "speedup", batch=batch, speedup=1)', ["unresolved-reference"]),
    ('cited("bench-report", table, "speedup")', ["formula"]),
    ('cited("bench-report", "table-1", "speedup", batch=batch) * 2', ["figure-drift"]),
    ('cited("bench-report", "fading", "speedup", batch=batch)', ["unresolved-reference"]),
])
def test_cited_cells(cell: str, faults: list[str]) -> None:
    read = {"read": {"batch": "at batch 16"}} if "batch=batch" in cell else {}
    judged = judge("It reports 1.25x at batch 16.", {"basis": "reported", **read, "figures": {"reports 1.25x": cell}},
                   {"basis": "unverified"})
    assert judged.names == faults


@pytest.mark.parametrize(("written", "agrees"), [("1.25x", True), ("1.3x", True), ("1.2x", True), ("1.24x", False),
                                                 ("1.250x", True), ("1.252x", False), ("1x", True)])
def test_a_cited_figure_is_the_cell_rounded(written: str, agrees: bool) -> None:
    judged = judge(f"It reports {written} at batch 16.", {
        "basis": "reported", "read": {"batch": "at batch 16"},
        "figures": {f"reports {written}": 'cited("bench-report", "table-1", "speedup", batch=batch)'}})
    assert judged.names == ([] if agrees else ["figure-drift"])


@pytest.mark.parametrize(("tolerance", "faults"), [
    ({}, ["figure-drift"]), ({"is 21": "1"}, []), ({"is 21": "0.5"}, ["figure-drift"]), ({"is 21": "5%"}, []),
    ({"is 21": "4%"}, ["figure-drift"]), ({"is 21": "1 GB"}, ["formula"]), ({"is 21": "much"}, ["formula"])])
def test_a_tolerance_takes_the_place_of_half_a_unit(tolerance: dict[str, str], faults: list[str]) -> None:
    judged = judge("At batch 16 with k=4 it is 21.", {
        **READ, "because": "it was read off a figure", "figures": {"is 21": "batch + k"},
        **({"tolerance": tolerance} if tolerance else {})})
    assert judged.names == faults


def test_a_record_that_is_repeated_takes_everything_but_its_passage() -> None:
    prose = "At batch 16 with k=4 it is 20. Again: 20 in all."
    judged = judge(prose, {"quote": "At batch 16 with k=4 it is 20", **READ, "figures": {"is 20": "batch + k"}},
                   workarounds=["In short: 21 of them."])
    assert judged.names == ["unbound-figure", "unbound-figure"]
    both = judge(prose, {"quote": "At batch 16 with k=4 it is 20", **READ, "figures": {"is 20": "batch + k"}},
                 {"quote": "Again: 20 in all", "same_as": "claim-1", "figures": {"20 in all": "is 20"}},
                 {"quote": "In short: 21 of them", "in": "/workarounds/0", "same_as": "claim-1",
                  "figures": {"21 of them": "is 20"}}, workarounds=["In short: 21 of them."])
    assert both.found == [("figure-drift", "21")]


@pytest.mark.parametrize("wrong", [
    {"in": "nosuch"}, {"in": "/workarounds/7"}, {"in": "/claims/0/quote"}, {"of": {"chip": "nosuch"}},
    {"same_as": "nosuch"}])
def test_names_that_lead_nowhere(wrong: dict[str, object]) -> None:
    claim = {"basis": "unverified", **wrong} if "same_as" not in wrong else {"basis": "derived", **wrong}
    judged = judge("Nothing is said.", claim)
    assert judged.names == ["unresolved-reference"]


@pytest.mark.parametrize(("quote", "fault"), [
    ("At batch 16 it is long", None),
    ("At batch\n  16 it is long", None),
    ("At batch 16 it was long", "quote-not-verbatim"),
    ("at batch 16 it is long", "quote-not-verbatim"),
    ("At batch 17 it is long", "quote-not-verbatim"),
    ("t batch 16 it is lo", "quote-not-verbatim"),
    ("", "quote-not-verbatim"),
    ("it", "quote-ambiguous"),
])
def test_a_quote_is_the_prose_character_for_character(quote: str, fault: str | None) -> None:
    judged = judge("At batch 16 it is long, and it stays.", {"quote": quote, "basis": "unverified"},
                   {"basis": "unverified"})
    assert [name for name in judged.names if name != "schema"] == ([fault] if fault else [])


def test_what_an_accelerator_lacks_is_undecided_and_what_it_cannot_have_is_refused() -> None:
    def names(expression: str) -> list[str]:
        return judge("The ridge is 200 FLOP/byte.", {"of": {"chip": "example-chip"},
                                                     "figures": {"is 200 FLOP/byte": expression}}).names

    assert names('ridge(chip, "bf16")') == []
    assert names('ridge(chip, "fp8")') == ["undecided"]
    assert names('ridge(chip, "fp9")') == ["formula"]
    assert names("chip.memory_bandwidth") == ["formula"]
    assert names("chip.tdp") == ["undecided"]
    assert names("chip.memory_bandwith") == ["formula"]
    assert names("chip") == ["formula"]
    assert names('ridge(chip, dtype="bf16", dtype="bf16")') == ["formula"]
    assert names("ridge(chip, 3)") == ["formula"]


def test_two_claims_of_one_name_are_found() -> None:
    assert judge("Nothing is said.", {"id": "one", "basis": "unverified"},
                 {"id": "one", "basis": "unverified"}).names == ["duplicate-id"]


def test_a_number_beyond_every_size_is_told() -> None:
    assert judge("It is " + "9" * 401 + " in all.").names == ["too-large"]


def test_cited_words_may_differ_in_typography_with_a_warning() -> None:
    judged = judge("It says that gains fade with\u2009every re\u00adquest.", {
        "basis": "reported", "cites": {"gains fade with every re\u00adquest": "bench-report#fading"}})
    assert judged.names == ["typography-differs"]
    assert judged.report.summary.errors == 0
