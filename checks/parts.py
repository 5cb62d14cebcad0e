"""Kinds of evidence made of simulator trials: each turns trials into estimates and hands them to the rule of the claim's kind.

`Scaling` (a quantity per trial along an axis), `Threshold` (success curves along an axis), `Rate` (an exponent inside each
trial), `Range` (exact dynamics, no sampling error), `Fraction` (counts against an explicit bound), `Behaviour` (a boolean per trial),
`Sufficient` (success inside and outside a condition), `Agreement` (an identity measured as an error). The verdict rules themselves
are in `checks.judge`; evidence by symbols is in `checks.proofs`.

Hidden constants of a claim are profiled over their stated ranges, never set to 1: a scaling claim is violated only if it is violated
for all of them. Points out of the regime are kept, drawn grey, and take no part in the fit.
"""

from __future__ import annotations

import functools
import itertools
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

import sympy as sp

from checks.check import Part, Point, Row, diverged, exact
from checks.verdict import Judgement, Verdict
from sim.trial import Outcome, Parameters, Trial
from theory.claim import Axis, Claim, Hypothesis, Kind, Met, evaluate_regime
from theory.claim import discover as discover_claims

if TYPE_CHECKING:
    import numpy as np

    from checks.estimate import Estimate

    Array = np.ndarray

Symbols = Callable[[Parameters], Mapping[sp.Symbol, sp.Expr]]
"""Translation of a trial's parameters (words) into the paper's symbols (letters)."""


@functools.cache
def scaling_family() -> int:
    """K: how many scaling claims the catalogue holds. `violated` is tested at 0.05 / K, whatever rows are asked for."""
    return sum(claim.kind.is_scaling for claim in discover_claims().values())


def violation_confidence() -> float:
    """Confidence at which a scaling claim may be called violated."""
    return 1 - 0.05 / scaling_family()


@dataclass(frozen=True, kw_only=True)
class Along(Part):
    """Common to parts that compare a claimed value along one axis of a sweep."""

    symbol: sp.Symbol
    parameter: str
    symbols: Symbols

    def axes(self, claim: Claim) -> Sequence[Axis | None]:
        """The one axis judged."""
        return [claim.axis(self.symbol)]

    def groups(self, trials: Sequence[Trial]) -> dict[float, list[Trial]]:
        """Trials by the value of the axis parameter, ascending."""
        by_value: dict[float, list[Trial]] = {}
        for trial in trials:
            by_value.setdefault(float(trial.spec.parameters[self.parameter]), []).append(trial)
        return dict(sorted(by_value.items()))

    def scan(self, claim: Claim, groups: Mapping[float, Sequence[Trial]]) -> Iterator[Candidate]:
        """The claim on the measured grid, once for each choice of its hidden constants."""
        substitutions = [self.symbols(trials[0].spec.parameters) for trials in groups.values()]
        inside = [Met.NOT_MET not in evaluate_regime(claim.regime, point).values() for point in substitutions]
        toward = claim.axis(self.symbol).toward
        for constants in constant_choices(claim):
            bounds = [_number(claim.value, {**constants, **point}) for point in substitutions]
            boundary = toward if isinstance(toward, str) else _number(toward, {**constants, **substitutions[0]})
            yield Candidate(
                constants,
                toward="zero" if boundary == 0 else boundary,
                bounds=bounds,
                usable=[
                    ok and bound is not None and bound > 0 and (isinstance(boundary, str) or value > (boundary or 0))
                    for ok, bound, value in zip(inside, bounds, groups, strict=True)
                ],
            )

    def exponent(self, claim: Claim) -> str | None:
        """The claim's exact asymptotic exponent in this axis, derived from its value."""
        from theory.asymptotics import exponent

        return str(exponent(claim.value, self.symbol, toward=claim.axis(self.symbol).toward))


@dataclass(frozen=True)
class Candidate:
    """One choice of hidden constants: the claim's values on the grid, its limit, and which points it can be judged on."""

    constants: Mapping[sp.Symbol, sp.Expr]
    toward: str | float
    bounds: list[float | None]
    usable: list[bool]

    @property
    def label(self) -> str:
        """The choice, as a reason prints it."""
        return _label(self.constants)


