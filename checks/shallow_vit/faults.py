"""Faults planted in the simulators of paper A: wrong gradients, wrong labels, frozen attention."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import AbstractContextManager
from dataclasses import replace
from typing import Any
from unittest.mock import patch

from checks.evidence.fault import PREFACTOR, Fault
from sim.engine_setting import AUTOMATIC


def faults() -> Iterator[Fault]:
    """Each runs in about a second."""
    yield from _wrong_gradients()
    few = {"n_neurons": 40, "n_samples": 64, "max_steps": 1500}
    per_token = "average query, a per token"
    first = {"keep": lambda index, spec: index < 5, "changes": few}
    yield Fault("attention frozen", "A.concentration", per_token, faulty_changes={"train_attention": False}, **first)
    yield Fault(
        "wrong gradient: W_Q uphill",
        "A.concentration",
        per_token,
        planted=lambda: _scaled("sim.shallow_vit.engine.reference.hinge_gradient", query=-1.0),
        **first,
    )
    quick = {"max_steps": 300, "n_test": 100}
    yield Fault(
        "wrong label rule: labels drawn at random",
        "A.samples",
        "exact ratios, no noise",
        planted=_random_labels,
        changes=quick,
        engine=AUTOMATIC,
        keep=lambda index, spec: index % 3 == 0 and spec.parameters["n_samples"] == 32,
    )
    yield Fault(
        "wrong label rule: labels drawn at random",
        "A.fraction",
        "grid of Fig. 1(a)",
        planted=_random_labels,
        changes={"max_steps": 1500, "n_test": 100},
        engine=AUTOMATIC,
        keep=lambda index, spec: spec.replicate < 2,
    )


def _wrong_gradients() -> Iterator[Fault]:
    names = {"hidden": "W_O, eq. (81)", "value": "W_V, eq. (195)", "query": "W_Q, eq. (125)", "key": "W_K, eq. (167)"}
    for matrix, part in names.items():
        yield Fault(
            f"wrong gradient: {part.split(',')[0]} doubled",
            "A.gradients",
            part,
            planted=lambda matrix=matrix: _scaled("sim.shallow_vit.probes.hinge_gradient", **{matrix: 2.0}),
        )
    every = dict.fromkeys(names, 2.0)
    few = {"keep": lambda index, spec: spec.replicate < 3}
    small = {"alpha_*": {"n_samples": 64, "n_tokens": 100}, "eta": {"n_samples": 64, "n_tokens": 20}}
    shared = "output layer shared"
    for axis, changes in small.items():
        yield Fault(
            "wrong gradient: all doubled",
            "A.iterations",
            shared,
            axis=axis,
            planted=lambda: _scaled("sim.shallow_vit.engine.reference.hinge_gradient", **every),
            equivalent=PREFACTOR,
            changes=changes,
            **few,
        )
    yield Fault(
        "wrong step: the root of eta", "A.iterations", shared, axis="eta", planted=_rooted_step, changes=small["eta"]
    )
    yield Fault(
        "attention frozen",
        "A.iterations",
        shared,
        axis="alpha_*",
        changes=small["alpha_*"],
        faulty_changes={"train_attention": False},
        engine=AUTOMATIC,
        **few,
    )


def _scaled(target: str, **factors: float) -> AbstractContextManager[Any]:
    """Multiply the named gradients of a hinge gradient."""
    from sim.shallow_vit.gradients import hinge_gradient

    def wrong(*arguments: Any, **options: Any) -> Any:
        found = hinge_gradient(*arguments, **options)
        if found.gradient is None:
            return found
        changed = {name: factor * getattr(found.gradient, name) for name, factor in factors.items()}
        return replace(found, gradient=replace(found.gradient, **changed))

    return patch(target, wrong)


def _rooted_step() -> AbstractContextManager[Any]:
    from sim.shallow_vit.model import Weights

    right = Weights.step

    def wrong(weights: Any, gradient: Any, learning_rate: float, **options: Any) -> Any:
        return right(weights, gradient, learning_rate**0.5, **options)

    return patch.object(Weights, "step", wrong)


def _random_labels() -> AbstractContextManager[Any]:
    import torch

    from sim.shallow_vit.data import TokenModel

    right = TokenModel.sample

    def wrong(model: Any, n_samples: int, generator: torch.Generator) -> Any:
        samples = right(model, n_samples, generator)
        drawn = torch.randint(0, 2, (n_samples,), generator=generator) * 2 - 1
        return replace(samples, labels=drawn.to(samples.labels.dtype))

    return patch.object(TokenModel, "sample", wrong)
