"""Test accuracy on images whose grid is permuted, beside that of a network trained on the same images put back.

One permutation of the squares serves all images of a trial, those for training and those for testing. Putting them back
by the inverse gives the images of the data set, pixel by pixel, which each trial counts. Crops and reflections come
before the permutation, as they would where the permuted images are the data. [jelassi2022, section 6, Figure 5]
"""

from __future__ import annotations

import functools

import torch

from sim.images.constructions.grids import drawn_order, inverse
from sim.images.constructions.tokens import patches, unpatched
from sim.images.experiments.pairs import Splits, seeds_of_pair, splits, trained
from sim.images.training.course import Arrange, TrainingCourse
from sim.trial import Outcome, TrialResult
from sim.validation import require_one_of

PERMUTED = ("all", "test")


def measure_shuffle(
    *, dataset: str, network: str, shuffle_size: int, steps: int, batch_size: int, learning_rate: float,
    patch_size: int = 0, permuted: str = "all", labels: str = "true", n_train: int = 0, n_test: int = 0, crop: int = 0,
    image_size: int = 32, weight_decay: float = 0.05, warm_up: int = 0, augment: str = "none",
    precision: str = "single", generator: torch.Generator,
) -> TrialResult:  # fmt: skip
    """Train a pair of networks, on permuted images and on the same images put back.

    Args:
        dataset, labels, n_train, n_test, crop: as `sim.images.experiments.pairs.splits` takes them; image_size is its
            `size`.
        network: a name of `sim.images.networks.named`; patch_size is that of a ViT.
        shuffle_size: pixels along a side of a square of the grid.
        permuted: "all" images, or those for the "test" alone, while the network was trained on images put back.
        steps, batch_size, learning_rate, weight_decay, warm_up, augment, precision: of `TrainingCourse`.

    Observables:
        accuracy_permuted, accuracy_restored: on test images, permuted and put back, in [0, 1].
        chance: what naming one class for all test images reaches.
        is_restored: whether the inverse gives the images of the data set, pixel by pixel.
        moved: share of the squares that are elsewhere, in [0, 1].
        train_sha256, test_sha256: of the data sets as they were loaded.

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
    moved = float((order != torch.arange(len(order))).double().mean())
    observables = {
        "accuracy_permuted": other.accuracy(data.test, arrange=shuffle),
        "accuracy_restored": restored.accuracy(data.test, arrange=put_back),
        "chance": data.chance,
        "is_restored": _is_restored(data, put_back),
        "moved": moved,
        **data.checksums,
    }
    diverged = restored.diverged or other.diverged
    return TrialResult(Outcome.DIVERGED if diverged else Outcome.BUDGET, observables)


def arranged(pixels: torch.Tensor, *, size: int, order: torch.Tensor) -> torch.Tensor:
    """The images with their squares in this order, as `sim.images.constructions.grids.permuted` moves a set's."""
    channels, width = pixels.shape[1], pixels.shape[3]
    return unpatched(patches(pixels, size)[:, order.to(pixels.device)], size, channels=channels, width=width)


def _is_restored(data: Splits, put_back: Arrange) -> bool:
    return all(torch.equal(put_back(images.pixels), images.pixels) for images in (data.training, data.test))
