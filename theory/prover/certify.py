"""Settle an inequality or identity over a box: proved with a record, refuted by an exact point, or unknown.

What a statement means. It ranges over the points of the box that satisfy every assumption on its symbols (a positive
symbol excludes 0, an integer everything between integers) and at which every given has values on both sides and is
true. It is *proved* if at all these points every subterm of its two sides has a real value and the relation holds.
It is *refuted* by one of these points where every subterm has a real value and the relation is false. A point of the
range where a subterm has no real value (division by zero, a root or logarithm beyond its domain, 0 to a negative power,
a pole) makes it neither: the answer is then `NotDefined`, which names the point and the subterm. If no point satisfies
the givens, the statement is proved, and flagged *vacuous*.

The ladder, cheapest rung first (`theory.prover.search` climbs from 2 on):

1. attack (`counterexamples.attack`): random points and a local search from a fixed seed, in floats; a hit counts only
   after it has been rounded to a rational point of the range and been evaluated again, exactly or in Arb
   (`expressions.points`);
2. interval: the natural enclosure over the box decides;
3. shift (`rungs.bernstein`): a polynomial is rewritten at a corner (x = lo + t, or (lo + hi t)/(1 + t) between
   finite ends); if no coefficient is negative it is not negative for all t >= 0, which covers half-infinite boxes;
4. rename: exp, log and roots become variables with their own ranges; lower: a linear `given` becomes t >= 0;
5. factor: the sign of a product follows from the signs of its parts;
6. monotone: where a derivative has certified sign, the worst point lies on a face, and one dimension is gone;
7. further `rungs` use what is given (`hypotheses`, `equations`, `derived`, `combinations`, `orderings`), move a point
   (`moves`), count on (`inductions`), go over to logarithms (`orders`);
8. branch (`rungs.branch_and_bound`): bisect, with the rungs above, the mean-value form and expansions on every piece.

An equation is proved by normal form (`expressions.normal_form`). Everything a proof rests on is a rational number or
an Arb end rounded outward; floats only propose. A proof is a tree of these steps in JSON, replayed by `theory.checker`,
which uses no code of the prover; an answer that does not replay is Unknown. Each step speaks of one goal:
`expression` is > 0 (strict) or >= 0 wherever it is defined in the box and all of `given` hold. That it is defined
everywhere is proved beside it, one goal for each condition on a subterm (`expressions.definedness`) that enclosures
over the box leave open; these stand in the record as `defined`. A monotone step leaves the region of `given` on its way
to the face, so it may not use any.
"""

from __future__ import annotations

import itertools
import json
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import partial
from typing import Any, TypeVar

import sympy as sp
from sympy.core.cache import clear_cache
from sympy.core.facts import InconsistentAssumptions

from theory.checker.replay import InvalidRecord, replay
from theory.dummies import expressions_of, numbered_anew
from theory.failures import Failure, caught, count, recorded
from theory.intervals.box import Box, VariableRange, at_integers, exact, exact_box, number
from theory.prover.by_pieces import proof_by_pieces
from theory.prover.counterexamples.closer_look import CloserLook
from theory.prover.explanation import explained
from theory.prover.expressions.definedness import Definedness, Way, open_conditions
from theory.prover.expressions.evaluation import evaluated, hypotheses, with_choices_as_read
from theory.prover.expressions.normal_form import is_zero
from theory.prover.expressions.pieces import has_pieces
from theory.prover.expressions.points import displayed
from theory.prover.expressions.rewriting import sampled_sign
from theory.prover.goal import Found, Goal, Node, restated
from theory.prover.records import sealed
from theory.prover.replaying import is_followed, known_conditions, unread
from theory.prover.search import Prover
from theory.prover.statement import stated
from theory.relations import as_positive
from theory.timeout import Contradiction, TimedOut, by_steps, computed, cpu_clock, is_by_steps, within

