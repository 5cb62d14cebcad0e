"""Measurements without training: sampled data against their model, the labelling function, the network at the start.

[jelassi2022, Assumptions 1 and 2, Definition 2.1, section 4.1]
"""

from __future__ import annotations

import numpy as np
import torch

from sim.spatial_vit.network import model
from sim.spatial_vit.network.data import permuted_sets, random_feature, sample
from sim.spatial_vit.network.lattice import labelling_law, not_positive
from sim.spatial_vit.network.setting import Setting, data_setting
from sim.trials.trial import Outcome, TrialResult
from sim.trials.validation import require_integer, require_non_negative, require_one_of

GROWTHS = ("fixed", "log", "log_squared")


def measure_data(
    *,
    n_patches: int,
    set_size: int,
    spurious_rate: float,
    patch_dimension: int,
    n_samples: int,
    drawn_rate: float | None = None,
    generator: torch.Generator,
) -> TrialResult:
    """Count in drawn data what the data model makes a frequency, and measure what it makes certain.

    Observables:
        structure_deviation: largest deviation of a signal patch's coefficient from the label, and of any <w*, X_j>
            from its coefficient (hence of the noise from orthogonality to w*).
        n_positive_labels, n_samples: labels 1.
        n_plus, n_minus, n_random: random patches with w*, with -w*, in all.
        n_agree, n_pairs: neighbouring non-zero random patches of equal sign, out of such pairs.
        most_frequent_set, least_frequent_set, n_sets: how often the sets were the signal set.
        noise_energy, noise_freedom: sum of squares of the noise over sigma^2 = 1/d, and its degrees of freedom.

    Args:
        drawn_rate: the rate of spurious features that data are drawn with, where it is not `spurious_rate`: a fault.

    Raises:
        ValueError: on bad input.
    """
    rate = spurious_rate if drawn_rate is None else drawn_rate
    setting = data_setting(n_patches=n_patches, set_size=set_size, spurious_rate=rate)
    require_integer(least=1, n_samples=n_samples)
    require_integer(least=2, patch_dimension=patch_dimension)
    sets = permuted_sets(setting, generator)
    feature = random_feature(patch_dimension, generator)
    drawn = sample(setting, sets, feature=feature, n_samples=n_samples, generator=generator)

    projections = drawn.patches @ feature
    signal = sets == drawn.signal_set[:, None]
    wrong_signal = (drawn.coefficients - drawn.labels[:, None])[signal].abs().max()
    random = drawn.coefficients[~signal].reshape(n_samples, -1)
    products = random[:, 1:] * random[:, :-1]
    noise = drawn.patches - projections[..., None] * feature
    frequencies = torch.bincount(drawn.signal_set, minlength=setting.n_sets)
    return TrialResult(
        Outcome.CONVERGED,
        {
            "structure_deviation": float(torch.maximum(wrong_signal, (projections - drawn.coefficients).abs().max())),
            "n_positive_labels": int((drawn.labels > 0).sum()),
            "n_plus": int((random == 1).sum()),
            "n_minus": int((random == -1).sum()),
            "n_random": random.numel(),
            "n_agree": int((products > 0).sum()),
            "n_pairs": int((products != 0).sum()),
            "most_frequent_set": int(frequencies.max()),
            "least_frequent_set": int(frequencies.min()),
            "n_sets": setting.n_sets,
            "noise_energy": float(noise.square().sum()) * patch_dimension,
            "noise_freedom": n_samples * n_patches * (patch_dimension - 1),
        },
    )


