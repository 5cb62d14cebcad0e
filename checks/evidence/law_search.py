"""A search for the law that a quantity follows in all letters of its setting, those included that the claim lacks.

Settings are drawn at random, spread evenly over ranges inside the claim's hypotheses; half of them fit a law, the
other half judges it (`checks.search`). The claim's own formula runs in the same race, with its best constant and the
hidden constants that suit it best. What is found repairs a claim and decides nothing: the line ends in "no claim", and
`Row.law` holds the law, or the finding that there is none.
"""

from __future__ import annotations

import functools
import itertools
import math
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, ClassVar

import sympy as sp

from checks.evidence.comparison import make_row, sane, scan, succeeded
from checks.evidence.later import designs, estimates, law_searches, np
from checks.evidence.part import Part
from checks.evidence.regime import all_met, standing
from checks.evidence.thresholds import by_size, counted_by_size
from checks.evidence.translation import once_a_setting
from checks.records.preset import SMALLER, Preset
from checks.records.rows import Point, Row
from checks.statistics.explanation import (
    Clause,
    Clauses,
    Explanation,
    Measurements,
    Ruling,
    Topic,
    clauses_of,
    obstacle,
)
from checks.statistics.verdict import Judgement, Verdict
from sim.trials.sweep import Sweep
from sim.trials.trial import Parameters, System, Trial
from theory.claim import Claim, Met, Role

if TYPE_CHECKING:
    from checks.search.law import SearchedLaw

Values = Mapping[str, float]
"""DrawnSettings numbers, by the names of the ranges."""

MAX_LOST = 0.2
"""Largest share of the settings that may have no value: the law of more would be one of a selection."""
SEED = 1
"""Of every design. Letters and ranges of the searches were chosen on pilots, whose settings seed 0 had drawn."""
DIGITS = 4
"""Significant digits of a drawn number, so that a setting can be typed."""


def _as_drawn(values: Values) -> Parameters:
    return dict(values)


BESIDE = "no reading of the text: a law in letters that the statement lacks, found by search"
"""Why a law found by search is a repair."""


@dataclass(frozen=True)
class DrawnSettings:
    """Random settings of a simulator: which numbers are drawn, between which ends, and what parameters they make.

    The design is the same for every claim, store and machine: its seed is fixed, and the seeds of its trials derive
    from system, parameters and replicate as all do.
    """

    system: System
    ranges: Mapping[str, tuple[float, float]]
    count: Mapping[Preset, int]
    """Settings by preset; a missing preset falls back to the next smaller one."""
    whole: tuple[str, ...] = ()
    even: tuple[str, ...] = ()
    """Numbers that are spread evenly as they are, not in their logarithms."""
    admissible: Callable[[Values], bool] | None = None
    """Whether numbers meet the hypotheses."""
    parameters: Callable[[Values], Parameters] = _as_drawn
    """The parameters of a setting, which its numbers are where nothing is said."""
    moved: Callable[[Values], Sequence[Parameters]] | None = None
    """Parameters that move within a setting, each a trial of its own, where what is measured is read off several."""
    fixed: Parameters = field(default_factory=dict)
    replicates: int = 1
    seed: int = SEED
    """Of the design; another one where settings of the first had been seen before letters and ranges stood."""

    def sweep(self, count: int) -> Sweep:
        """The trials of so many settings."""
        drawn = designs.space_filling(
            self.ranges, count, admissible=self._fits, whole=self.whole, even=self.even, seed=self.seed
        )  # the first settings of a larger design are those of a smaller one
        return self._swept([self._rounded(values) for values in drawn])

    def example(self) -> Sweep:
        """A setting that nobody measures, whose names stand for all: least numbers, whatever the hypotheses."""
        return self._swept([{name: self._typed(name, low) for name, (low, _) in self.ranges.items()}])

    def _swept(self, settings: Sequence[Values]) -> Sweep:
        points = tuple(
            {**self.parameters(values), **own}
            for values in settings
            for own in (({},) if self.moved is None else self.moved(values))
        )
        return Sweep(self.system, points, self.fixed, self.replicates)

    def _fits(self, values: Values) -> bool:
        return self.admissible is None or self.admissible(self._rounded(values))

    def _rounded(self, values: Values) -> Values:
        return {name: self._typed(name, value) for name, value in values.items()}

    def _typed(self, name: str, value: float) -> float:
        return round(value) if name in self.whole else float(f"{value:.{DIGITS}g}")


