"""Terms and formulas of SMT-LIB: a closed list of operators over numbers, in the spellings of several solvers.

A term is a list of choices, one for each way through its `ite`s: a condition, and an expression kept as written. A
relation of such terms holds in one of the ways, together with its condition. `let` and `define-fun` are put in where
they are used, so the size of what comes out is counted as it grows, not when it is done.
"""

from __future__ import annotations

import itertools
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass

import sympy as sp

from theory.problems import smtlib_whole
from theory.problems.formulas import (
    FALSE,
    TRUE,
    And,
    Comparison,
    Formula,
    Or,
    ProblemError,
    QuantifiedFormula,
    negated,
    related,
)
from theory.problems.quantified import is_quantified
from theory.problems.sexpr import Expression, Word, line_of
from theory.problems.smtlib_operators import operation, refused
from theory.prover.typed.size import TooLarge, require_small

MAX_NODES = 5000
"""Parts of one term or formula, counted as a tree."""
MAX_NESTED = 90
MAX_CHOICES = 32
MAX_STEPS = 50_000
MAX_DIGITS = 1000

Choice = tuple[Formula, sp.Expr]


@dataclass(frozen=True)
class Term:
    """A number that depends on conditions: (condition, expression) pairs, one of whose conditions holds."""

    choices: tuple[Choice, ...]
    size: int
    depth: int
    is_whole: bool = False


@dataclass(frozen=True)
class TruthValue:
    """A formula and its size."""

    formula: Formula
    size: int
    depth: int = 1


Value = Term | TruthValue


def declared(symbol: sp.Symbol, sort: str) -> Value:
    """What a declared name means; a truth value is a number of its own that is >= 0 where the name is true."""
    if sort == "Bool":
        return TruthValue(Comparison(sp.S.Zero, "<=", symbol), 1)
    return Term(((TRUE, symbol),), 1, 1, sort == "Int")


@dataclass(frozen=True)
class Definition:
    """A function that a file defines: parameters with their sorts, the sort of its value, and its body."""

    parameters: tuple[tuple[str, str], ...]
    sort: str
    body: Expression
    known: Mapping[str, Definition]


CONSTANTS = {"pi": sp.pi, "real.pi": sp.pi}
_SIGNS = ("<", "<=", ">", ">=")


