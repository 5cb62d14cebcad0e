"""What the experiments on images share: the data of a trial, how a network is trained, and two networks with one seed.

Two networks are a pair where they start from the same drawn weights and see the same batches in the same order with the
same crops: what differs between them is what was changed, and chance only where the change lets it in.
"""

from __future__ import annotations

from dataclasses import dataclass, replace

import torch

from sim.images.networks.named import network as named_network
from sim.images.sets.dataset import load
from sim.images.sets.labelled import Images
from sim.images.training import checkpoint
from sim.images.training.course import Arrange, TrainedNetwork, TrainingCourse, train
from sim.trials.validation import require, require_integer, require_one_of

LABELS = ("true", "shuffled")


@dataclass(frozen=True, eq=False)
class Splits:
    """Images for training and for testing, square and of one size."""

    training: Images
    test: Images
    checksums: dict[str, str]
    """Of both sets as they were loaded, by the names of observables: train_sha256, test_sha256."""

    @property
    def side(self) -> int:
        """Pixels along a side."""
        return self.training.pixels.shape[-1]

    @property
    def chance(self) -> float:
        """Share of test images of the most frequent class: what naming one class for all can reach."""
        return float(torch.bincount(self.test.labels).max()) / len(self.test)


def splits(
    dataset: str, *, labels: str, n_train: int, n_test: int, crop: int, size: int, generator: torch.Generator
) -> Splits:
    """The images of a trial.

    Args:
        dataset: a name that `sim.images.sets.dataset.load` takes.
        labels: of the training images, one of `LABELS`; shuffled ones are permuted among all of them.
        n_train, n_test: how many, drawn without replacement; 0 for all. Of crops, how many are cut.
        crop: pixels along a side of squares cut at random places out of pictures drawn at random; 0 for whole images.
        size: side in pixels that images of a folder are brought to.

    Raises:
        InvalidParameter: more images than there are, or images that are not square.
        UnusableImages: the set is not on this machine, or is damaged.
    """
    require_one_of("labels", labels, LABELS)
    require_integer(least=0, n_train=n_train, n_test=n_test, crop=crop)
    found, checksums = [], {}
    for split, name, count in (("train", "n_train", n_train), ("test", "n_test", n_test)):
        images = load(dataset, split=split, size=size)
        checksums[f"{split}_sha256"] = images.checksum
        images = cut(images, crop, count, generator) if crop else _drawn(images, count, name, generator)
        height, width = images.pixels.shape[2:]
        require(height == width, "images", "be square; give crop", f"{height} x {width}")
        found.append(images)
    training, test = found
    if labels == "shuffled":
        training = replace(training, labels=training.labels[torch.randperm(len(training), generator=generator)])
    return Splits(training, test, checksums)


def _drawn(images: Images, count: int, name: str, generator: torch.Generator) -> Images:
    require(count <= len(images), name, f"be <= {len(images)}, the images of {images.name}", count)
    return images.take(torch.randperm(len(images), generator=generator)[:count]) if count else images


def cut(images: Images, size: int, count: int, generator: torch.Generator) -> Images:
    """`count` squares of `size` pixels, each at a random place of a random picture, with its label.

    Raises:
        InvalidParameter: a square larger than the pictures, or none asked for.
    """
    n, _, height, width = images.pixels.shape
    require_integer(least=1, n_train_and_n_test_of_crops=count)
    require(size <= min(height, width), "crop", f"be <= {min(height, width)}, the pictures' smaller side", size)
    picture = torch.randint(n, (count,), generator=generator)
    top = torch.randint(height - size + 1, (count,), generator=generator)
    left = torch.randint(width - size + 1, (count,), generator=generator)
    rows, columns = top[:, None] + torch.arange(size), left[:, None] + torch.arange(size)
    squares = images.pixels.permute(0, 2, 3, 1)[picture[:, None, None], rows[:, :, None], columns[:, None, :]]
    return replace(images, pixels=squares.permute(0, 3, 1, 2).contiguous(), labels=images.labels[picture])


def seeds_of_pair(generator: torch.Generator) -> int:
    """The seed that both networks of a pair begin with."""
    return int(torch.randint(2**62, (), generator=generator))


def trained(
    images: Images, *, network: str, course: TrainingCourse, seed: int, patch_size: int = 0, attention: str = "vanilla",
    arrange: Arrange | None = None, arm: str = "",
) -> TrainedNetwork:  # fmt: skip
    """A network by name, drawn and trained with a seed of its own.

    Args:
        arm: which network of a pair it is, where only `arrange` tells them apart: their checkpoints are two.
    """
    generator = torch.Generator().manual_seed(seed)
    channels, side = images.pixels.shape[1:3]
    made = named_network(
        network, image_size=side, channels=channels, n_classes=images.n_classes, patch_size=patch_size,
        attention=attention, generator=generator,
    )  # fmt: skip
    save_to = checkpoint.file_of(images, network, patch_size, attention, seed, arm, course)
    return train(
        made, images, course=course, generator=generator, arrange=arrange, save_to=save_to,
        save_every=checkpoint.EVERY,
    )  # fmt: skip
