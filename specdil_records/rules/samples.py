"""The base example that the rules' samples change, and how a sample becomes a corpus of files."""
from __future__ import annotations

from specdil_records.rules.rule import Sample

PATHS = {
    "flop": "records/flops/example-stall.yaml",
    "chip": "records/accelerators/example-chip.yaml",
    "sheet": "records/sources/chip-sheet.yaml",
    "bench": "records/sources/bench-report.yaml",
}

BASE = {
    "flop": """\
schema_version: "3.0"
id: flops/example-stall
name: Drafting stalls
status: active
arithmetic_intensity: >-
  At batch 16 a step with k=4 drafts raises the intensity from 16 to 20, a gain of 25%.
  The gain fades as the batch grows.
scales_with:
- parameter: batch_size
  effect: The gain fades as the batch grows
  trend: {of: "additive.gain(B, k)", in: B, is: decreasing, over: {B: 1..64, k: 1..8}}
affected_by_hardware: [example-chip]
hardware_parameters:
- parameter: memory_bandwidth
  effect: More bandwidth lowers the ridge
  basis: unverified
  values_for: [example-chip]
workarounds:
- Draft less when the batch is large.
notes: |-
  The chip moves 2.00 TB/s and computes 400 TFLOP/s, so its ridge lies at 200 FLOP/byte.
  The bench report gives 1.25x at batch 16, and says that gains fade with every request.
  More bandwidth lowers the ridge.
claims:
- id: gain-at-16
  in: arithmetic_intensity
  quote: At batch 16 a step with k=4 drafts raises the intensity from 16 to 20, a gain of 25%
  basis: derived
  read: {batch: At batch 16, draft_k: with k=4 drafts}
  figures:
    from 16: decode.intensity(batch)
    to 20: additive.intensity(batch, draft_k)
    gain of 25%: additive.gain(batch, draft_k)
- id: gain-fades
  in: arithmetic_intensity
  quote: The gain fades as the batch grows
  basis: derived
  over: {B: 1..64, k: 1..8}
  holds: ["decreasing(additive.gain(B, k), B)"]
- id: ridge
  in: notes
  quote: The chip moves 2.00 TB/s and computes 400 TFLOP/s, so its ridge lies at 200 FLOP/byte
  basis: derived
  of: {chip: example-chip}
  figures:
    moves 2.00 TB/s: chip.memory_bandwidth
    computes 400 TFLOP/s: chip.peak_bf16_dense
    at 200 FLOP/byte: ridge(chip, "bf16")
- id: measured-gain
  in: notes
  quote: The bench report gives 1.25x at batch 16, and says that gains fade with every request
  basis: reported
  read: {batch: at batch 16}
  figures:
    gives 1.25x: cited("bench-report", "table-1", "speedup", batch=batch)
  cites: {gains fade with every request: bench-report#fading}
history:
- {date: "2026-10-05", change: first written, kind: created}
""",
    "chip": """\
schema_version: "3.0"
id: accelerators/example-chip
name: Example chip
quantities:
  memory_bandwidth: {value: "2.00 TB/s", basis: specified, source: chip-sheet, locator: page 1}
  peak_bf16_dense: {value: "400 TFLOP/s", basis: specified, source: chip-sheet, locator: page 1}
""",
    "sheet": """\
schema_version: "3.0"
id: sources/chip-sheet
kind: data-sheet
title: Data sheet of the example chip
""",
    "bench": """\
schema_version: "3.0"
id: sources/bench-report
kind: benchmark
title: Bench report
tables:
- id: table-1
  locator: Table 1
  basis: measured
  seen: full-text
  conditions: {accelerator: example-chip}
  columns: {batch: ["1", "16"], speedup: ["2.10", "1.25"]}
  unit: {speedup: x}
quotes:
- {id: fading, locator: Section 3, basis: measured, seen: full-text, text: "gains fade with every request"}
""",
}


def files_of(sample: Sample) -> dict[str, str]:
    """Every file of a sample by its path. Raises `ValueError` when an edit's old text is not there once."""
    texts = dict(BASE)
    for name, old, new in sample.edits:
        if texts[name].count(old) != 1:
            raise ValueError(f"{old!r} stands {texts[name].count(old)} times in {name}")
        texts[name] = texts[name].replace(old, new)
    return {**{PATHS[name]: text for name, text in texts.items()}, **sample.files}
