"""Settle a statement over a recursion: claims at place i, shown from each place to the next.

Claims are the statement itself at i, and with a sum S goes what is left of a recursion once it has taken S's terms out:
where g[i]^2 <= 2 (f[i] - f[i+1])/h, S + 2 f[i]/h never grows. The least of i terms, i times, is at most their sum, and
goes the same way; so does the greatest. What is given to bound an entry is claimed to meet the entry's bound. A bound
of a logarithm is claimed of what stands in it. Beside them stand bounds of an entry by the first one, where all lists
that were drawn meet them. Obligations come down to conditions by `lengths.by_given`.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from functools import partial
from itertools import islice
from typing import Any

import sympy as sp

from theory.prover.certify import Proved, Refuted, Unknown, within_budget
from theory.prover.expressions.points import displayed
from theory.prover.goal import Node
from theory.prover.lengths.by_given import by_conditions, gap
from theory.prover.lengths.question import put
from theory.prover.lengths.sequences import DrawnLists, SequenceQuestion, drawn_lists, entries_of, holds, placed
from theory.prover.records import replayed_record
from theory.prover.typed.parts import plus, times
from theory.timeout import cpu_clock

_STAGES = (1.0, 4.0, 15.0, 60.0)
"""Seconds for one obligation, stage by stage."""
_MARGIN, _DRAWS, _BESIDE = 0.95, 40, 6
Obligation = tuple[sp.Basic, dict, Sequence[sp.Basic], Sequence[sp.Basic]]


def certify_sequence(question: SequenceQuestion, *, budget_s: float = 60) -> Proved | Refuted | Unknown:
    """Prove or refute; the record of what was refuted has the entry `at`."""
    return within_budget(budget_s, lambda reason: Unknown((), reason, 0.0), _settle, question, is_reckoned=True)


def _settle(question: SequenceQuestion, budget_s: float) -> Proved | Refuted | Unknown:
    end = cpu_clock() + _MARGIN * budget_s
    met: list[DrawnLists] = []
    for drawn in drawn_lists(question):
        if holds(question.relation, drawn.values) is False:
            answer = refuted_by_lists(question, drawn)
            if answer is not None:
                return answer
        met.append(drawn)
        if len(met) >= 4 * _DRAWS or cpu_clock() > end - budget_s / 2:
            break
    for seconds in _STAGES:
        if cpu_clock() >= end:
            break
        body = _proof(question, met[:_DRAWS], lambda most=seconds: min(most, end - cpu_clock()))
        if body is not None:
            record, said = replayed_record(question.statement() | {"verdict": "proved"} | body)
            if record is None:
                return Unknown((), f"a proof was found that the checker refuses: {said}", 0.0)
            return Proved(record, 0.0, vacuous=said == "vacuous")
    return Unknown((), "no claim is carried from each place to the next", 0.0)


def refuted_by_lists(question: SequenceQuestion, drawn: DrawnLists) -> Refuted | None:
    """The answer that a statement fails at lists, where the checker says so too."""
    point = [[sp.srepr(s), str(v)] for s, v in drawn.point.items()]
    at = {"point": point, "entries": entries_of(drawn)}
    record, _ = replayed_record(question.statement() | {"verdict": "refuted", "at": at})
    if record is None:
        return None
    shown = dict(drawn.point)
    for u, row in drawn.lists.items():
        shown |= {sp.Symbol(f"{u.name}[{k}]"): v for k, v in enumerate(row[:_BESIDE], question.first)}
    there = put(question.relation, drawn.values)
    return Refuted(shown, displayed(there.lhs, there.rhs, {}), record, 0.0)


# ------------------------------------------------------------------------------------------------------------- a proof


def _proof(question: SequenceQuestion, met: Sequence[DrawnLists], seconds: Callable[[], float]) -> Node | None:
    """The claims of a record with all that shows them, or None."""
    beside = [c for c in islice(_bounds(question), _BESIDE) if _is_met(question, c, met)]
    named = {total.symbol for total in question.totals}
    for claim in _claims(question):
        if not named <= claim.free_symbols or not _is_met(question, claim, met):
            continue
        for claims in ([claim], [claim, *beside]) if beside else ([claim],):
            body = _shown(question, claims, seconds)
            if body is not None:
                return body
    return None


def _shown(question: SequenceQuestion, claims: Sequence[sp.Basic], seconds: Callable[[], float]) -> Node | None:
    """What shows claims at the first place, from place to place, and the relation by them."""
    totals = [total.symbol for total in question.totals]
    away = [*question.at("after").values(), *question.at("end").values(), *totals, *question.entries]
    show = partial(_each_shown, away, seconds)
    starts = show([_at_start(question, claim) for claim in claims])
    steps = starts and show([_at_next(question, claim, claims) for claim in claims], _ties(question))
    last = steps and show([_at_end(question, claims)])
    if not last:
        return None
    return {"claims": [sp.srepr(c) for c in claims], "start": starts, "steps": steps, "last": last[0]}


def _each_shown(
    away: Sequence[sp.Symbol], seconds: Callable[[], float], asked: Sequence[Obligation], places: Sequence = ()
) -> list | None:
    found = []
    for obligation in asked:
        body = by_conditions(*obligation, away, seconds(), places)
        if body is None:
            return None
        found.append(body)
    return found


def _ties(question: SequenceQuestion) -> list[sp.Basic]:
    """What is given of an entry by others at its place, u <= a + T; other conditions stand as true."""
    entries = set(question.entries)
    return [r if len(r.free_symbols & entries) > 1 else sp.true for r in question.each]


def _lasting(question: SequenceQuestion) -> list[sp.Basic]:
    """What is given neither of totals nor of entries at n, and what holds at the first place as at all others."""
    apart = {*question.free, *question.rows("end")}
    first = _at(question, question.each, "begin", sp.Integer(question.first))
    return [*[g for g in question.given if not g.free_symbols & apart], *first]


def _at(question: SequenceQuestion, relations: Sequence[sp.Basic], place: str, index: sp.Expr) -> list[sp.Basic]:
    values = question.at(place) | {question.index: index}
    return [put(r, values) for r in relations]


def _at_start(question: SequenceQuestion, claim: sp.Basic) -> Obligation:
    values = question.at("begin") | {question.index: sp.Integer(question.first)}
    values |= {total.symbol: total.of([]) for total in question.totals if total.kind in ("sum", "prod")}
    free = {total.symbol: (-sp.oo, sp.oo) for total in question.totals if total.kind not in ("sum", "prod")}
    return put(claim, values), question.box | question.rows("begin") | free, _lasting(question), ()


def _at_next(question: SequenceQuestion, claim: sp.Basic, claims: Sequence[sp.Basic]) -> Obligation:
    after = sp.Add(question.index, 1, evaluate=False)
    values = question.at("after") | {question.index: after}
    values |= {total.symbol: total.of([total.symbol, total.body]) for total in question.totals}
    each = [*question.each, *_at(question, question.each, "after", after)]
    box = question.box | question.rows("begin") | question.entries | question.rows("after") | question.free
    box |= {question.index: (sp.Integer(question.first), sp.oo)}
    given = [*_lasting(question), *each, sp.Le(after, question.length, evaluate=False)]
    return put(claim, values), box, given, [*question.next, *claims]


def _at_end(question: SequenceQuestion, claims: Sequence[sp.Basic]) -> Obligation:
    box = question.box | question.rows("begin") | question.rows("end") | question.free
    first = _at(question, question.each, "begin", sp.Integer(question.first))
    given = [*question.given, *first, *_at(question, question.each, "end", question.length)]
    return question.relation, box, given, _at(question, claims, "end", question.length)


# ------------------------------------------------------------------------------------------------------------- claims


def _claims(question: SequenceQuestion) -> Iterator[sp.Basic]:
    """The relation at place i, alone and with what recursions leave of its sums."""
    back: dict[sp.Basic, sp.Expr] = {placed(u, "end", question.first): u for u in question.entries}
    claim = put(question.relation, back)
    still = put(claim, {question.length: question.index})
    known = [claim, *_at_sums(question, claim)]
    ahead = [*_at_bounds(question, still), *_at_extremes(question, still), *_without_logarithm(still)]
    yield from dict.fromkeys([*ahead, still, *_at_sums(question, still), *known])
    if question.least > question.first:  # what need not hold at the first place, by how far a place is from it
        far = plus([question.index, sp.Integer(-question.first)])
        yield from [c.func(*[times([far, side]) for side in c.args], evaluate=False) for c in (still, claim)]


def _at_sums(question: SequenceQuestion, claim: sp.Basic) -> Iterator[sp.Basic]:
    for total in question.totals:
        for tie in question.next if total.kind == "sum" else ():
            for potential in _potentials(question, total.body, tie):
                yield put(claim, {total.symbol: sp.Add(total.symbol, potential, evaluate=False)})


def _at_bounds(question: SequenceQuestion, claim: sp.Basic) -> Iterator[sp.Basic]:
    """A bound of an entry as one of what is given to bound the entry: u <= b of a + T <= b, where u <= a + T."""
    for relation in question.each:
        for u in question.entries if isinstance(relation, sp.Le | sp.Ge) else ():
            bound = relation.gts if relation.lts == u else relation.lts if relation.gts == u else None
            if bound is not None and u in claim.args and bound.free_symbols & set(question.entries):
                yield put(claim, {u: bound})


def _without_logarithm(claim: sp.Basic) -> Iterator[sp.Basic]:
    """A bound of c log A + r from below as one of A: sums stand in it plainly."""
    if not isinstance(claim, sp.Le | sp.Ge):
        return
    terms = sp.Add.make_args(sp.expand(gap(claim)))
    for term in terms:
        c, part = term.as_coeff_Mul()
        if isinstance(part, sp.log) and c > 0 and sum(t.has(sp.log) for t in terms) == 1:
            rest = sp.Add(*[t for t in terms if t is not term])
            yield sp.Ge(part.args[0], sp.exp(-rest / c), evaluate=False)


def _at_extremes(question: SequenceQuestion, claim: sp.Basic) -> Iterator[sp.Basic]:
    """A bound of a greatest or least times the number of its terms, with what a recursion leaves of their sum."""
    far = plus([question.index, sp.Integer(-question.first)])
    if not isinstance(claim, sp.Le | sp.Ge):
        return
    for total in [t for t in question.totals if t.kind in ("max", "min")]:
        if total.symbol not in (claim.lhs, claim.rhs):
            continue
        is_left = claim.lhs == total.symbol
        many, bound = times([far, total.symbol]), sp.cancel(far * (claim.rhs if is_left else claim.lhs))
        for tie in question.next:
            for potential in _potentials(question, total.body, tie):
                both = (plus([many, potential]), bound)
                yield claim.func(*(both if is_left else both[::-1]), evaluate=False)


def _potentials(question: SequenceQuestion, body: sp.Expr, tie: sp.Basic) -> Iterator[sp.Expr]:
    """Parts in entries at i that fall by the term of a sum, once a recursion has taken a monomial out of it."""
    after = question.at("after")
    entries = {*question.entries, *after.values()}
    ahead = set(after.values())

    def monomials(e: sp.Expr) -> dict[sp.Expr, sp.Expr]:
        pairs = [term.as_independent(*entries, as_Add=False) for term in sp.Add.make_args(sp.expand(e))]
        return {m: c for c, m in pairs if m != 1}

    theirs = monomials(gap(tie))
    for m, c in monomials(body).items():
        if m not in theirs:
            continue
        left = sp.expand(body - c / theirs[m] * gap(tie))
        part = -sp.Add(*[term for term in sp.Add.make_args(left) if term.free_symbols & ahead])
        if part != 0 and not part.free_symbols & set(question.entries):
            yield put(part, {s: u for u, s in after.items()})


def _bounds(question: SequenceQuestion) -> Iterator[sp.Basic]:
    """Each entry against the first one, and against whole numbers that grow with the place."""
    for u in question.entries:
        begin = placed(u, "begin", question.first)
        yield sp.Le(u, begin, evaluate=False)
        yield sp.Ge(u, begin, evaluate=False)


def _is_met(question: SequenceQuestion, claim: sp.Basic, met: Sequence[DrawnLists]) -> bool:
    """Whether a claim holds at the end of all lists that were drawn."""
    values: dict[sp.Basic, Any] = question.at("end") | {question.index: question.length}
    there = put(claim, values)
    return all(holds(there, drawn.values) is not False for drawn in met)
