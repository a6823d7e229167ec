"""Physical dimensions as integer exponents of five base measures."""
from __future__ import annotations

from dataclasses import dataclass

_SYMBOLS = {"flop": "FLOP", "byte": "byte", "second": "s", "token": "token", "joule": "J"}


@dataclass(frozen=True, slots=True)
class Dimension:
    """Exponents of FLOP, byte, second, token and joule; all zero is a pure number.

    Dimensions multiply, divide and take whole powers; `str()` writes `FLOP/byte`, `byte/token` or, for a
    pure number, the empty text.
    """

    flop: int = 0
    byte: int = 0
    second: int = 0
    token: int = 0
    joule: int = 0

    @property
    def is_pure(self) -> bool:
        """Whether every exponent is zero."""
        return not any(self._exponents())

    def _exponents(self) -> tuple[int, int, int, int, int]:
        return (self.flop, self.byte, self.second, self.token, self.joule)

    def __mul__(self, other: Dimension) -> Dimension:
        if other is PURE:
            return self
        return Dimension(*(a + b for a, b in zip(self._exponents(), other._exponents(), strict=True)))

    def __truediv__(self, other: Dimension) -> Dimension:
        if other is PURE:
            return self
        return Dimension(*(a - b for a, b in zip(self._exponents(), other._exponents(), strict=True)))

    def __pow__(self, exponent: int) -> Dimension:
        return Dimension(*(a * exponent for a in self._exponents()))

    def __str__(self) -> str:
        named = list(zip(_SYMBOLS.values(), self._exponents(), strict=True))
        above = "*".join(_factor(symbol, n) for symbol, n in named if n > 0)
        below = "/".join(_factor(symbol, -n) for symbol, n in named if n < 0)
        if not below:
            return above
        return f"{above or '1'}/{below}"


PURE = Dimension()


def _factor(symbol: str, exponent: int) -> str:
    return symbol if exponent == 1 else f"{symbol}^{exponent}"


def same_measure(a: Dimension, b: Dimension) -> bool:
    """Equality of two dimensions when tokens are counted as a pure number.

    A count of tokens appears with its unit in one place (bytes per token) and as a bare count in most others.
    """
    return a is b or (a.flop, a.byte, a.second, a.joule) == (b.flop, b.byte, b.second, b.joule)
