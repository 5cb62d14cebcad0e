"""How trials failed, by name: what a simulator's system says of each, and whether its parameters meet the hypotheses.

A simulator knows no claim, so it cannot know hypotheses; a part does, and adds their name here. [`System.endings`]
"""

from __future__ import annotations

import functools
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from contextvars import ContextVar

from checks.records.many_trials import each, numbers
from sim.trials.errors import MissingReadout
from sim.trials.trial import Trial, loaded

HYPOTHESES_VIOLATED = "hypotheses violated"
"""Name of a trial that failed where a hypothesis of the claim fails: nothing was promised there."""

_left_out: ContextVar[bool] = ContextVar("left_out", default=False)


@contextmanager
def left_out() -> Iterator[None]:
    """Name no ending within a block: most need curves, which evidence that is published does without.

    No verdict reads a name; lines only tell how many trials have which.
    """
    token = _left_out.set(True)
    try:
        yield
    finally:
        _left_out.reset(token)


def endings_of(trial: Trial) -> tuple[str, ...] | None:
    """Names of how a trial failed; None where it did not, nothing is named, or it lacks what the name rests on."""
    try:
        return _asked(trial)
    except MissingReadout:
        return None


def counted(trials: Sequence[Trial], *, is_outside: Callable[[Trial], bool] | None = None) -> dict[str, int]:
    """How many trials have each name, most frequent first; none, where a trial lacks what its name rests on.

    A store without that, such as one filled from an archive, is judged all the same.

    Args:
        is_outside: whether a trial's parameters fail a hypothesis; asked of those alone that failed.
    """
    counts: Counter[str] = Counter()
    for trial, number in zip(each(trials), numbers(trials), strict=True):
        try:
            names = _asked(trial)
        except MissingReadout:
            return {}
        if names is None:
            continue
        counts.update(dict.fromkeys(names, number))
        if is_outside is not None and is_outside(trial):
            counts[HYPOTHESES_VIOLATED] += number
    return dict(counts.most_common())


def words(counts: dict[str, int], n_trials: int) -> str:
    """Counts by name as an explanation prints them; "" where there are none."""
    if not counts:
        return ""
    return f"of {n_trials} runs {', '.join(f'{count} {name}' for name, count in counts.items())}"


def _asked(trial: Trial) -> tuple[str, ...] | None:
    path = "" if _left_out.get() else trial.spec.system.endings
    return _named(path)(trial) if path else None


@functools.cache
def _named(path: str) -> Callable[[Trial], tuple[str, ...] | None]:
    return loaded(path)
