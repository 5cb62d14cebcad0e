"""Another exponent within the margin: every rule that passes an exponent leaves it open where the data tell them apart.

The falsehood planted is the nearest that a paper would write: n^(1/2) for a quantity of order n^(2/3).
"""

import re

import numpy as np
import pytest

from checks.statistics.delta_rule import DeltaRule
from checks.statistics.estimates import Estimate
from checks.statistics.explanation import Topic
from checks.statistics.judge import (
    judge_excess,
    judge_joint,
    judge_range,
    judge_rates,
    judge_scaling,
    judge_thresholds,
    judge_unspecified,
)
from checks.statistics.policy import ErrorPolicy
from checks.statistics.verdict import Interval, Verdict

SIZES = np.geomspace(32.0, 2048.0, 7)
RIGHT, FALSE = 2 / 3, 1 / 2
TIGHT = {"relation": "tight", "margin": 0.25}


def grown(power: float, *, seed: int = 0, axis: np.ndarray = SIZES, runs: int = 12, noise: float = 0.1) -> np.ndarray:
    """Samples of order axis^power. [points, runs]"""
    draws = np.random.default_rng(seed).standard_normal((len(axis), runs))
    return axis[:, None] ** power * np.exp(noise * draws)


def scaling(claimed, measured=RIGHT, **how):
    return judge_scaling(SIZES, grown(measured), SIZES**claimed, **(TIGHT | how))


def censored(claimed, measured=RIGHT, **how):
    samples, limit = grown(measured), np.full(7, 1.02 * SIZES[-1] ** measured)
    cut = np.where(samples > limit[0], np.inf, samples)
    return judge_scaling(SIZES, cut, SIZES**claimed, limit=limit, **(TIGHT | how))


def joint(claimed, measured=RIGHT, **how):
    axis, other = np.repeat(SIZES, 3), np.tile([1.0, 2.0, 4.0], len(SIZES))
    axes = {"n": (axis, "infinity"), "d": (other, "infinity")}
    return judge_joint(axes, grown(measured, axis=axis, runs=4), axis**claimed, **(TIGHT | how))["n"]


def thresholds(claimed, measured=RIGHT, **how):
    found = [Estimate(float(row.mean()), standard_error=0.02, n_trials=20) for row in grown(measured)]
    return judge_thresholds(SIZES, found, SIZES**claimed, **(TIGHT | how))


def rates(claimed, measured=RIGHT, **how):
    slopes = measured + 0.02 * np.random.default_rng(0).standard_normal(12)
    return judge_rates(slopes, claimed, **(TIGHT | how))


def windows(claimed, measured=RIGHT, **how):
    return judge_range(measured - claimed + np.array([-0.02, 0.0, 0.02]), claimed_slope=claimed, **(TIGHT | how))


def excess(claimed, measured=RIGHT, **how):
    axis = np.geomspace(10.0, 1e5, 9)
    loss = grown(0.0, axis=axis, runs=5, noise=0.003) * (1 + 4 * axis[:, None] ** -measured)
    return judge_excess(axis, loss, -claimed, **(TIGHT | how))


def member(claimed, measured=RIGHT):
    return judge_unspecified(SIZES, grown(measured), family="poly", degree=claimed, margin=0.25)


@pytest.mark.parametrize("rule", [scaling, censored, joint, thresholds, rates, windows, excess, member])
def test_every_rule_leaves_another_exponent_open_and_passes_the_right_one(rule):
    right, false = rule(RIGHT), rule(FALSE)
    assert right.verdict in (Verdict.TIGHT, Verdict.HOLDS)
    assert false.verdict is Verdict.INCONCLUSIVE
    assert false.explanation.decision.obstacles[0].topic is Topic.APART
    assert "less than the margin of 0.25: another law, or finite size" in false.reason
    assert "or a smaller margin, fixed for fresh runs (Sweep(first_replicate=" in false.reason
    assert "off by less than the margin: inconclusive" in false.explanation.sentence


def test_the_margin_that_is_advised_can_be_typed_and_decides_on_fresh_runs_like_these():
    """Half the gap to a rival was asked for, of somebody who knew no rival."""
    decided = 0
    for seed in range(20):
        runs, fresh = grown(FALSE, seed=seed, noise=0.1), grown(FALSE, seed=seed + 100, noise=0.1)
        words = judge_scaling(SIZES, runs, SIZES**RIGHT, **TIGHT).reason
        typed = r"first_replicate=(\d+)\)\): at margin 1/(\d+) \(in a claim margin=sympy.Rational\(1, (\d+)\)"
        told = re.search(typed, words)
        assert int(told[1]) == runs.shape[1]
        assert told[2] == told[3]
        again = judge_scaling(SIZES, fresh, SIZES**RIGHT, **(TIGHT | {"margin": 1 / int(told[2])}))
        decided += again.verdict is Verdict.VIOLATED
    assert decided >= 16


