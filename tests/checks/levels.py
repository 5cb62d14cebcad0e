"""Which levels are used and printed: for tests that ask for 99 % and must find no other."""

from __future__ import annotations

import functools
import re
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager

import pytest
from scipy import special

from checks.statistics import means, regression
from checks.statistics.policy import PRETEST_LEVEL
from checks.statistics.straightness import PRELIMINARY

USUAL = frozenset({0.95, 0.975, 0.9, 0.05, 0.025, 0.1})
"""Levels of a policy of 95 %, and their complements."""

PRETESTS = frozenset(
    {
        ("exceeds", 1 - PRETEST_LEVEL),  # points scatter more than replicates explain
        ("exceeds", 1 - PRELIMINARY),  # about a parabola or a shape
        ("grown_by_logarithm", 1 - PRETEST_LEVEL),  # a logarithm is there beside a free power
        ("_dispersion", 0.1),  # counts scatter more than binomial ones
        ("_ends", PRETEST_LEVEL),  # a success curve does not begin at 0
        ("_ends", 1 - PRETEST_LEVEL),  # or does not end at 1
        ("_scatter", 1 - PRETEST_LEVEL),  # a plan: points scatter more than replicates explain
        ("level_noise", 0.95),  # three levels of an axis share data
    }
)
"""Tests of the model, by the function that asks and its level."""

PRINTED = re.compile(r"(?<!\.)\b9[05](\.0+)?(\\,| )?\\?%|\b0\.9[05]\b|\b97\.5\b|\bci9[05]\b|\b0\.05/")
"""Such a level in words, in LaTeX, as a number or as a key; the digits of 99.95 % are none."""


@contextmanager
def spied(monkeypatch: pytest.MonkeyPatch) -> Iterator[set[tuple[str, float]]]:
    """Every probability that a quantile is asked for, and by which function."""
    asked: set[tuple[str, float]] = set()
    cached = (regression.t_quantile, means.median_rank, means._turning_slope)

    def heard(quantile: Callable[..., float], *arguments: float) -> float:
        asked.add((sys._getframe(1).f_code.co_name, round(float(arguments[-1]), 12)))
        return quantile(*arguments)

    for function in cached:
        function.cache_clear()
    with monkeypatch.context() as patch:
        for name in ("ndtri", "stdtrit", "chdtri", "fdtri", "betaincinv"):
            patch.setattr(special, name, functools.partial(heard, getattr(special, name)))
        yield asked
    for function in cached:
        function.cache_clear()


def foreign(asked: set[tuple[str, float]]) -> set[tuple[str, float]]:
    """Levels of 95 % that no pretest asked for."""
    return {one for one in asked if one[1] in USUAL} - PRETESTS
