"""Whether measured / claimed grows by a logarithm: an order that is wrong by a factor that no margin of exponents sees.

d log d data against a claim of order d look like d^1.25 on one grid and like d^1.1 on a longer one: their exponent is
within the margin sooner or later, and Delta drifts toward 0. The claim is wrong all the same, since measured / claimed
has no bound. That is said where four things are so:

1. *The plain claim is rejected*: the interval of Delta lies above 0, at the level of an accusation.
2. *A logarithm is adequate*: claim x log axis leaves no more of the points than replicates explain (F test at 5 %, with
   the freedom of unequal variances [Box 1954]). Where it is not, claim x (log axis + c) is, with c from minus half of
   the logarithm at the first point to all of it: the sum of 1/i up to n is log n + 0.58, up to a term that vanishes.
   Points are taken to err by `LEAST_ERROR` at least, so that such a term does not hide the logarithm of precise ones.
3. *No power of the axis is adequate*: beside a free power the logarithm is still there (t test at 5 %, one-sided).
   d^1.1 and d^1.15 are told from it so, and are agreement up to the margin.
4. *Nothing bounded is adequate*, at the level of an accusation. Each of these is a claim that is right in the limit:
   measured / claimed = L (1 - c axis^-p) with any c in (0, 1) and p from `LEAST_POWER` up; L (1 - c / log axis); the
   claim less a constant. Of all ratios of `checks.statistics.saturating`, such as L / (1 + c axis^-p) and
   L (1 - exp(-axis / s)), each is either inadequate as well, or explains less than the logarithm does, by `TOLD`
   standard errors: over a decade or two L / (1 + c / sqrt(axis)) leaves little more than a logarithm.

A ratio that creeps to its bound more slowly than axis^-1/4 may look like a logarithm, and is then called one. One that
falls as 1 / log axis against a lower bound is never accused: it is convex, as every approach to a constant from above
is, and no grid tells it from those. Where replicates share something, some were cut off, or there is one a point, the
noise is not known well enough and nothing is said.

*Not shown, but preferred.* Where one of these conditions fails and the points prefer claim x log axis to the claim and
to all other laws (`checks.statistics.laws`: by more than 6 in AICc, a likelihood ratio of 20, which data that follow
the claim reach in one of 20 cases at most), no upper bound and no equality passes. Where they prefer claim / log axis
so, no lower bound and no equality does: a logarithm too many is as false there. What has the logarithm to spare holds,
and is not tight.
"""

from __future__ import annotations

from dataclasses import replace

import numpy as np
from scipy import special

from checks.statistics.approaches import LEAST_POWER, MOST_POWER
from checks.statistics.delta_rule import MIN_POINTS, DeltaRule
from checks.statistics.explanation import Clause, Topic, size_words
from checks.statistics.policy import PRETEST_LEVEL, level_words
from checks.statistics.regression import MIN_SPREAD, Array, Line, Noise, Points, fit_line
from checks.statistics.saturating import rising_to_a_limit, told_from_a_limit

MORE_RUNS = (1.0, 2.0, 4.0, 8.0, 16.0, 32.0, 64.0)
"""Times as many runs as there are that are thought of to show a logarithm."""
STRETCHES = (1.25, 1.5, 2.0, 2.5, 3.0, 4.0)
"""How many times as long, in its logarithm, an axis is thought of."""
SHARES = 1 - np.geomspace(1e-3, 1.0, 121)[:-1]
"""Shares c of the limit that a ratio may lack at the first point."""
LEAST_ERROR = 0.003
"""Of a logarithm: what points differ by from a law that lacks a vanishing term, as the 1/2n of 1 + 1/2 + ... + 1/n."""
CONSTANTS = np.linspace(-0.5, 1.0, 301)
"""Constants beside the logarithm, as shares of it at the first point."""
POWERS = np.geomspace(LEAST_POWER, MOST_POWER, 25)
"""Powers of such an approach that are tried: neighbours differ by a tenth and fit alike."""


