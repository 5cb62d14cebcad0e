"""Statements over a length at drawn lengths and entries, in floats: what they propose, the ladder decides."""

from __future__ import annotations

import math
import random
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

import sympy as sp

from theory.ordering import in_order
from theory.prover.expressions.sampling import value
from theory.prover.lengths.frames import Frame, frame_of
from theory.prover.lengths.question import Ends, LengthQuestion, Total

_SEED, _DRAWS, _LENGTHS = 20221109, 60, (0, 1, 2, 4, 9)
_SLACK = 1e-9
_TRIES = 40


@dataclass(frozen=True)
class Draw:
    """One length with entries, and the totals there."""

    outer: Mapping[sp.Symbol, float]
    places: tuple[Mapping[sp.Symbol, float], ...]


def draws(question: LengthQuestion) -> list[Draw]:
    """Lengths, entries and points that meet what is given, as far as some are found; always the same ones."""
    generator = random.Random(_SEED)
    found: list[Draw] = []
    frame = frame_of(question)
    for _ in range(_DRAWS):
        for _ in range(_TRIES):
            draw = _draw(question, frame, generator)
            if draw is not None:
                found.append(draw)
                break
    return found


def is_plausible(relation: sp.Basic, found: Sequence[Draw], *, at_places: bool) -> bool:
    """Whether a relation holds at all draws, at each place or for the totals, up to rounding."""
    gap = relation.lhs - relation.rhs
    sign = 1 if isinstance(relation, sp.LessThan | sp.StrictLessThan) else -1
    seen = False
    for draw in found:
        for point in _points(draw, at_places=at_places):
            known = tuple(in_order(gap.free_symbols))
            if not set(known) <= set(point):
                return False
            number = value(gap, known, tuple(point[s] for s in known))
            if math.isnan(number):
                continue
            seen = True
            off = abs(number) if isinstance(relation, sp.Eq) else sign * number
            if off > _SLACK * (1 + sum(abs(point[s]) for s in known)):
                return False
    return seen


def _points(draw: Draw, *, at_places: bool) -> Iterator[Mapping[sp.Symbol, float]]:
    if not at_places:
        yield draw.outer
        return
    for place in draw.places:
        yield {**draw.outer, **place}


def _draw(question: LengthQuestion, frame: Frame | None, generator: random.Random) -> Draw | None:
    """One draw, or None where it does not meet what is given."""
    low, high = question.box[question.length]
    n = int(min(low + generator.choice(_LENGTHS), high))
    outer = {s: _number(ends, s, generator) for s, ends in question.box.items() if s != question.length}
    outer[question.length] = float(n)
    spread = generator.choice((1.0, 1.0, 0.1))
    centre = {s: _number(ends, s, generator) for s, ends in question.entries.items()}
    places = []
    for i in range(1, n + 1):
        place = {}
        for s, ends in question.entries.items():
            drawn = _number(ends, s, generator)
            place[s] = drawn if s.is_integer else spread * drawn + (1 - spread) * centre[s]
        places.append({**place, question.index: float(i)})
    met = _scaled(question, places)
    scaled = met if frame is None else frame.drawn(met, generator)
    if scaled is None:
        return None
    for place in scaled:
        if not all(_holds(relation, {**outer, **place}) for relation in question.each):
            return None
    written: dict[sp.Symbol, list[float]] = {}
    for total in question.totals:
        terms = _terms(total, scaled, outer, question, written)
        if terms is None:
            return None
        written[total.symbol] = terms
        outer[total.symbol] = _joined(total, terms)
    outer |= _named_by_totals(question, outer)
    for i, place in enumerate(scaled, 1):
        place.update({s: _so_far(question.totals[p], written, i) for s, p in question.running.items()})
    if not all(_holds(relation, outer) for relation in question.given):
        return None
    return Draw(outer, tuple(scaled))