def test_no_margin_is_advised_that_takes_finite_size_for_another_law():
    """The largest of n normals, of order sqrt(log n), has an exponent of 0.02 more on any grid."""
    near = judge_scaling(SIZES, grown(RIGHT + 0.02, noise=0.002), SIZES**RIGHT, **(TIGHT | {"margin": 1 / 20}))
    assert near.verdict is Verdict.INCONCLUSIVE
    assert "no margin down to 1/24 would" in near.reason


SLOW = 0.07
"""Exponent of a law that moves less than the margin on the grid, as log n does far out."""


@pytest.mark.parametrize("rule", [scaling, joint, thresholds, rates, windows])
@pytest.mark.parametrize("measured", [0.0, 2 * SLOW], ids=["a constant", "twice as steep"])
def test_every_rule_tells_a_slow_law_from_a_constant_and_from_one_twice_as_steep(rule, measured):
    assert rule(SLOW, SLOW).verdict is Verdict.TIGHT
    other = rule(SLOW, measured)
    assert other.verdict is Verdict.INCONCLUSIVE
    assert other.explanation.about(Topic.MARGIN)
    assert "a constant, or a law twice as steep, is not excluded" in other.reason


@pytest.mark.parametrize("rule", [scaling, joint, thresholds, rates, windows])
def test_a_bound_by_a_slow_law_holds_of_a_constant_and_not_of_a_steeper_law(rule):
    assert rule(SLOW, 0.0, relation="upper").verdict is Verdict.HOLDS
    assert rule(SLOW, 2 * SLOW, relation="upper").verdict is Verdict.INCONCLUSIVE
    assert rule(SLOW, 2 * SLOW, relation="lower").verdict is Verdict.HOLDS
    assert rule(SLOW, 0.0, relation="lower").verdict is Verdict.INCONCLUSIVE


def test_an_excess_of_a_slow_power_is_told_from_one_twice_as_steep():
    assert excess(0.22, 0.22).verdict is Verdict.TIGHT
    assert excess(0.22, 0.36).explanation.about(Topic.MARGIN)
    assert excess(0.22, 0.36).verdict is Verdict.INCONCLUSIVE


def test_a_claimed_constant_and_windows_of_no_known_claim_have_no_half_exponent():
    assert windows(0.0, 0.0).verdict is Verdict.TIGHT
    assert judge_range([-0.05, -0.04, -0.05], **TIGHT).verdict is Verdict.TIGHT
    assert not DeltaRule("tight", 0.25).is_slow
    assert not DeltaRule("tight", 0.25, exponent=0.25).is_slow
    assert DeltaRule("tight", 0.25, exponent=-0.2).is_slow


@pytest.mark.parametrize(
    ("relation", "claimed", "verdict"),
    [
        ("upper", 1 / 2, "inconclusive"),
        ("upper", 5 / 6, "holds"),  # slower than allowed is no fault of an upper bound, which is not tight then
        ("lower", 5 / 6, "inconclusive"),
        ("lower", 1 / 2, "holds"),
        ("tight", 5 / 6, "inconclusive"),
    ],
)
def test_only_the_side_that_accuses_counts(relation, claimed, verdict):
    assert scaling(claimed, relation=relation).verdict == verdict


@pytest.mark.parametrize(("relation", "claimed"), [("lower", 7 / 12), ("upper", 3 / 4)])
def test_a_bound_whose_exponent_is_told_from_a_better_one_holds_and_is_not_tight(relation, claimed):
    """The gap of 1/12 that n^(2/3) has from n^(3/4): true as a bound, and no exponent that was measured."""
    judgement = judge_scaling(SIZES, grown(RIGHT, runs=40), SIZES**claimed, relation=relation, margin=0.25)
    assert judgement.verdict is Verdict.HOLDS
    assert "not tight: the exponent is better than the claimed one by 0.08" in judgement.reason
    wide = judge_scaling(SIZES, grown(RIGHT, noise=0.6), SIZES**claimed, relation=relation, margin=0.25)
    assert wide.verdict is not Verdict.HOLDS or "better than" not in wide.reason


