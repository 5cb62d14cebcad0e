"""Measure the closed-form reduced gradient, and the symmetries behind it, against autograd of the full network.

The two sides share nothing but the setting: one evaluates set types with hand-written derivatives, the other lets
autograd differentiate the network (T) on all 3^(D - C) configurations. [jelassi2022, Lemmas 4.1, 4.2]
"""

from __future__ import annotations

from dataclasses import dataclass, replace

import numpy as np
import torch

from sim.spatial_vit.network import model
from sim.spatial_vit.network.association import three_value_deviation
from sim.spatial_vit.network.data import contiguous_sets, random_feature, sample_coefficients, sample_noise
from sim.spatial_vit.network.setting import Setting
from sim.spatial_vit.reduced import enumeration, population
from sim.trials.trial import Outcome, TrialResult
from sim.trials.validation import require_integer

LARGEST_LOGIT = 2.0
"""Random logits are uniform in [-2, 2], beyond both sides of every trajectory's start."""
LARGEST_PREACTIVATION = 2.0
"""Random alphas are uniform in (0, 2 / D]: |u| <= D alpha, and a saturated loss would leave nothing to compare."""


@dataclass(frozen=True)
class AutogradGradient:
    """Autograd derivatives of the exact population risk by A [patches, patches] and by alpha."""

    risk: float
    logits: torch.Tensor
    alignment: float


def autograd_gradient(
    setting: Setting, sets: torch.Tensor, *, logits: torch.Tensor, alignment: float
) -> AutogradGradient:
    """Differentiate the full network's exact population risk by torch autograd, chunk by chunk."""
    leaf = logits.clone().requires_grad_()
    alpha = torch.tensor(alignment, dtype=torch.float64, requires_grad=True)
    risk = 0.0
    for coefficients, probability in enumeration.enumerate_fully(setting, sets):
        outputs = model.output(alpha * coefficients, leaf, setting)
        part = model.logistic_risk(outputs, torch.ones_like(probability), probability)
        part.backward()
        risk += part.item()
    return AutogradGradient(risk=risk, logits=_grad(leaf), alignment=float(_grad(alpha)))


def value_gradient(
    patches: torch.Tensor, labels: torch.Tensor, *, logits: torch.Tensor, value: torch.Tensor, setting: Setting
) -> torch.Tensor:
    """Autograd derivative of the mean logistic risk by the value vector, [dimension]."""
    leaf = value.clone().requires_grad_()
    weights = torch.full_like(labels, 1 / len(labels))
    model.logistic_risk(model.forward(patches, logits, leaf, setting), labels, weights).backward()
    return _grad(leaf)


def _grad(leaf: torch.Tensor) -> torch.Tensor:
    """The gradient that `backward` left."""
    if leaf.grad is None:
        raise RuntimeError("the loss must depend on every leaf, got one without a gradient")
    return leaf.grad


