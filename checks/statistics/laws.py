"""Which laws the points follow beside the one claimed: with an offset, simple ones, and powers that look as straight.

*An offset.* A power law with an offset is E + A x^-alpha; each of the three has a profile-likelihood interval. Losses
that fall to an irreducible part follow it, and so do times with a fixed overhead. A line through logarithms bends under
an offset, and its slope is neither alpha nor anything else; here E is a parameter. E >= 0 and A > 0; alpha > 0 where
the quantity falls to E as x grows, < 0 where it rises from E.

The fit is least squares, of log measured (`noise` "relative") or of measured ("absolute"), weighted by the number of
runs. The profile of a parameter is the least sum of squares with that parameter held; its interval holds the values for
which the profile exceeds the least of all by no more than noise explains [Bates and Watts 1988, ch. 6]. The three are
far from normal (E is bounded, alpha and E go up and down together), so intervals from standard errors do not cover.
As for a line, noise is that of replicates or lack of fit, the wider interval counts.

Calling order: `fit_offset_power` -> `_Curves.fit` -> `_Curves.minimise` -> `_Curves.interval`.

*Preference.* The simple law that the points follow best is the claim itself or another that a reader would think of. A
slope says how far a claim is off, not what would be right: d log d data against a claim d look like d^1.25. The others
are the claim times another power of the axis (by halves up to two, up and down), times or over a logarithm, and plus a
constant; and, whatever the claim, a constant plus any power of the axis, of which `fit_offset_power` gives the
intervals. Each is also compared with a free power. All are fitted to the same points and compared by AICc [Hurvich and
Tsai 1989], whose penalty for parameters is large where points are few. The noise of a point has its known sampling
variance plus a common one that is fitted for each law, so that no law wins by explaining what replicates show to be
noise.

Claims that are powers, or have a logarithm, are compared with further laws (`checks.statistics.claim_form`).

A preferred law is named in the reason. It accuses nothing, because it is chosen after the data are seen; where it is of
another order than the claim, no equality passes, nor a bound that it leaves (`checks.statistics.line_rule`).

*Looks.* A picture says that something is "linear in" something; what it can show is its correlation, and which powers
look just as linear. On a short axis every smooth curve is nearly a straight line, so a plot of a measured quantity
against alpha^-2 looks straight where the law is alpha^-1 as well. `linear_look` says how straight the look is, and for
which powers of the axis it is as straight to the eye (a correlation of at least `STRAIGHT`) or straight within the
errors of measurement (a weighted straight line that a chi-square test does not reject). The line may have an offset, as
in a picture.

*The claimed curve.* The same test against the claimed value itself needs no span: precise points refute a curve on an
axis that is too short for an exponent. `Look.adequate` says where it is: on the whole grid, or else on the
longest part of it; and the measured change from one end to the other stands beside the claimed one.
"""

from __future__ import annotations

import functools
import itertools
import math
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import ArrayLike, NDArray
from scipy import optimize, special

from checks.statistics.arguments import finite_rows, first_bad, shown
from checks.statistics.claim_form import ClaimForm, Rival, form_of, rivals_of
from checks.statistics.delta_rule import MIN_POINTS
from checks.statistics.estimates import Estimate
from checks.statistics.explanation import size_words
from checks.statistics.policy import CONFIDENCE, PRETEST_LEVEL, ErrorPolicy
from checks.statistics.regression import MIN_SPREAD, Array, Noise, Points, t_quantile
from checks.statistics.serial_noise import serial_noise
from checks.statistics.verdict import Interval

# ------------------------------------------------------------------------------------------- a power law with an offset


MAX_ALPHA = 30.0
"""Beyond it one point alone lies above the offset, and alpha is not bounded."""
MAX_LOG = 250.0
"""Of the prefactor's logarithm."""
_OFFSET, _PREFACTOR, _ALPHA = range(3)
_STARTS, _STEPS, _RESTARTS = 12, 80, 5


@dataclass(frozen=True)
class OffsetPower:
    """A fitted law E + A x^-alpha.

    Attributes:
        offset, prefactor, alpha: E, A and alpha, each with its profile-likelihood interval. An end of 0 says that the
            data do not exclude a law without offset, an infinite one that they do not bound the parameter.
        n_points: distinct values of x.
        reason: what to know about the fit; "" where there is nothing to say.
    """

    offset: Estimate
    prefactor: Estimate
    alpha: Estimate
    n_points: int
    reason: str = ""

    def __str__(self) -> str:
        return self.words("x")

    def words(self, axis: str) -> str:
        """The law with its three parameters, for an axis of this name."""
        said = []
        for name, estimate in (("E", self.offset), ("A", self.prefactor), ("alpha", self.alpha)):
            interval = estimate.confidence_interval or Interval(-math.inf, math.inf)
            said.append(f"{name} = {estimate.value:.4g} [{interval.low:.4g}, {interval.high:.4g}]")
        return f"E + A {axis}^-alpha with {', '.join(said)}"

    def at(self, x: ArrayLike) -> Array:
        """The fitted law."""
        offset, prefactor, alpha = (float(e.value or 0.0) for e in (self.offset, self.prefactor, self.alpha))
        return offset + prefactor * np.asarray(x, dtype=float) ** -alpha


