"""Draws with replacement: until every coupon was seen, and until a birthday is shared."""

from __future__ import annotations

import torch

from sim.trials.trial import Outcome, TrialResult
from sim.trials.validation import require_integer


def simulate_coupons(*, n_coupons: int, n_draws: int, generator: torch.Generator) -> TrialResult:
    """Draw coupons one by one until all were seen, in `n_draws` independent collections.

    Returns:
        Observable `expected_draws`: mean number of coupons drawn.
    """
    require_integer(least=1, n_coupons=n_coupons, n_draws=n_draws)
    chunk = 4 * n_coupons
    first = torch.full((n_draws, n_coupons), torch.iinfo(torch.int64).max)
    drawn = 0
    while bool((first > drawn).any()):  # some coupon was not seen in the first `drawn`
        coupons = torch.randint(n_coupons, (n_draws, chunk), generator=generator)
        places = torch.arange(drawn + 1, drawn + chunk + 1).expand(n_draws, chunk)
        first.scatter_reduce_(1, coupons, places, reduce="amin")
        drawn += chunk
    return TrialResult(Outcome.CONVERGED, {"expected_draws": float(first.amax(dim=1).double().mean())})


def simulate_birthdays(*, n_days: int, n_people: int, generator: torch.Generator) -> TrialResult:
    """Draw a birthday for each of `n_people`.

    Returns:
        Observable `success`: whether two of them share one.
    """
    require_integer(least=1, n_days=n_days, n_people=n_people)
    birthdays = torch.randint(n_days, (n_people,), generator=generator)
    return TrialResult(Outcome.CONVERGED, {"success": len(birthdays.unique()) < n_people})
