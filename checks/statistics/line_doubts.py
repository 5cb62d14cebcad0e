"""What the samples behind a line show against the model that its verdict rests on.

Replicates are taken as independent, runs that were cut off as noise like the others, and the mean of logarithms as what
the claim speaks of. Each of these is tested on the samples themselves: shared replicates widen the interval (see
`checks.statistics.shared_replicates`); censored runs of another kind (`checks.statistics.homogeneity`) and a mean whose
exponent is another (`checks.statistics.mean_exponent`) withdraw a verdict that would change by them.
"""

from __future__ import annotations

import math
from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

from checks.statistics.delta_rule import DeltaRule
from checks.statistics.explanation import Clause, Topic
from checks.statistics.homogeneity import TREND, arrived, never_arriving, points_with_trend, spread_trend
from checks.statistics.mean_exponent import mean_shift
from checks.statistics.points import Array, points_from_samples
from checks.statistics.regression import Line, fit_line, t_quantile
from checks.statistics.shared_replicates import share_along_axis, shared_noise
from checks.statistics.verdict import Interval, Verdict


@dataclass(frozen=True, eq=False)
class LineSamples:
    """Replicates on the log scale, as a line's points were made of them.

    Attributes:
        x: log axis, signed toward the limit. [points]
        log_ratio: log(measured / claim); inf where cut off above `log_limit`, -inf below `log_limit_low`, NaN where a
            row has ended. [points, replicates]
        log_limit: log(limit / claim); None where nothing was cut off above it. [points]
        log_limit_low: the same below. [points]
        paired: column j is known to share data along the axis.
    """

    x: Array
    log_ratio: Array
    log_limit: Array | None = None
    log_limit_low: Array | None = None
    paired: bool = False

    @property
    def is_censored(self) -> bool:
        """Whether any run was cut off."""
        return bool(np.isinf(self.log_ratio).any())

    @property
    def cut_off(self) -> NDArray[np.bool_]:
        """Which runs were cut off above their limit."""
        return np.isposinf(self.log_ratio)

    @property
    def limit(self) -> Array:
        """`log_limit`, infinite where there is none. [points]"""
        return np.full(len(self.x), math.inf) if self.log_limit is None else self.log_limit


def with_shared_noise(line: Line, samples: LineSamples) -> tuple[Line, Clause | None]:
    """The line with the noise between columns where replicates share data along the axis, and a clause that says so."""
    count = samples.log_ratio.shape[1]
    if not samples.is_censored:
        count = int(np.isfinite(samples.log_ratio).all(axis=0).sum())
    if count < 2 or not (samples.paired or share_along_axis(samples.x, samples.log_ratio)):
        return line, None
    if samples.is_censored:
        error, how = _jackknife_error(samples), " by leaving one out"
        shared = _no_narrower(line, error, count - 1)
    else:
        noise, how = shared_noise(samples.log_ratio), ""
        error = noise.standard_error(line.coefficients)
        shared = replace(line, noise=(*line.noise, noise), _intervals={})
    seen = "are paired" if samples.paired else "share data"
    words = f"replicates {seen} along the axis: the interval is that of {count} slopes, one each, standard error"
    return shared, Clause(Topic.SHARED_RUNS, f"{words} {error:.2g}{how}", {"slopes": count, "standard_error": error})


def _jackknife_error(samples: LineSamples) -> float:
    """Standard error of the slope from fits that leave one column out each [Miller 1974]; infinite below three."""
    count = samples.log_ratio.shape[1]
    if count < 3:
        return math.inf
    limits = samples.log_limit, samples.log_limit_low
    rest = [np.delete(samples.log_ratio, column, axis=1) for column in range(count)]
    lines = [fit_line(points_from_samples(samples.x, left, *limits)) for left in rest]
    slopes = np.array([math.nan if line is None else line.slope for line in lines])
    error = math.sqrt((count - 1) / count * float(np.sum((slopes - slopes.mean()) ** 2)))
    return error if math.isfinite(error) else math.inf


def _no_narrower(line: Line, error: float, freedom: int) -> Line:
    """The line with an interval at least that of this standard error."""

    def interval(confidence: float) -> Interval:
        own, half = line.interval(confidence), t_quantile(freedom, confidence) * error
        return Interval(min(own.low, line.slope - half), max(own.high, line.slope + half))

    return replace(line, _profile=interval, _intervals={})


def doubt_and_note(
    samples: LineSamples, line: Line, rule: DeltaRule, verdict: Verdict
) -> tuple[Clause | None, Clause | None]:
    """Why the samples do not carry a decided verdict, with what would decide, and what to know of them beside it."""
    if samples.log_ratio.shape[1] == 1:
        return None, Clause(Topic.REPLICATION, "one run a point: the noise is known from residuals alone")
    if samples.is_censored:
        return (None if verdict is Verdict.INCONCLUSIVE else _doubt_of_censored(samples, rule, verdict)), None
    shift = mean_shift(line.coefficients, samples.log_ratio)
    if shift is None:
        return None, None
    if verdict is Verdict.INCONCLUSIVE or not shift.moves(rule, verdict, line.slope, line.interval):
        return None, shift.clause(rule, line.slope)
    return shift.clause(
        rule, line.slope, "; a claim about means is judged where the noise is small or does not move"
    ), None


def _doubt_of_censored(samples: LineSamples, rule: DeltaRule, verdict: Verdict) -> Clause | None:
    """Why censored runs do not carry a decided verdict."""
    if np.isneginf(samples.log_ratio).any():
        return None  # runs cut off below as well: what arrived says nothing of either limit alone
    runs = arrived(samples.log_ratio, samples.limit)
    if runs is None:
        return None
    if words := never_arriving(runs, samples.cut_off.sum(axis=1)):
        return Clause(
            Topic.MIXTURE,
            f"{words}: some never arrive, or noise is larger where runs are cut off; a higher limit would tell, "
            "and a claim about runs that arrive is judged on those alone",
        )
    trend, errors = spread_trend(samples.x, runs)
    if abs(errors) < TREND:
        return None
    line = fit_line(points_with_trend(samples.x, samples.log_ratio, samples.limit, trend))
    moved = "no line"
    if line is not None:
        interval = rule.of_delta(line.interval)
        if rule.decide(interval) is verdict:
            return None
        moved = f"Delta = {rule.delta(line.slope):+.3g} {interval(rule.confidence)}"
    words = (
        f"the noise moves along the axis (log spread by {trend:+.2g} per unit of log axis, {abs(errors):.1f} standard "
        f"errors), and with it the runs that were cut off give {moved}; a higher limit would decide"
    )
    return Clause(Topic.SPREAD, words, {"trend": trend, "standard_errors": errors})
