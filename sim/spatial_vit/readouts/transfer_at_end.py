"""Observables of fine-tunings: of the worst at its end, of all, and of the attention that is frozen beneath them."""

from __future__ import annotations

from sim.spatial_vit.baselines.partition_bounds import least_error
from sim.spatial_vit.network import model
from sim.spatial_vit.network.association import is_associated
from sim.spatial_vit.readouts import transfer_along as along
from sim.spatial_vit.readouts.finite import finite
from sim.spatial_vit.sampled.transfer import TransferRun
from sim.trials.readouts import once

SUCCESS_SHARE = 0.5
"""A fine-tuned network succeeds below this share of the least error that anyone reaches without the partition."""


def success(run: TransferRun) -> bool:
    """Whether the worst test error is at most the level."""
    return run.worst.error <= _level(run)


def n_successes(run: TransferRun) -> int:
    """Fine-tunings whose test error is at most the level; `success` asks for all of them."""
    return sum(tested.error <= _level(run) for tested in run.tunings)


def level(run: TransferRun) -> float:
    """Half of `least_error_without_partition`."""
    return _level(run)


def least_error_without_partition(run: TransferRun) -> float:
    """The least error that anyone reaches who does not know the sets."""
    return _level(run) / SUCCESS_SHARE


def mean_test_error(run: TransferRun) -> float:
    """Of all fine-tunings."""
    return sum(tested.error for tested in run.tunings) / len(run.tunings)


def training_risk(run: TransferRun) -> float | None:
    """The empirical risk of the worst."""
    return finite(float(once(along.risk, run)[-1]))


def cosine(run: TransferRun) -> float | None:
    """Of v and w* of the worst."""
    return finite(float(once(along.cosine, run)[-1]))


def feature_overlap(run: TransferRun) -> float:
    """Of the last new feature with that of pre-training."""
    return float(run.source @ run.tunings[-1].feature)


def own_set_weight(run: TransferRun) -> float | None:
    """Mean attention of a patch on its set."""
    same_set = run.sets[:, None] == run.sets[None, :]
    scores = model.attention(run.logits, run.setting.temperature)
    return finite(float((scores * same_set).sum(dim=1).mean()))


def associated(run: TransferRun) -> bool:
    """Whether the C largest entries of each row of A are its set. [Theorem 4.1 (1)]"""
    return is_associated(run.logits, run.sets)


def _level(run: TransferRun) -> float:
    return SUCCESS_SHARE * least_error(run.setting.set_size, run.setting.n_patches, run.setting.spurious_rate)
