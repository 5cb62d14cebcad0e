"""Error probabilities of the reduced network at any D, by the Fourier integral of `fourier` with a bracket.

An indicator has no convergent series, so it is smoothed by a Gaussian of width w: a probability of F <= 0 then lies
between those of F <= -6.5 w and F <= 6.5 w, up to 1e-10. w is a small part of the range of F at each total, so that the
bracket narrows with the number of nodes. Two things are exact instead:

- Ties, F = 0, which count as errors. Beyond coincidences they are the data points that are a permutation of their own
  negative, whose probability is a coefficient of a product of one short series for each pair of types (t, -t).
- The labelling function f*, the sum of those set sums beyond 0.9 C. Random sets of such types are few: every choice of
  them is listed until its probability is negligible, and the integral covers the others. A tie has f* = 0.
"""

from __future__ import annotations

import itertools
import math
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np

from sim.spatial_vit.network.data import LABEL_THRESHOLD
from sim.spatial_vit.reduced.fourier import (
    CentredOutputs,
    Circle,
    FourierTypes,
    blocks,
    centred,
    coefficients,
    convolved,
    harmonics,
    integer_power,
)

WIDTHS = 6.5
"""Half of the bracket and, inverted, where the series ends, in widths of the Gaussian: its tail there is 4e-11."""
LEAST_EVENT = 1e-9
"""Choices of sets beyond the label's threshold that are together rarer are part of the uncertainty."""
ROUNDING = 1e-12
"""A total at which outputs are this share of the largest or less holds nothing but ties."""


@dataclass(frozen=True)
class ErrorRates:
    """P[F f* <= 0] and P[y F <= 0], ties being errors, and the most that either may be off."""

    test_error: float
    label_error: float
    uncertainty: float


@dataclass(frozen=True)
class Event:
    """A choice of random sets whose sums exceed the label's threshold; all other random sets do not.

    Attributes:
        chosen: their types, sorted.
        weight: number of ways times their probability.
        total: of their sums.
        rest: probabilities of the types left to the others, [types].
        rest_totals: distribution of the others' total, from -n_rest C to n_rest C.
        n_rest: number of the others.
        set_size: C.
    """

    chosen: tuple[int, ...]
    weight: float
    total: int
    rest: np.ndarray
    rest_totals: np.ndarray
    n_rest: int
    set_size: int

    def at(self, target: int) -> float:
        """Probability of the event together with this total of all random sets."""
        place = target - self.total + self.n_rest * self.set_size
        return self.weight * float(self.rest_totals[place]) if 0 <= place < len(self.rest_totals) else 0.0

    @property
    def probability(self) -> float:
        """Of the event at any total."""
        return self.weight * float(self.rest_totals.sum())


def events(types: FourierTypes) -> Iterator[Event]:
    """List the choices from the likeliest numbers of sets on, until what is left is negligible."""
    law, left = types.law, 1.0
    large = np.abs(law.sums) > LABEL_THRESHOLD * law.set_size
    rest = np.where(large, 0.0, law.probabilities)
    of_sum = np.bincount(law.sums + law.set_size, rest, minlength=2 * law.set_size + 1)
    for number in range(types.n_random + 1):
        totals = convolved(of_sum, types.n_random - number)
        for chosen in itertools.combinations_with_replacement(np.flatnonzero(large).tolist(), number):
            orders = math.prod(math.factorial(count) for count in Counter(chosen).values())
            weight = math.perm(types.n_random, number) / orders * float(law.probabilities[list(chosen)].prod())
            event = Event(
                chosen, weight, int(law.sums[list(chosen)].sum()), rest, totals, types.n_random - number, law.set_size
            )  # fmt: skip
            left -= event.probability
            yield event
        if left < LEAST_EVENT:
            return


