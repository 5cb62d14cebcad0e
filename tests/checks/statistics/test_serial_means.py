"""Samples of a point that were recorded one after the other may be of one chain or batch: their mean is known worse."""

from __future__ import annotations

import math

import numpy as np
import pytest
from scipy import special

from checks.statistics.judge import judge_exact, judge_explicit, judge_fraction, judge_paired, judge_rates
from checks.statistics.means import ALIKE
from checks.statistics.serial_noise import (
    EVEN_COEFFICIENTS,
    NEAR_ONE,
    SHARES,
    DoubtedMean,
    OrderedMean,
    _autoregression,
    alike_in_order,
)
from checks.statistics.verdict import Verdict


def chain(rng: np.random.Generator, points: int, count: int, coefficient: float) -> np.ndarray:
    """Stationary autoregressions of unit variance [points, count]."""
    fresh = rng.standard_normal((points, count))
    out = fresh.copy()
    for place in range(1, count):
        out[:, place] = coefficient * out[:, place - 1] + math.sqrt(1 - coefficient**2) * fresh[:, place]
    return out


def missed(coefficient: float, count: int, trials: int = 400) -> tuple[float, float]:
    """How often a chain is seen, and how often the mean's interval at 95 % misses 0 with what was seen."""
    rng = np.random.default_rng([count, int(10 * coefficient)])
    seen = wrong = 0
    for row in chain(rng, trials, count, coefficient):
        half = 2.0 * row.std(ddof=1) / math.sqrt(count)
        if alike_in_order([row])[0]:
            seen += 1
            half = max(half, OrderedMean(row).half_width(0.95))
        wrong += abs(row.mean()) > half
    return seen / trials, wrong / trials


def test_independent_samples_are_seldom_taken_for_a_chain_and_chains_seldom_missed() -> None:
    seen, wrong = missed(0.0, 20)
    assert seen < 0.03
    assert wrong < 0.08
    seen, wrong = missed(0.7, 40)
    assert seen > 0.8
    assert wrong < 0.09  # t alone misses in four of ten


def test_points_that_share_their_columns_are_no_further_evidence() -> None:
    """Planted: one pattern at twenty points says no more than at one."""
    rng = np.random.default_rng(3)
    seen = [any(alike_in_order([row] * 20)) for row in rng.standard_normal((400, 16))]
    assert np.mean(seen) < 0.03


def test_sorted_samples_have_lost_their_order() -> None:
    row = np.sort(np.random.default_rng(0).standard_normal(30))
    assert not any(alike_in_order([row, row[::-1]]))
    assert all(alike_in_order([np.concatenate([row[::2], row[1::2][::-1]])]))


def test_the_half_width_is_that_of_a_known_coefficient_on_average() -> None:
    """Second computation: generalised least squares of a mean, its variance 1' R 1 / n^2 by the matrix itself."""
    places = np.arange(400)
    correlation = 0.6 ** np.abs(places[:, None] - places)
    ratios, widest = [], []
    for row in chain(np.random.default_rng(5), 12, 400, 0.6):
        centred = row - row.mean()
        variance = centred @ np.linalg.solve(correlation, centred) / (len(row) - 1)
        known = 1.96 * math.sqrt(variance * correlation.sum()) / len(row)
        ratios.append(_autoregression(centred, is_even=True)[0].half_width(np.full(400, 1 / 400), 0.95) / known)
        widest.append(OrderedMean(row).half_width(0.95) / known)
    assert np.mean(ratios) == pytest.approx(1.0, abs=0.1)
    assert min(np.subtract(widest, ratios)) >= -1e-9
    assert np.mean(widest) < 1.6


@pytest.mark.parametrize("scale", [1e-300, 1e-160, 1.0, 1e160])
def test_the_unit_does_not_matter(scale: float) -> None:
    row = chain(np.random.default_rng(0), 1, 60, 0.8)[0]
    assert OrderedMean(scale * row).half_width(0.95) == pytest.approx(scale * OrderedMean(row).half_width(0.95))


def test_several_chains_in_turn_and_very_many_samples_are_seen() -> None:
    rng = np.random.default_rng(1)
    in_turn = [chain(rng, 4, 15, 0.8).T.ravel() for _ in range(20)]
    assert sum(alike_in_order([row])[0] for row in in_turn) >= 18
    assert alike_in_order([chain(rng, 1, 20_000, 0.95)[0]]) == [True]
    assert not any(alike_in_order([rng.standard_normal(2000)])[0] for _ in range(50))


def test_one_chain_among_many_clean_points_is_seen() -> None:
    rng = np.random.default_rng(2)
    seen = [alike_in_order([chain(rng, 1, 60, 0.9)[0], *rng.standard_normal((19, 60))]) for _ in range(20)]
    assert sum(found[0] for found in seen) >= 18
    assert sum(sum(found[1:]) for found in seen) <= 1


@pytest.mark.parametrize("judge", ["exact", "explicit", "ranged", "paired", "rates"])
def test_no_rule_takes_a_chain_for_independent_runs(judge: str) -> None:
    """Planted: a truth on the claim's edge, measured by chains; by t four in ten verdicts were wrong."""
    rng = np.random.default_rng(11)
    wrong, trials = 0, 60
    for _ in range(trials):
        errors = 0.1 * chain(rng, 1, 60, 0.8)
        if judge == "exact":
            judged = judge_exact(1.1 + errors, [1.0], margin=0.1)
        elif judge == "explicit":
            judged = judge_explicit(1.0 + errors, [1.0], relation="upper")
        elif judge == "ranged":
            judged = judge_explicit(np.clip(0.5 + errors, 0, 1), [0.5], relation="upper", range=(0, 1))
        elif judge == "paired":
            judged = judge_paired(errors[0].tolist(), low=0.0)
        else:
            judged = judge_rates(1.25 + errors[0], 1.0, relation="tight", margin=0.25)
        wrong += judged.verdict is not Verdict.INCONCLUSIVE
    assert wrong <= 12  # 10 % are allowed, and three standard errors