@pytest.mark.parametrize("margin", [0.25, 0.5, 1.0, 5.0])
def test_a_margin_of_any_width_takes_no_power_for_another(margin):
    """Half the claimed exponent is the most that a margin may stand for: else 1/n passes for n^-0.7."""
    for power in (-0.7, -1.3):
        samples = grown(power, runs=20, noise=0.05)
        assert judge_scaling(SIZES, samples, 1 / SIZES, relation="tight", margin=margin).verdict is not Verdict.TIGHT
    right = judge_scaling(SIZES, grown(-1.0, runs=20, noise=0.05), 1 / SIZES, relation="tight", margin=margin)
    assert right.verdict is Verdict.TIGHT


def test_a_margin_below_half_the_gap_decides():
    assert scaling(FALSE, margin=1 / 12).verdict is Verdict.VIOLATED
    assert scaling(RIGHT, margin=1 / 12).verdict is Verdict.TIGHT


@pytest.mark.parametrize(
    ("delta", "half", "is_apart"),
    [(0.082, 0.001, False), (0.083, 0.001, True), (0.0835, 0.001, True), (0.12, 0.11, True), (0.12, 0.13, False)],
)
def test_apart_is_told_from_0_and_not_within_a_third_of_the_margin(delta, half, is_apart):
    rule, asked = DeltaRule("upper", 0.25), []

    def interval(level):
        asked.append(level)
        return Interval(delta - half, delta + half)

    assert rule.is_apart(Verdict.TIGHT, delta, interval) is is_apart
    assert rule.is_apart(Verdict.VIOLATED, delta, interval) is False
    assert sorted(set(asked)) == pytest.approx([0.9, 0.98])
    assert DeltaRule("upper", 0.25, ErrorPolicy(0.99)).confidence_apart == pytest.approx(0.996)


def test_the_mean_is_held_to_the_claim_as_well():
    """Log means grow as claimed, means faster: their spread grows along the axis."""
    spread = np.sqrt(0.05 + 0.3 * np.log(SIZES / SIZES[0]))
    draws = np.random.default_rng(2).standard_normal((7, 200))
    samples = np.exp(FALSE * np.log(SIZES)[:, None] + spread[:, None] * draws)
    found = judge_scaling(SIZES, samples, SIZES**FALSE, estimand=None, **TIGHT)
    assert abs(found.delta) < 1 / 12
    assert found.verdict is Verdict.INCONCLUSIVE
    assert "E[.] would have Delta = +0.1" in found.reason


def test_a_number_of_runs_is_promised_only_for_what_they_tell():
    """Between a third of the margin and the margin runs tell the exponents apart, and no number passes the claim."""
    rule = DeltaRule("upper", 0.25)
    assert [rule.stays_open(delta) for delta in (-0.2, 0.04, 0.15, 0.3)] == [False, False, True, False]
    assert rule.gap(0.06) == pytest.approx(0.06)
    vague = judge_scaling(SIZES, grown(0.62, noise=1.6, runs=8, seed=2), SIZES**0.5, relation="upper", margin=0.25)
    assert vague.verdict is Verdict.INCONCLUSIVE
    assert rule.stays_open(vague.delta)
    assert vague.plan.n_replicates > 8
    assert ("would decide" in vague.reason) != rule.is_open_at_any(vague.delta)
    assert "or a smaller margin fixed for fresh runs" in vague.reason
    told = judge_scaling(SIZES, grown(0.62, noise=1.6, runs=400), SIZES**0.5, relation="upper", margin=0.25)
    assert told.verdict is Verdict.INCONCLUSIVE
    assert told.plan is None


@pytest.mark.parametrize("rule", ["line", "seeds"])
@pytest.mark.parametrize(("delta", "is_open"), [(-0.15, False), (0.06, False), (0.12, True), (0.2, True), (0.4, False)])
def test_no_number_is_said_to_decide_a_delta_that_stays_open_at_any(rule, delta, is_open):
    """The words follow the rule: within a third of the margin, or beyond the margin, a number of runs decides."""
    if rule == "line":
        noise, x = 2.5 * np.random.default_rng(3).standard_normal((7, 12)), np.log(SIZES)
        noise -= (np.polyfit(x, noise.mean(axis=1), 1)[0] * x)[:, None]  # so that the line has Delta, with wide noise
        samples = np.exp((0.5 + delta) * x[:, None] + noise)
        found = judge_scaling(SIZES, samples, SIZES**0.5, relation="upper", margin=0.25)
    else:
        noise = np.random.default_rng(0).standard_normal(12)
        found = judge_rates(0.5 + delta + 2.0 * (noise - noise.mean()), 0.5, relation="upper", margin=0.25)
    step = found.explanation.next
    assert found.verdict is Verdict.INCONCLUSIVE
    assert found.delta == pytest.approx(delta)
    assert bool(step.only) is is_open
    assert (f"would decide: {step.plan.n_replicates}" in found.reason) is not is_open
    assert (f"no number of runs decides a Delta of {delta:+.2g}" in found.reason) is is_open


