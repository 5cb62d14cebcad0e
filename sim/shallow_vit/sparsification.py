"""Training on the tokens that a sparsification leaves, beside the same training on all of them. [li2023, Remark 2]

The network is that of eq. (1), so every engine serves. Both trainings start from the same weights and see the same
samples for the same number of steps; the fresh test samples are sparsified in the same way.
"""

from __future__ import annotations

from dataclasses import dataclass, replace

import torch

from sim.shallow_vit.data import Samples
from sim.shallow_vit.model import Weights
from sim.shallow_vit.setting import AttentionSetting, TrainingRule
from sim.shallow_vit.tokens import (
    SCORES,
    scores_of,
    sparsified,
    with_background,
    with_noisy_tokens,
    with_pattern_sets,
)
from sim.shallow_vit.training import PROBE_SAMPLES, Recorder, TrainedVit, TrainedWeights, train_weights
from sim.trials.signature import flat
from sim.trials.trial import Outcome
from sim.trials.validation import require, require_integer, require_one_of


@dataclass(frozen=True, kw_only=True)
class OrthonormalSetting(AttentionSetting):
    """A training from orthonormal features, unless it says otherwise."""

    initialization: str = "orthonormal"


@flat
def simulate_tokens(
    *,
    setting: OrthonormalSetting,
    token_noise: float = 0.0,
    pattern_spread: float = 0.0,
    has_background: bool = False,
    spurious_correlation: float = 0.0,
    noisy_share: float = 0.0,
    noisy_size: float = 0.0,
    kept_tokens: int = 0,
    kept_by: str = "discriminative",
    train_attention: bool = True,
    n_test: int = 500,
    generator: torch.Generator,
) -> TrainedTokens:
    """Train the shallow ViT on all tokens and, where `kept_tokens` is not 0, from the same start on those kept.

    Args:
        pattern_spread: Delta, distance of the two vectors of each pattern set; 0 for patterns that are vectors.
        has_background: whether the non-discriminative tokens of a sample are all of one pattern, which agrees with the
            label in training by `spurious_correlation`, and by nothing in the test data.
        noisy_share, noisy_size: share of the tokens that carry noise of this length.
        kept_tokens, kept_by: |S| and the scores; "attention" is that of the network trained on all tokens.

    The account of the training on all tokens has its usual names, that of the other the prefix `kept_`.
    """
    changes = TokenChanges(
        has_background, spurious_correlation, pattern_spread, setting.n_patterns, noisy_share, noisy_size
    )
    require_integer(least=1, n_test=n_test)
    _require_kept(kept_tokens, kept_by, setting.n_tokens)
    data = setting.data_model(token_noise=token_noise)
    weights = setting.initial_weights(generator)
    train = changes.made_to(data.sample(setting.n_samples, generator), spurious_correlation, generator)
    test = changes.made_to(data.sample(n_test, generator), 0.0, generator)
    rule = setting.rule(train_attention=train_attention)
    return _train_both(train, test, weights, rule, kept_tokens=kept_tokens, kept_by=kept_by, generator=generator)


@dataclass(frozen=True, eq=False, kw_only=True)
class TrainedTokens(TrainedVit):
    """The training on all tokens, and the other where there is one; fresh samples as the last one sees them."""

    kept: TrainedWeights | None = None
    fewer_fresh: Samples


def _train_both(
    train: Samples,
    test: Samples,
    weights: Weights,
    rule: TrainingRule,
    *,
    kept_tokens: int,
    kept_by: str,
    generator: torch.Generator,
) -> TrainedTokens:
    """Train on all tokens, and on those kept unless `kept_tokens` is 0."""
    recorder = Recorder(min(len(train), PROBE_SAMPLES))
    run = train_weights(train, weights, **rule, generator=generator, recorder=recorder)
    if not kept_tokens or run.outcome == Outcome.DIVERGED:
        return TrainedTokens(
            outcome=run.outcome, account=run.account, training=run, fresh=lambda: test, fewer_fresh=test
        )
    fewer, fewer_test = (
        sparsified(each, scores_of(kept_by, each, weights=run.weights, generator=generator), kept_tokens)
        for each in (train, test)
    )
    kept = train_weights(fewer, _on_fewer(weights, kept_tokens), **rule, generator=generator)
    outcome = kept.outcome if kept.outcome == Outcome.DIVERGED else run.outcome
    account = {**run.account, **{f"kept_{name}": value for name, value in kept.account.items()}}
    return TrainedTokens(
        outcome=outcome, account=account, training=run, fresh=lambda: test, kept=kept, fewer_fresh=fewer_test
    )


def _require_kept(kept_tokens: int, kept_by: str, n_tokens: int) -> None:
    require_integer(least=0, kept_tokens=kept_tokens)
    require(kept_tokens <= n_tokens, "kept_tokens", f"be at most n_tokens = {n_tokens}", kept_tokens)
    require_one_of("kept_by", kept_by, SCORES)


@dataclass(frozen=True)
class TokenChanges:
    """What is done to samples before anything is left out; the parameters are those of `simulate_tokens`."""

    has_background: bool
    spurious_correlation: float
    pattern_spread: float
    n_patterns: int
    noisy_share: float
    noisy_size: float

    def __post_init__(self) -> None:
        needs_background = "be 0 where has_background is False"
        correlation = self.spurious_correlation
        require(self.has_background or not correlation, "spurious_correlation", needs_background, correlation)

    def made_to(self, samples: Samples, correlation: float, generator: torch.Generator) -> Samples:
        """The samples with their background, their sets of patterns, and noise on some tokens."""
        if self.has_background:
            samples = with_background(samples, correlation, generator)
        if self.pattern_spread:
            samples = with_pattern_sets(samples, self.pattern_spread, self.n_patterns, generator)
        return with_noisy_tokens(samples, self.noisy_share, self.noisy_size, generator)


def _on_fewer(weights: Weights, keep: int) -> Weights:
    """The same weights for `keep` tokens: of output vectors per token the first ones."""
    return weights if weights.output.dim() == 1 else replace(weights, output=weights.output[:keep])
