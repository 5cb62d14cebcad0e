"""Small functions that larger rules rest on: what they compute, each by itself, against numbers known beforehand."""

from __future__ import annotations

import math
from types import SimpleNamespace

import numpy as np
import pytest

from checks.statistics.comparisons import difference
from checks.statistics.distances import _gap
from checks.statistics.estimates import Interval
from checks.statistics.judge import _violated_alike
from checks.statistics.line_doubts import LineSamples, _jackknife_error, _scatter_more
from checks.statistics.means import typical_may_differ
from checks.statistics.verdict import Verdict


def test_a_difference_is_as_uncertain_as_its_ends_that_point_the_same_way() -> None:
    """Above lie the upper end of the one and the lower end of the other."""
    found = difference(5.0, Interval(4.7, 8.0), 2.0, Interval(-2.0, 2.4))
    assert found.low == pytest.approx(3.0 - math.hypot(0.3, 0.4))
    assert found.high == pytest.approx(3.0 + math.hypot(3.0, 4.0))
    with pytest.raises(ValueError, match="an estimate must lie in its interval"):
        difference(9.0, Interval(4.7, 8.0), 2.0, Interval(-2.0, 2.4))


@pytest.mark.parametrize(("level", "is_above", "gap"), [(0.25, True, 0.5), (0.25, False, 0.0), (0.5, False, -0.25)])
def test_a_gap_is_the_share_beyond_its_level(level: float, is_above: bool, gap: float) -> None:
    """Of four runs' levels three are 0.25 at most and one is below it."""
    runs = [np.array([0.1, 0.25]), np.array([0.25, 0.9])]
    assert _gap(runs, (level, is_above))[0] == pytest.approx(gap)


def test_accusations_are_alike_where_all_are_and_lie_on_one_side() -> None:
    def judged(verdict: Verdict, delta: float) -> SimpleNamespace:
        return SimpleNamespace(verdict=verdict, delta=delta)

    up, down, fine = judged(Verdict.VIOLATED, 0.5), judged(Verdict.VIOLATED, -0.5), judged(Verdict.HOLDS, 0.5)
    assert _violated_alike([up, up])
    assert not _violated_alike([up, fine])
    assert not _violated_alike([up, down])
    assert not _violated_alike([])


def test_the_error_by_leaving_one_out_does_not_hang_on_the_slope() -> None:
    """A line turned by any angle scatters as before, and one whose columns have slopes a and -a by a known amount."""
    x = np.log([1.0, 2.0, 4.0, 8.0, 16.0])
    slopes = np.array([0.3, -0.3, 0.1, -0.1])
    plain = _jackknife_error(LineSamples(x, np.outer(x, slopes)))
    turned = _jackknife_error(LineSamples(x, np.outer(x, slopes + 2.0)))
    assert turned == pytest.approx(plain)
    assert 0.05 < plain < 0.3
    assert plain == pytest.approx(np.std(slopes, ddof=1) / 2, rel=0.25)
    assert _jackknife_error(LineSamples(x, np.outer(x, slopes[:2]))) == math.inf


@pytest.mark.parametrize(("factor", "is_more"), [(0.9, False), (1.1, False), (1.6, True)])
def test_columns_scatter_more_where_their_variance_is_beyond_chance(factor: float, is_more: bool) -> None:
    """Sixty columns on exact noise: the 95 % quantile of F is about 1.3, below 2."""
    noise = SimpleNamespace(standard_error=lambda combination: 1.0, freedom_of=lambda combination: 1e6)
    own = np.tile([math.sqrt(factor), -math.sqrt(factor)], 30) * math.sqrt(59 / 60)
    assert _scatter_more(np.array([1.0]), own[None], noise, 0.05) is is_more  # type: ignore[arg-type]


def test_eight_samples_are_the_fewest_whose_shape_says_anything() -> None:
    even = np.linspace(-1.0, 1.0, 8)
    assert not typical_may_differ(even)
    assert typical_may_differ(even[:7])
    assert typical_may_differ(np.ones(8))
