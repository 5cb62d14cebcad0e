"""Truths that are no power law on the grid, whose average slope says what no part of them does.

The target is Delta in the limit. The shape's size is chosen so that the slope over the whole grid is `apparent`, which
the relation judges otherwise: a rule that trusts the slope is wrong every time. As for other bends coverage is not
given.
"""

from __future__ import annotations

import functools
import math
from dataclasses import dataclass
from typing import Any

import numpy as np

from checks.calibration.bends import BentCell
from checks.calibration.cells import MARGIN, Array
from checks.statistics.judge import judge_joint
from checks.statistics.verdict import Verdict

LOG_SPAN = math.log(32.0)


@dataclass(frozen=True, kw_only=True)
class NoLineCell(BentCell):
    """Samples of a line with a shape on it.

    Attributes:
        delta: slope of the line that the shape lies on, which is Delta in the limit.
        shape: "step" (in mid-grid), "S" (a step that takes a third of the grid), "kink" (the line is reached at two
            thirds of the grid), "wave" (log-periodic, one period), "sum" (a + b against the root of a b, on a plane),
            "term" (a second one that outgrows the claim by axis^delta).
        apparent: slope over the whole grid; of "term" its size beside the claim at the end of the grid.
    """

    relation: str = "tight"
    apparent: float = 0.0

    @functools.cached_property
    def curve(self) -> tuple[Array, Array]:
        """Log axis, and log(truth / claim). [points]"""
        x = np.linspace(0.0, LOG_SPAN, self.n_points)
        if self.shape == "term":
            return x, np.log1p(self.apparent * np.exp(self.delta * (x - LOG_SPAN)))
        u = 2 * x / LOG_SPAN - 1
        shape = {
            "step": np.where(u > 0, 1.0, 0.0),
            "S": np.tanh(4 * u),
            "kink": np.minimum(u, 1 / 3),
            "wave": np.sin(math.pi * u),
        }[self.shape]
        shift = self.apparent - self.delta
        return x, self.delta * x + shift / float(np.polyfit(x, shape, 1)[0]) * shape

    def _verdict(self, rng: np.random.Generator) -> Verdict:
        if self.shape != "sum":
            return super()._verdict(rng)
        steps = np.linspace(0.0, LOG_SPAN, self.n_points)
        first, second = (values.ravel() for values in np.meshgrid(steps, steps, indexing="ij"))
        noise = self.noise * rng.standard_normal((len(first), self.n_replicates))
        samples = (np.exp(first) + np.exp(second))[:, None] * np.exp(noise)
        axes = {"first": (np.exp(first), "infinity"), "second": (np.exp(second), "infinity")}
        claimed = np.exp((first + second) / 2)
        return judge_joint(axes, samples, claimed, relation=self.relation, margin=MARGIN)["first"].verdict


def no_line_cells() -> list[NoLineCell]:
    """Every shape by noise and points, with five replicates, with one, and with twenty."""
    designs = ((0.02, 7, 5), (0.05, 7, 5), (0.2, 9, 5), (0.2, 9, 20), (0.05, 13, 1), (0.2, 4, 20))

    def cell(shape: str, noise: float, n_points: int, n_replicates: int, **more: Any) -> NoLineCell:
        name = f"no line/{more.pop('name', shape)}/{noise:g}/{n_points} x {n_replicates}"
        planted: dict[str, Any] = {"delta": 0.4, **more}
        return NoLineCell(name=name, shape=shape, noise=noise, n_points=n_points, n_replicates=n_replicates, **planted)

    return [
        *(cell(shape, *design) for shape in ("step", "S", "kink") for design in designs),
        *(cell("step", *design, name="step up", delta=0.0, apparent=0.5, relation="upper") for design in designs),
        *(cell("term", *design, name="constant", delta=1.0, apparent=0.3, relation="upper") for design in designs),
        *(cell("wave", 0.05, *size, delta=0.3, apparent=0.15) for size in ((25, 5), (25, 1), (49, 1))),
        *(cell("sum", noise, 4, r, delta=0.5) for noise, r in ((0.05, 5), (0.2, 5), (0.05, 1))),
    ]
