"""Values that pile up at an end: budgets that were recorded as values, and floors or ceilings of a measurement.

A run that was stopped at a budget is larger than the number that was written down. Where such runs carry no mark they
pull a slope toward flat, and the number of replicates makes it look sure. Two patterns give them away.

*A pile* (`told_of_pile`). The largest value, or the smallest, stands three times or more at two points or more; or, as
budgets are rarely met to the digit, so many runs lie within 3 % of it and so few in the three times wider band beside
it that no smooth density would do that (binomial test at 1 in 10 000). The verdict must then be the same where the pile
is taken as cut off there.

*A flat end* (`told_of_floor`). Several neighbouring points at one end agree within their noise, the others lie on a
line that is not flat, and the claim is not flat there either. Whether the quantity has a floor or its measurement does,
the data do not say. The verdict must then be the same without the flat end; a claim about what exceeds the floor is one
for `fit_offset_power`.
"""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np
from scipy import special

from checks.statistics.delta_rule import DeltaRule
from checks.statistics.explanation import Clause, Topic
from checks.statistics.points import MIN_SPREAD, Array, Points, points_from_samples
from checks.statistics.policy import PRETEST_LEVEL
from checks.statistics.regression import Line, Noise, fit_line
from checks.statistics.shapes import bears_out
from checks.statistics.verdict import Judgement, Verdict

BANDS = (0.0, 1e-3, 3e-3, 0.01, 0.03)
"""Widths in log of the bands at an end that may hold a pile; 0 is that value alone."""

PILED = 1e-4
"""Chance at which a band holds so much more than the one beside it."""

MIN_PILE, MIN_PLACES = 3, 2
"""Runs in a pile, and points they must stand at."""

MIN_REST = 3
"""Points of which most runs must lie outside a pile, or that must be left without a flat end."""


@dataclass(frozen=True)
class Pile:
    """Runs at one end of all values.

    Attributes:
        largest: whether it is the upper end.
        value: the value at that end.
        edge: where the pile begins, seen from the other values.
        runs, places: how many runs, at how many points.
    """

    largest: bool
    value: float
    edge: float
    runs: int
    places: int

    @property
    def words(self) -> str:
        """One clause for a reason."""
        word, name = ("largest", "limit") if self.largest else ("smallest", "limit_low")
        about = "" if self.edge == self.value else " within 3 %"
        return (
            f"the {word} value, {self.value:g}, stands {self.runs} times{about} at {self.places} points: "
            f"give {name} where runs were cut off there"
        )


def told_of_ends(judgement: Judgement, rule: DeltaRule, points: Points, values: Array, log_claimed: Array) -> Judgement:
    """The judgement of uncensored runs, withdrawn where it rests on a pile or on a flat end.

    Args:
        points: y = log(measured / claim). [points]
        values: positive samples, NaN where there is no run. [points, replicates]
        log_claimed: log claim. [points]
    """
    pile = find_pile(values)
    if pile is not None:
        judgement = told_of_pile(judgement, rule, points.x, values, log_claimed, pile)
    return told_of_floor(judgement, rule, points, log_claimed)


def find_pile(values: Array) -> Pile | None:
    """The pile at either end of positive values [points, replicates], NaN where there is no run; None without one."""
    if len(values) < MIN_PLACES or np.nanmin(values) == np.nanmax(values):
        return None
    for largest in (True, False):
        logs = np.log(values) if largest else -np.log(values)
        gap = np.nanmax(logs) - logs
        for band in BANDS:
            inside = gap <= band
            beside = int(((gap > band) & (gap <= 4 * band)).sum())
            runs, places = int(inside.sum()), int(inside.any(axis=1).sum())
            if runs < MIN_PILE or places < MIN_PLACES:
                continue
            free = (inside.sum(axis=1) <= 0.5 * np.isfinite(gap).sum(axis=1)).sum()
            if band and (free < MIN_REST or special.bdtrc(runs - 1, runs + beside, 0.25) > PILED):
                continue
            chosen = values[inside]
            ends = float(chosen.max()), float(chosen.min())
            value, edge = ends if largest else ends[::-1]
            return Pile(largest, value, edge, runs, places)
    return None