_EMPTY_SHARE, _EMPTY_AGAIN = 0.3, 2.0
"""Of the time, the share that first asks whether the givens leave a point; seconds that ask again after a proof."""


BODY = {"proof", "defined", "vacuous", "pieces"}
"""What a record has beside a statement that it proves."""


@dataclass(frozen=True)
class Proved:
    """The relation holds wherever it speaks; `theory.checker` re-checks `record`.

    `vacuous`: no point satisfies the givens, so that it speaks of nothing.
    """

    record: Node
    seconds: float
    vacuous: bool = False
    failures: tuple[Failure, ...] = field(default=(), kw_only=True)

    @property
    def body(self) -> Node:
        """What the record has beside the statement, as one proof among those of a larger record."""
        return {key: value for key, value in self.record.items() if key in BODY}


@dataclass(frozen=True)
class Refuted:
    """The relation fails at `counterexample`, an exact point; `value` is left side minus right side there."""

    counterexample: dict[sp.Symbol, sp.Rational]
    value: sp.Expr
    record: Node
    seconds: float
    failures: tuple[Failure, ...] = field(default=(), kw_only=True)


@dataclass(frozen=True)
class Unknown:
    """Neither was found within the budget; `remaining` are the boxes on which nothing is known.

    `explanation`: lines for readers: what was tried, where it is tight, what would help, and what failed.
    `failures`: steps of the search that failed by a mistake in the program, of every answer.
    `budget_s`: the seconds of computation that were allowed; more may decide it, and never undo what fewer decide.
    """

    remaining: tuple[dict[sp.Symbol, tuple[sp.Expr, sp.Expr]], ...]
    reason: str
    seconds: float
    explanation: tuple[str, ...] = field(default=(), kw_only=True)
    failures: tuple[Failure, ...] = field(default=(), kw_only=True)
    budget_s: float = field(default=0.0, kw_only=True)


@dataclass(frozen=True)
class NotDefined(Unknown):
    """The relation has no truth value at `point` of its range, because `subterm` has no real value there."""

    point: dict[sp.Symbol, sp.Rational]
    subterm: sp.Basic


_STAGES, _GROWTH = (4.0, 16.0, 40.0), 3.0
"""Seconds of the first stages of a search, which end at the usual budgets, and the growth of further ones."""
_IN_TIME = 0.97
"""The part of a stage after which no step is begun, so that it ends before the next one."""
_LEAST_S = 0.1
"""Seconds that a search has at least which sympy's contradiction makes begin again."""
_GUARD, _GUARD_S = 4.0, 2.0
"""How many times its reckoned seconds a search within another may compute, and seconds on top: a call may not end."""
_LOOK_SHARE = 0.1
"""Of the time that is left, the most for a second look for a counterexample."""
Settled = TypeVar("Settled", Proved, Refuted)
Answer = TypeVar("Answer", bound=Any)


def certify(
    relation: sp.Basic,
    box: Mapping[sp.Symbol, tuple[Any, Any]],
    given: Sequence[sp.Basic] = (),
    *,
    budget_s: float = 60,
) -> Proved | Refuted | Unknown:
    """Prove or refute `relation` on the closed `box` where all of `given` hold.

    Args:
        relation: <, <=, >, >= or Eq between sympy expressions, exact; made with evaluate=False, or sympy may have
            replaced it by True or False, and it is that which is settled.
        box: {symbol: (low, high)}, exact numbers, closed at finite ends, +-oo allowed; every free symbol must occur.
        given: inequalities and equations in the same symbols.
        budget_s: hard limit in seconds of computation.

    Raises:
        ValueError: bad box, relation, given or budget, an assumption that is not supported, or a number too large.
    """
    relation, ranges, hypotheses = stated(relation, box, given)

    at_work: list[StatementSearch] = []

    def left_open(reason: str) -> Unknown:
        return at_work[0].left_open(reason) if at_work else Unknown((exact_box(ranges),), reason, 0.0)

    return within_budget(budget_s, left_open, _settle, relation, ranges, hypotheses, at_work)


