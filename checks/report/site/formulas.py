"""Formulas of a page: each with the LaTeX that is typeset, and its text where none is.

`theory.display` writes the LaTeX, as it does for the table and for notebooks.
"""

from __future__ import annotations

from collections.abc import Callable

import sympy as sp

from checks.evidence import list_lemmas
from checks.report.escape import plain
from checks.report.site.model import Formula
from theory.claim import Claim, Conditions, ForSome, Identity, Kind, Lemma, Limit, OverLists
from theory.display.formulas import typeset
from theory.display.names import latex_symbol

_MOST_TEXT = 20_000
_ORDERS = {
    Kind.TIGHT: (r"= \Theta\left(", r"\right)"),
    Kind.UPPER: (r"= O\left(", r"\right)"),
    Kind.LOWER: (r"= \Omega\left(", r"\right)"),
    Kind.EXPLICIT_UPPER: (r"\leq ", ""),
    Kind.EXPLICIT_LOWER: (r"\geq ", ""),
    Kind.EXACT: ("= ", ""),
    Kind.SUFFICIENT: (r"\lesssim ", ""),
    Kind.UNSPECIFIED_ORDER: (r"= O\left(", r"\right)"),
    Kind.EVERY_ALGORITHM: (r"= \Omega\left(", r"\right)"),
    Kind.FIGURE: (r"\propto ", ""),
}
"""What stands around a claimed value, behind the name of what is measured."""


Spelling = Callable[[sp.Basic], str]
"""How a formula is written as text: sympy's own, or `theory.display.formulas.unicode_line`."""


def formula_of(expression: sp.Basic | int | str, spell: Spelling = str) -> Formula:
    """An expression, a relation or an infinity as a formula; a text stays one, since sympy would run it."""
    text = plain(spell(expression) if isinstance(expression, sp.Basic) else expression, _MOST_TEXT)
    try:
        return Formula(text, typeset(sp.sympify(expression, strict=True)))
    except (ValueError, TypeError, AttributeError, RecursionError, NotImplementedError, sp.SympifyError):
        return Formula(text)


def limit_formula(
    expression: sp.Expr, symbol: sp.Symbol, point: sp.Expr, value: sp.Expr, spell: Spelling = str
) -> Formula:
    """A limit with its value."""
    parts = [formula_of(part, spell) for part in (expression, symbol, point, value)]
    words = "limit of {} as {} tends to {} is {}".format(*(part.text for part in parts))
    if not all(part.latex for part in parts):
        return Formula(words)
    body, letter, place, result = (part.latex for part in parts)
    return Formula(words, rf"\lim_{{{letter} \to {place}}} \left({body}\right) = {result}")


def range_formula(symbol: sp.Symbol, low: object, high: object, spell: Spelling = str) -> Formula:
    """A symbol's range, closed at finite ends."""
    letter, least, most = (formula_of(sp.sympify(end, strict=True), spell) for end in (symbol, low, high))
    below, above = ("<=", ">=") if spell is str else ("≤", "≥")
    text = f"{least.text} {below} {letter.text} {below} {most.text}"
    if low == -sp.oo and high == sp.oo:
        return Formula(f"{letter.text} real", rf"{letter.latex} \in \mathbb{{R}}")
    if high == sp.oo:
        return Formula(f"{letter.text} {above} {least.text}", rf"{letter.latex} \geq {least.latex}")
    if low == -sp.oo:
        return Formula(f"{letter.text} {below} {most.text}", rf"{letter.latex} \leq {most.latex}")
    return Formula(text, rf"{least.latex} \leq {letter.latex} \leq {most.latex}")


def for_some(formula: Formula) -> Formula:
    """What is said of a constant that may be chosen."""
    return Formula(f"for some {formula.text}", rf"\exists\; {formula.latex}" if formula.latex else "")


def toward_formula(symbol: sp.Symbol, toward: object) -> Formula:
    """A symbol with the limit that it goes to."""
    limit = {"infinity": r"\infty", "zero": "0"}.get(str(toward)) if isinstance(toward, str) else None
    end = limit or formula_of(toward).latex  # type: ignore[arg-type]
    return Formula(f"{symbol} -> {toward}", rf"{latex_symbol(symbol.name)} \to {end}")


def relations_of(lemma: Lemma, spell: Spelling = str) -> tuple[Formula, ...]:
    """What a lemma asserts: its relation, or several that hold together."""
    if isinstance(lemma, Limit):
        return (limit_formula(lemma.expression, lemma.symbol, lemma.point, lemma.value, spell),)
    if isinstance(lemma, OverLists):
        shown = list_lemmas.shown(lemma)
        return (Formula(plain(lemma.statement, _MOST_TEXT), "" if shown is None else formula_of(shown).latex),)
    found = lemma.relations if isinstance(lemma, Conditions | ForSome) else (lemma.relation,)
    return tuple(formula_of(relation, spell) for relation in found if not _is_empty(relation))


def _is_empty(relation: object) -> bool:
    """Whether a relation says one number of itself: "0 = 0", "1 <= 1", what is left where symbols were put in."""
    sides = getattr(relation, "args", ())
    return len(sides) == 2 and sides[0] == sides[1] and not sides[0].free_symbols


def conditions_of(lemma: Lemma, spell: Spelling = str) -> tuple[Formula, ...]:
    """Ranges of the symbols that occur, and side conditions."""
    if isinstance(lemma, Limit):
        return ()
    if isinstance(lemma, OverLists):
        return tuple(Formula(plain(text)) for text in (*list_lemmas.ranges_in_words(lemma), *lemma.given))
    box = lemma.ranges if isinstance(lemma, Identity) else lemma.box
    ranges = [range_formula(symbol, *ends, spell=spell) for symbol, ends in box.items()]
    if isinstance(lemma, ForSome):
        chosen = [for_some(range_formula(symbol, *ends, spell=spell)) for symbol, ends in lemma.constants.items()]
        ranges = [*chosen, *(for_some(formula_of(one, spell)) for one in lemma.such), *ranges]
    given = () if isinstance(lemma, Conditions) else lemma.given
    return (*ranges, *(formula_of(one, spell) for one in given))


def claimed_formula(claim: Claim) -> Formula | None:
    """The claimed value with the sign of its order; None where the claim has no formula."""
    if claim.value is None:
        return None
    value = formula_of(claim.value)
    is_number = claim.kind is Kind.EVERY_ALGORITHM and not claim.has_order
    before, after = (r"\geq ", "") if is_number else _ORDERS.get(claim.kind, ("", ""))
    return Formula(value.text, f"{before}{value.latex}{after}" if value.latex else "")
