"""What may be asked: a relation over a box, checked at the border before anything works on it.

Sizes are bounded here, because sympy computes every digit of 10**(10**9) as soon as it rebuilds an expression, and
assumptions on symbols are held to a short list, because the checker must know what each of them excludes.
"""

from __future__ import annotations

import numbers
from collections.abc import Mapping, Sequence
from fractions import Fraction
from typing import Any

import sympy as sp
from sympy.core.function import AppliedUndef

from theory.intervals.box import Box, VariableRange, number
from theory.prover.expressions.points import evaluate
from theory.prover.expressions.values import Undecided, UndefinedValue, Value

RELATIONS = (sp.StrictLessThan, sp.LessThan, sp.StrictGreaterThan, sp.GreaterThan)
ASSUMPTIONS = ("real", "positive", "negative", "nonnegative", "nonpositive", "integer", "even", "odd", "prime")
"""What may be assumed of a symbol; all else could not be checked at a point."""

_MAX_NODES, _MAX_DEPTH, _MAX_BITS, _MAX_POWER = 20_000, 100, 13_000, 10_000


def stated(
    relation: Any, box: Mapping[sp.Symbol, tuple[Any, Any]], given: Sequence[Any]
) -> tuple[sp.Basic, Box, tuple[sp.Basic, ...]]:
    """The statement in exact terms.

    Raises:
        ValueError: not a relation, too large, inexact, a bad box, or an assumption that is not supported.
    """
    relation, hypotheses = _relation("relation", relation), tuple(_relation("given", g) for g in given)
    if not (relation in (sp.true, sp.false) or isinstance(relation, (*RELATIONS, sp.Eq))):
        raise ValueError(f"relation must be <, <=, >, >= or Eq, got {relation}")
    for hypothesis in hypotheses:
        if not (hypothesis in (sp.true, sp.false) or isinstance(hypothesis, (*RELATIONS, sp.Eq))):
            raise ValueError(f"given must be <, <=, >, >= or Eq, got {hypothesis}")
    ranges = {symbol: _range(symbol, ends) for symbol, ends in box.items()}
    _require_own_names(ranges)
    for part in (relation, *hypotheses):
        missing = sorted(str(symbol) for symbol in part.free_symbols - set(ranges))
        if missing:
            raise ValueError(f"box must contain every symbol of the relation, got none for {', '.join(missing)}")
    return relation, ranges, hypotheses


def _require_own_names(box: Box) -> None:
    """Raise ValueError on two symbols of one name: a record, and the reader, could not tell them apart."""
    seen: dict[tuple[str, int | None], sp.Symbol] = {}
    for symbol in box:
        key = symbol.name, symbol.dummy_index if isinstance(symbol, sp.Dummy) else None
        if key in seen:
            raise ValueError(f"box must have one symbol of each name, got two for {symbol}")
        seen[key] = symbol


def _relation(name: str, value: Any) -> sp.Basic:
    if isinstance(value, bool):
        return sp.true if value else sp.false
    if not isinstance(value, sp.Basic):
        raise ValueError(f"{name} must be a sympy relation, got {type(value).__name__}")
    _bound(name, value)
    return value


_MAX_GAP = 2000
"""A box narrower than this is searched for the even, odd or prime numbers that its symbol asks for."""


def _bound(name: str, whole: sp.Basic) -> None:
    """Raise ValueError on an expression that is too large or inexact; it is not printed, for it may be endless."""
    stack, nodes = [(whole, 0)], 0
    while stack:
        e, depth = stack.pop()
        nodes += 1
        if nodes > _MAX_NODES or depth > _MAX_DEPTH:
            raise ValueError(f"{name} must have at most {_MAX_NODES} parts, nested {_MAX_DEPTH} deep, got more")
        if isinstance(e, sp.Float):
            raise ValueError(f"{name} must be exact (no floats), got a Float")
        if isinstance(e, sp.Rational):
            _bound_number(name, e)
        if isinstance(e, AppliedUndef):
            raise ValueError(f"{name} must be made of known functions, got {e.func}")
        stack += [(part, depth + 1) for part in e.args]
    # Only now is it safe to ask sympy for the symbols of a part.
    for e in sp.preorder_traversal(whole):
        if e.func is sp.Pow and e.base == sp.E:  # sympy takes it for an exp with two arguments
            raise ValueError(f"{name} must write powers of E as exp, got {e}")
        if e.is_Pow and e.exp.is_Integer and abs(e.exp) > _MAX_POWER:
            raise ValueError(f"{name} must have exponents of at most {_MAX_POWER}, got {e.exp}")
        if isinstance(e, sp.Pow | sp.factorial | sp.gamma | sp.binomial) and not e.free_symbols:
            _bound_constant(name, e)


