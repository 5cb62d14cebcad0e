"""An advice decides as often as it promises where the data go on as they were seen, and is never a few samples more."""

from __future__ import annotations

import itertools
import math
import re

import numpy as np
import pytest

from checks.evidence.family import at_shared_error
from checks.statistics.judge import (
    judge_behaviour,
    judge_exact,
    judge_excess,
    judge_explicit,
    judge_limit,
    judge_paired,
)
from checks.statistics.policy import DEFAULT_POLICY, FURTHER
from checks.statistics.verdict import Judgement, Verdict

DRAWS = 100
LEAST = 0.7


def asked(found: Judgement) -> int:
    """How many samples an open judgement asks for."""
    assert found.verdict is Verdict.INCONCLUSIVE
    assert found.plan is not None
    return found.plan.n_replicates


def decided(found: Judgement) -> bool:
    return found.verdict in (Verdict.HOLDS, Verdict.VIOLATED)


@pytest.mark.parametrize(("successes", "trials", "rate"), [(184, 200, 0.95), (93, 100, 0.9), (270, 300, 0.95)])
def test_trials_decide_a_rate(successes: int, trials: int, rate: float) -> None:
    """0.92 seen for 0.95: the least number that decides if exactly 0.92 comes out again decides every second time."""
    if judge_behaviour(successes, trials, rate=rate).verdict is not Verdict.INCONCLUSIVE:
        successes, trials = successes // 3, trials // 3
    more = asked(judge_behaviour(successes, trials, rate=rate))
    assert more >= FURTHER * trials
    rng = np.random.default_rng(1)
    seen = successes + rng.binomial(more - trials, successes / trials, DRAWS)
    assert np.mean([decided(judge_behaviour(int(s), more, rate=rate)) for s in seen]) >= LEAST


@pytest.mark.parametrize("mean", [0.93, 1.05])
def test_samples_decide_a_bound(mean: float) -> None:
    rng = np.random.default_rng(2)
    first = rng.standard_normal(30)
    first = mean + 0.4 * (first - first.mean()) / first.std()
    found = judge_explicit(first[None], 1.0, relation="upper", independent=True)
    more = asked(found)
    again = [np.append(first, rng.normal(mean, 0.4, more - 30)) for _ in range(DRAWS)]
    ruled = [judge_explicit(each[None], 1.0, relation="upper", independent=True) for each in again]
    assert np.mean(list(map(decided, ruled))) >= LEAST


def test_samples_decide_an_equality() -> None:
    rng = np.random.default_rng(3)
    first = rng.standard_normal(30)
    first = 1.02 + 0.3 * (first - first.mean()) / first.std()
    more = asked(judge_exact(first[None], [1.0], margin=0.1, independent=True))
    again = [np.append(first, rng.normal(1.02, 0.3, more - 30)) for _ in range(DRAWS)]
    ruled = [judge_exact(each[None], [1.0], margin=0.1, independent=True) for each in again]
    assert np.mean(list(map(decided, ruled))) >= LEAST


def test_pairs_decide_a_difference() -> None:
    rng = np.random.default_rng(4)
    first = rng.standard_normal(30)
    first = 0.03 + 0.3 * (first - first.mean()) / first.std()
    more = asked(judge_paired(first, low=-0.1, high=0.1, independent=True))
    again = [np.append(first, rng.normal(0.03, 0.3, more - 30)) for _ in range(DRAWS)]
    ruled = [judge_paired(each, low=-0.1, high=0.1, independent=True) for each in again]
    assert np.mean(list(map(decided, ruled))) >= LEAST


def test_trials_carry_an_accusation_past_its_share_of_the_error() -> None:
    """Violated by itself and not at 1/12 of the error: the numbers asked for leave the share behind, mostly at once."""
    policy, rng = DEFAULT_POLICY.of_family(12), np.random.default_rng(5)

    def judged(successes: int, trials: int) -> Judgement:
        return at_shared_error(
            lambda level: judge_behaviour(successes, trials, rate=0.95, confidence=level), policy, trials=trials
        )

    successes, trials = 276, 300 + 1
    found = judged(successes, trials)
    assert "not at its share" in found.reason
    more = asked(found)
    assert more >= math.ceil(FURTHER * trials)
    seen = successes + rng.binomial(more - trials, successes / trials, DRAWS)
    assert np.mean([judged(int(s), more).verdict is Verdict.VIOLATED for s in seen]) >= LEAST


def test_sizes_decide_a_limit() -> None:
    """Sizes at which the fitted sequence decides leave half of the noisy ones open, and asked for the next ones."""
    axis, ended = 20 * 2.0 ** np.arange(5), []
    for seed in range(16):
        for true, claimed, tolerance, noise in ((0.55, 0.5, 0.02, 0.02), (0.3, 0.3, 0.05, 0.05)):
            rng = np.random.default_rng(seed)
            first = (true + 0.6 / np.sqrt(axis))[:, None] + rng.normal(0, noise, (len(axis), 20))
            found = judge_limit(axis, first, claimed, tolerance=tolerance, rate=0.5)
            sizes = [c.figures["size"] for c in found.explanation.next.clauses if "size" in c.figures]
            if found.verdict is not Verdict.INCONCLUSIVE or not sizes:
                continue
            added = axis[-1] * 2.0 ** np.arange(1, round(np.log2(float(sizes[0]) / axis[-1])) + 1)
            every, count = np.append(axis, added), found.explanation.next.plan.n_replicates
            samples = (true + 0.6 / np.sqrt(every))[:, None] + rng.normal(0, noise, (len(every), count))
            samples[: len(axis), :20] = first
            ended.append(decided(judge_limit(every, samples, claimed, tolerance=tolerance, rate=0.5)))
    assert len(ended) >= 10
    assert np.mean(ended) >= LEAST


