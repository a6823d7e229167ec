"""Number formats and the other closed vocabularies that arguments are chosen from."""
from __future__ import annotations

from fractions import Fraction

from specdil_records.roofline.errors import CatalogueError

BITS = {"fp32": 32, "tf32": 32, "bf16": 16, "fp16": 16, "fp8": 8, "int8": 8, "fp4": 4, "int4": 4}
"""Bits that one stored value takes. TF32 computes with 19 bits but is stored in 32."""

DTYPES = tuple(BITS)
LEVELS = ("WK", "W")
"""WK counts weights and KV cache; W counts the weights only: no attention, neither FLOPs nor bytes."""
MODES = ("operator", "overlap", "serial")
"""How compute and memory time combine: the larger for each operator, for the whole step, or their sum."""

PEAK_LIKE = {"fp16": "bf16"}
"""Formats that run at the peak of another one where no peak of their own is given."""


def bits_per(dtype: str) -> int:
    """Bits of one stored value of a format. Raises `CatalogueError` for an unknown format."""
    try:
        return BITS[dtype]
    except (KeyError, TypeError):
        raise CatalogueError(f"{dtype!r} is no number format; one of {', '.join(BITS)}") from None


def bytes_per(dtype: str) -> int | Fraction:
    """Bytes of one stored value of a format, exactly: 2 for bf16, 1/2 for fp4. Raises `CatalogueError`."""
    size = Fraction(bits_per(dtype), 8)
    return size.numerator if size.denominator == 1 else size
