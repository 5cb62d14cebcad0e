"""What a line comes to by either way to take the constants that hypotheses hide: whatever they are, and as the paper's.

Constants bind both ways: points that are good enough to speak for a claim are good enough to speak against it. Whatever
the constants, points speak along a path that leads inside the hypotheses from some size on, and nowhere else. At the
paper's own settings each constant is that of the paper's experiments, and 1 where it names none
(`theory.claim.Hypothesis.hidden`): points inside speak for and against, points outside not at all.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import TYPE_CHECKING

import sympy as sp

from checks.evidence.regime import all_met
from checks.evidence.translation import once_a_setting
from checks.records.many_trials import each
from checks.records.many_trials import kept as many_kept
from checks.records.rows import Row
from checks.records.standing import Standing, Standings
from checks.statistics.verdict import FAILING, PASSING, Verdict
from theory.claim import ROLES_OF_THE_PAPER, Met, Regime

if TYPE_CHECKING:
    from sim.trials.trial import Trial


def standings_of(
    judged: Row,
    kept: Row,
    found: Standing,
    trials: Sequence[Trial],
    *,
    regime: Regime,
    point: Callable[[Trial], Mapping[sp.Symbol, sp.Expr]],
    again: Callable[[Sequence[Trial]], Sequence[Row]],
) -> Standings | None:
    """Both standings of a line; None where no hypothesis hides a constant, or the line does not speak of the paper.

    Args:
        judged: the line as its rule judged it; `kept` is what its points can carry.
        found: where the points stand with the hypotheses.
        again: judges some of the trials anew.
    """
    if kept.role not in ROLES_OF_THE_PAPER or not any(h.hidden or h.free for h in regime):
        return None
    is_decided = kept.verdict in FAILING | PASSING
    whatever = Verdict.UNDECIDABLE if is_decided and not found.may_accuse else kept.verdict
    own = tuple(hypothesis.at_own_settings() for hypothesis in regime)
    met = once_a_setting(lambda trial: all_met(own, point(trial)))
    inside = many_kept(trials, lambda trial: met(trial) is Met.MET)
    if not inside:
        outside = all(met(trial) is Met.NOT_MET for trial in each(trials))
        return Standings(whatever, Verdict.OUT_OF_REGIME if outside else Verdict.UNDECIDABLE)
    if len(inside) == len(trials):
        return Standings(whatever, judged.verdict)
    return Standings(whatever, next((row.verdict for row in again(inside) if row.axis == judged.axis), judged.verdict))
