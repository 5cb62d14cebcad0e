"""Constants that may be chosen beside totals: "sum(1/i, i=1..n) = o(n)", and lemmas over lists with O and Theta.

That none serves is looked for by `theory.prover.unbounded`. Where nothing comes before the constants, a few choices
are put in, and the statement is asked over lists. Where something does, the sum is bounded by an expression without
totals (integrals of its terms, its limit, its greatest term so many times), a choice is found that serves for this
bound (`existence.uniform`), and the relation is shown from both. `theory.checker.lists.unbounded` replays it.
"""

from __future__ import annotations

import itertools
from collections.abc import Iterator
from dataclasses import dataclass, replace

import sympy as sp

from theory.failures import Failure
from theory.prover.certify import Proved, Refuted, Unknown, certify, within_budget
from theory.prover.decision import Decision, listed
from theory.prover.existence.question import membership, put_into
from theory.prover.goal import Node
from theory.prover.lengths.by_given import gap
from theory.prover.lengths.certify import certify_length
from theory.prover.lengths.chosen import ChosenConstants
from theory.prover.lengths.question import LengthQuestion, Total
from theory.prover.lengths.walks import antiderivative
from theory.prover.records import replayed_record
from theory.prover.statement import stated
from theory.prover.unbounded import RAISES, ChosenLengths, NoChoice, may_bound, none_serves
from theory.timeout import cpu_clock

_STAGES = (3.0, 12.0, 48.0)
"""Seconds for one choice, stage by stage."""
_REFUTING = 0.3
"""The share of all seconds for that none serves."""
_BOUND_S, _PART_S = 20.0, 5.0
"""Seconds for a bound of a sum, and for a relation from a bound."""
_MOST = 4
"""Rates of one bound that are put to the ladder."""
_POWERS = tuple(sp.Rational(*pair) for pair in ((1, 1), (1, 2), (1, 4)))
_STARTS, _FACTORS = (1, 2, 3), tuple(map(sp.Integer, (1, 2, 4, 8, 16, 32)))
"""What vanishes: factors over powers of n, or over its logarithm, from a length on."""


@dataclass(frozen=True)
class Chosen:
    """The choice that serves, with its record."""

    choice: dict[sp.Symbol, sp.Expr]
    record: Node
    seconds: float
    vacuous: bool = False
    failures: tuple[Failure, ...] = ()


def certify_chosen(question: ChosenLengths, *, budget_s: float) -> Chosen | NoChoice | Unknown:
    """Prove that some constants serve, or that none does."""
    return within_budget(budget_s, _left_open, _settle, question, is_reckoned=True)


def chosen_decision(answer: Chosen | NoChoice | Unknown, words: str) -> Decision:
    """The answer for readers."""
    if isinstance(answer, Chosen):
        constants = {s.name: value for s, value in answer.choice.items()}
        empty = f"with {listed(constants)} no point satisfies the conditions, so it speaks of nothing"
        verdict, reason = ("vacuous", empty) if answer.vacuous else ("proved", "")
        found = Decision(verdict, words, {}, None, reason, answer.record, 0.0, constants=constants)
    elif isinstance(answer, NoChoice):
        found = Decision("refuted", words, {}, None, answer.reason, answer.record, 0.0)
    else:
        found = Decision("unknown", words, {}, None, answer.reason, None, 0.0, answer.explanation)
    return replace(found, seconds=answer.seconds, failures=answer.failures)


def _left_open(reason: str) -> Unknown:
    return Unknown((), reason, 0.0)


def _settle(question: ChosenLengths, budget_s: float) -> Chosen | NoChoice | Unknown:
    end = cpu_clock() + 0.95 * budget_s
    refuted = none_serves(question, budget_s=_REFUTING * budget_s)
    if isinstance(refuted, NoChoice):
        return refuted
    if question.before:
        return _by_bounds(question, end) or _left_open("no bound of the sum is shown to serve, and no choice fails")
    return _by_numbers(question, end)


# ------------------------------------------------------------------------------------------------- numbers as a choice


def _by_numbers(question: ChosenLengths, end: float) -> Chosen | Unknown:
    """One of a few choices, with the statement that is then asked over lists."""
    rows = question.constants.items()
    ends = {s.name: (low, high, bool(low == 0 and s.is_positive), False) for s, (low, high) in rows}
    names = {s.name: s for s in question.constants}
    whole = frozenset(name for name, s in names.items() if s.is_integer)
    search = ChosenConstants(ends, whole, lambda *_: Decision("unknown", "", {}, None, "", None, 0.0))
    choices = [{names[name]: v for name, v in row.items()} for row in search.choices()]
    refuted: list[dict[sp.Symbol, sp.Rational]] = []
    for stage in _STAGES:
        for choice in [c for c in choices if c not in refuted]:
            if (left := end - cpu_clock()) <= 0:
                break
            found, is_refuted = _with_numbers(question, choice, min(stage, left))
            if found is not None:
                return found
            refuted += [choice] if is_refuted else []
    told = " and for ".join(listed({s.name: v for s, v in choice.items()}) for choice in refuted)
    return _left_open(f"no choice that was tried is shown to serve{f'; it fails for {told}' if told else ''}")


