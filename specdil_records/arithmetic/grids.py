"""Exact rationals on a grid: NumPy's speed where a bound proves it safe, Python's integers elsewhere.

A grid keeps numerators and denominators in two arrays that broadcast against each other, so `k / B` on a
4096 x 16 grid is one array of 16 and one of 4096 until something needs the product. Beside the arrays stand
two Python integers that no absolute value exceeds. An operation first works out, in Python, how large its
result could be: below 2**62 it runs in int64, otherwise in arrays of Python integers. It is never wrong and
never a float; it is only slower when numbers are long.
"""
from __future__ import annotations

import operator
from collections.abc import Callable, Iterable, Iterator
from fractions import Fraction
from typing import Any, ClassVar, TypeAlias

import numpy as np
import numpy.typing as npt

Exact: TypeAlias = int | Fraction
IntegerArray: TypeAlias = npt.NDArray[Any]
"""An array of int64, or of Python integers (dtype object)."""

LIMIT = 2**62
"""Bounds stay below this; one spare bit lets two such products be added."""


class RationalGrid:
    """Exact rational numbers on a grid. Broadcasts as NumPy does; comparisons give arrays of bool.

    `numerators` and `denominators` are whole numbers (arrays, lists, ranges, or one number); a negative
    denominator is turned round, a zero raises `ZeroDivisionError`, a float raises `TypeError`.
    """

    __slots__ = ("_tight", "bottom", "denominators", "numerators", "top")
    __array_ufunc__: ClassVar[None] = None
    __hash__: ClassVar[None] = None  # type: ignore[assignment]

    numerators: IntegerArray
    denominators: IntegerArray
    top: int
    bottom: int
    _tight: bool

    def __init__(self, numerators: Any, denominators: Any = 1) -> None:
        above, below = _whole(numerators), _whole(denominators)
        if (below == 0).any():
            raise ZeroDivisionError("a denominator is zero")
        if (below < 0).any():
            above = np.where(below < 0, -above, above)
            below = abs(below)
        self._set(above, below, _largest(above), max(_largest(below), 1), tight=False)
        np.broadcast_shapes(above.shape, below.shape)

    def _set(self, above: IntegerArray, below: IntegerArray, top: int, bottom: int, *, tight: bool) -> None:
        self.numerators, self.denominators = _wrapped(above), _wrapped(below)
        self.top, self.bottom, self._tight = top, bottom, tight

    @classmethod
    def of(cls, values: Iterable[Exact]) -> RationalGrid:
        """A grid of one axis from exact numbers, in order."""
        listed = list(values)
        if not all(isinstance(value, int | Fraction) for value in listed):
            raise TypeError("a grid holds whole numbers and fractions only")
        return cls([value.numerator for value in listed], [value.denominator for value in listed])

    # Shape ----------------------------------------------------------------------------------------------

    @property
    def shape(self) -> tuple[int, ...]:
        """The shape that numerators and denominators broadcast to."""
        return np.broadcast_shapes(self.numerators.shape, self.denominators.shape)

    @property
    def ndim(self) -> int:
        """The number of axes."""
        return len(self.shape)

    @property
    def size(self) -> int:
        """The number of points."""
        return int(np.prod(self.shape, dtype=np.int64))

    def broadcast_to(self, shape: tuple[int, ...]) -> RationalGrid:
        """The same values, seen on a larger grid; nothing is copied."""
        return self._of(np.broadcast_to(self.numerators, shape), np.broadcast_to(self.denominators, shape))

    def reshape(self, *shape: int) -> RationalGrid:
        """The same points in another shape, in C order."""
        return self._seen(lambda array: array.reshape(shape))

    def __getitem__(self, index: Any) -> RationalGrid:
        return self._seen(lambda array: array[index])

    def _seen(self, view: Callable[[IntegerArray], IntegerArray]) -> RationalGrid:
        """A view of every point; one denominator for all stays one, which keeps later steps small."""
        shape = self.shape
        above = view(np.broadcast_to(self.numerators, shape))
        if self.denominators.size == 1:
            return self._of(above, self.denominators.reshape(()))
        return self._of(above, view(np.broadcast_to(self.denominators, shape)))

    def _of(self, above: IntegerArray, below: IntegerArray) -> RationalGrid:
        return _made(above, below, self.top, self.bottom)

    def at(self, *index: int) -> Exact:
        """The exact number at one point, given its index on each axis; without axes, the only number."""
        shape = self.shape
        above = np.broadcast_to(self.numerators, shape)[index]
        below = np.broadcast_to(self.denominators, shape)[index]
        return plain(Fraction(int(above), int(below)))

    def __iter__(self) -> Iterator[Exact]:
        """Every point in C order, whatever the shape."""
        shape = self.shape
        above = np.broadcast_to(self.numerators, shape).ravel().tolist()
        below = np.broadcast_to(self.denominators, shape).ravel().tolist()
        return (plain(Fraction(a, b)) for a, b in zip(above, below, strict=True))

    def to_floats(self) -> npt.NDArray[np.float64]:
        """Nearest float64 values, for drawing; never for a verdict."""
        return np.asarray(self.numerators / self.denominators, dtype=np.float64)

    def __repr__(self) -> str:
        start = ", ".join(str(value) for _, value in zip(range(4), self, strict=False))
        return f"RationalGrid(shape={self.shape}: {start}{', ...' if self.size > 4 else ''})"

    # What is true of all points -------------------------------------------------------------------------

    def is_whole(self) -> bool:
        """Whether every point is a whole number."""
        return bool((self.numerators % self.denominators == 0).all())

    def largest(self) -> Exact:
        """The largest value on the grid; an empty grid raises `ValueError`."""
        if self.denominators.size == 1:
            return plain(Fraction(int(self.numerators.max()), int(self.denominators.item())))
        return max(self)

    def smallest(self) -> Exact:
        """The smallest value on the grid; an empty grid raises `ValueError`."""
        return -(-self).largest()

    # Bounds ---------------------------------------------------------------------------------------------

    def tightened(self) -> RationalGrid:
        """The same values in lowest terms with the exact bounds, in int64 if they fit."""
        if self._tight:
            return self
        above, below = self.numerators, self.denominators
        if self.bottom > 1:
            common = np.gcd(above, below)
            above, below = _wrapped(above // common), _wrapped(below // common)
        top, bottom = _largest(above), max(_largest(below), 1)
        if max(top, bottom) < LIMIT:
            above, below = above.astype(np.int64, copy=False), below.astype(np.int64, copy=False)
        grid = _made(above, below, top, bottom)
        grid._tight = True
        return grid

    @property
    def _in_objects(self) -> bool:
        return self.numerators.dtype == object or self.denominators.dtype == object

    def _enlarged(self) -> RationalGrid:
        return self._of(self.numerators.astype(object), self.denominators.astype(object))

    # Arithmetic -----------------------------------------------------------------------------------------

    def __neg__(self) -> RationalGrid:
        return self._of(-self.numerators, self.denominators)

    def __pos__(self) -> RationalGrid:
        return self

    def __abs__(self) -> RationalGrid:
        return self._of(abs(self.numerators), self.denominators)

    def __add__(self, other: object) -> RationalGrid:
        return _combined(self, other, _sum_bound, _sum)  # type: ignore[no-any-return]

    __radd__ = __add__

    def __sub__(self, other: object) -> RationalGrid:
        right = as_grid(other)
        return NotImplemented if right is None else self + -right

    def __rsub__(self, other: object) -> RationalGrid:
        return -self + other

    def __mul__(self, other: object) -> RationalGrid:
        return _combined(self, other, _product_bound, _product)  # type: ignore[no-any-return]

    __rmul__ = __mul__

    def __truediv__(self, other: object) -> RationalGrid:
        right = as_grid(other)
        return NotImplemented if right is None else self * right.inverse()

    def __rtruediv__(self, other: object) -> RationalGrid:
        return self.inverse() * other

    def inverse(self) -> RationalGrid:
        """One over each value; a zero anywhere raises `ZeroDivisionError`."""
        above, below = self.denominators, self.numerators
        if (below == 0).any():
            raise ZeroDivisionError("division by a grid that holds zero")
        if (below < 0).any():
            above = np.where(below < 0, -above, above)
            below = abs(below)
        return _made(above, below, self.bottom, max(self.top, 1))

    def __pow__(self, exponent: int) -> RationalGrid:
        if exponent < 0:
            return self.inverse() ** -exponent
        grid = self
        if max(grid.top, grid.bottom) ** exponent >= LIMIT:
            grid = grid.tightened()
        top, bottom = grid.top**exponent, grid.bottom**exponent
        if max(top, bottom) >= LIMIT and not grid._in_objects:
            grid = grid._enlarged()
        return _made(grid.numerators**exponent, grid.denominators**exponent, top, bottom)

    def floor(self) -> RationalGrid:
        """The largest whole number not above each value."""
        return _made(self.numerators // self.denominators, np.asarray(1), self.top, 1)

    # Comparison -----------------------------------------------------------------------------------------

    def __lt__(self, other: object) -> npt.NDArray[np.bool_]:
        return _compared(self, other, operator.lt)  # type: ignore[no-any-return]

    def __le__(self, other: object) -> npt.NDArray[np.bool_]:
        return _compared(self, other, operator.le)  # type: ignore[no-any-return]

    def __gt__(self, other: object) -> npt.NDArray[np.bool_]:
        return _compared(self, other, operator.gt)  # type: ignore[no-any-return]

    def __ge__(self, other: object) -> npt.NDArray[np.bool_]:
        return _compared(self, other, operator.ge)  # type: ignore[no-any-return]

    def __eq__(self, other: object) -> npt.NDArray[np.bool_]:  # type: ignore[override]
        return _compared(self, other, operator.eq)  # type: ignore[no-any-return]

    def __ne__(self, other: object) -> npt.NDArray[np.bool_]:  # type: ignore[override]
        return _compared(self, other, operator.ne)  # type: ignore[no-any-return]


Bound: TypeAlias = Callable[[RationalGrid, RationalGrid], int]
Step: TypeAlias = Callable[[RationalGrid, RationalGrid], RationalGrid]


def some(truth: Any) -> bool:
    """Whether a comparison holds: at one point at least, for one of grids or arrays."""
    return truth if type(truth) is bool else bool(np.any(truth))


def every(truth: Any) -> bool:
    """Whether a comparison holds: at every point, for one of grids or arrays."""
    return truth if type(truth) is bool else bool(np.all(truth))


def plain(value: Exact) -> Exact:
    """A whole number as an int, any other as a fraction in lowest terms."""
    return value.numerator if value.denominator == 1 else value


def as_grid(value: object) -> RationalGrid | None:
    """A grid of no axes for an exact number, a grid as it is, None for anything else."""
    if isinstance(value, RationalGrid):
        return value
    if isinstance(value, int | Fraction):
        return RationalGrid(value.numerator, value.denominator)
    if isinstance(value, np.integer):
        return RationalGrid(int(value))
    return None


def chosen(condition: npt.NDArray[np.bool_], yes: RationalGrid, no: RationalGrid) -> RationalGrid:
    """The value of `yes` where the condition is true, else that of `no`."""
    above = np.where(condition, yes.numerators, no.numerators)
    top, bottom = max(yes.top, no.top), max(yes.bottom, no.bottom)
    if _same_denominators(yes, no):
        return _made(above, yes.denominators, top, bottom)
    return _made(above, np.where(condition, yes.denominators, no.denominators), top, bottom)


def _made(above: IntegerArray, below: IntegerArray, top: int, bottom: int) -> RationalGrid:
    grid = RationalGrid.__new__(RationalGrid)
    grid._set(above, below, top, bottom, tight=False)
    return grid


def _wrapped(array: Any) -> IntegerArray:
    """Operations on arrays without axes give bare numbers; they become arrays again, never unsigned ones."""
    if type(array) is int:
        return np.asarray(array, dtype=np.int64 if -LIMIT < array < LIMIT else object)
    return np.asarray(array)


def _whole(values: Any) -> IntegerArray:
    """An array of int64, or of Python integers when one of them is too long for it."""
    array = np.asarray(values)
    if array.dtype == object:
        if not all(isinstance(value, int) for value in array.ravel().tolist()):
            raise TypeError("a grid holds whole numbers and fractions only")
    elif array.size and array.dtype.kind not in "iu":
        # A list such as [2**63, 1] becomes floats on its own; ask again for Python integers.
        array = np.asarray(values, dtype=object)
        if not all(type(value) is int for value in array.ravel().tolist()):
            raise TypeError("a grid holds whole numbers and fractions only")
    if _largest(array) < LIMIT:
        return array.astype(np.int64)
    return array if array.dtype == object else array.astype(object)


def _largest(array: IntegerArray) -> int:
    if array.size == 0:
        return 0
    return max(abs(int(array.max())), abs(int(array.min())))


def _same_denominators(a: RationalGrid, b: RationalGrid) -> bool:
    if a.denominators is b.denominators:
        return True
    if a.denominators.size == b.denominators.size == 1:
        return bool(a.denominators.item() == b.denominators.item())
    return False


def _combined(left: RationalGrid, other: object, bound: Bound, step: Step) -> Any:
    """One operation: in int64 if the bound proves it safe, maybe after reduction, else in Python integers."""
    right = as_grid(other)
    if right is None:
        return NotImplemented
    if bound(left, right) >= LIMIT:
        left, right = left.tightened(), right.tightened()
    if bound(left, right) < LIMIT:
        return step(left, right)
    return step(left._enlarged(), right._enlarged()).tightened()


def _sum_bound(a: RationalGrid, b: RationalGrid) -> int:
    if _same_denominators(a, b):
        return max(a.top + b.top, a.bottom)
    return max(a.top * b.bottom + b.top * a.bottom, a.bottom * b.bottom)


def _sum(a: RationalGrid, b: RationalGrid) -> RationalGrid:
    if _same_denominators(a, b):
        return _made(a.numerators + b.numerators, a.denominators, a.top + b.top, a.bottom)
    above = a.numerators * b.denominators + b.numerators * a.denominators
    top = a.top * b.bottom + b.top * a.bottom
    return _made(above, a.denominators * b.denominators, top, a.bottom * b.bottom)


def _product_bound(a: RationalGrid, b: RationalGrid) -> int:
    return max(a.top * b.top, a.bottom * b.bottom)


def _product(a: RationalGrid, b: RationalGrid) -> RationalGrid:
    return _made(
        a.numerators * b.numerators, a.denominators * b.denominators, a.top * b.top, a.bottom * b.bottom
    )


def _compared(left: RationalGrid, other: object, test: Callable[[Any, Any], Any]) -> Any:
    right = as_grid(other)
    if right is None:
        return NotImplemented
    if _same_denominators(left, right):
        return np.asarray(test(left.numerators, right.numerators), dtype=np.bool_)
    if max(left.top * right.bottom, right.top * left.bottom) >= LIMIT:
        left, right = left.tightened(), right.tightened()
    if max(left.top * right.bottom, right.top * left.bottom) >= LIMIT:
        left, right = left._enlarged(), right._enlarged()
    crossed = test(left.numerators * right.denominators, right.numerators * left.denominators)
    return np.asarray(crossed, dtype=np.bool_)
