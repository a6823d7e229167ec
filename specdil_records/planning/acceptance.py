"""What a user knows about acceptance, in three dresses, and the tokens per step that follow for each draft length."""
from __future__ import annotations

import itertools
from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import Any

from specdil_records.arithmetic import lower, upper
from specdil_records.planning.errors import PlanningError
from specdil_records.planning.literals import shown
from specdil_records.roofline import (
    CatalogueError,
    acceptance_from_length,
    expected_tokens,
    tokens_from_conditional_rates,
    tokens_from_rates,
)

Exact = int | Fraction


@dataclass(frozen=True, slots=True)
class Acceptance:
    """A rate for every position, or rates by position; `words` says how it was given.

    Rates by position are unconditional (position i is accepted), or `conditional` on all before. They say nothing of
    longer drafts than there are rates, so `longest` bounds the lengths that may be planned.
    """

    words: str
    rate: Exact | None = None
    rates: tuple[Exact, ...] = ()
    conditional: bool = False

    @property
    def longest(self) -> int | None:
        """The longest draft that is known about; None where there is no bound."""
        return None if self.rate is not None else len(self.rates)

    def expected(self, draft_k: int) -> Any:
        """Tokens per step of a chain of so many drafts, the bonus token included, exactly."""
        if self.rate is not None:
            return expected_tokens(draft_k, self.rate)
        form = tokens_from_conditional_rates if self.conditional else tokens_from_rates
        return form(*self.rates[:draft_k])

    def as_rate(self, draft_k: int) -> Exact:
        """The one rate for all positions that yields as many tokens at this length (to within 2**-64)."""
        return self.rate if self.rate is not None else _rate(draft_k, self.expected(draft_k))


def from_rate(rate: Exact) -> Acceptance:
    """The same rate at every position. Raises `PlanningError` outside 0 to 1."""
    if not 0 <= rate <= 1:
        raise PlanningError("--acceptance is from 0 to 1")
    return Acceptance(f"acceptance {shown(rate)}", rate)


def from_length(length: Exact, draft_k: int) -> Acceptance:
    """The rate that gives a mean accepted length (bonus token included) with drafts of so many tokens."""
    return Acceptance(f"acceptance {shown(_rate(draft_k, length), 3)}, from a mean accepted length of {shown(length)} "
                      f"at k = {draft_k}", _rate(draft_k, length))


def from_rates(rates: Sequence[Exact], conditional: bool) -> Acceptance:
    """Rates by position. Raises `PlanningError` for what cannot be: outside 0 to 1, or rising if unconditional."""
    option = "--conditional-rates" if conditional else "--rates"
    if any(not 0 <= rate <= 1 for rate in rates):
        raise PlanningError(f"{option}: every rate is from 0 to 1")
    if not conditional and any(late > early for early, late in itertools.pairwise(rates)):
        raise PlanningError("--rates never rise: a position is accepted only if all before are "
                            "(rates given that all before were accepted go to --conditional-rates)")
    kind = "conditional rates" if conditional else "rates"
    return Acceptance(f"{kind} {', '.join(map(shown, rates))}", None, tuple(rates), conditional)


def _rate(draft_k: int, length: Exact) -> Exact:
    try:
        found = acceptance_from_length(draft_k, length)
    except CatalogueError as error:
        raise PlanningError(f"--mean-accepted-length: {error}") from None
    middle = (Fraction(lower(found)) + Fraction(upper(found))) / 2
    return middle.numerator if middle.denominator == 1 else middle