def fit_offset_power(
    x: ArrayLike,
    samples: ArrayLike,
    *,
    noise: str = "relative",
    checkpoints: bool | None = None,
    confidence: float = CONFIDENCE,
) -> OffsetPower:
    """Fit E + A x^-alpha to samples at several x.

    >>> n = np.array([1e3, 3e3, 1e4, 3e4, 1e5, 3e5, 1e6])
    >>> loss = (1.7 + 40 * n**-0.5)[:, None] * np.exp(0.005 * np.random.default_rng(0).standard_normal((7, 3)))
    >>> fit = fit_offset_power(n, loss)
    >>> 1.7 in fit.offset.confidence_interval, 0.5 in fit.alpha.confidence_interval, round(fit.offset.value, 1)
    (True, True, 1.7)

    Args:
        x: what scales [points], > 0; at least five different values.
        samples: independent measurements [points, replicates], > 0, none censored; rows may have any lengths.
        noise: "relative" (the same share of the value everywhere) or "absolute" (of the same size everywhere).
        checkpoints: the points are looks at the same runs, whose errors follow one another along the axis; one sample a
            point is, unless this is False.
        confidence: of each interval.

    Raises:
        ValueError: on input that breaks a rule above, or that is the same everywhere.
    """
    if noise not in ("relative", "absolute"):
        raise ValueError(f"noise must be 'relative' or 'absolute', got {noise!r}")
    confidence = ErrorPolicy(confidence).interval_confidence
    log_x, groups = _points(x, samples, noise)
    looks = all(len(group) == 1 for group in groups) if checkpoints is None else checkpoints
    curves = _Curves(log_x, groups, is_log=noise == "relative", looks=looks)
    best, least = curves.fit()
    found: list[Interval] = []
    for _ in range(_RESTARTS):
        if curves.is_flat(best, least, confidence):
            break
        profiles = [curves.interval(which, best, least, confidence) for which in range(3)]
        found = [one for one in profiles if isinstance(one, Interval)]
        if len(found) == 3:
            break
        # A profile came below the fit, which had ended in a lesser minimum.
        best, least = min((one for one in profiles if isinstance(one, tuple)), key=lambda one: one[1])
    reason = curves.misfit_words(least)
    if len(found) < 3:
        found = [Interval(0.0, math.inf), Interval(0.0, math.inf), Interval(-math.inf, math.inf)]
        reason = "the samples do not show that they depend on x: none of the three is known"
    log_prefactor = best[_PREFACTOR] + best[_ALPHA] * curves.centre
    values = float(best[_OFFSET]), math.exp(log_prefactor), float(best[_ALPHA])
    runs = int(curves.weight.sum())
    offset, prefactor, alpha = (Estimate(*pair, n_trials=runs) for pair in zip(values, found, strict=True))
    return OffsetPower(offset, prefactor, alpha, len(curves.log_x), reason)


def _points(x: ArrayLike, samples: ArrayLike, noise: str) -> tuple[Array, list[Array]]:
    """Logarithms of the different x, ascending, and the values of each on the scale of the noise."""
    x = np.asarray(x, dtype=float)
    if x.ndim != 1:
        raise ValueError(f"x must be finite numbers > 0 [points], got shape {x.shape}")
    if not np.all(np.isfinite(x) & (x > 0)):
        raise ValueError(f"x must be finite numbers > 0 [points], got {first_bad(x):g}")
    every = finite_rows("samples", samples, n_points=len(x))
    if wrong := [float(row.min()) for row in every if not row.min() > 0]:
        raise ValueError(f"samples must be finite and > 0, none censored, got {wrong[0]:g}")
    sizes, place = np.unique(x, return_inverse=True)
    if len(sizes) < MIN_POINTS:
        raise ValueError(f"x must have at least {MIN_POINTS} different values for three parameters, got {len(sizes)}")
    if min(row.min() for row in every) == max(row.max() for row in every):
        raise ValueError(f"samples must differ, got {every[0][0]:g} everywhere")
    together: list[list[Array]] = [[] for _ in sizes]
    for index, row in zip(place, every, strict=True):
        together[index].append(row)
    groups = [np.concatenate(rows) for rows in together]
    return np.log(sizes), [np.log(group) if noise == "relative" else group for group in groups]


@functools.lru_cache(maxsize=64)
def tried_laws(span: float) -> tuple[Array, Array]:
    """Powers and offsets that are tried first [curves], for a log axis that spans so much.

    An offset is in units of the power part in the middle of the axis; none lies far beneath the least value.
    """
    alphas = np.geomspace(0.3, 12.0, 16) / span
    alphas = np.concatenate([-alphas, alphas])
    offsets = np.concatenate([[0.0], np.geomspace(0.01, 300.0, 18)])
    every = np.meshgrid(alphas, offsets, indexing="ij")
    return every[0].ravel(), every[1].ravel()


