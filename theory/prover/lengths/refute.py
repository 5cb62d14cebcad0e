"""Look for a length, entries and a point at which a statement over a length fails.

Small lengths have a symbol for every entry, and the ordinary attack looks for a point. What fails at large n alone is
looked for along families: all entries alike, and all but the first alike. A sum of many equal terms is then a multiple,
which the attack sees; the record writes out every entry. What is least or greatest over all lists of a given mean is so
at extreme ones: two entries at the ends of their range, weights as the equations have them. Draws that speak against a
statement are tried, rounded, where the attack finds nothing.
"""

from __future__ import annotations

import itertools
from collections.abc import Iterator, Mapping, Sequence
from fractions import Fraction

import sympy as sp

from theory.ordering import in_order
from theory.prover.certify import StatementSearch
from theory.prover.counterexamples.attack import attack_s
from theory.prover.goal import Node
from theory.prover.lengths.frames import frame_of
from theory.prover.lengths.question import MAX_LENGTH, Ends, LengthQuestion, Total, entry, put
from theory.prover.lengths.samples import Draw, given_number, is_plausible
from theory.prover.statement import stated
from theory.timeout import cpu_clock

_SMALL, _MOST_SYMBOLS = 4, 9
"""Lengths beyond the least that are written out, and the symbols that may then stand in them."""
_LARGE, _LARGER = (6, 10, 20, 50, 100, 200), (500, 1000, MAX_LENGTH)
"""Lengths of alike entries, and further ones where there are none."""

_FINENESS = 1000
"""The denominator of a number of a draw, at most."""


def counterexample(question: LengthQuestion, seconds: float, *, looks_closer: bool = False) -> Node | None:
    """The entry `at` of a record that refutes, or None; near ends and where a descent leads too, if it looks closer."""
    end = cpu_clock() + seconds
    for n, places in itertools.chain(_families(question, goes_far=looks_closer), _at_ends(question)):
        if cpu_clock() > end:
            return None
        found = _attacked(question, n, places, end, looks_closer=looks_closer and bool(question.entries))
        if found is not None:
            return found
    return None


def drawn_counterexamples(question: LengthQuestion, drawn: Sequence[Draw]) -> Iterator[Node]:
    """The entries `at` of draws that speak against a relation, rounded: lists of a given sum have it again."""
    for draw in drawn:
        if is_plausible(question.relation, [draw], at_places=False):
            continue
        places = {s: [_rounded(place[s]) for place in draw.places] for s in question.entries}
        for relation in question.given:
            for total in question.totals:
                goal = given_number(relation, total)
                if goal is not None and total.kind == "sum" and places.get(total.body):
                    row = places[total.body]
                    row[-1] = sp.nsimplify(goal) - sp.Add(*row[:-1])
        yield {
            "point": [[sp.srepr(s), str(_rounded(draw.outer[s]))] for s in question.box],
            "entries": [[sp.srepr(s), [str(value) for value in row]] for s, row in places.items()],
        }


def _rounded(number: float) -> sp.Rational:
    return sp.Rational(Fraction(number).limit_denominator(_FINENESS))


def _families(question: LengthQuestion, *, goes_far: bool) -> Iterator[tuple[int, dict[sp.Symbol, list[sp.Expr]]]]:
    """Lengths, and which entries are alike; very long ones, where a point takes seconds, if it goes far."""
    high = question.box[question.length][1]
    others = len(question.box) - 1
    if frame := frame_of(question):
        for n, vectors in frame.small(question.least):
            rest = {s: [entry(s, i) for i in range(1, n + 1)] for s in question.entries if s not in vectors}
            if n <= high and n * len(rest) + others <= _MOST_SYMBOLS:
                yield n, rest | vectors
        if len(frame.vectors) > 1:
            return  # entries without a plan are no basis
    for n in range(question.least, question.least + _SMALL):
        if n <= high and n * len(question.entries) + others <= _MOST_SYMBOLS:
            yield n, {s: [entry(s, i) for i in range(1, n + 1)] for s in question.entries}
    if question.entries or question.totals:
        tried = (*_LARGE, *_LARGER) if goes_far and not question.entries else _LARGE
        for n in [n for n in tried if question.least <= n <= high]:
            yield n, {s: [entry(s, 1)] * n for s in question.entries}
            if question.entries:
                yield n, {s: [entry(s, 1)] + [entry(s, 2)] * (n - 1) for s in question.entries}


def _at_ends(question: LengthQuestion) -> Iterator[tuple[int, dict[sp.Symbol, list[sp.Expr]]]]:
    """Two entries of a list, one at either end of its range, where that has names; others as equations have them."""
    n = max(question.least, 2)
    high = question.box[question.length][1]
    for s in question.entries if n == 2 and n <= high and question.given else ():
        ends = _named_ends(question, s)
        if ends is None:
            continue
        places = {t: list(ends) if t == s else [entry(t, 1), entry(t, 2)] for t in question.entries}
        _, given = _collected(question, n, places)
        free = in_order({e for row in places.values() for e in row if e.is_Symbol} - question.box.keys())
        solved = _solved([g for g in given if isinstance(g, sp.Eq)], free)
        if solved is not None:
            yield n, {t: [e.subs(solved) for e in row] for t, row in places.items()}


