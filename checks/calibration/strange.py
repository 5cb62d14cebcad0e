"""Data that no rule was made for: correlated checkpoints, rare kinds of runs, wild noise, uneven replicates.

Each cell breaks something that a line through log means takes for granted, and none of it is declared. The target is
the slope of what the claim speaks of: of the line, or of the mean where runs are of several kinds.
"""

from __future__ import annotations

import math
from dataclasses import dataclass, replace
from typing import Any

import numpy as np
from scipy import special

from checks.calibration.cells import MARGIN, Array, CellOutcome, ScalingCell, Unseen, over_looks
from checks.evidence.interim_analyses import MAX_ANALYSES
from checks.statistics.judge import judge_scaling
from checks.statistics.policy import ErrorPolicy
from checks.statistics.verdict import Judgement

LOG_SPAN = math.log(32.0)

RARE = 0.05
"""Share of runs that are of another kind."""

FEW = 5
"""Replicates of which a rare kind is often missing everywhere."""

OF_THE_MEAN = ("rare", "rare level", "moving kinds", "falling shape", "kinds that move", "counts")
"""Kinds of data whose target is the exponent of E[.], which the claim then names."""


@dataclass(frozen=True, kw_only=True)
class StrangeCell(ScalingCell):
    """Samples about a line of known slope.

    Attributes:
        kind: "checkpoints" (each replicate is one run looked at along the axis: errors that follow an autoregression of
            coefficient `size`, a random walk at 1), "pink" (the same, errors of long memory), "rare" (one run in twenty
            grows by an exponent of its own, larger by `size`), "rare level" (one run in twenty is larger throughout by
            the factor e^`size`), "uneven counts" (the last point has `size` times the replicates of the others, and
            points err together by 0.1), "stable" (noise of infinite variance, exponent `size`, skewed), "t" (noise of
            Student's t with `size` degrees of freedom), "rounded" (values are whole numbers from 1 on), "worker" (the
            first replicate is noisier by the factor `size`), "steps" (points err together in blocks of `size`),
            "late outlier" (the last point errs by `size`), "moving kinds" (a share of runs that moves from 0.2 to 0.8
            along the axis is larger by the factor e^`size`), "falling shape" (gamma variables whose mean is the line
            and whose shape falls from 8 to 1/2), "stopped" (runs are added until their mean errs to the side that
            flattens the line, or there are `size`), "chain" (replicates of a point follow one another, with coefficient
            `size`), "copies" (replicates are one run, within 1 in 1000), "campaigns" (every other point shares an error
            of `size`), "slow machine" (two points in five, at random, are larger by the factor e^`size`), "swapped"
            (two neighbouring points changed places), "best so far" (each replicate is the least of those before it),
            "own scale" (each run draws the size of its noise, lognormal with deviation `size`), "heaped" (values are
            multiples of `size` where the smallest truth is 4 of them), "kinds that move" (the share of runs that are
            larger by e^`size` moves from 0 to 1/2), "last point off" (the exponent changes by `size` from the last
            point but one on), "pairs of points" (replicate j of points 1 and 2, 3 and 4, ... has one error of `size`
            beside its own), "two levels" (a factor that nobody recorded moves half of the runs by `size`, other runs
            at each point), "a hidden budget" (runs beyond a jittered limit in the last two points are recorded as it),
            "rounded axis" (truth follows the axis before it was rounded by up to `size` in log), "drifting machine"
            (points were measured in another order, and the machine drifts by `size` from first to last), "tails and
            counts" (t with two degrees of freedom, 2 to 10 runs a point), "small noise far off" (one point in the
            middle has a tenth of the noise and errs by `size`), "two machines" (every other point is from a machine
            that is slower by `size` and twice as noisy), "columns in pairs" and "columns in threes" (so many
            neighbouring replicates have an exponent in common, scattered by `size`), "counts" (Poisson with mean 3 at
            the first point, zeros recorded as one half).
    """

    relation: str = "tight"
    kind: str
    size: float = 0.0

    @property
    def unseen(self) -> Unseen | None:
        """Experiments in which at most one run is of the rare kind: one says nothing of that kind's exponent.

        Of several looks the later ones have many more runs.
        """
        if self.kind != "rare" or self.n_replicates > FEW or self.interim:
            return None
        runs = self.n_points * self.n_replicates
        chance = float(special.bdtr(1, runs, RARE))
        return Unseen(chance, f"at most one of {runs} runs is of the rare kind in {100 * chance:.0f} %; no verdict")

    def trial(self, rng: np.random.Generator) -> CellOutcome:
        """Draw samples, judge them, compare with the target."""
        x = np.linspace(0.0, LOG_SPAN, self.n_points)
        every = replace(self, n_replicates=self.n_replicates * 2 ** (MAX_ANALYSES - 1)) if self.interim else self
        logs, target = _drawn(every, x, rng)
        slope = 1.0
        claimed = np.exp((slope - self.delta + target) * x)
        samples = np.exp(np.clip(logs, -300, 300))

        def judge(seen: Array, policy: ErrorPolicy) -> Judgement:
            rows = [row[~np.isnan(row)] for row in seen]
            asked: dict[str, Any] = {"relation": self.relation, "margin": MARGIN, "policy": policy}
            asked["estimand"] = "mean" if self.kind in OF_THE_MEAN else None
            return judge_scaling(np.exp(x), rows, claimed, **asked)

        if self.interim:
            seen = [samples[:, : self.n_replicates * 2**number] for number in range(MAX_ANALYSES)]
            return over_looks(lambda number, policy: judge(seen[number], policy), self.policy, self.delta, math.nan)
        judged = judge(samples, self.policy)
        # Of runs recorded as their budget the interval is that of what was recorded.
        interval = None if self.kind == "a hidden budget" else judged.confidence_interval
        return CellOutcome(judged.verdict, None if interval is None else self.delta in interval, math.nan)


