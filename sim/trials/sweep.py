"""A sweep: the trials of a grid. Points are explicit: tied parameters (alpha_# = 1/2 - alpha_*) need no language."""

from __future__ import annotations

import functools
import itertools
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field

from sim.trials.trial import Parameters, Scalar, System, TrialSpec


@dataclass(frozen=True)
class Sweep:
    """`replicates` trials of `system` at every point; `fixed` parameters are shared, a point's own ones win."""

    system: System
    points: tuple[Parameters, ...]
    fixed: Parameters = field(default_factory=dict)
    replicates: int = 1

    def specs(self) -> list[TrialSpec]:
        """Every trial of the sweep, replicates of one point side by side."""
        return list(self._specs)

    @functools.cached_property
    def _specs(self) -> tuple[TrialSpec, ...]:
        """Made once, since each knows its identity from the second time on. Replicates share their parameters."""
        settings = ({**self.fixed, **point} for point in self.points)
        return tuple(
            TrialSpec(self.system, setting, replicate) for setting in settings for replicate in range(self.replicates)
        )


def grid(**axes: Iterable[Scalar]) -> tuple[Mapping[str, Scalar], ...]:
    """The cartesian product of named axes, last axis fastest."""
    names = list(axes)
    return tuple(dict(zip(names, values, strict=True)) for values in itertools.product(*axes.values()))
