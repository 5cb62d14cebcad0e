"""A small reader of infix mathematics, for formats of other provers: TPTP's fof as MetiTarski writes it, Coq's goals.

One table of operators, from `=>` down to `^`, over values that are either terms or formulas; what an operator may be
given is checked as it is applied. Terms are built by the prover's own builders, which bound every number. Nothing is
evaluated as code, and all sizes are bounded.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from typing import NoReturn

import sympy as sp

from benchmarks.suite_words import Dialect, Names
from theory.problems.formulas import And, Comparison, Formula, Or, ProblemError, negated, related
from theory.prover.typed.parts import FUNCTIONS, inverse, plus, raised, times
from theory.prover.typed.size import require_small

MAX_DEPTH, MAX_STEPS = 60, 20_000
Value = sp.Expr | Comparison | And | Or

_OWN: Mapping[str, Callable[[sp.Expr], sp.Expr]] = {
    "square": lambda a: raised(a, sp.Integer(2)), "inverse": inverse, "power_of_2": lambda a: raised(sp.Integer(2), a),
}  # fmt: skip
_RELATIONS = ("<=", ">=", "<>", "!=", "<", ">", "=")
_NUMBER = re.compile(r"([0-9]+)(?:\.([0-9]+))?(?:[eE]([+-]?[0-9]{1,3}))?")


class InfixReader:
    """One statement, token by token."""

    def __init__(self, tokens: list[str], dialect: Dialect, names: Names) -> None:
        self.tokens, self.dialect, self.names = tokens, dialect, names
        self.place = self.depth = self.steps = 0

    @property
    def token(self) -> str:
        """The next token; "" at the end."""
        return self.tokens[self.place] if self.place < len(self.tokens) else ""

    def refuse(self, why: str) -> NoReturn:
        """Raise ProblemError."""
        raise ProblemError(why)

    def advance(self) -> str:
        """Step over a token and return it."""
        self.place += 1
        self.steps += 1
        if self.steps > MAX_STEPS:
            raise ProblemError("takes too many steps to read")
        return self.tokens[self.place - 1]

    def take(self, token: str) -> None:
        """Step over a token that must stand here."""
        if self.token != token:
            raise ProblemError(f"must have {token!r} here, got {self.token[:30]!r}")
        self.advance()

    def deeper(self, rule: Callable[[], Value]) -> Value:
        """Apply a rule one level deeper."""
        self.depth += 1
        if self.depth > MAX_DEPTH:
            raise ProblemError(f"is nested more than {MAX_DEPTH} deep")
        value = rule()
        self.depth -= 1
        return value

    def whole(self) -> Formula:
        """The formula that all the tokens are."""
        formula = as_formula(self.statement())
        if self.token:
            raise ProblemError(f"must end before {self.token[:30]!r}")
        return formula

    def statement(self) -> Value:
        """An implication, which associates to the right; quantifiers stand before it."""
        if self.token == self.dialect.forall:
            self.quantifier()
            return self.deeper(self.statement)
        left = self.disjunction()
        if self.token != self.dialect.implies:
            return left
        self.advance()
        right = as_formula(self.deeper(self.statement))
        return Or((negated(as_formula(left)), right))

    def quantifier(self) -> None:
        """Names bound for the rest of the statement: `! [X,Y] :` or `forall x y : R,`."""
        self.advance()
        end = "," if self.dialect.applies else ":"
        while self.token and self.token != end:
            word = self.advance()
            if self.dialect.applies and word == ":":
                self.take("R")
            elif re.fullmatch(r"[A-Za-z_][A-Za-z0-9_']*", word):
                self.bind(word)
            elif word not in "[],()":
                raise ProblemError(f"binds {word[:30]!r}")
        self.take(end)

    def bind(self, word: str) -> None:
        """Make a name a symbol."""
        self.names.terms[word] = sp.Symbol(symbol_name(word), real=True)

    def disjunction(self) -> Value:
        """Parts with or between them."""
        return self.joined(self.conjunction, self.dialect.either, Or)

    def conjunction(self) -> Value:
        """Parts with and between them."""
        return self.joined(self.negation, self.dialect.both, And)

    def joined(self, rule: Callable[[], Value], sign: str, kind: type[And] | type[Or]) -> Value:
        """Formulas with one connective between them."""
        parts = [rule()]
        while self.token == sign:
            self.advance()
            parts.append(rule())
        return parts[0] if len(parts) == 1 else kind(tuple(as_formula(part) for part in parts))

    def negation(self) -> Value:
        """A relation, or the denial of one."""
        if self.token == self.dialect.denies:
            self.advance()
            return negated(as_formula(self.deeper(self.negation)))
        return self.relation()

    def relation(self) -> Value:
        """A term, or a chain of relations."""
        sides, signs = [self.sum()], []
        while self.token in _RELATIONS:
            sign = self.advance()
            signs.append("!=" if sign == "<>" else sign)
            sides.append(self.sum())
        if not signs:
            return sides[0]
        terms = [as_term(side) for side in sides]
        for term in terms:
            require_small(term)
        links = tuple(related(a, sign, b) for a, sign, b in zip(terms, signs, terms[1:], strict=False))
        return links[0] if len(links) == 1 else And(links)

    def sum(self) -> Value:
        """Terms with + and - between them."""
        value = self.product()
        while self.token in ("+", "-"):
            sign = self.advance()
            part = as_term(self.product())
            value = plus([as_term(value), part if sign == "+" else times([sp.S.NegativeOne, part])])
        return value

    def product(self) -> Value:
        """Factors with * and / between them."""
        value = self.unary()
        while self.token in ("*", "/"):
            sign = self.advance()
            part = as_term(self.unary())
            if sign == "/" and part == 0:
                self.refuse("divides by 0")
            value = times([as_term(value), part if sign == "*" else inverse(part)])
        return value

    def unary(self) -> Value:
        """A power with signs before it."""
        if self.token in ("-", "+") or (self.token == "/" and self.dialect.applies):  # Coq's / x is 1/x
            sign = self.advance()
            value = as_term(self.deeper(self.unary))
            if sign == "/":
                return inverse(value) if value != 0 else self.refuse("divides by 0")
            return times([sp.S.NegativeOne, value]) if sign == "-" else value
        return self.power()

    def power(self) -> Value:
        """An atom, or a power of one."""
        value = self.applied()
        while self.token in ("²", "%"):
            if self.advance() == "%":
                self.take("R")
            else:
                value = raised(as_term(value), sp.Integer(2))
        if self.token == "^":
            self.advance()
            value = raised(as_term(value), as_term(self.deeper(self.unary)))
        return value

    def applied(self) -> Value:
        """An atom, or a function with what stands after it."""
        name = self.token
        if name in self.names.functions or name in self.dialect.functions:
            self.advance()
            return self.call(name)
        return self.atom()

    def call(self, name: str) -> sp.Expr:
        """A function of the arguments ahead."""
        if own := self.names.functions.get(name):
            return self.expanded(own, self.arguments(len(own[0])))
        known = self.dialect.functions[name]
        arguments = self.arguments(2 if known in ("pow", "max", "min") else 1)
        if known == "pow":
            return raised(*arguments)
        build = _OWN.get(known) or FUNCTIONS[known][1]
        return build(*arguments)

    def arguments(self, count: int) -> list[sp.Expr]:
        """That many arguments: `f(a, b)`, or `f a b` where the format writes that."""
        if self.dialect.applies:
            return [as_term(self.deeper(self.juxtaposed)) for _ in range(count)]
        self.take("(")
        found = [as_term(self.deeper(self.sum))]
        while self.token == ",":
            self.advance()
            found.append(as_term(self.deeper(self.sum)))
        self.take(")")
        if len(found) != count:
            raise ProblemError(f"a function has {len(found)} arguments where {count} belong")
        return found

    def juxtaposed(self) -> Value:
        """One argument that stands by itself: an atom, and what scope or square is written behind it."""
        value = self.atom()
        while self.token in ("²", "%"):
            if self.advance() == "%":
                self.take("R")
            else:
                value = raised(as_term(value), sp.Integer(2))
        return value

    def expanded(self, own: tuple[tuple[str, ...], list[str]], arguments: list[sp.Expr]) -> sp.Expr:
        """The body of a function that the text defines, with its arguments in it."""
        parameters, body = own
        inner = Names(self.names.terms | dict(zip(parameters, arguments, strict=True)), self.names.functions)
        reader = InfixReader(body, self.dialect, inner)
        reader.depth, reader.steps = self.depth + 1, self.steps
        if reader.depth > MAX_DEPTH:
            raise ProblemError(f"is nested more than {MAX_DEPTH} deep")
        value = as_term(reader.definition())
        self.steps = reader.steps
        if reader.token:
            raise ProblemError(f"must end before {reader.token[:30]!r}")
        return value

    def definition(self) -> Value:
        """A term with `let name := term in` before it."""
        while self.token == "let":
            self.local()
        return self.statement()

    def local(self) -> None:
        """`let name := term in`, `let f := fun t => term in`."""
        self.take("let")
        name = self.advance()
        self.take(":=")
        start, nested = self.place, 0
        while self.token and not (self.token == "in" and nested == 0):
            nested += (self.token == "let") - (self.token == "in")
            self.advance()
        body = self.tokens[start : self.place]
        self.take("in")
        if body[:1] == ["fun"]:
            arrow = body.index("=>") if "=>" in body else 0
            self.names.functions[name] = tuple(body[1:arrow]), body[arrow + 1 :]
        else:
            self.names.terms[name] = self.expanded(((), body), [])

    def atom(self) -> Value:
        """A number, a name, or what stands in parentheses."""
        token = self.token
        if token == "(":
            self.advance()
            value = self.deeper(self.definition)
            self.take(")")
            return value
        if _NUMBER.fullmatch(token):
            return number(self.advance())
        if token in self.names.terms:
            return self.names.terms[self.advance()]
        if token in self.dialect.constants:
            return self.dialect.constants[self.advance()]
        raise ProblemError(f"does not know {token[:30]!r}")


def number(token: str) -> sp.Rational:
    """The exact value of digits. Raises ProblemError on too many."""
    found = _NUMBER.fullmatch(token)
    if found is None or len(token) > 200:
        raise ProblemError("has a number that is too long")
    after = found[2] or ""
    return sp.Integer(int(found[1] + after)) * sp.Integer(10) ** (int(found[3] or 0) - len(after))


def symbol_name(word: str) -> str:
    """A name that the prover's grammar has no other meaning for."""
    plain = word.replace("'", "_prime")
    return f"{plain}_" if plain in FUNCTIONS or plain in ("pi", "E", "EulerGamma", "oo") else plain


def as_term(value: Value) -> sp.Expr:
    """The value as a term. Raises ProblemError on a formula."""
    if isinstance(value, Comparison | And | Or):
        raise ProblemError("has a relation where a number belongs")
    return value


def as_formula(value: Value) -> Formula:
    """The value as a formula. Raises ProblemError on a term."""
    if not isinstance(value, Comparison | And | Or):
        raise ProblemError("has a number where a relation belongs")
    return value