class _Curves:
    """The points, and sums of squares of many curves at once.

    A curve is (E, log of A c^-alpha, alpha), c the centre of the axis unless another is named: there the power part and
    alpha are least entangled.

    Args:
        extra: logarithm of a factor of the power part [points], 0 for a power alone.
    """

    def __init__(
        self, log_x: Array, groups: list[Array], *, is_log: bool, looks: bool, extra: Array | None = None
    ) -> None:
        self.log_x, self.is_log, self.looks = log_x, is_log, looks
        self.extra = np.zeros_like(log_x) if extra is None else extra
        self.centre = 0.5 * float(log_x[0] + log_x[-1])
        self.weight = np.array([float(len(group)) for group in groups])
        self.y = np.array([float(group.mean()) for group in groups])
        self.freedom = self.weight - 1
        self.squares = np.array([float(np.sum((group - group.mean()) ** 2)) for group in groups])

    def fit(self) -> tuple[Array, float]:
        """The best curve and its sum of squares, from the best start at each alpha tried."""
        alphas, offsets = tried_laws(float(np.ptp(self.log_x)))
        curves = np.logaddexp(
            np.log(np.maximum(offsets, 1e-300))[:, None], self.extra - alphas[:, None] * (self.log_x - self.centre)
        )
        if self.is_log:
            level = (self.y - curves) @ self.weight / self.weight.sum()
            residual = self.y - curves - level[:, None]
        else:
            shape = np.exp(curves)
            scale = np.maximum((shape * self.weight) @ self.y / ((shape**2) @ self.weight), 1e-300)
            residual, level = self.y - scale[:, None] * shape, np.log(scale)
        squares = (residual**2 @ self.weight).reshape(len(np.unique(alphas)), -1)
        place = np.arange(len(squares)) * squares.shape[1] + squares.argmin(axis=1)
        place = place[np.argsort(squares.min(axis=1))[:_STARTS]]
        starts = np.stack([offsets[place] * np.exp(level[place]), level[place], alphas[place]], axis=1)
        fitted, least = self.minimise(starts, frozen=None)
        return fitted[int(least.argmin())], float(least.min())

    def is_flat(self, best: Array, least: float, confidence: float) -> bool:
        """Whether a constant fits as well: then every alpha does, with a prefactor of 0."""
        middle = self.weight @ self.y / self.weight.sum()
        return float(self.weight @ (self.y - middle) ** 2) <= least + self._scale(_ALPHA, best, least, confidence)[0]

    def _at(self, p: Array, centre: float) -> tuple[Array, Array, Array]:
        """Sum of squares [curves], residuals [curves, points] and their derivatives [curves, points, 3]."""
        lever = self.log_x - centre
        power = np.exp(np.clip(p[:, 1:2] - p[:, 2:3] * lever + self.extra, -MAX_LOG, MAX_LOG))
        value = p[:, :1] + power
        slopes = np.stack([np.ones_like(power), power, -power * lever], axis=2)
        if self.is_log:
            slopes, value = slopes / value[:, :, None], np.log(value)
        residual = self.y - value
        return residual**2 @ self.weight, residual, slopes

    def minimise(self, start: Array, *, frozen: int | None, centre: float | None = None) -> tuple[Array, Array]:
        """Least sums of squares from these starts [curves, 3], one parameter held or none, by damped Gauss-Newton."""
        centre = self.centre if centre is None else centre
        p, damping = start.copy(), np.full(len(start), 1e-3)
        side = np.where(start[:, _ALPHA] < 0, -1.0, 1.0)
        squares, residual, slopes = self._at(p, centre)
        for _ in range(_STEPS):
            pull = np.einsum("kn,n,knj->kj", residual, self.weight, slopes)
            held = np.zeros(p.shape, dtype=bool)
            if frozen is not None:
                held[:, frozen] = True
            held[:, _OFFSET] |= (p[:, _OFFSET] <= 0) & (pull[:, _OFFSET] < 0)
            normal = np.einsum("kni,n,knj->kij", slopes, self.weight, slopes)
            normal = np.where(held[:, :, None] | held[:, None, :], 0.0, normal)
            diagonal = np.einsum("kii->ki", normal)
            lift = np.where(held, 1.0, damping[:, None] * diagonal + 1e-300)
            step = np.linalg.solve(normal + lift[:, :, None] * np.eye(3), np.where(held, 0.0, pull)[:, :, None])[
                :, :, 0
            ]
            trial = np.add(p, step, dtype=float)
            trial[:, _OFFSET] = np.maximum(trial[:, _OFFSET], 0.0)
            trial[:, _ALPHA] = side * np.clip(side * trial[:, _ALPHA], 1e-6, MAX_ALPHA)
            if frozen is not None:
                trial[:, frozen] = start[:, frozen]
            new = self._at(trial, centre)
            better = new[0] <= squares
            gain = np.where(better, squares - new[0], np.inf)
            p = np.where(better[:, None], trial, p)
            done = (better & (gain <= 1e-9 * squares + 1e-300)) | (damping > 1e8)
            squares = np.where(better, new[0], squares)
            residual = np.where(better[:, None], new[1], residual)
            slopes = np.where(better[:, None, None], new[2], slopes)
            damping = np.clip(np.where(better, damping * 0.2, damping * 5), 1e-12, None)
            if done.all():
                break
        return p, squares

    def _scale(self, which: int, best: Array, least: float, confidence: float) -> tuple[float, float]:
        """What the profile may exceed the least sum of squares by, and a first guess of the interval's half-width."""
        centre = 0.0 if which == _PREFACTOR else self.centre
        shifted = best + np.array([0.0, best[_ALPHA] * (self.centre - centre), 0.0])
        slopes = self._at(shifted[None], centre)[2][0]
        size = np.sqrt(self.weight @ slopes**2)
        size[size == 0] = 1.0
        influence = np.linalg.pinv(slopes / size * np.sqrt(self.weight)[:, None], rcond=1e-10)[which] / size[which]
        influence = influence * np.sqrt(self.weight)
        unit = float(influence**2 @ (1 / self.weight))
        count, total = len(self.y), float(self.freedom.sum())
        lack = least / (count - 3)
        allowed = t_quantile(float(count - 3), confidence) ** 2 * lack
        if total > 0:
            pooled = float(self.squares.sum()) / total
            own = np.where(self.freedom > 0, self.squares / np.maximum(self.freedom, 1.0), pooled) / self.weight
            noise = Noise(own, np.where(self.freedom > 0, self.freedom, total))
            allowed = max(allowed, noise.half_width(influence, confidence) ** 2 / unit if unit > 0 else 0.0)
        if self.looks and unit > 0 and (serial := serial_noise(self.log_x, self._at(best[None], self.centre)[1][0])):
            allowed = max(allowed, serial.half_width(influence, confidence) ** 2 / unit)
        allowed = max(allowed, MIN_SPREAD**2 * (1.0 if self.is_log else float(np.mean(self.y**2))))
        return allowed, math.sqrt(allowed * unit)

    def interval(
        self, which: int, best: Array, least: float, confidence: float, *, spent: float = 0.0
    ) -> Interval | tuple[Array, float]:
        """The profile interval of a parameter; where a profile came below the fit, that better fit.

        Args:
            spent: of what the profile may exceed the least sum of squares by, where another curve has a lesser one.
        """
        allowed, half = self._scale(which, best, least, confidence)
        allowed = max(allowed - spent, 1e-6 * allowed)
        centre = 0.0 if which == _PREFACTOR else self.centre
        origin = best + np.array([0.0, best[_ALPHA] * (self.centre - centre), 0.0])
        side = -1.0 if best[_ALPHA] < 0 else 1.0
        limits = {
            _OFFSET: (0.0, float(np.exp(self.y).max() if self.is_log else self.y.max())),
            _PREFACTOR: (-MAX_LOG, MAX_LOG),
            _ALPHA: tuple(sorted((side * 1e-6, side * MAX_ALPHA))),
        }[which]
        middle = float(origin[which])
        half = half if 0 < half < math.inf else 1e-3 * max(abs(middle), 1.0)
        inside, outside = np.array([middle, middle]), np.full(2, np.nan)
        reach, below = np.array([-half, half]), np.full(2, -allowed)
        above = np.full(2, np.nan)
        starts = np.stack([origin, origin])
        at_limit = np.array([middle <= limits[0], middle >= limits[1]])
        for _ in range(60):
            is_open = np.isnan(outside)
            if np.all(at_limit | (~is_open & (np.abs(outside - inside) <= 1e-4 * np.abs(outside - middle)))):
                break
            guess = inside + reach
            found = ~is_open
            share = np.clip(below / (below - above), 0.05, 0.95, where=found, out=np.full(2, 0.5))
            guess = np.where(
                found, inside + share * (outside - inside), np.minimum(np.maximum(guess, limits[0]), limits[1])
            )
            tried = starts.copy()
            tried[:, which] = guess
            fitted, squares = self.minimise(tried, frozen=which, centre=centre)
            if float(squares.min()) < least * (1 - 1e-6) - 1e-12 * allowed:
                better = fitted[int(squares.argmin())]
                return better + np.array([0.0, better[_ALPHA] * (centre - self.centre), 0.0]), float(squares.min())
            excess = squares - least - allowed
            is_in = excess <= 0
            at_limit |= is_in & is_open & ((guess <= limits[0]) | (guess >= limits[1]))
            above = np.where(is_in, np.where(found, above / 2, above), excess)
            below = np.where(is_in, excess, below / 2)
            outside, inside = np.where(is_in, outside, guess), np.where(is_in, guess, inside)
            starts = np.where(is_in[:, None], fitted, starts)
            reach = np.where(is_in & is_open, 2 * reach, reach)
        return self._ends(which, np.where(np.isnan(outside), inside, outside), at_limit)

    def _ends(self, which: int, ends: Array, at_limit: NDArray[np.bool_]) -> Interval:
        """The interval in the parameter's own units; an end at a limit of the search is none."""
        low, high = (float(end) for end in ends)
        if which == _PREFACTOR:
            return Interval(0.0 if at_limit[0] else math.exp(low), math.inf if at_limit[1] else math.exp(high))
        if which == _OFFSET:
            return Interval(0.0 if at_limit[0] else low, math.inf if at_limit[1] else high)
        low = -math.inf if at_limit[0] and low < -1 else 0.0 if at_limit[0] else low
        return Interval(low, math.inf if at_limit[1] and high > 1 else 0.0 if at_limit[1] else high)

    def misfit_words(self, least: float) -> str:
        """That points scatter about the law by more than replicates explain, by an F test; "" elsewhere."""
        total, count = float(self.freedom.sum()), len(self.y)
        noise = float(self.squares.sum()) / total if total else 0.0
        if not noise or special.fdtrc(count - 3.0, total, least / (count - 3) / noise) >= PRETEST_LEVEL:
            return ""
        ratio = least / (count - 3) / noise
        return f"points scatter about the law {ratio:.2g} times as much as replicates explain"


