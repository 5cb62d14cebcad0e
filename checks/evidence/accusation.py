"""What points whose hypotheses hang on hidden constants can say against a claim: something along a path, and far out.

A path leads inside the hypotheses from some size on that nobody knows. A rule for a limit looks at that by itself.
Where points or pooled counts are judged as they stand, those on the farthest third of the path must accuse alone, and
what is counted must not come nearer to the claim along it.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping, Sequence

import sympy as sp

from checks.records.many_trials import each, kept
from checks.records.rows import Row
from checks.records.standing import Standing
from checks.statistics.explanation import Clause, Topic
from checks.statistics.verdict import FAILING, Verdict
from sim.trials.trial import Trial
from theory.claim import ROLES_OF_THE_PAPER, Path


def held_back(
    row: Row,
    found: Standing,
    *,
    farthest: Callable[[], Sequence[Row]] | None,
    nears_bound: Callable[[], bool] = lambda: False,
) -> Row:
    """The row, without an accusation that its points cannot carry.

    Args:
        found: where the row's points stand with the hypotheses.
        farthest: judges the trials on the farthest third of the path alone; None where the rule judges a limit itself.
        nears_bound: whether what is counted comes nearer to what is claimed along the path.
    """
    if row.verdict not in FAILING or row.role not in ROLES_OF_THE_PAPER or not row.claim.regime:
        return row
    if not found.may_accuse:
        words = f"whether these points meet the hypotheses is open: {found.words()}; {row.verdict} there"
        return row.withdrawn(Verdict.UNDECIDABLE, Clause(Topic.HYPOTHESES, words))
    if not found.undetermined or farthest is None:
        return row
    again = [other.verdict for other in farthest() if other.axis == row.axis]
    if again and all(verdict in FAILING for verdict in again):
        words = f"finite size: {row.verdict}, also on the last third of the path, but nearer to the claim along it"
        return row.withdrawn(Verdict.INCONCLUSIVE, Clause(Topic.FINITE_SIZE, words)) if nears_bound() else row
    words = f"finite size: {row.verdict}, but not on the last third of the path"
    return row.withdrawn(Verdict.INCONCLUSIVE, Clause(Topic.FINITE_SIZE, words))


def farthest_trials(
    trials: Sequence[Trial], path: Path | None, point: Callable[[Trial], Mapping[sp.Symbol, sp.Expr]]
) -> Sequence[Trial]:
    """The trials on that third of a path which is nearest to its limit; `point` gives a trial in paper symbols."""
    if path is None:
        return []
    places = {id(trial): float(sp.N(point(trial)[path.symbol])) for trial in each(trials)}
    order = sorted(set(places.values()), reverse=path.toward == "infinity")
    wanted = set(order[: math.ceil(len(order) / 3)])
    return kept(trials, lambda trial: places[id(trial)] in wanted)
