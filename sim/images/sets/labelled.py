"""What every loader gives and every construction takes: images with labels, and where they come from.

Pixels are kept as bytes, as all published archives have them, so that the checksum of a set does not depend on the
format that it was read from: the same pictures from two kinds of archive are the same set.
"""

from __future__ import annotations

import hashlib
from dataclasses import dataclass, replace
from functools import cached_property

import torch

from sim.trials.validation import require, require_integer


@dataclass(frozen=True, eq=False)
class Images:
    """A set of labelled images.

    Attributes:
        pixels: uint8 [n, channels, height, width], 0 black; one channel or three (red, green, blue).
        labels: int64 [n], from 0 to n_classes - 1.
        name: of the data set, as `sim.images.sets.dataset.load` takes it.
        stand_in: whether these images stand in for those of a paper: what is measured on them says nothing for it.

    Raises:
        InvalidParameter: a shape, kind or label that breaks the above.
    """

    pixels: torch.Tensor
    labels: torch.Tensor
    n_classes: int
    name: str
    stand_in: bool

    def __post_init__(self) -> None:
        require(self.pixels.dtype == torch.uint8, "pixels", "be of kind uint8", str(self.pixels.dtype))
        shape = list(self.pixels.shape)
        require(len(shape) == 4, "pixels", "be of shape [n, channels, height, width]", shape)
        require(shape[1] in (1, 3), "pixels", "have one channel or three", shape)
        require(min(shape[2:]) > 0, "pixels", "have a height and a width", shape)
        require(self.labels.dtype == torch.int64, "labels", "be of kind int64", str(self.labels.dtype))
        require(list(self.labels.shape) == shape[:1], "labels", f"be of shape [{shape[0]}]", list(self.labels.shape))
        require_integer(least=1, n_classes=self.n_classes)
        if len(self):
            least, most = int(self.labels.min()), int(self.labels.max())
            require(least >= 0 and most < self.n_classes, "labels", f"be from 0 to {self.n_classes - 1}", least, most)

    def __len__(self) -> int:
        return len(self.labels)

    @cached_property
    def checksum(self) -> str:
        """The sha256 of shape, pixels and labels, in hexadecimal."""
        digest = hashlib.sha256(repr(list(self.pixels.shape)).encode())
        digest.update(self.pixels.contiguous().cpu().numpy())  # type: ignore[bad-argument-type]  # as bytes, without a copy
        digest.update(self.labels.contiguous().cpu().numpy().astype("<i8").tobytes())
        return digest.hexdigest()

    def take(self, indices: torch.Tensor) -> Images:
        """The images at these places (int64 or bool [k]), in this order.

        Raises:
            InvalidParameter: an index of another kind or shape, or outside the set.
        """
        kind = indices.dtype
        require(kind in (torch.int64, torch.bool), "indices", "be of kind int64 or bool", str(kind))
        require(indices.dim() == 1, "indices", "be of one dimension", list(indices.shape))
        if kind == torch.bool:
            require(len(indices) == len(self), "indices", f"be one for each of {len(self)} images", len(indices))
        elif len(indices):
            least, most = int(indices.min()), int(indices.max())
            require(least >= 0 and most < len(self), "indices", f"be from 0 to {len(self) - 1}", least, most)
        return replace(self, pixels=self.pixels[indices], labels=self.labels[indices])

    def of_classes(self, classes: tuple[int, ...]) -> Images:
        """The images of these classes alone, which become 0, 1, ... in the order given.

        Raises:
            InvalidParameter: a class that is not there, or one named twice.
        """
        require(len(set(classes)) == len(classes) > 0, "classes", "be named once each, at least one", classes)
        for each in classes:
            require_integer(least=0, classes=each)
            require(each < self.n_classes, "classes", f"be from 0 to {self.n_classes - 1}", each)
        place = torch.full((self.n_classes,), -1, dtype=torch.int64)
        place[list(classes)] = torch.arange(len(classes))
        kept = self.take(place[self.labels] >= 0)
        return replace(kept, labels=place[kept.labels], n_classes=len(classes))
