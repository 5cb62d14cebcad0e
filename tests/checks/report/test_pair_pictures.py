"""Pictures of pairs: differences with the interval of their mean and the margins, and values on a fitting axis."""

from __future__ import annotations

import math
from dataclasses import replace

import pytest

from checks.evidence.check import Check, evaluate
from checks.evidence.paired import PairedDifference
from checks.evidence.sampled import Behaviour
from checks.records.preset import Placement, Preset
from checks.report.pictures.gathered import Piece, gather
from checks.report.pictures.kinds import bands_of, mean_differences, pairs
from checks.report.pictures.model import Panel, Strokes, Trace
from sim.images.systems import IMAGE_ATTENTION
from sim.store.store import key
from sim.trials.sweep import Sweep
from sim.trials.trial import Outcome, Trial, TrialResult
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


def drawn(pieces: list[Piece]) -> Panel:
    found = [one for piece in pieces if (one := mean_differences.pairs_of(piece)) is not None]
    return mean_differences.panel_of(found, noun="accuracy")


def places(panel: Panel, name: str) -> list[float]:
    return [x for line in panel.named(name) if isinstance(line, Trace) for x in line.xs]


def test_each_pair_its_mean_and_the_margins_stand_where_they_are() -> None:
    panel = drawn(pieces_of([PART], EVEN))
    assert sorted(places(panel, "pair")) == pytest.approx(sorted(EVEN))
    assert places(panel, "mean") == pytest.approx([-0.001])
    assert places(panel, "open") == []
    strokes = [end[::2] for mark in panel.named("reference") if isinstance(mark, Strokes) for end in mark.ends]
    assert strokes == [(-0.03, -0.03), (0.03, 0.03)]
    low, high = panel.x.ends or (0, 0)
    assert (low or 0) < -0.03 < 0.03 < (high or 0)


def test_an_interval_without_an_end_runs_to_the_edge() -> None:
    panel = drawn(pieces_of([replace(PART, high=math.inf)], SKEWED))
    assert places(panel, "open") == [(panel.x.ends or [None])[0]]
    crosses = [line for line in panel.named("pair") if isinstance(line, Trace) and line.ink.shape == "cross"]
    assert [list(line.xs) for line in crosses] == [pytest.approx([-0.2])]


def test_parts_on_the_same_observables_share_a_panel_and_the_table_has_every_pair() -> None:
    pieces = pieces_of([PART, replace(PART, name="no worse", high=math.inf)], EVEN)
    (band,) = mean_differences.KIND.bands(pieces)
    assert "as good (reading, holds): mean -0.001 [" in band.told
    assert "8 of 8 as claimed" in band.told
    assert [band.title for band in bands_of(pieces)] == ["Mean differences of pairs"]
    table = band.data[0]
    assert len([one for one in band.data if one.columns == table.columns]) == 2
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
    height = pairs.pairs_of(piece, piece.trials).y
    assert height.scale == scale
    assert height.ends is not None
    assert height.ends[0] == 0 or scale == "log"


def test_what_both_observables_are_is_what_their_names_end_in() -> None:
    assert pairs._noun("beside_accuracy", "accuracy") == "accuracy"
    assert pairs._noun("test_error_before", "test_error_after") == "test error before"
    assert pairs._noun("loss", "kept") == "loss"
