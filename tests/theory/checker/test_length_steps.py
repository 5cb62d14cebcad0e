"""What each step over totals leaves to be shown, what it learns, and what it refuses.

`LEFT` has steps with the statements that remain, in full, and the facts that are known afterwards. `REFUSED` has steps
that are one change away from one of these, each with the words of the one obligation that it breaks.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

from tests.theory.checker.writing import A, F, M, N, P, R, m, n, text, words, x, y, z
from theory.checker.limits import SYMBOLS, InvalidRecord
from theory.checker.lists import instances, lengths, total_steps
from theory.checker.nodes import Node
from theory.checker.parser import Relation, read_symbol
from theory.checker.statement import Statement

S, T, W, L, U, V, G = (read_symbol(f"Symbol('{name}', real=True)") for name in "STWLUVG")
RUN, c = (read_symbol(f"Symbol('{name}', real=True)") for name in ("R1", "c"))
i = read_symbol("Symbol('i', integer=True)")
WHOLE, ALL, ZERO, ONE = R(1, None, whole=True), total_steps.ALL, N(0), N(1)
ENTRIES = {x: R(0, 1), y: R(1, 2)}
Statements = list[Statement]


def le(left: Any, right: Any) -> Relation:
    return Relation("<=", A(left).args[0], A(right).args[0])


def ge(left: Any, right: Any) -> Relation:
    return Relation(">=", A(left).args[0], A(right).args[0])


def gt(left: Any, right: Any) -> Relation:
    return Relation(">", A(left).args[0], A(right).args[0])


def eq(left: Any, right: Any) -> Relation:
    return Relation("==", A(left).args[0], A(right).args[0])


EACH = (le(x, M(i, y)),)
"""What the entries of one place meet; the place stands in it."""
HERE, LATER = le(x, M(1, y)), le(x, M(A(i, 1), y))
OF_N, OF_S = le(c, n), ge(S, 1)
"""What is given: of n, and of a total."""
ON_THE_WAY = le(i, n)
TOTALS = {
    "S": (S, "sum", x, 1), "T": (T, "sum", y, 1), "W": (W, "max", M(x, y), 1), "L": (L, "min", y, 1),
    "U": (U, "sum", i, 0), "V": (V, "prod", A(i, 1), 2), "G": (G, "sum", N(1), 2), "run": (T, "sum", M(RUN, y), 1),
    "Q": (V, "prod", x, 1),
    "most": (W, "max", RUN, 1), "known": (T, "sum", S, 1), "C": (S, "sum", M(x, y), 1),
    "ones": (S, "sum", N(1), 1), "bare": (T, "sum", RUN, 1),
}  # fmt: skip


def over(*names: str, least: int = 1, given: tuple = (OF_N, OF_S), **changes: Any) -> lengths.Lengths:
    """A statement over n with some of the totals; in `run` and `bare` stands, as R1, the first of them as far as i."""
    totals = tuple(lengths.ReplayTotal(*TOTALS[name]) for name in names)
    box = {n: R(least, None, whole=True), c: R(0, 5)} | changes.pop("box", {})
    running = {RUN: totals[0]} if {"run", "bare", "most"} & set(names) else {}
    outer = Statement(Relation("true"), box | {t.symbol: ALL for t in totals}, given)
    return lengths.Lengths(n, i, changes.pop("entries", ENTRIES), changes.pop("each", EACH), totals, outer, running)


def at(over_them: lengths.Lengths, first: int = 1, entries: bool = True, **more: Any) -> dict[Node, Any]:
    """The box of one place."""
    running = dict.fromkeys(over_them.running, ALL)
    return over_them.outer.box | running | {i: R(first, None, whole=True)} | (ENTRIES if entries else {})


def by(rule: str, **rest: Any) -> dict[str, Any]:
    return {"by": rule} | rest


def relation(r: Relation) -> str:
    if r.sign in ("true", "false"):
        return r.sign
    name = {"<=": "LessThan", ">=": "GreaterThan", "<": "StrictLessThan", ">": "StrictGreaterThan", "==": "Equality"}
    return f"{name[r.sign]}({text(r.left)}, {text(r.right)})"


def asked_of(monkeypatch: pytest.MonkeyPatch) -> Statements:
    """Where what the checker has yet to be shown is noted, and taken for shown."""
    asked: Statements = []
    for module in (lengths, total_steps, instances):
        monkeypatch.setattr(module, "shown", lambda statement, body: asked.append(statement) or "proved")
    return asked


def take(
    statement: lengths.Lengths, step: dict[str, Any], before: tuple = (), members: tuple = ()
) -> lengths.LengthProof:
    """A proof after a step, with some totals known to have values before."""
    proof = lengths.LengthProof(statement)
    proof.covered |= set(before)
    proof.members |= set(members)
    proof.take(step)
    return proof


def induction(*claims: Relation, totals: tuple = (0,), **more: Any) -> dict[str, Any]:
    proofs = [{} for _ in claims]
    rest = {"claims": list(map(relation, claims)), "start": proofs, "steps": proofs}
    return by("induction", totals=list(totals)) | rest | more


def walk(*claims: Relation, totals: tuple = (0,), begin: int = 1, **more: Any) -> dict[str, Any]:
    return induction(*claims, totals=totals) | {"by": "walk", "from": begin} | more


def termwise(*rows: tuple[int, Any], rest: Any = ONE) -> dict[str, Any]:
    return by("termwise", weights=[[place, text(A(w).args[0])] for place, w in rows], rest=text(rest), proof={})


def products(total: int, first: int, second: int) -> dict[str, Any]:
    return by("products", total=total, first=first, second=second, proofs=[{}] * 3)


def holder(total: int, first: int, second: int, power: Any = c) -> dict[str, Any]:
    return by("holder", total=total, first=first, second=second, power=text(power), proofs=[{}] * 5)


def binomial(of: Node = n, terms: Any = c, exact: Any = False, **more: Any) -> dict[str, Any]:
    rest = {"of": text(of), "terms": text(terms), "times": text(c), "base": text(A(c, 1)), "exact": exact}
    return by("binomial", total=0, proofs=[{}] * 5) | rest | more


def means(of: int = 1, **more: Any) -> dict[str, Any]:
    return by("means", total=0, of=of, proofs=[{}] * 2) | more


def choose(of: Node) -> Node:
    below = [P(F("factorial", a), N(-1)) for a in (i, A(of, M(-1, i)))]
    return M(F("factorial", of), *below)


QTS = over("Q", "T", "S")
STW, FROM_0 = over("S", "T", "W", "L"), over("U")
WALKED = over("S").outer.box | ENTRIES | {i: WHOLE}
TWO = {read_symbol(f"Symbol('{name}[{k}]', real=True)"): ENTRIES[s] for k in (1, 2) for name, s in (("x", x), ("y", y))}
X1, Y1, X2, Y2 = TWO
SUM = over("S", given=())
Left = tuple[lengths.Lengths, dict[str, Any], tuple, tuple, Statements, list[Relation]]

# A statement, a step, totals known before, members known before, what remains to be shown, and what is then known.
LEFT: list[Left] = [
    (
        STW, termwise((0, c), (1, N(-2)), rest=A(n, S)), (), (),
        [Statement(le(A(M(c, x), M(-2, y)), A(n, S)), at(STW), (OF_N, OF_S, ON_THE_WAY, *EACH))],
        [le(A(M(c, S), M(-2, T)), M(A(n, 0), A(n, S)))],
    ),
    (  # with = at each place, and = of the sums
        STW, termwise((0, c), rest=n) | {"by": "exact"}, (), (),
        [Statement(eq(A(M(c, x)), n), at(STW), (OF_N, OF_S, ON_THE_WAY, *EACH))], [eq(A(M(c, S)), M(A(n, 0), n))],
    ),
    (  # a greatest and a least bound their terms, of known values; so does a sum of what is not negative
        STW, termwise((0, ONE)), (W, L, T), (T,),
        [Statement(le(A(M(1, x)), 1), at(STW), (OF_N, OF_S, ON_THE_WAY, *EACH, le(y, T), le(M(x, y), W), ge(y, L)))],
        [le(A(M(1, S)), M(A(n, 0), 1))],
    ),
    (  # all that the box has in one weight
        SUM, termwise((0, A(n, c, S))), (), (),
        [Statement(le(A(M(A(n, c, S), x)), 1), at(SUM), (ON_THE_WAY, *EACH))], [le(A(M(A(n, c, S), S)), M(A(n, 0), 1))],
    ),
    (  # from 0 there are no entries
        FROM_0, termwise((0, ONE)), (), (),
        [Statement(le(A(M(1, i)), 1), at(FROM_0, 0, False), (OF_N, OF_S, ON_THE_WAY))], [le(A(M(1, U)), M(A(n, 1), 1))],
    ),
    (  # nor from 2; where there may be no term the rest has a value by itself
        over("G"), termwise((0, ONE), rest=P(A(c, 1), -1)), (), (),
        [Statement(le(A(M(1, 1)), P(A(c, 1), -1)), at(over("G"), 2, False), (OF_N, OF_S, ON_THE_WAY))],
        [le(A(M(1, G)), M(A(n, -1), P(A(c, 1), -1)))],
    ),
    (  # where there is a term it need have none
        SUM, termwise((0, ONE), rest=P(c, -1)), (), (),
        [Statement(le(A(M(1, x)), P(c, -1)), at(SUM), (ON_THE_WAY, *EACH))], [le(A(M(1, S)), M(A(n, 0), P(c, -1)))],
    ),
    (
        STW, by("extreme", total=2, rest=text(c), proof={}), (), (),
        [Statement(le(M(x, y), c), at(STW), (OF_N, OF_S, ON_THE_WAY, *EACH))], [le(W, c)],
    ),
    (
        STW, by("extreme", total=3, rest=text(c), proof={}), (), (),
        [Statement(ge(y, c), at(STW), (OF_N, OF_S, ON_THE_WAY, *EACH))], [ge(L, c)],
    ),
    (
        over("C", "T", "T"), products(0, 1, 2), (), (),
        [Statement(asked, at(over("C", "T")), (OF_N, OF_S, ON_THE_WAY, *EACH))
         for asked in (ge(y, 0), ge(y, 0), le(P(M(x, y), 2), M(y, y)))],
        [le(P(S, 2), M(T, T)), ge(T, 0), ge(T, 0)],
    ),
    (
        over("C", "T", "T"), holder(0, 1, 2), (), (),
        [*[Statement(asked, over("C", "T").outer.box, (OF_N, OF_S)) for asked in (gt(c, 0), Relation("<", c, ONE))],
         *[Statement(asked, at(over("C", "T")), (OF_N, OF_S, ON_THE_WAY, *EACH))
         for asked in (ge(y, 0), ge(y, 0), le(M(x, y), M(P(y, c), P(y, A(1, M(-1, c))))))]],
        [ge(T, 0), ge(T, 0), le(S, M(P(T, c), P(T, A(1, M(-1, c)))))],
    ),
    (  # what is so of each term is so of the greatest
        STW, by("attained", total=2, relation=relation(ge(A(W, S), 1)), proof={}), (S,), (),
        [Statement(ge(A(M(x, y), S), 1), at(STW), (OF_N, OF_S, ON_THE_WAY, *EACH))], [ge(A(W, S), 1)],
    ),
    (
        STW, by("claim", relation=relation(le(T, S)), proof={}), (S, T), (),
        [Statement(le(T, S), STW.outer.box, (OF_N, OF_S))], [le(T, S)],
    ),
    (
        STW, by("claim", relation=relation(le(T, S)), proof={"squared": [{}, {}]}), (S, T), (),
        [Statement(asked, STW.outer.box, (OF_N, OF_S)) for asked in (ge(S, 0), le(P(T, 2), P(S, 2)))], [le(T, S)],
    ),
    (
        STW, by("claim", relation=relation(le(T, S)), proof={"raised": [{}, {}], "to": 12}), (S, T), (),
        [Statement(asked, STW.outer.box, (OF_N, OF_S)) for asked in (ge(S, 0), le(P(T, 12), P(S, 12)))], [le(T, S)],
    ),
    (
        STW, by("member", total=1, proof={}), (), (),
        [Statement(ge(y, 0), at(STW), (OF_N, OF_S, ON_THE_WAY, *EACH))], [ge(T, 0)],
    ),
    (
        QTS, means(), (), (),
        [Statement(asked, at(QTS), (OF_N, OF_S, ON_THE_WAY, *EACH)) for asked in (ge(x, 0), le(x, y))],
        [le(V, P(M(T, P(n, -1)), n)), ge(V, 0), ge(T, 0)],
    ),
    (  # from 2 to n there are n - 1 places
        over("V", "G", least=2), means(), (), (),
        [Statement(asked, at(over("V", "G", least=2), 2, False), (OF_N, OF_S, ON_THE_WAY))
         for asked in (ge(A(i, 1), 0), le(A(i, 1), 1))],
        [le(V, P(M(G, P(A(n, -1), -1)), A(n, -1))), ge(V, 0), ge(G, 0)],
    ),
    (  # the entry of a sum from 1 in the terms, and the index
        over("S", box={m: R(0, None, whole=True)}), binomial(m, A(x, i, c)), (), (),
        [*[Statement(asked, over("S", box={m: R(0, None, whole=True)}).outer.box, (OF_N, OF_S))
           for asked in (ge(c, 0), ge(A(c, 1), 0))],
         *[Statement(asked, at(over("S", box={m: R(0, None, whole=True)})), (OF_N, OF_S, ON_THE_WAY, *EACH))
           for asked in (le(i, m), eq(x, M(choose(m), A(x, i, c))), le(A(x, i, c), M(c, P(A(c, 1), i))))]],
        [le(S, M(c, P(A(1, A(c, 1)), m))), le(S, M(c, F("exp", M(m, A(c, 1)))))],
    ),
    (  # equal to it where all terms are there
        FROM_0, binomial(exact=True), (), (),
        [*[Statement(asked, FROM_0.outer.box, (OF_N, OF_S)) for asked in (ge(c, 0), ge(A(c, 1), 0))],
         *[Statement(asked, at(FROM_0, 0, False), (OF_N, OF_S, ON_THE_WAY))
           for asked in (ON_THE_WAY, eq(i, M(choose(n), c)), eq(c, M(c, P(A(c, 1), i))))]],
        [eq(U, M(c, P(A(1, A(c, 1)), n))), le(U, M(c, F("exp", M(n, A(c, 1)))))],
    ),
    (  # all that there is in the terms
        over("U", box={}, entries={}), binomial(terms=A(n, c, U, i)), (), (),
        [*[Statement(asked, FROM_0.outer.box, (OF_N, OF_S)) for asked in (ge(c, 0), ge(A(c, 1), 0))],
         *[Statement(asked, at(FROM_0, 0, False), (OF_N, OF_S, ON_THE_WAY))
           for asked in (ON_THE_WAY, eq(i, M(choose(n), A(n, c, U, i))),
                         le(A(n, c, U, i), M(c, P(A(c, 1), i))))]],
        [le(U, M(c, P(A(1, A(c, 1)), n))), le(U, M(c, F("exp", M(n, A(c, 1)))))],
    ),
    (  # the entries of the least n are written out; what is given of n or of totals is not given on the way
        over("S", "U", least=2, given=(OF_N, OF_S, ge(c, 2))), induction(ge(S, n), le(U, n), totals=(0, 1)), (), (),
        [*[Statement(asked, {n: R(2, None, whole=True), c: R(0, 5)} | TWO,
                     (ge(c, 2), le(X1, M(1, Y1)), le(X2, M(2, Y2))))
           for asked in (ge(A(X1, X2), 2), le(A(0, 1, 2), 2))],
         *[Statement(asked, {n: R(2, None, whole=True), c: R(0, 5), S: ALL, U: ALL} | ENTRIES,
                     (ge(c, 2), le(x, M(A(n, 1), y)), ge(S, n), le(U, n)))
           for asked in (ge(A(S, x), A(n, 1)), le(A(U, A(n, 1)), A(n, 1)))]],
        [ge(S, n), le(U, n)],
    ),
    (  # one by one, from the first term
        over("S"), walk(le(S, i)), (), (),
        [Statement(le(x, 1), {n: WHOLE, c: R(0, 5)} | ENTRIES, (OF_N, HERE)),
         Statement(le(A(S, x), A(i, 1)), WALKED, (OF_N, LATER, le(A(i, 1), n), le(S, i)))],
        [le(S, n)],
    ),
    (  # or from before it; nothing is known of a place then
        over("S"), walk(le(S, i), begin=0), (), (),
        [Statement(le(0, 0), {n: WHOLE, c: R(0, 5)}, (OF_N,)),
         Statement(le(A(S, x), A(i, 1)), WALKED | {i: R(0, None, whole=True)},
                   (OF_N, LATER, le(A(i, 1), n), le(S, i)))],
        [le(S, n)],
    ),
    (  # or from beyond it, where no entries stand in the terms
        over("U", least=3), walk(ge(U, i), begin=2), (), (),
        [Statement(ge(A(0, 1, 2), 2), {n: R(3, None, whole=True), c: R(0, 5)}, (OF_N, OF_S)),
         Statement(ge(A(U, A(i, 1)), A(i, 1)),
                   {n: R(3, None, whole=True), c: R(0, 5), U: ALL, i: R(2, None, whole=True)},
                   (OF_N, OF_S, le(A(i, 1), n), ge(U, i)))],
        [ge(U, n)],
    ),
    (  # nor does anything of the entries of one place
        over("ones", least=3, given=(OF_N,)), walk(ge(S, i), begin=2), (), (),
        [Statement(ge(A(1, 1), 2), {n: R(3, None, whole=True), c: R(0, 5)}, (OF_N,)),
         Statement(ge(A(S, 1), A(i, 1)),
                   {n: R(3, None, whole=True), c: R(0, 5), S: ALL, i: R(2, None, whole=True)} | ENTRIES,
                   (OF_N, LATER, le(A(i, 1), n), ge(S, i)))],
        [ge(S, n)],
    ),
    (  # a place of sums from 1 has entries, one beyond it is not that of one term
        over("T", least=3, given=()), walk(ge(T, 1)), (), (),
        [Statement(ge(y, 1), {n: R(3, None, whole=True), c: R(0, 5)} | ENTRIES, (HERE,)),
         Statement(ge(A(T, y), 1), {n: R(3, None, whole=True), c: R(0, 5), T: ALL, i: WHOLE} | ENTRIES,
                   (LATER, le(A(i, 1), n), ge(T, 1)))],
        [ge(T, 1)],
    ),
    (  # from 2 there are no entries
        over("G", least=2), walk(ge(G, 1), begin=2), (), (),
        [Statement(ge(1, 1), {n: R(2, None, whole=True), c: R(0, 5)}, (OF_N, OF_S)),
         Statement(ge(A(G, 1), 1), {n: R(2, None, whole=True), c: R(0, 5), G: ALL, i: R(2, None, whole=True)},
                   (OF_N, OF_S, le(A(i, 1), n), ge(G, 1)))],
        [ge(G, 1)],
    ),
    (  # one sum as far as i in the terms of the next; a greatest that is known bounds its terms on the way
        over("S", "run", "W"), walk(le(S, T), totals=(0, 1)), (W,), (),
        [Statement(le(x, M(x, y)), {n: WHOLE, c: R(0, 5), W: ALL} | ENTRIES, (OF_N, HERE, le(M(x, y), W))),
         Statement(le(A(S, x), A(T, M(A(S, x), y))), {n: WHOLE, c: R(0, 5), S: ALL, T: ALL, W: ALL, i: WHOLE} | ENTRIES,
                   (OF_N, LATER, le(M(x, y), W), le(A(i, 1), n), le(S, T)))],
        [le(S, T)],
    ),
]  # fmt: skip


@pytest.mark.parametrize(("statement", "step", "before", "members", "left", "facts"), LEFT, ids=words)
def test_a_step_leaves_this_to_be_shown(
    statement: lengths.Lengths, step: dict[str, Any], before: tuple, members: tuple, left: Statements, facts: list,
    monkeypatch: pytest.MonkeyPatch,
) -> None:  # fmt: skip
    asked = asked_of(monkeypatch)
    proof = take(statement, step, before, members)
    assert asked == left
    assert proof.facts == facts
    said = {s for fact in facts for s in total_steps.symbols_of(fact)}
    assert proof.covered == set(before) | said & set(proof.places)
    assert proof.members == set(members) | ({T} if step["by"] == "member" else set())


NO_ROW = "no row"
# A statement, a step, and what is said against it.
REFUSED: list[tuple[lengths.Lengths, dict[str, Any], str]] = [
    (STW, termwise((0, x)), "not the same at all places"),
    (STW, termwise((0, ONE), rest=A(i, 1)), "not the same at all places"),
    (STW, termwise(), "termwise: no totals"),
    (STW, termwise((0, ONE), (0, c)), "one twice"),
    (STW, termwise((2, ONE)), "termwise: totals that are no sums"),
    (STW, termwise((0, ONE), (2, ONE)), "termwise: totals that are no sums"),
    (over("S", "U"), termwise((0, ONE), (1, ONE)), "over the same places"),
    (STW, termwise((0, ONE)) | {"weights": [[0, "Integer(1)", None]]}, "no pair"),
    (STW, termwise((0, ONE)) | {"weights": [{"0": "Integer(1)", "1": ""}]}, "no pair"),
    (over("G"), termwise((0, ONE), rest=P(c, -1)), "no value where there is no term"),
    (over("G"), termwise((0, P(c, -1))), "no value where there is no term"),
    (over("known"), termwise((0, ONE), rest=S), "not the same at all places"),
    (over("S", "known"), termwise((1, ONE)), "not known to have values"),
    (over("S", "run"), termwise((1, ONE)), "not known to have values"),
    (over("S", "T"), termwise((1, ONE), rest=S), "not known to have values"),
    (STW, by("extreme", total=0, rest=text(c), proof={}), "neither a greatest nor a least"),
    (over("S", "T", "U"), products(0, 1, 2), "products: totals that are no sums over the same places"),
    (over("S", "T", "W"), products(0, 1, 2), "products: totals that are no sums over the same places"),
    (over("S", "T", "U"), holder(0, 1, 2), "holder: totals that are no sums over the same places"),
    (over("W", "S", "T"), holder(0, 1, 2), "holder: totals that are no sums over the same places"),
    (STW, means(), "means: no product"),
    (over("Q", "W"), means(), "means: no product with a sum over the same places"),
    (over("Q", "U"), means(), "means: no product with a sum over the same places"),
    (over("V", "G"), means(), "means: there may be no term"),
    (QTS, means(proofs=[{}]), "not one proof for each relation"),
    (over("Q", "S", "known"), means(2), "not known to have values"),
    (STW, by("attained", total=0, relation=relation(ge(S, 1)), proof={}), "neither a greatest nor a least"),
    (STW, by("attained", total=2, relation=relation(ge(L, 1)), proof={}), "does not name the total"),
    (STW, by("attained", total=2, relation=relation(ge(W, S)), proof={}), "not known to have values"),
    (STW, by("attained", total=2, relation=relation(ge(W, x)), proof={}), NO_ROW),
    (STW, by("attained", total=2, relation="true", proof={}), "no relation of two sides"),
    (over("S", "most"), by("attained", total=1, relation=relation(ge(W, 1)), proof={}), "know totals so far"),
    (STW, by("claim", relation=relation(ge(S, 1)), proof={}), "not known to have values"),
    (STW, by("claim", relation=relation(ge(c, i)), proof={}), NO_ROW),
    (STW, by("member", total=2, proof={}), "member: no sum"),
    (over("V"), by("member", total=0, proof={}), "member: no sum"),
    (STW, binomial() | {"total": 2}, "binomial: no sum"),
    (over("V"), binomial(), "binomial: no sum"),
    (FROM_0, binomial(c), "of no whole number"),
    (FROM_0, binomial(m), "of no whole number"),
    (over("U", box={m: R(-1, 5, whole=True)}), binomial(m), "of no whole number that is not negative"),
    (FROM_0, binomial(terms=m), "a symbol of no row"),
    (FROM_0, binomial(exact=1), "neither exact nor not"),
    (FROM_0, binomial(exact=None), "neither exact nor not"),
    (over("S", box={m: R(0, None, whole=True)}), binomial(m, exact=True), "not all of its terms"),
    (over("U", box={m: R(0, None, whole=True)}), binomial(m, exact=True), "not all of its terms"),
    (STW, induction(ge(S, z)), NO_ROW),
    (STW, induction(ge(S, T)), NO_ROW),
    (STW, induction(ge(S, i)), NO_ROW),
    (over("S", "known"), induction(ge(T, 1), totals=(1,)), "depend on n or on other totals"),
    (over("S", "run"), induction(ge(T, 1), totals=(1,)), "depend on n or on other totals"),
    (over("S", "known"), walk(ge(S, 1), ge(T, 1), totals=(0, 1)), "totals that are on their way"),
    (over("S", "run"), walk(ge(T, 1), totals=(1,)), "totals that are on their way"),
    (STW, walk(ge(S, 1), ge(T, 1), totals=(1, 0)), "another order"),
    (over("S", "U"), walk(ge(S, 1), ge(U, 1), totals=(0, 1)), "begin at one place"),
    (over("S", "G"), walk(ge(S, 1), ge(G, 1), totals=(0, 1)), "begin at one place"),
    (STW, walk(ge(S, z)), NO_ROW),
    (over("S", least=2), walk(ge(S, 1), begin=2), "entries beyond the first place"),
    (over("T", "ones", least=2), walk(ge(T, 1), ge(S, 1), totals=(0, 1), begin=2), "entries beyond the first place"),
    (over("ones", "bare", least=2), walk(ge(S, 1), ge(T, 1), totals=(0, 1), begin=2), "entries beyond"),
    (over("G", "S", least=3), walk(ge(G, 1), begin=0), "a place to begin from"),
    (over("W"), walk(ge(W, 1), begin=0), "a greatest or least of nothing"),
]  # fmt: skip


@pytest.mark.parametrize(("statement", "step", "word"), REFUSED, ids=words)
def test_a_step_that_breaks_one_obligation_is_refused(
    statement: lengths.Lengths, step: dict[str, Any], word: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    asked_of(monkeypatch)
    with pytest.raises(InvalidRecord) as caught:
        take(statement, step)
    assert word in str(caught.value)


# ------------------------------------------------------------------------------------------------- what is taken off

BOX = {x: R(0, 1), y: R(1, 2)}
KNOWN = (le(x, 1), gt(y, 0), eq(x, y), Relation("<", x, N(2)), Relation("true"))


def gap(high: Any, low: Any) -> Node:
    return A(high, M(-1, low))


def off(weight: Any, high: Any, low: Any) -> Node:
    return M(-1, weight, gap(high, low))


# A sign of x to y, the rows taken off, and the relations that are asked: weights first, then what is left.
TAKEN: list[tuple[str, list[tuple[int, Any]], list[Relation]]] = [
    ("<=", [(0, 2)], [ge(A(gap(y, x), off(2, 1, x)), 0)]),
    ("<=", [(0, 0)], [ge(N(0), 0), ge(A(gap(y, x), off(0, 1, x)), 0)]),
    ("<=", [(0, A(x, y))], [ge(A(x, y), 0), ge(A(gap(y, x), off(A(x, y), 1, x)), 0)]),
    ("<=", [(2, M(-1, y))], [ge(A(gap(y, x), off(M(-1, y), x, y)), 0)]),
    (">=", [(1, 2)], [ge(A(gap(x, y), off(2, y, 0)), 0)]),
    # one strict condition with a weight that is positive makes what is left one that need not be strict
    ("<", [], [gt(A(gap(y, x)), 0)]),
    ("<", [(0, 1)], [gt(A(gap(y, x), off(1, 1, x)), 0)]),
    (">", [(0, 1)], [gt(A(gap(x, y), off(1, 1, x)), 0)]),
    ("<", [(2, 1)], [gt(A(gap(y, x), off(1, x, y)), 0)]),
    ("<", [(1, 1)], [ge(A(gap(y, x), off(1, y, 0)), 0)]),
    ("<", [(3, 1)], [ge(A(gap(y, x), off(1, 2, x)), 0)]),
    ("<", [(1, 1), (0, 1)], [ge(A(gap(y, x), off(1, y, 0), off(1, 1, x)), 0)]),
    ("<", [(1, 0)], [ge(N(0), 0), gt(A(gap(y, x), off(0, y, 0)), 0)]),
    ("<", [(3, y)], [ge(y, 0), gt(A(gap(y, x), off(y, 2, x)), 0)]),
    ("==", [(2, 3)], [eq(A(gap(x, y), off(3, x, y)), 0)]),
]


@pytest.mark.parametrize(("sign", "rows", "left"), TAKEN, ids=words)
def test_what_is_taken_off_leaves_this(
    sign: str, rows: list, left: list[Relation], monkeypatch: pytest.MonkeyPatch
) -> None:
    asked = asked_of(monkeypatch)
    statement = Statement(Relation(sign, x, y), BOX, (OF_N,))
    taken = [[place, text(A(weight).args[0]), {}] for place, weight in rows]
    total_steps.shown_with(statement, KNOWN, {"taken": taken, "kept": [1, 4], "left": {}})
    assert asked == [
        *[Statement(r, BOX, (OF_N,)) for r in left[:-1]], Statement(left[-1], BOX, (OF_N, KNOWN[1], KNOWN[4]))
    ]  # fmt: skip


@pytest.mark.parametrize(
    ("goal", "row", "word"),
    [
        (eq(x, y), [0, "Integer(1)", {}], "an equation by what is none"),
        (eq(x, y), [1, "Integer(1)", {}], "an equation by what is none"),
        (le(x, y), [0, "Integer(1)", {}, {}], "no row of three"),
        (le(x, y), [0, "Integer(1)"], "no row of three"),
        (le(x, y), {"0": 0, "1": "Integer(1)", "2": {}}, "no row of three"),
        (le(x, y), [0, text(z), {}], "a weight of no row"),
        (le(x, y), [4, "Integer(1)", {}], "no relation of two sides"),
        (le(x, y), [5, "Integer(1)", {}], "a place that no condition has"),
        (Relation("true"), [0, "Integer(1)", {}], "no relation of two sides"),
        (Relation("false"), [0, "Integer(1)", {}], "no relation of two sides"),
    ],
    ids=words,
)
def test_what_is_no_multiple_of_a_condition_is_not_taken_off(
    goal: Relation, row: Any, word: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    asked_of(monkeypatch)
    with pytest.raises(InvalidRecord, match=word):
        total_steps.shown_with(Statement(goal, BOX, ()), KNOWN, {"taken": [row], "kept": [], "left": {}})


def test_only_what_is_given_of_totals_is_taken_off(monkeypatch: pytest.MonkeyPatch) -> None:
    asked = asked_of(monkeypatch)
    statement = Statement(le(S, 5), STW.outer.box, (OF_N, OF_S, ge(T, 2)))
    body = {"taken": [[1, "Integer(1)", {}]], "kept": [], "left": {}}
    lengths.LengthProof(STW).settled(statement, body)
    assert asked == [Statement(ge(A(gap(5, S), off(1, T, 2)), 0), STW.outer.box, (OF_N,))]


# ------------------------------------------------------------------------------------------------------ small parts


@pytest.mark.parametrize(
    ("sign", "asked"),
    [("<=", [ge(y, 0), le(P(x, 2), P(y, 2))]), (">=", [ge(x, 0), le(P(y, 2), P(x, 2))]), *[(s, None) for s in "<>"],
     ("==", None), ("true", None)],
)  # fmt: skip
def test_powers_ask_for_the_larger_side(sign: str, asked: list[Relation] | None) -> None:
    if asked is None:
        with pytest.raises(InvalidRecord, match="neither <= nor >="):
            lengths._raised(Relation(sign, x, y), 2)
    else:
        assert lengths._raised(Relation(sign, x, y), 2) == asked


@pytest.mark.parametrize("to", [-1, 0, 1, 13, True, 2.0, "2", None, [3]])
def test_sides_are_raised_to_whole_powers_alone(to: Any) -> None:
    """To a power of 1 nothing would be shown, and 0 or less would turn the relation round."""
    assert lengths._raised(Relation("<=", x, y), 3) == [ge(y, 0), le(P(x, 3), P(y, 3))]
    with pytest.raises(InvalidRecord, match="no power from 2 to 12"):
        lengths._raised(Relation("<=", x, y), to)


@pytest.mark.parametrize(
    ("kind", "none", "one", "two"),
    [("sum", ZERO, x, A(x, y)), ("prod", ONE, x, M(x, y)), ("max", None, x, F("Max", x, y)),
     ("min", None, x, F("Min", x, y))],
)  # fmt: skip
def test_totals_of_terms(kind: str, none: Node | None, one: Node, two: Node) -> None:
    total = lengths.ReplayTotal(S, kind, x, 1)
    assert (total.of([x]), total.of([x, y])) == (one, two)
    if none is not None:
        assert total.of([]) == none
    else:
        with pytest.raises(InvalidRecord, match="of nothing"):
            total.of([])


PART = {"proof": {"by": "interval"}}
EMPTY = {"vacuous": {"by": "infeasible", "given": 0}}


@pytest.mark.parametrize(
    ("body", "given", "said"),
    [
        (PART, (), "proved"), (EMPTY, (ge(x, 2),), "vacuous"),
        ({"pieces": {"of": relation(ge(x, 0)), "defined": [], "parts": [PART, EMPTY]}}, (), "proved"),
        ({}, (), None), ([], (), None), ({"defined": []}, (), None), (PART | {"more": 1}, (), None),
    ],
)  # fmt: skip
def test_a_proof_is_one_of_three(body: Any, given: tuple, said: str | None) -> None:
    statement = Statement(ge(x, 0), {x: R(0, 1)}, given)
    if said is not None:
        assert total_steps.shown(statement, body) == said
    else:
        with pytest.raises(InvalidRecord, match="a proof is no object"):
            total_steps.shown(statement, body)


def test_lists_are_short() -> None:
    assert total_steps.rows_of([0] * SYMBOLS) == [0] * SYMBOLS
    many = [read_symbol(f"Symbol('s{k}', real=True)") for k in range(SYMBOLS + 1)]
    lengths.require_names(many[1:])
    refused: list[tuple[Callable[[Any], Any], Any, str]] = [
        (total_steps.rows_of, [0] * (SYMBOLS + 1), "no short list"), (total_steps.rows_of, {}, "no short list"),
        (total_steps.rows_of, "ab", "no short list"), (lengths.require_names, many, "too many"),
        (lengths.require_names, [x, x], "two symbols of one name"),
        (lambda proofs: total_steps.pairs([ge(x, 0)], proofs), [{}, {}], "not one proof"),
    ]  # fmt: skip
    for read, found, word in refused:
        with pytest.raises(InvalidRecord, match=word):
            read(found)


def test_totals_at_one_length() -> None:
    """x = 1, 3 and 5: of their sum as far as each place, 1 + 4 + 9; from 0 the index alone is known at first."""
    statement = lengths.Lengths(
        n, i, {x: R()}, (), tuple(lengths.ReplayTotal(*row) for row in (
            (S, "sum", x, 1), (T, "sum", RUN, 1), (U, "sum", M(i, c), 0), (W, "max", M(S, x), 1), (V, "prod", i, 2),
        )), over("S").outer, {},
    )  # fmt: skip
    statement.running[RUN] = statement.totals[0]
    places = {x: [N(k).data for k in (1, 3, 5)]}
    whole = A(1, 3, 5)
    assert lengths._totals_at(statement, places, 3) == {
        S: whole, T: A(1, A(1, 3), whole), U: A(*[M(k, c) for k in range(4)]),
        W: F("Max", *[M(whole, k) for k in (1, 3, 5)]), V: M(2, 3),
    }  # fmt: skip
    assert [lengths._at_place(statement, places, k) for k in (0, 1, 3, 4)] == [
        {i: N(0)}, {x: N(1), i: N(1)}, {x: N(5), i: N(3)}, {i: N(4)}
    ]  # fmt: skip


KEYS = {
    "induction": "totals claims start steps", "termwise": "weights rest proof", "exact": "weights rest proof",
    "extreme": "total rest proof", "products": "total first second proofs", "walk": "totals from claims start steps",
    "holder": "total first second power proofs", "binomial": "total of terms times base exact proofs",
    "member": "total proof", "factors": "total side potential weights proofs",
    "falling": "total power times base other proofs", "squares": "total times proofs", "means": "total of proofs",
    "claim": "relation proof", "attained": "total relation proof",
    "jensen": "total mean weights whole row of bends at side proofs",
}  # fmt: skip
"""What a step of each rule says of itself."""


@pytest.mark.parametrize("rule", KEYS)
def test_a_step_with_a_key_less_or_more_is_refused(rule: str) -> None:
    keys = KEYS[rule].split()
    steps = [dict.fromkeys([key for key in keys if key != left]) for left in keys]
    for step in (*steps, dict.fromkeys([*keys, "more"])):
        with pytest.raises(InvalidRecord, match=f"{rule}: unknown or missing keys"):
            lengths.LengthProof(FROM_0).take({"by": rule} | step)
