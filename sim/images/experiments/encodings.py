"""Locality of a ViT's positional encodings: at its start, after training, after training on permuted images, or of
weights that somebody else trained. [jelassi2022, Figures 1(a) and 5(c)]
"""

from __future__ import annotations

import functools
from dataclasses import asdict, replace

import torch

from sim.images.constructions.grids import drawn_order
from sim.images.encodings.locality import Locality, measure_locality, similarities
from sim.images.encodings.pretrained import pretrained
from sim.images.experiments.pairs import seeds_of_pair, splits, trained
from sim.images.experiments.shuffling import arranged
from sim.images.networks.vision_transformer import VisionTransformer
from sim.images.training.course import TrainedNetwork, TrainingCourse
from sim.trial import Outcome, Scalar, TrialResult
from sim.validation import InvalidParameter, require, require_one_of


def measure_encodings(
    *, dataset: str, network: str, steps: int, batch_size: int, learning_rate: float, patch_size: int = 0,
    attention: str = "vanilla", shuffle_size: int = 0, labels: str = "true", n_train: int = 0, n_test: int = 0,
    crop: int = 0, image_size: int = 32, weight_decay: float = 0.05, warm_up: int = 0, augment: str = "none",
    precision: str = "single", generator: torch.Generator,
) -> TrialResult:  # fmt: skip
    """Train a ViT and measure the locality of its encodings before and after.

    Args:
        shuffle_size: pixels along a side of the squares that all images are permuted by; 0 for images as they are. It
            must be a multiple of the patches' size, so that patches stay whole.
        dataset, labels, n_train, n_test, crop: as `sim.images.experiments.pairs.splits` takes them; image_size is its
            `size`.
        network, patch_size, attention: a ViT of `sim.images.networks.named`.
        steps, batch_size, learning_rate, weight_decay, warm_up, augment, precision: of `TrainingCourse`.

    Observables, those of `sim.images.encodings.locality.Locality` by these names:
        locality_initial: before training, on the patches where they stand.
        locality_shown: after training, where they stand.
        locality: after training, put back to where they came from; the same where nothing is permuted.
        low, high, chance, near_above_cut, far_above_cut: of the last.
        accuracy: on test images, permuted as those for training were.
        guessing: what naming one class for all test images reaches.
        train_sha256, test_sha256: of the data sets as they were loaded.

    Curves: similarities, initial_similarities, [patches, patches], where the patches stand.

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
    locality_initial = measure_locality(initial, generator=generator, n_strewn=0).score
    after = train_it(course=course)
    if after.diverged:
        return TrialResult(Outcome.DIVERGED, {})
    final = _encodings(after, network)
    shown, back = (measure_locality(final, generator=generator, order=way) for way in (None, place))
    observables = {
        "locality_initial": locality_initial,
        "locality_shown": shown.score,
        **_observed(back),
        "accuracy": after.accuracy(data.test, arrange=shuffle),
        "guessing": data.chance,
        **data.checksums,
    }
    curves = {"similarities": similarities(final).numpy(), "initial_similarities": similarities(initial).numpy()}
    return TrialResult(Outcome.BUDGET, observables, curves)


PLACES = ("own", "by lot")
"""Where a pre-trained encoding is looked for: at its own patch, or at one drawn by lot, where nothing is local."""


def measure_pretrained(*, weights: str, places: str = "own", generator: torch.Generator) -> TrialResult:
    """The locality of the encodings of a ViT that somebody trained, from a file of the user's.

    Args:
        weights: the file's name, without its ending, in the folder "weights" below the folder of images; see
            `sim.images.encodings.pretrained`.
        places: one of `PLACES`.

    Observables: those of `measure_encodings` on the patches where they stand: locality, low, high, chance,
    near_above_cut, far_above_cut; patches, how many; sha256 of the file.

    Curve: similarities, [patches, patches].

    Raises:
        ValueError: on a bad name, and on a file that is missing, damaged or without encodings of a square grid.
    """
    require_one_of("places", places, PLACES)
    found = pretrained(weights)
    encodings = found.encodings
    if places == "by lot":
        encodings = encodings[torch.randperm(len(encodings), generator=generator)]
    observables = {
        **_observed(measure_locality(encodings, generator=generator)),
        "patches": len(encodings),
        "sha256": found.sha256,
    }
    return TrialResult(Outcome.BUDGET, observables, {"similarities": similarities(encodings).numpy()})


def _observed(found: Locality) -> dict[str, Scalar]:
    names = {"score": "locality"}
    return {names.get(name, name): value for name, value in asdict(found).items()}


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
