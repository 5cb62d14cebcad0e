"""Learners that are told nothing of the partition: attacks on the lower bound of Theorem 5.2.

Two ways to the feature: `mean_direction`, the mean of y times the sum of all patches, whose noise falls like
sqrt(D / N); and `spectral_direction`, the direction in which the patches themselves vary most, needing no labels:
C + q (D - C) patches of a data point lie along w*, so D patches in d = D dimensions are enough to see it. Labels are
needed for its sign alone.

Two ways to a label from the signs <w, X_j>: the more frequent sign, the best there is without the partition
(`partition_bounds`), and a vote of sets learned from the samples: patches of one set carry the label together whenever
theirs is the signal set, which pairs of other patches do by chance only. [jelassi2022, Theorem 5.2]
"""

from __future__ import annotations

import torch

from sim.spatial_vit.baselines.partition_bounds import least_error
from sim.spatial_vit.network.data import (
    contiguous_sets,
    labelling_function,
    random_feature,
    sample,
    sample_coefficients,
)
from sim.spatial_vit.network.setting import Setting, data_setting
from sim.trials.trial import Outcome, TrialResult
from sim.trials.validation import require, require_integer, require_one_of

FEATURES = ("known", "mean", "spectral")
LABELS = ("vote", "learned_sets")
SIGN_LEVEL = 0.5
"""A patch carries the feature where its projection exceeds this: half way between a random and a featured patch."""
POWER_STEPS = 20
"""Power iterations: the feature's eigenvalue is at least twice the next where the attack is of use."""
FEATURE_SAMPLES = 8
"""Most samples from which a direction is learned; more would only sharpen it."""


def mean_direction(patches: torch.Tensor, labels: torch.Tensor) -> torch.Tensor:
    """The mean of y sum_j X_j as a unit vector, [dimension]."""
    mean = (labels[:, None] * patches.sum(dim=1)).sum(dim=0)
    return mean / mean.norm()


def spectral_direction(patches: torch.Tensor, generator: torch.Generator) -> torch.Tensor:
    """The unit vector of largest sum of squared projections of all patches, of either sign, [dimension]."""
    rows = patches.reshape(-1, patches.shape[-1])
    direction = torch.randn(rows.shape[1], generator=generator, dtype=rows.dtype)
    for _ in range(POWER_STEPS):
        direction = rows.T @ (rows @ direction)
        direction /= direction.norm()
    return direction


def read_signs(projections: torch.Tensor) -> torch.Tensor:
    """-1, 0 or 1 for each projection on a unit vector, same shape."""
    return (projections > SIGN_LEVEL).double() - (projections < -SIGN_LEVEL).double()


def learned_membership(signs: torch.Tensor, labels: torch.Tensor, set_size: int) -> torch.Tensor:
    """For every patch the `set_size` patches, itself included, that carried the label with it most often.

    A sample counts for a pair by the chance that both are in its signal set, all patches with the label being alike:
    C (C - 1) of m (m - 1) pairs. Pairs of different sets all have one mean, pairs of one set a larger one. Ties fall to
    the first.

    Args:
        signs: [samples, patches].
        labels: [samples].

    Returns:
        0 or 1, [patches, patches].
    """
    with_label = (signs == labels[:, None]).double()
    carriers = with_label.sum(dim=1, keepdim=True).clamp(min=2)
    together = with_label.T @ (with_label / (carriers * (carriers - 1)))
    together.fill_diagonal_(torch.inf)
    chosen = together.topk(set_size, dim=1).indices
    return torch.zeros_like(together).scatter_(1, chosen, 1.0)


def vote(signs: torch.Tensor) -> torch.Tensor:
    """The sum of all signs, [samples]."""
    return signs.sum(dim=1)


def set_vote(signs: torch.Tensor, membership: torch.Tensor) -> torch.Tensor:
    """The labelling function with learned sets, one around every patch; where none is whole, all patches. [samples]"""
    sums = signs @ membership.T
    whole = sums.abs() >= membership.sum(dim=1)
    found = (sums * whole).sum(dim=1)
    return torch.where(found == 0, vote(signs), found)


