"""Mixture of experts: how many distinct experts a step must read."""
from __future__ import annotations

from fractions import Fraction
from typing import Any

from specdil_records.arithmetic import (
    Interval,
    RationalGrid,
    ceil,
    divide,
    floor,
    is_inexact,
    lower,
    power,
    upper,
)
from specdil_records.roofline.machine import Model

Value = Any

LONGEST_EXACT = 4096
"""Beyond this many tokens the exact power has tens of thousands of digits; a tight enclosure takes its place."""
GUARD_BITS = 256


def distinct_experts(model: Model, tokens: Value) -> Value:
    """Distinct routed experts per layer that n independent tokens touch, a count: E_x(1 - (1 - K/E_x)**n).

    An upper bound whatever the popularity of the experts, and for correlated tokens too: K at one token, towards
    E_x for many. Exact up to 4096 tokens, beyond that an interval narrower than 2**-200. Activations, norms,
    softmax and sampling are left out. Source: MoESD, arXiv 2505.19645. Raises `MissingValue`.
    """
    experts = model.need("experts")
    idle = 1 - divide(model.need("experts_per_token"), experts)
    return experts * (1 - _idle_share(idle, tokens))


def _idle_share(idle: Value, tokens: Value) -> Value:
    """`idle**tokens`: the share of experts that no token chose."""
    if is_inexact(tokens) or is_inexact(idle):
        return power(idle, tokens)
    if isinstance(tokens, Interval):
        fewest, most = _idle_share(idle, floor(tokens.lo)), _idle_share(idle, ceil(tokens.hi))
        return Interval(lower(most), upper(fewest))
    if isinstance(tokens, RationalGrid):
        return _at_each_point(idle, tokens)
    if isinstance(idle, Interval):
        return Interval(lower(_idle_share(idle.lo, tokens)), upper(_idle_share(idle.hi, tokens)))
    count = int(tokens)
    if count != tokens:
        raise ValueError("tokens are counted in whole numbers")
    return power(idle, count) if count <= LONGEST_EXACT else power_enclosed(Fraction(idle), count)


def _at_each_point(idle: Value, tokens: RationalGrid) -> Value:
    listed = list(tokens)
    known = {count: _idle_share(idle, count) for count in set(listed)}
    shares = [known[count] for count in listed]
    lows = RationalGrid.of([lower(share) for share in shares]).reshape(*tokens.shape)
    if not any(isinstance(share, Interval) for share in shares):
        return lows
    return Interval(lows, RationalGrid.of([upper(share) for share in shares]).reshape(*tokens.shape))


def power_enclosed(base: Fraction, exponent: int) -> Interval:
    """`base**exponent` for 0 <= base <= 1 between two multiples of 2**-256, by squaring with outward rounding."""
    one = 1 << GUARD_BITS
    low, high = base.numerator * one // base.denominator, -(-base.numerator * one // base.denominator)
    result_low = result_high = one
    while exponent:
        if exponent & 1:
            result_low = result_low * low >> GUARD_BITS
            result_high = -(-result_high * high >> GUARD_BITS)
        low, high = low * low >> GUARD_BITS, -(-high * high >> GUARD_BITS)
        exponent >>= 1
    return Interval(Fraction(result_low, one), Fraction(result_high, one))