def refusal_of(relation: sp.Basic, box: Mapping[sp.Symbol, tuple[Any, Any]], given: Sequence[sp.Basic] = ()) -> str:
    """Why the checker does not read a statement, as `certify` takes it, so that none is proved; "" where it does."""
    try:
        search = StatementSearch(*stated(relation, box, given), cpu_clock())
    except ValueError as error:
        return str(error)
    return unread(search.statement())


def within_budget(
    budget_s: float,
    left_open: Callable[[str], Answer],
    settle: Callable[..., Answer],
    *question: Any,
    is_reckoned: bool = False,
) -> Answer:
    """What a search answers within its budget, with the seconds that it took and what failed in it.

    Args:
        budget_s: hard limit in seconds of computation.
        left_open: the answer for a reason why there is none.
        settle: the search, of the question and the budget.
        is_reckoned: whether the search ends by the reckoned seconds of its steps too, so that what comes of it is the
            same on every machine that computes these steps within the budget.
    """
    started = computed()
    if not budget_s > 0:
        raise ValueError(f"budget_s must be > 0, got {budget_s}")
    answer: Any
    with recorded() as failures:
        try:
            limit = _GUARD * budget_s + _GUARD_S if is_by_steps() else budget_s
            search = partial(by_steps, is_cut=is_reckoned)
            try:
                answer = within(limit, search, budget_s, _recorded, settle, *question, budget_s)
            except Contradiction:  # a call that was cut off may have left sympy's facts half made
                make_facts_anew(*question)
                left = max(limit - computed() + started, _LEAST_S)
                answer = within(left, search, budget_s, _recorded, settle, *question, budget_s)
        except TimedOut:
            answer = left_open(spent(budget_s))
        except RecursionError:
            answer = left_open("the expression is nested too deep")
        except Contradiction as error:
            answer = left_open(str(error))
    known = failures.listed() or answer.failures
    if isinstance(answer, Unknown):
        answer = replace(answer, explanation=(*answer.explanation, *map(str, known)), budget_s=budget_s)
    return replace(answer, seconds=computed() - started, failures=known)


def make_facts_anew(*statement: Any) -> None:
    """Have sympy forget what it has found out of expressions: what was cut off has left some of it for unknown."""
    clear_cache()
    for part in expressions_of(statement):
        for e in sp.preorder_traversal(part):
            if e.args or e.is_Number:
                e._assumptions = e.default_assumptions  # type: ignore[attr-defined]


def _recorded(settle: Callable[..., Answer], *arguments: Any) -> Answer:
    """An answer with what failed in its search, which may run in a process of its own."""
    with recorded() as failures, numbered_anew(arguments):
        return replace(settle(*arguments), failures=failures.listed())


def refutation(
    relation: sp.Basic, box: Box, given: tuple[sp.Basic, ...], point: dict[sp.Symbol, sp.Rational]
) -> Refuted | Unknown:
    """The answer that a statement, as `stated` returns it, fails at an exact point; Unknown if the checker refuses."""
    return StatementSearch(relation, box, given, 0.0).refuted(point)


def stage_ends() -> Iterator[float]:
    """Seconds after which the stages of a search end, whatever its budget, which cuts the last one.

    Each stage begins anew with more time for every step. What a budget proves, a larger one proves as well, since it
    begins with the same stages: sharing out all of the budget at once would give some steps less of the whole.
    """
    end = length = 0.0
    for place in itertools.count():
        length = _STAGES[place] if place < len(_STAGES) else _GROWTH * length
        end += length
        yield end


