"""Digits that are no figures, by value: which stretches of a text are exempt, and why."""
from __future__ import annotations

import pytest

from specdil_records.prose.exemptions import digit_runs, exemptions


def exempt(text: str) -> list[tuple[str, str]]:
    return [(text[start:end], reason) for start, end, reason in exemptions(text, digit_runs(text))]


@pytest.mark.parametrize(("text", "reason", "stretches"), [
    ("on 2025-02-03 it", "date", ["2025-02-03"]), ("2025-02-03T10:11:12Z", "date", ["2025-02-03T10:11:12"]),
    ("2025-02-03T10:11+02:00", "date", ["2025-02-03T10:11+02:00"]), ("2025-13-03", "", []), ("2025-02-32", "", []),
    ("2025-02-30", "", []), ("2024-02-29", "date", ["2024-02-29"]), ("2025-02-29", "", []), ("0000-02-03", "", []),
    ("12025-02-03", "", []), ("2025-02-03-4", "", []), ("2025-02-03.5", "", []), ("2025-02 it", "date", ["2025-02"]),
    ("2025-02%", "", []), ("2025-02 tokens", "", []), ("2025-02 GB", "", []),
    ("2025\u201102\u201103", "date", ["2025\u201102\u201103"]), ("2019-2021 it", "date", ["2019-2021"]),
    ("2019\u20132021", "date", ["2019\u20132021"]), ("2019 \u2013 2021", "date", ["2019 \u2013 2021"]),
    ("2019 - 2021", "date", ["2019 - 2021"]), ("2021-2019", "", []), ("2019-2019", "", []),
    ("2019-2021 tokens", "", []), ("2019-2021 GB", "", []), ("2019-2021 MBs", "date", ["2019-2021"]),
    ("2019-2021-2022", "", []), ("2019-2021 users", "", []), ("1899-1901", "", []), ("2019-2021%", "", []),
    ("v2019-2021", "", []), ("0.6.2", "version", ["0.6.2"]), ("1.2.3rc1", "version", ["1.2.3rc1"]),
    ("1.2.3-beta.2", "version", ["1.2.3-beta.2"]), ("1.234.567", "", []), ("1.2.3.4", "version", ["1.2.3.4"]),
    ("12.345.678", "", []), ("1.2.", "", []), ("x1.2.3", "", []), ("1.2.3 and 4.5.6", "version", ["1.2.3", "4.5.6"]),
    ("1.2.3-dev5", "version", ["1.2.3-dev5"]), ("2503.01840", "identifier", ["2503.01840"]),
    ("2503.01840v2", "identifier", ["2503.01840v2"]), ("1403.0184", "", []),
    ("arXiv 1403.0184", "identifier", ["1403.0184"]), ("arXiv:1403.0184", "identifier", ["1403.0184"]),
    ("arxiv.org/abs/1403.0184", "identifier", ["1403.0184"]), ("2513.01840", "", []), ("3603.01840", "", []),
    ("2503.01840 GB", "", []), ("1503.01840", "identifier", ["1503.01840"]), ("1403.01840", "", []),
    ("arXiv preprint 1403.01840v3", "identifier", ["1403.01840v3"]), ("see 2503.0184", "", []),
    ("+2503.01840", "", []), ("2503.018401", "", []), ("-2503.01840", "", []), ("3\u20e3", "keycap", ["3"]),
    ("3\ufe0f\u20e3", "keycap", ["3"]), ("13\u20e3", "keycap", ["3"]), ("`3 4` 5", "code", ["3", "4"]),
    ("``3 ` 4`` 5", "code", ["3", "4"]), ("`3", "", []), ("```\n3\n\n4\n```", "code", ["3", "4"]),
    ("`3\n\n4` 5", "", []), ("`a` 3 `b`", "", []), ("`` ` 3", "", []), ("`1``2`", "code", ["1", "2"]),
    ("Table 3", "locator", ["3"]), ("Tables 3 and 7", "locator", ["3", "7"]),
    ("Table 3 and 7 users", "locator", ["3"]), ("Table 3 and 7", "locator", ["3"]),
    ("Figs. 3, 4 and 5 GB", "locator", ["3", "4"]), ("Section 3.2.1", "version", ["3.2.1"]),
    ("Section 3.2.1.", "version", ["3.2.1"]), ("Appendix G.3", "", []), ("Table 3a", "locator", ["3"]),
    ("Table 3%", "", []), ("Table 3.5", "locator", ["3.5"]), ("\xa7 4.2", "locator", ["4.2"]),
    ("\xa7\xa7 4-5", "locator", ["4", "5"]), ("Table 3-5", "locator", ["3", "5"]),
    ("Table 3\u20135", "locator", ["3", "5"]), ("Table (3)", "locator", ["3"]), ("Table 3 GB", "locator", ["3"]),
    ("that table 40 ms is", "", []), ("this section 80 GB cards", "", []), ("algorithm 32 sequences fit", "", []),
    ("figure 9 times as", "", []), ("table 3 GB", "", []), ("table 5 row 2", "locator", ["5"]),
    ("table 5 rows 1", "locator", ["5"]), ("fig. 3 b shows", "locator", ["3"]),
    ("section 4 batch sizes", "locator", ["4"]),
    ("2024\u201325", "date", ["2024\u201325"]), ("2024-25 it", "date", ["2024-25"]), ("2024-25 GB", "", []),
    ("2024-26", "", []), ("2024-24", "", []), ("12024-25", "", []),
    ("Table A12", "locator", ["12"]), ("Table 12345", "", []), ("Tablet 3", "", []), ("notable 3", "", []),
    ("Eq. (4) and (5)", "locator", ["4"]), ("Eqs. (4) and (5)", "locator", ["4", "5"]),
    ("Figures 3 & 4", "locator", ["3", "4"]), ("Sections 2 or 3 cards", "locator", ["2", "3"]),
    ("Sections 2 or 3 GB", "locator", ["2"]), ("(1) a (2) b", "enumerator", ["1"]),
    ("(1) a. (2) b", "enumerator", ["1", "2"]), ("(2) a. (3) b", "", []),
    ("(1) a. (3) b. (2) c", "enumerator", ["1", "2"]), ("(1) a, (2) b; (3) c", "enumerator", ["1", "2", "3"]),
    ("x (1) a", "", []), ("and (1) a, then (2) b", "enumerator", ["1", "2"]), ("(1)a", "", []), ("f(1) ", "", []),
    ("(01) a. (2) b", "enumerator", ["01", "2"]), ("(1)", "enumerator", ["1"]),
    ("- (1) a\n- (2) b", "enumerator", ["1", "2"]), ("a: (1) b", "enumerator", ["1"]),
    ("(1) a. (2) b. (1) c", "enumerator", ["1", "2", "1"]), ("(1000) a", "", []),
    # Backticks are paired with the next as long, within a paragraph.
    ("``3 `4` 5", "code", ["4"]), ("`\n\n3` 5", "", []), ("a\n\n`3`", "code", ["3"]),
    ("a\n\n`3` b `4\n\n5`", "code", ["3"]), ("`a` 7 `3\n\n4` 5 `6`", "code", ["5"]),
    ("`1` `2` 4 `3`", "code", ["1", "2", "3"]), ("a\n\nb\n\nc `3` `4\n\n5` `6`", "code", ["3"]),
    ("3503.01840", "identifier", ["3503.01840"]), ("Tables 3 and 7 of 9 in all", "locator", ["3", "7"]),
    ("\xa7\xa7 4, 5", "locator", ["4", "5"]), ("Table 3 and 7 users, Figure 5", "locator", ["3", "5"]),
    ("Propositions   (A12)", "locator", ["12"]), ("that table 40 ms, see Figure 5", "locator", ["5"]),
    ("*(1) a", "enumerator", ["1"]), ('"(1) a', "enumerator", ["1"]),
])
def test_which_digits_are_exempt(text: str, reason: str, stretches: list[str]) -> None:
    expected = [(stretch, reason) for stretch in stretches]
    assert exempt(text) == expected
    assert exempt(f"{text} ") == expected
    if not text.startswith(("(", "- ", "*", "\"")):  # an enumerator begins a line, a sentence or a clause
        assert exempt(f"It was {text}, they say") == expected


