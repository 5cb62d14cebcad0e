"""Settle a statement over a length: for all n, all entries, all points of a box.

Counterexamples are looked for first, at small lengths and along families (`lengths.refute`). A proof is looked for as
facts about the totals, from which the ladder shows the relation (`lengths.facts` shows them, the checker re-checks
them by `theory.checker.lists.lengths`):

1. signs: of sums whose terms have one, of products, and the ranges of greatest and least;
2. induction on n of the statement itself, and of its squares and exponentials;
3. products: Cauchy-Schwarz, where the terms of three sums are so;
4. walk: the statement, and potentials of sums, from place to place (`lengths.walks`), for terms that know n;
5. termwise: one sum is at most another, term by term; the tangent of a sum's terms at the mean of others, which is
   Jensen's inequality, with a multiplier for each condition; the chord between the ends of a range;
6. Jensen's inequality by the sign of a second derivative (`lengths.jensen`), where a tangent has no proof, and
   Chebyshev's (`lengths.crossed`);
7. Hoelder's inequality and the binomial theorem; norms that fall in their power (`lengths.norms`).

Facts are screened by draws (`lengths.samples`) and shown with little time first, then with more.
"""

from __future__ import annotations

import itertools
import json
from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace
from functools import partial
from typing import Any

import sympy as sp

from theory.checker.replay import InvalidRecord, replay
from theory.dummies import fresh
from theory.failures import count
from theory.ordering import in_order
from theory.prover.certify import Proved, Refuted, Unknown, within_budget
from theory.prover.expressions.points import displayed
from theory.prover.goal import Node
from theory.prover.lengths.by_given import certified, gap
from theory.prover.lengths.crossed import crossed
from theory.prover.lengths.facts import TotalFacts, inductive, sums
from theory.prover.lengths.frames import frame_of
from theory.prover.lengths.goals import goals
from theory.prover.lengths.jensen import jensen
from theory.prover.lengths.linear import linear
from theory.prover.lengths.multipliers import multipliers
from theory.prover.lengths.norms import norms
from theory.prover.lengths.products import attained, bounded, products, solved
from theory.prover.lengths.question import LengthQuestion, Total, entry, put
from theory.prover.lengths.refute import counterexample, drawn_counterexamples
from theory.prover.lengths.samples import Draw, draws, is_plausible
from theory.prover.lengths.series import factored, moments
from theory.prover.lengths.walks import binomials, holders, members, walks
from theory.prover.records import sealed
from theory.timeout import cpu_clock

_STAGES = (1.0, 4.0, 15.0, 60.0)
"""Seconds for one obligation, stage by stage."""
_REFUTING = 0.3
"""The share of a stage that looks for a counterexample."""
_SPARE = tuple(sp.Rational(*c) for c in ((1, 2), (1, 1), (1, 4), (1, 8), (2, 1)))
"""What is tried over n as more than a statement says."""
_MARGIN = 0.95
_MOST_DRAWS = 12
"""Draws that are put to the checker."""
_SHOWN = 6
"""Entries of a counterexample that are told."""


def certify_length(question: LengthQuestion, *, budget_s: float = 60) -> Proved | Refuted | Unknown:
    """Prove or refute; the record of what was refuted has the entry `at`."""
    return within_budget(budget_s, _left_open, _settle, question, is_reckoned=True)


def _left_open(reason: str) -> Unknown:
    return Unknown((), reason, 0.0)


def _settle(question: LengthQuestion, budget_s: float) -> Proved | Refuted | Unknown:
    end = cpu_clock() + _MARGIN * budget_s
    drawn = draws(question)
    for seconds in _STAGES:
        left = end - cpu_clock()
        if left <= 0:
            break
        looks_closer = seconds == _STAGES[1]  # what is proved is so in the first one most often
        at = counterexample(question, min(_REFUTING * left, 4 * seconds), looks_closer=looks_closer)
        if at is not None:
            return _replayed(question, {"verdict": "refuted", "at": at})
        if not is_plausible(question.relation, drawn, at_places=False) and drawn:
            refuted = _by_draws(question, drawn) if seconds == _STAGES[0] else None
            if refuted is not None:
                return refuted
            continue  # a draw speaks against it, and no proof will be found
        left_over = partial(_seconds_left, seconds, end)
        found = _by_goals(question, drawn, left_over) or _proof(question, drawn, left_over)
        if found is not None:
            return _replayed(question, {"verdict": "proved"} | found)
    return _left_open("no step over the length decides")


