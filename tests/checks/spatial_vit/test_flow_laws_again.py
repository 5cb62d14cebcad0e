"""Laws of the idealized learning process and of the oracle, measured again by code of its own.

Written from [jelassi2022] alone: Assumption 1, (T) with the softmax values of section 4.1, (P), (GD) in the limit of
small steps, Lemmas 4.1 and 4.2. Expectations are means over drawn data, y = 1 by symmetry. Settings are drawn afresh in
the population of each search.
"""

from __future__ import annotations

import functools
import math

import numpy as np
import pytest
from scipy.integrate import solve_ivp

from tests.checks.laws_again import Setting, drawn

N_DRAWS = 6000


class Population:
    """F and its derivatives by alpha, gamma and rho, v = alpha w*, on drawn data that differ.

    Signs of a data point: C patches of the signal set have 1, each other one 1 or -1 with probability q/2 each. Patches
    of a set that have the same sign see the same.
    """

    def __init__(
        self, generator: np.random.Generator, *, sets: int, size: int, rate: float, power: int, nu: float, beta: float
    ) -> None:
        self.size, self.patches, self.power, self.nu, self.beta = size, sets * size, power, nu, beta
        signs = generator.multinomial(size, [rate / 2, rate / 2, 1 - rate], size=(N_DRAWS, sets - 1))
        codes = np.sort(signs[..., 0] * (size + 1) + signs[..., 1], axis=1)  # the order of the sets does not matter
        rows, times = np.unique(codes, axis=0, return_counts=True)
        self.weights = times / N_DRAWS
        first = np.zeros((len(rows), 1))
        up = np.hstack([first + size, rows // (size + 1)])
        down = np.hstack([first, rows % (size + 1)])
        self.many = np.stack([up, down, size - up - down])  # patches with sign 1, -1, 0 of each set
        self.own = np.array([1.0, -1.0, 0.0])[:, None, None]
        self.others = (up - down)[None] - self.own
        self.across = ((up - down).sum(axis=1)[:, None] - (up - down))[None]

    def softmax(self, gamma: float, rho: float) -> tuple[float, float, float]:
        """Lambda, Gamma, Xi."""
        entries = np.exp([self.beta, gamma, rho])
        return tuple((entries / (entries @ [1, self.size - 1, self.patches - self.size])).tolist())

    def descent(self, alpha: float, gamma: float, rho: float) -> tuple[float, float, float]:
        """Minus the derivatives of the risk: by alpha, by one A_ij within a set, and by one across sets."""
        on_itself, within, across = self.softmax(gamma, rho)
        seen = on_itself * self.own + within * self.others + across * self.across
        u = self.patches * alpha * seen
        output = np.sum(self.many * (u**self.power + self.nu * u), axis=(0, 2))
        logistic = self.weights / (1 + np.exp(np.minimum(output, 700)))
        slope = self.many * (self.power * u ** (self.power - 1) + self.nu) * self.patches

        def mean(change: np.ndarray) -> float:
            return float(logistic @ np.sum(slope * change, axis=(0, 2)))

        n_within, n_across = self.size - 1, self.patches - self.size
        return (
            mean(seen),
            mean(alpha * within * (self.others - n_within * seen)) / (self.patches * n_within),
            mean(alpha * across * (self.across - n_across * seen)) / (self.patches * n_across),
        )

    def risk(self, alpha: float, gamma: float, rho: float) -> float:
        """E log(1 + e^-F)."""
        on_itself, within, across = self.softmax(gamma, rho)
        u = self.patches * alpha * (on_itself * self.own + within * self.others + across * self.across)
        return float(self.weights @ np.logaddexp(0, -np.sum(self.many * (u**self.power + self.nu * u), axis=(0, 2))))

    def course(self, time: float) -> tuple[np.ndarray, np.ndarray]:
        """Times and (alpha, gamma, rho) [3, times] along the flow from nu^(1/(p-1)), 0, 0."""
        start = [self.nu ** (1 / (self.power - 1)), 0.0, 0.0]
        found = solve_ivp(
            lambda _, state: self.descent(*state), (0.0, time), start, method="LSODA", rtol=1e-7, atol=1e-10,
            dense_output=True,
        )  # fmt: skip
        times = np.geomspace(time * 1e-9, time, 6000)
        return times, found.sol(times)


FLOWS = {"sets": (4, 12), "size": (2, 5), "spurious": (0.5, 2.0), "beta": (0.3, 3.0), "start": (1e-4, 1e-2)}
"""As the searches of T_0 and T_1 draw them: L, C, q D / C, beta, and nu^(1/2)."""


def flow(generator: np.random.Generator, **more: tuple[float, float]) -> tuple[Setting, Population] | None:
    """A setting with its letters, and its population; None where it has too many patches or spurious ones."""
    at = drawn(generator, {**FLOWS, **more}, whole=("sets", "size"))
    sets, size = int(at["sets"]), int(at["size"])
    patches = sets * size
    if patches > 28 or at["spurious"] > sets / 2:
        return None
    rate, nu = at["spurious"] / sets, at["start"] ** 2
    population = Population(generator, sets=sets, size=size, rate=rate, power=3, nu=nu, beta=at["beta"])
    own, within, _ = population.softmax(0.0, 0.0)
    first, other = patches * (own + (size - 1) * within), patches * size * within
    letters = {
        **at, "D": patches, "C": size, "q": rate, "nu": nu, "e^beta": math.exp(at["beta"]), "G": first,
        "sum g_i^3": size * first**3 + (patches - size) * other**3,
    }  # fmt: skip
    return letters, population


def first_phase(generator: np.random.Generator) -> tuple[Setting, float] | None:
    """T_0: alpha half way to its first maximum."""
    found = flow(generator)
    if found is None:
        return None
    at, population = found
    times, (alpha, _, _) = population.course(60 / (at["start"] * at["D"] * at["C"]))
    falls = np.flatnonzero(np.diff(alpha) < 0)
    peak = alpha[falls[0]] if len(falls) else alpha[-1]
    return at, float(times[np.argmax(alpha >= (at["start"] + peak) / 2)])


def association(generator: np.random.Generator) -> tuple[Setting, float] | None:
    """T_1 of a run of length T: gamma above every |rho| of the run; None where it never is."""
    found = flow(generator, time=(1e2, 1e5))
    if found is None:
        return None
    at, population = found
    times, (_, gamma, rho) = population.course(at["time"])
    ahead = gamma > np.abs(rho).max()
    return ({**at, "T": at["time"]}, float(times[np.argmax(ahead)])) if ahead.any() else None


STATES = {
    "sets": (4, 16), "size": (2, 5), "spurious": (0.5, 1.5), "beta": (0.3, 3.0), "gamma": (0.1, 5.0),
    "pull": (0.03, 1.3), "half power": (1, 3),
}  # fmt: skip
"""As the search of Lemma 4.3's factor draws them; pull is alpha G."""


def factor(generator: np.random.Generator) -> tuple[Setting, float] | None:
    """K, gamma's increment over eta alpha^p Gamma G^(p-1), at rho = 0; None where gamma falls."""
    at = drawn(generator, STATES, whole=("sets", "size", "half power"))
    sets, size, power = int(at["sets"]), int(at["size"]), 2 * int(at["half power"]) + 1
    patches = sets * size
    if at["spurious"] > sets / 2:
        return None
    population = Population(
        generator, sets=sets, size=size, rate=at["spurious"] / sets, power=power, nu=float(patches) ** (2 - 2 * power),
        beta=at["beta"],
    )  # fmt: skip
    own, within, _ = population.softmax(at["gamma"], 0.0)
    weight = patches * (own + (size - 1) * within)
    alpha = at["pull"] / weight
    increment = population.descent(alpha, at["gamma"], 0.0)[1]
    if increment <= 0:
        return None
    letters = {
        "D": patches, "C": size, "p": power, "G": weight, "1 - G/D": 1 - weight / patches,
        "risk": population.risk(alpha, at["gamma"], 0.0),
    }  # fmt: skip
    return letters, increment / (alpha**power * within * weight ** (power - 1))


# ------------------------------------------------------------------------------------------------------- the oracle


def outvoted(size: int, n_random: int, rate: float) -> float:
    """P[C + S < 0] + P[C + S = 0] / 2, S the sum of the random patches' signs: the error of the more frequent sign."""
    law = np.array([1.0])
    for _ in range(n_random):
        law = np.convolve(law, [rate / 2, 1 - rate, rate / 2])
    sums = np.arange(-n_random, n_random + 1) + size
    return float(law[sums < 0].sum() + law[sums == 0].sum() / 2)


def oracle(generator: np.random.Generator) -> tuple[Setting, float] | None:
    """N after which one who is told each sample's signal set errs at most h times as often as before."""
    at = drawn(
        generator, {"sets": (6, 100), "size": (2, 6), "spurious": (0.8, 1.5), "h": (0.2, 0.8)}, whole=("sets", "size")
    )
    sets, size = int(at["sets"]), int(at["size"])
    if at["spurious"] * size > sets:
        return None
    rate = at["spurious"] * size / sets
    errors = np.array([0.0, *(outvoted(size, (unseen - 1) * size, rate) for unseen in range(1, sets + 1))])
    unseen = np.zeros(sets + 1)  # the law of how many sets no sample had for its signal set
    unseen[sets] = 1.0
    share = np.arange(sets + 1) / sets
    for samples in range(1, 100 * sets):
        found = unseen * share  # a set that no sample had is the next one's
        unseen = unseen - found
        unseen[:-1] += found[1:]
        if float(unseen @ (share * errors)) <= at["h"] * errors[-1]:
            return {"L": sets, "C": size, "q": rate, "h": at["h"]}, float(samples)
    raise AssertionError("the oracle never knows enough")
