"""A limit is measured: which claims state one, how trials become sequences, what a line says, and what would decide."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest
import sympy as sp

from checks.evidence.check import Check
from checks.evidence.exponents import derivations
from checks.evidence.limit_values import LimitValue
from checks.evidence.translation import written
from checks.evidence.validation import InvalidCheck, part_problems
from checks.mutation.statements import mutants_of
from checks.planning.experiments import experiment_of
from checks.planning.limit_experiment import LimitExperiment
from checks.records.preset import Preset
from checks.records.rows import Row
from checks.report.claim_page import _exponent
from checks.report.writing.figures import figures
from checks.statistics.approaches import LEAST_POWER, MOST_POWER
from checks.statistics.explanation import Topic
from checks.statistics.judge import judge_limit
from checks.statistics.verdict import Plan, Verdict
from sim.trials.sweep import Sweep, grid
from sim.trials.trial import Outcome, System, Trial, TrialResult
from theory.claim import Axis, Claim, Evidence, Hypothesis, Identity, Kind, Limit, Role, Source

SYSTEM = System("made_up", "tests.nowhere:simulate", ("sim.trials.trial",))
d, gamma = sp.symbols("d gamma", positive=True)
EDGE = (1 + sp.sqrt(gamma)) ** 2
SIZES = [20, 40, 80, 160, 320, 640]


def claim_of(**changes: object) -> Claim:
    stated = {
        "id": "nobody.edge",
        "source": Source("nobody", "nowhere"),
        "kind": Kind.LIMIT,
        "statement": "The largest eigenvalue tends to the edge.",
        "observable": "edge",
        "evidence": (Evidence.MEASURED, Evidence.DERIVED),
        "axes": (Axis(d),),
        "value": EDGE,
    }
    return Claim(**{**stated, **changes})


def part_of(
    *, replicates: int = 10, ratios: list[float] | None = None, sizes: list[int] = SIZES, **changes
) -> LimitValue:
    points = grid(dimension=sizes, ratio=ratios or [0.25])
    stated = {
        "name": "edge",
        "symbol": d,
        "parameter": "dimension",
        "symbols": {"dimension": d, "ratio": gamma},
        "observable": "edge",
        "sweeps": {Preset.SMOKE: (Sweep(SYSTEM, points, {}, replicates),)},
    }
    return LimitValue(**{**stated, **changes})


def trials_of(part: LimitValue, *, factor: float = 1.0, noise: float = 0.002) -> list[Trial]:
    """Values that go to so many times the edge like d^-2/3."""
    found = []
    for spec in part.specs(Preset.SMOKE):
        size, ratio = float(spec.parameters["dimension"]), float(spec.parameters["ratio"])
        scatter = noise * np.random.default_rng(spec.seed).standard_normal()
        value = (1 + ratio**0.5) ** 2 * factor - (size / 20) ** (-2 / 3) + scatter
        found.append(Trial(spec, TrialResult(Outcome.CONVERGED, {"edge": value}, {}), 0.5))
    return found


def only(rows: list[Row]) -> Row:
    (row,) = rows
    return row


# --------------------------------------------------------------------------------------------------------------- claims


def test_a_limit_with_an_axis_is_measured_and_one_without_is_a_step() -> None:
    lemma = Identity("a step", d + d, 2 * d)
    measured, step = claim_of(lemmas=(lemma,)), claim_of(axes=(), value=None, lemmas=(lemma,))
    assert (measured.states_limit, step.states_limit) == (True, False)
    assert (measured.role_of(lemma), step.role_of(lemma)) == (Role.PROOF_STEP, Role.STATEMENT)
    assert not measured.has_order
    assert derivations(measured) == ()
    assert _exponent(measured, 0) == "the claimed value is the limit"


@pytest.mark.parametrize(
    ("changes", "message"),
    [
        ({"value": None}, "value must be that of the limit where a limit has an axis, got none for nobody.edge"),
        ({"value": EDGE + 1 / d}, "value of a limit must not contain its axis d"),
        ({"axes": (Axis(d, "zero"),)}, "axes of a limit must be one that goes to infinity, got d toward zero"),
        (
            {"axes": (Axis(d), Axis(gamma))},
            "axes of a limit must be one that goes to infinity, got d toward infinity, gamma",
        ),
    ],
)
def test_a_limit_that_cannot_be_measured_is_refused(changes, message) -> None:
    with pytest.raises(ValueError, match=message.replace("+", r"\+")):
        claim_of(**changes)


def test_other_kinds_still_need_their_axes_in_the_value() -> None:
    with pytest.raises(ValueError, match=r"axes must occur in the value of nobody\.edge"):
        claim_of(kind=Kind.EXACT)


# ---------------------------------------------------------------------------------------------------------------- lines


def test_numbers_that_the_value_lacks_part_sequences_too() -> None:
    """Two settings whose mean has the claimed limit, and neither of which has it."""
    points = grid(dimension=SIZES, ratio=[0.25], tilt=[-0.5, 0.5])
    part = part_of(sweeps={Preset.SMOKE: (Sweep(SYSTEM, points, {}, 10),)})
    tilted = [
        replace(
            trial, result=TrialResult(Outcome.CONVERGED, {"edge": trial.number("edge") + trial.spec.parameters["tilt"]})
        )
        for trial in trials_of(part)
    ]
    row = only(part.judge(claim_of(), tilted))
    assert row.verdict is Verdict.VIOLATED
    assert "2 of 2 settings violated" in row.judgement.reason


def test_the_limit_holds_and_a_false_one_is_violated_though_every_size_is_off() -> None:
    part, claim = part_of(), claim_of()
    row = only(part.judge(claim, trials_of(part)))
    assert row.verdict is Verdict.HOLDS
    assert [point.bound for point in row.points] == [2.25] * len(SIZES)
    assert all(point.high < 2.25 for point in row.points if point.high is not None)
    assert only(part.judge(claim, trials_of(part, factor=1.2))).verdict is Verdict.VIOLATED
    assert "tolerance stated beforehand: 0.113" in row.judgement.reason


def test_a_setting_is_written_as_people_write_numbers() -> None:
    """0.275 stood as 11/40 in reasons and tables."""
    part = part_of(ratios=[0.275, 0.5])
    row = only(part.judge(claim_of(), trials_of(part)))
    assert {point.sequence for point in row.points} == {"gamma = 0.275", "gamma = 0.5"}
    assert "11/40" not in row.judgement.reason
    numbers = ["1/3", "3", "1234567/999983", "1/8", "-0.1"]
    assert [written(sp.Rational(number)) for number in numbers] == ["1/3", "3", "1.234587988", "0.125", "-0.1"]


def test_each_setting_is_a_sequence_of_its_own() -> None:
    part = part_of(ratios=[0.25, 0.5])
    row = only(part.judge(claim_of(), trials_of(part)))
    assert row.verdict is Verdict.HOLDS
    assert len(row.points) == 2 * len(SIZES)
    assert "0 of 2 settings violated" in row.judgement.reason
    trials = [
        t if t.spec.parameters["ratio"] == 0.25 else w
        for t, w in zip(trials_of(part), trials_of(part, factor=1.3), strict=True)
    ]
    wrong = only(part.judge(claim_of(), trials))
    assert wrong.verdict is Verdict.VIOLATED
    assert "deciding: gamma = 0.5;" in wrong.judgement.reason


def test_points_outside_the_hypotheses_take_no_part() -> None:
    claim = claim_of(regime=(Hypothesis("d > 30", sp.Gt(d, 30)),))
    part = part_of()
    row = only(part.lines(claim, trials_of(part)))
    assert [point.in_regime for point in row.points] == [False, *[True] * 5]
    assert row.judgement.n_points == 5
    everywhere = claim_of(regime=(Hypothesis("d > 3000", sp.Gt(d, 3000)),))
    assert only(part.judge(everywhere, trials_of(part))).verdict is Verdict.OUT_OF_REGIME


def test_too_few_sizes_are_finite_size_and_a_plan() -> None:
    part = part_of(sizes=[20])
    row = only(part.judge(claim_of(), trials_of(part)))
    assert row.verdict is Verdict.INCONCLUSIVE
    assert row.judgement.finite_size
    assert row.judgement.explanation.about(Topic.ROUTE)[0].text == "sizes up to d = 80"
    told = experiment_of(part, claim_of(), row, trials_of(part))
    assert isinstance(told, str)
    assert told.startswith("no limit could be extrapolated: ")


def test_numbers_without_noise_need_one_trial_a_size() -> None:
    part = part_of(replicates=1, noiseless=True)
    row = only(part.judge(claim_of(), trials_of(part, noise=0.0)))
    assert row.verdict is Verdict.HOLDS
    assert isinstance(experiment_of(part, claim_of(), row, trials_of(part, noise=0.0)), str)


def test_a_limit_of_0_needs_a_tolerance() -> None:
    claim = claim_of(value=sp.Integer(0))
    part = part_of(symbols={"dimension": d})
    trials = [
        replace(t, result=TrialResult(Outcome.CONVERGED, {"edge": t.number("edge") - 2.25}, {}))
        for t in trials_of(part)
    ]
    assert "state a tolerance" in only(part.judge(claim, trials)).judgement.reason
    assert only(replace(part, tolerance=0.1).judge(claim, trials)).verdict is Verdict.HOLDS


def test_a_plan_says_how_often_more_sizes_decide() -> None:
    part = part_of(sizes=SIZES[:5])
    trials = trials_of(part, noise=0.1)
    row = only(part.judge(claim_of(), trials))
    experiment = experiment_of(part, claim_of(), row, trials)
    assert isinstance(experiment, LimitExperiment)
    assert experiment.size == Plan(5, 10)
    right = experiment.truths()[1][1][0]
    few, many = (experiment.power(Plan(points, 40), right, 20) for points in (5, 10))
    assert few < many
    assert many > 0.8
    assert np.exp(experiment.grid(7))[-1] == pytest.approx(1280)


def test_a_false_limit_is_found_out_on_made_up_trials() -> None:
    for part in (part_of(ratios=[0.25, 0.5]), part_of(noiseless=True, replicates=1)):
        planted = list(mutants_of(part, claim_of(), Preset.SMOKE))
        assert len(planted) == 4
        assert all(mutant.killed and mutant.honest is Verdict.HOLDS for mutant in planted)


# ------------------------------------------------------------------------------------------------------------- refusals


def test_a_part_of_another_kind_is_refused_and_names_this_one() -> None:
    (problem,) = part_problems(claim_of(kind=Kind.EXACT, value=EDGE * d), part_of())
    assert problem.startswith("LimitValue judges limit, got kind exact, which is judged by ")


def test_a_limit_as_a_step_has_no_axis_to_judge() -> None:
    step = claim_of(axes=(), value=None, lemmas=(Limit("1/d -> 0", 1 / d, d, sp.oo, sp.Integer(0)),))
    with pytest.raises(InvalidCheck, match="symbol must be an axis of the claim"):
        Check(step, (part_of(),))


@pytest.mark.parametrize(
    ("changes", "message"),
    [
        ({"margin": 0.0}, "margin must lie in .0, 1., got 0.0"),
        ({"tolerance": -1.0}, "tolerance must be finite and > 0"),
        ({"rate": 0.0}, "rate must lie in .0.25, 3., got 0.0 for part"),
        ({"rate": 3.0}, "rate must lie in .0.25, 3., got 3.0 for part"),
    ],
)
def test_a_tolerance_or_a_rate_that_is_none_is_refused(changes, message) -> None:
    with pytest.raises(ValueError, match=message):
        part_of(**changes)


def test_the_rates_that_parts_may_assume_are_those_that_the_rule_extrapolates_with() -> None:
    assert part_of(rate=LEAST_POWER).rate == LEAST_POWER
    for rate in (0.99 * LEAST_POWER, MOST_POWER):
        with pytest.raises(ValueError, match="rate must lie in"):
            part_of(rate=rate)
        with pytest.raises(ValueError, match="rate must lie in"):
            judge_limit([10, 20, 40, 80], np.ones((4, 5)), 1.0, rate=rate)


def test_a_headline_that_rests_on_an_assumed_rate_says_so() -> None:
    """At this noise the limit holds at the author's rate alone; at a tenth of it the rate is not needed."""
    part = part_of(rate=0.5)
    by_rate, free = (only(part.judge(claim_of(), trials_of(part, noise=noise))) for noise in (0.05, 0.005))
    assert by_rate.verdict is free.verdict is Verdict.HOLDS
    assert figures(by_rate).text.endswith("for = 2.25 ± 0.11 at rate 0.5 assumed")
    assert "assumed: an approach no slower than d^-0.5, without which" in by_rate.judgement.reason
    assert "assumed" not in figures(free).text
