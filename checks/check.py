"""A check joins a claim with the evidence that settles it.

A `Check` is a claim and its parts; a `Part` names the trials it needs at a preset, at once or in rounds, and turns
them, when finished, into rows of the table. pytest and the command line consume the same checks; neither imports the
other. Nothing is registered: `discover` collects every module-level `Check` below `checks/<paper>/` and joins to it
what symbols settle, which follows from the claim alone: a proof for each of its lemmas, an exponent for each of its
axes. A claim without a check is a row all the same.
"""

from __future__ import annotations

import functools
import math
from abc import ABC, abstractmethod
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING

import sympy as sp

from checks.preset import SMALLER, Preset
from checks.rounds import Placement, Round, finished, walk
from checks.stored_trials import blamed
from checks.verdict import Judgement, Verdict, headline
from sim.sweep import Sweep
from sim.trial import Outcome, Trial, TrialSpec
from theory.claim import PAPERS, Axis, Claim, Evidence, instances_below
from theory.claim import discover as discover_claims

if TYPE_CHECKING:
    import numpy as np

    Array = np.ndarray


SYMBOLIC_LIBRARIES = ("sympy", "mpmath", "python-flint")
"""What a proof or a derived number rests on, and no simulator."""


@dataclass(frozen=True)
class Point:
    """One point of a row: claim against measurement. `bound` carries the fitted prefactor of an order."""

    value: float
    bound: float | None
    measured: float | None
    low: float | None = None
    high: float | None = None
    censored: str | None = None
    in_regime: bool = True
    n_trials: int = 0


@dataclass(frozen=True, eq=False)
class Curve:
    """What one trial recorded along the axis of a row, all arrays [points].

    `judged` is set where the verdict looked. `claimed` carries the trial's own fitted prefactor; it is None where the
    claim was compared by its slope alone.
    """

    axis: Array
    measured: Array
    judged: Array
    claimed: Array | None = None


@dataclass(frozen=True, eq=False)
class Matrix:
    """A matrix as a heat map, its first row on top."""

    title: str
    values: Array


@dataclass(frozen=True, eq=False)
class Lines:
    """Curves over a positive axis, by name, with one level that they are to be seen against, by name.

    `marks` are places on the axis, by name; `log` asks for a logarithmic height, on which what is not positive is gone.
    """

    title: str
    axis_words: str
    axis: Array
    lines: Mapping[str, Array]
    level: tuple[str, float] | None = None
    marks: Mapping[str, float] = field(default_factory=dict)
    log: bool = False


@dataclass(frozen=True, eq=False)
class Cells:
    """A name for each cell of a grid, `names[y][x]`; "" where nothing is known. `legend` orders the names."""

    title: str
    x_words: str
    y_words: str
    xs: Sequence[float]
    ys: Sequence[float]
    names: Sequence[Sequence[str]]
    legend: Sequence[str]


Picture = Matrix | Lines | Cells


@dataclass(frozen=True)
class Row:
    """One verdict: of a claim, by part and axis, with all the figures that a table or a page shows."""

    claim: Claim
    part: str
    judgement: Judgement
    axis: Axis | None = None
    asymptotic_exponent: str | None = None
    points: tuple[Point, ...] = ()
    in_regime: bool | None = None
    n_trials: int = 0
    seconds: float = 0.0
    aspect: str = ""
    toward: str | float | None = None
    """The axis's limit as judged: its boundary, where it has one, as a number at the constants that counted."""
    placement: Placement | None = None
    """How the trials were placed, where there is a choice."""
    axis_words: str = ""
    """What the axis is in the simulator's words."""
    curves: tuple[Curve, ...] = field(default=(), repr=False, compare=False)
    """One a trial, where the axis lies inside each trial."""
    pictures: tuple[Picture, ...] = field(default=(), repr=False, compare=False)
    """What one of the trials looks like, side by side, where the claim is about a picture."""

    @property
    def verdict(self) -> Verdict:
        """The row's verdict."""
        return self.judgement.verdict

    def saying(self, words: str) -> Row:
        """The row with one more clause at the end of its reason."""
        return replace(self, judgement=replace(self.judgement, reason=f"{self.judgement.reason}; {words}"))