@dataclass(frozen=True, kw_only=True)
class LawSearch(Part):
    """The law that a positive quantity follows in the letters of its setting, or that none is found.

    Replicates of a setting count by their geometric mean. A quantity of None has no value there. With `moving` it is
    read off all trials of a setting, which differ in that parameter, such as the size at which half of them succeed.
    """

    leaves_lost: ClassVar[bool] = False
    role: Role = Role.REPAIR
    because: str = BESIDE
    drawn: DrawnSettings
    quantity: Callable[[Trial], float | None] | None = None
    of_setting: Callable[[Sequence[Trial]], float | None] | None = None
    moving: str = ""
    response: str
    """The name of what is measured, as the law prints it."""
    named: tuple[sp.Symbol, ...] = ()
    """Letters of the paper that the law may contain, by the part's `symbols`."""
    others: Callable[[Trial], Values] | None = None
    """Other numbers of a setting that the law may contain, by name, read off its first trial."""
    combinations: tuple[str, ...] = ()
    """Sums and differences of two letters, or of a letter and a number, that mean something here."""
    claimed: Callable[[Trial], float | Sequence[float]] | None = None
    """The claimed law at a setting, by its first trial, where it is not the claim's own formula; or what it is for each
    of its hidden constants in turn, of which the one runs that suits the measurements best."""
    reasons: tuple[str, ...] = ()
    """Lemmas of the claim, by name, that give the law a reason, whole or in part."""
    max_terms: int = 4
    """Factors of a law: more than a reader takes in are no repair."""
    may_decide: ClassVar[bool] = False

    def __post_init__(self) -> None:
        super().__post_init__()
        if (self.quantity is None) != bool(self.moving and self.of_setting):
            raise ValueError(f"quantity, or moving and of_setting, must be given for part {self.name!r}, one of them")
        if not self.named and self.others is None:
            raise ValueError(f"named must hold letters that a law may contain, got none for part {self.name!r}")
        if self.role is Role.STATEMENT:
            raise ValueError(f"role must be that of a repair or a question, got statement for part {self.name!r}")

    # ------------------------------------------------------------------------------------------------------ trials

    @functools.cached_property
    def _swept(self) -> dict[Preset, tuple[Sweep, ...]]:
        return {}

    def sweeps_at(self, preset: Preset) -> tuple[Sweep, ...]:
        """The design of a preset, drawn when it is first asked for."""
        size = self._size(preset)
        if size is None:
            return ()
        if size not in self._swept:
            self._swept[size] = (self.drawn.sweep(self.drawn.count[size]),)
        return self._swept[size]

    def _size(self, preset: Preset) -> Preset | None:
        return next((size for size in (preset, *SMALLER[preset]) if size in self.drawn.count), None)

    def trial_count(self, preset: Preset) -> int:
        """How many trials a preset has, for which nothing is drawn: every setting has as many."""
        size = self._size(preset)
        return 0 if size is None else self.drawn.count[size] * len(self.drawn.example().specs())

    @property
    def looked_up(self) -> Mapping[Preset, tuple[Sweep, ...]]:
        """One setting, whose names stand for all that will be drawn."""
        return {min(self.drawn.count, key=list(Preset).index): (self.drawn.example(),)}

    # --------------------------------------------------------------------------------------------------- judgement

    def lines(self, claim: Claim, trials: Sequence[Trial]) -> list[Row]:
        """One line of the settings inside the hypotheses, or where that is open; how many lie outside is said."""
        regime = tuple(hypothesis for hypothesis in claim.regime if hypothesis.name not in self.exempt)
        met = once_a_setting(lambda trial: all_met(regime, self.point(trial)))
        inside = [trial for trial in trials if met(trial) is not Met.NOT_MET]
        (row,) = self.judge(claim, inside)
        points = [self.point(group[0]) for group in self.settings(inside)]
        words = f"{len(trials) - len(inside)} of {len(trials)} trials are out of regime"
        outside = clauses_of(Topic.REGIME, words if len(inside) < len(trials) else "")
        return [replace(row.adding(left_out=outside), role=self.role_in(claim), standing=standing(regime, points))]

    def settings(self, trials: Sequence[Trial]) -> list[list[Trial]]:
        """Trials that agree in all parameters but that which moves within a setting."""
        found: dict[str, list[Trial]] = {}
        for trial in trials:
            names = sorted(item for item in trial.spec.parameters.items() if item[0] != self.moving)
            found.setdefault(repr(names), []).append(trial)
        return list(found.values())

    def samples(self, trials: Sequence[Trial]) -> list[float]:
        """What the trials of one setting give: a number each, or one of them all."""
        if self.of_setting is not None:
            found = self.of_setting(trials)
            return [] if found is None else [found]
        if self.quantity is None:
            return []
        return [value for trial in sane(trials) if (value := self.quantity(trial)) is not None]

    def letters_at(self, trial: Trial) -> dict[str, float]:
        """The letters of a law at a trial's setting."""
        point = self.point(trial)
        found = {letter.name: float(point[letter]) for letter in self.named}
        if self.others is not None:
            found |= self.others(trial)
        return found

    def judge(self, claim: Claim, trials: Sequence[Trial]) -> list[Row]:
        """Search, and say what was found."""
        every = self.settings(trials)
        measured = [(group, values) for group in every if (values := self.samples(group))]
        lost = len(every) - len(measured)
        left_out = clauses_of(Topic.LEFT_OUT, f"{lost} of {len(every)} settings have no value" if lost else "")
        if not measured or lost > MAX_LOST * len(every):
            words = "too few settings have a value, so a law of them would be one of a selection"
            told = obstacle(Topic.LEFT_OUT, words, lost=lost, settings=len(every))
            return [make_row(self, claim, Judgement(Verdict.NO_CLAIM, told).adding(left_out=left_out), trials)]
        groups, samples = [group for group, _ in measured], [values for _, values in measured]
        found = [self.letters_at(group[0]) for group in groups]
        claimed = self._claimed(claim, groups, samples)
        try:
            law = law_searches.search_law(
                {name: [at[name] for at in found] for name in found[0]},
                samples,
                combinations=self.combinations,
                claimed=claimed,
                response=self.response,
                confidence=self.policy.confidence,
                max_terms=self.max_terms,
            )
        except ValueError as error:
            told = obstacle(Topic.UNDEFINED, f"no search: {error}")
            return [make_row(self, claim, Judgement(Verdict.NO_CLAIM, told).adding(left_out=left_out), trials)]
        told = _explained(law, len(measured)).adding(
            left_out=left_out, evidence=_against_constant(law, samples, claimed)
        )
        points = _points(law, found, groups, samples, claimed)
        row = make_row(self, claim, Judgement(Verdict.NO_CLAIM, told), trials, points=points)
        return [replace(row, law=law, reasons=self.reasons)]

    def _claimed(
        self, claim: Claim, groups: Sequence[Sequence[Trial]], samples: Sequence[Sequence[float]]
    ) -> list[float] | None:
        """The claimed law at the settings, with the hidden constants that leave least; None where it has no value."""
        centres = np.array([np.log(values).mean() for values in samples])
        if self.claimed is not None:
            every = np.array([np.atleast_1d(self.claimed(group[0])) for group in groups], dtype=float)
            best = int(np.argmin(np.std(centres[:, None] - np.log(every), axis=0)))
            return list(map(float, every[:, best]))
        if claim.value is None or self.symbols is None:
            return None
        found: list[tuple[float, list[float]]] = []
        for candidate in scan(replace(claim, regime=()), [self.point(group[0]) for group in groups]):
            bounds = [bound for bound in candidate.bounds if bound is not None and bound > 0]
            if len(bounds) == len(groups):
                found.append((float(np.std(centres - np.log(bounds))), bounds))
        return min(found, key=lambda pair: pair[0])[1] if found else None