def test_a_mean_that_may_have_infinite_variance_is_promised_no_number() -> None:
    """The number that would decide grew eightfold each time; of finite variance nothing is said."""
    rng = np.random.default_rng(3)
    heavy = judge_explicit(rng.pareto(1.2, (1, 3000)) + 1, [5.0], relation="upper", independent=True)
    assert heavy.verdict is Verdict.INCONCLUSIVE
    assert re.search(r"one of 3000 samples has \d+ % of their squares", heavy.reason)
    for samples in (rng.exponential(size=(1, 3000)) + 1, rng.standard_normal((1, 3000)) + 2):
        light = judge_explicit(samples, [2.0], relation="upper", independent=True)
        assert light.verdict is Verdict.INCONCLUSIVE
        assert "of their squares" not in light.reason


def test_an_excess_decides_with_the_replicates_it_asks_for() -> None:
    """Of an exponent -1/2 beside a claimed -0.9 and -1; where its interval has no end, no number is given."""
    n, tried, settled = np.geomspace(10, 1e5, 9), 0, 0

    def judged(seed: int, noise: float, count: int, claimed: float) -> Judgement:
        scatter = np.exp(noise * np.random.default_rng(seed).standard_normal((9, count)))
        loss = (1.7 + 4 / np.sqrt(n))[:, None] * scatter
        return judge_excess(n, loss, claimed, relation="tight", margin=0.25)

    for seed, (noise, count, claimed) in itertools.product(range(6), ((0.08, 5, -0.9), (0.1, 6, -1.0))):
        first = judged(seed, noise, count, claimed)
        if first.verdict is Verdict.INCONCLUSIVE and first.plan is not None:
            assert first.plan.n_replicates >= FURTHER * count
            tried += 1
            settled += judged(100 + seed, noise, first.plan.n_replicates, claimed).verdict is Verdict.VIOLATED
    assert tried >= 5
    assert settled >= LEAST * tried
    loud = judged(0, 0.5, 3, -0.5)
    assert loud.verdict is Verdict.INCONCLUSIVE
    assert loud.plan is None
    assert "sizes nearer to the limit" in loud.reason


@pytest.mark.parametrize("relation", ["upper", "lower"])
def test_a_bound_that_is_met_with_equality_is_promised_no_number(relation: str) -> None:
    """Millions of trials were asked for; of a mean that lies clear of its bound the number stands."""
    rows = np.random.default_rng(2).normal(size=(1, 400))
    rows += 1 - rows.mean()
    words = "the mean lies on its bound: where the bound is met with equality no number decides"
    met = judge_explicit(rows, [1.001], relation=relation, independent=True)
    assert met.verdict is Verdict.INCONCLUSIVE
    assert words in met.reason
    clear = judge_explicit(rows, [1.05 if relation == "upper" else 0.95], relation=relation, independent=True)
    assert clear.verdict is Verdict.INCONCLUSIVE
    assert words not in clear.reason
    assert "so many if the mean lies where it was seen" in clear.reason


def test_a_behaviour_at_its_claimed_rate_is_promised_no_number() -> None:
    """The advice was followed for ever: 90 of 100 against 0.9 asks for more trials each time."""
    words = "where the bound is met with equality no number decides"
    met = judge_behaviour(90, 100, rate=0.9)
    assert met.verdict is Verdict.INCONCLUSIVE
    assert f"the rate lies on the claimed one: {words}" in met.reason
    assert f"so many if the rate lies where it was seen: {words}" in judge_behaviour(88, 100, rate=0.9).reason
    assert words not in judge_behaviour(3, 3, rate=0.5).reason


def test_pairs_whose_mean_lies_on_a_margin_are_promised_no_number() -> None:
    rows = np.random.default_rng(2).normal(0.0, 0.01, 40)
    rows += 0.03 - rows.mean()
    words = "the mean difference lies on its margin: where the bound is met with equality no number decides"
    assert words in judge_paired(rows, high=0.03, independent=True).reason
    assert words not in judge_paired(rows, high=0.035, independent=True).reason


def test_small_differences_of_pairs_are_printed_with_their_digits() -> None:
    """Differences of 1e-6 read "mean difference +0.0000 [-0.0000, +0.0000]"."""
    rows = np.random.default_rng(0).normal(2e-6, 1e-7, 40)
    reason = judge_paired(rows, high=1e-5, independent=True).reason
    assert "+0.0000" not in reason
    assert "e-06" in reason
