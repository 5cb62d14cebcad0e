"""Whether attention logits say which patches form a set. [jelassi2022, Theorem 4.1 (1), Lemma 4.1]"""

from __future__ import annotations

import torch


def is_associated(logits: torch.Tensor, sets: torch.Tensor) -> bool:
    """Whether the C largest logits of each row, its diagonal included, are its set; ties fail. [Theorem 4.1 (1)]"""
    return bool((association_gaps(logits, sets) > 0).all())


def association_gaps(logits: torch.Tensor, sets: torch.Tensor) -> torch.Tensor:
    """Least logit inside a row's set minus the greatest outside, [patches]."""
    same_set = sets[:, None] == sets[None, :]
    inside = logits.masked_fill(~same_set, torch.inf).amin(dim=1)
    outside = logits.masked_fill(same_set, -torch.inf).amax(dim=1)
    return inside - outside


def three_value_deviation(logits: torch.Tensor, sets: torch.Tensor) -> float:
    """Largest spread (max - min) of the logits inside one of the three classes. [jelassi2022, Lemma 4.1]"""
    same_set = sets[:, None] == sets[None, :]
    diagonal = torch.eye(sets.numel(), dtype=torch.bool)
    classes = (logits[diagonal], logits[same_set & ~diagonal], logits[~same_set])
    return max(float(values.max() - values.min()) for values in classes)
