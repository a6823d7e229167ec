"""What the pages about the whole corpus keep of each record: small, and able to travel between processes."""
from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass, field

from specdil_records.claims import Evaluation
from specdil_records.corpus import Corpus, Record
from specdil_records.findings import Pointer, coverage
from specdil_records.prose.ledger import count
from specdil_records.site.addresses import page_of
from specdil_records.site.prose import Contest

STRENGTH = ("measured", "specified", "reported", "simulated", "derived", "unverified")
"""Bases, strongest first."""


@dataclass(frozen=True, slots=True)
class Use:
    """A claim that names another record, and what of it."""

    claim: str
    verdict: str
    items: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class DisputeFacts:
    """One dispute, as the list of all of them shows it."""

    number: int
    claim: str
    quote: str
    what: str
    state: str
    because: str
    explanation: str
    formula: str
    sources: tuple[str, ...]


@dataclass(slots=True)
class Facts:
    """One record, for the pages about all of them."""

    id: str
    kind: str
    name: str
    page: str
    summary: str = ""
    status: str = "active"
    numbers: Mapping[str, int] = field(default_factory=dict)
    claims: Mapping[str, int] = field(default_factory=dict)
    bases: Mapping[str, int] = field(default_factory=dict)
    coverage: float = 1.0
    disputes: tuple[DisputeFacts, ...] = ()
    uses: Mapping[str, tuple[Use, ...]] = field(default_factory=dict)
    """For the id of each record that this one names: the claims that do; none where only a list does."""
    named_in: Mapping[str, tuple[str, ...]] = field(default_factory=dict)
    words: str = ""

    @property
    def unverified_share(self) -> float:
        """Of all claims and rows, those with nothing behind them."""
        total = sum(self.bases.values())
        return self.bases.get("unverified", 0) / total if total else 0.0

    @property
    def weakest(self) -> tuple[float, float, str]:
        """The order in which health is shown: weakest evidence first."""
        return (-self.unverified_share, self.coverage, self.id)


def facts_of(record: Record, corpus: Corpus, evaluation: Evaluation | None, contests: list[Contest]) -> Facts:
    """What is kept of a record; without an evaluation it has no claims."""
    data = record.data
    name = data.get("name") or data.get("title") or record.tail
    facts = Facts(record.id, str(record.kind), str(name), page_of(record), status=str(data.get("status", "active")))
    facts.uses, facts.named_in = _uses(record, corpus, evaluation)
    if evaluation is None:
        return facts
    numbers = count(evaluation.ledger)
    facts.numbers = numbers
    facts.coverage = float(coverage(numbers))
    facts.claims = Counter(str(claim.verdict) for claim in evaluation.claims)
    rows = [row for row in data.get("hardware_parameters", []) if isinstance(row, dict)]
    facts.bases = Counter([*(claim.basis for claim in evaluation.claims),
                           *(str(row.get("basis", "unverified")) for row in rows)])
    facts.disputes = tuple(dispute_facts(one) for one in contests)
    return facts


def dispute_facts(one: Contest) -> DisputeFacts:
    """A dispute in the words of the record and of its verdict."""
    data = one.dispute.data
    return DisputeFacts(
        one.number, one.claim.id, _line(one.claim.data.get("quote", "")), one.what, one.dispute.state,
        _line(data.get("because", "")), one.dispute.explanation, _line(data.get("against") or data.get("means") or ""),
        tuple(map(str, data.get("sources", []))))


def _uses(record: Record, corpus: Corpus,
          evaluation: Evaluation | None) -> tuple[dict[str, tuple[Use, ...]], dict[str, tuple[str, ...]]]:
    """Who is named by which claim, and in which of the record's other fields."""
    claims = {claim.pointer: claim for claim in evaluation.claims} if evaluation is not None else {}
    by_id = {claim.id: claim for claim in claims.values()}
    found: dict[str, dict[str, dict[str, None]]] = {}
    fields: dict[str, dict[str, None]] = {}
    for reference in record.references:
        target = corpus.resolve(reference)
        if target is None or target is record:
            continue
        head: Pointer = reference.pointer[:2]
        claim = claims.get(head)
        if claim is None and head[0] == "disputes":
            claim = by_id.get(str(record.data["disputes"][head[1]].get("claim")))
        if claim is None:
            fields.setdefault(target.id, {})[str(reference.pointer[0])] = None
            continue
        items = found.setdefault(target.id, {}).setdefault(claim.id, {})
        if reference.item:
            items[reference.item] = None
    for claim in claims.values():
        for figure in claim.figures:
            for leaf in figure.used:
                if leaf.kind in ("record", "cell"):
                    target_id, part = leaf.key[0], leaf.key[1]
                    found.setdefault(target_id, {}).setdefault(claim.id, {})[part] = None
    uses = {target: tuple(Use(name, str(by_id[name].verdict), tuple(items)) for name, items in named.items())
            for target, named in found.items() if target != record.id}
    return uses, {target: tuple(names) for target, names in fields.items()}


def _line(text: object) -> str:
    return " ".join(str(text).split())
