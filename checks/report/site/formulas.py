"""Formulas of a page: each with the LaTeX that is typeset, and its text where none is.

`theory.display` writes the LaTeX, as it does for the table and for notebooks.
"""

from __future__ import annotations

import sympy as sp

from checks.report.escape import plain
from checks.report.site.model import Formula
from theory.display.formulas import typeset
from theory.display.names import latex_symbol

_MOST_TEXT = 20_000


def formula_of(expression: sp.Basic | int | str) -> Formula:
    """An expression, a relation or an infinity as a formula; a text stays one, since sympy would run it."""
    text = plain(expression, _MOST_TEXT)
    try:
        return Formula(text, typeset(sp.sympify(expression, strict=True)))
    except (ValueError, TypeError, AttributeError, RecursionError, NotImplementedError, sp.SympifyError):
        return Formula(text)


def limit_formula(expression: sp.Expr, symbol: sp.Symbol, point: sp.Expr, value: sp.Expr) -> Formula:
    """A limit with its value."""
    parts = [formula_of(part) for part in (expression, symbol, point, value)]
    words = f"limit of {parts[0].text} as {symbol} tends to {point} is {value}"
    if not all(part.latex for part in parts):
        return Formula(words)
    body, letter, place, result = (part.latex for part in parts)
    return Formula(words, rf"\lim_{{{letter} \to {place}}} \left({body}\right) = {result}")


def range_formula(symbol: sp.Symbol, low: object, high: object) -> Formula:
    """A symbol's range, closed at finite ends."""
    letter, least, most = (formula_of(sp.sympify(end, strict=True)) for end in (symbol, low, high))
    text = f"{least.text} <= {letter.text} <= {most.text}"
    if low == -sp.oo and high == sp.oo:
        return Formula(f"{letter.text} real", rf"{letter.latex} \in \mathbb{{R}}")
    if high == sp.oo:
        return Formula(f"{letter.text} >= {least.text}", rf"{letter.latex} \geq {least.latex}")
    if low == -sp.oo:
        return Formula(f"{letter.text} <= {most.text}", rf"{letter.latex} \leq {most.latex}")
    return Formula(text, rf"{least.latex} \leq {letter.latex} \leq {most.latex}")


def for_some(formula: Formula) -> Formula:
    """What is said of a constant that may be chosen."""
    return Formula(f"for some {formula.text}", rf"\exists\; {formula.latex}" if formula.latex else "")


def toward_formula(symbol: sp.Symbol, toward: object) -> Formula:
    """A symbol with the limit that it goes to."""
    limit = {"infinity": r"\infty", "zero": "0"}.get(str(toward)) if isinstance(toward, str) else None
    end = limit or formula_of(toward).latex  # type: ignore[arg-type]
    return Formula(f"{symbol} -> {toward}", rf"{latex_symbol(symbol.name)} \to {end}")
