"""Realistic corpora of any size: flop records of about 5 KB with three to six claims, one in two hundred at fault.

    python benchmarks/generate.py FOLDER RECORDS [SEED]

Every value is drawn anew for each record and no two records share their prose, so that whatever a tool remembers from
one record to the next is what it would remember of a real corpus. The same size and seed give the same bytes.
"""
from __future__ import annotations

import random
import sys
import textwrap
from collections.abc import Callable, Iterable
from dataclasses import dataclass, field
from decimal import Decimal
from fractions import Fraction
from pathlib import Path

from sentences import paragraph, sentence

FAULTY = 200
"""One flop record in so many is at fault."""
FIRST_FAULT = 7
HEAD, VOCABULARY = 128, 32000
BATCHES = (1, 2, 4, 8, 16, 32, 64, 128, 256)
LENGTH = (4200, 5700)
"""Characters of a flop record, from the shortest to the longest."""


def rounded(value: Fraction, places: int) -> str:
    """A value with so many decimals, half away from zero; grouping none."""
    scaled = int(value * 10**places + Fraction(1, 2))
    return str(Decimal(scaled).scaleb(-places)) if places else str(scaled)


@dataclass(frozen=True, slots=True)
class Shape:
    """A dense model, as its record describes it."""

    layers: int
    hidden: int
    kv_heads: int
    ffn: int

    @property
    def weights(self) -> int:
        """Weights that a step multiplies with: attention, feed-forward, head."""
        attention = self.hidden * (2 * self.hidden + 2 * self.kv_heads * HEAD)
        return self.layers * (attention + 3 * self.hidden * self.ffn) + self.hidden * VOCABULARY

    @property
    def cached(self) -> int:
        """Bytes of one cached token at 16 bits."""
        return 4 * self.layers * self.kv_heads * HEAD


@dataclass(frozen=True, slots=True)
class World:
    """What flop records lean on: the values of chips, models and notes, by number."""

    chips: tuple[tuple[str, str], ...]
    """Bandwidth in TB/s and dense peak in TFLOP/s, as written."""
    models: tuple[Shape, ...]
    notes: tuple[tuple[str, ...], ...]
    """The gains of a note's table, one a batch of `BATCHES`."""


