"""No constant serves where a sum outgrows all: "sum(1/i, i=1..n) <= c" for some c and all n is refuted.

The sum is bounded below by its least term so many times, or by an integral of its terms, which the ladder over n
shows. For each c there is an n at which this bound exceeds what the statement allows: sympy solves for it, the ladder
shows that it is one. Both are in the record that `theory.checker.lists.unbounded` replays. Nothing here is believed;
floats only choose what is tried.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace

import sympy as sp

from theory.prover.certify import Proved, certify, within_budget
from theory.prover.decision import Decision
from theory.prover.existence.question import above_of, membership, negated, put_into
from theory.prover.goal import Node
from theory.prover.lengths.certify import certify_length
from theory.prover.lengths.question import LengthQuestion, Total
from theory.prover.lengths.walks import antiderivative
from theory.prover.records import replayed_record
from theory.prover.statement import stated
from theory.timeout import cpu_clock

_MORE = (1, 4)
"""By how much the bound exceeds what is allowed."""
_TRIED = (sp.Integer(3), sp.Integer(8))
"""Constants at which floats look first."""
_EACH_S = 10.0
"""Seconds for one proof."""
_RAISES = (NotImplementedError, ValueError, TypeError, AttributeError, RecursionError, OverflowError)


def none_serves(question: LengthQuestion, constants: Sequence[sp.Symbol], *, budget_s: float) -> Decision | None:
    """That no choice serves, or None where that is not shown; the words of the statement are left to the caller.

    Args:
        question: with the constants in its box.
    """
    if len(question.totals) != 1 or question.totals[0].kind != "sum":
        return None
    ranges = {s: question.box[s] for s in constants}
    box = {s: ends for s, ends in question.box.items() if s not in ranges}
    known = {*question.running, *question.entries, *ranges}
    if set(box) != {question.length} or question.totals[0].body.free_symbols & known or not ranges:
        return None
    search = _UnboundedSearch(replace(question, box=box), ranges)
    answer = within_budget(budget_s, _left_open, search.settle, is_reckoned=True)
    return answer if answer.verdict == "refuted" else None


def _left_open(reason: str) -> Decision:
    return Decision("unknown", "", {}, None, reason, None, 0.0)


@dataclass
class _UnboundedSearch:
    """A statement without its constants in the box, and their ranges."""

    question: LengthQuestion
    constants: dict[sp.Symbol, tuple[sp.Expr, sp.Expr]]
    end: float = 0.0

    def settle(self, budget_s: float) -> Decision:
        """The refutation, or nothing."""
        self.end = cpu_clock() + 0.95 * budget_s
        allowed = self.allowed()
        bounds = () if allowed is None else _bounds(self.question, self.question.totals[0])
        for bound in bounds:  # one after the other: an integral may take long
            for level, w in self.beyond(bound, allowed):
                found = self.shown(bound, level, w)
                if found is not None:
                    return found
        return _left_open("no bound of the sum is shown to outgrow all constants")

    def allowed(self) -> sp.Expr | None:
        """What the total is said to be at most, an expression in the constants."""
        relation, u = self.question.relation, self.question.totals[0].symbol
        if not isinstance(relation, sp.Le | sp.Lt | sp.Ge | sp.Gt) or relation.lts not in (u, sp.Abs(u)):
            return None
        return relation.gts.doit() if relation.gts.free_symbols <= set(self.constants) else None

    def beyond(self, bound: sp.Expr, allowed: sp.Expr) -> Iterator[tuple[sp.Expr, sp.Expr]]:
        """Levels with the place where the bound reaches them, which floats find for a few constants."""
        x = sp.Dummy(positive=True)
        for level in (allowed + more for more in _MORE):
            try:
                found = sp.solve(bound.subs(self.question.length, x) - level, x)
            except _RAISES:
                continue
            others = sp.Add(*[c for c in self.constants if c not in level.free_symbols])
            for root in found:
                values = [sp.N(root.subs(dict.fromkeys(self.constants, c)), 30) for c in _TRIED]
                if all(v.is_real and v > self.question.least for v in values) and values[0] < values[1]:
                    yield level, root + others

    def shown(self, bound: sp.Expr, level: sp.Expr, w: sp.Expr) -> Decision | None:
        """The refutation by one counterexample."""
        question, u = self.question, self.question.totals[0].symbol
        n, t = question.length, above_of(question.length)
        _, ranges, _ = stated(sp.true, question.box, ())
        values = {n: sp.Add(w, t, evaluate=False)}
        unit = {t: (sp.S.Zero, sp.S.One)}
        asked = [*membership(n, w, ranges[n]), *[put_into(g, values) for g in question.given]]
        failing, sign = negated(put_into(question.relation, values), above=True)
        least = sp.Ge(u, level, evaluate=False)
        rows = [(r, unit, ()) for r in asked]
        rows += [(sp.Ge(put_into(bound, values), level, evaluate=False), unit, ())]
        rows += [(failing, {**unit, u: (-sp.oo, sp.oo)}, (least,))]
        bodies = []
        for relation, more, given in rows:
            bodies.append(self.body(relation, more, given))
            if bodies[-1] is None:
                return None
        said = sp.Ge(u, bound, evaluate=False)
        about = replace(question, relation=said, given=())
        seconds = min(_EACH_S, self.end - cpu_clock())
        answer = certify_length(about, budget_s=seconds) if seconds > 0 else None
        if not isinstance(answer, Proved):
            return None
        leaf = {
            "at": [[sp.srepr(n), sp.srepr(w)]], "fails": 0, "as": sign, "shown": [*bodies[:-2], bodies[-1]],
            "bound": {"by": sp.srepr(level), "shown": bodies[-2]},
        }  # fmt: skip
        shown = {"bound": sp.srepr(said), "steps": answer.record["steps"], "last": answer.record["last"], "cover": leaf}
        where = f"a whole {n} between {w} and {w + 1}"
        return self.replayed(shown, f"no choice serves: the sum is at least {bound}, and it fails at {where}")

    def body(self, relation: sp.Basic, more: dict, given: Sequence[sp.Basic]) -> Node | None:
        """The proof of one part, for all constants."""
        seconds = min(_EACH_S, self.end - cpu_clock())
        answer = certify(relation, {**self.constants, **more}, given, budget_s=seconds) if seconds > 0 else None
        return answer.body if isinstance(answer, Proved) else None

    def replayed(self, shown: Node, reason: str) -> Decision | None:
        """The answer, once the independent checker has replayed it."""
        said = self.question.statement()
        exists = [[sp.srepr(s), str(low), str(high)] for s, (low, high) in self.constants.items()]
        kept = {key: said[key] for key in ("length", "index", "totals", "relation", "box", "given")}
        record, _ = replayed_record(kept | shown | {"exists": exists, "verdict": "refuted"})
        return None if record is None else Decision("refuted", "", {}, None, reason, record, 0.0)


def _bounds(question: LengthQuestion, total: Total) -> Iterator[sp.Expr]:
    """What a sum may be at least: its least term so many times, or integrals of its terms or of lesser ones."""
    n, i, f = question.length, question.index, total.body
    if n in f.free_symbols:
        return
    found = [sp.expand((n - total.first + 1) * f.subs(i, end)) for end in (n, total.first)]
    yield from (bound for bound in found if bound.has(n) and _may_bound(bound, question, total))
    later = f.replace(lambda e: e.is_Pow and e.base == i and e.exp.is_negative, lambda e: (i + 1) ** e.exp)
    for terms in dict.fromkeys((f, later)):
        integral = antiderivative(terms, i)
        if integral is None:
            continue
        start = integral.subs(i, total.first)
        if not start.is_finite:
            continue
        for end, less in ((n + 1, 0), (n, 0), (n + 1, 1)):
            bound = integral.subs(i, end) - start - less
            if _may_bound(bound, question, total):
                yield bound


def _may_bound(bound: sp.Expr, question: LengthQuestion, total: Total) -> bool:
    """Whether floats find the sum at least that for the first lengths."""
    term, least = sp.lambdify(question.index, total.body, "math"), sp.lambdify(question.length, bound, "math")
    so_far = 0.0
    try:
        for n in range(total.first, max(question.least, total.first) + 60):
            so_far += term(n)
            if n >= question.least and least(n) > so_far + 1e-9:
                return False
    except (ArithmeticError, ValueError, TypeError, NameError):
        return False
    return True