def tie_probability(types: FourierTypes) -> float:
    """P[the set types, signal set included, are those of the negative]: then F = 0 whatever the network."""
    law, n_random = types.law, types.n_random
    series = np.zeros(n_random + 1)
    series[0] = 1.0
    for (plus, minus), p in zip(law.types.tolist(), law.probabilities.tolist(), strict=True):
        if plus < minus:
            continue
        term = np.zeros(n_random + 1)
        if plus == minus:
            term[:] = [p**k / math.factorial(k) for k in range(n_random + 1)]
        else:
            # k of type t and k of type -t; one more of the latter where the signal set is of type t.
            odd = int(plus == law.set_size)
            for k in range((n_random - odd) // 2 + 1):
                term[2 * k + odd] = p ** (2 * k + odd) / (math.factorial(k) * math.factorial(k + odd))
        series = np.convolve(series, term)[: n_random + 1]
    return math.factorial(n_random) * float(series[n_random])


def error_rates(types: FourierTypes, outputs: np.ndarray, *, n_nodes: int) -> ErrorRates:
    """Probabilities of errors where a set of each cell adds `outputs` [cells] to F."""
    sums = centred(types, outputs.reshape(len(types.circles), -1))
    # Totals at which F vanishes identically (z = 0 under uniform attention): all ties, and counted apart.
    zero = ROUNDING * max(np.abs(sums.ranges).max(), np.abs(outputs).max())
    vanishing = np.abs(sums.ranges).max(axis=1) <= zero
    vanished = math.fsum(circle.probability for circle in itertools.compress(types.circles, vanishing))
    label, test, left = np.full(3, vanished), np.full(3, vanished), 1.0
    for event in events(types):
        left -= event.probability
        found, other = np.zeros(3), 0.0
        for index, circle in enumerate(types.circles):
            if not vanishing[index]:
                found += _below(types, circle, event, sums, index, n_nodes=n_nodes)
                other += event.at(circle.total - types.law.set_size)
        label += found
        # F f* <= 0: below zero where f* > 0, not below it where f* < 0 (its bracket swaps ends), always where f* = 0.
        labelling = int(np.sign(types.law.set_size + event.total))
        test += {1: found, 0: np.full(3, other), -1: other - found[::-1]}[labelling]
    if not vanishing.any():
        # Smoothing counts half of a tie; the bracket's lower end none, its upper end all of it.
        label += tie_probability(types) * np.array([1.0, 0.5, 0.0])
    spans = [float(np.abs(values - values[1]).max()) for values in (label, test)]
    return ErrorRates(float(test[1]), float(label[1]), max(spans) + max(left, 0.0))


def _below(
    types: FourierTypes, circle: Circle, event: Event, sums: CentredOutputs, index: int, *, n_nodes: int
) -> np.ndarray:
    """P[F below -6.5 w, 0, 6.5 w; the total of this index; event], [3]."""
    low, high = sums.ranges[index]
    probability = event.at(circle.total - types.law.set_size)
    if low > 0 or high < 0 or probability == 0.0:
        return np.full(3, probability if high < 0 else 0.0)
    # Widths such that n_nodes reach to WIDTHS / w, where the series ends, with room for the bracket beside the range.
    width = (high - low) / (2 * math.pi / WIDTHS * n_nodes - 4 * WIDTHS)
    room = 2 * WIDTHS * width
    up, down = max(high, 0.0) + room, room - min(low, 0.0)
    step = 2 * math.pi / (up + down)
    f = sums.parts[index]
    base = sums.base[index] + f[list(event.chosen)].sum()
    thresholds = WIDTHS * width * np.array([-1.0, 0.0, 1.0])
    found = np.full(3, (down / (up + down)) * probability)
    target = np.array([circle.total - types.law.set_size - event.total])
    read = coefficients(circle.angles, circle.log_radius, target)[:, 0]
    for first, last in blocks(math.ceil(WIDTHS / width / step)):
        nodes = step * np.arange(first, last)
        waves = harmonics(step * np.append(f, base), first, last)
        forward = circle.forward * (event.rest > 0)[:, None]
        circled = integer_power(waves[:, :-1] @ forward, event.n_rest)
        transform = event.weight * waves[:, -1] * (circled @ read)
        # A step up at 0 and down at `up`, smoothed; its complement is the indicator of F below.
        wave = 2 / (up + down) * np.exp(-((width * nodes) ** 2) / 2) * (1 - np.exp(-1j * nodes * up)) / (1j * nodes)
        found -= (np.exp(-1j * np.outer(thresholds, nodes)) @ (wave * transform)).real
    return found
