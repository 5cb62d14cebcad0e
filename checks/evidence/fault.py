"""What a planted fault of a simulator is; the faults stand beside the checks of their paper, in `faults.py`."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from contextlib import AbstractContextManager
from dataclasses import dataclass, field
from typing import Any

from checks.records.preset import Preset
from sim.trial import Scalar, TrialSpec

PREFACTOR = "an order leaves its prefactor open"
"""Why no data on an order tell of a wrong constant."""


@dataclass(frozen=True)
class Fault:
    """One faulty simulator and the part whose trials it makes.

    Attributes:
        planted: the fault's context, or None where changed parameters are the fault.
        changes: parameters that make trials small, in honest and faulty runs alike.
        faulty_changes: parameters that are themselves the fault.
        preset: whose trials; the smallest, unless it is too small to show the fault.
        keep: which of the part's trials at that preset to run.
        axis: symbol of the part judged, where parts share a name.
        engine: which one trains. torch, because faults of gradients and steps are planted in what Python runs; one that
            is planted in data or parameters reaches every engine, and trains with the one that users have.
        equivalent: why these data cannot tell, known beforehand.
    """

    name: str
    claim: str
    part: str
    planted: Callable[[], AbstractContextManager[Any]] | None = None
    changes: Mapping[str, Scalar] = field(default_factory=dict)
    faulty_changes: Mapping[str, Scalar] = field(default_factory=dict)
    preset: Preset = Preset.SMOKE
    keep: Callable[[int, TrialSpec], bool] = lambda index, spec: True
    axis: str = ""
    engine: str = "torch"
    equivalent: str = ""
