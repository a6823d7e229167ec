"""What judging a claim gives: verdict and explanation as one object."""
from __future__ import annotations

import ast
import dataclasses
from collections.abc import Collection, Mapping
from dataclasses import dataclass
from typing import Any, Literal

from specdil_records.claims.agreement import Agreement
from specdil_records.claims.evaluating import Scope
from specdil_records.claims.grids import EMPTY, Grid
from specdil_records.claims.locating import Anchored, Field, NotLocated, Passage
from specdil_records.claims.quantities import Leaf, Quantity
from specdil_records.claims.statements import Truth
from specdil_records.figures import Figure
from specdil_records.findings import ClaimVerdict, Place, Pointer, Problem

_OPEN = frozenset(("undecided", "broken"))
FigureState = Literal["agrees", "drifts", "undecided", "broken"]


@dataclass(frozen=True, slots=True, eq=False)
class FigureResult:
    """One figure, or one end of a range, or one symbolic term, against its expression."""

    anchor: str
    expression: str
    pointer: Pointer
    field: Field
    anchored: Anchored
    numbers: tuple[int, ...]
    state: FigureState
    figure: Figure | None = None
    computed: Quantity | None = None
    agreement: Agreement | None = None
    used: tuple[Leaf, ...] = ()
    cited: bool = False
    reason: str = ""
    excused: bool = False
    """A dispute that says `own_model: fails` speaks of just these digits."""
    node: ast.expr | None = None
    scope: Scope | None = None
    grid: Grid | None = None

    @property
    def quoted(self) -> str:
        """The figure as the prose has it."""
        if self.figure is not None:
            return self.figure.text
        return self.anchored.term.text if self.anchored.term else ""


@dataclass(frozen=True, slots=True, eq=False)
class StatementResult:
    """One statement of `holds`, or a trend."""

    text: str
    pointer: Pointer
    state: Literal["true", "false", "undecided", "broken"]
    truth: Truth | None = None
    reason: str = ""
    excused: bool = False


@dataclass(frozen=True, slots=True)
class DisputeResult:
    """One dispute: whether it still stands, and what it says."""

    pointer: Pointer
    data: Mapping[str, Any]
    state: Literal["stands", "stale", "undecided", "broken"]
    explanation: str = ""
    numbers: tuple[int, ...] = ()
    used: tuple[Leaf, ...] = ()
    """What its expression or statement rested on."""


@dataclass(slots=True)
class ClaimResult:
    """One claim, judged."""

    id: str
    pointer: Pointer
    data: Mapping[str, Any]
    passage: Passage | None = None
    field: Field | None = None
    """The field of prose that the claim is about."""
    scope: Scope | None = None
    grid: Grid = EMPTY
    inputs: dict[str, tuple[Field, Anchored]] = dataclasses.field(default_factory=dict)
    figures: list[FigureResult] = dataclasses.field(default_factory=list)
    statements: list[StatementResult] = dataclasses.field(default_factory=list)
    held: dict[str, tuple[str, Anchored]] = dataclasses.field(default_factory=dict)
    cited: list[tuple[str, tuple[int, ...]]] = dataclasses.field(default_factory=list)
    disputes: list[DisputeResult] = dataclasses.field(default_factory=list)
    problems: list[Problem] = dataclasses.field(default_factory=list)
    blamed: set[int] = dataclasses.field(default_factory=set)
    """Numbers of the field whose want of an account another finding of this claim explains."""
    unavailable: bool = False
    """Something that the claim rests on has a fault of its own, reported where it stands."""

    def lost(self, lost: NotLocated, where: Pointer) -> None:
        """Note a quote or an anchor that leads nowhere; one without a name has a finding of its own already."""
        self.unavailable = True
        self.blamed.update(lost.numbers)
        if lost.name:
            self.problems.append(Problem(lost.name, f"claim {self.id}: {lost.message}", Place(where), data=lost.data))

    def fault(self, name: str, message: str, where: Pointer) -> None:
        """Note what is wrong with the claim at a place in it."""
        self.problems.append(Problem(name, f"claim {self.id}: {message}", Place(where), data={"claim": self.id}))
        self.unavailable |= name == "formula"

    def names_at(self, field: Field, numbers: Collection[int]) -> frozenset[str]:
        """The names that stand for some of these digits: inputs that are read from them, numbers that are held."""
        places = [*((name, at, place) for name, (at, place) in self.inputs.items()),
                  *((name, self.field, place) for name, (_, place) in self.held.items())]
        return frozenset(name for name, at, place in places if at is field and set(place.numbers) & set(numbers))

    @property
    def basis(self) -> str:
        """The basis that the claim states."""
        return str(self.data.get("basis", "unverified"))

    @property
    def is_settled(self) -> bool:
        """Whether nothing else is wrong with the claim, so that its basis can be judged on its own."""
        return self.verdict not in (ClaimVerdict.DRIFTED, ClaimVerdict.UNDECIDED)

    @property
    def verdict(self) -> ClaimVerdict:
        """The one verdict under which the claim counts, the worst that applies."""
        states = {result.state for result in self.figures if not result.excused}
        truths = {result.state for result in self.statements if not result.excused}
        disputes = {one.state for one in self.disputes}
        if "drifts" in states or "false" in truths:
            return ClaimVerdict.DRIFTED
        if (self.passage is None or self.unavailable or not states.isdisjoint(_OPEN) or not truths.isdisjoint(_OPEN)
                or "undecided" in disputes):
            return ClaimVerdict.UNDECIDED
        if "stands" in disputes:
            return ClaimVerdict.DISPUTED
        if any(not result.cited for result in self.figures):
            return ClaimVerdict.RECOMPUTED
        if self.statements:
            return ClaimVerdict.HELD
        if self.figures or self.cited:
            return ClaimVerdict.CITED
        return ClaimVerdict.UNVERIFIED
