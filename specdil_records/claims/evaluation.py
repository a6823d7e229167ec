"""A whole record, evaluated: every claim, every dispute, every trend, and the ledger of its numbers."""
from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field, replace
from typing import Any

from specdil_records.claims.disputing import Disputing
from specdil_records.claims.evaluating import Scope
from specdil_records.claims.following import followers
from specdil_records.claims.grids import read_grid
from specdil_records.claims.judging import FAULTS, STATE_OF, Judge, named
from specdil_records.claims.language import parse_statement
from specdil_records.claims.locating import Field, NotLocated, field_named, prose_fields
from specdil_records.claims.messages import drift_problem, false_problem
from specdil_records.claims.quantities import Leaf
from specdil_records.claims.results import ClaimResult, StatementResult
from specdil_records.claims.statements import judge
from specdil_records.claims.subjects import SourceCells, quantity_of
from specdil_records.corpus import Corpus, Record
from specdil_records.figures import FigureError, read_figure
from specdil_records.findings import Fix, Place, Pointer, Problem, Status
from specdil_records.prose.ledger import LedgerEntry, first
from specdil_records.prose.matching import cuts_unit
from specdil_records.prose.verbatim import anchor as find_anchor

Key = tuple[Pointer, int]
INHERITED = frozenset({"formula", "unresolved-reference", "undecided"})
"""What may be wrong with an expression, wherever it is repeated."""
OF_FIGURES = (Status.DISPUTED, Status.RECOMPUTED)


@dataclass(slots=True)
class Evaluation:
    """What a record's prose is worth. `problems` holds what went wrong, at its place in the record."""

    record: Record
    fields: Mapping[Pointer, Field]
    claims: list[ClaimResult] = field(default_factory=list)
    trends: list[StatementResult] = field(default_factory=list)
    problems: list[Problem] = field(default_factory=list)
    ledger: list[LedgerEntry] = field(default_factory=list)


def evaluate(record: Record, corpus: Corpus | None = None,
             judges: Callable[[Corpus, Mapping[Pointer, Field]], Judge] = Judge) -> Evaluation:
    """Judge every claim of a record that fits its schema. The same object is the verdict and its explanation.

    `corpus` is where names lead; by default the corpus that the record was loaded with. `judges` makes the judge of
    the record's claims, for who has some of them judged already. Raises `ValueError` for a record of no corpus, or one
    that does not read or fit its schema.
    """
    corpus = corpus or record.home
    if corpus is None or not record.sound:
        raise ValueError(f"{record.id} belongs to no corpus, or does not read or fit its schema")
    fields = prose_fields(record.kind, record.data)
    result = Evaluation(record, fields)
    judge_ = judges(corpus, fields)
    given = record.data.get("claims", [])
    for i, data in enumerate(given):
        spelt = spell_out(data, given)
        if isinstance(spelt, Problem):
            result.problems.append(Problem(spelt.name, spelt.message, Place(("claims", i, "same_as"))))
            kept = {key: data[key] for key in ("id", "in", "quote", "occurrence") if key in data}
            result.claims.append(judge_.claim(kept, ("claims", i)))
            result.claims[-1].unavailable = True
            continue
        result.claims.append(judge_.claim(spelt, ("claims", i)))
    _told_once(result.claims)
    _disputes(result, corpus)
    for i, row in enumerate(record.data.get("scales_with", [])):
        if isinstance(row, dict) and "trend" in row:
            _trend(result, row["trend"], ("scales_with", i, "trend"), corpus)
    asides = _asides(result)
    for claim in result.claims:
        for figure in claim.figures:
            if figure.state == "drifts" and not figure.excused:
                claim.problems.append(drift_problem(claim, figure, corpus))
        for statement in claim.statements:
            if statement.state == "false" and not statement.excused:
                claim.problems.append(false_problem(claim.id, statement))
        result.problems += claim.problems
    result.problems = [_with_fix(result, problem) for problem in distinct(result.problems)]
    result.ledger = list(_ledger(result, asides))
    return result


def spell_out(data: Mapping[str, Any], claims: list[Mapping[str, Any]]) -> Mapping[str, Any] | Problem:
    """A claim that repeats another, with what it takes from that one written in."""
    if "same_as" not in data:
        return data
    base = next((claim for claim in claims if claim["id"] == data["same_as"]), None)
    if base is None or "same_as" in base:
        return Problem("unresolved-reference", f"no claim {data['same_as']!r} of its own to repeat", Place(()))
    taken = {key: base[key] for key in ("basis", "backed_by", "assume", "of", "over", "because") if key in base}
    spelt: dict[str, Any] = {**taken, **{key: value for key, value in data.items() if key != "figures"}}
    own_read = data.get("read", {})
    inherited = {name: spec if isinstance(spec, dict) else {"in": base["in"], "at": spec}
                 for name, spec in base.get("read", {}).items() if name not in own_read}
    if inherited:
        spelt["read"] = {**own_read, **inherited}
        spelt["inherited"] = tuple(inherited)
    for here, there in data.get("figures", {}).items():
        kept = next((key for key in ("figures", "held", "cites") if there in base.get(key, {})), None)
        if kept is None:
            return Problem("unresolved-reference", f"claim {base['id']} has no anchor {there!r}", Place(()))
        spelt.setdefault(kept, {})
        spelt[kept] = {**spelt[kept], here: base[kept][there]}
        if there in base.get("tolerance", {}):
            spelt["tolerance"] = {**spelt.get("tolerance", {}), here: base["tolerance"][there]}
    if "holds" in base and ("held" in spelt or not data.get("figures")):
        spelt["holds"] = base["holds"]
    return spelt