def _drawn(cell: StrangeCell, x: Array, rng: np.random.Generator) -> tuple[Array, float]:
    """Logarithms of samples, and by how much the target differs from the slope 1 that is planted."""
    z = rng.standard_normal((len(x), cell.n_replicates))
    line = x[:, None]
    if cell.kind == "checkpoints":
        return line + cell.noise * autoregression(z, cell.size), 0.0
    if cell.kind == "pink":
        return line + cell.noise * _long_memory(z), 0.0
    if cell.kind in ("rare", "rare level"):
        odd = rng.random(z.shape) < RARE
        more = cell.size * line if cell.kind == "rare" else np.full_like(line, cell.size)
        mean = np.log((1 - RARE) * np.exp(line) + RARE * np.exp(line + more)).ravel()
        return line + odd * more + cell.noise * z, float(np.polyfit(x, mean, 1)[0]) - 1
    if cell.kind == "uneven counts":
        few = np.arange(cell.n_replicates) >= round(cell.n_replicates / cell.size)
        logs = line + 0.1 * rng.standard_normal((len(x), 1)) + cell.noise * z
        logs[:-1, few] = np.nan
        return logs, 0.0
    if cell.kind == "stable":
        return line + cell.noise * _skewed_stable(cell.size, z.shape, rng), 0.0
    if cell.kind == "t":
        return line + cell.noise * rng.standard_t(cell.size, z.shape), 0.0
    if cell.kind == "rounded":
        return np.log(np.maximum(np.round(np.exp(line + cell.noise * z)), 1.0)), 0.0
    if cell.kind == "worker":
        return line + cell.noise * z * np.where(np.arange(cell.n_replicates) == 0, cell.size, 1.0), 0.0
    if cell.kind == "steps":
        blocks = np.arange(len(x)) // int(cell.size)
        return line + 0.2 * rng.standard_normal(blocks.max() + 1)[blocks][:, None] + cell.noise * z, 0.0
    if cell.kind == "late outlier":
        return line + cell.noise * z + cell.size * rng.choice([-1, 1]) * (x == x[-1])[:, None], 0.0
    return _drawn_to_break(cell, x, z, rng)


