"""What a kept answer rests on, as one hash: the tool's own files, what was asked, and the content of every file."""
from __future__ import annotations

import json
import sys
from collections.abc import Iterable
from functools import cache
from hashlib import blake2b
from importlib.util import find_spec
from pathlib import Path
from typing import TYPE_CHECKING

from specdil_records.shipped import shipped_folder
from specdil_records.version import VERSION

if TYPE_CHECKING:
    from specdil_records.corpus import Corpus, Record, Settings
    from specdil_records.corpus.cards import Name
    from specdil_records.corpus.files import Contents
    from specdil_records.rules import Rule

PACKAGE = Path(__file__).resolve().parents[1]
LAYOUT = "4"
LIBRARIES = ("yaml", "yaml_rs", "jsonschema", "jsonschema_rs", "numpy")


@cache
def tool_digest() -> str:
    """The tool as it is installed: its version and every file of its code and schemas, by size and time of change.

    Python and the libraries that read, check and compute for it are parts of it.
    """
    specs = [find_spec(name) for name in LIBRARIES]
    files = [*PACKAGE.rglob("*.py"), *shipped_folder("schema").rglob("*.json"),
             *(Path(spec.origin) for spec in specs if spec is not None and spec.origin is not None)]
    stamps = sorted(f"{file}:{status.st_size}:{status.st_mtime_ns}" for file in files if (status := file.stat()))
    return digest([LAYOUT, VERSION, sys.version, *stamps])


def digest(parts: Iterable[str]) -> str:
    """One hash of texts, none of which can run into the next."""
    whole = "".join([f"{len(part)} {part}" for part in parts])
    return blake2b(whole.encode("utf-8", "surrogatepass"), digest_size=20).hexdigest()


def key_of_report(settings: Settings, files: Iterable[Contents], asked: Iterable[str]) -> str:
    """The key of a whole report: the settings, what was asked, and every file in its order."""
    return digest([tool_digest(), repr(settings), *asked, "files",
                   *(f"{one.content} {one.own} {one.path}" for one in files)])


class Keys:
    """Works out what each record's verdict rests on, for one corpus and one set of rules."""

    def __init__(self, corpus: Corpus, rules: Iterable[Rule]) -> None:
        self.corpus = corpus
        self.behind: dict[Name, str] = {}
        sources = sorted((record for record in corpus.of_kind("source") if record.sound), key=lambda record: record.id)
        places = ("\n".join((record.tail, record.title, *record.card.places)) for record in sources if record.card)
        self.beside = digest(f"{name} {one.path} {one.content}" for name, one in corpus.by_id.items()
                             if one.kind != "flop")
        """What the words of a finding may rest on beside the record and what that names: all but the flops."""
        self.common = digest([tool_digest(), *sorted(rule.name for rule in rules),
                              json.dumps(sorted(corpus.settings.severities.items())), *places])

    def of_all(self) -> dict[str, str]:
        """The key of every own record whose verdict may be kept, by its path."""
        return {record.path: self.of(record) for record in self.corpus.own if record.sound and record.content}

    def of(self, record: Record) -> str:
        """The key of a record's verdict."""
        shared = self.corpus.brought_in.get(record.id)
        return digest([self.common, record.path, record.content, "" if shared is None else shared.content,
                       *map(self.what_stands_behind, record.names)])

    def what_stands_behind(self, name: Name) -> str:
        """A name, with a hash of the record that has it and of all that this names, however far."""
        if name not in self.behind:
            named = self.corpus.resolve(name)
            chain = [(name, named), *(self.corpus.named_by(named) if named is not None else ())]
            self.behind[name] = digest(f"absent {one.name}" if record is None
                                       else f"{one.name} {record.own} {record.path} {record.content}"
                                       for one, record in chain)
        return self.behind[name]
