"""No picture has a mark, a line or a band where nothing was measured, whatever draws it, and every drawing is here."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from dataclasses import replace
from pathlib import Path
from types import SimpleNamespace

import numpy as np
import pytest

import checks.report
from checks.records.pictures import Cells, Lines, Matrix
from checks.report.pictures import files, linear_look, pavings, renderer
from checks.report.pictures.gathered import Piece
from checks.report.pictures.kinds import (
    FOLDER,
    agreements,
    attention_maps,
    courses,
    maps_along,
    mean_differences,
    overlay,
    own_pictures,
    pairs,
    phase_plane,
    rates,
    rows,
    runs,
    scalings,
    success_maps,
    trainings,
    witnesses,
)
from checks.report.pictures.model import Area, Box, Ink, Mark, Panel, PanelAxis, Trace
from checks.statistics.estimates import Estimate
from checks.statistics.verdict import Interval
from sim.trials.trial import Outcome, Trial, TrialResult, TrialSpec
from tests.checks.report import test_figures as made
from tests.checks.report.drawn_places import axes_of, require_measured
from tests.checks.report.test_plot import COUNTS, ROW, T, curves_row

STEPS = np.array([0.0, 1, 2, 4, 8, 16, 32, 64, 128, 256, 512])
LATER = STEPS[1:] * 3
MASS = {"mass_label_relevant": 0.5, "mass_confusion": 0.2, "mass_other": 0.3}


def lines_over(steps: np.ndarray, *, log: bool = False) -> list[Lines]:
    """Three runs, one ending sooner; on a logarithmic height the last of them ends at 0."""
    found = []
    for number in range(3):
        axis = steps[: len(steps) - number]
        loss = 1 / (1 + axis + number)
        loss[-1] = 0.0 if number == 2 else loss[-1]
        found.append(Lines("loss", "step", axis, {"loss": loss, "other": 2 * loss}, level=("floor", 0.01), log=log))
    return found


def heights_of(found: Sequence[Lines]) -> list[float]:
    return [*(value for run in found for line in run.lines.values() for value in line), 0.01]


def trial_of(**curves: np.ndarray) -> Trial:
    return Trial(TrialSpec(made.SYSTEM, {}, 0), TrialResult(Outcome.CONVERGED, {}, curves), 0.1)


def threshold_piece() -> Piece:
    part = made.threshold()
    return made.piece_of(made.claim_of(), part, made.tried(part))


def threshold_places(piece: Piece) -> list[float]:
    """The ends of the cells, which are as wide as the steps of the grid."""
    ends = success_maps.edges(made.SHARES, log=True)
    return [*made.SHARES, *(end for low_high in ends for end in low_high)]


def scaling_piece() -> Piece:
    part = made.scaling()
    return made.piece_of(made.claim_of(), part, made.tried(part, measured))


def measured(spec: TrialSpec, factor: float = 1.0) -> Trial:
    return made.ended(spec, seen=factor * (1 + spec.replicate) * float(spec.parameters["x"]) ** -2)


def pair_case() -> Case:
    part = made.pair()
    piece = made.piece_of(made.PLAIN, part, made.tried(part, made.with_loss))
    kept = pairs.paired(piece)["patterns = 10"]
    numbers = [trial.number(name) for trial in kept for name in ("loss", "kept")]
    middles = [float(np.median([trial.number(name) for trial in kept])) for name in ("loss", "kept")]
    return pairs.pairs_of(piece, kept), (-0.22, 0, 1, 1.22), [*numbers, *middles]


def path_case() -> Case:
    way = np.linspace(0, 1, 40) ** 3
    paths = [phase_plane.PlanePath((str(end),), 0.1 + way, way, -end * way) for end in (0.5, 2.0)]
    panel = phase_plane.panel_of(paths, over="rho")
    return panel, [value for path in paths for value in path.rho], [value for path in paths for value in path.gamma]


def training_case(**losses: np.ndarray) -> Case:
    (loss,) = losses.values()
    one = trainings.training_of([SimpleNamespace(part=None, trials=[trial_of(step=np.arange(4.0), **losses)])])  # type: ignore[list-item]
    assert one is not None
    (panel,) = trainings.panels_of(one)
    return panel, range(4), loss.tolist()


Case = tuple[Panel, Sequence[float], Sequence[float] | None]
MIDDLES = ("runs", "runs, log")
HOLDS = {"rates": (0.0, 1.0), "rows, no axis": (0.5, 2.5)}
"""Shares lie between 0 and 1, and settings that are numbered are as wide as a number."""


def own_case(found: Lines) -> Case:
    return own_pictures.panel_of(found), found.axis, heights_of([found])


def samples_case(lower: float) -> Case:
    estimates = [Estimate(value, Interval(value / 2, value * 2)) for value in (1.0, 3.0)]
    open_ended = Estimate(None, Interval(lower, np.inf), censored="above")
    x, given = [1.0, 10.0, 100.0], {"axis": "n", "value": "T", "claim": "n", "confidence": 0.95}
    return files.samples_panel(x=x, estimates=[*estimates, open_ended], claimed=[1.0, 2.0, 4.0], **given), x, None


def look_case() -> Case:
    piece = threshold_piece()
    assert piece.row is not None
    return linear_look.look(piece.row), [x for x, _ in linear_look.abscissa(piece.row)], None


MAPS = np.array([[[0.5, 0.5], [0.5, 0.5]], [[0.9, 0.1], [0.2, 0.8]]])
CASES: dict[str, Callable[[], Case]] = {
    "runs": lambda: (runs.runs_of(lines_over(STEPS)), STEPS, heights_of(lines_over(STEPS))),
    "runs, log": lambda: (
        runs.runs_of(lines_over(LATER, log=True)), LATER, heights_of(lines_over(LATER, log=True)),
    ),
    "runs, other steps": lambda: (
        runs.runs_of([*lines_over(STEPS), *lines_over(LATER)]), [*STEPS, *LATER], None,
    ),
    "attention_maps, mass": lambda: (
        attention_maps.mass_of(trial_of(step=STEPS, **{n: s + 0 * STEPS for n, s in MASS.items()})),
        STEPS, [0, 1],
    ),
    "attention_maps": lambda: (
        attention_maps.map_of(trial_of(final_logits=np.eye(4) + 1.0, sets=np.array([0, 0, 1, 1.0]))),
        np.arange(0.5, 5), np.arange(0.5, 5),
    ),
    "maps_along": lambda: (
        maps_along.panels_of(maps_along.MapsAlong(trial_of(), "attention_map", np.array([0, 9]), MAPS))[1],
        np.arange(0.5, 3), np.arange(0.5, 3),
    ),
    "trainings": lambda: training_case(hinge=np.array([1.0, 0.5, 0.0, 0.25])),
    "trainings, risk": lambda: training_case(risk=np.array([1.0, 0.5, 0.02, 0.01])),
    "agreements": lambda: (
        agreements.panel_of([agreements.Differences("two", (0.0, 1e-14, 1e-12, 1e-3), 1e-10)]),
        [0.0, 1e-14, 1e-12, 1e-3], None,
    ),
    "courses": lambda: (
        courses.panel_of(
            [courses.CourseLine("loss", {1.0: (1.0, 2.0), 4.0: (300.0,)}, False)],
            across="x", height="loss",
        ),
        [1, 4], [1, 1.5, 2, 300],
    ),
    "rows": lambda: (rows.points(ROW), [0.05, *(p.value for p in ROW.points)], None),
    "rows, no axis": lambda: (rows.points(COUNTS), [1, 2], None),
    "rows, curves": lambda: (rows.curves(curves_row()), T, None),
    "scalings": lambda: (scalings.scaling_of(scaling_piece()), made.SHARES, None),
    "success_maps": lambda: (
        success_maps.map_of(threshold_piece()), threshold_places(threshold_piece()), None,
    ),
    "overlay": lambda: (
        overlay.overlaid([overlay.series_of(threshold_piece())], size="n_samples"), made.SHARES, None,
    ),
    "linear_look": look_case,
    "mean_differences": lambda: (
        mean_differences.panel_of(
            [mean_differences.PairsOfPart("a", ((0.1, True), (0.3, False)), (0.05,), 0.2, Interval(0, np.inf), "95 %")],
            noun="a less b",
        ),
        [0.1, 0.2, 0.3], None,
    ),
    "rates": lambda: (rates.panel_of([rates.Share("a", 2, 8, 0.5, 0.95)]), [0.25], None),
    "witnesses": lambda: (
        witnesses.panel_of({"first": [True, False, True]}), [1, 2, 3], None,
    ),
    "phase_plane": path_case,
    "pairs": pair_case,
    "pavings": lambda: (
        pavings.panel_of(
            pavings.CutBox(
                ("s",), tuple(pavings.CutPiece({"s": ends}, "cases") for ends in ((0.0, 1.0), (1.0, 4.0))),
                {"s": (0.0, 4.0)},
            ),
        ),
        [0, 1, 4], None,
    ),
    "own_pictures, cells": lambda: (
        own_pictures.panel_of(Cells("t", "x", "y", (1, 2), (3, 4), (("a", ""), ("b", "a")), ("a", "b"))),
        [-0.5, 0, 1, 1.5], [-0.5, 0, 1, 1.5],
    ),
    "own_pictures": lambda: own_case(Lines("error", "step", STEPS, {"e": 1 / (1 + STEPS)}, ("floor", 0.01))),
    "own_pictures, log": lambda: own_case(
        Lines("error", "step", LATER, {"e": np.maximum(1 / LATER - 1e-2, 0)}, ("floor", 0.01), log=True)
    ),
    "own_pictures, matrix": lambda: (own_pictures.panel_of(Matrix("m", np.eye(3))), [-0.5, 2.5], [-0.5, 2.5]),
    "files": lambda: samples_case(5.0),
    "files, an end beyond all": lambda: samples_case(1e-6),
}  # fmt: skip


@pytest.mark.parametrize("case", list(CASES))
def test_nothing_is_drawn_where_nothing_was_measured(case: str) -> None:
    panel, xs, ys = CASES[case]()
    require_measured(panel, xs=xs, ys=ys, has_middles=case in MIDDLES, holds=HOLDS.get(case, ()))


def test_every_kind_of_picture_is_held_against_its_data() -> None:
    """A new kind must be among the cases; one that is made of others' panels alone is named here."""
    kinds = {path.stem for path in FOLDER.glob("[a-z]*.py")} - {"paired_curves"}
    assert kinds <= {case.partition(",")[0] for case in CASES}