def threshold_in(size: str, success: str) -> Callable[[Sequence[Trial]], float | None]:
    """The size at which half of a setting's trials succeed; None where that lies beyond the sizes measured."""

    def found(trials: Sequence[Trial]) -> float | None:
        counts = counted_by_size(by_size(trials, size, lambda trial: succeeded(trial, success)))
        return estimates.estimate_threshold(*counts).value

    return found


def crossing_in(parameter: str, observable: str, level: float) -> Callable[[Sequence[Trial]], float | None]:
    """The value of a parameter at which an exact observable crosses a level, between neighbours by their logarithms."""

    def found(trials: Sequence[Trial]) -> float | None:
        pairs = sorted((float(trial.spec.parameters[parameter]), trial.number(observable)) for trial in trials)
        for (x, y), (next_x, next_y) in itertools.pairwise(pairs):
            if y > 0 and next_y > 0 and min(y, next_y) <= level <= max(y, next_y) and y != next_y:
                share = math.log(level / y) / math.log(next_y / y)
                return x * (next_x / x) ** share
        return None

    return found


# --------------------------------------------------------------------------------------------------------------- words


def _explained(law: SearchedLaw, settings: int) -> Explanation:
    """What was found, in the parts of an explanation."""
    first, *rest = (sentence.rstrip(".") for sentence in law.sentences)
    figures = {"held-out settings": law.held_out.settings, "error": law.held_out.error, "p": law.held_out.p}
    rival = law.claimed_rival
    if rival is not None:
        figures["claimed errs"] = rival.factor
    found = (Clause(Topic.FINDING, first, figures), *clauses_of(Topic.REMARK, _interval_words(law)))
    decision = Ruling(clauses=found)
    said: Clauses = tuple(Clause(Topic.REMARK, words) for words in rest)
    return Explanation(decision, Measurements(settings, "settings", clauses=said))


