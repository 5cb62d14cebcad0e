"""Equal results under different seeds are named where two draws cannot share them, and nowhere else."""

from __future__ import annotations

import math
import random
from collections import Counter
from collections.abc import Callable
from dataclasses import replace

import numpy as np
import pytest

from sim.store.repeats import chance_of, copies_among, is_on_a_grid, repeats
from sim.trials.trial import Outcome, System, Trial, TrialResult, TrialSpec

SYSTEM = System("toy", "math:sqrt", ("math",), uses_torch=False)


def trial(size: int, replicate: int, system: System = SYSTEM, curve: float = 0.0, **observables: object) -> Trial:
    curves = {"path": np.array([curve, 1.0])}
    return Trial(TrialSpec(system, {"size": size}, replicate), TrialResult(Outcome.CONVERGED, observables, curves), 1.0)


def normal(seed: int = 1, sizes: int = 5, replicates: int = 20) -> list[Trial]:
    """Draws of real numbers."""
    draw = random.Random(seed)
    return [trial(size, number, mean=draw.gauss(0.0, 1.0)) for size in range(sizes) for number in range(replicates)]


def copied(trials: list[Trial], source: int, over: range) -> list[Trial]:
    """Trials with the result of one over those of others."""
    return [replace(one, result=trials[source].result) if at in over else one for at, one in enumerate(trials)]


def test_copies_under_other_seeds_are_named() -> None:
    roots = [0.123456789012 + 0.1 * max(number - 9, 0) ** 0.5 for number in range(40)]
    (found,) = repeats([trial(1, number, mean=value) for number, value in enumerate(roots)])
    assert len(found.trials) == 10
    assert found.words == (
        "10 trials of toy have the same results under different seeds (mean = 0.123456789012); "
        "a simulator that draws nothing, or returns counts, says System(repeats=True)"
    )


@pytest.mark.parametrize("value", [3, 0.0, 0.75, 1 / 3, 17 / 4096, True, "text", 2.5e6, float("nan")])
def test_what_draws_share_is_not(value: object) -> None:
    assert repeats([*normal(), *(trial(1, 100 + number, mean=value) for number in range(50))]) == []


@pytest.mark.parametrize("over", [range(64), range(3, 97, 7), range(20, 40)], ids=["settings", "across", "one setting"])
def test_copies_of_a_real_number_are_named_wherever_they_lie(over: range) -> None:
    (found,) = repeats(copied(normal(), 50, over))
    assert len(found.trials) == len({*over, 50})
    two = copied(copied(normal(), 50, range(0, 32)), 90, range(60, 80))
    assert [len(one.trials) for one in repeats(two)] == [33, 21]


def test_few_equal_ones_are_not_named_since_counts_with_many_places_have_them() -> None:
    assert repeats(copied(normal(), 99, range(2))) == []
    assert repeats([trial(1, number, mean=0.123456789012) for number in range(5)]) == []


def test_copies_among_settings_of_one_trial_each_are_named() -> None:
    (found,) = repeats(copied(normal(sizes=60, replicates=1), 30, range(10)))
    assert len(found.trials) == 11


def test_a_seed_that_is_not_used_is_named() -> None:
    trials = [trial(size, number, mean=math.sqrt(5 + size)) for size in range(3) for number in range(8)]
    assert [len(one.trials) for one in repeats(trials)] == [8, 8, 8]
    assert repeats(trials[:21]) == []  # 18 beyond the first of a setting: 2^-18 is above one in a million


def test_whose_simulator_draws_nothing_is_not_named_nor_what_differs_in_a_curve() -> None:
    declared = replace(SYSTEM, repeats=True)
    assert repeats([trial(1, number, mean=0.123456789012) for number in range(30)])
    assert repeats([trial(1, number, declared, mean=0.123456789012) for number in range(30)]) == []
    assert repeats([trial(1, number, curve=0.1 * number, mean=0.123456789012) for number in range(30)]) == []
    echoed = [replace(each, spec=replace(each.spec, parameters={"rate": 0.123456789012})) for each in
              (trial(1, number, mean=0.123456789012) for number in range(30))]  # fmt: skip
    assert repeats(echoed) == []