def test_one_module_knows_matplotlib_and_no_other_names_a_kind() -> None:
    """So that another renderer is one module, and a new kind of picture one file."""
    shared = [path for path in Path(checks.report.__path__[0]).rglob("*.py") if path.parent != FOLDER]
    for path in (*shared, *FOLDER.glob("*.py")):
        imported = set(re.findall(r"^ *(?:from|import) (\S+)", path.read_text(encoding="utf-8"), re.MULTILINE))
        knows = any(name.partition(".")[0] == "matplotlib" for name in imported)
        assert knows is (path == Path(renderer.__file__)), path
        kinds = {name for name in imported if name.startswith("checks.report.pictures.kinds.")}
        assert not kinds or path.parent == FOLDER, path


DOT, STROKE, SHADE = Ink(dash="", shape="square"), Ink(), Ink(fill="black")


def a_mark_too_many() -> Mark:
    return Trace(DOT, xs=[1e-9], ys=[0.4])


def a_mark_between() -> Mark:
    return Trace(DOT, xs=[3.0], ys=[0.4])


def a_mark_on_the_frame() -> Mark:
    return Trace(DOT, xs=[3.0], ys=[0.1], on_frame=True)


def a_line_before_the_data() -> Mark:
    return Trace(STROKE, xs=[-5.0, 1.0], ys=[0.4, 0.4])


