"""What evidence made of trials shares: the claim on the measured grid, its hidden constants, and the finished row.

A `Candidate` is one choice of a claim's hidden constants: what the claim then says at every grid point, and at which of
them it says anything. Constants are profiled over their stated ranges, never set to 1: `profile` keeps the choice that
treats the claim best, so that it is violated only if it is violated for all of them. Points out of the regime are
kept, drawn grey, and take no part in a fit.
"""

from __future__ import annotations

import itertools
import math
import re
from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

import sympy as sp

from checks.evidence.enclosed_claims import moves_limit, settling_boxes
from checks.evidence.endings import counted
from checks.evidence.family import lines_left
from checks.evidence.kinds import verdict_of
from checks.evidence.later import exponents, local_slopes, rules
from checks.evidence.part import Part
from checks.evidence.regime import met_at
from checks.evidence.theory_cache import theory_cache
from checks.evidence.typed import command
from checks.records.many_trials import number, seconds_by_size, seconds_of
from checks.records.pictures import Curve, Picture
from checks.records.rows import Display, Point, Protocol, Row
from checks.statistics.explanation import Clause, Clauses, Topic, clauses_of, obstacle
from checks.statistics.policy import ErrorPolicy
from checks.statistics.verdict import Judgement, Verdict
from sim.trials.trial import Outcome, Trial
from theory.claim import Axis, Claim, Kind, Met, at

if TYPE_CHECKING:
    from checks.statistics.estimates import Estimate

_SAME_SLOPE = 1e-6

OUTSIDE = Judgement(Verdict.OUT_OF_REGIME, obstacle(Topic.REGIME, "no grid point lies in the claim's regime"))


NO_RATIO = "a value claimed to be 0 has no ratio to judge by"


def in_scaling_family(policy: ErrorPolicy, claim: Claim) -> ErrorPolicy:
    """The policy under which a scaling claim is judged: called violated at its share of the paper's error alone."""
    return policy.of_family(lines_left(policy, claim))


def relation_of(kind: Kind) -> str:
    """How a measured quantity must stand to the claimed one."""
    return {
        Kind.UPPER: "upper",
        Kind.LOWER: "lower",
        Kind.TIGHT: "tight",
        Kind.EXPLICIT_UPPER: "upper",
        Kind.EXPLICIT_LOWER: "lower",
        Kind.UNSPECIFIED_ORDER: "upper",
        Kind.EVERY_ALGORITHM: "lower",
        Kind.FIGURE: "tight",
    }[kind]


_NUMBER = re.compile(r"-?\d+(/\d+)?")

# --------------------------------------------------------------------------------------- the claim on a measured grid


@dataclass(frozen=True)
class Candidate:
    """One choice of hidden constants: the claim's values on the grid, its limit, and the points it can be judged on."""

    constants: Mapping[sp.Symbol, sp.Expr]
    bounds: list[float | None]
    usable: list[bool]
    toward: str | float = "infinity"
    error_share: float = 1.0
    """Share of the error that this choice may spend: less than 1 where others are judged on other points."""
    elsewhere: Callable[[Mapping[sp.Symbol, sp.Expr]], Candidate] | None = None
    """The same claim on the same grid at another choice of constants."""
    grid: Sequence[Mapping[sp.Symbol, sp.Expr]] = ()
    axis: Axis | None = None

    def __str__(self) -> str:
        """The choice, as an explanation prints it."""
        return ", ".join(f"{symbol} = {value}" for symbol, value in self.constants.items())

    def bound(self, index: int) -> float:
        """The claim's value at a usable point."""
        bound = self.bounds[index]
        if bound is None:
            raise ValueError(f"index must be that of a usable point, which has a bound, got {index}")
        return bound


def constant_choices(claim: Claim) -> list[dict[sp.Symbol, sp.Expr]]:
    """Low end, middle and high end of every hidden constant's range, in all combinations."""
    values = [sorted({c.low, (c.low + c.high) / 2, c.high}) for c in claim.constants]
    return [
        {constant.symbol: value for constant, value in zip(claim.constants, choice, strict=True)}
        for choice in itertools.product(*values)
    ]


