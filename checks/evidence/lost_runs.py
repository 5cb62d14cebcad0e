"""Runs that are lost: they gave NaN where a part asks for a number, or ended without a result. They may undecide.

A lost run may have had any value, and runs are seldom lost at random: those that overflow, hang or hold too much memory
are of a kind. So a line that would be decided without them is not, unless it comes out the same whatever they had
shown. That can be tried where a part counts which runs meet its criterion (`Judging.counts_lost`): once as if all lost
runs met it, once as if none did, and where one place's count is held against another's, in every mixture of places. A
mean has no such worst case; whoever knows what became of its runs says so in the simulator, by the outcome DIVERGED or
as cut off at a limit.

Where more than `MOST_LOST` of the trials ended without a result, something is to be mended first, and nothing is
judged.
"""

from __future__ import annotations

import itertools
import math
from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import replace
from typing import Any

from checks.evidence.no_numbers import gave_no_number
from checks.records.many_trials import Many, by_setting, each, numbers, split
from checks.records.rows import Row
from checks.statistics.explanation import Clause, Topic, obstacle
from checks.statistics.verdict import FAILING, PASSING, Judgement, Verdict
from sim.trials.trial import Outcome, Trial, TrialResult

_NAMED = 3
"""So many lost runs are named."""


MOST_LOST = 0.1
"""The largest share of trials that may have ended without a result where the others are judged."""
_MOST_MIXTURES = 32
"""So many ways for lost runs to have come out are tried; where there are more, their line is open."""


def are_few(n_lost: int, n_trials: int) -> bool:
    """Whether so few trials ended without a result that the others are judged."""
    return n_lost <= MOST_LOST * n_trials


def lost_runs(part: Any, trials: Sequence[Trial]) -> tuple[Sequence[Trial], Sequence[Trial]]:
    """The trials that are lost, and those that are left.

    Lost are those without a result, and those that give NaN where a part compares; where its rule knows NaN, none of
    these.
    """
    return split(trials, lambda trial: trial.result.outcome.is_failure or gave_no_number(part, trial))


def told_of_lost(
    rows: Sequence[Row], lost: Sequence[Trial], n_trials: int, otherwise: Callable[[], Iterator[Sequence[Row]]]
) -> list[Row]:
    """The rows of what is left with which runs were lost, and without a verdict that these might have changed.

    Args:
        otherwise: the rows by each way in which the lost runs may have come out; no way, where that is not known.
    """
    if not lost:
        return list(rows)
    figures = {"lost": len(lost), "runs": n_trials}
    said, decided = _words(lost, n_trials), (FAILING | PASSING) - {Verdict.NO_CLAIM}
    clause = Clause(Topic.LOST_RUNS, said, figures)
    if not any(row.verdict in decided for row in rows):
        return [row.adding(left_out=(clause,)) for row in rows]
    ways = [[row.verdict for row in found] for found in otherwise()]
    if ways and all(found == [row.verdict for row in rows] for found in ways):
        stands = Clause(Topic.LOST_RUNS, f"{said}; whatever they had shown, the verdict is the same", figures)
        return [row.adding(left_out=(stands,)) for row in rows]
    return [
        row.withdrawn(Verdict.INCONCLUSIVE, replace(clause, text=f"{said}; without them: {row.verdict}"))
        if row.verdict in decided
        else row.adding(left_out=(clause,))
        for row in rows
    ]


def worst_cases(
    met_by: Callable[[Trial], bool | None], left: Sequence[Trial], lost: Sequence[Trial], *, mixed: bool
) -> Iterator[Sequence[Trial]]:
    """The trials of a criterion in each way in which those that are lost may have come out.

    One that does not meet it stands as diverged, one that does with the result of a run that would meet it in its
    place. Without such a run, or with too many ways, there is none.

    Args:
        mixed: whether settings may have come out differently; else the lost runs all meet it, or all do not.
    """
    groups = by_setting(lost) if mixed else [lost]
    counts = [range(len(group) + 1) if mixed else (0, len(group)) for group in groups]
    if math.prod(map(len, counts)) > _MOST_MIXTURES:
        return
    meeting = {id(trial): _meeting(met_by, left, trial) for trial in each(lost)}
    if None in meeting.values():
        return
    for met in itertools.product(*counts):
        filled = [one for group, count in zip(groups, met, strict=True) for one in _filled(group, count, meeting)]
        kinds, times = [trial for trial, _ in filled], [count for _, count in filled]
        if isinstance(left, Many):
            yield Many([*left.kinds, *kinds], [*left.counts, *times])
        else:
            yield [*left, *Many(kinds, times)]


def _meeting(met_by: Callable[[Trial], bool | None], left: Sequence[Trial], lost: Trial) -> Trial | None:
    """The lost trial with the result of one that is left and meets the criterion there, of its own setting if any."""
    asked = lost.spec.parameters
    order = sorted(each(left), key=lambda trial: trial.spec.parameters != asked)
    return next((one for trial in order if met_by(one := replace(lost, result=trial.result))), None)


def _filled(lost: Sequence[Trial], met: int, meeting: Mapping[int, Trial | None]) -> Iterator[tuple[Trial, int]]:
    """Lost trials of which so many meet the criterion, and how many are like each."""
    for trial, count in zip(each(lost), numbers(lost), strict=True):
        of_these = min(met, count)
        met -= of_these
        shown = meeting[id(trial)]
        if of_these and shown is not None:
            yield shown, of_these
        if count > of_these:
            yield replace(trial, result=TrialResult(Outcome.DIVERGED, {})), count - of_these


NONE_LEFT = Judgement(Verdict.INCONCLUSIVE, obstacle(Topic.LOST_RUNS, "no run was left to measure"))
"""Of a part of which every run was lost."""


def _words(lost: Sequence[Trial], n_trials: int) -> str:
    kinds = each(lost)
    places = [
        ", ".join([*(f"{name} = {value}" for name, value in trial.spec.parameters.items()), _replicate(trial)])
        for trial in kinds[:_NAMED]
    ]
    more = f"; {len(lost) - len(places)} more" if len(lost) > len(places) else ""
    ended = Counter[str]()
    for trial, count in zip(kinds, numbers(lost), strict=True):
        ended[str(trial.result.outcome) if trial.result.outcome.is_failure else ""] += count
    told = [f"{count} {outcome}" for outcome, count in sorted(ended.items()) if outcome]
    told += [f"{ended['']} gave no number (NaN)"] if told and ended[""] else []
    how = f"ended without a result ({', '.join(told)})" if told else "gave no number (NaN)"
    return f"{len(lost)} of {n_trials} runs {how} and are lost, at {'; '.join(places)}{more}"


def _replicate(trial: Trial) -> str:
    return f"replicate {trial.spec.replicate}"
