"""Draws of a number at growing sizes, against the distribution that a claim gives for the limit.

That a law tends to a continuous one, F, means that the share of draws at or below each quantile of F tends to that
quantile's level. So a claim of a limit in distribution is several claims about limits of shares, one a level, and each
is extrapolated (`checks.statistics.limits`): at no single size has the law to be F, and at none does it accuse.
"""

from __future__ import annotations

import itertools
import math
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace

import sympy as sp

from checks.evidence.along import Along, require_rate
from checks.evidence.comparison import OUTSIDE, Candidate, make_row, profile, sane, scan
from checks.evidence.family import shared_by
from checks.evidence.later import distances, np, rules
from checks.records.rows import Point, Row
from checks.statistics.explanation import Clause, Topic, obstacle
from checks.statistics.verdict import Judgement, Verdict
from sim.trials.trial import Trial
from theory.claim import Claim, Kind, at

LEAST_DRAWS = 200
"""Draws at a size below which shares say too little."""


@dataclass(frozen=True, kw_only=True)
class Draws(Along):
    """Draws as the axis grows, beside a distribution function at the letter `variable`.

    What has that law, or tends to it, is `quantity`, in the claim's letters and in `drawn`, which stands for a draw:
    sqrt(n) * (y - mean). A draw is a trial's `observable`, or each entry of its curve of that name.
    """

    observable: str
    variable: sp.Symbol
    drawn: sp.Symbol
    quantity: sp.Expr

    @property
    def told_apart(self) -> tuple[str, ...]:
        """The grid's: all trials at one place are judged together."""
        return self.grid_parameters

    @property
    def own_letters(self) -> frozenset[sp.Symbol]:
        """The argument of the distribution function, which no parameter gives."""
        return frozenset({self.variable})

    def function(self, law: sp.Expr, letters: Mapping[sp.Symbol, sp.Expr]) -> Callable[[np.ndarray], np.ndarray]:
        """A distribution function of the quantity, as a function of the draws [draws]."""
        expression = at(law, {**letters, self.variable: at(self.quantity, letters)})
        if left := expression.free_symbols - {self.drawn}:
            names = ", ".join(sorted(map(str, left)))
            raise ValueError(f"quantity and value must be in letters that parameters give, got {names} left over")
        function = sp.lambdify(self.drawn, expression, ["scipy", "numpy"])
        return lambda draws: np.broadcast_to(function(draws), draws.shape)

    def levels_by(self, law: sp.Expr, trials: Sequence[Trial], *, of: str) -> list[np.ndarray]:
        """A distribution function at the draws of each trial; uniform on (0, 1) if it is theirs. [draws] each

        Args:
            of: what gives the distribution function, in words.

        Raises:
            ValueError: it leaves [0, 1] at a draw, or has letters that no parameter gives.
        """
        settings: dict[int, list[int]] = {}
        for i, trial in enumerate(trials):
            settings.setdefault(id(trial.spec.parameters), []).append(i)
        found = [np.zeros(0)] * len(trials)
        for alike in settings.values():  # one function each: to make it takes a thousand times what a draw takes
            draws = [self.draws(trials[i]) for i in alike]
            levels = self.function(law, self.point(trials[alike[0]]))(np.concatenate(draws))
            wrong = ~((levels >= 0) & (levels <= 1))  # NaN compares as False
            if wrong.any():
                at_draw = f"{levels[wrong][0]:.6g} at the draw {np.concatenate(draws)[wrong][0]:.6g}"
                raise ValueError(f"{of} must be a distribution function, from 0 to 1, got {at_draw}")
            for i, own in zip(alike, np.split(levels, np.cumsum([len(each) for each in draws])[:-1]), strict=True):
                found[i] = own
        return found

    def draws(self, trial: Trial) -> np.ndarray:
        """The draws of a trial: a curve, or its one observable. [draws]"""
        curve = trial.result.curves.get(self.observable)
        return np.array([trial.number(self.observable)]) if curve is None else np.asarray(curve, dtype=float)


