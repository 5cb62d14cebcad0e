"""What a term is at a point: in floats, or exactly where it is rational and in many digits of mpmath where it is not.

A point has numbers by name, lists by name (`Entries`), perhaps a random variable (values with their probabilities) and
a function. Nothing of the prover is used.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from fractions import Fraction
from typing import Any

import mpmath

from benchmarks.lengths.formulas import VECTORS, Node, Relation

DIGITS = 60
MAX_TERMS = 20_000
"""Of one total."""
_MAX_BITS = 20_000
"""Of a power that is kept exact."""
_CONSTANTS = {"pi": "pi", "E": "e", "EulerGamma": "euler"}


class NoValue(ArithmeticError):
    """A part of a term has no real value at a point."""


@dataclass
class Entries:
    """The entries of a list, from the place `first` on; those of a matrix are lists."""

    first: int
    values: list

    def at(self, places: Sequence[int]) -> Any:
        """The entry at a place. Raises NoValue where there is none."""
        row, first = self.values, self.first
        for place in places:
            if not first <= place < first + len(row):
                raise NoValue(f"no entry {place}")
            row, first = row[place - first], 1
        return row


@dataclass
class Point:
    """Numbers, lists, a random variable's values and probabilities by its name, and functions by name."""

    numbers: dict[str, Any] = field(default_factory=dict)
    lists: dict[str, Entries] = field(default_factory=dict)
    variables: dict[str, tuple[list, list]] = field(default_factory=dict)
    functions: dict[str, Callable[[Any], Any]] = field(default_factory=dict)

    def mapped(self, of: Callable[[Any], Any]) -> Point:
        """The same point with another kind of numbers; whole ones stay."""

        def deep(row: Any) -> Any:
            return [deep(part) for part in row] if isinstance(row, list) else of(row)

        return Point(
            {name: of(value) for name, value in self.numbers.items()},
            {name: Entries(row.first, deep(row.values)) for name, row in self.lists.items()},
            {name: (deep(values), deep(weights)) for name, (values, weights) in self.variables.items()},
            self.functions,
        )


class Floats:
    """Numbers of the machine."""

    @staticmethod
    def number(value: Fraction) -> float:
        """A number."""
        return int(value) if value.denominator == 1 else float(value)

    @staticmethod
    def constant(name: str) -> float:
        """pi, E or Euler's constant."""
        return {"pi": math.pi, "e": math.e, "euler": 0.5772156649015329}[name]

    @staticmethod
    def apply(name: str, x: Any) -> Any:
        """A function of one number."""
        if name == "factorial":
            return math.gamma(x + 1) if x < 170 else math.exp(math.lgamma(x + 1))
        return getattr(math, name)(x)

    @staticmethod
    def power(base: Any, exponent: Any) -> Any:
        """A power."""
        if base < 0 and exponent != int(exponent):
            raise NoValue("power")
        return base**exponent

    @staticmethod
    def quotient(a: Any, b: Any) -> Any:
        """A quotient."""
        return a / b

    @staticmethod
    def together(a: Any, b: Any) -> tuple[Any, Any]:
        """Two numbers of one kind."""
        return a, b


class Exact:
    """Fractions as long as everything is rational, numbers of mpmath behind that."""

    @staticmethod
    def number(value: Fraction) -> Fraction:
        """A number."""
        return Fraction(value)

    @staticmethod
    def constant(name: str) -> Any:
        """pi, E or Euler's constant."""
        return +getattr(mpmath.mp, name)

    @staticmethod
    def together(a: Any, b: Any) -> tuple[Any, Any]:
        """Two numbers of one kind."""
        if isinstance(a, Fraction) and isinstance(b, Fraction):
            return a, b
        return _wide(a), _wide(b)

    @staticmethod
    def apply(name: str, x: Any) -> Any:
        """A function of one number."""
        if isinstance(x, Fraction):
            if name == "exp" and x == 0:
                return Fraction(1)
            if name == "log" and x == 1:
                return Fraction(0)
            if name in ("floor", "ceil"):
                return Fraction(getattr(math, name)(x))
            if name == "factorial" and x.denominator == 1 and 0 <= x < 3000:
                return Fraction(math.factorial(int(x)))
            if name == "sqrt" and x >= 0:
                top, bottom = math.isqrt(x.numerator), math.isqrt(x.denominator)
                if top**2 == x.numerator and bottom**2 == x.denominator:
                    return Fraction(top, bottom)
        if (name == "log" and x <= 0) or (name == "sqrt" and x < 0):
            raise NoValue(name)
        return getattr(mpmath, name)(_wide(x))

    @staticmethod
    def power(base: Any, exponent: Any) -> Any:
        """A power."""
        whole = isinstance(exponent, Fraction) and exponent.denominator == 1
        if whole and isinstance(base, Fraction):
            if base == 0 and exponent < 0:
                raise NoValue("power")
            bits = max(base.numerator.bit_length(), base.denominator.bit_length())
            if bits * abs(exponent) <= _MAX_BITS:
                return Fraction(base) ** int(exponent)
        if exponent == Fraction(1, 2):
            return Exact.apply("sqrt", base)
        if not whole and (base < 0 or (base == 0 and exponent <= 0)):
            raise NoValue("power")
        return _wide(base) ** (int(exponent) if whole else _wide(exponent))

    @staticmethod
    def quotient(a: Any, b: Any) -> Any:
        """A quotient."""
        return a / b


