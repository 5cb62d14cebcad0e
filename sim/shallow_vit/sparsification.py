"""Training on the tokens that a sparsification leaves, beside the same training on all of them. [li2023, Remark 2]

The network is that of eq. (1), so every engine serves. Both trainings start from the same weights and see the same
samples for the same number of steps; the fresh test samples are sparsified in the same way.
"""

from __future__ import annotations

from dataclasses import replace

import torch

from sim.shallow_vit.data import Samples, TokenModel
from sim.shallow_vit.model import Weights, hinge, initialize
from sim.shallow_vit.tokens import (
    SCORES,
    scores_of,
    sparsified,
    with_background,
    with_noisy_tokens,
    with_pattern_sets,
)
from sim.shallow_vit.training import SUCCESS_TEST_HINGE, TrainingRun, train_weights
from sim.trial import Outcome, Scalar, TrialResult
from sim.validation import require, require_integer, require_one_of, require_positive


def simulate_tokens(
    *,
    n_tokens: int,
    label_relevant_fraction: float,
    confusion_fraction: float,
    n_samples: int,
    n_neurons: int,
    batch_size: int,
    learning_rate: float,
    max_steps: int,
    dimension: int = 10,
    n_patterns: int = 5,
    counts: str = "exact",
    token_noise: float = 0.0,
    pattern_spread: float = 0.0,
    has_background: bool = False,
    spurious_correlation: float = 0.0,
    noisy_share: float = 0.0,
    noisy_size: float = 0.0,
    kept_tokens: int = 0,
    kept_by: str = "discriminative",
    train_attention: bool = True,
    output_layer: str = "shared",
    initialization: str = "orthonormal",
    value_error: float = 0.1,
    key_query_error: float = 0.2,
    neuron_scale: float = 0.01,
    n_test: int = 500,
    generator: torch.Generator,
) -> TrialResult:
    """Train the shallow ViT on all tokens and, where `kept_tokens` is not 0, from the same start on those kept.

    Args:
        pattern_spread: Delta, distance of the two vectors of each pattern set; 0 for patterns that are vectors.
        has_background: whether the non-discriminative tokens of a sample are all of one pattern, which agrees with the
            label in training by `spurious_correlation`, and by nothing in the test data.
        noisy_share, noisy_size: share of the tokens that carry noise of this length.
        kept_tokens, kept_by: |S| and the scores; "attention" is that of the network trained on all tokens.

    Returns:
        Observables of the training on all tokens, and with the prefix `kept_` those of the other.
    """
    require_integer(least=1, n_samples=n_samples, batch_size=batch_size, max_steps=max_steps, n_test=n_test)
    require_integer(least=0, kept_tokens=kept_tokens)
    require_positive(learning_rate=learning_rate)
    require(batch_size <= n_samples, "batch_size", f"be at most n_samples = {n_samples}", batch_size)
    require(kept_tokens <= n_tokens, "kept_tokens", f"be at most n_tokens = {n_tokens}", kept_tokens)
    require_one_of("kept_by", kept_by, SCORES)
    needs_background = "be 0 where has_background is False"
    require(has_background or not spurious_correlation, "spurious_correlation", needs_background, spurious_correlation)
    data = TokenModel(
        n_tokens=n_tokens, label_relevant_fraction=label_relevant_fraction, confusion_fraction=confusion_fraction,
        dimension=dimension, n_patterns=n_patterns, counts=counts, token_noise=token_noise,
    )  # fmt: skip

    def draw(size: int, correlation: float) -> Samples:
        samples = data.sample(size, generator)
        if has_background:
            samples = with_background(samples, correlation, generator)
        if pattern_spread:
            samples = with_pattern_sets(samples, pattern_spread, n_patterns, generator)
        return with_noisy_tokens(samples, noisy_share, noisy_size, generator)

    weights = initialize(
        dimension=dimension, n_neurons=n_neurons, n_tokens=n_tokens, value_error=value_error,
        key_query_error=key_query_error, neuron_scale=neuron_scale, output_layer=output_layer,
        initialization=initialization, generator=generator,
    )  # fmt: skip
    train, test = draw(n_samples, spurious_correlation), draw(n_test, 0.0)

    def trained(samples: Samples, start: Weights) -> TrainingRun:
        return train_weights(
            samples, start, batch_size=batch_size, learning_rate=learning_rate, train_attention=train_attention,
            max_steps=max_steps, generator=generator,
        )  # fmt: skip

    run = trained(train, weights)
    told = {**run.observables, **_shown(run, test)}
    if not kept_tokens or run.outcome == Outcome.DIVERGED:
        return TrialResult(run.outcome, told, run.curves)
    kept_train, kept_test = (
        sparsified(each, scores_of(kept_by, each, weights=run.weights, generator=generator), kept_tokens)
        for each in (train, test)
    )
    kept = trained(kept_train, _on_fewer(weights, kept_tokens))
    outcome = kept.outcome if kept.outcome == Outcome.DIVERGED else run.outcome
    of_kept = {**kept.observables, **_shown(kept, kept_test)}
    return TrialResult(outcome, {**told, **{f"kept_{name}": value for name, value in of_kept.items()}}, run.curves)


def _on_fewer(weights: Weights, keep: int) -> Weights:
    """The same weights for `keep` tokens: of output vectors per token the first ones."""
    return weights if weights.output.dim() == 1 else replace(weights, output=weights.output[:keep])


def _shown(run: TrainingRun, test: Samples) -> dict[str, Scalar]:
    """Test hinge, error and success, and what attention was before and after training."""
    if run.outcome == Outcome.DIVERGED:
        return {"success": False}
    outputs = run.engine.outputs(test)
    test_hinge = float(hinge(outputs, test.labels).mean())
    masses = run.curves["mass_label_relevant"]
    return {
        "test_hinge": test_hinge,
        "test_error": float((test.labels * outputs <= 0).double().mean()),
        "success": test_hinge < SUCCESS_TEST_HINGE,
        "mass_start": float(masses[0]),
        "mass_end": float(masses[-1]),
    }
