"""What points whose hypotheses hang on hidden constants can say against a claim: something along a path, and far out.

A path leads inside the hypotheses from some size on that nobody knows. A rule for a limit looks at that by itself.
Where points or pooled counts are judged as they stand, those on the farthest third of the path must accuse alone.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import replace
from typing import TYPE_CHECKING

import sympy as sp

from checks.records.rows import Row
from checks.records.standing import Standing
from checks.statistics.verdict import FAILING, Verdict
from theory.claim import Claim, Role

if TYPE_CHECKING:
    from checks.evidence.part import Part
    from sim.trial import Trial


def held_back(part: Part, claim: Claim, row: Row, trials: Sequence[Trial], found: Standing) -> Row:
    """The row, without an accusation that its points cannot carry."""
    if row.verdict not in FAILING or row.role not in (Role.STATEMENT, Role.READING) or not claim.regime:
        return row
    if not found.may_accuse:
        words = f"{row.verdict} at these points, but whether they meet the hypotheses is open: {found.words()}"
        return _instead(row, Verdict.UNDECIDABLE, words)
    if not found.undetermined or part.judges_limit(claim):
        return row
    again = [other.verdict for other in part.judge(claim, _farthest(part, trials)) if other.axis == row.axis]
    if again and all(verdict in FAILING for verdict in again):
        return row
    return _instead(row, Verdict.INCONCLUSIVE, f"finite size: {row.verdict}, but not on the last third of the path")


def _instead(row: Row, verdict: Verdict, words: str) -> Row:
    return replace(row, judgement=replace(row.judgement, verdict=verdict, reason=f"{words}; {row.judgement.reason}"))


def _farthest(part: Part, trials: Sequence[Trial]) -> list[Trial]:
    """The trials on that third of a part's path which is nearest to its limit."""
    if part.path is None:
        return []
    symbol = part.path.symbol
    places = {id(trial): float(sp.N(part.point(trial)[symbol])) for trial in trials}
    order = sorted(set(places.values()), reverse=part.path.toward == "infinity")
    kept = set(order[: math.ceil(len(order) / 3)])
    return [trial for trial in trials if places[id(trial)] in kept]