class TermReader:
    """Reads expressions in known symbols and definitions."""

    def __init__(
        self,
        values: Mapping[str, Value],
        defined: Mapping[str, Definition],
        bind: Callable[[Word, str], sp.Symbol] | None = None,
    ) -> None:
        """`bind` makes a new symbol for a name of a quantifier and its sort; without it there may be none."""
        self.values, self.defined, self.bind = values, defined, bind
        self.steps = 0

    def formula(self, expression: Expression) -> Formula:
        """The formula that an expression is. Raises ProblemError."""
        return self.truth_value(self.value(expression, self.values, self.defined, 0), expression).formula

    def value(self, e: Expression, at: Mapping[str, Value], defined: Mapping[str, Definition], depth: int) -> Value:
        """The value of an expression where names mean `at` and `defined`."""
        self.steps += 1
        if self.steps > MAX_STEPS:
            raise ProblemError(f"line {line_of(e)}: an assertion must take at most {MAX_STEPS} steps, got more")
        if depth > MAX_NESTED:
            raise ProblemError(f"line {line_of(e)}: a term must be nested at most {MAX_NESTED} deep, got more")
        while isinstance(e, list) and e and isinstance(e[0], Word) and e[0].text in ("let", "!"):
            if e[0].text == "!":
                e = _second(e)
                continue
            at = {**at, **self.bindings(e, at, defined, depth)}
            e = e[2]
        if isinstance(e, Word):
            return self.word(e, at, defined, depth)
        head = e[0] if e else None
        if not isinstance(head, Word):
            raise refused(e, "a term must begin with an operator")
        if head.text in ("forall", "exists"):
            return self.quantified(e, at, defined, depth)
        values = [self.value(part, at, defined, depth + 1) for part in e[1:]]
        if head.text in defined:
            return self.expanded(defined[head.text], values, e, depth)
        return self.choice(values, e) if head.text == "ite" else self.applied(head.text, values, e)

    def bindings(
        self, e: list[Expression], at: Mapping[str, Value], defined: Mapping[str, Definition], depth: int
    ) -> dict[str, Value]:
        """What a `let` binds."""
        if len(e) != 3 or not isinstance(e[1], list) or not e[1]:
            raise refused(e, "let must be (let ((name term) ...) term)")
        found: dict[str, Value] = {}
        for pair in e[1]:
            if not isinstance(pair, list) or len(pair) != 2 or not isinstance(pair[0], Word):
                raise refused(e, "let must be (let ((name term) ...) term)")
            if pair[0].text in found:
                raise refused(pair, "let must bind each name once")
            found[pair[0].text] = self.value(pair[1], at, defined, depth + 1)
        return found

    def quantified(
        self, e: list[Expression], at: Mapping[str, Value], defined: Mapping[str, Definition], depth: int
    ) -> Value:
        """(forall ((x Real) ...) formula), or exists; each name is a new symbol, whatever it meant outside."""
        pairs = e[1] if len(e) == 3 and isinstance(e[1], list) else []
        found: dict[str, sp.Symbol] = {}
        inside = dict(at)
        for pair in pairs:
            if not (isinstance(pair, list) and len(pair) == 2 and all(isinstance(part, Word) for part in pair)):
                raise refused(e, "a quantifier must be (forall ((name Real) ...) formula)")
            name, sort = pair[0].text, pair[1].text  # type: ignore[union-attr]
            is_function = name in defined and bool(defined[name].parameters)
            if sort not in ("Real", "Int") or name in found or is_function or self.bind is None:
                raise refused(pair, "a quantified name must be free, come once, and be of sort Real or Int")
            found[name] = self.bind(pair[0], sort)  # type: ignore[arg-type]
            inside[name] = declared(found[name], sort)
        if not found:
            raise refused(e, "a quantifier must be (forall ((name Real) ...) formula)")
        body = self.truth_value(self.value(e[2], inside, defined, depth + 1), e)
        formula = QuantifiedFormula(e[0].text == "forall", tuple(found.values()), body.formula)  # type: ignore[union-attr]
        return bounded(TruthValue(formula, body.size + len(found), body.depth + 1), e)

    def word(self, e: Word, at: Mapping[str, Value], defined: Mapping[str, Definition], depth: int) -> Value:
        """A number, a name or a truth value."""
        if e.kind == "number":
            return Term(((TRUE, _number(e)),), 1, 1, e.text.isdigit() or e.text[0] == "#")
        if e.kind == "symbol" and e.text in at:
            return at[e.text]
        if e.text in defined and not defined[e.text].parameters:
            return self.expanded(defined[e.text], [], e, depth)
        if e.text in ("true", "false"):
            return TruthValue(TRUE if e.text == "true" else FALSE, 1)
        if e.text in CONSTANTS:
            return Term(((TRUE, CONSTANTS[e.text]),), 1, 1)
        raise refused(e, "a name must be declared before it is used")

    def expanded(self, definition: Definition, values: list[Value], e: Expression, depth: int) -> Value:
        """The body of a defined function with its arguments in it."""
        if len(values) != len(definition.parameters):
            raise refused(e, f"the function must have {len(definition.parameters)} arguments")
        for value, (_, sort) in zip(values, definition.parameters, strict=True):
            if isinstance(value, TruthValue) != (sort == "Bool"):
                raise refused(e, f"an argument must be of sort {sort}")
        names = [name for name, _ in definition.parameters]
        # The body sees the declared symbols, its parameters, and what was defined before it: no recursion.
        at = {**self.values, **dict(zip(names, values, strict=True))}
        value = self.value(definition.body, at, definition.known, depth + 1)
        if isinstance(value, TruthValue) != (definition.sort == "Bool"):
            raise refused(e, f"the function must have a value of sort {definition.sort}")
        return value

    def choice(self, values: list[Value], e: Expression) -> Value:
        """(ite condition one other)."""
        if len(values) != 3:
            raise refused(e, "ite must have 3 arguments")
        condition, one, other = self.truth_value(values[0], e), values[1], values[2]
        if is_quantified(condition.formula):
            raise refused(e, "the condition of ite must have no quantifier")
        yes, no = condition.formula, negated(condition.formula)
        size, depth = sum(v.size for v in values) + condition.size, 1 + max(v.depth for v in values)
        if isinstance(one, TruthValue) and isinstance(other, TruthValue):
            return bounded(TruthValue(Or((And((yes, one.formula)), And((no, other.formula)))), size, depth), e)
        pairs = [(And((yes, guard)), term) for guard, term in self.term(one, e).choices]
        pairs += [(And((no, guard)), term) for guard, term in self.term(other, e).choices]
        is_whole = all(isinstance(value, Term) and value.is_whole for value in (one, other))
        return bounded(Term(tuple(pairs), size, depth, is_whole), e)

    def applied(self, name: str, values: list[Value], e: Expression) -> Value:
        """An operator of the closed list with its arguments."""
        is_of_truths = name in ("=", "distinct") and any(isinstance(value, TruthValue) for value in values)
        if name in ("and", "or", "not", "=>", "xor") or is_of_truths:
            return bounded(_connected(name, [self.truth_value(value, e) for value in values], e), e)
        terms = [self.term(value, e) for value in values]
        if name in ("=", "distinct", *_SIGNS):
            return bounded(_compared(name, terms, e), e)
        if name == "is_int":
            return bounded(_compared("=", [self.computed("to_int", terms, e), *terms], e), e)
        return self.computed(name, terms, e)

    def computed(self, name: str, terms: list[Term], e: Expression) -> Term:
        """Arithmetic and functions."""
        build = operation(name, len(terms), e)
        is_whole = name in smtlib_whole.KEEP_WHOLE and all(term.is_whole for term in terms)
        if name in ("div", "mod") and not is_whole:
            raise refused(e, f"{name} must have whole numbers")
        size, depth = 1 + sum(term.size for term in terms), 1 + max(term.depth for term in terms)
        count = 1
        for term in terms:
            count *= len(term.choices)
        if count > MAX_CHOICES:
            raise refused(e, f"a term must have at most {MAX_CHOICES} choices by ite")
        bounded(TruthValue(TRUE, size, depth), e)
        pairs = []
        for combination in itertools.product(*(term.choices for term in terms)):
            guards = tuple(guard for guard, _ in combination if guard != TRUE)
            try:
                built = build([expression for _, expression in combination])
            except TooLarge as error:
                raise ProblemError(f"line {line_of(e)}: a term {error}") from None
            pairs.append((And(guards) if len(guards) != 1 else guards[0], built))
        return Term(tuple(pairs), size, depth, is_whole or name == "to_int")

    def truth_value(self, value: Value, e: Expression) -> TruthValue:
        """The value as a formula."""
        if isinstance(value, Term):
            raise refused(e, "a number must not stand where a truth value belongs")
        return value

    def term(self, value: Value, e: Expression) -> Term:
        """The value as a number."""
        if isinstance(value, TruthValue):
            raise refused(e, "a truth value must not stand where a number belongs")
        return value