def _drawn_to_break(cell: StrangeCell, x: Array, z: Array, rng: np.random.Generator) -> tuple[Array, float]:
    """The classes that were thought of after the rules stood, to break them."""
    line, noise = x[:, None], cell.noise * z
    if cell.kind == "moving kinds":
        share = np.linspace(0.2, 0.8, len(x))
        mean = x + np.log1p(share * math.expm1(cell.size))
        odd = rng.random(z.shape) < share[:, None]
        return line + cell.size * odd + noise, float(np.polyfit(x, mean, 1)[0]) - 1
    if cell.kind == "falling shape":
        shape = np.geomspace(8, 0.5, len(x))[:, None]
        return line + np.log(np.maximum(rng.gamma(shape, 1 / shape, z.shape), 1e-300)), 0.0
    if cell.kind == "stopped":
        return line + _stopped(cell.noise, int(cell.size), len(x), rng), 0.0
    if cell.kind == "chain":
        return line + cell.noise * autoregression(z.T, cell.size).T, 0.0
    if cell.kind == "copies":
        return line + noise[:, :1] + 1e-3 * z, 0.0
    if cell.kind == "campaigns":
        return line + cell.size * rng.standard_normal(2)[np.arange(len(x)) % 2][:, None] + noise, 0.0
    if cell.kind == "slow machine":
        return line + cell.size * (rng.random(len(x)) < 0.4)[:, None] + noise, 0.0
    if cell.kind == "swapped":
        order, first = np.arange(len(x)), int(rng.integers(len(x) - 1))
        order[[first, first + 1]] = order[[first + 1, first]]
        return line[order] + noise, 0.0
    if cell.kind == "best so far":
        return line + np.minimum.accumulate(noise, axis=1), 0.0
    if cell.kind == "own scale":
        return line + noise * np.exp(cell.size * rng.standard_normal(z.shape)), 0.0
    return _drawn_once_more(cell, x, z, rng)