def a_band_beyond_the_data() -> Mark:
    return Area(SHADE, xs=[256.0, 1024.0], low=[0.1, 0.1], high=[0.4, 0.4])


def a_cell_beyond_the_data() -> Mark:
    return Box(SHADE, left=575.0, right=625.0, low=0.0, high=0.1)


FALSE = [value for name, value in list(globals().items()) if name.startswith("a_")]


@pytest.mark.parametrize("plant", FALSE, ids=lambda plant: plant.__name__)
def test_what_is_drawn_beyond_the_data_is_found(plant: Callable[[], Mark]) -> None:
    panel = runs.runs_of(lines_over(STEPS))
    require_measured(panel, xs=STEPS)
    with pytest.raises(AssertionError):
        require_measured(replace(panel, marks=[*panel.marks, plant()]), xs=STEPS)


def test_an_axis_far_too_long_is_found() -> None:
    panel = runs.runs_of(lines_over(STEPS))
    with pytest.raises(AssertionError):
        require_measured(replace(panel, x=replace(panel.x, ends=(-0.1, 1e9))), xs=STEPS)


def test_a_renderer_that_moves_a_mark_is_found(monkeypatch: pytest.MonkeyPatch) -> None:
    def moved(axes, mark):
        return honest(axes, replace(mark, xs=[x + 1 for x in mark.xs]) if mark.name == "median" else mark)

    honest = renderer._draw_line
    monkeypatch.setitem(renderer._DRAWING, Trace, moved)  # type: ignore[arg-type]
    with pytest.raises(AssertionError):
        axes_of(runs.runs_of(lines_over(STEPS)))


