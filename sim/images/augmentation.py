"""What a training image goes through before a network sees it: scaling, shifts and reflections, drawn anew each time.

Both are the usual ones on small images: a crop of the image padded by an eighth on each side, and a reflection of
every other image from left to right. Policies that were searched for on a data set (AutoAugment and its like) are not
here. Drawn on the CPU, so that a GPU draws no other augmentation.
"""

from __future__ import annotations

from dataclasses import dataclass

import torch
from torch.nn import functional as F

from sim.validation import require_one_of

AUGMENTATIONS = ("none", "crop", "crop and flip")


@dataclass(frozen=True, eq=False)
class Scaling:
    """Mean and standard deviation of each channel of the training images, [channels, 1, 1], in units of 255."""

    mean: torch.Tensor
    deviation: torch.Tensor

    @classmethod
    def of(cls, pixels: torch.Tensor) -> Scaling:
        """The scaling of training images, uint8 [n, channels, height, width]; a constant channel is only shifted."""
        numbers = pixels.double() / 255
        mean, deviation = numbers.mean(dim=(0, 2, 3)), numbers.std(dim=(0, 2, 3), correction=0)
        deviation = torch.where(deviation > 0, deviation, torch.ones_like(deviation))
        return cls(mean.float()[:, None, None], deviation.float()[:, None, None])

    def __call__(self, pixels: torch.Tensor) -> torch.Tensor:
        """Numbers that a network sees, float32, on the device of the pixels."""
        return (pixels.float() / 255 - self.mean.to(pixels.device)) / self.deviation.to(pixels.device)


def augmented(pixels: torch.Tensor, kind: str, generator: torch.Generator) -> torch.Tensor:
    """Images cropped and reflected at random, each by its own draw.

    Args:
        pixels: uint8 [n, channels, height, width].
        kind: one of `AUGMENTATIONS`.

    Raises:
        InvalidParameter: an unknown kind.
    """
    require_one_of("augment", kind, AUGMENTATIONS)
    if kind == "none":
        return pixels
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
