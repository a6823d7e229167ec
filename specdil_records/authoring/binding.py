"""What a number of the prose might be made of: expressions over what its sentence states that give its digits.

Every proposal is judged as a claim before it is shown, by the same judge that will judge it in the record. A proposal
is a guess all the same: that the digits come out says nothing about whether the sentence means it.
"""
from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import permutations
from typing import Any

from specdil_records import roofline
from specdil_records.authoring.passages import Quotable, field_name, quotable, sentence_around
from specdil_records.claims import Evaluation, agreement
from specdil_records.claims.evaluating import Evaluator, Scope, Subject
from specdil_records.claims.judging import FAULTS, Judge, leaf_point
from specdil_records.claims.language import Expression, is_bare_value, parse_value
from specdil_records.claims.locating import Field
from specdil_records.claims.quantities import Leaf
from specdil_records.claims.subjects import SourceCells, quantity_of, subject
from specdil_records.corpus import Corpus, Record, values_of
from specdil_records.figures import Figure
from specdil_records.findings import Status
from specdil_records.prose.ledger import LedgerEntry
from specdil_records.prose.verbatim import anchor as find_anchor

MOST_PROPOSALS = 5
MOST_INPUTS = 4
MOST_SUBJECTS = 3
MOST_ARGUMENTS = 3

NAMES = (
    ("batch", re.compile(r"\b(?:batch(?:es)?(?: sizes?)?(?: of)?|B ?=)\s*$|^\s*(?:sequences|requests|users)\b", re.I)),
    ("draft_k", re.compile(r"(?:\bk ?=|\b(?:drafts?|draft length|gamma)(?: of)?)\s*$|^\s*(?:drafts?|drafted)\b")),
    ("context", re.compile(r"\bcontexts?(?: lengths?)?(?: of)?\s*$|^\s*(?:tokens of )?(?:context|cached)\b", re.I)),
    ("acceptance", re.compile(r"\baccept(?:ance|ed)(?: rates?)?(?: of| is)?\s*$|^\s*accept(?:ance|ed)\b", re.I)),
)
"""What the words before a number, or after it, say that it is: the names of the catalogue's arguments."""

OLDER = ("1.0", "2.0")
"""Versions of flop records that have no claims."""

UNPROVED = (Status.UNBOUND, Status.UNVERIFIED)
"""What a number is that nothing recomputes, those first that nothing accounts for at all."""

SPARE = ("first", "second", "third", "fourth")


@dataclass(frozen=True, slots=True)
class Input:
    """A number beside the one to bind: its name in an expression, its index in the field, its value.

    One that is `outside` stands in an earlier sentence, in words that say what it is, such as `k=4`.
    """

    name: str
    index: int
    figure: Figure
    distance: int
    outside: bool = False

    @property
    def kind(self) -> str:
        """What may be added to it or taken away: a share is no count."""
        return self.figure.unit.kind if self.figure.unit is not None else ""


@dataclass(frozen=True, slots=True)
class Proposal:
    """An expression that gives the digits, and the claim that would say so."""

    expression: str
    computed: str
    claim: Mapping[str, Any]


@dataclass(frozen=True, slots=True)
class Unbound:
    """A number that nothing recomputes, with what it might be made of, the likeliest first."""

    entry: LedgerEntry
    field: Field
    proposals: tuple[Proposal, ...]


class CannotBind(Exception):
    """A record whose numbers no claim can bind; the message says why."""


def bindable(record: Record) -> Record:
    """The record, if it is one that has claims. Raises `CannotBind`."""
    if record.kind != "flop" or record.version in OLDER:
        raise CannotBind(f"{record.id} has no claims to bind numbers with; records migrate takes older flop "
                         "records to 3.0")
    return record


