"""A plot looks linear against many powers on a short axis, and against few on a long one."""

from __future__ import annotations

import numpy as np
import pytest

from checks.statistics.estimates import Estimate
from checks.statistics.laws import LOOK_POWERS, linear_look
from checks.statistics.verdict import Interval

SHORT = np.linspace(0.26, 0.5, 9)
LONG = np.geomspace(0.05, 0.5, 9)


def estimates(values, error=0.02):
    return [Estimate(float(value), standard_error=error, n_trials=20) for value in values]


def test_on_a_factor_of_two_neighbouring_powers_look_alike_and_on_ten_they_do_not():
    short = linear_look(SHORT, estimates(SHORT**-2.0), SHORT**-2.0)
    assert short.correlation == pytest.approx(1)
    assert short.is_straight
    assert short.alike.low < -3
    assert short.alike.high > -1
    long = linear_look(LONG, estimates(LONG**-2.0), LONG**-2.0)
    assert -3 < long.alike.low < -2 < long.alike.high < -1.3
    assert -2.3 < long.fitting.low <= -2 <= long.fitting.high < -1.7


def test_an_offset_is_part_of_a_straight_line_and_the_wrong_direction_is_not():
    look = linear_look(LONG, estimates(30 + LONG**-1.0), LONG**-1.0)
    assert look.correlation == pytest.approx(1)
    falling = linear_look(LONG, estimates(LONG**1.0), LONG**-1.0)
    assert falling.correlation < 0
    assert falling.alike is None
    assert falling.fitting is None


def test_measured_values_that_are_no_line_fit_no_power():
    look = linear_look(LONG, estimates([1, 9, 2, 8, 3, 7, 4, 6, 5]), LONG**-2.0)
    assert look.alike is None
    assert look.fitting is None


def test_large_errors_of_measurement_allow_every_power():
    look = linear_look(SHORT, estimates(SHORT**-2.0, error=2.0), SHORT**-2.0)
    assert (look.fitting.low, look.fitting.high) == (LOOK_POWERS[0], LOOK_POWERS[-1])
    assert linear_look(SHORT, estimates(SHORT**-2.0, error=0.0), SHORT**-2.0).fitting is None


def test_the_correlation_is_numpy_s():
    values = 1 + SHORT + 0.1 * np.random.default_rng(0).standard_normal(9)
    look = linear_look(SHORT, estimates(values), SHORT**-2.0)
    assert look.correlation == pytest.approx(np.corrcoef(values, SHORT**-2.0)[0, 1])


def test_points_without_a_value_are_left_out_and_few_have_no_look():
    values = [*estimates(SHORT[:5] ** -2.0), *[Estimate(None)] * 4]
    assert linear_look(SHORT, values, SHORT**-2.0).correlation == pytest.approx(1)
    assert linear_look(SHORT[3:], values[3:], SHORT[3:] ** -2.0) is None


@pytest.mark.parametrize(
    ("axis", "claimed", "rule"),
    [
        ([0.1, 0.2], [1, 2, 3], "must have one length"),
        ([0.0, 0.2, 0.3], [1, 2, 3], "axis must be finite and > 0"),
        ([0.1, 0.2, 0.3], [1, -2, 3], "claimed must be finite and > 0"),
    ],
)
def test_what_is_no_look_is_refused(axis, claimed, rule):
    with pytest.raises(ValueError, match=rule):
        linear_look(axis, estimates([1, 2, 3]), claimed)


def test_a_claimed_curve_is_adequate_on_a_part_of_a_short_axis_and_rejected_on_the_whole():
    near = np.where(SHORT < 0.31, 20.0, 1.0)  # thresholds explode next to the tie
    look = linear_look(SHORT, estimates(near * SHORT**-2.0), SHORT**-2.0)
    assert look.whole < 1e-6
    where, chance = look.adequate
    assert (where.low, where.high) == (SHORT[2], SHORT[-1])
    assert chance > 0.99
    assert look.changes == pytest.approx((20 * (0.5 / 0.26) ** 2, (0.5 / 0.26) ** 2))
    mixed = np.random.default_rng(0).permutation(len(SHORT))  # points may come in any order
    axis = SHORT[mixed]
    again = linear_look(axis, estimates(3 + axis**-2.0 * (1 + 0.01 * np.sin(9 * axis))), axis**-2.0)
    assert again.adequate[1] == again.whole
    whole = linear_look(SHORT, estimates(3 + SHORT**-2.0), SHORT**-2.0)
    assert whole.adequate[0] == Interval(SHORT[0], SHORT[-1])
    assert whole.adequate[1] == whole.whole
    assert linear_look(SHORT, estimates(SHORT**2.0), SHORT**-2.0).adequate is None  # it falls everywhere
    assert linear_look(SHORT, estimates(SHORT**-2.0, error=0.0), SHORT**-2.0).whole is None


def test_a_true_curve_is_rejected_as_rarely_as_the_level_says():
    rng = np.random.default_rng(0)
    chances = []
    for _ in range(400):
        values = (5 + SHORT**-2.0) * np.exp(0.05 * rng.standard_normal(len(SHORT)))
        chances.append(linear_look(SHORT, estimates(values, error=0.05), SHORT**-2.0).whole)
    assert np.mean(np.array(chances) < 0.05) < 0.05 + 3 * 0.011
