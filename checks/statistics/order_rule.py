"""Orders that a paper leaves unspecified: "poly(D)", "polylog(D)", "D^Omega(1)".

Such a claim names a family, not a function, and no finite grid tells a large power of the logarithm from a small power
of the axis: (log D)^3 has slope 0.75 between 16 and 256, so "polylog" never means "exponent 0". The largest degree that
the family may have (for D^Omega(1): the smallest) is therefore stated beforehand, and the data are judged against that
member by the Delta rule. Within it the claim *holds*; there is no *tight*, since the claim names no member, and beyond
it the claim is *violated up to the stated degree*. The explanation says which degree the data show themselves, as a
power and as a power of the logarithm, and which of the two they prefer.
"""

from __future__ import annotations

import math
from dataclasses import replace

import numpy as np
from numpy.typing import ArrayLike

from checks.statistics.arguments import Toward, shown, signed_log_axis
from checks.statistics.explanation import Clause, Clauses, Topic
from checks.statistics.policy import CONFIDENCE, ErrorPolicy
from checks.statistics.replicates import rows_of
from checks.statistics.scaling_rule import judge_scaling
from checks.statistics.verdict import Judgement, Verdict

FAMILIES = {"polylog": "upper", "poly": "upper", "power": "lower"}
"""Family -> how the measured quantity must stand to its extreme member."""


def judge_unspecified(
    axis: ArrayLike,
    samples: ArrayLike,
    *,
    family: str,
    degree: float,
    margin: float,
    toward: Toward = "infinity",
    limit: ArrayLike | None = None,
    limit_low: ArrayLike | None = None,
    paired: bool = False,
    confidence: float = CONFIDENCE,
    policy: ErrorPolicy | None = None,
) -> Judgement:
    """Judge a quantity claimed to be polylog(axis), poly(axis) or axis^Omega(1).

    >>> size = np.array([16.0, 32.0, 64.0, 128.0, 256.0])
    >>> noise = np.exp(0.02 * np.random.default_rng(0).standard_normal((5, 8)))
    >>> judge_unspecified(size, np.log(size)[:, None] ** 2 * noise, family="polylog", degree=3, margin=0.25).verdict
    <Verdict.HOLDS: 'holds'>
    >>> judge_unspecified(size, size[:, None] ** 2 * noise, family="polylog", degree=3, margin=0.25).verdict
    <Verdict.VIOLATED: 'violated'>

    Args:
        axis, samples, margin, toward, limit, limit_low, paired, confidence, policy: as in `judge_scaling`; for
            "polylog" the axis must lie beyond e in its direction, where the logarithm of the logarithm is positive.
        family: "polylog" (at most log^degree), "poly" (at most axis^degree) or "power" (at least axis^degree).
        degree: the largest degree that the family may have, the smallest for "power"; > 0, stated before measuring.

    Raises:
        ValueError: as `judge_scaling`, or on an unknown family, a degree <= 0, a logarithm <= 1.
    """
    if family not in FAMILIES:
        raise ValueError(f"family must be one of {', '.join(FAMILIES)}, got {family!r}")
    if not 0 < degree < math.inf:
        raise ValueError(f"degree must be finite and > 0, got {degree}")
    values, x = signed_log_axis(axis, toward)
    if family == "polylog" and np.any(x <= 1):
        raise ValueError(f"axis must lie beyond e toward its limit for a polylog, got {shown(values)}")
    judgement = judge_scaling(
        values,
        samples,
        x**degree if family == "polylog" else np.exp(degree * x),
        relation=FAMILIES[family],
        margin=margin,
        toward=toward,
        limit=limit,
        limit_low=limit_low,
        paired=paired,
        confidence=confidence,
        policy=policy,
    )
    word = {"polylog": f"log^{degree:g}", "poly": f"axis^{degree:g}", "power": f"axis^{degree:g}"}[family]
    verdict = verdict_of_family(judgement.verdict)
    is_largest = family != "power"
    if verdict is Verdict.HOLDS:
        said = f"{'at most' if is_largest else 'at least'} {word}, the degree stated beforehand"
    else:
        said = f"against {word}, the {'largest' if is_largest else 'smallest'} degree stated beforehand"
    member = Clause(Topic.EXTREME_MEMBER, said, {"degree": float(degree)})
    judgement = replace(judgement, verdict=verdict)
    return judgement.adding(choices=(member,), adequacy=_shown_degrees(x, samples))


def verdict_of_family(verdict: Verdict) -> Verdict:
    """The verdict on a family from that on its extreme member: a family names no member, so nothing is tight to it."""
    return Verdict.HOLDS if verdict in (Verdict.TIGHT, Verdict.LOOSE) else verdict


def _shown_degrees(x: np.ndarray, samples: ArrayLike) -> Clauses:
    """The degrees that the points show, as a power and as a power of the logarithm, and which line is straighter."""
    table, _ = rows_of("samples", samples)
    complete = ~((table == 0) | np.isposinf(table)).any(axis=1)
    if complete.sum() < 3 or np.ptp(x[complete]) == 0:
        return ()
    y, x = np.nanmean(np.log(table[complete]), axis=1), x[complete]
    power, residual = _straight(x, y)
    said, figures = f"the data look like axis^{power:.2g}", {"power": power}
    if np.all(x > 0):
        log_degree, log_residual = _straight(np.log(x), y)
        closer = "the latter is closer" if log_residual < residual else "the former is closer"
        said += f" or log^{log_degree:.2g}, {closer}"
        figures["log_degree"] = log_degree
    return (Clause(Topic.OTHER_LAW, said, figures),)


def _straight(x: np.ndarray, y: np.ndarray) -> tuple[float, float]:
    """Slope of a least-squares line and its residual sum of squares."""
    slope, intercept = np.polyfit(x, y, 1)
    return float(slope), float(np.sum((y - intercept - slope * x) ** 2))
