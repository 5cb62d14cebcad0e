"""What Gaussian patches say of a network trained on them, and of a linear model fitted to the same samples."""

from __future__ import annotations

import torch

from sim.spatial_vit.baselines.gaussian_patches import PatchProblem
from sim.spatial_vit.baselines.linear_fit import fit_logistic, fit_steps
from sim.spatial_vit.network import model


def error_of(outputs: torch.Tensor, data: PatchProblem) -> float:
    """Share of samples on which the sign of an output is not the label."""
    return float((outputs * data.labels <= 0).double().mean())


def linear_error_of(training: PatchProblem, test: PatchProblem) -> float:
    """Test error of phi(sum_j <w_j, X_j>), all D d weights fitted, phi the better of sign and a step function."""
    seen, unseen = training.patches.flatten(1).numpy(), test.patches.flatten(1).numpy()
    labels = training.labels.numpy()
    weights = fit_logistic(seen, labels)
    steps = fit_steps(seen @ weights, labels)
    guesses = (unseen @ weights, steps(unseen @ weights))
    return min(error_of(torch.from_numpy(guess), test) for guess in guesses)


def attention_on_sets(logits: torch.Tensor, sets: torch.Tensor, temperature: float) -> dict[str, float | bool]:
    """What the logits say of the sets, by the names of `sim.spatial_vit.readouts.patches_at_end`."""
    same = sets[:, None] == sets
    inside = same & ~torch.eye(len(sets), dtype=torch.bool)
    size = int(same[0].sum())
    largest = logits.topk(size, dim=1).indices
    hits, chosen = same.gather(1, largest), sets[largest]
    whole = chosen[:, 0][(chosen == chosen[:, :1]).all(dim=1)]
    return {
        "associated": bool(hits.all()),
        "sets_found": float(whole.unique().numel() / (len(sets) // size)),
        "associated_entries": float(hits.double().mean()),
        "own_attention": float((model.attention(logits, temperature) * same).sum(dim=1).mean()),
        "gap": float(logits[inside].mean() - logits[~same].mean()),
    }