def world(records: int, choice: random.Random) -> World:
    """Twenty flop records a note and a chip, a model for every forty; at most fifty chips and thirty models."""
    return World(
        tuple((f"{choice.uniform(2, 9):.2f}", f"{choice.uniform(200, 1500):.1f}")
              for _ in range(min(50, max(2, records // 20)))),
        tuple(Shape(choice.randint(16, 80), HEAD * choice.randint(16, 64), choice.choice((4, 8, 16)),
                    256 * choice.randint(20, 110))
              for _ in range(min(30, max(2, records // 40)))),
        tuple(tuple(f"{choice.uniform(0.6, 2.9):.2f}" for _ in BATCHES) for _ in range(max(1, records // 20))),
    )


def accelerator(index: int, known: World) -> str:
    bandwidth, peak = known.chips[index]
    return f"""\
schema_version: "3.0"
id: accelerators/chip-{index}
name: Chip number {index}
quantities:
  memory_bandwidth: {{value: "{bandwidth} TB/s", basis: specified, source: sheet-{index}, locator: page 1}}
  peak_bf16_dense: {{value: "{peak} TFLOP/s", basis: specified, source: sheet-{index}, locator: page 1}}
"""


def model(index: int, known: World) -> str:
    shape = known.models[index]
    return f"""\
schema_version: "3.0"
id: models/model-{index}
name: Model number {index}
shape:
  layers: {shape.layers}
  hidden_size: {shape.hidden}
  heads: {shape.hidden // HEAD}
  kv_heads: {shape.kv_heads}
  head_size: {HEAD}
  ffn_size: {shape.ffn}
  vocabulary: {VOCABULARY}
  tied_embeddings: false
source: card-{index}
locator: table of sizes
basis: specified
matmul_parameters: "{shape.weights}"
kv_bytes_per_token: "{shape.cached} B"
"""


def note(index: int, known: World) -> str:
    gains = ", ".join(f'"{gain}"' for gain in known.notes[index])
    return f"""\
schema_version: "3.0"
id: sources/note-{index}
kind: paper
title: Note number {index} on drafting
tables:
- id: table-1
  locator: Table 1
  basis: measured
  seen: full-text
  conditions: {{accelerator: chip-{index % len(known.chips)}}}
  columns: {{batch: [{', '.join(f'"{batch}"' for batch in BATCHES)}], gain: [{gains}]}}
  unit: {{gain: x}}
quotes:
- {{id: fades, locator: Section 2, basis: measured, seen: full-text, text: "the gain fades as the batch grows"}}
"""


def plain_source(name: str, kind: str) -> str:
    return f"""\
schema_version: "3.0"
id: sources/{name}
kind: {kind}
title: What is said of {name.replace('-', ' number ')}
"""


@dataclass(slots=True)
class Draft:
    """A flop record while it is written: its numbers, and the prose and claims so far."""

    choice: random.Random
    known: World
    chip: int
    note: int
    model: int
    intensity: list[str] = field(default_factory=list)
    notes: list[str] = field(default_factory=list)
    workarounds: list[str] = field(default_factory=list)
    claims: list[str] = field(default_factory=list)
    used: set[str] = field(default_factory=set)

    def claim(self, name: str, place: str, quote: str, rest: str) -> None:
        """Add a claim; `rest` is what follows its basis, line by line."""
        quoted = folded(quote, "    ")
        self.claims.append(f"- id: {name}\n  in: {place}\n  quote: >-\n{quoted}\n{textwrap.indent(rest, '  ')}")


def folded(text: str, indent: str) -> str:
    return textwrap.fill(text, 116, initial_indent=indent, subsequent_indent=indent, break_on_hyphens=False,
                         break_long_words=False)


def verify(draft: Draft) -> None:
    batch, length = draft.choice.choice(BATCHES[1:]), draft.choice.randint(1, 8)
    quote = (f"At batch {batch} a verify step with k={length} drafts has an intensity of {batch * (length + 1)}, "
             f"a gain of {length * 100}% over decoding")
    draft.intensity.append(quote + ".")
    draft.claim("verify", "arithmetic_intensity", quote, f"""\
basis: derived
read: {{batch: At batch {batch}, k: with k={length} drafts}}
figures:
  intensity of {batch * (length + 1)}: verify.intensity(batch, k)
  gain of {length * 100}%: verify.gain(batch, k)
""")


def cited_words(draft: Draft) -> None:
    draft.notes.append(f"Note {draft.note} reports that the gain fades as the batch grows.")
    draft.claim("note", "notes", "reports that the gain fades as the batch grows", f"""\
basis: measured
cites: {{the gain fades as the batch grows: note-{draft.note}#fades}}
""")


def cited_cells(draft: Draft) -> None:
    low, high = sorted(draft.choice.sample(range(len(BATCHES)), 2))
    gains = draft.known.notes[draft.note]
    quote = (f"its table has {gains[low]}x at batch {BATCHES[low]} and falls or rises to {gains[high]}x "
             f"by batch {BATCHES[high]}")
    draft.notes.append(f"{quote[0].upper()}{quote[1:]}.")
    quote = quote[quote.index("table"):]
    source = f'cited("note-{draft.note}", "table-1", "gain", batch='
    draft.claim("cells", "notes", quote, f"""\
basis: measured
read: {{few: at batch {BATCHES[low]}, many: by batch {BATCHES[high]}}}
figures:
  has {gains[low]}x: {source}few)
  to {gains[high]}x: {source}many)
""")


def shrinking(draft: Draft) -> None:
    last, most = draft.choice.choice((32, 48, 64)), draft.choice.randint(4, 8)
    draft.claim("shrinks", "/scales_with/0/effect", "the gain of the additive rule shrinks as the batch grows", f"""\
basis: derived
over: {{B: 1..{last}, k: 1..{most}}}
holds: ["decreasing(additive.gain(B, k), B)", "additive.gain(B, k) <= k"]
""")


def ridge(draft: Draft) -> None:
    bandwidth, peak = draft.known.chips[draft.chip]
    value = rounded(Fraction(peak) / Fraction(bandwidth), 0)
    quote = f"{peak} TFLOP/s over {bandwidth} TB/s puts the ridge of the part at {value} FLOP/byte"
    draft.intensity.append(f"On paper {quote}.")
    draft.claim("ridge", "arithmetic_intensity", quote, f"""\
basis: derived
of: {{chip: chip-{draft.chip}}}
figures:
  {peak} TFLOP/s: chip.peak_bf16_dense
  {bandwidth} TB/s: chip.memory_bandwidth
  at {value} FLOP/byte: ridge(chip)
""")


def read_bytes(draft: Draft) -> None:
    shape = draft.known.models[draft.model]
    batch, context = draft.choice.choice(BATCHES), draft.choice.choice((512, 1024, 2048, 4096, 8192, 16384))
    length = draft.choice.randint(1, 8)
    total = Fraction(2 * shape.weights + shape.cached * batch * (context + 1), 10**9)
    more = Fraction(shape.cached * batch * length, 10**6)
    quote = (f"a step of {batch} sequences with a context of {context} reads {rounded(total, 1)} GB, and k={length} "
             f"drafts add only {rounded(more, 1)} MB")
    draft.intensity.append(f"For the model at hand {quote}.")
    draft.claim("bytes", "arithmetic_intensity", quote, f"""\
basis: derived
read: {{batch: of {batch} sequences, context: context of {context}, k: k={length} drafts add}}
of: {{model: model-{draft.model}}}
figures:
  reads {rounded(total, 1)} GB: step.bytes(model, batch, context, 1)
  only {rounded(more, 1)} MB: step.bytes(model, batch, context, k + 1) - step.bytes(model, batch, context, 1)
""")


def yielded(draft: Draft) -> None:
    percent, length = draft.choice.randint(35, 95), draft.choice.randint(2, 8)
    rate = Fraction(percent, 100)
    value = rounded(sum((rate**i for i in range(length + 1)), Fraction(0)), 1)
    rest = "an acceptance of" if draft.choice.random() < 0.5 else "a steady acceptance of"
    quote = f"Under {rest} {percent}% a draft with k={length} yields {value} tokens a step"
    draft.workarounds.append(f"{quote}; {sentence(draft.choice).lower()}")
    draft.claim("yields", f"/workarounds/{len(draft.workarounds) - 1}", quote, f"""\
basis: derived
read: {{rate: "acceptance of {percent}%", k: with k={length}}}
figures:
  yields {value} tokens: expected_tokens(k, rate)
""")


ALWAYS: tuple[Callable[[Draft], None], ...] = (verify, cited_words)
SOMETIMES: tuple[Callable[[Draft], None], ...] = (cited_cells, shrinking, ridge, read_bytes, yielded)


def flop(index: int, choice: random.Random, known: World) -> str:
    """One flop record, at fault when its turn has come."""
    draft = Draft(choice, known, choice.randrange(len(known.chips)), choice.randrange(len(known.notes)),
                  choice.randrange(len(known.models)))
    picked = set(choice.sample(range(len(SOMETIMES)), choice.randint(1, 4)))
    for write in (*ALWAYS, *(one for at, one in enumerate(SOMETIMES) if at in picked)):
        write(draft)
    text = assembled(index, draft)
    return spoilt(index, text) if index % FAULTY == FIRST_FAULT else text


def assembled(index: int, draft: Draft) -> str:
    choice = draft.choice
    effect = f"More bandwidth lowers the ridge of the part {choice.choice(('at once', 'for good', 'in any case'))}"
    claims = "".join(draft.claims)
    fixed = 1500 + len(claims) + sum(map(len, draft.intensity + draft.notes + draft.workarounds))
    room = max(200, choice.randint(*LENGTH) - fixed)
    intensity = " ".join(draft.intensity) + " " + paragraph(choice, room // 2)
    notes = f"{' '.join(draft.notes)} {effect}.\n\n" + paragraph(choice, room // 3)
    workarounds = [*draft.workarounds, paragraph(choice, room // 6), "Draft less when the batch is large."]
    listed = "\n".join("- >-\n" + folded(text, "  ") for text in workarounds)
    return f"""\
# yaml-language-server: $schema=../../schema/3.0/flop.json
schema_version: "3.0"
id: flops/record-{index}
name: Record number {index}
status: active
arithmetic_intensity: >-
{folded(intensity, '  ')}
scales_with:
- parameter: batch_size
  effect: the gain of the additive rule shrinks as the batch grows
  trend: {{of: "additive.gain(B, k)", in: B, is: decreasing, over: {{B: 1..64, k: 1..8}}}}
- parameter: context_length
  effect: >-
{folded(sentence(choice).rstrip('.').lower(), '    ')}
affected_by_hardware: [chip-{draft.chip}]
hardware_parameters:
- parameter: memory_bandwidth
  effect: {effect}
  basis: unverified
  values_for: [chip-{draft.chip}]
workarounds:
{listed}
notes: >-
{chr(10).join(folded(part, '  ') if part else '' for part in notes.split(chr(10)))}
claims:
{claims}asides:
- {{in: notes, text: Note {draft.note}, kind: name}}
history:
- {{date: "2026-10-05", change: first written, kind: created}}
"""


def spoilt(index: int, text: str) -> str:
    """The record with one fault, each of seven kinds in turn."""
    kind = index // FAULTY % 7
    changes = (
        ("intensity of ", "intensity of 9"),  # in the prose, the quote and the claim alike: a figure that drifts
        ("Draft less when", "Draft 5 sequences less when"),  # a number that no claim binds
        ("status: active", "status: asleep"),
        ("#fades}", "#fades-away}"),
        ("effect: More bandwidth lowers", "effect: More bandwidth raises"),
        ("name: Record", "status: active\nname: Record"),
        ("reports that the gain fades", "reports that a gain fades"),
    )
    old, new = changes[kind]
    assert old in text, old
    return text.replace(old, new) if kind == 0 else text.replace(old, new, 1)


def write_corpus(folder: Path, records: int, seed: int = 1) -> None:
    """A corpus of so many flop records under `records/` of a folder, with the chips, models and sources they name."""
    choice = random.Random(seed)
    known = world(records, choice)
    chips, models = range(len(known.chips)), range(len(known.models))
    _write(folder, "accelerators", ((f"chip-{i}", accelerator(i, known)) for i in chips))
    _write(folder, "models", ((f"model-{i}", model(i, known)) for i in models))
    _write(folder, "sources", ((f"note-{i}", note(i, known)) for i in range(len(known.notes))))
    _write(folder, "sources", ((f"sheet-{i}", plain_source(f"sheet-{i}", "data-sheet")) for i in chips))
    _write(folder, "sources", ((f"card-{i}", plain_source(f"card-{i}", "documentation")) for i in models))
    _write(folder, "flops", ((f"record-{i}", flop(i, choice, known)) for i in range(records)))


def _write(folder: Path, kind: str, texts: Iterable[tuple[str, str]]) -> None:
    target = folder / "records" / kind
    target.mkdir(parents=True, exist_ok=True)
    for name, text in texts:
        (target / f"{name}.yaml").write_text(text, encoding="utf-8")


if __name__ == "__main__":
    write_corpus(Path(sys.argv[1]), *map(int, sys.argv[2:4]))