def constant_choices(claim: Claim) -> list[dict[sp.Symbol, sp.Expr]]:
    """Low end, middle and high end of every hidden constant's range, in all combinations."""
    values = [sorted({c.low, (c.low + c.high) / 2, c.high}) for c in claim.constants]
    return [
        {constant.symbol: value for constant, value in zip(claim.constants, choice, strict=True)}
        for choice in itertools.product(*values)
    ]


@dataclass(frozen=True, kw_only=True)
class Scaling(Along):
    """A positive observable per trial along an axis, e.g. iterations against alpha_*.

    `finished` names a boolean observable: where it is False the run was cut off at the parameter `cutoff` and its value is censored above.
    """

    observable: str
    finished: str | None = None
    cutoff: str | None = None

    def judge(self, claim: Claim, trials: Sequence[Trial]) -> list[Row]:
        """Delta rule over independent points."""
        import numpy as np

        from checks.judge import judge_scaling

        groups = self.groups(trials)
        sane = {value: [t for t in group if t.result.outcome != Outcome.DIVERGED] for value, group in groups.items()}
        samples = {value: np.array([self._value(trial) for trial in group]) for value, group in sane.items()}
        limits = {value: float(group[0].spec.parameters[self.cutoff]) if self.cutoff else np.inf for value, group in groups.items()}

        def judge(candidate: Candidate) -> Judgement:
            kept = [v for v, ok in zip(groups, candidate.usable, strict=True) if ok and len(samples[v])]
            if not kept:
                return Judgement(Verdict.OUT_OF_REGIME, "no grid point lies in the claim's regime")
            width = min(len(samples[v]) for v in kept)
            bounds = dict(zip(groups, candidate.bounds, strict=True))
            return judge_scaling(
                kept,
                np.array([samples[v][:width] for v in kept]),
                np.array([bounds[v] for v in kept]),
                relation=relation_of(claim.kind),
                margin=float(claim.margin),
                toward=candidate.toward,
                limit=[limits[v] for v in kept] if self.cutoff else None,
                violation_confidence=violation_confidence(),
            )

        judgement, candidate = profile(judge, list(self.scan(claim, groups)))
        measured = {value: _geometric(values, limits[value]) for value, values in samples.items()}
        points = scaled_points(candidate, judgement, groups, measured)
        return [make_row(self, claim, judgement, trials, points=points, axis=claim.axis(self.symbol), exponent=self.exponent(claim))]

    def _value(self, trial: Trial) -> float:
        observed = trial.result.observables
        if self.finished is not None and not observed[self.finished]:
            return float("nan")
        return float(observed[self.observable])


@dataclass(frozen=True, kw_only=True)
class Threshold(Along):
    """The size at which half of the trials succeed, from success curves along an axis."""

    size: str = "n_samples"
    success: str = "success"

    def judge(self, claim: Claim, trials: Sequence[Trial]) -> list[Row]:
        """Delta rule over thresholds with their own uncertainty."""
        from checks.judge import judge_thresholds

        groups = self.groups(trials)
        estimates = {value: self.threshold(group) for value, group in groups.items()}

        def judge(candidate: Candidate) -> Judgement:
            kept = [v for v, ok in zip(groups, candidate.usable, strict=True) if ok]
            if not kept:
                return Judgement(Verdict.OUT_OF_REGIME, "no grid point lies in the claim's regime")
            bounds = dict(zip(groups, candidate.bounds, strict=True))
            return judge_thresholds(
                kept,
                [estimates[v] for v in kept],
                [bounds[v] for v in kept],
                relation=relation_of(claim.kind),
                margin=float(claim.margin),
                toward=candidate.toward,
                violation_confidence=violation_confidence(),
            )

        judgement, candidate = profile(judge, list(self.scan(claim, groups)))
        points = scaled_points(candidate, judgement, groups, estimates)
        return [make_row(self, claim, judgement, trials, points=points, axis=claim.axis(self.symbol), exponent=self.exponent(claim))]

    def threshold(self, trials: Sequence[Trial]) -> Estimate:
        """Threshold of one success curve. A diverged trial did not succeed."""
        from checks.estimate import estimate_threshold

        sizes = sorted({int(trial.spec.parameters[self.size]) for trial in trials})
        outcomes = {size: [bool(t.result.observables[self.success]) for t in trials if t.spec.parameters[self.size] == size] for size in sizes}
        return estimate_threshold(sizes, [sum(outcomes[n]) for n in sizes], [len(outcomes[n]) for n in sizes])


