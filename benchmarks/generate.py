"""Realistic corpora of any size: records of about 5 KB with three to six claims, one in two hundred at fault."""
from __future__ import annotations

import random
from pathlib import Path

FAULTY = 200
FILLER = (
    ("Drafted tokens are verified together with the token that follows them, so that one pass over the weights serves "
     "several positions of every sequence."),
    ("What a step costs beyond that pass is attention over the cache, and that part grows with the context and not "
     "with the number of sequences alone."),
    ("Engines pad captured batches, schedule prefill beside decode and sample on the host; none of that is in the "
     "figures of this record."),
    ("Where the draft model is large, its own passes are part of the step and have to be counted against the gain."),
)


def accelerator(index: int, choice: random.Random) -> str:
    bandwidth, peak = f"{choice.uniform(1, 9):.2f}", f"{choice.uniform(200, 2500):.1f}"
    return f"""\
schema_version: "3.0"
id: accelerators/chip-{index}
name: Chip number {index}
quantities:
  memory_bandwidth: {{value: "{bandwidth} TB/s", basis: specified, source: sheet-{index}, locator: page 1}}
  peak_bf16_dense: {{value: "{peak} TFLOP/s", basis: specified, source: sheet-{index}, locator: page 1}}
"""


def source(index: int, choice: random.Random) -> str:
    batches = [1, 2, 4, 8, 16, 32, 64, 128]
    gains = ", ".join(f'"{choice.uniform(0.6, 2.9):.2f}"' for _ in batches)
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
  conditions: {{accelerator: chip-{index % 20}}}
  columns: {{batch: [{', '.join(f'"{batch}"' for batch in batches)}], gain: [{gains}]}}
  unit: {{gain: x}}
quotes:
- {{id: fades, locator: Section 2, basis: measured, seen: full-text, text: "the gain fades as the batch grows"}}
"""


def sheet(index: int) -> str:
    return f"""\
schema_version: "3.0"
id: sources/sheet-{index}
kind: data-sheet
title: Data sheet of chip {index}
"""


def flop(index: int, choice: random.Random, sources: int) -> str:
    batch, length = choice.choice([2, 4, 8, 16, 32, 64, 128, 256]), choice.randint(1, 8)
    note, chip = choice.randrange(sources), choice.randrange(20)
    verify = batch * (length + 1) + (1 if index % FAULTY == 7 else 0)
    prose = " ".join(choice.choice(FILLER) for _ in range(10))
    more = " ".join(choice.choice(FILLER) for _ in range(8))
    claims = "".join(f"""\
- id: again-{i}
  in: /workarounds/{i}
  quote: With {batch + i} sequences a step takes {batch + i} tokens through the weights
  basis: derived
  read: {{batch: With {batch + i} sequences}}
  figures: {{takes {batch + i} tokens: decode.intensity(batch) / decode.intensity(1)}}
""" for i in range(choice.randint(0, 3)))
    count = claims.count("- id:")
    workarounds = "".join(f"- With {batch + i} sequences a step takes {batch + i} tokens through the weights.\n"
                          for i in range(count))
    return f"""\
# yaml-language-server: $schema=../../schema/3.0/flop.json
schema_version: "3.0"
id: flops/record-{index}
name: Record number {index}
status: active
arithmetic_intensity: >-
  At batch {batch} a verify step with k={length} drafts has an intensity of {verify}, a gain of {length * 100}% over
  decoding. {prose}
scales_with:
- parameter: batch_size
  effect: the gain of the additive rule shrinks as the batch grows
  trend: {{of: "additive.gain(B, k)", in: B, is: decreasing, over: {{B: 1..64, k: 1..8}}}}
affected_by_hardware: [chip-{chip}]
hardware_parameters:
- parameter: memory_bandwidth
  effect: More bandwidth lowers the ridge of the part
  basis: unverified
  values_for: [chip-{chip}]
workarounds:
{workarounds}- Draft less when the batch is large.
notes: >-
  Note {note} reports that the gain fades as the batch grows. More bandwidth lowers the ridge of the part. {more}
claims:
- id: verify
  in: arithmetic_intensity
  quote: At batch {batch} a verify step with k={length} drafts has an intensity of {verify}, a gain of {length * 100}%
  basis: derived
  read: {{batch: At batch {batch}, k: with k={length} drafts}}
  figures:
    intensity of {verify}: verify.intensity(batch, k)
    gain of {length * 100}%: verify.gain(batch, k)
- id: note
  in: notes
  quote: reports that the gain fades as the batch grows
  basis: measured
  cites: {{the gain fades as the batch grows: note-{note}#fades}}
- id: shrinks
  in: /scales_with/0/effect
  quote: the gain of the additive rule shrinks as the batch grows
  basis: derived
  over: {{B: 1..64, k: 1..8}}
  holds: ["decreasing(additive.gain(B, k), B)", "additive.gain(B, k) <= k"]
{claims}asides:
- {{in: notes, text: Note {note}, kind: name}}
history:
- {{date: "2026-10-05", change: first written, kind: created}}
"""


def write_corpus(folder: Path, records: int, seed: int = 1) -> None:
    """A corpus of so many flop records, with twenty chips, their sheets, and a note for every twenty records."""
    choice = random.Random(seed)
    sources = max(1, records // 20)
    kinds = {
        "accelerators": {f"chip-{i}": accelerator(i, choice) for i in range(20)},
        "sources": {**{f"note-{i}": source(i, choice) for i in range(sources)},
                    **{f"sheet-{i}": sheet(i) for i in range(20)}},
        "flops": {f"record-{i}": flop(i, choice, sources) for i in range(records)},
    }
    for kind, texts in kinds.items():
        target = folder / "records" / kind
        target.mkdir(parents=True)
        for name, text in texts.items():
            (target / f"{name}.yaml").write_text(text, encoding="utf-8")