def _against_constant(law: SearchedLaw, samples: Sequence[Sequence[float]], claimed: Sequence[float] | None) -> Clauses:
    """Where there is no law, how the claimed one fares against a constant, each with its best one, at all settings."""
    if law.found or claimed is None:
        return ()
    centres = np.array([np.log(values).mean() for values in samples])
    spread, left = float(np.std(centres)), float(np.std(centres - np.log(claimed)))
    words = (
        f"at all settings the claimed law, with its best constant, is typically off by a factor {math.exp(left):.3g}, "
        f"a constant by {math.exp(spread):.3g}"
    )
    return (Clause(Topic.REMARK, words, {"claimed": left, "constant": spread}),)


def _interval_words(law: SearchedLaw) -> str:
    """The exponents with their intervals, and how much worse the claimed law is; "" where there is no law."""
    if not law.found:
        return ""
    said = [f"{term.factor.text} {term.interval}" for term in law.terms if term.interval is not None]
    words = [f"exponents ({law.level_words} together) {', '.join(said)}"] if said else []
    rival = law.claimed_rival
    return "; ".join([*words, *([] if rival is None else [f"the claimed law errs {rival.times_text} times as much"])])


def _points(
    law: SearchedLaw,
    letters: Sequence[Mapping[str, float]],
    groups: Sequence[Sequence[Trial]],
    samples: Sequence[Sequence[float]],
    claimed: Sequence[float] | None,
) -> tuple[Point, ...]:
    """Each setting: what the law gives, what the claimed one gives with its best constant, what was measured."""
    given = law.predict({name: np.array([at[name] for at in letters]) for name in letters[0]})
    predicted = np.broadcast_to(given, (len(letters),)).tolist()
    means = [math.exp(float(np.log(values).mean())) for values in samples]
    bounds: Sequence[float | None] = [None] * len(means)
    if claimed is not None:
        scale = math.exp(float(np.mean(np.log(means) - np.log(claimed))))
        bounds = [scale * value for value in claimed]
    return tuple(
        Point(value, bound, mean, n_trials=len(group))
        for value, bound, mean, group in sorted(zip(predicted, bounds, means, groups, strict=True), key=lambda p: p[0])
    )
