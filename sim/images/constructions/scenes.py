"""Objects set into backgrounds, with the places of the object's pixels kept, so that alpha_* is counted.

Paper A cuts a region of 26 x 26 out of an image of plants and puts a resized CIFAR-10 image there; alpha_* is about
0.66 before tokens are left out. [li2023, section 4.2] 26^2 / 32^2 = 0.660: the share of the *area* of an image of
32 x 32. As a share of *tokens* it is the same exactly where the region is made of whole tokens: with patches of 2 x 2,
13^2 = 169 of 16^2 = 256 tokens, if the region begins at an even row and column. Begun at odd ones it touches 14^2 = 196
tokens, 0.766; with patches of 4 x 4 it touches at least 7^2 of 8^2, 0.766. So the region begins at multiples of `step`,
the side of a patch, and a token is label-relevant if its patch overlaps the object
(`sim.images.constructions.tokens.relevant`).
"""

from __future__ import annotations

from dataclasses import dataclass, replace

import torch
from torch.nn.functional import interpolate

from sim.images.sets.labelled import Images
from sim.trials.validation import require, require_integer


@dataclass(frozen=True, eq=False)
class Scenes:
    """Objects in their backgrounds.

    Attributes:
        images: what is seen; `name` joins those of objects and backgrounds, `stand_in` is true where either's is.
        is_object: bool [n, height, width], the pixels of the object.
        has_background: bool [n]; where it is false everything else is 0.
    """

    images: Images
    is_object: torch.Tensor
    has_background: torch.Tensor


def paste(
    objects: Images,
    backgrounds: Images,
    *,
    canvas: int,
    size: int,
    step: int,
    generator: torch.Generator,
    has_background: torch.Tensor | None = None,
) -> Scenes:
    """Each object once, resized to `size`, at a place by lot in a cut of `canvas` pixels out of a background by lot.

    Args:
        step: places are multiples of it, down and across.
        has_background: bool [n], those that have one; the others are on black. By default all have.

    Raises:
        InvalidParameter: an object larger than the canvas, a canvas larger than a background, or other shapes.
    """
    require_integer(least=1, canvas=canvas, size=size, step=step)
    n, channels = len(objects), objects.pixels.shape[1]
    require(size <= canvas, "size", f"be at most canvas = {canvas}", size)
    require(len(backgrounds) > 0, "backgrounds", "hold an image", 0)
    shown = torch.ones(n, dtype=torch.bool) if has_background is None else has_background
    is_fit = shown.dtype == torch.bool and list(shown.shape) == [n]
    require(is_fit, "has_background", f"be bool of shape [{n}]", str(shown.dtype), list(shown.shape))
    behind = cuts(backgrounds if channels == 3 else grey(backgrounds), n, size=canvas, generator=generator)
    pixels = behind * shown[:, None, None, None]
    rows, columns = (step * torch.randint(0, (canvas - size) // step + 1, (n,), generator=generator) for _ in range(2))
    place = torch.arange(canvas)
    down = (place >= rows[:, None]) & (place < rows[:, None] + size)
    across = (place >= columns[:, None]) & (place < columns[:, None] + size)
    is_object = down[:, :, None] & across[:, None, :]
    fitted = resized(objects, size).pixels
    # Row by row, the mask's pixels are those of the object in its own order.
    pixels = pixels.permute(0, 2, 3, 1).contiguous()
    pixels[is_object] = fitted.permute(0, 2, 3, 1).reshape(-1, pixels.shape[-1])
    images = replace(
        objects,
        pixels=pixels.permute(0, 3, 1, 2).contiguous(),
        name=f"{objects.name} on {backgrounds.name}",
        stand_in=objects.stand_in or backgrounds.stand_in,
    )
    return Scenes(images, is_object, shown)


def cuts(images: Images, n: int, *, size: int, generator: torch.Generator) -> torch.Tensor:
    """Cut `n` squares of `size` pixels, each at a place by lot out of an image by lot: uint8 [n, channels, size, size].

    Raises:
        InvalidParameter: an image that is smaller.
    """
    _, channels, height, width = images.pixels.shape
    require(size <= min(height, width), "size", f"be at most the {min(height, width)} pixels of {images.name}", size)
    which = torch.randint(0, len(images), (n,), generator=generator)
    rows = torch.randint(0, height - size + 1, (n,), generator=generator)
    columns = torch.randint(0, width - size + 1, (n,), generator=generator)
    square = torch.arange(size)
    down, across = rows[:, None] + square, columns[:, None] + square
    channel = torch.arange(channels)[None, :, None, None]
    return images.pixels[which[:, None, None, None], channel, down[:, None, :, None], across[:, None, None, :]]


def grey(images: Images) -> Images:
    """The images in one channel: the luma of ITU-R BT.601 in whole numbers, (299 R + 587 G + 114 B) / 1000."""
    if images.pixels.shape[1] == 1:
        return images
    weights = torch.tensor([299, 587, 114])[None, :, None, None]
    luma = (images.pixels.int() * weights).sum(1, keepdim=True) // 1000
    return replace(images, pixels=luma.to(torch.uint8))


def resized(images: Images, size: int) -> Images:
    """The images as squares of `size` pixels, bilinear with antialiasing; the very same bytes where they are that."""
    require_integer(least=1, size=size)
    if list(images.pixels.shape[2:]) == [size, size]:
        return images
    found = interpolate(images.pixels.float(), (size, size), mode="bilinear", align_corners=False, antialias=True)
    return replace(images, pixels=found.round().clamp(0, 255).to(torch.uint8))


def backgrounds_by_class(labels: torch.Tensor, rates: tuple[float, ...], generator: torch.Generator) -> torch.Tensor:
    """Which images have a background: of class c exactly round(rates[c] * count of c), by lot: bool [n].

    Figure 6(c) has plants behind 90 % of the birds and 10 % of the airplanes in training, half of each in testing.

    Raises:
        InvalidParameter: a rate outside [0, 1], or a class without a rate.
    """
    for rate in rates:
        require(0 <= rate <= 1, "rates", "be between 0 and 1", rate)
    most = int(labels.max()) if len(labels) else -1
    require(most < len(rates), "rates", "be one for each class", len(rates))
    shown = torch.zeros(len(labels), dtype=torch.bool)
    for each, rate in enumerate(rates):
        places = (labels == each).nonzero()[:, 0]
        order = torch.randperm(len(places), generator=generator)
        shown[places[order[: round(rate * len(places))]]] = True
    return shown
