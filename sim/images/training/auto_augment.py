"""AutoAugment: the policies that were searched for on CIFAR-10, SVHN and ImageNet. [Cubuk et al. 2018, Tables 7 to 9]

A policy is 25 pairs of operations, each with a probability and a magnitude from 0 to 9. Every image draws a pair, then
for either operation whether it takes place and, where it has one, its sign. Magnitudes divide the ranges of Table 6
evenly; shifts, which are stated for images of 331 pixels, are the same share of any other. Cutout, which that paper
adds on CIFAR, is no part of the policy and not here.

The paper that figures on images are from cites AutoAugment for its "standard augmentations" and says no more.
[jelassi2022, section 6]
"""

from __future__ import annotations

import functools
from collections.abc import Mapping

import torch

from sim.images.training import image_operations as act
from sim.images.training.image_operations import Operation

_POLICIES: Mapping[str, str] = {
    "cifar10": """
        invert 1, contrast 2 6; rotate 7 2, translate_x 3 9; sharpness 8 1, sharpness 9 3;
        shear_y 5 8, translate_y 7 9; autocontrast 5, equalize 9; shear_y 2 7, posterize 3 7;
        color 4 3, brightness 6 7; sharpness 3 9, brightness 7 9; equalize 6, equalize 5;
        contrast 6 7, sharpness 6 5; color 7 7, translate_x 5 8; equalize 3, autocontrast 4;
        translate_y 4 3, sharpness 2 6; brightness 9 6, color 2 8; solarize 5 2, invert 0;
        equalize 2, autocontrast 6; equalize 2, equalize 6; color 9 9, equalize 6; autocontrast 8, solarize 2 8;
        brightness 1 3, color 7 0; solarize 4 5, autocontrast 9; translate_y 9 9, translate_y 7 9;
        autocontrast 9, solarize 8 3; equalize 8, invert 1; translate_y 7 9, autocontrast 9
    """,
    "svhn": """
        shear_x 9 4, invert 2; shear_y 9 8, invert 7; equalize 6, solarize 6 6; invert 9, equalize 6;
        equalize 6, rotate 9 3; shear_x 9 4, autocontrast 8; shear_y 9 8, invert 4; shear_y 9 5, solarize 2 6;
        invert 9, autocontrast 8; equalize 6, rotate 9 3; shear_x 9 4, solarize 3 3; shear_y 8 8, invert 7;
        equalize 9, translate_y 6 6; invert 9, equalize 6; contrast 3 3, rotate 8 4; invert 8, translate_y 0 2;
        shear_y 7 6, solarize 4 8; invert 6, rotate 8 4; shear_y 3 7, translate_x 9 3; shear_x 1 6, invert 6;
        solarize 7 2, translate_y 6 7; shear_y 8 4, invert 8; shear_x 7 9, translate_y 8 3;
        shear_y 8 5, autocontrast 7; shear_x 7 2, invert 1
    """,
    "imagenet": """
        posterize 4 8, rotate 6 9; solarize 6 5, autocontrast 6; equalize 8, equalize 6;
        posterize 6 7, posterize 6 6; equalize 4, solarize 2 4; equalize 4, rotate 8 8; solarize 6 3, equalize 6;
        posterize 8 5, equalize 10; rotate 2 3, solarize 6 8; equalize 6, posterize 4 6; rotate 8 8, color 4 0;
        rotate 4 9, equalize 6; equalize 0, equalize 8; invert 6, equalize 10; color 6 4, contrast 10 8;
        rotate 8 8, color 10 2; color 8 8, solarize 8 7; sharpness 4 7, invert 6; shear_x 6 5, equalize 10;
        color 4 0, equalize 6; equalize 4, solarize 2 4; solarize 6 5, autocontrast 6; invert 6, equalize 10;
        color 6 4, contrast 10 8; equalize 8, equalize 6
    """,
}
"""Pairs of operations, each with its probability in tenths and its magnitude, where it has one."""
POLICIES = tuple(_POLICIES)
SUB_POLICIES = 25

OPERATIONS: Mapping[str, Operation] = {
    "invert": act.invert, "solarize": act.solarize, "posterize": act.posterize, "autocontrast": act.autocontrast,
    "equalize": act.equalize, "brightness": act.brightness, "color": act.color, "contrast": act.contrast,
    "sharpness": act.sharpness, "shear_x": act.shear_x, "shear_y": act.shear_y, "translate_x": act.translate_x,
    "translate_y": act.translate_y, "rotate": act.rotate,
}  # fmt: skip
_SHIFT = 150 / 331
"""Of the image's width or height: Table 6 has 150 pixels of 331."""


def magnitudes(name: str, levels: torch.Tensor, signs: torch.Tensor, *, width: int, height: int) -> torch.Tensor:
    """What an operation takes, float64 [n], of levels from 0 to 9 and signs of 1 or -1. [Table 6]"""
    share = levels.double() / 9
    if name.startswith("shear"):
        return 0.3 * share * signs
    if name.startswith("translate"):
        return _SHIFT * (width if name.endswith("x") else height) * share * signs
    if name == "rotate":
        return 30 * share * signs
    if name == "solarize":
        return 256 - 256 * share
    if name == "posterize":
        return 8 - (4 * share).round()
    return 0.1 + 1.8 * share


@functools.cache
def policy(name: str) -> tuple[tuple[tuple[str, float, int], tuple[str, float, int]], ...]:
    """The pairs of a policy: (operation, probability, level) twice."""
    pairs = []
    for pair in _POLICIES[name].split(";"):
        one, other = (
            (word, int(tenths) / 10, int(level[0]) if level else 0)
            for word, tenths, *level in map(str.split, pair.split(","))
        )
        pairs.append((one, other))
    return tuple(pairs)


def auto_augmented(pixels: torch.Tensor, name: str, generator: torch.Generator) -> torch.Tensor:
    """Images under a policy, each by its own draw.

    Args:
        pixels: uint8 [n, 1 or 3, height, width].
        name: one of `POLICIES`.
    """
    n, _, height, width = pixels.shape
    pairs = policy(name)
    drawn = torch.randint(SUB_POLICIES, (n,), generator=generator)
    chances = torch.rand((2, n), generator=generator, dtype=torch.float64)
    signs = 2.0 * torch.randint(2, (2, n), generator=generator) - 1
    for place in range(2):
        column = [pair[place] for pair in pairs]
        takes_place = chances[place] < torch.tensor([chance for _, chance, _ in column], dtype=torch.float64)[drawn]
        levels = torch.tensor([level for _, _, level in column])[drawn]
        after = pixels.clone()
        for word in sorted({word for word, _, _ in column}):
            is_it = torch.tensor([other == word for other, _, _ in column])[drawn]
            images = (is_it & takes_place).nonzero().flatten()
            if len(images):
                by = magnitudes(word, levels[images], signs[place, images], width=width, height=height)
                there = images.to(pixels.device)
                after[there] = OPERATIONS[word](pixels[there], by)
        pixels = after
    return pixels
