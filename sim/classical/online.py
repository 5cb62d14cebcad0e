"""Adam and AMSGrad on the periodic linear losses C x, -x, -x over [-1, 1]. [reddi2018, section 3]"""

from __future__ import annotations

import math

import numpy as np
import torch

from sim.trials.trial import Outcome, TrialResult
from sim.trials.validation import require, require_integer, require_one_of, require_positive

METHODS = ("adam", "amsgrad")


def simulate_online(
    *, method: str, steepness: float, rate: float, n_steps: int, start: float = 1.0, generator: torch.Generator
) -> TrialResult:
    """Follow a method without momentum, beta_2 = 1 / (1 + C^2) and steps rate / sqrt(t), from `start`.

    The regret is against the best fixed point in hindsight, -1, and is recorded after whole periods of three.

    Args:
        method: "adam", or "amsgrad" with the running maximum of its second moments.
        steepness: C, above 2.
        rate: of the steps.
        n_steps: losses seen.
        start: first point.

    Returns:
        Curves `step` and `regret`; observable `last_point`.
    """
    del generator  # nothing is drawn
    require_one_of("method", method, METHODS)
    require(steepness > 2, "steepness", "be > 2", steepness)
    require_positive(rate=rate)
    require_integer(least=3, n_steps=n_steps)
    require(-1 <= start <= 1, "start", "lie in [-1, 1]", start)
    memory = 1 / (1 + steepness**2)
    recorded = set((3 * np.unique(np.geomspace(1, n_steps // 3, 100).astype(int))).tolist())
    point, moment, divisor, regret = start, 0.0, 0.0, 0.0
    steps, regrets = [], []
    for step in range(1, n_steps + 1):
        gradient = steepness if step % 3 == 1 else -1.0
        regret += gradient * (point + 1)
        moment = memory * moment + (1 - memory) * gradient**2
        divisor = max(divisor, moment) if method == "amsgrad" else moment
        point = min(1.0, max(-1.0, point - rate / math.sqrt(step) * gradient / math.sqrt(divisor)))
        if step in recorded:
            steps.append(step)
            regrets.append(regret)
    curves = {"step": np.array(steps, dtype=float), "regret": np.array(regrets)}
    return TrialResult(Outcome.CONVERGED, {"last_point": point}, curves)
