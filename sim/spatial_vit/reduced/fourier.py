"""Exact population risk of the reduced network at any D: a Fourier integral over the sum of i.i.d. sets.

Multisets of set types grow like L^14 at C = 4. But given the total z of the coefficients, F = f(signal, z) + sum of
f(t_l, z) over L - 1 sets whose types t_l are i.i.d. given that their sums add up to z - C. So for each z:

1. E[e^(i w F); total z] is the coefficient of x^(z - C) in e^(i w f(signal)) (sum_t p_t x^(s_t) e^(i w f(t)))^(L-1),
   read off by a trapezoid rule on the circle |x| = r with the radius at which z - C is the mean. The rule's only error
   is aliasing, and that is summed from the exact distribution of totals: about 8 standard deviations of z in angles.
2. The loss is a Fourier series: tanh(x/2) is replaced by the wave that equals it on the range of F and turns back
   beyond; its derivative is a peak up and one down of sech^2, whose transform 2 pi w / sinh(pi w) is below rounding
   beyond w = 11. The range of F given z comes from Chernoff bounds, so what is left out has probability below 1e-17.

Totals at which F is beyond +-34 with certainty need no series. The cost of one gradient is
O(totals x nodes x angles x log L): totals and angles are in units of the standard deviation of z, sqrt(q (D - C)), and
nodes of the range of F. At q = poly(C)/D, the paper's, it hardly depends on D. Errors are absolute, about 1e-15 of
probability: by contrast to enumeration, a risk of 1e-12 has three digits.
"""

from __future__ import annotations

import math
from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np

from sim.spatial_vit.network.setting import Setting
from sim.spatial_vit.reduced.population import Weighted, set_types, type_probabilities

LOG_ACCURACY = 34.0
"""The loss is saturated beyond +-34, and its series ends where the transform is e^-34 = 2e-15."""
LOG_NEGLIGIBLE = math.log(1e-17)
"""Probabilities below are left out."""
CHERNOFF = np.geomspace(0.05, 80.0, 16)
"""Exponents tried in the bounds of F, over the largest |f(t)|."""
NODE_BLOCK = 4096
"""Nodes held at a time."""
MAX_TILT = 4.0
"""Largest |log r|; beyond, totals are so near their ends that all angles are few."""
SMALLEST = 1e-200
"""Outputs below are zero to the bounds of F; their inverse must be finite."""
MAX_SPREAD = 1e5
"""Range of F beyond which nothing is computed and the risk is infinite: nodes grow with it."""


@dataclass(frozen=True)
class Circle:
    """How the sets' generating function is read at one total.

    Attributes:
        total: z, the signal set included.
        probability: of this total.
        expected_counts: E[number of random sets of type t; total z], [types].
        forward: p_t (r e^(i angle))^(s_t), [types, angles].
        backward: from values on the circle to the coefficients of x^(z - C - s), [angles, sums].
        angles: at which the generating function is evaluated, [angles].
        log_radius: log r.
    """

    total: int
    probability: float
    expected_counts: np.ndarray
    forward: np.ndarray
    backward: np.ndarray
    angles: np.ndarray
    log_radius: float


@dataclass(frozen=True)
class SetLaw:
    """Distribution of one random set: types (n_plus, n_minus) and their sums and probabilities, all [types].

    `signal` is the index of the type that the signal set has.
    """

    set_size: int
    types: np.ndarray
    sums: np.ndarray
    probabilities: np.ndarray
    signal: int


