"""Curves over the looks of a training of the full network, [looks]. A public function is a curve, under its name."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
import torch

from sim.spatial_vit.network.association import association_gaps
from sim.spatial_vit.network.association import three_value_deviation as deviation
from sim.spatial_vit.sampled.errors import exact_error, sampled_error
from sim.spatial_vit.sampled.training import FreshData, NetworkLook, TrainedSpatialVit
from sim.trials.readouts import once

Curve = np.ndarray


def step(run: TrainedSpatialVit) -> Curve:
    """Steps taken before each look: the abscissa of all others."""
    return _along(run, lambda look: look.step)


def risk(run: TrainedSpatialVit) -> Curve:
    """The risk that is descended."""
    return _along(run, lambda look: look.risk)


def test_error(run: TrainedSpatialVit) -> Curve:
    """P[F f* <= 0]. Every look sees the same test samples: the curve differs by the network alone."""
    return np.array([errors[0] for errors in once(_errors, run)])


def label_error(run: TrainedSpatialVit) -> Curve:
    """P[y F <= 0] on the same samples."""
    return np.array([errors[1] for errors in once(_errors, run)])


def train_error(run: TrainedSpatialVit) -> Curve | None:
    """Share of the training data with y F <= 0; none under the population risk."""
    shares = [look.train_error for look in run.looks]
    return None if shares[0] is None else np.array(shares, dtype=float)


def feature_alignment(run: TrainedSpatialVit) -> Curve:
    """<v, w*>."""
    return _along(run, lambda look: _aligned(look, run.feature))


def cosine(run: TrainedSpatialVit) -> Curve:
    """Of v and w*."""
    least = torch.finfo(torch.float64).tiny
    return _along(run, lambda look: _aligned(look, run.feature) / max(float(look.value.norm()), least))


def orthogonal_value(run: TrainedSpatialVit) -> Curve:
    """Length of the part of v that is orthogonal to w*."""
    return _along(run, lambda look: float((look.value - _aligned(look, run.feature) * run.feature).norm()))


def mean_within_logit(run: TrainedSpatialVit) -> Curve:
    """Mean entry of A within sets, the diagonal left out."""
    same_set = run.sets[:, None] == run.sets[None, :]
    inside = same_set & ~torch.eye(run.sets.numel(), dtype=torch.bool)
    return _along(run, lambda look: float(look.logits[inside].mean()))


def mean_across_logit(run: TrainedSpatialVit) -> Curve:
    """Mean entry of A across sets."""
    same_set = run.sets[:, None] == run.sets[None, :]
    return _along(run, lambda look: float(look.logits[~same_set].mean()))


def three_value_deviation(run: TrainedSpatialVit) -> Curve:
    """Largest spread of the entries of A inside one of the three classes."""
    return _along(run, lambda look: deviation(look.logits, run.sets))


def associated_rows(run: TrainedSpatialVit) -> Curve:
    """Share of the rows of A whose C largest entries, the diagonal included, are their set."""
    return _along(run, lambda look: float((association_gaps(look.logits, run.sets) > 0).double().mean()))


def final_logits(run: TrainedSpatialVit) -> Curve:
    """A at the last look, [patches, patches]."""
    return run.looks[-1].logits.numpy()


def sets(run: TrainedSpatialVit) -> Curve:
    """The set of each patch, [patches]."""
    return run.sets.numpy().astype(float)


def _along(run: TrainedSpatialVit, read: Callable[[NetworkLook], float]) -> Curve:
    return np.array([read(look) for look in run.looks], dtype=float)


def _aligned(look: NetworkLook, feature: torch.Tensor) -> float:
    return float(look.value @ feature)


def _errors(run: TrainedSpatialVit) -> list[tuple[float, float]]:
    return [_errors_at(run, look) for look in run.looks]


def _errors_at(run: TrainedSpatialVit, look: NetworkLook) -> tuple[float, float]:
    if not isinstance(run.test, FreshData):
        return exact_error(run.test, logits=look.logits, alignment=_aligned(look, run.feature))
    return sampled_error(
        run.setting, run.sets, look.logits, look.value, feature=run.feature, n_samples=run.test.n_samples,
        generator=torch.Generator().manual_seed(run.test.seed), projected=run.test.projected, decided=run.is_decided,
    )  # fmt: skip
