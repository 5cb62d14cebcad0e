"""Settings that fill a range: inside the hypotheses, even in logarithms, and the same each time."""

from __future__ import annotations

import numpy as np
import pytest

from checks.search.designs import space_filling

RANGES = {"n": (10.0, 1000.0), "d": (1.0, 100.0), "q": (0.1, 0.5)}


def test_settings_meet_the_hypotheses_and_are_the_same_each_time() -> None:
    design = space_filling(RANGES, 50, admissible=lambda one: one["d"] < one["n"], whole="nd", seed=3)
    assert design == space_filling(RANGES, 50, admissible=lambda one: one["d"] < one["n"], whole="nd", seed=3)
    assert design[:20] == space_filling(RANGES, 20, admissible=lambda one: one["d"] < one["n"], whole="nd", seed=3)
    assert design != space_filling(RANGES, 50, admissible=lambda one: one["d"] < one["n"], whole="nd", seed=4)
    assert len({tuple(one.values()) for one in design}) == 50
    for one in design:
        assert one["d"] < one["n"]
        assert all(low <= one[name] <= high for name, (low, high) in RANGES.items())
        assert isinstance(one["n"], int)


def test_settings_are_even_in_logarithms_and_not_related() -> None:
    design = space_filling(RANGES, 256)
    shares = np.array([[np.log(one[name] / low) / np.log(high / low) for name, (low, high) in RANGES.items()]
                       for one in design])  # fmt: skip
    for column in shares.T:
        assert np.histogram(column, bins=8, range=(0, 1))[0] == pytest.approx([32] * 8, abs=3)
    assert np.abs(np.corrcoef(shares.T) - np.eye(3)).max() < 0.1
    straight = [one["q"] for one in space_filling({"q": (0.1, 0.5)}, 256, even="q")]
    assert np.mean(straight) == pytest.approx(0.3, abs=0.01)


def test_whole_numbers_have_equal_room_and_each_stands_once() -> None:
    few = space_filling({"n": (2, 6)}, 5, whole="n")
    assert sorted(one["n"] for one in few) == [2, 3, 4, 5, 6]
    with pytest.raises(ValueError, match="settings must be 6 that meet the hypotheses and differ, got 5"):
        space_filling({"n": (2, 6)}, 6, whole="n")


@pytest.mark.parametrize(
    ("ranges", "count", "rule", "said"),
    [
        ({}, 3, {}, "ranges must be of 1 to 20 letters, got 0"),
        ({"a": (1, 2)}, 0, {}, "count must be from 1 to 100000, got 0"),
        ({"a": (0, 2)}, 3, {}, "the range of a must have ends > 0 that rise, got 0 and 2"),
        ({"a": (3, 2)}, 3, {}, "the range of a must have ends > 0 that rise, got 3 and 2"),
        ({"a": (1.2, 1.8)}, 3, {"whole": "a"}, "the range of a must hold a whole number"),
        ({"a": (1, 2)}, 3, {"whole": ["b"]}, "whole and even must name letters of the ranges, got 'b'"),
        ({"a": (1, 2)}, 3, {"admissible": lambda one: False}, "got 0 of 4096 points"),
    ],
)
def test_what_breaks_a_rule_is_refused(ranges, count: int, rule, said: str) -> None:
    with pytest.raises(ValueError, match=r".") as caught:
        space_filling(ranges, count, **rule)
    assert said in str(caught.value)