def scan(
    claim: Claim, grid: Sequence[Mapping[sp.Symbol, sp.Expr]], *, axis: Axis | None = None, least: float = 0.0
) -> list[Candidate]:
    """The claim on a grid, once for each choice of its hidden constants.

    Args:
        grid: the measured points in the paper's symbols.
        axis: the axis judged; a point on the boundary it approaches is not usable.
        least: bounds must exceed it to be usable; orders are compared by logarithms, explicit bounds may be anything.
    """

    def chosen(constants: Mapping[sp.Symbol, sp.Expr]) -> Candidate:
        bounds = [_number(claim.value, {**constants, **point}) for point in grid]
        toward = _limit(axis, {**constants, **grid[0]})
        usable = [
            bound is not None
            and bound > least
            and not (axis is not None and point[axis.symbol] == toward)
            and not any(met_at(hypothesis, point, constants) is Met.NOT_MET for hypothesis in claim.regime)
            for bound, point in zip(bounds, grid, strict=True)
        ]
        return Candidate(constants, bounds, usable, toward, elsewhere=chosen, grid=grid, axis=axis)

    return [chosen(constants) for constants in constant_choices(claim)]


def profile(
    claim: Claim,
    judge: Callable[[Candidate], Judgement],
    candidates: Sequence[Candidate],
    measured: Sequence[float | None] = (),
) -> tuple[Judgement, Candidate]:
    """Judge over all hidden constants; returns the judgement and the candidate it speaks of.

    Constants that exist are chosen in the claim's favour; over those that the claim makes for every value, the least
    favourable one counts.

    Args:
        measured: the mean at each grid point, by which an exact claim is judged.
    """
    free = [constant.symbol for constant in claim.constants if constant.for_all]
    groups: dict[tuple[sp.Expr, ...], list[Candidate]] = {}
    for candidate in candidates:
        groups.setdefault(tuple(candidate.constants[symbol] for symbol in free), []).append(candidate)
    answers = [
        _spared(claim, judge, *rules.profiled_choice(judge, sharing_error(group)), measured)
        for group in groups.values()
    ]
    judgement, chosen = max(answers, key=lambda answer: answer[0].verdict.severity)
    judgement = rules.over_choices(judgement, [answer for answer, _ in answers])
    if not free:
        return judgement, chosen
    least = ", ".join(f"{symbol} = {chosen.constants[symbol]}" for symbol in free)
    words = f"claimed for every value, least favourable: {least}"
    return judgement.adding(choices=(Clause(Topic.CONSTANTS, words, {"chosen": least}),)), chosen


def _spared(
    claim: Claim,
    judge: Callable[[Candidate], Judgement],
    judgement: Judgement,
    chosen: Candidate,
    measured: Sequence[float | None],
) -> tuple[Judgement, Candidate]:
    """An accusation that stands for all constants between the nodes, or what spares the claim; others as they are.

    Where no enclosure settles it and nothing is found that spares the claim, the accusation is withdrawn.
    """
    free = [c for c in claim.constants if not c.for_all and c.high > c.low]
    if judgement.verdict is not Verdict.VIOLATED or not free or chosen.elsewhere is None:
        return judgement, chosen
    ranges = {str(c.symbol): (float(c.low), float(c.high)) for c in free}
    boxes = 0
    if not any(chosen.axis is not None and point[chosen.axis.symbol] == chosen.toward for point in chosen.grid):
        boxes = settling_boxes(
            claim,
            lambda bounds, usable: judge(replace(chosen, bounds=list(bounds), usable=usable)),
            chosen.constants,
            chosen.grid,
            axis=chosen.axis,
            toward=chosen.toward,
            measured=measured,
        )
    if boxes:
        return rules.settled(judgement, boxes, ranges), chosen
    symbols = {str(c.symbol): c.symbol for c in free}
    elsewhere = chosen.elsewhere

    def candidate(choice: Mapping[str, float]) -> Candidate:
        values = {symbols[name]: sp.Rational(f"{value:.6g}") for name, value in choice.items()}
        return replace(elsewhere({**chosen.constants, **values}), error_share=chosen.error_share)

    start = {name: float(chosen.constants[symbols[name]]) for name in ranges}
    found = rules.spared_within(lambda choice: judge(candidate(choice)), ranges, start)
    if found is None and moves_limit(claim, chosen.axis):
        return rules.searched(judgement, ranges), chosen
    if found is None:
        return rules.left_open(judgement, ranges), chosen
    return rules.profiled_choice(judge, [candidate(found)])


