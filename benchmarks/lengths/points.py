"""Points that meet what a lemma says of them, drawn at random; and whether a lemma holds there.

Conditions are met by construction where one side of them is a number, an entry or a sum that can be scaled, in the
order in which they stand; what does not fit in the end is thrown away.
"""

from __future__ import annotations

import itertools
import math
import random
from collections.abc import Callable, Iterator
from fractions import Fraction
from typing import Any

from benchmarks.lengths.corpus import Lemma, Span
from benchmarks.lengths.formulas import Node, Relation, names_in
from benchmarks.lengths.values import Entries, Exact, Floats, NoValue, Point, gap, holds_roughly, truth, value

TRIES = 400
"""For one point."""
SLACK, SLACK_OF_CONDITIONS = 1e-7, 1e-9
LENGTHS = (1, 1, 2, 2, 3, 3, 4, 5, 7, 12)
_TURNED = {"<=": ">=", "<": ">", "=": "=", ">=": "<=", ">": "<"}
_SIMPLE = tuple(map(Fraction, (0, 1, 2, 3, 5, "1/2", "1/3", "3/4", "1/10", "1/100", "7/5")))
_CONVEX: tuple[Callable[[Any], Any], ...] = (
    lambda x: x * x,
    abs,
    lambda x: math.exp(float(x)),
    lambda x: max(float(x) - 1, 0.0),
    lambda x: 3 - 2 * x,
)


def draw(lemma: Lemma, generator: random.Random) -> Point | None:
    """A point that a lemma speaks of, in floats where a condition made it; None where none was found."""
    for _ in range(TRIES):
        try:
            point = _drawn(lemma, generator)
            if point is not None and admits(lemma, point):
                return point
        except NoValue:
            continue
    return None


def _drawn(lemma: Lemma, generator: random.Random) -> Point | None:
    point = Point()
    variables = _variables(lemma)
    for span in lemma.spans:
        if not span.places and span.name not in variables:
            is_whole = span.name in lemma.whole
            point.numbers[span.name] = _number(span, point, generator, is_whole=is_whole)
    for span in lemma.spans:
        if span.places:
            point.lists[span.name] = _entries(span, point, generator)
        elif span.name in variables:
            point.variables[span.name] = _law(lemma, span, point, generator)
    for name in lemma.convex:
        point.functions[name] = generator.choice(_CONVEX)
    for relation in lemma.relations:
        meet(lemma, relation, point, generator)
    return point


def _variables(lemma: Lemma) -> set[str]:
    """Names of random variables: those in a mean."""

    def found(node: Node) -> set[str]:
        inner = {name for part in node.parts if isinstance(part, Node) for name in found(part)}
        return inner | (names_in(node.parts[0]) & {"X"} if node.kind == "mean" else set())

    sides = [side for relation in lemma.statement.relations for side in (relation.left, relation.right)]
    return {name for side in sides for name in found(side)}


def _ends(span: Span, point: Point) -> tuple[Fraction | None, Fraction | None]:
    return tuple(None if end is None else Fraction(value(end, point, Exact)) for end in (span.low, span.high))  # type: ignore[return-value]


def _number(span: Span, point: Point, generator: random.Random, *, is_whole: bool = False) -> Fraction:
    """A number of a range: simple ones, ends and random ones."""
    low, high = _ends(span, point)
    if is_whole:
        least = math.ceil(low or 0)
        found = Fraction(least + generator.choice(LENGTHS) - 1)
        return found if high is None else min(found, high)
    if low is not None and high is not None:
        share = generator.choice((*_SIMPLE[:2], *_SIMPLE[5:10], Fraction(generator.randrange(98), 97)))
        found = low + (high - low) * share
    else:
        size = generator.choice((*_SIMPLE, Fraction(generator.randrange(400), 97)))
        if low is None and high is None:
            found = size * generator.choice((1, -1))
        else:
            found = low + size if low is not None else (high or Fraction(0)) - size
    if (span.open_low and found == low) or (span.open_high and found == high):
        if low is not None and high is not None:
            return (low + high) / 2
        return found + (Fraction(1, 2) if high is None else Fraction(-1, 2))
    return found


def _entries(span: Span, point: Point, generator: random.Random) -> Entries:
    """Entries of a range: unlike ones, or all alike but few."""
    places = [tuple(int(value(end, point, Exact)) for end in ends) for ends in span.places]
    (first, last), rest = places[0], places[1:]
    alike = _number(span, point, generator)
    share = generator.choice((0, 0, 0.7, 1))

    def one() -> Fraction:
        return alike if generator.random() < share else _number(span, point, generator)

    if rest:
        return Entries(first, [[one() for _ in range(rest[0][0], rest[0][1] + 1)] for _ in range(first, last + 1)])
    return Entries(first, [one() for _ in range(first, last + 1)])


