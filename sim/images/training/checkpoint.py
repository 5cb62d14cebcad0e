"""Checkpoints of a training: all that its next step depends on, so that a resumed one repeats an uninterrupted one.

Weights, running means, the optimizer's moments, the generator, the order of the epoch and the place in it, the losses
so far. A file says which training it is of, and no other goes on from it. It is written beside its place and moved
there, so that an interrupted write leaves the one before. Files are read with torch's reader of tensors and plain
containers, which runs nothing that a file contains.
"""

from __future__ import annotations

import hashlib
import uuid
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import torch
from torch import nn

from sim.images.refusals import BadImages
from sim.images.sets.labelled import Images
from sim.images.training.checkpoint_folder import checkpoint_folder

EVERY = 1000
"""Steps between two of them."""
FORMAT = 1
MAX_BYTES = 16 * 2**30
"""A larger file is no checkpoint of the networks here."""


@dataclass
class State:
    """A training between two steps.

    Attributes:
        losses: of the steps made, scalars.
        about: what tells this training from others (`description`).
        order: images of the current epoch, int64 [images], empty before the first.
        place: how many of them are used up.
    """

    network: nn.Module
    optimizer: torch.optim.Optimizer
    generator: torch.Generator
    losses: list[torch.Tensor]
    about: dict[str, Any]
    order: torch.Tensor = field(default_factory=lambda: torch.empty(0, dtype=torch.int64))
    place: int = 0

    @property
    def step(self) -> int:
        """Steps made."""
        return len(self.losses)

    @property
    def diverged(self) -> bool:
        """Whether the last loss is not finite; looked at every 50 steps, as a GPU is waited for each time."""
        return bool(self.losses) and self.step % 50 == 0 and not bool(torch.isfinite(self.losses[-1]))

    def next_batch(self, n_images: int, size: int) -> torch.Tensor:
        """Places of the next images, int64 [size], in a new order where the epoch has no whole batch left."""
        if self.place + size > len(self.order):
            self.order = torch.randperm(n_images, generator=self.generator)
            self.place = 0
        self.place += size
        return self.order[self.place - size : self.place]


def file_of(images: Images, *words: object) -> Path | None:
    """Where a training on these images that these words name keeps its checkpoint; None where no folder is set.

    Raises:
        InvalidParameter: what is named is no folder.
    """
    folder = checkpoint_folder()
    if folder is None:
        return None
    name = hashlib.sha256(repr((images.checksum, *words)).encode()).hexdigest()[:32]
    return folder / f"{name}.pt"


def description(
    network: nn.Module, images: Images, *, course: Mapping[str, Any], keep: torch.Tensor | None
) -> dict[str, Any]:
    """What tells one training from another: the network's layers, the images, the tokens kept, the course."""
    shapes = [f"{name} {list(weight.shape)}" for name, weight in network.state_dict().items()]
    kept = "" if keep is None else Images(keep[:, None, None].byte(), images.labels, images.n_classes, "", False)
    return {
        "format": FORMAT,
        "network": shapes,
        "images": images.checksum,
        "keep": kept and kept.checksum,
        "course": dict(course),
    }


def save(path: Path, state: State) -> None:
    """Write a checkpoint, whole or not at all."""
    held = {
        "about": state.about,
        "network": state.network.state_dict(),
        "optimizer": state.optimizer.state_dict(),
        "generator": state.generator.get_state(),
        "losses": torch.stack(state.losses).cpu() if state.losses else torch.empty(0),
        "order": state.order,
        "place": state.place,
    }
    beside = path.with_name(f"{path.name}.{uuid.uuid4().hex[:8]}.part")
    try:
        torch.save(held, beside)
        beside.replace(path)
    finally:
        beside.unlink(missing_ok=True)


def load(path: Path, state: State) -> None:
    """Go on from a checkpoint, where there is one.

    Raises:
        BadImages: a file that is damaged, too large, or of another training.
    """
    if not path.exists():
        return
    if path.stat().st_size > MAX_BYTES:
        raise BadImages(f"checkpoint {path} must have at most {MAX_BYTES} bytes, got {path.stat().st_size}")
    try:
        held = torch.load(path, map_location="cpu", weights_only=True)
    except Exception as error:
        raise BadImages(f"checkpoint {path} is damaged ({type(error).__name__}); remove it to begin anew") from None
    if not isinstance(held, dict) or held.get("about") != state.about:
        raise BadImages(f"checkpoint {path} is of another training; remove it, or name another file")
    try:
        place = next(state.network.parameters()).device
        state.network.load_state_dict(held["network"])
        state.optimizer.load_state_dict(held["optimizer"])
        state.generator.set_state(held["generator"])
        state.losses = list(held["losses"].to(place))
        state.order, state.place = held["order"], int(held["place"])
    except (KeyError, ValueError, TypeError, RuntimeError, AttributeError) as error:
        raise BadImages(f"checkpoint {path} is damaged ({type(error).__name__}); remove it to begin anew") from None
