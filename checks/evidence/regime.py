"""Where a claim's hypotheses stand at measured points: met, not met, or undetermined because a constant is hidden.

A hypothesis with a hidden constant ("m >= c M^2 log N") is undetermined at every single point, and no verdict against a
paper may rest on such a point alone. It may where the points lie on a path toward a limit along which the hypothesis is
met from some size on whatever the constant is: `is_met_eventually` derives that from the formulas. Otherwise
`constants_needed` says which constants would put the points inside the hypotheses.
"""

from __future__ import annotations

import functools
import math
from collections.abc import Callable, Mapping, Sequence
from contextlib import suppress

import sympy as sp

from checks.evidence.later import balls, exponents
from checks.records.standing import Standing
from theory.claim import Hypothesis, Met, Path, Regime, at


def standing(
    regime: Regime, points: Sequence[Mapping[sp.Symbol, sp.Expr]], *, path: Path | None = None, fixed: Mapping = {}
) -> Standing:
    """Where the hypotheses of `regime` stand at `points`, each a mapping of the paper's symbols to numbers.

    Args:
        path: how the points move toward a limit; used only where they are on it (`follows`).
        fixed: values of constants that a judgement has chosen.
    """
    counts: dict[Met, dict[str, int]] = {met: {} for met in Met}
    needed: dict[str, str] = {}
    for hypothesis in regime:
        for point in points:
            met = met_at(hypothesis, point, fixed)
            counts[met][hypothesis.name] = counts[met].get(hypothesis.name, 0) + 1
        if hypothesis.name in counts[Met.UNDECIDABLE]:
            words = constants_needed(hypothesis, points)
            needed |= {hypothesis.name: words} if words else {}
    on_path = path is not None and follows(path, points)
    eventually = frozenset(
        h.name
        for h in regime
        if h.name in counts[Met.UNDECIDABLE]
        and on_path
        and path is not None
        and (is_met_eventually(h, path) or _is_met_by_choice(h, path))
    )
    return Standing(counts[Met.MET], counts[Met.NOT_MET], counts[Met.UNDECIDABLE], eventually, needed)


def met_at(hypothesis: Hypothesis, point: Mapping[sp.Symbol, sp.Expr], fixed: Mapping[sp.Symbol, sp.Expr] = {}) -> Met:
    """Whether a point meets a hypothesis; constants in `fixed` count only where nothing else stays open."""
    known = {**fixed, **point}
    if not _symbols(hypothesis) <= set(known):
        known = dict(point)
    return _met_at(hypothesis, _values(hypothesis, known))


@functools.cache
def _symbols(hypothesis: Hypothesis) -> frozenset[sp.Symbol]:
    """The letters of a hypothesis; sympy walks through the formula each time that it is asked."""
    return frozenset(hypothesis.relation.free_symbols)


def _values(hypothesis: Hypothesis, point: Mapping[sp.Symbol, sp.Expr]) -> frozenset[tuple[sp.Symbol, sp.Expr]]:
    """What a point says of the letters of a hypothesis."""
    return frozenset((symbol, point[symbol]) for symbol in _symbols(hypothesis) & set(point))


@functools.cache
def _met_at(hypothesis: Hypothesis, values: frozenset[tuple[sp.Symbol, sp.Expr]]) -> Met:
    """Whether the hypothesis is met, once for all points, claims and questions that share it."""
    point = dict(values)
    if (told := _in_balls(hypothesis, point)) is not None:
        return Met.MET if told else Met.NOT_MET
    if _is_open(hypothesis, point):
        return Met.UNDECIDABLE
    relation = _at(hypothesis, values)
    return Met.MET if relation == sp.true else Met.NOT_MET if relation == sp.false else Met.UNDECIDABLE


@functools.cache
def _at(hypothesis: Hypothesis, values: frozenset[tuple[sp.Symbol, sp.Expr]]) -> sp.Basic:
    """The hypothesis at a point, which takes milliseconds; an open relation is left as it is written."""
    relation, point = hypothesis.relation, dict(values)
    if isinstance(relation, sp.And) or not _is_open(hypothesis, point):
        return at(relation, point)
    return relation.func(*(at(side, point) for side in relation.args), evaluate=False)


