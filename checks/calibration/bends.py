"""Truths that bend within the grid: what their slope says there is not what it says nearer to the limit.

The target of such a cell is Delta in the limit, which no grid shows: an interval of the slope on the grid cannot hold
it, so that coverage is not given, and a verdict that the limit does not admit is wrong.
"""

from __future__ import annotations

import functools
import math
from dataclasses import dataclass
from typing import Any

import numpy as np
from scipy import special

from checks.calibration.cells import MARGIN, Array, CellOutcome, ScalingCell, Unseen
from checks.statistics.judge import judge_joint, judge_range, judge_scaling
from checks.statistics.verdict import Verdict

POWER = 0.95
"""Rate at which a rule should say of a straight line what is right of it, where nothing but noise stands against it."""


@dataclass(frozen=True, kw_only=True)
class BentCell(ScalingCell):
    """Samples of a truth that bends, judged against its form at one end of the grid.

    Attributes:
        delta: in the limit.
        shape: "offset" (1/n + c against 1/n; local Delta climbs from 0.05 to 0.36), "late offset" (from 0.04 to 0.28),
            "crossover" (falls below the claim up to two thirds of the grid, then follows it).
        rule_of: "scaling", "joint" (a second axis that is a power) or "range" (exact local slopes).
    """

    shape: str = "offset"
    rule_of: str = "scaling"
    noise: float = 0.05

    @functools.cached_property
    def curve(self) -> tuple[Array, Array]:
        """Log axis, and log(truth / claim). [points]"""
        if self.shape == "crossover":
            x = np.linspace(0.0, math.log(32.0), self.n_points)
            return x, -0.75 * np.minimum(x, x[-1] * 2 / 3)
        x = np.linspace(0.0, math.log(16.0), self.n_points)
        return x, np.log1p({"offset": 0.045, "late offset": 0.03}[self.shape] * np.exp(x))

    @property
    def unseen(self) -> Unseen | None:
        """The least rate of the wrong verdict by a rule that gives it to the nearest straight line in `POWER` of cases.

        That line has a slope for which the verdict is right. The likeliest way of telling it from the truth, with the
        curve and the noise known, is the normal test along their difference [Neyman and Pearson 1933].
        """
        if self.rule_of != "scaling" or self.shape == "sum" or self.n_replicates < 2:
            return None
        x, log_ratio = self.curve
        slope, level = np.polyfit(x, log_ratio, 1)
        apart = float(np.linalg.norm(log_ratio - level - slope * x)) / (self.noise / math.sqrt(self.n_replicates))
        rate = float(special.ndtr(special.ndtri(POWER) - apart))
        delta = self.rule.delta(float(slope))
        words = f"a straight line of Delta {delta:+.2g} is {apart:.1f} standard errors off: {100 * rate:.0f} %"
        return Unseen(rate, words)

    def trial(self, rng: np.random.Generator) -> CellOutcome:
        """Draw samples and judge them."""
        return CellOutcome(self._verdict(rng), None, math.nan)

    def _verdict(self, rng: np.random.Generator) -> Verdict:
        x, log_ratio = self.curve
        rule: dict[str, Any] = {"relation": self.relation, "margin": MARGIN}
        if self.rule_of == "range":
            deltas = np.diff(log_ratio * rng.uniform(0.5, 1.0)) / np.diff(x)
            return judge_range(deltas, places=(x[1:] + x[:-1]) / 2, **rule).verdict
        rule["policy"] = self.policy
        if self.rule_of == "scaling":
            samples = np.exp(log_ratio[:, None] + self.noise * rng.standard_normal((len(x), self.n_replicates)))
            return judge_scaling(np.exp(x), samples, np.ones(len(x)), checkpoints=False, **rule).verdict
        first, second = (values.ravel() for values in np.meshgrid(x, [0.0, 0.7, 1.4], indexing="ij"))
        noise = self.noise * rng.standard_normal((len(first), self.n_replicates))
        samples = np.exp(np.repeat(log_ratio, 3)[:, None] + second[:, None] + noise)
        axes = {"first": (np.exp(first), "infinity"), "second": (np.exp(second), "infinity")}
        return judge_joint(axes, samples, np.exp(second), **rule)["first"].verdict


def bent_cells() -> list[BentCell]:
    """Offsets and crossovers by noise and points, and one of each rule."""
    cells = [
        BentCell(name=f"bend/{shape}/{noise:g}/{count}", delta=1.0, relation="tight", shape=shape, noise=noise,
                 n_points=count)
        for shape in ("offset", "late offset")
        for noise in (0.02, 0.05, 0.1)
        for count in (5, 7, 9)
    ]  # fmt: skip
    cells += [
        BentCell(name=f"bend/crossover/{noise:g}/{count}", delta=0.0, relation="lower", shape="crossover", noise=noise,
                 n_points=count)
        for noise in (0.05, 0.2)
        for count in (7, 9)
    ]  # fmt: skip
    return [
        *cells,
        BentCell(name="bend/offset/joint", delta=1.0, relation="tight", rule_of="joint", n_points=5),
        BentCell(name="bend/offset/range", delta=1.0, relation="tight", rule_of="range"),
    ]
