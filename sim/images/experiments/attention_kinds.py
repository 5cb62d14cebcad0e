"""Test accuracy of a ViT with positional attention beside the same ViT with vanilla attention, seed by seed.

Both have the same parameters and begin with the same drawn weights; batches and crops are the same.
[jelassi2022, section 6, Figures 6 and 7]
"""

from __future__ import annotations

import torch

from sim.images.experiments.pairs import seeds_of_pair, splits, trained
from sim.images.training.course import TrainingCourse
from sim.trial import Outcome, TrialResult


def compare_attention(
    *, dataset: str, network: str, steps: int, batch_size: int, learning_rate: float, patch_size: int = 0,
    labels: str = "true", n_train: int = 0, n_test: int = 0, crop: int = 0, image_size: int = 32,
    weight_decay: float = 0.05, warm_up: int = 0, augment: str = "none", precision: str = "single",
    generator: torch.Generator,
) -> TrialResult:  # fmt: skip
    """Train a pair of ViTs that differ in their attention alone.

    Args:
        dataset, labels, n_train, n_test, crop: as `sim.images.experiments.pairs.splits` takes them; image_size is its
            `size`.
        network: a ViT of `sim.images.networks.named`; patch_size is its own.
        steps, batch_size, learning_rate, weight_decay, warm_up, augment, precision: of `TrainingCourse`.

    Observables:
        accuracy_positional, accuracy_vanilla: on test images, in [0, 1].
        loss_positional, loss_vanilla: mean training loss of the last tenth of the steps; 0 without steps.
        chance: what naming one class for all test images reaches.
        train_sha256, test_sha256: of the data sets as they were loaded.

    Raises:
        ValueError: on bad input, and where the data set is not on this machine.
    """
    course = TrainingCourse(steps, batch_size, learning_rate, weight_decay, warm_up, augment, precision)
    data = splits(
        dataset, labels=labels, n_train=n_train, n_test=n_test, crop=crop, size=image_size, generator=generator
    )
    seed = seeds_of_pair(generator)
    observables, diverged = {"chance": data.chance, **data.checksums}, False
    for attention in ("positional", "vanilla"):
        found = trained(
            data.training, network=network, course=course, seed=seed, patch_size=patch_size, attention=attention
        )
        last = found.losses[-max(1, steps // 10) :]
        observables[f"accuracy_{attention}"] = found.accuracy(data.test)
        observables[f"loss_{attention}"] = float(last.mean()) if len(last) else 0.0
        diverged |= found.diverged
    return TrialResult(Outcome.DIVERGED if diverged else Outcome.BUDGET, observables)
