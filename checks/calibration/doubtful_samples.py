"""Samples that break what a line takes for granted: independence, one noise, runs that arrive, log means, points apart.

Each cell sits at the margin's edge, or inside it where a declared fact must not cost a right verdict.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Any

import numpy as np

from checks.calibration.cells import MARGIN, Array, CellOutcome, ScalingCell
from checks.statistics.judge import error_share, judge_joint, judge_scaling, profile_constants
from checks.statistics.verdict import Judgement

CUT = ("growing", "shrinking", "never")
LOG_SPAN = math.log(32.0)


@dataclass(frozen=True, kw_only=True)
class DoubtfulCell(ScalingCell):
    """Samples around a line of known slope that break one assumption.

    Attributes:
        kind: "own" (each replicate has an exponent of its own, scattered by `size`), "walk" (each replicate's errors
            add up along the axis), "levels" (all points of one value of an axis of a plane err together by `size`),
            "growing" and "shrinking" (noise by a factor `size` along the axis, the last runs cut off), "never" (a
            share of runs that grows to twice `size` never arrives), "uneven" (one run a point, noise by a factor
            `size`), "choices" (the mildest of `size` choices of constants on points of their own), "mean" (noise that
            moves along the axis, the target that of the mean), "crowd" (1 and 100 to 103, errors of whole points by
            `size`).
        declared: the caller says so, where the rule can be told.
    """

    relation: str = "tight"
    kind: str
    size: float
    declared: bool = False

    @property
    def asked(self) -> dict[str, Any]:
        """What its rule is told of the claim and of the error."""
        return {"relation": self.relation, "margin": MARGIN, "policy": self.policy}

    def trial(self, rng: np.random.Generator) -> CellOutcome:
        """Draw samples, judge them, compare with the target."""
        make = {"levels": _levels, "choices": _choices, "crowd": _crowd, "mean": _mean}.get(self.kind, _line)
        judgement = make(self, rng)
        interval = judgement.confidence_interval
        # The interval of these is that of something else, or of a verdict that is withdrawn.
        has_target = interval is not None and self.kind not in ("mean", "crowd", *CUT)
        return CellOutcome(judgement.verdict, self.delta in interval if has_target else None, math.nan)

    def errors(self, x: Array, rng: np.random.Generator) -> Array:
        """log(measured / claim) about the line. [points, replicates]"""
        z = rng.standard_normal((len(x), self.n_replicates))
        if self.kind == "own":
            return self.noise * z + self.size * rng.standard_normal(self.n_replicates) * (x - x[0])[:, None]
        if self.kind == "walk":
            return self.noise * np.cumsum(z, axis=0)
        if self.kind in ("growing", "shrinking", "uneven"):
            factor = 1 / self.size if self.kind == "shrinking" else self.size
            return self.noise * np.geomspace(factor**-0.5, factor**0.5, len(x))[:, None] * z
        return self.noise * z


def _line(cell: DoubtfulCell, rng: np.random.Generator) -> Judgement:
    """One axis, judged by `judge_scaling`."""
    x = np.linspace(0.0, LOG_SPAN, cell.n_points)
    log_samples = (1 + cell.delta) * x[:, None] + cell.errors(x, rng)
    limit = None
    if cell.kind in CUT[:2]:
        limit = np.full(len(x), math.exp((1 + cell.delta) * float(x[-3:-1].mean())))
        log_samples[log_samples > np.log(limit)[:, None]] = np.inf
    elif cell.kind == "never":
        limit = 4 * np.exp((1 + cell.delta) * x)
        log_samples[rng.random(log_samples.shape) < cell.size * np.linspace(0, 2, len(x))[:, None]] = np.inf
    return judge_scaling(
        np.exp(x),
        np.exp(log_samples),
        np.exp(x),
        limit=limit,
        paired=cell.declared,
        checkpoints=False,
        **cell.asked,
    )


def _levels(cell: DoubtfulCell, rng: np.random.Generator) -> Judgement:
    """A square grid of which the first axis' levels err together."""
    steps = np.linspace(0.0, math.log(16.0), cell.n_points)
    first, second = (values.ravel() for values in np.meshgrid(steps, steps, indexing="ij"))
    common = np.repeat(cell.size * rng.standard_normal(cell.n_points), cell.n_points)
    noise = cell.noise * rng.standard_normal((len(first), cell.n_replicates))
    samples = np.exp(((1 + cell.delta) * first - second + common)[:, None] + noise)
    axes = {"first": (np.exp(first), "infinity"), "second": (np.exp(second), "infinity")}
    shared = ("first",) if cell.declared else ()
    claimed = np.exp(first - second)
    judged = judge_joint(axes, samples, claimed, shared_levels=shared, **cell.asked)
    return judged["first"]


