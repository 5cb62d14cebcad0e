"""No picture has a mark, a line or a band where nothing was measured, whatever draws it, and every drawing is here."""

from __future__ import annotations

import importlib
import inspect
import pkgutil
from collections.abc import Callable, Sequence
from dataclasses import replace

import numpy as np
import pytest
from matplotlib.axes import Axes
from matplotlib.figure import Figure

import checks.report
from checks.records.pictures import Cells, Lines, Matrix
from checks.records.rows import Display, Row
from checks.report import cells, laws, plot, samples_plot
from checks.report.figures import (
    agreements,
    attention_maps,
    courses,
    linear_look,
    mean_differences,
    overlay,
    pairs,
    pavings,
    phase_plane,
    rates,
    runs,
    scalings,
    success_maps,
    witnesses,
)
from checks.report.figures.gathered import Piece
from checks.statistics.estimates import Estimate
from checks.statistics.verdict import Interval, Judgement, Verdict
from sim.trial import Outcome, Trial, TrialResult, TrialSpec
from tests.checks.report import test_figures as made
from tests.checks.report.drawn_places import require_measured
from tests.checks.report.test_plot import COUNTS, ROW, T, curves_row
from theory.spatial_vit.figures import FIG_4

STEPS = np.array([0.0, 1, 2, 4, 8, 16, 32, 64, 128, 256, 512])
LATER = STEPS[1:] * 3
MASS = {"mass_label_relevant": 0.5, "mass_confusion": 0.2, "mass_other": 0.3}


def axes_of(draw: Callable[..., object], *given: object, **options: object) -> Axes:
    axes = Figure().add_subplot()
    draw(axes, *given, **options)
    return axes


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


def pair_case() -> tuple[Axes, Sequence[float], Sequence[float]]:
    part = made.pair()
    piece = made.piece_of(made.PLAIN, part, made.tried(part, made.with_loss))
    kept = pairs.paired(piece)["patterns = 10"]
    numbers = [trial.number(name) for trial in kept for name in ("loss", "kept")]
    middles = [float(np.median([trial.number(name) for trial in kept])) for name in ("loss", "kept")]
    return axes_of(pairs.draw_pairs, piece, kept), (-0.22, 0, 1, 1.22), [*numbers, *middles]


def path_case() -> tuple[Axes, Sequence[float], Sequence[float]]:
    way = np.linspace(0, 1, 40) ** 3
    paths = [phase_plane.PlanePath((str(end),), 0.1 + way, way, -end * way) for end in (0.5, 2.0)]
    axes = axes_of(phase_plane.draw_paths, paths, over="rho")
    return axes, [value for path in paths for value in path.rho], [value for path in paths for value in path.gamma]


Case = tuple[Axes, Sequence[float], Sequence[float] | None]
MIDDLES = ("runs.draw_runs", "runs.draw_runs, log")
HOLDS = {"rates.draw_rates": (0.0, 1.0), "plot.draw_points, no axis": (0.5, 2.5)}
"""Shares lie between 0 and 1, and settings that are numbered are as wide as a number."""


def panel_case(found: Lines) -> Case:
    row = Row(FIG_4, "made up", Judgement(Verdict.HOLDS, "seen"), display=Display(pictures=(found,)))
    return plot.draw(row).axes[0], found.axis, heights_of([found])


def samples_case(lower: float) -> Case:
    estimates = [Estimate(value, Interval(value / 2, value * 2)) for value in (1.0, 3.0)]
    open_ended = Estimate(None, Interval(lower, np.inf), censored="above")
    x = [1.0, 10.0, 100.0]
    points = samples_plot.points_of(x, [*estimates, open_ended])
    (axes,) = samples_plot._figure("n", "T", "made up", "n", points, [1.0, 2.0, 4.0], 0.95).axes
    return axes, x, None


def look_case() -> Case:
    piece = threshold_piece()
    assert piece.row is not None
    axes = axes_of(linear_look.draw_look, piece.row)
    return axes, [x for x, _ in linear_look.abscissa(piece.row)], None


