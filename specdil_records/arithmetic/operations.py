"""The few functions that, beside `+ - * **`, a closed form needs to run on every kind of number.

Each takes whole numbers, fractions, intervals, exact grids, floats or float64 arrays. Exact kinds mix with one
another; floats mix with floats and whole numbers only. An exact fraction or interval beside a float array
raises `TypeError`: a result is exact or it is not, never silently something between.
"""
from __future__ import annotations

import math
from fractions import Fraction
from typing import Any, TypeAlias

import numpy as np
import numpy.typing as npt

from specdil_records.arithmetic.grids import RationalGrid, as_grid, chosen, plain
from specdil_records.arithmetic.intervals import Interval, larger, quotient, smaller

Number: TypeAlias = int | Fraction | Interval | RationalGrid | npt.NDArray[np.float64]


def is_interval(a: Any) -> bool:
    """Whether the number is an interval."""
    return isinstance(a, Interval)


def is_inexact(a: Any) -> bool:
    """Whether the number is a float or an array of floats."""
    return isinstance(a, np.ndarray | float)


def lower(a: Any) -> Any:
    """The lower end of an interval, any other number itself."""
    return a.lo if isinstance(a, Interval) else a


def upper(a: Any) -> Any:
    """The upper end of an interval, any other number itself."""
    return a.hi if isinstance(a, Interval) else a


def divide(a: Any, b: Any) -> Any:
    """True division: exact on exact numbers (two ints give an int or a fraction), float on floats.

    Raises `ZeroDivisionError` for exact numbers; on float arrays a zero gives inf or nan, as NumPy has it.
    """
    if isinstance(a, int | Fraction) and isinstance(b, int | Fraction):
        return plain(Fraction(a) / b)
    _refuse_mixture(a, b)
    return a / b


def maximum(a: Any, b: Any) -> Any:
    """The larger of two numbers, point by point; of intervals, the interval of all larger ones."""
    if isinstance(a, np.ndarray) or isinstance(b, np.ndarray):
        _refuse_mixture(a, b)
        return np.maximum(a, b)
    if isinstance(a, Interval) or isinstance(b, Interval):
        return Interval(larger(lower(a), lower(b)), larger(upper(a), upper(b)))
    return larger(a, b)


def minimum(a: Any, b: Any) -> Any:
    """The smaller of two numbers, point by point; of intervals, the interval of all smaller ones."""
    if isinstance(a, np.ndarray) or isinstance(b, np.ndarray):
        _refuse_mixture(a, b)
        return np.minimum(a, b)
    if isinstance(a, Interval) or isinstance(b, Interval):
        return Interval(smaller(lower(a), lower(b)), smaller(upper(a), upper(b)))
    return smaller(a, b)


def floor(a: Any) -> Any:
    """The largest whole number not above: an int, a grid, an array, or the interval of those in question."""
    if isinstance(a, Interval):
        return Interval(floor(a.lo), floor(a.hi))
    if isinstance(a, RationalGrid):
        return a.floor()
    return np.floor(a) if is_inexact(a) else math.floor(a)


def ceil(a: Any) -> Any:
    """The smallest whole number not below: an int, a grid, an array, or the interval of those in question."""
    return -floor(-a)


def absolute(a: Any) -> Any:
    """The size without the sign."""
    return abs(a)


def power(a: Any, n: Any) -> Any:
    """`a` to a whole power, exactly. `n` is an int, or an exact grid or float array of whole numbers.

    A negative power of a whole number is a fraction, never a float. With a grid of exponents the base is one
    exact number or a grid, and each point is worked out by itself.
    """
    if isinstance(n, RationalGrid):
        return _powers(a, n)
    if isinstance(n, np.ndarray) or is_inexact(a):
        _refuse_mixture(a, n)
        return np.asarray(a, dtype=np.float64) ** n
    if isinstance(a, int) and n < 0:
        return quotient(1, a**-n)
    return a**n


def where(condition: Any, a: Any, b: Any) -> Any:
    """`a` where the condition holds, else `b`: by point on grids and arrays, a plain choice for one bool."""
    if isinstance(condition, bool | np.bool_):
        return a if condition else b
    if isinstance(a, Interval) or isinstance(b, Interval):
        return Interval(where(condition, lower(a), lower(b)), where(condition, upper(a), upper(b)))
    if isinstance(a, np.ndarray | float) or isinstance(b, np.ndarray | float):
        _refuse_mixture(a, b)
        return np.where(condition, a, b)
    yes, no = as_grid(a), as_grid(b)
    if yes is None or no is None:
        raise TypeError("a choice by point needs exact numbers, grids or arrays")
    return chosen(condition, yes, no)


def _powers(a: Any, n: RationalGrid) -> Any:
    if isinstance(a, Interval):
        if np.any(n < 0) or np.any(a.lo < 0):
            raise ValueError("an interval is raised to a grid of exponents only if neither can be negative")
        return Interval(_powers(a.lo, n), _powers(a.hi, n))
    if not n.is_whole():
        raise ValueError("exponents are whole numbers")
    base = as_grid(a)
    if base is None:
        raise TypeError("an exact exponent needs an exact base")
    shape = np.broadcast_shapes(base.shape, n.shape)
    points = zip(base.broadcast_to(shape), n.broadcast_to(shape), strict=True)
    return RationalGrid.of([power(value, int(exponent)) for value, exponent in points]).reshape(*shape)


def _refuse_mixture(a: Any, b: Any) -> None:
    for one, other in ((a, b), (b, a)):
        if is_inexact(one) and (isinstance(other, Fraction) or _holds_objects(other)):
            raise TypeError("an exact fraction beside floats: turn the exact numbers into floats first")


def _holds_objects(value: Any) -> bool:
    return isinstance(value, np.ndarray) and value.dtype.kind == "O"
