"""What the seeded faults of paper A plant: wrong gradients, steps, labels, scores, sparsification."""

from __future__ import annotations

import functools
from collections.abc import Callable
from contextlib import AbstractContextManager
from dataclasses import replace
from typing import Any
from unittest.mock import patch

from checks.later import torch


def scaled(target: str, **factors: float) -> AbstractContextManager[Any]:
    """Multiply the named gradients of a hinge gradient."""
    from sim.shallow_vit.gradients import hinge_gradient

    def wrong(*arguments: Any, **options: Any) -> Any:
        found = hinge_gradient(*arguments, **options)
        if found.gradient is None:
            return found
        changed = {name: factor * getattr(found.gradient, name) for name, factor in factors.items()}
        return replace(found, gradient=replace(found.gradient, **changed))

    return patch(target, wrong)


def rooted_step() -> AbstractContextManager[Any]:
    """Step by the root of eta."""
    from sim.shallow_vit.model import Weights

    right = Weights.step

    def wrong(weights: Any, gradient: Any, learning_rate: float, **options: Any) -> Any:
        return right(weights, gradient, learning_rate**0.5, **options)

    return patch.object(Weights, "step", wrong)


def random_labels() -> AbstractContextManager[Any]:
    """Draw labels at random."""

    def wrong(samples: Any, generator: torch.Generator) -> Any:
        drawn = torch.randint(0, 2, (len(samples),), generator=generator) * 2 - 1
        return replace(samples, labels=drawn.to(samples.labels.dtype))

    return resampled(wrong)


def other_labels() -> AbstractContextManager[Any]:
    """Give every sample the other label."""
    return resampled(lambda samples, generator: replace(samples, labels=-samples.labels))


def one_sample() -> AbstractContextManager[Any]:
    """Fill every data set with copies of its first sample."""
    return resampled(lambda samples, generator: samples[[0] * len(samples)])


def resampled(change: Callable[[Any, Any], Any]) -> AbstractContextManager[Any]:
    """Change every data set that is drawn."""
    from sim.shallow_vit.data import TokenModel

    right = TokenModel.sample
    return patch.object(
        TokenModel,
        "sample",
        lambda model, n_samples, generator: change(right(model, n_samples, generator), generator),
    )


def scored(factor: float) -> AbstractContextManager[Any]:
    """Read attention off scores times a factor."""
    from sim.shallow_vit.points import attention

    return patch(
        "sim.shallow_vit.proof_quantities.attention", lambda points, scoring: attention(points, factor * scoring)
    )


def exact_start() -> AbstractContextManager[Any]:
    """Start from exact features, whatever errors are asked for."""
    from sim.shallow_vit.model import initialize

    def wrong(*, value_error: float, key_query_error: float, **options: Any) -> Any:
        return initialize(value_error=0.0, key_query_error=0.0, **options)

    return patch("sim.shallow_vit.setting.initialize", wrong)


def noiseless_tokens() -> AbstractContextManager[Any]:
    """Draw token noise and leave it out."""
    from sim.shallow_vit.data import TokenModel

    right = TokenModel._noise
    return patch.object(TokenModel, "_noise", lambda *arguments: 0 * right(*arguments))


def fewer_samples(share: Callable[[dict[str, Any]], float]) -> AbstractContextManager[Any]:
    """Train on a share of the samples that are counted, by the parameters of the trial."""
    from sim.shallow_vit.training import simulate

    @functools.wraps(simulate)
    def wrong(*, n_samples: int, batch_size: int, **options: Any) -> Any:
        drawn = max(2, round(share(options) * n_samples))
        return simulate(n_samples=drawn, batch_size=min(batch_size, drawn), **options)

    return patch("sim.shallow_vit.training.simulate", wrong)


def fewer_scenes() -> AbstractContextManager[Any]:
    """Train on fewer images than are counted, the fewer the larger alpha_* is: all at 0.64, a tenth at 1."""
    from sim.images.experiments.scene_training import simulate_scenes

    @functools.wraps(simulate_scenes)
    def wrong(*, n_samples: int, label_relevant_fraction: float = 0.0, **options: Any) -> Any:
        share = 10 ** ((0.64 - max(label_relevant_fraction, 0.64)) / 0.36)
        drawn = max(2, round(share * n_samples))
        return simulate_scenes(n_samples=drawn, label_relevant_fraction=label_relevant_fraction, **options)

    return patch("sim.images.experiments.scene_training.simulate_scenes", wrong)


def shorter_steps(share: Callable[[dict[str, Any]], float]) -> AbstractContextManager[Any]:
    """Shrink the step, by the parameters of the trial."""
    from sim.shallow_vit.training import simulate

    @functools.wraps(simulate)
    def wrong(*, learning_rate: float, **options: Any) -> Any:
        return simulate(learning_rate=share(options) * learning_rate, **options)

    return patch("sim.shallow_vit.training.simulate", wrong)


def lowest_kept() -> AbstractContextManager[Any]:
    """Keep the tokens of lowest score."""
    from sim.shallow_vit.tokens import sparsify

    return patch("sim.shallow_vit.tokens.sparsify", lambda tokens, scores, keep: sparsify(tokens, -scores, keep))


def hidden_uphill() -> AbstractContextManager[Any]:
    """Turn the gradient of W_O of the network with options."""
    from sim.shallow_vit.network import gradient_of

    def wrong(*arguments: Any) -> Any:
        outputs, found = gradient_of(*arguments)
        return outputs, ({**found, "hidden": -found["hidden"]} if found else found)

    return patch("sim.shallow_vit.variants.gradient_of", wrong)


def unsteady_steps() -> AbstractContextManager[Any]:
    """Draw the step anew for each training with several heads."""
    from sim.shallow_vit.variants import simulate_network

    def wrong(*, n_heads: int, learning_rate: float, generator: torch.Generator, **options: Any) -> Any:
        factor = 1.0 if n_heads == 1 else float(0.02 ** torch.rand(1, generator=generator))
        return simulate_network(n_heads=n_heads, learning_rate=factor * learning_rate, generator=generator, **options)

    return patch("sim.shallow_vit.variants.simulate_network", wrong)


def changed_forms(matrix: str) -> AbstractContextManager[Any]:
    """Double one of the forms at the gates of the skip."""
    from sim.shallow_vit.skip import forms_at_gates

    def wrong(*arguments: Any) -> Any:
        found = forms_at_gates(*arguments)
        return {**found, matrix: 2 * found[matrix]}

    return patch("sim.shallow_vit.skip.forms_at_gates", wrong)


def unbounded_noise() -> AbstractContextManager[Any]:
    """Draw no noise anew, however long."""
    from sim.shallow_vit.data import TokenModel

    right = TokenModel._noise
    return patch.object(
        TokenModel, "_noise", lambda model, *arguments: right(replace(model, noise="gaussian"), *arguments)
    )


def summed_outputs() -> AbstractContextManager[Any]:
    """Add the outputs of tokens up, where eq. (1) has their mean."""
    from sim.shallow_vit.model import predict

    target = "sim.shallow_vit.written_out.predict"
    return patch(target, lambda tokens, weights: tokens.shape[1] * predict(tokens, weights))


def large_signs() -> AbstractContextManager[Any]:
    """Draw a from +-1."""
    from sim.shallow_vit.model import initialize

    def wrong(**options: Any) -> Any:
        found = initialize(**options)
        return replace(found, output=found.output.sign())

    return patch("sim.shallow_vit.written_out.initialize", wrong)