def bounded(value: Value, e: Expression) -> Value:
    """The value, unless it is too large."""
    if value.size > MAX_NODES:
        raise refused(e, f"a term must have at most {MAX_NODES} parts once let and define-fun are put in")
    if value.depth > MAX_NESTED:
        raise refused(e, f"a term must be nested at most {MAX_NESTED} deep once let and define-fun are put in")
    if isinstance(value, Term) and len(value.choices) > MAX_CHOICES:
        raise refused(e, f"a term must have at most {MAX_CHOICES} choices by ite")
    return value


def _second(e: list[Expression]) -> Expression:
    if len(e) < 2:
        raise refused(e, "! must have a term")
    return e[1]


def _number(word: Word) -> sp.Rational:
    """An exact number; 1e-3 is dReal's, #x1f and #b11111 are the whole number 31."""
    if word.text[0] == "#":
        if len(word.text) > MAX_DIGITS:
            raise ProblemError(f"line {word.line}: a number must have at most {MAX_DIGITS} digits, got more")
        return sp.Integer(int(word.text[2:], 16 if word.text[1] == "x" else 2))
    mantissa, _, exponent = word.text.replace("E", "e").partition("e")
    sign, mantissa = (-1, mantissa[1:]) if mantissa.startswith("-") else (1, mantissa)
    whole, _, after = mantissa.partition(".")
    too_long = len(whole) + len(after) > MAX_DIGITS or len(exponent.lstrip("+-0")) > 3
    if too_long:
        raise ProblemError(f"line {word.line}: a number must have at most {MAX_DIGITS} digits, got more")
    return sp.Integer(sign * int(whole + after)) * sp.Integer(10) ** (int(exponent or 0) - len(after))