@dataclass(frozen=True, kw_only=True)
class Part(ABC):
    """Evidence for one aspect of a claim.

    `sweeps` gives the trials by preset; a missing preset falls back to the next smaller one, because small evidence at
    a large preset is still evidence. Parts that speak of the same statement by different evidence share an `aspect`.
    `note` is what a reader of the row must know about the protocol; it opens the reason. `remark` says more of what the
    trials show, in figures; it closes the reason and decides nothing.
    """

    name: str
    note: str = ""
    remark: Callable[[Sequence[Trial]], str] | None = None
    aspect: str = ""
    sweeps: Mapping[Preset, tuple[Sweep, ...]] = field(default_factory=dict)
    error_share: float = 1.0
    """Share of the 5 % error that this judgement may spend; less than 1 where it is one look of several."""

    @property
    def is_measured(self) -> bool:
        """Whether trials of a simulator settle this part; for proofs and derived numbers it is False."""
        return True

    def sweeps_at(self, preset: Preset) -> tuple[Sweep, ...]:
        """The sweeps of a preset, or of the next smaller one that has any."""
        return next((self.sweeps[size] for size in (preset, *SMALLER[preset]) if size in self.sweeps), ())

    def specs(self, preset: Preset) -> list[TrialSpec]:
        """The trials this part rests on."""
        return [spec for sweep in self.sweeps_at(preset) for spec in sweep.specs()]

    @property
    def confidence(self) -> float:
        """Confidence at which this part is judged."""
        return 1 - 0.05 * self.error_share

    @property
    def placements(self) -> frozenset[Placement]:
        """How the trials of this part can be placed."""
        return frozenset({Placement.GRID})

    def placed(self, placement: Placement) -> Placement:
        """How the trials are placed where `placement` is asked for: so if the part can, on its grid otherwise."""
        return placement if placement in self.placements else Placement.GRID

    def one_round(self, placement: Placement) -> bool:
        """Whether what is measured depends on no result, so that none needs to be read before."""
        return self.placed(placement) is Placement.GRID

    def next_round(
        self, preset: Preset, trials: Sequence[Trial], placement: Placement = Placement.GRID
    ) -> list[TrialSpec]:
        """The trials that come next, a pure function of the finished trials of all earlier rounds; none at the end.

        Here, as on every grid: all of them in the first round.
        """
        return [] if trials else self.specs(preset)

    def rows(
        self, claim: Claim, preset: Preset, trials: Mapping[str, Trial], placement: Placement = Placement.GRID
    ) -> list[Row]:
        """Judge what the store holds: not measured yet where trials are missing, no row where the preset has none."""
        from sim.store import key

        def get(specs: Iterable[TrialSpec]) -> dict[str, Trial]:
            return {name: good[name] for name in map(key, specs) if name in good}

        good = finished(trials)
        rounds = list(walk(self, preset, placement, get))
        if not rounds:
            return []
        found = [trial for stage in rounds for trial in stage.found.values()]
        if rounds[-1].missing:
            failed = sum(name in trials and name not in rounds[-1].found for name in rounds[-1].specs)
            judgement = Judgement(
                Verdict.NOT_MEASURED_YET, self._missing_words(claim, preset, rounds, placement, failed=failed)
            )
            return [Row(claim, self.name, judgement, axis=axis, n_trials=len(found)) for axis in self.axes(claim)]
        with blamed(found, f"{claim.id}, {self.name}"):
            rows = self.judge(claim, found)
        if len(self.placements) == 1:
            return rows
        words = self._placement_words(preset, rounds, placement)
        return [replace(row.saying(words), placement=self.placed(placement)) for row in rows]

    def _missing_words(
        self, claim: Claim, preset: Preset, rounds: Sequence[Round], placement: Placement, *, failed: int
    ) -> str:
        """How far the store is, and the command that goes on."""
        last = rounds[-1]
        adaptive = self.placed(placement) is not Placement.GRID
        where = f" of round {len(rounds)}" if adaptive else ""
        option = f" --placement {placement}" if adaptive else ""
        count = f"{len(last.found)} of {len(last.specs)} trials{where} stored" + (
            f", {failed} failed" if failed else ""
        )
        retry = " --retry-failed" if failed else ""
        return f"{count}; theoremeter run {claim.id} --preset {preset}{option}{retry}"

    def _placement_words(self, preset: Preset, rounds: Sequence[Round], placement: Placement) -> str:
        """Which of the placements was used, and how many trials it took."""
        count = sum(len(stage.specs) for stage in rounds)
        if self.placed(placement) is Placement.GRID:
            return f"{count} trials placed on the whole grid"
        return f"{count} trials placed adaptively in {len(rounds)} rounds; the grid has {len(self.specs(preset))}"

    def axes(self, claim: Claim) -> Sequence[Axis | None]:
        """The axes this part judges; one row each."""
        return [None]

    @abstractmethod
    def judge(self, claim: Claim, trials: Sequence[Trial]) -> list[Row]:
        """Turn the part's finished trials into rows."""


