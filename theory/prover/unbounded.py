"""No constant serves where a sum outgrows all: "sum(1/i, i=1..n) <= c" for some c and all n is refuted.

The sum is bounded below by its least term so many times, or by an integral of its terms, which the ladder over n
shows. For each c there is an n at which this bound exceeds what the statement allows: sympy solves for it, or it is
among simple expressions in c, and the ladder shows that it is one. Where something comes before the constants, as eps
does, numbers are taken for it; where lists are added up, all entries are one number. All of it is in the record that
`theory.checker.lists.unbounded` replays. Nothing here is believed; floats only choose what is tried.
"""

from __future__ import annotations

import itertools
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace

import sympy as sp

from theory.failures import Failure
from theory.prover.certify import Proved, Unknown, certify, within_budget
from theory.prover.existence.question import above_of, membership, negated, put_into
from theory.prover.goal import Node
from theory.prover.lengths.certify import certify_length
from theory.prover.lengths.question import MAX_FIRST, Ends, LengthQuestion, Total
from theory.prover.lengths.walks import antiderivative
from theory.prover.records import replayed_record
from theory.prover.statement import stated
from theory.timeout import cpu_clock

_MORE = (1, sp.Rational(1, 4), 4)
"""By how much the bound exceeds what is allowed."""
_BEFORE = tuple(sp.Rational(*pair) for pair in ((1, 4096), (1, 64), (1, 1)))
"""Numbers for what comes before."""
_ENTRIES = (sp.S.One, sp.S.NegativeOne, sp.Rational(1, 2))
_TRIED, _FAR = (sp.Integer(3), sp.Integer(8), sp.Integer(20)), (sp.Integer(3), sp.Integer(20), sp.Float("1e2000", 60))
"""Constants at which floats look first; thresholds for small numbers, which are far off."""
_EACH_S = 6.0
"""Seconds for one proof."""
RAISES = (NotImplementedError, ValueError, TypeError, AttributeError, RecursionError, OverflowError)
"""What sympy may raise where it finds nothing."""
Box = dict[sp.Symbol, Ends]


@dataclass(frozen=True)
class ChosenLengths:
    """For all `before` there are `constants` at which all relations hold, for all that `question` speaks of.

    Attributes:
        question: what is added up, box, lists and conditions; its relation is not asked. Its box has neither constants
            nor what comes before; its conditions may have both.
    """

    before: Box
    constants: Box
    relations: tuple[sp.Basic, ...]
    question: LengthQuestion

    def statement(self) -> Node:
        """What a record says of it."""
        said = self.question.statement()
        del said["relation"]
        for key, box in (("before", self.before), ("exists", self.constants)):
            said[key] = [[sp.srepr(s), str(low), str(high)] for s, (low, high) in box.items()]
        return said | {"relations": [sp.srepr(r) for r in self.relations]}

    def chosen(self, relation: sp.Basic, choice: Mapping[sp.Symbol, sp.Expr]) -> LengthQuestion:
        """What is asked over lists once constants are put into a relation; n begins where the checker has it begin."""
        about = self.question
        given = tuple(put_into(g, choice) for g in about.given)
        box, n = {**self.before, **about.box}, about.length
        low, high = box[n]
        for g in given:
            if isinstance(g, sp.Ge) and g.lhs == n and g.rhs.is_Rational and g.rhs <= MAX_FIRST:
                low = max(low, sp.ceiling(g.rhs))
        box |= {n: (low, high)} if low <= high else {}
        return replace(about, relation=put_into(relation, choice), given=given, box=box)

    @property
    def free(self) -> tuple[sp.Basic, ...]:
        """The conditions that know neither constants nor what comes before them."""
        apart = self.before.keys() | self.constants.keys()
        return tuple(g for g in self.question.given if not g.free_symbols & apart)


@dataclass(frozen=True)
class NoChoice:
    """No constants serve, at `point` of what comes before; `reason` says why."""

    point: dict[sp.Symbol, sp.Rational]
    reason: str
    record: Node
    seconds: float
    failures: tuple[Failure, ...] = ()


def none_serves(question: ChosenLengths, *, budget_s: float) -> NoChoice | Unknown:
    """That no choice serves, where that is shown."""
    return within_budget(budget_s, _left_open, _settle, question, is_reckoned=True)


def _left_open(reason: str) -> Unknown:
    return Unknown((), reason, 0.0)


def _settle(question: ChosenLengths, budget_s: float) -> NoChoice | Unknown:
    end = cpu_clock() + 0.95 * budget_s
    about = question.question
    if len(about.totals) == 1 and about.totals[0].kind == "sum" and set(about.box) == {about.length}:
        for point, lists in itertools.product(list(_points(question.before)), list(_lists(about))):
            for place in range(len(question.relations)):
                found = _UnboundedSearch(question, point, lists, place, end).settle()
                if found is not None:
                    return found
    return _left_open("no bound of the sum is shown to outgrow all constants")