@dataclass(frozen=True)
class FourierTypes:
    """Every total of relevant probability with all set types as cells [totals * types], and how to read each total."""

    law: SetLaw
    n_random: int
    circles: tuple[Circle, ...]
    multiplicity: np.ndarray
    own: np.ndarray
    within: np.ndarray
    across: np.ndarray

    @property
    def n_rows(self) -> int:
        """Number of totals."""
        return len(self.circles)

    def weigh(self, outputs: np.ndarray) -> Weighted:
        """Expected loss and its slope times the number of sets in each cell; `outputs` f of one set, [cells]."""
        shape = (len(self.circles), -1)
        if not np.isfinite(outputs).all():
            return Weighted(np.full_like(outputs, np.nan), lambda: math.inf)
        sums = centred(self, outputs.reshape(shape))
        low, high = sums.ranges.T
        straddling = (low <= LOG_ACCURACY) & (high >= -LOG_ACCURACY)
        if (high - low)[straddling].max(initial=0.0) > MAX_SPREAD:
            return Weighted(np.full_like(outputs, np.nan), lambda: math.inf)
        risk = 0.0
        by_cell = np.zeros_like(outputs).reshape(shape)
        for index, circle in enumerate(self.circles):
            row, base, f = by_cell[index], float(sums.base[index]), sums.parts[index]
            if straddling[index]:
                risk += self._add_straddling(circle, row, base=base, f=f, low=low[index], high=high[index])
            elif high[index] < 0:
                risk -= circle.probability * base + float(circle.expected_counts @ f)
                row -= circle.expected_counts
                row[self.law.signal] -= circle.probability
        return Weighted(by_cell.ravel(), lambda: risk)

    def _add_straddling(
        self, circle: Circle, row: np.ndarray, *, base: float, f: np.ndarray, low: float, high: float
    ) -> float:
        """Expected loss at one total where F may have either sign; adds its slope by type to `row`."""
        # At least 34 on both sides of 0: the peaks must not touch, or the integral from 0 would miss a part of one.
        up, down = max(high, 0.0) + LOG_ACCURACY, LOG_ACCURACY - min(low, 0.0)
        step = 2 * math.pi / (up + down)
        constant = (up - down) / (up + down)
        one = circle.expected_counts / self.n_random
        slope = one * constant
        mean = circle.probability * base + float(circle.expected_counts @ f)
        integral = constant * mean
        for first, last in blocks(math.ceil(LOG_ACCURACY / math.pi / step)):
            nodes = step * np.arange(first, last)
            # Series of the wave through tanh(x/2): a peak of sech^2/2 at 0 up, at `up` down, integrated once.
            wave = 2 * step / (1j * np.sinh(math.pi * nodes)) * (1 - np.exp(-1j * nodes * up))
            joint = joint_transform(self, circle, base, f, step=step, first=first, last=last)
            slope += (wave @ joint).real
            integral += float((wave / (1j * nodes) @ (joint.sum(axis=1) - circle.probability)).real)
        row -= self.n_random * (one - slope) / 2
        row[self.law.signal] -= (circle.probability - slope.sum()) / 2
        # log(1 + e^-x) = log 2 - x/2 + half the integral of tanh(x/2) from 0.
        return float(math.log(2) * circle.probability - mean / 2 + integral / 2)


def blocks(n_nodes: int) -> Iterator[tuple[int, int]]:
    """Nodes 1 .. n_nodes in half-open runs of bounded length."""
    for first in range(1, n_nodes + 1, NODE_BLOCK):
        yield first, min(first + NODE_BLOCK, n_nodes + 1)


def fourier_types(setting: Setting) -> FourierTypes:
    """Prepare the integral: relevant totals, and for each a circle with as few angles as its aliasing allows."""
    types = set_types(setting.set_size)
    size, n_random = setting.set_size, setting.n_sets - 1
    sums = types[:, 0] - types[:, 1]
    law = SetLaw(size, types, sums, type_probabilities(types, setting), int(np.flatnonzero(types[:, 0] == size)[0]))
    of_sum = np.bincount(sums + size, law.probabilities, minlength=2 * size + 1)
    without_one = convolved(of_sum, n_random - 1)
    of_total = np.convolve(without_one, of_sum)
    circles = tuple(
        _circle(law, setting, int(index), of_total=of_total, without_one=without_one)
        for index in np.flatnonzero(of_total > math.exp(LOG_NEGLIGIBLE))
    )
    plus, minus = types.T
    own = np.array([1.0, -1.0, 0.0])
    cells = (len(circles), len(types), 3)
    rest = np.array([circle.total for circle in circles])[:, None] - sums
    multiplicity = np.column_stack([plus, minus, size - plus - minus]).astype(float)
    shapes = (multiplicity, own, sums[:, None] - own, rest[..., None].astype(float))
    spread = [np.ascontiguousarray(np.broadcast_to(values, cells)).reshape(-1, 3) for values in shapes]
    return FourierTypes(law, n_random, circles, *spread)


def convolved(distribution: np.ndarray, times: int) -> np.ndarray:
    """Distribution of a sum of `times` independent draws; all terms positive, so every probability keeps its digits."""
    result = np.ones(1)
    for _ in range(times):
        result = np.convolve(result, distribution)
    return result


def _circle(law: SetLaw, setting: Setting, index: int, *, of_total: np.ndarray, without_one: np.ndarray) -> Circle:
    """Radius and angles for one total; `index` is its place in the distribution `of_total`."""
    n_random, size = setting.n_sets - 1, law.set_size
    target = index - n_random * size
    log_radius = _saddle(law, target / n_random)
    n_angles = _enough_angles(of_total, index, log_radius, n_random)
    angles = 2 * math.pi / n_angles * np.arange(n_angles)
    values = np.arange(-size, size + 1)
    rest = np.where((target - law.sums >= -(n_random - 1) * size) & (target - law.sums <= (n_random - 1) * size),
                    target - law.sums + (n_random - 1) * size, -1)  # fmt: skip
    probability_of_rest = np.where(rest >= 0, without_one[rest], 0.0)
    return Circle(
        total=target + size, probability=float(of_total[index]),
        expected_counts=n_random * law.probabilities * probability_of_rest,
        forward=(law.probabilities * np.exp(log_radius * law.sums))[:, None] * np.exp(1j * np.outer(law.sums, angles)),
        backward=coefficients(angles, log_radius, target - values), angles=angles, log_radius=log_radius,
    )  # fmt: skip


