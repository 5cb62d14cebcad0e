"""Evidence that lies along a curve inside each trial: exponents in time, and exact trajectories.

`Rate` fits one slope per independent seed, so that seeds decide the interval; `Range` reads a deterministic trajectory,
which has no sampling error, window by window.
"""

from __future__ import annotations

import functools
import itertools
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from typing import TYPE_CHECKING

import sympy as sp

from checks.evidence.comparison import exponent_words, in_scaling_family, make_row, relation_of, sane
from checks.evidence.kinds import judged_as
from checks.evidence.later import exponents, np, order_rules, rules
from checks.evidence.part import Part
from checks.records.pictures import Curve
from checks.records.rows import Point, Row
from checks.statistics.explanation import Clause, Topic, obstacle
from checks.statistics.verdict import Judgement, Verdict
from sim.trials.trial import Outcome, Trial
from theory.claim import Axis, Claim, Kind, at

if TYPE_CHECKING:
    import numpy as np

    Array = np.ndarray

Letters = frozenset[tuple[sp.Symbol, sp.Expr]]
"""Letters of a trial with their numbers."""
MIN_RECORDS = 3
"""Points that a window must hold for a slope to mean anything."""


@dataclass(frozen=True)
class ClaimedRate:
    """The slope that a claim has along its axis, in units of `unit`; 0 where its rate hides a constant."""

    slope: float
    unit: float = 1.0
    exponential: bool = False

    def middle(self, first: float, last: float) -> float:
        """Half way along the abscissa of the law."""
        return (first + last) / 2 if self.exponential else (first * last) ** 0.5


def claimed_law(claim: Claim, axis: Axis, point: Mapping[sp.Symbol, sp.Expr]) -> ClaimedRate:
    """What a claim's value is along an axis: a power, or an exponential exp(r t + ...) of a rate r.

    Raises:
        ValueError: where it is neither.
    """
    try:
        power = at(_exponent(claim.formula, axis), point)
        if not power.is_number:
            raise ValueError(f"its exponent {power} hides a constant")
        return ClaimedRate(float(power))
    except ValueError as neither:
        rate = sp.diff(sp.expand_log(sp.log(claim.formula), force=True), axis.symbol)
        if axis.symbol in rate.free_symbols or rate == 0:
            rule = f"the value must be a power or an exponential in {axis.symbol} for a rate, got {claim.formula}"
            raise ValueError(f"{rule} ({neither}); state its leading order, or use Scaling") from None
        size = at(rate, point)
        if not size.is_number:
            return ClaimedRate(
                -1.0 if sp.N(size.xreplace(dict.fromkeys(size.free_symbols, sp.S.One))) < 0 else 1.0, 0.0, True
            )
        return ClaimedRate(float(sp.sign(size)), abs(float(size)), True)


def claimed_laws(claim: Claim, axis: Axis, points: Iterable[Letters]) -> dict[Letters, ClaimedRate]:
    """What a claim's value is along an axis at each of some points, with one slope for all.

    Raises:
        ValueError: where it is neither a power nor an exponential, or slopes differ.
    """
    laws = {point: claimed_law(claim, axis, dict(point)) for point in points}
    if len({law.slope for law in laws.values()}) > 1:
        raise ValueError(
            f"the value must have one exponent in {axis.symbol} for all trials of a part; split it by exponent"
        )
    return laws


@functools.cache
def _exponent(formula: sp.Expr, axis: Axis) -> sp.Expr:
    """The power of an axis in a formula; every table and every plan asks again."""
    return exponents.exponent(formula, axis.symbol, toward=axis.toward)


