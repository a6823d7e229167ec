"""What a rule is: a finding's name, its documentation, its examples and its check, in one class in one file."""
from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any, ClassVar

from specdil_records.claims import Evaluation, evaluate
from specdil_records.corpus import Corpus, Record
from specdil_records.findings import Problem, Severity

FAMILIES = {"R": "reading", "S": "schema", "I": "identity", "P": "provenance", "N": "numbers", "C": "claims",
            "X": "suppression"}

REGISTRY: dict[str, Rule] = {}


class RuleError(Exception):
    """A rule that is put together wrongly: a name that is not its file's, a code used twice, a text left out."""


@dataclass(frozen=True, slots=True)
class Sample:
    """An example for a rule: changes to the base example, and files beside it.

    `edits` are triples (file, old text, new text) with the file's short name in `samples.BASE`; `files` adds whole
    files by path. `before` holds the edits that give the earlier state of the example; None when there is none.
    """

    edits: tuple[tuple[str, str, str], ...] = ()
    files: Mapping[str, str] = field(default_factory=dict)
    before: tuple[tuple[str, str, str], ...] | None = None


@dataclass(eq=False)
class View:
    """A record as rules see it, with what is worked out once for all of them."""

    record: Record
    corpus: Corpus

    @cached_property
    def evaluation(self) -> Evaluation | None:
        """The record's claims, judged; None for a record whose content may not be judged."""
        if not self.record.sound or self.record.kind not in ("flop", "source"):
            return None
        return evaluate(self.record, self.corpus)

    @property
    def data(self) -> dict[str, Any]:
        """The record's content where it may be judged; empty for a record that does not read or fit its schema."""
        return self.record.data if self.record.sound else {}

    @cached_property
    def met(self) -> tuple[Problem, ...]:
        """The problems that reading, schema and claims have met already."""
        return (*self.record.problems, *(self.evaluation.problems if self.evaluation is not None else ()))

    def found(self, name: str) -> Iterable[Problem]:
        """Those of them that have a name."""
        return [problem for problem in self.met if problem.name == name]


class Rule:
    """One finding.

    A subclass in a file of its own says in its docstring what the finding means, sets every attribute and, where it
    decides itself, `check`.
    """

    name: ClassVar[str]
    code: ClassVar[str]
    severity: ClassVar[Severity]
    since: ClassVar[str]
    why: ClassVar[str]
    mend: ClassVar[str]
    bad: ClassVar[Sample]
    good: ClassVar[Sample]
    across = False
    """Whether it looks across records, so that it may tell about a file that was not named."""
    outward = False
    """Whether its answer may change although nothing that the record itself names has changed."""
    historic = False
    """Whether it compares with an earlier state of the corpus, and does not run where there is none."""

    def __init_subclass__(cls) -> None:
        missing = [key for key in (*Rule.__annotations__, "__doc__") if not getattr(cls, key, None)]
        if missing:
            raise RuleError(f"{cls.__name__} lacks {', '.join(missing)}")
        file = cls.__module__.rpartition(".")[2]
        if cls.name != file.replace("_", "-"):
            raise RuleError(f"{cls.__name__}: the finding {cls.name!r} belongs into a file of that name, not {file}.py")
        if cls.code[0] not in FAMILIES or not cls.code[1:].isdigit():
            raise RuleError(f"{cls.__name__}: {cls.code!r} is no code (a family's letter and a number)")
        for rule in REGISTRY.values():
            if rule.code == cls.code or rule.name == cls.name:
                raise RuleError(f"{cls.__name__} repeats the name or code of {type(rule).__name__}")
        REGISTRY[cls.name] = cls()

    def check(self, view: View) -> Iterable[Problem]:
        """What is wrong with one record. The default hands on what reading, schema and claims found."""
        return view.found(self.name)

    def recheck(self, view: View) -> Iterable[Problem]:
        """What is wrong with a record of which nothing has changed, and nothing that it names, since nothing was wrong.

        Asked of the rules that look across records or outward only.
        """
        return self.check(view)

    def prepare(self, corpus: Corpus) -> None:
        """Work out what is looked up for every record, before the records are shared out to processes."""

    @property
    def beyond(self) -> bool:
        """Whether its answer may rest on more than the record and what that names."""
        return self.across or self.outward or self.historic

    @property
    def what(self) -> str:
        """What the finding means."""
        return " ".join((type(self).__doc__ or "").split())

    @property
    def family(self) -> str:
        """The family that the code's letter stands for."""
        return FAMILIES[self.code[0]]
