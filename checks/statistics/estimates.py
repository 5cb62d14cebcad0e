"""From raw trials to a measured quantity with its uncertainty.

`estimate_threshold` turns a success curve into the sample size at which success reaches a level, `common_steepness`
tests whether several differ in that alone; `success_rate` is an exact binomial interval; `hitting_times` and
`geometric_mean` handle runs that never arrive. Nothing here knows a claim or makes a verdict.
"""

from __future__ import annotations

import functools
import math
from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Literal

import numpy as np
from numpy.typing import ArrayLike, NDArray
from scipy import special

from checks.statistics.arguments import require_positive, shown
from checks.statistics.outcome import Estimand
from checks.statistics.policy import CONFIDENCE, PRETEST_LEVEL
from checks.statistics.success_curve import SuccessCurve, ThresholdFit, integrated_fit
from checks.statistics.verdict import Interval


@dataclass(frozen=True)
class Estimate:
    """A measured quantity.

    Attributes:
        value: the estimate; None where the data give only a bound, or nothing.
        confidence_interval: at the confidence asked for; ends are 0 or infinite where the data do not bound them.
        censored: "above" / "below" where the value lies beyond what was measured.
        standard_error: of log value where the quantity is positive, else of the value.
        n_trials: independent trials used.
        samples: one value per replicate, where there is one.
        dispersion: how many times as much as binomial ones counts scatter, where they do.
        is_rejected: whether the test that comes with the estimate rejects its model.
        reason: why there is no value, or what to know about it; "" where there is nothing to say.
    """

    value: float | None
    confidence_interval: Interval | None = None
    censored: Literal["above", "below"] | None = None
    standard_error: float | None = None
    n_trials: int = 0
    samples: tuple[float, ...] = ()
    reason: str = ""
    dispersion: float | None = None
    is_rejected: bool = False


# --------------------------------------------------------------------------------------------------- binomial rates


def success_rate(successes: int, trials: int, confidence: float = CONFIDENCE) -> Estimate:
    """Estimate a rate with its exact two-sided interval. [Clopper and Pearson 1934]

    The ends of the interval at confidence 1 - 2 a are one-sided limits at confidence 1 - a.

    Raises:
        ValueError: on trials < 1, successes outside 0..trials, confidence outside (0, 1).
    """
    interval = exact_interval(successes, trials, confidence)
    rate = successes / trials
    # Wald's error is 0 at the ends; Agresti and Coull's pseudo-counts keep it honest there.
    smooth = (successes + 2) / (trials + 4)
    error = math.sqrt(smooth * (1 - smooth) / (trials + 4))
    return Estimate(rate, interval, standard_error=error, n_trials=int(trials))


def exact_interval(successes: int, trials: int, confidence: float) -> Interval:
    """The exact two-sided interval of a rate. [Clopper and Pearson 1934]

    Raises:
        ValueError: on trials < 1, successes outside 0..trials, confidence outside (0, 1).
    """
    _require_counts(successes, trials)
    _require_open_unit("confidence", confidence)
    tail = (1 - confidence) / 2
    low = 0.0 if successes == 0 else float(special.betaincinv(successes, trials - successes + 1, tail))
    high = 1.0 if successes == trials else float(special.betaincinv(successes + 1, trials - successes, 1 - tail))
    return Interval(low, high)


# ------------------------------------------------------------------------------------------------------- thresholds