def _named_by_totals(question: LengthQuestion, outer: Mapping[sp.Symbol, float]) -> dict[sp.Symbol, float]:
    """Symbols that are given to be totals, and stand in no term: a = sum(p[i]*x[i], i=1..n)."""
    inside = {s for total in question.totals for s in total.body.free_symbols}
    inside |= {s for relation in question.each for s in relation.free_symbols}
    found = {}
    for relation in [r for r in question.given if isinstance(r, sp.Eq)]:
        for s, other in (relation.args, reversed(relation.args)):
            value = outer.get(other) if other in {t.symbol for t in question.totals} else None
            if value is not None and s in question.box and s not in inside and s != question.length:
                low, high = map(float, question.box[s])
                found |= {s: value} if low <= value <= high else {}
    return found


def _scaled(question: LengthQuestion, places: list[dict]) -> list[dict]:
    """Entries multiplied so that a sum of powers of them is the number that is given."""
    for relation in question.given:
        for total in question.totals:
            goal = given_number(relation, total)
            entries = [s for s in in_order(total.body.free_symbols) if s in question.entries]
            if goal is None or total.kind != "sum" or len(entries) != 1:
                continue
            s = entries[0]
            degree = sp.Poly(total.body, s).total_degree() if total.body.is_polynomial(s) else 1
            now = sum(value(total.body, (s,), (place[s],)) for place in places)
            if now > 0 and degree > 0:
                factor = (goal / now) ** (1 / degree)
                low, high = map(float, question.entries[s])
                places = [{**place, s: min(max(factor * place[s], low), high)} for place in places]
    return places


def given_number(relation: sp.Basic, total: Total) -> float | None:
    """The positive number that a total is given to be."""
    if not isinstance(relation, sp.Eq) or total.symbol not in relation.args:
        return None
    other = relation.rhs if relation.lhs == total.symbol else relation.lhs
    return float(other) if other.is_number and other > 0 else None


def _terms(
    total: Total,
    places: Sequence[Mapping[sp.Symbol, float]],
    outer: Mapping,
    question: LengthQuestion,
    written: Mapping,
) -> list[float] | None:
    """The terms of a total, or None where one has no value."""
    terms = []
    known = tuple(in_order(total.body.free_symbols))
    inside = {s: question.totals[p] for s, p in question.running.items() if s in known}
    for i in range(total.first, int(outer[question.length]) + 1):
        point = {**outer, **(places[i - 1] if i >= 1 else {}), question.index: float(i)}
        point |= {s: _so_far(t, written, i) for s, t in inside.items()}
        terms.append(value(total.body, known, tuple(point[s] for s in known)))
    return None if any(math.isnan(term) for term in terms) else terms


def _so_far(total: Total, written: Mapping[sp.Symbol, Sequence[float]], i: int) -> float:
    """A total from its first term to the one at place i."""
    return _joined(total, written[total.symbol][: max(i - total.first + 1, 1)])


def _joined(total: Total, terms: Sequence[float]) -> float:
    if total.kind in ("max", "min"):
        return (max if total.kind == "max" else min)(terms)
    return math.fsum(terms) if total.kind == "sum" else math.prod(terms)


def _holds(relation: sp.Basic, point: Mapping[sp.Symbol, float]) -> bool:
    if relation in (sp.true, sp.false):
        return relation == sp.true
    gap = relation.lhs - relation.rhs
    known = tuple(in_order(gap.free_symbols))
    number = value(gap, known, tuple(point[s] for s in known))
    if math.isnan(number):
        return False
    if isinstance(relation, sp.Eq):
        return abs(number) < 1e-6
    return number <= 0 if isinstance(relation, sp.LessThan | sp.StrictLessThan) else number >= 0


def _number(ends: Ends, s: sp.Symbol, generator: random.Random) -> float:
    """A number of a range; of one without an end mostly small, sometimes large."""
    low, high = (float(end) for end in ends)
    size = 10 ** generator.uniform(-1, 1)
    if math.isinf(low) and math.isinf(high):
        drawn = size * generator.uniform(-1, 1)
    elif math.isinf(high):
        drawn = low + size * generator.random()
    elif math.isinf(low):
        drawn = high - size * generator.random()
    else:
        drawn = generator.uniform(low, high)
    if s.is_integer:
        drawn = float(min(max(round(drawn), math.ceil(low) if not math.isinf(low) else -100), high))
    return drawn
