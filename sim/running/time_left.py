"""How much longer a run takes, from what its trials were expected to cost and what those that ended did cost.

Trials of one run differ in cost a thousandfold, and those of one claim stand together. So the mean of what has ended
says little of what is left. Here each trial comes with a guess of its seconds, and trials are grouped by what they
belong to. Within a group that has begun, measured over guessed seconds corrects the guess; what is measured counts from
the first trial on, and the guess, corrected by the whole run so far, as much as `_GUESS_COUNTS` trials more (a
posterior mean under a conjugate prior of that many observations). No clock is read here.

Simulators of papers from outside seldom say what a trial costs. Theirs are grouped by their parameters too, a run
begins with one trial of each such group (`one_of_each`), and nothing is estimated before all of these have ended: one
claim of dear trials said "7 094 s left" of two minutes. What costs the first trial of a group more than the others,
such as a compilation, is left out once there is another.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Callable, Iterable, Sequence
from typing import TypeVar

T = TypeVar("T")

Group = tuple[str, ...]
"""What a trial belongs to: the claim, the simulator; its parameters, where nobody has a guess of its cost."""

_GUESS_COUNTS = 10
_LEAST_SECONDS = 1e-3
"""Below this a trial's cost is that of handing it out."""
_RUN_COUNTS = 1.0
"""Seconds that the guess of the whole run counts as."""


def is_guessed(group: Group) -> bool:
    """Whether the guess of what a group's trials cost is one."""
    return len(group) == 2


def one_of_each(trials: Sequence[T], group_of: Callable[[T], Group]) -> list[T]:
    """The trials, in their order but for the first of each group of several whose cost nobody has a guess of."""
    counts = Counter(map(group_of, trials))
    first = {group: index for index, group in reversed(list(enumerate(map(group_of, trials))))}
    early = sorted(index for group, index in first.items() if counts[group] > 1 and not is_guessed(group))
    moved = set(early)
    return [*(trials[index] for index in early), *(t for index, t in enumerate(trials) if index not in moved)]


class TimeLeft:
    """The estimate of one run; told of every trial that ends.

    Args:
        expected: of each trial that is to be run, its group and its guessed CPU seconds. Only their ratios count once
            trials have ended.
    """

    def __init__(self, expected: Iterable[tuple[Group, float]]) -> None:
        counts: Counter[Group] = Counter()
        self._left: dict[Group, float] = {}
        for group, seconds in expected:
            counts[group] += 1
            self._left[group] = self._left.get(group, 0.0) + max(seconds, _LEAST_SECONDS)
        self._mean = {group: seconds / counts[group] for group, seconds in self._left.items()}
        self._counts = counts
        self._guessed: defaultdict[Group, float] = defaultdict(float)
        self._measured: defaultdict[Group, float] = defaultdict(float)
        self._first: dict[Group, float] = {}
        self._ended: Counter[Group] = Counter()
        self._unknown = {group for group, count in counts.items() if count > 1 and not is_guessed(group)}
        self._elsewhere = 0.0
        self._idle: float | None = None

    def ended(self, group: Group, guess: float, *, took: float | None, elapsed: float) -> None:
        """A trial has ended.

        Args:
            took: its CPU seconds; None where another process ran it.
            elapsed: wall seconds since the run began.
        """
        guess = max(guess, _LEAST_SECONDS)
        self._counts[group] -= 1
        self._left[group] = max(self._left[group] - guess, 0.0) if self._counts[group] > 0 else 0.0
        if took is None:
            self._elsewhere += guess
            return
        self._unknown.discard(group)
        self._first.setdefault(group, max(took, _LEAST_SECONDS))
        self._ended[group] += 1
        self._guessed[group] += guess
        self._measured[group] += max(took, _LEAST_SECONDS)
        if self._idle is None:  # workers start and import before the first trial runs
            self._idle = max(elapsed - took, 0.0)

    def seconds(self, elapsed: float) -> float:
        """Wall seconds left; infinite before the first trial has ended, and while the cost of many is not known."""
        measured, guessed = sum(self._measured.values()), sum(self._guessed.values())
        if self._idle is None or self._unknown:
            return float("inf")
        off = (measured + _RUN_COUNTS) / (guessed + _RUN_COUNTS)
        work = 0.0
        for group, left in self._left.items():
            if not is_guessed(group) and (ended := self._ended[group]):
                later = self._measured[group] - self._first[group]
                work += max(self._counts[group], 0) * (later / (ended - 1) if ended > 1 else self._first[group])
                continue
            weight = _GUESS_COUNTS * self._mean[group]
            work += left * (weight * off + self._measured[group]) / (weight + self._guessed[group])
        done = measured + off * self._elsewhere
        return work * max(elapsed - self._idle, _LEAST_SECONDS) / done
