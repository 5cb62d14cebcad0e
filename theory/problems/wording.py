"""Terms and relations as text that `theory.prover.typed.formula` reads back: the same tree, in parentheses."""

from __future__ import annotations

from collections.abc import Mapping

import sympy as sp

from theory.problems.formulas import Comparison, ProblemError

_CALLS: Mapping[type, str] = {
    sp.exp: "exp", sp.log: "log", sp.Abs: "abs", sp.sign: "sign", sp.sin: "sin", sp.cos: "cos", sp.tan: "tan",
    sp.sinh: "sinh", sp.cosh: "cosh", sp.tanh: "tanh", sp.asin: "asin", sp.acos: "acos", sp.atan: "atan",
    sp.erf: "erf", sp.erfc: "erfc", sp.Max: "max", sp.Min: "min", sp.factorial: "factorial", sp.floor: "floor",
    sp.ceiling: "ceiling", sp.frac: "frac", sp.Mod: "mod",
}  # fmt: skip
_RELATIONS = {sp.Lt: "<", sp.Le: "<=", sp.Gt: ">", sp.Ge: ">=", sp.Eq: "==", sp.Ne: "!="}
_SUM, _PRODUCT, _POWER, _ATOM = range(4)


def term_text(expression: sp.Expr) -> str:
    """A term as text. Raises ProblemError on a function that the grammar does not have."""
    return _text(expression)[0]


def relation_text(relation: Comparison) -> str:
    """A relation as text."""
    return f"{term_text(relation.left)} {relation.sign} {term_text(relation.right)}"


def _text(e: sp.Expr) -> tuple[str, int]:
    """A term and how strongly it binds."""
    if e.is_Symbol:
        return e.name, _ATOM
    if e.is_Rational:
        return _number(e)
    if e in (sp.pi, sp.E, sp.EulerGamma):
        return str(e), _ATOM
    if e.is_Add:
        return _sum(e), _SUM
    if e.is_Mul:
        return "*".join(_within(part, _POWER) for part in e.args), _PRODUCT
    if isinstance(e, sp.Pow) and not isinstance(e, sp.exp):
        return _power(e)
    if isinstance(e, sp.Piecewise):
        pieces = [f"({term_text(piece)}, {_condition(condition)})" for piece, condition in e.args]
        return f"Piecewise({', '.join(pieces)})", _ATOM
    if type(e) in _CALLS:
        return f"{_CALLS[type(e)]}({', '.join(term_text(part) for part in sorted_arguments(e))})", _ATOM
    raise ProblemError(f"a term must be made of known functions, got {type(e).__name__}")


def _condition(e: sp.Basic) -> str:
    """A condition of a piece; the parts of another in parentheses."""
    if e in (sp.true, sp.false):
        return "True" if e == sp.true else "not True"
    if isinstance(e, sp.Not):
        return f"not ({_condition(e.args[0])})"
    if isinstance(e, sp.And | sp.Or):
        parts = sorted(f"({_condition(part)})" for part in e.args)
        return (" and " if isinstance(e, sp.And) else " or ").join(parts)
    if type(e) not in _RELATIONS:
        raise ProblemError(f"a condition must be made of relations, got {type(e).__name__}")
    return f"{term_text(e.args[0])} {_RELATIONS[type(e)]} {term_text(e.args[1])}"


def sorted_arguments(e: sp.Expr) -> tuple[sp.Expr, ...]:
    """Arguments in an order that no hash decides: those of Max and Min are a set to sympy."""
    return tuple(sorted(e.args, key=sp.default_sort_key)) if isinstance(e, sp.Max | sp.Min) else e.args


def _number(value: sp.Rational) -> tuple[str, int]:
    text = str(value)
    return text, _ATOM if value.is_Integer and value >= 0 else _SUM if value < 0 else _PRODUCT


def _within(e: sp.Expr, strength: int) -> str:
    text, own = _text(e)
    return text if own >= strength else f"({text})"


def _sum(e: sp.Expr) -> str:
    return " + ".join(_within(part, _PRODUCT) for part in e.args)


def _power(e: sp.Expr) -> tuple[str, int]:
    base, exponent = e.args
    if exponent == sp.Rational(1, 2):
        return f"sqrt({term_text(base)})", _ATOM
    if exponent == -1:
        return f"(1/{_within(base, _ATOM)})", _ATOM
    return f"{_within(base, _ATOM)}^{_within(exponent, _ATOM)}", _POWER
