"""Symbolic terms of a text by value: where they stand, the expression that they are, and where they are cut."""
from __future__ import annotations

import pytest

from specdil_records.claims.terms import find_terms, is_cut

NAMES = {"B", "k", "draft_k"}


@pytest.mark.parametrize(("text", "terms"), [
    ("B + k in all", [("B + k", "B + k")]), ("a kx gain", [("k", "k")]), ("k\u00d7 gain", [("k", "k")]),
    ("B(k + 1) tokens", [("B(k + 1)", "B * ( k + 1 )")]), ("k/B", [("k/B", "k / B")]),
    ("(k + 1)", [("k + 1", "k + 1")]),
    ("(k)", [("k", "k")]), ("2k + 1", [("2k + 1", "2 * k + 1")]), ("2 k", [("k", "k")]), ("k 2", [("k", "k")]),
    ("+ k +", [("k", "k")]), ("B \u00b7 k", [("B \u00b7 k", "B * k")]), ("B \u00d7 k", [("B \u00d7 k", "B * k")]),
    ("B \u2212 k", [("B \u2212 k", "B - k")]), ("k and B", [("k", "k"), ("B", "B")]), ("kk", []), ("K", []), ("xk", []),
    ("1.5 * k", [("1.5 * k", "1.5 * k")]), ("1 + 2", []), ("draft_k + 1", [("draft_k + 1", "draft_k + 1")]),
    ("k, B + 1", [("k", "k"), ("B + 1", "B + 1")]), ("(k)(B)", [("(k)(B)", "( k ) * ( B )")]),
    ("k(B)", [("k(B)", "k * ( B )")]), ("k/(B + 1)", [("k/(B + 1)", "k / ( B + 1 )")]), ("", []),
    ("(B + k)(B)", [("(B + k)(B)", "( B + k ) * ( B )")]), ("k  +  1", [("k  +  1", "k + 1")]),
    ("\u00e9 + k", [("k", "k")]), ("k+\n1", [("k+\n1", "k + 1")]), ("nothing here", []),
    ("(k + 1)/B", [("(k + 1)/B", "( k + 1 ) / B")]), ("(that is (k + 1)/B)", [("(k + 1)/B", "( k + 1 ) / B")]),
    ("((k + 1)/B", [("(k + 1)/B", "( k + 1 ) / B")]), ("(k + 1", [("k + 1", "k + 1")]),
    ("k + 1)", [("k + 1", "k + 1")]),
    ("(k) / (B)", [("(k) / (B)", "( k ) / ( B )")]),
    ("(B + k) * (B + 1))", [("(B + k) * (B + 1)", "( B + k ) * ( B + 1 )")]),
    (")k(", [("k", "k")]), ("((k)", [("k", "k")]), ("(k))", [("k", "k")]), ("k) + 1", []), ("(k + 1)/(B", []),
    ("B * (k", []), ("k)(B", []), ("a kX gain", []), ("a draft_kx gain", [("draft_k", "draft_k")]),
    ("kx and B", [("k", "k"), ("B", "B")]), ("kx + 1", [("k", "k")]), ("(k + 1)2", [("(k + 1)2", "( k + 1 ) * 2")]),
    ("2k", [("2k", "2 * k")]), ("B and draft_k + k", [("B", "B"), ("draft_k + k", "draft_k + k")]),
])
def test_the_terms_of_a_text(text: str, terms: list[tuple[str, str]]) -> None:
    found = find_terms(text, NAMES)
    assert [(term.text, term.expression) for term in found] == terms
    assert [text[term.start:term.end] for term in found] == [written for written, _ in terms]
    assert [term.compound for term in found] == [len(expression.split()) > 1 for _, expression in terms]


def test_without_names_there_are_no_terms() -> None:
    assert find_terms("B + k", ()) == find_terms("B + k", {"q"}) == []


@pytest.mark.parametrize(("text", "term", "cut"), [
    ("B + k", "B", True), ("B + k", "k", True), ("B and k", "B", False), ("a + b", "b", False), ("I - k", "k", False),
    ("3 * k", "k", True), ("k * 3", "k", True), ("k - a note", "k", False), ("k - I see", "k", False),
    ("k (x", "k", False), ("f(k) + 1", "k", False), ("k -b", "k", True), ("k - be", "k", False), ("k/B", "k", True),
    ("k/B", "B", True), ("x k", "k", False), ("k + (B)", "k", True), (") * k", "k", True), ("k", "k", False),
    ("B \u00b7 k", "k", True), ("B \u00d7 k", "B", True), ("B\u2212k", "B", True), ("be - k", "k", False),
    ("(B) + k", "k", True), ("B +" + " " * 30 + "k", "B", True),
])
def test_a_term_that_goes_on_is_cut(text: str, term: str, cut: bool) -> None:
    at = text.index(term)
    assert is_cut(text, at, at + len(term)) is cut
