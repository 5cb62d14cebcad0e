"""Test accuracy of a ViT with positional attention beside the same ViT with vanilla attention, seed by seed.

Both have the same parameters and begin with the same drawn weights; batches and crops are the same.
[jelassi2022, section 6, Figures 6 and 7]
"""

from __future__ import annotations

from dataclasses import dataclass

import torch

from sim.images.experiments.pairs import Splits, seeds_of_pair, splits, trained
from sim.images.training.course import TrainedNetwork, TrainingCourse
from sim.trials.digest import hash_of
from sim.trials.readouts import Run
from sim.trials.trial import Outcome, Scalar


def compare_attention(
    *, dataset: str, network: str, steps: int, batch_size: int, learning_rate: float, patch_size: int = 0,
    labels: str = "true", n_train: int = 0, n_test: int = 0, crop: int = 0, image_size: int = 32,
    weight_decay: float = 0.05, warm_up: int = 0, augment: str = "none", precision: str = "single",
    generator: torch.Generator,
) -> AttentionPair:  # fmt: skip
    """Train a pair of ViTs that differ in their attention alone.

    Args:
        dataset, labels, n_train, n_test, crop: as `sim.images.experiments.pairs.splits` takes them; image_size is its
            `size`.
        network: a ViT of `sim.images.networks.named`; patch_size is its own.
        steps, batch_size, learning_rate, weight_decay, warm_up, augment, precision: of `TrainingCourse`.

    Raises:
        ValueError: on bad input, and where the data set is not on this machine.
    """
    course = TrainingCourse(steps, batch_size, learning_rate, weight_decay, warm_up, augment, precision)
    data = splits(
        dataset, labels=labels, n_train=n_train, n_test=n_test, crop=crop, size=image_size, generator=generator
    )
    seed = seeds_of_pair(generator)
    positional, vanilla = (
        trained(data.training, network=network, course=course, seed=seed, patch_size=patch_size, attention=attention)
        for attention in ("positional", "vanilla")
    )
    diverged = positional.diverged or vanilla.diverged
    account: dict[str, Scalar] = dict(data.checksums)
    if not diverged:
        account["weights"] = hash_of(*positional.weights, *vanilla.weights)
    return AttentionPair(
        outcome=Outcome.DIVERGED if diverged else Outcome.BUDGET, account=account, data=data, course=course,
        positional=positional, vanilla=vanilla,
    )  # fmt: skip


@dataclass(frozen=True, eq=False, kw_only=True)
class AttentionPair(Run):
    """Networks that differ in their attention alone."""

    data: Splits
    course: TrainingCourse
    positional: TrainedNetwork
    vanilla: TrainedNetwork
