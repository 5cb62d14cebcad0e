"""The time left that a run shows, against what a stored run took: replayed, without a clock."""

from __future__ import annotations

import heapq
import math
from collections.abc import Iterator
from pathlib import Path

import pytest

from sim.running.time_left import Group, TimeLeft, one_of_each

STORED = Path(__file__).parents[2] / "checks" / "report" / "quick_run.txt"
ENDS = 20.0
"""Seconds from the start and to the end between which the estimate is held to a factor of two."""


def stored_run() -> list[tuple[Group, float, float]]:
    """Group, guess and seconds of each trial, in their order."""
    trials = []
    for line in STORED.read_text(encoding="utf-8").splitlines():
        if line.startswith("#"):
            continue
        claim, system, guess, *settings = line.split()
        for setting in settings:
            count, milliseconds = setting.split("x")
            trials += [((claim, system), float(guess), float(milliseconds) / 1000)] * int(count)
    return trials


def replay(
    trials: list[tuple[Group, float, float]], *, workers: int, wait: float = 0.0, slower: float = 1.0
) -> Iterator[tuple[float, float]]:
    """Seconds left, estimated and true, after every tenth trial; `workers` each take the next trial when they are free.

    Args:
        wait: seconds before the first trial begins.
        slower: how much longer everything takes than on the machine of the run.
    """
    free = [wait] * workers
    ended = []
    for group, guess, seconds in trials:
        end = heapq.heappop(free) + slower * seconds
        heapq.heappush(free, end)
        ended.append((end, group, guess, slower * seconds))
    whole = max(end for end, *_ in ended)
    estimate = TimeLeft((group, guess) for group, guess, _ in trials)
    for number, (end, group, guess, took) in enumerate(sorted(ended, key=lambda trial: trial[0])):
        estimate.ended(group, guess, took=took, elapsed=end)
        if number % 10 == 0:
            yield estimate.seconds(end), whole - end


@pytest.mark.parametrize(
    ("workers", "wait", "slower"), [(1, 0.0, 1.0), (2, 6.0, 1.0), (8, 6.0, 4.0)], ids=["one", "two", "eight slow"]
)
def test_the_time_left_is_right_within_a_factor_of_two(workers: int, wait: float, slower: float) -> None:
    trials = stored_run()
    assert len(trials) > 9000
    pairs = list(replay(trials, workers=workers, wait=wait, slower=slower))
    whole = pairs[0][1]
    held = [(said, true) for said, true in pairs if ENDS < true < whole - ENDS]
    assert len(held) > 500
    worst = max(held, key=lambda pair: abs(math.log(pair[0] / pair[1])))
    assert 0.5 <= worst[0] / worst[1] <= 2.0, worst


def test_the_mean_rate_alone_would_not_do() -> None:
    trials = [(group, 1.0, seconds) for group, _, seconds in stored_run()]
    total, passed, off = sum(seconds for *_, seconds in trials), 0.0, 0.0
    for number, (_, _, seconds) in enumerate(trials, 1):
        passed += seconds
        by_rate = passed / number * (len(trials) - number)
        off += seconds if not 0.5 <= by_rate / max(total - passed, 1e-9) <= 2 else 0.0
    assert off / total > 0.25


def test_nothing_is_known_before_the_first_trial_has_ended() -> None:
    estimate = TimeLeft([(("A.x", "toy"), 1.0)] * 3)
    assert estimate.seconds(5.0) == math.inf
    estimate.ended(("A.x", "toy"), 1.0, took=None, elapsed=5.0)
    assert estimate.seconds(5.0) == math.inf


def test_trials_of_another_process_leave_less_and_count_as_speed() -> None:
    """Four trials of a second: two ended here, one elsewhere, all within two seconds; so the last takes two thirds."""
    estimate = TimeLeft([(("A.x", "toy"), 1.0)] * 4)
    for elapsed, took in ((1.0, 1.0), (2.0, None), (2.0, 1.0)):
        estimate.ended(("A.x", "toy"), 1.0, took=took, elapsed=elapsed)
    assert estimate.seconds(2.0) == pytest.approx(2 / 3)


def test_an_estimate_ends_at_nothing() -> None:
    estimate = TimeLeft([(("A.x", "toy"), 0.1)] * 10)
    for number in range(10):
        estimate.ended(("A.x", "toy"), 0.1, took=0.3, elapsed=0.3 * (number + 1))
    assert estimate.seconds(3.0) == 0.0


def of_a_stranger() -> list[tuple[Group, float, float]]:
    """Trials whose cost nobody guesses: 120 dear ones of a claim first, 60 s in all, and 7 500 cheap ones, 15 s."""
    dear = [(("A.dear", "own", f"size={size}"), 0.07, size / 2) for size in (0.5, 1.5) for _ in range(60)]
    cheap = [(("A.cheap", "own", f"size={size}"), 0.07, 0.002) for size in range(10) for _ in range(750)]
    return [*dear, *cheap]


def test_a_run_whose_costs_nobody_guesses_begins_with_one_trial_of_each_group() -> None:
    """By 60 dear trials it said an hour, for 47 s; a newcomer's run said 7 094 s for two minutes."""
    trials = one_of_each(of_a_stranger(), lambda trial: trial[0])
    assert [group for group, *_ in trials[:12]] == list(dict.fromkeys(group for group, *_ in of_a_stranger()))
    assert len(trials) == len(of_a_stranger())
    pairs = list(replay(trials, workers=1))
    assert pairs[0][0] == math.inf
    assert all(true / 1.5 <= said <= 1.5 * true for said, true in pairs[2:-1000])


def test_trials_with_a_guess_and_single_ones_keep_their_place() -> None:
    trials = [("A.x", "toy"), ("A.x", "toy"), ("A.y", "own", "n=1"), ("A.z", "own", "n=1"), ("A.z", "own", "n=1")]
    assert one_of_each(trials, tuple) == [trials[3], *trials[:3], trials[4]]


def test_what_the_first_trial_of_a_group_took_beside_is_left_out() -> None:
    group = ("A.x", "own", "n=1")
    estimate = TimeLeft([(group, 0.07)] * 102)
    for elapsed, took in ((20.0, 20.0), (20.1, 0.1)):
        estimate.ended(group, 0.07, took=took, elapsed=elapsed)
    assert estimate.seconds(20.1) == pytest.approx(10, rel=0.05)
