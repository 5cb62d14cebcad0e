"""What a planted fault of a simulator is; the faults stand beside the checks of their paper, in `faults.py`."""

from __future__ import annotations

import pkgutil
from collections.abc import Callable, Iterator, Mapping
from contextlib import AbstractContextManager, contextmanager
from dataclasses import dataclass, field
from typing import Any

from checks.records.preset import Preset
from sim.trials.trial import Scalar, TrialSpec

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


@contextmanager
def altered(place: str, change: Callable[[Any], Any]) -> Iterator[None]:
    """Meanwhile a simulator has, at a place such as `sim.trials.digest.digest`, what `change` makes of what is there.

    Functions of modules and methods of classes have places. A module is imported when the context is entered, and a
    function has one place in each module that imports it: the one that matters is where it is called.
    """
    holder, _, name = place.rpartition(".")
    owner = pkgutil.resolve_name(holder)
    right = vars(owner)[name]
    setattr(owner, name, change(right))
    try:
        yield
    finally:
        setattr(owner, name, right)


def returning(place: str, change: Callable[[Any], Any]) -> AbstractContextManager[None]:
    """Meanwhile the function at a place returns what `change` makes of its result."""
    return altered(place, lambda right: lambda *arguments, **options: change(right(*arguments, **options)))
