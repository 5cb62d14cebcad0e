"""Faults planted where Figure 6 is measured on images that stand in for its own."""

from __future__ import annotations

from collections.abc import Iterator

from checks.evidence.fault import Fault
from checks.records.preset import Preset
from checks.shallow_vit import planted
from checks.shallow_vit.image_setting import STAND_IN
from sim.engine_setting import AUTOMATIC

_REMOVED = f"{STAND_IN}, background tokens removed"


def faults() -> Iterator[Fault]:
    """Each takes ten to forty seconds; three values of alpha_* are as many as a direction needs."""
    yield Fault(
        "wrong sparsification: the object's tokens removed",
        "A.fig6a",
        _REMOVED,
        faulty_changes={"kept_by": "inverse mask"},
        changes={"steps": 60},
        preset=Preset.QUICK,
        engine=AUTOMATIC,
    )
    yield Fault(
        "wrong label rule: labels of other images",
        "A.fig6a",
        f"{STAND_IN}, four times as many samples",
        faulty_changes={"labels": "shuffled"},
        preset=Preset.QUICK,
        engine=AUTOMATIC,
    )
    yield Fault(
        "wrong data: a share of the samples, a tenth where alpha_* is 1",
        "A.fig6b",
        f"{STAND_IN}, fewer samples where alpha_* is larger",
        planted=planted.fewer_scenes,
        changes={"steps": 100, "target_accuracy": 0.4},
        keep=lambda index, spec: spec.parameters["label_relevant_fraction"] != 0.727,
        preset=Preset.QUICK,
        engine=AUTOMATIC,
    )
    yield Fault(
        "wrong sparsification: the object's tokens removed",
        "A.fig6c",
        f"{_REMOVED}, both starts",
        faulty_changes={"kept_by": "inverse mask"},
        changes={"start_steps": 60},
        preset=Preset.QUICK,
        engine=AUTOMATIC,
    )