LOGARITHM = "E + A log(x) x^-alpha"
_SHIFTS = (-0.5, -0.3, -0.15, 0.15, 0.3, 0.6, 1.0)
"""c in units of the value of the axis that is farthest from the limit."""


class OtherOffsetLaw:
    """E + A x^-alpha with a shifted axis or a logarithm beside it: what it has for alpha.

    Attributes:
        words: the law, for an axis x.
        squares: least sum of squares.
        alpha: the exponent that fits best.
    """

    def __init__(self, words: str, curves: _Curves, start: Array) -> None:
        self.words, self._curves = words, curves
        starts = np.repeat(start[None], 4, axis=0)
        starts[:, _ALPHA] *= (0.5, 1.0, 1.5, 2.5)
        starts[:, _PREFACTOR] -= float(curves.extra.mean())
        fitted, least = curves.minimise(starts, frozen=None)
        self._best, self.squares = fitted[int(least.argmin())], float(least.min())

    @property
    def alpha(self) -> float:
        """The exponent that fits best."""
        return float(self._best[_ALPHA])

    def interval(self, confidence: float, spent: float) -> Interval:
        """Of alpha, where the best law of all leaves so much less of the sum of squares."""
        for _ in range(_RESTARTS):
            found = self._curves.interval(_ALPHA, self._best, self.squares, confidence, spent=spent)
            if isinstance(found, Interval):
                return found
            spent = max(spent - self.squares + found[1], 0.0)
            self._best, self.squares = found
        return Interval(-math.inf, math.inf)


