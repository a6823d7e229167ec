"""Accelerators and models that the tests of the roofline share. Data-sheet values, dense peaks, decimal units."""
from __future__ import annotations

from fractions import Fraction

from specdil_records.arithmetic import Interval
from specdil_records.roofline import Accelerator, Model

TERA, GIGA = 10**12, 10**9


def chip(
    name: str, bandwidth: int, bf16: int, *, int8: int | None = None, capacity: int = 80, tdp: int = 700
) -> Accelerator:
    """A chip from its bandwidth in GB/s, peaks in GFLOP/s and capacity in GB."""
    peaks = {"bf16": bf16 * GIGA} | ({} if int8 is None else {"int8": int8 * GIGA, "fp8": int8 * GIGA})
    return Accelerator(bandwidth * GIGA, peaks, capacity * GIGA, 900 * GIGA, tdp, name)


H100 = chip("h100", 3350, 989400, int8=1979000)
H200 = chip("h200", 4800, 989400, int8=1979000, capacity=141)
B200 = chip("b200", 8000, 2250000, int8=4500000, capacity=180, tdp=1000)
MI300X = chip("mi300x", 5300, 1307400, int8=2614900, capacity=192, tdp=750)
A100 = chip("a100-pcie", 1935, 312000, capacity=80, tdp=300)
CHIPS = {each.name: each for each in (H100, H200, B200, MI300X, A100)}

LLAMA_2_7B = Model(32, 4096, 32, 32, 128, 11008, 32000, name="llama-2-7b")
LLAMA_3_8B = Model(32, 4096, 32, 8, 128, 14336, 128256, name="llama-3.1-8b")
LLAMA_3_70B = Model(80, 8192, 64, 8, 128, 28672, 128256, name="llama-3.1-70b")
LLAMA_33B = Model(60, 6656, 52, 52, 128, 17920, 32000, name="llama-33b")
TINY_LLAMA = Model(22, 2048, 32, 4, 64, 5632, 32000, name="tinyllama-1.1b")
MIXTRAL = Model(32, 4096, 32, 8, 128, 14336, 32000, experts=8, experts_per_token=2, name="mixtral-8x7b")
DEEPSEEK_V3 = Model(
    61, 7168, 128, 128, 128, 18432, 129280, experts=256, experts_per_token=8, shared_experts=1, dense_layers=3,
    expert_ffn_size=2048, kv_latent_size=512, rope_size=64, query_latent_size=1536, name="deepseek-v3",
)
WINDOWED = Model(24, 2048, 16, 4, 128, 8192, 50000, window=1024, local_layers=20, name="windowed")
DENSE_MODELS = [LLAMA_2_7B, LLAMA_3_8B, LLAMA_3_70B, TINY_LLAMA, WINDOWED]
EXPERT_MODELS = [MIXTRAL, DEEPSEEK_V3]
MODELS = DENSE_MODELS + EXPERT_MODELS


def uncertain(accelerator: Accelerator, share: Fraction = Fraction(1, 500)) -> Accelerator:
    """The same chip with every value known to within a share of it."""

    def around(value: int) -> Interval:
        return Interval(value * (1 - share), value * (1 + share))

    return accelerator.with_values({
        "memory_bandwidth": around(accelerator.memory_bandwidth),
        "peaks": {dtype: around(peak) for dtype, peak in accelerator.peaks.items()},
        "memory_capacity": around(accelerator.memory_capacity),
        "interconnect_bandwidth": around(accelerator.interconnect_bandwidth),
        "tdp": around(accelerator.tdp),
    })
