"""Observables of a training on Gaussian patches, at its end; none where it diverged."""

from __future__ import annotations

from sim.spatial_vit.baselines.gaussian_patches import TrainedOnPatches
from sim.spatial_vit.baselines.patch_errors import attention_on_sets, error_of, linear_error_of
from sim.spatial_vit.network import model
from sim.spatial_vit.readouts import patches_along as along
from sim.trials.readouts import once
from sim.trials.trial import Outcome


def test_error(run: TrainedOnPatches) -> float | None:
    """Share of the test samples on which the sign of F is not the label."""
    found = once(along.test_error, run)
    return None if found is None else float(found[-1])


def training_error(run: TrainedOnPatches) -> float | None:
    """The same share of the training samples."""
    if _is_lost(run):
        return None
    end = run.looks[-1]
    return error_of(model.forward(run.training.patches, end.logits, end.value, run.setting), run.training)


def sum_error(run: TrainedOnPatches) -> float | None:
    """Test error of the sign of the sum of all responses, the linear model that knows the filter."""
    return None if _is_lost(run) else error_of(run.test.responses.sum(dim=1), run.test)


def linear_error(run: TrainedOnPatches) -> float | None:
    """Test error of the better of sign and fitted step function of the fitted weighted sum."""
    return None if _is_lost(run) else linear_error_of(run.training, run.test)


def associated(run: TrainedOnPatches) -> bool | None:
    """Whether every patch's C largest entries of A are its set."""
    return None if _is_lost(run) else bool(once(_attention, run)["associated"])


def associated_entries(run: TrainedOnPatches) -> float | None:
    """Share of these entries that are inside it."""
    return None if _is_lost(run) else once(_attention, run)["associated_entries"]


def sets_found(run: TrainedOnPatches) -> float | None:
    """Share of sets that are the C largest entries of A of some patch, inside or outside the set."""
    return None if _is_lost(run) else once(_attention, run)["sets_found"]


def own_attention(run: TrainedOnPatches) -> float | None:
    """Mean share of a patch's attention on its set; C/D if even."""
    return None if _is_lost(run) else once(_attention, run)["own_attention"]


def gap(run: TrainedOnPatches) -> float | None:
    """Mean entry of A within sets, diagonal excluded, minus mean entry across them."""
    return None if _is_lost(run) else once(_attention, run)["gap"]


def _attention(run: TrainedOnPatches) -> dict[str, float | bool]:
    return attention_on_sets(run.looks[-1].logits, run.sets, run.setting.temperature)


def _is_lost(run: TrainedOnPatches) -> bool:
    return run.outcome is Outcome.DIVERGED