@dataclass(frozen=True, kw_only=True)
class SymbolicPart(Part):
    """Evidence that symbols settle, in one trial that is the same at every preset."""

    claim_id: str

    @property
    def is_measured(self) -> bool:
        """Nothing is measured."""
        return False


@dataclass(frozen=True)
class Check:
    """A claim and the parts that measure, prove or certify it."""

    claim: Claim
    parts: tuple[Part, ...]

    def specs(self, preset: Preset) -> list[TrialSpec]:
        """All trials of all parts."""
        return [spec for part in self.parts for spec in part.specs(preset)]

    def rows(self, preset: Preset, trials: Mapping[str, Trial], placement: Placement = Placement.GRID) -> list[Row]:
        """All rows of all parts."""
        return [row for part in self.parts for row in part.rows(self.claim, preset, trials, placement)]


def symbolic(check: Check) -> Check:
    """The check without what trials of a simulator settle: its proofs and derived numbers."""
    return Check(check.claim, tuple(part for part in check.parts if not part.is_measured))


@functools.cache
def discover() -> dict[str, Check]:
    """Every claim's check by id, in catalogue order: its measured parts, its proofs, its derived exponents."""
    from checks.derivations import derivations
    from checks.proofs import proofs

    checks: dict[str, Check] = {}
    for folder in PAPERS.values():
        for module, check in instances_below(f"checks.{folder}", Check):
            if not isinstance(check, Check):
                raise TypeError(f"a check must be a Check, got {check!r} in {module}")
            if checks.setdefault(check.claim.id, check) is not check:
                raise ValueError(f"a claim has one check, got a second one for {check.claim.id} in {module}")
    measured = {name: checks[name].parts if name in checks else () for name in discover_claims()}
    return {
        name: Check(claim, (*measured[name], *proofs(claim), *derivations(claim)))
        for name, claim in discover_claims().items()
    }


def evaluate(
    checks: Iterable[Check],
    preset: Preset,
    trials: Mapping[str, Trial],
    placement: Placement = Placement.GRID,
) -> dict[str, list[Row]]:
    """Rows by claim id. Raises ToolError where a measurement contradicts a proof."""
    table: dict[str, list[Row]] = {}
    for check in checks:
        rows = check.rows(preset, trials, placement)
        if not rows or _lacks_measurement(check, preset):
            rows.append(_to_be_measured(check))
        _refuse_contradiction(check.claim, rows)
        table[check.claim.id] = rows
    return table


def _lacks_measurement(check: Check, preset: Preset) -> bool:
    """Whether the claim must be measured and nothing does at this preset: lemmas alone must not speak for it."""
    return Evidence.MEASURED in check.claim.evidence and not any(p.is_measured and p.specs(preset) for p in check.parts)


def _to_be_measured(check: Check) -> Row:
    measured = [part for part in check.parts if part.is_measured]
    later = next((size for size in Preset if any(part.specs(size) for part in measured)), None)
    reason = f"measured from preset {later} on" if later else "no trials are built for this claim yet"
    return Row(check.claim, "", Judgement(Verdict.NOT_MEASURED_YET, reason))


def claim_verdict(rows: Iterable[Row]) -> Verdict:
    """The headline of a claim: its worst row."""
    return headline(row.verdict for row in rows)


class ToolError(RuntimeError):
    """Evidence that cannot all be right: the tool is wrong, not the paper."""


def _refuse_contradiction(claim: Claim, rows: Sequence[Row]) -> None:
    """A statement proved by one kind of evidence and refuted by another is an error of the tool."""
    by_aspect: dict[str, set[Verdict]] = {}
    for row in rows:
        by_aspect.setdefault(row.aspect or row.part, set()).add(row.verdict)
    for aspect, verdicts in by_aspect.items():
        proved = verdicts & {Verdict.PROVED, Verdict.CERTIFIED}
        against = verdicts & {Verdict.REFUTED, Verdict.VIOLATED}
        if proved and against:
            raise ToolError(f"{claim.id} ({aspect}) is both {min(proved)} and {min(against)}: the tool is in error")


def diverged(trials: Sequence[Trial]) -> int:
    """How many trials diverged."""
    return sum(trial.result.outcome == Outcome.DIVERGED for trial in trials)


def exact(value: object) -> sp.Expr:
    """A JSON number as an exact sympy number: 0.3 is 3/10, not its binary neighbour. No text is ever read as a formula.

    Raises:
        ValueError: on anything that is no finite number.
    """
    if isinstance(value, sp.Expr):
        return value
    if isinstance(value, float) and math.isfinite(value):
        return sp.Rational(repr(value))
    if isinstance(value, int):
        return sp.Integer(int(value))
    raise ValueError(f"value must be a finite number, got {str(value)[:80]!r}")
