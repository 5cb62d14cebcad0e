"""Attention as trials stored it: the matrix of logits that training ended with, and mass by kind of token over steps.

A matrix is drawn off its diagonal, which is held at its start and would set the scale; where the trial says which
patches are of one set, their cells have frames, so that they are found without colour. Mass is that of one run, stacked
to 1: means over runs of different lengths would not add up.
"""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import replace
from typing import TypeVar

import numpy as np

from checks.report.pictures.gathered import Piece, by_setting, has_curves
from checks.report.pictures.kinds import PictureKind
from checks.report.pictures.model import Area, Band, Box, DataTable, Heat, Ink, Key, Mark, Panel, PanelAxis
from checks.report.pictures.scales import of_steps
from checks.report.pictures.words import joined
from sim.trials.trial import Trial

Array = np.ndarray

Item = TypeVar("Item")
LOGITS, SETS, STEP = "final_logits", "sets", "step"
MASSES = {
    "mass_label_relevant": "label-relevant tokens",
    "mass_confusion": "confusion tokens",
    "mass_other": "other tokens",
}
PATCHES = "patch attended to", "patch that attends"
MOST_MAPS = 4
"""Panels of a claim: settings beyond these are in the tables of their parts."""
_COLOURS, _HATCHES = ("#56B4E9", "#D55E00", "#DDDDDD"), ("", "//", "\\\\")
_FRAMED = 24
"""Patches up to which frames can be seen."""
_TABLE_PLACES = 9
_RECORDS = 40


# ------------------------------------------------------------------------------------------------------------ matrices


def off_diagonal(logits: Array) -> Array:
    """The learned A without its diagonal, which is held at its start. Shape [patches, patches]."""
    return np.where(np.eye(len(logits)), np.nan, logits)


def has_map(trial: Trial) -> bool:
    """Whether a trial stored a square matrix of logits."""
    if not has_curves(trial, LOGITS):
        return False
    shape = trial.result.curves[LOGITS].shape
    return len(shape) == 2 and shape[0] == shape[1] > 1


def map_of(trial: Trial) -> Panel:
    """Every entry a square, by its size from dark to bright, with frames around patches of one set."""
    values = off_diagonal(trial.result.curves[LOGITS])
    heat = Heat(Ink(), "logits", values=values.tolist(), ends=ends_of(values), bar="right", words="logit")
    return matrix_panel(heat, *PATCHES, frames_of(trial, len(values)))


def ends_of(values: Array) -> tuple[float, float]:
    """Where the columns of a square matrix begin and end, each around its number from 1 on."""
    return 0.5, len(values) + 0.5


def matrix_panel(heat: Heat, attended: str, attends: str, marks: Sequence[Mark] = (), title: str = "") -> Panel:
    """A square matrix with what is attended to along x and what attends along y, from top to bottom."""
    x = PanelAxis(attended, ends=heat.ends, most=6, whole=True)
    y = PanelAxis(attends, ends=heat.ends[::-1], most=6, whole=True)
    return Panel(x, y, [heat, *marks], title)


def frames_of(trial: Trial, n: int) -> list[Mark]:
    """Frames around the entries of patches of one set off the diagonal, with a legend; none where it is unknown."""
    sets = trial.result.curves.get(SETS)
    if sets is None or not len(sets) == n <= _FRAMED:
        return []
    found: list[Mark] = []
    for i, j in zip(*np.nonzero(sets[:, None] == sets[None, :]), strict=True):
        if i != j:
            place = {"left": j + 0.58, "right": j + 1.42, "low": i + 0.58, "high": i + 1.42}
            found += [Box(Ink("white", 1.8), **place), Box(Ink("black", 0.8), "set", **place)]
    return [*found, Key(Ink(dash="", shape="square", size=6, edge=0.8), label="patches of one set")]


def _maps(pieces: Sequence[Piece]) -> list[Band]:
    """One band of a claim: the first run of some of its settings, each matrix once."""
    shown: dict[str, tuple[Piece, str, Trial]] = {}
    for piece in pieces:
        if piece.row is not None and any(not hasattr(picture, "lines") for picture in piece.row.display.pictures):
            return []  # the claim's own parts draw matrices
        stored = [trial for trial in piece.trials if has_map(trial)]
        for setting, trials in list(by_setting(stored).items())[:MOST_MAPS]:
            shown.setdefault(repr(trials[0].spec.identity), (piece, setting, trials[0]))
    chosen = _spread(list(shown.values()), MOST_MAPS)
    if not chosen:
        return []
    panels = tuple(
        replace(map_of(trial), title=joined("" if len(pieces) == 1 else piece.part.name, setting))
        for piece, setting, trial in chosen
    )
    told = "; ".join(_map_told(panel.title, trial) for panel, (_, _, trial) in zip(panels, chosen, strict=True))
    data = tuple(_map_table(panel.title, trial) for panel, (_, _, trial) in zip(panels, chosen, strict=True))
    return [Band("Attention maps: logits that one run ends with", panels, told, most=1, data=data)]


def _spread(items: list[Item], most: int) -> list[Item]:
    """Some of the items, evenly among all, the first and the last with them."""
    if len(items) <= most:
        return items
    return [items[round(number * (len(items) - 1) / (most - 1))] for number in range(most)]


