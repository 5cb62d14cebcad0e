"""Equal results under different seeds are named where two draws cannot share them, and nowhere else."""

from __future__ import annotations

import random
from dataclasses import replace

import numpy as np
import pytest

from sim.store.repeats import places, repeats
from sim.trials.trial import Outcome, System, Trial, TrialResult, TrialSpec

SYSTEM = System("toy", "math:sqrt", ("math",), uses_torch=False)


def trial(size: int, replicate: int, system: System = SYSTEM, curve: float = 0.0, **observables: object) -> Trial:
    curves = {"path": np.array([curve, 1.0])}
    return Trial(TrialSpec(system, {"size": size}, replicate), TrialResult(Outcome.CONVERGED, observables, curves), 1.0)


def test_copies_under_other_seeds_are_named() -> None:
    (found,) = repeats([trial(1, number, mean=0.123456789012 + (number > 3), hits=4) for number in range(5)])
    assert len(found.trials) == 4
    assert found.words == "4 trials of toy have the same results under different seeds (mean = 0.123456789012)"


@pytest.mark.parametrize("value", [3, 0.0, 0.75, 1 / 3, 17 / 4096, True, "text", 2.5e6, float("nan")])
def test_what_draws_share_is_not(value: object) -> None:
    assert repeats([trial(1, number, mean=value) for number in range(5)]) == []


def test_two_at_different_settings_may_agree_and_three_may_not() -> None:
    same = [trial(size, 0, mean=0.123456789012) for size in range(3)]
    assert repeats(same[:2]) == []
    assert len(repeats(same)[0].trials) == 3


def test_whose_simulator_draws_nothing_is_not_named_nor_what_differs_in_a_curve() -> None:
    declared = replace(SYSTEM, repeats=True)
    assert repeats([trial(1, number, declared, mean=0.123456789012) for number in range(5)]) == []
    assert repeats([trial(1, number, curve=0.1 * number, mean=0.123456789012) for number in range(5)]) == []
    echoed = [replace(each, spec=replace(each.spec, parameters={"rate": 0.123456789012})) for each in
              (trial(1, number, mean=0.123456789012) for number in range(5))]  # fmt: skip
    assert repeats(echoed) == []


def counted(number: int, draw: random.Random) -> Trial:
    """A mean of counts, as computed in single precision."""
    hits = sum(draw.random() < 0.5 for _ in range(3000))
    return trial(1, number, mean=float(np.float32(hits / 3000 + 1e-7)))


def test_means_of_counts_meet_and_copies_of_one_are_named_all_the_same() -> None:
    draw = random.Random(1)
    drawn = [counted(number, draw) for number in range(100)]
    values = [each.result.observables["mean"] for each in drawn]
    assert len(set(values)) < len(values)
    assert 20 < places(values) < 50
    assert repeats(drawn) == []
    copied = [replace(each, result=drawn[0].result) for each in drawn[:20]]
    (found,) = repeats([*copied, *drawn[20:]])
    assert len(found.trials) >= 20


def test_a_copy_among_draws_of_real_numbers_is_named() -> None:
    draw = random.Random(1)
    drawn = [trial(1, number, mean=draw.gauss(0.0, 1.0)) for number in range(100)]
    assert places(each.result.observables["mean"] for each in drawn) == 0
    assert repeats(drawn) == []
    (found,) = repeats([*drawn[:-1], replace(drawn[-1], result=drawn[0].result)])
    assert len(found.trials) == 2
