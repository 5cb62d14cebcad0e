"""A bound that each trial is to keep, rounding allowed for: what a `Behaviour` may show, and by how much one misses.

|x|_1 <= sqrt(n) |x|_2 with equality at x = (1, 1, 1) is computed as 1.0000000000000002 <= 1: false by one unit in the
last place, of a true inequality. A computed number is allowed to be off by a share of the larger of both sides.
"""

from __future__ import annotations

import math
from dataclasses import dataclass

from sim.trials.trial import Trial

ROUNDING = 1e-12
"""Share of the larger side by which a computed number may be off: some thousand roundings in double precision."""


@dataclass(frozen=True)
class AtMost:
    """That an observable is at most a bound, up to rounding; one that is no number is not.

    Attributes:
        observable: its name.
        bound: a number, or the name of an observable of the same trial.
        rounding: share of the larger of both by which it may be above; 0 for whole numbers.

    Raises:
        ValueError: on a share outside [0, 0.01), a bound that is no number, and one of 0 with a share of nothing.
    """

    observable: str
    bound: float | str
    rounding: float = ROUNDING

    def __post_init__(self) -> None:
        """Check the numbers."""
        if not 0 <= self.rounding < 0.01:
            raise ValueError(f"rounding must lie in [0, 0.01), got {self.rounding} for {self.observable!r}")
        if not isinstance(self.bound, str) and math.isnan(self.bound):
            raise ValueError(f"bound must be a number, got {self.bound} for {self.observable!r}")
        if self.bound == 0 and self.rounding:
            words = "bound must have a scale that rounding is a share of: give the other side, or rounding=0"
            raise ValueError(f"{words}, got 0 for {self.observable!r}")

    def __call__(self, trial: Trial) -> bool:
        """Whether a trial keeps the bound."""
        above = self.above(trial)
        return above <= 0 or (above < math.inf and above <= self.rounding * max(map(abs, self._sides(trial))))

    def above(self, trial: Trial) -> float:
        """By how much a trial is beyond the bound; below 0 where it keeps it."""
        measured, bound = self._sides(trial)
        return measured - bound if measured != bound else 0.0

    def words(self, trial: Trial) -> str:
        """Both sides of a trial, and by how much it misses."""
        measured, bound = self._sides(trial)
        return f"{self.observable} = {measured!r}, {self._side} {bound!r} by {abs(measured - bound):.3g}"

    @property
    def _side(self) -> str:
        return "above"

    def _sides(self, trial: Trial) -> tuple[float, float]:
        bound = trial.number(self.bound) if isinstance(self.bound, str) else float(self.bound)
        return trial.number(self.observable), bound


@dataclass(frozen=True)
class AtLeast(AtMost):
    """That an observable is at least a bound, up to rounding; see `AtMost`."""

    def above(self, trial: Trial) -> float:
        """By how much a trial is beyond the bound; below 0 where it keeps it."""
        return -super().above(trial)

    @property
    def _side(self) -> str:
        return "below"