@dataclass(frozen=True, kw_only=True)
class Rate(Part):
    """A rate along an axis inside each trial (time): one slope per seed, over a window stated beforehand.

    A claimed power is compared with slopes of log quantity against log axis; a claimed exponential, such as exp(-c t),
    with slopes against the axis itself, in units of its own rate. A rate with a hidden constant is any rate: then only
    a change of slope along the curve speaks against it.

    `quantity` maps a trial and a value of the hidden constant to (axis [points], positive quantity [points]); None
    means that the trial contradicts this value. At each axis value it must move one way as the constant grows, so that
    what it is between two values is known from them. `window` has two shares of each trial's last axis value, 0 <= low
    < high <= 1, not axis values as `decay_rate` takes them: trials may end at different times. `values` sample the
    hidden constant's stated range. `axis_words` says what the axis is. `ended` says what it means that a trial
    converged, where that ends its curve for good.
    """

    symbol: sp.Symbol
    quantity: Callable[[Trial, float], tuple[Array, Array] | None]
    constant: str
    values: tuple[float, ...]
    window: tuple[float, float]
    contradiction: str
    axis_words: str = ""
    ended: str = ""

    def __post_init__(self) -> None:
        super().__post_init__()
        low, high = self.window
        if not 0 <= low < high <= 1:
            raise ValueError(
                "window must be two shares of each trial's last axis value, 0 <= low < high <= 1, got "
                f"{self.window} for part {self.name!r}; (0.1, 1.0) is its last nine tenths"
            )

    def axes(self, claim: Claim) -> Sequence[Axis | None]:
        """The one axis judged."""
        return [claim.axis(self.symbol)]

    @property
    def has_sampling_error(self) -> bool:
        """Each trial is a draw."""
        return True

    @property
    def kinds(self) -> frozenset[Kind]:
        """Orders alone."""
        return frozenset({Kind.UPPER, Kind.LOWER, Kind.TIGHT})

    def judges_limit(self, claim: Claim) -> bool:
        """Slopes toward the limit are."""
        return True

    def judge(self, claim: Claim, trials: Sequence[Trial]) -> list[Row]:
        """Delta rule with one slope per seed, profiled over the hidden constant."""
        axis = claim.axis(self.symbol)
        points = {id(trial): frozenset(self.point(trial).items()) for trial in trials}
        try:
            laws = claimed_laws(claim, axis, set(points.values()))
        except ValueError as error:  # the claim's doing, not that of the trials
            undefined = obstacle(Topic.UNDEFINED, str(error))
            return [make_row(self, claim, Judgement(Verdict.INCONCLUSIVE, undefined), trials, axis=axis)]
        law = laws[points[id(trials[0])]]
        n_curves = len(sane(trials))
        found = {value: self.within(trials, value) for value in self.values}
        ended = self.ended if any(trial.result.outcome is Outcome.CONVERGED for trial in sane(trials)) else ""

        def judged(within: Sequence[tuple[Trial, Curve]]) -> Judgement:
            if 2 * len(within) < n_curves:
                shown = rules.judge_behaviour(len(within), n_curves, rate=0.5, confidence=self.confidence)
                words = f"{self.contradiction} in {n_curves - len(within)} of {n_curves} runs"
                return shown.adding(decision=(Clause(Topic.COUNTS, words),))
            units = [laws[points[id(trial)]].unit for trial, _ in within]
            slopes, late_slopes = _slopes(law, axis, [curve for _, curve in within], units)
            return rules.judge_rates(
                slopes,
                law.slope,
                relation=relation_of(claim.kind),
                margin=float(claim.margin),
                sign=1 if axis.toward == "infinity" else -1,
                late_slopes=late_slopes,
                own_units=not law.unit,
                ended=ended,
                policy=in_scaling_family(self.policy, claim),
            )

        def judge(constants: Mapping[str, float]) -> Judgement:
            value = constants[self.constant]
            return judged(found[value] if value in found else self.within(trials, value))

        judgement, chosen = rules.profiled_choice(judge, [{self.constant: value} for value in self.values])
        if judgement.verdict is Verdict.VIOLATED and len(self.values) > 1:
            turned = functools.partial(_turned, exponential=law.exponential)
            judgement, chosen = self._everywhere(
                trials, judge, lambda *ends: map(judged, turned(*ends)), judgement, chosen
            )
        curves = [curve for _, curve in self.within(trials, chosen[self.constant])]
        return [_row(self, claim, judgement, trials, curves=curves)]

    def _everywhere(
        self,
        trials: Sequence[Trial],
        judge: Callable[[Mapping[str, float]], Judgement],
        extremes_of: Callable[..., Iterable[Judgement]],
        judgement: Judgement,
        chosen: Mapping[str, float],
    ) -> tuple[Judgement, Mapping[str, float]]:
        """An accusation that stands for all values of the constant, or what spares the claim; withdrawn else.

        Between two values each curve lies between its two, as `quantity` moves one way.

        Args:
            judge: the judgement at a value.
            extremes_of: those of the curves that bound all between curves at two values.
        """
        ranges = {self.constant: (min(self.values), max(self.values))}

        def extremes(box: Mapping[str, tuple[Fraction, Fraction]]) -> list[Judgement]:
            return list(extremes_of(*(self.within(trials, float(end)) for end in box[self.constant])))

        exact = {self.constant: (Fraction(min(self.values)), Fraction(max(self.values)))}
        boxes = rules.violated_throughout(extremes, exact)
        if boxes:
            return rules.settled(judgement, boxes, ranges), chosen
        spared = rules.spared_within(judge, ranges, chosen)
        if spared is None:
            return rules.left_open(judgement, ranges), chosen
        return rules.profiled_choice(judge, [spared])

    def within(self, trials: Sequence[Trial], value: float) -> list[tuple[Trial, Curve]]:
        """The trials, with their curves, that do not contradict this value of the hidden constant."""
        low, high = self.window
        pairs = [(trial, self.quantity(trial, value)) for trial in sane(trials)]
        return [
            (trial, Curve(t, y, (t >= low * t.max(initial=0)) & (t <= high * t.max(initial=0))))
            for trial, (t, y) in ((trial, curve) for trial, curve in pairs if curve is not None)
        ]


