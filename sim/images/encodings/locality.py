"""How local the similarities of positional encodings are: a score, its interval, and what chance gives.

Patches lie on a square grid, row by row. Two encodings are as similar as the cosine of their angle, in [-1, 1]. A
patch's locality is its mean similarity to the patches that share a side with it, less its mean similarity to all other
patches but itself; the score is the mean over patches. Were the patches strewn over the grid by lot, its expectation
would be exactly 0, whatever the encodings. [jelassi2022, Figures 1(a) and 5(c); the score is ours]
"""

from __future__ import annotations

from dataclasses import dataclass

import torch

from sim.images.encodings.square_grid import side_of
from sim.trials.validation import require, require_integer

CUT = 0.55
"""Below it the figures draw nothing. [jelassi2022, Figure 1(a)]"""


@dataclass(frozen=True)
class Locality:
    """What the similarities of one network's encodings say.

    Attributes:
        score: in [-2, 2].
        low, high: its 95 % interval by leaving out one patch at a time (jackknife).
        chance: the 97.5 % quantile of the score over patches strewn by lot.
        near_above_cut, far_above_cut: share of the pairs of neighbours, and of all other pairs, that are more similar
            than `CUT`.
    """

    score: float
    low: float
    high: float
    chance: float
    near_above_cut: float
    far_above_cut: float


def neighbours(side: int) -> torch.Tensor:
    """Which patches share a side, bool [side^2, side^2]."""
    place = torch.arange(side**2)
    row, column = place // side, place % side
    return (row[:, None] - row).abs() + (column[:, None] - column).abs() == 1


def similarities(encodings: torch.Tensor) -> torch.Tensor:
    """Cosines of encodings [patches, width] with each other, float64 [patches, patches].

    Raises:
        InvalidParameter: encodings that are not finite, or a vector of length 0, which has no direction.
    """
    rows = encodings.double()
    require(rows.dim() == 2, "encodings", "be of shape [patches, width]", list(rows.shape))
    lengths = rows.norm(dim=1)
    require(bool(torch.isfinite(rows).all()), "encodings", "be finite", "nan or inf")
    require(bool((lengths > 0).all()), "encodings", "have a direction each", "a vector of length 0")
    rows = rows / lengths[:, None]
    return (rows @ rows.T).clamp(-1, 1)


def measure_locality(
    encodings: torch.Tensor, *, generator: torch.Generator, order: torch.Tensor | None = None, n_strewn: int = 999
) -> Locality:
    """The locality of encodings on their grid.

    Args:
        encodings: [patches, width], patches row by row; their number must be a square of 9 at least.
        order: where the images were permuted, `order[i]` is the place that the patch now at i came from; the score is
            that of the patches put back. None for patches as they stand.
        n_strewn: how often patches are strewn by lot for `chance`; 0 for none (`chance` is then 0).

    Raises:
        InvalidParameter: another number of patches, or encodings without a direction.
    """
    require_integer(least=0, n_strewn=n_strewn)
    count = len(encodings)
    side = side_of(count)
    found = similarities(encodings)
    if order is not None:
        back = order.argsort()
        found = found[back][:, back]
    near = neighbours(side)
    off = ~torch.eye(count, dtype=torch.bool)
    score = float(_scores(found, near).mean())
    without = torch.stack([_scores(found, near, without=place).mean() for place in range(count)])
    error = float(((count - 1) / count * (without - without.mean()).square().sum()).sqrt())
    chance = _chance(found, near, n_strewn, generator)
    above = found > CUT
    shares = (float(above[pairs].double().mean()) for pairs in (near, off & ~near))
    return Locality(score, score - 1.96 * error, score + 1.96 * error, chance, *shares)


def _scores(found: torch.Tensor, near: torch.Tensor, *, without: int | None = None) -> torch.Tensor:
    """Locality of each patch; without one patch where it is named."""
    count = len(found)
    kept = torch.ones(count, dtype=torch.bool)
    if without is not None:
        kept[without] = False
    found, near = found[kept][:, kept], near[kept][:, kept]
    far = ~near & ~torch.eye(len(near), dtype=torch.bool)
    return (found * near).sum(1) / near.sum(1) - (found * far).sum(1) / far.sum(1)


def _chance(found: torch.Tensor, near: torch.Tensor, n_strewn: int, generator: torch.Generator) -> float:
    if n_strewn == 0:
        return 0.0
    far = ~near & ~torch.eye(len(near), dtype=torch.bool)
    weights = near / near.sum(1, keepdim=True) - far / far.sum(1, keepdim=True)
    scores = []
    for _ in range(n_strewn):
        order = torch.randperm(len(found), generator=generator)
        scores.append((weights * found[order][:, order]).sum() / len(found))
    return float(torch.stack(scores).quantile(0.975))
