"""Under which hypotheses a part's trials stand: its role, its letters, and what lies outside judged apart.

An author says what a part's role is and how its parameters become letters; nobody chooses which trials lie outside.
Where that is open, because a constant is hidden, `checks.evidence.accusation` holds back what such points cannot carry.
"""

from __future__ import annotations

import functools
from abc import ABC
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from enum import StrEnum

import sympy as sp

from checks.evidence.accusation import farthest_trials, held_back
from checks.evidence.both_ways import standings_of
from checks.evidence.control import without_regime
from checks.evidence.endings import counted, words
from checks.evidence.judging import Judging
from checks.evidence.lost_runs import NONE_LEFT, lost_runs, told_of_lost
from checks.evidence.regime import all_met, met_at, standing
from checks.evidence.translation import Symbols, letters, once_a_setting
from checks.records.many_trials import by_setting, split
from checks.records.rows import Row
from checks.records.standing import NOWHERE
from checks.statistics.explanation import Clause, Topic
from sim.trials.trial import Trial, TrialSpec
from theory.claim import ROLES_OF_THE_PAPER, Claim, Kind, Met, Path, Regime, Role

APART_WORDS = " (out of regime)"
"""What is added to the name of a part's second line, of the trials out of regime."""


class Outside(StrEnum):
    """What a part does with trials whose parameters fail a hypothesis of the claim."""

    APART = "apart"
    """They are judged by themselves, on a line of their own."""
    GREYED = "greyed"
    """They stay on the line's picture and take no part in its verdict; a line of its own only where all are outside."""


@dataclass(frozen=True, kw_only=True)
class UnderHypotheses(Judging, ABC):
    """What is judged where a claim's hypotheses are met, or open, and apart from there where one fails."""

    role: Role = Role.STATEMENT
    """What its line is where the hypotheses are met: the statement, a reading or repair of it, or our own question."""
    because: str = ""
    """Why it has another role than the statement's, or leaves hypotheses out, as a place in the paper."""
    symbols: Symbols | None = None
    """The paper's letter of each parameter, or a function of all parameters; None stands for the paper's own."""
    path: Path | None = None
    """How the parameters move toward a limit where the sweep follows one. Only then may points whose hypotheses hang on
    hidden constants speak against the claim."""
    exempt: tuple[str, ...] = ()
    """Names of hypotheses that the part leaves out."""

    def role_in(self, claim: Claim) -> Role:
        """The line's role where its points meet the hypotheses."""
        return Role.OWN_QUESTION if claim.kind is Kind.OPEN else self.role

    @property
    def outside(self) -> Outside:
        """What becomes of trials whose parameters fail a hypothesis."""
        return Outside.APART

    def point(self, trial: Trial) -> Mapping[sp.Symbol, sp.Expr]:
        """A trial's parameters in the paper's symbols; empty where no translation is known."""
        return self.letters(trial.spec)

    def letters(self, spec: TrialSpec) -> Mapping[sp.Symbol, sp.Expr]:
        """What a trial is asked, its simulator's defaults included, in the paper's symbols."""
        return letters(self.symbols, spec)

    def judges_limit(self, claim: Claim) -> bool:
        """Whether the verdict is about a limit already, and not about the points as they stand."""
        return False

    def nears_bound(self, claim: Claim, trials: Sequence[Trial]) -> bool:
        """Whether what these trials count comes nearer to what is claimed along the part's path."""
        return False

    def lines(self, claim: Claim, trials: Sequence[Trial]) -> list[Row]:
        """Judge the trials inside the hypotheses, or where that is open, and apart those outside."""
        asked = replace(claim, regime=_regime(self, claim))
        rows = _lines(self, asked, trials)
        return [replace(_with_exempt(self, row, claim), claim=claim) for row in rows] if self.exempt else rows


def _lines(part: UnderHypotheses, claim: Claim, trials: Sequence[Trial]) -> list[Row]:
    """The lines of a claim whose hypotheses are all asked for."""
    lost, left = lost_runs(part, trials)
    inside, outside = _by_regime(part, claim, left)
    lost_inside, lost_outside = _by_regime(part, claim, lost)
    if part.outside is Outside.GREYED and inside:
        rows = [_placed_in_regime(part, row, claim, inside) for row in part.judge(claim, left)]
        return _told_of_lost(part, claim, _told_of_endings(part, rows, claim, left), left, lost_inside)
    rows = [_placed_in_regime(part, row, claim, inside) for row in part.judge(claim, inside)] if inside else []
    if lost_inside and not inside:
        rows = [Row(claim, part.name, NONE_LEFT, role=part.role_in(claim), policy=part.policy)]
    free = without_regime(claim)
    apart = part.judge(free, outside) if outside else []
    name = f"{part.name}{APART_WORDS}" if inside else part.name
    apart = [replace(_placed_in_regime(part, row, claim, outside), part=name) for row in apart]
    return [
        *_told_of_lost(part, claim, _told_of_endings(part, rows, claim, inside), inside, lost_inside),
        *_told_of_lost(part, free, _told_of_endings(part, apart, claim, outside), outside, lost_outside),
    ]


