"""Grids and sweeps are counted, not listed."""

from __future__ import annotations

import time

import pytest

from sim.trials import sweep as sweep_module
from sim.trials.sweep import MOST_TRIALS, Specs, Sweep, grid, settings_in, shard_of, systems_in
from sim.trials.trial import System, TrialSpec

TOY = System("toy", "benchmarks.no_op:no_op", uses_torch=False)
OTHER = System("other", "benchmarks.no_op:no_op", uses_torch=False)


def listed(sweep: Sweep) -> list[TrialSpec]:
    """The trials of a sweep, spelt out."""
    return [
        TrialSpec(sweep.system, {**sweep.fixed, **point}, replicate)
        for point in sweep.points
        for replicate in range(sweep.replicates)
    ]


SWEEPS = (
    Sweep(TOY, grid(size=(3, 1, 2), word=("a", "b")), {"milliseconds": 0.5}, 3),
    Sweep(TOY, ({"size": 1}, {"size": 2, "milliseconds": 0.0}), {"milliseconds": 0.5}, 2),
    Sweep(OTHER, grid(size=()), {}, 2),
    Sweep(OTHER, grid(), {"size": 1}, 2),
)


@pytest.mark.parametrize("sweep", SWEEPS)
def test_a_sweep_has_the_trials_of_its_list(sweep: Sweep) -> None:
    spelt, specs = listed(sweep), sweep.specs()
    assert list(specs) == [*specs] == spelt == [specs[number] for number in range(len(specs))]
    assert [spec.identity for spec in specs] == [spec.identity for spec in spelt]
    assert specs == spelt
    assert bool(specs) == bool(spelt)
    assert specs[:2] == spelt[:2]
    assert specs[::-1] == spelt[::-1] == list(reversed(specs))
    for wrong in (len(specs), -len(specs) - 1):
        with pytest.raises(IndexError, match=f"number must be below {len(spelt)}, got {wrong}"):
            specs[wrong]


def test_sweeps_follow_each_other() -> None:
    joined = Specs(sweep.specs() for sweep in SWEEPS)
    spelt = [spec for sweep in SWEEPS for spec in listed(sweep)]
    assert joined == spelt
    assert joined[-1] == spelt[-1]
    assert [joined[number] for number in range(len(joined))] == spelt
    assert systems_in(joined) == {TOY, OTHER}
    assert list(settings_in(joined)) == [spec for spec in spelt if spec.replicate == 0]
    assert systems_in(spelt) == {TOY, OTHER}
    assert list(settings_in(spelt)) == spelt


def test_sequences_of_other_trials_are_others() -> None:
    first = SWEEPS[0].specs()
    assert first != SWEEPS[1].specs()
    assert first != listed(SWEEPS[0])[::-1]
    assert first != listed(SWEEPS[0])[:-1]
    assert first * 2 == first + first == [*first, *first] == listed(SWEEPS[0]) + first
    assert grid(a=(1, 2)) != grid(a=(2, 1))
    assert grid(a=(1, 2)) == ({"a": 1}, {"a": 2})
    assert grid(a=(1,)) + grid(a=(2,)) == ({"a": 1}, {"a": 2})
    assert ({"a": 0}, *grid(a=(1,))) == ({"a": 0},) + grid(a=(1,))  # noqa: RUF005


def test_ten_to_the_eleven_trials_cost_what_their_axes_cost() -> None:
    start = time.process_time()
    sweep = Sweep(TOY, grid(size=range(10**6), milliseconds=range(100)), {}, 1000)
    specs = Specs([sweep.specs()])
    assert len(specs) == 10**11
    last = specs[10**11 - 1]
    assert (dict(last.parameters), last.replicate) == ({"size": 10**6 - 1, "milliseconds": 99}, 999)
    assert sweep.names == {frozenset({"size", "milliseconds"})}
    assert len(list(sweep.values())) == 2
    assert len(list(sweep.sample(1000))) <= 1000
    assert systems_in(specs) == {TOY}
    assert time.process_time() - start < 0.05


def test_more_points_than_anybody_runs_are_refused() -> None:
    with pytest.raises(ValueError, match=f"a grid must have at most {MOST_TRIALS} points, got {10**13}"):
        grid(size=range(10**13))


def test_a_sample_of_a_large_grid_moves_along_every_axis() -> None:
    sweep = Sweep(TOY, grid(size=range(10**6), word=("a", "b", "c")))
    found = list(sweep.sample(100))
    assert found[0] == {"size": 0, "word": "a"}
    assert {point["word"] for point in found} == {"a", "b", "c"}
    assert len({point["size"] for point in found}) > 10
    assert list(SWEEPS[0].sample(100)) == list(SWEEPS[0].points)


@pytest.mark.parametrize("parts", [1, 3, 7])
def test_parts_of_sweeps_are_the_whole_and_share_nothing(parts: int, monkeypatch: pytest.MonkeyPatch) -> None:
    whole = Specs(sweep.specs() for sweep in SWEEPS)
    for least in (10**6, 4):
        monkeypatch.setattr(sweep_module, "MANY_TRIALS", least)
        found = [shard_of(whole, part, parts) for part in range(1, parts + 1)]
        assert sorted(spec.identity for part in found for spec in part) == sorted(spec.identity for spec in whole)
        assert [shard_of(list(whole), part, parts) for part in range(1, parts + 1)] == [
            [spec for spec in whole if spec.seed % parts == part] for part in range(parts)
        ]


def test_a_part_of_ten_to_the_eight_trials_looks_at_no_other() -> None:
    start = time.process_time()
    found = shard_of(Specs([Sweep(TOY, grid(size=range(10**5)), {}, 1000).specs()]), 3, 10**5)
    assert len({spec.identity for spec in found}) == len(found) == 1000
    assert time.process_time() - start < 0.1
