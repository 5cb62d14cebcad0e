"""How fast a quantity approaches an offset that nobody knows: the order of its excess over E, as a verdict.

A loss falls to an irreducible part, a time has a fixed overhead, an error a floor. The claim is then about the excess,
measured - E = O(axis^c), and a line through logarithms of what was measured has neither that slope nor any other: it
bends. The estimand is the exponent of E + A axis^c with E >= 0 free, its interval the profile likelihood's
(`checks.statistics.laws`), and Delta = +-(measured exponent - c) is judged by the Delta rule like any other: *tight*,
*holds*, *loose*, *violated* or open.

What stands against a verdict:

- points scatter about the law by more than replicates explain (F test at 5 %): it is another law;
- the exponent drifts toward the limit. The law is fitted again without the points farthest from it, one after the
  other, down to five; a verdict must be right of each of these exponents, the drift continued as far again, unless the
  drift is no more than the errors of both fits. Two powers, or a power with a logarithm, look like one power with
  another offset, and nothing but the end of the grid tells them apart.

Where the data do not show that they depend on the axis, or do not bound the exponent, the verdict is open.
"""

from __future__ import annotations

import functools
import math
from collections.abc import Callable

import numpy as np
from numpy.typing import ArrayLike

from checks.statistics.arguments import Toward, finite_rows, limit_of, sign_of
from checks.statistics.delta_rule import MIN_POINTS, DeltaRule
from checks.statistics.explanation import Adequacy, Clause, Measurements, Topic
from checks.statistics.laws import OffsetPower, fit_offset_power
from checks.statistics.policy import CONFIDENCE, ErrorPolicy, policy_of
from checks.statistics.regression import Array
from checks.statistics.verdict import Exponents, Interval, Judgement, Verdict


def judge_excess(
    axis: ArrayLike,
    samples: ArrayLike,
    claimed_exponent: float,
    *,
    relation: str,
    margin: float,
    toward: Toward = "infinity",
    noise: str = "relative",
    checkpoints: bool | None = None,
    confidence: float = CONFIDENCE,
    policy: ErrorPolicy | None = None,
) -> Judgement:
    """Judge the order of what a quantity exceeds an unknown offset by: measured - E is of order axis^c, E >= 0.

    >>> n = np.geomspace(10.0, 1e5, 9)
    >>> noise = np.exp(0.01 * np.random.default_rng(0).standard_normal((9, 5)))
    >>> loss = (1.7 + 4 * n**-0.5)[:, None] * noise
    >>> [str(judge_excess(n, loss, c, relation="tight", margin=0.25).verdict) for c in (-0.5, -1.0)]
    ['tight', 'violated']

    Args:
        axis: what scales [points], > 0; at least five different values.
        samples: independent measurements [points, replicates], > 0, none censored; rows may have any lengths.
        claimed_exponent: c, the exponent of the excess in the axis.
        relation, margin, confidence, policy: as in `judge_scaling`.
        toward: the claim's limit, "infinity" or "zero".
        noise, checkpoints: as in `fit_offset_power`.

    Raises:
        ValueError: on input that breaks a rule above.
    """
    if not math.isfinite(claimed_exponent):
        raise ValueError(f"claimed_exponent must be a finite number, got {claimed_exponent}")
    if limit_of(toward) not in ("infinity", "zero"):
        raise ValueError(f"toward must be 'infinity' or 'zero' for an excess, got {toward!r}")
    rule, sign = DeltaRule(relation, margin, policy_of(confidence, policy)), sign_of(toward)
    axis = np.asarray(axis, dtype=float)
    rows = finite_rows("samples", samples, n_points=axis.size)

    @functools.cache
    def law(level: float) -> OffsetPower:
        return fit_offset_power(axis, rows, noise=noise, checkpoints=checkpoints, confidence=level)

    def interval(level: float) -> Interval:
        return _of_delta(law(level), rule, sign, claimed_exponent)

    found = law(rule.confidence)
    delta = _delta(found, rule, sign, claimed_exponent)
    verdict = rule.decide(interval)
    counts = [len(row) for row in rows]
    judgement = rule.judgement(
        verdict,
        delta=delta,
        interval=interval,
        kind="profile",
        sign=sign,
        evidence=Measurements(
            found.n_points,
            replicates=(min(counts), max(counts)),
            axis_range=Interval(float(axis.min()), float(axis.max())),
        ),
        adequacy=Adequacy((Topic.LACK_OF_FIT, Topic.STRAIGHTNESS), (_law_clause(found),)),
        exponents=Exponents(-float(found.alpha.value or 0.0), float(claimed_exponent)),
    )
    if verdict is Verdict.INCONCLUSIVE:
        return judgement
    if found.reason:
        return judgement.withdrawn(Verdict.INCONCLUSIVE, Clause(Topic.LACK_OF_FIT, f"no such law: {found.reason}"))

    def later(kept: Array) -> OffsetPower:
        own = [row for row, is_kept in zip(rows, kept, strict=True) if is_kept]
        return fit_offset_power(axis[kept], own, noise=noise, checkpoints=checkpoints, confidence=rule.confidence)

    drift = _drift(axis, later, rule, sign, claimed_exponent, verdict, delta)
    return judgement.withdrawn(Verdict.INCONCLUSIVE, drift) if drift else judgement


def _delta(law: OffsetPower, rule: DeltaRule, sign: float, claimed: float) -> float:
    """Delta of the fitted exponent."""
    return rule.delta(sign * (-float(law.alpha.value or 0.0) - claimed))


def _of_delta(law: OffsetPower, rule: DeltaRule, sign: float, claimed: float) -> Interval:
    """The interval of Delta at the confidence of a fit."""
    alpha = law.alpha.confidence_interval or Interval(-math.inf, math.inf)
    slope = Interval(-alpha.high - claimed, -alpha.low - claimed)
    return rule.of_delta(lambda level: slope if sign > 0 else -slope)(rule.confidence)


def _law_clause(law: OffsetPower) -> Clause:
    """The law with its three parameters."""
    return Clause(Topic.OTHER_LAW, law.words("axis"), {"offset": law.offset.value, "prefactor": law.prefactor.value})


def _drift(
    axis: Array,
    later: Callable[[Array], OffsetPower],
    rule: DeltaRule,
    sign: float,
    claimed: float,
    verdict: Verdict,
    delta: float,
) -> Clause | None:
    """How Delta drifts toward the limit where that undermines a verdict; None where it does not."""
    ordered = np.unique(sign * np.log(axis))
    for nearest in ordered[1 : len(ordered) - MIN_POINTS + 1]:
        kept = sign * np.log(axis) >= nearest
        law = later(kept)
        late = _delta(law, rule, sign, claimed)
        own = _of_delta(law, rule, sign, claimed)
        if rule.admits(verdict, 2 * late - delta) or delta in own:
            continue
        words = f"over the {int(kept.sum())} points nearest to the limit"
        words = f"finite size: Delta of the excess drifts from {delta:+.3g} to {late:+.3g} {words}"
        return Clause(Topic.FINITE_SIZE, words, {"delta": delta, "late": late})
    return None
