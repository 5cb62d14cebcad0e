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

    yield from _of_sparsification()
    yield from _of_extensions()


def _of_sparsification() -> Iterator[Fault]:
    several = " removed, M = 10, 15, 20"
    for claim, part in (
        ("A.fig5", "label-irrelevant tokens removed"),
        ("A.fig5", "noisy tokens removed"),
        ("A.fig8", f"label-irrelevant tokens{several}"),
        ("A.fig8", f"noisy tokens{several}"),
        ("A.noise_scaling", "sparsification, steps"),
    ):
        yield Fault(
            "wrong sparsification: the tokens of lowest score kept",
            claim,
            part,
            planted=_lowest_kept,
            changes={"max_steps": 1_500},
            engine=AUTOMATIC,
        )


def _of_extensions() -> Iterator[Fault]:
    for claim, part in (
        ("A.multiclass", "attention concentrates, four classes"),
        ("A.pattern_sets", "sets of two vectors"),
        ("A.skip", "attention concentrates with a skip"),
    ):
        yield Fault("attention frozen", claim, part, faulty_changes={"train_attention": False}, engine=AUTOMATIC)
    for class_hinge in ("hinge of y . F", "a hinge for each output"):
        yield Fault(
            "wrong gradient: W_O uphill",
            "A.multiclass",
            f"neurons of W_2, {class_hinge}",
            planted=_hidden_uphill,
            changes={"max_steps": 200},
        )
    for join in ("sum", "concatenated"):
        yield Fault(
            "wrong label rule: labels drawn at random",
            "A.multihead",
            f"zero error with four heads, heads {join}",
            planted=_random_labels,
            changes={"max_steps": 300},
        )
        yield Fault(
            "wrong step: drawn anew for each training with several heads",
            "A.multihead",
            f"variance of T, heads {join}",
            planted=_unsteady_steps,
        )
    for matrix, part in {
        "value": "W_V, eq. (195)",
        "key": "W_K, eq. (167)",
        "query": "W_Q, eq. (125)",
        "hidden": "W_O with x_l",
    }.items():
        yield Fault(
            f"wrong form: {part.split(',')[0]} doubled",
            "A.skip",
            f"{part} at the skip's gates",
            planted=lambda matrix=matrix: _changed_forms(matrix),
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


def _lowest_kept() -> AbstractContextManager[Any]:
    from sim.shallow_vit.tokens import sparsify

    return patch("sim.shallow_vit.tokens.sparsify", lambda tokens, scores, keep: sparsify(tokens, -scores, keep))


def _hidden_uphill() -> AbstractContextManager[Any]:
    from sim.shallow_vit.network import gradient_of

    def wrong(*arguments: Any) -> Any:
        outputs, found = gradient_of(*arguments)
        return outputs, ({**found, "hidden": -found["hidden"]} if found else found)

    return patch("sim.shallow_vit.variants.gradient_of", wrong)


def _unsteady_steps() -> AbstractContextManager[Any]:
    import torch

    from sim.shallow_vit.variants import simulate_network

    def wrong(*, n_heads: int, learning_rate: float, generator: torch.Generator, **options: Any) -> Any:
        factor = 1.0 if n_heads == 1 else float(0.02 ** torch.rand(1, generator=generator))
        return simulate_network(n_heads=n_heads, learning_rate=factor * learning_rate, generator=generator, **options)

    return patch("sim.shallow_vit.variants.simulate_network", wrong)


def _changed_forms(matrix: str) -> AbstractContextManager[Any]:
    from sim.shallow_vit.skip import forms_at_gates

    def wrong(*arguments: Any) -> Any:
        found = forms_at_gates(*arguments)
        return {**found, matrix: 2 * found[matrix]}

    return patch("sim.shallow_vit.skip.forms_at_gates", wrong)