@pytest.mark.parametrize(("claimed", "true"), [(-3 / 4, -2 / 3), (1 / 3, 1 / 4), (2 / 3, 3 / 4)])
@pytest.mark.parametrize("runs", [5, 40])
def test_the_smallest_gap_between_usual_exponents_is_no_agreement(claimed: float, true: float, runs: int) -> None:
    """The third of the margin lies on it, so that an estimate by itself is below it in half of all experiments."""
    axis, n_experiments = np.geomspace(16.0, 4096.0, 9), 100
    passed = 0
    for seed in range(n_experiments):
        samples = grown(true, seed=seed, axis=axis, runs=runs, noise=0.03)
        passed += judge_scaling(axis, samples, axis**claimed, **TIGHT).verdict is Verdict.TIGHT
    assert passed <= n_experiments * (0.05 + 3 * (0.05 * 0.95 / n_experiments) ** 0.5)


def test_an_exponent_that_is_exactly_right_keeps_its_verdict() -> None:
    right = [judge_scaling(SIZES, grown(RIGHT, seed=seed), SIZES**RIGHT, **TIGHT) for seed in range(100)]
    assert sum(each.verdict is Verdict.TIGHT for each in right) >= 95


@pytest.mark.parametrize("slope", [0.1, 0.2, 0.05])
def test_a_reason_says_where_what_passes_is_told_from_the_claim(slope: float) -> None:
    """n (1 + 0.1 log n) is tight for O(n), off by less than a third of the margin; no reason said so."""
    n = np.geomspace(16.0, 4096.0, 9)
    draws = np.exp(0.05 * np.random.default_rng(0).standard_normal((9, 40)))
    found = judge_scaling(n, (n * (1 + slope * np.log(n)))[:, None] * draws, n, relation="upper", margin=0.25)
    right = judge_scaling(n, n[:, None] * draws, n, relation="upper", margin=0.25)
    assert right.verdict is Verdict.TIGHT
    assert "told from 0" not in right.reason
    assert ("Delta is told from 0, with 95 % interval" in found.reason) is (found.verdict is Verdict.TIGHT)
    assert found.verdict is (Verdict.TIGHT if slope < 0.2 else Verdict.INCONCLUSIVE)


def test_an_exponent_that_noise_does_not_tell_from_the_claimed_one_passes_within_the_margin() -> None:
    """n^(2/3) for O(n^(1/2)): an interval that reaches beyond a third of the margin is open where it excludes 0 alone.

    A rule that asked for less would leave every straight line open whose interval is wider than a twelfth; half the
    gap as the margin leaves this one open.
    """
    n = np.round(np.geomspace(16.0, 1024.0, 7))
    samples = n[:, None] ** RIGHT * np.exp(0.3 * np.random.default_rng(9).standard_normal((7, 5)))
    found = judge_scaling(n, samples, n**FALSE, relation="upper", margin=0.25)
    rule = DeltaRule("upper", 0.25)
    assert found.effect.equivalence_interval.high > 0.25 / 3
    assert found.verdict is Verdict.TIGHT
    assert not rule.is_apart(Verdict.TIGHT, 0.124, lambda level: Interval(0.049 if level < 0.92 else -0.01, 0.199))
    assert rule.is_apart(Verdict.TIGHT, 0.06, lambda level: Interval(0.01, 0.11))
    assert judge_scaling(n, samples, n**FALSE, relation="upper", margin=1 / 13).verdict is Verdict.INCONCLUSIVE


def test_a_bound_whose_points_bend_to_its_better_side_holds():
    """Rounds of boosting, O(gamma^-2) claimed, n^1.5 log n measured: "the bound holds", and the word was open."""
    axis = np.geomspace(8.0, 64.0, 7)
    noise = np.exp(0.02 * np.random.default_rng(0).standard_normal((7, 12)))
    bent = axis**1.5 * np.log(axis)
    better = judge_scaling(axis, bent[:, None] * noise, axis**2, relation="upper", margin=0.25)
    assert better.verdict is Verdict.HOLDS
    assert "the bound holds, and is not tight" in better.reason
    worse = judge_scaling(axis, (axis**4 / bent)[:, None] * noise, axis**2, relation="upper", margin=0.25)
    assert worse.verdict is Verdict.INCONCLUSIVE
    assert judge_scaling(axis, bent[:, None] * noise, axis**2, **TIGHT).verdict is Verdict.INCONCLUSIVE
