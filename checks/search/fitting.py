"""One shape of a law fitted in full: least squares of log y, with its offset; and exponents shrunk to simple fractions.

With an offset the law is log(E + C prod f^b), fitted in (log E, log C, b), where it is smooth everywhere and needs no
bounds, by damped Gauss-Newton steps [Levenberg 1944; Marquardt 1963].

*Fractions.* Papers have exponents such as -2 and 1/2, so an exponent takes the fraction of a denominator up to four
that is most likely within its interval: near the estimate in units of its standard error, and with a denominator d a
priori d^-2 as likely as a whole number. All fractions together must pass an F test against the free exponents; where
they do not, the one farthest from its estimate is set free again. An exponent without a fraction in its interval stays
as it was fitted. (`search` asks once more, within the held-out intervals, where these exclude one.)
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction

import numpy as np
from scipy import special

from checks.search.shapes import Columns, LawShape
from checks.statistics.policy import PRETEST_LEVEL
from checks.statistics.regression import Array, Noise, t_quantile
from checks.statistics.verdict import Interval

MAX_DENOMINATOR = 4
"""Of a simple fraction."""
_ROUNDING = 1e-9
"""By which an interval is wider than it is, where a law is exact and its intervals are rounding."""
_STEPS = 60
_FAINT = 1e-4
"""Share of the least measurement below which an offset is none: a fit without one drives it to zero for ever."""


@dataclass(frozen=True, eq=False)
class FittedLaw:
    """A shape with its numbers.

    Attributes:
        level: log C.
        exponents: of the factors, in the order of the shape's terms.
        log_offset: log E; None where there is no offset.
    """

    shape: LawShape
    level: float
    exponents: Array
    log_offset: float | None

    def log_product_at(self, columns: Columns) -> Array:
        """Logarithm of the law without its offset."""
        terms = list(self.shape.terms)
        return self.level + columns.logs[:, self.shape.log] + columns.x[:, terms] @ self.exponents

    def log_at(self, columns: Columns) -> Array:
        """Logarithm of the law."""
        product = self.log_product_at(columns)
        return product if self.log_offset is None else np.logaddexp(self.log_offset, product)

    def left_of(self, columns: Columns) -> Array:
        """What the law leaves of log y."""
        return columns.y - self.log_at(columns)

    def slopes_at(self, columns: Columns) -> Array:
        """Derivatives of its logarithm by (log C, exponents, log E). [settings, parameters]"""
        design = np.column_stack([np.ones(len(columns.y)), columns.x[:, list(self.shape.terms)]])
        if self.log_offset is None:
            return design
        share = special.expit(self.log_product_at(columns) - self.log_offset)
        return np.column_stack([share[:, None] * design, 1 - share])


def fit_shape(columns: Columns, shape: LawShape, fixed: Mapping[int, float] | None = None) -> FittedLaw:
    """Least squares of log y.

    Args:
        fixed: exponents that are given, by their place among the terms.
    """
    fixed = fixed or {}
    free = [place for place in range(len(shape.terms)) if place not in fixed]
    terms = np.array(shape.terms, dtype=np.intp)
    base = columns.logs[:, shape.log] + sum(
        (value * columns.x[:, terms[place]] for place, value in fixed.items()), np.zeros(len(columns.y))
    )
    design = np.column_stack([np.ones(len(columns.y)), columns.x[:, terms[free]]])
    if shape.offset is None:
        found, log_offset = np.linalg.lstsq(design, columns.y - base, rcond=None)[0], None
    else:
        found, log_offset = _fit_with_offset(design, base, columns.y, shape.offset)
    exponents = np.array([fixed.get(place, 0.0) for place in range(len(terms))])
    exponents[free] = found[1:]
    return FittedLaw(shape, float(found[0]), exponents, log_offset)


def _fit_with_offset(design: Array, base: Array, y: Array, start: float) -> tuple[Array, float]:
    """Coefficients of the product, and log E, by damped Gauss-Newton steps from a place of the offset."""
    measured = np.exp(y - y.min())
    rest = np.maximum(measured - start * math.exp(-float(y.min())), 0.05 * measured)
    root = rest / measured
    first = np.linalg.lstsq(root[:, None] * design, root * (np.log(rest) + y.min() - base), rcond=None)[0]
    least, most = float(y.min()) + math.log(_FAINT), float(y.max())
    damping = 1e-3
    current: Array = np.append(first, math.log(start))
    left = _left(current, design, base, y)
    for _ in range(_STEPS):
        share = special.expit(base + design @ current[:-1] - current[-1])
        slopes = np.column_stack([share[:, None] * design, 1 - share])
        normal, pull = slopes.T @ slopes, slopes.T @ left
        step = np.linalg.solve(normal + damping * np.diag(np.diagonal(normal) + 1e-9), pull)
        trial: Array = current + step
        trial[-1] = min(max(trial[-1], least), most)
        rest_of_trial = _left(trial, design, base, y)
        gain = float(left @ left - rest_of_trial @ rest_of_trial)
        if gain > 0:
            current, left, damping = trial, rest_of_trial, max(damping / 5, 1e-9)
            if gain < 1e-10 * float(left @ left) + 1e-26:
                break
        else:
            damping *= 5
            if damping > 1e8:
                break
    return current[:-1], float(current[-1])


def _left(parameters: Array, design: Array, base: Array, y: Array) -> Array:
    return y - np.logaddexp(parameters[-1], base + design @ parameters[:-1])


# ------------------------------------------------------------------------------------------------------------ intervals


@dataclass(frozen=True, eq=False)
class Estimates:
    """Parameters with every source of their noise.

    Attributes:
        values: in the order of the design's columns.
        coefficients: each value as a linear function of y, to first order. [parameters, settings]
        noise: of y at each setting; the widest counts.
    """

    values: Array
    coefficients: Array
    noise: tuple[Noise, ...]

    def half_width(self, place: int, confidence: float) -> float:
        """Half the width of the interval of one parameter, by its widest source of noise."""
        return max(noise.half_width(self.coefficients[place], confidence) for noise in self.noise)

    def interval(self, place: int, confidence: float) -> Interval:
        """The interval of one parameter."""
        half = self.half_width(place, confidence)
        return Interval(float(self.values[place]) - half, float(self.values[place]) + half)


def estimates_of(design: Array, left: Array, values: Array, sampling: Noise | None) -> Estimates | None:
    """Parameters moved by what is left of y, with intervals; None where the settings do not carry them.

    Three sources of noise: what replicates show, the common scatter of what is left, and that scatter setting by
    setting, blown up by leverage, which holds where the noise is uneven [HC3: MacKinnon and White 1985].

    Args:
        design: derivatives of log y by the parameters at `values`. [settings, parameters]
        left: log y minus the law.
    """
    count, n_parameters = design.shape
    freedom = count - n_parameters
    scale = np.sqrt(np.sum(design**2, axis=0))
    if freedom < 2 or not np.all(scale > 0) or np.linalg.cond(design / scale) > 1e9:
        return None
    coefficients = np.linalg.pinv(design / scale) / scale[:, None]
    change = coefficients @ left
    rest = left - design @ change
    leverage = np.clip(np.sum(design * coefficients.T, axis=1), 0.0, 1 - 1e-3)
    common = Noise(np.full(count, float(rest @ rest) / freedom), float(freedom))
    uneven = Noise((rest / (1 - leverage)) ** 2, float(freedom))
    return Estimates(values + change, coefficients, (common, uneven, *([sampling] if sampling is not None else [])))


def sampling_noise(variance: Array, freedom: Array) -> Noise | None:
    """The noise that replicates show; None where a setting has none."""
    return Noise(variance, freedom) if len(freedom) and np.all(freedom > 0) else None


# ------------------------------------------------------------------------------------------------------------ fractions


def simple_fraction(value: float, intervals: Sequence[Interval], error: float) -> Fraction | None:
    """The most likely simple fraction that lies in all intervals; None where there is none, or only 0."""
    low, high = max(ends.low for ends in intervals) - _ROUNDING, min(ends.high for ends in intervals) + _ROUNDING
    found: list[tuple[float, Fraction]] = []
    for denominator in range(1, MAX_DENOMINATOR + 1):
        for numerator in _around(value * denominator, low * denominator, high * denominator):
            fraction = Fraction(numerator, denominator)
            if fraction.denominator == denominator and fraction and low <= fraction <= high:
                distance = (float(fraction) - value) / max(error, 1e-300)
                found.append((distance**2 + 4 * math.log(denominator), fraction))
    return min(found)[1] if found else None


def _around(value: float, low: float, high: float) -> set[int]:
    """Whole numbers near a value, and the nearest to it between two ends."""
    nearest = {round(value), round(value) - 1, round(value) + 1}
    return nearest | {math.ceil(low), math.floor(high)} if low <= high else set()


def shrunk(
    columns: Columns,
    law: FittedLaw,
    sampling: Noise | None,
    confidence: float,
    within: Sequence[Interval] = (),
) -> tuple[FittedLaw, dict[int, Fraction]]:
    """The law with simple fractions for exponents where the settings allow them, and which these are.

    Args:
        within: an interval for each exponent, outside which no fraction is taken; none where nothing is said.
    """
    own = float(np.sum(law.left_of(columns) ** 2))
    freedom = len(columns.y) - 1 - len(law.exponents) - (law.log_offset is not None)
    chosen = _fractions_one_by_one(columns, law, sampling, confidence, within)
    while chosen:
        fitted = fit_shape(columns, restarted(law), as_floats(chosen))
        more = float(np.sum(fitted.left_of(columns) ** 2)) - own
        allowed = float(special.fdtri(len(chosen), freedom, 1 - PRETEST_LEVEL)) * len(chosen) * own / max(freedom, 1)
        if more <= allowed + 1e-24 * len(columns.y):
            return fitted, chosen
        far = max(chosen, key=lambda place: abs(float(chosen[place]) - law.exponents[place]))
        del chosen[far]
    return law, {}


def _fractions_one_by_one(
    columns: Columns, law: FittedLaw, sampling: Noise | None, confidence: float, within: Sequence[Interval]
) -> dict[int, Fraction]:
    """Fractions for exponents, the one that is known best first, the others fitted again with it given."""
    chosen: dict[int, Fraction] = {}
    waiting = set(range(len(law.exponents)))
    current = law
    while waiting:
        free = [place for place in range(len(law.exponents)) if place not in chosen]
        kept = [0, *(1 + place for place in free), *([1 + len(law.exponents)] if law.log_offset is not None else [])]
        values = np.array([current.level, *current.exponents, *_maybe(current.log_offset)])[kept]
        found = estimates_of(current.slopes_at(columns)[:, kept], current.left_of(columns), values, sampling)
        if found is None:
            return chosen
        halves = {place: found.half_width(1 + free.index(place), confidence) for place in waiting}
        best = min(halves, key=lambda place: halves[place])
        value, half = float(current.exponents[best]), max(halves[best], _ROUNDING)
        error = half / t_quantile(float(max(len(columns.y) - len(kept), 1)), confidence)
        ends = [Interval(value - half, value + half), *within[best : best + 1]]
        fraction = simple_fraction(value, ends, error)
        waiting.discard(best)
        if fraction is not None:
            chosen[best] = fraction
            current = fit_shape(columns, restarted(current), as_floats(chosen))
    return chosen


MAX_LOG = 700.0
"""Largest logarithm whose exponential a float holds."""


def exponential(value: float) -> float:
    """exp, and the largest power that a float holds where it is larger."""
    return math.exp(min(value, MAX_LOG))


def _maybe(value: float | None) -> list[float]:
    return [] if value is None else [value]


def as_floats(fractions: Mapping[int, Fraction]) -> dict[int, float]:
    """Exponents that are given, as `fit_shape` takes them."""
    return {place: float(value) for place, value in fractions.items()}


def restarted(law: FittedLaw) -> LawShape:
    """Its shape with the offset that was found, to go on from there."""
    shape = law.shape
    if law.log_offset is None:
        return shape
    return LawShape(shape.terms, shape.log, exponential(law.log_offset), shape.cost, shape.misfit)
