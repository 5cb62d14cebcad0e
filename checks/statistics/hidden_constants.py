"""A claim with hidden constants is judged over their stated range, and gets the benefit of the doubt.

Where all choices are judged on the same points, the benefit costs nothing: their Deltas differ by a known shift, and a
claim that is wrong for each of them is spared only if the least wrong is. Where a choice decides which points count
(whether they lie in the claim's regime), each set of points is a draw of its own, and the mildest of several draws is
milder than any: so many sets, so much of the error for each [Bonferroni].
"""

from __future__ import annotations

import math
from collections.abc import Callable, Collection, Hashable, Iterable, Mapping, Sequence
from dataclasses import replace
from typing import TypeVar

from checks.statistics.explanation import Clause, Topic
from checks.statistics.policy import ErrorPolicy
from checks.statistics.verdict import Interval, Judgement, Verdict

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


def profiled_choice(judge: Callable[[Choice], Judgement], candidates: Iterable[Choice]) -> tuple[Judgement, Choice]:
    """As `profile_constants`, with the choice that counts."""
    judged = [(candidate, judge(candidate)) for candidate in candidates]
    if not judged:
        raise ValueError("candidates must hold at least one choice of constants, got none")

    def favour(pair: tuple[Choice, Judgement]) -> tuple[int, float]:
        delta = pair[1].delta
        return pair[1].verdict.severity, math.inf if delta is None else abs(delta)

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