def _settle(
    relation: sp.Basic, box: Box, given: tuple[sp.Basic, ...], at_work: list[StatementSearch], budget_s: float
) -> Proved | Refuted | Unknown:
    """Climb the ladder, stage by stage; the search is put into `at_work` for what it says if it is stopped."""
    started = cpu_clock()
    search = StatementSearch(relation, box, given, started + _IN_TIME * _STAGES[0])
    at_work.append(search)
    search.look_for_counterexample()
    if refusal := unread(search.statement()):
        search.look_for_undefined()
        return _undefined(search) or search.left_open(f"the checker does not read the statement: {refusal}")
    answer = search.left_open(search.reason)
    for end in stage_ends():
        search.begin(started + _IN_TIME * end)
        answer = _climbed(search)
        is_open = isinstance(answer, Unknown) and not isinstance(answer, NotDefined)
        if not is_open or (end >= budget_s and cpu_clock() < search.deadline):
            break
    return answer


def spent(budget_s: float) -> str:
    """The reason that there was no more time."""
    return f"the budget of {budget_s:.3g} s is spent"


def _climbed(search: StatementSearch) -> Proved | Refuted | Unknown:
    """What one stage of a search answers."""
    body = search.proof() if search.point is None else None
    answer = None if body is None else search.proved(body)
    if isinstance(answer, Unknown):
        search.asks_checker = True
        body = search.proof()
        answer = answer if body is None else search.proved(body)
    if search.point is None and (answer is None or isinstance(answer, Unknown)):
        search.look_closer()
    if search.point is not None:
        return search.refuted(search.point)
    if answer is not None:
        return answer
    if search.attack.refused:
        return search.refuted(search.attack.refused[0])
    return _undefined(search) or search.left_open(search.reason)


def _undefined(search: StatementSearch) -> NotDefined | None:
    """The answer that a statement has no value at a point that was seen, if one was."""
    if search.attack.undefined is None:
        return None
    where, subterm = search.attack.undefined
    at = f" at {', '.join(f'{s} = {v}' for s, v in where.items())}" if where else ""
    return NotDefined((exact_box(search.box),), f"undefined{at}: {subterm}", 0.0, where, subterm)