def _wide(x: Any) -> Any:
    return mpmath.mpf(x.numerator) / x.denominator if isinstance(x, Fraction) else mpmath.mpf(x)


_NAMED = {"ln": "log", "ceiling": "ceil", "fabs": "abs"}


def value(node: Node, point: Point, lib: Any, place: int | None = None) -> Any:
    """A term at a point; within a vector bare lists stand for their entries at a place.

    Raises:
        NoValue: a part has no value there.
    """
    try:
        return _value(node, point, lib, place)
    except (ValueError, OverflowError, ZeroDivisionError, TypeError, AttributeError, KeyError) as error:
        raise NoValue(str(error)) from None


def _value(node: Node, point: Point, lib: Any, place: int | None) -> Any:
    kind, parts = node.kind, node.parts
    if kind == "number":
        return lib.number(parts[0])
    if kind == "name":
        return _named(parts[0], point, lib, place)
    if kind == "entry":
        return point.lists[parts[0]].at([int(_value(part, point, lib, None)) for part in parts[1:]])
    if kind == "call":
        return _called(parts[0], parts[1:], point, lib, place)
    if kind == "total":
        return _total(parts, point, lib, place)
    if kind == "vector_entry":
        weights = _softmax(parts[0].parts[1], point, lib)
        return weights[int(_value(parts[1], point, lib, None)) - 1]
    if kind == "mean":
        return _mean(parts[0], point, lib)
    if kind == "neg":
        return -_value(parts[0], point, lib, place)
    a, b = _value(parts[0], point, lib, place), _value(parts[1], point, lib, place)
    if kind == "^":
        return lib.power(a, b)
    a, b = lib.together(a, b)
    if kind == "/":
        return lib.quotient(a, b)
    return a + b if kind == "+" else a - b if kind == "-" else a * b


def _named(name: str, point: Point, lib: Any, place: int | None) -> Any:
    if name in point.numbers:
        return point.numbers[name]
    if name in point.lists and place is not None:
        return point.lists[name].at([place])
    if name in _CONSTANTS:
        return lib.constant(_CONSTANTS[name])
    raise NoValue(f"no number {name}")


def _folded(operation: str, terms: Sequence[Any], lib: Any) -> Any:
    if operation in ("max", "min"):
        if not terms:
            raise NoValue("greatest of none")
        best = terms[0]
        for term in terms[1:]:
            a, b = lib.together(best, term)
            best = max(a, b) if operation == "max" else min(a, b)
        return best
    found = lib.number(Fraction(operation == "prod"))
    for term in terms:
        a, b = lib.together(found, term)
        found = a * b if operation == "prod" else a + b
    return found


def _total(parts: tuple, point: Point, lib: Any, place: int | None) -> Any:
    operation, body, index, low, high = parts
    first, last = (int(_value(end, point, lib, None)) for end in (low, high))
    if last - first > MAX_TERMS:
        raise NoValue("too many terms")
    before = point.numbers.get(index)
    terms = []
    for i in range(first, last + 1):
        point.numbers[index] = lib.number(Fraction(i))
        terms.append(_value(body, point, lib, place))
    if before is None:
        point.numbers.pop(index, None)
    else:
        point.numbers[index] = before
    return _folded(operation, terms, lib)


def _vector(body: Node, point: Point, lib: Any) -> list[Any]:
    """A term in whole vectors at all places."""
    lengths = {len(point.lists[name].values) for name in names_of_lists(body, point)}
    if len(lengths) != 1:
        raise NoValue("vectors of no length, or of two")
    return [_value(body, point, lib, i) for i in range(1, lengths.pop() + 1)]


def names_of_lists(node: Node, point: Point) -> set[str]:
    """Bare names of lists in a term, those within inner vectors among them."""
    if node.kind == "name":
        return {node.parts[0]} & set(point.lists)
    return {name for part in node.parts if isinstance(part, Node) for name in names_of_lists(part, point)}


