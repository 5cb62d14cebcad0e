"""How a network is trained, refused where it makes no sense: what trainings with options share."""

from __future__ import annotations

from typing import TypedDict

from sim.validation import require, require_integer, require_positive


class TrainingRule(TypedDict):
    """Parameters of SGD, by the names that trainings take them under."""

    batch_size: int
    learning_rate: float
    max_steps: int
    train_attention: bool


def training_rule(
    n_samples: int, *, batch_size: int, learning_rate: float, max_steps: int, train_attention: bool
) -> TrainingRule:
    """The rule, once it is known to make sense for so many samples."""
    require_integer(least=1, n_samples=n_samples, batch_size=batch_size, max_steps=max_steps)
    require_positive(learning_rate=learning_rate)
    require(batch_size <= n_samples, "batch_size", f"be at most n_samples = {n_samples}", batch_size)
    return {
        "batch_size": batch_size,
        "learning_rate": learning_rate,
        "max_steps": max_steps,
        "train_attention": train_attention,
    }
