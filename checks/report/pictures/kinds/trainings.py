"""One training of a claim from its start to its end: its loss, where its attention goes, its logits.

Whatever a claim says of trainings, a reader wants to see one. Shown is one run, not the best of many: the first part
of the check whose runs recorded a loss beside something else, there the middle of its axis, and there the first run.
So the choice needs no result, and whoever publishes trials can keep the curves of these few (`PictureKind.keeps`).
"""

from __future__ import annotations

import itertools
from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace

import numpy as np

from checks.report.escape import drawn
from checks.report.pictures.gathered import Piece, has_curves, shown_value
from checks.report.pictures.kinds import PictureKind
from checks.report.pictures.kinds.attention_maps import MASSES, mass_of, mass_runs
from checks.report.pictures.model import SERIES, Band, DataTable, Ink, Mark, Panel, PanelAxis, Trace
from checks.report.pictures.scales import log_from_zero, of_steps
from checks.report.pictures.tables import number_of
from checks.report.pictures.words import joined, words
from sim.trials.trial import Trial

Array = np.ndarray

TIMES = {"step": "step", "flow_time": "step size times steps"}
"""Curves that the others of a training are recorded over, in words."""
_LOSS, _ATTENTION, _LOGITS = "Loss and error", "Where attention goes", "Logits"
_MASS_WORDS = "mass on label-relevant tokens"
FAMILIES: Mapping[str, Mapping[str, str]] = {
    _LOSS: {
        "hinge": "hinge of the step's batch", "risk": "risk", "test_error": "test error",
        "train_error": "training error",
        "fixed_risk": "risk, diagonal fixed", "free_risk": "risk, diagonal free",
        "fixed_test_error": "test error, diagonal fixed", "free_test_error": "test error, diagonal free",
    },
    _ATTENTION: {
        **MASSES, "mass_own_query": f"{_MASS_WORDS}, where these are the queries",
        "mass_layer_1": f"{_MASS_WORDS}, layer 1", "mass_layer_2": "layer 2", "mass_layer_3": "layer 3",
        "associated_rows": "share of patches whose own set has the largest logits",
    },
    _LOGITS: {
        "within_logit": "within sets", "across_logit": "across sets",
        "fixed_within_logit": "within sets, diagonal fixed", "fixed_across_logit": "across sets, diagonal fixed",
        "free_within_logit": "within sets, diagonal free", "free_across_logit": "across sets, diagonal free",
    },
}  # fmt: skip
"""Panels of a training, each with the curves that it shows and what they are, in words."""
_NARROW = "mass_own_query"
"""Shown where the three masses that add up to 1 were not recorded."""
_FEWEST_RECORDS = 3
_MOST_RECORDS = 40
_TABLE_PLACES = 9
_WIDE = 3.0
"""Ratio of the largest to the least loss from which on its axis is logarithmic."""
_DASHES = ("solid", "dashed", "dash-dotted", "dotted")


@dataclass(frozen=True, eq=False)
class ShownTraining:
    """A run, the part that it is of, the curve that is its time, and by title of the panel the curves that it shows."""

    piece: Piece
    trial: Trial
    time: str
    families: Mapping[str, Sequence[str]]

    @property
    def names(self) -> tuple[str, ...]:
        """All curves that are drawn."""
        return (self.time, *itertools.chain.from_iterable(self.families.values()))

    @property
    def where(self) -> str:
        """The part, and the place on its axis."""
        name = getattr(self.piece.part, "parameter", "")
        place = f"{words(name)} = {shown_value(self.trial.spec.parameters[name])}" if self._has(name) else ""
        return joined(self.piece.part.name, place)

    def _has(self, name: str) -> bool:
        return bool(name) and name in self.trial.spec.parameters


def training_of(pieces: Sequence[Piece]) -> ShownTraining | None:
    """The training that stands for a claim: the first that has a loss and more, or else the first that has anything."""
    found: ShownTraining | None = None
    for piece in pieces:
        for trial in _middle_first(piece):
            one = _shown(piece, trial)
            if one is not None and _LOSS in one.families and len(one.families) > 1:
                return one
            found = found or one
    return found


def _middle_first(piece: Piece) -> Iterator[Trial]:
    """The runs of a part, those at the middle of its axis first, and there in the order of their replicates."""
    name = getattr(piece.part, "parameter", "")
    trials = piece.trials
    places = sorted({trial.spec.parameters[name] for trial in trials if name in trial.spec.parameters}, key=repr)
    if places and all(isinstance(place, int | float) for place in places):
        places.sort()
    middle = (len(places) - 1) // 2
    away = {repr(place): abs(number - middle) for number, place in enumerate(places)}
    yield from sorted(trials, key=lambda trial: (away.get(repr(trial.spec.parameters.get(name)), len(places)),
                                                 trial.spec.replicate))  # fmt: skip


