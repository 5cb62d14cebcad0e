"""What parts share that compare a claimed value along one axis of a sweep."""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, ClassVar

import sympy as sp

from checks.evidence.comparison import (
    OUTSIDE,
    Candidate,
    exponent_words,
    make_row,
    profile,
    relation_of,
    scaled_points,
    scan,
    shown_slopes,
)
from checks.evidence.kinds import judged_as
from checks.evidence.later import bound_trend
from checks.evidence.linear_figures import as_pictured
from checks.evidence.part import Outside, Part
from checks.evidence.translation import Symbols
from checks.records.rows import Point, Row
from checks.statistics.approaches import LEAST_POWER, MOST_POWER
from checks.statistics.verdict import Interval, Judgement
from sim.trials.trial import Trial
from theory.claim import Axis, Claim, Kind

if TYPE_CHECKING:
    from checks.statistics.estimates import Estimate


ORDERS = frozenset({Kind.UPPER, Kind.LOWER, Kind.TIGHT, Kind.UNSPECIFIED_ORDER, Kind.EVERY_ALGORITHM})
"""Kinds whose value is an order: hidden prefactor, judged by the Delta rule."""

EXPLICIT_BOUNDS = frozenset({Kind.EXPLICIT_UPPER, Kind.EXPLICIT_LOWER})

VALUED = ORDERS | EXPLICIT_BOUNDS | {Kind.EXACT}
"""Kinds that state a value."""


def require_range(bounds: tuple[float, float] | None, name: str, *, noiseless: bool) -> None:
    """Raise where what a part says its values lie between is no range of values with noise."""
    if bounds is None:
        return
    if not isinstance(bounds, tuple | list) or not all(isinstance(end, int | float) for end in bounds):
        raise ValueError(f"range must be two finite numbers, low < high, got {bounds!r} for part {name!r}")
    if not (len(bounds) == 2 and -math.inf < bounds[0] < bounds[1] < math.inf):
        raise ValueError(f"range must be two finite numbers, low < high, got {bounds} for part {name!r}")
    if noiseless:
        raise ValueError(f"range must be of values with noise, got {bounds} for noiseless part {name!r}")


def require_rate(rate: float | None, name: str) -> None:
    """Raise where the rate at which a part's values come near their limit is none that is extrapolated with."""
    if rate is not None and not LEAST_POWER <= rate < MOST_POWER:
        raise ValueError(f"rate must lie in [{LEAST_POWER:g}, {MOST_POWER:g}), got {rate} for part {name!r}")


