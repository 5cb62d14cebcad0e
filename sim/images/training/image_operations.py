"""Operations on images of whole brightness, a magnitude an image, equal to those of the Python Imaging Library.

AutoAugment's policies were searched with that library's operations, so what they do to a pixel is defined by it: blends
are cut to whole numbers and not rounded, a place outside its image is grey, coordinates have 16 binary digits behind
the point. Here they are worked out on whole batches, on the device of the images. A test compares every operation with
pillow's, pixel by pixel.
"""

from __future__ import annotations

import math
from collections.abc import Callable

import torch

Operation = Callable[[torch.Tensor, torch.Tensor], torch.Tensor]
"""Images uint8 [n, 1 or 3, height, width] and a magnitude of each, float64 [n] on the CPU, to images of that shape."""

GREY = 128
"""What stands where a moved image has no pixel."""
_LEVELS = 256
_ONE = 1 << 16
_LUMA = (19_595, 38_470, 7_471)
"""Shares of red, green and blue in brightness, of 2^16 [ITU-R 601-2]."""


def _each(magnitudes: torch.Tensor, pixels: torch.Tensor) -> torch.Tensor:
    """A magnitude an image, [n, 1, 1, 1], where the images are."""
    return magnitudes.to(device=pixels.device)[:, None, None, None]


# ----------------------------------------------------------------------------------------------- level by level


def invert(pixels: torch.Tensor, magnitudes: torch.Tensor) -> torch.Tensor:
    """Every brightness taken from 255; there is no magnitude."""
    return 255 - pixels


def solarize(pixels: torch.Tensor, magnitudes: torch.Tensor) -> torch.Tensor:
    """Brightness from the magnitude on inverted."""
    return torch.where(pixels < _each(magnitudes, pixels), pixels, 255 - pixels)


def posterize(pixels: torch.Tensor, magnitudes: torch.Tensor) -> torch.Tensor:
    """So many of the highest bits kept."""
    kept = 256 - 2 ** (8 - magnitudes.round().to(torch.int64))
    return pixels & _each(kept, pixels).to(torch.uint8)


def autocontrast(pixels: torch.Tensor, magnitudes: torch.Tensor) -> torch.Tensor:
    """Each channel stretched to 0 to 255; a constant one is left. There is no magnitude."""
    low, high = (end.double() for end in (pixels.amin((2, 3), keepdim=True), pixels.amax((2, 3), keepdim=True)))
    scale = torch.full_like(low, 255).div((high - low).clamp(min=1))  # 255 / x is 255 times the rounded 1 / x
    stretched = (pixels * scale - low * scale).trunc().clamp(0, 255).to(torch.uint8)
    return torch.where(high > low, stretched, pixels)


