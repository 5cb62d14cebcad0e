"""Truths whose runs are not all there: rows of different lengths, lost runs, runs below what can be seen.

Each is a straight line of known slope, seen through what happened to its runs. Where losses depend on the value
("diverged": the largest runs of the last two points are gone, and nothing else says so), no rule can know the target;
the verdict then must not rest on the runs that are left.
"""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np

from checks.calibration.cells import MARGIN, Array, Cell, CellOutcome, ScalingCell, _outcome
from checks.statistics.judge import judge_scaling

LOST = 0.1
"""Share of the runs that are lost."""
DIVERGED = 0.4
"""Share of the runs of the last two points that are lost because their values are the largest."""


@dataclass(frozen=True, kw_only=True)
class HandedCell(ScalingCell):
    """Samples of which some are missing, judged by `judge_scaling`.

    Attributes:
        runs: "ragged" (1 to 10 a point, drawn evenly; "ragged from 2": 2 to 10), "lost" (each with probability `LOST`),
            "diverged" (see `DIVERGED`), "below" (limit_low cuts off half the runs of the first point, "two below": all
            but few of the first two), "both" (below at the first point, above at the last).
    """

    runs: str = "ragged"

    def trial(self, rng: np.random.Generator) -> CellOutcome:
        """Draw samples, take from them what is not seen, judge the rest."""
        axis, log_truth, log_claim, _, _, oracle = self.design
        samples = self.draw(rng, 10 if self.runs.startswith("ragged") else self.n_replicates)
        limit = low = None
        if self.runs in ("below", "two below", "both"):
            low = math.exp(log_truth[0] if self.runs != "two below" else log_truth[:2].mean())
            samples[samples < low] = 0.0
        if self.runs == "both":
            limit = math.exp(log_truth[-1])
            samples[samples > limit] = np.inf
        rows = self._left(samples, rng) if limit is None and low is None else list(samples)
        judged = judge_scaling(
            axis,
            rows,
            np.exp(log_claim),
            relation=self.relation,
            margin=MARGIN,
            policy=self.policy,
            limit=limit,
            limit_low=low,
        )
        return _outcome(judged.verdict, judged.confidence_interval, self.delta, oracle)

    def _left(self, samples: Array, rng: np.random.Generator) -> list[Array]:
        """The runs of each point that are left."""
        if self.runs.startswith("ragged"):
            counts = rng.integers(2 if self.runs.endswith("2") else 1, 11, self.n_points)
            return [row[:count] for row, count in zip(samples, counts, strict=True)]
        if self.runs == "lost":
            lost = rng.random(samples.shape) < LOST
            lost[:, 0] = False
            samples[lost] = np.nan
        else:
            count = math.ceil(DIVERGED * self.n_replicates)
            for row in samples[-2:]:
                row[np.argsort(row)[-count:]] = np.nan
        return list(samples)


def handed_cells() -> list[Cell]:
    """All of them, in the order of the table."""
    kinds = ("ragged", "ragged from 2", "lost", "diverged", "below", "two below", "both")
    cells: list[Cell] = [HandedCell(name=f"handed/{runs}", delta=MARGIN, runs=runs) for runs in kinds]
    cells += [
        HandedCell(name=f"handed/ragged/{scatter}", delta=MARGIN, runs="ragged", scatter=scatter)
        for scatter in ("heteroscedastic", "between")
    ]
    cells += [
        HandedCell(name=f"handed/diverged/{noise:g}", delta=MARGIN, runs="diverged", noise=noise)
        for noise in (0.5, 1.0)
    ]
    return cells + [
        HandedCell(name=f"handed/{runs}/0", delta=0.0, runs=runs, relation="tight")
        for runs in ("ragged", "lost", "below")
    ]
