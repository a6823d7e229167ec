"""Exact numbers, closed intervals of them, exact grids and float arrays under one set of operations.

A closed form written once with `+ - * **` and the functions of this room runs on all of them:

- `int` and `Fraction` for a single exact value,
- `Interval` for a figure that was rounded when it was written,
- `RationalGrid` for exact values over a grid of inputs,
- float64 arrays for drawing and sweeping.

Floats never enter an exact result, and `Dimension` keeps units apart.
"""
from __future__ import annotations

from specdil_records.arithmetic.dimensions import PURE, Dimension, same_measure
from specdil_records.arithmetic.grids import Exact, RationalGrid, every, plain, some
from specdil_records.arithmetic.intervals import Interval
from specdil_records.arithmetic.operations import (
    Number,
    absolute,
    ceil,
    divide,
    floor,
    is_inexact,
    is_interval,
    largest,
    lower,
    maximum,
    minimum,
    plus,
    power,
    smallest,
    under,
    upper,
    where,
)

__all__ = [
    "PURE",
    "Dimension",
    "Exact",
    "Interval",
    "Number",
    "RationalGrid",
    "absolute",
    "ceil",
    "divide",
    "every",
    "floor",
    "is_inexact",
    "is_interval",
    "largest",
    "lower",
    "maximum",
    "minimum",
    "plain",
    "plus",
    "power",
    "same_measure",
    "smallest",
    "some",
    "under",
    "upper",
    "where",
]
