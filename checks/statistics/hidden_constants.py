"""A claim with hidden constants is judged over their stated range, and gets the benefit of the doubt."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Mapping
from dataclasses import replace
from typing import TypeVar

from checks.statistics.verdict import Judgement, Verdict

Choice = TypeVar("Choice")


def profile_constants(judge: Callable[[Choice], Judgement], candidates: Iterable[Choice]) -> Judgement:
    """Judge a claim over the stated range of its hidden constants: violated only if violated for all of them.

    The claim gets the benefit of the doubt: the mildest verdict counts, and among equals the one of smallest Delta.

    Args:
        judge: the judgement at one choice of constants.
        candidates: choices, as {name: value} or as what prints as one; the reason names the one that counts.
    """
    return profiled_choice(judge, candidates)[0]


def profiled_choice(judge: Callable[[Choice], Judgement], candidates: Iterable[Choice]) -> tuple[Judgement, Choice]:
    """As `profile_constants`, with the choice that counts."""
    judged = [(candidate, judge(candidate)) for candidate in candidates]
    if not judged:
        raise ValueError("candidates must hold at least one choice of constants, got none")

    def favour(pair: tuple[Choice, Judgement]) -> tuple[int, float]:
        delta = pair[1].delta
        return pair[1].verdict.severity, math.inf if delta is None else abs(delta)

    chosen, best = min(judged, key=favour)
    words = ", ".join(f"{k} = {v}" for k, v in chosen.items()) if isinstance(chosen, Mapping) else str(chosen)
    if not words:
        return best, chosen
    every = best.verdict is Verdict.VIOLATED and len(judged) > 1
    scope = f"{best.verdict} for all {len(judged)} choices of the constants, least" if every else "constants chosen:"
    reason = f"{best.reason}; {scope} at {words}" if every else f"{best.reason}; {scope} {words}"
    return replace(best, reason=reason), chosen
