"""What the seeded faults of paper A plant: wrong gradients, steps, labels, scores, sparsification."""

from __future__ import annotations

import functools
from collections.abc import Callable
from contextlib import AbstractContextManager
from dataclasses import replace
from typing import Any

from checks.evidence.fault import altered, returning
from checks.evidence.later import torch

_NOISE = "sim.shallow_vit.data.TokenModel._noise"
_TRAINING = "sim.shallow_vit.training.simulate"


def scaled(target: str, **factors: float) -> AbstractContextManager[Any]:
    """Multiply the named gradients of a hinge gradient."""

    def changed(found: Any) -> Any:
        if found.gradient is None:
            return found
        gradients = {name: factor * getattr(found.gradient, name) for name, factor in factors.items()}
        return replace(found, gradient=replace(found.gradient, **gradients))

    return returning(target, changed)


def rooted_step() -> AbstractContextManager[Any]:
    """Step by the root of eta."""

    def wrong_from(right: Any) -> Any:
        def wrong(weights: Any, gradient: Any, learning_rate: float, **options: Any) -> Any:
            return right(weights, gradient, learning_rate**0.5, **options)

        return wrong

    return altered("sim.shallow_vit.model.Weights.step", wrong_from)


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

    def wrong_from(right: Any) -> Any:
        return lambda model, n_samples, generator: change(right(model, n_samples, generator), generator)

    return altered("sim.shallow_vit.data.TokenModel.sample", wrong_from)


def scored(factor: float) -> AbstractContextManager[Any]:
    """Read attention off scores times a factor."""
    place = "sim.shallow_vit.proof_quantities.attention"
    return altered(place, lambda right: lambda points, scoring: right(points, factor * scoring))


def exact_start() -> AbstractContextManager[Any]:
    """Start from exact features, whatever errors are asked for."""

    def wrong_from(right: Any) -> Any:
        def wrong(*, value_error: float, key_query_error: float, **options: Any) -> Any:
            return right(value_error=0.0, key_query_error=0.0, **options)

        return wrong

    return altered("sim.shallow_vit.setting.initialize", wrong_from)


def noiseless_tokens() -> AbstractContextManager[Any]:
    """Draw token noise and leave it out."""
    return returning(_NOISE, lambda drawn: 0 * drawn)


def fewer_samples(share: Callable[[dict[str, Any]], float]) -> AbstractContextManager[Any]:
    """Train on a share of the samples that are counted, by the parameters of the trial."""

    def wrong_from(right: Any) -> Any:
        @functools.wraps(right)
        def wrong(*, n_samples: int, batch_size: int, **options: Any) -> Any:
            drawn = max(2, round(share(options) * n_samples))
            return right(n_samples=drawn, batch_size=min(batch_size, drawn), **options)

        return wrong

    return altered(_TRAINING, wrong_from)


def fewer_scenes() -> AbstractContextManager[Any]:
    """Train on fewer images than are counted, the fewer the larger alpha_* is: all at 0.64, a tenth at 1."""

    def wrong_from(right: Any) -> Any:
        @functools.wraps(right)
        def wrong(*, n_samples: int, label_relevant_fraction: float = 0.0, **options: Any) -> Any:
            share = 10 ** ((0.64 - max(label_relevant_fraction, 0.64)) / 0.36)
            drawn = max(2, round(share * n_samples))
            return right(n_samples=drawn, label_relevant_fraction=label_relevant_fraction, **options)

        return wrong

    return altered("sim.images.experiments.scene_training.simulate_scenes", wrong_from)


def shorter_steps(share: Callable[[dict[str, Any]], float]) -> AbstractContextManager[Any]:
    """Shrink the step, by the parameters of the trial."""

    def wrong_from(right: Any) -> Any:
        @functools.wraps(right)
        def wrong(*, learning_rate: float, **options: Any) -> Any:
            return right(learning_rate=share(options) * learning_rate, **options)

        return wrong

    return altered(_TRAINING, wrong_from)


def lowest_kept() -> AbstractContextManager[Any]:
    """Keep the tokens of lowest score."""
    place = "sim.shallow_vit.tokens.sparsify"
    return altered(place, lambda right: lambda tokens, scores, keep: right(tokens, -scores, keep))


def hidden_uphill() -> AbstractContextManager[Any]:
    """Turn the gradient of W_O of the network with options."""

    def changed(found: Any) -> Any:
        outputs, gradients = found
        return outputs, ({**gradients, "hidden": -gradients["hidden"]} if gradients else gradients)

    return returning("sim.shallow_vit.variants.gradient_of", changed)


def unsteady_steps() -> AbstractContextManager[Any]:
    """Draw the step anew for each training with several heads."""

    def wrong_from(right: Any) -> Any:
        def wrong(*, n_heads: int, learning_rate: float, generator: torch.Generator, **options: Any) -> Any:
            factor = 1.0 if n_heads == 1 else float(0.02 ** torch.rand(1, generator=generator))
            return right(n_heads=n_heads, learning_rate=factor * learning_rate, generator=generator, **options)

        return wrong

    return altered("sim.shallow_vit.variants.simulate_network", wrong_from)


def changed_forms(matrix: str) -> AbstractContextManager[Any]:
    """Double one of the forms at the gates of the skip."""
    return returning("sim.shallow_vit.skip.forms_at_gates", lambda found: {**found, matrix: 2 * found[matrix]})


def unbounded_noise() -> AbstractContextManager[Any]:
    """Draw no noise anew, however long."""

    def wrong_from(right: Any) -> Any:
        return lambda model, *arguments: right(replace(model, noise="gaussian"), *arguments)

    return altered(_NOISE, wrong_from)


def summed_outputs() -> AbstractContextManager[Any]:
    """Add the outputs of tokens up, where eq. (1) has their mean."""
    place = "sim.shallow_vit.written_out.predict"
    return altered(place, lambda right: lambda tokens, weights: tokens.shape[1] * right(tokens, weights))


def large_signs() -> AbstractContextManager[Any]:
    """Draw a from +-1."""
    place = "sim.shallow_vit.written_out.initialize"
    return returning(place, lambda found: replace(found, output=found.output.sign()))