@pytest.mark.parametrize(("text", "runs"), [
    ("", []), ("a", []), ("1", [(0, 1)]), ("12", [(0, 2)]), ("1a23", [(0, 1), (2, 4)]), (" 0 99 ", [(1, 2), (3, 5)]),
    ("a1", [(1, 2)]), ("X1", [(1, 2)]), ("\uff11", []), ("9876543210", [(0, 10)]),
])
def test_runs_of_digits(text: str, runs: list[tuple[int, int]]) -> None:
    assert digit_runs(text) == runs


@pytest.mark.parametrize(("text", "expected"), [
    ("Table 3 of 2025-02-03, v. 0.6.2, as `7` says; (1) arXiv 2503.01840 is 3\u20e3",
     [("3", "locator"), ("2025-02-03", "date"), ("0.6.2", "version"), ("7", "code"), ("1", "enumerator"),
      ("2503.01840", "identifier"), ("3", "keycap")]),
    ("`Table 3` of `2025-02-03`", [("3", "code"), ("2025-02-03", "date")]),
    ("Section 3.2.1 and Section 3.2", [("3.2.1", "version"), ("3.2", "locator")]),
    ("5 cards, 7 GB", []),
])
def test_of_two_reasons_the_one_that_starts_first_counts(text: str, expected: list[tuple[str, str]]) -> None:
    assert exempt(text) == expected
