"""What can be shown of totals, step by step: each fact with the obligations that the checker will ask for.

A fact is looked for by samples and shown by the ladder (`theory.prover.certify`); one that is not shown is left out.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field, replace
from itertools import islice
from typing import Any

import sympy as sp

from theory.ordering import in_order
from theory.prover.goal import Node
from theory.prover.lengths.by_given import by_takings, certified, gap, reduced, relevant
from theory.prover.lengths.by_logs import shown_by_logs, shown_by_product
from theory.prover.lengths.question import MAX_POWER, Ends, LengthQuestion, Total, entry, put
from theory.prover.lengths.samples import Draw
from theory.prover.typed.parts import binomial
from theory.timeout import cpu_clock

Box = dict[sp.Symbol, Ends]
_PATIENCE = 2.5
"""Times the seconds of an obligation, for a step between roots of places."""
_WAYS = 3
"""Ways to take claims off before logarithms are bounded."""
_OWN, _NEAR = 0.3, 0.7
"""Of the seconds of an obligation, the share for the conditions in its own symbols alone, and in n and extremes too."""


@dataclass
class TotalFacts:
    """TotalFacts about the totals of a question, and the steps of the record that show them."""

    question: LengthQuestion
    seconds: Callable[[], float]
    drawn: Sequence[Draw] = ()
    known: list[sp.Basic] = field(default_factory=list)
    covered: set[sp.Symbol] = field(default_factory=set)
    steps: list[Node] = field(default_factory=list)
    members: set[sp.Symbol] = field(default_factory=set)
    hints: list[tuple[int, Sequence[tuple[int, sp.Expr]]]] = field(default_factory=list)
    """Facts from which the relation follows by multiples of conditions: their places, and those of the conditions."""

    # --------------------------------------------------------------------------------------------------------- rules

    def induction(self, places: Sequence[int], claims: Sequence[sp.Basic]) -> bool:
        """Show claims about totals, which know neither n nor each other, from n to n + 1."""
        totals = [self.question.totals[place] for place in places]
        starts, steps = [], []
        for claim in claims:
            body = self._shown(*self._start(claim, totals))
            if body is None:
                return False
            starts.append(body)
        patient = self._patient(totals)
        for claim in claims:
            body = patient._shown(*self._next(claim, totals), claims)
            if body is None:
                return False
            steps.append(body)
        rows = {"totals": list(places), "claims": [sp.srepr(c) for c in claims], "start": starts, "steps": steps}
        self.learn({"by": "induction", **rows}, claims, totals)
        return True

    def termwise(
        self, weights: Sequence[tuple[int, sp.Expr]], rest: sp.Expr, *, is_exact: bool = False,
        shown: Callable[[sp.Basic], Node | None] | None = None,
    ) -> bool:  # fmt: skip
        """Show that weighted sums are at most n times an expression, or equal to it, by their terms.

        Args:
            shown: what shows the relation of the terms at one place; by default the ladder.
        """
        sign = sp.Eq if is_exact else sp.Le
        totals = [self.question.totals[place] for place, _ in weights]
        if not self.may_know(totals, [rest, *[w for _, w in weights]]):
            return False
        terms = [_product(w, t.body) for (_, w), t in zip(weights, totals, strict=True)]
        here = sign(_sum(terms), rest, evaluate=False)
        proof = shown(here) if shown else self._shown(*self.at_one_place(here, totals[0].first))
        if proof is None:
            return False
        count = sp.Add(self.question.length, 1 - totals[0].first, evaluate=False)
        sums = [_product(w, t.symbol) for (_, w), t in zip(weights, totals, strict=True)]
        fact = sign(_sum(sums), sp.Mul(count, rest, evaluate=False), evaluate=False)
        rows = [[place, sp.srepr(w)] for place, w in weights]
        kind = "exact" if is_exact else "termwise"
        self.learn({"by": kind, "weights": rows, "rest": sp.srepr(rest), "proof": proof}, [fact], totals)
        return True

    def extreme(self, place: int, rest: sp.Expr) -> bool:
        """Show that the greatest of terms is at most an expression, or the least at least that."""
        total = self.question.totals[place]
        if not self.may_know([total], [rest]):
            return False
        sign = sp.Le if total.kind == "max" else sp.Ge
        proof = self._shown(*self.at_one_place(sign(total.body, rest, evaluate=False), total.first))
        if proof is None:
            return False
        step = {"by": "extreme", "total": place, "rest": sp.srepr(rest), "proof": proof}
        self.learn(step, [sign(total.symbol, rest, evaluate=False)], [total])
        return True

    def products(self, place: int, first: int, second: int) -> bool:
        """Show c^2 <= a b of three sums (Cauchy-Schwarz)."""
        c, a, b = (self.question.totals[at] for at in (place, first, second))
        if not self.may_know([c, a, b], []):
            return False
        square = sp.Le(sp.Pow(c.body, 2, evaluate=False), _product(a.body, b.body), evaluate=False)
        asked = [sp.Ge(a.body, 0, evaluate=False), sp.Ge(b.body, 0, evaluate=False), square]
        proofs = []
        for relation in asked:
            proofs.append(self._shown(*self.at_one_place(relation, c.first)))
            if proofs[-1] is None:
                return False
        learned = [
            sp.Le(sp.Pow(c.symbol, 2, evaluate=False), _product(a.symbol, b.symbol), evaluate=False),
            *[sp.Ge(t.symbol, 0, evaluate=False) for t in (a, b)],
        ]
        self.learn({"by": "products", "total": place, "first": first, "second": second, "proofs": proofs}, learned,
                    [c, a, b])  # fmt: skip
        return True

    def walk(self, places: Sequence[int], claims: Sequence[sp.Basic], begin: int) -> bool:
        """Show claims about totals as far as the index, place by place from `begin`, with one term or none there."""
        totals = [self.question.totals[place] for place in places]
        if not self.may_know(totals, [side for claim in claims for side in claim.args]):
            return False
        patient = self._patient(totals)
        starts = self.all_shown([self._at_start(claim, totals, begin) for claim in claims])
        steps = starts and patient.all_shown([(*self._at_next(claim, totals, begin), claims) for claim in claims])
        if not starts or not steps:
            return False
        rows = {"totals": list(places), "from": begin, "claims": [sp.srepr(c) for c in claims]}
        learned = [put(claim, {self.question.index: self.question.length}) for claim in claims]
        self.learn({"by": "walk", "start": starts, "steps": steps} | rows, learned, totals)
        return True

    def holder(self, place: int, first: int, second: int, power: sp.Expr) -> bool:
        """Show c <= a^t b^(1 - t) of three sums (Hoelder)."""
        c, a, b = (self.question.totals[at] for at in (place, first, second))
        if not self.may_know([c, a, b], [power]):
            return False

        def between(x: sp.Expr, y: sp.Expr) -> sp.Expr:
            left = sp.Add(1, sp.Mul(-1, power, evaluate=False), evaluate=False)
            return sp.Mul(sp.Pow(x, power, evaluate=False), sp.Pow(y, left, evaluate=False), evaluate=False)

        outside = [sp.Gt(power, 0, evaluate=False), sp.Lt(power, 1, evaluate=False)]
        inside = [sp.Ge(t.body, 0, evaluate=False) for t in (a, b)]
        inside.append(sp.Le(c.body, between(a.body, b.body), evaluate=False))
        proofs = self.all_shown(self._at_places_too(outside, inside, c.first))
        if proofs is None:
            return False
        learned = [sp.Ge(t.symbol, 0, evaluate=False) for t in (a, b)]
        learned.append(sp.Le(c.symbol, between(a.symbol, b.symbol), evaluate=False))
        rows = {"total": place, "first": first, "second": second, "power": sp.srepr(power), "proofs": proofs}
        self.learn({"by": "holder"} | rows, learned, [c, a, b])
        return True

    def binomial(self, place: int, m: sp.Symbol, u: sp.Expr, c: sp.Expr, x: sp.Expr, *, is_exact: bool) -> bool:
        """Show by the binomial theorem that a sum of binomials times u_i <= c x^i is at most c (1 + x)^m."""
        total, i = self.question.totals[place], self.question.index
        if not self.may_know([total], [u, c, x]):
            return False
        sign = sp.Eq if is_exact else sp.Le
        limit = sp.Mul(c, sp.Pow(x, i, evaluate=False), evaluate=False)
        outside = [sp.Ge(c, 0, evaluate=False), sp.Ge(x, 0, evaluate=False)]
        inside = [
            sp.Le(i, m, evaluate=False), sp.Eq(total.body, sp.Mul(binomial(m, i), u, evaluate=False), evaluate=False),
            sign(u, limit, evaluate=False),
        ]  # fmt: skip
        proofs = self.all_shown(self._at_places_too(outside, inside, total.first))
        if proofs is None:
            return False
        whole = sp.Mul(c, sp.Pow(sp.Add(1, x, evaluate=False), m, evaluate=False), evaluate=False)
        rows = {"total": place, "of": sp.srepr(m), "terms": sp.srepr(u), "times": sp.srepr(c), "base": sp.srepr(x)}
        step = {"by": "binomial", "exact": is_exact, "proofs": proofs} | rows
        larger = sp.Mul(c, sp.exp(sp.Mul(m, x, evaluate=False), evaluate=False), evaluate=False)
        facts = [sign(total.symbol, whole, evaluate=False), sp.Le(total.symbol, larger, evaluate=False)]
        self.learn(step, facts, [total])
        return True

    def member(self, place: int) -> bool:
        """Show that no term of a sum is negative, so that each is at most the sum."""
        total = self.question.totals[place]
        if not self.may_know([total], []):
            return False
        proof = self._shown(*self.at_one_place(sp.Ge(total.body, 0, evaluate=False), total.first))
        if proof is None:
            return False
        self.learn({"by": "member", "total": place, "proof": proof}, [sp.Ge(total.symbol, 0, evaluate=False)], [total])
        self.members.add(total.symbol)
        return True

    def attained(self, place: int, claim: sp.Basic) -> bool:
        """Show a relation that names a greatest or least term by the same relation of each term."""
        total = self.question.totals[place]
        if not self.may_know([total], list(claim.args)):
            return False
        proof = self._shown(*self.at_one_place(put(claim, {total.symbol: total.body}), total.first))
        if proof is None:
            return False
        step = {"by": "attained", "total": place, "relation": sp.srepr(claim), "proof": proof}
        self.learn(step, [claim], [total])
        return True

    def take_over(self, other: TotalFacts) -> None:
        """Keep all that is known to others beside what is known here."""
        self.steps += other.steps
        self.known += other.known
        self.covered |= other.covered

    def last(self) -> Node | None:
        """Show the relation from all facts."""
        if {t.symbol for t in self.question.totals} - self.covered:
            return None
        relation, given = self.question.relation, [*self.question.given, *self.known]
        hinted = self._by_hint(relation, given)
        if hinted is not None:
            return hinted
        found = self._shown(relation, self.question.outer, given)
        if found is not None or not isinstance(relation, sp.Le | sp.Ge) or not relation.has(sp.Pow):
            return found
        to = _power_without_roots(relation)
        raised = [sp.Pow(side, to, evaluate=False) for side in (relation.lts, relation.gts)]
        parts = []
        for part in (sp.Ge(relation.gts, 0, evaluate=False), sp.Le(*raised, evaluate=False)):
            parts.append(self._shown(part, self.question.outer, given))
            if parts[-1] is None:
                return None
        return {"squared": parts} if to == 2 else {"raised": parts, "to": to}

    def _by_hint(self, relation: sp.Basic, given: Sequence[sp.Basic]) -> Node | None:
        """Show the relation by the last hint: the fact, and multiples of what is given of totals, are taken off.

        From an equation only the latter are; the facts of all hints, from both sides, are kept.
        """
        is_equation = isinstance(relation, sp.Eq)
        if len(self.hints) <= is_equation:
            return None
        totals = {t.symbol for t in self.question.totals}
        spoken = [k for k, g in enumerate(given) if g.free_symbols & totals]
        at = {k: place for place, k in enumerate(spoken)}
        facts = [len(self.question.given) + place for place, _ in self.hints]
        if is_equation:
            kept, taken, (_, conditions) = facts, [], self.hints[0]
        else:
            kept = [k for k in spoken if isinstance(given[k], sp.Gt) and given[k].rhs == 0]
            taken, (_, conditions) = [(facts[-1], sp.S.One)], self.hints.pop()
        for k, multiplier in conditions:
            taken.append((k, -multiplier if given[k].lhs in totals else multiplier))
        parts = [sp.Mul(-1, w, gap(given[k]), evaluate=False) for k, w in taken]
        func = sp.Eq if is_equation else sp.Ge
        left = func(sp.Add(gap(relation), *parts, evaluate=False), sp.S.Zero, evaluate=False)
        known = [*[g for g in given if not g.free_symbols & totals], *[given[k] for k in kept]]
        body = certified(left, self.question.outer, known, self.seconds())
        rows = [[at[k], sp.srepr(w), None] for k, w in taken]
        return body and {"taken": rows, "kept": [at[k] for k in kept], "left": body}

    # --------------------------------------------------------------------------------------------------- obligations

    def _patient(self, totals: Sequence[Total]) -> TotalFacts:
        """These facts with more seconds for each, where terms without entries have roots of the index."""
        powers = {p.exp for total in totals for p in total.body.atoms(sp.Pow)}
        has_entries = any(total.body.free_symbols & set(self.question.entries) for total in totals)
        if has_entries or all(e.is_Integer or not e.is_Rational for e in powers):
            return self
        return replace(self, seconds=lambda: _PATIENCE * self.seconds())

    def all_shown(self, obligations: Sequence[tuple[Any, ...]]) -> list[Node] | None:
        """A proof of each, or None."""
        found = []
        for obligation in obligations:
            body = self._shown(*obligation)
            if body is None:
                return None
            found.append(body)
        return found

    def _at_places_too(
        self, outside: Sequence[sp.Basic], inside: Sequence[sp.Basic], first: int
    ) -> list[tuple[sp.Basic, Box, Sequence[sp.Basic]]]:
        """Relations that are the same at all places, and others at each of them."""
        known = self.outside()
        found: list[tuple[sp.Basic, Box, Sequence[sp.Basic]]] = [(r, self.question.outer, known) for r in outside]
        return [*found, *[self.at_one_place(r, first) for r in inside]]

    def _at_start(self, claim: sp.Basic, totals: Sequence[Total], begin: int) -> tuple[sp.Basic, Box, list[sp.Basic]]:
        index, first = self.question.index, totals[0].first
        here = {index: sp.Integer(begin)}
        values: dict[sp.Basic, sp.Expr] = dict(here)
        for total in totals:
            terms = [put(total.body, values | {index: sp.Integer(i)}) for i in range(first, begin + 1)]
            values |= self._with_running(total, total.of(terms))
        return self._still(put(claim, values), totals, here, is_place=begin == first)

    def _at_next(self, claim: sp.Basic, totals: Sequence[Total], begin: int) -> tuple[sp.Basic, Box, list[sp.Basic]]:
        index = self.question.index
        after = sp.Add(index, 1, evaluate=False)
        inside: dict[sp.Basic, sp.Expr] = {index: after}
        values: dict[sp.Basic, sp.Expr] = {index: after}
        for total in totals:
            grown = total.of((total.symbol, put(total.body, inside)))
            values[total.symbol] = grown
            inside |= {s: e for s, e in self._with_running(total, grown).items() if s != total.symbol}
        relation, box, given = self._still(put(claim, values), totals, {index: after}, is_place=True)
        box = box | {t.symbol: (-sp.oo, sp.oo) for t in totals} | {index: (sp.Integer(begin), sp.oo)}
        return relation, box, [*given, sp.Le(after, self.question.length, evaluate=False)]

    def _with_running(self, total: Total, value: sp.Expr) -> dict[sp.Basic, sp.Expr]:
        question = self.question
        inside = {s: value for s, p in question.running.items() if question.totals[p].symbol == total.symbol}
        return {total.symbol: value} | inside

    def _still(
        self, relation: sp.Basic, totals: Sequence[Total], here: dict[sp.Basic, sp.Expr], *, is_place: bool
    ) -> tuple[sp.Basic, Box, list[sp.Basic]]:
        """What stays on the way from place to place."""
        question, own, first = self.question, {t.symbol for t in totals}, totals[0].first
        given = [r for r in (*question.given, *self.known) if not r.free_symbols & own]
        if is_place:
            found = list(question.each) if first == 1 else []
            found += [r for r in self._said_by_extremes(first) if not r.free_symbols & own]
            given += [put(r, here) for r in found]
        box = {s: ends for s, ends in question.outer.items() if s not in own}
        return relation, box | (question.entries if is_place and first == 1 else {}), given

    def shown_at_places(
        self, totals: Sequence[Total], others: Sequence[sp.Expr], inside: Sequence[sp.Basic], first: int,
        outside: Sequence[sp.Basic] = (),
    ) -> list[Node] | None:  # fmt: skip
        """Proofs of relations that are the same at all places, and of others at each, or None."""
        return self.all_shown(self._at_places_too(outside, inside, first)) if self.may_know(totals, others) else None

    def _anywhere(self) -> set[sp.Symbol]:
        """Symbols that conditions may have at any place: n, greatest and least terms."""
        return {self.question.length, *[t.symbol for t in self.question.totals if t.kind in ("max", "min")]}

    def count_from(self, first: int) -> sp.Expr:
        """How many places there are."""
        return self.question.length if first == 1 else sp.Add(self.question.length, 1 - first, evaluate=False)

    def _said_by_extremes(self, first: int) -> list[sp.Basic]:
        """What a greatest or least that is known to have a value says of its terms."""
        found = []
        for t in self.question.totals:
            is_member = t.kind in ("max", "min") or t.symbol in self.members
            is_known = t.symbol in self.covered and is_member and t.first <= first
            if is_known and not t.body.free_symbols & set(self.question.running):
                found.append((sp.Ge if t.kind == "min" else sp.Le)(t.body, t.symbol, evaluate=False))
        return found

    def _shown(
        self, relation: sp.Basic, box: Box, given: Sequence[sp.Basic], extra: Sequence[sp.Basic] = ()
    ) -> Node | None:
        """What a record has beside a statement that was proved; by multiples of `extra` taken off, or under them."""
        end = cpu_clock() + self.seconds()
        totals = {t.symbol for t in self.question.totals}
        moving, places = set(self.question.entries) & set(box), {self.question.index, self.question.length}
        names = moving or totals
        by_logs = None if extra else shown_by_logs(relation, box, given, names, self._anywhere(), end)
        if by_logs is None and not extra and relation.has(sp.exp, sp.log):
            by_logs = shown_by_product(relation, box, end)
        if extra and any(r.has(sp.log) for r in (relation, *extra)):
            by_logs = self._by_claims_and_logs(relation, box, given, extra, moving or totals | places)
        if by_logs is not None:
            return by_logs
        others, spoken = list(given), list(extra)
        if not extra:
            others = [g for g in given if not g.free_symbols & totals]
            spoken = [g for g in given if g.free_symbols & totals]
        found = by_takings(relation, box, others, spoken, in_order(totals), end - cpu_clock())
        if found is not None:
            return found
        found = None if extra else self._by_what_is_near(relation, box, given)
        if found is not None:
            return found
        return certified(relation, box, [*given, *extra], self.seconds())

    def _by_what_is_near(self, relation: sp.Basic, box: Box, given: Sequence[sp.Basic]) -> Node | None:
        """What shows a relation at a place by the conditions that share its symbols: others only slow a search."""
        near = [k for k in relevant(relation, given, self._anywhere()) if _says_more(given[k], given[:k])]
        if len(near) == len(given) or not set(self.question.entries) & set(box):
            return None
        func = sp.Eq if isinstance(relation, sp.Eq) else sp.Gt if isinstance(relation, sp.Lt | sp.Gt) else sp.Ge
        left = func(gap(relation), sp.S.Zero, evaluate=False)
        own = [k for k in near if given[k].free_symbols <= relation.free_symbols]
        is_of_totals = relation.free_symbols & {t.symbol for t in self.question.totals}
        for kept, share in ((own, _OWN), (near, _NEAR)) if is_of_totals and len(own) < len(near) else ((near, _NEAR),):
            body = certified(left, box, [given[k] for k in kept], self.seconds() * share)
            if body is not None:
                return {"instances": [], "ahead": kept, "taken": [], "kept": [], "left": body}
        return None

    def _by_claims_and_logs(
        self, relation: sp.Basic, box: Box, given: Sequence[sp.Basic], claims: Sequence[sp.Basic], names: set[sp.Symbol]
    ) -> Node | None:
        """What shows a claim at the next place by those at this one, and bounds of logarithms that stay."""
        end, totals = cpu_clock() + self.seconds(), [t.symbol for t in self.question.totals]
        for left in islice(reduced(relation, claims, totals), _WAYS):
            if left.taken and all(w.is_Rational and w > 0 for _, w in left.taken):
                taken = [(len(given) + k, w) for k, w in left.taken]
                body = shown_by_logs(relation, box, [*given, *claims], names, self._anywhere(), end, taken)
                if body is not None:
                    return body
        return None

    def _start(self, claim: sp.Basic, totals: Sequence[Total]) -> tuple[sp.Basic, Box, list[sp.Basic]]:
        question, n = self.question, self.question.least
        places = {s: [entry(s, i) for i in range(1, n + 1)] for s in question.entries}
        box = question.box | {place: question.entries[s] for s, row in places.items() for place in row}
        values: dict[sp.Basic, sp.Expr] = {question.length: sp.Integer(n)}
        for total in totals:
            terms = [put(total.body, question.at_place(i, places)) for i in range(total.first, n + 1)]
            values[total.symbol] = total.of(terms)
        each = [put(r, question.at_place(i, places)) for i in range(1, n + 1) for r in self._lasting(question.each)]
        return put(claim, values), box, [*self._lasting(question.given), *each]

    def _next(self, claim: sp.Basic, totals: Sequence[Total]) -> tuple[sp.Basic, Box, list[sp.Basic]]:
        question = self.question
        box = question.box | question.entries | {t.symbol: (-sp.oo, sp.oo) for t in totals}
        after = sp.Add(question.length, 1, evaluate=False)
        values: dict[sp.Basic, sp.Expr] = {question.length: after}
        for total in totals:
            values[total.symbol] = total.of((total.symbol, put(total.body, {question.index: after})))
        each = [put(r, {question.index: after}) for r in self._lasting(question.each)]
        return put(claim, values), box, [*self._lasting(question.given), *each]

    def _lasting(self, relations: Sequence[sp.Basic]) -> list[sp.Basic]:
        """Relations that speak neither of n nor of totals."""
        apart = {self.question.length, *[t.symbol for t in self.question.totals]}
        return [r for r in relations if not r.free_symbols & apart]

    def at_one_place(self, relation: sp.Basic, first: int) -> tuple[sp.Basic, Box, list[sp.Basic]]:
        """A relation at any one place, with the box and all that is given there."""
        question = self.question
        free = dict.fromkeys(question.running, (-sp.oo, sp.oo))
        box = question.outer | free | {question.index: (sp.Integer(first), sp.oo)}
        box |= question.entries if first == 1 else {}
        given = [*question.given, *self.known, sp.Le(question.index, question.length, evaluate=False)]
        given += question.each if first == 1 else ()
        return relation, box, [*given, *self._said_by_extremes(first)]

    def outside(self) -> list[sp.Basic]:
        """What is known of all that is the same at all places."""
        return [*self.question.given, *self.known]

    def may_know(self, totals: Sequence[Total], others: Sequence[sp.Expr]) -> bool:
        """Whether all that totals and expressions know is known to have values."""
        known = {s for t in totals for s in t.body.free_symbols} | {s for e in others for s in e.free_symbols}
        known |= {self.question.totals[p].symbol for s, p in self.question.running.items() if s in known}
        every = {t.symbol for t in self.question.totals}
        return known & every <= self.covered | {t.symbol for t in totals}

    def learn(self, step: Node, facts: Sequence[sp.Basic], totals: Sequence[Total]) -> None:
        """Keep a step of the record with the facts that it shows."""
        self.steps.append(step)
        self.known += facts
        self.covered |= {t.symbol for t in totals}


def _power_without_roots(relation: sp.Basic) -> int:
    """The power of both sides at which a root that the lesser side is has gone; 2 by default, and at most 12."""
    power = relation.lts.exp if relation.lts.is_Pow else sp.S.One
    return int(power.q) if power.is_Rational and 2 <= power.q <= MAX_POWER else 2


def _says_more(relation: sp.Basic, before: Sequence[sp.Basic]) -> bool:
    """Whether a condition is neither s >= s, nor said before, nor s >= 0 where s > 0 was."""
    if relation in before or not isinstance(relation, sp.Ge):
        return relation not in before
    return relation.lhs != relation.rhs and sp.Gt(*relation.args, evaluate=False) not in before


def inductive(question: LengthQuestion) -> list[int]:
    """Places of totals whose terms know neither n nor other totals."""
    apart = {question.length, *question.running, *[t.symbol for t in question.totals]}
    return [place for place, t in enumerate(question.totals) if not t.body.free_symbols & apart]


def sums(question: LengthQuestion) -> Iterator[tuple[int, Total]]:
    """The sums, with their places."""
    return ((place, t) for place, t in enumerate(question.totals) if t.kind == "sum")


def _sum(terms: Sequence[sp.Expr]) -> sp.Expr:
    return terms[0] if len(terms) == 1 else sp.Add(*terms, evaluate=False)


def _product(weight: sp.Expr, other: Any) -> sp.Expr:
    return other if weight == 1 else sp.Mul(weight, other, evaluate=False)
