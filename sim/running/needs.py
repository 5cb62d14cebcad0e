"""What a trial needs that is not on every machine, such as a data set: asked before trials are handed out.

A trial that lacks something would fail, be kept as failed, and end a run with an error. It is left out instead, and the
rest goes on; when what it lacks is there, the same command measures it.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence

from sim.trials.errors import printable
from sim.trials.trial import TrialSpec, loaded


def runnable(
    specs: Sequence[TrialSpec],
    tell: Callable[[str], None] = lambda words: None,
    label: Callable[[TrialSpec], str] = lambda spec: spec.system.name,
) -> tuple[list[TrialSpec], int]:
    """The trials that this machine has all for, and how many others there are; `tell` hears what those lack."""
    kept: list[TrialSpec] = []
    lacking: dict[str, list[TrialSpec]] = {}
    for spec in specs:
        words = lacks(spec)
        if words:
            lacking.setdefault(words, []).append(spec)
        else:
            kept.append(spec)
    for words, left in lacking.items():
        claims = ", ".join(dict.fromkeys(map(label, left)))
        tell(printable(f"{len(left)} trials of {claims} are left out: {words}", most=1000))
    return kept, sum(map(len, lacking.values()))


def lacks(spec: TrialSpec) -> str:
    """What this machine lacks for a trial, in one line; "" where nothing."""
    return loaded(spec.system.needs)(spec.parameters) if spec.system.needs else ""
