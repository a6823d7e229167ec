"""On which values and cells anything in a corpus rests."""
from __future__ import annotations

import ast
from collections.abc import Iterable, Iterator

from specdil_records.claims import ClaimResult, Evaluation
from specdil_records.claims.evaluating import Evaluator
from specdil_records.claims.language import parse_statement, parse_value
from specdil_records.claims.loopholes import FAULTS
from specdil_records.claims.quantities import Leaf
from specdil_records.claims.statements import judge
from specdil_records.corpus import Corpus, values_of
from specdil_records.findings import Pointer
from specdil_records.mutation.ground import Ground


def cells_read(corpus: Corpus) -> dict[str, frozenset[Pointer]]:
    """For each source, the cells that were read so far, by record id: numbers only, keys among them.

    It is what evaluating reads, as long as no rule has looked at the corpus.
    """
    return {record.id: frozenset(pointer for pointer, _ in record.notes.get("figures", {})
                                 if pointer[0] == "tables" and pointer[-1] != "uncertainty")
            for record in corpus.records if record.kind == "source"}


def values_used(evaluations: Iterable[Evaluation], corpus: Corpus) -> frozenset[tuple[str, str]]:
    """Record id and quantity of every value of an accelerator or model that an expression uses, or may use."""
    found: set[tuple[str, str]] = set()
    for evaluation in evaluations:
        for claim in evaluation.claims:
            for used in (*(figure.used for figure in claim.figures),
                         *(one.truth.used for one in claim.statements if one.truth is not None)):
                found.update((leaf.key[0], leaf.key[1]) for leaf in used if leaf.kind == "record")
        found |= set(_disputed(evaluation, corpus))
    return frozenset(found)


def _disputed(evaluation: Evaluation, corpus: Corpus) -> Iterator[tuple[str, str]]:
    """What disputes use: what evaluating them says, else all that their names may stand for."""
    for spot in Ground(corpus, evaluation.record, evaluation).spots:
        if spot.role != "dispute" or spot.claim is None or spot.claim.scope is None:
            continue
        used = _leaves(spot.claim, spot.text)
        if used is not None:
            yield from ((leaf.key[0], leaf.key[1]) for leaf in used if leaf.kind == "record")
            continue
        named = {node.id for node in ast.walk(spot.tree) if isinstance(node, ast.Name)}
        for alias, subject in spot.claim.scope.subjects.items():
            record = getattr(subject, "record", None)
            if alias in named and record is not None:
                values = {**values_of(record.data, "quantities"), **values_of(record.data, "shape")}
                yield from ((record.id, name) for name in values)


def _leaves(claim: ClaimResult, text: str) -> tuple[Leaf, ...] | None:
    """What a dispute's expression rests on; None where that shows only with values of its own for the axes."""
    assert claim.scope is not None
    try:
        return judge(parse_statement(text), claim.scope, claim.grid).used
    except FAULTS:
        pass
    evaluator = Evaluator(claim.scope.with_axes(claim.grid.quantities()))
    try:
        tree = parse_value(text).tree
        for part in tree.elts if isinstance(tree, ast.Tuple) else [tree]:
            evaluator.value(part)
    except FAULTS:
        return None
    return tuple(evaluator.used)
