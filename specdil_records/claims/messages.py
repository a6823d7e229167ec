"""The words of a verdict: the same in a finding, in `why` and wherever else a number is explained."""
from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from specdil_records.arithmetic import RationalGrid
from specdil_records.claims.agreement import show_interval
from specdil_records.claims.diagnosis import diagnose
from specdil_records.claims.judging import named
from specdil_records.claims.quantities import Leaf, ends
from specdil_records.claims.results import ClaimResult, DisputeResult, FigureResult, StatementResult
from specdil_records.claims.statements import decimal
from specdil_records.corpus import Corpus
from specdil_records.findings import Place, Problem


def drift_problem(claim: ClaimResult, result: FigureResult, corpus: Corpus) -> Problem:
    """The finding for a figure that its expression does not give."""
    if result.anchored.term is not None:
        term = result.anchored.term
        return Problem("figure-drift", f"the prose says {term.text}, but {result.reason}",
                       Place(result.field.pointer, term.start, term.end),
                       notes=tuple(lines(result)), data={"claim": claim.id, "expression": result.expression})
    assert result.figure is not None and result.agreement is not None
    number = result.field.numbers[result.numbers[0]]
    computed = show_interval(result.agreement.computed, result.figure)
    message = f"the prose says {result.figure.text}, its expression gives {computed}"
    if result.cited or result.agreement.why.startswith("the source"):
        message = f"the prose says {result.figure.text}, {result.agreement.why}"
    cause = diagnose(result, corpus)
    if cause:
        message += f"; {cause}"
    data: dict[str, Any] = {
        "claim": claim.id, "anchor": result.anchor, "expression": result.expression, "quoted": result.figure.text,
        "computed": computed, "quoted_interval": show_interval(result.agreement.quoted, result.figure),
        "roundings": list(result.agreement.roundings), "inputs": [leaf_line(leaf) for leaf in unique(result.used)],
    }
    if cause:
        data["cause"] = cause
    return Problem("figure-drift", message, Place(result.field.pointer, number.start, number.end),
                   notes=tuple(lines(result)), data=data)


def false_problem(subject: str, statement: StatementResult) -> Problem:
    """The finding for a statement that is false."""
    truth = statement.truth
    assert truth is not None
    at = f" at {named(truth.point)}" if truth.point else ""
    detail = f": {truth.detail}" if truth.detail else ""
    return Problem("conclusion-false", f"{subject}: {statement.text} is false{at}{detail}", Place(statement.pointer),
                   data={"point": {name: str(value) for name, value in truth.point.items()}})


def lines(result: FigureResult) -> Iterator[str]:
    """How a figure was judged, line by line."""
    if result.figure is not None and result.agreement is not None:
        yield (f"quoted    {result.figure.text}, which stands for "
               f"{show_interval(result.agreement.quoted, result.figure)}")
        yield f"computed  {show_interval(result.agreement.computed, result.figure)} = {result.expression}"
    elif result.anchored.term is not None:
        yield f"quoted    {result.anchored.term.text}"
        yield f"computed  {result.expression}"
    for leaf in unique(result.used):
        yield f"with      {leaf_line(leaf)}"
    if result.reason:
        yield f"verdict   {result.state}: {result.reason}"
    if result.agreement is not None and result.agreement.roundings and result.state == "drifts":
        yield f"rounding  it would be right {' or '.join(result.agreement.roundings)}"


def unique(leaves: tuple[Leaf, ...]) -> list[Leaf]:
    """Each leaf once, in the order of use."""
    return list({leaf.key: leaf for leaf in leaves}.values())


def leaf_line(leaf: Leaf) -> str:
    """One input with its value, basis and source."""
    if leaf.kind == "axis":
        return f"{leaf.label} over its axis"
    low, high = ends(leaf.quantity.value)
    if isinstance(low, RationalGrid):  # a cell for each point of an axis
        return f"{leaf.label}, a value for each point ({leaf.basis}, {leaf.source})"
    value = leaf.written or (decimal(low) if low == high else f"[{decimal(low)}, {decimal(high)}]")
    behind = ", ".join(part for part in (leaf.basis or "", leaf.source) if part)
    return f"{leaf.label} = {value}" + (f" ({behind})" if behind else "")


def statement_lines(statement: StatementResult) -> Iterator[str]:
    """How a statement was judged."""
    truth = statement.truth
    at = f" at {named(truth.point)}" if truth is not None and truth.point else ""
    detail = statement.reason or (truth.detail if truth is not None else "")
    yield f"holds     {statement.text}: {statement.state}{at}" + (f" ({detail})" if detail else "")


def dispute_lines(dispute: DisputeResult) -> Iterator[str]:
    """What a dispute says and whether it stands."""
    data = dispute.data
    what = data.get("figure") or data.get("words") or ""
    yield f"disputed  {what}: {dispute.state}; {dispute.explanation}".rstrip("; ")
    for key in ("against", "means"):
        if data.get(key):
            yield f"  {key:<8}{data[key]}"
    yield f"  because {' '.join(str(data['because']).split())}"
    if data.get("sources"):
        yield f"  sources {', '.join(data['sources'])}"