def _seconds_left(seconds: float, end: float) -> float:
    """Seconds for one obligation."""
    return min(seconds, end - cpu_clock())


def _replayed(question: LengthQuestion, body: Node) -> Proved | Refuted | Unknown:
    """The answer, once the independent checker has replayed it."""
    record = sealed(question.statement() | body)
    try:
        shown = replay(json.loads(json.dumps(record)))
    except InvalidRecord as refusal:
        found = "a proof" if body["verdict"] == "proved" else "a counterexample"
        count(f"replay of {found}", refusal)
        return _left_open(f"{found} was found that the checker refuses: {refusal}")
    if shown != "refuted":
        return Proved(record, 0.0, vacuous=shown == "vacuous")
    return _refuted(question, record)


def _by_draws(question: LengthQuestion, drawn: Sequence[Draw]) -> Refuted | None:
    """A draw that speaks against a statement, where the checker finds that it does."""
    for at in itertools.islice(drawn_counterexamples(question, drawn), _MOST_DRAWS):
        record = sealed(question.statement() | {"verdict": "refuted", "at": at})
        try:
            replay(json.loads(json.dumps(record)))
        except InvalidRecord:
            continue  # rounded, it meets a condition no more, or the relation holds there
        return _refuted(question, record)
    return None


def _refuted(question: LengthQuestion, record: Node) -> Refuted:
    """The answer that a statement fails at the entries of a record."""
    rows = {s: sp.Rational(v) for s, v in record["at"]["point"]}
    point = {s: rows[sp.srepr(s)] for s in question.box}
    lists = {s: [sp.Rational(v) for v in values] for s, values in record["at"]["entries"]}
    places = {s: lists[sp.srepr(s)] for s in question.entries}
    n = int(point[question.length])
    relation, _ = question.written_out(n, places)
    shown = point | {entry(s, i): v for s, values in places.items() for i, v in enumerate(values[:_SHOWN], 1)}
    there = put(relation, point)
    return Refuted(shown, displayed(there.lhs, there.rhs, {}), record, 0.0)


# ------------------------------------------------------------------------------------------------------------- a proof


def _proof(question: LengthQuestion, drawn: Sequence[Draw], seconds: Callable[[], float]) -> Node | None:
    """The steps of a record, or None."""
    search = _TotalSearch(question, drawn, seconds)
    last = _shown(search)
    return last and {"steps": search.facts.steps, "last": _of_nothing(search.facts) or last}


def _of_nothing(facts: TotalFacts) -> Node | None:
    """What shows that nothing meets the conditions, where no draw did."""
    question = facts.question
    if facts.drawn or not (question.given or question.each):
        return None
    for place, total in sums(question) if question.each and question.least >= 1 else ():
        if total.first == 1 and facts.termwise([(place, sp.S.Zero)], sp.S.NegativeOne):  # no entry is as it must be
            break
    false = sp.Ge(-1, 0, evaluate=False)
    body = certified(false, question.outer, [*question.given, *facts.known], facts.seconds() / 2)
    return body if body is not None and "vacuous" in body else None


def _by_goals(question: LengthQuestion, drawn: Sequence[Draw], seconds: Callable[[], float]) -> Node | None:
    """The steps of a record that show relations from which the statement follows, or None."""
    for goal in goals(question):
        facts = TotalFacts(question, seconds, drawn)
        for part in goal.parts:
            if not is_plausible(part, drawn, at_places=False):
                break
            search = _TotalSearch(replace(question, relation=part), drawn, seconds)
            search.facts.take_over(facts)
            last = _shown(search)
            if last is None:
                break
            facts = replace(search.facts, question=question, hints=[])
            facts.learn({"by": "claim", "relation": sp.srepr(part), "proof": last}, [part], [])
        else:
            last = goal.last(facts)
            if last is not None:
                return {"steps": facts.steps, "last": _of_nothing(facts) or last}
    return None


