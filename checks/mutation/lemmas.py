"""Falsehoods near lemmas: one side of a relation times a little more than 1.

Of claims of which nothing is measured every lemma counts; of others those that stand in the place of one that is false
as printed, so that a correction says no more than it must.

The prover must refute what it proves without the factor. A relation with a zero on one side is turned round instead: no
factor changes it. What some constants must exist for has none to be false by.
"""

from __future__ import annotations

import itertools
from collections.abc import Callable, Iterable, Iterator
from functools import partial
from typing import Any

import sympy as sp

from checks.catalogue import discover
from checks.evidence import list_lemmas
from checks.evidence.check import Check
from checks.evidence.proofs import problem
from checks.evidence.refutation import Construction
from checks.mutation.mutant import HIDDEN, NOTHING, ONE_SIDE, OUTGROWN, TURNED, Mutant
from checks.records.preset import Preset
from checks.statistics.explanation import Topic, obstacle
from checks.statistics.verdict import Judgement, Verdict
from theoremeter_papers import Paper, repository, unnamed
from theory.claim import Claim, Identity, Inequality, Kind, Lemma, OverLists
from theory.prover.certify import Proved, Refuted, certify

BUDGET_S = 3.0
"""Of one search: what is false by a factor is refuted in a fraction of it."""
CHOOSING_S = 12.0
"""Where constants may be chosen: a choice is looked for."""
MOST = 6
"""Lemmas of a claim that are falsified, the first that can be."""
FACTORS = (sp.Rational(101, 100), sp.Rational(2), sp.Rational(10))
"""How much one side is changed, the least that makes the relation false."""


Settling = Callable[[sp.Basic], Any]
"""What the prover says of a relation, with the ranges and conditions of a lemma."""


def of_lemmas(among: Iterable[Paper] | None = None) -> Iterator[Mutant]:
    """Falsehoods near every claim of the repository's papers, or of some, that no trial of a simulator contradicts."""
    for check in discover(unnamed(repository()) if among is None else among).values():
        if check.claim.kind is Kind.OPEN:
            yield _none(check.claim, "an open question asserts nothing")
        elif not _is_measured(check):
            yield from of_claim(check.claim)
        else:
            yield from _of_lemmas(check.claim, corrections(check.claim))


def of_claim(claim: Claim) -> Iterator[Mutant]:
    """Falsehoods near the lemmas of one claim; one that says why there is none where none is."""
    found = _of_lemmas(claim, claim.lemmas)
    yield from found
    if not found:
        yield _none(claim, "what is asked is whether constants exist, and none is printed")


def _of_lemmas(claim: Claim, lemmas: Iterable[Lemma]) -> list[Mutant]:
    """Falsehoods near the first lemmas that have one."""
    relations = (lemma for lemma in lemmas if isinstance(lemma, Inequality | Identity | OverLists))
    return list(itertools.islice(filter(None, (_near(claim, lemma) for lemma in relations)), MOST))


def corrections(claim: Claim) -> list[Lemma]:
    """The lemmas that stand in the place of others."""
    named = {lemma.instead for lemma in claim.lemmas if lemma.instead}
    return [lemma for lemma in claim.lemmas if lemma.name in named]


def _is_measured(check: Check) -> bool:
    """Whether trials could contradict the claim: a construction that fails contradicts nothing, but its lemmas can."""
    measured = [part for part in check.parts if part.is_measured and not isinstance(part, Construction)]
    return any(part.specs(preset) for part in measured for preset in Preset)


def _none(claim: Claim, why: str) -> Mutant:
    left = Judgement(Verdict.NO_CLAIM, obstacle(Topic.UNDEFINED, why))
    return Mutant(claim.id, "", "", NOTHING, "proof", Verdict.NO_CLAIM, left, why)


def _near(claim: Claim, lemma: Inequality | Identity | OverLists) -> Mutant | None:
    """The nearest falsehood to a lemma that the prover refutes; None where the lemma itself is not proved at once."""
    is_chosen = isinstance(lemma, OverLists) and list_lemmas.is_chosen(list_lemmas.read(lemma))
    if isinstance(lemma, OverLists):
        relation = list_lemmas.relations_of(lemma)[0]
        seconds = CHOOSING_S if is_chosen else BUDGET_S
        settle: Settling = partial(list_lemmas.settle_another, lemma, seconds=seconds)
    else:
        relation, box, given = problem(claim.under_hypotheses(lemma))
        settle = partial(certify, box=box, given=given, budget_s=BUDGET_S)
    if not isinstance(settle(relation), Proved):
        return None
    false_ones = [(OUTGROWN, list_lemmas.outgrown(lemma))] if is_chosen else _falsified(relation)  # type: ignore[arg-type]
    for name, falsified in false_ones:
        if isinstance(settle(falsified), Refuted):
            refuted = Judgement(Verdict.REFUTED, obstacle(Topic.UNDEFINED, name))
            return Mutant(claim.id, lemma.name, "", name, "proof", Verdict.PROVED, refuted)
    left = Judgement(Verdict.PROVED, obstacle(Topic.UNDEFINED, HIDDEN))
    return Mutant(claim.id, lemma.name, "", ONE_SIDE[FACTORS[0]], "proof", Verdict.PROVED, left, HIDDEN)


def _falsified(relation: sp.Basic) -> Iterator[tuple[str, sp.Basic]]:
    """The relation with one side times each factor, or turned round where a side is zero."""
    if isinstance(relation, sp.Eq):
        left, right = relation.args
        turned = {} if right != 0 else {TURNED: sp.Eq(left, 1, evaluate=False)}
        sides = {ONE_SIDE[factor]: sp.Eq(left, factor * right, evaluate=False) for factor in FACTORS if right != 0}
        yield from (turned | sides).items()
        return
    kind = sp.Gt if isinstance(relation, sp.StrictGreaterThan | sp.StrictLessThan) else sp.Ge
    greater, less = relation.gts, relation.lts
    if 0 in (greater, less):
        yield TURNED, kind(less, greater, evaluate=False)
        return
    for factor in FACTORS:
        yield ONE_SIDE[factor], kind(greater, factor * less, evaluate=False)
        yield ONE_SIDE[factor], kind(greater, less / factor, evaluate=False)
    yield TURNED, kind(less, greater, evaluate=False)
