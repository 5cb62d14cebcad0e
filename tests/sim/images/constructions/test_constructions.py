"""Scenes, tokens and permuted grids, by exact counts."""

from __future__ import annotations

import pytest
import torch

from sim.images.constructions.grids import drawn_order, inverse, permuted
from sim.images.constructions.scenes import backgrounds_by_class, cuts, grey, paste, resized
from sim.images.constructions.tokens import fraction, keep_tokens, kept_count, patches, relevant, scores_of, unpatched
from sim.images.sets.labelled import Images
from sim.trials.validation import InvalidParameter


def made_of(pixels: torch.Tensor, *, name: str = "made up", stand_in: bool = True, n_classes: int = 2) -> Images:
    labels = torch.arange(len(pixels)) % n_classes
    return Images(pixels, labels, n_classes=n_classes, name=name, stand_in=stand_in)


def counted(n: int, channels: int, side: int) -> Images:
    """Images in which no two pixels of one image are alike, for up to 250 pixels."""
    pixels = torch.arange(channels * side * side).reshape(1, channels, side, side) % 251 + 1
    return made_of(pixels.repeat(n, 1, 1, 1).to(torch.uint8))


def seeded(seed: int = 0) -> torch.Generator:
    return torch.Generator().manual_seed(seed)


@pytest.mark.parametrize(
    ("canvas", "size", "patch", "step", "expected"),
    [
        (32, 26, 2, 2, {169}),  # the paper's 0.66
        (32, 26, 2, 1, {169, 182, 196}),  # begun at odd rows or columns it touches 14 tokens
        (32, 26, 4, 4, {49}),
        (10, 8, 2, 2, {16}),
        (16, 8, 2, 2, {16}),
    ],
)
def test_label_relevant_tokens_are_counted(canvas: int, size: int, patch: int, step: int, expected: set[int]) -> None:
    scenes = paste(counted(60, 3, 8), counted(2, 3, 40), canvas=canvas, size=size, step=step, generator=seeded())
    is_relevant = relevant(scenes.is_object, patch)
    assert set(is_relevant.sum(1).tolist()) == expected
    assert is_relevant.shape == (60, (canvas // patch) ** 2)
    assert (scenes.is_object.sum((1, 2)) == size**2).all()


def test_alpha_of_the_paper_is_the_area_of_its_region() -> None:
    scenes = paste(counted(4, 3, 32), counted(1, 3, 32), canvas=32, size=26, step=2, generator=seeded())
    assert fraction(relevant(scenes.is_object, 2)).tolist() == [169 / 256] * 4
    assert round(169 / 256, 2) == round(26**2 / 32**2, 2) == 0.66


def test_object_and_background_are_where_the_mask_says() -> None:
    objects = counted(20, 1, 8)
    backgrounds = made_of(torch.zeros(1, 1, 12, 12, dtype=torch.uint8) + 255, name="white")
    scenes = paste(objects, backgrounds, canvas=12, size=8, step=2, generator=seeded())
    for image, is_object in zip(scenes.images.pixels, scenes.is_object, strict=True):
        assert image[0][is_object].tolist() == objects.pixels[0].flatten().tolist()
        assert set(image[0][~is_object].tolist()) == {255}
    corners = {tuple(mask.nonzero()[0].tolist()) for mask in scenes.is_object}
    assert {place % 2 for corner in corners for place in corner} == {0}
    assert len(corners) > 4
    assert scenes.images.name == "made up on white"


@pytest.mark.parametrize(("first", "second"), [(True, False), (False, True), (False, False)])
def test_what_stands_in_makes_the_scene_a_stand_in(first: bool, second: bool) -> None:
    pixels = torch.ones(1, 1, 8, 8, dtype=torch.uint8)
    objects, behind = made_of(pixels, stand_in=first), made_of(pixels, stand_in=second)
    scenes = paste(objects, behind, canvas=8, size=4, step=2, generator=seeded())
    assert scenes.images.stand_in is (first or second)


def test_backgrounds_follow_the_class_at_the_chosen_rate() -> None:
    labels = torch.tensor([0] * 500 + [1] * 300)
    shown = backgrounds_by_class(labels, (0.9, 0.1), seeded())
    assert (int(shown[:500].sum()), int(shown[500:].sum())) == (450, 30)
    objects = Images(torch.ones(800, 1, 4, 4, dtype=torch.uint8), labels, n_classes=2, name="ones", stand_in=True)
    behind = made_of(torch.zeros(1, 1, 8, 8, dtype=torch.uint8) + 9)
    scenes = paste(objects, behind, canvas=8, size=4, step=2, generator=seeded(), has_background=shown)
    outside = scenes.images.pixels[:, 0][~scenes.is_object].reshape(800, -1)
    assert (outside[shown] == 9).all()
    assert (outside[~shown] == 0).all()
    assert scenes.images.labels.equal(labels)


def test_cuts_are_squares_of_the_images() -> None:
    images = counted(1, 1, 12)
    for cut in cuts(images, 30, size=5, generator=seeded()):
        first = int((images.pixels[0, 0] == cut[0, 0, 0]).nonzero()[0, 0])
        column = int((images.pixels[0, 0] == cut[0, 0, 0]).nonzero()[0, 1])
        assert cut[0].equal(images.pixels[0, 0, first : first + 5, column : column + 5])


def test_grey_is_the_luma_and_sizes_are_left_alone() -> None:
    colours = torch.tensor([[255, 0, 0], [0, 255, 0], [0, 0, 255], [255, 255, 255]]).to(torch.uint8)
    assert grey(made_of(colours[:, :, None, None])).pixels.flatten().tolist() == [76, 149, 29, 255]
    images = counted(2, 3, 8)
    assert resized(images, 8) is images
    flat = made_of(torch.full((1, 1, 8, 8), 77, dtype=torch.uint8))
    assert set(resized(flat, 6).pixels.flatten().tolist()) == {77}


def test_tokens_are_patches_and_back() -> None:
    images = counted(3, 3, 8)
    tokens = patches(images.pixels, 4)
    assert tokens.shape == (3, 4, 48)
    assert tokens[0, 1].reshape(3, 4, 4).equal(images.pixels[0, :, 0:4, 4:8])
    assert unpatched(tokens, 4, channels=3, width=8).equal(images.pixels)


@pytest.mark.parametrize(("keep", "alphas"), [(25, 16 / 25), (20, 0.8), (16, 1.0), (8, 1.0)])
def test_the_true_mask_keeps_label_relevant_tokens_first(keep: int, alphas: float) -> None:
    scenes = paste(counted(30, 1, 8), counted(1, 1, 10), canvas=10, size=8, step=2, generator=seeded())
    is_relevant = relevant(scenes.is_object, 2)
    places, alpha = keep_tokens(scores_of("mask", is_relevant, generator=seeded()), is_relevant, keep)
    assert alpha.tolist() == [alphas] * 30
    assert places.shape == (30, keep)
    assert (places.diff(dim=1) > 0).all()
    if keep <= 16:
        assert is_relevant.gather(1, places).all()


def test_the_inverse_mask_keeps_them_last_and_lots_keep_any() -> None:
    scenes = paste(counted(400, 1, 8), counted(1, 1, 10), canvas=10, size=8, step=2, generator=seeded())
    is_relevant = relevant(scenes.is_object, 2)
    last = keep_tokens(scores_of("inverse mask", is_relevant, generator=seeded()), is_relevant, 9)[1]
    assert last.tolist() == [0.0] * 400
    lots = keep_tokens(scores_of("random", is_relevant, generator=seeded()), is_relevant, 10)[1]
    assert abs(float(lots.mean()) - 0.64) < 0.02  # 4000 lots without replacement: standard deviation below 0.006


def test_attention_decides_where_it_is_given() -> None:
    is_relevant = torch.tensor([[True, False, True, False]])
    received = torch.tensor([[0.1, 0.4, 0.2, 0.3]])
    scores = scores_of("attention", is_relevant, received=received, generator=seeded())
    places, alpha = keep_tokens(scores, is_relevant, 2)
    assert places.tolist() == [[1, 3]]
    assert alpha.tolist() == [0.0]


@pytest.mark.parametrize(("share", "expected"), [(0, 25), (1 / 3, 22), (5 / 9, 20), (1, 16)])
def test_share_of_irrelevant_tokens_removed(share: float, expected: int) -> None:
    assert kept_count(25, 16, share) == expected


@pytest.mark.parametrize("size", [1, 2, 4, 8])
def test_permuted_grids_and_the_inverse(size: int) -> None:
    images = counted(2, 3, 8)
    order = drawn_order(8, size, seeded(size))
    shuffled = permuted(images, size, order)
    assert permuted(shuffled, size, inverse(order)).pixels.equal(images.pixels)
    before, after = patches(images.pixels, size), patches(shuffled.pixels, size)
    assert after.equal(before[:, order])
    assert sorted(map(tuple, after[0].tolist())) == sorted(map(tuple, before[0].tolist()))
    assert shuffled.labels.equal(images.labels)
    if size == 8:
        assert shuffled.pixels.equal(images.pixels)
    else:
        assert not shuffled.pixels.equal(images.pixels)


@pytest.mark.parametrize(
    ("wrong", "words"),
    [
        (lambda: drawn_order(8, 3, seeded()), "size must divide the image's side of 8 pixels, got 3"),
        (lambda: permuted(counted(1, 1, 4), 2, torch.tensor([0, 0, 1, 2])), "order must be a permutation of 4"),
        (lambda: patches(torch.zeros(1, 1, 6, 6), 4), "patch must divide 6 and 6 pixels, got 4"),
        (lambda: kept_count(4, 5, 0.5), "n_relevant must be at most 4, got 5"),
        (lambda: backgrounds_by_class(torch.tensor([0, 1]), (0.5,), seeded()), "rates must be one for each class"),
        (lambda: backgrounds_by_class(torch.tensor([0]), (1.5,), seeded()), "rates must be between 0 and 1, got 1.5"),
        (
            lambda: paste(counted(1, 1, 4), counted(1, 1, 4), canvas=8, size=4, step=2, generator=seeded()),
            "size must be at most the 4 pixels of made up, got 8",
        ),
        (
            lambda: paste(counted(1, 1, 4), counted(1, 1, 8), canvas=8, size=9, step=2, generator=seeded()),
            "size must be at most canvas = 8, got 9",
        ),
        (lambda: scores_of("mask of another", torch.ones(1, 2), generator=seeded()), "kept_by must be one of mask"),
        (lambda: scores_of("attention", torch.ones(1, 2), generator=seeded()), "received must be given"),
    ],
)
def test_what_does_not_fit_is_one_line(wrong, words: str) -> None:
    with pytest.raises(InvalidParameter, match=r"^[^\n]*$") as refused:
        wrong()
    assert words in str(refused.value)
