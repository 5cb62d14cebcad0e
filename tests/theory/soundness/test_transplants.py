"""Proofs of true statements, moved to false ones and sealed again, are refused by the checker.

Records are read and written as the prover makes them, whatever their format: the fields of a statement come from a
record that refutes it, all others from a record that proves another.
"""

from __future__ import annotations

import copy
import functools
import json
import random
from collections.abc import Iterator
from dataclasses import replace
from typing import Any

import pytest
import sympy as sp

from benchmarks.forging import resealed
from tests.theory.soundness.oracle import Undecided, in_range, judge
from tests.theory.soundness.statements import Statement, Truth, ge, k, product, total
from tests.theory.soundness.trial import SEED, draw, numbers, sampled
from theory.checker.replay import InvalidRecord, replay
from theory.prover.certify import Proved, Refuted, certify

STATEMENT = ("relation", "box", "given")
OPPOSITE = {sp.Ge: sp.Lt, sp.Gt: sp.Le, sp.Le: sp.Gt, sp.Lt: sp.Ge}
CHANGES = 3
"""How many fields are changed, one at a time, in each transplanted proof."""
OTHERS = 2
"""How many proofs of other statements are moved to each falsehood."""
SHORT_S = 0.2
"""For each statement: what is not decided by then mostly stays open, and has no proof to move."""
EVERY = 20
"""Of how many statements one is taken; half of those in `make test`."""
at_any_density = pytest.mark.parametrize("stride", [2 * EVERY, pytest.param(EVERY, marks=pytest.mark.exhaustive)])
Record = dict[str, Any]


def is_accepted(record: Record) -> bool:
    """Whether the checker follows a record, read back from text."""
    try:
        return replay(json.loads(json.dumps(resealed(record))))
    except InvalidRecord:
        return False


def written(statement: Statement) -> Record:
    """The fields of a record that say what is claimed."""
    box = [[sp.srepr(s), *(str(sp.sympify(end)) for end in ends)] for s, ends in statement.box.items()]
    given = [sp.srepr(hypothesis) for hypothesis in statement.given]
    return {"relation": sp.srepr(statement.relation), "box": box, "given": given}


def falsehoods(statement: Statement) -> Iterator[Statement]:
    """Statements close to a true one that fail at a point of their range."""
    relation = statement.relation
    if relation.func not in OPPOSITE:
        return
    strict = {sp.Ge: sp.Gt, sp.Le: sp.Lt}.get(relation.func)
    if strict is not None:
        yield from failing(replace(statement, relation=strict(*relation.args, evaluate=False)))
    yield from failing(replace(statement, relation=OPPOSITE[relation.func](*relation.args, evaluate=False)))
    kind = sp.Gt if isinstance(relation, sp.Gt | sp.Lt) else sp.Ge
    yield from failing(
        replace(statement, relation=kind(total(relation.lts, product(-1, relation.gts)), 1, evaluate=False))
    )
    for less in (sp.Rational(1, 10**9), sp.Rational(1, 100)):
        lowered = kind(relation.gts, total(relation.lts, less), evaluate=False)
        yield from failing(replace(statement, relation=lowered))
    for wider in widened(statement):
        yield from failing(wider)


def widened(statement: Statement) -> Iterator[Statement]:
    """The same relation for more points: a hypothesis dropped, a side of the box moved out."""
    for place in range(len(statement.given)):
        yield replace(statement, given=statement.given[:place] + statement.given[place + 1 :])
    for symbol, (low, high) in statement.box.items():
        if not (symbol.is_nonnegative or symbol.is_nonpositive):
            for more in (7, sp.Rational(1, 1000)):
                yield replace(statement, box={**statement.box, symbol: (low - more, high + more)})


def failing(statement: Statement) -> Iterator[Statement]:
    """The statement, if a drawn point of its range fails it."""
    for point in sampled(statement, 60):
        try:
            if judge(statement.relation, point) is False:
                yield replace(statement, truth=Truth.FAILS, witness=point)
                return
        except Undecided:
            continue


def changed(value: Any, source: random.Random, strings: list[str]) -> Any:
    """One leaf of JSON in another form of its type."""
    if isinstance(value, bool):
        return not value
    if isinstance(value, int):
        return source.choice((-value, value + 1, 0, 2))
    if isinstance(value, str):
        return source.choice(strings)
    return 1


def leaves(value: Any, path: tuple = ()) -> Iterator[tuple]:
    """Paths to all leaves of a JSON value."""
    children = value.items() if isinstance(value, dict) else enumerate(value) if isinstance(value, list) else ()
    if not children:
        yield path
    for key, child in children:
        yield from leaves(child, (*path, key))


def with_one_change(record: Record, source: random.Random) -> Record:
    """The record with one leaf of its proof changed, often to a text from elsewhere in it."""
    record = json.loads(json.dumps(record))
    paths = [path for path in leaves(record) if path[0] not in (*STATEMENT, "digest", "verdict")]
    strings = [at(record, path) for path in leaves(record) if isinstance(at(record, path), str)]
    path = source.choice(paths)
    at(record, path[:-1])[path[-1]] = changed(at(record, path), source, strings)
    return record


def at(value: Any, path: tuple) -> Any:
    """What lies at the end of a path."""
    return functools.reduce(lambda inner, key: inner[key], path, value)


@functools.cache
def proofs(stride: int = EVERY) -> tuple[tuple[Statement, Record], ...]:
    """True statements and the records that prove them."""
    found = []
    for truth, name, index in numbers(stride=stride):
        if truth in (Truth.HOLDS, Truth.VACUOUS):
            statement = draw(truth, name, index, SEED)
            answer = answered(statement)
            if isinstance(answer, Proved):
                found.append((statement, answer.record))
    return tuple(found)