HALF_POWERS = (0.5, 1.0, 1.5, 2.0)
"""Sizes of the exponent that leads in a sum of two powers."""
_STEPS_BETWEEN = (0.5, 1.0)
"""By how much the exponents of the two differ."""
_SUM_STEPS = 12


class SumOfPowers:
    """E + A x^-alpha + B x^-beta with E, A, B >= 0 and both exponents given, of which alpha leads toward the limit.

    The fit is least squares on the scale of the noise, by non-negative linear least squares [Lawson and Hanson 1974],
    linearised about the last curve where that scale is logarithmic.

    Attributes:
        words: the law, for an axis x.
        squares: least sum of squares.
        alpha: the exponent that leads.
        faster: beta, the exponent of the term that dies out beside the other.
    """

    def __init__(self, curves: _Curves, alpha: float, faster: float) -> None:
        self.words = f"E + A x^{-alpha:g} + B x^{-faster:g}"
        self.alpha, self.faster = alpha, faster
        lever = curves.log_x - curves.centre
        design = np.stack([np.ones_like(lever), np.exp(-alpha * lever), np.exp(-faster * lever)], axis=1)
        root = np.sqrt(curves.weight)
        value, self.squares = np.exp(curves.y) if curves.is_log else np.ones_like(lever), math.inf
        for _ in range(_SUM_STEPS if curves.is_log else 1):
            aim = curves.y - np.log(value) + 1 if curves.is_log else curves.y
            terms, _ = optimize.nnls(design / value[:, None] * root[:, None], aim * root)
            fitted = np.maximum(design @ terms, 1e-300)
            residual = curves.y - (np.log(fitted) if curves.is_log else fitted)
            before, self.squares = self.squares, min(self.squares, float(residual**2 @ curves.weight))
            value = fitted
            if before - self.squares <= 1e-6 * self.squares:
                break

    def interval(self, confidence: float, spent: float) -> Interval:
        """Of alpha, which is given."""
        return Interval(self.alpha, self.alpha)


class OffsetLaws:
    """The laws beside E + A x^-alpha that the same points do not reject, for its exponent.

    A curve with one more parameter fits nearly any six or seven points over a decade, so an exponent that is told for a
    pure power alone is told for little: 2 / (x + 10) looks like x^-1/2 beside another offset, and so does d / (x - d -
    1), the excess of least squares, like x^-3/2. The shift is profiled on a grid, the logarithm has no parameter. So
    have sums of two powers by halves, x^-1/2 + 5 / x beside a constant, which looks like x^-0.8 over three decades.

    Args:
        x, samples, noise, checkpoints: as in `fit_offset_power`.
        sign: +1 where the limit is infinity, -1 where it is 0.
        confidence: at which a law is rejected.
    """

    def __init__(
        self, x: ArrayLike, samples: ArrayLike, *, noise: str, checkpoints: bool | None, sign: float, confidence: float
    ) -> None:
        log_x, groups = _points(x, samples, noise)
        looks = all(len(group) == 1 for group in groups) if checkpoints is None else checkpoints
        given = {"is_log": noise == "relative", "looks": looks}
        plain = _Curves(log_x, groups, **given)
        best, least = plain.fit()
        allowed = plain._scale(_ALPHA, best, least, confidence)[0]
        tried: list[OtherOffsetLaw | SumOfPowers] = [
            OtherOffsetLaw(words, _Curves(sign * log_u, groups, **given, extra=extra), best)
            for words, log_u, extra in _others(sign * log_x)
        ]
        tried += [SumOfPowers(plain, *pair) for pair in _sums(sign)]
        self.least = min([least, *(each.squares for each in tried)])
        self.is_rejected = least - self.least > allowed
        kept = [each for each in tried if each.squares - self.least <= allowed]
        self.kept = sorted(kept, key=lambda each: each.squares)


