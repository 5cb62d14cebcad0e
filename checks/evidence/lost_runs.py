"""Runs that gave no number where a part asks for one: NaN. They are lost, named with their parameters, may undecide.

A lost run may have had any value. So a line that would be decided without it is not: whoever knows what became of such
runs says so in the simulator, by the outcome DIVERGED or as cut off at a limit.
"""

from __future__ import annotations

import math
from collections.abc import Sequence

from checks.records.rows import Row
from checks.statistics.explanation import Clause, Topic, obstacle
from checks.statistics.verdict import FAILING, PASSING, Judgement, Verdict
from sim.trials.trial import Outcome, Trial

NUMBERS = "observable", "first", "second"
"""Fields of a part that name observables whose numbers it compares."""
_NAMED = 3
"""So many lost runs are named."""


def lost_runs(part: object, trials: Sequence[Trial]) -> list[Trial]:
    """The trials that give NaN for an observable that a part compares; where a part's rule knows NaN, none."""
    names = [getattr(part, field) for field in NUMBERS if getattr(part, field, None)]
    if not names or getattr(part, "knows_nan", False):
        return []
    return [trial for trial in trials if any(_is_lost(part, trial, name) for name in names)]


def _is_lost(part: object, trial: Trial, name: str) -> bool:
    """Whether a number is asked for and is none; a run that diverged or was cut off is not asked."""
    finished = getattr(part, "finished", None)
    if trial.result.outcome is Outcome.DIVERGED or (finished and trial.result.observables.get(finished) is False):
        return False
    value = trial.result.observables.get(name)
    return isinstance(value, float) and math.isnan(value)


def told_of_lost(rows: Sequence[Row], lost: Sequence[Trial], n_trials: int) -> list[Row]:
    """The rows of what is left with which runs were lost, and without a verdict that these might have changed."""
    if not lost:
        return list(rows)
    clause = Clause(Topic.LOST_RUNS, _words(lost, n_trials), {"lost": len(lost), "runs": n_trials})
    decided = FAILING | PASSING
    return [
        row.withdrawn(Verdict.INCONCLUSIVE, clause) if row.verdict in decided else row.adding(left_out=(clause,))
        for row in rows
    ]


NONE_LEFT = Judgement(Verdict.INCONCLUSIVE, obstacle(Topic.LOST_RUNS, "no run was left to measure"))
"""Of a part of which every run was lost."""


def _words(lost: Sequence[Trial], n_trials: int) -> str:
    places = [
        ", ".join([*(f"{name} = {value}" for name, value in trial.spec.parameters.items()), _replicate(trial)])
        for trial in lost[:_NAMED]
    ]
    more = f"; {len(lost) - _NAMED} more" if len(lost) > _NAMED else ""
    return f"{len(lost)} of {n_trials} runs gave no number (NaN) and are lost, at {'; '.join(places)}{more}"


def _replicate(trial: Trial) -> str:
    return f"replicate {trial.spec.replicate}"