def _told_once(claims: list[ClaimResult]) -> None:
    """Leave out what is wrong with a claim because it is wrong with the one that it repeats."""
    by_id = {claim.id: claim for claim in claims}
    for claim in claims:
        base = by_id.get(str(claim.data.get("same_as")))
        if base is None or base is claim or not base.problems:
            continue
        told = {(one.name, one.message.removeprefix(f"claim {base.id}: ")) for one in base.problems}
        taken = [(*claim.pointer, "read", name) for name in claim.data.get("inherited", ())]
        claim.problems = [one for one in claim.problems if not (
            (one.name in INHERITED and (one.name, one.message.removeprefix(f"claim {claim.id}: ")) in told)
            or (isinstance(one.where, Place) and one.where.pointer in taken))]


def _disputes(result: Evaluation, corpus: Corpus) -> None:
    disputing = Disputing(corpus)
    by_id = {claim.id: claim for claim in result.claims}
    repeats: dict[str, list[ClaimResult]] = {}
    for claim in result.claims:
        if "same_as" in claim.data:
            repeats.setdefault(str(claim.data["same_as"]), []).append(claim)
    for i, data in enumerate(result.record.data.get("disputes", [])):
        claim_ = by_id.get(data["claim"])
        if claim_ is None:
            result.problems.append(Problem("unresolved-reference", f"there is no claim {data['claim']!r}",
                                           Place(("disputes", i, "claim"))))
            continue
        disputing.judge(claim_, data, ("disputes", i))
        if data.get("own_model") == "fails" and "figure" in data and claim_.disputes[-1].state == "stands":
            said = {figure.quoted for figure in claim_.figures if figure.anchor == data["figure"]}
            for repeat in repeats.get(claim_.id, []):
                failing = {figure.anchor for figure in repeat.figures if figure.state == "drifts"}
                for here, there in _mapped(result, repeat):
                    if there == data["figure"] and here in failing:  # a repetition may have it right
                        disputing.judge(repeat, {**data, "figure": here}, ("disputes", i), said)


def _mapped(result: Evaluation, claim: ClaimResult) -> Iterator[tuple[str, str]]:
    index = claim.pointer[1]
    assert isinstance(index, int)
    yield from result.record.data["claims"][index].get("figures", {}).items()


def _trend(result: Evaluation, trend: Mapping[str, Any], pointer: Pointer, corpus: Corpus) -> None:
    text = f"{trend['is']}({trend['of']}, {trend['in']})"
    at = "assume"
    try:
        inputs: dict[str, Leaf | None] = {
            name: Leaf("input", (name,), name, quantity_of(read_figure(value)), value, "assumed")
            for name, value in trend.get("assume", {}).items()}
        at = "over"
        grid = read_grid(trend["over"])
        at = "in"
        grid.position(trend["in"])
        at = "of"
        truth = judge(parse_statement(text), Scope(inputs, grid.quantities(), {}, SourceCells(corpus)), grid)
    except FigureError as error:
        result.problems.append(Problem(error.name, str(error), Place((*pointer, at))))
        return
    except FAULTS as error:
        state, name = STATE_OF[type(error)]
        result.trends.append(StatementResult(text, pointer, "undecided" if state == "undecided" else "broken",
                                             reason=str(error)))
        if name:
            result.problems.append(Problem(name, f"trend: {error}", Place((*pointer, at))))
        return
    statement = StatementResult(text, pointer, truth.verdict, truth)
    result.trends.append(statement)
    if truth.verdict == "false":
        result.problems.append(false_problem(f"trend of {trend['in']}", statement))
    elif truth.verdict == "undecided":
        result.problems.append(Problem("undecided", f"whether {text} cannot be told at {named(truth.point)}: "
                                       f"{truth.detail}", Place(pointer)))


def _asides(result: Evaluation) -> dict[Key, str]:
    """The numbers that asides take out of the count, with the kind of each."""
    found: dict[Key, str] = {}
    for i, aside in enumerate(result.record.data.get("asides", [])):
        try:
            field_ = field_named(result.fields, aside["in"])
        except NotLocated as lost:
            result.problems.append(Problem(lost.name, lost.message, Place(("asides", i, "in"))))
            continue
        places = find_anchor(aside["text"], field_.text)
        wanted = aside.get("occurrence")
        if wanted is not None:
            places = places[int(wanted) - 1:int(wanted)]
        if len(places) != 1:
            name = "quote-ambiguous" if places else "quote-not-verbatim"
            result.problems.append(Problem(name, f"the aside {aside['text']!r} stands {len(places) or 'nowhere'} "
                                           f"{'times ' if places else ''}in its field", Place(("asides", i, "text"))))
            continue
        inside = field_.inside(*places[0])
        if cuts_unit(field_.numbers, places[0][1]):
            result.problems.append(Problem("formula", f"the aside {aside['text']!r} ends inside a number: the unit "
                                           "belongs to it", Place(("asides", i, "text"))))
        elif not inside:
            result.problems.append(Problem("formula", f"the aside {aside['text']!r} holds no number",
                                           Place(("asides", i, "text"))))
        for index in inside:
            found[field_.pointer, index] = aside["kind"]
    return found


