"""The structured data set: one signal set, spurious features elsewhere, noise orthogonal to the feature.

Sets are an integer tensor `sets` [D]: `sets[j]` is the set of patch j. A data point is described by its feature
coefficients <w*, X_j> in {-1, 0, 1}; the noise never has a component along w*, so the labelling function is exact on
them. [jelassi2022, Assumption 1]
"""

from __future__ import annotations

from dataclasses import dataclass

import torch

from sim.spatial_vit.network.setting import LABEL_THRESHOLD, Setting


@dataclass(frozen=True)
class Dataset:
    """Samples with what generated them.

    Attributes:
        patches: X, [samples, patches, dimension].
        labels: y, [samples], -1 or 1.
        coefficients: <w*, X_j>, [samples, patches], -1, 0 or 1.
        signal_set: index of the signal set, [samples].
    """

    patches: torch.Tensor
    labels: torch.Tensor
    coefficients: torch.Tensor
    signal_set: torch.Tensor


def contiguous_sets(setting: Setting) -> torch.Tensor:
    """Set of each patch where sets are runs of neighbouring patches, [patches]."""
    return torch.arange(setting.n_patches) // setting.set_size


def permuted_sets(setting: Setting, generator: torch.Generator) -> torch.Tensor:
    """Set of each patch under a uniformly random partition into sets of equal size, [patches]."""
    return contiguous_sets(setting)[torch.randperm(setting.n_patches, generator=generator)]


def random_feature(dimension: int, generator: torch.Generator) -> torch.Tensor:
    """A unit vector w* of uniformly random direction, [dimension]."""
    vector = torch.randn(dimension, generator=generator, dtype=torch.float64)
    return vector / vector.norm()


def sample_coefficients(
    setting: Setting, sets: torch.Tensor, *, n_samples: int, generator: torch.Generator
) -> tuple[torch.Tensor, torch.Tensor, torch.Tensor]:
    """Draw feature coefficients [samples, patches], labels [samples] and signal sets [samples]."""
    labels = 2.0 * torch.randint(2, (n_samples,), generator=generator).double() - 1.0
    signal_set = torch.randint(setting.n_sets, (n_samples,), generator=generator)
    # One uniform draw per patch: below q/2 is +1, between q/2 and q is -1, the rest is 0.
    draw = torch.rand(n_samples, setting.n_patches, generator=generator, dtype=torch.float64)
    spurious = (draw < setting.spurious_rate / 2).double() - (
        (draw >= setting.spurious_rate / 2) & (draw < setting.spurious_rate)
    ).double()
    coefficients = torch.where(sets == signal_set[:, None], labels[:, None], spurious)
    return coefficients, labels, signal_set


def sample_noise(
    feature: torch.Tensor, *, n_samples: int, n_patches: int, generator: torch.Generator, projected: bool = True
) -> torch.Tensor:
    """Draw N(0, (I - w* w*^T) / d) for every patch, [samples, patches, dimension]. [jelassi2022, Assumption 2]

    Unless `projected`, N(0, I / d), which has a part along w*.
    """
    dimension = feature.numel()
    noise = torch.randn(n_samples, n_patches, dimension, generator=generator, dtype=torch.float64)
    noise /= dimension**0.5
    if projected:
        noise -= (noise @ feature)[..., None] * feature
    return noise


def sample(
    setting: Setting, sets: torch.Tensor, *,
    feature: torch.Tensor, n_samples: int, generator: torch.Generator, projected: bool = True,
) -> Dataset:  # fmt: skip
    """Draw data points with their labels, noise `projected` off the feature or not. [jelassi2022, Assumption 1]"""
    coefficients, labels, signal_set = sample_coefficients(setting, sets, n_samples=n_samples, generator=generator)
    patches = sample_noise(
        feature, n_samples=n_samples, n_patches=setting.n_patches, generator=generator, projected=projected
    )
    patches += coefficients[..., None] * feature
    return Dataset(patches=patches, labels=labels, coefficients=coefficients, signal_set=signal_set)


def set_sums(coefficients: torch.Tensor, sets: torch.Tensor) -> torch.Tensor:
    """Sum the feature coefficients over each set, [samples, sets]."""
    n_sets = int(sets.max()) + 1
    membership = torch.nn.functional.one_hot(sets, n_sets).to(coefficients.dtype)
    return coefficients @ membership


def labelling_function(coefficients: torch.Tensor, sets: torch.Tensor) -> torch.Tensor:
    """Evaluate f*, the sum of those set sums whose absolute value exceeds 0.9 C, [samples]."""
    sums = set_sums(coefficients, sets)
    set_size = coefficients.shape[1] // sums.shape[1]
    return torch.where(sums.abs() > LABEL_THRESHOLD * set_size, sums, torch.zeros_like(sums)).sum(dim=1)
