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
from collections.abc import Callable, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike, NDArray

from checks.statistics.arguments import Toward, finite_rows, limit_of, sign_of
from checks.statistics.delta_rule import MIN_POINTS, DeltaRule
from checks.statistics.explanation import NO_STEP, Adequacy, Clause, Measurements, NextStep, Topic
from checks.statistics.laws import LOGARITHM, OffsetLaws, OffsetPower, OtherOffsetLaw, SumOfPowers, fit_offset_power
from checks.statistics.policy import CONFIDENCE, FURTHER, ErrorPolicy, policy_of
from checks.statistics.regression import Array
from checks.statistics.verdict import Exponents, Interval, Judgement, Plan, Verdict


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
    axis = np.asarray(axis, dtype=float)
    rows = finite_rows("samples", samples, n_points=axis.size)

    @functools.cache
    def law(level: float, left_out: int = 0) -> OffsetPower:
        kept = _kept(axis, left_out, sign_of(toward))
        own = [rows[i] for i in kept]
        return fit_offset_power(axis[kept], own, noise=noise, checkpoints=checkpoints, confidence=level)

    rule = DeltaRule(relation, margin, policy_of(confidence, policy), float(claimed_exponent))

    def others() -> OffsetLaws:
        asked = {"noise": noise, "checkpoints": checkpoints, "confidence": rule.confidence}
        return OffsetLaws(axis, rows, sign=sign_of(toward), **asked)

    judged = _Excess(law, others, rule, sign_of(toward), float(claimed_exponent))
    return judged.judged(axis, [len(row) for row in rows])


def _kept(axis: Array, left_out: int, sign: float) -> NDArray[np.intp]:
    """Which points remain without so many values of the axis that lie farthest from the limit."""
    return np.flatnonzero(sign * axis >= np.unique(sign * axis)[left_out])


