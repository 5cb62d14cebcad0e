"""Ratios that rise to a limit: what measured / claimed looks like where a claim is right in the limit, and not before.

With u the axis, increasing toward its limit, they are L (1 - c u^-p), L / (1 + c u^-p), L (1 - exp(-(u / s)^q)) and
L tanh(u / s), for p from `LEAST_BEFORE_LIMIT` up and any c > 0 and s > 0. Ratios that fall to a limit are their
inverses.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray
from scipy import special

from checks.statistics.regression import Array

LEAST_BEFORE_LIMIT = 0.5
"""Power of the slowest correction: 1 / sqrt(d)."""
POWERS = (LEAST_BEFORE_LIMIT, 0.75, 1.0, 1.5, 2.0, 3.0)
"""Of the corrections; a power between two of them is followed by either."""
EXPONENTS = (0.5, 1.0, 2.0)
"""Powers of the axis in the exponential."""
AT_END = np.geomspace(1e-3, 1e3, 121)
"""What a correction, or (u / s)^q, is at the end of the grid: neighbours differ by an eighth."""
FAR = 300.0
"""Argument beyond which exponentials are taken to be those of this."""
TOLD = 1.4
"""Standard errors by which what accuses must be told from such a ratio, as of a normal. A ratio that lies z of them off
is taken for it in the share of a normal below -z at most: 8 % here, the most that 300 experiments do not tell from 5 %
(by three standard errors). Of half a power too much 1.6, which are 5 %, tell 11 fewer of 100, on 5 or 7 points of
five runs at log-noise 0.3; one error, which is 16 %, tells 11 or 13 more."""


@dataclass(frozen=True, eq=False)
class RisingRatios:
    """Logarithms of ratios that rise to a limit.

    Attributes:
        curves: one a ratio. [curves, points]
        late: their slopes at the end of the grid. [curves]
    """

    curves: Array
    late: Array

    def keep(self, kept: NDArray[np.bool_]) -> RisingRatios:
        """Those where `kept` is set."""
        return RisingRatios(self.curves[kept], self.late[kept])


def told_from_a_limit(freedom: float) -> float:
    """By how much what accuses must explain more than any such ratio, in twice the log likelihood. [Cox 1961]

    Args:
        freedom: of the noise.
    """
    return float(special.stdtrit(freedom, special.ndtr(TOLD))) ** 2


def rising_to_a_limit(x: Array) -> RisingRatios:
    """All of them on a log axis x that increases toward its limit. [points]"""
    beyond, end = x - x.max(), AT_END
    curves, late = [], []
    for power in POWERS:
        decay = end[:, None] * np.exp(-power * beyond)
        curves.append(-np.log1p(decay))
        late.append(power * end / (1 + end))
        below = decay.max(axis=1) < 1
        curves.append(np.log1p(-decay[below]))
        late.append(power * end[below] / (1 - end[below]))
    far = np.minimum(end, FAR)
    for power in EXPONENTS:
        curves.append(np.log(-np.expm1(-end[:, None] * np.exp(power * beyond))))
        late.append(power * far / np.expm1(far))
    curves.append(np.log(np.tanh(end[:, None] * np.exp(beyond))))
    late.append(2 * far / np.sinh(2 * far))
    return RisingRatios(np.concatenate(curves), np.concatenate(late))
