"""The base example with an expression of every sort in it, for tests of mutants."""
from __future__ import annotations

RICH = (
    ("flop", "so its ridge lies at 200 FLOP/byte.\n", "so its ridge lies above, at 200 FLOP/byte.\n"),
    ("flop", "so its ridge lies at 200 FLOP/byte\n", "so its ridge lies above, at 200 FLOP/byte\n"),
    ("flop", "    at 200 FLOP/byte: ridge(chip, \"bf16\")\n",
     ("    at 200 FLOP/byte: chip.peak_bf16_dense / chip.memory_bandwidth\n"
     "  holds: ['agrees(ridge(chip, \"bf16\") * 2, ridge(chip, \"bf16\") + ridge(chip, \"bf16\"))']\n")),
    ("bench", 'speedup: ["2.10", "1.25"]}', 'speedup: ["2.10", "1.25"], by_hand: ["2.20", "1.50"]}'),
)
"""Edits of the base example."""
