"""Samples as points with counts: equal tokens of a sample attend equally, and are attended to equally.

Where tokens of a pattern are one point, a sample of L tokens is at most M points; elsewhere every token is a point of
its own, counted once. Both are read by the same lines, and the first at a small part of the cost.
"""

from __future__ import annotations

from dataclasses import dataclass

import torch

from sim.shallow_vit.data import Samples
from sim.shallow_vit.engine.structure import pattern_points, same_tokens_by_pattern


@dataclass(frozen=True)
class TokenPoints:
    """Points of samples, which are their tokens or stand for several equal ones.

    Attributes:
        rows: [n, K, d]; counts: tokens at each of them [n, K], may be 0.
        roles: role of the tokens at each [n, K], see `Samples.roles`; labels: [n].
        output_sums: output layer summed over the tokens at each [n, K, m].
        length: L.
    """

    rows: torch.Tensor
    counts: torch.Tensor
    roles: torch.Tensor
    labels: torch.Tensor
    output_sums: torch.Tensor
    length: int

    @classmethod
    def of(cls, samples: Samples, output: torch.Tensor) -> TokenPoints:
        """The points of samples, and what an output layer [m] or [L, m] is over each."""
        if not same_tokens_by_pattern(samples):
            ones = torch.ones_like(samples.tokens[:, :, 0])
            sums = output.expand(*samples.patterns.shape, -1)
            return cls(samples.tokens, ones, samples.roles, samples.labels, sums, samples.tokens.shape[1])
        n_patterns = int(samples.patterns.max()) + 1
        rows, counts = pattern_points(samples, n_patterns)
        each = Samples(rows, samples.labels, torch.arange(n_patterns).expand(len(samples), -1))
        belongs = samples.patterns[:, None, :] == torch.arange(n_patterns)[:, None]
        per_token = output.expand(samples.tokens.shape[1], -1)
        sums = belongs.to(output.dtype) @ per_token
        return cls(rows, counts.to(rows.dtype), each.roles, samples.labels, sums, samples.tokens.shape[1])


def attention(points: TokenPoints, scoring: torch.Tensor) -> torch.Tensor:
    """Attention weights [T, n, K, K] under each of several W_K^T W_Q [T, d, d].

    Entry (t, n, l, s) is that of a token at point l on a token at point s.
    """
    scores = points.rows @ scoring[:, None].transpose(-1, -2) @ points.rows.transpose(1, 2)
    if bool((points.counts == 1).all()):
        return torch.softmax(scores, dim=-1)
    return torch.softmax(scores + points.counts.log()[:, None, :], dim=-1) / points.counts.clamp(min=1)[:, None, :]


def outputs(points: TokenPoints, scoring: torch.Tensor, readout: torch.Tensor) -> torch.Tensor:
    """Outputs F [T, n] under each of several W_K^T W_Q [T, d, d] and W_O W_V [T, m, d]. [li2023, eq. 1]"""
    attended = (attention(points, scoring) * points.counts[:, None, :]) @ points.rows
    gated = torch.relu_(attended.flatten(1, 2) @ readout.transpose(-1, -2))
    gated = gated.unflatten(1, attended.shape[1:3])
    return torch.einsum("tnkm,nkm->tn", gated, points.output_sums) / points.length