def measure_gradients(
    *,
    n_patches: int,
    set_size: int,
    spurious_rate: float,
    activation_power: int,
    linear_coefficient: float,
    temperature: float = 1.0,
    n_points: int = 4,
    patch_dimension: int = 64,
    n_samples: int = 500,
    generator: torch.Generator,
) -> TrialResult:
    """Compare gradients at random (alpha, beta, gamma, rho) and report the largest deviations.

    Observables:
        gradient_deviation, relative_gradient_deviation: closed form against autograd, absolute and by component.
        class_deviation: spread of dL/dA_ij inside a class, by its largest entry.
        increment_identity: |d beta + (C - 1) d gamma + (D - C) d rho|, by its largest term.
        span_deviation: norm of dL/dv orthogonal to w* by the norm along it, with every noise drawn together with its
            negative, so that only rounding is left.
        sampled_span_deviation: the same without the negatives, which shows what the pairing removes.

    Raises:
        ValueError: on bad input, or where n_patches is too large to enumerate.
    """
    require_integer(least=1, n_points=n_points, n_samples=n_samples)
    require_integer(least=2, patch_dimension=patch_dimension)
    setting = Setting(
        n_patches=n_patches, set_size=set_size, spurious_rate=spurious_rate, activation_power=activation_power,
        linear_coefficient=linear_coefficient, diagonal_logit=0.0, temperature=temperature,
    )  # fmt: skip
    table = population.exact_types(setting)
    worst: dict[str, float] = {}
    for _ in range(n_points):
        draw = torch.rand(4, generator=generator, dtype=torch.float64)
        diagonal, within, across = (LARGEST_LOGIT * (2 * draw[1:] - 1)).tolist()
        at = replace(setting, diagonal_logit=diagonal)
        alignment = LARGEST_PREACTIVATION / n_patches * (1 - float(draw[0]))
        found = _compare_reduced(table, at, alignment=alignment, within=within, across=across)
        found |= _measure_span(
            at, alignment=alignment, within=within, across=across,
            dimension=patch_dimension, n_samples=n_samples, generator=generator,
        )  # fmt: skip
        for name, value in found.items():
            worst[name] = max(worst.get(name, 0.0), value)
    return TrialResult(Outcome.CONVERGED, {**worst, "n_rows": table.n_rows, "n_points": n_points})


def _compare_reduced(
    table: population.SetTypes, setting: Setting, *, alignment: float, within: float, across: float
) -> dict[str, float]:
    """Deviations of the closed form from autograd, and of autograd from three values."""
    sets = contiguous_sets(setting)
    closed = population.reduced_gradient(table, setting, alignment=alignment, within=within, across=across)
    logits = _three_values(setting, sets, within=within, across=across)
    full = autograd_gradient(setting, sets, logits=logits, alignment=alignment)
    same_set = sets[:, None] == sets[None, :]
    eye = torch.eye(setting.n_patches, dtype=torch.bool)
    by_class = [float(full.logits[mask].mean()) for mask in (eye, same_set & ~eye, ~same_set)]
    mine = np.array([closed.risk, closed.alignment, closed.diagonal, closed.within, closed.across])
    theirs = np.array([full.risk, full.alignment, *by_class])
    terms = np.array(by_class) * [1, setting.set_size - 1, setting.n_patches - setting.set_size]
    return {
        "gradient_deviation": float(np.abs(mine - theirs).max()),
        "relative_gradient_deviation": float(np.abs((mine - theirs) / theirs).max()),
        "class_deviation": three_value_deviation(full.logits, sets) / float(full.logits.abs().max()),
        "increment_identity": float(abs(terms.sum()) / np.abs(terms).max()),
    }


def _measure_span(
    setting: Setting, *, alignment: float, within: float, across: float,
    dimension: int, n_samples: int, generator: torch.Generator,
) -> dict[str, float]:  # fmt: skip
    """Share of dL/dv orthogonal to w*, with antithetic noise and without."""
    sets = contiguous_sets(setting)
    feature = random_feature(dimension, generator)
    logits = _three_values(setting, sets, within=within, across=across)
    coefficients, labels, _ = sample_coefficients(setting, sets, n_samples=n_samples, generator=generator)
    signal = coefficients[..., None] * feature
    noise = sample_noise(feature, n_samples=n_samples, n_patches=setting.n_patches, generator=generator)
    found = {}
    for name, patches, y in (
        ("span_deviation", torch.cat([signal + noise, signal - noise]), labels.repeat(2)),
        ("sampled_span_deviation", signal + noise, labels),
    ):
        by_value = value_gradient(patches, y, logits=logits, value=alignment * feature, setting=setting)
        along = by_value @ feature
        found[name] = float((by_value - along * feature).norm() / along.abs())
    return found


def _three_values(setting: Setting, sets: torch.Tensor, *, within: float, across: float) -> torch.Tensor:
    """Float64 logits of the three classes."""
    diagonal, same, other = torch.tensor([setting.diagonal_logit, within, across], dtype=torch.float64)
    return model.three_valued_logits(sets, diagonal=diagonal, within=same, across=other)