def grown_by_logarithm(
    points: Points, line: Line, rule: DeltaRule, log_claimed: Array, *, axis_sign: float
) -> Clause | str:
    """That measured / claimed grows by a logarithm; where that is not shown, which of the conditions above is not met.

    Args:
        points: y = log(measured / claim), x = log axis signed toward the limit. [points]
        line: through them.
        log_claimed: log claim. [points]
        axis_sign: +1 where x is log axis, -1 where it is minus that.
    """
    x, y = points.x, points.y
    if rule.relation == "lower":
        return "a lower bound is not accused by a logarithm"
    if points.side.any() or len(np.unique(x)) < MIN_POINTS or len(line.sampling) != 1 or x.min() < 1:
        return "the noise is not known well enough, or the axis begins where its logarithm is below 1"
    if not line.interval(rule.strict_confidence).low > 0:
        return f"Delta is not told from 0 at {level_words(rule.strict_confidence)}"
    word, weights, noise = "log axis" if axis_sign > 0 else "log 1/axis", *_noise_of(points, line)
    squares = SumOfSquares(weights, noise)
    adequate, constant = _nearest(points, squares)
    if adequate < PRETEST_LEVEL:
        return f"claim x ({word} + c) leaves more of the points than replicates explain (p = {adequate:.1g})"
    excess, freedom = _beside_a_power(x, y, np.log(x + constant), weights, noise)
    if not excess > special.stdtrit(freedom, 1 - PRETEST_LEVEL):
        return f"beside a free power a logarithm is not told from none ({excess:.1f} standard errors)"
    bounded = squares.chance(y, _bounded(x, log_claimed))
    if not bounded < 1 - rule.strict_confidence:
        return f"a ratio that rises to a bound fits as well (p = {bounded:.1g})"
    ratios, told = rising_to_a_limit(x).curves, told_from_a_limit(freedom)
    lead = (squares.least(y, ratios) - squares.least(y, np.log(x + constant)[None])) / float(
        np.mean(weights * noise.variances)
    )
    if lead < told and (nearing := squares.chance(y, ratios)) >= 1 - rule.strict_confidence:
        return f"a ratio that nears a bound fits nearly as well (p = {nearing:.1g})"
    words = (
        f"by a logarithm: measured / claimed grows as {word}{f' {constant:+.2g}' if constant else ''} does, by no "
        f"power of the axis ({excess:.1f} standard "
        f"errors), and nothing bounded that is reached as axis^-{LEAST_POWER:g} or faster fits (p = {bounded:.1g})"
    )
    return Clause(Topic.OTHER_LAW, words, {"standard_errors": excess, "p_value": bounded})


def _noise_of(points: Points, line: Line) -> tuple[Array, Noise]:
    """Weights of mean 1 [points], and noise that is no less than `LEAST_ERROR`."""
    weights = 1 / np.maximum(points.weight_variance, LEAST_ERROR**2)
    noise = Noise(np.maximum(line.sampling[0].variances, LEAST_ERROR**2), line.sampling[0].freedom)
    return weights / weights.mean(), noise


def _nearest(points: Points, squares: SumOfSquares) -> tuple[float, float]:
    """The chance that noise explains what the nearest claim x (log axis + c) leaves, and its c: 0 where that does."""
    x, y = points.x, points.y
    constants = np.zeros(1) if squares.chance(y, np.log(x)[None]) >= PRETEST_LEVEL else x.min() * CONSTANTS
    curves = np.log(x + constants[:, None])
    return squares.chance(y, curves), float(constants[squares.best(y, curves)])


def what_would_show(points: Points, rule: DeltaRule, log_claimed: Array, *, axis_sign: float) -> Clause:
    """What would show a logarithm that these points prefer: more runs on this axis, or a longer one, or neither.

    Points that follow the nearest claim x (log axis + c) without an error, with the noise that more runs leave, are put
    to the test itself. The claim continues along a longer axis as a power. Where no noise explains what the logarithm
    leaves, more runs only show that more clearly. Arguments are those of `grown_by_logarithm`.
    """
    x, law, constant, now = points.x, np.polyfit(points.x, log_claimed, 1), 0.0, fit_line(points)
    if now is not None and not points.side.any() and len(now.sampling) == 1 and x.min() >= 1:
        weights, noise = _noise_of(points, now)
        chance, constant = _nearest(points, SumOfSquares(weights, noise))
        if chance < (1 - rule.strict_confidence) / 10:
            words = "no number of runs on these points would show a logarithm: what it leaves of them is no noise"
            return Clause(Topic.ROUTE, f"{words}; larger sizes may, where terms of lower order count for less")

    def shows(stretch: float, more: float) -> bool:
        longer = x.min() + stretch * (x - x.min())
        ideal = replace(
            points, x=longer, y=np.log(longer + constant), variance=points.variance / more,
            freedom=points.freedom * more, weight_variance=points.weight_variance / more,
        )  # fmt: skip
        line, claimed = fit_line(ideal), np.polyval(law, longer) if stretch > 1 else log_claimed
        if line is None:
            return False
        return isinstance(grown_by_logarithm(ideal, line, rule, claimed, axis_sign=axis_sign), Clause)

    def runs_at(stretch: float) -> float | None:
        """The least number of runs, in units of those there are, that shows it at all; None where the most do not."""
        if not shows(stretch, MORE_RUNS[-1]):
            return None
        return next(more for more in MORE_RUNS if shows(stretch, more))

    if (runs := runs_at(1.0)) is not None:
        words = f"were it a logarithm, {_times(max(runs, 2.0))} as many runs on these points would show it"
        return Clause(Topic.ROUTE, words, {"runs": max(runs, 2.0)})
    none = f"no number of runs on this axis (up to {MORE_RUNS[-1]:g} times these) would show a logarithm"
    for stretch in STRETCHES:
        if (runs := runs_at(stretch)) is not None:
            factor = float(np.exp(stretch * (x.max() - x.min())))
            longer = f"as many points over a factor of {size_words(factor, 3)}"
            words = f"{none}: {longer}, with {_times(runs)} as many runs, would"
            return Clause(Topic.ROUTE, words, {"factor": factor, "runs": runs})
    return Clause(Topic.ROUTE, f"{none}, nor would an axis {STRETCHES[-1]:g} times as long in its logarithm")


