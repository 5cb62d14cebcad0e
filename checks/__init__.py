"""Where a claim and a measurement meet.

For anyone's data, without any claim object:

    from checks import judge_scaling, estimate_threshold
"""

from __future__ import annotations

TYPE_CHECKING = False  # typing's own costs an import, and the command line should be quick to answer Ctrl-C
if TYPE_CHECKING:
    from typing import Any

    from checks.statistics.estimates import estimate_threshold
    from checks.statistics.judge import judge_scaling

__all__ = ["estimate_threshold", "judge_scaling"]


def __getattr__(name: str) -> Any:
    """Import on first use: listing claims must not pay for scipy."""
    if name == "judge_scaling":
        from checks.statistics.judge import judge_scaling

        return judge_scaling
    if name == "estimate_threshold":
        from checks.statistics.estimates import estimate_threshold

        return estimate_threshold
    raise AttributeError(f"module 'checks' has no attribute {name!r}")