def unbound_numbers(record: Record, corpus: Corpus, evaluation: Evaluation) -> Iterator[Unbound]:
    """Every number that is unbound, then every one that is only called unverified, each with its proposals."""
    for status in UNPROVED:
        for entry in evaluation.ledger:
            if entry.status == status and entry.number.figure is not None:
                field = evaluation.fields[entry.pointer]
                found = proposals(record, corpus, field, entry.index, evaluation.fields)
                yield Unbound(entry, field, tuple(found))


def proposals(record: Record, corpus: Corpus, field: Field, index: int, fields: Mapping[Any, Field]) -> list[Proposal]:
    """At most five proposals for one number."""
    number = field.numbers[index]
    if number.figure is None or number.partner is not None:
        return []  # both ends of a range are bound together, which is left to the author
    start, end = sentence_around(field.text, number.start, number.stop)
    passage = quotable(field, number.start, number.stop)
    if passage is None or _named(*_around(field, index, start, end), set()):
        return []  # a batch or a draft length is stated, not worked out: other numbers are made of it
    inputs = inputs_beside(field, index, start, end)
    subjects = subjects_named(corpus, field.text[start:end])
    leaves: dict[str, Leaf | None] = {one.name: Leaf("input", (one.name,), one.name, quantity_of(one.figure),
                                                     one.figure.text, None, "the prose") for one in inputs}
    things: dict[str, Subject | None] = {alias: subject(thing) for alias, thing in subjects.items()}
    scope = Scope(leaves, {}, things, SourceCells(corpus))
    found: list[Proposal] = []
    judge = Judge(corpus, fields)
    for text in ranked(inputs, subjects):
        if not agrees(text, number.figure, scope):
            continue
        claim = claim_for(record, field, index, passage, text, inputs, subjects)
        if claim is None:
            continue
        result = judge.claim(claim, ("claims", len(record.data.get("claims", []))))
        if result.problems or not result.figures or any(one.state != "agrees" for one in result.figures):
            continue
        one = result.figures[0]
        computed = agreement.show_interval(one.agreement.computed, number.figure) if one.agreement is not None else ""
        found.append(Proposal(text, computed, claim))
        if len(found) == MOST_PROPOSALS:
            break
    return found


# What the sentence states -----------------------------------------------------------------------------------


def inputs_beside(field: Field, index: int, start: int, end: int) -> list[Input]:
    """The other numbers of the sentence, the nearest first, each under a name of its own; then what earlier sentences
    of the field call a batch, a draft length, a context, an acceptance."""
    near = sorted((abs(other - index), other) for other in field.inside(start, end)
                  if other != index and field.numbers[other].figure is not None
                  and field.numbers[other].partner is None)
    found: list[Input] = []
    taken: set[str] = set()
    spare = iter(SPARE)
    for distance, other in near[:MOST_INPUTS]:
        number = field.numbers[other]
        name: str = _named(*_around(field, other, start, end), taken) or next(spare)
        taken.add(name)
        assert number.figure is not None
        found.append(Input(name, other, number.figure, distance))
    for other in reversed(field.inside(0, start)):
        number = field.numbers[other]
        if number.figure is not None and number.partner is None:
            said = _named(*_around(field, other, 0, start), taken)
            if said is not None:
                taken.add(said)
                found.append(Input(said, other, number.figure, index - other, True))
    return found


def _around(field: Field, index: int, start: int, end: int) -> tuple[str, str]:
    """The words just before a number and just after it, within [start, end)."""
    number = field.numbers[index]
    return field.text[max(start, number.start - 30):number.start], field.text[number.stop:end][:30]


def _named(before: str, after: str, taken: set[str]) -> str | None:
    """What the words around a number say that it is, unless something nearer is that already."""
    said = next((name for name, words in NAMES if words.search(before) or words.match(after)), None)
    return None if said in taken else said


def subjects_named(corpus: Corpus, sentence: str) -> dict[str, Record]:
    """The accelerators and models that a sentence names, under short names of one's own."""
    words = _plain(sentence)
    found: dict[str, Record] = {}
    for kind in ("accelerator", "model"):
        for record in corpus.of_kind(kind):
            names = {_plain(record.tail), _plain(str(record.data.get("name", "")))} if record.sound else set()
            if any(name and name in words for name in names) and len(found) < MOST_SUBJECTS:
                found[_alias(record.tail, found)] = record
    return found


