"""Networks with every weight drawn from a trial's own generator.

Torch draws the initial weights of its layers from a generator that all of a process share. Networks are therefore built
without storage, on torch's "meta" device, and filled here: convolutions as He et al. (2015), by fan out; linear layers
uniformly, up to one over the root of their inputs, as torch does; positional encodings and class tokens from a normal
law of standard deviation 0.02, cut at two of them; shifts 0, scales 1.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import TypeVar

import torch
from torch import nn

STANDARD_DEVIATION = 0.02
"""Of positional encodings and class tokens."""

Network = TypeVar("Network", bound=nn.Module)


class WithOwnWeights(nn.Module):
    """A network with weights that stand in no layer."""

    def draw_own_weights(self, generator: torch.Generator) -> None:
        """Draw them."""
        raise NotImplementedError


def built(make: Callable[[], Network], generator: torch.Generator) -> Network:
    """The network that `make` describes, on the CPU in float32, all of it drawn from `generator`."""
    with torch.device("meta"):
        network = make()
    network = network.to_empty(device="cpu")
    draw_weights(network, generator)
    return network


def draw_weights(network: nn.Module, generator: torch.Generator) -> None:
    """Draw all weights of a network anew, in the order of its layers.

    Raises:
        TypeError: a weight of a kind of layer that is not known here would be left without a value.
    """
    for name, module in network.named_modules():
        if isinstance(module, nn.Conv2d):
            nn.init.kaiming_normal_(module.weight, mode="fan_out", nonlinearity="relu", generator=generator)
        elif isinstance(module, nn.Linear):
            _uniform(module.weight, generator)
        elif isinstance(module, nn.BatchNorm2d):
            module.reset_running_stats()
            nn.init.ones_(module.weight)
        elif isinstance(module, nn.LayerNorm):
            nn.init.ones_(module.weight)
        elif isinstance(module, WithOwnWeights):
            module.draw_own_weights(generator)
        elif own := [*module.parameters(recurse=False), *module.buffers(recurse=False)]:
            raise TypeError(f"weights must be of a known kind of layer, got {len(own)} of {name}")
        bias = getattr(module, "bias", None)
        if isinstance(bias, torch.Tensor):
            nn.init.zeros_(bias)


def draw_vector(vector: torch.Tensor, generator: torch.Generator) -> None:
    """Positional encodings and class tokens."""
    reach = 2 * STANDARD_DEVIATION
    nn.init.trunc_normal_(vector, std=STANDARD_DEVIATION, a=-reach, b=reach, generator=generator)


def draw_head(head: nn.Linear, generator: torch.Generator) -> None:
    """The output layer alone, anew: where a trained network starts on other classes."""
    _uniform(head.weight, generator)
    nn.init.zeros_(head.bias)


def _uniform(weight: torch.Tensor, generator: torch.Generator) -> None:
    reach = weight.shape[1] ** -0.5
    nn.init.uniform_(weight, -reach, reach, generator=generator)


def count_parameters(network: nn.Module) -> int:
    """How many numbers are trained."""
    return sum(weight.numel() for weight in network.parameters())
