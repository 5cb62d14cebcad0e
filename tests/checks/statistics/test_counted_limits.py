"""Limits of yes and no: equal answers are counted, and no verdict rests on their having no scatter."""

from __future__ import annotations

import numpy as np
import pytest

from checks.statistics.limits import judge_limit, judge_transition, size_means
from checks.statistics.verdict import Judgement, Verdict

SIZES = (250.0, 500.0, 1000.0, 2000.0, 4000.0)


def judged(replicates: int, beyond: tuple[float, float], *, span: tuple[float, float] | None) -> Judgement:
    """Answers that are no at 0.3, and at 0.7 and 1.5 as stated: all one answer, of a transition claimed at 0.5."""
    shares = {0.3: 0.0, 0.7: beyond[0], 1.5: beyond[1]}
    places = [(place, size) for place in shares for size in SIZES]
    rows = [np.full(replicates, shares[place]) for place, _ in places]
    parameter, axis = zip(*places, strict=True)
    return judge_transition(parameter, axis, rows, 0.5, level=0.5, tolerance=0.1, within=0.5, span=span)


def test_equal_answers_decide_once_there_are_enough_to_count() -> None:
    """Planted: a transition that is not there, of which all answers are no."""
    assert judged(600, (1.0, 1.0), span=(0.0, 1.0)).verdict is Verdict.HOLDS
    assert judged(600, (0.0, 1.0), span=(0.0, 1.0)).verdict is Verdict.VIOLATED


@pytest.mark.parametrize("beyond", [(1.0, 1.0), (0.0, 1.0)])
def test_few_equal_answers_are_open_and_a_range_is_what_is_asked_for(beyond: tuple[float, float]) -> None:
    assert judged(20, beyond, span=(0.0, 1.0)).verdict is Verdict.INCONCLUSIVE
    found = judged(20, beyond, span=None)
    assert found.verdict is Verdict.INCONCLUSIVE
    assert "a stated range, range = (low, high), has them counted" in found.reason


def test_zeros_of_a_rare_yes_are_no_rounding() -> None:
    """Three runs at each size of an event of one in six are all no in one case of nine: no limit of 0 is known."""
    places = [(place, size) for place in (0.3, 1.5) for size in SIZES]
    answers = np.random.default_rng(0).permutation(np.r_[np.ones(380), np.zeros(20)])
    rows = [answers if place > 1 else np.zeros(3) for place, _ in places]
    parameter, axis = zip(*places, strict=True)
    found = judge_transition(parameter, axis, rows, 0.5, level=0.5, tolerance=0.1, within=2.0)
    assert found.verdict is Verdict.INCONCLUSIVE
    assert "open at 0.3" in found.reason


def test_the_noise_of_answers_is_the_most_that_their_exact_interval_admits() -> None:
    generator = np.random.default_rng(0)
    for rate in (0.0, 0.05, 0.5, 1.0):
        rows = (generator.random((4, 50)) < rate).astype(float)
        means = size_means(SIZES[:4], rows, span=(0.0, 1.0))
        assert np.all(means.variance >= rows.var(axis=1))
        assert np.all((means.variance > 0.05) & (means.variance <= 0.25))


def test_what_lies_outside_its_range_is_refused_and_what_lies_between_is_measured() -> None:
    with pytest.raises(ValueError, match=r"samples must lie in \[0, 1\]"):
        judge_limit(SIZES, np.full((5, 3), 2.0), 0.5, span=(0.0, 1.0))
    rows = 0.5 + 0.01 * np.random.default_rng(0).standard_normal((5, 4))
    assert np.array_equal(size_means(SIZES, rows, span=(0.0, 1.0)).variance, size_means(SIZES, rows).variance)


def test_a_violated_transition_names_the_level_that_is_claimed() -> None:
    """It said 'at least 0.6 claimed, tested within 0.1', the level and the tolerance in one."""
    found = judged(600, (0.0, 1.0), span=(0.0, 1.0))
    assert found.explanation.decision.claimed == 0.5
    assert "beyond at least 0.5, from" in found.reason
    assert "at 0.7, of a transition claimed at 0.5: beyond it 0.5 or more is claimed in the limit" in found.reason


def of_overlaps(limit: float, *, span: tuple[float, float] | None, claimed: float = 0.0) -> list[Judgement]:
    """Squared overlaps in (0, 1), which scatter about a mean that falls to a limit."""
    sizes = 50 * 2.0 ** np.arange(4)
    found = []
    for seed in range(12):
        drawn = np.random.default_rng(seed).exponential(size=(4, 24)) / sizes[:, None]
        found.append(judge_limit(sizes, np.minimum(limit + 2 * drawn, 1), claimed, tolerance=0.05, span=span))
    return found


def test_a_limit_lies_between_the_numbers_that_samples_cannot_leave() -> None:
    """An overlap of 0.009 was open for "a limit in [-0.31, 0.015]" about 0 +- 0.05, though it was said to be >= 0."""
    free, held = (of_overlaps(0.0, span=span) for span in (None, (0.0, 1.0)))
    assert sum(each.verdict is Verdict.HOLDS for each in free) <= 4
    assert sum(each.verdict is Verdict.HOLDS for each in held) >= 9
    intervals = [each.confidence_interval for each in held]
    assert all(interval is not None and 0 <= interval.low <= interval.high <= 1 for interval in intervals)
    assert all(each.verdict is not Verdict.HOLDS for each in of_overlaps(0.1, span=(0.0, 1.0)))
    assert not any(each.verdict is Verdict.VIOLATED for each in held)


def test_a_range_accuses_of_nothing_that_the_same_samples_without_it_do_not_violate() -> None:
    for claimed in (0.0, 0.2):
        pairs = zip(
            of_overlaps(0.1, span=None, claimed=claimed), of_overlaps(0.1, span=(0, 1), claimed=claimed), strict=True
        )
        assert all(free.verdict is Verdict.VIOLATED for free, held in pairs if held.verdict is Verdict.VIOLATED)


def test_what_only_a_limit_beyond_the_range_fits_is_open_and_says_so() -> None:
    sizes = 50 * 2.0 ** np.arange(6)
    mean = 0.9 - 0.05 * np.log2(sizes / 50) ** 1.6
    rows = mean[:, None] + 1e-4 * np.random.default_rng(0).standard_normal((6, 8))
    found = judge_limit(sizes, rows, 0.9, tolerance=0.05, span=(0.0, 1.0))
    assert found.verdict is Verdict.INCONCLUSIVE
    assert "with a limit in the stated range" in found.reason
