"""Read formulas that people type: "exp(-x) <= 1 - x/2", "n*log(n)^2", "d/n".

A grammar of its own over closed lists of functions and constants. Nothing is evaluated as code, nothing is called by a
name that a text holds, and every size is bounded before work of that size is begun: `9**9**9` is refused, not computed.

    relation := sum (("<=" | "<" | ">=" | ">" | "==" | "=") sum)*
    sum      := product (("+" | "-") product)*
    product  := unary (("*" | "/") unary)*
    unary    := ("-" | "+") unary | power
    power    := atom "!"* (("^" | "**") unary)?
    atom     := number | name | function "(" sum ("," sum)* ")" | "Piecewise" "(" piece ("," piece)* ")" | "(" sum ")"

Numbers are exact: 0.1 is 1/10. What is read stays as it was written, apart from arithmetic on numbers: `x/x` does not
become 1, because it has no value at 0, and whoever asks about `x/x` should hear that. `theory.checker` has a grammar of
its own for records, with the same functions; the two share no code, so that a slip here cannot make a proof replay.
"""

from __future__ import annotations

import difflib
import re
import unicodedata
from collections.abc import Callable, Collection, Mapping
from typing import Any, NoReturn

import sympy as sp

from theory.prover.typed.conditions import WORDS, read_piece
from theory.prover.typed.parts import CONSTANTS, EIGENVALUES, FUNCTIONS, inverse, plus, raised, times
from theory.prover.typed.size import TooLarge, require_small

MAX_LENGTH = 4000
"""Characters of one text."""
MAX_PARTS = 2000
"""Numbers, names and signs of one text."""
MAX_DEPTH = 50
"""Parentheses, signs and powers inside each other."""
MAX_DIGITS = 1000
"""Digits of a number, and the places by which its exponent moves the point."""

_TOKEN = re.compile(
    r"[ \t\r\n]*(?:(?P<number>(?:[0-9]+\.?[0-9]*|\.[0-9]+)(?:[eE][+-]?[0-9]+)?)|(?P<name>[A-Za-z_][A-Za-z0-9_]*)"
    r"|(?P<sign>\*\*|<=|>=|==|!=|[-+*/^(),<>=!\[\]]))"
)
_NUMBER = re.compile(r"([0-9]*)\.?([0-9]*)(?:[eE]([+-]?[0-9]+))?")
_PLAIN = {
    "≤": "<=", "≥": ">=", "−": "-", "–": "-", "·": "*", "×": "*", "÷": "/", "²": "^2", "³": "^3", "√": "sqrt",
    "∞": "oo", "π": "pi",
}  # fmt: skip
"""What stands for a sign that the grammar has."""


_MAY_BE_SYMBOLS = ("gamma",)
"""Functions whose names are letters that papers use: they are symbols where they have a range."""


class FormulaError(ValueError):
    """A text that is no formula, or one too large; the message is one line."""


RELATION_SIGNS: Mapping[str, Callable[..., sp.Basic]] = {
    "<=": sp.Le, "<": sp.Lt, ">=": sp.Ge, ">": sp.Gt, "==": sp.Eq, "=": sp.Eq,
}  # fmt: skip
"""What may stand between two sides."""


def read_expression(
    text: str, symbols: Mapping[str, sp.Symbol], *, what: str = "formula", known: str = "names that are declared"
) -> sp.Expr:
    """The expression that a text says, in declared symbols.

    >>> n = sp.Symbol("n", positive=True)
    >>> read_expression("n*log(n)^2", {"n": n})
    n*log(n)**2

    Args:
        symbols: name -> symbol; no name may be that of a function or a constant.
        what, known: what the text and the declared names are, for messages.

    Raises:
        FormulaError: on anything outside the grammar, with the place.
    """
    parser = FormulaParser(text, symbols, what, known)
    result = parser.sum()
    if parser.token in RELATION_SIGNS or parser.token == "!=":
        parser.refuse("must be an expression without a relation", parser.token)
    parser.end()
    return parser.small(result)


