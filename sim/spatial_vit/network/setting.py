"""The setting of a trial: data distribution and network together, validated once at the border.

Every simulator of this folder builds one `Setting` from its keyword arguments and passes it down; nothing below it
checks anything again. [jelassi2022, Assumption 1, Simplification 3.1, Parametrization 3.1]
"""

from __future__ import annotations

import math
from dataclasses import dataclass

from sim.trials.validation import require, require_integer, require_positive

LABEL_THRESHOLD = 0.9
"""A set counts in the labelling function when |sum| > 0.9 C. [jelassi2022, Assumption 1]"""


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
        InvalidParameter: naming the argument, the rule and the value, where a rule is broken.
    """

    n_patches: int
    set_size: int
    spurious_rate: float
    activation_power: int
    linear_coefficient: float
    diagonal_logit: float
    temperature: float = 1.0

    def __post_init__(self) -> None:
        patches, size, power = self.n_patches, self.set_size, self.activation_power
        require_integer(least=1, n_patches=patches, set_size=size, activation_power=power)
        require(patches % size == 0, "set_size", "divide n_patches", size, patches)
        require(2 <= size <= patches // 2, "set_size", "be in [2, n_patches / 2]", size, patches)
        require(0 <= self.spurious_rate <= 1, "spurious_rate", "be in [0, 1]", self.spurious_rate)
        require(power >= 3 and power % 2 == 1, "activation_power", "be odd and >= 3", power)
        require_positive(linear_coefficient=self.linear_coefficient, temperature=self.temperature)
        require(math.isfinite(self.diagonal_logit), "diagonal_logit", "be finite", self.diagonal_logit)

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


def data_setting(*, n_patches: int, set_size: int, spurious_rate: float) -> Setting:
    """Data alone: a setting whose network is of no interest."""
    return Setting(
        n_patches=n_patches, set_size=set_size, spurious_rate=spurious_rate, activation_power=3,
        linear_coefficient=1.0, diagonal_logit=0.0,
    )  # fmt: skip