def _in_balls(hypothesis: Hypothesis, point: Mapping[sp.Symbol, sp.Expr]) -> bool | None:
    """Whether it holds at rational numbers for all of its letters, as enclosures show; None where they do not.

    sympy tells it as surely in a hundred times as long: it asks what may be assumed of every part before it looks.
    """
    if _symbols(hypothesis) != set(point) or not all(value.is_Rational for value in point.values()):
        return None
    told = {_part_in_balls(part, point) for part in conjuncts(hypothesis.relation)}
    return False if False in told else None if None in told else True


def _part_in_balls(part: sp.Basic, point: Mapping[sp.Symbol, sp.Expr]) -> bool | None:
    if type(part) not in balls.MEETS:
        return None
    sign = balls.sign_of(balls.ball(_gap(part), point, bits=_BITS))
    return None if sign is None else sign in balls.MEETS[type(part)]


@functools.cache
def _gap(part: sp.Basic) -> sp.Expr:
    """The left side of a relation less the right one."""
    return sp.Add(part.args[0], -part.args[1])


_BITS = 128
_TRIED = (1.234567e-6, 1.234567e-3, 0.8765432, 43.21, 1.234567e6)
"""Values of hidden constants at which a hypothesis is tried in floats; none is a value at which sides are equal."""


def _is_open(hypothesis: Hypothesis, point: Mapping[sp.Symbol, sp.Expr]) -> bool:
    """Whether it holds at a point for some values of its constants and fails for others, as floats show.

    Asked the same, sympy looks long at what it may assume of such constants, and says nothing.
    """
    letters, holds = _in_floats(hypothesis)
    left = [letter for letter in letters if letter not in point]
    if not left or holds is None or not all(letter.is_nonnegative and not letter.is_integer for letter in left):
        return False
    known = {letter: float(point[letter]) for letter in letters if letter in point}
    found = set()
    for constant in _TRIED:
        values = {**dict.fromkeys(left, constant), **known}
        with suppress(ArithmeticError, TypeError, ValueError):  # too large for a float, or not real
            found.add(bool(holds(*(values[letter] for letter in letters))))
    return len(found) == 2


@functools.cache
def _in_floats(hypothesis: Hypothesis) -> tuple[tuple[sp.Symbol, ...], Callable[..., bool] | None]:
    """The letters of a hypothesis, and whether it holds at numbers for them; None for what is no inequality."""
    letters = tuple(sorted(_symbols(hypothesis), key=str))
    if not all(hasattr(part, "gts") for part in conjuncts(hypothesis.relation)):
        return letters, None
    return letters, sp.lambdify(letters, hypothesis.relation, "math")


def all_met(regime: Regime, point: Mapping[sp.Symbol, sp.Expr]) -> Met:
    """The worst of a point's answers: not met, else undetermined, else met."""
    found = {met_at(hypothesis, point) for hypothesis in regime}
    return next((met for met in (Met.NOT_MET, Met.UNDECIDABLE) if met in found), Met.MET)


# ------------------------------------------------------------------------------------------------------------- paths


def follows(path: Path, points: Sequence[Mapping[sp.Symbol, sp.Expr]]) -> bool:
    """Whether every point has the values that the path gives it, as far as the point names them.

    Points that stay in one place follow no path. What the path does not move must not move in step with it either:
    every place of the path has the same values of all else.
    """
    others: dict[sp.Expr, set[frozenset]] = {}
    for point in points:
        if path.symbol not in point:
            return False
        for symbol, value in path.moves.items():
            if symbol in point:
                there = sp.N(at(value, {path.symbol: point[path.symbol]}))
                if not there.is_number or abs(there - sp.N(point[symbol])) > _reach(symbol, point[symbol]):
                    return False
        still = frozenset(item for item in point.items() if item[0] != path.symbol and item[0] not in path.moves)
        others.setdefault(point[path.symbol], set()).add(still)
    return len(others) > 1 and len(set(map(frozenset, others.values()))) == 1


def _reach(symbol: sp.Symbol, value: sp.Expr) -> float:
    """How far a measured value may lie from the path's: whole numbers are rounded."""
    return 1.0 if symbol.is_integer else 1e-6 * (1 + abs(float(value)))