@dataclass(frozen=True, kw_only=True)
class LimitLaw(Draws):
    """Draws as the axis grows, and the distribution function that their law is claimed to tend to.

    The claim is of kind limit; its value is the distribution function, continuous.
    """

    levels: tuple[float, ...] = (0.1, 0.3, 0.5, 0.7, 0.9)
    """Levels of the quantiles at which shares are compared, ascending, in (0, 1)."""
    tolerance: float = 0.05
    """How far from its level the limit of a share may lie, stated beforehand."""
    rate: float | None = None
    """Power r, where it is known that shares come near their limits as O(n^-r): 1/2 by Berry and Esseen."""

    def __post_init__(self) -> None:
        super().__post_init__()
        require_rate(self.rate, self.name)
        levels = (0.0, *self.levels, 1.0)
        if not self.levels or any(not low < high for low, high in itertools.pairwise(levels)):
            raise ValueError(f"levels must ascend within (0, 1), got {self.levels} for part {self.name!r}")
        if not 0 < self.tolerance < 1:
            raise ValueError(f"tolerance must lie in (0, 1), got {self.tolerance} for part {self.name!r}")

    @property
    def kinds(self) -> frozenset[Kind]:
        """Limits alone."""
        return frozenset({Kind.LIMIT})

    def judges_limit(self, claim: Claim) -> bool:
        """It does."""
        return True

    def judge(self, claim: Claim, trials: Sequence[Trial]) -> list[Row]:
        """The limit rule on the share of draws at or below each quantile."""
        groups = self.groups(trials)
        grid = [{**self.point(group[0]), self.variable: sp.Integer(0)} for group in groups.values()]
        found = [self.levels_of(claim, sane(group)) for group in groups.values()]
        per_trial = max((len(self.draws(trial)) for trial in sane(trials)), default=1)

        def judge(candidate: Candidate) -> Judgement:
            kept = [i for i, ok in enumerate(candidate.usable) if ok]
            if not kept:
                return OUTSIDE
            if (fewest := min(len(found[i]) for i in kept)) < LEAST_DRAWS:
                words = f"{fewest} draws at a size are fewer than the {LEAST_DRAWS} that shares need"
                return Judgement(Verdict.INCONCLUSIVE, obstacle(Topic.SHORTAGE, words))
            sizes = [list(groups)[i] for i in kept]
            judged = self._judged(claim, candidate, sizes, [found[i] for i in kept])
            return _in_trials(judged, {size: sane(groups[size]) for size in sizes}, per_trial)

        axis = claim.axis(self.symbol)
        judgement, candidate = profile(claim, judge, scan(claim, grid, axis=axis, least=-math.inf))
        points = []
        for (size, group), levels, usable in zip(groups.items(), found, candidate.usable, strict=True):
            distance, ends = distances.gap_and_limits(levels, self.confidence) if len(levels) else (None, None)
            low, high = (ends.low, ends.high) if ends else (None, None)
            points.append(Point(size, 0.0, distance, low, high, in_regime=usable, n_trials=len(group)))
        words = self.parameter.replace("_", " ")
        row = make_row(
            self, claim, judgement, trials, points=tuple(points), axis=axis, toward="infinity", axis_words=words
        )
        return [replace(row, display=replace(row.display, height="Kolmogorov distance to the claimed law"))]

    def levels_of(self, claim: Claim, trials: Sequence[Trial]) -> np.ndarray:
        """Of each draw, the claimed distribution function at the quantity; uniform on (0, 1) if the claim is exact."""
        found = self.levels_by(claim.formula, trials, of=f"value of {claim.id}")
        return np.concatenate(found) if found else np.zeros(0)

    def law(self, claim: Claim, letters: Mapping[sp.Symbol, sp.Expr]) -> Callable[[np.ndarray], np.ndarray]:
        """The claimed distribution function of the quantity, as a function of the draws [draws]."""
        return self.function(claim.formula, letters)

    def _judged(
        self, claim: Claim, candidate: Candidate, sizes: Sequence[float], found: Sequence[np.ndarray]
    ) -> Judgement:
        """Every level as a sequence of its own, the error shared among them."""
        places = [(level, i) for level in self.levels for i in range(len(sizes))]
        both = [
            0.0,
            1.0,
        ]  # one draw on either side, so that a share of none or all has noise too [Agresti and Coull 1998]
        judgement = rules.judge_limit(
            [sizes[i] for _, i in places],
            [np.append(found[i] <= level, both) for level, i in places],
            [level for level, _ in places],
            settings=[f"share at or below the claimed quantile of level {level:g}" for level, _ in places],
            tolerance=self.tolerance,
            rate=self.rate,
            letter=str(self.symbol),
            policy=self.policy.of_family(shared_by(self, claim)).of_choice(candidate.error_share),
        )
        ends = (0.0, *self.levels, 1.0)
        step = max(high - low for low, high in itertools.pairwise(ends))
        words = (
            f"tolerance stated beforehand: {self.tolerance:g} of the share at {len(self.levels)} quantiles; where all "
            f"are met the Kolmogorov distance of the limit is at most {self.tolerance + step:.3g}"
        )
        return judgement.adding(choices=(Clause(Topic.MARGIN, words, {"tolerance": self.tolerance, "step": step}),))


def _in_trials(judgement: Judgement, trials: Mapping[float, Sequence[Trial]], per_trial: int) -> Judgement:
    """The judgement with sizes counted once, not at every level, and with trials for draws in measurements and plan."""
    explanation = judgement.explanation
    counts = [len(group) for group in trials.values()]
    evidence = replace(explanation.evidence, points=len(counts), replicates=(min(counts), max(counts)))
    step = explanation.next
    if step.plan is not None and per_trial > 1:
        step = replace(step, plan=replace(step.plan, n_replicates=math.ceil(step.plan.n_replicates / per_trial)))
    return replace(judgement, explanation=replace(explanation, evidence=evidence, next=step))
