"""One vocabulary for bad input: every simulator validates once, at its border, and then trusts its arguments."""

from __future__ import annotations

import math
from collections.abc import Collection


class InvalidParameter(ValueError):
    """A parameter that breaks a rule. The text names parameter, rule and value (or values) in one line."""

    def __init__(self, name: str, rule: str, *values: object) -> None:
        super().__init__(f"{name} must {rule}, got {' and '.join(map(repr, values))}")


def require(condition: bool, name: str, rule: str, *values: object) -> None:
    """Raise InvalidParameter unless `condition`."""
    if not condition:
        raise InvalidParameter(name, rule, *values)


def require_integer(*, least: int, **parameters: object) -> None:
    """Every parameter must be an integer, no bool, of at least `least`."""
    for name, value in parameters.items():
        whole = isinstance(value, int) and not isinstance(value, bool)
        require(whole, name, "be an integer", value)
        require(whole and value >= least, name, f"be >= {least}", value)


def require_positive(**parameters: float) -> None:
    """Every parameter must be finite and > 0 (NaN is refused)."""
    for name, value in parameters.items():
        require(value != math.inf, name, "be finite", value)
        require(value > 0, name, "be > 0", value)


def require_non_negative(**parameters: float) -> None:
    """Every parameter must be finite and >= 0 (NaN is refused)."""
    for name, value in parameters.items():
        require(value != math.inf, name, "be finite", value)
        require(value >= 0, name, "be >= 0", value)


def require_one_of(name: str, value: object, choices: Collection[object]) -> None:
    """The parameter must be one of the choices."""
    require(value in choices, name, "be one of " + ", ".join(map(str, choices)), value)
