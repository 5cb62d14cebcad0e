"""Evidence that claims nothing: exponents are found, settings are counted and drawn, and no verdict comes of it."""

import numpy as np
import pytest
import sympy as sp

from checks.evidence.open_parts import Course, Exponent, Regions
from checks.records.pictures import Cells, Lines
from checks.report.pictures.files import is_drawable
from checks.report.pictures.kinds import band_of_row
from checks.report.pictures.model import Note
from checks.statistics.verdict import Verdict
from sim.spatial_vit.systems import SPATIAL_VIT_REDUCED
from sim.trials.trial import Outcome, Trial, TrialResult, TrialSpec
from theory.claim import Axis, Claim, Evidence, Kind, Source

D = sp.Symbol("D", positive=True)
CLAIM = Claim(
    id="B.made_up", source=Source("nobody", "nowhere"), kind=Kind.OPEN, statement="How long.", observable="time",
    evidence=(Evidence.MEASURED,), axes=(Axis(D),),
)  # fmt: skip


def trial(*, outcome=Outcome.CONVERGED, time=1.0, ending="good", **parameters):
    spec = TrialSpec(SPATIAL_VIT_REDUCED, parameters)
    return Trial(spec, TrialResult(outcome, {"time": time, "ending": ending}, {"t": np.array([1.0, 2.0])}), 1.0)


EXPONENT = Exponent(
    name="time",
    symbol=D,
    along=lambda at: float(at["size"]),
    quantity=lambda one: one.result.observables["time"] if one.result.observables["time"] > 0 else None,
    series="power",
)


def powers(exponents, sizes=(2, 3, 5, 8)):
    return [
        trial(size=size, power=power, time=7.0 * size**exponent)
        for power, exponent in exponents.items()
        for size in reversed(sizes)
    ]


def test_an_exponent_is_found_whatever_the_order_and_prefactor():
    (row,) = EXPONENT.judge(CLAIM, powers({3: -1.5}))
    assert row.verdict is Verdict.NO_CLAIM
    assert row.judgement.exponents.measured == pytest.approx(-1.5)
    assert "power 3: -1.50 to -1.50" in row.judgement.reason
    assert [point.value for point in row.points] == [2, 3, 5, 8]


def test_an_exponent_may_be_of_an_axis_that_the_claim_is_silent_on():
    silent = Exponent(name="time", along=EXPONENT.along, quantity=EXPONENT.quantity, axis_words="size")
    assert silent.axes(CLAIM) == [None]
    (row,) = silent.judge(CLAIM, powers({3: -1.5}))
    assert row.axis is None
    assert row.judgement.exponents.measured == pytest.approx(-1.5)
    (panel,) = drawn(row)
    assert panel.named("value")


def test_lines_are_kept_apart():
    (row,) = EXPONENT.judge(CLAIM, powers({3: -1.0, 5: 2.0}))
    assert "power 3: -1.00 to -1.00; power 5: +2.00 to +2.00" in row.judgement.reason
    assert len(row.display.curves) == 2
    interval = row.explanation.decision.interval
    assert (interval.low, interval.high) == pytest.approx((-1.0, 2.0))


def test_a_bend_shows_as_a_range():
    bent = [trial(size=size, power=3, time=size + size**3) for size in (0.01, 0.1, 10.0, 100.0)]
    (row,) = EXPONENT.judge(CLAIM, bent)
    assert "power 3: +1.00 to +3.00" in row.judgement.reason


def test_replicates_count_by_their_geometric_mean():
    noisy = [trial(size=size, power=3, time=size * factor, replicate=k)
             for size in (2, 4) for k, factor in enumerate((0.5, 2.0))]  # fmt: skip
    (row,) = EXPONENT.judge(CLAIM, noisy)
    assert row.judgement.exponents.measured == pytest.approx(1.0)


def test_what_never_happened_or_diverged_is_no_point():
    trials = [*powers({3: 1.0}), trial(size=13, power=3, time=-1.0),
              trial(size=21, power=3, time=5.0, outcome=Outcome.DIVERGED)]  # fmt: skip
    (row,) = EXPONENT.judge(CLAIM, trials)
    assert "never happened in 1 of 6 settings" in row.judgement.reason
    assert "1 of 6 runs diverged" in row.judgement.reason
    assert row.judgement.exponents.measured == pytest.approx(1.0)


