"""A corpus as it would be with other bytes in some of its files, and what a check would find in it."""
from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from dataclasses import replace

from specdil_records.checking import Options, check
from specdil_records.corpus import Corpus, Record, make_record
from specdil_records.findings import Finding, Severity
from specdil_records.reading import read_document


def with_bytes(corpus: Corpus, files: Mapping[str, bytes]) -> Corpus:
    """The corpus with these bytes in the place of the records of these paths."""
    return replace(corpus, records=tuple(_in_place_of(record, files) for record in corpus.records))


def _in_place_of(record: Record, files: Mapping[str, bytes]) -> Record:
    if not record.own or record.path not in files:
        return record
    return make_record(read_document(files[record.path], record.path), record.path, record.path_id + ".yaml")


def findings(corpus: Corpus, paths: frozenset[str]) -> tuple[Finding, ...]:
    """What a check finds in these files. Raises `RuntimeError` when a rule itself fails: then nothing is known."""
    report = check(corpus, Options(scope=paths))
    if report.summary.broken:
        name, why = next(iter(report.summary.broken.items()))
        raise RuntimeError(f"the rule {name} failed: {why}")
    return report.findings


def errors(corpus: Corpus, paths: frozenset[str]) -> dict[str, Counter[str]]:
    """How many errors of each name a check finds in each of these files."""
    found: dict[str, Counter[str]] = {}
    for finding in findings(corpus, paths):
        if finding.severity == Severity.ERROR:
            found.setdefault(finding.path, Counter())[finding.name] += 1
    return found


def with_record(corpus: Corpus, path: str, inside: str, content: bytes) -> Corpus:
    """The corpus with one record more."""
    new = make_record(read_document(content, path), path, inside)
    return replace(corpus, records=(*corpus.records, new))
