"""The setting of a trial: data distribution and network together, validated once at the border.

Every simulator of this folder builds one `Setting` from its keyword arguments and passes it down; nothing below it
checks anything again. [jelassi2022, Assumption 1, Simplification 3.1, Parametrization 3.1]
"""

from __future__ import annotations

import math
from dataclasses import dataclass


@dataclass(frozen=True)
class Setting:
    """Data of L sets of C patches and a network of positional attention with a polynomial activation.

    Attributes:
        n_patches: D, all patches of a data point.
        set_size: C, patches of one set; the sets partition the patches.
        spurious_rate: q, probability that a patch outside the signal set carries the feature, either sign alike.
        activation_power: p in x^p + nu x, odd and at least 3.
        linear_coefficient: nu in x^p + nu x.
        diagonal_logit: beta, at which the diagonal of the attention logits is held.
        temperature: divisor of the logits in the softmax; sqrt(d) in (T), 1 in the reduced softmax of section 4.1.

    Raises:
        ValueError: naming the argument, the rule and the value, where a rule is broken.
    """

    n_patches: int
    set_size: int
    spurious_rate: float
    activation_power: int
    linear_coefficient: float
    diagonal_logit: float
    temperature: float

    def __post_init__(self) -> None:
        for name in ("n_patches", "set_size", "activation_power"):
            require_integer(name, getattr(self, name), least=1)
        if self.n_patches % self.set_size:
            raise ValueError(f"set_size must divide n_patches, got {self.set_size} and {self.n_patches}")
        if self.set_size < 2 or self.n_sets < 2:
            raise ValueError(f"set_size must be in [2, n_patches / 2], got {self.set_size} and {self.n_patches}")
        if not 0 <= self.spurious_rate <= 1:
            raise ValueError(f"spurious_rate must be in [0, 1], got {self.spurious_rate}")
        if self.activation_power < 3 or self.activation_power % 2 == 0:
            raise ValueError(f"activation_power must be odd and >= 3, got {self.activation_power}")
        require_positive("linear_coefficient", self.linear_coefficient)
        require_positive("temperature", self.temperature)
        if not math.isfinite(self.diagonal_logit):
            raise ValueError(f"diagonal_logit must be finite, got {self.diagonal_logit}")

    @property
    def n_sets(self) -> int:
        """L = D / C."""
        return self.n_patches // self.set_size

    @property
    def n_within_pairs(self) -> int:
        """Ordered pairs of two different patches of one set, D (C - 1)."""
        return self.n_patches * (self.set_size - 1)

    @property
    def n_across_pairs(self) -> int:
        """Ordered pairs of patches of different sets, D (D - C)."""
        return self.n_patches * (self.n_patches - self.set_size)

    @property
    def initial_alignment(self) -> float:
        """alpha at step 0 of the idealized case, nu^(1/(p-1)). [jelassi2022, Parametrization 3.1]"""
        return self.linear_coefficient ** (1 / (self.activation_power - 1))


def require_integer(name: str, value: object, *, least: int) -> None:
    """Raise ValueError unless `value` is an integer (no bool) of at least `least`."""
    if isinstance(value, bool) or not isinstance(value, int):
        raise ValueError(f"{name} must be an integer, got {value!r}")
    if value < least:
        raise ValueError(f"{name} must be >= {least}, got {value}")


def require_positive(name: str, value: float) -> None:
    """Raise ValueError unless `value` is finite and above zero."""
    if not (math.isfinite(value) and value > 0):
        raise ValueError(f"{name} must be > 0, got {value}")


def require_choice(name: str, value: str, choices: tuple[str, ...]) -> None:
    """Raise ValueError unless `value` is one of `choices`."""
    if value not in choices:
        raise ValueError(f"{name} must be one of {', '.join(choices)}, got {value!r}")
