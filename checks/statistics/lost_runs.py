"""Runs that were lost: whether the verdict on those that are left could be another one with them.

A run that failed for a reason of its own takes nothing with it but precision. One that failed because its value was
large (it diverged, it ran out of memory) leaves the smaller ones behind, and the mean of those is biased. The data do
not tell the two apart. So Delta is worked out twice more, with the lost runs taken as larger and as smaller than all
that were seen at their point, by the likelihood of censored runs. A verdict that both would give as well stands. The
intervals are the hull of all three.
"""

from __future__ import annotations

from dataclasses import replace

import numpy as np
from numpy.typing import NDArray

from checks.statistics.delta_rule import DeltaRule
from checks.statistics.explanation import Clause, Topic
from checks.statistics.points import Array, points_from_samples
from checks.statistics.regression import Line, fit_line
from checks.statistics.verdict import Interval, Judgement, Verdict


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
