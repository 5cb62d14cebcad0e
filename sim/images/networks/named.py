"""The networks of the two papers by name, at the paper's sizes and small ones of the same classes.

[jelassi2022, section 6]: on small images a ViT of 7 blocks, 12 heads, width and hidden width 384, patches of 2 or 4
pixels; on ImageNet "ViT-tiny-patch16-224". [li2023, section 4]: 5 blocks of 4 heads and a one-layer perceptron; neither
width, patches nor pooling are printed: 192, an eighth of the image, the mean over the tokens that are kept.
"""

from __future__ import annotations

from dataclasses import dataclass

import torch
from torch import nn

from sim.images.networks.convolutional import RESNET_WIDTHS, VGG19, VGG_WIDTHS, ResNet18
from sim.images.networks.initial import built
from sim.images.networks.vision_transformer import VisionTransformer, ViTShape
from sim.trials.validation import require_one_of


@dataclass(frozen=True)
class _ViT:
    """What a name says of a ViT."""

    width: int
    depth: int
    heads: int
    mlp_width: int
    pool: str


_VITS = {
    "vit7": _ViT(384, 7, 12, 384, "class"),
    "vit5": _ViT(192, 5, 4, 0, "mean"),
    "vit-tiny": _ViT(192, 12, 3, 768, "class"),
    "vit-small": _ViT(384, 12, 6, 1536, "class"),
    "small-vit7": _ViT(32, 2, 4, 32, "class"),
    "small-vit5": _ViT(48, 2, 4, 0, "mean"),
}
_SMALL_WIDTHS = (8, 16, 16, 32)
_CONVOLUTIONS = ("resnet18", "vgg19", "small-resnet18", "small-vgg19")
NETWORKS = (*_VITS, *_CONVOLUTIONS)
"""All names; "small-" are the same classes with fewer and narrower layers, for data that stand in."""
FROM_IMAGENET = 128
"""Images of at least so many pixels a side go through the first layers and the classifier made for ImageNet."""


def network(
    name: str, *, image_size: int, channels: int, n_classes: int, generator: torch.Generator,
    patch_size: int = 0, attention: str = "vanilla",
) -> nn.Module:  # fmt: skip
    """A network with its weights drawn from `generator`.

    Args:
        name: one of `NETWORKS`.
        image_size: pixels along a side.
        patch_size: of a ViT; 0 for an eighth of the image. Others take none.
        attention: of a ViT, "vanilla" or "positional". Others take none.

    Raises:
        InvalidParameter: an unknown name, or sizes that do not go together.
    """
    require_one_of("name", name, NETWORKS)
    if name in _VITS:
        sizes, size = _VITS[name], patch_size or max(1, image_size // 8)
        shape = ViTShape(
            image_size, size, sizes.width, sizes.depth, sizes.heads, sizes.mlp_width, n_classes, channels,
            attention=attention, pool=sizes.pool,
        )  # fmt: skip
        return built(lambda: VisionTransformer(shape), generator)
    require_one_of("attention", attention, ("vanilla",))
    stem = "imagenet" if image_size >= FROM_IMAGENET else "small"
    small = name.startswith("small-")
    if name.endswith("resnet18"):
        widths = _SMALL_WIDTHS if small else RESNET_WIDTHS
        return built(lambda: ResNet18(n_classes, channels=channels, stem=stem, widths=widths), generator)
    widths = (*_SMALL_WIDTHS, _SMALL_WIDTHS[-1]) if small else VGG_WIDTHS
    return built(
        lambda: VGG19(n_classes, image_size=image_size, channels=channels, stem=stem, widths=widths), generator
    )
