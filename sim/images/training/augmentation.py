"""What a training image goes through before a network sees it: scaling, shifts and reflections, drawn anew each time.

Both are the usual ones on small images: a crop of the image padded by an eighth on each side, and a reflection of
every other image from left to right. A policy of AutoAugment may follow (`sim.images.training.auto_augment`). Drawn on
the CPU, so that a GPU draws no other augmentation.
"""

from __future__ import annotations

from dataclasses import dataclass

import torch
from torch.nn import functional as F

from sim.images.training.auto_augment import POLICIES, auto_augmented
from sim.trials.validation import require_one_of

_AT_ONCE = 1024
_ROUNDING = 1e-6
"""A channel whose brightness deviates by less is constant."""
_BEFORE = {"cifar10": "crop and flip", "svhn": "crop", "imagenet": "crop and flip"}
"""What comes before a policy; a house number that is reflected is none."""
AUGMENTATIONS = ("none", "crop", "crop and flip", *(f"autoaugment {name}" for name in POLICIES))


@dataclass(frozen=True, eq=False)
class PixelScaling:
    """Mean and standard deviation of each channel of the training images, [channels, 1, 1], in units of 255."""

    mean: torch.Tensor
    deviation: torch.Tensor

    @classmethod
    def of(cls, pixels: torch.Tensor) -> PixelScaling:
        """The scaling of training images, uint8 [n, channels, height, width]; a constant channel is only shifted.

        Sums are of whole numbers, so that they are exact, and taken over a few images at a time.
        """
        total, squares = (torch.zeros(pixels.shape[1], dtype=torch.int64) for _ in range(2))
        for some in pixels.split(_AT_ONCE):
            numbers = some.to(torch.int64)
            total += numbers.sum(dim=(0, 2, 3)).cpu()
            squares += numbers.square().sum(dim=(0, 2, 3)).cpu()
        count = pixels.numel() // pixels.shape[1]
        mean = total.double() / count
        deviation = (squares.double() / count - mean.square()).clamp(min=0).sqrt()
        deviation = torch.where(deviation > _ROUNDING, deviation, torch.full_like(deviation, 255.0))
        return cls((mean / 255).float()[:, None, None], (deviation / 255).float()[:, None, None])

    def __call__(self, pixels: torch.Tensor) -> torch.Tensor:
        """Numbers that a network sees, float32, on the device of the pixels."""
        return (pixels.float() / 255 - self.mean.to(pixels.device)) / self.deviation.to(pixels.device)


def augmented(pixels: torch.Tensor, kind: str, generator: torch.Generator) -> torch.Tensor:
    """Images cropped and reflected at random, and put under a policy, each by its own draw.

    Args:
        pixels: uint8 [n, channels, height, width].
        kind: one of `AUGMENTATIONS`.

    Raises:
        InvalidParameter: an unknown kind.
    """
    require_one_of("augment", kind, AUGMENTATIONS)
    if kind == "none":
        return pixels
    name = kind.removeprefix("autoaugment ")
    if name != kind:
        return auto_augmented(augmented(pixels, _BEFORE[name], generator), name, generator)
    n, _, height, width = pixels.shape
    reach = max(1, min(height, width) // 8)
    shifts = torch.randint(2 * reach + 1, (2, n), generator=generator).to(pixels.device)
    padded = F.pad(pixels, (reach, reach, reach, reach))
    rows = shifts[0][:, None] + torch.arange(height, device=pixels.device)
    columns = shifts[1][:, None] + torch.arange(width, device=pixels.device)
    if kind == "crop and flip":
        flipped = torch.randint(2, (n, 1), generator=generator, dtype=torch.bool).to(pixels.device)
        columns = torch.where(flipped, columns.flip(1), columns)
    image = torch.arange(n, device=pixels.device)[:, None, None]
    return padded.permute(0, 2, 3, 1)[image, rows[:, :, None], columns[:, None, :]].permute(0, 3, 1, 2).contiguous()
