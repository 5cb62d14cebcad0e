"""Truths E + A x^-alpha, fitted by `fit_offset_power`: how often the interval of each parameter covers it.

x spans a factor 1000. "half" has an offset of half the value in the middle of the axis, "late" one that only the last
points show, "none" has no offset, so that E lies on the edge of its range.
"""

from __future__ import annotations

import functools
import math
from dataclasses import dataclass, replace
from typing import ClassVar

import numpy as np

from checks.calibration.cells import BETWEEN, Array, Cell, CellOutcome, EstimateCell
from checks.calibration.strange import autoregression
from checks.statistics.laws import fit_offset_power

OFFSETS = {"half": 1.0, "late": 0.1, "none": 0.0}
"""E in units of the power part in the middle of the axis."""
ALPHA = 0.5


@dataclass(frozen=True, kw_only=True)
class OffsetCell(EstimateCell):
    """Samples about a power law with an offset; the interval of one `parameter` is held against the truth.

    Attributes:
        parameter: "E", "A" or "alpha".
        offset: of `OFFSETS`.
        between: scatter of whole points, standard deviation of the logarithm.
        absolute: whether noise is of the same size everywhere, in units of the middle value; else of the value.
        looks: coefficient of the errors of one run that is looked at along the axis; 0 for runs of their own.
    """

    share: ClassVar[float] = 0.2
    fewest: ClassVar[int] = 500
    parameter: str
    offset: str = "half"
    n_points: int = 7
    n_replicates: int = 5
    noise: float = 0.05
    between: float = 0.0
    absolute: bool = False
    looks: float = 0.0

    @functools.cached_property
    def design(self) -> tuple[Array, Array, float, float]:
        """x and truth [points] each, the parameter's true value, and the oracle's width of its interval."""
        x = np.geomspace(10.0, 10_000.0, self.n_points)
        offset, middle = OFFSETS[self.offset], math.sqrt(10.0 * 10_000.0)
        prefactor = middle**ALPHA
        power = prefactor * x**-ALPHA
        truth = offset + power
        slopes = np.stack([np.ones_like(x), power, -power * np.log(x)], axis=1)  # by E, log A and alpha
        slopes = slopes if self.absolute else slopes / truth[:, None]
        variance = self.noise**2 / self.n_replicates + self.between**2
        errors = np.sqrt(np.diag(np.linalg.inv(slopes.T @ slopes)) * variance)
        which = ("E", "A", "alpha").index(self.parameter)
        return x, truth, (offset, prefactor, ALPHA)[which], 2 * self.z * float(errors[which])

    def trial(self, rng: np.random.Generator) -> CellOutcome:
        """Draw samples, fit them, look at one interval."""
        x, truth, value, oracle = self.design
        scatter = self.between * rng.standard_normal((self.n_points, 1))
        fresh = rng.standard_normal((self.n_points, self.n_replicates))
        scatter = scatter + self.noise * autoregression(fresh, self.looks)
        samples = truth[:, None] + scatter if self.absolute else truth[:, None] * np.exp(scatter)
        noise = "absolute" if self.absolute else "relative"
        told = {"noise": noise, "checkpoints": bool(self.looks), "confidence": self.confidence}
        fit = fit_offset_power(x, samples, **told)
        interval = {"E": fit.offset, "A": fit.prefactor, "alpha": fit.alpha}[self.parameter].confidence_interval
        if interval is None:
            return CellOutcome(None, None, math.nan)
        low, high = interval.low, interval.high
        if self.parameter == "A":
            low, high = (
                math.log(end) if 0 < end < math.inf else math.copysign(math.inf, end - 1) for end in (low, high)
            )
        return CellOutcome(None, value in interval, (high - low) / oracle)


def offset_cells() -> list[Cell]:
    """All of them, in the order of the table."""
    cells: list[Cell] = [
        OffsetCell(name=f"offset/{parameter}/{offset}", parameter=parameter, offset=offset)
        for offset in OFFSETS
        for parameter in ("E", "A", "alpha")
    ]
    alpha = OffsetCell(name="offset/alpha/half", parameter="alpha")
    return [
        *cells,
        replace(alpha, name=f"{alpha.name}/1 replicate", n_replicates=1),
        replace(alpha, name=f"{alpha.name}/2 replicates", n_replicates=2),
        replace(alpha, name=f"{alpha.name}/5 points", n_points=5),
        replace(alpha, name=f"{alpha.name}/11 points", n_points=11),
        replace(alpha, name=f"{alpha.name}/0.2", noise=0.2),
        replace(alpha, name=f"{alpha.name}/between", between=BETWEEN / 4),
        replace(alpha, name=f"{alpha.name}/absolute", absolute=True),
        *(
            replace(
                alpha,
                name=f"offset/{parameter}/half/looks at one run, {n} points",
                parameter=parameter,
                n_replicates=1,
                n_points=n,
                looks=0.8,
            )
            for parameter, n in (("E", 25), ("alpha", 25), ("alpha", 12))
        ),
    ]