def _slopes(
    law: ClaimedRate, axis: Axis, curves: Sequence[Curve], units: Sequence[float]
) -> tuple[list[float], list[float]]:
    """The slope of each curve over its window, and over the half of it nearer to the limit, in units of the claim's."""
    slopes, late_slopes = [], []
    for curve, unit in zip(curves, units, strict=True):
        t, y = curve.axis[curve.judged], curve.measured[curve.judged]
        middle = law.middle(t[0], t[-1]) if len(t) else 0.0
        late = (middle, t[-1]) if axis.toward == "infinity" else (t[0], middle)
        if ((t >= late[0]) & (t <= late[1])).sum() >= MIN_RECORDS:
            whole, end = (
                float(order_rules.decay_rate(t, y, window=window, exponential=law.exponential)[0])
                for window in ((t[0], t[-1]), late)
            )
            size = unit or abs(whole) or 1.0  # a curve that stands still has slope 0 in any unit
            slopes.append(whole / size)
            late_slopes.append(end / size)
    return slopes, late_slopes


def _turned(
    low: Sequence[tuple[Trial, Curve]], high: Sequence[tuple[Trial, Curve]], *, exponential: bool
) -> list[list[tuple[Trial, Curve]]]:
    """Of all curves between two of each trial those that rise least and most over the window; none where trials, or
    points of a curve, count at one end alone.
    """
    found: list[list[tuple[Trial, Curve]]] = [[], []]
    if [id(trial) for trial, _ in low] != [id(trial) for trial, _ in high]:
        return []
    for (trial, one), (_, other) in zip(low, high, strict=True):
        if not np.array_equal(one.axis, other.axis):
            return []
        x = one.axis if exponential else np.log(one.axis)
        is_late = x > (x[one.judged].mean() if one.judged.any() else 0.0)
        ends = np.minimum(one.measured, other.measured), np.maximum(one.measured, other.measured)
        for curves, (late, early) in zip(found, (ends, ends[::-1]), strict=True):
            curves.append((trial, replace(one, measured=np.where(is_late, late, early))))
    return found


