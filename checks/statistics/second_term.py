"""Whether a second term shows in the measured quantity that outgrows the claim, or brings it down, in the end.

1/T + E passes a claim of 1/T as long as E is the smaller one: the slope of the line is near -1, and near the end of the
grid it is off by less than the margin, because the grid ends where it does. Yet the bound is false, and points precise
enough show it. So where a verdict passes, the claim is compared with the claim times 1 + A axis^p, and with the claim
plus a constant where it falls toward the limit; for a lower bound with the claim over such a sum. What is told must fit
better than the claim, than a power of its own (which is agreement up to the margin), and than the claim times
1 + c axis^-p, a correction that dies out, whose line bends as well: by `TOLD` in twice the log likelihood where
replicates show the noise, by `PREFERRED` in AICc where only the points do. It withdraws what passes and never accuses:
a floor of the measurement looks the same as one of the quantity.
"""

from __future__ import annotations

import numpy as np

from checks.statistics.claim_form import Rival
from checks.statistics.laws import Compared
from checks.statistics.regression import MIN_SPREAD, Array, Points

TOLD = 4.0
"""Twice the log likelihood by which a second term must fit better where the noise is known: two standard errors."""

PREFERRED = 2.0
"""AICc by which it must where the noise is known from the points alone. [Burnham and Anderson 2002, ch. 2]"""

MIN_POINTS = 4
"""As few as decide where each has many runs."""

POWERS = (0.5, 1.0, 2.0)
"""Of the axis, by which a term outgrows the claim or dies out beside it."""

SIZES = np.geomspace(0.02, 20.0, 31)
"""Of the second term in units of the first, at the end of the grid where it grows, at its beginning where it falls."""


def second_term(points: Points, log_claimed: Array, relation: str, *, axis_sign: float) -> Rival | None:
    """The law with a second term that these points tell from the claim; None where there is none.

    Args:
        points: y = log(measured / claim), x = log axis signed toward the limit. [points]
        log_claimed: log claim. [points]
        relation: "upper" for terms that outgrow the claim, "lower" for those that bring it down, "tight" for both.
        axis_sign: +1 where x is log axis, -1 where it is minus that.
    """
    data = Compared.of(points, log_claimed, MIN_POINTS)
    if data is None:
        return None
    # Where replicates know the noise, a parameter more explains none of it, however few points there are.
    parameters, told = (2, TOLD) if data.known > MIN_SPREAD**2 else (3, PREFERRED)
    rivals = _outgrowing(data.x, data.log_claimed, axis_sign) if relation != "lower" else []
    rivals += _bringing_down(data.x, axis_sign) if relation != "upper" else []
    scores = [data.score(rival.curves, parameters) for rival in rivals]
    best = int(np.argmin(scores))
    claimed = data.score(np.zeros((1, len(data.x))), 2)
    bar = min(claimed, data.free_power(parameters), data.score(_dying_out(data.x), parameters))
    return rivals[best] if scores[best] < bar - told else None


def _outgrowing(x: Array, log_claimed: Array, axis_sign: float) -> list[Rival]:
    above = log_claimed - log_claimed[int(np.argmax(x))]
    falls = above.max() > 0 and above.min() >= 0
    constant = [Rival("claim + constant", np.log1p(_sizes(-above)), 3, 1)] if falls else []
    return constant + [
        Rival(f"claim x (1 + A axis^{axis_sign * power:g})", np.log1p(_sizes(power * (x - x.max()))), 3, 1)
        for power in POWERS
    ]


def _bringing_down(x: Array, axis_sign: float) -> list[Rival]:
    return [
        Rival(f"claim / (1 + A axis^{axis_sign * power:g})", -np.log1p(_sizes(power * (x - x.max()))), 3, -1)
        for power in POWERS
    ]


def _dying_out(x: Array) -> Array:
    """Corrections that vanish toward the limit, of either sign. [laws, points]"""
    terms = np.concatenate([_sizes(power * (x.min() - x)) for power in POWERS])
    return np.log1p(np.concatenate([terms, -terms[terms.max(axis=1) < 1]]))


def _sizes(log_term: Array) -> Array:
    """A term of each size. [sizes, points]"""
    return SIZES[:, None] * np.exp(np.maximum(log_term, -600.0))
