"""Thresholds from success counts of runs that share something, which scatter more than independent runs.

Counts are beta-binomial: the success rate itself varies from point to point with intra-class correlation rho. A curve
of ordinary steepness has three points between all failures and all successes, too few to maximise over rho: profiled,
the likelihood takes clumps for shape, and its interval at 95 % covers 70 to 90 %. So nuisance parameters (steepness,
lapse rate, rho) are integrated out instead, as Bayesian psychometrics does [Schuett, Harmeling, Macke, Wichmann 2016]:
what the data cannot tell then widens the interval. Priors are flat: of the threshold on the searched domain, of the
steepness in its logarithm, of sqrt(rho), which is the relative scatter of the rate, up to its largest; only that of
the lapse rate favours few lapses. Coverage under these priors is measured by calibration.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray
from scipy import special

from checks.statistics.success_curve import SuccessCurve, ThresholdFit
from checks.statistics.verdict import Interval

Array = NDArray[np.float64]

MAX_SCATTER = 0.7
"""Largest sqrt(rho): beyond it a point is mostly all or nothing, and hardly a threshold can be told."""

_LAPSE_PRIOR = np.array([1.0, 0.8, 0.5, 0.3, 0.15])
_LOG_ODDS = np.linspace(-28.0, 28.0, 561)


def integrated_fit(curve: SuccessCurve, confidence: float) -> ThresholdFit:
    """Posterior median of log threshold and its central interval; ends on the domain's edge are unbounded.

    The dispersion is that of the posterior mean of rho at the median number of trials a point, 1 + (n - 1) rho.
    """
    scatter = np.linspace(0.0, MAX_SCATTER, 8)
    table = np.stack(
        [_log_beta_binomial(*counts, scatter**2) for counts in zip(curve.successes, curve.trials, strict=True)]
    )

    def log_posterior(theta: Array) -> Array:
        steepness, lapse = curve.nuisance_grid(len(_LAPSE_PRIOR))
        rows = [_log_joint(curve, table, value, steepness, lapse) for value in theta]
        return np.stack(rows) + np.log(_LAPSE_PRIOR)

    coarse = np.linspace(curve.domain.low, curve.domain.high, 41)
    rough = log_posterior(coarse).max(axis=(1, 2, 3))
    near = np.flatnonzero(rough > rough.max() - 12.0)  # all but exp(-12) of the mass
    theta = np.linspace(coarse[max(near[0] - 1, 0)], coarse[min(near[-1] + 1, 40)], 81)
    posterior = log_posterior(theta)
    posterior = np.exp(posterior - posterior.max())  # [theta, scatter, steepness, lapse]
    mass = posterior.sum(axis=(1, 2, 3))
    below = (np.cumsum(mass) - mass / 2) / mass.sum()
    low, middle, high = np.interp([0.5 - confidence / 2, 0.5, 0.5 + confidence / 2], below, theta)
    share = posterior.sum(axis=(0, 2, 3)) / mass.sum()
    dispersion = 1 + (float(np.median(curve.trials)) - 1) * float(share @ scatter**2)
    # Within a step of the domain's edge the posterior runs on beyond what was searched.
    step = theta[1] - theta[0]
    low = low if low > curve.domain.low + step else -np.inf
    high = high if high < curve.domain.high - step else np.inf
    return ThresholdFit(float(middle), Interval(low, high), dispersion)


def _log_joint(curve: SuccessCurve, table: Array, theta: float, steepness: Array, lapse: Array) -> Array:
    """log likelihood at one threshold [scatter, steepness, lapse], by linear interpolation in the log odds."""
    p = curve.rates(theta, steepness, lapse)  # [steepness, lapse, points]
    step = _LOG_ODDS[1] - _LOG_ODDS[0]
    place = np.clip((special.logit(np.clip(p, 1e-12, 1 - 1e-12)) - _LOG_ODDS[0]) / step, 0, len(_LOG_ODDS) - 1.001)
    index = place.astype(int)
    part = place - index
    points = np.arange(len(curve.log_n))
    left, right = table[points, :, index], table[points, :, index + 1]  # [steepness, lapse, points, scatter]
    values = left + part[..., None] * (right - left)
    return np.moveaxis(values.sum(axis=2), -1, 0)


def _log_beta_binomial(successes: float, trials: float, rho: Array) -> Array:
    """log probability of one count, up to its binomial coefficient, by rho and by log odds. [rho, log odds]"""
    p = special.expit(_LOG_ODDS)
    rows = [special.xlogy(successes, p) + special.xlogy(trials - successes, special.expit(-_LOG_ODDS))]
    for correlation in rho[1:]:
        total = 1 / correlation - 1
        a, b = total * p, total * special.expit(-_LOG_ODDS)
        rows.append(special.betaln(successes + a, trials - successes + b) - special.betaln(a, b))
    return np.stack(rows)
