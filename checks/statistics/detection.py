"""How many of a number of rows to look at so that altered ones are noticed, and what looking at some would notice.

Of N rows K are altered, and n are drawn without replacement. None of the altered ones is drawn with probability
C(N-K, n) / C(N, n), the hypergeometric law at 0 (https://en.wikipedia.org/wiki/Hypergeometric_distribution).
"""

from __future__ import annotations

import math


def altered_of(total: int, share: float) -> int:
    """How many rows a share of them is, one at least."""
    return min(total, max(1, math.ceil(total * share - 1e-9)))


def power(total: int, altered: int, drawn: int) -> float:
    """Probability that at least one of the altered rows is drawn."""
    if drawn + altered > total:
        return 1.0
    lgamma = math.lgamma
    kept = lgamma(total - altered + 1) - lgamma(total - altered - drawn + 1)
    return -math.expm1(min(0.0, kept - (lgamma(total + 1) - lgamma(total - drawn + 1))))


def draws_needed(total: int, altered: int, confidence: float) -> int:
    """The fewest rows to draw so that one of the altered is among them with this probability."""
    low, high = 0, max(0, total - altered + 1)
    while low < high:
        middle = (low + high) // 2
        low, high = (low, middle) if power(total, altered, middle) >= confidence else (middle + 1, high)
    return low


def least_noticed(total: int, drawn: int, confidence: float) -> int | None:
    """The fewest altered rows that so many draws notice with this probability; None where none are drawn."""
    if not drawn:
        return None
    low, high = 1, total
    while low < high:
        middle = (low + high) // 2
        low, high = (low, middle) if power(total, middle, drawn) >= confidence else (middle + 1, high)
    return low