CASES: dict[str, Callable[[], Case]] = {
    "runs.draw_runs": lambda: (axes_of(runs.draw_runs, lines_over(STEPS)), STEPS, heights_of(lines_over(STEPS))),
    "runs.draw_runs, log": lambda: (
        axes_of(runs.draw_runs, lines_over(LATER, log=True)), LATER, heights_of(lines_over(LATER, log=True)),
    ),
    "runs.draw_runs, other steps": lambda: (
        axes_of(runs.draw_runs, [*lines_over(STEPS), *lines_over(LATER)]), [*STEPS, *LATER], None,
    ),
    "attention_maps.draw_mass": lambda: (
        axes_of(attention_maps.draw_mass, trial_of(step=STEPS, **{n: s + 0 * STEPS for n, s in MASS.items()})),
        STEPS, [0, 1],
    ),
    "attention_maps.draw_map": lambda: (
        axes_of(attention_maps.draw_map, trial_of(final_logits=np.eye(4) + 1.0, sets=np.array([0, 0, 1, 1.0]))),
        np.arange(0.5, 5), np.arange(0.5, 5),
    ),
    "agreements.draw_differences": lambda: (
        axes_of(agreements.draw_differences, [agreements.Differences("two", (0.0, 1e-14, 1e-12, 1e-3), 1e-10)]),
        [0.0, 1e-14, 1e-12, 1e-3], None,
    ),
    "courses.draw_series": lambda: (
        axes_of(
            courses.draw_series, [courses.CourseLine("loss", {1.0: (1.0, 2.0), 4.0: (300.0,)}, False)],
            axis_words="x", height_words="loss",
        ),
        [1, 4], [1, 1.5, 2, 300],
    ),
    "plot.draw_points": lambda: (axes_of(plot.draw_points, ROW), [0.05, *(p.value for p in ROW.points)], None),
    "plot.draw_points, no axis": lambda: (axes_of(plot.draw_points, COUNTS), [1, 2], None),
    "plot.draw_curves": lambda: (axes_of(plot.draw_curves, curves_row()), T, None),
    "scalings.draw_scaling": lambda: (axes_of(scalings.draw_scaling, scaling_piece()), made.SHARES, None),
    "success_maps.draw_map": lambda: (
        axes_of(success_maps.draw_map, threshold_piece()), threshold_places(threshold_piece()), None,
    ),
    "overlay.draw_overlay": lambda: (
        axes_of(overlay.draw_overlay, [overlay.series_of(threshold_piece())], size="n_samples"), made.SHARES, None,
    ),
    "linear_look.draw_look": look_case,
    "mean_differences.draw_differences": lambda: (
        axes_of(
            mean_differences.draw_differences,
            [mean_differences.PairsOfPart("a", ((0.1, True), (0.3, False)), (0.05,), 0.2, Interval(0, np.inf), "95 %")],
            noun="a less b",
        ),
        [0.1, 0.2, 0.3], None,
    ),
    "rates.draw_rates": lambda: (axes_of(rates.draw_rates, [rates.Share("a", 2, 8, 0.5, 0.95)]), [0.25], None),
    "witnesses.draw_conditions": lambda: (
        axes_of(witnesses.draw_conditions, {"first": [True, False, True]}), [1, 2, 3], None,
    ),
    "phase_plane.draw_paths": path_case,
    "pairs.draw_pairs": pair_case,
    "pavings.draw_paving": lambda: (
        axes_of(
            pavings.draw_paving,
            pavings.CutBox(
                ("s",), tuple(pavings.CutPiece({"s": ends}, "cases") for ends in ((0.0, 1.0), (1.0, 4.0))),
                {"s": (0.0, 4.0)},
            ),
        ),
        [0, 1, 4], None,
    ),
    "cells.draw_cells": lambda: (
        axes_of(cells.draw_cells, Cells("t", "x", "y", (1, 2), (3, 4), (("a", ""), ("b", "a")), ("a", "b"))),
        [-0.5, 0, 1, 1.5], [-0.5, 0, 1, 1.5],
    ),
    "panels.draw_panels": lambda: panel_case(Lines("error", "step", STEPS, {"e": 1 / (1 + STEPS)}, ("floor", 0.01))),
    "panels.draw_panels, log": lambda: panel_case(
        Lines("error", "step", LATER, {"e": np.maximum(1 / LATER - 1e-2, 0)}, ("floor", 0.01), log=True)
    ),
    "panels.draw_panels, matrix": lambda: (
        plot.draw(
            Row(FIG_4, "p", Judgement(Verdict.HOLDS, "s"), display=Display(pictures=(Matrix("m", np.eye(3)),)))
        ).axes[0],
        [-0.5, 2.5], [-0.5, 2.5],
    ),
    "samples_plot": lambda: samples_case(5.0),
    "samples_plot, an end beyond all": lambda: samples_case(1e-6),
}  # fmt: skip
_WITHIN = {laws.draw_fit, laws.draw_fit_band, plot.draw_law}
"""Drawn by others, which are here: the laws beside points and curves."""


