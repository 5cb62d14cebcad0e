"""Attention between kinds of tokens at a few looks of a training, first to last.

A kind is a pattern, the label's own first and the other label's second, so that samples of both labels add up.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import torch

from sim.shallow_vit.data import Samples
from sim.shallow_vit.model import attention
from sim.shallow_vit.training import StepState


def mapped(looks: Sequence[StepState]) -> list[StepState]:
    """The looks of which there is a map: the first, the last, and the nearest to half of the steps between."""
    steps = np.array([look.step for look in looks])
    return [looks[place] for place in sorted({0, int(abs(steps - steps[-1] / 2).argmin()), len(looks) - 1})]


def maps_of(looks: Sequence[StepState], probe: Samples) -> np.ndarray:
    """Of the attention of query tokens of one kind (row) the share that goes to all tokens of another (column).

    Mean over the query tokens of that kind in the probe, in half precision, [maps, kinds, kinds]. Rows add up to 1;
    that of a kind which the probe has not is not a number.
    """
    kinds = torch.nn.functional.one_hot(_kinds(probe)).to(torch.float64)
    maps = [_between(attention(probe.tokens.double(), look.weights.scoring.double()), kinds) for look in mapped(looks)]
    return torch.stack(maps).numpy().astype(np.float16)


def _kinds(samples: Samples) -> torch.Tensor:
    """Pattern of each token [n, L] as its label sees it: 0 is the label's own, 1 the other label's."""
    is_swapped = (samples.labels < 0)[:, None] & (samples.patterns < 2)
    return torch.where(is_swapped, 1 - samples.patterns, samples.patterns)


def _between(weight: torch.Tensor, kinds: torch.Tensor) -> torch.Tensor:
    """Weights [n, query, key] summed by kind, for kinds [n, token, kinds] of which one is 1; [kinds, kinds]."""
    return torch.einsum("nqi,nqj->ij", kinds, weight @ kinds) / kinds.sum((0, 1))[:, None]
