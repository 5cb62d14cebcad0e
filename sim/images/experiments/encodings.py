"""A ViT with its positional encodings at its start and after training, also on permuted images.

[jelassi2022, Figures 1(a) and 5(c)]
"""

from __future__ import annotations

import functools
from dataclasses import dataclass, replace

import torch

from sim.images.constructions.grids import drawn_order
from sim.images.encodings.square_grid import side_of
from sim.images.experiments.pairs import Splits, seeds_of_pair, splits, trained
from sim.images.experiments.shuffling import arranged
from sim.images.networks.vision_transformer import VisionTransformer
from sim.images.training.course import Arrange, TrainedNetwork, TrainingCourse
from sim.trials.digest import hash_of
from sim.trials.readouts import Run
from sim.trials.trial import Outcome, Scalar
from sim.trials.validation import InvalidParameter, require


def measure_encodings(
    *, dataset: str, network: str, steps: int, batch_size: int, learning_rate: float, patch_size: int = 0,
    attention: str = "vanilla", shuffle_size: int = 0, labels: str = "true", n_train: int = 0, n_test: int = 0,
    crop: int = 0, image_size: int = 32, weight_decay: float = 0.05, warm_up: int = 0, augment: str = "none",
    precision: str = "single", generator: torch.Generator,
) -> EncodingsRun:  # fmt: skip
    """Train a ViT, and keep its encodings before and after.

    Args:
        shuffle_size: pixels along a side of the squares that all images are permuted by; 0 for images as they are. It
            must be a multiple of the patches' size, so that patches stay whole.
        dataset, labels, n_train, n_test, crop: as `sim.images.experiments.pairs.splits` takes them; image_size is its
            `size`.
        network, patch_size, attention: a ViT of `sim.images.networks.named`.
        steps, batch_size, learning_rate, weight_decay, warm_up, augment, precision: of `TrainingCourse`.

    Raises:
        ValueError: on bad input, and where the data set is not on this machine.
    """
    course = TrainingCourse(steps, batch_size, learning_rate, weight_decay, warm_up, augment, precision)
    data = splits(
        dataset, labels=labels, n_train=n_train, n_test=n_test, crop=crop, size=image_size, generator=generator
    )
    size = shuffle_size or data.side
    order = drawn_order(data.side, size, generator)
    shuffle = functools.partial(arranged, size=size, order=order)
    seed = seeds_of_pair(generator)
    train_it = functools.partial(
        trained, data.training, network=network, seed=seed, patch_size=patch_size, attention=attention, arrange=shuffle
    )
    initial = _encodings(train_it(course=replace(course, steps=0, warm_up=0)), network)
    place = _patch_order(data.side, size, order, len(initial))
    side_of(len(initial))  # refused now, before anything is trained
    after = train_it(course=course)
    account: dict[str, Scalar] = {} if after.diverged else {**data.checksums, "weights": hash_of(*after.weights)}
    return EncodingsRun(
        outcome=Outcome.DIVERGED if after.diverged else Outcome.BUDGET, account=account, data=data, shuffle=shuffle,
        place=place, initial=initial, final=_encodings(after, network), network=after, state=generator.get_state(),
    )  # fmt: skip


@dataclass(frozen=True, eq=False, kw_only=True)
class EncodingsRun(Run):
    """A training with its encodings.

    Attributes:
        shuffle: permutes the images of the data set as those for training were.
        place: where each patch came from, int64 [patches].
        initial, final: encodings before and after training, where the patches stand, [patches, width].
        state: of the trial's generator, from which patches are strewn by lot.
    """

    data: Splits
    shuffle: Arrange
    place: torch.Tensor
    initial: torch.Tensor
    final: torch.Tensor
    network: TrainedNetwork
    state: torch.Tensor


def _encodings(found: TrainedNetwork, name: str) -> torch.Tensor:
    if not isinstance(found.network, VisionTransformer):
        raise InvalidParameter("network", "be a ViT, which has positional encodings", name)
    return found.network.patch_positions.cpu()


def _patch_order(side: int, size: int, order: torch.Tensor, n_patches: int) -> torch.Tensor:
    """Where each patch came from when squares of `size` pixels were permuted, int64 [patches]."""
    grid = round(n_patches**0.5)
    patch = side // grid
    require(size % patch == 0, "shuffle_size", f"be a multiple of the patches' {patch} pixels", size)
    places = torch.arange(n_patches).reshape(1, 1, grid, grid)
    return arranged(places, size=size // patch, order=order).flatten()