def test_one_point_has_no_slope():
    (row,) = EXPONENT.judge(CLAIM, powers({3: 1.0}, sizes=(4,)))
    assert row.verdict is Verdict.NO_CLAIM
    assert row.judgement.exponents.measured is None
    assert "too few points" in row.judgement.reason


REGIONS = Regions(
    name="map",
    x=lambda at: float(at["q"]),
    y=lambda at: float(at["size"]),
    panel=lambda at: f"C = {at['of']}",
    x_words="q",
    y_words="D",
    name_of=lambda one: str(one.result.observables["ending"]),
    legend=("good", "bad", "ugly"),
)


def test_settings_are_counted_and_placed():
    trials = [trial(q=0.2, size=8, of=2), trial(q=0.1, size=8, of=2, ending="bad"), trial(q=0.1, size=4, of=2),
              trial(q=0.1, size=9, of=3)]  # fmt: skip
    (row,) = REGIONS.judge(CLAIM, trials)
    assert row.verdict is Verdict.NO_CLAIM
    assert row.judgement.reason.startswith("good at 3 of 4 settings, bad at 1 of 4 settings")
    first, second = row.display.pictures
    assert isinstance(first, Cells)
    assert (first.title, list(first.xs), list(first.ys)) == ("C = 2", [0.1, 0.2], [4.0, 8.0])
    assert [list(line) for line in first.names] == [["good", ""], ["bad", "good"]]
    assert second.title == "C = 3"


def test_a_wanted_ending_that_never_occurs_is_said():
    (row,) = REGIONS.judge(CLAIM, [trial(q=0.1, size=4, of=2, ending="bad")])
    assert row.judgement.reason.startswith("good at 0 of 1 settings, bad at 1")


def test_an_ending_without_a_place_in_the_legend_is_refused():
    with pytest.raises(ValueError, match="legend must name every ending, got 'worse' besides"):
        REGIONS.judge(CLAIM, [trial(q=0.1, size=4, of=2, ending="worse")])


def test_a_course_is_told_of_all_trials_and_drawn_of_the_first():
    course = Course(
        name="course",
        words=lambda trials: f"{len(trials)} told",
        pictures=lambda one: (Lines("run", "t", one.result.curves["t"], {"t": one.result.curves["t"]}),),
    )
    (row,) = course.judge(CLAIM, [trial(size=1), trial(size=2), trial(size=3, outcome=Outcome.DIVERGED)])
    assert row.verdict is Verdict.NO_CLAIM
    assert row.judgement.reason == "2 told; 3 trials; 1 of 3 runs diverged"
    assert row.display.pictures[0].title == "run"


def drawn(row):
    assert is_drawable(row)
    return band_of_row(row).panels


def test_a_map_is_drawn_cell_by_cell_in_the_order_of_its_legend():
    trials = [trial(q=0.2, size=8, of=2), trial(q=0.1, size=8, of=2, ending="ugly"), trial(q=0.1, size=4, of=2)]
    (panel,) = drawn(REGIONS.judge(CLAIM, trials)[0])
    cells = {(box.left + 0.5, box.low + 0.5): box.ink.fill for box in panel.named("named")}
    good, ugly = "#0072B2", "#E69F00"
    assert cells == {(0, 0): good, (0, 1): ugly, (1, 1): good}  # what was not measured is white
    assert [mark.label for mark in panel.marks if mark.label] == ["A  good", "C  ugly"]
    letters = {(note.x, note.y): note.words for note in panel.named("letter")}
    assert letters == {(0, 0): "A", (0, 1): "C", (1, 1): "A"}, "a letter in each cell that was measured"
    assert panel.y.ticks == [(0, "4"), (1, "8")]


def test_marked_times_stand_where_they_are():
    axis = np.array([0.0, 0.1, 1.0, 10.0])
    lines = Lines("run", "t", axis, {"error": np.array([1.0, 0.5, 0.0, 0.1])}, marks={"T_0": 0.5}, log=True)
    course = Course(name="course", words=lambda _: "", pictures=lambda _: (lines,))
    (panel,) = drawn(course.judge(CLAIM, [trial(size=1)])[0])
    assert [mark.at for mark in panel.named("mark")] == [0.5]
    assert panel.y.scale == "symlog", "a logarithm has no place for the error of 0"
    assert "T_0" in [mark.words for mark in panel.marks if isinstance(mark, Note)]
