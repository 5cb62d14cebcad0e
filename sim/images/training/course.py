"""Training of a network on labelled images: AdamW, a cosine schedule, augmentation, mixed precision on a GPU.

Batches are drawn without replacement, epoch by epoch, from the generator of the trial, on the CPU: order, augmentation
and initial weights are the same on every device. All figures are for the weights after the last step; nothing is chosen
by looking at the test images.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import asdict, dataclass
from pathlib import Path

import numpy as np
import torch
from torch import nn
from torch.nn import functional as F

from sim.images.sets.labelled import Images
from sim.images.training import checkpoint
from sim.images.training.augmentation import AUGMENTATIONS, PixelScaling, augmented
from sim.images.training.device import device as own_device
from sim.trials.validation import require, require_integer, require_non_negative, require_one_of, require_positive

PRECISIONS = ("single", "mixed")
EVALUATED_AT_ONCE = 512
MOST_ON_DEVICE = 8 * 2**30
"""Bytes of pixels that are held on the device; more stay with the machine and go over batch by batch."""

Arrange = Callable[[torch.Tensor], torch.Tensor]
"""Moves pixels, [n, channels, height, width] to the same shape, after augmentation and before the network."""


@dataclass(frozen=True)
class TrainingCourse:
    """How a network is trained.

    Attributes:
        steps: optimisation steps; 0 leaves the network as it is.
        batch_size: images of a step; the last batch of an epoch is dropped where it would be smaller.
        learning_rate: at its largest; it rises linearly over `warm_up` steps and falls to 0 by half a cosine.
        weight_decay: of AdamW, on matrices and filters alone.
        augment: one of `augmentation.AUGMENTATIONS`.
        precision: "single", or "mixed": products in bfloat16, weights and sums in float32.
        smoothing: of the labels in the loss.

    Raises:
        InvalidParameter: a value out of its range.
    """

    steps: int
    batch_size: int = 128
    learning_rate: float = 1e-3
    weight_decay: float = 0.05
    warm_up: int = 0
    augment: str = "none"
    precision: str = "single"
    smoothing: float = 0.0

    def __post_init__(self) -> None:
        require_integer(least=0, steps=self.steps, warm_up=self.warm_up)
        require_integer(least=1, batch_size=self.batch_size)
        require_positive(learning_rate=self.learning_rate)
        require_non_negative(weight_decay=self.weight_decay, smoothing=self.smoothing)
        require(self.smoothing < 1, "smoothing", "be < 1", self.smoothing)
        require_one_of("augment", self.augment, AUGMENTATIONS)
        require_one_of("precision", self.precision, PRECISIONS)

    def rate_at(self, step: int) -> float:
        """Learning rate of a step, from 0."""
        if step < self.warm_up:
            return self.learning_rate * (step + 1) / self.warm_up
        left = max(1, self.steps - self.warm_up)
        return self.learning_rate * (1 + math.cos(math.pi * (step - self.warm_up) / left)) / 2


@dataclass(frozen=True, eq=False)
class TrainedNetwork:
    """A network after its training.

    Attributes:
        network: on the device that it was trained on, ready to evaluate.
        scaling: of the training images, which test images go through as well.
        losses: training loss of every step, float64 [steps].
        steps: steps made; fewer than asked for where the loss was no longer finite.
        diverged: whether that happened.
    """

    network: nn.Module
    scaling: PixelScaling
    losses: np.ndarray
    steps: int
    diverged: bool

    @property
    def weights(self) -> list[torch.Tensor]:
        """All that was trained, on the CPU."""
        return [value.cpu() for value in self.network.state_dict().values()]

    def logits(
        self, images: Images, *, keep: torch.Tensor | None = None, arrange: Arrange | None = None
    ) -> torch.Tensor:
        """Logits of images, float32 [n, classes], on the CPU; nothing is augmented."""
        place = next(self.network.parameters()).device
        found = []
        self.network.eval()
        with torch.no_grad():
            for start in range(0, len(images), EVALUATED_AT_ONCE):
                chosen = slice(start, start + EVALUATED_AT_ONCE)
                seen = _seen(images.pixels[chosen].to(place), self.scaling, arrange)
                kept = () if keep is None else (keep[chosen].to(place),)
                found.append(self.network(seen, *kept).float().cpu())
        return torch.cat(found) if found else torch.empty(0, images.n_classes)

    def accuracy(self, images: Images, *, keep: torch.Tensor | None = None, arrange: Arrange | None = None) -> float:
        """Share of images that the largest logit classifies rightly, in [0, 1].

        Raises:
            InvalidParameter: no images.
        """
        require(len(images) > 0, "images", "be one at least", len(images))
        if self.diverged:
            return 0.0
        guessed = self.logits(images, keep=keep, arrange=arrange).argmax(dim=1)
        return float((guessed == images.labels).double().mean())


def train(
    network: nn.Module, images: Images, *, course: TrainingCourse, generator: torch.Generator,
    keep: torch.Tensor | None = None, arrange: Arrange | None = None,
    device: str | None = None, save_to: Path | None = None, save_every: int = 0,
) -> TrainedNetwork:  # fmt: skip
    """Train a network, in place.

    Args:
        network: with its weights drawn (`networks.named.network`), one that maps images to logits.
        images: for training; the scaling of pixels is theirs.
        course: steps, batches, rate, augmentation, precision.
        generator: of the trial; order and augmentation are drawn from it.
        keep: tokens that each image keeps, bool [n, patches]; the network must take it. Goes with augment "none".
        arrange: moves pixels after augmentation.
        device: as torch calls it; None for that of the process (`sim.images.training.device`).
        save_to: a file for checkpoints, from which training goes on where it exists. Continued training on the CPU
            equals uninterrupted training bit for bit; `generator` must be in the state in which it started.
        save_every: steps between checkpoints; 0 for none but the last.

    Raises:
        InvalidParameter: arguments that do not go together.
        UnusableImages: a checkpoint that is damaged, or of another training.
    """
    _require_fit(images, course, keep, save_every)
    place = torch.device(device or own_device())
    network.to(place)
    scaling = PixelScaling.of(images.pixels)
    optimizer = _optimizer(network, course, fused=True)
    about = {} if save_to is None else checkpoint.description(network, images, course=asdict(course), keep=keep)
    state = checkpoint.State(network, optimizer, generator, losses=[], about=about)
    if save_to is not None:
        checkpoint.load(save_to, state)
    pixels = images.pixels.to(place) if images.pixels.numel() <= MOST_ON_DEVICE else images.pixels
    labels, kept = images.labels.to(place), None if keep is None else keep.to(place)
    network.train()
    while state.step < course.steps and not state.diverged:
        chosen = state.next_batch(len(images), course.batch_size)
        cut = pixels[chosen.to(pixels.device)].to(place)
        chosen = chosen.to(place)
        moved = _seen(augmented(cut, course.augment, generator), scaling, arrange)
        arguments = (moved,) if kept is None else (moved, kept[chosen])
        for group in optimizer.param_groups:
            group["lr"] = course.rate_at(state.step)
        loss = _step(network, optimizer, arguments, labels[chosen], course)
        state.losses.append(loss)
        if save_to is not None and save_every and state.step % save_every == 0:
            checkpoint.save(save_to, state)
    if save_to is not None:
        checkpoint.save(save_to, state)
    losses = np.array([float(loss) for loss in state.losses], dtype=np.float64)
    finite = int(np.isfinite(losses).sum()) if len(losses) else 0
    network.eval()
    return TrainedNetwork(network, scaling, losses, len(losses), finite < len(losses))


def _require_fit(images: Images, course: TrainingCourse, keep: torch.Tensor | None, save_every: int) -> None:
    require(len(images) > 0, "images", "be one at least", len(images))
    require(course.batch_size <= len(images), "batch_size", f"be <= {len(images)}, the images", course.batch_size)
    require_integer(least=0, save_every=save_every)
    if keep is not None:
        require(course.augment == "none", "augment", "be none where tokens are dropped by place", course.augment)
        require(len(keep) == len(images), "keep", f"be one row for each of {len(images)} images", len(keep))
        require(bool(keep.any(dim=1).all()), "keep", "leave every image a token", "one without")


def _seen(pixels: torch.Tensor, scaling: PixelScaling, arrange: Arrange | None) -> torch.Tensor:
    """What a network is given."""
    return scaling(pixels if arrange is None else arrange(pixels))


def _optimizer(network: nn.Module, course: TrainingCourse, *, fused: bool) -> torch.optim.AdamW:
    """AdamW that lets vectors (shifts, scales, class tokens) and positional encodings be."""
    weights = dict(network.named_parameters())
    free = [weight for name, weight in weights.items() if weight.dim() < 2 or name.endswith("positions")]
    decayed = [weight for name, weight in weights.items() if not (weight.dim() < 2 or name.endswith("positions"))]
    groups = [{"params": decayed, "weight_decay": course.weight_decay}, {"params": free, "weight_decay": 0.0}]
    return torch.optim.AdamW(groups, lr=course.learning_rate, fused=fused)


def _step(
    network: nn.Module, optimizer: torch.optim.Optimizer, arguments: tuple[torch.Tensor, ...], labels: torch.Tensor,
    course: TrainingCourse,
) -> torch.Tensor:  # fmt: skip
    """One step; the loss before it, a scalar that stays on its device."""
    optimizer.zero_grad(set_to_none=True)
    is_mixed = course.precision == "mixed"
    with torch.autocast(labels.device.type, dtype=torch.bfloat16, enabled=is_mixed):
        logits = network(*arguments)
    loss = F.cross_entropy(logits.float(), labels, label_smoothing=course.smoothing)
    loss.backward()
    optimizer.step()
    return loss.detach()
