"""Experiments on images: pairs that share their seed, grids put back, encodings where they come from."""

from __future__ import annotations

import pytest
import torch

from sim.images.constructions.grids import drawn_order, inverse, permuted
from sim.images.experiments import pairs
from sim.images.experiments.attention_kinds import compare_attention
from sim.images.experiments.encodings import measure_encodings
from sim.images.experiments.pairs import cut, splits, trained
from sim.images.experiments.shuffling import arranged, measure_shuffle
from sim.images.networks.named import network
from sim.images.sets.dataset import load
from sim.images.systems import IMAGE_ATTENTION, IMAGE_ENCODINGS, IMAGE_SHUFFLING
from sim.images.training.course import TrainingCourse
from sim.trials.readouts import observed
from sim.trials.trial import Outcome
from sim.trials.validation import InvalidParameter

SMALL = {"dataset": "digits", "steps": 3, "batch_size": 8, "learning_rate": 1e-2, "n_train": 64, "n_test": 40}


def generator_of(seed: int) -> torch.Generator:
    return torch.Generator().manual_seed(seed)


def drawn(**options):
    given = {"labels": "true", "n_train": 0, "n_test": 0, "crop": 0, "size": 32, **options}
    return splits("digits", generator=generator_of(0), **given)


def test_shuffled_labels_are_those_of_the_training_images_and_no_others():
    true, shuffled = drawn(), drawn(labels="shuffled")
    assert torch.equal(true.training.pixels, shuffled.training.pixels)
    assert torch.equal(true.training.labels.bincount(), shuffled.training.labels.bincount())
    agreed = (true.training.labels == shuffled.training.labels).double().mean()
    assert 0.05 < float(agreed) < 0.15
    assert torch.equal(true.test.labels, shuffled.test.labels)


def test_images_are_drawn_without_replacement_and_chance_is_the_most_frequent_class():
    found = drawn(n_train=1438, n_test=100)
    whole = load("digits", split="train")
    assert sorted(map(bytes, found.training.pixels.numpy())) == sorted(map(bytes, whole.pixels.numpy()))
    assert found.chance == int(found.test.labels.bincount().max()) / 100


def test_crops_are_squares_of_their_picture_with_its_label():
    pictures = load("photographs", split="train")
    found = cut(pictures, 5, 12, generator_of(1))
    assert found.pixels.shape == (12, 3, 5, 5)
    for square, label in zip(found.pixels[:3], found.labels[:3].tolist(), strict=True):
        windows = pictures.pixels[label].unfold(1, 5, 1).unfold(2, 5, 1)
        assert bool((windows == square[:, None, None]).all(dim=4).all(dim=3).all(dim=0).any())


@pytest.mark.parametrize("size", [1, 2, 4, 8])
def test_arranging_on_the_way_is_permuting_the_data_set(size):
    images = load("digits", split="test").take(torch.arange(7))
    order = drawn_order(8, size, generator_of(2))
    moved = arranged(images.pixels, size=size, order=order)
    assert torch.equal(moved, permuted(images, size, order).pixels)
    assert torch.equal(arranged(moved, size=size, order=inverse(order)), images.pixels)


def test_one_square_moves_nothing_and_the_pair_is_one_network():
    done = measure_shuffle(network="small-resnet18", shuffle_size=8, generator=generator_of(0), **SMALL)
    found = observed(IMAGE_SHUFFLING, done).observables
    assert found["moved"] == 0
    assert found["is_restored"] is True
    assert found["accuracy_permuted"] == found["accuracy_restored"]


def test_a_vit_on_permuted_images_is_the_one_on_images_put_back_with_its_encodings_permuted():
    """Why its accuracy cannot depend on the permutation: only the place of each drawn encoding does."""
    order = drawn_order(8, 2, generator_of(3))
    images = load("digits", split="train").take(torch.arange(64))
    course = TrainingCourse(steps=8, batch_size=16, learning_rate=3e-3)
    losses = []
    for moves in (False, True):
        made = network("small-vit7", image_size=8, channels=1, n_classes=10, patch_size=2, generator=generator_of(4))
        if moves:
            with torch.no_grad():
                made.positions[1:] = made.positions[1:][order].clone()
        way = (lambda pixels: arranged(pixels, size=2, order=order)) if moves else None
        losses.append(pairs.train(made, images, course=course, generator=generator_of(5), arrange=way).losses)
    assert losses[1].tolist() == pytest.approx(losses[0].tolist(), rel=1e-3)
    assert losses[0][-1] < losses[0][0]