@dataclass(slots=True)
class _Marks:
    """What touches each number: the statuses that it could have, and whether a finding explains why it has none."""

    given: dict[Key, list[tuple[Status, str]]] = field(default_factory=dict)
    explained: set[Key] = field(default_factory=set)

    def mark(self, where: Field, numbers: tuple[int, ...], status: Status, by: str) -> None:
        for index in numbers:
            self.given.setdefault((where.pointer, index), []).append((status, by))

    def claim(self, claim: ClaimResult) -> None:
        """All that one claim says of numbers."""
        if claim.field is not None:
            self.explained.update((claim.field.pointer, index) for index in claim.blamed)
        for figure in claim.figures:
            if figure.state == "broken":
                self.explained.update((figure.field.pointer, index) for index in figure.numbers)
            else:
                self.mark(figure.field, figure.numbers, Status.CITED if figure.cited else Status.RECOMPUTED, claim.id)
        if claim.passage is None:
            return
        here = claim.passage.field
        for dispute in claim.disputes:
            if dispute.state == "stands":
                self.mark(here, dispute.numbers, Status.DISPUTED, claim.id)
        for _, numbers in claim.cited:
            self.mark(here, numbers, Status.CITED, claim.id)
        for _, place in claim.held.values():
            self.mark(here, place.numbers, Status.HELD, claim.id)
        for where, place in claim.inputs.values():
            self.mark(where, place.numbers, Status.INPUT, claim.id)
        inside = tuple(here.inside(claim.passage.start, claim.passage.end))
        if claim.basis == "unverified":
            self.mark(here, inside, Status.UNVERIFIED, claim.id)
        if any(problem.name in ("quote-not-verbatim", "quote-ambiguous") and isinstance(problem.where, Place)
               and problem.where.pointer[:2] == claim.pointer for problem in claim.problems):
            # An anchor is lost, and which number it meant cannot be known.
            self.explained.update((here.pointer, index) for index in inside)


def _ledger(result: Evaluation, asides: Mapping[Key, str]) -> Iterator[LedgerEntry]:
    if result.record.kind != "flop":  # a source tells what others say; its remarks are not prose to be proved
        return
    marks = _Marks()
    for claim in result.claims:
        marks.claim(claim)
    for where in result.fields.values():
        for index, number in enumerate(where.numbers):
            key = (where.pointer, index)
            given = marks.given.get(key, [])
            # Digits of a name say nothing that could be unverified, so what is exempt by rule is exempt, but for those
            # of a symbolic term (k/2), which take the status of their figure.
            if number.exempt is not None and not any(one in OF_FIGURES for one, _ in given):
                status, by = Status.EXEMPT, [number.exempt]
            else:
                if key in asides:
                    given = [*given, (Status.EXEMPT, asides[key])]
                status = first(one for one, _ in given)
                by = list(dict.fromkeys(name for one, name in given if one == status))
            yield LedgerEntry(where.pointer, index, number, where.text[number.start:number.stop], status, tuple(by),
                              key in marks.explained or number.problem is not None)


def _with_fix(result: Evaluation, problem: Problem) -> Problem:
    """A number that a quote has otherwise, with what makes the quote, its anchors and lifted effects follow it."""
    where = problem.where
    if problem.name != "quote-not-verbatim" or not isinstance(where, Place) or where.start is None:
        return problem
    field_ = result.fields[where.pointer]
    index = next(i for i, number in enumerate(field_.numbers) if number.start == where.start)
    digits = field_.digits(index)
    if "," in digits:  # between braces it needs quotes, which `records fix` adds
        return problem
    why = f"the quote, its anchors and what is lifted follow the prose: {digits}"
    return replace(problem, fixes=tuple(Fix(one.place, one.text, True, why)
                                        for one in followers(result, {(where.pointer, index): digits})))


def distinct(problems: list[Problem]) -> list[Problem]:
    """One fault, one finding: the first of each name and place, and no changed quote where the figure drifts."""
    drifting = [problem.where for problem in problems
                if problem.name == "figure-drift" and isinstance(problem.where, Place)]
    seen: set[tuple[str, Any]] = set()
    kept = []
    for problem in problems:
        key = (problem.name, problem.where)
        if key in seen or (problem.name == "quote-not-verbatim" and isinstance(problem.where, Place)
                           and any(place.holds(problem.where) for place in drifting)):
            continue
        seen.add(key)
        kept.append(problem)
    return kept
