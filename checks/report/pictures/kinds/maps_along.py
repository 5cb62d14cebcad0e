"""Attention maps along one training: the same matrix at a few of its steps, all in one scale.

The training is the one that the picture of a training shows, so the choice needs no result. Where attention is frozen
the matrices are all the same, and nothing is drawn. Matrices of more patches than can be told apart are left out.
"""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import dataclass, replace

import numpy as np

from checks.report.pictures.gathered import Piece, has_curves
from checks.report.pictures.kinds import PictureKind
from checks.report.pictures.kinds.attention_maps import (
    PATCHES,
    SETS,
    ends_of,
    frames_of,
    logits_told,
    matrix_panel,
    matrix_table,
    numbered,
    off_diagonal,
)
from checks.report.pictures.kinds.trainings import training_of
from checks.report.pictures.model import Band, DataTable, Heat, Ink, Panel
from checks.report.pictures.words import joined
from sim.trials.trial import Trial

Array = np.ndarray

STEP, SHARES, LOGITS = "map_step", "attention_map", "logit_map"
_LOGIT_WORDS = "logits of patches"
_SHARE_WORDS = "attention between kinds of tokens (+ the label's own pattern, − the other label's)"
_MOST_ROWS = 24
"""Rows up to which a matrix beside three others can be read."""


@dataclass(frozen=True, eq=False)
class MapsAlong:
    """Matrices of one training [maps, rows, rows], the steps at which they are [maps], and which curve gave them."""

    trial: Trial
    name: str
    steps: Array
    maps: Array

    @property
    def of_logits(self) -> bool:
        """Whether they are logits of patches, not shares of kinds of tokens."""
        return self.name == LOGITS

    @property
    def scale(self) -> tuple[float, float]:
        """Of all of them together; shares from 0."""
        return float(np.nanmin(self.maps)) if self.of_logits else 0.0, float(np.nanmax(self.maps))


def maps_along(pieces: Sequence[Piece]) -> MapsAlong | None:
    """The matrices of the training that stands for a claim; None where it kept none, or where they never change."""
    shown = training_of(pieces)
    name = next((each for each in (SHARES, LOGITS) if shown and has_curves(shown.trial, STEP, each)), None)
    if shown is None or name is None:
        return None
    steps, maps = (np.asarray(shown.trial.result.curves[each], dtype=float) for each in (STEP, name))
    if maps.ndim != 3 or maps.shape[:1] != steps.shape or not 1 < maps.shape[1] == maps.shape[2] <= _MOST_ROWS:
        return None
    if np.isinf(maps).any():  # of a run that diverged
        return None
    if name == LOGITS:
        maps = np.stack([off_diagonal(each) for each in maps])
    finite = np.isfinite(maps).any(axis=0)
    return MapsAlong(shown.trial, name, steps, maps) if np.ptp(maps[:, finite], axis=0).any() else None


def panels_of(found: MapsAlong) -> tuple[Panel, ...]:
    """One each, first to last; the last has the scale of all beside it."""
    last = len(found.steps) - 1
    return tuple(_panel(found, at, bar="right" if at == last else "") for at in range(last + 1))


def _panel(found: MapsAlong, at: int, bar: str) -> Panel:
    values = found.maps[at]
    words = "logit" if found.of_logits else "share of attention"
    heat = Heat(Ink(), "map", values=values.tolist(), ends=ends_of(values), bar=bar, words=words, scale=found.scale)
    if found.of_logits:
        frames = [mark for mark in frames_of(found.trial, len(values)) if at == 0 or not mark.label]
        return matrix_panel(heat, *PATCHES, frames, _title(found, at))
    panel = matrix_panel(heat, "token attended to", "token that attends", title=_title(found, at))
    ticks = list(enumerate(_kinds(len(values)), start=1))
    return replace(panel, x=replace(panel.x, ticks=ticks), y=replace(panel.y, ticks=ticks))


def _title(found: MapsAlong, at: int) -> str:
    return f"step {found.steps[at]:g}"


def _kinds(rows: int) -> list[str]:
    """Short names of kinds of tokens: + the label's own pattern, - the other label's, the number of any other."""
    return ["+", "−", *map(str, range(3, rows + 1))][:rows]


def told(found: MapsAlong) -> str:
    """What the first and the last matrix have, in words."""
    said = [f"{_title(found, at)}: {_matrix_told(found, at)}" for at in (0, len(found.steps) - 1)]
    legend = "" if found.of_logits else "Rows add up to 1."
    return joined(f"Replicate {found.trial.spec.replicate}. {'; '.join(said)}.", legend, by=" ")


def _matrix_told(found: MapsAlong, at: int) -> str:
    if found.of_logits:
        return logits_told(found.maps[at], found.trial)
    own = found.maps[at][:, 0]
    share = f"{np.nanmin(own):.2f} to {np.nanmax(own):.2f} of attention"
    return f"{share} on tokens of the label's own pattern"


def _table(found: MapsAlong, at: int) -> DataTable:
    values = found.maps[at]
    corner, names = ("patch", numbered) if found.of_logits else ("kind of token", _kinds)
    return matrix_table(_title(found, at), corner, names(len(values)), values, no_number="")


def _bands(pieces: Sequence[Piece]) -> list[Band]:
    found = maps_along(pieces)
    if found is None:
        return []
    data = tuple(_table(found, at) for at in range(len(found.steps)))
    words = _LOGIT_WORDS if found.of_logits else _SHARE_WORDS
    return [Band(f"One training in maps: {words}", panels_of(found), told(found), most=1, data=data)]


def _keeps(pieces: Sequence[Piece]) -> list[tuple[Trial, Collection[str]]]:
    found = maps_along(pieces)
    return [] if found is None else [(found.trial, (STEP, found.name, *([SETS] if found.of_logits else ())))]


KIND = PictureKind(place=77, bands=_bands, keeps=_keeps)
