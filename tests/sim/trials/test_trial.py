"""The identity of a trial, from which its seed derives and nothing else."""

from dataclasses import replace

from hypothesis import given, settings
from hypothesis import strategies as st

from sim.trials.sweep import Sweep, grid
from sim.trials.trial import System, TrialSpec

SYSTEM = System("toy", "toy:simulate", ("toy",))
SCALARS = st.one_of(st.booleans(), st.integers(), st.floats(allow_nan=False), st.text())
PARAMETERS = st.dictionaries(st.text(min_size=1), SCALARS, max_size=4)


@settings(derandomize=True, deadline=None, max_examples=20)
@given(PARAMETERS, st.integers(0, 10**6))
def test_the_seed_fits_63_bits_and_ignores_the_order_of_parameters(parameters, replicate):
    spec = TrialSpec(SYSTEM, parameters, replicate)
    backwards = TrialSpec(SYSTEM, dict(reversed(parameters.items())), replicate)
    assert 0 <= spec.seed < 2**63
    assert (spec.identity, spec.seed) == (backwards.identity, backwards.seed)


def test_the_seed_depends_on_system_parameters_and_replicate():
    spec = TrialSpec(SYSTEM, {"size": 3}, 0)
    others = [
        replace(spec, replicate=1),
        replace(spec, parameters={"size": 4}),
        replace(spec, parameters={"size": 3, "noise": 0.0}),
        replace(spec, system=replace(SYSTEM, name="other")),
    ]
    assert len({spec.seed, *(other.seed for other in others)}) == 5


def test_the_seed_does_not_depend_on_where_the_simulator_lives():
    spec = TrialSpec(SYSTEM, {"size": 3}, 0)
    moved = replace(spec, system=System("toy", "elsewhere:simulate", ("elsewhere",)))
    assert moved.seed == spec.seed


def test_the_seed_is_the_same_on_every_machine():
    assert TrialSpec(SYSTEM, {"size": 3}, 0).seed == 639975596233349467


def test_a_sweep_lists_replicates_of_a_point_side_by_side():
    sweep = Sweep(SYSTEM, grid(size=(1, 2), noise=(0.0, 0.5)), {"size": 9, "depth": 4}, replicates=2)
    specs = sweep.specs()
    assert [dict(spec.parameters) for spec in specs[::2]] == [
        {"size": 1, "depth": 4, "noise": 0.0},
        {"size": 1, "depth": 4, "noise": 0.5},
        {"size": 2, "depth": 4, "noise": 0.0},
        {"size": 2, "depth": 4, "noise": 0.5},
    ]
    assert [spec.replicate for spec in specs] == [0, 1] * 4
    assert len({spec.seed for spec in specs}) == 8