def test_the_reason_says_why_the_interval_is_wide() -> None:
    samples = 1.0 + 0.1 * chain(np.random.default_rng(2), 3, 60, 0.8)
    assert ALIKE in judge_explicit(samples, [1.01, 1.01, 1.01], relation="upper").reason


def in_batches(rng: np.random.Generator, count: int, length: int) -> np.ndarray:
    """Samples of variance 1, half of which those of a batch have in common."""
    common = np.repeat(rng.standard_normal(-(-count // length)), length)[:count]
    return math.sqrt(0.5) * (common + rng.standard_normal(count))


@pytest.mark.parametrize("judge", ["exact", "explicit", "paired"])
def test_twenty_in_batches_or_of_a_chain_are_seldom_judged_wrongly_unless_said_to_be_independent(judge: str) -> None:
    """Planted: a truth on the claim's edge; taken for independent samples, one verdict in four or five is wrong."""

    def verdict(errors: np.ndarray, independent: bool) -> Verdict:
        if judge == "exact":
            return judge_exact([1.1 + errors], [1.0], margin=0.1, independent=independent).verdict
        if judge == "explicit":
            return judge_explicit([1.0 + errors], [1.0], relation="upper", independent=independent).verdict
        return judge_paired(errors.tolist(), low=0.0, independent=independent).verdict

    rng, trials = np.random.default_rng(20), 100
    drawn = [0.01 * in_batches(rng, 20, 4) for _ in range(trials)]
    drawn += [0.01 * chain(rng, 1, 20, 0.7)[0] for _ in range(trials)]
    wrong = [sum(verdict(errors, said) is not Verdict.INCONCLUSIVE for errors in drawn) for said in (False, True)]
    assert wrong[0] <= 31  # of 200 7.5 % are allowed, and three standard errors
    assert wrong[1] > 31


def test_the_interval_over_all_that_samples_may_be_is_that_of_their_matrices() -> None:
    """Second computation: restricted likelihood and variance of the mean of each model by its matrix."""
    row = in_batches(np.random.default_rng(8), 18, 4)
    count, apart = len(row), np.abs(np.subtract.outer(np.arange(18), np.arange(18)))
    chains = [r**apart for r in np.sin(np.linspace(0.0, math.asin(1 - NEAR_ONE / count), EVEN_COEFFICIENTS))]
    places = [
        (np.arange(count) + (-count % length if at_end else 0)) // length
        for length in (2, 3, 4)
        for at_end in (False, True)
    ]
    turns = [np.arange(count) % (count // length) for length in (2, 3, 4)]
    batches, in_turn = (
        [(1 - share) * np.eye(count) + share * (place[:, None] == place) for place in some for share in SHARES]
        for some in (places, turns)
    )
    weights, errors = [], []
    for models in ([np.eye(count)], chains, batches, in_turn):
        for matrix in models:
            inverse = np.linalg.inv(matrix)
            total = inverse.sum()
            left = row - inverse.sum(axis=0) @ row / total
            squares = left @ inverse @ left
            log_weight = -0.5 * (np.linalg.slogdet(matrix)[1] + math.log(total) + (count - 1) * math.log(squares))
            weights.append(math.exp(log_weight) / len(models))
            errors.append(math.sqrt(squares / (count - 1) * matrix.sum()) / count)
    half = DoubtedMean(row).half_width(0.95)
    tails = 2 * special.stdtr(count - 1, -half / np.array(errors))
    assert np.average(tails, weights=weights) == pytest.approx(0.05, rel=1e-3)
    assert DoubtedMean(1e-160 * row + 0.0).half_width(0.95) == pytest.approx(1e-160 * half)


def test_trials_of_a_share_in_batches_are_doubted_unless_said_to_be_independent() -> None:
    """Planted: four trials after the other have one rate, and the mean rate is the claim."""
    rng, decided = np.random.default_rng(3), {False: 0, True: 0}
    for _ in range(60):
        counts = rng.binomial(100, np.repeat(rng.beta(4.9, 44.1, 5), 4))
        for said in decided:
            judged = judge_fraction([counts], [100], [0.1], relation="upper", independent=said)
            decided[said] += judged.verdict is not Verdict.INCONCLUSIVE
    assert decided[False] <= 8
    assert decided[True] >= 12


def test_machines_that_take_one_run_each_in_turn_are_doubted_as_batches_are() -> None:
    """Planted: five machines with a level each; the interval is wider than of the same samples in another order."""
    rng, wider = np.random.default_rng(4), []
    for _ in range(20):
        row = np.tile(rng.standard_normal(5), 4) + 0.3 * rng.standard_normal(20)
        mixed = rng.permutation(row)
        wider.append(DoubtedMean(row).half_width(0.95) / DoubtedMean(mixed).half_width(0.95))
    assert np.median(wider) > 1.3


@pytest.mark.parametrize("row", [[0.1] * 20, list(range(20)), [1.0, 2.0, 0.5]], ids=["equal", "sorted", "three"])
def test_samples_without_an_order_are_not_doubted(row: list[float]) -> None:
    assert DoubtedMean(np.array(row)).half_width(0.95) == 0