def _plain(text: str) -> str:
    return " " + re.sub(r"[^a-z0-9]+", " ", text.casefold()).strip() + " " if text.strip() else ""


def _alias(tail: str, taken: Mapping[str, Any]) -> str:
    parts = [part for part in re.split(r"[^a-z0-9]+", tail) if re.fullmatch(r"[a-z]\w*", part)]
    parts = [part for part in parts if part not in ("nvidia", "amd", "google", "intel")] or ["it"]
    return next(name for name in (*parts, "_".join(parts), "it", "that", "other") if name not in taken)


# Expressions ------------------------------------------------------------------------------------------------


def ranked(inputs: Sequence[Input], subjects: Mapping[str, Record]) -> list[str]:
    """Every expression that is tried, the likeliest first: arguments that are named in the words before plain sums,
    few before many, near numbers before far ones."""
    scored: dict[str, tuple[int, int, int]] = {}
    for text, rank in (*_of_records(subjects), *_of_catalogue(inputs, subjects), *_of_arithmetic(inputs)):
        used = [one for one in inputs if re.search(rf"\b{one.name}\b", text)]
        score = (rank, sum(one.distance for one in used), len(text))
        scored[text] = min(score, scored.get(text, score))
    return sorted(scored, key=lambda text: (scored[text], text))


def _of_records(subjects: Mapping[str, Record]) -> Iterator[tuple[str, int]]:
    for alias, record in subjects.items():
        group = "quantities" if record.kind == "accelerator" else "shape"
        for quantity, value in values_of(record.data, group).items():
            if not isinstance(value, bool):
                yield f"{alias}.{quantity}", 0


def _of_catalogue(inputs: Sequence[Input], subjects: Mapping[str, Record]) -> Iterator[tuple[str, int]]:
    """Entries with at most three arguments that must be given. An argument and an input of the same name fit best."""
    names = [one.name for one in inputs]
    for entry in roofline.CATALOGUE.values():
        wanted = [each for each in entry.parameters if each.is_required]
        if not wanted or len(wanted) > MOST_ARGUMENTS or any(each.many for each in entry.parameters) \
                or entry.result == "word":
            continue
        things = [each.kind for each in wanted if each.kind in ("accelerator", "model")]
        free = [each.name for each in wanted if each.kind in ("count", "number")]
        if len(things) + len(free) != len(wanted):
            continue
        for aliases in permutations(subjects, len(things)):
            if [subjects[alias].kind for alias in aliases] != things:
                continue
            for chosen in permutations(names, len(free)):
                fit = sum(name == parameter for name, parameter in zip(chosen, free, strict=True))
                if any(not _fits(name, parameter, len(free)) for name, parameter in zip(chosen, free, strict=True)):
                    continue
                rank = 1 if fit == len(free) else 3 + len(free) - fit
                yield f"{entry.name}({', '.join([*aliases, *chosen])})", rank


def _fits(name: str, parameter: str, count: int) -> bool:
    """Whether an input may be an argument: a batch is no draft length, and where several arguments are wanted, a number
    that nothing names is neither."""
    known = {each for each, _ in NAMES}
    return name == parameter or (name not in known and (count == 1 or parameter not in known))


def _of_arithmetic(inputs: Sequence[Input]) -> Iterator[tuple[str, int]]:
    inside = [one for one in inputs if not one.outside]
    kinds = {one.name: one.kind for one in inside}
    for a, b in permutations(kinds, 2):
        yield f"{a} / {b}", 2
        if kinds[a] == kinds[b]:
            yield f"{a} - {b}", 3
            yield f"{a} / {b} - 1", 3
            yield f"1 - {a} / {b}", 4
        if a < b:
            yield f"{a} * {b}", 3
            if kinds[a] == kinds[b]:
                yield f"{a} + {b}", 3
    for a, b, c in permutations(kinds, 3):
        if a < b:
            yield f"{a} * {b} / {c}", 6
        if kinds[a] == kinds[b] == kinds[c]:
            yield f"({a} - {b}) / {c}", 7


