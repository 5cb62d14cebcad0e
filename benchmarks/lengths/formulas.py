"""Read statements over a length into trees: a grammar of its own, which shares nothing with the prover's.

    statement := quantifiers? (relation | sum "=" ("O" | "o" | "Theta") "(" sum ")")
    quantifiers := ("forall" name ">" "0")? "exists" name (">" "0")? ("forall" name ">=" name)? ":"
    total := ("sum" | "prod" | "max" | "min") "(" sum "," index "=" sum ".." sum ")"
    entry := name "[" sum ("," sum)? "]" | "softmax" "(" vector ")" "[" sum "]"
    mean := "E" "[" sum "]"

Within `norm`, `dot`, `mean`, `logsumexp`, `softmax`, `max`, `min` and `sum` of one vector a bare name stands for its
entry. `n!` is a factorial, `eigmax([[a, b], [b, c]])` the greatest eigenvalue, `f(...)` a function of which something
is given.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from fractions import Fraction

_TOKEN = re.compile(
    r"\s*(?:(?P<number>[0-9]+(?:\.(?!\.)[0-9]+)?)|(?P<name>[A-Za-z_]\w*)|(?P<sign>\.\.|<=|>=|[-+*/^(),<>=!\[\]:]))"
)
_QUANTIFIED = re.compile(
    r"(?:forall (?P<given>\w+) > 0 )?exists (?P<chosen>\w+)(?: > 0)?(?: forall (?P<index>\w+) >= \w+)?:\s*"
)
_ORDER = re.compile(r"(.*[^<>=])=\s*(O|o|Theta)\((.*)\)\s*")
SIGNS = ("<=", ">=", "<", ">", "=")
VECTORS = ("norm", "dot", "mean", "logsumexp", "softmax")
TOTALS = ("sum", "prod", "max", "min")


class FormulaError(ValueError):
    """A text that the grammar does not have."""


@dataclass(frozen=True)
class Node:
    """A part of a formula: `kind` says what `parts` are.

    number (a Fraction), name, entry (a name, then places), vector_entry (a call of softmax, a place), call (a name,
    then arguments), total (operation, body, index, low, high), mean, and the operations + - * / ^ neg.
    """

    kind: str
    parts: tuple


@dataclass(frozen=True)
class Relation:
    """`left` stands to `right` as the sign says."""

    left: Node
    sign: str
    right: Node


@dataclass(frozen=True)
class Statement:
    """A chain of relations, all of which must hold.

    Attributes:
        quantifier: "", or what is chosen and for what: the names of the given positive number ("" without one), of the
            chosen number and of the index that is large enough ("" without one); of an order its letter alone.
    """

    relations: tuple[Relation, ...]
    quantifier: tuple[str, ...] = ()


def read_statement(text: str) -> Statement:
    """The statement that a text says. Raises FormulaError."""
    if found := _QUANTIFIED.match(text):
        names = tuple(found[name] or "" for name in ("given", "chosen", "index"))
        return Statement(read_relations(text[found.end() :]), names)
    if found := _ORDER.fullmatch(text):
        left, right = read_term(found[1]), read_term(found[3])
        return Statement(_ordered(left, found[2], right), (found[2],))
    return Statement(read_relations(text))


def _ordered(left: Node, letter: str, right: Node) -> tuple[Relation, ...]:
    """|f| <= c g, |f| <= eps g, or low g <= f <= c g."""
    factor = "eps" if letter == "o" else "c"
    above = Relation(Node("call", ("abs", left)), "<=", Node("*", (Node("name", (factor,)), right)))
    below = Relation(Node("*", (Node("name", ("low",)), right)), "<=", left)
    return (above, below) if letter == "Theta" else (above,)


def read_relations(text: str) -> tuple[Relation, ...]:
    """The relations of a chain. Raises FormulaError."""
    parser = _Parser(text)
    sides, signs = [parser.sum()], []
    while parser.token in SIGNS:
        signs.append(parser.take())
        sides.append(parser.sum())
    parser.end()
    if not signs:
        raise FormulaError(f"must be a relation, got {text!r}")
    return tuple(Relation(a, sign, b) for a, sign, b in zip(sides, signs, sides[1:], strict=False))


def read_term(text: str) -> Node:
    """The term that a text says. Raises FormulaError."""
    parser = _Parser(text)
    found = parser.sum()
    parser.end()
    return found


def names_in(node: Node) -> set[str]:
    """Names of numbers and of lists in a term, indices among them."""
    found = set()
    for part in node.parts:
        if isinstance(part, Node):
            found |= names_in(part)
    if node.kind in ("name", "entry"):
        found.add(node.parts[0])
    return found


class _Parser:
    """Recursive descent over one text."""

    def __init__(self, text: str) -> None:
        self.text, self.words, place = text, [], 0
        text = text.rstrip()
        while place < len(text):
            found = _TOKEN.match(text, place)
            if found is None:
                raise FormulaError(f"cannot be read at {text[place : place + 20]!r}")
            self.words.append((found.lastgroup, found[found.lastgroup or 0]))
            place = found.end()
        self.at = 0

    @property
    def token(self) -> str:
        return self.words[self.at][1] if self.at < len(self.words) else ""

    @property
    def kind(self) -> str:
        return str(self.words[self.at][0]) if self.at < len(self.words) else "end"

    def take(self, sign: str = "") -> str:
        if sign and self.token != sign:
            raise FormulaError(f"must have {sign!r} at {self.token!r} in {self.text!r}")
        self.at += 1
        return self.words[self.at - 1][1]

    def end(self) -> None:
        if self.kind != "end":
            raise FormulaError(f"must end at {self.token!r} in {self.text!r}")

    def sum(self) -> Node:
        found = self.product()
        while self.token in ("+", "-"):
            found = Node(self.take(), (found, self.product()))
        return found

    def product(self) -> Node:
        found = self.unary()
        while self.token in ("*", "/"):
            found = Node(self.take(), (found, self.unary()))
        return found

    def unary(self) -> Node:
        if self.token == "-":
            self.take()
            return Node("neg", (self.unary(),))
        base = self.postfix()
        if self.token == "^":
            self.take()
            return Node("^", (base, self.unary()))
        return base

    def postfix(self) -> Node:
        found = self.atom()
        while self.token == "!":
            self.take()
            found = Node("call", ("factorial", found))
        return found

    def atom(self) -> Node:
        if self.kind == "number":
            return Node("number", (Fraction(self.take()),))
        if self.token == "(":
            self.take()
            found = self.sum()
            self.take(")")
            return found
        if self.kind != "name":
            raise FormulaError(f"must have a value at {self.token!r} in {self.text!r}")
        name = self.take()
        if self.token == "[":
            return self.indexed(name)
        return self.call(name) if self.token == "(" else Node("name", (name,))

    def indexed(self, name: str) -> Node:
        places = self.listed("[", "]")
        return Node("mean", (places[0],)) if name == "E" else Node("entry", (name, *places))

    def listed(self, opening: str, closing: str) -> list[Node]:
        self.take(opening)
        found = [self.sum()]
        while self.token == ",":
            self.take()
            found.append(self.sum())
        self.take(closing)
        return found

    def call(self, name: str) -> Node:
        if name == "eigmax":
            self.take("(")
            self.take("[")
            rows = [self.listed("[", "]")]
            self.take(",")
            rows.append(self.listed("[", "]"))
            self.take("]")
            self.take(")")
            return Node("call", (name, *rows[0], *rows[1]))
        self.take("(")
        found = [self.sum()]
        while self.token == ",":
            self.take()
            if name in TOTALS and self.kind == "name" and self.words[self.at + 1][1] == "=":
                return self.total(name, found[0])
            found.append(self.sum())
        self.take(")")
        node = Node("call", (name, *found))
        if name == "softmax" and self.token == "[":
            return Node("vector_entry", (node, *self.listed("[", "]")))
        return node

    def total(self, name: str, body: Node) -> Node:
        index = self.take()
        self.take("=")
        low = self.sum()
        self.take("..")
        high = self.sum()
        self.take(")")
        return Node("total", (name, body, index, low, high))
