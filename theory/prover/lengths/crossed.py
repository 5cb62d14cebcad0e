"""Chebyshev's inequality for two functions of one entry: the sum of x g(x) against that of x and that of g(x).

With m the mean of x, (x - m) (g(x) - g(m)) is >= 0 at each place where g grows, and <= 0 where it falls. Summed, what
has g(m) as a factor is gone. The product is shown once, in two symbols of its own, and put to use at x and m
(`theory.checker.lists.instances`); multiplied out it would be hard to sign.
"""

from __future__ import annotations

import itertools
from collections.abc import Iterator
from typing import Any

import sympy as sp

from theory.prover.goal import Node
from theory.prover.lengths.by_given import certified, gap
from theory.prover.lengths.facts import TotalFacts, sums
from theory.prover.lengths.kept import KeptProofs
from theory.prover.lengths.question import Ends, put
from theory.prover.lengths.samples import is_plausible

_NAMES = ("v", "w")
_SIDE = 0.25
"""Of the seconds of an obligation, those for the product on each side of v = w."""
_SHOWN = KeptProofs()


def crossed(search: Any) -> Iterator[None]:
    """Facts on sums of x g(x), from both sides."""
    question = search.question
    for (place, total), (p, x), (q, g) in itertools.permutations(list(sums(question)), 3):
        known = {*question.entries, question.index, *question.running}
        if x.body not in question.entries or g.body.free_symbols & known != {x.body} or g.body == x.body:
            continue
        if len({t.first for t in (total, x, g)}) > 1 or sp.cancel(total.body - x.body * g.body) != 0:
            continue
        mean = search.value_of(p) / search.facts.count_from(total.first)
        for sign in (1, -1):
            if show_crossed(search.facts, (place, p, q), mean, sign):
                yield


def show_crossed(facts: TotalFacts, places: tuple[int, int, int], mean: sp.Expr, sign: int) -> bool:
    """Show that sums of x g(x), x and g(x) are as sign (x - m) (g(x) - g(m)) >= 0 has it, at each place."""
    total, x, g = (facts.question.totals[p] for p in places)
    there = put(g.body, {x.body: mean})
    weights = [(places[0], sp.Integer(-sign)), (places[2], sign * mean), (places[1], sign * there)]
    rest = sign * mean * there
    terms = [sp.Mul(w, facts.question.totals[p].body, evaluate=False) for p, w in weights]
    claim = sp.Le(sp.Add(*terms, evaluate=False), rest, evaluate=False)
    is_likely = not facts.drawn or is_plausible(claim, facts.drawn, at_places=True)
    if rest.has(sp.nan, sp.zoo, sp.oo) or not is_likely or not facts.may_know([total, x, g], [mean]):
        return False

    def shown(relation: sp.Basic) -> Node | None:
        return _by_product(facts, relation, (x.body, mean), g.body, sign)

    return facts.termwise(weights, rest, shown=shown)


def _by_product(
    facts: TotalFacts, relation: sp.Basic, values: tuple[sp.Symbol, sp.Expr], g: sp.Expr, sign: int
) -> Node | None:
    """What shows the relation at one place by the product at x and m."""
    x, ends = values[0], facts.question.entries[values[0]]
    positive = {"positive": True} if x.is_positive else {"real": True}
    v, w = (sp.Symbol(name, **positive) for name in _NAMES)
    growth = sp.Add(put(g, {x: v}), sp.Mul(-1, put(g, {x: w}), evaluate=False), evaluate=False)
    apart = sp.Add(v, sp.Mul(-1, w, evaluate=False), evaluate=False)
    product = sp.Ge(sp.Mul(sign, apart, growth, evaluate=False), 0, evaluate=False)
    if product.free_symbols - {v, w}:
        return None
    proof = _SHOWN.proof((product, ends), facts.seconds(), lambda most: _product_shown(product, (v, w), ends, most))
    _, box, given = facts.at_one_place(relation, 1)
    asked = [r for e in values for r in _membership(e, ends, is_positive=bool(x.is_positive))]
    given = given if any(not end.is_infinite for end in ends) else []
    inside = [certified(r, box, given, facts.seconds()) for r in asked] if proof else [None]
    if not all(inside):
        return None
    rows = [[sp.srepr(s), *map(str, ends)] for s in (v, w)]
    told = [[sp.srepr(s), sp.srepr(e)] for s, e in zip((v, w), values, strict=True)]
    there = put(product, dict(zip((v, w), values, strict=True)))
    left = sp.Ge(sp.Add(gap(relation), sp.Mul(-1, sp.S.One, gap(there), evaluate=False), evaluate=False), 0,
                 evaluate=False)  # fmt: skip
    body = certified(left, box, given, facts.seconds())
    row = {"relation": sp.srepr(product), "box": rows, "proof": proof, "values": told, "inside": inside}
    taken = [[0, sp.srepr(sp.S.One), None]]
    return body and {"instances": [row], "ahead": list(range(len(given))), "taken": taken, "kept": [], "left": body}


def _product_shown(product: sp.Basic, names: tuple[sp.Symbol, sp.Symbol], ends: Ends, seconds: float) -> Node | None:
    """A proof of the product: on either side of v = w, which the ladder finds late by itself, or as it stands."""
    box, sides = dict.fromkeys(names, ends), []
    gap = sp.Add(names[0], sp.Mul(-1, names[1]))
    for side in (sp.Ge(gap, 0, evaluate=False), sp.Gt(-gap, 0, evaluate=False)):
        body = certified(product, box, (side,), _SIDE * seconds)
        if body is None or body.get("defined") or "proof" not in body:  # what has no value is shown without a side
            return certified(product, box, (), (1 - _SIDE) * seconds)
        sides.append(body["proof"])
    proof = {"by": "either", "of": sp.srepr(gap), "above": sides[0], "below": sides[1]}
    return {"proof": proof, "defined": []}


def _membership(e: sp.Expr, ends: Ends, *, is_positive: bool) -> list[sp.Basic]:
    """What puts an expression into a range, as the checker asks for it."""
    low, high = ends
    found: list[sp.Basic] = []
    if not low.is_infinite:
        found.append((sp.Gt if is_positive and low == 0 else sp.Ge)(e, low, evaluate=False))
    if not high.is_infinite:
        found.append(sp.Le(e, high, evaluate=False))
    return found or [sp.Eq(e, e, evaluate=False)]