@dataclass(frozen=True, kw_only=True)
class Fraction(Part):
    """An observed fraction out of a known number, against an explicit bound."""

    count: str
    total: str
    symbols: Symbols

    def judge(self, claim: Claim, trials: Sequence[Trial]) -> list[Row]:
        """The explicit rule on exact binomial intervals, one comparison per parameter setting."""
        from checks.judge import judge_fraction

        groups: dict[str, list[Trial]] = {}
        for trial in trials:
            groups.setdefault(repr(sorted(trial.spec.parameters.items())), []).append(trial)
        counts = [sum(int(t.result.observables[self.count]) for t in group) for group in groups.values()]
        totals = [sum(int(t.result.observables[self.total]) for t in group) for group in groups.values()]
        relation = relation_of(claim.kind)

        def judge(candidate: Candidate) -> Judgement:
            shares = [bound / float(group[0].result.observables[self.total]) for bound, group in zip(candidate.bounds, groups.values(), strict=True)]
            return judge_fraction(counts, totals, shares, relation=relation)

        candidates = []
        for constants in constant_choices(claim):
            bounds = [_number(claim.value, {**constants, **self.symbols(group[0].spec.parameters)}) for group in groups.values()]
            candidates.append(Candidate(constants, "infinity", bounds, [True] * len(bounds)))
        judgement, candidate = profile(judge, candidates)
        points = tuple(
            Point(value=float(total), bound=bound * len(group), measured=float(count), n_trials=len(group))
            for count, total, bound, group in zip(counts, totals, candidate.bounds, groups.values(), strict=True)
        )
        return [make_row(self, claim, judgement, trials, points=points)]


@dataclass(frozen=True, kw_only=True)
class Rate(Part):
    """An exponent along an axis that runs inside each trial (time): one slope per seed, over a fit window stated beforehand.

    `quantity` maps a trial and a value of the hidden constant to (axis [points], positive quantity [points]); None means that
    the trial contradicts this value. The window is `window` times the trial's last axis value. `values` sample the hidden
    constant's stated range.
    """

    symbol: sp.Symbol
    quantity: Callable[[Trial, float], tuple[Array, Array] | None]
    constant: str
    values: tuple[float, ...]
    window: tuple[float, float]
    contradiction: str

    def axes(self, claim: Claim) -> Sequence[Axis | None]:
        """The one axis judged."""
        return [claim.axis(self.symbol)]

    def judge(self, claim: Claim, trials: Sequence[Trial]) -> list[Row]:
        """Delta rule with one slope per seed, profiled over the hidden constant."""
        from checks.estimate import decay_rate
        from checks.judge import judge_rates, profile_constants
        from theory.asymptotics import exponent

        sane = [trial for trial in trials if trial.result.outcome != Outcome.DIVERGED]
        axis = claim.axis(self.symbol)
        claimed = float(exponent(claim.value, self.symbol, toward=axis.toward))

        def judge(constants: Mapping[str, float]) -> Judgement:
            curves = [self.quantity(trial, constants[self.constant]) for trial in sane]
            against = sum(curve is None for curve in curves)
            if 2 * against > len(curves):
                return Judgement(Verdict.VIOLATED, f"{self.contradiction} in {against} of {len(curves)} runs")
            slopes = []
            for curve in curves:
                if curve is not None:
                    t, y = curve
                    low, high = self.window
                    slopes.append(float(decay_rate(t, y, window=(low * t[-1], high * t[-1]))[0]))
            return judge_rates(
                slopes,
                claimed,
                relation=relation_of(claim.kind),
                margin=float(claim.margin),
                violation_confidence=violation_confidence(),
            )

        judgement = profile_constants(judge, [{self.constant: value} for value in self.values])
        return [make_row(self, claim, judgement, trials, axis=axis, exponent=str(exponent(claim.value, self.symbol)))]


