"""Observables of a training of the network with its options; but for `success`, none where it diverged."""

from __future__ import annotations

from collections.abc import Mapping

from sim.shallow_vit.stack_reading import growth_of_group, masses_of, test_of
from sim.shallow_vit.variants import TrainedStack
from sim.trials.readouts import once
from sim.trials.trial import Outcome, Scalar


def test_hinge(run: TrainedStack) -> float | None:
    """Mean hinge on fresh samples."""
    found = once(test_of, run)
    return found.hinge if found else None


def test_error(run: TrainedStack) -> float | None:
    """Share of fresh samples with some output on the wrong side."""
    found = once(test_of, run)
    return found.error if found else None


def success(run: TrainedStack) -> bool:
    """Whether the mean test hinge is that of a success. [li2023, section 4.1]"""
    found = once(test_of, run)
    return bool(found and found.success)


def mass_start(run: TrainedStack) -> float | None:
    """Attention mass on label-relevant tokens at the first look, in the last layer."""
    return None if run.outcome == Outcome.DIVERGED else once(masses_of, run)[0][-1]


def mass_end(run: TrainedStack) -> float | None:
    """The same at the last look."""
    return None if run.outcome == Outcome.DIVERGED else once(masses_of, run)[-1][-1]


def layers(run: TrainedStack) -> Mapping[str, float]:
    """`mass_layer_J_start` and `mass_layer_J_end`: the same in each layer."""
    if run.outcome == Outcome.DIVERGED:
        return {}
    found = once(masses_of, run)
    return {
        f"mass_layer_{index}_{name}": mass
        for name, masses in (("start", found[0]), ("end", found[-1]))
        for index, mass in enumerate(masses, start=1)
    }


def group(run: TrainedStack) -> Mapping[str, Scalar]:
    """`growth_of_group` where there are groups: two outputs, and one layer of them for all tokens."""
    if run.outcome == Outcome.DIVERGED or run.start.output.shape[:2] != (2, 1):
        return {}
    return growth_of_group(run.start, run.training.network)
