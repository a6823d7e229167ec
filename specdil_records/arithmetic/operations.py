"""The few functions that, beside `+ - * **`, a closed form needs to run on every kind of number.

Each takes whole numbers, fractions, intervals, exact grids, floats or float64 arrays. Exact kinds mix with one
another; floats mix with floats and whole numbers only. An exact fraction or interval beside a float array
raises `TypeError`: a result is exact or it is not, never silently something between.
"""
from __future__ import annotations

import functools
import math
import operator
from collections.abc import Callable
from fractions import Fraction
from typing import Any, TypeAlias

import numpy as np
import numpy.typing as npt

from specdil_records.arithmetic.grids import RationalGrid, as_grid, chosen, plain
from specdil_records.arithmetic.intervals import Interval, larger, quotient, smaller

Number: TypeAlias = int | Fraction | Interval | RationalGrid | npt.NDArray[np.float64]


_FLOATS = frozenset({float, np.float64, np.ndarray})
_PLAIN = frozenset({int, float, np.float64})
_EXACT_ONLY = frozenset({Fraction, Interval, RationalGrid})
_MIXTURE = "an exact fraction beside floats: turn the exact numbers into floats first"


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


def smallest(a: Any) -> Any:
    """The smallest value of an exact grid or interval, any other number itself."""
    low = lower(a)
    return low.smallest() if isinstance(low, RationalGrid) else low


def largest(a: Any) -> Any:
    """The largest value of an exact grid or interval, any other number itself."""
    high = upper(a)
    return high.largest() if isinstance(high, RationalGrid) else high


def divide(a: Any, b: Any) -> Any:
    """True division: exact on exact numbers (two ints give an int or a fraction), float on floats.

    Raises `ZeroDivisionError` for exact numbers; on float arrays a zero gives inf or nan, as NumPy has it.
    """
    if type(a) in _FLOATS or type(b) in _FLOATS:
        return _in_floats(operator.truediv, a, b)
    if isinstance(a, int | Fraction) and isinstance(b, int | Fraction):
        return plain(Fraction(a, b))
    return a / b


def maximum(a: Any, b: Any) -> Any:
    """The larger of two numbers, point by point; of intervals, the interval of all larger ones."""
    if type(a) in _FLOATS or type(b) in _FLOATS:
        return _in_floats(np.maximum, a, b)
    if isinstance(a, Interval) or isinstance(b, Interval):
        return Interval(larger(lower(a), lower(b)), larger(upper(a), upper(b)))
    return larger(a, b)


def minimum(a: Any, b: Any) -> Any:
    """The smaller of two numbers, point by point; of intervals, the interval of all smaller ones."""
    if type(a) in _FLOATS or type(b) in _FLOATS:
        return _in_floats(np.minimum, a, b)
    if isinstance(a, Interval) or isinstance(b, Interval):
        return Interval(smaller(lower(a), lower(b)), smaller(upper(a), upper(b)))
    return smaller(a, b)


def plus(fresh: Any, b: Any) -> Any:
    """A sum whose left operand the caller has just made and gives up: on arrays it is reused where it is large enough.

    The value is that of `fresh + b`. A sweep over a large grid spends most of its time on new memory.
    """
    if type(fresh) is np.ndarray and fresh.dtype == np.float64 and _covers(fresh, b):
        return np.add(fresh, b, out=fresh)
    return fresh + b


def under(a: Any, fresh: Any) -> Any:
    """A quotient, as `divide`, whose divisor the caller has just made and gives up, as in `plus`."""
    if type(fresh) is np.ndarray and fresh.dtype == np.float64 and _covers(fresh, a):
        return np.divide(a, fresh, out=fresh)
    return divide(a, fresh)


def _covers(fresh: npt.NDArray[np.float64], b: Any) -> bool:
    """Whether a result of the two has the shape of the first and is float; only then may it be written there."""
    if type(b) is np.ndarray:
        return b.dtype == np.float64 and np.broadcast(fresh, b).shape == fresh.shape
    return type(b) in _PLAIN


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
    if is_inexact(n) or is_inexact(a):
        return _in_floats(operator.pow, a, n)
    if isinstance(a, int) and n < 0:
        return quotient(1, a**-n)
    return a**n


def where(condition: Any, a: Any, b: Any) -> Any:
    """`a` where the condition holds, else `b`: by point on grids and arrays, a plain choice for one bool."""
    if isinstance(condition, bool | np.bool_):
        return a if condition else b
    if isinstance(a, Interval) or isinstance(b, Interval):
        return Interval(where(condition, lower(a), lower(b)), where(condition, upper(a), upper(b)))
    if is_inexact(a) or is_inexact(b):
        return _in_floats(functools.partial(np.where, condition), a, b)
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


def _in_floats(step: Callable[[Any, Any], Any], a: Any, b: Any) -> Any:
    """A step on floats, of which neither operand may be an exact fraction, grid or interval."""
    if type(a) in _EXACT_ONLY or type(b) in _EXACT_ONLY:
        raise TypeError(_MIXTURE)
    result = step(a, b)
    if type(result) is np.ndarray and result.dtype.kind != "f":
        # A fraction that met an array in a plain product left an array of fractions behind.
        raise TypeError(_MIXTURE)
    return result