def _law(lemma: Lemma, span: Span, point: Point, generator: random.Random) -> tuple[list, list]:
    """Values with probabilities; pairs around the mean where one is given."""
    mean = None
    for relation in lemma.relations:
        if relation.sign == "=" and relation.left.kind == "mean":
            mean = Fraction(value(relation.right, point, Exact))
    if mean is None:
        values = [_number(span, point, generator) for _ in range(generator.choice((1, 2, 3)))]
        weights = [Fraction(generator.randrange(1, 20)) for _ in values]
        return values, [weight / sum(weights) for weight in weights]
    low, high = _ends(span, point)
    share = Fraction(generator.randrange(1, 20), 20)
    values, weights = [], []
    for part in (share, 1 - share):
        below = mean - (mean - (low if low is not None else mean - 3)) * Fraction(generator.randrange(1, 8), 7)
        above = mean + ((high if high is not None else mean + 3) - mean) * Fraction(generator.randrange(1, 8), 7)
        up = (mean - below) / (above - below) if above > below else Fraction(1)
        values += [below, above]
        weights += [part * (1 - up), part * up]
    return values, weights


# ---------------------------------------------------------------------------------------------- meeting what is given


def places_of(relation: Relation, point: Point) -> Iterator[dict[str, int]]:
    """The places at which a condition on entries is asked: all at which its entries are there; one without any."""
    found: dict[str, set[int]] = {}
    for side in (relation.left, relation.right):
        _index_ranges(side, point, frozenset(), found)
    names = sorted(found)
    for combination in itertools.product(*(sorted(found[name]) for name in names)):
        yield dict(zip(names, combination, strict=True))


def _index_ranges(node: Node, point: Point, bound: frozenset[str], found: dict[str, set[int]]) -> None:
    """Of each free index the places at which all its entries are there."""
    if node.kind == "total":
        bound |= {node.parts[2]}
    if node.kind == "entry":
        row = point.lists[node.parts[0]]
        sizes = [(row.first, len(row.values))] + ([(1, len(row.values[0]))] if len(node.parts) > 2 else [])
        for place, (first, size) in zip(node.parts[1:], sizes, strict=True):
            free = [name for name in names_in(place) if name not in bound and name not in point.numbers]
            if len(free) == 1:
                fits = {
                    i
                    for i in range(first - 9, first + size + 9)
                    if first <= _shifted(place, free[0], i, point) < first + size
                }
                found[free[0]] = found[free[0]] & fits if free[0] in found else fits
    for part in node.parts:
        if isinstance(part, Node):
            _index_ranges(part, point, bound, found)


def _shifted(place: Node, name: str, i: int, point: Point) -> int:
    return int(value(place, Point({**point.numbers, name: i}), Floats))


def _with_places(point: Point, places: dict[str, int]) -> Point:
    return Point({**point.numbers, **places}, point.lists, point.variables, point.functions)


def meet(lemma: Lemma, relation: Relation, point: Point, generator: random.Random) -> None:
    """Change a point so that a condition holds, where that is easily done."""
    left, right = relation.left, relation.right
    if left.kind == right.kind == "entry" and left.parts[0] == right.parts[0]:
        point.lists[left.parts[0]].values.sort(reverse=relation.sign in (">=", ">"))
        return
    if left.kind == "total" and left.parts[0] == "sum" and len(names_in(left) & set(point.lists)) == 1:
        _scale(relation, point)
        return
    for places in places_of(relation, point):
        here = _with_places(point, places)
        if left.kind == "call" and left.parts[0] == "abs" and names_in(left) & set(point.lists):
            _centre(lemma, relation, here, generator)
        elif left.kind in ("entry", "name") and (left.kind == "entry" or left.parts[0] in point.numbers):
            if right.kind == "entry" and left.kind == "name":
                _set(lemma, right, _TURNED[relation.sign], left, here, point, generator)
            else:
                _set(lemma, left, relation.sign, right, here, point, generator)


