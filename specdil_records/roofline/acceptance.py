"""How many tokens a speculative step yields, from acceptance rates in their several dresses."""
from __future__ import annotations

from fractions import Fraction
from typing import Any

import numpy as np

from specdil_records.arithmetic import Interval, RationalGrid, divide, is_inexact, where
from specdil_records.roofline.errors import CatalogueError

Value = Any


MOST_BITS = 100_000
"""An exact power longer than this would take seconds; nobody states a rate to so many digits."""


def expected_tokens(draft_k: Value, acceptance: Value) -> Value:
    """Tokens per step of a chain of k drafts, the bonus token included; pure, 1 <= E <= k + 1.

    E = 1 + a + ... + a**k, by Horner: the closed quotient loses half its digits near a = 1. `draft_k` and
    `acceptance` may be numbers, grids or arrays and broadcast. Nothing of the machine enters, so activations,
    norms, softmax and sampling are left out. Source: Leviathan et al. 2023, eq. 1. Raises `ValueError` for a length
    that is not whole, `CatalogueError` for a power too long to be exact.
    """
    if isinstance(draft_k, Fraction) and draft_k.denominator == 1:
        draft_k = draft_k.numerator
    if isinstance(draft_k, int) or (is_inexact(draft_k) and np.ndim(draft_k) == 0):
        return _horner(int(draft_k), acceptance)
    if isinstance(draft_k, np.ndarray):
        return _by_table(draft_k, acceptance) if np.ndim(acceptance) == 0 else _by_masks(draft_k, acceptance)
    if isinstance(draft_k, RationalGrid) and draft_k.is_whole():
        return _on_exact_grid(draft_k, acceptance)
    raise ValueError("a draft length is a whole number, or a grid or an array of them")


def _horner(draft_k: int, acceptance: Value) -> Value:
    if isinstance(acceptance, int | Fraction):
        if draft_k * acceptance.denominator.bit_length() > MOST_BITS:
            raise CatalogueError(f"an acceptance of so many digits to the power of {draft_k} has too many to be exact")
        # The same steps on numerators over one common denominator: no fraction is reduced on the way.
        above, below = 1, 1
        for _ in range(draft_k):
            below *= acceptance.denominator
            above = below + acceptance.numerator * above
        return divide(above, below)
    total: Value = 1
    for _ in range(draft_k):
        total = 1 + acceptance * total
    return total


def _on_exact_grid(draft_k: RationalGrid, acceptance: Value) -> Value:
    if isinstance(acceptance, Interval):
        # No rate is negative, so the ends of the rates give the ends of the tokens.
        return Interval(_on_exact_grid(draft_k, acceptance.lo), _on_exact_grid(draft_k, acceptance.hi))
    if isinstance(acceptance, int | Fraction):
        lengths = list(draft_k)
        known = {length: _horner(int(length), acceptance) for length in set(lengths)}
        return RationalGrid.of([known[length] for length in lengths]).reshape(*draft_k.shape)
    total = draft_k * 0 + acceptance * 0 + 1
    for step in range(int(draft_k.largest())):
        total = where(draft_k > step, 1 + acceptance * total, total)
    return total


def _by_table(draft_k: Value, acceptance: Value) -> Value:
    """One rate, many lengths: the steps of Horner's rule are the values for all shorter lengths."""
    table = [1.0]
    for _ in range(int(draft_k.max(initial=0))):
        table.append(1 + float(acceptance) * table[-1])
    return np.asarray(table)[draft_k.astype(np.intp)]


def _by_masks(draft_k: Value, acceptance: Value) -> Value:
    """Many rates and lengths: all take as many steps as the longest, the shorter ones start later.

    Multiplying the rate by zero leaves the total at one until a length's own steps begin.
    """
    longest = int(draft_k.max(initial=0))
    total = np.ones(np.broadcast_shapes(draft_k.shape, acceptance.shape))
    for step in range(longest, 0, -1):
        if step > 1 or (draft_k < 1).any():
            total *= draft_k >= step
        total *= acceptance
        total += 1
    return total


def tokens_from_rates(*rates: Value) -> Value:
    """Tokens per step from unconditional rates p_i ("position i is accepted"); pure: E = 1 + sum of p_i.

    Activations, norms, softmax and sampling are left out. Source: vLLM's acceptance metrics by position.
    """
    total: Value = 1
    for rate in rates:
        total = total + rate
    return total


def tokens_from_conditional_rates(*rates: Value) -> Value:
    """Tokens per step from conditional rates a_j ("accepted if all before were"); pure: E = 1 + a_1 + a_1 a_2 + ...

    By Horner from the last. Activations, norms, softmax and sampling are left out. Source: Leviathan et al. 2023,
    eq. 1, with one rate per position.
    """
    total: Value = 1
    for rate in reversed(rates):
        total = 1 + rate * total
    return total


def accepted_fraction(draft_k: Value, acceptance: Value) -> Value:
    """Accepted over drafted tokens, pure: (E - 1)/k. It is not the acceptance rate a (they agree at k = 1).

    Activations, norms, softmax and sampling are left out. Source: derived from Leviathan et al. 2023, eq. 1.
    """
    return divide(expected_tokens(draft_k, acceptance) - 1, draft_k)


PRECISION = 64
"""The enclosure of a root is at most 2**-64 of its size wide."""


def acceptance_from_length(draft_k: int, mean_accepted_length: Value) -> Value:
    """The rate a for which k drafts yield a given mean accepted length (bonus token included); pure.

    The only root of E(a) = length in [0, 1]: exact where it is rational at once, else a rational enclosure of
    relative width at most 2**-64 whose ends lie on either side. A length outside [1, k + 1] raises
    `CatalogueError`. Activations, norms, softmax and sampling are left out. Source: Leviathan et
    al. 2023, eq. 1, turned round.
    """
    if not 1 <= mean_accepted_length <= draft_k + 1:
        raise CatalogueError(f"{draft_k} drafts yield from 1 to {draft_k + 1} tokens a step")
    if mean_accepted_length in (1, draft_k + 1) or draft_k == 1:
        return divide(mean_accepted_length - 1, draft_k)
    low, high = Fraction(0), Fraction(1)
    while (high - low) * 2**PRECISION > low:
        middle = (low + high) / 2
        value = expected_tokens(draft_k, middle)
        if value == mean_accepted_length:
            return middle
        low, high = (middle, high) if value < mean_accepted_length else (low, middle)
    return Interval(low, high)


def leviathan_speedup(draft_k: Value, acceptance: Value, draft_cost: Value = 0) -> Value:
    """Walltime improvement of an idle machine, pure: E/(kc + 1), c the draft's cost as a fraction of a target step.

    Written without the quotient (1 - a**(k+1))/(1 - a), so a = 1 is no special case. Assumes that k + 1 tokens
    take no longer than one; activations, norms, softmax and sampling are left out. Source: Leviathan et al. 2023,
    theorem 3.8.
    """
    return divide(expected_tokens(draft_k, acceptance), draft_k * draft_cost + 1)


def leviathan_operations(draft_k: Value, acceptance: Value, draft_cost: Value = 0) -> Value:
    """Growth of the operations per token, pure: (k c + k + 1)/E, c here the draft's share of the operations.

    Activations, norms, softmax and sampling are left out. Source: Leviathan et al. 2023, theorem 3.11.
    """
    return divide(draft_k * draft_cost + draft_k + 1, expected_tokens(draft_k, acceptance))
