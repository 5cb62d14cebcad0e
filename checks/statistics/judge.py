"""Measured against claimed: the one place that callers take verdicts from.

Every rule lives in a module named for what it judges and is exported here: orders in `checks.statistics.order_rules`
(by the Delta rule, `checks.statistics.delta_rule`), the other kinds of claim in the modules named below.

*Hidden constants.* A claim with hidden constants is judged over their stated range, and gets the benefit of the doubt.
Where all choices are judged on the same points, the benefit costs nothing: their Deltas differ by a known shift, and a
claim that is wrong for each of them is spared only if the least wrong is. Where a choice decides which points count
(whether they lie in the claim's regime), each set of points is a draw of its own, and the mildest of several draws is
milder than any: so many sets, so much of the error for each [Bonferroni].

A few choices are no range: a claim that is right for c = 12 is wrong at 0, 30 and 60. So where all of them accuse, what
is claimed is enclosed over boxes that cover the ranges, and the accusation stands where it is violated at the extremes
of each enclosure (`violated_throughout`). Else the range is searched (`spared_within`) for the place where measured and
claimed lie nearest to each other, which is where a claim that can be spared is spared. A search proves nothing: where
it finds nothing the accusation is withdrawn, unless a constant moves the limit itself, which the reason says.
"""

from __future__ import annotations

import itertools
import math
from collections.abc import Callable, Collection, Hashable, Iterable, Mapping, Sequence
from dataclasses import replace
from fractions import Fraction
from typing import TypeVar

from scipy import optimize

from checks.statistics.arguments import signed_log_axis
from checks.statistics.comparisons import judge_paired
from checks.statistics.excess_rule import judge_excess
from checks.statistics.explanation import Clause, Topic
from checks.statistics.laws import OffsetPower, fit_offset_power
from checks.statistics.limits import judge_limit, judge_transition
from checks.statistics.order_rules import (
    fitted_exponent,
    judge_joint,
    judge_range,
    judge_rates,
    judge_rise,
    judge_scaling,
    judge_thresholds,
    judge_unspecified,
)
from checks.statistics.policy import ErrorPolicy
from checks.statistics.value_rules import (
    judge_attempts,
    judge_behaviour,
    judge_exact,
    judge_explicit,
    judge_fraction,
    judge_identity,
    judge_path_behaviour,
    judge_sufficient,
)
from checks.statistics.verdict import Interval, Judgement, Quantity, Verdict

Choice = TypeVar("Choice")

_SAME = 1e-9
"""Figures that differ by no more do so by rounding."""


def profile_constants(judge: Callable[[Choice], Judgement], candidates: Iterable[Choice]) -> Judgement:
    """Judge a claim over the stated range of its hidden constants: violated only if violated for all of them.

    The claim gets the benefit of the doubt: the mildest verdict counts, and among equals the one of smallest Delta.
    Choices that are judged on different points share the error: judge each at `shared_confidence`.

    >>> points = {"c = 1": (0, 1, 2, 3, 4), "c = 2": (2, 3, 4, 5, 6)}
    >>> round(shared_confidence(0.99, points.values()), 3)
    0.995

    Args:
        judge: the judgement at one choice of constants.
        candidates: choices, as {name: value} or as what prints as one; the explanation names the one that counts.
    """
    return profiled_choice(judge, candidates)[0]


def shared_confidence(confidence: float, points: Iterable[Collection[Hashable]]) -> float:
    """Confidence at which each choice is judged, so that the best of all is right at `confidence`.

    Args:
        confidence: what is asked for, in (0.5, 1).
        points: the points that each choice is judged on, in any form that can be compared.
    """
    return ErrorPolicy(confidence).of_choice(error_share(points)).interval_confidence


def error_share(points: Iterable[Collection[Hashable]]) -> float:
    """Share of the error for each choice: one over the number of different sets of points that any is judged on."""
    return 1 / max(1, len({frozenset(chosen) for chosen in points if len(chosen)}))


NODES = {1: 17, 2: 8, 3: 4}
"""Places on the range of each of so many constants at which the search begins; of more constants the two ends."""

EVALUATIONS = 60
"""Judgements for each constant, with which the search goes on from the best of those places."""


FAR = 1e6
"""Stands for a distance that is not known: a search compares numbers."""


def distance(judgement: Judgement) -> float:
    """How far measured and claimed lie apart: |Delta|, or the interval of measured / bound from 1; infinite if neither.

    Where the interval holds 1, by how far its middle is off, so that a search goes on smoothly.
    """
    if judgement.delta is not None:
        return abs(judgement.delta)
    ratio = judgement.confidence_interval
    if ratio is None or not 0 < ratio.low <= ratio.high < math.inf:
        return math.inf
    return abs(math.log(ratio.low) + math.log(ratio.high)) / 2


