"""Numbers that were recorded otherwise than they were measured: copies, budgets written down as values, floors.

The target is the slope of what was measured. Where an end is a budget or a floor, what was recorded says nothing of it
there, and a rule that takes the numbers for measurements is wrong.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Any

import numpy as np

from checks.calibration.cells import MARGIN, Array, CellOutcome, ScalingCell
from checks.statistics.judge import judge_scaling

LOG_SPAN = math.log(32.0)


@dataclass(frozen=True, kw_only=True)
class RecordedCell(ScalingCell):
    """Samples around a line of known slope, recorded badly.

    Attributes:
        kind: "pasted" (every point `times` times), "ignored seed" (one run stands for all replicates of its point),
            "copied" (every replicate `times` times, in any order), "budget" (runs above a budget, which the last two of
            seven points exceed, are recorded as the budget), "jittered" (the same, off by one in a thousand), "floor"
            and "ceiling" (what lies beyond the fourth of seven points from the limit is seen as that).
        times: how often a copy stands there.
    """

    relation: str = "tight"
    kind: str
    times: int = 3

    def trial(self, rng: np.random.Generator) -> CellOutcome:
        """Draw samples, record them, judge what was recorded."""
        x = np.linspace(0.0, LOG_SPAN, self.n_points)
        slope = -1.0 if self.kind == "floor" else 1.0
        logs = slope * x[:, None] + self.noise * rng.standard_normal((len(x), self.n_replicates))
        x, logs = self._recorded(x, logs, rng)
        claimed = np.exp((slope - self.delta) * x)
        judged = judge_scaling(
            np.exp(x), np.exp(logs), claimed, relation=self.relation, margin=MARGIN, checkpoints=False
        )
        interval = judged.confidence_interval
        has_target = interval is not None and self.kind in ("pasted", "ignored seed", "copied")
        return CellOutcome(judged.verdict, self.delta in interval if has_target else None, math.nan)

    def _recorded(self, x: Array, logs: Array, rng: np.random.Generator) -> tuple[Array, Array]:
        """Axis and samples as they are written down."""
        if self.kind == "pasted":
            return np.tile(x, self.times), np.tile(logs, (self.times, 1))
        if self.kind == "ignored seed":
            return x, np.repeat(logs[:, :1], self.n_replicates, axis=1)
        if self.kind == "copied":
            return x, rng.permuted(np.tile(logs, (1, self.times)), axis=1)
        if self.kind in ("budget", "jittered"):
            budget = 0.5 * (x[-3] + x[-2])
            off = 1e-3 * rng.random(logs.shape) if self.kind == "jittered" else 0.0
            return x, np.where(logs > budget, budget + off, logs)
        own = self.noise * rng.standard_normal(logs.shape)
        return x, np.maximum(logs, -x[3] + own) if self.kind == "floor" else np.minimum(logs, x[3] + own)


def recorded_cells() -> list[RecordedCell]:
    """Copies at the margin's edge; ends whose line on the grid says another thing than what was measured."""

    def cell(kind: str, n_replicates: int, **more: Any) -> RecordedCell:
        planted: dict[str, Any] = {"delta": MARGIN, "noise": 0.1, **more}
        words = "".join(f"/{word}" for word in more.values())
        return RecordedCell(
            name=f"recorded/{kind}/{n_replicates}{words}", kind=kind, n_replicates=n_replicates, **planted
        )

    return [
        *(cell("pasted", r, times=times) for r in (1, 5) for times in (2, 5)),
        *(cell("copied", r, times=times) for r in (2, 5) for times in (2, 5)),
        cell("ignored seed", 8),
        *(
            cell(kind, r, delta=0.3, noise=noise, relation="upper")
            for kind in ("budget", "jittered")
            for r, noise in ((5, 0.1), (20, 0.5), (50, 1.0))
        ),
        *(cell("floor", r, delta=0.0, noise=noise) for r in (5, 20) for noise in (0.02, 0.1)),
        *(cell("ceiling", r, delta=0.0, noise=noise) for r in (5, 20) for noise in (0.02, 0.1)),
    ]