@dataclass(frozen=True, kw_only=True)
class Along(Part):
    """Common to parts that compare a claimed value along one axis of a sweep."""

    symbol: sp.Symbol
    parameter: str
    symbols: Symbols
    reads_value: ClassVar[bool] = True

    def axes(self, claim: Claim) -> Sequence[Axis | None]:
        """The one axis judged."""
        return [claim.axis(self.symbol)]

    @property
    def has_sampling_error(self) -> bool:
        """Each trial is a draw."""
        return True

    @property
    def grid_parameters(self) -> tuple[str, ...]:
        """The axis."""
        return (self.parameter,)

    @property
    def outside(self) -> Outside:
        """Points outside stay on the picture, greyed."""
        return Outside.GREYED

    @property
    def kinds(self) -> frozenset[Kind]:
        """Kinds that state a value along an axis."""
        return VALUED

    def judges_limit(self, claim: Claim) -> bool:
        """Orders are; explicit values are compared point by point."""
        return not claim.kind.is_explicit

    def groups(self, trials: Sequence[Trial]) -> dict[float, list[Trial]]:
        """Trials by the value of the axis parameter, ascending."""
        by_value: dict[float, list[Trial]] = {}
        for trial in trials:
            by_value.setdefault(float(trial.spec.parameters[self.parameter]), []).append(trial)
        return dict(sorted(by_value.items()))

    def place(self, group: Sequence[Trial]) -> str:
        """Where on the axis a group of trials stands, in words: "tau = 0.6"."""
        value = self.point(group[0]).get(self.symbol, group[0].spec.parameters[self.parameter])
        return f"{self.symbol} = {float(value):.4g}"

    def row(
        self,
        claim: Claim,
        trials: Sequence[Trial],
        *,
        measured: Mapping[float, Estimate],
        judge: Callable[[Candidate, list[int]], Judgement],
    ) -> Row:
        """Judge the usable points of every choice of hidden constants and report the choice that counts.

        Args:
            measured: one estimate per axis value.
            judge: the judgement of a candidate on the points of these indices.
        """
        groups = self.groups(trials)
        axis = claim.axis(self.symbol)

        def on_usable(candidate: Candidate) -> Judgement:
            kept = [i for i, ok in enumerate(candidate.usable) if ok]
            return judge(candidate, kept) if kept else OUTSIDE

        grid = [self.point(group[0]) for group in groups.values()]
        least = -math.inf if claim.kind.is_explicit else 0.0  # orders are compared by logarithms
        means = [estimate.value for estimate in measured.values()]
        judgement, candidate = profile(claim, on_usable, scan(claim, grid, axis=axis, least=least), means)
        judgement = judged_as(claim.kind, judgement)
        if claim.kind is Kind.FIGURE:
            judgement = self._pictured(judgement, candidate, measured)
        usable = [point for point, ok in zip(grid, candidate.usable, strict=True) if ok]
        if len(usable) > 1 and judgement.delta is not None:
            judgement = judgement.adding(limits=shown_slopes(claim, axis, usable, candidate.constants))
        points = scaled_points(claim, candidate, judgement, groups, measured)
        if claim.kind in EXPLICIT_BOUNDS:
            judgement = _told_of_climb(claim, axis, judgement, points, grid, candidate.toward)
        return make_row(
            self,
            claim,
            judgement,
            trials,
            points=points,
            axis=axis,
            exponent=exponent_words(claim, axis, usable),
            toward=candidate.toward,
            axis_words=self.parameter.replace("_", " "),
        )

    def as_measured(
        self, claim: Claim, judgement: Judgement, trials: Sequence[Trial], measured: Mapping[float, Estimate]
    ) -> Row:
        """The row of estimates beside which the claim puts no value."""
        groups = self.groups(trials)
        points = []
        for value, estimate in measured.items():
            interval = estimate.confidence_interval
            low, high = (interval.low, interval.high) if interval else (None, None)
            n_trials = len(groups[value])
            points.append(Point(value, None, estimate.value, low, high, censored=estimate.censored, n_trials=n_trials))
        return make_row(
            self, claim, judgement, trials,
            points=tuple(points), axis=claim.axis(self.symbol), axis_words=self.parameter.replace("_", " "),
        )  # fmt: skip

    def _pictured(self, judgement: Judgement, candidate: Candidate, measured: Mapping[float, Estimate]) -> Judgement:
        """The judgement of a figure, with what its picture looks like."""
        kept = [i for i, ok in enumerate(candidate.usable) if ok]
        values = [list(measured)[i] for i in kept]
        found, claimed = [measured[value] for value in values], [candidate.bound(i) for i in kept]
        return as_pictured(judgement, values, found, claimed, confidence=self.confidence)


def _told_of_climb(
    claim: Claim,
    axis: Axis,
    judgement: Judgement,
    points: Sequence[Point],
    grid: Sequence[Mapping[sp.Symbol, sp.Expr]],
    toward: str | float,
) -> Judgement:
    """An explicit bound that holds, with where it would not beyond the points that took part."""
    shown = [
        (float(at[axis.symbol]), point.measured, point.low, point.high, point.bound)
        for point, at in zip(points, grid, strict=True)
        if point.in_regime is not False
    ]
    told = [
        (place, measured, Interval(*((measured, measured) if low is None or high is None else (low, high))), bound)
        for place, measured, low, high, bound in shown
        if measured is not None and bound is not None
    ]
    if len(told) < len(shown) or not told:
        return judgement
    places, measured, intervals, bounds = zip(*told, strict=True)
    return bound_trend.told_of_climb(
        judgement,
        places,
        measured,
        intervals,
        bounds,
        relation=relation_of(claim.kind),
        letter=str(axis.symbol),
        toward=toward,
    )
