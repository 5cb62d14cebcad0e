"""How much longer a run takes, from what its trials were expected to cost and what those that ended did cost.

Trials of one run differ in cost a thousandfold, and those of one claim stand together. So the mean of what has ended
says little of what is left. Here each trial comes with a guess of its seconds, and trials are grouped by what they
belong to. Within a group that has begun, measured over guessed seconds corrects the guess; what is measured counts from
the first trial on, and the guess, corrected by the whole run so far, as much as `_GUESS_COUNTS` trials more (a
posterior mean under a conjugate prior of that many observations). No clock is read here.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterable

Group = tuple[str, str]
"""What a trial belongs to: the claim, the simulator."""

_GUESS_COUNTS = 10
_LEAST_SECONDS = 1e-4
"""Below this a trial's cost is that of handing it out."""
_RUN_COUNTS = 1.0
"""Seconds that the guess of the whole run counts as."""


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
        self._guessed[group] += guess
        self._measured[group] += max(took, _LEAST_SECONDS)
        if self._idle is None:  # workers start and import before the first trial runs
            self._idle = max(elapsed - took, 0.0)

    def seconds(self, elapsed: float) -> float:
        """Wall seconds left; infinite before the first trial has ended."""
        measured, guessed = sum(self._measured.values()), sum(self._guessed.values())
        if self._idle is None:
            return float("inf")
        off = (measured + _RUN_COUNTS) / (guessed + _RUN_COUNTS)
        work = 0.0
        for group, left in self._left.items():
            weight = _GUESS_COUNTS * self._mean[group]
            work += left * (weight * off + self._measured[group]) / (weight + self._guessed[group])
        done = measured + off * self._elsewhere
        return work * max(elapsed - self._idle, _LEAST_SECONDS) / done
