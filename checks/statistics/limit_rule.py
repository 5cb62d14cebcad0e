"""Values claimed in a limit, q(d) -> L as d grows, judged by extrapolation and never at one size.

A formula that holds in the limit is off at every finite size, so a mean that differs from it at d = 20, however
significantly, says nothing against it. What is judged is the limit of the means: `checks.statistics.extrapolation`
gives its interval over corrections of several shapes, powers and logarithms, that the data do not reject.

- *holds*: the whole interval, over all of these corrections, lies within the tolerance of the claimed value.
- *violated*: the interval excludes everything within the tolerance, and so does every correction that is slower than
  those extrapolated with and that the data do not reject. A sequence that may still creep to the claimed value, by a
  logarithm or a small power, violates nothing.
- *inconclusive* otherwise, with "finite size" and the size from which on sequences like the fitted one would decide.

The tolerance is a share of the claimed value, or a number, stated before measuring: no finite sequence shows that its
limit equals a number. Means are arithmetic, since a limit theorem speaks of an expectation.

*What stays assumed.* That the approach is one of those corrections from the sizes at hand on. A crossover beyond the
largest size is in no data, and *holds* rests on no power below `LEAST_POWER`.

*Rates.* A claimed rate, q(d) - L = O(d^-r), is an order of |q - L| and is judged as one, by the Delta rule on |q - L|
(`judge_scaling`) or by an exponent within trials (`judge_rates`). Here it may bound the power (`rate`), only where the
author asks: the extrapolation then assumes what the rate claims.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import ArrayLike

from checks.statistics.arguments import finite_rows, shown
from checks.statistics.explanation import (
    NO_STEP,
    Adequacy,
    Clause,
    Clauses,
    Explanation,
    Measurements,
    NextStep,
    Rule,
    Ruling,
    Topic,
)
from checks.statistics.extrapolation import (
    LEAST_POWER,
    MIN_FACTOR,
    MIN_REPLICATES,
    MIN_SIZES,
    MOST_POWER,
    Extrapolation,
    SizeMeans,
    extrapolate,
    size_means,
)
from checks.statistics.policy import CONFIDENCE, DEFAULT_POLICY, ErrorPolicy, policy_of
from checks.statistics.verdict import Effect, Interval, Judgement, Plan, Quantity, Verdict

SMALLEST = 1e-100
"""Least size of samples and tolerances, whose squares a float must hold; its inverse is the largest."""
MARGIN = 0.05
"""Tolerance of a limit as a share of the claimed value, where its author states no other."""

_GROWTH = (2.0, 4.0, 16.0, 64.0, 256.0)
"""By what the largest size is multiplied in search of one that decides."""

_DECIDED = (Verdict.VIOLATED, Verdict.HOLDS)


@dataclass(frozen=True)
class _Aim:
    """What a limit must meet: a value up to a tolerance, from one side or both."""

    value: float
    tolerance: float
    relation: str

    @property
    def band(self) -> Interval:
        """The limits that agree with the claim."""
        low = -math.inf if self.relation == "upper" else self.value - self.tolerance
        high = math.inf if self.relation == "lower" else self.value + self.tolerance
        return Interval(low, high)

    def is_met(self, limit: Interval) -> bool:
        """Whether all of an interval agrees."""
        return limit.low >= self.band.low and limit.high <= self.band.high

    def is_missed(self, limit: Interval) -> bool:
        """Whether none of an interval agrees."""
        return limit.low > self.band.high or limit.high < self.band.low

    def is_left_by(self, grows: int) -> bool:
        """Whether a growth of this sign, 0 for none, leaves the limits that agree."""
        return (grows > 0 and self.relation != "lower") or (grows < 0 and self.relation != "upper")

    def __str__(self) -> str:
        sense = {"upper": "at most ", "lower": "at least "}.get(self.relation, "")
        return f"{sense}{self.value:.4g} +- {self.tolerance:.2g}"


@dataclass(frozen=True, eq=False)
class _Setting:
    """One sequence with its claimed limit, what was found of it, and the verdict on it."""

    name: str
    means: SizeMeans
    aim: _Aim
    found: Extrapolation | None
    shortage: Clauses
    verdict: Verdict
    is_doubtful: bool = False

    @property
    def distance(self) -> float:
        """How far the limit is from the claimed one, in units of the tolerance; infinite where it is not known."""
        return math.inf if self.found is None else abs(self.found.value - self.aim.value) / self.aim.tolerance


def judge_limit(
    axis: ArrayLike,
    samples: ArrayLike | Sequence[Sequence[float]],
    claimed: ArrayLike,
    *,
    relation: str = "tight",
    margin: float = MARGIN,
    tolerance: float | None = None,
    settings: Sequence[object] | None = None,
    rate: float | None = None,
    exact: bool = False,
    confidence: float = CONFIDENCE,
    policy: ErrorPolicy | None = None,
) -> Judgement:
    """Judge a value that is claimed in the limit of growing sizes.

    >>> size = np.array([50.0, 100.0, 200.0, 400.0, 800.0, 1600.0])
    >>> noise = 0.002 * np.random.default_rng(0).standard_normal((6, 10))
    >>> samples = 2 - 3 / np.sqrt(size)[:, None] + noise
    >>> judge_limit(size, samples, 2.0).verdict, judge_limit(size, samples, 2.4).verdict
    (<Verdict.HOLDS: 'holds'>, <Verdict.VIOLATED: 'violated'>)
    >>> judge_limit(size[:1], samples[:1], 2.0).verdict  # one size, however far off, is no limit
    <Verdict.INCONCLUSIVE: 'inconclusive'>

    Args:
        axis: the size that grows [points], finite and > 1, since 1 / log d is among the corrections.
        samples: measurements [points, replicates], finite and 0 or of a size between 1e-100 and 1e100; any lengths.
        claimed: the limit, one number, or one for each point [points] that is the same within a setting.
        relation: "tight" (the limit is claimed), "upper" or "lower" (a bound on it).
        margin: tolerance as a share of the claimed value, in (0, 1), stated before measuring.
        tolerance: in place of the margin, in units of the samples, > 0; needed where 0 is claimed.
        settings: what each point belongs to [points], where there are several sequences; each is extrapolated alone.
        rate: least power of the corrections, where the claim's own rate is to be assumed, between 1/4 and 3; 1 / log d
            is then left out.
        exact: whether samples have no noise, so that one at each size is enough.
        confidence: of the interval of all limits together.
        policy: in place of a confidence, where K claims share the error.

    Returns:
        violated, holds or inconclusive; the interval is that of the limit of the setting that decides.

    Raises:
        ValueError: on input that breaks a rule above.
    """
    if relation not in ("tight", "upper", "lower"):
        raise ValueError(f"relation must be 'tight', 'upper' or 'lower', got {relation!r}")
    if rate is not None and not LEAST_POWER <= rate < MOST_POWER:
        raise ValueError(f"rate must lie in [{LEAST_POWER:g}, {MOST_POWER:g}), got {rate}")
    aims = _aims(axis, claimed, relation, margin, tolerance)
    policy = policy_of(confidence, policy)
    groups, judged = _groups(len(aims), settings), []
    axis = np.atleast_1d(np.asarray(axis, dtype=float))
    rows = finite_rows("samples", samples, n_points=len(axis))
    _require_size(rows)
    for name, places in groups.items():
        if len({aims[i] for i in places}) > 1:
            raise ValueError(f"claimed must be one limit within a setting, got several{f' at {name}' if name else ''}")
        means = size_means(axis[places], [rows[i] for i in places], exact=exact)
        judged.append(_judged(name, means, aims[places[0]], policy, len(groups), rate))
    return _together(judged, policy, rate)


def _require_size(rows: Sequence[np.ndarray]) -> None:
    """Raise where squares of the samples would leave the range of floats."""
    largest = max(float(np.abs(row).max()) for row in rows)
    if largest and not SMALLEST < largest < 1 / SMALLEST:
        raise ValueError(f"samples must lie within {SMALLEST:g} and {1 / SMALLEST:g} in size, got {largest:g}")


def _aims(axis: ArrayLike, claimed: ArrayLike, relation: str, margin: float, tolerance: float | None) -> list[_Aim]:
    """What is claimed at each point."""
    values, count = np.asarray(claimed, dtype=float), np.size(axis)
    if values.shape not in ((), (count,)) or not np.all(np.isfinite(values)):
        raise ValueError(f"claimed must be one finite limit, or one per point ({count}), got {shown(values)}")
    if not 0 < margin < 1:
        raise ValueError(f"margin must lie in (0, 1), got {margin}")
    if tolerance is not None and not 0 < tolerance < math.inf:
        raise ValueError(f"tolerance must be finite and > 0, got {tolerance}")
    if tolerance is None and np.any(values == 0):
        raise ValueError("tolerance must be given where a limit of 0 is claimed, got None")
    wanted = np.broadcast_to(values, (count,)).tolist()
    aims = [_Aim(value, margin * abs(value) if tolerance is None else tolerance, relation) for value in wanted]
    if not min(aim.tolerance for aim in aims) > SMALLEST:
        raise ValueError(f"tolerance must be > {SMALLEST:g}, got {min(aim.tolerance for aim in aims):g}")
    return aims


def _groups(count: int, settings: Sequence[object] | None) -> dict[str, list[int]]:
    """Indices of the points of each setting."""
    if settings is None:
        return {"": list(range(count))}
    if len(settings) != count:
        raise ValueError(f"settings must have one entry per point ({count}), got {len(settings)}")
    groups: dict[str, list[int]] = {}
    for index, name in enumerate(settings):
        groups.setdefault(str(name), []).append(index)
    return groups


# --------------------------------------------------------------------------------------------------------- one sequence


def _judged(name: str, means: SizeMeans, aim: _Aim, policy: ErrorPolicy, count: int, rate: float | None) -> _Setting:
    """The verdict on one sequence, of so many."""
    shortage = _shortage(means)
    if shortage:
        return _Setting(name, means, aim, None, shortage, Verdict.INCONCLUSIVE)
    found = extrapolate(means, *_levels(policy, count), rate=rate)
    if found is None:
        words = "finite size: no correction fits these sizes, nor the larger ones alone"
        return _Setting(name, means, aim, None, (Clause(Topic.FINITE_SIZE, words),), Verdict.INCONCLUSIVE)
    verdict, is_doubtful = _verdict(found, aim)
    return _Setting(name, means, aim, found, (), verdict, is_doubtful)


def limit_verdict(
    means: SizeMeans,
    claimed: float,
    tolerance: float,
    *,
    relation: str = "tight",
    rate: float | None = None,
    policy: ErrorPolicy = DEFAULT_POLICY,
) -> Verdict:
    """The word of `judge_limit` for one sequence, without the figures and without a search for what would decide."""
    return _judged("", means, _Aim(claimed, tolerance, relation), policy, 1, rate).verdict


def _levels(policy: ErrorPolicy, count: int) -> tuple[float, float]:
    """Confidence of the interval that decides against a claim, one of `count`, and of the one that decides for it."""
    return replace(policy, family=policy.family * count).violation_confidence, policy.equivalence_confidence


def _verdict(found: Extrapolation, aim: _Aim) -> tuple[Verdict, bool]:
    """The word for a limit, and whether another approach stands in its way."""
    if aim.is_missed(found.wide):
        others = [*found.slow, *(wide for wide, _ in found.beside)]
        is_spared = bool(found.left_out) or not all(map(aim.is_missed, others))
        return (Verdict.INCONCLUSIVE if is_spared else Verdict.VIOLATED), is_spared
    if not aim.is_met(found.narrow):
        return Verdict.INCONCLUSIVE, False
    is_doubtful = aim.is_left_by(found.grows) or not all(aim.is_met(narrow) for _, narrow in found.beside)
    return (Verdict.INCONCLUSIVE if is_doubtful else Verdict.HOLDS), is_doubtful


def _shortage(means: SizeMeans) -> Clauses:
    """What is missing before anything is extrapolated."""
    sizes, factor = len(means.size), float(means.size[-1] / means.size[0])
    figures = {"sizes": sizes, "factor": factor}
    if sizes < MIN_SIZES or factor < MIN_FACTOR:
        have = f"{sizes} sizes over a factor of {factor:.3g} show no limit" if sizes > 1 else "one size shows no limit"
        words = f"finite size: {have}; {MIN_SIZES} over a factor of {MIN_FACTOR:g} are needed"
        return (Clause(Topic.FINITE_SIZE, words, figures),)
    fewest = int(means.count.min())
    if fewest < MIN_REPLICATES and not means.is_exact:
        words = f"only {fewest} replicates at a size, and {MIN_REPLICATES} are needed to see their noise"
        return (Clause(Topic.SHORTAGE, words, {"replicates": fewest}),)
    if means.is_constant:
        words = "the samples at each size are all equal, which says nothing of their scatter"
        return (Clause(Topic.SHORTAGE, words, {"replicates": fewest}),)
    return ()


def _next_step(setting: _Setting, policy: ErrorPolicy, count: int, rate: float | None) -> NextStep:
    """Larger sizes at which a sequence like the fitted one would decide."""
    means, found = setting.means, setting.found
    replicates = max(MIN_REPLICATES, round(float(np.median(means.count)))) if not means.is_exact else 1
    if found is None:
        if setting.shortage and setting.shortage[0].topic is Topic.SHORTAGE:
            return NextStep(Plan(len(means.size), 2 * replicates if means.is_constant else replicates))
        largest = max(float(means.size[-1]) * 2, MIN_FACTOR * float(means.size[0]))
        return _sizes(max(MIN_SIZES, len(means.size) + 1), replicates, largest)
    fitted = replace(means, mean=found.at(means.size))
    for growth in _GROWTH:
        last = float(means.size[-1])
        added = last * np.exp2(np.arange(1.0, round(math.log2(growth)) + 1))
        later = extrapolate(fitted.reaching(added, found.at(added), replicates), *_levels(policy, count), rate=rate)
        if later is not None and _verdict(later, setting.aim)[0] in _DECIDED:
            return _sizes(len(means.size) + len(added), replicates, float(added[-1]))
    words = f"no size up to {_GROWTH[-1] * float(means.size[-1]):.3g} would decide at this noise"
    return replace(NO_STEP, clauses=(Clause(Topic.ROUTE, f"{words}: more replicates, or another tolerance"),))


def _sizes(points: int, replicates: int, largest: float) -> NextStep:
    """So many sizes up to the largest."""
    words = f"sizes up to d = {largest:.4g}"
    return NextStep(Plan(points, replicates), clauses=(Clause(Topic.ROUTE, words, {"size": largest}),))


# -------------------------------------------------------------------------------------------------------- all sequences


def _together(judged: Sequence[_Setting], policy: ErrorPolicy, rate: float | None) -> Judgement:
    """One judgement of all sequences: violated by one, holding by all."""
    against = [each for each in judged if each.verdict is Verdict.VIOLATED]
    undecided = [each for each in judged if each.verdict is Verdict.INCONCLUSIVE]
    worst = max(against or undecided or judged, key=lambda each: each.distance)
    verdict, found = worst.verdict, worst.found
    wide, narrow = _levels(policy, len(judged))
    words, obstacles = _finding(worst), worst.shortage
    if verdict is Verdict.INCONCLUSIVE and found is not None:
        obstacles, words = (Clause(Topic.FINITE_SIZE, f"finite size: {words}", _figures(found)),), ""
    clauses = (Clause(Topic.FINDING, words, _figures(found)),) if words else ()
    if len(judged) > 1:
        counts = f"{len(against)} of {len(judged)} settings violated, {len(undecided)} undecided"
        at = f"{counts}; deciding: {worst.name}"
        clauses += (Clause(Topic.SETTING, at, {"violated": len(against), "undecided": len(undecided)}),)
    decided_by = None if found is None else found.narrow if verdict is Verdict.HOLDS else found.wide
    ruling = Ruling(
        rule=Rule.EXTRAPOLATION,
        relation=worst.aim.relation,
        estimand="limit by extrapolation",
        figure=None if found is None else found.value,
        interval=decided_by,
        level=narrow if verdict is Verdict.HOLDS else wide,
        threshold=worst.aim.tolerance,
        measured=None if found is None else found.value,
        measured_interval=None if found is None else found.wide,
        measured_level=wide,
        claimed=worst.aim.value,
        clauses=clauses,
        obstacles=obstacles,
    )
    step = _next_step(worst, policy, len(judged), rate) if verdict is Verdict.INCONCLUSIVE else NO_STEP
    effect = Effect(quantity=Quantity.LIMIT, relation=worst.aim.relation)
    if found is not None:
        effect = replace(effect, confidence_interval=found.wide, equivalence_interval=found.narrow)
        effect = replace(effect, interval_kind="profile", confidence=wide)
    explanation = Explanation(ruling, _measurements(judged), _adequacy(worst), next=step)
    return Judgement(verdict, explanation, effect=effect)


def _finding(setting: _Setting) -> str:
    """The limit beside the claimed one."""
    found, aim = setting.found, setting.aim
    if found is None:
        return ""
    stands = {Verdict.HOLDS: "within", Verdict.VIOLATED: "beyond"}.get(setting.verdict, "undecided about")
    last = f"mean {setting.means.mean[-1]:.4g} at d = {setting.means.size[-1]:.4g}"
    text = f"limit {found.value:.4g} {found.wide}, {stands} {aim}, from {last} by {found.words}"
    if found.power is not None:
        text += f" (power {found.power.low:.2g} to {found.power.high:.2g})"
    return text + (_doubt(found, aim) if setting.is_doubtful else "")


def _doubt(found: Extrapolation, aim: _Aim) -> str:
    """What stands in the way of a verdict that the usual corrections alone would get."""
    if not aim.is_missed(found.wide):
        return "; growth without a limit fits as well" if found.grows else "; a correction less usual leaves it open"
    if found.left_out:
        return "; sizes that no correction fits with the others were left out, so it is not said to be missed"
    return (
        f"; an approach slower than d^-{LEAST_POWER:g} or 1 / log d, with a second term or a shift may still reach it"
    )


def _figures(found: Extrapolation | None) -> dict[str, float | int | str | None]:
    if found is None:
        return {}
    return {"limit": found.value, "low": found.wide.low, "high": found.wide.high, "power": found.fit.power}


def _adequacy(setting: _Setting) -> Adequacy:
    """Which corrections were not rejected, and sizes that none of them fits."""
    found = setting.found
    if found is None:
        return Adequacy()
    kept = f"corrections that the data do not reject: {', '.join(found.corrections)}"
    clauses: Clauses = (Clause(Topic.REMARK, kept, {"corrections": len(found.corrections)}),)
    if found.left_out:
        sizes = ", ".join(f"{size:g}" for size in found.left_out)
        clauses += (Clause(Topic.LACK_OF_FIT, f"no correction fits with d = {sizes}, which are left out"),)
    return Adequacy((Topic.LACK_OF_FIT,), clauses)


def _measurements(judged: Sequence[_Setting]) -> Measurements:
    counts = np.concatenate([each.means.count for each in judged])
    sizes = np.concatenate([each.means.size for each in judged])
    return Measurements(
        len(sizes),
        unit="sizes",
        replicates=(int(counts.min()), int(counts.max())),
        axis_range=Interval(float(sizes.min()), float(sizes.max())),
    )