def read_relations(
    text: str, symbols: Mapping[str, sp.Symbol], *, what: str = "formula", known: str = "names that are declared"
) -> tuple[sp.Basic, ...]:
    """The relations that a text says: one, or several for a chain such as "0 <= x < y".

    Raises:
        FormulaError: on anything outside the grammar, or a text without a relation.
    """
    return FormulaParser(text, symbols, what, known).relations()


def read_number(text: str, *, what: str = "number") -> sp.Rational:
    """An exact number: "3", "-0.1", "1/3", "1e-3", "2^10".

    Raises:
        FormulaError: on anything else.
    """
    value = read_expression(text, {}, what=what)
    if not value.is_Rational:
        raise FormulaError(f"{what} must be a rational number, got {_shown(text)}")
    return value


def require_name(name: str) -> None:
    """Raise FormulaError unless a symbol may have this name."""
    if not re.fullmatch(r"[A-Za-z_][A-Za-z0-9_]{0,49}", name):
        raise FormulaError(
            f"a symbol's name must be letters, digits and underscores, at most 50 of them, got {_shown(name)}"
        )
    if (name in FUNCTIONS and name not in _MAY_BE_SYMBOLS) or name in CONSTANTS or name in ("oo", *WORDS):
        kind = "function" if name in FUNCTIONS else "word" if name in WORDS else "constant"
        raise FormulaError(f"a symbol's name must be free, got {name}, which is a {kind}")


def nearest(name: str, known: Collection[str]) -> str:
    """The most similar of the known names, to end a message with; the first of them where none is similar."""
    by_folded = {other.lower(): other for other in known}
    near = difflib.get_close_matches(name.lower()[:50], by_folded, n=1)
    if near:
        return f"; nearest is {by_folded[near[0]]}"
    return f"; known are {', '.join([*known][:8])}{', ...' if len(known) > 8 else ''}" if known else ""


