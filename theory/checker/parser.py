"""Read the texts of a record: a grammar over a closed list of names, and nothing is ever called by name.

Texts are written as sympy's `srepr` writes them: Add(Symbol('x', real=True), Integer(1)). What is read becomes nodes of
the checker's own; a name that is not listed here, a keyword that is no assumption, a number too long or a text too deep
is refused.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import lru_cache

from flint import fmpq

from theory.checker.assumptions import ALWAYS, KINDS, SIGNS, Symbol, closed, consistent
from theory.checker.enclosure import INFINITY, MINUS_INFINITY, End
from theory.checker.limits import DEPTH, DIGITS, TEXT_LENGTH, InvalidRecord, require
from theory.checker.nodes import ONE, Node, Terms, is_whole, number
from theory.checker.pieces import PieceCondition, choices, has_pieces
from theory.checker.walks import symbols

RELATIONS = {
    "StrictGreaterThan": ">", "GreaterThan": ">=", "StrictLessThan": "<", "LessThan": "<=", "Equality": "==",
    "Gt": ">", "Ge": ">=", "Lt": "<", "Le": "<=", "Eq": "==",
}  # fmt: skip
CONDITIONS = {"And": "and", "Or": "or", "Not": "not", "Unequality": "!=", "Ne": "!="}
"""What a condition of a piece may have beside relations."""

_TOKEN = re.compile(r"\s*(?:([A-Za-z_][A-Za-z_0-9]*)|([0-9]+)|('(?:[^'\\]|\\.)*'|\"(?:[^\"\\]|\\.)*\")|([(),=-]))")
_RATIONAL = re.compile(r"(-?[0-9]+)(?:/([0-9]+))?")


@dataclass(frozen=True)
class Relation:
    """Two sides as written; `sign` is one of > >= < <= ==, or "true" or "false" without sides."""

    sign: str
    left: Node = ONE
    right: Node = ONE


def read_rational(text: object) -> fmpq:
    """A number written as 3, -3 or 3/4."""
    if not isinstance(text, str):
        raise InvalidRecord("a number is no text")
    require(len(text) <= 2 * DIGITS + 2, "a number has more than {} digits", DIGITS)
    found = _RATIONAL.fullmatch(text)
    if found is None:
        raise InvalidRecord("a text is no rational number")
    top, bottom = _whole(found[1]), _whole(found[2] or "1")
    require(bottom != 0, "a number has the denominator 0")
    return fmpq(top, bottom)


def read_end(text: object) -> End:
    """An end of a range: a rational number or an infinity."""
    if text in ("oo", "-oo"):
        return INFINITY if text == "oo" else MINUS_INFINITY
    return read_rational(text)


def read_symbol(text: object) -> Node:
    """A symbol."""
    e = read(text)
    if not isinstance(e, Node) or e.kind != "symbol":
        raise InvalidRecord("something else stands where a symbol belongs")
    return e


def read_expression(text: object) -> Node:
    """An expression, as written; without pieces, which no step of a proof enters."""
    e = read(text)
    if not isinstance(e, Node):
        raise InvalidRecord("a relation stands where an expression belongs")
    require(not has_pieces(e), "a Piecewise stands in a proof")
    return e


def read_relation(text: object) -> Relation:
    """A relation, as written."""
    relation = read(text)
    if not isinstance(relation, Relation):
        raise InvalidRecord("an expression stands where a relation belongs")
    return relation


def read(text: object) -> Node | Relation:
    """What a text says. Raises InvalidRecord on anything outside the grammar."""
    if not isinstance(text, str):
        raise InvalidRecord("an expression is no text")
    require(len(text) <= TEXT_LENGTH, "a text is longer than {} characters", TEXT_LENGTH)
    return _short(text) if len(text) < 200 else _Parser(text).whole()


@lru_cache(maxsize=4096)
def _short(text: str) -> Node | Relation:
    return _Parser(text).whole()


def _whole(digits: str) -> int:
    require(len(digits) <= DIGITS, "a number has more than {} digits", DIGITS)
    return int(digits)


class _Parser:
    """One text, token by token."""

    def __init__(self, text: str) -> None:
        self.text, self.place, self.depth = text.rstrip(), 0, 0
        self.kind, self.token = "", ""
        self.advance()

    def advance(self) -> None:
        if self.place == len(self.text):
            self.kind, self.token = "end", ""
            return
        found = _TOKEN.match(self.text, self.place)
        if found is None or found.lastindex is None:
            raise InvalidRecord("unreadable expression")
        self.place = found.end()
        self.kind = ("name", "digits", "string", "sign")[found.lastindex - 1]
        self.token = found[found.lastindex]

    def take(self, sign: str) -> None:
        """Step over one sign that must stand here."""
        require(self.kind == "sign" and self.token == sign, "unreadable expression: no {} where one belongs", sign)
        self.advance()

    def whole(self) -> Node | Relation:
        """The whole text: an expression, or a relation between two."""
        name = self.token
        if name in ("true", "false"):
            self.advance()
            result: Node | Relation = Relation(name)
        elif name in RELATIONS:
            self.advance()
            self.take("(")
            args = self.arguments()
            require(len(args) == 2, "{} does not take {} arguments", name, len(args))
            result = Relation(RELATIONS[name], args[0], args[1])
            self.take(")")
        else:
            result = self.expression()
        require(self.kind == "end", "unreadable expression: text after its end")
        return result

    def expression(self) -> Node:
        """One expression."""
        require(self.kind == "name", "unreadable expression: no name where one belongs")
        name = self.token
        self.advance()
        if not (self.kind == "sign" and self.token == "("):
            require(name in _NAMES, "{} is not in the list of names", name)
            return _NAMES[name]
        self.depth += 1
        require(self.depth <= DEPTH, "an expression is nested deeper than {}", DEPTH)
        self.advance()
        if name in ("Symbol", "Dummy"):
            result = self.symbol(name)
        elif name in ("Integer", "Rational"):
            result = self.literal(2 if name == "Rational" else 1)
        elif name == "Sum":
            result = self.sum()
        elif name == "Piecewise":
            result = self.piecewise()
        else:
            require(name in _CALLS, "{} is not in the list of names", name)
            result = self.call(name)
        self.take(")")
        self.depth -= 1
        return result

    def arguments(self) -> list[Node]:
        """Expressions between commas."""
        args = [self.expression()]
        while self.kind == "sign" and self.token == ",":
            self.advance()
            args.append(self.expression())
        return args

    def call(self, name: str) -> Node:
        """An operation on its arguments."""
        args, counts = self.arguments(), _CALLS[name]
        require(counts is None or len(args) in counts, "{} does not take {} arguments", name, len(args))
        if name == "sqrt":
            return Node("pow", (args[0], number(fmpq(1, 2))))
        if name == "binomial":
            n, k = args
            below = [Node("factorial", (a,)) for a in (k, Node("add", (n, Node("mul", (k,), fmpq(-1)))))]
            return Node("mul", (Node("factorial", (n,)), *[Node("pow", (b, number(-1))) for b in below]), fmpq(1))
        if name in _ROUNDED:
            return _ROUNDED[name](*args)
        if name in ("Add", "Mul"):
            return args[0] if len(args) == 1 else Node(name.lower(), tuple(args), fmpq(1) if name == "Mul" else None)
        return Node("pow" if name == "Pow" else name, tuple(args))

    def sum(self) -> Node:
        """Sum(terms, Tuple(index, low, high)) with a whole number as low; the terms depend on the index alone."""
        body = self.expression()
        self.take(",")
        require(self.token == "Tuple", "Sum: no range of an index")
        self.advance()
        self.take("(")
        args = self.arguments()
        self.take(")")
        require(len(args) == 3 and args[0].kind == "symbol", "Sum: no range of an index")
        index, low, high = args
        require(is_whole(low) and index not in symbols(high), "Sum: a range that does not begin with a whole number")
        require(symbols(body) <= {index} and index.data.is_integer, "Sum: terms that depend on more than the index")
        require(index.data.assumptions == _PLAIN_INDEX, "Sum: an index that assumes more than to be whole")
        return Node("Sum", (low, high), Terms(body, index))

    def piecewise(self) -> Node:
        """Piecewise(ExprCondPair(piece, condition), ...)."""
        cases = []
        while not cases or (self.kind == "sign" and self.token == ","):
            if cases:
                self.advance()
            require(self.token == "ExprCondPair", "Piecewise: no piece with a condition")
            self.advance()
            self.take("(")
            piece = self.expression()
            self.take(",")
            cases.append((piece, self.condition()))
            self.take(")")
        return choices(cases)

    def condition(self) -> PieceCondition:
        """A relation, or And, Or and Not of conditions."""
        name = self.token
        require(name in CONDITIONS or name in RELATIONS or name in ("true", "false"), "a condition is no relation")
        self.advance()
        if name in ("true", "false"):
            return PieceCondition(name, ())
        self.depth += 1
        require(self.depth <= DEPTH, "an expression is nested deeper than {}", DEPTH)
        self.take("(")
        is_joined, parts = name in ("And", "Or", "Not"), []
        while not parts or (self.kind == "sign" and self.token == ","):
            if parts:
                self.advance()
            parts.append(self.condition() if is_joined else self.expression())
        self.take(")")
        self.depth -= 1
        count = 1 if name == "Not" else len(parts) if is_joined else 2
        require(len(parts) == count, "{} does not take {} arguments", name, len(parts))
        return PieceCondition(CONDITIONS.get(name) or RELATIONS[name], tuple(parts))

    def literal(self, count: int) -> Node:
        """The digits of Integer(-3) or Rational(1, 2)."""
        parts = []
        for place in range(count):
            if place:
                self.take(",")
            is_negative = self.kind == "sign" and self.token == "-"
            if is_negative:
                self.advance()
            require(self.kind == "digits", "a number without digits")
            parts.append(-_whole(self.token) if is_negative else _whole(self.token))
            self.advance()
        require(parts[-1] != 0 or count == 1, "a number has the denominator 0")
        return number(fmpq(*parts))

    def symbol(self, kind: str) -> Node:
        """A name and its keywords."""
        require(self.kind == "string", "a symbol without a name")
        name, found, index = _unquoted(self.token), {}, None
        self.advance()
        while self.kind == "sign" and self.token == ",":
            self.advance()
            key = self.token
            require(self.kind == "name" and key not in found, "a symbol has an unreadable or repeated keyword")
            self.advance()
            self.take("=")
            if key == "dummy_index":
                require(kind == "Dummy" and self.kind == "digits" and index is None, "an unreadable dummy index")
                index = _whole(self.token)
            else:
                require(key in ALWAYS | SIGNS | KINDS, "the assumption {} is not in the list", key)
                require(self.token in ("True", "False"), "an assumption is neither True nor False")
                found[key] = self.token == "True"
            self.advance()
        require((index is not None) == (kind == "Dummy"), "a dummy without an index")
        symbol = consistent(Symbol(name, index, tuple(sorted(found.items()))))
        return Node("symbol", (), Symbol(name, index, closed(symbol)))


def _unquoted(token: str) -> str:
    """The name between quotes; only quotes and backslashes are escaped."""
    inside = token[1:-1]
    require(not re.search(r"\\[^\\'\"]", re.sub(r"\\\\", "", inside)), "a name has an unknown escape")
    name = re.sub(r"\\(.)", r"\1", inside)
    require(0 < len(name) <= 200 and name.isprintable(), "a name is empty, too long or not printable")
    return name


def _ceiling(x: Node) -> Node:
    turned = Node("mul", (x,), fmpq(-1))
    return Node("mul", (Node("floor", (turned,)),), fmpq(-1))


def _frac(x: Node) -> Node:
    return Node("add", (x, Node("mul", (Node("floor", (x,)),), fmpq(-1))))


def _mod(x: Node, m: Node) -> Node:
    """x - m floor(x/m): between 0 and m, of the sign of m, without a value at m = 0."""
    quotient = Node("mul", (x, Node("pow", (m, number(-1)))), fmpq(1))
    return Node("add", (x, Node("mul", (m, Node("floor", (quotient,))), fmpq(-1))))


_ROUNDED = {"ceiling": _ceiling, "frac": _frac, "Mod": _mod}
_PLAIN_INDEX = (("integer", True), ("real", True))
_NAMES = {
    "pi": Node("constant", (), "pi"),
    "E": Node("exp", (ONE,)),
    "EulerGamma": Node("constant", (), "EulerGamma"),
}
_CALLS = {
    "exp": (1,), "log": (1,), "Abs": (1,), "sign": (1,), "Heaviside": (1, 2), "sin": (1,), "cos": (1,), "tanh": (1,),
    "sinh": (1,), "cosh": (1,), "atan": (1,), "asin": (1,), "acos": (1,), "erf": (1,), "erfc": (1,),
    "Max": range(1, 65), "Min": range(1, 65), "factorial": (1,), "floor": (1,), "binomial": (2,), "ceiling": (1,),
    "frac": (1,), "Mod": (2,), "Add": None, "Mul": None, "Pow": (2,), "sqrt": (1,),
}  # fmt: skip
"""Numbers of arguments by name: the closed list of functions."""
