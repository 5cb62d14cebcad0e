"""A replay: a finished trial run again for the readouts that it lacks, believed only where it is the same trial.

A recipe decides every bit of a trial, and its key says that the sources of the recipe are those of today. So a replay
must repeat its outcome, its own account (which for trainings holds a hash of the final weights) and every readout that
is current. Where one bit differs, the sources were split wrongly, or this machine computes otherwise than the one that
measured; either way what the replay gives belongs to another trial, and nothing of it is kept.
"""

from __future__ import annotations

import json
import math
import re
from collections.abc import Iterator, Mapping
from dataclasses import replace

from sim.store.rows import Record, in_use
from sim.trials.trial import CURVE, Outcome, System, TrialResult

_HASH = re.compile(r'"[0-9a-f]{12,64}"')
SHORT_HASH = 12
"""Digits that a published archive keeps of a hash of weights, at least; both are compared by so many as one has."""
_NUMBER = re.compile(r"-?(?:\d[\d.eE+-]*|Infinity)|NaN")


def difference(record: Record, system: System, again: TrialResult, tolerance: float = 0.0) -> str:
    """What a replay has otherwise than what is in use of a row, in words; "" where it repeats all of it.

    Args:
        tolerance: how far numbers may lie apart, as a share of the larger; hashes of weights then count for nothing.
    """
    if again.outcome.is_failure:
        return f"stored {record.result.outcome}, now {again.outcome}: {again.observables['error']}"
    for name, before, now in _otherwise(in_use(record, system), again):
        if not tolerance or distance(before, now) > tolerance:
            told = [bits if isinstance(bits, str) else "other bits" for bits in (before, now)]
            return f"{name} was {told[0]}, is {told[1]}"
    return ""


def differs(one: Record, other: Record) -> bool:
    """Whether two finished rows of one trial have other bits under a name that both have from the same sources."""
    if one.result.outcome.is_failure or other.result.outcome.is_failure:
        return False
    if "budget_seconds" in one.parameters:
        return False  # searches end by the clock, and what they found is re-checked
    first, second = bits_of(one.result), bits_of(other.result)
    of_others = {
        value
        for name, values in (*one.result.given.items(), *other.result.given.items())
        if one.digests.get(name) != other.digests.get(name)
        for value in values
    }
    both = (name for name in first if name in second and name not in of_others)
    return any(not _agree(first[name], second[name]) for name in both) or _own(one) != _own(other)


def is_fuller(one: Record, other: Record) -> bool:
    """Whether a row says more than another of the same trial: it is finished or decided, or has more readouts."""
    if one.result.outcome.is_failure or other.result.outcome.is_failure:
        return other.result.outcome.is_failure and not one.result.outcome.is_failure
    if "budget_seconds" in one.parameters:
        return other.result.outcome is Outcome.BUDGET and one.result.outcome is not Outcome.BUDGET
    return set(one.result.given) > set(other.result.given) and other.digests.items() <= one.digests.items()


def united(one: Record, other: Record) -> Record:
    """A finished row with the readouts that another of the same trial has beside its own; itself where none.

    Two that lack other readouts, as those of two archives do, are one trial; they must not differ (`differs`).
    """
    if one.result.outcome.is_failure or other.result.outcome.is_failure or "budget_seconds" in one.parameters:
        return one
    mine, theirs = one.result, other.result
    taken = {*mine.observables, *(f"{CURVE}{name}" for name in mine.curves)}
    further = {
        name: values for name, values in theirs.given.items() if name not in mine.given and taken.isdisjoint(values)
    }
    if not further:
        return one
    gained = {value for values in further.values() for value in values}
    observables = {name: value for name, value in theirs.observables.items() if name in gained}
    curves = {name: curve for name, curve in theirs.curves.items() if f"{CURVE}{name}" in gained}
    result = TrialResult(
        mine.outcome, {**mine.observables, **observables}, {**mine.curves, **curves}, {**mine.given, **further}
    )
    return replace(one, result=result, digests={**one.digests, **{name: other.digests[name] for name in further}})


def _own(record: Record) -> set[str]:
    """Names of what a trial gave by itself, without readouts."""
    return set(bits_of(record.result)) - {value for values in record.result.given.values() for value in values}


def farthest(record: Record, system: System, again: TrialResult) -> float:
    """How far a replay lies from what is in use of a row, as `distance` has it; 0 where it repeats all of it."""
    return max((distance(before, now) for _, before, now in _otherwise(in_use(record, system), again)), default=0.0)


def _otherwise(used: TrialResult, again: TrialResult) -> Iterator[tuple[str, object, object]]:
    """What differs: its name, its bits in the row and its bits now."""
    before, now = bits_of(used), bits_of(again)
    new = {value for name, values in again.given.items() if name not in used.given for value in values}
    for name in [*before, *(name for name in now if name not in before and name not in new)]:
        if not _agree(before.get(name), now.get(name)):
            yield name, before.get(name), now.get(name)


def _agree(before: object, now: object) -> bool:
    """Whether bits are the same; of a hash that was shortened, those that are left."""
    if before == now or not (isinstance(before, str) and isinstance(now, str)):
        return before == now
    both_hashes = _HASH.fullmatch(before) and _HASH.fullmatch(now)
    fewest = min(len(before), len(now)) - 1  # a quotation mark, and the digits of the shorter
    return bool(both_hashes and len(before) != len(now) and before[:fewest] == now[:fewest])


def distance(before: object, now: object) -> float:
    """How far two values lie apart as a share of the larger; infinite where they must be equal and are not.

    Numbers and arrays of them may differ on another processor, and hashes of weights then do. Outcomes, truth values,
    other texts and shapes may not.
    """
    import numpy as np

    if isinstance(before, str) and isinstance(now, str):
        if _HASH.fullmatch(before) and _HASH.fullmatch(now):
            return 0.0
        if not (_NUMBER.fullmatch(before) and _NUMBER.fullmatch(now)):
            return math.inf
        first, second = np.array([float(before)]), np.array([float(now)])
    elif isinstance(before, tuple) and isinstance(now, tuple) and before[:2] == now[:2]:
        first, second = (np.frombuffer(bits[2], dtype=bits[0]) for bits in (before, now))
        if first.dtype.kind not in "iuf":
            return math.inf
        first, second = first.astype(float), second.astype(float)
    else:
        return math.inf
    if not np.array_equal(np.isfinite(first), np.isfinite(second)):
        return math.inf
    finite = np.isfinite(first)
    if not np.array_equal(first[~finite], second[~finite], equal_nan=True):
        return math.inf
    scale = max(np.abs(first[finite]).max(initial=0.0), np.abs(second[finite]).max(initial=0.0))
    return float(np.abs(first[finite] - second[finite]).max(initial=0.0) / scale) if scale else 0.0


def bits_of(result: TrialResult) -> Mapping[str, object]:
    """Everything a result holds in a form that compares bit for bit; json writes a float so that it reads back."""
    import numpy as np

    curves = {name: np.asanyarray(curve) for name, curve in result.curves.items()}
    return {
        "outcome": result.outcome.value,
        **{name: json.dumps(value) for name, value in result.observables.items()},
        **{f"{CURVE}{name}": (curve.dtype.str, curve.shape, curve.tobytes()) for name, curve in curves.items()},
    }
