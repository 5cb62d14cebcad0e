"""A line with replicate, point, column and serial errors as one mixed model by REML, which rules are compared with.

y_ij = a + b x_i + u_i + c_j + d_j (x_i - mean) + e_ij: e scatters replicates, u whole points and follows an
autoregression of first order along the axis, c and d are a level and an exponent of each column's own. Variances and
the coefficient maximise the restricted likelihood [Patterson and Thompson 1971]. The interval of b is that of t with
the degrees of freedom of Satterthwaite [1946], its standard error enlarged for the estimated variances as by Kenward
and Roger [1997], to first order in the coefficient. A component that REML puts at zero costs no degree of freedom, as
in common programs. No rule uses it: `benchmarks/mixed_model.py` says why.

Rows are of one length, so r columns turn into their mean, which alone knows the line, and r - 1 differences.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from scipy import linalg, optimize

from checks.calibration.cells import Array
from checks.statistics.regression import t_quantile
from checks.statistics.verdict import Interval

COMPONENTS = ("replicate", "point", "level", "slope", "serial")
"""What the errors may be made of; "serial" is how the points' errors follow one another."""

LEAST_SHARE = 1e-5
"""Variance relative to that of the residuals below which a component counts as zero."""

LARGEST_COEFFICIENT = 0.98
"""Of the autoregression: beyond it the errors of few points are a straight line themselves."""


@dataclass(frozen=True)
class MixedLine:
    """The slope of a mixed model.

    Attributes:
        slope: by generalised least squares.
        standard_error: of the slope, enlarged for the estimated variances.
        freedom: degrees of freedom of Satterthwaite.
    """

    slope: float
    standard_error: float
    freedom: float

    def interval(self, confidence: float) -> Interval:
        """The t interval of the slope."""
        half = t_quantile(self.freedom, confidence) * self.standard_error
        return Interval(self.slope - half, self.slope + half)


class _Model:
    """The restricted likelihood of samples that were split into column mean and differences."""

    def __init__(self, x: Array, logs: Array, components: Sequence[str]) -> None:
        count, self.replicates = logs.shape
        centred = x - x.mean()
        self.design = math.sqrt(self.replicates) * np.column_stack([np.ones(count), centred])
        self.mean = math.sqrt(self.replicates) * logs.mean(axis=1)
        own = logs - logs.mean(axis=1, keepdims=True)
        self.within = own @ own.T
        left = self.mean - self.design @ np.linalg.lstsq(self.design, self.mean, rcond=None)[0]
        total = float(left @ left) + float(np.trace(self.within))
        self.scale = max(total / max(count * self.replicates - 2, 1), 1e-12)
        self.distance = np.abs(np.subtract.outer(np.arange(count), np.arange(count)))[np.argsort(np.argsort(x))][
            :, np.argsort(np.argsort(x))
        ]
        bases = {"replicate": np.eye(count), "level": np.ones((count, count)), "slope": np.outer(centred, centred)}
        self.names = [name for name in COMPONENTS if name in components]
        self.bases = bases
        self.spread = float(centred @ centred) / count

    def covariances(self, theta: Array) -> tuple[Array, Array, list[Array], list[Array]]:
        """Of mean and of differences at log variances (and the coefficient), with derivatives by each of `theta`."""
        values = dict(zip(self.names, theta, strict=True))
        count = len(self.mean)
        mean, difference = np.zeros((count, count)), np.zeros((count, count))
        of_mean, of_difference = [], []
        coefficient = values.get("serial", 0.0)
        for name in self.names:
            if name == "serial":
                size = self.replicates * self.scale * math.exp(values["point"])
                powers = np.where(self.distance > 0, coefficient ** np.maximum(self.distance - 1.0, 0.0), 0.0)
                of_mean.append(size * self.distance * powers)
                of_difference.append(np.zeros((count, count)))
                continue
            variance = self.scale * math.exp(values[name])
            if name == "point":
                part, other = self.replicates * variance * coefficient**self.distance, np.zeros((count, count))
            else:
                part = variance * self.bases[name] / (self.spread if name == "slope" else 1.0)
                other = part
            mean, difference = mean + part, difference + other
            of_mean.append(part)
            of_difference.append(other)
        return mean, difference, of_mean, of_difference

    def negative(self, theta: Array) -> tuple[float, Array]:
        """Minus the restricted log likelihood, and its gradient."""
        mean, difference, of_mean, of_difference = self.covariances(theta)
        inverse, log_size = _inverse(mean)
        cross = self.design.T @ inverse @ self.design
        projection = inverse - inverse @ self.design @ np.linalg.solve(cross, self.design.T @ inverse)
        weighted = projection @ self.mean
        value = 0.5 * (log_size + np.linalg.slogdet(cross)[1] + float(self.mean @ weighted))
        gradient = [0.5 * (float(np.sum(projection * each)) - float(weighted @ each @ weighted)) for each in of_mean]
        if self.replicates > 1:
            inverse, log_size = _inverse(difference)
            value += 0.5 * ((self.replicates - 1) * log_size + float(np.sum(inverse * self.within)))
            left = (self.replicates - 1) * inverse - inverse @ self.within @ inverse
            gradient = [g + 0.5 * float(np.sum(left * each)) for g, each in zip(gradient, of_difference, strict=True)]
        return value, np.array(gradient)

    def fitted(self, theta: Array) -> MixedLine:
        """The slope at the estimated variances."""
        mean, difference, of_mean, of_difference = self.covariances(theta)
        inverse = _inverse(mean)[0]
        weighted = inverse @ self.design
        covariance = np.linalg.inv(self.design.T @ weighted)
        projection = inverse - weighted @ covariance @ weighted.T
        slope = float((covariance @ weighted.T @ self.mean)[1])
        active = self._active(theta)
        parts, others = [of_mean[k] for k in active], [of_difference[k] for k in active]
        within = _inverse(difference)[0] if self.replicates > 1 else np.zeros_like(inverse)
        information = np.array(
            [
                [
                    0.5 * float(np.sum((projection @ a) * (b @ projection).T))
                    + 0.5 * (self.replicates - 1) * float(np.sum((within @ c) * (d @ within).T))
                    for b, d in zip(parts, others, strict=True)
                ]
                for a, c in zip(parts, others, strict=True)
            ]
        )
        of_theta = np.linalg.pinv(information, hermitian=True)
        first = [-weighted.T @ part @ weighted for part in parts]
        gradient = np.array([-(covariance @ each @ covariance)[1, 1] for each in first])
        extra = np.zeros((2, 2))
        for k, a in enumerate(parts):
            for m, b in enumerate(parts):
                second = weighted.T @ a @ inverse @ b @ weighted
                extra += of_theta[k, m] * (second - first[k] @ covariance @ first[m])
        plain = float(covariance[1, 1])
        enlarged = plain + max(2 * float((covariance @ extra @ covariance)[1, 1]), 0.0)
        spread = float(gradient @ of_theta @ gradient)
        freedom = 2 * plain**2 / spread if spread > 0 else math.inf
        return MixedLine(slope, math.sqrt(enlarged), max(freedom, 1.0))

    def _active(self, theta: Array) -> list[int]:
        values = dict(zip(self.names, theta, strict=True))
        there = {name for name in self.names if name != "serial" and values[name] > math.log(LEAST_SHARE) + 0.5}
        if "point" in there and abs(values.get("serial", 0.0)) < LARGEST_COEFFICIENT:
            there.add("serial")
        return [k for k, name in enumerate(self.names) if name in there]