class StatementSearch:
    """One statement on its way to an answer.

    Attributes:
        asks_checker: whether the checker is asked of every goal on the way. That takes longer than to ask it of the
            whole, and tells which step it does not follow, so that others are tried.
    """

    def __init__(
        self,
        relation: sp.Basic,
        box: Box,
        given: tuple[sp.Basic, ...],
        deadline: float,
        *,
        asks_checker: bool = False,
    ) -> None:
        self.relation, self.box, self.given, self.deadline = relation, box, given, deadline
        self.asks_checker = asks_checker
        self.proved_on = at_integers(box)  # what the checker reads from the ends as stated
        # What is true by itself is no hypothesis; the checker does not number it either.
        self.hypotheses = tuple(part for g in given if g != sp.true for part in hypotheses(g))
        self.attack = CloserLook(relation, self.proved_on, given, self._is_followed_at)
        self.is_identity = isinstance(relation, sp.Eq) and is_zero(_difference(relation))
        self.point: dict[sp.Symbol, sp.Rational] | None = None
        self.has_looked = self.is_identity
        self.left: tuple[Box, ...] = (box,)
        self.tried: dict[str, int] = {}
        self.reason = "no rung of the ladder decides"

    def begin(self, deadline: float) -> None:
        """Begin anew with more time."""
        self.deadline, self.has_looked = deadline, self.is_identity

    def left_open(self, reason: str) -> Unknown:
        """The answer that nothing is known yet."""
        left = tuple(exact_box(piece) for piece in self.left[:64])
        return Unknown(left, reason, 0.0, explanation=explained(self.attack, self.tried, self.left))

    def look_for_counterexample(self) -> None:
        """Look for a point where the relation fails; an equation that is an identity is not attacked."""
        if not self.is_identity:
            with caught("search for a counterexample", Contradiction, InconsistentAssumptions):
                self.point = self.attack.readable(self.attack.run())

    def look_closer(self) -> None:
        """The second look, if there was none; for what is proved without the ladder or not at all."""
        try:
            self._require_no_closer_hit()
        except Found as found:
            self.point = self.attack.inside(found.box)

    def proof(self) -> Node | None:
        """What a record adds to the statement if it is proved, or None; `point` if a piece on the way refutes it."""
        if has_pieces((self.relation, *self.given)):
            return proof_by_pieces(self)
        empty = self._emptiness(share=_EMPTY_SHARE)
        if empty is not None:
            return {"vacuous": empty}
        defined = self.definedness()
        if defined is None:
            return None
        found = self._main_proof()
        if found is None:
            return None
        # A proof says nothing where no point is: as long as none is known, some of the time that is left asks again.
        left = max(self.deadline - cpu_clock(), 1e-9)
        empty = self._emptiness(share=min(0.9, _EMPTY_AGAIN / left))
        return {"proof": found, "defined": defined} if empty is None else {"vacuous": empty}

    def _main_proof(self) -> Node | None:
        if isinstance(self.relation, sp.Eq):
            # The checker's normal form may not see through choices, so that they are taken apart first.
            has_choices = self.relation.has(sp.Max, sp.Min, sp.Abs)
            both = self._both_ways() if has_choices or not self.is_identity else None
            return both or ({"by": "identity"} if self.is_identity else None)
        prover = self._prover(self.deadline, self._require_no_closer_hit)
        self.tried = prover.tried
        try:
            proof = self._shown(*as_positive(self.relation), prover)
        except Found as found:
            self.point = self.attack.inside(found.box)
            return None
        self.left = prover.remaining or self.left
        return proof

    def _require_no_closer_hit(self) -> None:
        """A second look for a counterexample, once the first rungs have left the goal open. Raises Found."""
        if self.has_looked:
            return
        self.has_looked, point = True, None
        with caught("second search for a counterexample", Contradiction, InconsistentAssumptions):
            point = self.attack.look_closer(_LOOK_SHARE * (self.deadline - cpu_clock()))
        if point is not None:
            raise Found({s: VariableRange(number(v), number(v)) for s, v in point.items()})

    def _both_ways(self) -> Node | None:
        """An equation that holds because neither side is greater, under the givens."""
        proofs = []
        for sides in (self.relation.args, self.relation.args[::-1]):
            proof = self._attempt(sides[0] - sides[1], False, share=0.5)
            if proof is None:
                return None
            proofs.append(proof)
        return {"by": "both", "above": proofs[0], "below": proofs[1]}

    def _shown(self, expression: sp.Expr, is_strict: bool, prover: Prover) -> Node | None:
        """A proof of an expression as it was typed, by one of what its arithmetic comes to. Raises Found."""
        form, is_restated = with_choices_as_read(expression)
        proof = prover.prove(Goal(form, is_strict, self.proved_on, self.hypotheses))
        return restated(form, proof) if is_restated else proof

    def _goal(self, expression: sp.Expr, is_strict: bool) -> Goal:
        return Goal(evaluated(expression), is_strict, self.proved_on, self.hypotheses)

    def _emptiness(self, *, share: float) -> Node | None:
        """A proof that no point satisfies the assumptions and the givens, if none has been seen."""
        has_gaps = any(symbol.is_integer for symbol in self.box)
        if self.attack.feasible or not (self.given or has_gaps):
            return None
        self.attack.find_admitted()
        return None if self.attack.feasible else self._attempt(sp.S.NegativeOne, True, share=share)

    def _attempt(self, expression: sp.Expr, is_strict: bool, *, share: float) -> Node | None:
        """A proof of one goal within a share of the time that is left."""
        now = cpu_clock()
        try:
            return self._shown(expression, is_strict, self._prover(now + share * (self.deadline - now)))
        except Found:
            return None

    def definedness(self) -> list[Node] | None:
        """Proofs that every subterm of the relation has a real value throughout, or None with the reason noted."""
        entries: dict[tuple[sp.Expr, bool], Node] = {}
        for condition in self._open_conditions():
            if self.attack.undefined is None:
                found = self._one_way(condition, entries)
                if found is not None:
                    entries |= found
                    continue
                self.attack.find_undefined([condition])
            self.reason = f"that {condition.subterm} has a real value everywhere is not proved"
            return None
        return [{"of": sp.srepr(c), "strict": strict, "proof": node} for (c, strict), node in entries.items()]

    def look_for_undefined(self) -> None:
        """Look for a point where a subterm has no value."""
        if self.attack.undefined is None:
            self.attack.find_undefined(self._open_conditions())

    def _open_conditions(self) -> list[Definedness]:
        sides = () if self.relation in (sp.true, sp.false) else self.relation.args
        return open_conditions(sides, self.proved_on)

    def _one_way(self, condition: Definedness, known: Mapping) -> dict[tuple[sp.Expr, bool], Node] | None:
        """Proofs of all goals of one way in which the condition is met."""
        ways = condition.open_goals(self.proved_on)
        for way in sorted(ways, key=self._promise, reverse=True):
            proofs = {}
            for c, strict in way:
                node = known.get((c, strict)) or self._attempt(c, strict, share=0.4)
                if node is None:
                    break
                proofs[c, strict] = node
            else:
                return proofs
        return None

    def _promise(self, way: Way) -> int:
        """How the samples speak of a way: 1 for, -1 against."""
        return min((sampled_sign(c, self._goal(c, strict)) for c, strict in way), default=1)

    def _prover(self, deadline: float, second_look: Callable[[], None] | None = None) -> Prover:
        """A search for a proof of a goal of this statement."""
        if not self.asks_checker:
            return Prover(deadline, second_look)
        sound = known_conditions(self.statement())
        return Prover(deadline, second_look, lambda proof, goal: is_followed(proof, goal, sound))

    def _is_followed_at(self, point: dict[sp.Symbol, sp.Rational]) -> bool:
        """Whether the checker accepts a counterexample."""
        return not isinstance(self.refuted(point), Unknown)

    def refuted(self, point: dict[sp.Symbol, sp.Rational]) -> Refuted | Unknown:
        """The answer that the relation fails at a point."""
        sides = (sp.S.Zero, sp.S.Zero) if self.relation == sp.false else (self.relation.lhs, self.relation.rhs)
        pairs = [[sp.srepr(s), str(v)] for s, v in point.items()]
        record = sealed(self.statement() | {"verdict": "refuted", "point": pairs})
        return _replayed(Refuted(point, displayed(*sides, point), record, 0.0), self.box)

    def proved(self, body: Node) -> Proved | Unknown:
        """The answer that the relation is proved, by what `proof` returned."""
        record = sealed(self.statement() | {"verdict": "proved"} | body)
        return _replayed(Proved(record, 0.0), self.box)

    def statement(self) -> Node:
        """What a record says of the statement."""
        return {
            "relation": sp.srepr(self.relation),
            "box": [[sp.srepr(s), str(exact(r.low)), str(exact(r.high))] for s, r in self.box.items()],
            "given": [sp.srepr(hypothesis) for hypothesis in self.given],
        }


def _difference(relation: sp.Basic) -> sp.Expr:
    """left - right as it stands; sympy's own subtraction could cancel a subterm without a value."""
    return sp.Add(relation.lhs, sp.Mul(-1, relation.rhs, evaluate=False), evaluate=False)


def _replayed(answer: Settled, box: Box) -> Settled | Unknown:
    """The answer, once the independent checker has replayed it; what it cannot follow is neither proved nor refuted."""
    try:
        shown = replay(json.loads(json.dumps(answer.record)))
    except InvalidRecord as refusal:
        found = "a proof" if isinstance(answer, Proved) else "a counterexample"
        if isinstance(answer, Proved):  # of counterexamples some have numbers too long, and nearer ones are tried
            count("replay of a proof", refusal)
        return Unknown((exact_box(box),), f"{found} was found that the checker refuses: {refusal}", 0.0)
    return replace(answer, vacuous=shown == "vacuous") if isinstance(answer, Proved) else answer