def sharing_error(candidates: Sequence[Candidate]) -> list[Candidate]:
    """The candidates, each with its share of the error: all of it where all are judged on the same points."""
    share = rules.error_share([[i for i, ok in enumerate(one.usable) if ok] for one in candidates])
    return [replace(candidate, error_share=share) for candidate in candidates]


def _limit(axis: Axis | None, point: Mapping[sp.Symbol, sp.Expr]) -> str | float:
    """Where an axis goes, as a word or a number; a boundary at zero is "zero"."""
    if axis is None or isinstance(axis.toward, str):
        return axis.toward if axis else "infinity"
    return _number(axis.toward, point) or "zero"


def _number(expression: sp.Expr | None, values: Mapping[sp.Symbol, sp.Expr]) -> float | None:
    """Value of a claim at a grid point, None where it is not a finite real.

    Raises:
        ValueError: naming a symbol that nothing determines.
    """
    if expression is None:
        raise ValueError("a claim without a formula has nothing to compare with")
    result = at(expression, values)
    if result.free_symbols:
        left = ", ".join(sorted(map(str, result.free_symbols)))
        raise ValueError(f"every symbol of a claim must be measured or a stated constant, got {left} left over")
    number = complex(result)
    return number.real if number.imag == 0 and math.isfinite(number.real) else None


def exponent_words(claim: Claim, axis: Axis, grid: Sequence[Mapping[sp.Symbol, sp.Expr]] = ()) -> str | None:
    """The claim's exact asymptotic exponent in an axis, derived from its value; None where there is none.

    Args:
        grid: the measured points in the paper's symbols. Letters that keep their value over it stand at that value.
            Where another letter of the claim moves with the axis, the limit along the grid is another one, and none is
            given.
    """
    letters = set() if claim.value is None else claim.value.free_symbols - {axis.symbol}
    found = {letter: {point[letter] for point in grid if letter in point} for letter in letters}
    if any(len(values) > 1 for values in found.values()):
        return None
    kept = {letter: values.pop() for letter, values in found.items() if values}

    def derived(values: Mapping[sp.Symbol, sp.Expr]) -> str | None:
        try:
            return str(exponents.exponent(claim.value, axis.symbol, toward=axis.toward).subs(values))
        except ValueError:
            return None

    question = f"exponent of {sp.srepr(claim.value)} in {sp.srepr(axis.symbol)} toward {sp.srepr(axis.toward)}"
    generic = theory_cache().get(question, lambda: derived({}))
    if generic is None or _NUMBER.fullmatch(generic) or not kept:
        return generic
    at = ", ".join(sorted(f"{letter} = {value}" for letter, value in kept.items()))
    return theory_cache().get(f"{question} at {at}", lambda: derived(kept))


def shown_slopes(
    claim: Claim, axis: Axis, grid: Sequence[Mapping[sp.Symbol, sp.Expr]], constants: Mapping[sp.Symbol, sp.Expr]
) -> Clauses:
    """What a sweep inside the grid's box can show of the claim at all, certified.

    None where there is nothing to say: a pure power has its exponent everywhere, and slopes near a pole no bound.

    Args:
        grid: the measured points in the paper's symbols.
        constants: one choice of the claim's hidden constants.
    """
    value = claim.formula
    if axis.symbol not in value.free_symbols:
        return ()
    box = {}
    for symbol in value.free_symbols:
        lows, highs = zip(*(_rational_ends({**constants, **point}[symbol]) for point in grid), strict=True)
        box[symbol] = min(lows), max(highs)

    def enclose() -> str | None:
        try:
            slopes = local_slopes.slope_range(value, axis.symbol, box)
        except ValueError:
            return None
        return None if slopes.high - slopes.low < _SAME_SLOPE else str(slopes)

    ranges = sorted((sp.srepr(symbol), *map(sp.srepr, ends)) for symbol, ends in box.items())
    question = f"slopes of {sp.srepr(value)} in {sp.srepr(axis.symbol)} on {ranges} beyond {_SAME_SLOPE}"
    slopes = theory_cache().get(question, enclose)
    low, high = map(float, box[axis.symbol])
    words = slopes and f"any sweep over {axis.symbol} in [{low:g}, {high:g}] shows a slope of the claim in {slopes}"
    return clauses_of(Topic.GRID, words or "", slopes=slopes)