def _is_met_by_choice(hypothesis: Hypothesis, path: Path) -> bool:
    """Whether the path moves no letter of the hypothesis, and whoever applies the theorem chooses all its constants.

    A size that stays where it is meets "d = poly(D)" for some polynomial, as in `Hypothesis.at_own_settings`.
    """
    moved = {path.symbol, *path.moves}
    return bool(hypothesis.free) and not hypothesis.hidden and moved.isdisjoint(_symbols(hypothesis))


_ANY_POLYNOMIAL = sp.Integer(12)
"""Value put in for an exponent that whoever applies a theorem may choose."""
_FAR = (10**30, 10**60)
"""Distances toward a limit at which a quotient that neither grows nor shrinks is compared with 1."""
_SAMPLES = (sp.Rational(1, 10**6), sp.Integer(1), sp.Integer(10) ** 6)
"""Values of hidden constants at which the signs of both sides are looked at."""


def is_met_eventually(hypothesis: Hypothesis, path: Path) -> bool:
    """Whether the hypothesis is met from some place of the path on, whatever the theorem's positive constants are.

    The quotient of the larger side over the smaller must tend to infinity, or, where no constant of the theorem is
    hidden in it, stay above 1. What cannot be derived counts as no.
    """
    return _is_met_eventually(hypothesis, path.symbol, path.toward, frozenset(path.moves.items()))


@functools.cache
def _is_met_eventually(
    hypothesis: Hypothesis, symbol: sp.Symbol, toward: str, moves: frozenset[tuple[sp.Symbol, sp.Expr]]
) -> bool:
    path = Path("", symbol, toward, dict(moves))
    relation = hypothesis.relation.xreplace(dict.fromkeys(hypothesis.free, _ANY_POLYNOMIAL))
    return all(_part_is_met(path.along(part), path) for part in conjuncts(relation))


def conjuncts(relation: sp.Basic) -> tuple[sp.Basic, ...]:
    """The relations that one consists of."""
    return relation.args if isinstance(relation, sp.And) else (relation,)


def _part_is_met(moved: sp.Basic, path: Path) -> bool:
    if moved in (sp.true, sp.false):
        return moved == sp.true
    if not hasattr(moved, "gts") or path.symbol not in moved.free_symbols or not _is_positive_far_out(moved, path):
        return False
    quotient = moved.gts / moved.lts
    try:
        power = exponents.exponent(quotient, path.symbol, toward=path.toward)
        growth = power if path.toward == "infinity" else -power
        if not growth.is_zero:
            return bool(growth.is_positive)
        logs = exponents.log_degree(quotient, path.symbol, toward=path.toward)
        if not logs.is_zero:
            return bool(logs.is_positive)
    except (ValueError, ArithmeticError):
        return False
    return quotient.free_symbols <= {path.symbol} and all(sp.N(at(quotient, place)) > 1 for place in _far_out(path))


def _far_out(path: Path) -> list[dict[sp.Symbol, sp.Expr]]:
    return [{path.symbol: sp.Integer(far) if path.toward == "infinity" else sp.Rational(1, far)} for far in _FAR]


def _is_positive_far_out(moved: sp.Basic, path: Path) -> bool:
    """Whether both sides are positive, whatever the constants: otherwise their quotient does not order them."""
    constants = sorted(moved.free_symbols - {path.symbol}, key=str)
    for place in _far_out(path):
        place = {symbol: sp.Float(value) for symbol, value in place.items()}  # exact powers would fill the memory
        for value in map(sp.Float, _SAMPLES):
            sides = [sp.N(at(side, {**dict.fromkeys(constants, value), **place})) for side in (moved.gts, moved.lts)]
            if not all(side.is_extended_real and side > 0 for side in sides):
                return False
    return True


# --------------------------------------------------------------------------------------------------------- constants


