"""What one step of gradient descent on the population risk moves, along one axis of states or sizes.

A trajectory visits only its own states. Here alpha, gamma and rho are set, so that an exponent in D or alpha is read at
one place of state space and at sizes beyond enumeration. [jelassi2022, Lemma 4.3]

Curves, [points]: the axis by its name, `feature_alignment`, the softmax values, `*_descent` (minus the derivative
by alpha and by one entry of each class), `risk`; along learning_rate also `within_moved`, by which one step of
gradient descent changes gamma. Points are log-spaced; of n_patches, multiples of set_size.
"""

from __future__ import annotations

import numpy as np
import torch

from sim.spatial_vit.network.setting import Setting
from sim.spatial_vit.reduced.dynamics import descend, gradient_at
from sim.spatial_vit.reduced.expectation import expect
from sim.spatial_vit.reduced.population import PopulationTable, softmax_values
from sim.trials.trial import Outcome, TrialResult
from sim.trials.validation import require, require_integer, require_one_of, require_positive

AXES = ("n_patches", "alignment_scale", "spurious_patches", "learning_rate")


def measure_steps(
    *,
    axis: str,
    last: float,
    n_points: int,
    n_patches: int,
    set_size: int,
    spurious_patches: float,
    linear_power: float,
    activation_power: int,
    diagonal_logit: float,
    alignment_scale: float = 1.0,
    within_logit: float = 0.0,
    across_logit: float = 0.0,
    temperature: float = 1.0,
    learning_rate: float = 1.0,
    expectation: str = "exact",
    generator: torch.Generator,
) -> TrialResult:
    """Measure the increments of one step per unit learning rate, at points between an argument's value and `last`.

    Args:
        axis: the argument that varies, one of `AXES`.
        last: its value at the last point.
        spurious_patches: q D, the expected number of spurious features were all sets random.
        linear_power: nu = n_patches^-linear_power.
        alignment_scale: alpha over its start nu^(1/(p-1)).
    """
    require_one_of("axis", axis, AXES)
    require_integer(least=3, n_points=n_points)
    require_positive(
        last=last, alignment_scale=alignment_scale, spurious_patches=spurious_patches, linear_power=linear_power,
        learning_rate=learning_rate,
    )  # fmt: skip
    require_integer(least=2, n_patches=n_patches, set_size=set_size)
    arguments = {
        "n_patches": n_patches, "alignment_scale": alignment_scale, "spurious_patches": spurious_patches,
        "learning_rate": learning_rate,
    }  # fmt: skip
    require(last > arguments[axis], "last", f"be above {axis}", last, arguments[axis])
    values = np.geomspace(arguments[axis], last, n_points)
    if axis == "n_patches":
        values = np.unique(np.round(values / set_size).astype(int)) * set_size
    rows: dict[str, list[float]] = {}
    for value in values.tolist():
        at = {**arguments, axis: value}
        setting = Setting(
            n_patches=int(at["n_patches"]), set_size=set_size, spurious_rate=at["spurious_patches"] / at["n_patches"],
            activation_power=activation_power, linear_coefficient=float(at["n_patches"]) ** -linear_power,
            diagonal_logit=diagonal_logit, temperature=temperature,
        )  # fmt: skip
        table = expect(setting, expectation, n_draws=1, generator=generator).table
        start = np.array([at["alignment_scale"] * setting.initial_alignment, within_logit, across_logit])
        moved = at["learning_rate"] if axis == "learning_rate" else None
        for name, number in {axis: value, **_step(table, setting, start, learning_rate=moved)}.items():
            rows.setdefault(name, []).append(float(number))
    curves = {name: np.array(numbers) for name, numbers in rows.items()}
    ends = {f"last_{name}": float(numbers[-1]) for name, numbers in curves.items()}
    return TrialResult(Outcome.CONVERGED, {**ends, "n_points": len(values)}, curves)


def _step(
    table: PopulationTable, setting: Setting, start: np.ndarray, *, learning_rate: float | None
) -> dict[str, float]:
    """The softmax values, the increments and the risk at (alpha, gamma, rho); one real step where there is a rate."""
    gradient = gradient_at(table, setting, start)
    softmax = softmax_values(setting, within=start[1], across=start[2])
    record = {
        "feature_alignment": start[0], "softmax_diagonal": softmax.diagonal, "softmax_within": softmax.within,
        "softmax_across": softmax.across, "own_set_weight": softmax.own_set, "alignment_descent": -gradient.alignment,
        "diagonal_descent": -gradient.diagonal, "within_descent": -gradient.within,
        "across_descent": -gradient.across, "risk": gradient.risk,
    }  # fmt: skip
    if learning_rate is not None:
        path = descend(table, setting, start, learning_rate=learning_rate, n_steps=1, n_records=2)
        record["within_moved"] = path.states[-1][1] - start[1]
    return record