def coefficients(angles: np.ndarray, log_radius: float, powers: np.ndarray) -> np.ndarray:
    """From values on the circle to the coefficients of x^powers, [angles, powers]."""
    return np.exp(-1j * np.outer(angles, powers) - log_radius * powers) / len(angles)


def _saddle(law: SetLaw, mean: float) -> float:
    """Logarithm of the radius at which a set's tilted mean sum is `mean`, by bisection within +-MAX_TILT."""
    low, high = -MAX_TILT, MAX_TILT
    for _ in range(50):
        middle = (low + high) / 2
        weights = law.probabilities * np.exp(middle * law.sums)
        low, high = (middle, high) if weights @ law.sums < mean * weights.sum() else (low, middle)
    return (low + high) / 2


def _enough_angles(of_total: np.ndarray, index: int, log_radius: float, n_random: int) -> int:
    """Fewest angles whose aliasing, P(z + k n) r^(k n) summed over k != 0, is negligible even for expected counts."""
    shifts = np.arange(len(of_total)) - index
    with np.errstate(divide="ignore"):
        weights = np.exp(np.log(of_total) + log_radius * shifts) * n_random
    for n_angles in range(1, len(of_total)):
        folded = weights[index % n_angles :: n_angles].sum() - weights[index]
        if folded < math.exp(LOG_NEGLIGIBLE):
            return n_angles
    return len(of_total)


def joint_transform(
    types: FourierTypes, circle: Circle, base: float, f: np.ndarray, *, step: float, first: int, last: int
) -> np.ndarray:
    """E[e^(i w F); this total, first random set of each type] at w = first step .. (last - 1) step, [nodes, types]."""
    law = types.law
    waves = harmonics(step * np.append(f, base), first, last)
    waves, signal = waves[:, :-1], waves[:, -1:]
    rest = integer_power(waves @ circle.forward, types.n_random - 1) @ circle.backward
    return waves * rest[:, law.sums + law.set_size] * (law.probabilities * signal)


def harmonics(phase: np.ndarray, first: int, last: int) -> np.ndarray:
    """e^(i j phase) for first <= j < last, [last - first, phases]: two short tables in place of all exponentials."""
    count = last - first
    width = math.isqrt(count - 1) + 1
    fine = np.exp(1j * np.arange(width)[:, None] * phase)
    coarse = np.exp(1j * (first + width * np.arange(-(-count // width)))[:, None] * phase)
    return (coarse[:, None] * fine).reshape(-1, len(phase))[:count]


def integer_power(base: np.ndarray, exponent: int) -> np.ndarray:
    """Elementwise power by repeated squaring; complex `**` would take logarithms."""
    result = None
    while exponent:
        if exponent & 1:
            result = base if result is None else result * base
        exponent >>= 1
        if exponent:
            base = base * base
    return np.ones_like(base) if result is None else result


@dataclass(frozen=True)
class CentredOutputs:
    """F = base + sum of parts over the random sets, at each total.

    The sums s of the random sets add up to z - C. So any multiple of s can move from the parts into the base, and the
    multiple that makes the parts smallest leaves the least range, none at all where F depends on z alone.

    Attributes:
        base: [totals].
        parts: of a random set by its type, [totals, types].
        ranges: an interval outside of which the probability of F is negligible, [totals, 2].
    """

    base: np.ndarray
    parts: np.ndarray
    ranges: np.ndarray


def centred(types: FourierTypes, outputs: np.ndarray) -> CentredOutputs:
    """Split F at each total; `outputs` f of one set, [totals, types].

    P[F >= x; total z] <= e^(k (base - x)) r^-(z - C) (sum_t p_t r^(s_t) e^(k part(t)))^(L - 1) for every k > 0.
    """
    law, n_random = types.law, types.n_random
    log_radius = np.array([circle.log_radius for circle in types.circles])
    target = np.array([circle.total for circle in types.circles]) - law.set_size
    tilted = law.probabilities * np.exp(log_radius[:, None] * law.sums)
    multiple = (tilted * law.sums * outputs).sum(axis=1) / np.maximum((tilted * law.sums**2).sum(axis=1), SMALLEST)
    base = outputs[:, law.signal] + multiple * target
    parts = outputs - multiple[:, None] * law.sums
    exponents = CHERNOFF / np.maximum(np.abs(parts).max(axis=1), SMALLEST)[:, None]
    with np.errstate(divide="ignore"):
        log_tilted = np.log(tilted)
    ends = []
    for sign in (-1.0, 1.0):
        terms = log_tilted[:, None, :] + sign * exponents[..., None] * parts[:, None, :]
        top = terms.max(axis=2)
        log_sum = top + np.log(np.exp(terms - top[..., None]).sum(axis=2))
        chernoff = (n_random * log_sum - (log_radius * target)[:, None] - LOG_NEGLIGIBLE) / exponents
        furthest = n_random * (sign * parts).max(axis=1)
        ends.append(base + sign * np.minimum(chernoff.min(axis=1), furthest))
    return CentredOutputs(base=base, parts=parts, ranges=np.column_stack(ends))