def equalize(pixels: torch.Tensor, magnitudes: torch.Tensor) -> torch.Tensor:
    """Each channel's levels moved so that all are equally frequent, as nearly as can be. There is no magnitude."""
    n, channels = pixels.shape[:2]
    flat = pixels.reshape(n * channels, -1).long()
    counts = torch.zeros(len(flat), _LEVELS, dtype=torch.int64, device=pixels.device)
    counts.scatter_add_(1, flat, torch.ones_like(flat))
    of_brightest = counts.gather(1, flat.amax(1, keepdim=True))
    step = (counts.sum(1, keepdim=True) - of_brightest) // 255
    below = counts.cumsum(1) - counts
    levels = ((step // 2 + below) // step.clamp(min=1)).clamp(max=255)
    return torch.where(step > 0, levels.gather(1, flat), flat).to(torch.uint8).reshape(pixels.shape)


# ------------------------------------------------------------------------------------------------------- blends


def _blended(ground: torch.Tensor, pixels: torch.Tensor, factors: torch.Tensor) -> torch.Tensor:
    """From the ground (factor 0) to the image (1) and beyond, cut to whole brightness."""
    ground = ground.float()
    moved = _each(factors.float(), pixels) * (pixels.float() - ground)
    return (ground + moved).clamp(0, 255).to(torch.uint8)


def _grey(pixels: torch.Tensor) -> torch.Tensor:
    """Brightness alone, int64 [n, 1, height, width]."""
    if pixels.shape[1] == 1:
        return pixels.long()
    red, green, blue = pixels.long().unbind(1)
    return ((red * _LUMA[0] + green * _LUMA[1] + blue * _LUMA[2] + _ONE // 2) >> 16)[:, None]


def brightness(pixels: torch.Tensor, magnitudes: torch.Tensor) -> torch.Tensor:
    """Away from black: 0 is black, 1 the image."""
    return _blended(torch.zeros_like(pixels), pixels, magnitudes)


def color(pixels: torch.Tensor, magnitudes: torch.Tensor) -> torch.Tensor:
    """Away from the image without colours: 0 is that, 1 the image."""
    return _blended(_grey(pixels), pixels, magnitudes)


def contrast(pixels: torch.Tensor, magnitudes: torch.Tensor) -> torch.Tensor:
    """Away from the even image of the same mean brightness: 0 is that, 1 the image."""
    mean = _grey(pixels).double().mean((1, 2, 3), keepdim=True)
    return _blended((mean + 0.5).floor(), pixels, magnitudes)


def sharpness(pixels: torch.Tensor, magnitudes: torch.Tensor) -> torch.Tensor:
    """Away from the smoothed image: 0 is that, 1 the image. The outermost pixels stay."""
    smooth = pixels.long()
    if min(pixels.shape[2:]) > 2:
        rows = smooth[:, :, :-2] + smooth[:, :, 1:-1] + smooth[:, :, 2:]
        around = rows[..., :-2] + rows[..., 1:-1] + rows[..., 2:]
        weighed = around + 4 * smooth[:, :, 1:-1, 1:-1]  # the pixel itself counts 5, its neighbours 1
        smooth = smooth.clone()
        smooth[:, :, 1:-1, 1:-1] = (2 * weighed + 13) // 26
    return _blended(smooth, pixels, magnitudes)


# -------------------------------------------------------------------------------------------------------- moves


def shear_x(pixels: torch.Tensor, magnitudes: torch.Tensor) -> torch.Tensor:
    """Each row shifted by the magnitude times its height."""
    return _moved(pixels, _matrices(magnitudes, across=magnitudes))


def shear_y(pixels: torch.Tensor, magnitudes: torch.Tensor) -> torch.Tensor:
    """Each column shifted by the magnitude times its place."""
    return _moved(pixels, _matrices(magnitudes, down=magnitudes))


def translate_x(pixels: torch.Tensor, magnitudes: torch.Tensor) -> torch.Tensor:
    """Shifted to the left by whole pixels, the magnitude without its fraction."""
    return _moved(pixels, _matrices(magnitudes, left=magnitudes.trunc()))


def translate_y(pixels: torch.Tensor, magnitudes: torch.Tensor) -> torch.Tensor:
    """Shifted up by whole pixels, the magnitude without its fraction."""
    return _moved(pixels, _matrices(magnitudes, up=magnitudes.trunc()))


def rotate(pixels: torch.Tensor, magnitudes: torch.Tensor) -> torch.Tensor:
    """Turned about the middle against the clock, in degrees."""
    middle_x, middle_y = pixels.shape[3] / 2, pixels.shape[2] / 2
    angle = -magnitudes * (math.pi / 180)
    cosine, sine = angle.cos(), angle.sin()
    left = middle_x - cosine * middle_x - sine * middle_y
    up = middle_y + sine * middle_x - cosine * middle_y
    return _moved(pixels, torch.stack([cosine, sine, left, -sine, cosine, up], 1))


def _matrices(like: torch.Tensor, **places: torch.Tensor) -> torch.Tensor:
    """Where each pixel comes from, [n, 6]: x' = m0 x + m1 y + m2, y' = m3 x + m4 y + m5; from itself by default."""
    zero, one = torch.zeros_like(like), torch.ones_like(like)
    names = ("across", "left", "down", "up")
    across, left, down, up = (places.get(name, zero) for name in names)
    return torch.stack([one, across, left, down, one, up], 1)


def _moved(pixels: torch.Tensor, matrices: torch.Tensor) -> torch.Tensor:
    """Each pixel from the place that the matrix of its image names, the nearest one; grey from outside."""
    n, _, height, width = pixels.shape
    m = matrices.clone()
    m[:, 2] += 0.5 * (m[:, 0] + m[:, 1])  # pixels are looked up at their middle
    m[:, 5] += 0.5 * (m[:, 3] + m[:, 4])
    whole = (m * _ONE + 0.5).floor().to(torch.int64).to(pixels.device)[:, :, None, None]
    x = torch.arange(width, device=pixels.device)[None, None, :]
    y = torch.arange(height, device=pixels.device)[None, :, None]
    from_x = (whole[:, 2] + x * whole[:, 0] + y * whole[:, 1]) >> 16
    from_y = (whole[:, 5] + x * whole[:, 3] + y * whole[:, 4]) >> 16
    inside = (from_x >= 0) & (from_x < width) & (from_y >= 0) & (from_y < height)
    image = torch.arange(n, device=pixels.device)[:, None, None]
    found = pixels.permute(0, 2, 3, 1)[image, from_y.clamp(0, height - 1), from_x.clamp(0, width - 1)]
    return torch.where(inside[..., None], found, GREY).to(torch.uint8).permute(0, 3, 1, 2).contiguous()