def _inverse(covariance: Array) -> tuple[Array, float]:
    """Inverse and log determinant; a covariance that rounding made singular gets a nugget."""
    nugget = 1e-10 * float(np.trace(covariance)) / len(covariance)
    factor = linalg.cholesky(covariance + nugget * np.eye(len(covariance)), lower=True)
    inverse = np.asarray(linalg.cho_solve((factor, True), np.eye(len(covariance))))
    return inverse, 2 * float(np.log(np.diag(factor)).sum())


def mixed_line(x: Array, logs: Array, components: Sequence[str] = COMPONENTS) -> MixedLine:
    """Fit the mixed model.

    Args:
        x: log axis. [points]
        logs: log(measured / claim), a number everywhere. [points, replicates]
        components: of the errors. One run a point cannot tell columns apart nor replicates from points: there the
            points' errors and how they follow one another remain.

    Raises:
        ValueError: where a sample is missing or was cut off.
    """
    if not np.isfinite(logs).all():
        raise ValueError("logs must be finite: the mixed model knows no censored and no missing runs")
    if logs.shape[1] == 1:
        kept = ["point", *(["serial"] if "serial" in components else [])]
    else:
        kept = ["replicate", *(name for name in components if name != "replicate")]
    model = _Model(x, logs, kept)
    bounds = [(-LARGEST_COEFFICIENT, LARGEST_COEFFICIENT) if n == "serial" else (math.log(LEAST_SHARE), 5.0)
              for n in model.names]  # fmt: skip
    found = [
        optimize.minimize(model.negative, _start(model.names, coefficient), jac=True, method="L-BFGS-B", bounds=bounds)
        for coefficient in ((0.0, 0.7) if "serial" in model.names else (0.0,))
    ]
    return model.fitted(min(found, key=lambda each: each.fun).x)


def _start(names: Sequence[str], coefficient: float) -> Array:
    """Where the search begins: all noise is that of replicates, or of points where there are none."""
    first = names[0]
    return np.array([coefficient if name == "serial" else 0.0 if name == first else -2.0 for name in names])