@dataclass(frozen=True, kw_only=True)
class Range(Part):
    """Exact dynamics: local slopes of measured over claimed, over windows of the axis stated beforehand.

    `quantity` maps a trial to (axis, measured, claimed), all [points]. `n_windows` equal windows in log axis cover each trial.
    """

    symbol: sp.Symbol
    quantity: Callable[[Trial, Claim], tuple[Array, Array, Array]]
    n_windows: int = 4

    def axes(self, claim: Claim) -> Sequence[Axis | None]:
        """The one axis judged."""
        return [claim.axis(self.symbol)]

    def judge(self, claim: Claim, trials: Sequence[Trial]) -> list[Row]:
        """Delta rule on the range of local slopes; deterministic, so a range and no confidence interval."""
        import numpy as np

        from checks.judge import judge_range
        from theory.asymptotics import exponent

        axis = claim.axis(self.symbol)
        sign = 1 if axis.toward == "infinity" else -1
        deltas: list[float] = []
        points: list[Point] = []
        for trial in trials:
            x, measured, claimed = self.quantity(trial, claim)
            ratio = np.log(measured / claimed)
            edges = np.linspace(np.log(x[0]), np.log(x[-1]), self.n_windows + 1)
            for low, high in itertools.pairwise(edges):
                inside = (np.log(x) >= low - 1e-12) & (np.log(x) <= high + 1e-12)
                if inside.sum() >= 3:
                    deltas.append(sign * float(np.polyfit(np.log(x[inside]), ratio[inside], 1)[0]))
            scale = float(np.exp(ratio.mean()))
            shown = np.unique(np.linspace(0, len(x) - 1, 12).astype(int))
            points += [Point(float(x[i]), float(claimed[i]) * scale, float(measured[i]), n_trials=1) for i in shown]
        if not deltas:
            judgement = Judgement(Verdict.INCONCLUSIVE, "no window of the trajectories holds three points with a defined logarithm")
        else:
            judgement = judge_range(deltas, relation=relation_of(claim.kind), margin=float(claim.margin), sign=sign)
        row = make_row(
            self, claim, judgement, trials, points=tuple(points), axis=axis, exponent=str(exponent(claim.value, self.symbol, toward=axis.toward))
        )
        return [row]


@dataclass(frozen=True, kw_only=True)
class Behaviour(Part):
    """A yes-or-no behaviour of a trial, stated beforehand, and the rate at which it must hold."""

    shows: Callable[[Trial], bool]
    rate: float

    def judge(self, claim: Claim, trials: Sequence[Trial]) -> list[Row]:
        """Exact binomial rule; a diverged trial does not show the behaviour. The first trial without it is named."""
        from checks.judge import judge_behaviour

        shown = [trial.result.outcome != Outcome.DIVERGED and self.shows(trial) for trial in trials]
        judgement = judge_behaviour(sum(shown), len(trials), rate=self.rate)
        if not all(shown):
            judgement = replace(judgement, reason=f"{judgement.reason}; not at {_setting(trials[shown.index(False)])}")
        return [make_row(self, claim, judgement, trials)]


@dataclass(frozen=True, kw_only=True)
class Sufficient(Part):
    """Success inside a condition, which is required, and outside, which makes it loose."""

    symbols: Symbols
    success: str
    rate: float
    condition: Hypothesis

    def judge(self, claim: Claim, trials: Sequence[Trial]) -> list[Row]:
        """Pool trials by whether the condition is met at their parameters."""
        from checks.judge import judge_sufficient

        counts = {True: [0, 0], False: [0, 0]}
        for trial in trials:
            met = self.condition.evaluate(self.symbols(trial.spec.parameters)) is Met.MET
            counts[met][0] += bool(trial.result.observables.get(self.success, False))
            counts[met][1] += 1
        judgement = judge_sufficient(*counts[True], *counts[False], rate=self.rate)
        return [make_row(self, claim, judgement, trials)]


@dataclass(frozen=True, kw_only=True)
class Agreement(Part):
    """An identity measured as relative errors, against a floating-point tolerance."""

    observable: str
    tolerance: float = 1e-10

    def judge(self, claim: Claim, trials: Sequence[Trial]) -> list[Row]:
        """Every trial's error must stay within the tolerance; the worst is named."""
        from checks.judge import judge_identity

        errors = [float(trial.result.observables[self.observable]) for trial in trials]
        judgement = judge_identity(errors, self.tolerance)
        if judgement.verdict is Verdict.REFUTED:
            worst = max(zip(errors, trials, strict=True), key=lambda pair: pair[0])[1]
            judgement = replace(judgement, reason=f"{judgement.reason}, {_setting(worst)}")
        return [make_row(self, claim, judgement, trials)]


