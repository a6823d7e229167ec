"""Disputes: knowledge that is known to be wrong stays checked.

A dispute excuses nothing that its own digits or words do not say, and one that no longer disagrees is an error.
"""
from __future__ import annotations

import ast
from collections.abc import Collection, Iterator, Mapping
from dataclasses import dataclass, replace
from typing import Any

from specdil_records.arithmetic import Interval
from specdil_records.claims import agreement
from specdil_records.claims.evaluating import Evaluator, Scope
from specdil_records.claims.grids import Grid
from specdil_records.claims.judging import FAULTS, STATE_OF, named
from specdil_records.claims.language import FormulaError, names_in, parse_statement, parse_value
from specdil_records.claims.locating import NotLocated, anchor_place, anchored, shorten
from specdil_records.claims.quantities import BrokenReference, Leaf, Quantity, Undecided, ends
from specdil_records.claims.representative import agrees_with_term, meeting_point
from specdil_records.claims.results import ClaimResult, DisputeResult, FigureResult
from specdil_records.claims.statements import judge
from specdil_records.claims.subjects import quantity_of
from specdil_records.corpus import Corpus
from specdil_records.figures import FigureError, read_figure
from specdil_records.findings import Place, Pointer, Problem

STRENGTH = ("unverified", "derived", "simulated", "reported", "specified", "measured")
"""Every basis, from the weakest to the strongest."""


