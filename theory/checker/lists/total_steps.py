"""Further rules on totals (`theory.checker.lists.lengths`): terms that may know n and i, and theorems on sums.

- *walk*: claims about totals as far as a place i, which stand for them in the claims; i goes from the first place to n,
  while n, all other totals and all that is given of them stay. At the next place each total takes one more term.
- *holder*: C <= A^t B^(1 - t) for 0 < t < 1, of sums with c_i <= a_i^t b_i^(1 - t) at each place, a_i, b_i >= 0.
- *binomial*: the terms are binomial(m, i) u_i, with u_i <= c x^i, c, x >= 0; so their sum is at most c (1 + x)^m. It is
  equal to that for u_i = c x^i where the places are 0, ..., n and m is n. (1 + x)^m is at most exp(m x).
- *member*: each term of a sum is at most the sum, where none is negative; elsewhere it is given.
- *attained*: what is so of each term is so of the greatest, or least, of them, for that is one of the terms.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any

from flint import fmpq

from theory.checker.constants.existence import pairs, put_into, rows_of, shown
from theory.checker.enclosure import INFINITY, MINUS_INFINITY, SymbolRange
from theory.checker.limits import require
from theory.checker.nodes import MINUS_ONE, ONE, ZERO, Node, number
from theory.checker.parser import Relation, read_expression, read_relation, read_symbol
from theory.checker.pieces import has_pieces, put
from theory.checker.statement import Statement, read_givens, require_rows
from theory.checker.walks import symbols

ALL = SymbolRange(MINUS_INFINITY, INFINITY)


@dataclass(frozen=True)
class TakenOff:
    """What shows a statement by multiples of conditions; each row a condition, its weight, and how that is >= 0.

    The statement of a row is None where the condition is an equation, or the weight a number > 0.
    """

    rows: tuple[tuple[Relation, Node, Statement | None, Any], ...]
    left: Statement
    proof: Any


def shown_with(statement: Statement, extra: Sequence[Relation], body: Any) -> str:
    """As `shown`, with conditions `extra` beside the givens; or with multiples of some of them taken off before."""
    if not (isinstance(body, dict) and "taken" in body):
        return shown(replace(statement, given=(*statement.given, *extra)), body)
    parts = taken_off(statement, extra, body)
    for *_, sign, proof in parts.rows:
        if sign is not None:
            shown(sign, proof)
    return shown(parts.left, parts.proof)


def taken_off(statement: Statement, extra: Sequence[Relation], body: dict[str, Any]) -> TakenOff:
    """What is to be shown where multiples of conditions are taken off.

    `taken` has rows [place, weight, proof that the weight is not negative], `kept` the places of those that stay
    conditions, and `left` shows what is left: of l <= r by l' <= r' that r - l - w (r' - l') >= 0.
    """
    require(set(body) == {"taken", "kept", "left"}, "taken: unknown or missing keys")
    sign, parts, some_strict = statement.relation.sign, [gap(statement.relation)], False
    rows = []
    for row in rows_of(body["taken"]):
        require(isinstance(row, list) and len(row) == 3, "taken: no row of three")
        h, weight = extra[_place(row[0], extra)], read_expression(row[1])
        require(symbols(weight) <= set(statement.box) and not has_pieces(weight), "taken: a weight of no row")
        is_positive = weight.is_number and weight.data > 0
        is_free = h.sign == "==" or is_positive
        rows.append((h, weight, None if is_free else replace(statement, relation=Relation(">=", weight, ZERO)), row[2]))
        require(h.sign == "==" or sign != "==", "taken: an equation by what is none")
        some_strict = some_strict or (h.sign in ("<", ">") and is_positive)
        parts.append(product(MINUS_ONE, weight, gap(h)))
    kept = tuple(extra[_place(place, extra)] for place in rows_of(body["kept"]))
    asked = "==" if sign == "==" else ">" if sign in ("<", ">") and not some_strict else ">="
    relation = Relation(asked, Node("add", tuple(parts)), ZERO)
    left = replace(statement, relation=relation, given=(*statement.given, *kept))
    return TakenOff(tuple(rows), left, body["left"])


def _place(found: Any, rows: Sequence[Relation]) -> int:
    require(type(found) is int and 0 <= found < len(rows), "taken: a place that no condition has")
    return found


def gap(relation: Relation) -> Node:
    """What is >= 0 (or 0) where a relation holds, as written."""
    require(relation.sign not in ("true", "false"), "taken: no relation of two sides")
    low, high = (relation.left, relation.right) if relation.sign in ("<", "<=") else (relation.right, relation.left)
    return Node("add", (high, product(MINUS_ONE, low)))


def symbols_of(relation: Relation) -> set[Node]:
    """The symbols of both sides."""
    return set() if relation.sign in ("true", "false") else symbols(relation.left) | symbols(relation.right)


def product(*factors: Node) -> Node:
    """A product as written."""
    return Node("mul", factors, fmpq(1))


# ---------------------------------------------------------------------------------------------------------- one by one


def walk(proof: Any, step: dict[str, Any]) -> None:
    """Claims at the first place, or before it where there are no terms yet, and from each place to the next."""
    statement, places = proof.statement, rows_of(step["totals"])
    totals = [proof.total(place) for place in places]
    require(places == sorted(places), "walk: totals in another order than that of the statement")
    own = {total.symbol for total in totals}
    require(len(own) == len(totals) and own, "walk: no totals, or one twice")
    first = totals[0].first
    require(all(total.first == first for total in totals), "walk: totals that do not begin at one place")
    apart = own | {s for s, total in statement.running.items() if total.symbol not in own}
    for total in totals:
        require(not symbols(total.body) & apart, "walk: terms that depend on totals that are on their way")
    claims = read_givens(step["claims"])
    require(not any(has_pieces(side) for c in claims for side in _sides(c)), "walk: a claim has pieces")
    require_rows(claims, statement.outer.box | {statement.index: ALL})
    said = {s for claim in claims for s in symbols_of(claim)}
    require(own <= said, "walk: a total of which nothing is claimed")
    begin = step["from"]
    require(type(begin) is int and first - 1 <= begin, "walk: a place to begin from")
    require(begin <= statement.least, "walk: there may be no first term")
    is_bare = not any(symbols(total.body) & {*statement.entries, *statement.running} for total in totals)
    require(begin <= first or is_bare, "walk: entries beyond the first place are written out")
    for claim, body in pairs(claims, step["start"]):
        proof.settled(_at_start(proof, claim, totals, begin), body)
    for claim, body in pairs(claims, step["steps"]):
        proof.settled_with(_at_next(proof, claim, totals, begin), claims, body)
    for claim in claims:
        proof.learned(put_into(claim, {statement.index: statement.length}), totals)


def _sides(relation: Relation) -> tuple[Node, ...]:
    return () if relation.sign in ("true", "false") else (relation.left, relation.right)


def _at_start(proof: Any, claim: Relation, totals: Sequence[Any], begin: int) -> Statement:
    """A claim where totals have no term, or one."""
    index, first = proof.statement.index, totals[0].first
    here = {index: number(begin)}
    values: dict[Node, Node] = dict(here)
    for total in totals:
        terms = [put(total.body, values | {index: number(i)}) for i in range(first, begin + 1)]
        values |= _with_running(proof, total, total.of(terms))
    return _still(proof, put_into(claim, values), totals, here, begin == first)


def _at_next(proof: Any, claim: Relation, totals: Sequence[Any], begin: int) -> Statement:
    """A claim at the next place, where this one is not the last."""
    index = proof.statement.index
    after = Node("add", (index, ONE))
    inside: dict[Node, Node] = {index: after}
    values: dict[Node, Node] = {index: after}
    for total in totals:
        grown = total.of((total.symbol, put(total.body, dict(inside))))
        values[total.symbol] = grown
        inside |= {s: grown for s, t in proof.statement.running.items() if t.symbol == total.symbol}
    found = _still(proof, put_into(claim, values), totals, {index: after}, True)
    box = found.box | {total.symbol: ALL for total in totals}
    box[index] = SymbolRange(fmpq(begin), INFINITY, is_integer=True)
    goes_on = Relation("<=", after, proof.statement.length)
    return Statement(found.relation, box, (*found.given, goes_on))


def _with_running(proof: Any, total: Any, value: Node) -> dict[Node, Node]:
    """A total with its value so far, by its own symbol and by those that stand in terms."""
    found = {s: value for s, t in proof.statement.running.items() if t.symbol == total.symbol}
    return {total.symbol: value} | found


def _still(proof: Any, relation: Relation, totals: Sequence[Any], here: dict[Node, Node], is_place: bool) -> Statement:
    """What stays on the way: all that is known of n and of other totals, and what holds at a place."""
    statement, own = proof.statement, {total.symbol for total in totals}
    first = totals[0].first
    given = [r for r in (*statement.outer.given, *proof.facts) if not symbols_of(r) & own]
    if is_place:
        found = list(statement.each) if first == 1 else []
        found += [r for r in proof.said_by_extremes(first) if not symbols_of(r) & own]
        given += [put_into(r, here) for r in found]
    box = {s: r for s, r in statement.outer.box.items() if s not in own}
    box |= statement.entries if is_place and first == 1 else {}
    return Statement(relation, box, tuple(given))


# ------------------------------------------------------------------------------------------------------------ theorems


def holder(proof: Any, step: dict[str, Any]) -> None:
    """Hoelder: C <= A^t B^(1 - t). Where A or B is 0, so is each of its terms, and none of C is positive."""
    c, a, b = (proof.total(step[name]) for name in ("total", "first", "second"))
    are_sums = all((total.kind, total.first) == ("sum", c.first) for total in (c, a, b))
    require(are_sums, "holder: totals that are no sums over the same places")
    t = proof.outside(step["power"])
    left = Node("add", (ONE, product(MINUS_ONE, t)))
    outside = [Relation(">", t, ZERO), Relation("<", t, ONE)]

    def between(x: Node, y: Node) -> Node:
        return product(Node("pow", (x, t)), Node("pow", (y, left)))

    inside = [
        Relation(">=", a.body, ZERO), Relation(">=", b.body, ZERO), Relation("<=", c.body, between(a.body, b.body)),
    ]  # fmt: skip
    for relation, body in pairs([*outside, *inside], step["proofs"]):
        proof.settled(proof.at_all(relation) if relation in outside else proof.at_one_place(relation, c.first), body)
    signs = [Relation(">=", total.symbol, ZERO) for total in (a, b)]
    for fact in (*signs, Relation("<=", c.symbol, between(a.symbol, b.symbol))):
        proof.learned(fact, [c, a, b])


def binomial(proof: Any, step: dict[str, Any]) -> None:
    """The binomial theorem bounds terms that binomials have as factors."""
    statement, total, m = proof.statement, proof.total(step["total"]), read_symbol(step["of"])
    require(total.kind == "sum" and total.first >= 0, "binomial: no sum from a place that is not negative")
    is_count = m in statement.box and statement.box[m].is_integer and statement.box[m].low >= 0
    require(is_count, "binomial: of no whole number that is not negative")
    u = read_expression(step["terms"])
    require(symbols(u) <= {*statement.outer.box, *statement.entries, statement.index}, "binomial: a symbol of no row")
    require(not has_pieces(u), "binomial: terms by cases")
    c, x = proof.outside(step["times"]), proof.outside(step["base"])
    is_exact, i = step["exact"], statement.index
    require(type(is_exact) is bool, "binomial: neither exact nor not")
    require(not is_exact or (total.first == 0 and m == statement.length), "binomial: not all of its terms")
    limit = product(c, Node("pow", (x, i)))
    inside = [
        Relation("<=", i, m), Relation("==", total.body, product(choose(m, i), u)),
        Relation("==" if is_exact else "<=", u, limit),
    ]  # fmt: skip
    outside = [Relation(">=", c, ZERO), Relation(">=", x, ZERO)]
    for relation, body in pairs([*outside, *inside], step["proofs"]):
        proof.settled(
            proof.at_all(relation) if relation in outside else proof.at_one_place(relation, total.first), body
        )
    whole = product(c, Node("pow", (Node("add", (ONE, x)), m)))
    proof.learned(Relation("==" if is_exact else "<=", total.symbol, whole), [total])
    proof.learned(Relation("<=", total.symbol, product(c, Node("exp", (product(m, x),)))), [total])


def member(proof: Any, step: dict[str, Any]) -> None:
    """Where no term of a sum is negative, each of them is at most the sum."""
    total = proof.total(step["total"])
    require(total.kind == "sum", "member: no sum")
    proof.settled(proof.at_one_place(Relation(">=", total.body, ZERO), total.first), step["proof"])
    proof.learned(Relation(">=", total.symbol, ZERO), [total])
    proof.members.add(total.symbol)


def attained(proof: Any, step: dict[str, Any]) -> None:
    """A relation that names a greatest or least term, by the same relation of the term at each place."""
    total, relation = proof.total(step["total"]), outside_relation(proof, step["relation"])
    require(total.kind in ("max", "min"), "attained: neither a greatest nor a least")
    require(total.symbol in symbols_of(relation), "attained: the relation does not name the total")
    require(not symbols(total.body) & set(proof.statement.running), "attained: terms that know totals so far")
    here = put_into(relation, {total.symbol: total.body})
    proof.settled(proof.at_one_place(here, total.first), step["proof"])
    proof.learned(relation, [total])


def outside_relation(proof: Any, text: Any) -> Relation:
    """A relation of what is the same at all places."""
    relation = read_relation(text)
    require(relation.sign not in ("true", "false"), "no relation of two sides")
    require(not any(has_pieces(side) for side in _sides(relation)), "a relation with pieces")
    require_rows((relation,), proof.statement.outer.box)
    return relation


def choose(m: Node, i: Node) -> Node:
    """A binomial as written."""
    below = [Node("factorial", (a,)) for a in (i, Node("add", (m, product(MINUS_ONE, i))))]
    return product(Node("factorial", (m,)), *[Node("pow", (b, MINUS_ONE)) for b in below])
