"""A check joins a claim with the evidence that settles it.

A `Check` is a claim and its parts; a `Part` names the trials it needs at a preset and turns finished trials into rows
of the table. pytest and the command line consume the same checks; neither imports the other. Nothing is registered:
`discover` collects every module-level `Check` below `checks/<paper>/`, and a claim without a check is a row all the
same.
"""

from __future__ import annotations

import functools
from abc import ABC, abstractmethod
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from enum import StrEnum

import sympy as sp

from checks.verdict import Judgement, Verdict, headline
from sim.sweep import Sweep
from sim.trial import Outcome, Trial, TrialSpec
from theory.claim import PAPERS, Axis, Claim, instances_below
from theory.claim import discover as discover_claims


class Preset(StrEnum):
    """How much is measured: smoke in a minute, quick in minutes, full at the papers' sizes and grids."""

    SMOKE = "smoke"
    QUICK = "quick"
    FULL = "full"


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

    @property
    def verdict(self) -> Verdict:
        """The row's verdict."""
        return self.judgement.verdict


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

    def specs(self, preset: Preset) -> list[TrialSpec]:
        """The trials this part rests on."""
        for candidate in (preset, *_SMALLER[preset]):
            if candidate in self.sweeps:
                return [spec for sweep in self.sweeps[candidate] for spec in sweep.specs()]
        return []

    def rows(self, claim: Claim, preset: Preset, trials: Mapping[str, Trial]) -> list[Row]:
        """Judge what the store holds: not measured yet where trials are missing, no row where the preset has none."""
        from sim.store import key

        specs = self.specs(preset)
        if not specs:
            return []
        names = dict.fromkeys(map(key, specs))  # a trial that two sweeps share counts once
        ended = [trials[name] for name in names if name in trials]
        found = [trial for trial in ended if trial.result.outcome != Outcome.FAILED]
        if len(found) < len(names):
            failed, retry = (f", {len(ended) - len(found)} failed", " --retry-failed") if ended != found else ("", "")
            command = f"theoremeter run {claim.id} --preset {preset}{retry}"
            reason = f"{len(found)} of {len(names)} trials stored{failed}; {command}"
            judgement = Judgement(Verdict.NOT_MEASURED_YET, reason)
            return [Row(claim, self.name, judgement, axis=axis, n_trials=len(found)) for axis in self.axes(claim)]
        return self.judge(claim, found)

    def axes(self, claim: Claim) -> Sequence[Axis | None]:
        """The axes this part judges; one row each."""
        return [None]

    @abstractmethod
    def judge(self, claim: Claim, trials: Sequence[Trial]) -> list[Row]:
        """Turn the part's finished trials into rows."""


_SMALLER = {Preset.SMOKE: (), Preset.QUICK: (Preset.SMOKE,), Preset.FULL: (Preset.QUICK, Preset.SMOKE)}


@dataclass(frozen=True)
class Check:
    """A claim and the parts that measure, prove or certify it."""

    claim: Claim
    parts: tuple[Part, ...]

    def specs(self, preset: Preset) -> list[TrialSpec]:
        """All trials of all parts."""
        return [spec for part in self.parts for spec in part.specs(preset)]

    def rows(self, preset: Preset, trials: Mapping[str, Trial]) -> list[Row]:
        """All rows of all parts."""
        return [row for part in self.parts for row in part.rows(self.claim, preset, trials)]


@functools.cache
def discover() -> dict[str, Check]:
    """Every claim's check by id, in catalogue order; a claim whose evidence comes later has a check without parts."""
    checks: dict[str, Check] = {}
    for folder in PAPERS.values():
        for module, check in instances_below(f"checks.{folder}", Check):
            assert isinstance(check, Check)
            if checks.setdefault(check.claim.id, check) is not check:
                raise ValueError(f"a claim has one check, got a second one for {check.claim.id} in {module}")
    return {name: checks.get(name, Check(claim, ())) for name, claim in discover_claims().items()}


def evaluate(checks: Iterable[Check], preset: Preset, trials: Mapping[str, Trial]) -> dict[str, list[Row]]:
    """Rows by claim id. Raises ToolError where a measurement contradicts a proof."""
    table: dict[str, list[Row]] = {}
    for check in checks:
        rows = check.rows(preset, trials)
        if not rows:
            later = next((size for size in Preset if check.specs(size)), None)
            reason = f"measured from preset {later} on" if later else "no evidence is built for this claim yet"
            rows = [Row(check.claim, "", Judgement(Verdict.NOT_MEASURED_YET, reason))]
        _refuse_contradiction(check.claim, rows)
        table[check.claim.id] = rows
    return table


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
    """A JSON scalar as an exact sympy number: 0.3 is 3/10, not its binary neighbour."""
    return sp.Rational(repr(value)) if isinstance(value, float) else sp.sympify(value)