def _others(log_u: Array) -> Iterator[tuple[str, Array, Array]]:
    """Other laws of u, which grows to the limit: their words, log of the shifted axis and log of a factor. [points]"""
    u, first = np.exp(log_u), float(np.exp(log_u.min()))
    for c in _SHIFTS:
        words = f"E + A (x {'+' if c > 0 else '-'} {size_words(abs(c) * first, 3)})^-alpha"
        yield words, np.log(u + c * first), np.zeros_like(u)
    if first > math.e:
        yield LOGARITHM, log_u, np.log(log_u)


def _sums(sign: float) -> Iterator[tuple[float, float]]:
    """Exponents alpha of two powers x^-alpha of one direction, the first of which leads where sign * x grows."""
    for size, step in itertools.product((*HALF_POWERS, *(-size for size in HALF_POWERS)), _STEPS_BETWEEN):
        if (size + step) * size > 0:
            yield sign * size, sign * (size + step)


# ------------------------------------------------------------------------------------------- the law that points prefer


CLEARLY = 6.0
"""AICc by which a law must beat the claim to be named: odds of about 20 to 1. [Burnham and Anderson 2002, ch. 2]"""

TOLD = 2.7
"""Twice the log likelihood by which a claim must fit better than A log + B. Data that follow the latter let it pass in
5 % at most, however far the two are apart: that difference is normal, its mean minus a quarter of its variance, and it
exceeds 1.64 squared most often where its mean is minus that. [Cox 1961]"""

POWERS = (-2.0, -1.5, -1.0, -0.5, 0.5, 1.0, 1.5, 2.0)
"""Powers of the axis, times the claim, that are candidates of the comparison by AICc [Hurvich and Tsai 1989]."""

OFFSETS = np.geomspace(0.03, 30.0, 31)
"""Constants tried, in units of the claim's geometric mean on the grid."""

_NEARBY = np.meshgrid(np.linspace(-1.0, 1.0, 9), np.linspace(-1.0, 1.0, 9))
_NEARBY_ALPHAS, _NEARBY_OFFSETS = np.exp(0.25 * _NEARBY[0].ravel()), 0.6 * _NEARBY[1].ravel()
"""Where a constant plus a power is looked for again, about the best of those tried; as far as to the next ones."""


@dataclass(frozen=True)
class PreferredLaw:
    """The law preferred to the claim, and by how much AICc.

    Attributes:
        order: +1 where it outgrows the claim by a logarithm or so, -1 where the claim outgrows it so, else 0.
        other: the best of those of another order than the claim that the points prefer to it, and that are not clearly
            worse than this one; itself where it is one. None where there is none.
    """

    law: str
    advantage: float
    order: int = 0
    other: PreferredLaw | None = None


def preferred_law(points: Points, log_claimed: Array, *, axis_sign: float) -> PreferredLaw | None:
    """The law that the points clearly prefer to the claim; None where the claim is as good.

    Only points with an estimate are compared: a bound fits too many laws.

    Args:
        points: y = log(measured / claim), x = log axis signed toward the limit. [points]
        log_claimed: log claim, for laws that add to it. [points]
        axis_sign: +1 where x is log axis, -1 where it is minus that.
    """
    data = Compared.of(points, log_claimed)
    if data is None:
        return None
    x, y, weights, known, form = data.x, data.y, data.weights, data.known, data.form
    claimed = data.score(np.zeros((1, len(x))), 2)
    laws = [*_simple_laws(x, data.log_claimed, axis_sign, form), *rivals_of(form, x, data.log_claimed, axis_sign)]
    scores = [(data.score(law.curves, law.parameters), law.law, law.order) for law in laws]
    free = data.free_power()
    # A free power is the same law without its constant, which must be worth having. Where the noise is as large as the
    # misfit, no fit makes up for the penalty of four parameters, and none is tried.
    if min(claimed, free) - _least_score(len(x), known, 4) > CLEARLY:
        offset, words = _offset_power(y + data.log_claimed, axis_sign * x, weights, known)
        scores += [(offset, words, 0)] if offset < free - CLEARLY else []
    best, law, order = min(scores)
    if claimed - best <= CLEARLY or best >= free + CLEARLY:  # the latter is only the least bad of those tried
        return None
    named = PreferredLaw(law, claimed - best, order)
    if order or form is None or not form.logarithms:
        return replace(named, other=named if order else None)
    enough = min(claimed - CLEARLY, best + CLEARLY, free + CLEARLY)
    others = [score for score in scores if score[2] and score[0] < enough]
    score, law, order = min(others, default=(math.inf, "", 0))
    return replace(named, other=PreferredLaw(law, claimed - score, order) if order else None)


def law_as_likely(points: Points, log_claimed: Array, relation: str, *, axis_sign: float) -> Rival | None:
    """A law of another order that fits as well as a claim with a logarithm; None where there is none.

    None is spared for its parameters, as AICc would: on seven points it charges a constant seven, and a claim would
    pass that the points do not tell from its neighbour. From A log + B, a logarithm less that B bends to the claim's
    own slope, a claim is told by `TOLD`. Where a law of the claim's own order, as A log + B is of log, clearly fits
    better than they, none of them is as likely. An equality is told from laws on both sides, a bound from those that
    would cross it. Arguments are those of `preferred_law`; `relation` as in `DeltaRule`.
    """
    data = Compared.of(points, log_claimed)
    if data is None or data.form is None or not data.form.logarithms:
        return None
    orders = {"upper": (1,), "lower": (-1,), "tight": (-1, 1)}[relation]
    laws = rivals_of(data.form, data.x, data.log_claimed, axis_sign)
    rivals = [law for law in laws if law.order in orders]
    of_claim = min((data.score(law.curves, law.parameters) for law in laws if law.order == 0), default=math.inf)
    if of_claim <= min(data.score(law.curves, law.parameters) for law in rivals) - CLEARLY:
        return None
    scores = [data.score(law.curves, 2) - (TOLD if law.parameters > 2 else 0.0) for law in rivals]
    best = int(np.argmin(scores))
    return rivals[best] if scores[best] <= data.score(np.zeros((1, len(data.x))), 2) else None


