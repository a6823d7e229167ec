"""Short records for tests of claims: one field of prose, some claims, checked in memory."""
from __future__ import annotations

import re
from dataclasses import dataclass
from typing import Any

import yaml

from specdil_records.checking import Report, check
from specdil_records.checking.selftest import sample_corpus
from specdil_records.claims import Evaluation, evaluate
from specdil_records.corpus import Corpus
from specdil_records.rules import Sample

PATH = "records/flops/short.yaml"
ID = "flops/short"
MODEL = """\
schema_version: "3.0"
id: models/small
name: Small
source: chip-sheet
shape: {layers: 2, hidden_size: 64, heads: 4, kv_heads: 2, head_size: 16, ffn_size: 128, vocabulary: 1000}
"""


@dataclass(frozen=True)
class Judged:
    """A short record after a check."""

    report: Report
    corpus: Corpus

    @property
    def found(self) -> list[tuple[str, str]]:
        """Each finding on the record: its name, and the source text that it marks."""
        text = self.corpus.by_id[ID].document.text.split("\n")
        return [(finding.name, text[finding.span.line - 1][finding.span.column - 1:finding.span.end_column - 1])
                for finding in self.report.findings if finding.record == ID]

    @property
    def names(self) -> list[str]:
        return sorted(name for name, _ in self.found)

    @property
    def messages(self) -> str:
        return " | ".join(finding.message for finding in self.report.findings if finding.record == ID)

    @property
    def evaluation(self) -> Evaluation:
        return evaluate(self.corpus.by_id[ID], self.corpus)

    @property
    def statuses(self) -> dict[str, list[str]]:
        found: dict[str, list[str]] = {}
        for entry in self.evaluation.ledger:
            found.setdefault(str(entry.status), []).append(entry.written)
        return found

    def verdict(self, claim: str) -> str:
        return next(str(one.verdict) for one in self.evaluation.claims if one.id == claim)


def judge(prose: str, *claims: dict[str, Any], disputes: tuple[dict[str, Any], ...] = (),
          files: dict[str, str] | None = None, repeats: tuple[dict[str, Any], ...] = (), **fields: Any) -> Judged:
    """Check a record with this prose in its notes, beside the base example's chip and sources."""
    full = [{"id": f"claim-{i}", "in": "notes", "basis": "derived", "quote": prose, **claim}
            for i, claim in enumerate(claims, 1)]
    record = {
        "schema_version": "3.0", "id": ID, "name": "Short", "status": "active", "arithmetic_intensity": "Nothing more.",
        "scales_with": [], "affected_by_hardware": [], "hardware_parameters": [], "workarounds": [], "notes": prose,
        "claims": [*full, *repeats], "disputes": list(disputes), **fields,
    }
    text = yaml.safe_dump(record, sort_keys=False, allow_unicode=True, width=10_000, default_style='"')
    text = re.sub(r'!!int "([0-9]+)"', r"\1", text)
    corpus = sample_corpus(Sample((), {PATH: text, **(files or {})}))
    report = check(corpus)
    assert not report.summary.broken, report.summary.broken  # a rule that raises must not pass for one that is content
    return Judged(report, corpus)


PROSE = "At batch 16 with k=4 it is 20, a gain of 25%, more than before."
CLAIM = {"read": {"batch": "At batch 16", "k": "with k=4"},
         "figures": {"is 20": "additive.intensity(batch, k)", "25%": "additive.gain(batch, k)"}}
OWN = {**CLAIM, "over": {"B": "1..8"}, "holds": ["B > 4", "B > 0"]}


def disputed(prose: str = PROSE, claim: dict[str, Any] | None = None, files: dict[str, str] | None = None,
             **dispute: Any) -> Judged:
    full = {"claim": "claim-1", "because": "of a test", "sources": ["bench-report"], **dispute}
    return judge(prose, {"quote": PROSE, **CLAIM, **(claim or {})}, files=files,
                 disputes=({key: value for key, value in full.items() if value is not None},))


def explained(judged: Judged) -> list[tuple[str, str]]:
    """State and explanation of each dispute."""
    return [(one.state, one.explanation) for claim in judged.evaluation.claims for one in claim.disputes]
