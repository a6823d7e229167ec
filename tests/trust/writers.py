"""Every command that writes a file: the corpus that it is run on, its arguments, and what was there before."""
from __future__ import annotations

from dataclasses import dataclass, field
from pathlib import Path

from specdil_records.rules import Sample
from specdil_records.rules.samples import files_of

SWAP = ("flop", "id: flops/example-stall\nname: Drafting stalls\n", "name: Drafting stalls\nid: flops/example-stall\n")
SHEET_SWAP = ("sheet", "id: sources/chip-sheet\nkind: data-sheet\n", "kind: data-sheet\nid: sources/chip-sheet\n")
BARE_DATE = ("flop", 'date: "2026-10-05"', "date: 2026-10-05")
UNBOUND = ("flop", "  More bandwidth lowers the ridge.\nclaims:\n",
           "  More bandwidth lowers the ridge.\n  At batch 8 and k=2 the gain is 25.0%.\nclaims:\n")
DRIFT = ("flop", "a gain of 25%.", "a gain of 52%.")
OLD_FLOP = ('schema_version: "2.0"\nid: flops/old-stall\narithmetic_intensity: A k=4 draft stalls.\nscales_with:\n'
            '- batch_size (at batch 32 it fades)\naffected_by_hardware: []\nhardware_parameters: []\nworkarounds: []\n'
            'notes: None.\n')
KNOWN = (b'{"findings": [{"name": "figure-drift", "path": "records/flops/example-stall.yaml", "pointer": '
         b'"/arithmetic_intensity", "message": "the prose says 52%, its expression gives 25%"}]' + b" " * 6000 + b"}\n")
OLD = b"what was here before\n" * 400
FLOP = "records/flops/example-stall.yaml"


@dataclass(frozen=True)
class Writer:
    """One writing command. `writes` are the files that it makes or replaces; those of `before` are there already.

    `silent` marks what may fail without a word: a cache. It is killed at so many `points` or at each of its steps.
    """

    name: str
    arguments: tuple[str, ...]
    writes: tuple[str, ...]
    edits: tuple[tuple[str, str, str], ...] = ()
    before: dict[str, bytes] = field(default_factory=dict)
    code: int = 0
    silent: bool = False
    points: int = 24


WRITERS = (
    Writer("fmt", ("fmt",), (FLOP, "records/sources/chip-sheet.yaml"), (SWAP, SHEET_SWAP)),
    Writer("fix", ("fix",), (FLOP,), (BARE_DATE,)),
    Writer("migrate", ("migrate", "records/flops/old-stall.yaml", "--to", "3.0", "--today", "2026-12-01"),
           ("records/flops/old-stall.yaml",), (), {"records/flops/old-stall.yaml": OLD_FLOP.encode()}),
    Writer("new", ("new", "flop", "deep/new-stall"), ("records/flops/deep/new-stall.yaml",)),
    Writer("bind", ("bind", "example-stall", "--apply", "1"), (FLOP,), (UNBOUND,)),
    Writer("check-output", ("check", "--no-cache", "--format", "json", "--output", "report.json"), ("report.json",),
           (DRIFT,), {"report.json": OLD}, code=1),
    Writer("check-formats", ("check", "--no-cache", "--format", "sarif:new/../report.sarif", "--format",
                             "junit:report.xml", "--format", "github:report.txt"),
           ("report.sarif", "report.xml", "report.txt"), (DRIFT,), {"report.xml": OLD, "new/keep": b""}, code=1),
    Writer("check-baseline", ("check", "--no-cache", "--baseline", "known.json", "--write-baseline"), ("known.json",),
           (DRIFT,), {"known.json": KNOWN}),
    Writer("check-cache", ("check",), (), silent=True),
    Writer("export-csv", ("export", "--format", "csv", "-o", "rows/"),
           tuple(f"rows/{name}.csv" for name in ("records", "numbers", "claims", "figures", "values", "cells")), (),
           {"rows/claims.csv": OLD}),
    Writer("export-sqlite", ("export", "--format", "sqlite", "-o", "all.sqlite"), ("all.sqlite",), (),
           {"all.sqlite": OLD}),
    Writer("export-parquet", ("export", "--format", "parquet", "--table", "values", "-o", "values.parquet"),
           ("values.parquet",), (), {"values.parquet": OLD}),
    Writer("export-bibtex", ("export", "--format", "bibtex", "-o", "all.bib"), ("all.bib",), (), {"all.bib": OLD}),
    Writer("schema", ("schema", "3.0", "-o", "schemas"),
           tuple(f"schemas/3.0/{kind}.json" for kind in ("accelerator", "flop", "model", "source")), (),
           {"schemas/3.0/flop.json": OLD}),
    Writer("sweep", ("sweep", "additive.gain", "--over", "batch=1..64*2", "--set", "draft_k=4", "--plot", "gain.svg"),
           ("gain.svg",), (), {"gain.svg": OLD}, points=10),
    Writer("site", ("site", "-o", "pages", "-j", "1"),
           ("pages/index.html", "pages/flops/example-stall.html", "pages/.records-site"), points=8),
)


def prepare(writer: Writer, folder: Path) -> None:
    """Write the corpus of a command and what is there before it."""
    for name, text in files_of(Sample(writer.edits, {})).items():
        put(folder / name, text.encode())
    for name, content in writer.before.items():
        put(folder / name, content)
    put(folder / "pyproject.toml", b'[tool.records]\ncorpus = "records"\n')


def put(path: Path, content: bytes) -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_bytes(content)


def snapshot(folder: Path) -> dict[str, bytes]:
    """Every file below a folder with its content; a cache is no one's content."""
    return {path.relative_to(folder).as_posix(): path.read_bytes() for path in sorted(folder.rglob("*"))
            if path.is_file() and "cache" not in path.relative_to(folder).parts}