def _bound_number(name: str, value: sp.Rational) -> None:
    bits = max(int(value.p).bit_length(), int(value.q).bit_length())
    if bits > _MAX_BITS:
        raise ValueError(f"{name} must have numbers of at most {_MAX_BITS} bits, got one of {bits}")


def _bound_constant(name: str, e: sp.Basic) -> None:
    """Raise ValueError on a power or factorial that sympy would write out in too many digits."""
    try:
        size = evaluate(e, {})
    except UndefinedValue:
        return
    except Undecided:
        if isinstance(e, sp.Pow) and e.exp.is_Rational:
            return  # the base may be zero for all that balls tell, so the power is not large: its parts are bounded
        raise ValueError(f"{name} must have numbers of at most {_MAX_BITS} bits, got an unevaluated one") from None
    if _bits(size) > _MAX_BITS:
        raise ValueError(f"{name} must have numbers of at most {_MAX_BITS} bits, got a larger {e.func.__name__}")


def _bits(value: Value) -> float:
    """How many bits a number takes before or after the point, roughly."""
    if isinstance(value, Fraction):
        return max(value.numerator.bit_length(), value.denominator.bit_length())
    low, high = value.abs_lower(), value.abs_upper()
    return max(float(abs(end.log())) * 1.45 if end > 0 else 0.0 for end in (low, high))


def _range(symbol: Any, ends: Any) -> VariableRange:
    """The exact range of a symbol, without the values that its assumptions exclude at an end. Raises ValueError."""
    if not isinstance(symbol, sp.Symbol):
        raise ValueError(f"box must have symbols as keys, got {type(symbol).__name__}")
    _check_assumptions(symbol)
    if not (isinstance(ends, tuple | list) and len(ends) == 2):
        raise ValueError(f"box must give (low, high) for {symbol}, got {type(ends).__name__}")
    low, high = (_end(symbol, end) for end in ends)
    if low > high or low == sp.oo or high == -sp.oo:
        raise ValueError(f"box must have low <= high, got ({low}, {high}) for {symbol}")
    if (symbol.is_nonnegative and low < 0) or (symbol.is_nonpositive and high > 0):
        raise ValueError(f"box must respect the assumptions on {symbol}, got ({low}, {high})")
    is_open, is_open_high = bool(symbol.is_positive and low == 0), bool(symbol.is_negative and high == 0)
    if (low == high and (is_open or is_open_high)) or _holds_no_integer(symbol, low, high):
        raise ValueError(f"box must contain a value that the assumptions on {symbol} admit, got ({low}, {high})")
    return VariableRange(number(low), number(high), is_open, is_open_high)


def _holds_no_integer(symbol: sp.Symbol, low: sp.Expr, high: sp.Expr) -> bool:
    """Whether no integer of the kind that the symbol asks for lies between the ends; gaps between primes are short."""
    kinds = [name for name in ("is_even", "is_odd", "is_prime", "is_positive", "is_negative") if getattr(symbol, name)]
    if not symbol.is_integer or not kinds or not (low.is_finite and high.is_finite) or high - low > _MAX_GAP:
        return False
    values = map(sp.Integer, range(int(sp.ceiling(low)), int(sp.floor(high)) + 1))
    return not any(all(getattr(value, kind) for kind in kinds) for value in values)


def _end(symbol: sp.Symbol, value: Any) -> sp.Expr:
    is_number = isinstance(value, numbers.Rational | sp.Number) or value in (float("inf"), -float("inf"))
    if isinstance(value, bool) or not is_number:
        shown = (
            value if isinstance(value, float | sp.Basic) and not isinstance(value, sp.Float) else type(value).__name__
        )
        raise ValueError(f"box must have rational or infinite ends, got {shown} for {symbol}")
    end = sp.sympify(value)
    if isinstance(end, sp.Rational):
        _bound_number("box", end)
    elif end not in (sp.oo, -sp.oo):
        raise ValueError(f"box must have rational or infinite ends, got a {type(end).__name__} for {symbol}")
    return end


def _check_assumptions(symbol: sp.Symbol) -> None:
    """Raise ValueError on an assumption beyond `ASSUMPTIONS` and what follows from them."""
    facts = symbol.assumptions0
    kept = {name: True for name in ASSUMPTIONS if facts.get(name)} | {"real": True}
    implied = sp.Symbol("x", **kept).assumptions0 if facts.get("real") is not False else {}
    excess = sorted(name for name, value in facts.items() if implied.get(name) != value)
    if excess:
        named = [name for name in excess if name in symbol._assumptions_orig] or excess
        raise ValueError(
            f"assumptions on {symbol} must be among {', '.join(ASSUMPTIONS)}, got {named[0]} = {facts[named[0]]}"
        )