def estimate_threshold(
    n: ArrayLike,
    successes: ArrayLike,
    trials: ArrayLike,
    *,
    level: float = 0.5,
    overdispersed: bool = False,
    nested: bool = False,
    confidence: float = CONFIDENCE,
) -> Estimate:
    """Estimate the N at which the success rate reaches `level`, by maximum likelihood over the shapes of a curve.

    Its steepness, guess rate, lapse rate and link (logistic, complementary log-log) are profiled out.

    >>> threshold = estimate_threshold([10, 20, 40, 80, 160], [0, 1, 5, 8, 8], [8] * 5)
    >>> 25 < threshold.value < 45, threshold.censored
    (True, None)
    >>> estimate_threshold([10, 20, 40, 80, 160], [0, 0, 0, 0, 1], [8] * 5).censored
    'above'

    Args:
        n: sample sizes [points], > 0, in any order; equal sizes are pooled.
        successes: successful trials [points].
        trials: trials [points]; points without trials are ignored.
        level: success rate that defines the threshold, in (0, 1).
        overdispersed: set where the trials of a point share something (a data set, a seed, a machine): counts are then
            beta-binomial and the interval allows for clumps that few points cannot show.
        nested: set where the same runs are seen at every size (the seed of a run, and so its data at small sizes,
            goes on at larger ones): counts of neighbouring sizes then rise and fall together, which they cannot show.
        confidence: of the interval, in (0, 1).

    Returns:
        The threshold with its profile-likelihood interval and the standard error of its logarithm. Where the
        counts scatter more than independent runs can, the interval is wider by as much and `reason` says so.
        censored "above" where success never reaches the level on the grid, "below" where it exceeds it from the
        smallest N on; `value` is then None. Where success does not rise with N there is no value either, and
        `reason` says so: that is a finding, not a threshold. `reason` also says where success ends, if far below 1, and
        where it begins, if above 0; a curve that ends below the level is censored "above".

    Raises:
        ValueError: on sizes <= 0, successes outside 0..trials, lengths that differ, level or confidence outside
            (0, 1), or where runs are said to be both over-dispersed and nested.
    """
    n, successes, trials = _validated_curve(n, successes, trials, level)
    _require_open_unit("confidence", confidence)
    if overdispersed and nested:
        raise ValueError("overdispersed and nested must not both be set: no interval allows for both")
    counts = (tuple(n.tolist()), tuple(successes.tolist()), tuple(trials.tolist()))
    return _fitted_threshold(*counts, level, overdispersed, nested, confidence)


@functools.lru_cache(maxsize=2**12)
def _fitted_threshold(
    sizes: tuple[float, ...],
    successes: tuple[float, ...],
    trials: tuple[float, ...],
    level: float,
    overdispersed: bool,
    nested: bool,
    confidence: float,
) -> Estimate:
    """As `estimate_threshold`, of counts by size that have been checked. Rows of one part ask for the same curves."""
    n = np.array(sizes)
    curve = SuccessCurve(np.log(n), np.array(successes), np.array(trials), level)
    n_trials, trend = int(curve.trials.sum()), curve.trend()
    if trend == "falling":
        return Estimate(None, n_trials=n_trials, reason="success falls with N: there is no threshold to speak of")
    if trend == "flat":
        return _flat_estimate(curve, n)
    fit = integrated_fit(curve, confidence) if overdispersed else curve.profile(confidence, nested=nested)
    if fit.is_clumped:
        wider = integrated_fit(curve, confidence).interval
        interval = Interval(min(fit.interval.low, wider.low), max(fit.interval.high, wider.high))
        fit = replace(fit, interval=interval)
    return _rising_estimate(curve, fit, n, confidence)


def _flat_estimate(curve: SuccessCurve, n: NDArray[np.float64]) -> Estimate:
    """Of success that does not depend on N: with a bound only where it is the same at every size."""
    rates = curve.successes / curve.trials
    censored = _beyond(rates, curve.level)
    edge = {"above": Interval(float(n[-1]), math.inf), "below": Interval(0.0, float(n[0])), None: None}
    constant = rates.min() == rates.max()
    word = f"success is {rates[0]:.3g} at every N" if constant else "success shows no dependence on N"
    bound = edge[censored] if constant else None
    return Estimate(None, bound, censored, None, int(curve.trials.sum()), reason=word)