@dataclass(frozen=True, eq=False)
class Compared:
    """The points that carry an estimate, with weights of mean 1 and the variance that replicates show."""

    x: Array
    y: Array
    weights: Array
    known: float
    log_claimed: Array
    form: ClaimForm | None

    @classmethod
    def of(cls, points: Points, log_claimed: Array, least: int = MIN_POINTS) -> Compared | None:
        """None where fewer than `least` points have an estimate."""
        kept = points.side == 0
        if kept.sum() < least:
            return None
        variance = points.weight_variance[kept]
        weights = 1 / np.maximum(variance, MIN_SPREAD**2)
        form = form_of(points.x[kept], log_claimed[kept])
        return cls(
            points.x[kept], points.y[kept], weights / weights.mean(), float(variance.mean()), log_claimed[kept], form
        )

    def free_power(self, parameters: int = 3) -> float:
        """The AICc of the claim times a power of the axis that is fitted."""
        centred = self.x - self.x @ self.weights / len(self.x)
        slope = (self.weights * centred) @ self.y / (self.weights @ centred**2)
        return self.score((slope * self.x)[None], parameters)

    def score(self, curves: Array, parameters: int) -> float:
        """The least AICc of these curves. [curves, points]"""
        return _score(self.y, curves, self.weights, self.known, parameters)


def _simple_laws(x: Array, log_claimed: Array, axis_sign: float, form: ClaimForm | None) -> list[Rival]:
    """The claim times a power or a logarithm of the axis, and plus a constant."""
    laws = [Rival(f"claim x axis^{axis_sign * power:+g}", (power * x)[None], 2, 0) for power in POWERS]
    word = "log axis" if axis_sign > 0 else "log 1/axis"
    if x.min() > 0 and (form is None or not form.logarithms):
        laws.append(Rival(f"claim x {word}", np.log(x)[None], 2, 1))
        laws.append(Rival(f"claim / {word}", -np.log(x)[None], 2, -1))
    claim = log_claimed - log_claimed.mean()
    if np.ptp(claim) > 0:
        larger = np.log1p(OFFSETS[:, None] * np.exp(np.minimum(-claim, 600.0)))
        laws.append(Rival("claim + constant", larger, 3, 0))
    return laws


def _score(y: Array, curves: Array, weights: Array, variance: float, parameters: int) -> float:
    """Smallest AICc over a law's curves [curves, points], the prefactor fitted."""
    count = len(y)
    if count - parameters - 1 < 1:
        return math.inf
    residual = y - curves
    residual = residual - (residual @ weights / count)[:, None]
    squares = float((residual**2 @ weights).min())
    spread = max(squares / count, variance, MIN_SPREAD**2)
    penalty = 2 * parameters * count / (count - parameters - 1)
    return count * math.log(spread) + squares / spread + penalty


def _least_score(count: int, variance: float, parameters: int) -> float:
    """The AICc of a law that goes through every point."""
    if count - parameters - 1 < 1:
        return math.inf
    return count * math.log(max(variance, MIN_SPREAD**2)) + 2 * parameters * count / (count - parameters - 1)


def _offset_power(y: Array, log_axis: Array, weights: Array, variance: float) -> tuple[float, str]:
    """AICc and words of the best law E + A axis^-alpha with E > 0; y = log measured. [points]"""
    u = log_axis - 0.5 * (log_axis.min() + log_axis.max())
    alphas, log_offsets = _tried(round(float(np.ptp(u)), 6))
    for _ in range(2):
        curves = np.logaddexp(log_offsets[:, None], -alphas[:, None] * u)
        residual = y - curves
        residual -= (residual @ weights / len(y))[:, None]
        best = int((residual**2 @ weights).argmin())
        alpha, log_offset, curve = float(alphas[best]), float(log_offsets[best]), curves[best]
        alphas, log_offsets = alpha * _NEARBY_ALPHAS, log_offset + _NEARBY_OFFSETS
    return _score(y, curve[None], weights, variance, 4), f"constant + axis^{-alpha:+.2g}"


@functools.lru_cache(maxsize=64)
def _tried(span: float) -> tuple[Array, Array]:
    """Powers, and logarithms of offsets, that are tried on a log axis that spans so much."""
    alphas, offsets = tried_laws(span)
    return alphas[offsets > 0], np.log(offsets[offsets > 0])


# -------------------------------------------------------------------------------------------------- what looks straight


STRAIGHT = 0.99
"""Correlation from which on a plot is taken to look like a straight line."""

MIN_LOOK_POINTS = 4
"""Points that a look needs: three are nearly on a line more often than not."""

LOOK_POWERS = np.round(np.arange(-6.0, 6.001, 0.05), 2)
"""Powers of the axis that are tried; 0 stands for its logarithm."""