def _with_numbers(
    question: ChosenLengths, choice: dict[sp.Symbol, sp.Rational], seconds: float
) -> tuple[Chosen | None, bool]:
    """The choice with its proofs, or that it fails."""
    parts = []
    for relation in question.relations:
        answer = certify_length(question.chosen(relation, choice), budget_s=seconds)
        if not isinstance(answer, Proved):
            return None, isinstance(answer, Refuted)
        parts.append({"steps": answer.record["steps"], "last": answer.record["last"]})
    return _recorded(question, choice, {"inside": [], "bounds": [], "ahead": [], "parts": parts}), False


def _recorded(question: ChosenLengths, choice: dict[sp.Symbol, sp.Expr], shown: Node) -> Chosen | None:
    """The answer, once the independent checker has replayed it."""
    rows = [[sp.srepr(s), sp.srepr(e)] for s, e in choice.items()]
    record, said = replayed_record(question.statement() | shown | {"choice": rows, "verdict": "proved"})
    return None if record is None else Chosen(choice, record, 0.0, said == "vacuous")


# ----------------------------------------------------------------------------------------------------------- by bounds


def _by_bounds(question: ChosenLengths, end: float) -> Chosen | None:
    """A choice for a bound of the lesser side, eps times what vanishes beside the greater one, where there is one."""
    about = question.question
    if len(about.totals) != 1 or about.totals[0].kind != "sum" or len(question.relations) != 1:
        return None
    (total,), (relation,) = about.totals, question.relations
    if len(question.before) != 1 or len(question.constants) != 1:
        return None
    ((eps,), (constant,)) = question.before, question.constants
    apart = {eps, constant, total.symbol}
    is_order = isinstance(relation, sp.Le | sp.Lt | sp.Ge | sp.Gt) and not constant.is_integer
    if not is_order or relation.lts.free_symbols & {eps, constant} or relation.gts.free_symbols & (apart - {eps}):
        return None
    greater = put_into(relation.gts, {eps: sp.S.One})
    if sp.simplify(relation.gts.doit() - eps * greater.doit()) != 0:
        return None
    for upper in _upper_bounds(about, total):
        least = put_into(relation.lts.replace(sp.Abs, lambda e: e), {total.symbol: upper}).doit()
        is_size = relation.lts.has(sp.Abs)
        bound = sp.Le(*((relation.lts, least) if is_size else (total.symbol, upper)), evaluate=False)
        times = sp.S.One if is_size else sp.diff(relation.lts.doit(), total.symbol)
        rows = None
        for rate, threshold in itertools.islice(_rates(least, greater, about, eps), _MOST):
            rows = rows or _shown_bound(question, bound, end)
            if rows is None:
                break
            asked = _Vanishing(question, bound, times, least, greater, rate, {constant: threshold})
            found = asked.recorded(rows, end)
            if found is not None:
                return found
    return None


def _rates(
    least: sp.Expr, greater: sp.Expr, about: LengthQuestion, eps: sp.Symbol
) -> Iterator[tuple[sp.Expr, sp.Expr]]:
    """What vanishes with least <= rate * greater from a length on, and a threshold beyond it for rate <= eps."""
    n = about.length
    for start, power in itertools.product(_STARTS, (*_POWERS, 0)):
        start_ = max(start, about.least)
        root = sp.Pow(n, power) if power else sp.log(n)
        ratio = sp.lambdify(n, sp.sympify(least * root / greater).doit(), "mpmath")
        try:
            values = [ratio(sp.Integer(k)) for k in (*range(start_, start_ + 40), 10**3, 10**6, 10**12, 10**40)]
            sizes = [float(abs(v)) for v in values]
        except (ArithmeticError, ValueError, TypeError, NameError):
            continue
        c = next((c for c in _FACTORS if max(sizes) <= c), None)
        if c is not None and all(size == size for size in sizes):
            low = (c / eps) ** (1 / power) if power else sp.exp(c / eps)
            yield c / root, low + (start_ if power or start_ > 1 else 0)


def _shown_bound(question: ChosenLengths, bound: sp.Basic, end: float) -> list[Node] | None:
    """A bound with what shows it for all n."""
    seconds = min(_BOUND_S, end - cpu_clock())
    about = replace(question.question, relation=bound, given=question.free)
    shown = certify_length(about, budget_s=seconds) if seconds > 0 else None
    if not isinstance(shown, Proved):
        return None
    return [{"bound": sp.srepr(bound), "steps": shown.record["steps"], "last": shown.record["last"]}]