def spared_within(
    judge: Callable[[Mapping[str, float]], Judgement],
    ranges: Mapping[str, tuple[float, float]],
    start: Mapping[str, float],
) -> Mapping[str, float] | None:
    """A choice of constants within their ranges that is not violated, though `start` is; None where none was found.

    >>> import numpy as np
    >>> from checks.statistics.judge import judge_scaling
    >>> n = np.array([4.0, 8.0, 16.0, 32.0, 64.0, 128.0])
    >>> noise = np.exp(0.01 * np.random.default_rng(0).standard_normal((6, 5)))
    >>> samples = n[:, None] ** -0.7 * noise
    >>> def judge(choice):
    ...     return judge_scaling(n, samples, n ** -choice["c"], relation="tight", margin=0.1)
    >>> [str(judge({"c": c}).verdict) for c in (0, 1, 2)]
    ['violated', 'violated', 'violated']
    >>> choice = spared_within(judge, {"c": (0, 2)}, {"c": 1})
    >>> 0.6 < choice["c"] < 0.8, str(judge(choice).verdict)
    (True, 'tight')

    Args:
        judge: the judgement at one choice of all constants.
        ranges: low and high end of each constant.
        start: a choice from which the search begins.
    """
    free = {name: ends for name, ends in ranges.items() if ends[1] > ends[0]}

    def choice(place: Sequence[float]) -> Mapping[str, float]:
        return {
            **start,
            **{name: low + (high - low) * u for (name, (low, high)), u in zip(free.items(), place, strict=True)},
        }

    def far(place: Sequence[float]) -> float:
        return min(distance(judge(choice(place))), FAR)

    if not free:
        return None
    grid = [i / (NODES.get(len(free), 2) - 1) for i in range(NODES.get(len(free), 2))]
    nearest, first = min((far(place), place) for place in itertools.product(grid, repeat=len(free)))
    if nearest == FAR:
        return None
    step = grid[1] / 2
    corners = [
        [*first],
        *([*first[:i], u + (step if u < 0.5 else -step), *first[i + 1 :]] for i, u in enumerate(first)),
    ]
    found = optimize.minimize(
        far,
        first,
        method="Nelder-Mead",
        bounds=[(0.0, 1.0)] * len(free),
        options={"initial_simplex": corners, "maxfev": EVALUATIONS * len(free), "xatol": 1e-3, "fatol": 1e-4},
    )
    best = choice([float(u) for u in found.x])
    return best if judge(best).verdict is not Verdict.VIOLATED else None


Box = Mapping[str, tuple[Fraction, Fraction]]
"""A part of the ranges of some constants."""

MOST_BOXES = 128
"""Boxes that are judged before the ranges count as not covered."""


def violated_throughout(judge: Callable[[Box], Sequence[Judgement]], ranges: Box) -> int:
    """In how many boxes that cover the ranges a claim is violated whatever its constants; 0 where it may be spared.

    A box is settled where all its extremes are violated on the same side; others are cut in two.

    >>> from checks.statistics.judge import judge_explicit
    >>> measured = [[7.0 + 0.01 * (-1) ** i for i in range(20)]]
    >>> def extremes(box):  # claimed at most 4 c (1 - c), which is enclosed by 4 low (1 - high) and 4 high (1 - low)
    ...     low, high = map(float, box["c"])
    ...     return [judge_explicit(measured, [4 * end], relation="upper", confidence=0.95)
    ...             for end in (low * (1 - high), high * (1 - low))]
    >>> violated_throughout(extremes, {"c": (Fraction(0), Fraction(1))})
    1

    Args:
        judge: the judgements at what bounds the claim on a box on either side; none where nothing does.
        ranges: low and high end of each constant, exact.
    """
    full = {name: high - low for name, (low, high) in ranges.items()}
    left, settled = [dict(ranges)], 0
    for _ in range(MOST_BOXES):
        box = left.pop()
        if _violated_alike(judge(box)):
            settled += 1
            if not left:
                return settled
            continue
        widest = max(box, key=lambda name: (box[name][1] - box[name][0]) / (full[name] or 1))
        low, high = box[widest]
        if low == high:
            return 0
        middle = (low + high) / 2
        left += [{**box, widest: (middle, high)}, {**box, widest: (low, middle)}]
    return 0


def _violated_alike(judged: Sequence[Judgement]) -> bool:
    """Whether all are violated, where they have a Delta on the same side."""
    sides = {math.copysign(1.0, one.delta or 0.0) for one in judged}
    return bool(judged) and len(sides) == 1 and all(one.verdict is Verdict.VIOLATED for one in judged)


