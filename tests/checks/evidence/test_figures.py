"""Figures: a straight look is judged as a picture, a rise by its sign, and other levels of success decide nothing."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest
import sympy as sp

from checks.evidence.rising import Rising
from checks.evidence.sampled import Scaling, Threshold
from checks.evidence.validation import part_problems
from checks.records.preset import Preset
from checks.statistics.estimates import Estimate
from checks.statistics.explanation import finding
from checks.statistics.verdict import Judgement, Verdict
from sim.trials.sweep import Sweep, grid
from sim.trials.trial import Outcome, System, Trial, TrialResult, TrialSpec
from theory.claim import Axis, Claim, Evidence, Kind, Source

x = sp.Symbol("x", positive=True)
SYSTEM = System("made_up", "tests.nowhere:simulate", ("sim.trials.trial",))
FIGURE = Claim(
    id="A.made_up_figure",
    source=Source("nobody", "nowhere"),
    kind=Kind.FIGURE,
    statement="Linear in 1/x.",
    observable="made_up",
    evidence=(Evidence.MEASURED,),
    axes=(Axis(x, "zero"),),
    value=1 / x,
)
MORE = replace(FIGURE, statement="More x needs more.", value=None, axes=(Axis(x),))
SCALING = Scaling(name="made up", symbol=x, parameter="x", symbols={"x": x}, observable="seen")
PLACES = (0.05, 0.1, 0.2, 0.3, 0.4, 0.5)


def letters(parameters):
    return {x: sp.Rational(str(parameters["x"]))}


def scaling_row(law, error=0.01):
    trials = []
    for spec in Sweep(SYSTEM, grid(x=PLACES), {}, 6).specs():
        noise = np.exp(error * np.random.default_rng(spec.seed).standard_normal())
        result = TrialResult(Outcome.CONVERGED, {"seen": law(float(spec.parameters["x"])) * noise})
        trials.append(Trial(spec, result, 0.1))
    (row,) = replace(SCALING, symbols=letters).judge(FIGURE, trials)
    return row


def test_a_figure_is_judged_like_a_tight_order():
    row = scaling_row(lambda value: 7 / value)
    assert row.verdict is Verdict.TIGHT
    assert "as a picture: correlation 1.000" in row.judgement.reason or "correlation 0.99" in row.judgement.reason
    assert row.claim.has_order


def test_what_looks_straight_is_not_held_against_a_figure_for_its_exponent():
    row = scaling_row(lambda value: 7 * value**-0.7)
    assert row.judgement.exponents.measured == pytest.approx(-0.7, abs=0.02)
    assert row.verdict is Verdict.INCONCLUSIVE
    assert "the picture looks linear all the same" in row.judgement.reason


def test_an_offset_is_a_bend_and_decides_nothing():
    row = scaling_row(lambda value: 60 + 7 / value)
    assert row.judgement.exponents.measured > -0.7
    assert row.verdict is Verdict.INCONCLUSIVE
    assert "the points bend" in row.judgement.reason


def test_a_small_offset_explains_an_exponent_within_the_margin():
    row = scaling_row(lambda value: 3 + 7 / value, error=0.04)
    assert row.verdict is Verdict.TIGHT
    assert "its exponent is told from the claimed one, which an offset explains" in row.judgement.reason


def test_another_power_within_the_margin_is_not_explained_by_an_offset():
    row = scaling_row(lambda value: 7 * value**-1.2)
    assert row.verdict is Verdict.INCONCLUSIVE
    assert "the exponent differs from the claimed one by 0.2" in row.judgement.reason


@pytest.mark.parametrize("power", [-3, 1])
def test_a_picture_that_does_not_look_so_is_violated(power):
    assert scaling_row(lambda value: value**power).verdict is Verdict.VIOLATED


@pytest.mark.parametrize(
    ("power", "said"),
    [
        (-1, "it is adequate on the whole grid (p = "),
        (1, "it is rejected on the whole grid (p < 1e-06) and on every part of it"),
    ],
)
def test_on_a_short_axis_the_claimed_curve_is_judged(power, said):
    from checks.evidence.linear_figures import as_pictured
    from checks.statistics.explanation import Topic, obstacle

    axis = [0.29, 0.32, 0.36, 0.42, 0.48]
    found = [Estimate(value**power, standard_error=0.01) for value in axis]
    short = Judgement(Verdict.INCONCLUSIVE, obstacle(Topic.SHORTAGE, "the axis spans a factor 1.66, 4 is needed"))
    judged = as_pictured(short, axis, found, [1 / value for value in axis], confidence=0.95)
    assert judged.verdict is Verdict.INCONCLUSIVE
    assert f"on so short an axis the claimed curve is judged, not an exponent: {said}" in judged.reason


def test_too_few_points_have_no_look():
    from checks.evidence.linear_figures import as_pictured

    few = Judgement(Verdict.INCONCLUSIVE, finding("few"))
    judgement = as_pictured(few, [1.0], [Estimate(1.0)], [1.0], confidence=0.95)
    assert judgement.reason == "few; too few points to judge the picture"


# ------------------------------------------------------------------------------------------------- levels of success


def graded(place, size, grade, outcome=Outcome.CONVERGED):
    spec = TrialSpec(SYSTEM, {"x": place, "n_samples": size}, grade)
    return Trial(spec, TrialResult(outcome, {"success": size > 20 * (1 + grade), "loss": 20.0 / size}), 0.1)


def test_other_levels_are_said_and_decide_nothing():
    trials = [
        graded(place, size, grade) for place in PLACES for size in (4, 8, 16, 32, 64, 128, 256) for grade in range(4)
    ]
    part = Threshold(name="made up", symbol=x, parameter="x", symbols=letters)
    with_levels = replace(part, levels={"a loss of 2": lambda trial: trial.number("loss") < 2})
    (plain,), (row,) = part.judge(FIGURE, trials), with_levels.judge(FIGURE, trials)
    assert row.verdict is plain.verdict
    assert row.judgement.effect == plain.judgement.effect
    assert "at a loss of 2: thresholds 11.3 at 0.05, 11.3 at 0.1" in row.judgement.reason
    assert "exponent" in row.judgement.reason.split("at a loss of 2: ")[1]


def test_a_diverged_trial_succeeds_at_no_level():
    part = Threshold(name="made up", symbol=x, parameter="x", symbols=letters)
    lost = graded(0.1, 256, 0, Outcome.DIVERGED)
    assert part.outcomes([lost, graded(0.1, 256, 1)], level=lambda trial: True) == {256: [False, True]}


# ------------------------------------------------------------------------------------------------------------ a rise


def rising_row(law, **options):
    """Success curves about `law` with the counts that are expected of 40 trials at each size."""
    part = Rising(name="made up", symbol=x, parameter="x", symbols=letters, **options)
    trials = []
    for place in (0.0, 0.2, 0.4, 0.8):
        for size in (8, 16, 32, 64, 128, 256, 512):
            successes = round(40 / (1 + (law(place) / size) ** 4))
            for replicate in range(40):
                spec = TrialSpec(SYSTEM, {"x": place, "n_samples": size}, replicate)
                result = TrialResult(Outcome.CONVERGED, {"success": replicate < successes})
                trials.append(Trial(spec, result, 0.1))
    (row,) = part.judge(MORE, trials)
    return row


def test_a_rise_is_found_and_a_fall_speaks_against_it():
    row = rising_row(lambda value: 50 * 6**value)
    assert row.verdict is Verdict.HOLDS
    assert [point.value for point in row.points] == [0.0, 0.2, 0.4, 0.8]
    assert all(point.bound is None and point.low < point.measured < point.high for point in row.points)
    assert rising_row(lambda value: 200 / 6**value).verdict is Verdict.VIOLATED
    assert rising_row(lambda value: 50).verdict is Verdict.INCONCLUSIVE


def test_where_a_fall_is_said_it_is_the_rise_that_speaks_against_it():
    assert rising_row(lambda value: 200 / 6**value, falls=True).verdict is Verdict.HOLDS
    risen = rising_row(lambda value: 50 * 6**value, falls=True)
    assert risen.verdict is Verdict.VIOLATED
    assert "it rises" in risen.judgement.reason
    assert rising_row(lambda value: 50, falls=True).verdict is Verdict.INCONCLUSIVE


def test_a_threshold_needs_a_value_to_compare_with_and_a_rise_does_not():
    threshold = Threshold(name="made up", symbol=x, parameter="x", symbols=letters)
    assert "Threshold needs a claim with a value, got none for A.made_up_figure" in list(part_problems(MORE, threshold))
    rising = Rising(name="made up", symbol=x, parameter="x", symbols=letters)
    assert not list(part_problems(MORE, rising))
    assert not rising.specs(Preset.SMOKE)
