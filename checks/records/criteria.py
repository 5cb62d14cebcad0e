"""Which criteria a store's trials were first measured for, so that one set after they were seen is said to be.

A margin, a tolerance, a rate: what decides a verdict beside the trials is stated before them. A run notes the criteria
of each part in a file beside the store, and, where they are others than before, which of the part's trials were there
already. A table then says of a part how many of its trials were seen before its criteria were set. Of fresh trials, of
replicates that nobody had run (`Sweep(first_replicate=...)`), it says nothing.

What nobody noted cannot be known: a store that comes without the file, or of which the part has another name, says
nothing. A file that cannot be read is taken for none.
"""

from __future__ import annotations

import json
import os
from collections.abc import Callable, Iterable, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, fields
from pathlib import Path
from typing import Any

from checks.statistics.explanation import Clause, Clauses, Topic
from sim.store.fingerprint import TrialKey, key
from sim.trials.trial import TrialSpec
from theory.claim import Claim

_MAX_BYTES = 2**26
_KEPT = 12
"""So many letters of a trial's key are kept: of a million trials, two share them with a chance of 2 in 1000."""

Values = Mapping[str, str]
PartName = tuple[str, str]
"""Of a part: its claim's id and its own name."""


@dataclass(frozen=True)
class Criteria:
    """Criteria of a part by name, and the trials of its simulators that were there when a run first had them.

    They are told by the beginnings of their keys.
    """

    values: Values
    seen: frozenset[str] = frozenset()


Kept = Mapping[PartName, tuple[Criteria, ...]]
"""Of each part all criteria that runs had, the first first."""


def criteria_path(store: Path | str) -> Path:
    """Where the criteria beside a store are."""
    path = Path(store)
    return path.with_name(f"{path.name}.criteria.json")


def criteria_of(claim: Claim, part: object) -> dict[str, str]:
    """What decides beside the trials: the claim's margin, and all numbers of the part that its author may state."""
    numbers = ("float", "float | None", "int", "int | None", "tuple[float, float] | None")
    own = {each.name: getattr(part, each.name) for each in fields(part) if each.type in numbers}  # type: ignore[arg-type]
    return {"margin of the order": str(claim.margin), **{name: _written(value) for name, value in own.items()}}


def _written(value: object) -> str:
    return "none" if value is None else f"{value:g}" if isinstance(value, float) else str(value)


def read_criteria(store: Path | str) -> dict[PartName, tuple[Criteria, ...]]:
    """The criteria beside a store; none where there is no such file, or none that can be read."""
    path = criteria_path(store)
    with suppress(OSError, ValueError, TypeError, KeyError, AttributeError, RecursionError):
        if path.is_file() and path.stat().st_size <= _MAX_BYTES:
            return dict(map(_entry, json.loads(path.read_text(encoding="utf-8"))))
    return {}


def _entry(told: Mapping[str, Any]) -> tuple[PartName, tuple[Criteria, ...]]:
    found = (
        Criteria({str(k): str(v) for k, v in one["criteria"].items()}, frozenset(map(str, one["seen"])))
        for one in told["runs"]
    )
    return (str(told["claim"]), str(told["part"])), tuple(found)


def note_criteria(
    store: Path | str,
    parts: Iterable[tuple[PartName, Values, Sequence[TrialSpec]]],
    there: Callable[[Sequence[TrialSpec]], Iterable[TrialKey]],
) -> None:
    """Add to the file beside a store what criteria the parts of a run have, before it measures.

    Args:
        parts: name, criteria and trials of each.
        there: keys of all trials that the store has of the simulators of some trials, since a part may have asked for
            others before; asked of parts alone whose criteria no run had, but for their first.

    A file that cannot be written costs no run.
    """
    kept = read_criteria(store)
    before = dict(kept)
    for name, values, specs in parts:
        runs = kept.get(name, ())
        if any(one.values == values for one in runs):
            continue
        seen = frozenset(found[:_KEPT] for found in there(specs)) if runs else frozenset()
        kept[name] = (*runs, Criteria(values, seen))
    if kept == before:
        return
    told = [
        {
            "claim": claim,
            "part": part,
            "runs": [{"criteria": dict(one.values), "seen": sorted(one.seen)} for one in runs],
        }
        for (claim, part), runs in sorted(kept.items())
    ]
    path = criteria_path(store)
    with suppress(OSError):
        path.parent.mkdir(parents=True, exist_ok=True)
        fresh = path.with_name(f"{path.name}.{os.getpid()}")
        fresh.write_text(json.dumps(told, indent=1), encoding="utf-8")
        fresh.replace(path)


def set_later(runs: Sequence[Criteria], values: Values, keys: Iterable[TrialKey]) -> Clauses:
    """What to say of a part judged by these criteria on these trials: which were set after how many were seen."""
    if not runs or runs[0].values == values:
        return ()
    names, known = list(keys), next((one for one in runs if one.values == values), None)
    seen = len(names) if known is None else sum(name[:_KEPT] in known.seen for name in names)
    first = runs[0].values
    moved = [name for name in values if name in first and first[name] != values[name]]
    if not seen or not moved:
        return ()
    words = " and ".join(f"{name} {values[name]} (before: {first[name]})" for name in moved)
    text = f"{words} set after {seen} of {len(names)} trials were seen"
    return (Clause(Topic.LATER, text, {"seen": seen, "trials": len(names)}),)


def keys_of(specs: Iterable[TrialSpec], trials: Mapping[TrialKey, object]) -> list[TrialKey]:
    """Keys of those trials that are there."""
    return [name for name in map(key, specs) if name in trials]
