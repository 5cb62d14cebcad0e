"""Formulas for people to read: LaTeX, one line of Unicode, or Unicode in two dimensions.

A claim may come from anywhere, and the name of a symbol is any text; `theory.display.names` spells it. Then the whole
is compared with what a formula needs, and one that has more in it is not typeset. What comes out holds no command but
those of `_COMMANDS`, and can stand between dollars in any document. The table in LaTeX, notebooks and the pages of a
site, which turn it into MathML, all print this.
"""

from __future__ import annotations

import functools
import re
from typing import Any

import sympy as sp
from sympy.printing.latex import LatexPrinter
from sympy.printing.precedence import PRECEDENCE
from sympy.printing.pretty.pretty import PrettyPrinter
from sympy.printing.pretty.pretty_symbology import pretty_symbol, pretty_use_unicode
from sympy.printing.str import StrPrinter

from theory.display.names import FUNCTIONS, GREEK, latex_symbol, word, words

_WORDS = (
    "frac sqrt left right operatorname mathrm infty cdot times le leq ge geq ne neq wedge vee neg lfloor rfloor lceil "
    "rceil sum prod int limits to erf bmod mod binom begin end text for otherwise in dots ldots allowbreak"
)
_COMMANDS = GREEK | FUNCTIONS | frozenset(_WORDS.split())
_CONTROL = re.compile(r"\\([A-Za-z]+|.|$)", re.DOTALL)
_HARMLESS = frozenset(" ,;:!|{}#\\")
"""Control symbols that space, stand for themselves, or end a line within `cases`."""
_ENVIRONMENT = re.compile(r"\\(?:begin|end)\{(?!cases\})")
_LETTER = re.compile(r"([A-Za-z]+)([0-9]*)(?:_([A-Za-z0-9]+|[*#]))?('{0,3})")
MOST_CHARACTERS = 3000
"""LaTeX longer than this is not typeset: it fits no page, nobody reads it, and a browser takes long over it."""
_STAR = "\ue000"
"""Stands for the star in a name while those of products are replaced."""
_RAISED = str.maketrans("0123456789-", "⁰¹²³⁴⁵⁶⁷⁸⁹⁻")
_ORDERS = {"<=": "≤", ">=": "≥", "!=": "≠", "<": "<", ">": ">", "==": "="}


# --------------------------------------------------------------------------------------------------------------- LaTeX


def latex(expression: sp.Basic, *, breakable: bool = False) -> str:
    """A formula in LaTeX, without dollars; its text in plain letters where `typeset` has none.

    Args:
        breakable: allow a line to end between two factors.
    """
    return typeset(expression, breakable=breakable) or words(str(expression), MOST_CHARACTERS)


@functools.lru_cache(maxsize=4096)
def typeset(expression: sp.Basic, *, breakable: bool = False) -> str:
    """A formula in LaTeX, without dollars; "" where it needs more than formulas do, or more than `MOST_CHARACTERS`."""
    text = _Latex({"mul_symbol": r" \allowbreak "} if breakable else None).doprint(expression)
    return text if _is_inert(text) else ""


def _is_inert(text: str) -> bool:
    """Whether a formula has only what formulas need, and closes what it opens."""
    if len(text) > MOST_CHARACTERS or not text.isascii() or not text.isprintable():
        return False
    controls = _CONTROL.findall(text)
    if any(name not in _COMMANDS and name not in _HARMLESS for name in controls) or _ENVIRONMENT.search(text):
        return False
    rest = _CONTROL.sub(" ", text)
    if re.search(r"[$%~]|\^\^", rest) or (("&" in rest or r"\\" in text) and r"\begin{cases}" not in text):
        return False
    depth = 0
    for character in rest:
        depth += {"{": 1, "}": -1}.get(character, 0)
        if depth < 0:
            return False
    return depth == 0 and controls.count("left") == controls.count("right")


class _Latex(LatexPrinter):
    """sympy's LaTeX, with the names of symbols and functions made inert."""

    def _deal_with_super_sub(self, string: str, style: str = "plain") -> str:
        return latex_symbol(string)

    def _print_Symbol(self, expr: sp.Symbol, style: str = "plain") -> str:
        return latex_symbol(expr.name)

    _print_Dummy = _print_Wild = _print_MatrixSymbol = _print_RandomSymbol = _print_Symbol

    def _hprint_Function(self, func: str) -> str:
        return word(re.sub(r"[^A-Za-z0-9]", "", func) or "?", is_applied=True)


# ------------------------------------------------------------------------------------------------------------- Unicode


def unicode_line(expression: sp.Basic) -> str:
    """A formula on one line: Greek letters, raised whole powers, roots and signs of order as in print."""
    return _Line({"abbrev": False}).doprint(expression).replace("*", "·").replace(_STAR, "*")


def unicode_lines(expression: sp.Basic) -> tuple[list[str], int]:
    """A formula as sympy lays it out in two dimensions, however wide: its lines, and which of them the text is on."""
    before = pretty_use_unicode(True)
    try:
        form = PrettyPrinter({"use_unicode": True, "root_notation": True})._print(expression)
        lines = form.render(wrap_line=False).split("\n")
    finally:
        pretty_use_unicode(before)
    return [line.rstrip() for line in lines], int(form.baseline)


def unicode_symbol(name: str) -> str:
    """The name of a symbol with its Greek letters."""
    return str(pretty_symbol(name)) if _LETTER.fullmatch(name) else name


class _Line(StrPrinter):
    """sympy's text, in the signs of print."""

    def _print_Symbol(self, expr: sp.Symbol) -> str:
        return unicode_symbol(expr.name).replace("*", _STAR)

    _print_Dummy = _print_Wild = _print_Symbol

    def _print_Pow(self, expr: sp.Pow, rational: bool = False) -> str:
        base, power = expr.base, expr.exp
        if power == sp.S.Half:
            inner = self._print(base)
            return f"√{inner}" if base.is_Atom else f"√({inner})"
        if power.is_Rational and power < 0:
            return f"1/{self.parenthesize(base**-power, PRECEDENCE['Mul'], strict=True)}"
        shown = self.parenthesize(base, PRECEDENCE["Pow"], strict=False)
        if power.is_Integer:
            return shown + str(power).translate(_RAISED)
        inside = self._print(power)
        return f"{shown}^{inside}" if power.is_Symbol and _LETTER.fullmatch(power.name) else f"{shown}^({inside})"

    def _print_Relational(self, expr: Any) -> str:
        return f"{self._print(expr.lhs)} {_ORDERS.get(expr.rel_op, expr.rel_op)} {self._print(expr.rhs)}"

    def _print_And(self, expr: Any) -> str:
        return " and ".join(map(self._print, expr.args))

    def _print_Or(self, expr: Any) -> str:
        return " or ".join(map(self._print, expr.args))

    def _print_Infinity(self, expr: Any) -> str:
        return "∞"

    def _print_NegativeInfinity(self, expr: Any) -> str:
        return "-∞"

    def _print_Pi(self, expr: Any) -> str:
        return "π"

    def _print_Exp1(self, expr: Any) -> str:
        return "e"