def _told_of_lost(
    part: UnderHypotheses, claim: Claim, rows: list[Row], left: Sequence[Trial], lost: Sequence[Trial]
) -> list[Row]:
    """The rows of what is left, and of the lost runs what they may change."""

    def otherwise() -> Iterator[list[Row]]:
        for filled in part.with_lost(left, lost):
            yield [_placed_in_regime(part, row, claim, filled) for row in part.judge(claim, filled)]

    return told_of_lost(rows, lost, len(left) + len(lost), otherwise)


def failing_everywhere(part: UnderHypotheses, claim: Claim, settings: Iterable[TrialSpec]) -> list[str]:
    """Hypotheses that fail at settings, by name, where every setting fails one; none where one of them may meet all."""
    regime, found = _regime(part, claim), dict[str, None]()
    for spec in settings if regime else ():
        point = part.letters(spec)
        failed = [hypothesis.name for hypothesis in regime if met_at(hypothesis, point) is Met.NOT_MET]
        if not failed:
            return []
        found |= dict.fromkeys(failed)
    return list(found)


def _by_regime(part: UnderHypotheses, claim: Claim, trials: Sequence[Trial]) -> tuple[Sequence[Trial], Sequence[Trial]]:
    """Trials whose parameters meet the hypotheses or leave that open, and those that fail one."""
    met = once_a_setting(functools.partial(_met, part, claim))
    return split(trials, lambda trial: met(trial) is not Met.NOT_MET)


def _told_of_endings(part: UnderHypotheses, rows: list[Row], claim: Claim, trials: Sequence[Trial]) -> list[Row]:
    """The rows with how many of their trials failed by which name, where the simulator has names."""
    counts = counted(trials, is_outside=lambda trial: _met(part, claim, trial) is Met.NOT_MET)
    said = words(counts, len(trials))
    return [row.adding(evidence=(Clause(Topic.ENDINGS, said, counts),)) for row in rows] if said else rows


def _regime(part: UnderHypotheses, claim: Claim) -> Regime:
    """The hypotheses that the part asks for."""
    return tuple(hypothesis for hypothesis in claim.regime if hypothesis.name not in part.exempt)


def _met(part: UnderHypotheses, claim: Claim, trial: Trial) -> Met:
    """Whether a trial's parameters meet them."""
    return all_met(_regime(part, claim), part.point(trial))


def _with_exempt(part: UnderHypotheses, row: Row, claim: Claim) -> Row:
    """The row, whose points are nowhere said to meet a hypothesis that nobody looked at."""
    left_out = frozenset(hypothesis.name for hypothesis in claim.regime if hypothesis.name in part.exempt)
    if not left_out or row.in_regime is not True:
        return row
    shown = tuple(replace(point, in_regime=None if point.in_regime else False) for point in row.points)
    return replace(row, standing=replace(row.standing, left_out=left_out), points=shown)


def _placed_in_regime(part: UnderHypotheses, row: Row, claim: Claim, trials: Sequence[Trial]) -> Row:
    """The row with its role, where its points stand, and no accusation that they cannot carry."""
    points = [part.point(some[-1]) for some in by_setting(trials)]
    regime = _regime(part, claim)
    found = standing(regime, points, path=part.path) if regime else NOWHERE
    role = part.role_in(claim)
    if found.in_regime is False and role in ROLES_OF_THE_PAPER:
        role = Role.OUTSIDE
    shown = tuple(replace(point, in_regime=found.in_regime if point.in_regime else False) for point in row.points)
    row = replace(row, claim=claim, role=role, standing=found, points=shown)

    def farthest() -> list[Row]:
        return part.judge(claim, farthest_trials(trials, part.path, part.point))

    alone = None if part.judges_limit(claim) else farthest
    row_kept = held_back(row, found, farthest=alone, nears_bound=lambda: part.nears_bound(claim, trials))
    both = standings_of(
        row,
        row_kept,
        found,
        trials,
        regime=regime,
        point=part.point,
        again=lambda some: part.judge(claim, some),
    )
    failed = {letter for one in regime if one.name in found.not_met for letter in one.relation.free_symbols}
    ranges = _ranges(points, None if role is Role.REPAIR else failed) if role in (Role.REPAIR, Role.OUTSIDE) else {}
    return replace(row_kept, standings=both, spans=_spans(claim, points), ranges=ranges)


def _spans(claim: Claim, points: Sequence[Mapping[sp.Symbol, sp.Expr]]) -> dict[sp.Symbol, tuple[float, float]]:
    """The least and the largest number of each letter of the claim's value; none where it has no value."""
    return _ranges(points, set() if claim.value is None else claim.value.free_symbols)


def _ranges(
    points: Sequence[Mapping[sp.Symbol, sp.Expr]], letters: Collection[sp.Basic] | None = None
) -> dict[sp.Symbol, tuple[float, float]]:
    """The least and the largest number of letters, or of all that the points have."""
    wanted = {letter for point in points for letter in point if letters is None or letter in letters}
    numbers = {letter: [float(sp.N(point[letter])) for point in points if letter in point] for letter in wanted}
    return {letter: (min(found), max(found)) for letter, found in numbers.items()}