def _times(runs: float) -> str:
    """Of the least that shows a logarithm without an error, and of twice as many, which show it in most experiments."""
    return f"{runs:g} to {2 * runs:g} times"


class SumOfSquares:
    """The weighted sum of squares of points about a curve up to a constant, and what their noise makes of it.

    Where variances differ, as those of means do whose noise moves along the axis, the sum has the mean and the variance
    of a multiple of chi-square with fewer degrees of freedom than points less one. [Box 1954]

    Args:
        weights: of mean 1. [points]
        noise: of the points.
    """

    def __init__(self, weights: Array, noise: Noise) -> None:
        count = len(weights)
        form = np.diag(weights) - np.outer(weights, weights) / count
        variances = np.maximum(noise.variances, MIN_SPREAD**2)
        own = np.diag(form) * variances
        each = np.broadcast_to(np.asarray(noise.freedom, dtype=float), (count,))
        # A variance that is estimated has a square that is too large by 2 / freedom.
        excess = own**2 * (1 - 1 / (1 + 2 / each))
        mean = float(own.sum())
        square = float(np.sum(form**2 * np.outer(variances, variances)) - excess.sum())
        self._weights, self._mean = weights, mean
        self._above = min(max((mean**2 - float(excess.sum())) / square, 1.0), count - 1.0)
        self._below = min(mean**2 / float(np.sum(own**2 / each)), 1e9) if np.isfinite(each).all() else 1e9

    def chance(self, y: Array, curves: Array) -> float:
        """That the best of these curves [curves, points] leaves so much of the points y."""
        return self.chance_of(self.least(y, curves))

    def chance_of(self, least: float) -> float:
        """That the best of some curves leaves so much."""
        return float(special.fdtrc(self._above, self._below, least / self._mean))

    def least(self, y: Array, curves: Array) -> float:
        """What the best of these curves leaves of the points."""
        return float(self.left(y, curves).min())

    def best(self, y: Array, curves: Array) -> int:
        """Which of these curves leaves least of the points."""
        return int(self.left(y, curves).argmin())

    def left(self, y: Array, curves: Array) -> Array:
        """What each leaves of them. [curves]"""
        left = y - curves
        left = left - (left @ self._weights / len(y))[:, None]
        return left**2 @ self._weights


def _beside_a_power(x: Array, y: Array, curve: Array, weights: Array, noise: Noise) -> tuple[float, float]:
    """Coefficient of a curve beside a constant and x, over its error, and the degrees of freedom of that."""
    root = np.sqrt(weights)
    design = np.column_stack([np.ones_like(x), x]) * root[:, None]
    curve = curve * root
    rest = curve - design @ np.linalg.lstsq(design, curve, rcond=None)[0]
    least = Noise(np.maximum(noise.variances, MIN_SPREAD**2), noise.freedom)
    error = least.standard_error(rest * root)
    return float(rest * root @ y) / error, min(least.freedom_of(rest * root), 1e9)


def _bounded(x: Array, log_claimed: Array) -> Array:
    """Logarithms of ratios that rise to a limit. [curves, points]"""
    decays = [np.exp(-np.outer(POWERS, x - x.min())), (x.min() / x)[None]]
    own = log_claimed - log_claimed[int(np.argmin(x))]
    if own.min() >= 0:  # measured = claim - constant
        decays.append(np.exp(-own)[None])
    return np.log1p(-SHARES[:, None, None] * np.concatenate(decays)[None]).reshape(-1, len(x))