def _shown(search: _TotalSearch) -> Node | None:
    """What shows the relation from the facts of some rules, or None."""
    others = [partial(rule, search) for rule in (walks, holders, binomials, multipliers)]
    early = (
        members,
        norms,
        products,
        factored,
        moments,
        solved,
        attained,
        bounded,
        linear,
        jensen,
        crossed,
        multipliers,
    )
    first = [partial(rule, search) for rule in early]
    forms = [partial(multipliers, search), search.cauchy] if frame_of(search.question) else []
    rules = (
        *forms, search.signs, *first, search.cauchy, search.by_induction, others[0], search.tangents,
        search.pairs, search.chords, search.extremes, *others[1:], search.strengthened,
    )  # fmt: skip
    for rule in rules:
        for _ in rule():
            last = search.facts.last() if search.is_ready() else None
            if last is not None:
                return last
    return None


class _TotalSearch:
    """One look for a proof. Each rule yields where a fact was added."""

    def __init__(self, question: LengthQuestion, drawn: Sequence[Draw], seconds: Callable[[], float]) -> None:
        self.question, self.drawn = question, drawn
        self.facts = TotalFacts(question, seconds, drawn)
        self.signed: dict[sp.Symbol, list[sp.Basic]] = {}

    def is_ready(self) -> bool:
        """Whether all totals have been met."""
        return {t.symbol for t in self.question.totals} <= self.facts.covered

    def signs(self) -> Iterator[None]:
        """What the terms of each total by themselves say."""
        added = False
        for place, total in enumerate(self.question.totals):
            for bound, is_upper in self._bounds(total):
                relation = (sp.Le if is_upper else sp.Ge)(total.body, bound, evaluate=False)
                if not self._is_plausible_at_places(relation):
                    continue
                if total.kind == "sum":
                    added |= self._sign_of_sum(place, total, bound, is_upper=is_upper)
                elif total.kind == "prod":
                    claims = [sp.Ge(total.symbol, 0, evaluate=False)]
                    if bound in (0, 1) and not (bound == 0 and is_upper):
                        claims.append((sp.Le if is_upper else sp.Ge)(total.symbol, bound, evaluate=False))
                    is_shown = place in inductive(self.question) and self.facts.induction([place], claims)
                    if is_shown or self.facts.walk([place], claims, min(total.first, self.question.least)):
                        for claim in claims:
                            self._keep(total, claim)
                        added = True
                elif is_upper == (total.kind == "max"):
                    added |= self.facts.extreme(place, bound)
                elif place in inductive(self.question):
                    added |= self._reached(place, total, bound)
            if total.kind in ("max", "min") and total.symbol not in self.facts.covered:
                itself = sp.Ge(total.symbol, total.symbol, evaluate=False)
                added |= place in inductive(self.question) and self.facts.induction([place], [itself])
        if added:
            yield

    def _sign_of_sum(self, place: int, total: Total, bound: sp.Expr, *, is_upper: bool) -> bool:
        """Show that a sum has a sign, strictly where each term has, or lies between multiples of n."""
        strict = sp.Gt(total.symbol, 0, evaluate=False)
        may_be_strict = bound == 0 and not is_upper and place in inductive(self.question) and self.question.least > 0
        if may_be_strict and self.facts.induction([place], [strict]):
            self._keep(total, strict)
            return True
        sign = sp.S.One if is_upper else sp.S.NegativeOne
        if not self.facts.termwise([(place, sign)], sign * bound):
            return False
        if bound == 0:
            self._keep(total, (sp.Le if is_upper else sp.Ge)(total.symbol, 0, evaluate=False))
        return True

    def _reached(self, place: int, total: Total, bound: sp.Expr) -> bool:
        """Show that a greatest is at least, or a least at most, what all terms are: strictly, where that is so."""
        signs = (sp.Gt, sp.Ge) if total.kind == "max" else (sp.Lt, sp.Le)
        return any(self.facts.induction([place], [sign(total.symbol, bound, evaluate=False)]) for sign in signs)

    def _bounds(self, total: Total) -> Iterator[tuple[sp.Expr, bool]]:
        """Numbers that the terms may be bounded by, and from which side."""
        yield sp.S.Zero, False
        yield sp.S.Zero, True
        if total.kind == "prod":
            yield sp.S.One, True
            yield sp.S.One, False
        for s, (low, high) in self.question.entries.items():
            if total.body == s and total.kind != "prod":
                ends = ((low, False), (high, True))
                yield from ((end, is_upper) for end, is_upper in ends if not end.is_infinite and end != 0)

    def _keep(self, total: Total, claim: sp.Basic) -> None:
        self.signed.setdefault(total.symbol, []).append(claim)

    def by_induction(self) -> Iterator[None]:
        """The statement itself, or one that it follows from, from n to n + 1."""
        for claim in self.claims():
            yield from self._inducted(claim)

    def strengthened(self) -> Iterator[None]:
        """The statement with c/n to spare, from n to n + 1: H(n) >= log(n) + 1/2 comes by 1/(2 n) more."""
        relation, n = self.question.relation, self.question.length
        if not isinstance(relation, sp.Le | sp.Ge) or self.question.entries or self.question.least < 1:
            return
        later: dict[sp.Basic, Any] = {n: n + 1}
        later |= {t.symbol: t.of((t.symbol, put(t.body, {self.question.index: n + 1}))) for t in self.question.totals}
        step = sp.Ge(put(gap(relation), later), gap(relation), evaluate=False)
        if is_plausible(step, self.drawn, at_places=False):
            return  # the statement itself is carried on, if it can be shown
        for c in _SPARE:
            spare = sp.Pow(sp.Mul(1 / c, n, evaluate=False), -1, evaluate=False)
            low = sp.Add(*sp.Add.make_args(relation.lts), spare, evaluate=False)
            yield from self._inducted(sp.Ge(relation.gts, low, evaluate=False))

    def _inducted(self, claim: sp.Basic) -> Iterator[None]:
        """A claim, with what is known of the signs of its totals beside it."""
        places = inductive(self.question)
        own = {self.question.totals[place].symbol for place in places}
        used = [p for p in places if self.question.totals[p].symbol in claim.free_symbols]
        outside = {t.symbol for t in self.question.totals} & claim.free_symbols - own
        if not used or outside or not is_plausible(claim, self.drawn, at_places=False):
            return
        beside = [c for p in used for c in self.signed.get(self.question.totals[p].symbol, ())]
        if self.facts.induction(used, [claim, *dict.fromkeys(beside)]):
            yield

    def claims(self) -> Iterator[sp.Basic]:
        """The relation, and others from which it may follow."""
        relation = self.question.relation
        yield relation
        if not isinstance(relation, sp.Eq) and relation not in (sp.true, sp.false):
            yield from _without_outside(relation)
        for total in self.question.totals:
            for other in self.question.totals:
                if total.symbol == other.symbol:
                    continue
                yield sp.Le(total.symbol, other.symbol, evaluate=False)
                if other.kind in ("max", "min") and total.kind == "sum":
                    limit = sp.Mul(self.question.length, other.symbol, evaluate=False)
                    yield (sp.Le if other.kind == "max" else sp.Ge)(total.symbol, limit, evaluate=False)

    def cauchy(self) -> Iterator[None]:
        """Sums whose terms are c^2 <= a b."""
        listed = list(sums(self.question))
        for (i, c), (j, a), (k, b) in itertools.permutations(listed, 3):
            if j < k and sp.simplify(c.body**2 - a.body * b.body) == 0 and self.facts.products(i, j, k):
                yield

    def pairs(self) -> Iterator[None]:
        """Sums that are at most others, term by term."""
        for (i, u), (j, v) in itertools.permutations(list(sums(self.question)), 2):
            if u.first != v.first or not self._is_plausible_at_places(sp.Le(u.body, v.body, evaluate=False)):
                continue
            if self.facts.termwise([(i, sp.S.One), (j, sp.S.NegativeOne)], sp.S.Zero):
                yield

    def tangents(self) -> Iterator[None]:
        """The terms of a sum against their tangent where the others are at their means."""
        for place, total in sums(self.question):
            for weights, rest in self._tangents_of(place, total):
                for sign in (sp.S.One, sp.S.NegativeOne):
                    rows = [(p, sign * w) for p, w in weights]
                    if self._holds_termwise(rows, sign * rest) and self.facts.termwise(rows, sign * rest):
                        yield

    def extremes(self) -> Iterator[None]:
        """The terms of a sum against what they are at the greatest or least of their entries."""
        for place, total in sums(self.question):
            for other in self.question.totals:
                if other.kind not in ("max", "min") or other.symbol not in self.facts.covered:
                    continue
                rest = total.body.subs(other.body, other.symbol)
                if isinstance(other.body, sp.Abs) and other.body.args[0].is_Symbol:
                    rest = _through(total.body, other.body.args[0], other.body, other.symbol)
                if rest.free_symbols & {*self.question.entries, self.question.index}:
                    continue
                for sign in (sp.S.One, sp.S.NegativeOne):
                    rows = [(place, sign)]
                    if self._holds_termwise(rows, sign * rest) and self.facts.termwise(rows, sign * rest):
                        yield

    def chords(self) -> Iterator[None]:
        """The terms p f(x) of a sum against the chord of f between the ends of the range of x."""
        for place, total in sums(self.question):
            for weights in self._chords_of(place, total):
                for sign in (sp.S.One, sp.S.NegativeOne):
                    rows = [(p, sign * w) for p, w in weights]
                    if self._holds_termwise(rows, sp.S.Zero) and self.facts.termwise(rows, sp.S.Zero):
                        yield

    def _holds_termwise(self, weights: Sequence[tuple[int, sp.Expr]], rest: sp.Expr) -> bool:
        terms = [w * self.question.totals[p].body for p, w in weights]
        relation = sp.Le(sp.Add(*terms), rest, evaluate=False)
        return self._is_plausible_at_places(relation)

    def _is_plausible_at_places(self, relation: sp.Basic) -> bool:
        return not self.drawn or is_plausible(relation, self.drawn, at_places=True)

    # ---------------------------------------------------------------------------------------------- tangents and chords

    def _tangents_of(self, place: int, total: Total) -> Iterator[tuple[list[tuple[int, sp.Expr]], sp.Expr]]:
        """Weights and rest of tangents: of f at the means of its entries, and of p f(x) at the weighted mean of x."""
        entries = in_order(s for s in total.body.free_symbols if s in self.question.entries)
        if not entries or self.question.index in total.body.free_symbols:
            return
        others = [(p, t) for p, t in sums(self.question) if p != place and t.first == total.first]
        count = self.question.length
        features = {s: self._features(s, others) for s in entries}
        for chosen in itertools.product(*features.values()):
            at, chosen_features, body = {}, [], total.body
            for s, (p, g, inside) in zip(entries, chosen, strict=True):
                w = fresh("w", positive=True) if inside != s else s
                body, g = _through(body, s, inside, w), g.subs(inside, w)
                root = _root(g, w, self.value_of(p) / count)
                if root is None:
                    break
                at[w] = root
                chosen_features.append((p, g, w))
            else:
                if set(entries) & body.free_symbols - set(at):
                    continue
                rows, rest = [(place, sp.S.One)], body
                for p, g, w in chosen_features:
                    slope = sp.diff(body, w) / sp.diff(g, w)
                    rows.append((p, -_at(slope, at)))
                    rest = rest - slope * g
                yield rows, _at(rest, at)
        yield from self._weighted_tangents(place, total, entries, others)

    def _features(self, s: sp.Symbol, others: Sequence[tuple[int, Total]]) -> list:
        """Sums of a function of one entry alone: place, function, and the part through which the entry enters."""
        found = []
        for p, t in others:
            if (
                t.body.free_symbols & set(self.question.entries) == {s}
                and self.question.index not in t.body.free_symbols
            ):
                size = sp.Abs(s, evaluate=False)
                is_in_size = t.body.has(sp.Abs) and not t.body.subs(size, 1).has(s)
                found += [(p, t.body, inside) for inside in ((s, size) if is_in_size else (s,))]
        return found

    def _weighted_tangents(
        self, place: int, total: Total, entries: Sequence[sp.Symbol], others: Sequence[tuple[int, Total]]
    ) -> Iterator[tuple[list[tuple[int, sp.Expr]], sp.Expr]]:
        """Of p f(x), where p and p g(x) are summed as well: at g(x) = their ratio."""
        for p_place, p_total in others:
            p = p_total.body
            f = sp.cancel(total.body / p) if p.free_symbols & set(entries) else None
            if f is None or f.free_symbols & p.free_symbols & set(entries):
                continue
            for q_place, q_total in others:
                g = sp.cancel(q_total.body / p)
                inside = [s for s in entries if s in f.free_symbols]
                if len(inside) != 1 or g.free_symbols & set(entries) != set(inside):
                    continue
                x = inside[0]
                root = _root(g, x, self.value_of(q_place) / self.value_of(p_place))
                if root is None:
                    continue
                slope = sp.diff(f, x) / sp.diff(g, x)
                rows = [(place, sp.S.One), (q_place, -_at(slope, {x: root}))]
                yield [*rows, (p_place, -_at(f - slope * g, {x: root}))], sp.S.Zero

    def _chords_of(self, place: int, total: Total) -> Iterator[list[tuple[int, sp.Expr]]]:
        """Weights of the chord of f, in p f(x), between the ends of x, where p and p x are summed as well."""
        others = [(p, t) for p, t in sums(self.question) if p != place and t.first == total.first]
        for (p_place, p_total), (q_place, q_total) in itertools.permutations(others, 2):
            x = sp.cancel(q_total.body / p_total.body)
            if x not in self.question.entries or not p_total.body.free_symbols & set(self.question.entries):
                continue
            low, high = self._ends_of(x)
            f = sp.cancel(total.body / p_total.body)
            if low.is_infinite or high.is_infinite or low == high or f.free_symbols & p_total.body.free_symbols:
                continue
            slope = sp.cancel((f.subs(x, high) - f.subs(x, low)) / (high - low))
            yield [(place, sp.S.One), (q_place, -slope), (p_place, -sp.factor(f.subs(x, low) - slope * low))]

    def _ends_of(self, x: sp.Symbol) -> tuple[sp.Expr, sp.Expr]:
        """The range of an entry; where that has no end, what is given of it at each place."""
        low, high = self.question.entries[x]
        for relation in self.question.each:
            if isinstance(relation, sp.Le | sp.Ge) and x in relation.args:
                end = relation.rhs if relation.lhs == x else relation.lhs
                if not end.free_symbols & {*self.question.entries, self.question.index}:
                    low, high = (low, end) if relation.lts == x else (end, high)
        return low, high

    def value_of(self, place: int) -> sp.Expr:
        """What a total is given to be, or its symbol."""
        symbol = self.question.totals[place].symbol
        apart = {t.symbol for t in self.question.totals}
        for relation in self.question.given:
            if isinstance(relation, sp.Eq) and symbol in relation.args:
                other = relation.rhs if relation.lhs == symbol else relation.lhs
                if not other.free_symbols & apart:
                    return other
        return symbol


