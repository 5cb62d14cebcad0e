"""Adam with a step size that falls to zero along a cosine, on gradients made by hand.

torch.optim would do the same, but its first use imports a compiler and costs each worker process two seconds.
[Kingma and Ba, arXiv:1412.6980, Algorithm 1]
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass, field

import torch

DECAYS = (0.9, 0.999)
STABILITY = 1e-8


@dataclass
class Adam:
    """Moments of the gradients of `parameters`, which `step` changes in place; the step after `n_steps` would be 0."""

    parameters: Sequence[torch.Tensor]
    learning_rate: float
    n_steps: int
    first: list[torch.Tensor] = field(init=False)
    second: list[torch.Tensor] = field(init=False)
    done: int = 0

    def __post_init__(self) -> None:
        self.first = [torch.zeros_like(parameter) for parameter in self.parameters]
        self.second = [torch.zeros_like(parameter) for parameter in self.parameters]

    def step(self, gradients: Sequence[torch.Tensor]) -> None:
        """Move every parameter against its gradient."""
        rate = self.learning_rate * (1 + math.cos(math.pi * self.done / self.n_steps)) / 2
        self.done += 1
        unbiased = [1 - decay**self.done for decay in DECAYS]
        moments = zip(self.parameters, gradients, self.first, self.second, strict=True)
        for parameter, gradient, first, second in moments:
            first.mul_(DECAYS[0]).add_(gradient, alpha=1 - DECAYS[0])
            second.mul_(DECAYS[1]).addcmul_(gradient, gradient, value=1 - DECAYS[1])
            size = (second / unbiased[1]).sqrt_().add_(STABILITY)
            parameter.addcdiv_(first, size, value=-rate / unbiased[0])