def _rising_estimate(curve: SuccessCurve, fit: ThresholdFit, n: NDArray[np.float64], confidence: float) -> Estimate:
    """Of success that rises: the fitted threshold, or on which side of the grid it lies."""
    n_trials, level = int(curve.trials.sum()), curve.level
    theta, interval, censored = fit.theta, fit.interval, None
    if theta > curve.log_n[-1] or fit.ends_below is not None:
        censored = "above"
    elif theta < curve.log_n[0] or fit.begins_above is not None:
        censored = "below"
    low, high = (math.exp(end) if end < math.inf else math.inf for end in (interval.low, interval.high))
    if censored is not None:
        first, last = float(n[0]), float(n[-1])
        shown = Interval(min(low, last), math.inf) if censored == "above" else Interval(0.0, max(high, first))
        word = f"the threshold lies {censored} the grid {first:g}..{last:g}"
        if fit.ends_below is not None:
            word = f"success saturates at {fit.ends_below:.2g}, below the level {level:g}: {word}, if there is one"
        if fit.begins_above is not None:
            word = f"success begins at {fit.begins_above:.2g}, above the level {level:g}: {word}, if there is one"
        return Estimate(None, shown, censored, None, n_trials, reason=word)
    reach = Interval(max(interval.low, curve.domain.low), min(interval.high, curve.domain.high))
    # That of a normal estimate whose interval at this confidence is as long: rules that add errors up come near it.
    error = (reach.high - reach.low) / (2 * special.ndtri(0.5 + confidence / 2))
    return Estimate(
        math.exp(theta),
        Interval(low, high),
        standard_error=float(error),
        n_trials=n_trials,
        reason=_curve_words(fit),
        dispersion=fit.dispersion,
    )


def _curve_words(fit: ThresholdFit) -> str:
    """What to know of a fitted curve, or ""."""
    start, end = fit.ends
    words = []
    if fit.dispersion:
        words += [f"over-dispersed: counts scatter {fit.dispersion:.2g} times as much as binomial ones"]
    words += [f"success saturates at {end:.2g}"] if end is not None else []
    words += [f"success begins at {start:.2g}, not at 0"] if start is not None else []
    return "; ".join(words)


def _beyond(rates: NDArray[np.float64], level: float) -> Literal["above", "below"] | None:
    """On which side of the grid the threshold lies where no rate, or every rate, exceeds the level."""
    if np.all(rates < level):
        return "above"
    return "below" if np.all(rates > level) else None


def common_steepness(
    curves: Sequence[tuple[ArrayLike, ArrayLike, ArrayLike]], *, level: float = 0.5, confidence: float = CONFIDENCE
) -> Estimate:
    """Test whether success curves rise equally steeply in log N, as they do where only their threshold moves.

    A line through thresholds at one level says nothing of other levels unless they do. Curves without a rise do not
    enter.

    Args:
        curves: (n, successes, trials) of each curve, as in `estimate_threshold`.
        level: success rate that defines the threshold, in (0, 1).
        confidence: of the interval, in (0, 1).

    Returns:
        The common steepness k of expit(k log N). Where a likelihood-ratio test rejects it at `PRETEST_LEVEL`, `reason`
        says so.

    Raises:
        ValueError: as `estimate_threshold`.
    """
    checked = [_validated_curve(*curve, level) for curve in curves]
    _require_open_unit("confidence", confidence)
    counts = tuple(tuple(tuple(column.tolist()) for column in curve) for curve in checked)
    return _tested_steepness(counts, level, confidence)


@functools.lru_cache(maxsize=2**10)
def _tested_steepness(counts: tuple[tuple[tuple[float, ...], ...], ...], level: float, confidence: float) -> Estimate:
    """As `common_steepness`, of (n, successes, trials) of each curve that have been checked."""
    columns = [tuple(map(np.array, curve)) for curve in counts]
    every = [SuccessCurve(np.log(n), successes, trials, level) for n, successes, trials in columns]
    rising = [curve for curve in every if curve.trend() == "rising"]
    n_trials = int(sum(curve.trials.sum() for curve in rising))
    if len(rising) < 2:
        return Estimate(None, n_trials=n_trials, reason=f"{len(rising)} of {len(every)} curves rise; 2 are needed")
    grid = np.linspace(math.log(0.1), math.log(50.0), 80)
    likelihoods = np.stack([curve.steepness_likelihood(grid) for curve in rising])
    together = likelihoods.sum(axis=0)
    ratio = 2 * float(likelihoods.max(axis=1).sum() - together.max())
    p_value = float(special.chdtrc(len(rising) - 1, ratio))
    inside = grid[2 * (together.max() - together) <= special.chdtri(1, 1 - confidence)]
    word = f"curves differ in steepness (p = {p_value:.2g}): thresholds at other levels scale otherwise"
    return Estimate(
        math.exp(float(grid[together.argmax()])),
        Interval(math.exp(inside[0]), math.exp(inside[-1])),
        n_trials=n_trials,
        reason=word if p_value < PRETEST_LEVEL else "",
        is_rejected=p_value < PRETEST_LEVEL,
    )