def _set(
    lemma: Lemma, target: Node, sign: str, other: Node, here: Point, point: Point, generator: random.Random
) -> None:
    """Give a number or an entry a value on the right side of a bound, often on it."""
    lib = Exact if all(not isinstance(x, float) for x in here.numbers.values()) else Floats
    try:
        bound = value(other, here, lib)
    except NoValue:
        return
    span = next(span for span in lemma.spans if span.name == target.parts[0])
    bound = bound if isinstance(bound, Fraction) else float(bound)
    is_whole = target.parts[0] in lemma.whole
    now = value(target, here, Floats)
    off = generator.choice((0, 0, Fraction(1, 3), Fraction(2)))
    found: Any = now
    if sign == "=":
        found = bound
    elif sign in (">=", ">") and now < bound:
        found = bound + off + Fraction(sign == ">")
    elif sign in ("<=", "<") and now > bound:
        low = _ends(span, here)[0]
        share = generator.choice((0, 0, Fraction(1, 3), Fraction(9, 10)))
        found = bound - off if low is None else bound - (bound - low) * share
    if is_whole and found is not now:
        found = Fraction(math.ceil(found) if sign in (">=", ">") else math.floor(found))
    if found is now:
        return
    if target.kind == "name":
        point.numbers[target.parts[0]] = found
    else:
        row = point.lists[target.parts[0]]
        row.values[int(value(target.parts[1], here, Floats)) - row.first] = found


def _centre(lemma: Lemma, relation: Relation, here: Point, generator: random.Random) -> None:
    """abs(x[i] - c) <= t: an entry between c - t and c + t."""
    inner = relation.left.parts[1]
    entry, centre = inner, Fraction(0)
    if inner.kind != "entry":
        entry, centre = inner.parts[0], value(inner.parts[1], here, Exact)
    width = value(relation.right, here, Exact)
    row = here.lists[entry.parts[0]]
    share = generator.choice((Fraction(1), Fraction(-1), Fraction(generator.randrange(-96, 97), 97)))
    row.values[int(value(entry.parts[1], here, Floats)) - row.first] = centre + width * share


def _scale(relation: Relation, point: Point) -> None:
    """sum(p[i], i=1..n) = 1: all entries times one number."""
    (name,) = names_in(relation.left) & set(point.lists)
    goal, now = value(relation.right, point, Exact), value(relation.left, point, Exact)
    if not (isinstance(now, Fraction) and isinstance(goal, Fraction)):
        return
    if now == 0 or goal <= 0 or (relation.sign == "<=" and now <= goal):
        return
    factor = goal / now

    def scaled(row: Any) -> Any:
        return [scaled(part) for part in row] if isinstance(row, list) else row * factor

    row = point.lists[name]
    point.lists[name] = Entries(row.first, scaled(row.values))


# ------------------------------------------------------------------------------------------------------------- judging


def admits(lemma: Lemma, point: Point, *, exactly: bool = False) -> bool:
    """Whether a point lies in all ranges and meets all conditions, in floats or exactly. Raises NoValue."""
    variables = point.variables
    for span in lemma.spans:
        low, high = _ends(span, point)
        if span.name in variables:
            numbers = variables[span.name][0]
        else:
            row = point.lists[span.name].values if span.places else [point.numbers[span.name]]
            numbers = [x for part in row for x in (part if isinstance(part, list) else [part])]
        for x in numbers:
            if low is not None and (x < low or (span.open_low and x == low)):
                return False
            if high is not None and (x > high or (span.open_high and x == high)):
                return False
    if any(point.numbers[name] != int(point.numbers[name]) for name in lemma.whole):
        return False
    machine = point if exactly else point.mapped(lambda x: Floats.number(x) if isinstance(x, Fraction) else x)
    for relation in lemma.relations:
        for places in places_of(relation, machine):
            here = _with_places(machine, {k: Fraction(i) if exactly else i for k, i in places.items()})
            if exactly:
                if truth(relation, here) is False:
                    return False
            elif not _is_met(relation, here):
                return False
    return True


def _is_met(relation: Relation, point: Point) -> bool:
    is_strict = relation.sign in ("<", ">") and gap(relation, point, Floats) <= 0
    return not is_strict and holds_roughly(relation, point, SLACK_OF_CONDITIONS)


def fails_at(lemma: Lemma, point: Point) -> bool:
    """Whether a statement fails at a point by more than rounding; in digits where floats fail. Raises NoValue."""
    machine = point.mapped(lambda x: Floats.number(x) if isinstance(x, Fraction) else x)
    try:
        return not all(holds_roughly(relation, machine, SLACK) for relation in lemma.statement.relations)
    except NoValue:
        return any(truth(relation, point) is False for relation in lemma.statement.relations)


def is_counterexample(lemma: Lemma, point: Point) -> bool:
    """Whether a point of fractions meets all conditions and a relation fails there.

    What fails does so exactly or in 60 digits; sides that agree in 45 of them are taken to be equal.
    """
    try:
        return admits(lemma, point, exactly=True) and any(
            _fails(relation, point) for relation in lemma.statement.relations
        )
    except (NoValue, KeyError):
        return False


def _fails(relation: Relation, point: Point) -> bool:
    found = truth(relation, point)
    return relation.sign in ("<", ">") if found is None else not found