def agrees(text: str, figure: Figure, scope: Scope) -> bool:
    """Whether an expression gives a figure's digits."""
    try:
        evaluator = Evaluator(scope)
        expression = parse_value(text)
        node = expression.tree
        quantity = evaluator.value(node)
        bare = leaf_point(evaluator.used[-1]) if is_bare_value(node) else None
        if figure.exact and _is_arithmetic(expression) and quantity.value != figure.value:
            return False  # a count is counted: what merely rounds to it is chance
        return agreement.compare(figure, quantity, bare, None).state == "agrees"
    except FAULTS:
        return False


def _is_arithmetic(expression: Expression) -> bool:
    """Whether nothing but numbers of the sentence stands behind an expression, no catalogue and no record."""
    return not expression.calls and "." not in expression.text


# The claim --------------------------------------------------------------------------------------------------


def claim_for(record: Record, field: Field, index: int, passage: Quotable, text: str, inputs: Sequence[Input],
              subjects: Mapping[str, Record]) -> dict[str, Any] | None:
    """The claim that says that the number is what the expression gives; None when an anchor cannot be made."""
    used = [one for one in inputs if re.search(rf"\b{one.name}\b", text)]
    things = {alias: thing.tail for alias, thing in subjects.items() if re.search(rf"\b{alias}\b", text)}
    anchor = anchor_of(field, index, passage)
    whole = Quotable(0, len(field.text), field.text)
    read = {one.name: anchor_of(field, one.index, whole if one.outside else passage) for one in used}
    if anchor is None or any(words is None for words in read.values()):
        return None
    taken = {claim["id"] for claim in record.data.get("claims", [])}
    name = next(f"bound-{n}" for n in range(1, len(taken) + 2) if f"bound-{n}" not in taken)
    claim: dict[str, Any] = {"id": name, "in": field_name(field), "quote": passage.quote}
    if passage.occurrence is not None:
        claim["occurrence"] = passage.occurrence
    claim["basis"] = "derived"
    claim |= {"read": read} if read else {}
    claim |= {"of": things} if things else {}
    return {**claim, "figures": {anchor: text}}


def anchor_of(field: Field, index: int, passage: Quotable) -> str | None:
    """The fewest words around a number that stand in the passage once: itself, else with words before and after."""
    number = field.numbers[index]
    inside = re.finditer(r"\S+", field.text[passage.start:passage.end])
    words = [(passage.start + found.start(), passage.start + found.end()) for found in inside]
    first = next((i for i, (_, end) in enumerate(words) if end > number.start), None)
    last = next((i for i, (_, end) in enumerate(words) if end >= number.stop), None)
    if first is None or last is None:
        return None
    lead = next(i for i in range(words[first][0], number.start + 1) if field.text[i] not in "([{\"'\u2018\u201c")
    tried = [(lead, number.stop), (words[max(first - 1, 0)][0], number.stop)]
    if lead == number.start and number.stop == number.end:
        tried.reverse()  # bare digits say little; with the word before them a reader sees what they are
    tried += [(words[max(first - back, 0)][0], number.stop) for back in range(4)]
    tried += [(words[max(first - back, 0)][0], words[min(last + on, len(words) - 1)][1])
              for back in range(4) for on in range(4)]
    for start, end in tried:
        text = re.sub(r"\s+", " ", field.text[start:end]).rstrip(".,;:)")
        covered = [i for i in field.inside(start, end) if field.numbers[i].exempt is None]
        if covered == [index] and len(find_anchor(text, passage.quote)) == 1:
            return text
    return None
