"""The type that all image data come in, and the sets that come with scikit-learn."""

from __future__ import annotations

import pytest
import torch

from sim.images.sets.dataset import load
from sim.images.sets.labelled import Images
from sim.trials.validation import InvalidParameter


def some(**changes) -> Images:
    given = {
        "pixels": torch.arange(48, dtype=torch.uint8).reshape(4, 3, 2, 2),
        "labels": torch.tensor([0, 1, 2, 1]),
        "n_classes": 3,
        "name": "made up",
        "stand_in": True,
    }
    return Images(**{**given, **changes})


@pytest.mark.parametrize(
    ("changes", "words"),
    [
        ({"pixels": torch.zeros(4, 3, 2, 2)}, "pixels must be of kind uint8, got 'torch.float32'"),
        ({"pixels": torch.zeros(4, 3, 2, dtype=torch.uint8)}, "pixels must be of shape"),
        ({"pixels": torch.zeros(4, 2, 2, 2, dtype=torch.uint8)}, "pixels must have one channel or three"),
        ({"pixels": torch.zeros(4, 3, 0, 2, dtype=torch.uint8)}, "pixels must have a height and a width"),
        ({"labels": torch.tensor([0, 1, 2])}, "labels must be of shape [4], got [3]"),
        ({"labels": torch.tensor([0, 1, 2, 3])}, "labels must be from 0 to 2, got 0 and 3"),
        ({"labels": torch.tensor([0, 1, 2, -1])}, "labels must be from 0 to 2, got -1 and 2"),
        ({"labels": torch.zeros(4)}, "labels must be of kind int64"),
        ({"n_classes": 0}, "n_classes must be >= 1, got 0"),
    ],
)
def test_what_is_no_set_of_images_is_refused(changes, words: str) -> None:
    with pytest.raises(InvalidParameter) as refused:
        some(**changes)
    assert words in str(refused.value)


def test_checksum_is_of_pixels_labels_and_shape() -> None:
    assert some().checksum == some(name="another", stand_in=False).checksum
    others = [
        some(labels=torch.tensor([0, 1, 2, 2])),
        some(pixels=some().pixels + 1),
        some(pixels=some().pixels.reshape(4, 3, 1, 4)),
        some().take(torch.tensor([1, 0, 2, 3])),
    ]
    assert len({some().checksum, *(each.checksum for each in others)}) == 5


def test_take_and_classes() -> None:
    taken = some().take(torch.tensor([3, 0]))
    assert (taken.labels.tolist(), taken.pixels[0, 0, 0, 0].item()) == ([1, 0], 36)
    assert some().take(torch.tensor([False, True, False, True])).labels.tolist() == [1, 1]
    chosen = some().of_classes((2, 1))
    assert (chosen.labels.tolist(), chosen.n_classes) == ([1, 0, 1], 2)
    for wrong in (torch.tensor([4]), torch.tensor([-1]), torch.tensor([0.5]), torch.tensor([True])):
        with pytest.raises(InvalidParameter, match="indices must"):
            some().take(wrong)
    for wrong in ((), (1, 1), (3,)):
        with pytest.raises(InvalidParameter, match="classes must"):
            some().of_classes(wrong)


def test_digits_are_those_of_the_known_file() -> None:
    train, test = load("digits", split="train"), load("digits", split="test")
    assert (len(train), len(test), train.stand_in, test.stand_in) == (1438, 359, True, True)
    assert torch.bincount(torch.cat([train.labels, test.labels])).tolist() == [
        178, 182, 177, 183, 181, 182, 181, 179, 174, 180,
    ]  # fmt: skip
    assert train.checksum.startswith("6c4d6d4f39a0")
    assert (int(train.pixels.min()), int(train.pixels.max())) == (0, 255)


def test_photographs_are_halves_that_share_no_pixel() -> None:
    train, test = load("photographs", split="train"), load("photographs", split="test")
    assert train.pixels.shape == test.pixels.shape == (2, 3, 427, 320)
    assert train.stand_in
    assert not train.pixels.equal(test.pixels)


@pytest.mark.parametrize(
    ("name", "split", "words"),
    [("digits", "validation", "split must be one of train, test"), ("digit", "train", "name must be one of digits")],
)
def test_unknown_names_are_one_line(name: str, split: str, words: str) -> None:
    with pytest.raises(InvalidParameter) as refused:
        load(name, split=split)
    assert words in str(refused.value)
