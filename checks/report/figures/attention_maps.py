"""Attention as trials stored it: the matrix of logits that training ended with, and mass by kind of token over steps.

A matrix is drawn off its diagonal, which is held at its start and would set the scale; where the trial says which
patches are of one set, their cells have frames, so that they are found without colour. Mass is that of one run, stacked
to 1: means over runs of different lengths would not add up.
"""

from __future__ import annotations

import functools
from collections.abc import Sequence
from typing import TYPE_CHECKING, TypeVar

from checks.report.figures.gathered import Piece, by_setting
from checks.report.figures.panel import Band, Panel
from checks.report.figures.tables import Figures
from checks.report.marks import set_log_from_zero, with_zero
from sim.trial import Trial

if TYPE_CHECKING:
    import numpy as np
    from matplotlib.axes import Axes

    Array = np.ndarray

Item = TypeVar("Item")
LOGITS, SETS, STEP = "final_logits", "sets", "step"
MASSES = {
    "mass_label_relevant": "label-relevant tokens",
    "mass_confusion": "confusion tokens",
    "mass_other": "other tokens",
}
MOST_MAPS = 4
"""Panels of a claim: settings beyond these are in the tables of their parts."""
_COLOURS, _HATCHES = ("#56B4E9", "#D55E00", "#DDDDDD"), ("", "//", "\\\\")
_FRAMED = 24
"""Patches up to which frames can be seen."""
_TABLE_PLACES = 9


# ------------------------------------------------------------------------------------------------------------ matrices


def off_diagonal(logits: Array) -> Array:
    """The learned A without its diagonal, which is held at its start. Shape [patches, patches]."""
    import numpy as np

    return np.where(np.eye(len(logits)), np.nan, logits)


def has_map(trial: Trial) -> bool:
    """Whether a trial stored a square matrix of logits."""
    if LOGITS not in trial.result.curves:
        return False
    shape = trial.result.curves[LOGITS].shape
    return len(shape) == 2 and shape[0] == shape[1] > 1


def draw_map(axes: Axes, trial: Trial) -> None:
    """Every entry a square, by its size from dark to bright, with frames around patches of one set."""
    import numpy as np
    from matplotlib.patches import Rectangle
    from matplotlib.ticker import MaxNLocator

    values = off_diagonal(trial.result.curves[LOGITS])
    n = len(values)
    mesh = axes.imshow(
        np.ma.masked_invalid(values),
        cmap="viridis",
        interpolation="none",
        extent=(0.5, n + 0.5, n + 0.5, 0.5),
        gid="logits",
    )
    sets = trial.result.curves.get(SETS)
    if sets is not None and len(sets) == len(values) <= _FRAMED:
        for i, j in zip(*np.nonzero(sets[:, None] == sets[None, :]), strict=True):
            if i != j:
                axes.add_patch(Rectangle((j + 0.58, i + 0.58), 0.84, 0.84, fc="none", ec="white", lw=1.8))
                axes.add_patch(Rectangle((j + 0.58, i + 0.58), 0.84, 0.84, fc="none", ec="black", lw=0.8, gid="set"))
        axes.plot([], [], "s", ms=6, mfc="none", mec="black", mew=0.8, ls="none", label="patches of one set")
    for axis in (axes.xaxis, axes.yaxis):
        axis.set_major_locator(MaxNLocator(integer=True, nbins=6))
    axes.set_xlabel("patch attended to")
    axes.set_ylabel("patch that attends")
    bar = axes.inset_axes((1.04, 0.0, 0.05, 1.0))
    axes.figure.colorbar(mesh, cax=bar, label="logit")


def _maps(pieces: Sequence[Piece]) -> list[tuple[Band, Sequence[Piece]]]:
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
    panels = tuple(_map_panel(piece, setting, trial, alone=len(pieces) == 1) for piece, setting, trial in chosen)
    told = "; ".join(_map_told(panel.title, trial) for panel, (_, _, trial) in zip(panels, chosen, strict=True))
    data = tuple(_map_table(panel.title, trial) for panel, (_, _, trial) in zip(panels, chosen, strict=True))
    used = list({id(piece): piece for piece, _, _ in chosen}.values())
    return [(Band("Attention maps: logits that one run ends with", panels, told, most=1, data=data), used)]


def _spread(items: list[Item], most: int) -> list[Item]:
    """Some of the items, evenly among all, the first and the last with them."""
    if len(items) <= most:
        return items
    return [items[round(number * (len(items) - 1) / (most - 1))] for number in range(most)]


def _map_panel(piece: Piece, setting: str, trial: Trial, *, alone: bool) -> Panel:
    title = ", ".join(filter(None, ("" if alone else piece.part.name, setting)))
    return Panel(lambda axes: draw_map(axes, trial), title)