def _points(before: Box) -> Iterator[dict[sp.Symbol, sp.Rational]]:
    """Numbers for what comes before; one without any where there is nothing."""
    if not before:
        yield {}
        return
    for value in _BEFORE:
        if all(low <= value <= high for low, high in before.values()):
            yield dict.fromkeys(before, value)


def _lists(about: LengthQuestion) -> Iterator[dict[sp.Symbol, sp.Rational]]:
    """Numbers for the entries of lists, each the same at all places."""
    rows = []
    for s, (low, high) in about.entries.items():
        ends = [end for end in (high, low) if end.is_Rational and not (end == 0 and s.is_nonzero)]
        own = [r for r in about.each if r.free_symbols == {s}]
        inside = [v for v in dict.fromkeys([*ends, *_ENTRIES]) if low <= v <= high]
        rows.append([v for v in inside if all(r.subs(s, v) == sp.true for r in own)][:2])
    for values in itertools.product(*rows):
        yield dict(zip(about.entries, values, strict=True))


@dataclass
class _UnboundedSearch:
    """One relation, with numbers for what comes before the constants and for entries."""

    asked: ChosenLengths
    point: Mapping[sp.Symbol, sp.Rational]
    lists: Mapping[sp.Symbol, sp.Rational]
    place: int
    end: float

    def __post_init__(self) -> None:
        about = self.asked.question
        (total,) = about.totals
        total = replace(total, body=put_into(total.body, self.lists))
        given = tuple(put_into(g, self.point) for g in about.given)
        self.relation = put_into(self.asked.relations[self.place], self.point)
        self.question = replace(about, given=given, entries={}, each=(), totals=(total,))

    def settle(self) -> NoChoice | None:
        """The refutation, or nothing."""
        body = self.question.totals[0].body
        allowed = None if body.free_symbols - {self.question.index, self.question.length} else self.allowed()
        bounds = () if allowed is None else lower_bounds(self.question, self.question.totals[0])
        for bound in bounds:  # one after the other: an integral may take long
            for level, w in self.beyond(bound, allowed):
                found = self.shown(bound, level, w) if cpu_clock() < self.end else None
                if found is not None:
                    return found
        return None

    def allowed(self) -> sp.Expr | None:
        """What the total is said to be at most, an expression in the constants and in n."""
        relation, u = self.relation, self.question.totals[0].symbol
        if not isinstance(relation, sp.Le | sp.Lt | sp.Ge | sp.Gt) or relation.gts.has(u):
            return None
        least = relation.lts.replace(sp.Abs, lambda e: e)
        factor = sp.diff(least, u)
        if factor.has(u) or factor.is_positive is not True:
            return None
        return ((relation.gts.doit() - least.subs(u, 0)) / factor).doit()

    def beyond(self, bound: sp.Expr, allowed: sp.Expr) -> Iterator[tuple[sp.Expr, sp.Expr]]:
        """Levels with a place where the bound reaches them, which floats find for a few constants."""
        n, constants = self.question.length, self.asked.constants
        for level in (allowed + more for more in _MORE):
            ahead = () if allowed.has(n) else _solved(bound, level, n, constants)
            places = _near(constants) if self.asked.before else (*ahead, *_near(constants), *_far(constants))
            for w in itertools.islice((w for w in places if self.is_beyond(bound, level, w)), 2):
                yield level, w

    def is_beyond(self, bound: sp.Expr, level: sp.Expr, w: sp.Expr) -> bool:
        """Whether a bound reaches a level, at a place that conditions admit, for the constants that are tried."""
        n, places = self.question.length, []
        for c in _FAR if self.asked.before else _TRIED:
            chosen = dict.fromkeys(self.asked.constants, c)
            there = w.subs(chosen)
            at = {n: there, **chosen}
            try:
                values = [sp.N(e, 30) for e in (there, (bound - level).subs(at))]
                is_given = all(sp.N((g.gts - g.lts).subs(at), 30) >= 0 for g in self.question.given)
            except RAISES:
                return False
            if not all(v.is_real for v in values) or values[0] < self.question.least or values[1] < 0 or not is_given:
                return False
            places.append(values[0])
        return places[0] < places[-1]

    def shown(self, bound: sp.Expr, level: sp.Expr, w: sp.Expr) -> NoChoice | None:
        """The refutation by one counterexample."""
        question, u = self.question, self.question.totals[0].symbol
        n, t = question.length, above_of(question.length)
        _, ranges, _ = stated(sp.true, question.box, ())
        values = {n: sp.Add(w, t, evaluate=False)}
        unit = {t: (sp.S.Zero, sp.S.One)}
        parts = [*membership(n, w, ranges[n]), *[put_into(g, values) for g in question.given]]
        failing, sign = negated(put_into(self.relation, values), above=True)
        level = put_into(level, values)
        least = sp.Ge(u, level, evaluate=False)
        rows = [(r, unit, ()) for r in parts]
        rows += [(sp.Ge(put_into(bound, values), level, evaluate=False), unit, ())]
        rows += [(failing, {**unit, u: (-sp.oo, sp.oo)}, (least,))]
        bodies = []
        for relation, more, given in rows:
            bodies.append(self.body(relation, more, given))
            if bodies[-1] is None:
                return None
        said = sp.Ge(u, bound, evaluate=False)
        seconds = min(_EACH_S, self.end - cpu_clock())
        about = replace(question, relation=said, given=self.asked.free)
        answer = certify_length(about, budget_s=seconds) if seconds > 0 else None
        if not isinstance(answer, Proved):
            return None
        leaf = {
            "at": [[sp.srepr(n), sp.srepr(w)]], "fails": self.place, "as": sign, "shown": [*bodies[:-2], bodies[-1]],
            "bound": {"by": sp.srepr(level), "shown": bodies[-2]},
        }  # fmt: skip
        row = {"bound": sp.srepr(said), "steps": answer.record["steps"], "last": answer.record["last"]}
        at, lists = ([[sp.srepr(s), str(v)] for s, v in rows.items()] for rows in (self.point, self.lists))
        there = ", ".join(f"{s} = {v}" for s, v in self.point.items())
        alike = "".join(f", with all {s} = {v}" for s, v in self.lists.items())
        where = f"the sum is at least {bound}, and it fails at a whole {n} between {w} and {w + 1}{alike}"
        reason = f"{f'at {there} ' if there else ''}no choice serves: {where}"
        return self.replayed({"bounds": [row], "cover": leaf, "at": at, "lists": lists}, reason)

    def body(self, relation: sp.Basic, more: dict, given: Sequence[sp.Basic]) -> Node | None:
        """The proof of one part, for all constants."""
        seconds = min(_EACH_S, self.end - cpu_clock())
        box = {**self.asked.constants, **more}
        answer = certify(relation, box, given, budget_s=seconds) if seconds > 0 else None
        return answer.body if isinstance(answer, Proved) else None

    def replayed(self, shown: Node, reason: str) -> NoChoice | None:
        """The answer, once the independent checker has replayed it."""
        record, _ = replayed_record(self.asked.statement() | shown | {"verdict": "refuted"})
        return None if record is None else NoChoice(dict(self.point), reason, record, 0.0)