class FormulaParser:
    """One text, token by token; grammars with more than this one have more in `named`, `call` and `tokens`."""

    tokens = _TOKEN

    def __init__(self, text: str, symbols: Mapping[str, sp.Symbol], what: str, known: str) -> None:
        if not isinstance(text, str):
            raise FormulaError(f"{what} must be a text, got {type(text).__name__}")
        if len(text) > MAX_LENGTH:
            raise FormulaError(f"{what} must have at most {MAX_LENGTH} characters, got {len(text)}")
        for name in symbols:
            require_name(name)
        self.text, self.symbols, self.what = text.rstrip(" \t\r\n"), symbols, what
        self.known = known
        self.place = self.parts = self.depth = self.start = 0
        self.kind, self.token = "", ""
        self.advance()

    def refuse(self, rule: str, got: str = "", ending: str = "") -> NoReturn:
        """Raise FormulaError at the present token."""
        shown = _shown(got or self.token) if got or self.token else "the end"
        raise FormulaError(f"{self.what} {rule}, got {shown} at column {self.start + 1}{ending}")

    def advance(self) -> None:
        """Go on to the next token."""
        self.parts += 1
        if self.parts > MAX_PARTS:
            raise FormulaError(f"{self.what} must have at most {MAX_PARTS} numbers, names and signs, got more")
        if self.place == len(self.text):
            self.kind, self.token, self.start = "end", "", self.place
            return
        found = self.tokens.match(self.text, self.place)
        if found is None or found.lastgroup is None:
            self.start = len(self.text) - len(self.text[self.place :].lstrip(" \t\r\n"))
            self.foreign(self.text[self.start])
        self.kind, self.token, self.place = found.lastgroup, found[found.lastgroup], found.end()
        self.start = self.place - len(self.token)

    def foreign(self, character: str) -> NoReturn:
        """Refuse a character that no formula has."""
        named = "" if character.isascii() else f" ({unicodedata.name(character, 'no name')})"
        instead = f"; write {_PLAIN[character]}" if character in _PLAIN else ""
        rule = "must be made of numbers, names, + - * / ^ ( ) , and relations"
        self.refuse(rule, character, f"{named}{instead}")

    def is_at(self, *signs: str) -> bool:
        """Whether one of these signs comes next."""
        return self.kind == "sign" and self.token in signs

    def take(self, sign: str) -> None:
        """Step over a sign that must stand here."""
        if not self.is_at(sign):
            self.refuse(f"must have {sign!r} here")
        self.advance()

    def end(self) -> None:
        """Refuse what follows a whole formula."""
        if self.kind == "end":
            return
        if self.is_at("!="):
            self.refuse("must use one of <=, <, >=, >, ==")
        if self.kind in ("name", "number") or self.is_at("("):
            self.refuse("must have an operator between two values (2*x, not 2x)")
        self.refuse("must end here")

    def deeper(self, rule: Callable[[], Any]) -> Any:
        """Apply a rule one level deeper."""
        self.depth += 1
        if self.depth > MAX_DEPTH:
            raise FormulaError(f"{self.what} must be nested at most {MAX_DEPTH} deep, got more")
        result = rule()
        self.depth -= 1
        return result

    def relations(self) -> tuple[sp.Basic, ...]:
        """The relations that the whole text says: one, or several for a chain."""
        sides, signs = [self.sum()], []
        while self.kind == "sign" and self.token in RELATION_SIGNS:
            signs.append(self.token)
            self.advance()
            sides.append(self.sum())
        if not signs and self.kind == "end":
            raise FormulaError(f"{self.what} must be a relation with <=, <, >=, > or ==, got {_shown(self.text)}")
        self.end()
        sides = [self.small(side) for side in sides]
        triples = zip(sides, signs, sides[1:], strict=False)
        return tuple(RELATION_SIGNS[sign](left, right, evaluate=False) for left, sign, right in triples)

    def mark(self) -> tuple:
        """The present place, to go back to; what was read until then still counts."""
        return self.place, self.depth, self.start, self.kind, self.token

    def go_back(self, mark: tuple) -> None:
        """Go back to a place."""
        self.place, self.depth, self.start, self.kind, self.token = mark

    def sum(self) -> sp.Expr:
        """Terms with + and - between them."""
        terms = [self.product()]
        while self.is_at("+", "-"):
            sign = self.token
            self.advance()
            term = self.product()
            terms.append(term if sign == "+" else times([sp.S.NegativeOne, term]))
        return self.bounded(lambda: plus(terms))

    def product(self) -> sp.Expr:
        """Factors with * and / between them."""
        factors = [self.unary()]
        while self.is_at("*", "/"):
            sign = self.token
            self.advance()
            place = self.start
            factor = self.unary()
            if sign == "/" and factor == 0:
                raise FormulaError(f"{self.what} must not divide by 0, got a 0 at column {place + 1}")
            factors.append(factor if sign == "*" else inverse(factor))
        return self.bounded(lambda: times(factors))

    def unary(self) -> sp.Expr:
        """A power with signs before it."""
        if not self.is_at("+", "-"):
            return self.power()
        sign = self.token
        self.advance()
        value = self.deeper(self.unary)
        return value if sign == "+" else times([sp.S.NegativeOne, value])

    def power(self) -> sp.Expr:
        """A value, or a power; 2^3^2 is 2^(3^2), -x^2 is -(x^2), and n!^2 is (n!)^2."""
        base = self.atom()
        while self.is_at("!"):
            self.advance()
            base = FUNCTIONS["factorial"][1](base)
        if not self.is_at("^", "**"):
            return base
        self.advance()
        place = self.start
        exponent = self.deeper(self.unary)
        if base == 0 and exponent.is_Rational and exponent < 0:
            raise FormulaError(f"{self.what} must not divide by 0, got 0 to the power {exponent} at column {place + 1}")
        return self.bounded(lambda: raised(base, exponent))

    def atom(self) -> sp.Expr:
        """A number, a name, a call or what stands in parentheses."""
        if self.kind == "number":
            value = self.number()
            self.advance()
            return value
        if self.kind == "name":
            return self.named()
        if not self.is_at("("):
            self.refuse("must have a number, a name or ( here")
        self.advance()
        value = self.deeper(self.sum)
        self.take(")")
        return value

    def number(self) -> sp.Rational:
        """The exact value of the digits at hand."""
        found = _NUMBER.fullmatch(self.token)
        whole, after, exponent = found.groups() if found else ("", "", None)
        too_long = len(whole) + len(after) > MAX_DIGITS or len((exponent or "").lstrip("+-0")) > len(str(MAX_DIGITS))
        places = 0 if too_long else int(exponent or 0)
        if too_long or abs(places) > MAX_DIGITS:
            self.refuse(f"must have numbers of at most {MAX_DIGITS} digits")
        places -= len(after)
        digits = sp.Integer(int(whole + after))
        return digits * sp.Integer(10) ** places

    def named(self) -> sp.Expr:
        """A symbol, a constant, or a function with its arguments."""
        name, place = self.token, self.start
        self.advance()
        if self.is_at("("):
            return self.call(name, place)
        if name in self.symbols:
            return self.symbols[name]
        if name in CONSTANTS:
            return CONSTANTS[name]
        self.start = place
        if name in FUNCTIONS:
            return self.refuse(f"must have an argument in parentheses after {name}", name)
        if name == "oo":
            return self.refuse("must have finite numbers; only ends of ranges may be oo", name)
        near = nearest(name, [*self.symbols, *CONSTANTS])
        return self.refuse(f"must have {self.known}", name, near)

    def eigenvalue(self, name: str) -> sp.Expr:
        """The greatest or least eigenvalue of a symmetric matrix [[a, b], [b, c]]."""
        rows = []
        for opening in ("(", ","):
            self.take(opening)
            if opening == "(":
                self.take("[")
            self.take("[")
            row = [self.deeper(self.sum)]
            self.take(",")
            rows.append([*row, self.deeper(self.sum)])
            self.take("]")
        (a, b), (other, c) = rows
        if sp.expand(b - other) != 0:
            self.refuse("must have a symmetric matrix, [[a, b], [b, c]]", str(other))
        self.take("]")
        self.take(")")
        return EIGENVALUES[name](a, b, c)

    def call(self, name: str, place: int) -> sp.Expr:
        """A function of what stands in the parentheses ahead."""
        if name in EIGENVALUES and name not in self.symbols:
            return self.eigenvalue(name)
        if name not in FUNCTIONS or name in self.symbols:
            self.start = place
            if name in self.symbols or name in CONSTANTS:
                self.refuse(f"must have an operator between two values ({name}*(...))", name)
            self.refuse("must have functions that are known", name, nearest(name, FUNCTIONS))
        self.advance()
        rule = (lambda: read_piece(self, FormulaError)) if name == "Piecewise" else self.sum
        arguments = [self.deeper(rule)]
        while self.is_at(","):
            self.advance()
            arguments.append(self.deeper(rule))
        self.take(")")
        counts, build = FUNCTIONS[name]
        if len(arguments) not in counts:
            several = f"{counts[0]} to {counts[-1]}" if len(counts) > 1 else str(counts[0])
            most = "one argument" if several == "1" else f"{several} arguments"
            raise FormulaError(f"{self.what} must give {name} {most}, got {len(arguments)} at column {place + 1}")
        return self.bounded(lambda: build(*arguments))

    def bounded(self, build: Callable[[], sp.Expr]) -> sp.Expr:
        """What `build` makes. Raises FormulaError where a number in it is too large."""
        try:
            return build()
        except TooLarge as error:
            raise FormulaError(f"{self.what} {error}") from None

    def small(self, expression: sp.Expr) -> sp.Expr:
        """The expression, unless simplifying it could write out a number that is too large."""

        def checked() -> sp.Expr:
            require_small(expression)
            return expression

        return self.bounded(checked)


def _shown(text: str) -> str:
    """A text of the user's within a line: escaped where it is not printable, and cut."""
    return repr(text if len(text) <= 40 else f"{text[:40]}...")
