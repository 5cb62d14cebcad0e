"""Gaussian patches with convolutional labels: what a one-layer ViT learns where the data have no spatial structure.

Patches are i.i.d. standard Gaussian and y = sign(f*), f* = sum over sets of (sum_i <w_i, X_i>)^3: a convolution of one
filter with cubic activation. The text leaves open whether the filter's C vectors are one (`shared`) or differ
(`by_place`, orthonormal); the network (T) has one value vector for all patches, so that only the first is within its
reach. Which patches form a set makes no difference to i.i.d. patches: sets are runs of neighbours.

Two families of attention logits are trained: `encodings`, A = P^T P with P trained, as the figure shows P^T P;
`logits`, A itself, as Simplification 3.1 trains; by Adam with a falling step on minibatches of the same N samples on
which the generalized linear baseline is fitted. All D^2 entries move, the diagonal included. [jelassi2022, Figure 2]
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import torch

from sim.spatial_vit.baselines.adam import Adam
from sim.spatial_vit.network import model
from sim.spatial_vit.network.data import contiguous_sets, random_feature
from sim.spatial_vit.network.setting import Setting
from sim.trials.digest import hash_of
from sim.trials.readouts import Run
from sim.trials.trial import Outcome, Scalar
from sim.trials.validation import require_integer, require_one_of, require_positive

FILTERS = ("shared", "by_place")
ATTENTIONS = ("encodings", "logits")
VALUE_SCALE = 0.01
"""Length of the value vector at the start: every unit of F is still linear there."""


@dataclass(frozen=True)
class PatchProblem:
    """Labelled Gaussian patches.

    Attributes:
        patches: [samples, patches, dimension].
        responses: sum_i <w_i, X_i> of each set, [samples, sets].
    """

    patches: torch.Tensor
    responses: torch.Tensor

    @property
    def labels(self) -> torch.Tensor:
        """sign(f*), [samples]; f* = 0 has probability 0."""
        return torch.sign((self.responses**3).sum(dim=1))


def simulate_gaussian_patches(
    *,
    n_patches: int,
    set_size: int,
    patch_dimension: int,
    convolution: str,
    attention: str,
    init_scale: float,
    n_samples: int,
    n_test: int,
    n_steps: int,
    batch_size: int,
    learning_rate: float,
    activation_power: int = 3,
    linear_coefficient: float = 1 / 256,
    temperature: float = 1.0,
    train_attention: bool = True,
    n_records: int = 20,
    generator: torch.Generator,
) -> TrainedOnPatches:
    """Train (T) on labels of a cubic convolution.

    Args:
        convolution: one of `FILTERS`.
        attention: one of `ATTENTIONS`.
        init_scale: expected squared length of a positional encoding at the start (sigma_A), or the standard deviation
            of an entry of A.

    Raises:
        ValueError: on bad input.
    """
    setting = Setting(
        n_patches=n_patches, set_size=set_size, spurious_rate=0.0, activation_power=activation_power,
        linear_coefficient=linear_coefficient, diagonal_logit=0.0, temperature=temperature,
    )  # fmt: skip
    require_one_of("convolution", convolution, FILTERS)
    require_one_of("attention", attention, ATTENTIONS)
    require_integer(least=1, n_samples=n_samples, n_test=n_test, n_steps=n_steps, batch_size=batch_size)
    require_integer(least=2, n_records=n_records)
    require_integer(least=set_size, patch_dimension=patch_dimension)
    require_positive(init_scale=init_scale, learning_rate=learning_rate)

    sets = contiguous_sets(setting)
    filters = draw_filters(convolution, setting, patch_dimension, generator)
    training, test = (draw(filters, sets, n_samples=n, generator=generator) for n in (n_samples, n_test))
    looks = train(
        training, setting, attention=attention, init_scale=init_scale, n_steps=n_steps, batch_size=batch_size,
        learning_rate=learning_rate, train_attention=train_attention, n_records=n_records, generator=generator,
    )  # fmt: skip
    end = looks[-1]
    is_finite = bool(end.logits.isfinite().all() and end.value.isfinite().all())
    account: dict[str, Scalar] = {"weights": hash_of(end.logits, end.value)} if is_finite else {}
    return TrainedOnPatches(
        outcome=Outcome.BUDGET if is_finite else Outcome.DIVERGED, account=account, setting=setting, sets=sets,
        training=training, test=test, looks=looks,
    )  # fmt: skip


@dataclass(frozen=True)
class PatchesLook:
    """The state after a step: the risk of its batch, A [patches, patches], v [dimension]."""

    step: int
    risk: float
    logits: torch.Tensor
    value: torch.Tensor


@dataclass(frozen=True, eq=False, kw_only=True)
class TrainedOnPatches(Run):
    """A training with its samples, and fresh ones for tests.

    Attributes:
        sets: the set of each patch, [patches].
        looks: the state after recorded steps, the last one included.
    """

    setting: Setting
    sets: torch.Tensor
    training: PatchProblem
    test: PatchProblem
    looks: tuple[PatchesLook, ...]


def draw_filters(convolution: str, setting: Setting, dimension: int, generator: torch.Generator) -> torch.Tensor:
    """Unit vectors w_i of every patch, [patches, dimension]."""
    if convolution == "shared":
        return random_feature(dimension, generator).expand(setting.n_patches, dimension)
    square = torch.randn(dimension, dimension, generator=generator, dtype=torch.float64)
    by_place = torch.linalg.qr(square).Q[: setting.set_size]
    return by_place[torch.arange(setting.n_patches) % setting.set_size]


def draw(filters: torch.Tensor, sets: torch.Tensor, *, n_samples: int, generator: torch.Generator) -> PatchProblem:
    """Gaussian patches and what the convolution makes of them."""
    patches = torch.randn(n_samples, *filters.shape, generator=generator, dtype=torch.float64)
    membership = torch.nn.functional.one_hot(sets).double()
    return PatchProblem(patches, torch.einsum("npd,pd->np", patches, filters) @ membership)


def train(
    data: PatchProblem, setting: Setting, *, attention: str, init_scale: float, n_steps: int,
    batch_size: int, learning_rate: float, n_records: int, generator: torch.Generator, train_attention: bool = True,
) -> tuple[PatchesLook, ...]:  # fmt: skip
    """Minimise the logistic risk by Adam, and look at recorded steps."""
    n_patches, dimension = data.patches.shape[1:]
    start = torch.randn(n_patches, n_patches, generator=generator, dtype=torch.float64)
    parameter = start * (init_scale / n_patches) ** 0.5 if attention == "encodings" else start * init_scale
    value = VALUE_SCALE * random_feature(dimension, generator)
    optimizer = Adam((parameter, value), learning_rate, n_steps)
    labels = data.labels
    recorded = set(np.linspace(1, n_steps, n_records).astype(int).tolist())
    looks = []
    for step in range(1, n_steps + 1):
        chosen = torch.randint(len(labels), (batch_size,), generator=generator)
        risk, by_parameter, by_value = batch_gradient(
            data.patches[chosen], labels[chosen], parameter, value, setting=setting, attention=attention
        )
        optimizer.step((by_parameter if train_attention else torch.zeros_like(by_parameter), by_value))
        if step in recorded:
            # steps change both in place
            looks.append(PatchesLook(step, risk, logits_of(parameter, attention).clone(), value.clone()))
    return tuple(looks)


def logits_of(parameter: torch.Tensor, attention: str) -> torch.Tensor:
    """A from the trained parameter, P [dimension, patches] or A itself."""
    return parameter.T @ parameter if attention == "encodings" else parameter


def batch_gradient(
    patches: torch.Tensor, labels: torch.Tensor, parameter: torch.Tensor, value: torch.Tensor, *,
    setting: Setting, attention: str,
) -> tuple[float, torch.Tensor, torch.Tensor]:  # fmt: skip
    """Mean logistic risk of a batch, its gradient by P or A and by v."""
    weights = torch.full_like(labels, 1 / len(labels))
    logits = logits_of(parameter, attention)
    found = model.risk_gradient(patches @ value, logits, setting, labels=labels, weights=weights)
    by_parameter = found.logits
    if attention == "encodings":
        by_parameter = parameter @ (found.logits + found.logits.T)
    return float(found.risk), by_parameter, torch.einsum("np,npd->d", found.projections, patches)
