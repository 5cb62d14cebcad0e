"""The chance to meet an altered row, against counting by hand; and the fewest draws, against looking at each number."""

from __future__ import annotations

from fractions import Fraction
from math import comb

import pytest

from checks.statistics.detection import altered_of, draws_needed, least_noticed, power

CASES = [(total, altered, drawn) for total in (1, 7, 40) for altered in (1, 3, total) for drawn in (0, 1, 5, total)]


@pytest.mark.parametrize(("total", "altered", "drawn"), [case for case in CASES if max(case[1:]) <= case[0]])
def test_power_is_the_hypergeometric_chance(total: int, altered: int, drawn: int) -> None:
    missed = Fraction(comb(total - altered, drawn), comb(total, drawn))
    assert power(total, altered, drawn) == pytest.approx(float(1 - missed), abs=1e-12)


@pytest.mark.parametrize("total", [1, 12, 250])
@pytest.mark.parametrize("altered", [1, 3, 100])
@pytest.mark.parametrize("confidence", [0.5, 0.95, 0.999])
def test_as_few_are_drawn_as_it_takes(total: int, altered: int, confidence: float) -> None:
    altered = min(altered, total)
    needed = draws_needed(total, altered, confidence)
    assert power(total, altered, needed) >= confidence
    assert needed == 0 or power(total, altered, needed - 1) < confidence
    least = least_noticed(total, needed, confidence)
    assert least is not None
    assert least <= altered
    assert least == 1 or power(total, least - 1, needed) < confidence


def test_one_in_a_hundred_of_many_takes_three_hundred() -> None:
    assert draws_needed(10**6, altered_of(10**6, 0.01), 0.95) == 299  # log(0.05) / log(0.99) = 298.07
    assert altered_of(50, 0.01) == 1
    assert altered_of(12, 0.25) == 3
    assert least_noticed(10, 0, 0.95) is None
