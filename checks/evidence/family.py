"""The error that the statement lines of one paper share, spent one accusation after the other.

A paper states dozens of things. Were each accused at 5 %, one or two would be accused wrongly. All statement lines that
draws settle, by exponents as by counts of yes and no, therefore share one error. Their number N is the catalogue's,
whatever was asked for and whatever is stored, since a family must not shrink because one looks at a part of it.

The error is spent by steps [Holm 1979]: what is violated at 1 / N of it is accused; with m lines accused, the others
are judged at 1 / (N - m), and so on until no line joins. That any true statement is accused is no more likely than at
1 / N for each: when the first one is, no more lines than false ones are accused before it, so its level was at most
1 / (number of true ones), whatever depends on what. A line that was not measured, or not asked for, is one of those
that are left, so an incomplete table accuses less and never more. "Holds", "tight" and "loose" need no share: each is
wrong in 5 % by itself.
"""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from contextvars import ContextVar
from statistics import NormalDist

from checks.evidence.part import Part
from checks.records.rows import Row
from checks.statistics.explanation import Clause, Topic
from checks.statistics.policy import FURTHER, ErrorPolicy, level_words
from checks.statistics.verdict import Judgement, Plan, Verdict
from theory.claim import Claim, Evidence, Role

Accused = Mapping[str, int]
"""How many lines of each paper, by its key, are accused."""

REFINEMENTS = 5
"""Halvings in search of the confidence at which an accusation stands."""

_IS_SHARED = ContextVar("is_shared", default=True)
_ACCUSED: ContextVar[Accused] = ContextVar("accused", default={})  # noqa: B039  nobody writes into it


@contextmanager
def each_by_itself() -> Iterator[None]:
    """Judge every part at the whole error, as where faults are planted: nobody is accused, and trials are few."""
    token = _IS_SHARED.set(False)
    try:
        yield
    finally:
        _IS_SHARED.reset(token)


@contextmanager
def after(accused: Accused) -> Iterator[None]:
    """Judge every part as one of the lines that are left once others are accused."""
    token = _ACCUSED.set(accused)
    try:
        yield
    finally:
        _ACCUSED.reset(token)


def lines_that_share(claim: Claim, parts: Iterable[Part]) -> int:
    """How many lines of a claim may be accused wrongly: its statement lines that rest on draws."""
    if Evidence.MEASURED not in claim.evidence:
        return 0
    stated = (part for part in parts if part.role_in(claim) is Role.STATEMENT)
    return sum(max(1, len(part.axes(claim))) for part in stated if part.is_measured and part.has_sampling_error)


def lines_left(policy: ErrorPolicy, claim: Claim) -> float:
    """Among how many lines of its paper an accusation shares the error: N less those accused already, at least 1."""
    if not _IS_SHARED.get():
        return 1
    return max(1, policy.family - _ACCUSED.get().get(claim.paper, 0))


def shared_by(part: Part, claim: Claim) -> float:
    """Among how many lines the error of a part's accusation is shared: only statements are accused in a family."""
    return lines_left(part.policy, claim) if part.role_in(claim) is Role.STATEMENT else 1


def accused_in(table: Mapping[str, Sequence[Row]]) -> Accused:
    """The accusations of a table: statement lines that share an error and are violated."""
    return Counter(
        row.claim.paper
        for rows in table.values()
        for row in rows
        if row.verdict is Verdict.VIOLATED and row.role is Role.STATEMENT and row.policy.family > 1
    )


def held_back(rows: Iterable[Row]) -> bool:
    """Whether one of a claim's lines is violated by itself, and not at its share."""
    told = (row.judgement.explanation for row in rows)
    return any(one.about(Topic.FAMILY) or one.about(Topic.STRICTER) for one in told)


def stepped_down(
    table: Mapping[str, Sequence[Row]], judge: Callable[[Sequence[str]], Mapping[str, list[Row]]]
) -> dict[str, list[Row]]:
    """A table of lines judged at 1 / N of the error, with every accusation that further steps add.

    Args:
        judge: the rows of the named claims, called where more lines are accused than before.
    """
    found, spent = {name: list(rows) for name, rows in table.items()}, Counter(_ACCUSED.get())
    while (accused := spent | Counter(accused_in(found))) != spent:
        again, spent = [name for name, rows in found.items() if held_back(rows)], accused
        if again:
            with after(accused):
                found |= judge(again)
    return found


def judged_in_family(part: Part, claim: Claim, judge: Callable[[float], Judgement], *, trials: int) -> Judgement:
    """The judgement of a part by counts, "violated" only at its share of the family's error.

    Args:
        judge: the rule at a confidence.
        trials: in all, for what would decide.
    """
    return at_shared_error(judge, part.policy.of_family(shared_by(part, claim)), trials=trials)


def _quantile(confidence: float) -> float:
    """Of a normal, two-sided."""
    return NormalDist().inv_cdf((1 + confidence) / 2)


def _reached(judge: Callable[[float], Judgement], policy: ErrorPolicy) -> float:
    """The quantile of the strictest confidence at which an accusation stands, from that of one line on.

    To a thirty-second of what lies between, from below: what would decide is not underestimated by more than that.
    """
    low, high = _quantile(policy.interval_confidence), _quantile(policy.violation_confidence)
    for _ in range(REFINEMENTS):
        middle = (low + high) / 2
        stands = judge(2 * NormalDist().cdf(middle) - 1).verdict is Verdict.VIOLATED
        low, high = (middle, high) if stands else (low, middle)
    return low


def at_shared_error(judge: Callable[[float], Judgement], policy: ErrorPolicy, *, trials: int) -> Judgement:
    """A judgement at the policy's confidence, "violated" only where it is so at the share of the family."""
    found = judge(policy.interval_confidence)
    if found.verdict is not Verdict.VIOLATED or policy.family == 1:
        return found
    if judge(policy.violation_confidence).verdict is Verdict.VIOLATED:
        return found
    error, size = policy.error, policy.family
    wanted = _quantile(policy.violation_confidence) + policy.power_quantile
    growth = max(FURTHER, (wanted / _reached(judge, policy)) ** 2)
    of_pairs = found.explanation.evidence.unit == "pairs"  # which are counted as points, and are trials
    places = 1 if of_pairs else max(found.n_points, 1)
    plan = Plan(places, math.ceil(growth * trials / places))
    by_itself = f"violated at {level_words(error)} by itself"
    words = f"{by_itself}, not at its share among the {size:g} statement lines of the paper that share it"
    shared = Clause(Topic.FAMILY, words, {"error": error, "lines": size})
    return found.withdrawn(Verdict.INCONCLUSIVE, shared, plan=plan, unit="pairs" if of_pairs else "trials")