def _map_told(title: str, trial: Trial) -> str:
    place = f"{title}: " if title else ""
    return place + logits_told(off_diagonal(trial.result.curves[LOGITS]), trial)


def logits_told(values: Array, trial: Trial) -> str:
    """Mean logits of a matrix within and across the sets of a trial; its range where the sets are not known."""
    sets = trial.result.curves.get(SETS)
    if sets is None or len(sets) != len(values):
        return f"entries from {np.nanmin(values):.3g} to {np.nanmax(values):.3g} off the diagonal"
    same = sets[:, None] == sets[None, :]
    within, across = float(np.nanmean(values[same])), float(np.nanmean(values[~same]))
    return f"mean logit {within:.3g} within sets, {across:.3g} across sets"


def _map_table(title: str, trial: Trial) -> DataTable:
    values = off_diagonal(trial.result.curves[LOGITS])
    return matrix_table(title or "Logits", "patch", numbered(len(values)), values, no_number="held")


def numbered(count: int) -> list[str]:
    """Names of patches."""
    return [str(number + 1) for number in range(count)]


def matrix_table(title: str, corner: str, names: Sequence[str], values: Array, *, no_number: str) -> DataTable:
    """The entries of a square matrix; `no_number` stands for what is none."""
    rows = [
        (name, *(no_number if value != value else f"{value:.3g}" for value in row))
        for name, row in zip(names, values.tolist(), strict=True)
    ]
    return DataTable(title, (corner, *names), tuple(rows))


# ---------------------------------------------------------------------------------------------------------------- mass


def has_mass(trial: Trial) -> bool:
    """Whether a trial stored where its attention goes, at two steps at least."""
    return has_curves(trial, *MASSES, STEP) and len(trial.result.curves[STEP]) > 1


def mass_of(trial: Trial) -> Panel:
    """Mass by kind of token, one on the other, over the steps of one run."""
    curves = trial.result.curves
    steps = np.asarray(curves[STEP], dtype=float)
    kept = np.unique(np.linspace(0, len(steps) - 1, _RECORDS).round().astype(int))
    below, marks = np.zeros(len(kept)), []
    for name, colour, hatch in zip(MASSES, _COLOURS, _HATCHES, strict=True):
        above = below + np.asarray(curves[name], dtype=float)[kept]
        ink, xs = Ink("white", 0.4, fill=colour, hatch=hatch), steps[kept].tolist()
        marks.append(Area(ink, "mass", MASSES[name], xs=xs, low=below.tolist(), high=above.tolist()))
        below = above
    x = replace(of_steps(steps.tolist(), steps.tolist(), "step"), ends=(float(steps[0]), float(steps[-1])))
    return Panel(x, PanelAxis("share of attention", ends=(0, 1)), marks)


def mass_runs(pieces: Sequence[Piece]) -> list[tuple[Piece, Trial]]:
    """Of a claim that speaks of attention mass the first run of some of its settings; none of any other claim."""
    shown: dict[str, tuple[Piece, Trial]] = {}
    for piece in pieces:
        if "attention_mass" in piece.claim.observable:
            for trials in by_setting([trial for trial in piece.trials if has_mass(trial)]).values():
                shown.setdefault(repr(sorted(trials[0].spec.parameters.items())), (piece, trials[0]))
    return _spread(list(shown.values()), MOST_MAPS)


def _masses(pieces: Sequence[Piece]) -> list[Band]:
    """One band of these runs."""
    chosen = mass_runs(pieces)
    if not chosen:
        return []
    names = {id(trial): setting for setting, group in by_setting([t for _, t in chosen]).items() for trial in group}
    panels = tuple(replace(mass_of(trial), title=names[id(trial)] or piece.part.name) for piece, trial in chosen)
    told = "; ".join(_mass_told(panel.title, trial) for panel, (_, trial) in zip(panels, chosen, strict=True))
    data = tuple(_mass_table(panel.title, trial) for panel, (_, trial) in zip(panels, chosen, strict=True))
    return [Band("Where attention goes in one run", panels, told, most=1, data=data)]


def _mass_told(title: str, trial: Trial) -> str:
    curves = trial.result.curves
    said = [f"{words} from {curves[name][0]:.2f} to {curves[name][-1]:.2f}" for name, words in MASSES.items()]
    return f"{title}: {', '.join(said)}"


def _mass_table(title: str, trial: Trial) -> DataTable:
    curves = trial.result.curves
    kept = np.unique(np.linspace(0, len(curves[STEP]) - 1, _TABLE_PLACES).round().astype(int))
    rows = [(f"{curves[STEP][at]:g}", *(f"{curves[name][at]:.3f}" for name in MASSES)) for at in kept]
    return DataTable(title, ("step", *MASSES.values()), tuple(rows))


def _bands(pieces: Sequence[Piece]) -> list[Band]:
    """Both, where a claim's trials have them."""
    return [*_maps(pieces), *_masses(pieces)]


def _keeps(pieces: Sequence[Piece]) -> list[tuple[Trial, Collection[str]]]:
    return [(trial, (STEP, *MASSES)) for _, trial in mass_runs(pieces)]


KIND = PictureKind(place=70, bands=_bands, keeps=_keeps)
