"""AutoAugment: every operation pixel by pixel as pillow has it, and policies that do as often what they say."""

from __future__ import annotations

import math

import numpy as np
import pytest
import torch
from PIL import Image, ImageEnhance, ImageFilter, ImageOps

from sim.images.training import image_operations as act
from sim.images.training.augmentation import AUGMENTATIONS, augmented
from sim.images.training.auto_augment import OPERATIONS, POLICIES, auto_augmented, magnitudes, policy


def some_images(n: int = 12, channels: int = 3, height: int = 32, width: int = 32) -> torch.Tensor:
    """Noise, ramps and images of few levels, so that histograms are of all kinds."""
    generator = np.random.default_rng(0)
    noise = generator.integers(0, 256, (n, channels, height, width))
    ramp = np.linspace(30, 200, height * width).reshape(height, width) + generator.normal(0, 4, noise.shape)
    pixels = np.where(np.arange(n)[:, None, None, None] % 3 == 1, ramp, noise)
    pixels[2::3] = pixels[2::3] // 64 * 50
    pixels[2:3, 0], pixels[5:6] = 77, 12
    return torch.from_numpy(pixels.astype(np.uint8))


def by_pillow(image: Image.Image, name: str, by: float) -> Image.Image:
    grey = {"fillcolor": 128 if image.mode == "L" else (128,) * 3}
    affine = Image.Transform.AFFINE
    match name:
        case "invert":
            return ImageOps.invert(image)
        case "solarize":
            return ImageOps.solarize(image, math.ceil(by))
        case "posterize":
            return ImageOps.posterize(image, int(by))
        case "autocontrast":
            return ImageOps.autocontrast(image)
        case "equalize":
            return ImageOps.equalize(image)
        case "shear_x":
            return image.transform(image.size, affine, (1, by, 0, 0, 1, 0), **grey)
        case "shear_y":
            return image.transform(image.size, affine, (1, 0, 0, by, 1, 0), **grey)
        case "translate_x":
            return image.transform(image.size, affine, (1, 0, int(by), 0, 1, 0), **grey)
        case "translate_y":
            return image.transform(image.size, affine, (1, 0, 0, 0, 1, int(by)), **grey)
        case "rotate":
            return image.rotate(by, **grey)
        case _:
            return getattr(ImageEnhance, name.capitalize())(image).enhance(by)


@pytest.mark.parametrize("shape", [(3, 32, 32), (1, 8, 8), (3, 21, 30)], ids=str)
@pytest.mark.parametrize("name", OPERATIONS)
def test_an_operation_is_pillow_s_at_every_level_and_sign(name: str, shape: tuple[int, int, int]) -> None:
    channels, height, width = shape
    pixels = some_images(20, *shape)
    levels, signs = torch.arange(20) % 10, 2.0 * (torch.arange(20) < 10) - 1
    by = magnitudes(name, levels, signs, width=width, height=height)
    found = OPERATIONS[name](pixels, by)
    for image, one, after in zip(pixels.numpy(), by.tolist(), found.numpy(), strict=True):
        whole = Image.fromarray(image[0] if channels == 1 else image.transpose(1, 2, 0))
        expected = np.asarray(by_pillow(whole, name, one)).reshape(height, width, channels).transpose(2, 0, 1)
        assert np.array_equal(after, expected), (name, one)
    assert found.dtype == torch.uint8


def test_smoothing_is_pillow_s_filter() -> None:
    (pixels,) = some_images(1)
    smooth = act.sharpness(pixels[None], torch.zeros(1, dtype=torch.float64))[0]
    expected = Image.fromarray(pixels.numpy().transpose(1, 2, 0)).filter(ImageFilter.SMOOTH)
    assert np.array_equal(smooth.numpy(), np.asarray(expected).transpose(2, 0, 1))


@pytest.mark.parametrize(
    ("name", "least", "most"),
    [
        ("shear_x", -0.3, 0.3),
        ("translate_y", -150.0, 150.0),
        ("rotate", -30.0, 30.0),
        ("solarize", 0.0, 256.0),
        ("posterize", 4.0, 8.0),
        ("contrast", 0.1, 1.9),
        ("sharpness", 0.1, 1.9),
    ],
)
def test_magnitudes_span_the_ranges_of_the_paper(name: str, least: float, most: float) -> None:
    levels, signs = torch.arange(10).repeat(2), torch.tensor([1.0, -1.0]).repeat_interleave(10)
    found = magnitudes(name, levels, signs, width=331, height=331)
    assert (float(found.min()), float(found.max())) == pytest.approx((least, most))


@pytest.mark.parametrize("name", POLICIES)
def test_a_policy_has_25_pairs_of_known_operations(name: str) -> None:
    pairs = policy(name)
    assert len(pairs) == 25
    for word, chance, level in (one for pair in pairs for one in pair):
        assert word in OPERATIONS
        assert 0 <= chance <= 1
        assert 0 <= level <= 9
    assert (
        pairs[0]
        == {
            "cifar10": (("invert", 0.1, 0), ("contrast", 0.2, 6)),
            "svhn": (("shear_x", 0.9, 4), ("invert", 0.2, 0)),
            "imagenet": (("posterize", 0.4, 8), ("rotate", 0.6, 9)),
        }[name]
    )


def test_pairs_and_operations_are_drawn_as_often_as_stated(monkeypatch: pytest.MonkeyPatch) -> None:
    """Of 20 000 images each operation meets the share that the 25 pairs add up to."""
    counted: dict[str, int] = dict.fromkeys(OPERATIONS, 0)

    def counting(name: str):
        def operation(pixels: torch.Tensor, by: torch.Tensor) -> torch.Tensor:
            counted[name] += len(pixels)
            assert len(by) == len(pixels)
            return pixels

        return operation

    monkeypatch.setattr("sim.images.training.auto_augment.OPERATIONS", {name: counting(name) for name in OPERATIONS})
    n = 20_000
    auto_augmented(torch.zeros(n, 1, 1, 1, dtype=torch.uint8), "cifar10", torch.Generator().manual_seed(0))
    for name, count in counted.items():
        rate = sum(chance for pair in policy("cifar10") for word, chance, _ in pair if word == name) / 25
        assert abs(count / n - rate) <= 5 * (rate / n) ** 0.5, name


@pytest.mark.parametrize("kind", [kind for kind in AUGMENTATIONS if kind.startswith("autoaugment")])
def test_every_image_has_a_draw_of_its_own_and_the_seed_decides_it(kind: str) -> None:
    pixels = some_images(1).repeat(64, 1, 1, 1)
    first, again = (augmented(pixels, kind, torch.Generator().manual_seed(3)) for _ in range(2))
    assert torch.equal(first, again)
    assert len(torch.unique(first.flatten(1), dim=0)) > 50
    assert torch.equal(pixels, some_images(1).repeat(64, 1, 1, 1))
    assert (first.shape, first.dtype) == (pixels.shape, torch.uint8)