def _softmax(body: Node, point: Point, lib: Any) -> list[Any]:
    terms = [lib.apply("exp", x) for x in _vector(body, point, lib)]
    return [lib.quotient(*lib.together(term, _folded("sum", terms, lib))) for term in terms]


def _mean(body: Node, point: Point, lib: Any) -> Any:
    """An expectation."""
    ((name, (values, weights)),) = point.variables.items()
    terms = []
    for x, weight in zip(values, weights, strict=True):
        point.numbers[name] = x
        terms.append(math.prod(lib.together(_value(body, point, lib, None), weight)))
    del point.numbers[name]
    return _folded("sum", terms, lib)


def _called(name: str, arguments: tuple, point: Point, lib: Any, place: int | None) -> Any:
    name = _NAMED.get(name, name)
    if name in point.functions:
        return point.functions[name](_value(arguments[0], point, lib, place))
    if name in VECTORS:
        return _of_vectors(name, arguments, point, lib, place)
    if name in ("max", "min", "sum", "prod") and len(arguments) == 1:
        return _folded(name, _vector(arguments[0], point, lib), lib)
    found = [_value(argument, point, lib, place) for argument in arguments]
    if name in ("max", "min"):
        return _folded(name, found, lib)
    if name == "abs":
        return abs(found[0])
    if name == "binomial":
        return lib.number(Fraction(math.comb(int(found[0]), int(found[1]))))
    if name == "eigmax":
        (a, b, c), two = (found[0], found[1], found[3]), lib.number(Fraction(2))
        root = lib.apply("sqrt", lib.power(a - c, two) + 4 * lib.power(b, two))
        return lib.quotient(*lib.together(sum(lib.together(a + c, root)), two))
    if name == "log2":
        return lib.quotient(*lib.together(lib.apply("log", found[0]), lib.apply("log", lib.number(Fraction(2)))))
    return lib.apply(name, found[0])


def _of_vectors(name: str, arguments: tuple, point: Point, lib: Any, place: int | None) -> Any:
    if name == "softmax":
        if place is None:
            raise NoValue("softmax without a place")
        return _softmax(arguments[0], point, lib)[place - 1]
    terms = _vector(arguments[0], point, lib)
    if name == "mean":
        return lib.quotient(*lib.together(_folded("sum", terms, lib), lib.number(Fraction(len(terms)))))
    if name == "logsumexp":
        return lib.apply("log", _folded("sum", [lib.apply("exp", x) for x in terms], lib))
    if name == "dot":
        others = _vector(arguments[1], point, lib)
        return _folded("sum", [math.prod(lib.together(x, y)) for x, y in zip(terms, others, strict=True)], lib)
    order = arguments[1].parts[0]
    if order == "oo":
        return _folded("max", [abs(x) for x in terms], lib)
    if order == 1:
        return _folded("sum", [abs(x) for x in terms], lib)
    return lib.apply("sqrt", _folded("sum", [x * x for x in terms], lib))


# ----------------------------------------------------------------------------------------------------------- relations


def gap(relation: Relation, point: Point, lib: Any) -> Any:
    """What a relation leaves: >= 0 (or > 0) where it holds; for an equation minus the distance. Raises NoValue."""
    left, right = lib.together(value(relation.left, point, lib), value(relation.right, point, lib))
    if relation.sign == "=":
        return -abs(left - right)
    return right - left if relation.sign in ("<=", "<") else left - right


def holds_roughly(relation: Relation, point: Point, slack: float) -> bool:
    """Whether a relation holds in floats, up to a share of its sides. Raises NoValue."""
    left, right = value(relation.left, point, Floats), value(relation.right, point, Floats)
    if math.isnan(left) or math.isnan(right):
        raise NoValue("nan")
    return bool(gap(relation, point, Floats) >= -slack * (1 + abs(left) + abs(right)))


def truth(relation: Relation, point: Point) -> bool | None:
    """Whether a relation holds at a point of fractions; None where 60 digits do not tell. Raises NoValue."""
    with mpmath.workdps(DIGITS):
        left, right = Exact.together(value(relation.left, point, Exact), value(relation.right, point, Exact))
        rest = gap(relation, point, Exact)
        doubt = mpmath.mpf(10) ** (15 - DIGITS)
        if not isinstance(left, Fraction) and abs(rest) <= (1 + abs(left) + abs(right)) * doubt:
            return None
    return bool(rest > 0 or (rest == 0 and relation.sign in ("<=", ">=", "=")))


def as_floats(numbers: Mapping[str, Any] | Point) -> Point:
    """A point of fractions in floats."""
    point = numbers if isinstance(numbers, Point) else Point(dict(numbers))
    return point.mapped(lambda x: Floats.number(x) if isinstance(x, Fraction) else x)
