"""What readouts of the network with its options share: attention at its looks, its test, its groups of neurons."""

from __future__ import annotations

from collections.abc import Sequence

import torch

from sim.shallow_vit.network import Stack, loss_of, masses, outputs_of
from sim.shallow_vit.tested import TestLosses
from sim.shallow_vit.variants import TrainedStack
from sim.trials.trial import Outcome, Scalar


def masses_of(run: TrainedStack) -> list[Sequence[float]]:
    """Attention mass on label-relevant tokens of the probe, by look and layer."""
    return [masses(run.probe.tokens, run.probe.is_relevant, look.network) for look in run.training.looks]


def test_of(run: TrainedStack) -> TestLosses | None:
    """Mean hinge on fresh samples, and the share with some output on the wrong side; none where it diverged."""
    if run.outcome == Outcome.DIVERGED:
        return None
    outputs = outputs_of(run.test.tokens, run.training.network)
    wrong = (run.test.labels * outputs <= 0).any(dim=1).double()
    hinge = float(loss_of(outputs, run.test.labels, run.class_hinge).mean())
    return TestLosses(hinge, float(wrong.mean()))


def growth_of_group(start: Stack, end: Stack) -> dict[str, Scalar]:
    """How far the neurons of W_2, whose two output signs are + and -, moved along p_1 to p_4. [li2023, eq. (241)]

    The directions are the value features of patterns 1 to 4 at the start. `growth_k` is the mean over the group of what
    the projection on p_k gained, `initial_spread` the standard deviation of the projections at the start.
    """
    signs = end.output[:, 0]
    group = (signs[0] > 0) & (signs[1] < 0)
    features = start.value[0, 0][:, :4]
    features = features / features.norm(dim=0)
    before, after = (network.hidden[group] @ features for network in (start, end))
    gained = (after - before).mean(0) if bool(group.any()) else torch.zeros(4)
    told: dict[str, Scalar] = {f"growth_{k + 1}": float(gained[k]) for k in range(4)}
    return {**told, "initial_spread": float((start.hidden @ features).std()), "n_group": int(group.sum())}