def _drawn_once_more(cell: StrangeCell, x: Array, z: Array, rng: np.random.Generator) -> tuple[Array, float]:
    """Ten classes and two that were drawn against the rules as they then were."""
    line, noise, size, last = x[:, None], cell.noise * z, cell.size, len(x) - 1
    if cell.kind == "heaped":
        return np.log(np.maximum(np.round(4 * np.exp(line + noise)), 1.0)), 0.0
    if cell.kind == "kinds that move":
        share = np.linspace(0.0, 0.5, len(x))
        odd = rng.random(z.shape) < share[:, None]
        return line + size * odd + noise, float(np.polyfit(x, x + np.log1p(share * math.expm1(size)), 1)[0]) - 1
    if cell.kind == "last point off":
        truth = x + size * np.maximum(x - x[-2], 0.0)
        return truth[:, None] + noise, float(np.polyfit(x, truth, 1)[0]) - 1
    if cell.kind == "pairs of points":
        common = rng.standard_normal((last // 2 + 1, cell.n_replicates))
        return line + size * common[np.arange(len(x)) // 2] + noise, 0.0
    if cell.kind == "two levels":
        return line + size * (rng.random(z.shape) < 0.5) + noise, 0.0
    if cell.kind == "a hidden budget":
        limit = x[-2] + 0.01 * rng.standard_normal(z.shape)
        return np.minimum(line + noise, limit + 10.0 * (np.arange(len(x)) < last - 1)[:, None]), 0.0
    if cell.kind == "rounded axis":
        return line + rng.uniform(-size, size, (len(x), 1)) + noise, 0.0
    if cell.kind == "drifting machine":
        return line + size * (rng.permutation(len(x)) / last - 0.5)[:, None] + noise, 0.0
    if cell.kind == "tails and counts":
        logs = line + cell.noise * rng.standard_t(2, z.shape)
        logs[np.arange(cell.n_replicates) >= rng.integers(2, cell.n_replicates + 1, len(x))[:, None]] = np.nan
        return logs, 0.0
    if cell.kind == "small noise far off":
        odd = (np.arange(len(x)) == rng.integers(1, last))[:, None]
        return line + np.where(odd, 0.1 * noise + size * rng.choice([-1, 1]), noise), 0.0
    if cell.kind == "two machines":
        second = (np.arange(len(x)) % 2 == 1)[:, None]
        return line + np.where(second, 2 * noise + size, noise), 0.0
    if cell.kind in ("columns in pairs", "columns in threes"):
        each = 2 if cell.kind == "columns in pairs" else 3
        own = np.repeat(rng.standard_normal(-(-cell.n_replicates // each)), each)[: cell.n_replicates]
        return line + size * own * line + noise, 0.0
    if cell.kind == "counts":
        return np.log(np.maximum(rng.poisson(3 * np.exp(np.broadcast_to(line, z.shape))), 0.5)), 0.0
    raise ValueError(cell.kind)


def _stopped(noise: float, most: int, n_points: int, rng: np.random.Generator) -> Array:
    """Errors [points, most], NaN after the last run: first points stop below 0, later ones above."""
    errors = noise * rng.standard_normal((n_points, most))
    sides = np.where(np.arange(n_points) < n_points / 2, 1.0, -1.0)
    means = np.cumsum(errors, axis=1) / np.arange(1, most + 1)
    met = (sides[:, None] * means > 0) & (np.arange(most) >= 2)
    last = np.where(met.any(axis=1), met.argmax(axis=1), most - 1)
    errors[np.arange(most) > last[:, None]] = np.nan
    return errors


def autoregression(z: Array, coefficient: float) -> Array:
    """Errors of unit variance at the first point, each the last one times `coefficient` and something new."""
    out = np.empty_like(z)
    out[0] = z[0]
    fresh = math.sqrt(1 - coefficient**2) if coefficient < 1 else 1.0
    for index in range(1, len(z)):
        out[index] = coefficient * out[index - 1] + fresh * z[index]
    return out


def _long_memory(z: Array) -> Array:
    """Errors with a spectrum of one over the frequency."""
    frequencies = np.fft.rfftfreq(4 * len(z))
    padded = np.concatenate([z, np.random.default_rng(0).standard_normal((3 * len(z), z.shape[1]))])
    scale = np.where(frequencies > 0, np.maximum(frequencies, 1e-9) ** -0.5, 0.0)
    pink = np.fft.irfft(np.fft.rfft(padded, axis=0) * scale[:, None], axis=0)[: len(z)]
    return pink / 3.0


def _skewed_stable(alpha: float, shape: tuple[int, ...], rng: np.random.Generator) -> Array:
    """Stable variables of index `alpha`, wholly skewed to the right [Chambers, Mallows and Stuck 1976]."""
    angle = rng.uniform(-math.pi / 2, math.pi / 2, shape)
    size = rng.exponential(1.0, shape)
    shift = math.atan(math.tan(math.pi * alpha / 2)) / alpha
    scale = (1 + math.tan(math.pi * alpha / 2) ** 2) ** (1 / (2 * alpha))
    return (
        scale
        * np.sin(alpha * (angle + shift))
        / np.cos(angle) ** (1 / alpha)
        * (np.cos(angle - alpha * (angle + shift)) / size) ** ((1 - alpha) / alpha)
    )


_TO_BREAK = (
    ("moving kinds", 1.0, 0.1, (5, 20)),
    ("falling shape", 0.0, 0.0, (5, 20)),
    ("stopped", 20, 0.3, (20,)),
    ("chain", 0.9, 0.3, (5, 10)),
    ("copies", 0.0, 0.3, (5,)),
    ("campaigns", 0.2, 0.1, (1, 5)),
    ("slow machine", 0.3, 0.1, (1, 5)),
    ("swapped", 0.0, 0.1, (1, 5)),
    ("best so far", 0.0, 0.3, (8,)),
    ("own scale", 1.0, 0.1, (5,)),
    ("heaped", 0.25, 0.2, (1, 5)),
    ("kinds that move", 1.0, 0.1, (5, 20)),
    ("last point off", 0.8, 0.1, (1, 5)),
    ("pairs of points", 0.2, 0.1, (5, 20)),
    ("two levels", 0.7, 0.1, (5, 20)),
    ("a hidden budget", 0.0, 0.3, (5, 20)),
    ("rounded axis", 0.2, 0.1, (1, 5)),
    ("drifting machine", 0.4, 0.1, (1, 5)),
    ("tails and counts", 0.0, 0.2, (10,)),
    ("small noise far off", 0.3, 0.1, (5,)),
    ("two machines", 0.3, 0.1, (1, 5)),
    ("columns in pairs", 0.15, 0.1, (6, 12)),
    ("columns in threes", 0.15, 0.1, (9,)),
    ("counts", 0.0, 0.0, (5, 20)),
)
"""Kind, size, log-noise and numbers of replicates."""


def strange_cells() -> list[StrangeCell]:
    """All of them, at the margin's edge."""

    def cell(name: str, kind: str, size: float, *, delta: float = MARGIN, **more: Any) -> StrangeCell:
        return StrangeCell(name=f"strange/{name}", kind=kind, size=size, delta=delta, **more)

    return [
        *(cell(f"checkpoints {rho:g}/{n} x {r}", "checkpoints", rho, n_points=n, n_replicates=r, noise=0.1)
          for rho in (0.5, 0.8, 0.95, 1.0) for n, r in ((7, 1), (12, 1), (25, 1), (50, 1), (12, 5))),
        *(cell(f"checkpoints 0.8/{n} x {r}/0", "checkpoints", 0.8, n_points=n, n_replicates=r, noise=0.1, delta=0.0)
          for n, r in ((12, 1), (25, 1))),
        *(cell(f"pink/{n} x 1", "pink", 0.0, n_points=n, n_replicates=1, noise=0.1) for n in (12, 25)),
        *(cell(f"rare {size:g}/{r}/{relation}", "rare", size, n_replicates=r, noise=0.2, relation=relation)
          for size, relation in ((1.0, "tight"), (1.0, "upper"), (2.0, "tight")) for r in (5, 20, 50, 400)),
        cell("rare level 3/20", "rare level", 3.0, n_replicates=20),
        *(cell(f"uneven counts {size:g}/{r}", "uneven counts", size, n_replicates=r)
          for size, r in ((20, 40), (100, 200))),
        *(cell(f"stable {a:g}/{r}", "stable", a, n_replicates=r, noise=0.1) for a in (1.5, 1.2) for r in (3, 5, 20)),
        *(cell(f"t {f:g}/{r}", "t", f, n_replicates=r, noise=0.1) for f in (1, 2) for r in (3, 5, 20)),
        *(cell(f"rounded/{r}", "rounded", 0.0, n_replicates=r, noise=0.3) for r in (1, 5)),
        *(cell(f"worker {s:g}/5", "worker", s, n_replicates=5, noise=0.1) for s in (5, 20)),
        *(cell(f"steps of {s:g}/{n} x {r}", "steps", s, n_points=n, n_replicates=r, noise=0.1)
          for s in (2, 3) for n, r in ((9, 1), (9, 5))),
        *(cell(f"late outlier {s:g}/{r}", "late outlier", s, n_replicates=r, noise=0.1, n_points=7)
          for s in (0.3, 1.0) for r in (1, 5)),
        *(cell(f"{kind}/{r}", kind, size, n_replicates=r, noise=noise) for kind, size, noise, counts in _TO_BREAK
          for r in counts),
    ]  # fmt: skip


def looked_at() -> list[StrangeCell]:
    """Rare kinds of runs, analysed until decided: the first looks have none of them, more often than not."""
    asked: dict[str, Any] = {"kind": "rare", "delta": MARGIN, "noise": 0.2, "interim": True}
    return [
        StrangeCell(name=f"looks/0.2/rare {size:g}, from {r}", size=size, n_replicates=r, **asked)
        for size in (1.0, 2.0)
        for r in (2, 5)
    ]