Ranges = Mapping[str, tuple[float, float]]
"""Low and high end of each constant."""


def settled(judgement: Judgement, boxes: int, ranges: Ranges) -> Judgement:
    """An accusation that so many boxes settle for all constants."""
    words = f"enclosed and violated for all {_over(ranges)}"
    return judgement.adding(choices=(Clause(Topic.CONSTANTS, words, {"boxes": boxes}),))


def searched(judgement: Judgement, ranges: Ranges) -> Judgement:
    """An accusation whose constants move the limit itself, so that boxes of them have no axis in common."""
    words = f"searched and violated for {_over(ranges)}, but not enclosed, since that moves the limit"
    return judgement.adding(choices=(Clause(Topic.CONSTANTS, words),))


def left_open(judgement: Judgement, ranges: Ranges) -> Judgement:
    """An accusation that nothing settles for all constants, withdrawn."""
    words = f"violated at every choice of the constants that was tried, but not shown to be for all {_over(ranges)}"
    return judgement.withdrawn(Verdict.INCONCLUSIVE, Clause(Topic.CONSTANTS, words))


def _over(ranges: Ranges) -> str:
    return ", ".join(f"{name} in [{low:.4g}, {high:.4g}]" for name, (low, high) in ranges.items())


def profiled_choice(judge: Callable[[Choice], Judgement], candidates: Iterable[Choice]) -> tuple[Judgement, Choice]:
    """As `profile_constants`, with the choice that counts."""
    judged = [(candidate, judge(candidate)) for candidate in candidates]
    if not judged:
        raise ValueError("candidates must hold at least one choice of constants, got none")

    def favour(pair: tuple[Choice, Judgement]) -> tuple[int, float]:
        return pair[1].verdict.severity, _how_far(pair[1])

    chosen, best = min(judged, key=favour)
    best = over_choices(best, [judgement for _, judgement in judged])
    words = ", ".join(f"{k} = {v}" for k, v in chosen.items()) if isinstance(chosen, Mapping) else str(chosen)
    if not words:
        return best, chosen
    every = best.verdict is Verdict.VIOLATED and len(judged) > 1
    said = f"constants chosen: {words}"
    if every:
        said = f"{best.verdict} for all {len(judged)} choices of the constants, least at {words}"
    return best.adding(choices=(Clause(Topic.CONSTANTS, said, {"choices": len(judged), "chosen": words}),)), chosen


def _how_far(judgement: Judgement) -> float:
    """How far the measured quantity lies from the claim: by Delta, or by the near end of the ratio's interval."""
    delta, effect = judgement.delta, judgement.effect
    if delta is not None:
        return abs(delta)
    ratio = effect.confidence_interval if effect.quantity is Quantity.RATIO else None
    if ratio is None or ratio.low <= 0:
        return math.inf
    return 0.0 if 1 in ratio else min(abs(math.log(ratio.low)), abs(math.log(ratio.high)))


def over_choices(chosen: Judgement, judged: Sequence[Judgement]) -> Judgement:
    """The judgement that counts, with the ranges of Delta and of both exponents over all choices of constants."""
    claimed = [(one.exponents.on_grid, one.exponents.on_grid_range) for one in judged]
    measured = [(one.exponents.measured, one.exponents.measured_range) for one in judged]
    deltas = [(one.delta, one.effect.delta_range) for one in judged]
    return replace(
        chosen,
        exponents=replace(chosen.exponents, on_grid_range=_hull(claimed), measured_range=_hull(measured)),
        effect=replace(chosen.effect, delta_range=_hull(deltas)),
    )


def _hull(figures: Iterable[tuple[float | None, Interval | None]]) -> Interval | None:
    """From the least to the largest figure, each alone or with a range of its own; None where all are the same."""
    ends = [end for value, range_ in figures for end in ((range_.low, range_.high) if range_ else (value, value))]
    known = [end for end in ends if end is not None]
    return Interval(min(known), max(known)) if known and max(known) - min(known) > _SAME else None


__all__ = [
    "OffsetPower",
    "fit_offset_power",
    "fitted_exponent",
    "judge_attempts",
    "judge_behaviour",
    "judge_exact",
    "judge_excess",
    "judge_explicit",
    "judge_fraction",
    "judge_identity",
    "judge_joint",
    "judge_limit",
    "judge_paired",
    "judge_path_behaviour",
    "judge_range",
    "judge_rates",
    "judge_rise",
    "judge_scaling",
    "judge_sufficient",
    "judge_thresholds",
    "judge_transition",
    "judge_unspecified",
    "left_open",
    "profile_constants",
    "profiled_choice",
    "searched",
    "settled",
    "signed_log_axis",
    "spared_within",
    "violated_throughout",
]
