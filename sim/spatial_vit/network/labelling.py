"""How often the labelling function f*, the total of all signs and the label disagree: exact, at any size.

It says what any network can reach, and what the total alone can, which is all that uniform attention sees.
[jelassi2022, Assumption 1]
"""

from __future__ import annotations

import functools
from dataclasses import dataclass

import numpy as np

from sim.spatial_vit.network.lattice import joint_law
from sim.spatial_vit.network.setting import Setting


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
def disagreement(setting: Setting, *, decided: bool = False) -> Disagreement:
    """Compute the probabilities above from the joint law of the total and f* given y = 1.

    Args:
        decided: given that f* gets the label right, y f* > 0.
    """
    patches = setting.n_patches
    joint = joint_law(n_patches=patches, set_size=setting.set_size, spurious_rate=setting.spurious_rate)
    value = np.arange(-patches, patches + 1)
    if decided:
        joint = np.where(value > 0, joint, 0.0)
        joint = joint / joint.sum()
    return Disagreement(
        floor=float(joint[:, value == 0].sum()),
        label_floor=float(joint[:, value <= 0].sum()),
        total_wrong=float(joint[np.outer(value, value) < 0].sum()),
        total_tied=float(joint[patches, value != 0].sum()),
    )
