"""One claim, from its quote to its verdict."""
from __future__ import annotations

import ast
from collections.abc import Mapping
from dataclasses import dataclass, replace
from fractions import Fraction
from typing import Any

from specdil_records.arithmetic import PURE
from specdil_records.claims import agreement
from specdil_records.claims.cancelling import SHAPING, idle_part
from specdil_records.claims.evaluating import Evaluator, Scope
from specdil_records.claims.grids import Grid
from specdil_records.claims.idle import check_idle
from specdil_records.claims.language import Expression, FormulaError, is_bare_value, parse_statement, parse_value
from specdil_records.claims.locating import (
    Field,
    NotLocated,
    Passage,
    anchor_place,
    anchored,
    field_named,
    locate,
    shorten,
)
from specdil_records.claims.loopholes import gives_back, own_digits_only, repeated
from specdil_records.claims.naming import Naming
from specdil_records.claims.quantities import BrokenReference, Leaf, Quantity, Unavailable, Undecided
from specdil_records.claims.representative import agrees_with_term, worst_point, worst_written
from specdil_records.claims.results import ClaimResult, FigureResult, FigureState, StatementResult
from specdil_records.claims.statements import decimal, judge
from specdil_records.corpus import Corpus
from specdil_records.figures import Figure, FigureError, in_unit, match_unit, read_figure
from specdil_records.findings import Place, Pointer, Problem
from specdil_records.prose.matching import cuts_unit

STATE_OF: dict[type[Exception], tuple[FigureState, str]] = {
    FormulaError: ("broken", "formula"),
    BrokenReference: ("broken", "unresolved-reference"),
    Undecided: ("undecided", "undecided"),
    Unavailable: ("broken", ""),
}
FAULTS = tuple(STATE_OF)


