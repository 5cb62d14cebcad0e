"""Evidence that claims nothing: how a time scales on which a paper is silent, and where in a grid a statement is true.

All end in "no claim". An `Exponent` is measured on exact dynamics, whose local slopes have a range and no sampling
error; `Regions` counts the settings of a grid by the name of their ending, and draws them as maps; `Course` says in
words and draws what a trial does in time.
"""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace

import sympy as sp

from checks.evidence.comparison import make_row, sane
from checks.evidence.later import np
from checks.evidence.part import Part
from checks.records.pictures import Cells, Curve, Picture
from checks.records.rows import Point, Row
from checks.statistics.explanation import Clause, Explanation, Measurements, Rule, Ruling, Topic, clauses_of, finding
from checks.statistics.policy import ErrorPolicy
from checks.statistics.verdict import Effect, Exponents, Interval, Judgement, Verdict
from sim.trials.trial import Parameters, Trial
from theory.claim import Axis, Claim


@dataclass(frozen=True, kw_only=True)
class Exponent(Part):
    """The exponent of a positive quantity along an axis, from local slopes between neighbouring settings.

    `along` is the axis value of a trial. Trials that agree in the parameter `series` lie on one line; "" for one line
    through all; where several share a place on it, their geometric mean counts. A quantity of None has no value there
    (what never happened), and is counted. `symbol` is the claim's axis, None for an axis that the claim is silent on.
    `lacked` is a letter that the claim's value lacks, where the line moves that letter alone and `quantity` is what the
    claim is about: the claim's headline says what the letter does.
    """

    along: Callable[[Parameters], float]
    quantity: Callable[[Trial], float | None]
    symbol: sp.Symbol | None = None
    series: str = ""
    axis_words: str = ""
    lacked: sp.Symbol | None = None

    def axes(self, claim: Claim) -> Sequence[Axis | None]:
        """The one axis."""
        return [claim.axis(self.symbol) if self.symbol is not None else None]

    def judge(self, claim: Claim, trials: Sequence[Trial]) -> list[Row]:
        """Local slopes, line by line."""
        lines: dict[object, dict[float, list[float]]] = {}
        lost = 0
        for trial in sane(trials):
            value = self.quantity(trial)
            if value is None:
                lost += 1
            else:
                line = lines.setdefault(trial.spec.parameters.get(self.series, ""), {})
                line.setdefault(self.along(trial.spec.parameters), []).append(value)
        curves, said, slopes = [], [], []
        for line, places in lines.items():
            x = np.array(sorted(places))
            y = np.array([math.exp(np.log(places[place]).mean()) for place in x.tolist()])
            local = (np.diff(np.log(y)) / np.diff(np.log(x))).tolist()
            slopes += local
            name = f"{self.series.replace('_', ' ')} {line}: " if self.series else ""
            said += [f"{name}{min(local):+.2f} to {max(local):+.2f}"] if local else []
            curves.append(Curve(x, y, np.ones(len(x), dtype=bool)))
        words = f"exponents between neighbours, {'; '.join(said)}" if said else "too few points for a slope"
        never = f"never happened in {lost} of {len(trials)} settings" if lost else ""
        mean = sum(slopes) / len(slopes) if slopes else None
        ruling = Ruling(
            rule=Rule.DESCRIPTION,
            estimand="exponent between neighbouring settings",
            interval=Interval(min(slopes), max(slopes)) if slopes else None,
            measured=mean,
            clauses=(Clause(Topic.FINDING, words),),
        )
        evidence = Measurements(len(slopes), "slopes", left_out=clauses_of(Topic.LEFT_OUT, never, lost=lost))
        judgement = Judgement(
            Verdict.NO_CLAIM,
            Explanation(ruling, evidence),
            effect=Effect(interval_kind="range"),
            exponents=Exponents(mean),
        )
        shown = tuple(
            Point(float(x), None, float(y), n_trials=1)
            for curve in curves
            for x, y in zip(curve.axis, curve.measured, strict=True)
        )
        row = make_row(
            self, claim, judgement, trials,
            points=shown, axis=self.axes(claim)[0], axis_words=self.axis_words, curves=tuple(curves),
        )  # fmt: skip
        return [replace(row, lacked=self.lacked)]


@dataclass(frozen=True, kw_only=True)
class Regions(Part):
    """Which settings of a grid end how: a count by name, and a map for each value of `panel`.

    `x`, `y` and `panel` map a trial's parameters to its place; `legend` orders the names, the wanted one first.
    """

    x: Callable[[Parameters], float]
    y: Callable[[Parameters], float]
    x_words: str
    y_words: str
    name_of: Callable[[Trial], str]
    legend: tuple[str, ...]
    panel: Callable[[Parameters], str] = lambda _: ""

    def judge(self, claim: Claim, trials: Sequence[Trial]) -> list[Row]:
        """Count, and keep the maps."""
        found = Counter(self.name_of(trial) for trial in trials)
        unknown = set(found) - set(self.legend)
        if unknown:
            raise ValueError(f"legend must name every ending, got {min(unknown)!r} besides")
        words = [
            f"{name.replace('_', ' ')} at {found[name]} of {len(trials)} settings"
            for name in self.legend
            if found[name] or name == self.legend[0]
        ]
        judgement = Judgement(Verdict.NO_CLAIM, _described(", ".join(words), len(trials), "settings"))
        return [make_row(self, claim, judgement, trials, pictures=self.maps(trials))]

    def maps(self, trials: Sequence[Trial]) -> tuple[Cells, ...]:
        """One map a panel, all on one grid."""
        panels: dict[str, dict[tuple[float, float], str]] = {}
        for trial in trials:
            at = trial.spec.parameters
            panels.setdefault(self.panel(at), {})[self.x(at), self.y(at)] = self.name_of(trial)
        # Each panel has its own grid: sizes differ in what divides them.
        return tuple(self._map(title, names) for title, names in panels.items())

    def _map(self, title: str, names: Mapping[tuple[float, float], str]) -> Cells:
        xs, ys = (sorted({place[axis] for place in names}) for axis in (0, 1))
        rows = [[names.get((x, y), "") for x in xs] for y in ys]
        return Cells(title, self.x_words, self.y_words, xs, ys, rows, self.legend)


@dataclass(frozen=True, kw_only=True)
class Course(Part):
    """What trials do: `words` of all of them, and `pictures` of the first where there are any.

    `limits` adds words whose figures have a level, that of the policy it is given. `compares` has words for observables
    that a page draws over `parameter`, a dot a trial.
    """

    words: Callable[[Sequence[Trial]], str]
    limits: Callable[[Sequence[Trial], ErrorPolicy], str] | None = None
    pictures: Callable[[Trial], tuple[Picture, ...]] | None = None
    parameter: str | None = None
    compares: Mapping[str, str] = field(default_factory=dict)

    def judge(self, claim: Claim, trials: Sequence[Trial]) -> list[Row]:
        """Say it, and draw it."""
        kept = sane(trials)
        told = _described(self.words(kept), len(trials), "trials")
        if self.limits:
            told = told.adding(limits=clauses_of(Topic.REMARK, self.limits(kept, self.policy)))
        judgement = Judgement(Verdict.NO_CLAIM, told)
        drawn = self.pictures(trials[0]) if self.pictures else ()
        return [make_row(self, claim, judgement, trials, pictures=drawn)]


def _described(words: str, number: int, unit: str) -> Explanation:
    """What was seen in so many trials or settings, in words."""
    return replace(finding(words, rule=Rule.DESCRIPTION), evidence=Measurements(number, unit))