def _shown(piece: Piece, trial: Trial) -> ShownTraining | None:
    """What a run can show of itself; None where it recorded nothing along its way, or its curves end too soon."""
    if not trial.result.curves:
        return None
    time = next((name for name in TIMES if has_curves(trial, name)), "")
    if not time or len(trial.result.curves[time]) < _FEWEST_RECORDS:
        return None
    found = {title: _drawable(trial, names, time) for title, names in FAMILIES.items()}
    if set(MASSES) <= set(found[_ATTENTION]):
        found[_ATTENTION] = [*MASSES]
    elif found[_ATTENTION] != [_NARROW]:
        found[_ATTENTION] = [name for name in found[_ATTENTION] if name not in (*MASSES, _NARROW)]
    families = {title: names for title, names in found.items() if names}
    return ShownTraining(piece, trial, time, families) if families else None


def _drawable(trial: Trial, names: Collection[str], time: str) -> list[str]:
    """Those of the curves that a run has, finite and as long as its time."""
    curves = trial.result.curves
    there = [name for name in names if has_curves(trial, name) and len(curves[name]) == len(curves[time])]
    return [name for name in there if bool(np.isfinite(curves[name]).all())]


# ---------------------------------------------------------------------------------------------------------- as a band


def panels_of(one: ShownTraining) -> tuple[Panel, ...]:
    """A panel for each family: the masses that add up to 1 stacked, all else as lines."""
    return tuple(
        replace(mass_of(one.trial) if tuple(names) == tuple(MASSES) else _lines(one, title, names), title=title)
        for title, names in one.families.items()
    )


def _lines(one: ShownTraining, title: str, names: Sequence[str]) -> Panel:
    curves = one.trial.result.curves
    times = np.asarray(curves[one.time], dtype=float)
    kept = np.unique(np.linspace(0, len(times) - 1, _MOST_RECORDS).round().astype(int))
    x = of_steps(times.tolist(), times.tolist(), TIMES[one.time])
    marks: list[Mark] = []
    for number, name in enumerate(names):
        colour, dash = SERIES[number % len(SERIES)], _DASHES[number % len(_DASHES)]
        ink = Ink(colour, 1.3, dash)
        heights = np.asarray(curves[name], dtype=float)[kept].tolist()
        marks.append(Trace(ink, "curve", drawn(FAMILIES[title][name]), xs=times[kept].tolist(), ys=heights))
    if title == _LOSS:
        values = [float(value) for name in names for value in curves[name]]
        y = log_from_zero(values, "loss") if max(values) > _WIDE * min(values) else PanelAxis("loss")
        return Panel(x, y, marks)
    return Panel(x, PanelAxis("share", ends=(-0.02, 1.02)) if title == _ATTENTION else PanelAxis("logit"), marks)


def told(one: ShownTraining) -> str:
    """Which run it is, and where its curves begin and end, in words."""
    curves = one.trial.result.curves
    said = [
        f"{FAMILIES[title][name]} from {float(curves[name][0]):.3g} to {float(curves[name][-1]):.3g}"
        for title, names in one.families.items()
        for name in names
    ]
    end = f"{TIMES[one.time]} = {float(curves[one.time][-1]):g}"
    return f"Part: {one.where}; replicate {one.trial.spec.replicate}, until {end}. {joined(*said, by='; ')}"


def note(one: ShownTraining) -> str:
    """Where the run is on the grid, whether it meets its part's criterion, and whether attention goes the other way.

    The run is chosen before its result is known, so it may be one that fails, and then it is no picture of the claim.
    """
    curves, part, at = one.trial.result.curves, one.piece.part, one.trial.spec.parameters
    sizes = [f"{words(name)} = {shown_value(at[name])}" for name in part.grid_parameters[1:] if name in at]
    said = [f"A run of {joined(one.where, *sizes)}."]
    met = part.met_by(one.trial) if part.has_criterion else None
    if met is not None:
        said.append(f"It {'meets' if met else 'does not meet'} the criterion of its line.")
    (name, _), *_ = MASSES.items()
    if name in one.families.get(_ATTENTION, ()) and curves[name][-1] < curves[name][0]:
        goes = f"{float(curves[name][0]):.2g} to {float(curves[name][-1]):.2g}"
        said.append(f"Its attention leaves {MASSES[name]}, {goes}: what a claim says of them is not seen in it.")
    return " ".join(said) if len(said) > 1 else ""


def _table(one: ShownTraining) -> DataTable:
    curves = one.trial.result.curves
    kept = np.unique(np.linspace(0, len(curves[one.time]) - 1, _TABLE_PLACES).round().astype(int))
    columns = (TIMES[one.time], *(FAMILIES[title][name] for title, names in one.families.items() for name in names))
    rows = tuple(tuple(number_of(curves[name][at]) for name in one.names) for at in kept)
    return DataTable(one.where, columns, rows)


def _bands(pieces: Sequence[Piece]) -> list[Band]:
    """One band a claim whose trials recorded a training."""
    one = training_of(pieces)
    if one is not None and mass_runs(pieces):  # masses of such a claim stand in a picture of their own
        one = replace(one, families={title: names for title, names in one.families.items() if title != _ATTENTION})
    if one is None or not one.families:
        return []
    return [Band("One training", panels_of(one), told(one), most=3, data=(_table(one),), note=note(one))]


def _keeps(pieces: Sequence[Piece]) -> list[tuple[Trial, Collection[str]]]:
    one = training_of(pieces)
    return [] if one is None else [(one.trial, one.names)]


KIND = PictureKind(place=75, bands=_bands, keeps=_keeps)