@dataclass(frozen=True)
class Look:
    """How straight measured values look against a claimed value, and against which powers of the axis as well.

    Attributes:
        correlation: of measured and claimed values.
        alike: the powers of the axis whose correlation is at least `STRAIGHT`, from the least to the largest.
        fitting: those against which a straight line is within the errors of measurement. None where there is none.
        whole: chance of all points so far from a rising straight line in the claimed value; None without errors.
        adequate: the longest part of the axis on which that chance is no less than the level, and it; None where not
            even `MIN_LOOK_POINTS` neighbours are.
        changes: largest over smallest, measured and claimed.
    """

    correlation: float
    alike: Interval | None
    fitting: Interval | None
    whole: float | None = None
    adequate: tuple[Interval, float] | None = None
    changes: tuple[float, float] = (1.0, 1.0)

    @property
    def is_straight(self) -> bool:
        """Whether it looks linear to the eye."""
        return self.correlation >= STRAIGHT


def linear_look(
    axis: ArrayLike, estimates: Sequence[Estimate], claimed: ArrayLike, *, confidence: float = CONFIDENCE
) -> Look | None:
    """How a plot of measured against claimed values looks; None where fewer than `MIN_LOOK_POINTS` have a value.

    Args:
        axis: the parameter that scales [points], > 0.
        estimates: measured quantities with the standard error of their logarithm; those without a value are left out.
        claimed: the claim on the grid [points], > 0, up to a constant.
        confidence: one less the level at which a straight line is rejected.

    Raises:
        ValueError: where lengths differ, or axis or claim are not finite and > 0.
    """
    axis, claimed = np.asarray(axis, dtype=float), np.asarray(claimed, dtype=float)
    if axis.ndim != 1 or not len(axis) == len(estimates) == len(claimed):
        raise ValueError(f"axis, estimates and claimed must have one length, got {axis.shape} and {len(estimates)}")
    for name, values in (("axis", axis), ("claimed", claimed)):
        if not np.all((values > 0) & np.isfinite(values)):
            raise ValueError(f"{name} must be finite and > 0, got {shown(values)}")
    kept = [i for i in np.argsort(axis, kind="stable") if estimates[i].value is not None]
    if len(kept) < MIN_LOOK_POINTS or np.ptp(axis[kept]) == 0:
        return None
    measured = np.array([estimates[i].value for i in kept], dtype=float)
    errors = np.array([estimates[i].standard_error or 0.0 for i in kept]) * measured
    falls = np.polyfit(np.log(axis[kept]), np.log(claimed[kept]), 1)[0] < 0
    looks = [_power(axis[kept], power) * (-1.0 if falls else 1.0) for power in LOOK_POWERS]
    alike = np.array([_correlation(measured, look) >= STRAIGHT for look in looks])
    level = 1 - confidence
    fitting = np.array([(_chance(measured, look, errors) or 0.0) >= level for look in looks])
    return Look(
        _correlation(measured, claimed[kept]),
        _range(alike),
        _range(fitting),
        _chance(measured, claimed[kept], errors),
        _longest_adequate(axis[kept], measured, claimed[kept], errors, level),
        (float(measured.max() / measured.min()), float(claimed[kept].max() / claimed[kept].min())),
    )


def _power(axis: NDArray[np.float64], power: float) -> NDArray[np.float64]:
    """A power of the axis that rises with it whatever its sign, with the logarithm between. [Box and Cox 1964]"""
    x = axis / np.exp(np.log(axis).mean())
    return np.log(x) if power == 0 else (x**power - 1) / power


def _correlation(a: NDArray[np.float64], b: NDArray[np.float64]) -> float:
    """Correlation of two arrays; 0 where one does not vary."""
    a, b = a - a.mean(), b - b.mean()
    scale = float(np.sqrt((a @ a) * (b @ b)))
    return float(a @ b) / scale if scale > 0 else 0.0


def _chance(measured: Array, look: Array, errors: Array) -> float | None:
    """Of points so far from a rising straight line, by chi-square; None without errors, 0 where the best line falls."""
    if not np.all(errors > 0):
        return None
    design = np.stack([look, np.ones_like(look)], axis=1) / errors[:, None]
    found, *_ = np.linalg.lstsq(design, measured / errors, rcond=None)
    squares = float(np.sum((design @ found - measured / errors) ** 2))
    return float(special.chdtrc(len(look) - 2, squares)) if found[0] > 0 else 0.0


def _longest_adequate(
    axis: Array, measured: Array, claimed: Array, errors: Array, level: float
) -> tuple[Interval, float] | None:
    """The longest run of neighbours that the claimed value fits, and how well; of equally long ones the best.

    All are in the order of the axis.
    """
    for count in range(len(axis), MIN_LOOK_POINTS - 1, -1):
        parts = [slice(first, first + count) for first in range(len(axis) - count + 1)]
        chances = [_chance(measured[part], claimed[part], errors[part]) or 0.0 for part in parts]
        best = int(np.argmax(chances))
        if chances[best] >= level:
            return Interval(float(axis[parts[best]][0]), float(axis[parts[best]][-1])), chances[best]
    return None


def _range(shown: NDArray[np.bool_]) -> Interval | None:
    """The least and the largest power for which something holds."""
    return Interval(LOOK_POWERS[shown].min(), LOOK_POWERS[shown].max()) if shown.any() else None
