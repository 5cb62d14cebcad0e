"""What settings say of a law that it was not fitted on: its error, whether it is a law at all, and its exponents.

*Is there a law?* Where the quantity does not depend on the letters, measurements may be exchanged between settings. So
the law's prediction is related to what was measured by a t statistic of their common slope, and again with the
measurements permuted; p is the share of permutations that do as well [Pitman 1937]. That is exact whatever the
measurements follow, since the law was made without these settings. The statistic is studentised by HC3, which keeps its
level where the letters move the noise and nothing else [DiCiccio and Romano 2017].

*Intervals* of the exponents are those of the held-out settings alone, which chose no factor: `fitting.estimates_of`.
"""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np
from scipy import special

from checks.search.factors import MeasuredSettings
from checks.search.fitting import Estimates, FittedLaw, estimates_of, exponential, sampling_noise
from checks.search.shapes import Columns
from checks.statistics.regression import Array, Noise
from checks.statistics.verdict import Interval

PERMUTATIONS = 9999
"""The least p is one in ten thousand."""
ROUNDING = 1e-9
"""Least error of a law by which that of a rival is divided."""


@dataclass(frozen=True)
class HeldOut:
    """A law on settings that it was not fitted on.

    Attributes:
        settings: how many there are.
        error: root mean square of log(measured / law).
        spread: the same of the constant that was fitted with the law.
        p: of the permutation test that nothing depends on the letters.
        noise: what replicates alone would leave, as `error`; None without replicates.
    """

    settings: int
    error: float
    spread: float
    p: float
    noise: float | None

    @property
    def explained(self) -> float:
        """Share of the constant's squared error that the law takes away; below 0 where the constant is better."""
        return 1 - (self.error / self.spread) ** 2 if self.spread > 0 else 0.0

    @property
    def factor(self) -> float:
        """The factor by which the law is typically off."""
        return exponential(self.error)


def root_mean_square(left: Array) -> float:
    """Root mean square."""
    return float(np.sqrt(np.mean(left**2)))


def permutation_p(predicted: Array, measured: Array, generator: np.random.Generator) -> float:
    """Share of permutations of what was measured that follow a prediction as closely, upward.

    Args:
        predicted, measured: logarithms at each setting.
    """
    centred = predicted - predicted.mean()
    spread = float(centred @ centred)
    if not spread > 1e-24 or not np.ptp(measured) > 0:
        return 1.0
    leverage = 1 / len(centred) + centred**2 / spread
    orders = generator.permuted(np.tile(np.arange(len(centred)), (PERMUTATIONS, 1)), axis=1)
    every = np.vstack([measured, measured[orders]])
    slopes = every @ centred / spread
    left = every - every.mean(axis=1, keepdims=True) - slopes[:, None] * centred
    # Where leverage is 1 the residual is rounding, and so is the setting's part of the variance.
    heavy = (centred / np.maximum(1 - leverage, 1e-3)) ** 2
    error = np.sqrt(left**2 @ heavy) / spread
    statistic = slopes / np.maximum(error, 1e-12 * max(float(np.abs(slopes).max()), 1e-300))
    return (1 + int(np.sum(statistic[1:] >= statistic[0]))) / (1 + PERMUTATIONS)


def judged_on(
    settings: MeasuredSettings, columns: Columns, law: FittedLaw, constant: FittedLaw, generator: np.random.Generator
) -> HeldOut:
    """A law on settings that neither it nor the constant beside it was fitted on."""
    sampling = sampling_noise(settings.variance, settings.freedom)
    return HeldOut(
        len(settings),
        root_mean_square(law.left_of(columns)),
        root_mean_square(constant.left_of(columns)),
        permutation_p(law.log_at(columns), columns.y, generator) if law.shape.cost else 1.0,
        None if sampling is None else float(np.sqrt(np.mean(sampling.variances))),
    )


def exponents_of(settings: MeasuredSettings, columns: Columns, law: FittedLaw) -> Estimates | None:
    """The parameters of a law by these settings alone: log C, the exponents, and log E."""
    values = np.array([law.level, *law.exponents, *([] if law.log_offset is None else [law.log_offset])])
    return estimates_of(law.slopes_at(columns), law.left_of(columns), values, _sampling(settings))


def constant_of(settings: MeasuredSettings, columns: Columns, law: FittedLaw, confidence: float) -> Interval:
    """The interval of C by these settings, with the exponents and the offset as they stand in the law."""
    share = law.slopes_at(columns)[:, :1]
    found = estimates_of(share, law.left_of(columns), np.array([law.level]), _sampling(settings))
    if found is None:
        return Interval(0.0, math.inf)
    ends = found.interval(0, confidence)
    return Interval(exponential(ends.low), exponential(ends.high))


def closer(law: Array, rival: Array) -> tuple[int, int, float]:
    """Settings at which a law lies closer than a rival, those at which one of them does, and p of the sign test.

    Args:
        law, rival: what each leaves of the measurements, in logarithms.
    """
    differ = np.abs(np.abs(law) - np.abs(rival)) > 1e-12
    n_closer, count = int(np.sum(differ & (np.abs(law) < np.abs(rival)))), int(differ.sum())
    return n_closer, count, float(special.bdtrc(n_closer - 1, count, 0.5)) if n_closer else 1.0


def times_as_much(law: Array, rival: Array, confidence: float) -> Interval:
    """The interval of how many times as much as a law a rival errs: the ratio of their root mean squares, settings left
    out one by one [jackknife, Student's t: Miller 1974]; a law that is right to rounding errs by rounding.

    Args:
        law, rival: what each leaves of the measurements, in logarithms, at the same settings.
    """
    squares = np.stack([rival, law]) ** 2 + ROUNDING**2
    count = squares.shape[1]
    over, under = squares.sum(axis=1)
    without = 0.5 * np.log((over - squares[0]) / (under - squares[1]))
    error = float(np.sqrt((count - 1) * np.mean((without - without.mean()) ** 2)))
    middle = 0.5 * math.log(over / under)
    half = float(special.stdtrit(count - 1, 0.5 + confidence / 2)) * error
    return Interval(exponential(middle - half), exponential(middle + half))


def _sampling(settings: MeasuredSettings) -> Noise | None:
    return sampling_noise(settings.variance, settings.freedom)