def simulate_partition_free(
    *,
    n_patches: int,
    set_size: int,
    spurious_patches: float,
    patch_dimension: int,
    n_samples: int,
    feature: str = "spectral",
    label: str = "vote",
    level: float = 0.125,
    level_share: float = 0.0,
    n_repeats: int = 1,
    n_test: int = 2000,
    generator: torch.Generator,
) -> TrialResult:
    """Learn from `n_samples` data points without the partition and test on fresh ones. [jelassi2022, Theorem 5.2]

    Args:
        spurious_patches: q D.
        feature: "known" (an oracle), "mean" or "spectral".
        label: "vote" of all patches, or of "learned_sets".
        level: the test error P[f* guess <= 0] to reach.
        level_share: where positive, the level is this share of the least error without the partition instead.
        n_repeats: independent learners; the trial succeeds when all of them do ("with high probability").

    Raises:
        ValueError: on bad input.
    """
    require_integer(least=1, n_samples=n_samples, n_repeats=n_repeats, n_test=n_test)
    require_integer(least=2, patch_dimension=patch_dimension)
    require_one_of("feature", feature, FEATURES)
    require_one_of("label", label, LABELS)
    require(0 < level < 1, "level", "be in (0, 1)", level)
    require(0 <= level_share < 1, "level_share", "be in [0, 1)", level_share)
    require_integer(least=1, n_patches=n_patches)
    require(0 <= spurious_patches <= n_patches, "spurious_patches", "be in [0, n_patches]", spurious_patches, n_patches)
    setting = data_setting(n_patches=n_patches, set_size=set_size, spurious_rate=spurious_patches / n_patches)
    floor = least_error(set_size, n_patches, setting.spurious_rate)
    wanted = level_share * floor if level_share else level
    errors, cosines = [], []
    for _ in range(n_repeats):
        cosine, error = _learn(
            setting, n_samples=n_samples, dimension=patch_dimension, feature=feature, label=label, n_test=n_test,
            generator=generator,
        )  # fmt: skip
        errors.append(error)
        cosines.append(cosine)
    return TrialResult(
        Outcome.CONVERGED,
        {
            "success": max(errors) <= wanted,
            "level": wanted,
            "test_error": max(errors),
            "mean_test_error": sum(errors) / n_repeats,
            "cosine": min(cosines),
            "least_error_without_partition": floor,
        },
    )


def _learn(
    setting: Setting, *, n_samples: int, dimension: int, feature: str, label: str, n_test: int,
    generator: torch.Generator,
) -> tuple[float, float]:  # fmt: skip
    """<w, w*> of one learner and its test error P[f* guess <= 0]."""
    sets = contiguous_sets(setting)
    n_first = 0 if feature == "known" else min(n_samples, FEATURE_SAMPLES)
    cosine, membership = 1.0, None
    signs = torch.empty(0, setting.n_patches, dtype=torch.float64)
    labels = torch.empty(0, dtype=torch.float64)
    if n_first:
        truth = random_feature(dimension, generator)
        data = sample(setting, sets, feature=truth, n_samples=n_first, generator=generator)
        if feature == "mean":
            direction = mean_direction(data.patches, data.labels)
        else:
            direction = spectral_direction(data.patches, generator)
        cosine = float(direction @ truth)
        signs, labels = read_signs(data.patches @ direction), data.labels

    more, more_labels, _ = _fresh_signs(setting, sets, n_samples - n_first, dimension, cosine, generator)
    signs, labels = torch.cat([signs, more]), torch.cat([labels, more_labels])
    if feature == "spectral" and labels @ vote(signs) < 0:  # known up to its sign, which all labels tell
        signs, cosine = -signs, -cosine
    if label == "learned_sets":
        membership = learned_membership(signs, labels, setting.set_size)
    seen, _, values = _fresh_signs(setting, sets, n_test, dimension, cosine, generator)
    guess = vote(seen) if membership is None else set_vote(seen, membership)
    guess = torch.where(guess == 0, 1.0, guess)  # a classifier has two values
    return cosine, float((guess * values <= 0).double().mean())


def _fresh_signs(
    setting: Setting, sets: torch.Tensor, count: int, dimension: int, cosine: float, generator: torch.Generator
) -> tuple[torch.Tensor, torch.Tensor, torch.Tensor]:
    """Signs of patches not used for the direction, with labels and values of f*.

    Given the direction, projections of fresh patches are cosine x coefficient plus independent noise of variance
    (1 - cosine^2) / d: no patch needs to be drawn.
    """
    coefficients, labels, _ = sample_coefficients(setting, sets, n_samples=count, generator=generator)
    noise = torch.randn(coefficients.shape, generator=generator, dtype=torch.float64)
    projections = cosine * coefficients + max(0.0, 1 - cosine**2) ** 0.5 / dimension**0.5 * noise
    return read_signs(projections), labels, labelling_function(coefficients, sets)