def _connected(name: str, values: Sequence[TruthValue], e: Expression) -> TruthValue:
    formulas = [value.formula for value in values]
    size, depth = 1 + sum(v.size for v in values), 1 + max((v.depth for v in values), default=0)
    least = {"and": 1, "or": 1, "not": 1}.get(name, 2)
    if len(formulas) < least or (name == "not" and len(formulas) != 1):
        raise refused(e, f"{name} must have another number of arguments")
    if name == "and":
        return TruthValue(And(tuple(formulas)), size, depth)
    if name == "or":
        return TruthValue(Or(tuple(formulas)), size, depth)
    if name == "not":
        return TruthValue(negated(formulas[0]), size, depth)
    if name == "=>":
        return TruthValue(Or((*map(negated, formulas[:-1]), formulas[-1])), size, depth)
    if any(map(is_quantified, formulas)):
        raise refused(e, f"what {name} joins must have no quantifier")
    if name == "=":
        links = [_equivalent(one, other) for one, other in itertools.pairwise(values)]
        return _connected("and", links, e) if len(links) > 1 else links[0]
    if name == "distinct" and len(values) > 2:  # of three truth values two are the same
        return TruthValue(FALSE, size, depth)
    found = values[0]
    for value in values[1:]:  # a xor b xor c is (a xor b) xor c
        found = _equivalent(found, TruthValue(negated(value.formula), value.size, value.depth))
        bounded(found, e)
    return found


def _equivalent(one: TruthValue, other: TruthValue) -> TruthValue:
    """Both hold, or neither does."""
    both, neither = And((one.formula, other.formula)), And((negated(one.formula), negated(other.formula)))
    return TruthValue(Or((both, neither)), 2 * (1 + one.size + other.size), 2 + max(one.depth, other.depth))


def _compared(name: str, terms: list[Term], e: Expression) -> TruthValue:
    """A chain of comparisons, or that all differ."""
    if len(terms) < 2:
        raise refused(e, f"{name} must have at least 2 arguments")
    pairs = itertools.combinations(terms, 2) if name == "distinct" else itertools.pairwise(terms)
    sign = {"=": "==", "distinct": "!="}.get(name, name)
    links, size = [], 1
    for left, right in pairs:
        count = len(left.choices) * len(right.choices)
        size += count * (1 + left.size + right.size)
        bounded(TruthValue(TRUE, size, 1), e)
        links.append(_link(left, sign, right, e))
    depth = 1 + max(term.depth for term in terms)
    return TruthValue(links[0] if len(links) == 1 else And(tuple(links)), size, depth)


def _link(left: Term, sign: str, right: Term, e: Expression) -> Formula:
    ways: list[Formula] = []
    for (guard, a), (other, b) in itertools.product(left.choices, right.choices):
        try:
            require_small(a)
            require_small(b)
        except TooLarge as error:
            raise ProblemError(f"line {line_of(e)}: a term {error}") from None
        guards = tuple(part for part in (guard, other) if part != TRUE)
        relation: Comparison = related(a, sign, b)
        ways.append(And((*guards, relation)) if guards else relation)
    return ways[0] if len(ways) == 1 else Or(tuple(ways))
