"""An observable is a JSON number or absent: what overflowed in a diverged run is left out."""

from __future__ import annotations

import math
from collections.abc import Mapping

from sim.trials.trial import Scalar


def finite(value: float) -> float | None:
    """The value, None where it is no finite number."""
    return value if math.isfinite(value) else None


def finite_only(observables: Mapping[str, Scalar]) -> dict[str, Scalar]:
    """Leave out what is no finite number."""
    return {name: value for name, value in observables.items() if isinstance(value, str) or math.isfinite(value)}