@pytest.mark.parametrize("case", list(CASES))
def test_nothing_is_drawn_where_nothing_was_measured(case: str) -> None:
    axes, xs, ys = CASES[case]()
    require_measured(axes, xs=xs, ys=ys, has_middles=case in MIDDLES, holds=HOLDS.get(case, ()))


def test_every_drawing_is_held_against_its_data() -> None:
    """A new drawing must be among the cases."""
    drawing = set()
    for info in pkgutil.walk_packages(checks.report.__path__, "checks.report."):
        module = importlib.import_module(info.name)
        for name, function in inspect.getmembers(module, inspect.isfunction):
            if name.startswith("draw_") and function.__module__ == info.name and function not in _WITHIN:
                drawing.add(f"{info.name.rpartition('.')[2]}.{name}")
    assert drawing == {case.partition(",")[0] for case in CASES} - {"samples_plot"}


# -------------------------------------------------------------------------------------------------- planted falsehoods


def a_mark_too_many(axes: Axes) -> None:
    axes.plot([1e-9], [0.4], "s")


def a_mark_between(axes: Axes) -> None:
    axes.plot([3.0], [0.4], "s")


def a_mark_on_the_frame(axes: Axes) -> None:
    axes.plot([3.0], [0.1], "x", transform=axes.get_xaxis_transform())


def a_line_before_the_data(axes: Axes) -> None:
    axes.plot([-5.0, 1.0], [0.4, 0.4])


def a_band_beyond_the_data(axes: Axes) -> None:
    axes.fill_between([256.0, 1024.0], [0.1, 0.1], [0.4, 0.4], alpha=0.2)


def a_cell_beyond_the_data(axes: Axes) -> None:
    axes.bar([600.0], [0.1], width=50.0)


def an_axis_far_too_long(axes: Axes) -> None:
    axes.set_xlim(-0.1, 1e9)


FALSE = [value for name, value in list(globals().items()) if name.startswith(("a_", "an_"))]


@pytest.mark.parametrize("plant", FALSE, ids=lambda plant: plant.__name__)
def test_what_is_drawn_beyond_the_data_is_found(plant: Callable[[Axes], None]) -> None:
    axes = axes_of(runs.draw_runs, lines_over(STEPS))
    require_measured(axes, xs=STEPS)
    plant(axes)
    with pytest.raises(AssertionError):
        require_measured(axes, xs=STEPS)


def test_an_axis_of_steps_as_it_was_is_found() -> None:
    """The picture of Figure 4 as it stood: zero on a logarithm at 1e-9, and all between drawn as if measured."""
    axes = Figure().add_subplot()
    place = np.geomspace(1e-9, 512, 100)
    axes.set_xscale("log")
    axes.plot(place, np.interp(place, STEPS, 1 / (1 + STEPS)), marker="*", markevery=12)
    with pytest.raises(AssertionError, match="where nothing was measured"):
        require_measured(axes, xs=STEPS)


def test_a_linear_piece_is_said_and_zero_stands_at_zero() -> None:
    axes = axes_of(runs.draw_runs, lines_over(STEPS))
    assert axes.get_xscale() == "symlog"
    assert axes.get_xlabel() == "step (linear from 0 to 1)"
    without_zero = axes_of(runs.draw_runs, lines_over(LATER))
    assert (without_zero.get_xscale(), without_zero.get_xlabel()) == ("log", "step")
    assert without_zero.get_xlim()[0] > 1


def test_markers_stand_where_half_of_the_runs_were_recorded() -> None:
    found = runs.median_and_range([(np.array([0, 1, 2, 8.0]), np.zeros(4)), (np.array([0, 3, 8.0]), np.ones(3)),
                                   (np.array([0, 3, 8.0]), np.ones(3))])  # fmt: skip
    assert found.place.tolist() == [0, 1, 2, 3, 8]
    assert found.is_recorded.tolist() == [True, False, False, True, True]
    assert found.middle.tolist() == [1, 1, 1, 1, 1]


def test_a_run_below_all_that_was_seen_hangs_on_the_frame() -> None:
    piece = scaling_piece()
    low = replace(piece, trials=tuple(measured(trial.spec, factor=0.0) for trial in piece.trials))
    axes = axes_of(scalings.draw_scaling, low)
    require_measured(axes, xs=made.SHARES)
    assert "runs below the least value seen" in axes.get_legend_handles_labels()[1]
