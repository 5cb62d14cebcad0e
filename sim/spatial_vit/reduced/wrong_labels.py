"""How often the labelling function contradicts the label, by the law of a set's sum."""

from __future__ import annotations

import numpy as np

from sim.spatial_vit.network.data import LABEL_THRESHOLD
from sim.spatial_vit.network.setting import Setting
from sim.spatial_vit.reduced.fourier import convolved
from sim.spatial_vit.reduced.population import set_types, type_probabilities


def wrong_share(setting: Setting) -> float:
    """P[y f* <= 0]: the label is 1, and random sets whose sums pass the threshold add up to -C or less."""
    size, types = setting.set_size, set_types(setting.set_size)
    sums = types[:, 0] - types[:, 1]
    passed = np.where(np.abs(sums) > LABEL_THRESHOLD * size, sums, 0)
    of_set = np.bincount(passed + size, type_probabilities(types, setting), minlength=2 * size + 1)
    n_random = setting.n_sets - 1
    law = convolved(of_set, n_random)
    return float(law[: (n_random - 1) * size + 1].sum())
