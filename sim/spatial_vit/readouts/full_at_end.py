"""Observables of a training of the full network at its last look. A public function is an observable, under its name.

Those by the names of curves are the last of these; what overflowed in a diverged run is left out.
"""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
import torch

from sim.spatial_vit.network import association
from sim.spatial_vit.network.labelling import Disagreement, disagreement
from sim.spatial_vit.readouts import full_along as along
from sim.spatial_vit.readouts.finite import finite
from sim.spatial_vit.reduced.phases import NEVER, name_ending
from sim.spatial_vit.sampled.training import TrainedSpatialVit
from sim.trials.readouts import once
from sim.trials.trial import Outcome

Curve = Callable[[TrainedSpatialVit], np.ndarray]


def risk(run: TrainedSpatialVit) -> float | None:
    """Risk."""
    return finite(_last(run, along.risk))


def test_error(run: TrainedSpatialVit) -> float | None:
    """P[F f* <= 0]."""
    return finite(_last(run, along.test_error))


def label_error(run: TrainedSpatialVit) -> float | None:
    """P[y F <= 0]."""
    return finite(_last(run, along.label_error))


def train_error(run: TrainedSpatialVit) -> float | None:
    """Share of the training data with y F <= 0; none under the population risk."""
    shares = once(along.train_error, run)
    return None if shares is None else finite(float(shares[-1]))


def feature_alignment(run: TrainedSpatialVit) -> float | None:
    """<v, w*>."""
    return finite(_last(run, along.feature_alignment))


def cosine(run: TrainedSpatialVit) -> float | None:
    """Of v and w*."""
    return finite(_last(run, along.cosine))


def orthogonal_value(run: TrainedSpatialVit) -> float | None:
    """Length of the part of v across w*."""
    return finite(_last(run, along.orthogonal_value))


def mean_within_logit(run: TrainedSpatialVit) -> float | None:
    """Mean off-diagonal entry of A within sets."""
    return finite(_last(run, along.mean_within_logit))


def mean_across_logit(run: TrainedSpatialVit) -> float | None:
    """Mean entry of A across sets."""
    return finite(_last(run, along.mean_across_logit))


def three_value_deviation(run: TrainedSpatialVit) -> float | None:
    """Largest spread of the entries of one of the three classes."""
    return finite(_last(run, along.three_value_deviation))


def associated_rows(run: TrainedSpatialVit) -> float | None:
    """Share of rows of A whose C largest entries are their set."""
    return finite(_last(run, along.associated_rows))


def associated(run: TrainedSpatialVit) -> bool:
    """Whether the C largest entries of each row of A are its set. [Theorem 4.1 (1)]"""
    return association.is_associated(run.looks[-1].logits, run.sets)


def smallest_association_gap(run: TrainedSpatialVit) -> float | None:
    """Least entry inside a row's set minus the greatest outside, over all rows."""
    return finite(float(association.association_gaps(run.looks[-1].logits, run.sets).min()))


def error_floor(run: TrainedSpatialVit) -> float:
    """Least possible test error; see `sim.spatial_vit.network.labelling`, for `structure_level` as well."""
    return _exact(run).floor


def structure_level(run: TrainedSpatialVit) -> float:
    """Test error half way from that of uniform attention to the floor."""
    return _exact(run).structure_level


def error_small(run: TrainedSpatialVit) -> bool:
    """Whether the test error has come to the level."""
    return _last(run, along.test_error) <= _exact(run).structure_level


def structured(run: TrainedSpatialVit) -> bool:
    """Whether all rows are associated too."""
    return associated(run) and error_small(run)


def association_step(run: TrainedSpatialVit) -> float:
    """First look at which all rows are associated, -1 for never."""
    whole = once(along.associated_rows, run) == 1
    return float(once(along.step, run)[whole.argmax()]) if whole.any() else NEVER


def association_stays(run: TrainedSpatialVit) -> bool:
    """Whether they are at every later look."""
    whole = once(along.associated_rows, run) == 1
    return bool(whole.any() and whole[whole.argmax() :].all())


def ending(run: TrainedSpatialVit) -> str:
    """Its name; see `sim.spatial_vit.reduced.phases`."""
    shares = once(along.train_error, run)
    return name_ending(
        associated=associated(run),
        gap=_last(run, along.mean_within_logit) - _last(run, along.mean_across_logit),
        error=_last(run, along.test_error),
        train_error=None if shares is None else float(shares[-1]),
        threshold=_exact(run).structure_level,
        diverged=run.outcome is Outcome.DIVERGED,
    )


def asymmetry(run: TrainedSpatialVit) -> float | None:
    """|A - A^T| / |A|; 0 where A is a Gram matrix."""
    logits = run.looks[-1].logits
    return finite(float((logits - logits.T).norm() / logits.norm()))


def least_eigenvalue(run: TrainedSpatialVit) -> float | None:
    """Of (A + A^T) / 2; a Gram matrix has none negative."""
    logits = run.looks[-1].logits
    if not bool(logits.isfinite().all()):
        return None
    return finite(float(torch.linalg.eigvalsh((logits + logits.T) / 2)[0]))


def largest_deviation(run: TrainedSpatialVit) -> float | None:
    """The largest of the curve `three_value_deviation`."""
    return finite(float(once(along.three_value_deviation, run).max()))


def largest_orthogonal_value(run: TrainedSpatialVit) -> float | None:
    """The largest of the curve `orthogonal_value`."""
    return finite(float(once(along.orthogonal_value, run).max()))


def _last(run: TrainedSpatialVit, curve: Curve) -> float:
    return float(once(curve, run)[-1])


def _exact(run: TrainedSpatialVit) -> Disagreement:
    return disagreement(run.setting, decided=run.is_decided)