@dataclass(frozen=True, kw_only=True)
class Range(Part):
    """Exact dynamics: local slopes of measured over claimed, over windows of the axis stated beforehand.

    `quantity` maps a trial to (axis, measured, claimed), all [points], in any order, axis > 0, claimed > 0. `n_windows`
    equal windows in log axis cover each trial. Measured values that are not positive have no logarithm; they are
    counted and handed to the rule. `axis_words` says what the axis is. `reads` are letters of the claim's value that
    are read off the trial beside the axis, and move with it.
    """

    symbol: sp.Symbol
    quantity: Callable[[Trial, Claim], tuple[Array, Array, Array]]
    n_windows: int = 4
    axis_words: str = ""
    reads: tuple[sp.Symbol, ...] = ()

    def axes(self, claim: Claim) -> Sequence[Axis | None]:
        """The one axis judged."""
        return [claim.axis(self.symbol)]

    @property
    def kinds(self) -> frozenset[Kind]:
        """Orders, families of orders among them."""
        return frozenset({Kind.UPPER, Kind.LOWER, Kind.TIGHT, Kind.UNSPECIFIED_ORDER, Kind.EVERY_ALGORITHM})

    def judges_limit(self, claim: Claim) -> bool:
        """Slopes toward the limit are."""
        return True

    def judge(self, claim: Claim, trials: Sequence[Trial]) -> list[Row]:
        """Delta rule on the range of local slopes; deterministic, so a range and no confidence interval."""
        axis = claim.axis(self.symbol)
        sign = 1 if axis.toward == "infinity" else -1
        slopes: list[float] = []
        claimed_slopes: list[float] = []
        places: list[float] = []
        points: list[Point] = []
        curves: list[Curve] = []
        n_wrong_sign = 0
        for trial in sane(trials):
            x, measured, claimed = map(np.asarray, self.quantity(trial, claim))
            if len(x) < MIN_RECORDS:
                continue
            rising = np.argsort(x, kind="stable")
            x, measured, claimed = x[rising], measured[rising], claimed[rising]
            positive = measured > 0
            n_wrong_sign += int((~positive).sum())
            x, measured, claimed = x[positive], measured[positive], claimed[positive]
            if len(x) < MIN_RECORDS:
                continue
            ratio = np.log(measured / claimed)
            edges = np.linspace(np.log(x[0]), np.log(x[-1]), self.n_windows + 1)
            for low, high in itertools.pairwise(edges):
                inside = (np.log(x) >= low - 1e-12) & (np.log(x) <= high + 1e-12)
                if inside.sum() >= MIN_RECORDS:
                    slopes.append(sign * float(np.polyfit(np.log(x[inside]), ratio[inside], 1)[0]))
                    claimed_slopes.append(float(np.polyfit(np.log(x[inside]), np.log(claimed[inside]), 1)[0]))
                    places.append(sign * float(low + high) / 2)
            scale = float(np.exp(ratio.mean()))
            curves.append(Curve(x, measured, np.ones(len(x), dtype=bool), claimed * scale))
            shown = np.unique(np.linspace(0, len(x) - 1, 12).astype(int))
            points += [Point(float(x[i]), float(claimed[i]) * scale, float(measured[i]), n_trials=1) for i in shown]
        if slopes:
            relation, margin = relation_of(claim.kind), float(claim.margin)
            judgement = rules.judge_range(
                slopes,
                relation=relation,
                margin=margin,
                claimed_slope=float(np.mean(claimed_slopes)),
                sign=sign,
                n_wrong_sign=n_wrong_sign,
                places=places,
            )
            judgement = judged_as(claim.kind, judgement)
        else:
            words = f"no window of the trajectories holds {MIN_RECORDS} points with a defined logarithm"
            judgement = Judgement(Verdict.INCONCLUSIVE, obstacle(Topic.UNDEFINED, words))
        row = _row(self, claim, judgement, trials, curves=curves, points=tuple(points))
        return [replace(row, beside=frozenset(self.reads))]


def _row(
    part: Rate | Range,
    claim: Claim,
    judgement: Judgement,
    trials: Sequence[Trial],
    *,
    curves: Sequence[Curve],
    points: tuple[Point, ...] = (),
) -> Row:
    """A row with the curves that its judgement was read from."""
    axis = claim.axis(part.symbol)
    return make_row(
        part,
        claim,
        judgement,
        trials,
        points=points,
        axis=axis,
        exponent=exponent_words(claim, axis),
        axis_words=part.axis_words,
        curves=tuple(curves),
    )
