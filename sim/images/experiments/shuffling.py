"""Test accuracy on images whose grid is permuted, beside that of a network trained on the same images put back.

One permutation of the squares serves all images of a trial, those for training and those for testing. Putting them back
by the inverse gives the images of the data set, pixel by pixel, which each trial counts. Crops and reflections come
before the permutation, as they would where the permuted images are the data. [jelassi2022, section 6, Figure 5]
"""

from __future__ import annotations

import functools
from dataclasses import dataclass

import torch

from sim.images.constructions.grids import drawn_order, inverse
from sim.images.constructions.tokens import patches, unpatched
from sim.images.experiments.pairs import Splits, seeds_of_pair, splits, trained
from sim.images.training.course import Arrange, TrainedNetwork, TrainingCourse
from sim.trials.digest import hash_of
from sim.trials.readouts import Run
from sim.trials.trial import Outcome, Scalar
from sim.trials.validation import require_one_of

PERMUTED = ("all", "test")


def measure_shuffle(
    *, dataset: str, network: str, shuffle_size: int, steps: int, batch_size: int, learning_rate: float,
    patch_size: int = 0, permuted: str = "all", labels: str = "true", n_train: int = 0, n_test: int = 0, crop: int = 0,
    image_size: int = 32, weight_decay: float = 0.05, warm_up: int = 0, augment: str = "none",
    precision: str = "single", generator: torch.Generator,
) -> ShuffledPair:  # fmt: skip
    """Train a pair of networks, on permuted images and on the same images put back.

    Args:
        dataset, labels, n_train, n_test, crop: as `sim.images.experiments.pairs.splits` takes them; image_size is its
            `size`.
        network: a name of `sim.images.networks.named`; patch_size is that of a ViT.
        shuffle_size: pixels along a side of a square of the grid.
        permuted: "all" images, or those for the "test" alone, while the network was trained on images put back.
        steps, batch_size, learning_rate, weight_decay, warm_up, augment, precision: of `TrainingCourse`.

    Raises:
        ValueError: on bad input, and where the data set is not on this machine.
    """
    require_one_of("permuted", permuted, PERMUTED)
    course = TrainingCourse(steps, batch_size, learning_rate, weight_decay, warm_up, augment, precision)
    data = splits(
        dataset, labels=labels, n_train=n_train, n_test=n_test, crop=crop, size=image_size, generator=generator
    )
    order = drawn_order(data.side, shuffle_size, generator)
    shuffle = functools.partial(arranged, size=shuffle_size, order=order)
    seed = seeds_of_pair(generator)

    def put_back(pixels: torch.Tensor) -> torch.Tensor:
        return arranged(shuffle(pixels), size=shuffle_size, order=inverse(order))

    make = functools.partial(trained, data.training, network=network, course=course, seed=seed, patch_size=patch_size)
    restored = make(arrange=put_back, arm="put back")
    other = make(arrange=shuffle, arm="permuted") if permuted == "all" else restored
    diverged = restored.diverged or other.diverged
    account: dict[str, Scalar] = dict(data.checksums)
    if not diverged:
        account["weights"] = hash_of(*restored.weights, *other.weights)
    return ShuffledPair(
        outcome=Outcome.DIVERGED if diverged else Outcome.BUDGET, account=account, data=data, order=order,
        shuffle=shuffle, put_back=put_back, restored=restored, permuted=other,
    )  # fmt: skip


@dataclass(frozen=True, eq=False, kw_only=True)
class ShuffledPair(Run):
    """Networks trained on images put back and on permuted ones, which may be one.

    Attributes:
        order: where the squares of an image go, [squares].
        shuffle, put_back: permute the images of the data set, and do it and undo it.
    """

    data: Splits
    order: torch.Tensor
    shuffle: Arrange
    put_back: Arrange
    restored: TrainedNetwork
    permuted: TrainedNetwork


def arranged(pixels: torch.Tensor, *, size: int, order: torch.Tensor) -> torch.Tensor:
    """The images with their squares in this order, as `sim.images.constructions.grids.permuted` moves a set's."""
    channels, width = pixels.shape[1], pixels.shape[3]
    return unpatched(patches(pixels, size)[:, order.to(pixels.device)], size, channels=channels, width=width)