def _map_told(title: str, trial: Trial) -> str:
    import numpy as np

    values, sets = off_diagonal(trial.result.curves[LOGITS]), trial.result.curves.get(SETS)
    place = f"{title}: " if title else ""
    if sets is None or len(sets) != len(values):
        return f"{place}entries from {np.nanmin(values):.3g} to {np.nanmax(values):.3g} off the diagonal"
    same = sets[:, None] == sets[None, :]
    within, across = float(np.nanmean(values[same])), float(np.nanmean(values[~same]))
    return f"{place}mean logit {within:.3g} within sets, {across:.3g} across sets"


def _map_table(title: str, trial: Trial) -> Figures:
    values = off_diagonal(trial.result.curves[LOGITS])
    columns = ("patch", *(str(number + 1) for number in range(len(values))))
    rows = [
        (str(number), *("held" if value != value else f"{value:.3g}" for value in row))
        for number, row in enumerate(values.tolist(), start=1)
    ]
    return Figures(title or "Logits", columns, tuple(rows))


# ---------------------------------------------------------------------------------------------------------------- mass


def has_mass(trial: Trial) -> bool:
    """Whether a trial stored where its attention goes, at two steps at least."""
    curves = trial.result.curves
    return {*MASSES, STEP} <= set(curves) and len(curves[STEP]) > 1


def draw_mass(axes: Axes, trial: Trial) -> None:
    """Mass by kind of token, one on the other, over the steps of one run."""
    import numpy as np

    curves = trial.result.curves
    steps = np.asarray(curves[STEP], dtype=float)
    kept = np.unique(np.linspace(0, len(steps) - 1, 60).round().astype(int))
    below = np.zeros(len(kept))
    for name, colour, hatch in zip(MASSES, _COLOURS, _HATCHES, strict=True):
        above = below + np.asarray(curves[name], dtype=float)[kept]
        axes.fill_between(
            steps[kept], below, above, fc=colour, hatch=hatch, ec="white", lw=0.4, label=MASSES[name], gid="mass"
        )
        below = above
    if len(steps) > 2 and steps[len(steps) // 2] < 0.2 * steps[-1]:
        set_log_from_zero(axes, "x", steps)
    axes.set_xlim(steps[0], steps[-1])
    axes.set_ylim(0, 1)
    axes.set_xlabel(with_zero(axes, "x", "step"))
    axes.set_ylabel("share of attention")


def _masses(pieces: Sequence[Piece]) -> list[tuple[Band, Sequence[Piece]]]:
    """One band of a claim that speaks of attention mass: the first run of some of its settings."""
    shown: dict[str, tuple[Piece, Trial]] = {}
    for piece in pieces:
        if "attention_mass" in piece.claim.observable:
            for trials in by_setting([trial for trial in piece.trials if has_mass(trial)]).values():
                shown.setdefault(repr(sorted(trials[0].spec.parameters.items())), (piece, trials[0]))
    chosen = _spread(list(shown.values()), MOST_MAPS)
    if not chosen:
        return []
    names = {id(trial): setting for setting, group in by_setting([t for _, t in chosen]).items() for trial in group}
    panels = tuple(
        Panel(functools.partial(draw_mass, trial=trial), names[id(trial)] or piece.part.name) for piece, trial in chosen
    )
    told = "; ".join(_mass_told(panel.title, trial) for panel, (_, trial) in zip(panels, chosen, strict=True))
    data = tuple(_mass_table(panel.title, trial) for panel, (_, trial) in zip(panels, chosen, strict=True))
    return [(Band("Where attention goes in one run", panels, told, most=1, data=data), [piece for piece, _ in chosen])]


def _mass_told(title: str, trial: Trial) -> str:
    curves = trial.result.curves
    said = [f"{words} from {curves[name][0]:.2f} to {curves[name][-1]:.2f}" for name, words in MASSES.items()]
    return f"{title}: {', '.join(said)}"


def _mass_table(title: str, trial: Trial) -> Figures:
    import numpy as np

    curves = trial.result.curves
    kept = np.unique(np.linspace(0, len(curves[STEP]) - 1, _TABLE_PLACES).round().astype(int))
    rows = [(f"{curves[STEP][at]:g}", *(f"{curves[name][at]:.3f}" for name in MASSES)) for at in kept]
    return Figures(title, ("step", *MASSES.values()), tuple(rows))


def bands(pieces: Sequence[Piece]) -> list[tuple[Band, Sequence[Piece]]]:
    """Both, where a claim's trials have them."""
    return [*_maps(pieces), *_masses(pieces)]