@dataclass(slots=True)
class Disputing:
    """Judges the disputes about claims that are judged already, with the names that each claim had."""

    corpus: Corpus

    def judge(self, claim: ClaimResult, data: Mapping[str, Any], pointer: Pointer,
              said: Collection[str] | None = None) -> None:
        """Judge one dispute and note the result at its claim; `said` has the digits of the one that it repeats."""
        unread = list(unreadable(data, pointer))
        claim.problems += unread
        if claim.scope is None or unread:
            claim.disputes.append(DisputeResult(pointer, data, "broken"))
            return
        if "figure" in data:
            result = self._figure(claim, data, pointer, said)
        elif "basis" in data:
            result = self._basis(claim, data, pointer)
        else:
            result = self._words(claim, data, pointer)
        claim.disputes.append(result)
        if result.state == "stale":
            claim.problems.append(Problem(
                "stale-dispute", f"the dispute about claim {claim.id} no longer disagrees: {result.explanation}",
                Place(pointer), help="remove the dispute, or say what it is really about",
                data={"claim": claim.id}))
        elif result.state == "stands" and not self._supported(data, result.used):
            claim.problems.append(Problem(
                "dispute-unsupported", f"nothing stands behind the dispute about claim {claim.id}: it names no source, "
                "no record and no claim of its own", Place(pointer), data={"claim": claim.id}))

    # A figure or a symbolic term ------------------------------------------------------------------------

    def _figure(self, claim: ClaimResult, data: Mapping[str, Any], pointer: Pointer,
                said: Collection[str] | None) -> DisputeResult:
        try:
            figures = self._disputed_figures(claim, str(data["figure"]))
        except NotLocated as lost:
            return self._lost(claim, data, pointer, lost, "figure")
        numbers = tuple(number for figure in figures for number in figure.numbers)
        if data.get("own_model") == "fails":
            own = self._own_model(claim, data, pointer, figures, numbers, said)
            if own.state != "stands" or "against" not in data:
                return own
        return self._against(claim, data, pointer, figures, numbers)

    def _disputed_figures(self, claim: ClaimResult, words: str) -> list[FigureResult]:
        """The figures of the claim that a dispute's words hold. Raises `NotLocated`."""
        assert claim.passage is not None and claim.scope is not None
        exact = [figure for figure in claim.figures if figure.anchor == words]
        if exact:
            return exact
        place = anchored(claim.passage, words, {*claim.scope.inputs, *claim.scope.axes}, claim.scope.axes)
        found = [figure for figure in claim.figures
                 if (figure.anchored.term == place.term if place.term is not None
                     else set(figure.numbers) & set(place.numbers))]
        if not found:
            raise NotLocated("formula", f"{shorten(words)!r} is no figure of the claim")
        return found

    def _own_model(self, claim: ClaimResult, data: Mapping[str, Any], pointer: Pointer,
                   figures: list[FigureResult], numbers: tuple[int, ...],
                   said: Collection[str] | None) -> DisputeResult:
        failing = [figure for figure in figures if figure.state == "drifts"]
        if not failing:
            broken = any(figure.state != "agrees" for figure in figures)
            return DisputeResult(pointer, data, "broken" if broken else "stale",
                                 "the figure agrees with its own expression", numbers)
        if not self._same_digits(claim, said, failing):
            return DisputeResult(pointer, data, "broken", "the prose has other digits than the dispute quotes", numbers)
        for figure in failing:
            claim.figures[claim.figures.index(figure)] = replace(figure, excused=True)
        return DisputeResult(pointer, data, "stands", failing[0].reason, numbers)

    def _same_digits(self, claim: ClaimResult, said: Collection[str] | None, figures: list[FigureResult]) -> bool:
        """Whether the prose still has the very digits that the dispute quotes: `said`, where it is repeated."""
        assert claim.passage is not None
        changed = {index for index, _ in claim.passage.changed}
        return all(not set(figure.numbers) & changed and (said is None or figure.quoted in said) for figure in figures)

    def _against(self, claim: ClaimResult, data: Mapping[str, Any], pointer: Pointer,
                 figures: list[FigureResult], numbers: tuple[int, ...]) -> DisputeResult:
        scope, grid = claim.scope, claim.grid
        assert scope is not None
        evaluator = Evaluator(scope.with_axes(grid.quantities()))
        try:
            tree = parse_value(str(data["against"])).tree
            parts = tree.elts if isinstance(tree, ast.Tuple) else [tree] * len(figures)
            if len(parts) != len(figures):
                raise FormulaError("a pair stands against a range only")
            values = [evaluator.value(part) for part in parts]
            told = [self._meets(figure, value, evaluator, grid)
                    for figure, value in zip(figures, values, strict=True)]
            if len(figures) == 2 and parts[0] is parts[1]:
                told.append(self._between(figures, values[0], grid))
        except FAULTS as error:
            return self._failed(claim, data, pointer, error, "against", numbers)
        met = [words for meets, words in told if meets]
        return DisputeResult(pointer, data, "stale" if met else "stands", met[0] if met else told[0][1], numbers,
                             tuple(evaluator.used))

    def _meets(self, figure: FigureResult, quantity: Quantity, evaluator: Evaluator, grid: Grid) -> tuple[bool, str]:
        if figure.anchored.term is not None:
            term = Evaluator(evaluator.scope).value(parse_value(figure.anchored.term.expression).tree)
            state, reason = agrees_with_term(term, quantity, grid)
            return state != "drifts", reason
        if figure.figure is None or figure.agreement is None:
            raise Undecided("the disputed figure itself cannot be judged")
        agreement.check_kind(figure.figure, quantity)
        met, value, at = met_anywhere(quantity, figure.agreement.quoted, grid)
        return met, f"{figure.quoted} against {agreement.show_interval(value, figure.figure)}{at}"

    def _between(self, figures: list[FigureResult], quantity: Quantity, grid: Grid) -> tuple[bool, str]:
        """Whether the one value that disputes a range lies between its two ends at any point of the grid."""
        low, high = figures
        assert low.figure is not None and low.agreement is not None and high.agreement is not None
        met, value, at = met_anywhere(quantity, Interval(low.agreement.quoted.lo, high.agreement.quoted.hi), grid)
        shown = agreement.show_interval(value, low.figure)
        return met, f"{shown} lies between {low.quoted} and {high.quoted}{at}"

    # Words and bases ------------------------------------------------------------------------------------

    def _words(self, claim: ClaimResult, data: Mapping[str, Any], pointer: Pointer) -> DisputeResult:
        assert claim.passage is not None
        try:
            anchor_place(claim.passage, str(data["words"]))
        except NotLocated as lost:
            return self._lost(claim, data, pointer, lost, "words")
        if data.get("own_model") == "fails":
            own = self._own_words(claim, data, pointer)
            if own.state != "stands" or "means" not in data:
                return own
        try:
            scope, grid = self._scope_at(claim, data)
            truth = judge(parse_statement(str(data["means"])), scope, grid)
        except FAULTS as error:
            return self._failed(claim, data, pointer, error, "means", ())
        if truth.verdict == "true" or truth.anywhere:
            return DisputeResult(pointer, data, "stale", "the statement that the words stand for is true"
                                 + ("" if truth.verdict == "true" else " at some points of the grid"))
        if not truth.nowhere:
            return self._failed(claim, data, pointer, Undecided(
                f"whether {data['means']} is false everywhere cannot be told: {truth.detail}"), "means", ())
        return DisputeResult(pointer, data, "stands", f"not {data['means']}: {truth.detail}", used=truth.used)

    def _own_words(self, claim: ClaimResult, data: Mapping[str, Any], pointer: Pointer) -> DisputeResult:
        assert claim.passage is not None
        start, end = anchor_place(claim.passage, str(data["words"]))
        # What holds a number that stands elsewhere speaks of that number, and not of these words.
        elsewhere = {name for name, (_, place) in claim.held.items() if place.end <= start or end <= place.start}
        failing = [statement for statement in claim.statements
                   if statement.state == "false" and elsewhere.isdisjoint(names_in(statement.text))]
        if not failing:
            return DisputeResult(pointer, data, "stale", "the claim's own statements about these words hold")
        if {index for index, _ in claim.passage.changed} & set(claim.passage.field.inside(start, end)):
            return DisputeResult(pointer, data, "broken", "the prose has other digits than the dispute quotes")
        for statement in failing:
            claim.statements[claim.statements.index(statement)] = replace(statement, excused=True)
        return DisputeResult(pointer, data, "stands", f"{failing[0].text} is false")

    def _basis(self, claim: ClaimResult, data: Mapping[str, Any], pointer: Pointer) -> DisputeResult:
        assert claim.passage is not None
        try:
            if "words" in data:
                anchor_place(claim.passage, str(data["words"]))
        except NotLocated as lost:
            return self._lost(claim, data, pointer, lost, "words")
        name, _, item = str(data["against"]).partition("#")
        record = self.corpus.find("source", name)
        if record is None or not record.sound:
            return DisputeResult(pointer, data, "broken")
        entry = next((one for one in [*record.data.get("tables", []), *record.data.get("quotes", [])]
                      if one["id"] == item), None)
        if entry is None:
            return DisputeResult(pointer, data, "broken")
        found = str(entry["basis"])
        if STRENGTH.index(found) < STRENGTH.index(str(data["basis"])):
            return DisputeResult(pointer, data, "stands", f"{data['against']} is {found}, not {data['basis']}")
        return DisputeResult(pointer, data, "stale", f"{data['against']} is {found}")

    # Common ---------------------------------------------------------------------------------------------

    def _scope_at(self, claim: ClaimResult, data: Mapping[str, Any]) -> tuple[Scope, Grid]:
        """The claim's names and grid; with `at`, single values in place of axes."""
        scope, grid = claim.scope, claim.grid
        assert scope is not None
        at = data.get("at", {})
        inputs = dict(scope.inputs)
        known = {*scope.inputs, *grid.axes, *names_in(str(data["means"]))}
        if unknown := sorted(set(at) - known):
            raise FormulaError(f"at names {', '.join(unknown)}, which nothing uses")
        for name, text in at.items():
            inputs[name] = Leaf("input", (name,), name, quantity_of(read_figure(str(text))))
        rest = Grid({name: values for name, values in grid.axes.items() if name not in at})
        return replace(scope, inputs=inputs, axes=rest.quantities()), rest

    def _lost(self, claim: ClaimResult, data: Mapping[str, Any], pointer: Pointer, lost: NotLocated,
              key: str) -> DisputeResult:
        if lost.name:  # else the number there has a finding of its own
            claim.problems.append(Problem(lost.name, f"dispute about claim {claim.id}: {lost.message}",
                                          Place((*pointer, key)), data={"claim": claim.id}))
        return DisputeResult(pointer, data, "broken")

    def _failed(self, claim: ClaimResult, data: Mapping[str, Any], pointer: Pointer, error: Exception, key: str,
                numbers: tuple[int, ...]) -> DisputeResult:
        state, name = STATE_OF[type(error)]
        if name:
            claim.problems.append(Problem(name, f"dispute about claim {claim.id}: {error}", Place((*pointer, key)),
                                          data={"claim": claim.id}))
        return DisputeResult(pointer, data, "undecided" if state == "undecided" else "broken", str(error), numbers)

    def _supported(self, data: Mapping[str, Any], used: tuple[Leaf, ...]) -> bool:
        """A source, the failing of the claim's own model, or values of sourced records."""
        return (data.get("own_model") == "fails" or "basis" in data
                or bool(data.get("sources"))  # one that does not resolve is reported where it stands
                or any(leaf.kind in ("record", "cell") for leaf in used))


def met_anywhere(quantity: Quantity, quoted: Interval, grid: Grid) -> tuple[bool, Interval, str]:
    """Whether a value meets an interval at any point of the grid, with the value there, else at the first point, and
    that point in words."""
    point, here = meeting_point(quantity, quoted, grid)
    value = Interval(*ends(here.value))
    return bool(value.overlaps(quoted)), value, f" at {named(point)}" if point else ""


def unreadable(data: Mapping[str, Any], pointer: Pointer) -> Iterator[Problem]:
    """The values of a dispute's `at` that are no numbers."""
    for name, text in data.get("at", {}).items():
        try:
            read_figure(str(text))
        except FigureError as error:
            yield Problem(error.name, str(error), Place((*pointer, "at", name)))


__all__ = ["STRENGTH", "BrokenReference", "Disputing"]
