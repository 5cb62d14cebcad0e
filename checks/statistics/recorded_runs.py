"""Runs that are not what was drawn: recorded more than once, written down at an end, or lost.

*Copies.* A run that stands there more than once counts once, and the same runs under several axis values decide
nothing. A row that was pasted three times, or a simulator that ignores its seed, brings no new noise, and an interval
from so many runs is too narrow. Numbers of a continuous quantity do not agree by chance. Counts and shares do, so
single ties say nothing; what is looked for is a pattern that ties do not make:

- every value of every row stands there the same number of times, at least twice, and no value stands in two rows:
  replicates are copies of each other;
- two columns agree at every point, while other columns agree nowhere: one is a copy of the other;
- rows of one axis value agree, wherever an axis value occurs more than once: points were pasted;
- rows of different axis values hold the same runs in the same order: they belong to one of them at most.

For the last two, how often any two runs agree says how likely the pattern is by chance; `SURELY` is the limit.

Copies are left out and the judgement rests on what is left. Runs that stand under several axis values withdraw it.

*Ends.* Values pile up at budgets that were recorded as values, and at floors or ceilings of a measurement. A run that
was stopped at a budget is larger than the number that was written down. Where such runs carry no mark they pull a slope
toward flat, and the number of replicates makes it look sure. Two patterns give them away.

*A pile* (`told_of_pile`). The largest value, or the smallest, stands three times or more at two points or more; or, as
budgets are rarely met to the digit, so many runs lie within 10 % of it, or less, and so few in the three times wider
band beside it that no smooth density would do that (binomial test at 1 in 1000). The verdict must then be the same
where the pile is taken as cut off there.

*A flat end* (`told_of_floor`). Several neighbouring points at one end agree within their noise, the others lie on a
line that is not flat, and the claim is not flat there either. Whether the quantity has a floor or its measurement does,
the data do not say. The verdict must then be the same without the flat end; a claim about what exceeds the floor is one
for `fit_offset_power`.

*Losses.* With the runs that were lost, the verdict could be another one. A run that failed for a
reason of its own takes nothing with it but precision. One that failed because its value was large (it diverged, it ran
out of memory) leaves the smaller ones behind, and the mean of those is biased. The data do not tell the two apart. So
Delta is worked out twice more, with the lost runs taken as larger and as smaller than all that were seen at their
point, by the likelihood of censored runs. A verdict that both would give as well stands. The intervals are the hull of
all three.
"""

from __future__ import annotations

import math
from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray
from scipy import special

from checks.statistics.arguments import Replicates, padded
from checks.statistics.delta_rule import DeltaRule
from checks.statistics.explanation import Clause, Topic
from checks.statistics.policy import PRETEST_LEVEL
from checks.statistics.regression import MIN_SPREAD, Array, Line, Noise, Points, fit_line, points_from_samples
from checks.statistics.straightness import bears_out
from checks.statistics.verdict import Interval, Judgement, Verdict

# --------------------------------------------------------------------------------------------------------------- copies


MIN_DISTINCT = 3
"""Different values that there must be at least, for agreement to say anything."""

SURELY = 1e-3
"""Chance at which rows that agree, or values that crowd at an end, do so by no coincidence."""


@dataclass(frozen=True, eq=False)
class DistinctRuns:
    """Runs without copies.

    Attributes:
        replicates: what is left, of the points that are left.
        kept: which points are left. [points]
        words: what was left out, for the reason; "" where nothing was.
        doubt: why what is left decides nothing; "" where it may.
    """

    replicates: Replicates
    kept: NDArray[np.bool_]
    words: str = ""
    doubt: str = ""

    def told(self, judgement: Judgement) -> Judgement:
        """A judgement of these runs, with what was left out, withdrawn where they decide nothing."""
        if self.words:
            judgement = judgement.adding(left_out=(Clause(Topic.LEFT_OUT, self.words),))
        if not self.doubt or judgement.verdict is Verdict.INCONCLUSIVE:
            return judgement
        return judgement.withdrawn(Verdict.INCONCLUSIVE, Clause(Topic.SHARED_RUNS, self.doubt))


