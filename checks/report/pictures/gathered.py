"""What a picture of a claim is drawn from: its parts, each with its row and its finished trials.

Trials are drawn also where some are still missing and the row therefore has no verdict. Hypotheses are looked up at the
parameters of each trial, as for the row, so that what lies outside can be marked trial by trial.
"""

from __future__ import annotations

import functools
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import sympy as sp

from checks.evidence.check import Check
from checks.evidence.part import Part
from checks.evidence.ratios import PairedThresholds
from checks.evidence.regime import met_at
from checks.evidence.sampled import Scaling
from checks.evidence.thresholds import SuccessCurves
from checks.records.preset import Placement, Preset
from checks.records.rows import Point, Row
from checks.sampling.rounds import finished_of, walk
from sim.trials.errors import MissingReadout
from sim.trials.trial import Parameters, Trial, TrialSpec
from theory.claim import Claim, Met

Along = Scaling | SuccessCurves | PairedThresholds


@dataclass(frozen=True, eq=False)
class Piece:
    """One part of a check: the trials that are finished, those that are still planned, and the row, if it has one."""

    claim: Claim
    part: Part
    row: Row | None
    trials: tuple[Trial, ...]
    planned: tuple[TrialSpec, ...] = ()

    @property
    def points(self) -> tuple[Point, ...]:
        """The row's points; none where it is not judged."""
        return self.row.points if self.row is not None else ()

    def fails(self, spec: TrialSpec) -> frozenset[str]:
        """Names of the hypotheses, of the claim or shown beside it, that a trial's parameters are known to fail."""
        part, point = self.part, self.part.letters(spec)
        looked_at = [hypothesis for hypothesis in self.claim.regime if hypothesis.name not in part.exempt]
        looked_at += part.hatched if isinstance(part, SuccessCurves) else ()
        return frozenset(h.name for h in looked_at if met_at(h, point) is Met.NOT_MET)

    def in_step(self) -> dict[str, dict[float, float]]:
        """Letters that move whenever the axis does, each with its number at every axis value.

        A slope against such an axis belongs to none of them alone.
        """
        part = self.part
        if not isinstance(part, Along):
            return {}
        seen: dict[sp.Symbol, dict[float, set[sp.Expr]]] = {}
        settings = {repr(sorted(trial.spec.parameters.items())): trial.spec for trial in self.trials}
        for spec in settings.values():
            at = float(spec.parameters[part.parameter])
            for symbol, value in part.letters(spec).items():
                if symbol != part.symbol and value.is_number and value.is_real:
                    seen.setdefault(symbol, {}).setdefault(at, set()).add(value)
        moving = {
            str(symbol): {at: float(next(iter(found))) for at, found in values.items()}
            for symbol, values in seen.items()
            if all(len(found) == 1 for found in values.values())  # one that moves with sizes is no letter of the axis
        }
        return {name: values for name, values in moving.items() if 1 < len(values) == len(set(values.values()))}


def gather(
    check: Check, rows: Sequence[Row], preset: Preset, trials: Mapping[str, Trial], placement: Placement
) -> list[Piece]:
    """The measured parts of a check that have finished trials at a preset."""
    get = functools.partial(finished_of, trials)
    pieces = []
    for part in check.parts:
        if not part.is_measured:
            continue
        rounds = list(walk(part, preset, placement, get))
        found = tuple(trial for stage in rounds for trial in stage.found.values())
        planned = tuple(spec for stage in rounds for spec in stage.missing)
        if found:
            pieces.append(Piece(check.claim, part, _row_of(part, check.claim, rows), found, planned))
    return pieces


def _row_of(part: Part, claim: Claim, rows: Sequence[Row]) -> Row | None:
    """The first row of a part: that inside the hypotheses, where there are two."""
    (axis, *_) = part.axes(claim)
    own = [row for row in rows if row.part.startswith(part.name) and row.axis == axis]
    exact = [row for row in own if row.part == part.name]
    return next(iter(exact), None)


@dataclass(frozen=True, eq=False)
class Settings:
    """Trials by what tells their parameters apart: names in words, and a group of trials for each of their values."""

    names: tuple[str, ...]
    groups: Mapping[tuple[str, ...], Sequence[Trial]]


def has_curves(trial: Trial, *names: str) -> bool:
    """Whether a trial has all of these curves. Published trials keep what verdicts need, and no more."""
    try:
        return all(name in trial.result.curves for name in names)
    except MissingReadout:
        return False


def settings_of(trials: Sequence[Trial], *, axis: str = "") -> Settings:
    """The trials by setting; one group, without names, where all were asked the same.

    Args:
        axis: the parameter of the part's axis, which is named before all others.
    """
    names = _telling_apart([trial.spec.parameters for trial in trials], axis)
    groups: dict[tuple[str, ...], list[Trial]] = {}
    for trial in trials:
        groups.setdefault(tuple(shown_value(trial.spec.parameters.get(name)) for name in names), []).append(trial)
    return Settings(tuple(map(said_name, names)), groups)


def by_setting(trials: Sequence[Trial]) -> dict[str, Sequence[Trial]]:
    """Trials by their setting in words, "" where there is one."""
    found = settings_of(trials)
    return {
        ", ".join(f"{name} = {value}" for name, value in zip(found.names, values, strict=True)): group
        for values, group in found.groups.items()
    }


def _telling_apart(settings: Sequence[Parameters], axis: str) -> list[str]:
    """The first parameter that alone tells all settings apart, or else as few, in order, as do so together.

    Of two that tell equally many apart a size comes first: a rate that follows from it says less to a reader.
    """
    told = {name: [repr(at.get(name)) for at in settings] for name in sorted({name for at in settings for name in at})}

    def kinds(names: Sequence[str]) -> int:
        return len(set(zip(*(told[name] for name in names), strict=True))) if names else bool(settings)

    varied = sorted((name for name in told if kinds([name]) > 1), key=lambda name: name != axis)
    needed = kinds(varied)
    for name in varied:
        if kinds([name]) == needed:
            return [name]
    kept: list[str] = []
    for name in sorted(varied, key=lambda name: (name != axis, -kinds([name]), not name.startswith("n_"))):
        if kinds([*kept, name]) > kinds(kept):
            kept.append(name)
    return kept


def said_name(name: str) -> str:
    """A parameter's name as it is read."""
    return name.removeprefix("n_").replace("_", " ")


def shown_value(value: object) -> str:
    """A parameter's value as it is read."""
    return f"{value:g}" if isinstance(value, int | float) and not isinstance(value, bool) else str(value)
