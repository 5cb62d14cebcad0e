"""Faults planted where figures are measured on images that stand in for the paper's.

Trainings are as short as the honest line still holds with: honest and faulty runs are of one length.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import AbstractContextManager
from typing import Any

from checks.evidence.fault import Fault, altered, returning
from checks.evidence.later import comparisons
from checks.records.preset import Preset
from checks.spatial_vit.image_setting import STAND_IN

_COMPETES = f"{STAND_IN}, positional attention is at most 3 points less accurate"


def faults() -> Iterator[Fault]:
    """Each takes half a minute or so."""
    yield _at_quick(
        "wrong encodings: not trained", "B.fig1", "trained encodings are more local than initial ones",
        planted=_encodings_held, changes=_short(200),
    )  # fmt: skip
    yield _at_quick(
        "wrong data: nothing is permuted", "B.fig5", "ResNet-18 is less accurate, cells of 1", planted=_nothing_moved
    )
    yield _at_quick(
        "wrong data: test images alone are permuted", "B.fig5",
        "a ViT is equally accurate within 3 points, patches of 2, cells of 2", faulty_changes={"permuted": "test"},
    )  # fmt: skip
    yield Fault(
        "wrong encodings: not put back", "B.fig5", f"{STAND_IN}, undoing the shuffle makes a ViT's similarities local",
        planted=_not_put_back, preset=Preset.FULL, keep=lambda index, spec: index < comparisons.MIN_PAIRS,
        changes=_short(250),
    )  # fmt: skip
    for claim in ("B.fig6", "B.fig7"):
        yield Fault(
            "attention frozen: even, whatever the encodings", claim, _COMPETES, planted=_even_attention,
            preset=Preset.QUICK, changes=_short(80),
        )  # fmt: skip


def _short(steps: int) -> dict[str, int]:
    """A training of so many steps, a tenth of them for the warm-up."""
    return {"steps": steps, "warm_up": steps // 10}


def _at_quick(name: str, claim: str, part: str, **options: Any) -> Fault:
    return Fault(name, claim, f"{STAND_IN}, {part}", preset=Preset.QUICK, **options)


def _encodings_held() -> AbstractContextManager[Any]:
    def wrong_from(right: Any) -> Any:
        def wrong(network: Any, *arguments: Any, **options: Any) -> Any:
            network.positions.requires_grad_(False)
            return right(network, *arguments, **options)

        return wrong

    return altered("sim.images.training.course._optimizer", wrong_from)


def _nothing_moved() -> AbstractContextManager[Any]:
    return returning("sim.images.experiments.shuffling.drawn_order", lambda order: order.sort().values)


def _not_put_back() -> AbstractContextManager[Any]:
    return returning("sim.images.experiments.encodings._patch_order", lambda order: order.sort().values)


def _even_attention() -> AbstractContextManager[Any]:
    """Scores of positional attention alone go through this function in training."""
    place = "sim.images.networks.vision_transformer.Attention.scores"
    return altered(place, lambda right: lambda self, seen, allowed: right(self, 0 * seen, allowed))
