"""The installation against what it promises: schemas as published, examples and samples judged as they say."""
from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field, replace
from pathlib import Path, PurePosixPath

from specdil_records.checking.pipeline import check
from specdil_records.corpus import Corpus, Settings, SourceFile, build_corpus
from specdil_records.corpus.loading import make_record
from specdil_records.corpus.settings import KINDS, read_settings_text
from specdil_records.findings import Finding, Place, pointer_text
from specdil_records.reading import Document, read_document
from specdil_records.rules import RULES, Rule, RuleError, Sample
from specdil_records.rules.samples import files_of
from specdil_records.schemas import kinds, manifest, schema_data, versions
from specdil_records.shipped import shipped_folder

EXPECT = "# expect: "


@dataclass(slots=True)
class Outcome:
    """What was replayed, and what did not come out as promised."""

    schemas: int = 0
    examples: int = 0
    samples: int = 0
    faults: list[str] = field(default_factory=list)


def run() -> Outcome:
    """Replay everything that ships."""
    outcome = Outcome()
    outcome.faults += [f"schema: {difference}" for difference in manifest.differences()]
    for kind in kinds():
        for version in versions(kind):
            schema_data(version, kind)
            outcome.schemas += 1
    folder = shipped_folder("examples")
    for path in sorted(folder.rglob("*")):
        if path.suffix in (".yaml", ".json"):
            outcome.examples += 1
            outcome.faults += example_faults(folder, path)
    for rule in RULES:
        outcome.samples += 2
        outcome.faults += sample_faults(rule)
    return outcome


def example_faults(folder: Path, path: Path) -> Iterator[str]:
    """Whether an example has just the faults of shape that it says it has."""
    inside = path.relative_to(folder).as_posix()
    verdict, _, kind, name = inside.split("/")
    folder_of_kind = next(one for one, short in KINDS.items() if short == kind)
    document = read_document(path.read_bytes(), name)
    record = make_record(document, inside, f"{folder_of_kind}/{name}")
    places = [(problem.name, problem.where) for problem in record.problems if isinstance(problem.where, Place)]
    found = sorted(f"{name} at {'key ' if where.key else ''}{pointer_text(where.pointer) or '/'}"
                   for name, where in places)
    expected = sorted(expectations(document))
    if found != expected or (verdict == "bad") != bool(expected):
        yield f"example {inside}: expected {expected}, found {found}"


def expectations(document: Document) -> list[str]:
    """What an example says that it yields: `# expect: NAME at POINTER` at its top, in JSON the list `x-expect`."""
    if document.name.endswith(".json"):
        return list(document.data.get("x-expect", []))
    return [line.removeprefix(EXPECT) for line in document.text.splitlines() if line.startswith(EXPECT)]


def sample_faults(rule: Rule) -> Iterator[str]:
    """Whether a rule finds its bad sample, and only that, and nothing in its good one."""
    for title, sample in (("bad", rule.bad), ("good", rule.good)):
        try:
            found = {finding.name for finding in check_sample(sample)}
        except RuleError as error:
            yield f"{title} sample of {rule.name}: {error}"
            continue
        if title == "bad" and found != {rule.name}:
            yield f"bad sample of {rule.name}: found {sorted(found)}"
        if title == "good" and found:
            yield f"good sample of {rule.name}: found {sorted(found)}"


def check_sample(sample: Sample) -> tuple[Finding, ...]:
    """The findings in a sample, checked in memory. Raises `RuleError` when a rule raised something itself."""
    report = check(sample_corpus(sample))
    if report.summary.broken:
        raise RuleError(f"a rule failed: {report.summary.broken}")
    return report.findings


def sample_corpus(sample: Sample) -> Corpus:
    """A sample as a corpus in memory."""
    if sample.before is not None:
        earlier = sample_corpus(Sample(sample.before, sample.files))
        return replace(sample_corpus(replace(sample, before=None)), before=earlier)
    files = files_of(sample)
    root = Path("/example")
    settings = Settings(project=root, folder=root / "records")
    if "pyproject.toml" in files:
        settings = read_settings_text(root / "pyproject.toml", files.pop("pyproject.toml")) or settings
    sources = [SourceFile(path, str(PurePosixPath(path).relative_to("records")),
                          lambda text=text: text.encode("utf-8", "surrogatepass"))  # type: ignore[misc]
               for path, text in sorted(files.items())]
    return build_corpus(settings, sources)
