"""What generators stand on: a record with its claims judged, its expressions and where they are written."""
from __future__ import annotations

import ast
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any, Literal

from specdil_records.claims import ClaimResult, Evaluation
from specdil_records.claims.language import FormulaError, parse_statement, parse_value
from specdil_records.corpus import Corpus, Record
from specdil_records.findings import Pointer
from specdil_records.mutation.mutants import Mutant, Splice, value_at

Role = Literal["figure", "statement", "dispute", "trend"]


@dataclass(frozen=True, slots=True)
class Spot:
    """One expression where it is written, with the claim that it belongs to (None for a row's trend).

    `names` are those that it may use: numbers, and records under names of the claim's own. `words` is the text that
    the tree's offsets are of, and `at` leads from one of them to the text as it is written.
    """

    pointer: Pointer
    text: str
    role: Role
    where: str
    claim: ClaimResult | None
    tree: ast.expr
    names: tuple[str, ...]
    at: tuple[int, ...]

    def part(self, node: ast.AST) -> tuple[int, int]:
        """Where a node stands in the text."""
        start, end = getattr(node, "col_offset", 0), getattr(node, "end_col_offset", 0)
        return self.at[start], self.at[end - 1] + 1

    def splice(self, start: int, end: int, new: str) -> tuple[Splice, ...]:
        """A piece of the expression replaced."""
        return (Splice(self.pointer, start, end, new),)


@dataclass(eq=False)
class Ground:
    """One record of a corpus, judged. `evaluation` is None for kinds of records that make no claims."""

    corpus: Corpus
    record: Record
    evaluation: Evaluation | None
    resting: Mapping[str, frozenset[Pointer]] = field(default_factory=dict)
    """For each source record, the cells that some expression of the corpus reads, by record id."""
    used: frozenset[tuple[str, str]] = frozenset()
    """Values of accelerators and models (record id, quantity) that some expression of the corpus rests on."""
    evaluations: tuple[Evaluation, ...] = ()
    """Every record of the corpus that makes claims, judged."""

    @property
    def claims(self) -> list[ClaimResult]:
        """The claims of the record, judged."""
        return self.evaluation.claims if self.evaluation is not None else []

    @cached_property
    def fit(self) -> list[ClaimResult]:
        """The claims without a fault: in one that has a fault already a change need not be found."""
        faulty = {claim.id for claim in self.claims if not claim.is_settled
                  or any(problem.name != "typography-differs" for problem in claim.problems)}
        return [claim for claim in self.claims if not {claim.id, claim.data.get("same_as")} & faulty]

    @cached_property
    def spots(self) -> tuple[Spot, ...]:
        """Every expression of the record that can be read."""
        return tuple(self._spots())

    def mutant(self, kind: str, where: str, what: str, splices: tuple[Splice, ...], *, strict: bool = False,
               group: str = "", whole: str | None = None, pointer: Pointer = ()) -> Mutant:
        """A mutant of this record."""
        return Mutant(kind, self.record.id, self.record.path, where, what, pointer or splices[0].pointer, splices,
                      whole, strict, f"{self.record.path} {group}" if group else "")

    def word(self, kind: str, where: str, pointer: Pointer, old: str, new: str, start: int = 0, *, key: bool = False,
             strict: bool = False, group: str = "") -> Mutant:
        """A mutant that puts one text in the place of another inside a value or a key of the record."""
        splice = Splice(pointer, start, start + len(old), new, key)
        return self.mutant(kind, where, f"{short(old)} becomes {short(new)}", (splice,), strict=strict, group=group)

    def _spots(self) -> Iterator[Spot]:
        data = self.record.data
        by_id = {claim.id: claim for claim in self.fit}
        for claim in self.fit:
            _, i = claim.pointer
            written = value_at(data, claim.pointer)
            if "same_as" not in written:
                for anchor, text in written.get("figures", {}).items():
                    yield from _spot(("claims", i, "figures", anchor), text, "figure", claim)
            for j, text in enumerate(written.get("holds", [])):
                yield from _spot(("claims", i, "holds", j), text, "statement", claim)
        for i, dispute in enumerate(data.get("disputes", [])):
            key = "against" if "basis" not in dispute and "against" in dispute else "means"
            if key in dispute and dispute["claim"] in by_id:
                yield from _spot(("disputes", i, key), dispute[key], "dispute", by_id[dispute["claim"]],
                                 tuple(dispute.get("at", {})))
        for i, row in enumerate(data.get("scales_with", [])):
            trend = row.get("trend") if isinstance(row, dict) else None
            if trend:
                yield from _spot(("scales_with", i, "trend", "of"), trend["of"], "trend", None,
                                 (*trend.get("over", {}), *trend.get("assume", {})), f"trend of {trend['in']}")


def _spot(pointer: Pointer, text: Any, role: Role, claim: ClaimResult | None, more: tuple[str, ...] = (),
          where: str = "") -> Iterator[Spot]:
    if not isinstance(text, str):
        return
    tree = tree_of(text)
    if tree is None:
        return
    names = dict.fromkeys(more)
    if claim is not None and claim.scope is not None:
        names = dict.fromkeys([*claim.scope.inputs, *claim.scope.axes, *more])
    name = claim.id if claim is not None else where
    yield Spot(pointer, text, role, name, claim, tree, tuple(names), _collapsed(text))


def tree_of(text: str) -> ast.expr | None:
    """The syntax tree of an expression or statement; None for one that is refused."""
    for parse in (parse_value, parse_statement):
        try:
            return parse(text).tree
        except FormulaError:
            continue
    return None


def _collapsed(text: str) -> tuple[int, ...]:
    """For each character of an expression with single blanks, where it stands in the expression as it is written."""
    kept: list[int] = []
    for at, character in enumerate(text):
        if not character.isspace() or (kept and not text[at - 1].isspace()):
            kept.append(at)
    return tuple(kept)


def claim_at(ground: Ground, pointer: Pointer) -> str:
    """The claim, or else the place in words, that a pointer lies in."""
    if pointer[:1] == ("claims",) and len(pointer) > 1:
        return str(value_at(ground.record.data, pointer[:2]).get("id", ""))
    if pointer[:1] == ("disputes",) and len(pointer) > 1:
        return str(value_at(ground.record.data, pointer[:2]).get("claim", ""))
    return "/".join(map(str, pointer[:2]))


def short(text: str, longest: int = 60) -> str:
    """A text for one line of a report."""
    text = " ".join(text.split())
    return text if len(text) <= longest else text[:longest - 1] + "…"
