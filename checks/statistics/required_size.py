"""How much more data would decide: shared by every rule that may end inconclusive."""

from __future__ import annotations

from collections.abc import Callable

from checks.statistics.outcome import MAX_PLANNED
from checks.statistics.policy import ErrorPolicy
from checks.statistics.regression import t_quantile


def power_factor(freedom: float, confidence: float, policy: ErrorPolicy) -> float:
    """Standard errors between Delta and the margin for the policy's power of the end of an interval at `confidence`."""
    return t_quantile(max(freedom, 1.0), confidence) + policy.power_quantile


def smallest(enough: Callable[[int], bool], above: int) -> int:
    """Smallest count > `above` that is enough, at most MAX_PLANNED; `enough` is monotone."""
    low, high = above, above + 1
    while high < MAX_PLANNED and not enough(high):
        low, high = high, min(2 * high, MAX_PLANNED)
    while high - low > 1:
        middle = (low + high) // 2
        low, high = (low, middle) if enough(middle) else (middle, high)
    return high
