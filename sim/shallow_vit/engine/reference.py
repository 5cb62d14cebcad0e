"""The torch engine: closed-form gradients a batch at a time. It needs torch only; the others are held against it."""

from __future__ import annotations

import torch

from sim.shallow_vit.data import CONFUSION, LABEL_RELEVANT, OTHER, Samples
from sim.shallow_vit.engine.choice import INSANE_OUTPUT
from sim.shallow_vit.engine.interface import Advance, Masses, StepRule
from sim.shallow_vit.gradients import attend, evaluate, hinge_gradient
from sim.shallow_vit.model import Weights, attention


class TorchEngine:
    """See `interface.Engine`."""

    name = "torch"

    def __init__(self, train: Samples, weights: Weights, rule: StepRule) -> None:
        self._train, self._weights, self._rule = train, weights, rule
        self._attended = None if rule.train_attention else attend(train.tokens, weights)

    def advance(self, order: torch.Tensor, first: int, count: int) -> Advance:
        """Run steps on consecutive batches of a pass."""
        rule, last_move, loss, first_loss = self._rule, -1, 0.0, 0.0
        for step in range(count):
            chosen = order[(first + step) * rule.batch_size : (first + step + 1) * rule.batch_size]
            fixed = None if self._attended is None else self._attended[chosen]
            batch = hinge_gradient(self._train.tokens[chosen], self._train.labels[chosen], self._weights, frozen=fixed)
            if not bool(batch.outputs.abs().max() < INSANE_OUTPUT):
                return Advance(step, last_move, loss, first_loss, sane=False)
            loss = batch.loss
            first_loss = loss if step == 0 else first_loss
            if batch.gradient is not None:
                last_move = step
                self._weights = self._weights.step(
                    batch.gradient, rule.learning_rate, train_attention=rule.train_attention
                )
        return Advance(count, last_move, loss, first_loss, sane=True)

    def weights(self) -> Weights:
        """Weights as they are now."""
        return self._weights

    def masses(self, n_samples: int) -> Masses:
        """Attention masses on the first training samples."""
        return attention_masses(self._train[:n_samples], self._weights.scoring)

    def outputs(self, samples: Samples) -> torch.Tensor:
        """Outputs F [n] of any samples under the weights as they are now."""
        return evaluate(samples.tokens, self._weights)


def attention_masses(probe: Samples, scoring: torch.Tensor) -> Masses:
    """Attention masses of a set of samples under W_K^T W_Q."""
    weight = attention(probe.tokens, scoring)
    roles = probe.roles[:, None, :]
    mass = {role: (weight * (roles == role)).sum(-1) for role in (LABEL_RELEVANT, CONFUSION, OTHER)}
    relevant = mass[LABEL_RELEVANT]
    return Masses(
        label_relevant=float(relevant.mean()),
        confusion=float(mass[CONFUSION].mean()),
        other=float(mass[OTHER].mean()),
        own_query=float(relevant[probe.roles == LABEL_RELEVANT].mean()),
        worst_query=float(relevant.min()),
    )
