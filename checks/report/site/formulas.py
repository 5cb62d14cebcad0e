"""Formulas as LaTeX, from sympy's printer, with symbols named as papers name them.

Names such as `||q_1||`, `|S|-|S_1|`, `(delta+tau)` or `c''` are read as small formulas: the printer of sympy takes the
bars for letters and sets a prime beside a power, which no LaTeX accepts. A name that is none is set as words.
"""

from __future__ import annotations

import functools
import re

import sympy as sp

from checks.report.escape import plain
from checks.report.site.model import Formula

MOST_CHARACTERS = 3000
"""LaTeX longer than this is not typeset: nobody reads it, and a browser takes long over it."""
_MOST_TEXT = 20_000
_WORD = re.compile(r"[A-Za-z]+[0-9]*(?:[_^](?:\{[A-Za-z0-9*#,]+\}|[A-Za-z0-9*#]+))*'*")
_TOKEN = re.compile(rf"\s*({_WORD.pattern}|\|\||[|()+\-*/,=<>]|\d+(?:\.\d+)?)")


def formula_of(expression: sp.Basic | int | str) -> Formula:
    """An expression, a relation or an infinity as a formula; a text stays one, since sympy would run it."""
    text = plain(expression, _MOST_TEXT)
    try:
        latex = _latex(sp.sympify(expression, strict=True))
    except (ValueError, TypeError, AttributeError, RecursionError, NotImplementedError, sp.SympifyError):
        return Formula(text)
    return Formula(text, latex if len(latex) <= MOST_CHARACTERS else "")


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


def toward_formula(symbol: sp.Symbol, toward: object) -> Formula:
    """A symbol with the limit that it goes to."""
    limit = {"infinity": r"\infty", "zero": "0"}.get(str(toward)) if isinstance(toward, str) else None
    end = limit or formula_of(toward).latex  # type: ignore[arg-type]
    return Formula(f"{symbol} -> {toward}", rf"{symbol_latex(symbol.name)} \to {end}")


@functools.lru_cache(maxsize=4096)
def _latex(expression: sp.Basic) -> str:
    symbols = getattr(expression, "atoms", lambda *_: set())(sp.Symbol)
    names = {symbol: symbol_latex(symbol.name) for symbol in symbols}
    return sp.latex(expression, symbol_names=names)


@functools.lru_cache(maxsize=4096)
def symbol_latex(name: str) -> str:
    """A symbol's name as LaTeX."""
    tokens = _tokens(name)
    if tokens is None:
        words = re.sub(r"[\\{}$%#^~&_]", " ", plain(name, 60)).strip() or "?"
        return rf"\text{{{words}}}"
    written = " ".join(_token_latex(token) for token in tokens)
    if len(tokens) > 1 and _is_sum(tokens):
        return rf"\left({written}\right)"
    return f"{{{written}}}" if len(tokens) > 1 or "'" in name else written


def _tokens(name: str) -> list[str] | None:
    tokens, place = [], 0
    while place < len(name):
        found = _TOKEN.match(name, place)
        if found is None:
            return None
        tokens.append(found[1])
        place = found.end()
    is_whole = tokens and tokens.count("|") % 2 == 0 and tokens.count("||") % 2 == 0
    return tokens if is_whole and tokens.count("(") == tokens.count(")") else None


def _token_latex(token: str) -> str:
    if token == "||":
        return r"\|"
    if not token[0].isalpha():
        return token
    stem = token.rstrip("'")
    primes = "'" * (len(token) - len(stem))
    letter = sp.latex(sp.Symbol(re.sub(r"[{}]", "", stem))).replace("#", r"\#")
    if re.fullmatch(r"[A-Za-z]{2,}", letter):
        letter = rf"\mathrm{{{letter}}}"
    return f"{{{letter}{primes}}}" if primes else letter


def _is_sum(tokens: list[str]) -> bool:
    """Whether a sign stands outside all brackets and bars."""
    depth, is_open = 0, False
    for token in tokens:
        depth += (token == "(") - (token == ")")
        is_open ^= token in ("|", "||")
        if token in "+-" and depth == 0 and not is_open:
            return True
    return False
