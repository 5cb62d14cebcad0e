"""The best generalized linear model that samples yield: weights by logistic regression, phi a step function."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

RIDGE = 1e-3
"""Of the logistic regression; without it, separable data would send its weights to infinity."""
NEWTON_STEPS = 25
N_STEPS = 64
"""Steps of a fitted phi: of equal training counts."""


def fit_logistic(features: np.ndarray, labels: np.ndarray) -> np.ndarray:
    """Weights [features] of least logistic risk with a small ridge, by Newton's method.

    Args:
        features: [samples, features].
        labels: -1 or 1, [samples].
    """
    weights = np.zeros(features.shape[1])
    penalty = RIDGE * np.eye(features.shape[1])
    for _ in range(NEWTON_STEPS):
        chance = 1 / (1 + np.exp(np.clip(labels * (features @ weights), -500, 500)))
        gradient = -features.T @ (chance * labels) / len(labels) + RIDGE * weights
        curvature = (features * (chance * (1 - chance))[:, None]).T @ features / len(labels) + penalty
        step = np.linalg.solve(curvature, gradient)
        weights -= step
        if np.abs(step).max() < 1e-8:
            break
    return weights


@dataclass(frozen=True)
class StepFunction:
    """A function constant between its edges [steps - 1], with `heights` [steps]."""

    edges: np.ndarray
    heights: np.ndarray

    def __call__(self, values: np.ndarray) -> np.ndarray:
        """Evaluate elementwise."""
        return self.heights[np.searchsorted(self.edges, values, side="right")]


def fit_steps(values: np.ndarray, labels: np.ndarray, *, n_steps: int = N_STEPS) -> StepFunction:
    """The majority of labels on each of `n_steps` steps of equal counts; nothing makes it monotone."""
    edges = np.quantile(values, np.arange(1, n_steps) / n_steps)
    step = np.searchsorted(edges, values, side="right")
    return StepFunction(edges, np.sign(np.bincount(step, weights=labels, minlength=n_steps)))