def _through(body: sp.Expr, s: sp.Symbol, inside: sp.Expr, w: sp.Symbol) -> sp.Expr:
    """Terms as a function of w, which is an entry or its absolute value; of that an even function is one."""
    found = body.subs(inside, w)
    is_even = inside != s and found.has(s) and sp.simplify(found - found.subs(s, -s)) == 0
    return found.subs(s, w) if is_even else found


def _root(g: sp.Expr, x: sp.Symbol, mean: sp.Expr) -> sp.Expr | None:
    """Where g(x) is the mean: the first solution that sympy names, of simple functions."""
    if g == x:
        return mean
    mark = fresh("m", positive=True)
    try:
        found = sp.solve(sp.Eq(g, mark), x)
    except (NotImplementedError, ValueError):
        return None
    found = [root for root in found if not root.has(sp.I)] if found else []
    if not found:
        return None
    positive = [root for root in found if root.is_positive]
    return (positive or found)[0].subs(mark, mean)


def _at(e: sp.Expr, values: dict[sp.Basic, sp.Expr]) -> sp.Expr:
    return sp.simplify(e).subs(values)


def _without_outside(relation: sp.Basic) -> Iterator[sp.Basic]:
    """A relation with a root or logarithm of one side taken to the other: sqrt(a) <= b as a <= b^2."""
    func = relation.func
    for side, other, turned in ((relation.lhs, relation.rhs, False), (relation.rhs, relation.lhs, True)):
        if isinstance(side, sp.log):
            new = side.args[0], sp.exp(other)
        elif side.is_Pow and side.exp == sp.Rational(1, 2):
            new = side.base, other**2
        else:
            continue
        yield func(*(reversed(new) if turned else new), evaluate=False)
