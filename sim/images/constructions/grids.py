"""Images whose grid of squares is permuted, one permutation for all of them, and the inverse. [jelassi2022, section 6]

An image is cut into squares of `size` x `size` pixels, the paper's grid shuffle size s, and the square at place i of
the new image is the one that was at place `order[i]`. All images of a data set, of both splits, share the permutation.
With s as large as the image there is one square, and nothing moves.
"""

from __future__ import annotations

from dataclasses import replace

import torch

from sim.images.constructions.tokens import patches, unpatched
from sim.images.sets.labelled import Images
from sim.trials.validation import require, require_integer


def drawn_order(side: int, size: int, generator: torch.Generator) -> torch.Tensor:
    """A permutation by lot of the squares of an image of `side` x `side` pixels: int64 [(side / size)^2].

    Raises:
        InvalidParameter: a size that does not divide the side.
    """
    require_integer(least=1, side=side, size=size)
    require(side % size == 0, "size", f"divide the image's side of {side} pixels", size)
    return torch.randperm((side // size) ** 2, generator=generator)


def permuted(images: Images, size: int, order: torch.Tensor) -> Images:
    """The images with the squares of `size` pixels in this order.

    Raises:
        InvalidParameter: an order that is no permutation of the squares.
    """
    channels, width = images.pixels.shape[1], images.pixels.shape[3]
    squares = patches(images.pixels, size)
    count = squares.shape[1]
    is_order = list(order.shape) == [count] and bool((order.sort().values == torch.arange(count)).all())
    require(is_order, "order", f"be a permutation of {count} squares", order.tolist()[:8])
    return replace(images, pixels=unpatched(squares[:, order], size, channels=channels, width=width))


def inverse(order: torch.Tensor) -> torch.Tensor:
    """The permutation that undoes another."""
    return order.argsort()
