"""One statement put to the prover, and what its answer is worth by the oracle."""

from __future__ import annotations

import random
import time
from collections.abc import Iterator
from dataclasses import dataclass

import sympy as sp

from tests.theory.soundness import (  # they register families
    contacts,  # noqa: F401
    counts,  # noqa: F401
    domains,  # noqa: F401
    inequalities,  # noqa: F401
    jumps,  # noqa: F401
    moves,  # noqa: F401
    near_identities,  # noqa: F401
    truths,  # noqa: F401
    unbounded,  # noqa: F401
)
from tests.theory.soundness.oracle import Undecided, in_range, judge
from tests.theory.soundness.statements import FAMILIES, Statement, Truth, draw  # noqa: F401
from theory.prover.certify import Proved, Refuted, certify

SEED = 20261121
COUNTS = {Truth.FAILS: 1600, Truth.UNDEFINED: 400, Truth.HOLDS: 1000, Truth.VACUOUS: 60, Truth.REFUSED: 20}
"""How many statements of each truth there are; one that is undefined somewhere must not be proved either."""
BUDGET_S = 0.5
EMPTY_BUDGET_S = 20.0
"""Where no point satisfies the givens. It takes 0.02 s to see that, and "proved" alone would be a fault, which must not
depend on how busy the machine is."""
MAY_BE_REFUSED = ("assumption_that_cuts_holes", "assumption_that_cuts_the_hole")


@dataclass(frozen=True)
class Trial:
    """The answer to one statement: a verdict in a word, and why it is wrong, or ""."""

    statement: Statement
    verdict: str
    fault: str
    seconds: float


def numbers(*, stride: int = 1, offset: int = 0) -> Iterator[tuple[Truth, str, int]]:
    """Truth, family and index of every stride-th statement, families in turn, so that each share has all of them."""
    place = 0
    for truth, count in COUNTS.items():
        names = sorted(FAMILIES[truth])
        for i in range(count):
            # Families take turns in every share, whatever the stride.
            place += 1
            if (i // len(names) + i % len(names)) % stride == offset:
                yield truth, names[i % len(names)], i // len(names)


def put(statement: Statement, *, budget_s: float = BUDGET_S) -> Trial:
    """Ask the prover, and compare."""
    started = time.perf_counter()
    budget_s = max(budget_s, EMPTY_BUDGET_S) if statement.truth is Truth.VACUOUS else budget_s
    try:
        answer = certify(statement.relation, statement.box, statement.given, budget_s=budget_s)
    except ValueError as refusal:
        verdict, answer = f"ValueError: {refusal}", refusal
    except Exception as error:
        verdict, answer = f"{type(error).__name__}: {error}", error
    else:
        verdict = type(answer).__name__
    failures = getattr(answer, "failures", ())
    if failures:  # a step that failed, or a proof that the checker refused
        return Trial(statement, verdict, "; ".join(map(str, failures)), time.perf_counter() - started)
    return Trial(statement, verdict, fault(statement, answer), time.perf_counter() - started)


def fault(statement: Statement, answer: object) -> str:
    """What is wrong with an answer, or ""."""
    if isinstance(answer, ValueError):
        is_empty = statement.truth is Truth.VACUOUS and not statement.given  # then the box itself has no point
        is_fine = statement.truth is Truth.REFUSED or statement.family in MAY_BE_REFUSED or is_empty
        return "" if is_fine else "refused"
    if isinstance(answer, Exception):
        return "crash"
    if statement.truth is Truth.REFUSED:
        return "accepted"
    if isinstance(answer, Refuted):
        return "" if is_counterexample(statement, answer.counterexample) else "the counterexample is none"
    if not isinstance(answer, Proved):
        return undefined_fault(statement, getattr(answer, "point", None))
    is_flagged = bool(getattr(answer, "is_vacuous", False) or getattr(answer, "vacuous", False))
    wrong = {Truth.FAILS: "false and proved", Truth.UNDEFINED: "undefined and proved"}
    if statement.truth in wrong:
        return wrong[statement.truth]
    if is_flagged != (statement.truth is Truth.VACUOUS):
        return "called vacuous" if is_flagged else "vacuous and not flagged"
    return ""


def undefined_fault(statement: Statement, point: dict | None) -> str:
    """What is wrong with an open answer that names a point without a value, or ""."""
    if point is None:
        return ""
    try:
        is_one = in_range(point, statement.box, statement.given) and judge(statement.relation, point) is None
    except Undecided as doubt:
        is_one = "0**0" in str(doubt)
    return "" if is_one else "the undefined point is none"


def is_counterexample(statement: Statement, point: dict) -> bool:
    """Whether a point of the range fails the relation there, every subterm defined."""
    if set(point) != set(statement.box) or statement.truth in (Truth.HOLDS, Truth.VACUOUS):
        return False
    try:
        return in_range(point, statement.box, statement.given) and judge(statement.relation, point) is False
    except Undecided:
        return False


def contradiction(statement: Statement) -> str:
    """Why a statement is not what its family says, or "": its witness, its root, and points drawn from the range."""
    expected = {Truth.FAILS: False, Truth.UNDEFINED: None}
    if statement.truth is Truth.REFUSED:
        return ""
    if statement.truth in expected and statement.root is None:
        point = statement.witness
        if point is None or not in_range(point, statement.box, statement.given):
            return f"the witness {point} is not in range"
        if judge(statement.relation, point) is not expected[statement.truth]:
            return f"at the witness {point} it is {judge(statement.relation, point)}"
    if statement.root is not None and not has_root(statement):
        return f"{statement.root} has no root in range"
    allowed = {
        Truth.HOLDS: {True},
        Truth.UNDEFINED: {True, None},
        Truth.FAILS: {True, False, None},
        Truth.VACUOUS: set(),
    }
    for point in sampled(statement):
        if judge_or_none(statement, point) not in allowed[statement.truth]:
            return f"at {point} it is {judge(statement.relation, point)}"
    return ""


def has_root(statement: Statement) -> bool:
    """Whether the root's expression changes its sign between the ends of the box, and touches the relation there."""
    (symbol, (low, high)), root = next(iter(statement.box.items())), statement.root
    ends = [judge(sp.Gt(root, 0, evaluate=False), {symbol: sp.sympify(end)}) for end in (low, high)]
    return ends[0] is not None and ends[0] != ends[1]


def judge_or_none(statement: Statement, point: dict) -> bool | None:
    """The oracle's word at a point; doubt counts as what the family expects."""
    try:
        return judge(statement.relation, point)
    except Undecided:
        return True


def sampled(statement: Statement, count: int = 15) -> Iterator[dict]:
    """Points of the range, from the ends of the box, small numbers, and far out."""
    source = random.Random(str(statement))
    for _ in range(count):
        point = {s: place(source, *map(sp.sympify, ends), s) for s, ends in statement.box.items()}
        try:
            if in_range(point, statement.box, statement.given):
                yield point
        except Undecided:
            continue


def place(source: random.Random, low: sp.Expr, high: sp.Expr, symbol: sp.Symbol) -> sp.Rational:
    """A number between two ends, which may be infinite."""
    if low.is_finite and high.is_finite:
        value = low + (high - low) * sp.Rational(source.choice((0, 24, *range(25))), 24)
    else:
        reach = sp.Rational(source.choice((0, 1, 2, 3, 7, 50, 10**4)), source.choice((1, 2, 3)))
        value = low + reach if low.is_finite else high - reach if high.is_finite else reach * source.choice((-1, 1))
    return sp.floor(value) if symbol.is_integer else value