@dataclass(slots=True)
class Judge:
    """Judges the claims of one record; one object for the time of one record."""

    corpus: Corpus
    fields: Mapping[Pointer, Field]

    def claim(self, data: Mapping[str, Any], pointer: Pointer) -> ClaimResult:
        """Judge one claim, with `same_as` already spelt out."""
        result = ClaimResult(data["id"], pointer, data)
        try:
            field = result.field = field_named(self.fields, data["in"])
        except NotLocated as lost:
            result.lost(lost, (*pointer, "in"))
            return result
        occurrence = data.get("occurrence")
        try:
            result.passage = locate(field, data["quote"], None if occurrence is None else int(occurrence))
        except NotLocated as lost:
            result.lost(lost, (*pointer, "quote"))
            return result
        if result.passage.points:
            result.problems.append(Problem(
                "typography-differs", "the quote and the prose differ in typography: "
                + ", ".join(result.passage.points), Place((*pointer, "quote")),
                data={"code_points": list(result.passage.points)}))
        scope, grid = Naming(self.corpus, self.fields).scope(result, result.passage)
        result.scope, result.grid = scope, grid
        for anchor, text in data.get("figures", {}).items():
            self._figure(result, result.passage, anchor, text, scope, grid)
        for i, text in enumerate(data.get("holds", [])):
            self._statement(result, (*pointer, "holds", i), text, scope, grid)
        for anchor in data.get("tolerance", {}):
            if anchor not in data.get("figures", {}):
                reason = f"no figure has the anchor {shorten(anchor)!r}"
                result.fault("formula", reason, (*pointer, "tolerance", anchor))
        self._cites(result, result.passage)
        check_idle(result, scope, grid)
        self._changed(result)
        return result

    # Figures --------------------------------------------------------------------------------------------

    def _figure(self, result: ClaimResult, passage: Passage, anchor: str, text: str, scope: Scope,
                grid: Grid) -> None:
        where: Pointer = (*result.pointer, "figures", anchor)
        names = {*scope.inputs, *scope.axes}
        expression: Expression | None = None
        try:
            parsed = parse_value(text)
            if (idle := idle_part(parsed)) is not None:
                raise FormulaError(f"it is the same whatever {idle} is: nothing rests on that")
            expression = parsed
        except FormulaError as error:
            result.fault("formula", str(error), where)
        try:
            place = anchored(passage, anchor, names, scope.axes)
        except NotLocated as lost:
            result.lost(lost, where)
            if lost.name == "formula":  # the anchor stands there, but not at the number that it was meant for
                result.blamed.update(passage.field.inside(passage.start, passage.end))
            return
        bare = FigureResult(anchor, text, where, passage.field, place, place.numbers, "broken")
        if expression is None:
            result.figures.append(bare)
            return
        parts = expression.tree.elts if isinstance(expression.tree, ast.Tuple) else [expression.tree]
        ends: list[tuple[int, ...]] = [(number,) for number in place.numbers] if place.term is None else [place.numbers]
        if len(parts) != len(ends):
            result.fault("formula", "a range takes a pair (low, high), one number one expression", where)
            result.figures.append(bare)
            return
        for part, numbers in zip(parts, ends, strict=True):
            one = replace(bare, numbers=numbers, cited=expression.is_cited, node=part, scope=scope, grid=grid)
            self._one_figure(result, one, part, scope, grid)

    def _one_figure(self, result: ClaimResult, bare: FigureResult, node: ast.expr, scope: Scope, grid: Grid) -> None:
        evaluator = Evaluator(scope.with_axes(grid.quantities()))
        try:
            tolerance = self._tolerance(result, bare)
        except FormulaError as error:
            result.fault("formula", str(error), (*result.pointer, "tolerance", bare.anchor))
            result.figures.append(replace(bare, reason=str(error)))
            return
        try:
            quantity = evaluator.value(node)
            if not is_bare_value(node):
                self._refuse_repeating(repeated(node, scope, grid, quantity, evaluator.used))
            own = result.names_at(bare.field, bare.numbers)
            if own_digits_only(node, scope, grid, own, quantity):
                raise FormulaError("it depends on no input, cited cell or record: it says nothing about the figure")
            if own and gives_back(node, scope, grid, own):
                raise FormulaError("it gives back the figure's own digits, whatever they are")
            result.figures.append(self._compare(result, bare, node, quantity, evaluator, grid, tolerance))
        except FAULTS as error:
            state, name = STATE_OF[type(error)]
            result.figures.append(replace(bare, state=state, used=tuple(evaluator.used), reason=str(error)))
            result.unavailable |= isinstance(error, Unavailable)
            if name:
                result.fault(name, str(error), bare.pointer)

    @staticmethod
    def _refuse_repeating(leaf: Leaf | None) -> None:
        if leaf is not None and (leaf.kind == "axis" or leaf.basis == "assumed"):
            raise FormulaError("it merely repeats what the claim assumes: it says nothing about the figure")
        if leaf is not None and leaf.kind in ("cell", "record"):
            # Disguised as a result it would escape the rule that a figure is what is cited, rounded.
            raise FormulaError(f"it merely repeats {leaf.label}: write that by itself")

    def _compare(self, result: ClaimResult, bare: FigureResult, node: ast.expr, quantity: Quantity,
                 evaluator: Evaluator, grid: Grid, tolerance: Fraction | None) -> FigureResult:
        used = tuple(evaluator.used)
        if bare.anchored.term is not None:
            return self._compare_term(result, bare, node, quantity, evaluator, grid)
        figure = bare.field.numbers[bare.numbers[0]].figure
        assert figure is not None
        unit = used[-1].unit if figure.unit is None and is_bare_value(node) else None
        if unit is not None and unit.kind != "count-scale":  # 12.5 of 12.5 and 40 ms
            figure = in_unit(figure, unit)
            tolerance = None if tolerance is None else tolerance * unit.scale
        agreement.check_kind(figure, quantity, node)
        quoted = agreement.figure_interval(figure, tolerance)
        written: Fraction | None = None
        if is_bare_value(node):
            point, quantity, written = worst_written(quantity, quoted, grid)
        else:
            point, quantity = worst_point(quantity, quoted, grid)
        verdict = agreement.compare(figure, quantity, written, tolerance)
        if verdict.state == "undecided":
            result.fault("undecided", verdict.why, bare.pointer)
        at = f" at {named(point)}" if point else ""
        return replace(bare, state=verdict.state, figure=figure, computed=quantity, agreement=verdict, used=used,
                       reason=verdict.why + at)

    def _compare_term(self, result: ClaimResult, bare: FigureResult, node: ast.expr, quantity: Quantity,
                      evaluator: Evaluator, grid: Grid) -> FigureResult:
        assert bare.anchored.term is not None
        used = tuple(evaluator.used)
        term = Evaluator(evaluator.scope).value(parse_value(bare.anchored.term.expression).tree)
        behind = match_unit(bare.field.text, bare.anchored.term.end)
        if behind.problem is not None:
            raise FormulaError(f"behind the term {bare.anchored.term.text!r}: {behind.problem}")
        if behind.unit is not None and term.dimension == PURE:  # k GB are k * 10^9 bytes
            words = f"{bare.anchored.term.text} {behind.unit.text}"
            agreement.check_kind(Figure(words, Fraction(1), Fraction(0), behind.unit, exact=False), quantity, node)
            term = replace(term, value=term.value * behind.unit.scale)
        state, reason = agrees_with_term(term, quantity, grid)
        if state == "undecided":
            result.fault("undecided", reason, bare.pointer)
        return replace(bare, state=state, computed=quantity, used=used, reason=reason)

    def _tolerance(self, result: ClaimResult, bare: FigureResult) -> Fraction | None:
        text = result.data.get("tolerance", {}).get(bare.anchor)
        figure = bare.field.numbers[bare.numbers[0]].figure if bare.numbers else None
        if text is None or figure is None:
            return None
        if not str(result.data.get("because", "")).strip():
            raise FormulaError("a tolerance needs a reason, in because")
        try:
            stated = read_figure(text)
        except FigureError as error:
            raise FormulaError(f"the tolerance {text!r} is no number: {error}") from None
        if stated.value <= 0:
            raise FormulaError(f"a tolerance is more than nothing, not {text}")
        if stated.unit is None:
            return stated.value * (figure.unit.scale if figure.unit is not None else 1)
        if stated.unit.kind == "percent":
            return abs(stated.value * figure.value)
        if figure.unit is not None and (stated.unit.kind, stated.unit.dimension) == (
                figure.unit.kind, figure.unit.dimension):
            return stated.value
        raise FormulaError(f"a tolerance is a number in the figure's unit, or a percentage of it; not {text!r}")

    # Statements, citations, loopholes -------------------------------------------------------------------

    def _statement(self, result: ClaimResult, where: Pointer, text: str, scope: Scope,
                   grid: Grid) -> None:
        try:
            statement = parse_statement(text)
            self._refuse_empty(statement, grid)
            idle = idle_part(statement)
            if idle is not None and idle not in statement.names:  # of a name is told where it is read or held
                raise FormulaError(f"it is the same whatever {idle} is: nothing rests on that")
            truth = judge(statement, scope, grid)
        except FAULTS as error:
            state, name = STATE_OF[type(error)]
            result.unavailable |= isinstance(error, Unavailable)
            result.statements.append(StatementResult(text, where, "undecided" if state == "undecided" else "broken",
                                                     reason=str(error)))
            if name:
                result.fault(name, str(error), where)
            return
        result.statements.append(StatementResult(text, where, truth.verdict, truth))
        if truth.verdict == "undecided":
            at = f" at {named(truth.point)}" if truth.point else ""
            result.fault("undecided", f"whether {text} cannot be told{at}: {truth.detail}", where)

    @staticmethod
    def _refuse_empty(statement: Expression, grid: Grid) -> None:
        """Raises `FormulaError` for what is true or false whatever the record says. Names are told where they stand."""
        match statement.tree:
            case ast.Compare(left=left, comparators=[right]) | ast.Call(func=ast.Name("agrees"), args=[left, right]):
                if not statement.names and not statement.calls - SHAPING.keys() - {"agrees"}:
                    raise FormulaError("it names nothing: it says nothing about the record")
                if ast.dump(left) == ast.dump(right) and statement.names <= grid.axes.keys():
                    raise FormulaError("both sides are the same: it says nothing about the record")

    def _cites(self, result: ClaimResult, passage: Passage) -> None:
        for words, target in result.data.get("cites", {}).items():
            where: Pointer = (*result.pointer, "cites", words)
            try:
                start, end = anchor_place(passage, words)
            except NotLocated as lost:
                result.lost(lost, where)
                continue
            if sum(any(ch.isalpha() for ch in word) for word in words.split()) < 3:
                result.fault("formula", "a citation covers at least three words", where)
                result.blamed.update(passage.field.inside(start, end))
                continue
            if cuts_unit(passage.field.numbers, end):
                result.fault("formula", "a citation ends inside a number: the unit belongs to it", where)
                result.blamed.update(passage.field.inside(start, end))
                continue
            if "#" not in target:  # told as an unresolved reference; it covers nothing
                result.blamed.update(passage.field.inside(start, end))
                continue
            result.cited.append((target, tuple(passage.field.inside(start, end))))

    def _changed(self, result: ClaimResult) -> None:
        """Numbers that the quote, or an anchor outside it, has otherwise than the prose."""
        assert result.passage is not None
        changes = [(result.passage.field, index, digits) for index, digits in result.passage.changed]
        for field, place in result.inputs.values():
            changes += [(field, index, digits) for index, digits in place.changed]
        for field, index, digits in changes:
            number = field.numbers[index]
            result.problems.append(Problem(
                "quote-not-verbatim", f"the prose has {field.digits(index)}, the claim {result.id} quotes {digits}",
                Place(field.pointer, number.start, number.end),
                help="if the prose is right, the quote, its anchors and lifted effects have to follow it",
                data={"prose": field.digits(index), "quoted": digits, "claim": result.id}))


def leaf_point(leaf: Leaf) -> Fraction:
    """The number of a leaf as its source writes it."""
    low, high = (getattr(leaf.quantity.value, name, leaf.quantity.value) for name in ("lo", "hi"))
    return (Fraction(low) + Fraction(high)) / 2


def named(point: Mapping[str, Any]) -> str:
    """A grid point in words: `B=1, k=4`."""
    return ", ".join(f"{name}={decimal(value)}" for name, value in point.items())


__all__ = ["Judge", "named", "shorten"]