def counted(number: int, draw: random.Random) -> Trial:
    """A mean of counts, as computed in single precision."""
    hits = sum(draw.random() < 0.5 for _ in range(3000))
    return trial(1, number, mean=float(np.float32(hits / 3000 + 1e-7)))


def test_means_of_counts_meet_and_copies_of_one_are_named_all_the_same() -> None:
    draw = random.Random(1)
    drawn = [counted(number, draw) for number in range(100)]
    values = [float(each.result.observables["mean"]) for each in drawn]
    assert len(set(values)) < len(values)
    assert is_on_a_grid(values)
    assert repeats(drawn) == []
    (found,) = repeats(copied(drawn, 0, range(30)))
    assert len(found.trials) >= 30


STATISTICS = {
    "mean of maxima": lambda draw, n: (draw.binomial(n, 0.1, (400, 2)).max(1).mean() / n - 0.1) * np.sqrt(n / 0.09),
    "logarithm": lambda draw, n: np.log((1 + draw.binomial(20 * n, 0.3)) / (20 * n + 2)),
    "variance": lambda draw, n: np.var(draw.binomial(1, 0.3, n)),
    "entropy": lambda draw, n: -sum(p * np.log(p) for p in draw.multinomial(n, [0.2, 0.3, 0.5]) / n if p),
    "at its end": lambda draw, n: draw.binomial(400, 1 - 1.5 ** (-n / 2)) / 400 - 0.0123456789,
    "scaled, at its end": lambda draw, n: (draw.binomial(400, 1 - 1.5 ** (-n / 2)) / 400 - 0.0123) * np.sqrt(n),
    "two values": lambda draw, n: 0.0123456789 * np.sqrt(n) * (1 + draw.binomial(1, 0.3)),
    "rare": lambda draw, n: 0.0123456789 + draw.binomial(n, 0.01) / n,
    "waiting time": lambda draw, n: np.sqrt(draw.geometric(0.5 / n)),
    "heavy tail": lambda draw, n: np.log(1 + draw.zipf(1.6)),
}


@pytest.mark.parametrize("replicates", [2, 5, 20, 60])
@pytest.mark.parametrize("statistic", STATISTICS.values(), ids=STATISTICS)
def test_what_follows_from_counts_is_not_named(statistic: Callable[..., float], replicates: int) -> None:
    met = 0
    for seed in range(5):
        draw = np.random.default_rng(seed)
        sizes = (10, 14, 20, 28, 40, 56, 80)
        drawn = [trial(n, k, mean=float(statistic(draw, n))) for n in sizes for k in range(replicates)]
        met += len({one.result.observables["mean"] for one in drawn}) < len(drawn)
        assert repeats(drawn) == []
        for size in sizes:
            own = [one for one in drawn if one.spec.parameters["size"] == size]
            often = Counter(one.result.observables["mean"] for one in own)
            first = {one.result.observables["mean"]: one for one in own}
            assert list(copies_among([(first[value], count) for value, count in often.items()])) == []
    assert met or replicates < 20


def test_the_chance_of_a_group_bounds_that_of_draws_from_any_number_of_places() -> None:
    draw, n, size = np.random.default_rng(1), 12, 3
    for n_places in (6, 12, 24, 48):
        worst = Counter[float]()
        for _ in range(4000):
            often = Counter(draw.integers(n_places, size=n).tolist())
            value, count = often.most_common(1)[0]
            if count >= size:
                others = [number for other, number in often.items() if other != value]
                worst[chance_of(count, n - count, len(others), sorted(others)[-3] if len(others) > 2 else 1)] += 1
        for limit in (0.01, 0.001):
            assert sum(number for chance, number in worst.items() if chance < limit) <= 4000 * limit * 1.5
    assert chance_of(2, 98, 98) > 0.1
    assert chance_of(64, 64, 64) < 1e-60


def test_grids() -> None:
    assert not is_on_a_grid(float(one.result.observables["mean"]) for one in normal())
    assert not is_on_a_grid([])
    assert repeats(normal()) == []
