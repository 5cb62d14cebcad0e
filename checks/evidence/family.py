"""The error that the claims of one paper share.

A paper states dozens of things. Were each accused at 5 %, one or two would be accused wrongly. All claims that trials
settle, by exponents as by counts of yes and no, therefore share one error: K is their number in the paper, whatever was
asked for and whatever is stored, since a family must not shrink because one looks at a part of it. "Holds" needs no
such share.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from statistics import NormalDist

from checks.evidence.part import Part
from checks.statistics.explanation import Clause, Topic
from checks.statistics.policy import ErrorPolicy, level_words
from checks.statistics.verdict import Judgement, Plan, Verdict
from theoremeter_papers import paper_of
from theory.catalogue import contents
from theory.claim import Claim, Evidence, Role

_IS_SHARED = ContextVar("is_shared", default=True)


@contextmanager
def each_by_itself() -> Iterator[None]:
    """Judge every part at the whole error, as where faults are planted: nobody is accused, and trials are few."""
    token = _IS_SHARED.set(False)
    try:
        yield
    finally:
        _IS_SHARED.reset(token)


def claims_that_share(key: str) -> int:
    """K: how many claims of a paper trials settle, at least 1; 1 where each is judged by itself."""
    if not _IS_SHARED.get():
        return 1
    paper = paper_of(key)
    claims = contents(paper).claims if paper is not None else {}
    return max(1, sum(Evidence.MEASURED in claim.evidence for claim in claims.values()))


def shared_by(part: Part, claim: Claim) -> int:
    """Among how many claims the error of a part's accusation is shared: only statements are accused in a family."""
    return claims_that_share(claim.paper) if part.role_in(claim) is Role.STATEMENT else 1


def judged_in_family(part: Part, claim: Claim, judge: Callable[[float], Judgement], *, trials: int) -> Judgement:
    """The judgement of a part by counts, "violated" only at its share of the family's error.

    Args:
        judge: the rule at a confidence.
        trials: in all, for what would decide.
    """
    return at_shared_error(judge, part.policy.of_family(shared_by(part, claim)), trials=trials)


def at_shared_error(judge: Callable[[float], Judgement], policy: ErrorPolicy, *, trials: int) -> Judgement:
    """A judgement at the policy's confidence, "violated" only where it is so at the share of the family."""
    found = judge(policy.interval_confidence)
    if found.verdict is not Verdict.VIOLATED or policy.family == 1:
        return found
    if judge(policy.violation_confidence).verdict is Verdict.VIOLATED:
        return found
    quantile, error, size = NormalDist().inv_cdf, policy.error, policy.family
    growth = (quantile(1 - error / size / 2) / quantile(1 - error / 2)) ** 2
    plan = Plan(max(found.n_points, 1), math.ceil(growth * trials / max(found.n_points, 1)))
    by_itself = f"violated at {level_words(error)} by itself"
    words = f"{by_itself}, not at its share among the {size} claims of the paper that trials settle"
    shared = Clause(Topic.FAMILY, words, {"error": error, "claims": size})
    return found.withdrawn(Verdict.INCONCLUSIVE, shared, plan=plan, unit="trials")