@dataclass(frozen=True)
class _Excess:
    """A claimed exponent and the laws fitted to all points, or to those nearest to the limit.

    Attributes:
        law: by its confidence and the number of points left out.
        others: laws beside a pure power that fit as well.
        rule: relation and margin.
        sign: of the axis toward its limit.
        claimed: exponent of the excess.
    """

    law: Callable[..., OffsetPower]
    others: Callable[[], OffsetLaws]
    rule: DeltaRule
    sign: float
    claimed: float

    def judged(self, axis: Array, counts: Sequence[int]) -> Judgement:
        """The rule's word, withdrawn where something stands against it."""
        rule = self.rule
        found, verdict = self.law(rule.confidence), rule.decide(self.interval)
        words = found.words("axis")
        law = Clause(Topic.OTHER_LAW, words, {"offset": found.offset.value, "prefactor": found.prefactor.value})
        judgement = rule.judgement(
            verdict,
            delta=self.delta(found),
            interval=self.interval,
            kind="profile",
            sign=self.sign,
            evidence=Measurements(
                found.n_points,
                replicates=(min(counts), max(counts)),
                axis_range=Interval(float(axis.min()), float(axis.max())),
            ),
            adequacy=Adequacy((Topic.LACK_OF_FIT, Topic.STRAIGHTNESS), (law,)),
            next_step=self._more(found.n_points, min(counts)) if verdict is Verdict.INCONCLUSIVE else NO_STEP,
            exponents=Exponents(-float(found.alpha.value or 0.0), self.claimed),
        )
        if verdict is Verdict.INCONCLUSIVE:
            return judgement
        misfit = Clause(Topic.LACK_OF_FIT, f"no such law: {found.reason}") if found.reason else None
        obstacle = misfit or self._drift(verdict, found.n_points)
        if obstacle is None:
            return self._unless_another(judgement, verdict)
        words = "larger sizes would" if misfit is None else "another law, or sizes where this one begins to hold"
        return judgement.withdrawn(Verdict.INCONCLUSIVE, obstacle).adding(next=(Clause(Topic.ROUTE, words),))

    def _unless_another(self, judgement: Judgement, verdict: Verdict) -> Judgement:
        """The judgement, withdrawn where it is not that of every law that fits as well; a bound that all pass holds."""
        others = self.others()
        kept = [law for law in others.kept if not self._needs_no_other(law, verdict)]
        asked = [law for law in kept if verdict is Verdict.VIOLATED or law.words != LOGARITHM]
        said = {law: self.rule.decide(functools.partial(self._of_other, others, law)) for law in asked}
        better = others.kept[0] if others.is_rejected else None
        against = next((law for law in said if said[law] is not verdict), better)
        if against is None:
            return judgement
        fits = "fits better" if others.is_rejected else "fits as well"
        found = self._of_other(others, against, self.rule.confidence)
        words = f"{against.words} {fits}, with alpha = {against.alpha:.3g}, Delta in {found}"
        clause = Clause(Topic.OTHER_LAW, words, {"alpha": against.alpha})
        if {verdict, *said.values()} <= {Verdict.TIGHT, Verdict.HOLDS, Verdict.LOOSE} and self.rule.relation != "tight":
            return judgement if verdict is Verdict.HOLDS else judgement.withdrawn(Verdict.HOLDS, clause)
        route = (
            "sizes over a longer range would; or where the offset is known, what lies beyond it, judged as an order "
            "against the formula with its shift"
        )
        return judgement.withdrawn(Verdict.INCONCLUSIVE, clause).adding(next=(Clause(Topic.ROUTE, route),))

    def _needs_no_other(self, law: OtherOffsetLaw | SumOfPowers, verdict: Verdict) -> bool:
        """Whether this is a sum of two powers of which the faster one alone fits, and says the same: both always do."""
        if not isinstance(law, SumOfPowers):
            return False
        alpha = self.law(self.rule.confidence).alpha.confidence_interval
        alone = self._of_alpha(Interval(law.faster, law.faster))
        return alpha is not None and law.faster in alpha and self.rule.decide(alone) is verdict

    def _of_other(self, others: OffsetLaws, law: OtherOffsetLaw | SumOfPowers, level: float) -> Interval:
        """Of Delta by another law."""
        return self._of_alpha(law.interval(level, law.squares - others.least))(level)

    def _more(self, n_points: int, replicates: int) -> NextStep:
        """As many replicates as decide if Delta is what it seems; sizes nearer the limit where its interval has no end.

        The interval is a profile's, whose ends may lie at unlike distances: the farthest of all laws that fit counts,
        each of which comes nearer or is rejected where noise falls.
        """
        delta = self.delta(self.law(self.rule.confidence))
        level = self.rule.deciding_confidence(delta)
        others = self.others()
        told = [law for law in others.kept if not isinstance(law, SumOfPowers)]  # whose exponents have no width
        every = [self.interval(level), *(self._of_other(others, law, level) for law in told)]
        half = max(max(ends.high - delta, delta - ends.low) for ends in every)
        if not math.isfinite(half):
            words = "sizes nearer to the limit, where the offset is most of what is measured, bound the exponent"
            return NextStep(clauses=(Clause(Topic.ROUTE, words),))
        growth = max(self.rule.policy.times_as_many(half, self.rule.gap(delta), level), FURTHER)
        return self.rule.next_step(Plan(n_points, math.ceil(growth * replicates)), "replicates", delta)

    def delta(self, law: OffsetPower) -> float:
        """Delta of a fitted exponent."""
        return self.rule.delta(self.sign * (-float(law.alpha.value or 0.0) - self.claimed))

    def interval(self, level: float, left_out: int = 0) -> Interval:
        """Of Delta."""
        return self._of_alpha(self.law(level, left_out).alpha.confidence_interval)(level)

    def _of_alpha(self, alpha: Interval | None) -> Callable[[float], Interval]:
        """Delta by level, of an interval of alpha; None says nothing."""
        alpha = alpha or Interval(-math.inf, math.inf)
        slope = Interval(-alpha.high - self.claimed, -alpha.low - self.claimed)
        return self.rule.of_delta(lambda _: slope if self.sign > 0 else -slope)

    def _drift(self, verdict: Verdict, n_points: int) -> Clause | None:
        """How Delta drifts toward the limit where that undermines a verdict; None where it does not."""
        level, delta = self.rule.confidence, self.delta(self.law(self.rule.confidence))
        for left_out in range(1, n_points - MIN_POINTS + 1):
            late = self.delta(self.law(level, left_out))
            if self.rule.admits(verdict, 2 * late - delta) or delta in self.interval(level, left_out):
                continue
            where = f"over the {n_points - left_out} values nearest to the limit"
            words = f"finite size: Delta of the excess drifts from {delta:+.3g} to {late:+.3g} {where}"
            return Clause(Topic.FINITE_SIZE, words, {"delta": delta, "late": late})
        return None
