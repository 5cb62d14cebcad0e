"""Pictures of pairs: differences with the interval of their mean and the margins, and values on a fitting axis."""

from __future__ import annotations

import math
from dataclasses import replace

import numpy as np
import pytest
from matplotlib.axes import Axes
from matplotlib.figure import Figure

from checks.evidence.check import Check, evaluate
from checks.evidence.paired import PairedDifference
from checks.evidence.sampled import Behaviour
from checks.records.preset import Placement, Preset
from checks.report.figures import mean_differences, pairs
from checks.report.figures.gathered import Piece, gather
from checks.report.figures.sheet import bands_of, sheet_of
from checks.report.site.data_tables import tables_of
from sim.images.systems import IMAGE_ATTENTION
from sim.store.store import key
from sim.sweep import Sweep
from sim.trial import Outcome, Trial, TrialResult
from theory.claim import Role
from theory.spatial_vit.figures import FIG_7

QUICK = Preset.QUICK
PROTOCOL = {"dataset": "digits", "network": "small-vit7", "steps": 1, "batch_size": 8, "learning_rate": 0.1}
SWEEPS = {QUICK: (Sweep(IMAGE_ATTENTION, (PROTOCOL,), {}, 8),)}
PART = PairedDifference(
    name="as good", first="accuracy_positional", second="accuracy_vanilla", low=-0.03, high=0.03, sweeps=SWEEPS,
    role=Role.READING, because="made up",
)  # fmt: skip
EVEN = (-0.015, -0.009, -0.005, -0.002, 0.001, 0.004, 0.006, 0.012)
SKEWED = (-0.2, 0.0, 0.001, 0.002, 0.003, 0.004, 0.005, 0.006)


def pieces_of(parts: list[PairedDifference | Behaviour], differences: tuple[float, ...], vanilla: float = 0.5):
    check, trials = Check(FIG_7, tuple(parts)), {}
    for spec in parts[0].specs(QUICK):
        seen = {
            "accuracy_positional": vanilla + differences[spec.replicate],
            "accuracy_vanilla": vanilla,
            "chance": 0.1,
        }
        trials[key(spec)] = Trial(spec, TrialResult(Outcome.BUDGET, seen), 1.0)
    rows = evaluate([check], QUICK, trials)[FIG_7.id]
    return gather(check, rows, QUICK, trials, Placement.GRID)


def drawn(pieces: list[Piece]) -> Axes:
    found = [one for piece in pieces if (one := mean_differences.pairs_of(piece)) is not None]
    axes = Figure().subplots()
    mean_differences.draw_differences(axes, found, noun="accuracy")
    return axes


def places(axes: Axes, gid: str) -> list[float]:
    return [float(x) for line in axes.lines if line.get_gid() == gid for x in np.asarray(line.get_xdata())]


def test_each_pair_its_mean_and_the_margins_stand_where_they_are() -> None:
    axes = drawn(pieces_of([PART], EVEN))
    assert sorted(places(axes, "pair")) == pytest.approx(sorted(EVEN))
    assert places(axes, "mean") == pytest.approx([-0.001])
    assert places(axes, "open") == []
    strokes = [np.asarray(path.vertices)[:, 0].tolist() for one in axes.collections for path in one.get_paths()]
    assert [-0.03, -0.03] in strokes
    assert [0.03, 0.03] in strokes
    low, high = axes.get_xlim()
    assert low < -0.03 < 0.03 < high


def test_an_interval_without_an_end_runs_to_the_edge() -> None:
    axes = drawn(pieces_of([replace(PART, high=math.inf)], SKEWED))
    assert places(axes, "open") == [axes.get_xlim()[0]]
    crosses = [line for line in axes.lines if line.get_gid() == "pair" and line.get_marker() == "X"]
    assert [np.asarray(line.get_xdata()).tolist() for line in crosses] == [pytest.approx([-0.2])]


def test_parts_on_the_same_observables_share_a_panel_and_the_table_has_every_pair() -> None:
    pieces = pieces_of([PART, replace(PART, name="no worse", high=math.inf)], EVEN)
    ((band, of),) = mean_differences.bands(pieces)
    assert len(of) == 2
    assert "as good (reading, holds): mean -0.001 [" in band.told
    assert "8 of 8 as claimed" in band.told
    assert [band.title for band in bands_of(pieces)] == ["Mean differences of pairs"]
    assert sheet_of(pieces) is not None
    table = tables_of(pieces)[0]
    assert table.columns == ("pair", "accuracy positional", "accuracy vanilla", "difference", "as claimed")
    assert table.rows[0] == ("1", "0.485", "0.5", "-0.015", "yes")


@pytest.mark.parametrize(
    ("differences", "scale"), [(EVEN, "linear"), ((*EVEN[:-1], -0.49), "log"), ((*EVEN[:-1], -0.5), "linear")]
)
def test_values_that_span_less_than_a_factor_of_ten_stand_on_a_plain_axis(differences, scale: str) -> None:
    part = Behaviour(
        name="higher", shows=lambda trial: True, rate=0.5, sweeps=SWEEPS, role=Role.READING, because="made up",
        compares={"accuracy_vanilla": "vanilla", "accuracy_positional": "positional"},
    )  # fmt: skip
    (piece,) = pieces_of([part], differences)
    axes = Figure().subplots()
    pairs.draw_pairs(axes, piece, piece.trials)
    assert axes.get_yscale() == scale
    assert axes.get_ylim()[0] == 0 or scale == "log"


def test_what_both_observables_are_is_what_their_names_end_in() -> None:
    assert pairs._noun("beside_accuracy", "accuracy") == "accuracy"
    assert pairs._noun("test_error_before", "test_error_after") == "test error before"
    assert pairs._noun("loss", "kept") == "loss"
