"""Trajectories of the reduced dynamics in the plane: the logit within sets over that across sets, and over alpha.

[jelassi2022, section 4.1] Trained from the paper's start, A keeps three values; with alpha = <v, w*> the whole run is a
curve in (alpha, gamma, rho). Association is gamma above |rho|, which is one side of a line in the first plane. Drawn
are the curves that trials recorded, whatever the part that asked for them.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from checks.report.pictures.gathered import Piece, has_curves, settings_of
from checks.report.pictures.kinds import PictureKind
from checks.report.pictures.model import (
    CLAIMED,
    MEASURED,
    UNUSED,
    Arrow,
    Band,
    DataTable,
    Guide,
    Ink,
    Mark,
    Panel,
    PanelAxis,
    Trace,
)
from sim.trials.trial import Trial

Array = np.ndarray

ALPHA, GAMMA, RHO = "feature_alignment", "within_logit", "across_logit"
MOST_RUNS = 12
"""Trajectories of a picture: more cannot be told apart."""
_MOST_RECORDS = 40
_FEWEST_RECORDS = 3
_PAD = 0.06
_TITLES = {"rho": "Logits within sets and across sets", "alpha": "The logit within sets and alpha"}
_WORDS = {"rho": r"$\rho$, logit across sets", "alpha": r"$\alpha = \langle v, w^*\rangle$"}


@dataclass(frozen=True, eq=False)
class PlanePath:
    """One run in the plane, all arrays [records]; `setting` is what tells it from the others."""

    setting: tuple[str, ...]
    alpha: Array
    gamma: Array
    rho: Array

    @property
    def is_associated(self) -> bool:
        """Whether the run ends with the logit within sets above all others."""
        return bool(self.gamma[-1] > abs(self.rho[-1]))


@dataclass(frozen=True, eq=False)
class Portrait:
    """The runs that are drawn, the names of what tells them apart, and how many there are in all."""

    names: tuple[str, ...]
    paths: tuple[PlanePath, ...]
    n_runs: int


def portrait_of(pieces: Sequence[Piece]) -> Portrait | None:
    """The trajectories of a claim's trials, each once, some of them where there are many; None where there are none."""
    found = {trial.spec.identity: trial for piece in pieces for trial in piece.trials if _is_path(trial)}
    runs = list(found.values())
    if not runs:
        return None
    every = max(len(runs) - 1, 1) / max(min(len(runs), MOST_RUNS) - 1, 1)
    kept = [runs[place] for place in dict.fromkeys(round(n * every) for n in range(min(len(runs), MOST_RUNS)))]
    settings = settings_of(kept)
    paths = [_path(values, trial) for values, group in settings.groups.items() for trial in group]
    return Portrait(settings.names, tuple(paths), len(runs))


def _is_path(trial: Trial) -> bool:
    curves = trial.result.curves
    if not has_curves(trial, ALPHA, GAMMA, RHO) or len(curves[GAMMA]) < _FEWEST_RECORDS:
        return False
    return all(bool(np.isfinite(curves[name]).all()) for name in (ALPHA, GAMMA, RHO))


def _path(setting: tuple[str, ...], trial: Trial) -> PlanePath:
    """A run with some of its records, evenly along its way: most records of a run lie close to its start."""
    alpha, gamma, rho = (np.asarray(trial.result.curves[name], dtype=float) for name in (ALPHA, GAMMA, RHO))
    spans = [max(float(np.ptp(values)), 1e-300) for values in (alpha, gamma, rho)]
    moved = sum(np.abs(np.diff(values)) / span for values, span in zip((alpha, gamma, rho), spans, strict=True))
    way = np.concatenate([[0.0], np.cumsum(moved)])
    wanted = np.linspace(0, way[-1], _MOST_RECORDS)
    kept = np.unique(np.concatenate([[0, len(way) - 1], np.searchsorted(way, wanted).clip(0, len(way) - 1)]))
    return PlanePath(setting, alpha[kept], gamma[kept], rho[kept])


def panel_of(paths: Sequence[PlanePath], *, over: str) -> Panel:
    """Every run from a ring to a square, or to a cross where it ends without association; an arrow half way."""
    places = [getattr(path, over) for path in paths]
    marks: list[Mark] = []
    if over == "rho":
        reach = max(float(np.abs(x).max()) for x in places) or 1.0
        xs, label = [-reach * (1 + _PAD), 0.0, reach * (1 + _PAD)], "gamma = |rho|: above it association"
        marks.append(Trace(Ink(UNUSED, 0.9, "dashed"), "reference", label, xs=xs, ys=[abs(x) for x in xs]))
    marks += [mark for path, x in zip(paths, places, strict=True) for mark in _path_marks(path, x)]
    starts = dict.fromkeys((float(x[0]), float(path.gamma[0])) for path, x in zip(paths, places, strict=True))
    ring = Ink(dash="", fill="white", shape="circle", size=4.6, order=5)
    marks.append(Trace(ring, "start", "start", xs=[x for x, _ in starts], ys=[y for _, y in starts]))
    marks.append(Guide(Ink(UNUSED, 0.5, order=1), axis="y", at=0))
    return Panel(PanelAxis(_WORDS[over]), PanelAxis(r"$\gamma$, logit within sets"), marks, _TITLES[over])


def _path_marks(path: PlanePath, x: Array) -> list[Mark]:
    """A run, its end, and the direction of time where half of its records lie behind."""
    colour, shape, dash, words = (
        (MEASURED, "square", "solid", "end, associated")
        if path.is_associated
        else (CLAIMED, "cross", "dash-dotted", "end, not associated")
    )
    xs, ys, middle = x.tolist(), path.gamma.tolist(), len(x) // 2
    end = Ink(colour, dash="", fill=colour, shape=shape, size=4.2, order=4)
    before, after = ((xs[at], ys[at]) for at in (middle - 1, middle))
    return [
        Trace(Ink(colour, 0.9, dash, 0.8), "path", xs=xs, ys=ys),
        Trace(end, "end", words, xs=xs[-1:], ys=ys[-1:]),
        *([Arrow(Ink(colour, 0.9), start=before, end=after)] if before != after else []),
    ]


def _bands(pieces: Sequence[Piece]) -> list[Band]:
    """One band of all trajectories of a claim."""
    found = portrait_of(pieces)
    if found is None:
        return []
    panels = tuple(panel_of(found.paths, over=over) for over in _TITLES)
    return [Band("Phase pictures", panels, told(found), most=1, data=(_table(found),))]


def told(found: Portrait) -> str:
    """What the picture shows, in words."""
    good = sum(path.is_associated for path in found.paths)
    shown = f"{len(found.paths)} of {found.n_runs} runs" if found.n_runs > len(found.paths) else f"{found.n_runs} runs"
    ends = f"{good} end with gamma above |rho|, {len(found.paths) - good} do not"
    return f"Trajectories of {shown} of the reduced dynamics from the paper's start: {ends}"


def _table(found: Portrait) -> DataTable:
    columns = (
        "run",
        *found.names,
        "alpha at the start",
        "alpha at the end",
        "gamma at the end",
        "rho at the end",
        "ends",
    )
    rows = [
        (str(number), *path.setting, *(f"{value:.3g}" for value in (path.alpha[0], path.alpha[-1], path.gamma[-1],
                                                                     path.rho[-1])),
         "associated" if path.is_associated else "not associated")
        for number, path in enumerate(found.paths, start=1)
    ]  # fmt: skip
    return DataTable("Where the runs begin and end", columns, tuple(rows))


KIND = PictureKind(place=80, bands=_bands)
