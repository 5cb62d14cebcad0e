"""Paired differences as evidence, on made-up trials."""

from __future__ import annotations

import math
from dataclasses import replace

import pytest

from checks.evidence.check import Check, InvalidCheck
from checks.evidence.control import Control, held_against
from checks.evidence.paired import PairedDifference
from checks.records.preset import Preset
from checks.statistics.policy import ErrorPolicy
from checks.statistics.verdict import Verdict
from sim.images.systems import IMAGE_ATTENTION
from sim.trials.sweep import Sweep
from sim.trials.trial import Outcome, Trial, TrialResult, TrialSpec
from theory.claim import Role
from theory.spatial_vit.figures import FIG_7

PROTOCOL = {"dataset": "digits", "network": "small-vit7", "steps": 1, "batch_size": 8, "learning_rate": 0.1}
SWEEPS = {Preset.QUICK: (Sweep(IMAGE_ATTENTION, (PROTOCOL,), {}, 8),)}
PART = PairedDifference(
    name="at most 3 points less", first="accuracy_positional", second="accuracy_vanilla", low=-0.03, bar=0.5,
    sweeps=SWEEPS, policy=ErrorPolicy(family=42),
)  # fmt: skip


def trials(differences, *, vanilla: float = 0.9, outcome: Outcome = Outcome.BUDGET) -> list[Trial]:
    return [
        Trial(
            TrialSpec(IMAGE_ATTENTION, PROTOCOL, number),
            TrialResult(outcome, {"accuracy_positional": vanilla + one, "accuracy_vanilla": vanilla, "chance": 0.1}),
            1.0,
        )
        for number, one in enumerate(differences)
    ]


NEAR = (-0.015, -0.009, -0.005, -0.002, 0.001, 0.004, 0.006, 0.012)


def judged(found: list[Trial], part: PairedDifference = PART):
    (row,) = part.lines(FIG_7, found)
    return row


def test_networks_that_are_as_good_hold_and_worse_ones_are_violated():
    assert judged(trials(NEAR)).verdict is Verdict.HOLDS
    worse = judged(trials([one - 0.3 for one in NEAR] * 4))
    assert worse.verdict is Verdict.VIOLATED
    assert "accuracy positional less accuracy vanilla" in worse.judgement.reason


def test_a_statement_is_not_accused_on_fewer_pairs_than_a_mean_is_judged_by():
    """A reading accuses nobody and is judged as it stands."""
    found = trials([one - 0.3 for one in NEAR] * 2)
    few = judged(found)
    assert few.verdict is Verdict.INCONCLUSIVE
    assert few.judgement.plan.n_replicates == 20
    assert "; would decide: 20 pairs" in few.judgement.reason
    assert judged(found, replace(PART, role=Role.READING, because="stand-in")).verdict is Verdict.VIOLATED


def test_an_accusation_of_a_statement_is_shared_among_the_lines_of_the_paper():
    """What is just violated by itself is not among dozens of lines; a reading accuses nobody and is not shared."""
    found = trials([one - 0.041 for one in NEAR])
    assert judged(found).verdict is Verdict.INCONCLUSIVE
    assert "not at its share among" in judged(found).judgement.reason
    reading = replace(PART, role=Role.READING, because="stand-in")
    assert judged(found, reading).verdict is Verdict.VIOLATED


def test_networks_that_learnt_nothing_decide_nothing():
    row = judged(trials(NEAR, vanilla=0.5))
    assert row.verdict is Verdict.INCONCLUSIVE
    assert "8 of 8 trials have accuracy_vanilla at or below its bar" in row.judgement.reason


def test_runs_that_diverged_are_not_left_out():
    found = [*trials(NEAR), *trials([0.0], outcome=Outcome.DIVERGED)]
    assert judged(found).verdict is Verdict.INCONCLUSIVE
    assert PART.met_by(found[-1]) is False
    assert judged(trials(NEAR, outcome=Outcome.DIVERGED)).verdict is Verdict.INCONCLUSIVE


def test_a_control_that_meets_the_criterion_takes_the_verdict_away():
    control, rows = Control("labels shuffled", SWEEPS), [judged(trials(NEAR))]

    def beside(runs):
        return held_against(rows, control, [PART.met_by(run) for run in runs], n_diverged=0, rate=PART.rate_asked)

    (kept,), (lost,) = beside(trials(NEAR[:2], vanilla=0.1)), beside(trials(NEAR[:2]))
    assert (kept.verdict, lost.verdict) == (Verdict.HOLDS, Verdict.UNINFORMATIVE)


def test_a_bar_may_differ_by_trial_and_be_of_another_observable():
    part = replace(PART, bar=lambda trial: trial.number("chance"), reference="accuracy_positional")
    assert part.met_by(trials([0.0])[0]) is True
    assert part.met_by(trials([-0.85])[0]) is False


def test_misspelt_observables_are_refused():
    with pytest.raises(
        InvalidCheck, match="second must be observed by simulator image_attention, got 'accuracy_vanila'"
    ):
        Check(FIG_7, (replace(PART, second="accuracy_vanila"),))


def test_both_margins_count():
    part = replace(PART, low=-math.inf, high=0.0)
    assert judged(trials([one - 0.2 for one in NEAR]), part).verdict is Verdict.HOLDS
    assert part.met_by(trials([0.1])[0]) is False


def test_a_run_without_a_number_is_lost_and_undecides():
    found = judged(trials([*NEAR, math.nan]))
    assert found.verdict is Verdict.INCONCLUSIVE
    assert "runs gave no number (NaN) and are lost" in found.judgement.reason


@pytest.mark.parametrize("value", [math.inf, 7.0, -3.0])
def test_values_that_no_accuracy_has_are_refused(value):
    """Whoever hands on a store may have written anything into it."""
    part = replace(PART, bounds=(0.0, 1.0))
    with pytest.raises(ValueError, match="accuracy_positional must be finite and from 0 to 1, got"):
        judged(trials([*NEAR, value - 0.9]), part)
