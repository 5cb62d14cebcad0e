"""What a run of the exact flow does between two looks: softmax values, and gamma's increment over Lemma 4.3's display.

Read off the state alone, so that every run whose state was kept can be asked. [jelassi2022, section 4.1, Lemma 4.3]
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from checks.evidence.later import np
from sim.trials.trial import Trial

if TYPE_CHECKING:
    import numpy as np


@dataclass(frozen=True)
class Softmax:
    """Gamma and G at each look, [looks]."""

    within: np.ndarray
    own_set: np.ndarray


def softmax_of(trial: Trial) -> Softmax:
    """The reduced softmax of section 4.1 at each look, from gamma, rho and the held diagonal."""
    curves, at = trial.result.curves, trial.spec.parameters
    patches, size, tau = int(at["n_patches"]), int(at["set_size"]), float(at.get("temperature", 1.0))
    own, within, across = (
        np.exp(np.asarray(logit) / tau)
        for logit in (float(at["diagonal_logit"]), curves["within_logit"], curves["across_logit"])
    )
    normaliser = own + (size - 1) * within + (patches - size) * across
    return Softmax(within / normaliser, patches * (own + (size - 1) * within) / normaliser)


@dataclass(frozen=True)
class BetweenLooks:
    """Between neighbouring looks, [looks - 1].

    Attributes:
        factor: gamma's change over the integral of alpha^p Gamma G^(p-1) over flow time; NaN where no time passes.
        outside_weight: 1 - G/D, geometric mean of both looks.
        risk: the population risk, likewise.
    """

    factor: np.ndarray
    outside_weight: np.ndarray
    risk: np.ndarray


def between_looks(trial: Trial) -> BetweenLooks:
    """Gamma's increments along a run, each over what Lemma 4.3 says of it with polylog(d) = 1."""
    curves, at = trial.result.curves, trial.spec.parameters
    softmax, power = softmax_of(trial), int(at["activation_power"])
    display = curves["feature_alignment"] ** power * softmax.within * softmax.own_set ** (power - 1)
    rise, time = np.diff(curves["within_logit"]), np.diff(curves["flow_time"])
    outside = 1 - softmax.own_set / int(at["n_patches"])
    passed = _middle(display) * time
    factor = np.divide(rise, passed, out=np.full_like(rise, np.nan), where=passed != 0)
    return BetweenLooks(factor, _middle(outside), _middle(curves["risk"]))


def _middle(values: np.ndarray) -> np.ndarray:
    """Geometric mean of neighbours; looks are equally far apart in the logarithm of time."""
    return np.sqrt(values[1:] * values[:-1])
