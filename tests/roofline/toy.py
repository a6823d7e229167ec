"""A model and a chip so small that every value can be worked out with a pencil."""
from __future__ import annotations

from dataclasses import replace
from fractions import Fraction

from specdil_records.roofline import Accelerator, Model

TOY = Model(layers=2, hidden_size=4, heads=2, kv_heads=1, head_size=2, ffn_size=8, vocabulary=10, name="toy")
"""A layer has 16 + 16 + 16 weights of attention and 96 of its FFN, so P = 2 * 144 + 40 = 328.

A cached token takes 2 * 2 * 1 * 2 values, 16 byte; a pair of tokens 2 * 4 * 2 * 2 = 32 FLOPs.
"""
EXPERTS = replace(
    TOY, layers=3, experts=4, experts_per_token=2, shared_experts=1, dense_layers=1, expert_ffn_size=6, name="experts"
)
"""Always read: 3 * 48 of attention, 96 of the dense FFN, 2 * 72 shared, 2 * 16 of routers, 40: 456. An expert: 144."""
LATENT = replace(TOY, kv_latent_size=3, rope_size=1, name="latent")
LOCAL = replace(TOY, window=4, local_layers=1, name="local")
CHIP = Accelerator(20, {"bf16": 100, "fp8": 200}, 10_000, 192, 7, name="chip")
"""20 byte/s and 100 FLOP/s: five tokens at the ridge. One direction of its link has 96 byte/s."""


def seconds(text: str) -> Fraction:
    """A decimal number as it is written."""
    return Fraction(text)
