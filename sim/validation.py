"""One vocabulary for bad input: every simulator validates once, at its border, and then trusts its arguments."""

from __future__ import annotations

from collections.abc import Collection


class InvalidParameter(ValueError):
    """A parameter that breaks a rule. The text names parameter, rule and value in one line."""

    def __init__(self, name: str, rule: str, value: object) -> None:
        super().__init__(f"{name} must {rule}, got {value!r}")


def require(condition: bool, name: str, rule: str, value: object) -> None:
    """Raise InvalidParameter unless `condition`."""
    if not condition:
        raise InvalidParameter(name, rule, value)


def require_positive(**parameters: float) -> None:
    """Every parameter must be > 0 (NaN is refused)."""
    for name, value in parameters.items():
        require(value > 0, name, "be > 0", value)


def require_non_negative(**parameters: float) -> None:
    """Every parameter must be >= 0 (NaN is refused)."""
    for name, value in parameters.items():
        require(value >= 0, name, "be >= 0", value)


def require_one_of(name: str, value: object, choices: Collection[object]) -> None:
    """The parameter must be one of the choices."""
    require(value in choices, name, "be one of " + ", ".join(map(str, choices)), value)
