"""What a success curve may look like: its link, where it starts, where it ends, and the best of these at a threshold.

Success at size N has probability guess + (1 - guess - lapse) F(k (log N - theta) + c), with c such that it is `level`
at theta. Two links F are tried: the logistic one, and the complementary log-log one, which is not symmetric and fits a
chance that any of many things happens (two of k draws agree: 1 - exp(-k^2 / 2n)). A logistic curve through such
counts puts the threshold 3 to 10 % too low, however many trials there are. A guess rate is success that comes without
the samples, a lapse rate failure that they do not cure; left out, either moves the threshold [Wichmann and Hill 2001].

All four are nuisance parameters: at every theta the best is taken. The likelihood has ridges and plateaus where a
local optimiser stalls, so it is looked at on a coarse grid of all of them, and then by a pattern search, which halves
its step, from the best place of that grid [Hooke and Jeeves 1961].
"""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray
from scipy import special

Array = NDArray[np.float64]

MAX_SHARE = 0.9
"""Largest lapse rate, in units of 1 - level, and largest guess rate, in units of the level: a curve must cross it."""

MAX_STEEPNESS_PER_STEP = 20.0
"""Largest k times the median grid step: beyond it the curve is a step function to any data on the grid."""

N_STEEPNESSES = 12
_RATES = np.array([[0.0, 0.0], [0.15, 0.0], [0.0, 0.15], [0.15, 0.15], [0.7, 0.0], [0.0, 0.7], [0.5, 0.5]])
"""Lapse and guess rates of the coarse grid, in units of their largest."""

_OFFSETS = np.stack([axis.ravel() for axis in np.meshgrid(*[[-1.0, 0.0, 1.0]] * 3, indexing="ij")])


@dataclass(frozen=True)
class Link:
    """A distribution function on the line, and its inverse."""

    name: str
    rate: Callable[[Array], Array]
    inverse: Callable[[Array], Array]


def _complementary(u: Array) -> Array:
    """1 - exp(-exp u), in place of which 1 stands far to the right."""
    return -np.expm1(-np.exp(np.minimum(u, 4.0)))


LINKS = (
    Link("logistic", special.expit, special.logit),
    Link("complementary log-log", _complementary, lambda p: np.log(-np.log1p(-p))),
)


@dataclass(frozen=True, eq=False)
class Shapes:
    """The nuisance parameters of one link at each of several thresholds [thetas], and the likelihood they reach."""

    link: Link
    theta: Array
    value: Array
    log_steepness: Array
    lapse: Array
    guess: Array

    def at(self, index: int) -> Shapes:
        """Those of one threshold, still arrays, of length 1."""
        arrays = (self.theta, self.value, self.log_steepness, self.lapse, self.guess)
        return Shapes(self.link, *(array[index : index + 1] for array in arrays))


