"""What a plan says of a transition: which sizes, and which values beside the place, would decide."""

from __future__ import annotations

import math
from dataclasses import replace

import numpy as np
import pytest
import sympy as sp

from checks.evidence.check import Check
from checks.evidence.transitions import Transition
from checks.planning import plan
from checks.planning.experiments import experiment_of
from checks.planning.transition_experiment import TransitionExperiment
from checks.records.preset import Preset
from checks.records.rows import Row
from checks.report.claim_page import _exponent
from checks.statistics.verdict import Plan, Verdict
from sim.store.fingerprint import key
from sim.trials.sweep import Sweep, grid
from sim.trials.trial import Outcome, System, Trial, TrialResult
from theory.claim import Axis, Claim, Evidence, Kind, Source

SYSTEM = System("made_up", "tests.nowhere:simulate", ("sim.trials.trial",))
d = sp.symbols("d", positive=True)
SIZES = [50, 100, 200, 400, 800, 1600, 3200]
CLAIM = Claim(
    id="nobody.transition",
    source=Source("nobody", "nowhere"),
    kind=Kind.TRANSITION,
    statement="The overlap tends to 0 for kappa < 1 and stays away from it for kappa > 1.",
    observable="overlap",
    evidence=(Evidence.MEASURED,),
    axes=(Axis(d),),
    value=sp.Integer(1),
)


def part_of(places: list[float], *, sizes: list[int] = SIZES) -> Transition:
    points = grid(dimension=sizes, kappa=places)
    return Transition(
        name="overlap",
        symbol=d,
        parameter="dimension",
        moving="kappa",
        symbols={"dimension": d},
        observable="overlap",
        level=0.2,
        tolerance=0.05,
        within=0.2,
        sweeps={Preset.SMOKE: (Sweep(SYSTEM, points, {}, 8),)},
    )


def trials_of(part: Transition, *, at: float = 1.0, noise: float = 0.002) -> list[Trial]:
    """An overlap that is 0 up to a place and more than a half beyond it, both approached like d^-1/2."""
    found = []
    for spec in part.specs(Preset.SMOKE):
        size, kappa = float(spec.parameters["dimension"]), float(spec.parameters["kappa"])
        scatter = noise * np.random.default_rng(spec.seed).standard_normal()
        value = (0.5 + math.sqrt(kappa - at) if kappa > at else 0.0) + size**-0.5 + scatter
        found.append(Trial(spec, TrialResult(Outcome.CONVERGED, {"overlap": value}, {}), 0.5))
    return found


def judged(part: Transition, trials: list[Trial]) -> Row:
    (row,) = part.judge(CLAIM, trials)
    return row


@pytest.mark.parametrize(("at", "verdict"), [(1.0, Verdict.HOLDS), (0.7, Verdict.VIOLATED), (1.5, Verdict.VIOLATED)])
def test_a_bracket_as_wide_as_asked_for_is_narrow_enough(at: float, verdict: Verdict) -> None:
    """0.9 and 1.1 are more than 0.2 apart to a machine; planted: a transition before and one beyond the place."""
    part = part_of([0.5, 0.9, 1.1, 2.0])
    assert judged(part, trials_of(part, at=at)).verdict is verdict


def test_a_wide_bracket_is_told_where_to_measure_and_planned_for() -> None:
    part = part_of([0.5, 2.0])
    trials = trials_of(part)
    row = judged(part, trials)
    assert row.verdict is Verdict.INCONCLUSIVE
    assert "not yet within 0.2: measure between, at 0.9 and 1.1" in row.judgement.reason
    experiment = experiment_of(part, CLAIM, row, trials)
    assert isinstance(experiment, TransitionExperiment)
    assert experiment.unit == "replicates a size at each kappa of 0.5, 0.9, 1.1, 2"
    assert experiment.n_settings == 4
    right, wrong = experiment.truths()[1][1]
    more = replace(experiment.size, n_replicates=2 * experiment.size.n_replicates)
    assert experiment.power(more, right, 10) > 0.8
    assert experiment.power(more, wrong, 10) > 0.8


def test_the_plan_of_a_noisy_transition_counts_every_value(monkeypatch: pytest.MonkeyPatch) -> None:
    part = part_of([0.9, 1.1], sizes=SIZES[:6])
    trials = trials_of(part, noise=0.02)
    assert judged(part, trials).verdict is Verdict.INCONCLUSIVE
    monkeypatch.setattr(plan, "_search", lambda experiment, truths, power: (Plan(8, 20), True, 0.9))
    monkeypatch.setattr(plan, "SEARCH_SIMULATIONS", 2)
    (row,) = plan.plan_check(Check(CLAIM, (part,)), Preset.SMOKE, {key(trial.spec): trial for trial in trials})
    seen, place = row.designs
    assert (seen.question, place.question) == ("limits as seen", "the place")
    assert place.axis_values == pytest.approx((*SIZES, 6400))
    assert (place.n_trials, place.n_more) == (2 * 8 * 20, 2 * 8 * 20 - len(trials))


def test_a_transition_that_holds_is_planned_for_too() -> None:
    """Its place stands in its finding, which was not looked at: "no transition could be looked for"."""
    part = part_of([0.5, 0.9, 1.1, 2.0])
    trials = trials_of(part)
    row = judged(part, trials)
    assert row.verdict is Verdict.HOLDS
    assert not isinstance(experiment_of(part, CLAIM, row, trials), str)


def test_values_on_one_side_of_the_place_are_no_plan() -> None:
    part = part_of([1.1, 2.0])
    trials = trials_of(part)
    assert isinstance(experiment_of(part, CLAIM, judged(part, trials), trials), str)


def test_the_page_of_a_claim_says_what_its_value_is() -> None:
    assert _exponent(CLAIM, 0) == "the claimed value is the place of the transition"