def _choices(cell: DoubtfulCell, rng: np.random.Generator) -> Judgement:
    """The mildest of several choices of constants, each judged on points of its own."""
    count = round(cell.size)
    x = np.linspace(0.0, LOG_SPAN * count, cell.n_points * count)
    samples = np.exp((1 + cell.delta) * x[:, None] + cell.noise * rng.standard_normal((len(x), cell.n_replicates)))
    points = {f"c = {choice}": range(cell.n_points * choice, cell.n_points * (choice + 1)) for choice in range(count)}
    policy = cell.policy.of_choice(error_share(points.values())) if cell.declared else cell.policy

    def judge(choice: str) -> Judgement:
        kept = list(points[choice])
        asked = {"relation": "tight", "margin": MARGIN, "policy": policy}
        return judge_scaling(np.exp(x[kept]), samples[kept], np.exp(x[kept]), **asked)

    return profile_constants(judge, points)


def _mean(cell: DoubtfulCell, rng: np.random.Generator) -> Judgement:
    """Noise whose variance grows along the axis: the mean's slope is the target, that of log means is less."""
    x = np.linspace(0.0, LOG_SPAN, cell.n_points)
    variance = cell.noise**2 + 2 * cell.size * x
    z = rng.standard_normal((len(x), cell.n_replicates))
    samples = np.exp((1 + cell.delta - cell.size) * x[:, None] + np.sqrt(variance)[:, None] * z)
    return judge_scaling(np.exp(x), samples, np.exp(x), **cell.asked)


def _crowd(cell: DoubtfulCell, rng: np.random.Generator) -> Judgement:
    """One point and four beside each other, all of which err by the same at their place."""
    axis = np.array([1.0, 100.0, 101.0, 102.0, 103.0])
    common = cell.size * rng.standard_normal(2)[[0, 1, 1, 1, 1]]
    noise = cell.noise * rng.standard_normal((5, cell.n_replicates))
    samples = np.exp(((1 + cell.delta) * np.log(axis) + common)[:, None] + noise)
    return judge_scaling(axis, samples, axis, **cell.asked)


def doubtful_cells() -> list[DoubtfulCell]:
    """Every broken assumption, declared where it can be, and right data beside it."""

    def cell(name: str, kind: str, size: float, *, delta: float = MARGIN, **more: Any) -> DoubtfulCell:
        return DoubtfulCell(name=name, kind=kind, size=size, delta=delta, **more)

    return [
        *(cell(f"shared/own exponent {size:g}/{r}", "own", size, n_replicates=r)
          for size in (0.05, 0.1, 0.2) for r in (3, 5, 10)),
        cell("shared/own exponent 0.1/5/declared", "own", 0.1, declared=True),
        cell("shared/own exponent 0.2/5/declared", "own", 0.2, declared=True),
        cell("shared/walk/5", "walk", 0.0, noise=0.1),
        cell("shared/walk/5/declared", "walk", 0.0, noise=0.1, declared=True),
        cell("shared/independent/5/declared/0", "own", 0.0, declared=True, delta=0.0),
        *(cell(f"shared/levels {size:g}/{n} x {n}", "levels", size, n_points=n) for size in (0.1, 0.3) for n in (4, 6)),
        cell("shared/levels 0.3/4 x 4/declared", "levels", 0.3, n_points=4, declared=True),
        cell("cut/noise grows fourfold/5", "growing", 4.0, noise=0.5),
        cell("cut/noise grows fourfold/20", "growing", 4.0, noise=0.5, n_replicates=20),
        cell("cut/noise falls fourfold/20", "shrinking", 4.0, noise=0.5, n_replicates=20, delta=-MARGIN),
        *(cell(f"cut/a share of {size:g} never arrives/{r}", "never", size, n_replicates=r)
          for size in (0.1, 0.2) for r in (5, 20)),
        cell("cut/a share of 0.1 never arrives/20/-m", "never", 0.1, n_replicates=20, delta=-MARGIN),
        *(cell(f"odd/uneven by {size:g}/one run/{n}", "uneven", size, n_points=n, n_replicates=1)
          for size in (4, 16) for n in (5, 9)),
        cell("odd/3 choices on points of their own", "choices", 3, declared=True),
        cell("odd/3 choices on points of their own/0", "choices", 3, declared=True, delta=0.0),
        *(cell(f"odd/mean of growing noise/{r}", "mean", 0.125, n_replicates=r, delta=MARGIN + 0.05) for r in (5, 20)),
        cell("odd/1 and 100 to 103", "crowd", 0.5),
    ]  # fmt: skip