@dataclass(frozen=True, eq=False)
class ShapeSearch:
    """The likelihood of counts under every shape, maximised at given thresholds.

    Attributes:
        log_n, successes, trials: the counts [points], sorted.
        level: success rate at the threshold.
    """

    log_n: Array
    successes: Array
    trials: Array
    level: float

    @property
    def steepness_range(self) -> tuple[float, float]:
        """Logarithms of the least steepness, nearly flat over the grid, and of the largest, a step."""
        span, step = float(np.ptp(self.log_n)), float(np.median(np.diff(self.log_n)))
        return math.log(0.2 / span), math.log(MAX_STEEPNESS_PER_STEP / step)

    @property
    def most(self) -> tuple[float, float]:
        """Largest lapse rate and largest guess rate."""
        return MAX_SHARE * (1 - self.level), MAX_SHARE * self.level

    def rates(self, link: Link, theta: Array, log_steepness: Array, lapse: Array, guess: Array) -> Array:
        """Success rates [..., points] for parameters of one shape [...]."""
        room = 1 - guess - lapse
        shift = link.inverse((self.level - guess) / room)
        lever = np.exp(log_steepness)[..., None] * (self.log_n - theta[..., None])
        return guess[..., None] + room[..., None] * link.rate(lever + shift[..., None])

    def rates_of(self, one: Shapes) -> Array:
        """Success rates [points] of shapes at one threshold."""
        return self.rates(one.link, one.theta, one.log_steepness, one.lapse, one.guess)[0]

    def likelihood(self, rates: Array) -> Array:
        """log likelihood of success rates [..., points]."""
        p = np.clip(rates, 1e-12, 1 - 1e-12)
        return np.log(p) @ self.successes + np.log1p(-p) @ (self.trials - self.successes)

    def coarse(self, link: Link, theta: Array) -> Shapes:
        """The best of a coarse grid at each theta."""
        grid = np.meshgrid(np.linspace(*self.steepness_range, N_STEEPNESSES), np.arange(len(_RATES)), indexing="ij")
        steepness, pair = (row.ravel() for row in grid)
        lapse, guess = (_RATES[pair.astype(int)] * self.most).T
        every = [np.broadcast_to(row, (len(theta), len(row))) for row in (steepness, lapse, guess)]
        values = self.likelihood(self.rates(link, np.broadcast_to(theta[:, None], every[0].shape), *every))
        best = values.argmax(axis=1)
        return Shapes(link, theta, values[np.arange(len(theta)), best], steepness[best], lapse[best], guess[best])

    def refined(self, link: Link, theta: Array) -> Shapes:
        """The best at each theta, ascending: a pattern search from the coarse grid, then from the best nearby."""
        floor, cap = self.steepness_range
        steps = np.array([0.5 * (cap - floor) / (N_STEEPNESSES - 1), 0.15 * self.most[0], 0.15 * self.most[1]])
        start = self.coarse(link, theta)
        found = np.stack([start.log_steepness, start.lapse, start.guess])
        _, found = self._searched(link, theta, found, steps, halvings=3)
        shared = np.stack([np.roll(found, shift, axis=1) for shift in (0, 1, -1, 3, -3)], axis=2)
        every = np.broadcast_to(theta[:, None], shared.shape[1:])
        best = self.likelihood(self.rates(link, every, *shared)).argmax(axis=1)
        found = shared[:, np.arange(len(theta)), best]
        extra = math.ceil(0.5 * math.log2(max(float(self.trials.sum()) / 500, 1.0)))  # errors shrink with more trials
        value, found = self._searched(link, theta, found, steps / 8, halvings=2 + extra)
        return Shapes(link, theta, value, *found)

    def _searched(self, link: Link, theta: Array, found: Array, steps: Array, *, halvings: int) -> tuple[Array, Array]:
        """A pattern search from the shapes `found` [3, thetas]: the largest log likelihood, and its shapes."""
        floor, cap = self.steepness_range
        lows, highs = np.array([[floor, 0.0, 0.0], [cap, *self.most]])[:, :, None, None]
        rows = np.arange(len(theta))
        best = np.full(len(theta), -np.inf)
        every = np.broadcast_to(theta[:, None], (len(theta), _OFFSETS.shape[1]))
        for _ in range(halvings):
            tried = np.clip(found[:, :, None] + (steps[:, None] * _OFFSETS)[:, None, :], lows, highs)
            values = self.likelihood(self.rates(link, every, *tried))
            place = values.argmax(axis=1)
            best, found = values[rows, place], tried[:, rows, place]
            steps = steps / 2
        return best, found

    def saturated(self) -> tuple[float, float]:
        """The largest log likelihood of logistic curves that never exceed the level, and where that one ends."""
        centre = np.linspace(self.log_n[0], self.log_n[-1], 15)
        steepness = np.linspace(*self.steepness_range, N_STEEPNESSES)
        top = self.level * np.linspace(0.1, 1.0, 10)
        centre, steepness, top = (row[..., None] for row in np.meshgrid(centre, steepness, top, indexing="ij"))
        values = self.likelihood(top * special.expit(np.exp(steepness) * (self.log_n - centre)))
        best = np.unravel_index(values.argmax(), values.shape)
        return float(values[best]), float(top[best][0])
