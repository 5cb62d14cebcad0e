"""Faults planted in the simulators of paper A: wrong gradients, wrong labels, frozen attention."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager
from dataclasses import replace
from typing import Any
from unittest.mock import patch

from checks.evidence.fault import PREFACTOR, Fault
from sim.engine_setting import AUTOMATIC


def faults() -> Iterator[Fault]:
    """Each runs in about a second."""
    yield from _wrong_gradients()
    yield from _in_the_attention()
    yield from _in_the_neurons()
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


_FEW: dict[str, Any] = {
    "keep": lambda index, spec: index < 3,
    "changes": {"n_neurons": 40, "n_tokens": 20, "n_planted": 6, "max_steps": 1500},
}
_REFERENCE = "sim.shallow_vit.engine.reference.hinge_gradient"


def _in_the_attention() -> Iterator[Fault]:
    """What the rows about attention during training must find."""
    turned: dict[str, Any] = {"planted": lambda: _scored(-3.0), "engine": AUTOMATIC, **_FEW}
    yield Fault("scores of the other sign", "A.softmax_bounds", "the same up to a constant of 10", **turned)
    yield Fault("scores of the other sign", "A.attention_growth", "(43) and (45): weights, constants of 10", **turned)
    yield Fault(
        "scores eight times too large",
        "A.mass_at_start",
        "attention mass before the first step",
        planted=lambda: _scored(8.0),
        engine=AUTOMATIC,
    )
    yield Fault(
        "wrong gradient: W_Q uphill",
        "A.attention_growth",
        "(47): K(t) > 0",
        planted=lambda: _scaled(_REFERENCE, query=-1.0),
        **_FEW,
    )
    yield Fault(
        "wrong gradient: W_K a tenth",
        "A.key_growth",
        "(169) with lambda = 1/2",
        planted=lambda: _scaled(_REFERENCE, key=0.1),
        **_FEW,
    )
    yield Fault(
        "attention frozen",
        "A.query_log",
        "||q_1||^2 after T steps at eta = 1/2",
        axis="T",
        faulty_changes={"train_attention": False},
        engine=AUTOMATIC,
        keep=lambda index, spec: spec.replicate < 2,
        equivalent="log T rises by so little between 25 and 200 that a constant is within the margin",
    )
    yield Fault(
        "attention frozen",
        "A.mass_limit",
        "(61): 1 - p_n(T) at most 10 eta, eta toward 0",
        changes={"n_neurons": 20, "n_tokens": 10, "n_samples": 32},
        faulty_changes={"train_attention": False},
        engine=AUTOMATIC,
    )


def _in_the_neurons() -> Iterator[Fault]:
    """What the rows about neurons, values and means must find."""
    yield Fault(
        "wrong gradient: W_V doubled",
        "A.value_growth",
        "(49)-(50), some lambda at most 1",
        planted=lambda: _scaled(_REFERENCE, value=2.0),
        **_FEW,
    )
    other: dict[str, Any] = {"planted": _other_labels, "engine": AUTOMATIC, **_FEW}
    name = "wrong label rule: the other label"
    yield Fault(name, "A.value_signs", "lucky neurons with a positive sum of a", **other)
    yield Fault(
        name,
        "A.neuron_growth",
        "lucky for p_1, sum of a positive",
        planted=_other_labels,
        changes=_FEW["changes"],
        keep=lambda index, spec: index < 6,
        engine=AUTOMATIC,
    )
    yield Fault(name, "A.lucky_monotone", "the same, three in four of the neurons", **other)
    yield Fault(
        "W_O ten times too large at the start",
        "A.unlucky_bounded",
        "the same, root mean square",
        planted=_large_start,
        changes=_FEW["changes"],
        engine=AUTOMATIC,
    )
    yield Fault(
        "wrong label rule: labels drawn at random",
        "A.output_growth",
        "margin at least (t/T)^2 / 10, and 1 at T",
        planted=_random_labels,
        engine=AUTOMATIC,
        **_FEW,
    )
    yield Fault(
        "one sample repeated",
        "A.hoeffding",
        "counts that fluctuate, no errors, all mass on label-relevant tokens",
        planted=_one_sample,
        engine=AUTOMATIC,
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

    def wrong(samples: Any, generator: torch.Generator) -> Any:
        drawn = torch.randint(0, 2, (len(samples),), generator=generator) * 2 - 1
        return replace(samples, labels=drawn.to(samples.labels.dtype))

    return _resampled(wrong)


def _other_labels() -> AbstractContextManager[Any]:
    return _resampled(lambda samples, generator: replace(samples, labels=-samples.labels))


def _one_sample() -> AbstractContextManager[Any]:
    return _resampled(lambda samples, generator: samples[[0] * len(samples)])


def _resampled(change: Callable[[Any, Any], Any]) -> AbstractContextManager[Any]:
    """Change every data set that is drawn."""
    from sim.shallow_vit.data import TokenModel

    right = TokenModel.sample
    return patch.object(
        TokenModel,
        "sample",
        lambda model, n_samples, generator: change(right(model, n_samples, generator), generator),
    )


def _scored(factor: float) -> AbstractContextManager[Any]:
    """Read attention off scores times a factor."""
    from sim.shallow_vit.model import attention

    return patch(
        "sim.shallow_vit.proof_quantities.attention", lambda tokens, scoring: attention(tokens, factor * scoring)
    )


def _large_start() -> AbstractContextManager[Any]:
    from sim.shallow_vit.model import initialize

    def wrong(**options: Any) -> Any:
        found = initialize(**options)
        return replace(found, hidden=10 * found.hidden)

    return patch("sim.shallow_vit.course.initialize", wrong)