def answered(statement: Statement) -> object:
    """The prover's answer; what it does wrong is for other tests to say."""
    try:
        return certify(statement.relation, statement.box, statement.given, budget_s=SHORT_S)
    except Exception:
        return None


@functools.cache
def transplants(stride: int = EVERY) -> tuple[tuple[Statement, Record, Record], ...]:
    """False statements, the record that refutes each, and the record that proves the true one beside it."""
    found = []
    for statement, proof in proofs(stride):
        for falsehood in falsehoods(statement):
            answer = answered(falsehood)
            if isinstance(answer, Refuted):
                found.append((falsehood, answer.record, proof))
    return tuple(found)


def moved(statement_from: Record, rest_from: Record) -> Record:
    """The statement of one record under all else of another."""
    return copy.deepcopy(rest_from | {key: statement_from[key] for key in STATEMENT})


def test_a_record_sealed_again_without_a_change_is_accepted() -> None:
    """Otherwise nothing here would show anything: every forgery would be refused for its digest."""
    assert len(proofs()) >= 15
    assert len(transplants()) >= 20
    assert all(is_accepted(record) for _, record in proofs())
    assert all(record == record | written(statement) for statement, record in proofs())
    assert all(is_accepted(record) for _, record, _ in transplants())


def test_the_proof_of_a_statement_does_not_prove_a_false_one_beside_it() -> None:
    for statement, refutation, proof in transplants():
        assert not is_accepted(moved(refutation, proof)), statement


def test_no_single_change_makes_a_transplanted_proof_fit() -> None:
    source = random.Random(SEED)
    for statement, refutation, proof in transplants():
        for _ in range(CHANGES):
            forged = with_one_change(moved(refutation, proof), source)
            assert not is_accepted(forged), (str(statement), forged)


@at_any_density
def test_no_proof_of_another_statement_proves_a_false_one(stride: int) -> None:
    source = random.Random(SEED)
    assert len(proofs(stride)) * stride >= 15 * EVERY
    assert len(transplants(stride)) * stride >= 20 * EVERY
    for statement, refutation, _ in transplants(stride):
        for _, proof in source.sample(proofs(stride), min(OTHERS, len(proofs(stride)))):
            assert not is_accepted(moved(refutation, proof)), statement


@at_any_density
def test_no_proof_reaches_a_wider_range_in_which_the_statement_fails_or_is_undefined(stride: int) -> None:
    tried = 0
    for statement, proof in proofs(stride):
        for wider in widened(statement):
            if not is_true_throughout(wider):
                assert not is_accepted(proof | written(wider)), wider
                tried += 1
    assert tried >= (10 if stride == EVERY else 3)


@pytest.mark.parametrize("truth", [Truth.FAILS, Truth.UNDEFINED])
def test_no_single_step_proves_what_fails_or_is_undefined(truth: Truth) -> None:
    """Identities among them: a normal form that took a small constant for zero would show here."""
    for kind, name, index in numbers(stride=10):
        statement = draw(kind, name, index, SEED)
        if kind is truth and statement.box:
            for by in ("identity", "interval", "zero", "shift", "empty", "mean", "model"):
                proof = {"by": by} | ({"order": 3} if by == "model" else {})
                forged = written(statement) | {"verdict": "proved", "proof": proof}
                assert not is_accepted(forged), (by, str(statement))


def test_a_slope_at_integers_says_nothing_between_them() -> None:
    """4k^3 - 6k^2 + k is 0 at 0 and -1 at 1, and its slope is 1 at both."""
    statement = Statement(ge(4 * k**3 - 6 * k**2 + k, 0), {k: (0, 1)})
    at_an_integer = {"by": "interval"}
    symbol = written(statement)["box"][0][0]
    slope = {"by": "split", "symbol": symbol, "at": "0", "below": at_an_integer, "above": at_an_integer}
    proof = {"by": "monotone", "symbol": symbol, "sign": 1, "slope": slope, "face": at_an_integer}
    assert not is_accepted(written(statement) | {"verdict": "proved", "proof": proof})
    assert judge(statement.relation, {k: sp.S.One}) is False


def is_true_throughout(statement: Statement) -> bool:
    """Whether no drawn point of the range fails a statement or leaves it undefined."""
    try:
        return all(judge(statement.relation, point) for point in sampled(statement, 60))
    except Undecided:
        return True


@at_any_density
def test_the_counterexample_of_a_falsehood_does_not_refute_the_truth_beside_it(stride: int) -> None:
    for statement, refutation, proof in transplants(stride):
        assert not is_accepted(moved(proof, refutation)), statement


@at_any_density
@pytest.mark.parametrize("verdict", ["proved", "refuted", "unknown", None])
def test_a_verdict_that_was_changed_is_refused(verdict: str | None, stride: int) -> None:
    for _, refutation, proof in transplants(stride):
        for record in (refutation, proof):
            if record["verdict"] != verdict:
                assert not is_accepted(record | {"verdict": verdict})


def test_an_undefined_point_refutes_nothing() -> None:
    """A counterexample at which a subterm has no value is none, though the statement fails elsewhere."""
    x = sp.Symbol("x", real=True)
    answer = certify(sp.Ge(1 / x, 0, evaluate=False), {x: (-1, 1)}, budget_s=5)
    assert isinstance(answer, Refuted)
    assert in_range(answer.counterexample, {x: (-1, 1)}, ())
    assert judge(sp.Ge(1 / x, 0, evaluate=False), answer.counterexample) is False
    text = json.dumps(answer.record)
    value = str(answer.counterexample[x])
    forged = json.loads(text.replace(json.dumps(value), json.dumps("0"))) if json.dumps(value) in text else None
    if forged is not None:
        assert not is_accepted(forged)