def _rational_ends(value: sp.Expr) -> tuple[sp.Rational, sp.Rational]:
    """Rationals on either side of a number; the number itself where it is one."""
    if value.is_Rational:
        return value, value
    near = sp.Rational(value.evalf(40))
    reach = abs(near) / 10**30
    return near - reach, near + reach


# ------------------------------------------------------------------------------------------------- trials into rows


def sane(trials: Sequence[Trial]) -> list[Trial]:
    """Trials that did not diverge."""
    return [trial for trial in trials if trial.result.outcome != Outcome.DIVERGED]


def succeeded(trial: Trial, observable: str) -> bool:
    """Whether a trial shows a boolean observable. A diverged trial does not succeed, whatever it recorded."""
    return trial.result.outcome != Outcome.DIVERGED and trial.flag(observable)


def setting_words(trial: Trial, *, leaving_out: Collection[str] | None = None) -> str:
    """A trial's parameters, as an explanation prints them; without some of them it is no longer one trial's."""
    words = [f"{name}={value}" for name, value in trial.spec.parameters.items() if name not in (leaving_out or ())]
    return ", ".join(words if leaving_out else [*words, f"replicate={trial.spec.replicate}"])


def scaled_points(
    claim: Claim,
    candidate: Candidate,
    judgement: Judgement,
    groups: Mapping[float, Sequence[Trial]],
    measured: Mapping[float, Estimate],
) -> tuple[Point, ...]:
    """Points of a row; the claim is scaled by the fitted prefactor where it leaves that open."""
    prefactor = 1.0 if claim.kind.is_explicit else judgement.exponents.prefactor or 1.0
    points = []
    for (value, trials), bound, usable in zip(groups.items(), candidate.bounds, candidate.usable, strict=True):
        estimate = measured[value]
        interval = estimate.confidence_interval
        points.append(
            Point(
                value=value,
                bound=None if bound is None else bound * prefactor,
                measured=estimate.value,
                low=interval.low if interval else None,
                high=interval.high if interval else None,
                censored=estimate.censored,
                in_regime=usable,
                n_trials=len(trials),
                endings=tuple(counted(trials).items()),
            )
        )
    return tuple(points)


def make_row(
    part: Part,
    claim: Claim,
    judgement: Judgement,
    trials: Sequence[Trial],
    *,
    points: tuple[Point, ...] = (),
    axis: Axis | None = None,
    exponent: str | None = None,
    toward: str | float | None = None,
    axis_words: str = "",
    curves: tuple[Curve, ...] = (),
    pictures: tuple[Picture, ...] = (),
) -> Row:
    """A row with what every part reports alike: note, where its plan is worked out, remark, diverged runs.

    The kind of claim has the last word on the verdict: no evidence of one algorithm "holds" for every algorithm.
    """
    judgement = replace(judgement, verdict=verdict_of(claim.kind, judgement.verdict))
    lost = number(trials, lambda trial: trial.result.outcome == Outcome.DIVERGED)
    lost_words = f"{lost} of {len(trials)} runs diverged" if lost else ""
    said = part.remark(sane(trials)) if part.remark else ""
    parameter = getattr(part, "parameter", "")
    plan = f"costs and power: {command('plan', claim.id)}" if judgement.plan else ""
    judgement = judgement.adding(
        choices=clauses_of(Topic.PROTOCOL, part.note),
        evidence=clauses_of(Topic.REMARK, said),
        left_out=clauses_of(Topic.DIVERGED, lost_words, diverged=lost, runs=len(trials)),
        next=clauses_of(Topic.COST, plan),
    )
    return Row(
        claim,
        part.name,
        judgement,
        axis=axis,
        toward=toward,
        points=points,
        aspect=part.aspect,
        protocol=Protocol(
            len(trials), seconds_of(trials), seconds_at=seconds_by_size(trials, parameter) if plan else {}
        ),
        display=Display(exponent, axis_words, curves, pictures),
        policy=part.policy,
    )