def distinct_runs(x: Array, replicates: Replicates) -> DistinctRuns:
    """The runs without copies of each other.

    Args:
        x: axis values, in any unit. [points]
        replicates: runs as they were handed over.
    """
    rows = [row[: int(n)] for row, n in zip(_leading(replicates.values), replicates.counts, strict=True)]
    kept = _without_pasted_points(x, rows)
    told = [f"{(~kept).sum()} points are copies of others and left out"] if not kept.all() else []
    replicates = _at(replicates, kept)
    x, rows = x[kept], [row for row, keep in zip(rows, kept, strict=True) if keep]
    if (multiple := _copies_each(rows)) > 1:
        values = padded([np.unique(row) for row in rows])
        replicates = Replicates(values, replicates.counts // multiple, replicates.lost)
        runs = f"{multiple} replicates are identical at every point, under whatever seeds"
        told.append(f"{runs}: they count as one")
    elif (columns := _first_of_equal(replicates)).sum() < len(columns):
        told.append(f"{(~columns).sum()} replicates are copies of others at every point and left out")
        counts = replicates.counts - int((~columns).sum())
        replicates = Replicates(replicates.values[:, columns], counts, replicates.lost)
    shared = _shared_among_points(x, rows)
    doubt = f"the same runs are recorded under {shared} axis values; runs of their own would decide" if shared else ""
    return DistinctRuns(replicates, kept, "; ".join(told), doubt)


def _leading(values: Array) -> Array:
    """Rows with what is NaN at their end."""
    if not np.isnan(values).any():
        return values
    return np.take_along_axis(values, np.argsort(np.isnan(values), axis=1, kind="stable"), axis=1)


def _at(replicates: Replicates, kept: NDArray[np.bool_]) -> Replicates:
    """The runs of some points."""
    return Replicates(replicates.values[kept], replicates.counts[kept], replicates.lost[kept])


def _seen(row: Array) -> Array:
    """The runs of a row that were not cut off: all that were stand for the same number."""
    return row[np.isfinite(row) & (row > 0)]


def _without_pasted_points(x: Array, rows: list[Array]) -> NDArray[np.bool_]:
    """The first of each axis value, where every point of a value that occurs again holds the same runs; else all."""
    first: dict[float, int] = {}
    kept = np.ones(len(rows), dtype=bool)
    for index, place in enumerate(x.tolist()):
        if place in first:
            kept[index] = False
            if not np.array_equal(np.sort(rows[index]), np.sort(rows[first[place]])):
                return np.ones(len(rows), dtype=bool)
        first.setdefault(place, index)
    copied = int(sum(len(_seen(rows[index])) for index in np.flatnonzero(~kept)))
    alone = [row for row, keep in zip(rows, kept, strict=True) if keep]
    return kept if copied and _tie_rate(alone) ** copied < SURELY else np.ones(len(rows), dtype=bool)


def _tie_rate(rows: list[Array]) -> float:
    """How often two runs agree, from all pairs of them and one more that does. [Laplace's rule of succession]"""
    _, times = np.unique(np.concatenate([_seen(row) for row in rows]), return_counts=True)
    pairs = times.sum() * (times.sum() - 1) / 2
    return float((times * (times - 1) / 2).sum() + 1) / (pairs + 1)


def _copies_each(rows: list[Array]) -> int:
    """How often each value of each row stands there, where that is one number for all; else 1."""
    found: set[int] = set()
    different: list[float] = []
    for row in rows:
        values, times = np.unique(row, return_counts=True)
        found |= set(times.tolist())
        different += values.tolist()
        if len(found) > 1 or 1 in found or len(_seen(row)) < len(row):
            return 1
    return found.pop() if MIN_DISTINCT <= len(different) == len(set(different)) else 1


def _first_of_equal(replicates: Replicates) -> NDArray[np.bool_]:
    """Columns less those that equal an earlier one at every point, where columns that differ agree at no point."""
    values = replicates.values
    n_points, count = values.shape
    kept = np.ones(count, dtype=bool)
    if not np.all(np.isfinite(values)) or n_points < MIN_DISTINCT:
        return kept
    if not np.all(np.any(np.diff(np.sort(values, axis=1), axis=1) == 0, axis=1)):
        return kept  # at some point no two runs agree
    agree = (values[:, :, None] == values[:, None, :]).sum(axis=0)
    if np.any((agree > 0) & (agree < n_points)):
        return kept
    return ~np.any(np.triu(agree == n_points, 1), axis=0)


def _shared_among_points(x: Array, rows: list[Array]) -> int:
    """At how many axis values the same runs stand in the same order; 0 where chance may have made it so."""
    places: dict[tuple[float, ...], set[float]] = {}
    for place, row in zip(x.tolist(), rows, strict=True):
        places.setdefault(tuple(_seen(row).tolist()), set()).add(place)
    shared = {runs: found for runs, found in places.items() if len(found) > 1 and len(set(runs)) >= MIN_DISTINCT}
    copied = sum(len(runs) * (len(found) - 1) for runs, found in shared.items())
    n_pairs = len(x) * (len(x) - 1) / 2
    if not shared or not n_pairs * _tie_rate([np.array(runs) for runs in places]) ** copied < SURELY:
        return 0
    return sum(len(found) for found in shared.values())


# -------------------------------------------------------------------------------------------------- piles and flat ends


BANDS = (0.0, 1e-3, 3e-3, 0.01, 0.03, 0.1)
"""Widths in log of the bands at an end that may hold a pile; 0 is that value alone."""

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
        about = "" if self.edge == self.value else " within 10 %"
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
            if band and (free < MIN_REST or special.bdtrc(runs - 1, runs + beside, 0.25) > SURELY):
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


# ------------------------------------------------------------------------------------------------------------ lost runs


def told_of_lost(
    judgement: Judgement, rule: DeltaRule, x: Array, log_ratio: Array, lost: NDArray[np.intp]
) -> Judgement:
    """The judgement with how many runs were lost, withdrawn where they could have changed it.

    Args:
        x: signed log axis [points].
        log_ratio: log(measured / claimed) of the runs that were seen, NaN elsewhere. [points, replicates]
        lost: runs that were lost. [points]
    """
    n_runs, n_lost = int(np.isfinite(log_ratio).sum() + lost.sum()), int(lost.sum())
    words = f"{n_lost} of {n_runs} runs were lost and do not count"
    lines = _lines(x, log_ratio, lost)
    judgement = _with_hull(judgement, rule, list(lines.values()))
    judgement = replace(
        judgement,
        explanation=replace(judgement.explanation, evidence=replace(judgement.explanation.evidence, lost=n_lost)),
    )
    figures = {"lost": n_lost, "runs": n_runs}
    for place, line in lines.items() if judgement.verdict is not Verdict.INCONCLUSIVE else ():
        interval = rule.of_delta(line.interval)
        if _is_kept(judgement.verdict, rule.decide(interval)):
            continue
        reason = (
            f"{words}; if they lay {place} all others of their point, Delta would be {rule.delta(line.slope):+.3g} "
            f"{interval(rule.confidence)} and not {judgement.delta or 0.0:+.3g}: leave them out of samples only "
            "where they were lost for a reason of its own"
        )
        return judgement.withdrawn(Verdict.INCONCLUSIVE, Clause(Topic.LOST_RUNS, reason, figures))
    unmoved = "" if judgement.verdict is Verdict.INCONCLUSIVE else ", and would not change it"
    return judgement.adding(left_out=(Clause(Topic.LOST_RUNS, f"{words}{unmoved}", figures),))


def _lines(x: Array, log_ratio: Array, lost: NDArray[np.intp]) -> dict[str, Line]:
    """The line with every lost run above, and with every one below, all others of its point."""
    # Lost runs stand among the NaN; which of them does not matter.
    among = np.cumsum(np.isnan(log_ratio), axis=1) * np.isnan(log_ratio)
    is_lost = (among > 0) & (among <= lost[:, None])
    above, below = np.where(is_lost, np.inf, log_ratio), np.where(is_lost, -np.inf, log_ratio)
    lines = {
        "above": fit_line(points_from_samples(x, above, np.nanmax(log_ratio, axis=1))),
        "below": fit_line(points_from_samples(x, below, None, np.nanmin(log_ratio, axis=1))),
    }
    return {place: line for place, line in lines.items() if line is not None}


def _with_hull(judgement: Judgement, rule: DeltaRule, lines: list[Line]) -> Judgement:
    """The judgement with its intervals widened to hold those of the lines."""
    effect = judgement.effect

    def hull(own: Interval | None, level: float) -> Interval | None:
        if own is None:
            return None
        every = [own, *(rule.of_delta(line.interval)(level) for line in lines)]
        return Interval(min(one.low for one in every), max(one.high for one in every))

    return replace(
        judgement,
        effect=replace(
            effect,
            confidence_interval=hull(effect.confidence_interval, rule.confidence),
            equivalence_interval=hull(effect.equivalence_interval, rule.equivalence_confidence),
        ),
    )


def _is_kept(verdict: Verdict, other: Verdict) -> bool:
    """Whether what the runs would say otherwise bears out a verdict: all that is tight or loose holds as well."""
    return other is verdict or (verdict is Verdict.HOLDS and other in (Verdict.TIGHT, Verdict.LOOSE))