def told_of_pile(
    judgement: Judgement, rule: DeltaRule, x: Array, values: Array, log_claimed: Array, pile: Pile
) -> Judgement:
    """The judgement, withdrawn where it would be another one with the pile cut off; a pile at one value is named.

    Args:
        x: signed log axis. [points]
        values: positive samples, NaN where there is no run. [points, replicates]
        log_claimed: log claim. [points]
        pile: what `find_pile` found in them.
    """
    figures = {"value": pile.value, "times": pile.runs, "points": pile.places}
    told = judgement.adding(adequacy=(Clause(Topic.CENSORING, pile.words, figures),))
    # A pile about a value that changes nothing may be slow growth; one at a value is worth saying.
    unchanged = told if pile.edge == pile.value else judgement
    if judgement.verdict is Verdict.INCONCLUSIVE:
        return unchanged
    inside = values >= pile.edge if pile.largest else values <= pile.edge
    marked = np.where(inside, np.inf if pile.largest else -np.inf, np.log(values) - log_claimed[:, None])
    limit = math.log(pile.edge) - log_claimed
    line = fit_line(points_from_samples(x, marked, *((limit,) if pile.largest else (None, limit))))
    if line is not None and bears_out(judgement.verdict, rule.decide(rule.of_delta(line.interval))):
        return unchanged
    doubt = f"runs at {pile.value:g} look cut off, and would then give {_delta(line, rule)}"
    return told.withdrawn(Verdict.INCONCLUSIVE, Clause(Topic.CENSORING, doubt, figures))


def told_of_floor(judgement: Judgement, rule: DeltaRule, points: Points, log_claimed: Array) -> Judgement:
    """The judgement, withdrawn where it rests on an end at which values do not move.

    Args:
        points: y = log(measured / claim), without bounds. [points]
        log_claimed: log claim. [points]
    """
    if judgement.verdict is Verdict.INCONCLUSIVE or points.side.any():
        return judgement
    ordered = np.sort(points.x)
    for size in range(len(ordered) - MIN_REST, 1, -1):
        for flat in (points.x >= ordered[-size], points.x <= ordered[size - 1]):
            rest = fit_line(points.keep(~flat))
            if rest is None or not _is_floor(points, log_claimed, flat, rule):
                continue
            if bears_out(judgement.verdict, rule.decide(rule.of_delta(rest.interval))):
                return judgement
            value = math.exp(float((points.y + log_claimed)[flat].mean()))
            doubt = (
                f"no power law here: {size} neighbouring points agree at {value:.3g}, a floor of the quantity or "
                f"of its measurement, and the others give {_delta(rest, rule)}; "
                "fit_offset_power fits a law with a floor"
            )
            clause = Clause(Topic.STRAIGHTNESS, doubt, {"points": size, "value": value})
            return judgement.withdrawn(Verdict.INCONCLUSIVE, clause)
    return judgement


def _is_floor(points: Points, log_claimed: Array, flat: np.ndarray, rule: DeltaRule) -> bool:
    """Whether some points agree where the others and the claim move."""
    x, y = points.x, points.y + log_claimed
    flat_slope, rest_slope = _slope(x, flat), _slope(x, ~flat)
    if abs(float(flat_slope @ log_claimed)) <= rule.margin:
        return False
    noise = _noise(points, y, flat)
    if noise is None:
        return False
    half = noise.half_width(flat_slope, rule.confidence)
    moves = float(rest_slope @ y)
    own, freedom = np.where(flat, 1.0, 0.0), float(flat.sum() - 1)
    centred = (y - float(y[flat].mean())) * own
    variance = max(float(noise.variances[flat].mean()), MIN_SPREAD**2)
    agree = float(centred @ centred) / freedom / variance
    return (
        abs(float(flat_slope @ y)) <= half
        and abs(moves) > max(rule.margin, noise.half_width(rest_slope, rule.confidence))
        and abs(moves / 2 - float(flat_slope @ y)) > half
        and agree <= float(special.fdtri(freedom, min(noise.freedom_of(own), 1e9), 1 - PRETEST_LEVEL))
    )


def _slope(x: Array, kept: np.ndarray) -> Array:
    """Coefficients of the slope of some points. [points]"""
    centred = np.where(kept, x - x[kept].mean(), 0.0)
    return centred / max(float(centred @ centred), 1e-300)


def _noise(points: Points, y: Array, flat: np.ndarray) -> Noise | None:
    """That of replicates; of one run a point, what a constant and a line leave. None where nothing is left."""
    if np.all(points.freedom > 0):
        return Noise(points.variance, points.freedom)
    freedom = len(y) - 3.0
    if freedom < 2:
        return None
    slope = float(_slope(points.x, ~flat) @ y)
    line = y[~flat].mean() + slope * (points.x - points.x[~flat].mean())
    left = y - np.where(flat, y[flat].mean(), line)
    return Noise(np.full(len(y), float(left @ left) / freedom), freedom)


def _delta(line: Line | None, rule: DeltaRule) -> str:
    if line is None:
        return "no line"
    return f"Delta = {rule.delta(line.slope):+.3g} {rule.of_delta(line.interval)(rule.confidence)}"
