"""Faults planted where Theorem 1's conditions, its last line, the data and the network are measured."""

from __future__ import annotations

from collections.abc import Iterator

from checks.evidence.fault import Fault
from checks.records.preset import Preset
from checks.shallow_vit import planted
from sim.engine_setting import AUTOMATIC
from sim.trials.trial import TrialSpec

_LABELS = "wrong label rule: labels drawn at random"


def faults() -> Iterator[Fault]:
    """Each runs in about a second."""
    yield from _of_conditions()
    yield from _of_data()
    yield from _of_the_network()
    yield Fault(
        "one sample repeated",
        "A.zero_error",
        "one layer for all tokens: two points",
        planted=planted.one_sample,
        changes={"n_tokens": 16, "n_neurons": 20},
        keep=lambda index, spec: index < 10,
        engine=AUTOMATIC,
    )
    yield Fault(
        "one sample repeated",
        "A.zero_error",
        "a per token, few tokens",
        planted=planted.one_sample,
        preset=Preset.QUICK,
        keep=lambda index, spec: index < 5,
        engine=AUTOMATIC,
    )


def _of_conditions() -> Iterator[Fault]:
    """Inside the conditions, with labels that nothing predicts."""
    inside = {
        ("A.width", "m against M at N = 512"): lambda index, spec: index < 2,
        ("A.batch", "B from 1 to N = 256"): lambda index, spec: (
            spec.parameters["batch_size"] == 16 and spec.parameters["label_relevant_fraction"] == 0.4
        ),
        ("A.fraction", "alpha_# from 0 to alpha_* = 0.4"): lambda index, spec: index < 2,
    }
    for (claim, part), keep in inside.items():
        yield Fault(
            _LABELS,
            claim,
            part,
            planted=planted.random_labels,
            changes={"max_steps": 800, "n_samples": 64, "n_test": 100},
            engine=AUTOMATIC,
            keep=keep,
        )


def _of_data() -> Iterator[Fault]:
    yield Fault(_LABELS, "A.data", "tokens that equal patterns", planted=planted.random_labels)
    noisy = "noise redrawn beyond tau, unit norm up to tau"
    yield Fault("noise of any length", "A.data", noisy, planted=planted.unbounded_noise)
    yield Fault("one sample repeated", "A.data", "||D+| - |D-|| at most 3 sqrt(N)", planted=planted.one_sample)


def _of_the_network() -> Iterator[Fault]:
    def with_noise(index: int, spec: TrialSpec) -> bool:
        return spec.parameters["token_noise"] == 0.1 and spec.replicate == 0

    steps = {"hidden": "W_O", "value": "W_V", "key": "W_K", "query": "W_Q"}
    for matrix, letter in steps.items():
        yield Fault(
            f"wrong gradient: {letter} doubled",
            "A.model",
            f"Algorithm 1, {letter} after four steps",
            planted=lambda matrix=matrix: planted.scaled(
                "sim.shallow_vit.engine.reference.hinge_gradient", **{matrix: 2.0}
            ),
            keep=with_noise,
        )
    yield Fault(
        "wrong step: the root of eta",
        "A.model",
        "eq. (1), the engine's outputs after training",
        planted=planted.rooted_step,
        keep=with_noise,
    )
    yield Fault(
        "wrong form: a sum over tokens",
        "A.model",
        "eq. (1), plain forward pass",
        planted=planted.summed_outputs,
        keep=with_noise,
    )
    yield Fault(
        "wrong start: a from +-1",
        "A.model",
        "a = +-1/sqrt(m), before and after training",
        planted=planted.large_signs,
        keep=with_noise,
    )