# --------------------------------------------------------------------------------------- samples, possibly censored


def hitting_times(values: ArrayLike, hit_mask: ArrayLike, limit: ArrayLike) -> NDArray[np.float64]:
    """Samples [points, replicates] of a hitting time, inf for the runs that never hit within `limit` [points].

    Raises:
        ValueError: where shapes differ, a run is said to have hit at a time <= 0 or after its limit.
    """
    values, hit = np.array(values, dtype=float), np.asarray(hit_mask, dtype=bool)
    if values.ndim != 2 or values.shape != hit.shape:
        raise ValueError(
            f"values and hit_mask must have one shape [points, replicates], got {values.shape} and {hit.shape}"
        )
    limit = np.broadcast_to(np.asarray(limit, dtype=float), values.shape[:1])[:, None]
    wrong = hit & ~((values > 0) & (values <= limit))
    if wrong.any():
        raise ValueError(f"values must be > 0 and <= limit where hit_mask is set, got {values[wrong][0]}")
    return np.where(hit, values, np.inf)


def geometric_mean(
    samples: ArrayLike,
    *,
    limit: float | None = None,
    limit_low: float | None = None,
    confidence: float = CONFIDENCE,
) -> Estimate:
    """Summarise one point's positive samples [replicates]; inf are runs censored above `limit`, 0 below `limit_low`.

    Without censoring: the geometric mean with a t interval on the log scale. With some: the median, which needs no
    model as long as most runs have a value, with an exact binomial order-statistic interval. Censored where half the
    runs or more lie beyond one limit.
    """
    samples = np.sort(np.asarray(samples, dtype=float).ravel())  # 0 sort first and inf last, where they belong
    _require_open_unit("confidence", confidence)
    if not samples.size or np.isnan(samples).any() or samples[0] < 0:
        raise ValueError(
            f"samples must be > 0 (inf or 0 where censored), none of them NaN, and not empty, got {shown(samples)}"
        )
    below, above = samples == 0, np.isposinf(samples)
    if (above.any() and limit is None) or (below.any() and limit_low is None):
        raise ValueError("limit must be given where samples hold inf, limit_low where they hold 0, got None")
    kept, count = tuple(float(value) for value in samples), len(samples)
    if not (below.any() or above.any()):
        logs = np.log(samples)
        mean = float(logs.mean())
        if count == 1:
            return Estimate(math.exp(mean), None, None, None, 1, kept)
        error = float(logs.std(ddof=1)) / math.sqrt(count)
        half = float(special.stdtrit(count - 1, 0.5 + confidence / 2)) * error
        return Estimate(
            math.exp(mean), Interval(math.exp(mean - half), exp_or_inf(mean + half)), None, error, count, kept
        )
    bottom, top = (0.0 if limit_low is None else float(limit_low)), (math.inf if limit is None else float(limit))
    rank = _median_rank(count, confidence)
    # An order statistic beyond a limit bounds the median by that limit on one side and by nothing on the other.
    first, last = (samples[rank], samples[count - 1 - rank]) if rank is not None else (0.0, math.inf)
    low, high = (top if first == math.inf else float(first)), (bottom if last == 0 else float(last))
    if 2 * above.sum() >= count:
        word = f"{above.sum()} of {count} runs did not arrive by {top:g}"
        return Estimate(None, Interval(low, math.inf), "above", None, count, kept, word)
    if 2 * below.sum() >= count:
        word = f"{below.sum()} of {count} runs lie below {bottom:g}"
        return Estimate(None, Interval(0.0, high), "below", None, count, kept, word)
    median = float(np.exp(np.mean(np.log(samples[[(count - 1) // 2, count // 2]]))))
    return Estimate(median, Interval(min(low, median), max(high, median)), None, None, count, kept)


def arithmetic_mean(samples: ArrayLike, *, confidence: float = CONFIDENCE) -> Estimate:
    """Summarise one point's finite samples [replicates] by their mean with a t interval: what an expectation is of."""
    samples = np.sort(np.asarray(samples, dtype=float).ravel())
    _require_open_unit("confidence", confidence)
    if not samples.size or not np.all(np.isfinite(samples)):
        raise ValueError(f"samples must be finite and not empty, got {shown(samples)}")
    mean, kept = float(samples.mean()), tuple(float(value) for value in samples)
    if len(samples) == 1:
        return Estimate(mean, None, None, None, 1, kept)
    error = float(samples.std(ddof=1)) / math.sqrt(len(samples))
    half = float(special.stdtrit(len(samples) - 1, 0.5 + confidence / 2)) * error
    return Estimate(mean, Interval(mean - half, mean + half), None, error, len(samples), kept)


def mean_or_typical(
    samples: ArrayLike,
    *,
    estimand: str | None,
    limit: float | None = None,
    limit_low: float | None = None,
    confidence: float = CONFIDENCE,
) -> Estimate:
    """Summarise one point of an order by what is judged there: the mean of E[.], else as `geometric_mean` does.

    A mean has no place where runs are censored; then it is the median of all.
    """
    values = np.asarray(samples, dtype=float)
    if estimand != Estimand.MEAN or not np.all(np.isfinite(values) & (values > 0)):
        return geometric_mean(samples, limit=limit, limit_low=limit_low, confidence=confidence)
    found = arithmetic_mean(samples, confidence=confidence)
    return replace(found, standard_error=found.standard_error and found.standard_error / float(values.mean()))


def _median_rank(count: int, confidence: float) -> int | None:
    """Largest rank r (from 0) such that order statistics r and count-1-r cover the median; None where none do."""
    ranks = np.arange((count + 1) // 2)
    covering = ranks[special.bdtr(ranks, count, 0.5) <= (1 - confidence) / 2]
    return int(covering[-1]) if len(covering) else None


def exp_or_inf(value: float) -> float:
    """e to a power, infinite beyond the range of floats."""
    return math.exp(value) if value < 700 else math.inf


# ------------------------------------------------------------------------------------------------------- validation


def _require_open_unit(name: str, value: float) -> None:
    if not 0 < value < 1:
        raise ValueError(f"{name} must lie in (0, 1), got {value}")


def _require_counts(successes: int, trials: int) -> None:
    if int(trials) != trials or trials < 1:
        raise ValueError(f"trials must be a whole number >= 1, got {trials}")
    if int(successes) != successes or not 0 <= successes <= trials:
        raise ValueError(f"successes must be a whole number in 0..trials, got {successes} of {trials}")


def _validated_curve(n, successes, trials, level):
    """Checked, sorted and pooled (n, successes, trials) as float arrays."""
    _require_open_unit("level", level)
    n, successes, trials = (np.atleast_1d(np.asarray(values, dtype=float)) for values in (n, successes, trials))
    if n.ndim != 1 or not n.shape == successes.shape == trials.shape:
        lengths = f"{n.shape}, {successes.shape} and {trials.shape}"
        raise ValueError(f"n, successes and trials must be 1-d of one length, got shapes {lengths}")
    require_positive("n", n)
    if not np.all((trials == np.floor(trials)) & (trials >= 0) & np.isfinite(trials)) or trials.sum() == 0:
        raise ValueError(f"trials must be whole numbers >= 0, not all 0, got {shown(trials)}")
    if not np.all((successes == np.floor(successes)) & (successes >= 0) & (successes <= trials)):
        raise ValueError(f"successes must be whole numbers in 0..trials, got {shown(successes)} of {shown(trials)}")
    used = trials > 0
    sizes, index = np.unique(n[used], return_inverse=True)
    return sizes, np.bincount(index, successes[used]), np.bincount(index, trials[used])