def test_an_axis_of_steps_as_it_was_is_found() -> None:
    """The picture of Figure 4 as it stood: zero on a logarithm at 1e-9, and all between drawn as if measured."""
    place = np.geomspace(1e-9, 512, 100)
    heights, at = np.interp(place, STEPS, 1 / (1 + STEPS)).tolist(), range(0, 100, 12)
    line = Trace(Ink(shape="star"), xs=place.tolist(), ys=heights, at=at)
    with pytest.raises(AssertionError, match="where nothing was measured"):
        require_measured(Panel(PanelAxis(scale="log"), PanelAxis(), [line]), xs=STEPS)


def test_a_linear_piece_is_said_and_zero_stands_at_zero() -> None:
    axes = axes_of(runs.runs_of(lines_over(STEPS)))
    assert axes.get_xscale() == "symlog"
    assert axes.get_xlabel() == "step (linear from 0 to 1)"
    without_zero = runs.runs_of(lines_over(LATER)).x
    assert (without_zero.scale, without_zero.words) == ("log", "step")
    assert without_zero.ends is not None
    assert (without_zero.ends[0] or 0) > 1


def test_markers_stand_where_half_of_the_runs_were_recorded() -> None:
    found = runs.median_and_range([(np.array([0, 1, 2, 8.0]), np.zeros(4)), (np.array([0, 3, 8.0]), np.ones(3)),
                                   (np.array([0, 3, 8.0]), np.ones(3))])  # fmt: skip
    assert found.place.tolist() == [0, 1, 2, 3, 8]
    assert found.is_recorded.tolist() == [True, False, False, True, True]
    assert found.middle.tolist() == [1, 1, 1, 1, 1]


def test_a_run_below_all_that_was_seen_hangs_on_the_frame() -> None:
    piece = scaling_piece()
    low = replace(piece, trials=tuple(measured(trial.spec, factor=0.0) for trial in piece.trials))
    panel = scalings.scaling_of(low)
    require_measured(panel, xs=made.SHARES)
    assert "runs below the least value seen" in [mark.label for mark in panel.marks]