def constants_needed(hypothesis: Hypothesis, points: Sequence[Mapping[sp.Symbol, sp.Expr]]) -> str:
    """The constants, in words, for which every point would meet the hypothesis; "" where no such words are known.

    Known where one constant is left and its side is linear in it.
    """
    if not _may_be_linear(hypothesis, _symbols(hypothesis).difference(*points)):
        return ""
    bounds: dict[tuple[str, str], list[float]] = {}
    for values in _that_decide(hypothesis, list(dict.fromkeys(_values(hypothesis, point) for point in points))):
        for part in conjuncts(_at(hypothesis, values)):
            found = _linear_bound(part)
            if found is None:
                if part not in (sp.true, True):
                    return ""
                continue
            name, sign, value = found
            bounds.setdefault((name, sign), []).append(value)
    said = [
        f"{name} {sign} {min(values) if sign == '<=' else max(values):.3g}" for (name, sign), values in bounds.items()
    ]
    return " and ".join(said)


@functools.cache
def _may_be_linear(hypothesis: Hypothesis, left: frozenset[sp.Symbol]) -> bool:
    """Whether a relation can have such words, which is asked of it as it stands and not anew at every point."""
    if isinstance(hypothesis.relation, sp.And) or len(left) != 1:
        return True
    (constant,) = left
    relation = hypothesis.relation
    return not hasattr(relation, "gts") or constant not in sp.diff(relation.gts - relation.lts, constant).free_symbols


_Values = frozenset[tuple[sp.Symbol, sp.Expr]]


def _that_decide(hypothesis: Hypothesis, places: Sequence[_Values]) -> Sequence[_Values]:
    """Of points those whose constant may be the least or the largest, as floats show; all where floats do not.

    Each point costs sympy milliseconds, and a search for a law asks of thousands.
    """
    bounds: dict[bool, list[tuple[float, _Values]]] = {}
    for values in places:
        found = _bound_in_floats(hypothesis, values)
        if found is None:
            return places
        bounds.setdefault(found[0], []).append((found[1], values))
    kept: list[_Values] = []
    for is_lower, reached in bounds.items():
        end = (max if is_lower else min)(bound for bound, _ in reached)
        kept += [values for bound, values in reached if math.isclose(bound, end, rel_tol=_AS_GOOD)]
    return kept


_AS_GOOD = 1e-9
"""Share by which bounds in floats may differ where only sympy can tell which is the larger one."""


def _bound_in_floats(hypothesis: Hypothesis, values: _Values) -> tuple[bool, float] | None:
    """Whether a point bounds the one constant that is left from below, and by which positive number."""
    point = dict(values)
    left = _symbols(hypothesis) - set(point)
    if len(left) != 1:
        return None
    letters, parts = _linear_parts(hypothesis, *left)
    try:
        slope, rest = parts(*(float(point[letter]) for letter in letters)) if parts is not None else (0.0, 0.0)
        bound = -rest / slope
    except (ArithmeticError, TypeError, ValueError):  # too large for a float, not real, or no slope
        return None
    return (slope > 0, bound) if math.isfinite(bound) and bound > 0 else None


@functools.cache
def _linear_parts(hypothesis: Hypothesis, constant: sp.Symbol) -> tuple[tuple[sp.Symbol, ...], Callable | None]:
    """The other letters, and of them the slope in a constant and what is left where it is 0; None for what has none."""
    relation, letters = hypothesis.relation, tuple(sorted(_symbols(hypothesis) - {constant}, key=str))
    if not hasattr(relation, "gts"):
        return letters, None
    gap = relation.gts - relation.lts
    slope = sp.diff(gap, constant)
    if constant in slope.free_symbols:
        return letters, None
    return letters, sp.lambdify(letters, (slope, gap.xreplace({constant: sp.Integer(0)})), "math")


def _linear_bound(relation: sp.Basic) -> tuple[str, str, float] | None:
    """(constant, "<=" or ">=", bound) of a relation that is linear in the one symbol it has left."""
    if len(relation.free_symbols) != 1 or not hasattr(relation, "gts"):
        return None
    (constant,) = relation.free_symbols
    gap = relation.gts - relation.lts
    slope = sp.diff(gap, constant)
    if slope.free_symbols or slope == 0:
        return None
    value = sp.N(-gap.xreplace({constant: sp.Integer(0)}) / slope)
    return (constant.name, ">=" if slope > 0 else "<=", float(value)) if value.is_real else None
