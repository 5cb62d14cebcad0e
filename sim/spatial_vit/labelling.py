"""How often the labelling function f*, the total of all signs and the label disagree: exact, at any size.

Given y = 1 the signal set sums to C and the other sets are independent, so the joint law of the total T and of f* is a
product of L - 1 equal laws, convolved one set after another. It says what any network can reach, and what the total
alone can, which is all that uniform attention sees. [jelassi2022, Assumption 1]
"""

from __future__ import annotations

import functools
from dataclasses import dataclass

import numpy as np

from sim.spatial_vit.data import LABEL_THRESHOLD
from sim.spatial_vit.setting import Setting


@dataclass(frozen=True)
class Disagreement:
    """Probabilities of a data point.

    Attributes:
        floor: f* = 0; least possible test error P[F f* <= 0].
        label_floor: y f* <= 0; the error of f* itself as a classifier.
        total_wrong: the total's sign contradicts f*.
        total_tied: the total is 0 and f* is not.
    """

    floor: float
    label_floor: float
    total_wrong: float
    total_tied: float

    @property
    def structure_level(self) -> float:
        """Test error half way from that of uniform attention, its ties drawn by lot, to the floor.

        Uniform attention knows the total alone; noise in v breaks its ties, and breaks them wrongly half of the time.
        """
        return self.floor + self.total_wrong / 2 + self.total_tied / 4


@functools.cache
def disagreement(setting: Setting) -> Disagreement:
    """Compute the probabilities above by convolution over the sets that are not the signal set."""
    patches, size = setting.n_patches, setting.set_size
    signs = np.array([setting.spurious_rate / 2, 1 - setting.spurious_rate, setting.spurious_rate / 2])
    sums = functools.reduce(np.convolve, [signs] * size)
    joint = np.zeros((2 * patches + 1, 2 * patches + 1))
    joint[patches + size, patches + size] = 1.0
    for _ in range(setting.n_sets - 1):
        moved = np.zeros_like(joint)
        for total, probability in zip(range(-size, size + 1), sums, strict=True):
            counted = total if abs(total) > LABEL_THRESHOLD * size else 0
            moved += probability * np.roll(joint, (total, counted), axis=(0, 1))  # nothing reaches the edges
        joint = moved
    value = np.arange(-patches, patches + 1)
    products = np.outer(value, value)
    known = joint * (value != 0)
    return Disagreement(
        floor=float(joint[:, patches].sum()),
        label_floor=float(joint[:, : patches + 1].sum()),
        total_wrong=float(joint[products < 0].sum()),
        total_tied=float(known[patches].sum()),
    )
