"""Names that a claim reads or holds without anything resting on them: numbers accounted for by nothing."""
from __future__ import annotations

from collections.abc import Iterable

from specdil_records.claims.evaluating import Scope
from specdil_records.claims.grids import Grid
from specdil_records.claims.language import names_in
from specdil_records.claims.loopholes import idle_name
from specdil_records.claims.results import ClaimResult


def check_idle(result: ClaimResult, scope: Scope, grid: Grid) -> None:
    """Note every input that no expression uses, and every name whose statements are true whatever it is."""
    figures = _names(result.data.get("figures", {}).values())
    statements = list(result.data.get("holds", []))
    stated = _names(statements)
    true = {statement.text for statement in result.statements if statement.state == "true"}
    for name in result.data.get("read", {}):
        if name in figures or name in result.data.get("inherited", ()):
            continue
        if name not in stated:
            reason = f"{name} is read, but no expression uses it"
        elif _idle(result, name, statements, true, scope, grid, held=False):
            reason = f"the statements are true whatever {name} is: nothing rests on it"
        else:
            continue
        result.fault("formula", reason, (*result.pointer, "read", name))
    for anchor, name in result.data.get("held", {}).items():
        if name not in stated:
            reason = f"{name} is held, but no statement uses it"
        elif name in result.held and _idle(result, name, statements, true, scope, grid, held=True):
            reason = f"the statements are true whatever {name} is: they do not hold it"
        else:
            continue
        if name in result.held:
            result.blamed.update(result.held.pop(name)[1].numbers)
        result.fault("formula", reason, (*result.pointer, "held", anchor))


def _idle(result: ClaimResult, name: str, statements: list[str], true: set[str], scope: Scope, grid: Grid,
          held: bool) -> bool:
    using = [text for text in statements if name in names_in(text)]
    return all(text in true for text in using) and scope.inputs.get(name) is not None \
        and idle_name(name, using, scope, grid, held, _alike(result, name))


def _alike(result: ClaimResult, name: str) -> frozenset[str]:
    """The other names that stand for the same digits: what a number is compared with must be another one."""
    if name in result.inputs:
        field, place = result.inputs[name]
    elif name in result.held and result.field is not None:
        field, place = result.field, result.held[name][1]
    else:
        return frozenset()
    return result.names_at(field, place.numbers) - {name}


def _names(texts: Iterable[str]) -> set[str]:
    return {name for text in texts for name in names_in(text)}