def _named_ends(question: LengthQuestion, s: sp.Symbol) -> tuple[sp.Expr, sp.Expr] | None:
    """The ends of an entry's range, where both are given at each place in names of the box."""
    ends = {}
    for relation in question.each:
        if isinstance(relation, sp.Le | sp.Ge) and s in relation.args:
            other = relation.rhs if relation.lhs == s else relation.lhs
            if other.free_symbols <= question.box.keys() - {question.length}:
                ends[relation.gts == s] = other
    return (ends[True], ends[False]) if len(ends) == 2 and ends[True].free_symbols | ends[False].free_symbols else None


def _solved(equations: Sequence[sp.Basic], free: Sequence[sp.Symbol]) -> dict[sp.Symbol, sp.Expr] | None:
    """What equations make of entries that are still free, if they are affine in them and have a solution."""
    try:
        found = sp.linsolve([sp.expand(e.lhs - e.rhs) for e in equations], free) if free and equations else ()
    except (sp.NonlinearError, ValueError):
        return None
    return dict(zip(free, next(iter(found)), strict=True)) if found else None


def _attacked(
    question: LengthQuestion,
    n: int,
    places: Mapping[sp.Symbol, Sequence[sp.Expr]],
    end: float,
    *,
    looks_closer: bool,
) -> Node | None:
    """What the attack finds at one length."""
    relation, given = _collected(question, n, places)
    if cpu_clock() + attack_s(relation) > end:
        return None
    box = {s: ends for s, ends in question.box.items() if s != question.length}
    rows = [(s, place) for s, row in places.items() for place in dict.fromkeys(row)]
    box |= {place: question.entries[s] for s, place in rows if place.is_Symbol and place not in box}
    given += [r for s, e in rows if not e.is_Symbol for r in _in_range(s, e, question.entries[s])]
    given = [g for g in given if g != sp.true]
    try:
        relation, ranges, given = stated(relation, box, given)
        search = StatementSearch(relation, ranges, given, end)
        search.look_for_counterexample()
        if looks_closer and search.point is None:
            search.look_closer()
    except (ValueError, RecursionError):
        return None
    if search.point is None:
        return None
    point = search.point
    there = {s: [place.subs(point) for place in row] for s, row in places.items()}
    if not all(value.is_Rational for row in there.values() for value in row):
        return None
    outer = [[sp.srepr(s), str(point[s])] for s in question.box if s != question.length]
    return {
        "point": [[sp.srepr(question.length), str(n)], *outer],
        "entries": [[sp.srepr(s), [str(value) for value in row]] for s, row in there.items()],
    }


def _in_range(s: sp.Symbol, e: sp.Expr, ends: Ends) -> list[sp.Basic]:
    """That an expression may stand in the place of an entry."""
    low, high = ends
    above = sp.Gt if low == 0 and s.is_positive else sp.Ge
    found = [] if low.is_infinite else [above(e, low, evaluate=False)]
    return found if high.is_infinite else [*found, sp.Le(e, high, evaluate=False)]


def _collected(
    question: LengthQuestion, n: int, places: Mapping[sp.Symbol, Sequence[sp.Expr]]
) -> tuple[sp.Basic, list[sp.Basic]]:
    """The statement at one length, equal terms of totals collected."""
    values = question.totals_at(n, places, _joined)
    each = {put(put(r, values), question.at_place(i, places)): None for i in range(1, n + 1) for r in question.each}
    return put(question.relation, values), [put(g, values) for g in question.given] + list(each)


def _joined(total: Total, terms: Sequence[sp.Expr]) -> sp.Expr:
    """A total with equal terms collected, numbers added up."""
    counts: dict[sp.Expr, int] = {}
    number = sp.S.Zero
    for term in terms:
        if total.kind == "sum" and term.is_number and term.is_Rational:
            number += term
        else:
            counts[term] = counts.get(term, 0) + 1
    if total.kind == "sum":
        parts = [term if k == 1 else sp.Mul(k, term, evaluate=False) for term, k in counts.items()]
        parts += [number] if number or not parts else []
        return parts[0] if len(parts) == 1 else sp.Add(*parts, evaluate=False)
    if total.kind == "prod":
        parts = [term if k == 1 else sp.Pow(term, k, evaluate=False) for term, k in counts.items()]
        return sp.Mul(*parts, evaluate=False) if len(parts) > 1 else (parts or [sp.S.One])[0]
    return total.of(list(counts))