@dataclass(frozen=True)
class _Vanishing:
    """least <= rate * greater and rate <= eps, so that least <= eps * greater; `times` the bound leads to least."""

    question: ChosenLengths
    bound: sp.Basic
    times: sp.Expr
    least: sp.Expr
    greater: sp.Expr
    rate: sp.Expr
    choice: dict[sp.Symbol, sp.Expr]

    def recorded(self, bounds: list[Node], end: float) -> Chosen | None:
        """The choice with what shows that it serves."""
        question, (eps,) = self.question, self.question.before
        given = [put_into(g, self.choice) for g in question.question.given]
        box = {**question.before, **question.question.box}
        _, ranges, _ = stated(sp.true, question.constants, ())
        inside = [r for s, e in self.choice.items() if not e.is_Rational for r in membership(s, e, ranges[s])]
        ends = sp.Mul(self.rate, self.greater, evaluate=False)
        ahead = [sp.Le(self.least, ends, evaluate=False), sp.Le(self.rate, eps, evaluate=False)]
        rows: list = [(r, question.before, ()) for r in inside]
        rows += [(r, box, [g for g in given if g.free_symbols <= set(box)]) for r in ahead]
        over = {**question.before, **question.question.outer}
        (relation,) = (put_into(r, self.choice) for r in question.relations)
        rows += [(sp.Ge(w, 0, evaluate=False), over, given) for w in (self.times, self.greater)]
        weights = [self.times, sp.S.One, self.greater]
        parts = [sp.Mul(-1, w, gap(g), evaluate=False) for w, g in zip(weights, (self.bound, *ahead), strict=True)]
        func = sp.Gt if isinstance(relation, sp.Lt | sp.Gt) else sp.Ge
        rows.append((func(sp.Add(gap(relation), *parts, evaluate=False), sp.S.Zero, evaluate=False), over, given))
        bodies = []
        for asked, where, known in rows:
            seconds = min(_PART_S, end - cpu_clock())
            answer = certify(asked, dict(where), known, budget_s=seconds) if seconds > 0 else None
            if not isinstance(answer, Proved):
                return None
            bodies.append(answer.body)
        *shown, first, second, by, sign, left = bodies
        signs = (None if self.times.is_Rational else by, None, sign)
        taken = [[k, sp.srepr(w), body] for k, (w, body) in enumerate(zip(weights, signs, strict=True))]
        told = [{"relation": sp.srepr(r), "proof": body} for r, body in zip(ahead, (first, second), strict=True)]
        part = {"taken": taken, "kept": [], "left": left}
        shown_ = {"inside": shown, "bounds": bounds, "ahead": told, "parts": [part]}
        return _recorded(question, self.choice, shown_)


def _upper_bounds(question: LengthQuestion, total: Total) -> Iterator[sp.Expr]:
    """What a sum may be at most: its limit, integrals of its terms, its greatest term so many times."""
    n, i = question.length, question.index
    for f in dict.fromkeys(_greatest_terms(question, total)):
        if n in f.free_symbols:
            continue
        bare = replace(total, body=f)
        found: list[sp.Expr] = []
        integral = antiderivative(f, i) if i in f.free_symbols else None
        if integral is not None:
            start = f.subs(i, total.first) - integral.subs(i, total.first)
            found += [start + _limit(integral, i), start + integral.subs(i, n)]
            found.append(integral.subs(i, n + 1) - integral.subs(i, total.first))
        found += [(n - total.first + 1) * f.subs(i, end) for end in (total.first, n)]
        found = [weaker for bound in found for weaker in (_without_less(bound), bound)]
        for bound in dict.fromkeys(found):
            is_number = not bound.has(sp.oo, sp.zoo, sp.nan)
            if is_number and bound.free_symbols <= {n} and may_bound(bound, question, bare, is_upper=True):
                yield bound


def _without_less(e: sp.Expr) -> sp.Expr:
    """A sum without its parts below 0."""
    return sp.Add(*[part for part in sp.Add.make_args(sp.expand(e)) if not part.is_negative])


def _limit(e: sp.Expr, i: sp.Symbol) -> sp.Expr:
    x = sp.Dummy(positive=True)
    try:
        return sp.limit(e.subs(i, x), x, sp.oo)
    except RAISES:
        return sp.nan


def _greatest_terms(question: LengthQuestion, total: Total) -> Iterator[sp.Expr]:
    """The terms, with the ends of ranges for entries."""
    ends = [[end for end in (high, low) if end.is_Rational] for low, high in question.entries.values()]
    for values in itertools.product(*ends):
        yield total.body.subs(dict(zip(question.entries, values, strict=True)))