def _solved(bound: sp.Expr, level: sp.Expr, n: sp.Symbol, constants: Box) -> list[sp.Expr]:
    """Where a bound is a level, by sympy."""
    x = sp.Dummy(positive=True)
    try:
        found = sp.solve(bound.subs(n, x) - level, x)
    except RAISES:
        return []
    others = sp.Add(*[c for c in constants if c not in level.free_symbols])
    return [root + others for root in found]


def _near(constants: Box) -> Iterator[sp.Expr]:
    """Simple expressions in constants, at which a bound may be beyond what they allow."""
    c = sp.Add(*constants)
    yield from (c + 1, c + 10, c + 100, 2 * c + 2, 4 * c + 4, (c + 1) ** 2, 4 * (c + 1) ** 2, (c + 2) ** 4)


def _far(constants: Box) -> Iterator[sp.Expr]:
    """Exponentials of them."""
    c = sp.Add(*constants)
    yield from (sp.exp(c + 2), sp.exp(2 * c + 2), sp.exp(4 * c + 4), sp.exp((c + 1) ** 2), sp.exp(sp.exp(c + 2)))


def lower_bounds(question: LengthQuestion, total: Total) -> Iterator[sp.Expr]:
    """What a sum may be at least: its least term so many times, or integrals of its terms or of lesser ones."""
    n, i, f = question.length, question.index, total.body
    if n in f.free_symbols:
        return
    found = [sp.expand((n - total.first + 1) * f.subs(i, end)) for end in (n, total.first)]
    yield from (bound for bound in found if bound.has(n) and may_bound(bound, question, total))
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
            if may_bound(bound, question, total):
                yield bound


def may_bound(bound: sp.Expr, question: LengthQuestion, total: Total, *, is_upper: bool = False) -> bool:
    """Whether floats find the sum at least that for the first lengths, or at most."""
    try:
        term, end = sp.lambdify(question.index, total.body, "math"), sp.lambdify(question.length, bound, "math")
        so_far, sign = 0.0, -1 if is_upper else 1
        for n in range(total.first, max(question.least, total.first) + 60):
            so_far += term(n)
            if n >= question.least and sign * (end(n) - so_far) > 1e-9:
                return False
    except (ArithmeticError, ValueError, TypeError, NameError):
        return False
    return True