def relation_of(kind: Kind) -> str:
    """How a measured quantity must stand to the claimed one."""
    return {
        Kind.UPPER: "upper",
        Kind.LOWER: "lower",
        Kind.TIGHT: "tight",
        Kind.EXPLICIT_UPPER: "upper",
        Kind.EXPLICIT_LOWER: "lower",
    }[kind]


def profile(judge: Callable[[Candidate], Judgement], candidates: Sequence[Candidate]) -> tuple[Judgement, Candidate]:
    """Judge over all hidden constants; returns the judgement and the candidate it speaks of."""
    from checks.judge import profile_constants

    if len(candidates) == 1:
        return judge(candidates[0]), candidates[0]
    by_constants = {candidate.label: candidate for candidate in candidates}
    named = [{str(symbol): value for symbol, value in candidate.constants.items()} for candidate in candidates]
    judgement = profile_constants(lambda constants: judge(by_constants[_label(constants)]), named)
    chosen = next(candidate for candidate in candidates if judgement.reason.endswith(candidate.label))
    return judgement, chosen


def _setting(trial: Trial) -> str:
    """A trial's parameters, as a reason prints them."""
    words = [f"{name}={value}" for name, value in trial.spec.parameters.items()]
    return ", ".join([*words, f"replicate={trial.spec.replicate}"])


def _label(constants: Mapping[object, object]) -> str:
    return ", ".join(f"{name} = {value}" for name, value in constants.items())


def scaled_points(
    candidate: Candidate, judgement: Judgement, groups: Mapping[float, Sequence[Trial]], measured: Mapping[float, Estimate]
) -> tuple[Point, ...]:
    """Points of a row, the claim scaled by the fitted prefactor."""
    prefactor = judgement.prefactor or 1.0
    points = []
    for (value, trials), bound, usable in zip(groups.items(), candidate.bounds, candidate.usable, strict=True):
        estimate = measured[value]
        interval = estimate.confidence_interval
        points.append(
            Point(
                value=value,
                bound=None if bound is None else bound * prefactor,
                measured=estimate.value,
                low=interval.low if interval else None,
                high=interval.high if interval else None,
                censored=estimate.censored,
                in_regime=usable,
                n_trials=len(trials),
            )
        )
    return tuple(points)


def make_row(
    part: Part,
    claim: Claim,
    judgement: Judgement,
    trials: Sequence[Trial],
    *,
    points: tuple[Point, ...] = (),
    axis: Axis | None = None,
    exponent: str | None = None,
) -> Row:
    """A row with what every part reports alike."""
    lost = diverged(trials)
    lost_words = f"{lost} of {len(trials)} runs diverged" if lost else ""
    judgement = replace(judgement, reason="; ".join(filter(None, (part.note, judgement.reason, lost_words))))
    return Row(
        claim,
        part.name,
        judgement,
        axis=axis,
        asymptotic_exponent=exponent,
        points=points,
        in_regime=all(point.in_regime for point in points) if points else None,
        n_trials=len(trials),
        seconds=sum(trial.seconds for trial in trials),
        aspect=part.aspect,
    )


def _number(expression: sp.Expr | None, values: Mapping[sp.Symbol, sp.Expr]) -> float | None:
    """Value of a claim at a grid point. Raises ValueError naming a symbol that nothing determines."""
    assert expression is not None
    result = expression.subs(values)
    if result.free_symbols:
        left = ", ".join(sorted(map(str, result.free_symbols)))
        raise ValueError(f"every symbol of a claim must be measured or a stated constant, got {left} left over")
    number = complex(result)
    return number.real if number.imag == 0 and abs(number.real) != float("inf") else None


def _geometric(values: object, limit: float) -> Estimate:
    from checks.estimate import geometric_mean

    return geometric_mean(values, limit=limit)


__all__ = ["Agreement", "Behaviour", "Fraction", "Range", "Rate", "Scaling", "Sufficient", "Threshold", "exact"]