def measure_labelling(
    *,
    growth: str,
    first_doubling: int,
    last_doubling: int,
    set_size: int = 4,
    spurious_degree: float = 1.0,
    generator: torch.Generator,
) -> TrialResult:
    """Compute P[y f* <= 0] exactly along L = 2^k sets, with C growing by a rule and q = C^degree / D.

    Curves, [doublings]: `n_patches`, `set_sizes`, `error`.

    Args:
        growth: C is `set_size` ("fixed"), k ("log"), or k^2 / 4 rounded ("log_squared").
        first_doubling, last_doubling: the range of k.

    Raises:
        ValueError: on bad input.
    """
    del generator  # nothing is drawn
    require_one_of("growth", growth, GROWTHS)
    require_integer(least=2, first_doubling=first_doubling, set_size=set_size)
    require_integer(least=first_doubling + 1, last_doubling=last_doubling)
    require_non_negative(spurious_degree=spurious_degree)
    rows = []
    for k in range(first_doubling, last_doubling + 1):
        size = {"fixed": set_size, "log": k, "log_squared": max(2, round(k**2 / 4))}[growth]
        n_patches = size * 2**k
        rate = size**spurious_degree / n_patches
        setting = data_setting(n_patches=n_patches, set_size=size, spurious_rate=rate)
        law = labelling_law(n_patches=setting.n_patches, set_size=size, spurious_rate=setting.spurious_rate)
        rows.append((n_patches, size, not_positive(law)))
    n_patches, sizes, errors = np.array(rows, dtype=float).T
    curves = {"n_patches": n_patches, "set_sizes": sizes, "error": errors}
    return TrialResult(Outcome.CONVERGED, {"last_error": float(errors[-1])}, curves)


def measure_start(
    *,
    n_patches: int,
    set_size: int,
    activation_power: int,
    linear_coefficient: float,
    diagonal_logit: float,
    n_points: int = 20,
    generator: torch.Generator,
) -> TrialResult:
    """Ask the network at its initial attention whether it sees the patches through one weighted sum alone.

    A generalized linear model has the same output at all patches of the same sum, and one direction of the gradient.
    Permuting patches changes nothing at this attention, so that its weights could only be equal.

    Observables, of the network as it is and (`linear_*`) without its activation, as equation (2) prints it:
        sum_deviation: largest difference of outputs between points of equal sum, relative to the outputs.
        gradient_turn: largest sine of the angle between gradients at two points.
        lone_output, spread_output: F at two data points of total 1: one patch with w*; two with w* and one with -w*.

    Raises:
        ValueError: on bad input.
    """
    setting = Setting(
        n_patches=n_patches, set_size=set_size, spurious_rate=0.0, activation_power=activation_power,
        linear_coefficient=linear_coefficient, diagonal_logit=diagonal_logit, temperature=1.0,
    )  # fmt: skip
    require_integer(least=2, n_points=n_points)
    require_integer(least=3, n_patches=n_patches)
    logits = diagonal_logit * torch.eye(n_patches, dtype=torch.float64)
    points = torch.randn(n_points, n_patches, generator=generator, dtype=torch.float64)
    moves = torch.randn(n_points, n_patches, generator=generator, dtype=torch.float64)
    moved = points + moves - moves.mean(dim=1, keepdim=True)
    pair = torch.zeros(2, n_patches, dtype=torch.float64)
    pair[:, 0] = pair[1, 1] = 1.0
    pair[1, 2] = -1.0

    def full(x: torch.Tensor) -> torch.Tensor:
        return model.output(x, logits, setting)

    def linear(x: torch.Tensor) -> torch.Tensor:
        return (x @ model.attention(logits, setting.temperature).T).sum(dim=1)

    found: dict[str, float] = {}
    for prefix, function in (("", full), ("linear_", linear)):
        here, there = function(points), function(moved)
        found[f"{prefix}sum_deviation"] = float((here - there).abs().max() / here.abs().max())
        tracked = points.clone().requires_grad_()
        found[f"{prefix}gradient_turn"] = _largest_turn(torch.autograd.grad(function(tracked).sum(), tracked)[0])
    lone, spread = full(pair).tolist()
    return TrialResult(Outcome.CONVERGED, {**found, "lone_output": lone, "spread_output": spread})


def _largest_turn(gradients: torch.Tensor) -> float:
    """Largest sine of the angle to the first of the gradients [points, patches]."""
    unit = gradients / gradients.norm(dim=1, keepdim=True)
    across = unit - (unit @ unit[0])[:, None] * unit[0]
    return float(across.norm(dim=1).max())