def test_permuting_the_test_images_alone_trains_once():
    done = measure_shuffle(
        network="small-resnet18", shuffle_size=1, permuted="test", generator=generator_of(0), **{**SMALL, "steps": 20}
    )
    found = observed(IMAGE_SHUFFLING, done).observables
    assert found["accuracy_permuted"] < found["accuracy_restored"]


def test_trials_repeat_and_pairs_share_their_seed():
    first, again = (
        observed(
            IMAGE_ATTENTION,
            compare_attention(network="small-vit7", patch_size=4, generator=generator_of(6), **SMALL),
        )
        for _ in range(2)
    )
    assert first.observables == again.observables
    done = compare_attention(network="small-vit7", patch_size=4, generator=generator_of(6), **{**SMALL, "steps": 0})
    untrained = observed(IMAGE_ATTENTION, done).observables
    assert untrained["loss_vanilla"] == 0
    made = [
        trained(load("digits", split="train"), network="small-vit7", course=TrainingCourse(0, 8), seed=1, patch_size=4,
                attention=kind).network.state_dict()
        for kind in ("vanilla", "positional")
    ]  # fmt: skip
    assert all(torch.equal(value, made[1][name]) for name, value in made[0].items())


def test_encodings_of_permuted_images_are_put_back_to_where_their_patches_came_from(monkeypatch):
    """Encodings that are the patches' own places: strewn where they stand, on their grid when put back."""
    order = drawn_order(8, 2, generator_of(8))
    place = torch.arange(64)
    grid = torch.stack([place // 8, place % 8], dim=1).double()
    encodings = torch.exp(-(torch.cdist(grid, grid) ** 2))
    shown = arranged(place.reshape(1, 1, 8, 8), size=2, order=order).flatten()
    monkeypatch.setattr("sim.images.experiments.encodings._encodings", lambda found, name: encodings[shown])
    monkeypatch.setattr("sim.images.experiments.encodings.drawn_order", lambda *arguments: order)
    done = measure_encodings(
        network="small-vit7", patch_size=1, shuffle_size=2, generator=generator_of(0), **{**SMALL, "steps": 0}
    )
    found = observed(IMAGE_ENCODINGS, done)
    assert found.observables["locality"] > 0.5
    assert found.observables["locality_shown"] < 0.5
    assert found.curves["similarities"].shape == (64, 64)


def test_an_untrained_network_has_the_locality_that_it_began_with():
    done = measure_encodings(network="small-vit7", patch_size=2, generator=generator_of(0), **{**SMALL, "steps": 0})
    found = observed(IMAGE_ENCODINGS, done)
    assert found.outcome is Outcome.BUDGET
    assert found.observables["locality"] == found.observables["locality_initial"]


@pytest.mark.parametrize(
    ("measure", "changes", "words"),
    [
        (measure_shuffle, {"shuffle_size": 3}, "size must divide the image's side of 8 pixels, got 3"),
        (measure_shuffle, {"shuffle_size": 2, "permuted": "some"}, "permuted must be one of all, test, got 'some'"),
        (measure_shuffle, {"shuffle_size": 2, "labels": "none"}, "labels must be one of true, shuffled, got 'none'"),
        (measure_shuffle, {"shuffle_size": 2, "n_train": 9999}, "n_train must be <= 1438, the images of digits"),
        (measure_shuffle, {"shuffle_size": 2, "dataset": "photographs"}, "images must be square; give crop"),
        (measure_encodings, {"network": "small-resnet18"}, "network must be a ViT, which has positional encodings"),
        (
            measure_encodings,
            {"patch_size": 4, "shuffle_size": 2, "steps": 0},
            "shuffle_size must be a multiple of the patches' 4",
        ),
        (measure_encodings, {"patch_size": 4}, "encodings must be of a square grid of 9 to 1024 patches, got 4"),
    ],
)
def test_bad_parameters_are_refused_in_one_line(measure, changes, words):
    given = {"network": "small-vit7", **SMALL, **changes}
    if "n_train" not in changes and changes.get("dataset"):
        given |= {"n_train": 0, "n_test": 0}
    with pytest.raises(InvalidParameter, match=words):
        measure(generator=generator_of(0), **given)
