"""ResNet-18 and VGG-19, at the sizes of ImageNet, of 32 x 32 pixels, and small. [He et al. 2016; Simonyan et al. 2015]

Written out as the layers that the two papers list. `widths` scale a network down without changing its layers. For small
images a ResNet begins with a 3 x 3 convolution of stride 1 and no pooling, as its authors did for CIFAR; a VGG pools
only while there are two pixels to pool, and classifies what is left by one linear layer. The dropout of VGG's first
classifier is left out: it has no weights, and neither paper here says that it was used.
"""

from __future__ import annotations

from collections.abc import Iterator

import torch
from torch import nn
from torch.nn import functional as F

from sim.trials.validation import require, require_integer, require_one_of

STEMS = ("imagenet", "small")
RESNET_WIDTHS = (64, 128, 256, 512)
VGG_WIDTHS = (64, 128, 256, 512, 512)
VGG_LAYERS = (2, 2, 4, 4, 4)
"""Convolutions of each stage of VGG-19; with the three linear layers they are nineteen."""
_VGG_HIDDEN = 4096
_VGG_GRID = 7


class ResidualBlock(nn.Module):
    """Two 3 x 3 convolutions beside a skip connection, which is a 1 x 1 convolution where the shape changes."""

    def __init__(self, before: int, after: int, stride: int) -> None:
        super().__init__()
        self.first = nn.Conv2d(before, after, 3, stride=stride, padding=1, bias=False)
        self.norm_first = nn.BatchNorm2d(after)
        self.second = nn.Conv2d(after, after, 3, padding=1, bias=False)
        self.norm_second = nn.BatchNorm2d(after)
        changes = stride != 1 or before != after
        skip = [nn.Conv2d(before, after, 1, stride=stride, bias=False), nn.BatchNorm2d(after)] if changes else []
        self.skip = nn.Sequential(*skip)

    def forward(self, images: torch.Tensor) -> torch.Tensor:
        """[n, before, height, width] to [n, after, height / stride, width / stride]."""
        inner = F.relu(self.norm_first(self.first(images)))
        return F.relu(self.norm_second(self.second(inner)) + self.skip(images))


class ResNet18(nn.Module):
    """Four stages of two residual blocks, the mean over pixels, one linear layer."""

    def __init__(
        self, n_classes: int, *, channels: int = 3, stem: str = "imagenet", widths: tuple[int, ...] = RESNET_WIDTHS
    ) -> None:
        super().__init__()
        require_one_of("stem", stem, STEMS)
        require(len(widths) == len(RESNET_WIDTHS), "widths", "be four", widths)
        self.stem = nn.Sequential(*_stem(channels, widths[0], stem))
        pairs = zip((widths[0], *widths), widths, strict=False)
        stages = [
            (ResidualBlock(before, after, 1 if stage == 0 else 2), ResidualBlock(after, after, 1))
            for stage, (before, after) in enumerate(pairs)
        ]
        self.stages = nn.Sequential(*(block for stage in stages for block in stage))
        self.head = nn.Linear(widths[-1], n_classes)

    def forward(self, images: torch.Tensor) -> torch.Tensor:
        """Logits, [n, classes]."""
        return self.head(self.stages(self.stem(images)).mean(dim=(2, 3)))


def _stem(channels: int, width: int, stem: str) -> Iterator[nn.Module]:
    if stem == "imagenet":
        yield nn.Conv2d(channels, width, 7, stride=2, padding=3, bias=False)
    else:
        yield nn.Conv2d(channels, width, 3, padding=1, bias=False)
    yield nn.BatchNorm2d(width)
    yield nn.ReLU()
    if stem == "imagenet":
        yield nn.MaxPool2d(3, stride=2, padding=1)


class VGG19(nn.Module):
    """Sixteen 3 x 3 convolutions in five stages, with pooling between them, and the classifier.

    Args:
        image_size: pixels along a side; it decides how often there is something to pool, and nothing else.
        stem: "imagenet" for three linear layers over a grid of 7 x 7, "small" for one over the mean of all pixels.
    """

    def __init__(
        self, n_classes: int, *, image_size: int, channels: int = 3, stem: str = "imagenet", norm: bool = True,
        widths: tuple[int, ...] = VGG_WIDTHS,
    ) -> None:  # fmt: skip
        super().__init__()
        require_one_of("stem", stem, STEMS)
        require_integer(least=1, image_size=image_size)
        require(len(widths) == len(VGG_WIDTHS), "widths", "be five", widths)
        layers: list[nn.Module] = []
        before, size = channels, image_size
        for width, count in zip(widths, VGG_LAYERS, strict=True):
            for _ in range(count):
                layers += [nn.Conv2d(before, width, 3, padding=1)]
                layers += [nn.BatchNorm2d(width)] if norm else []
                layers += [nn.ReLU()]
                before = width
            if size >= 2:
                layers.append(nn.MaxPool2d(2))
                size //= 2
        self.stages = nn.Sequential(*layers)
        self.grid = _VGG_GRID if stem == "imagenet" else 1
        hidden = widths[-1] * self.grid**2
        deep = [nn.Linear(hidden, _VGG_HIDDEN), nn.ReLU(), nn.Linear(_VGG_HIDDEN, _VGG_HIDDEN), nn.ReLU()]
        last = _VGG_HIDDEN if stem == "imagenet" else hidden
        self.head = nn.Sequential(*(deep if stem == "imagenet" else []), nn.Linear(last, n_classes))

    def forward(self, images: torch.Tensor) -> torch.Tensor:
        """Logits, [n, classes]."""
        return self.head(F.adaptive_avg_pool2d(self.stages(images), self.grid).flatten(1))
