"""Evidence by symbols: a lemma of a claim is proved, certified, refuted with an exact point, or left unknown.

Conditions are satisfiable at a point, inconsistent with a derivation, or left undecidable. What holds for some
constants is proved with a choice, or refuted by a proof that none serves.

Proving runs like any other trial and is stored with its record; reading the table never proves anything, it replays
records with the independent checker. The record alone is believed: one that does not replay, or that speaks of another
statement than the claim's lemma, is an error of the tool and never a verdict.
"""

from __future__ import annotations

import functools
import hashlib
import json
import re
from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass, replace
from typing import TYPE_CHECKING, Any

import sympy as sp
from sympy.core.facts import InconsistentAssumptions

from checks.evidence import list_lemmas
from checks.evidence.check import Check, ToolError, mistakes_collected
from checks.evidence.comparison import make_row
from checks.evidence.later import certifying, compiled_proofs, existence, exponents, proof_records, replaying
from checks.evidence.part import SymbolicPart
from checks.evidence.regime import met_at
from checks.evidence.theory_cache import LIBRARIES, SOURCES, theory_cache
from checks.records.preset import Preset
from checks.records.rows import Row
from checks.statistics.explanation import Clause, Explanation, Rule, Topic, counted, finding, obstacle
from checks.statistics.verdict import FAILING, Judgement, Verdict
from sim.trials.trial import Outcome, System, Trial, TrialResult, TrialSpec
from theoremeter_papers import folder_of
from theory.catalogue import select
from theory.claim import Claim, Conditions, ForSome, Identity, Inequality, Lemma, Limit, Met, OverLists, Role
from theory.failures import Failure, caught, recorded
from theory.relations import with_plain_indices
from theory.timeout import TimedOut

if TYPE_CHECKING:
    from theory.prover.certify import Proved, Refuted, Unknown

_PROVER = System(
    name="proof",
    function="checks.evidence.proofs:prove",
    sources=(*SOURCES, "checks.evidence.proofs"),
    libraries=LIBRARIES,
)
_Recorded = Inequality | Identity | Conditions | ForSome | OverLists
"""Lemmas whose evidence is a record."""
_SUBDIVIDING = {"split", "mean", "taylor", "model"}
"""Steps of a record that rest on intervals, of small pieces or of coefficients. Such a proof, or one that encloses exp,
log or a root, is called certified; one by algebra alone is called proved."""
_PROOFS = ("proof", "defined", "vacuous", "pieces", "parts", "steps", "start", "last", "inside", "bounds", "ahead")
"""Entries of a record that hold steps of a proof."""
_MAX_FAILURES = 20
"""Failed steps of a search that a line names."""


@dataclass(frozen=True, kw_only=True)
class Proof(SymbolicPart):
    """One lemma of a claim."""

    lemma: Lemma
    budget_seconds: float = 20.0
    retry_budget_s: float | None = None
    """Where it was left unknown with less, it is asked again with so many seconds."""

    def role_in(self, claim: Claim) -> Role:
        """As the claim has it."""
        return claim.role_of(self.lemma)

    @functools.cached_property
    def statement(self) -> str:
        """Digest of what is to be settled."""
        return _digest(self.lemma)

    def specs(self, preset: Preset) -> list[TrialSpec]:
        """One trial, the same at every preset; its parameters pin the statement, so a changed one is proved afresh."""
        parameters = {
            "claim": self.claim_id,
            "lemma": self.lemma.name,
            "statement": self.statement,
            "budget_seconds": self.budget_seconds,
        }
        system = replace(_PROVER, folder=folder_of(self.claim_id.partition(".")[0]))
        # A limit has no budget but that of every derivation.
        again = None if isinstance(self.lemma, Limit) else self.retry_budget_s
        return [TrialSpec(system, parameters, retry_budget_s=again)]

    def judge(self, claim: Claim, trials: Sequence[Trial]) -> list[Row]:
        """Replay the stored record; what fails as printed names the nearest true form."""
        (trial,) = trials
        judgement = _within_hypotheses(claim, self.lemma, trial, judge_record(claim.id, self.lemma, trial))
        if judgement.verdict in FAILING and self.lemma.instead:
            instead = Clause(Topic.TRUE_FORM, f"true instead: {self.lemma.instead}", {"lemma": self.lemma.instead})
            judgement = judgement.adding(next=(instead,))
        return [make_row(self, claim, judgement, trials)]


def _within_hypotheses(claim: Claim, lemma: Lemma, trial: Trial, judgement: Judgement) -> Judgement:
    """No accusation from a point that fails a hypothesis, also one that could not be among the conditions."""
    if judgement.verdict is not Verdict.REFUTED or isinstance(lemma, Limit | Conditions | ForSome):
        return judgement
    record = json.loads(str(trial.result.observables["record"]))
    if isinstance(lemma, OverLists):
        point: dict[sp.Symbol, sp.Expr] = in_letters_of(claim, list_lemmas.numbers_at(record, lemma))
    else:
        symbols = {_text(symbol): symbol for symbol in lemma.relation.free_symbols.union(lemma.box)}
        point = {symbols[name]: sp.Rational(value) for name, value in record["point"] if name in symbols}
    failed = failed_hypothesis(claim, lemma, point)
    if not failed:
        return judgement
    words = f"the counterexample found fails a hypothesis, {failed}"
    return judgement.withdrawn(Verdict.UNKNOWN, Clause(Topic.OTHER_POINT, words, {"hypothesis": failed}))


def in_letters_of(claim: Claim, numbers: Mapping[str, sp.Rational]) -> dict[sp.Symbol, sp.Expr]:
    """Numbers by the letters of a claim's hypotheses; what is typed has letters of its own, of the same names."""
    letters = {symbol for hypothesis in claim.regime for symbol in hypothesis.relation.free_symbols}
    return {symbol: numbers[symbol.name] for symbol in letters if symbol.name in numbers}  # type: ignore[attr-defined]


def failed_hypothesis(claim: Claim, lemma: Lemma, point: Mapping[sp.Symbol, sp.Expr]) -> str:
    """The first of the claim's hypotheses that a point fails, by name; "" for none, or for a lemma beyond them."""
    if isinstance(lemma, Inequality) and lemma.beyond:
        return ""
    return next((h.name for h in claim.regime if met_at(h, point) is Met.NOT_MET), "")


def proofs(claim: Claim, *, budget_seconds: float = 20.0) -> tuple[Proof, ...]:
    """A part for every lemma of a claim; `checks.catalogue.discover` joins them to the claim's check."""
    return tuple(
        Proof(name=lemma.name, claim_id=claim.id, lemma=claim.under_hypotheses(lemma), budget_seconds=budget_seconds)
        for lemma in claim.lemmas
    )


def asked_again(check: Check, budget_s: float) -> Check:
    """The check whose lemmas are put to the prover again where they were left unknown with fewer seconds."""
    parts = (replace(part, retry_budget_s=budget_s) if isinstance(part, Proof) else part for part in check.parts)
    with mistakes_collected():  # what is broken stays so
        return replace(check, parts=tuple(parts))


def prove(*, claim: str, lemma: str, statement: str, budget_seconds: float, generator: object) -> TrialResult:
    """Try to settle one lemma. A trial like any other; the search has its own fixed seed and ignores `generator`."""
    (source,) = select([claim])
    (found,) = (source.under_hypotheses(candidate) for candidate in source.lemmas if candidate.name == lemma)
    if _digest(found) != statement:
        raise ToolError(f"{claim} ({lemma}) changed while its proof was on the way; run again")
    observables = _settled(found, budget_seconds)
    outcome = Outcome.BUDGET if observables["status"] == "unknown" else Outcome.CONVERGED
    return TrialResult(outcome, observables)


def _settled(lemma: Lemma, budget_seconds: float) -> dict[str, Any]:
    """What a row keeps of a search; one that fails altogether has left its lemma unknown, and says how it failed."""
    with recorded() as failures:
        try:
            with caught("the search as a whole"):
                if isinstance(lemma, Limit):
                    return _settle_limit(lemma)
                if isinstance(lemma, ForSome):
                    return _settle_for_some(lemma, budget_seconds) | {"budget_s": budget_seconds}
                if isinstance(lemma, OverLists):
                    return _settle_over_lists(lemma, budget_seconds) | {"budget_s": budget_seconds}
                return _settle_relation(lemma, budget_seconds) | {"budget_s": budget_seconds}
            reason = "the search failed"
        except TimedOut as error:
            reason = str(error)
        except RecursionError:
            reason = "the expression is nested too deep"
    return {"status": "unknown", "reason": reason, "budget_s": budget_seconds} | _kept(failures.listed())


def _kept(failures: Sequence[Failure]) -> dict[str, str]:
    """Steps that failed, as a row keeps them."""
    return {"failures": json.dumps([asdict(failure) for failure in failures])} if failures else {}


def _settle_relation(lemma: Inequality | Identity | Conditions, budget_seconds: float) -> dict[str, Any]:
    relation, box, given = problem(lemma)
    return _observed(certifying.certify(relation, box, given, budget_s=budget_seconds))


def _settle_over_lists(lemma: OverLists, budget_seconds: float) -> dict[str, Any]:
    if why := list_lemmas.why_not_read(lemma):
        return {"status": "unknown", "reason": f"it is not read: {why}"}
    return _observed(list_lemmas.settle(lemma, budget_seconds))


def _observed(answer: Proved | Refuted | Unknown) -> dict[str, Any]:
    """What a row keeps of an answer."""
    if isinstance(answer, certifying.Proved):
        return {"status": "proved", "record": json.dumps(answer.record)} | _kept(answer.failures)
    if isinstance(answer, certifying.Refuted):
        refuted = {"status": "refuted", "record": json.dumps(answer.record), "value": str(answer.value)}
        return refuted | _kept(answer.failures)
    return {"status": "unknown", "reason": answer.reason} | _kept(answer.failures)


def not_read(lemma: Lemma) -> str:
    """Why the checker does not read a lemma, so that it stays unknown; "" where it does, or it is settled otherwise."""
    if isinstance(lemma, OverLists):
        return list_lemmas.why_not_read(lemma)
    return "" if isinstance(lemma, Limit | ForSome) else certifying.refusal_of(*problem(lemma))


def _settle_for_some(lemma: ForSome, budget_seconds: float) -> dict[str, Any]:
    answer = existence.certify_exists(
        lemma.relations, lemma.constants, lemma.box, lemma.given, such=lemma.such, budget_s=budget_seconds
    )
    if isinstance(answer, existence.ExistenceUnknown):
        return {"status": "unknown", "reason": answer.reason} | _kept(answer.failures)
    status = "proved" if isinstance(answer, existence.Serves) else "refuted"
    return {"status": status, "record": json.dumps(answer.record)} | _kept(answer.failures)


def _settle_limit(lemma: Limit) -> dict[str, Any]:
    try:
        return {"status": "settled", "value": _settle_limit_value(lemma)}
    except (exponents.Undetermined, TimedOut) as error:
        return {"status": "unknown", "reason": str(error), "budget_s": exponents.CALL_SECONDS}


def judge_record(claim_id: str, lemma: Lemma, trial: Trial) -> Judgement:
    """Verdict of a stored proof. Raises ToolError where the record does not stand up."""
    try:
        return _judged(lemma, trial.result.observables)
    except replaying.InvalidRecord as error:
        raise ToolError(f"{claim_id} ({lemma.name}): the stored certificate fails its re-check: {error}") from None
    except _Foreign as error:
        raise ToolError(f"{claim_id} ({lemma.name}): {error}") from None


class _Foreign(ValueError):
    """What is stored is no record of this lemma."""


def record_of(lemma: Lemma, trial: Trial) -> dict[str, Any] | None:
    """The record of a stored proof or refutation, or None. Raises ToolError where it speaks of another lemma."""
    if isinstance(lemma, Limit) or trial.result.observables.get("status") not in ("proved", "refuted"):
        return None
    try:
        return _read_record(lemma, trial.result.observables.get("record"))
    except _Foreign as error:
        raise ToolError(f"{lemma.name}: {error}") from None


def _judged(lemma: Lemma, observed: Mapping[str, Any]) -> Judgement:
    status = observed.get("status")
    if status == "unknown":
        sought = "neither proved nor refuted"
        if isinstance(lemma, Conditions):
            sought = "neither a point where all hold nor a contradiction"
        verdict = Verdict.UNDECIDABLE if isinstance(lemma, Conditions) else Verdict.UNKNOWN
        return Judgement(verdict, _left_open(sought, observed))
    if status not in (("settled",) if isinstance(lemma, Limit) else ("proved", "refuted")):
        raise _Foreign(f"the stored row has no known status, got {str(status)[:80]!r}")
    if isinstance(lemma, Limit):
        return _judge_limit(lemma, _limit_again(lemma, str(observed.get("value"))))
    record = _read_record(lemma, observed.get("record"))
    shown = _replay(record)
    return _judge_refuted(lemma, record) if shown == "refuted" else _judge_proved(lemma, record, shown)


def _left_open(sought: str, observed: Mapping[str, Any]) -> Explanation:
    """Why a search ended with nothing: its reason, the seconds it was allowed, and each step that failed."""
    reason, budget = observed.get("reason", "no reason is stored"), observed.get("budget_s")
    if type(budget) not in (int, float):
        return obstacle(Topic.SEARCH, f"{sought}: {reason}")
    allowed = obstacle(Topic.SEARCH, f"{sought} in {budget:g} s of computation: {reason}", budget_s=budget)
    return allowed.adding(decision=tuple(map(_failed_step, _read_failures(observed.get("failures", "[]")))))


def _failed_step(failure: Failure) -> Clause:
    return Clause(Topic.FAILED_STEP, str(failure), asdict(failure))


def _read_failures(text: object) -> list[Failure]:
    """The failures that a row keeps, of bounded number and length."""
    try:
        rows = json.loads(str(text))
        failures = [Failure(**row) for row in rows[:_MAX_FAILURES]]
    except (ValueError, TypeError, KeyError, RecursionError):
        raise _Foreign("the stored failures are no list of failures") from None
    for failure in failures:
        texts = (failure.step, failure.kind, failure.place, failure.message)
        if type(failure.count) is not int or not all(isinstance(part, str) and len(part) <= 300 for part in texts):
            raise _Foreign("a stored failure has no step, kind, count, place and message")
    return failures


def _read_record(lemma: _Recorded, text: object) -> dict[str, Any]:
    """The stored record, if it speaks of this lemma: compared as text, before any of it is read as mathematics."""
    try:
        record = json.loads(str(text))
    except (ValueError, RecursionError):
        raise _Foreign("the stored certificate is no JSON") from None
    if not isinstance(record, dict):
        raise _Foreign("the stored certificate is no object")
    for key, said in _stated(lemma).items():
        if record.get(key) != said and _plain(record.get(key)) != _plain(said):
            raise _Foreign(f"the stored certificate speaks of another {key}")
    return record


_SYMBOL = re.compile(r"Symbol\('([A-Za-z0-9_]{1,60})'((?:, [a-z_]{1,30}=(?:True|False)){1,30})\)")


def _plain(said: object) -> str:
    """What is stated, each symbol with all that follows of it: a positive one that is said to be real too is the same.

    sympy holds such symbols for equal and hands back whichever an expression was first built with.
    """
    return _SYMBOL.sub(lambda found: _with_consequences(*found.groups()), json.dumps(said))


@functools.cache
def _with_consequences(name: str, assumptions: str) -> str:
    pairs = (pair.split("=") for pair in assumptions.removeprefix(", ").split(", "))
    given = {key: value == "True" for key, value in pairs}
    if not all(hasattr(sp.Symbol, f"is_{key}") for key in given):
        raise _Foreign("a stored symbol has an assumption that there is not")
    try:
        known = sp.Symbol(name, **given).assumptions0
    except InconsistentAssumptions:
        raise _Foreign("a stored symbol has assumptions that contradict each other") from None
    return f"Symbol({name}, {sorted(known.items())})"


def _replay(record: dict[str, Any]) -> str:
    """What the record has shown; the checker is asked once for each record and version of the sources."""
    replaying.require_plain(record)
    return theory_cache().get(f"replay {json.dumps(record, sort_keys=True)}", lambda: replaying.replay(record))


def _judge_refuted(lemma: _Recorded, record: dict[str, Any]) -> Judgement:
    verdict = Verdict.SATISFIABLE if isinstance(lemma, Conditions) else Verdict.REFUTED
    return Judgement(verdict, _shown(shown_refutation(lemma, record), record))


def _shown(words: str, record: Mapping[str, Any], steps: int | None = None) -> Explanation:
    """What a record shows, and by which other kernel its export was compiled, if by any."""
    kernel = compiled_proofs.compiled_by(record)
    figures: dict[str, Any] = {} if steps is None else {"steps": steps}
    if not kernel:
        return finding(words, rule=Rule.RECORD, **figures)
    return finding(f"{words}; its export compiles in {kernel}", rule=Rule.RECORD, kernel=kernel, **figures)


def shown_refutation(lemma: Lemma, record: Mapping[str, Any]) -> str:
    """What a record says that ends in a point, in one line."""
    if isinstance(lemma, ForSome):
        such = f" with {' and '.join(map(str, lemma.such))}" if lemma.such else ""
        return f"no {', '.join(map(str, lemma.constants))}{such} serves: {proof_records.shown_cover(dict(record))}"
    if "at" in record and isinstance(lemma, OverLists):
        return f"{'' if 'cover' in record else 'fails at '}{list_lemmas.shown_at(record, lemma)}"
    point = proof_records.shown_point(record["point"])
    if isinstance(lemma, Conditions):
        return f"all hold at {point or 'every point'}"
    return f"fails at {point}: left - right = {proof_records.difference_at(dict(record))}"


def _judge_proved(lemma: _Recorded, record: dict[str, Any], shown: str) -> Judgement:
    proof = [record[key] for key in _PROOFS if key in record]
    steps = sorted(_methods(proof))
    number = _count(proof)
    certified = f"certificate of {counted(number, 'steps')} ({', '.join(steps)}) re-checked"
    if isinstance(lemma, Conditions):
        *others, last = lemma.relations
        given = " and ".join(map(str, others))
        words = f"{last} fails wherever {given or 'the symbols are defined'}; {certified}"
        return Judgement(Verdict.INCONSISTENT, _shown(words, record, steps=number))
    if shown == "vacuous":
        certified = f"vacuous, no point satisfies the givens; {certified}"
    if isinstance(lemma, ForSome):
        certified = f"with {proof_records.shown_point(record['choice'])}; {certified}"
    if isinstance(lemma, OverLists):
        certified = f"with {list_lemmas.shown_choice(record)}; {certified}" if "choice" in record else certified
        encloses = list_lemmas.has_functions(lemma)
    else:
        relations = lemma.relations if isinstance(lemma, ForSome) else (lemma.relation,)
        encloses = not isinstance(lemma, Identity) and any(relation.atoms(sp.Function) for relation in relations)
    verdict = Verdict.CERTIFIED if encloses or _SUBDIVIDING & set(steps) else Verdict.PROVED
    if shown == "vacuous":  # proved, but of nothing
        verdict = Verdict.VACUOUS
    return Judgement(verdict, _shown(certified, record, steps=number))


def _limit_again(lemma: Limit, stored: str) -> str:
    """The value of a limit, derived again, for it has no record to replay; it must be the one that is stored."""
    question = json.dumps(["limit", *map(_text, (lemma.expression, lemma.symbol, lemma.point))])
    try:
        found = theory_cache().get(question, lambda: _settle_limit_value(lemma))
    except (exponents.Undetermined, TimedOut) as error:
        raise _Foreign(f"the stored value of the limit cannot be derived again: {error}") from None
    if not _is_same(found, stored):
        raise _Foreign(f"the stored value of the limit is not what is derived, {found[:80]}, got {stored[:80]!r}")
    return found


def _is_same(found: str, stored: str) -> bool:
    """Whether two values are equal, in whatever form: a square may come expanded, or as it was written."""
    try:
        return proof_records.agree(found, stored) is True
    except proof_records.InvalidRecord:
        return False


def _settle_limit_value(lemma: Limit) -> str:
    return sp.srepr(exponents.limit(lemma.expression, lemma.symbol, lemma.point))


def _judge_limit(lemma: Limit, text: str) -> Judgement:
    """Equal by a rigorous zero test, or different at a point for certain; neither leaves it open."""
    is_same = proof_records.agree(text, _text(lemma.value))
    if is_same:
        words, verdict = f"two independent computations agree on {proof_records.shown(text)}", Verdict.PROVED
    elif is_same is None:
        words = f"the limit is {proof_records.shown(text)}; nothing shows that {lemma.value} is the same"
        verdict = Verdict.UNKNOWN
    else:
        words, verdict = f"the limit is {proof_records.shown(text)}, not {lemma.value}", Verdict.REFUTED
    return Judgement(verdict, finding(words, rule=Rule.LIMIT, limit=proof_records.shown(text)))


def problem(
    lemma: Lemma,
) -> tuple[sp.Basic, dict[sp.Symbol, tuple[Any, Any]], tuple[sp.Basic, ...]]:
    """Relation, box and side conditions of a lemma; an identity has the natural range of its symbols."""
    if isinstance(lemma, Limit | ForSome | OverLists):
        kinds = "a limit, what holds for some constants, or what is said of lists"
        raise TypeError(f"{kinds} says nothing of a point, got {lemma.name}")
    if isinstance(lemma, Conditions):
        lemma = lemma.denial
    box = dict(lemma.box) if isinstance(lemma, Inequality) else lemma.ranges
    return with_plain_indices(lemma.relation), box, tuple(map(with_plain_indices, lemma.given))


def _digest(lemma: Lemma) -> str:
    """Content of a statement, so that a stored proof can never stand in for a changed one."""
    if isinstance(lemma, Limit):
        said: Any = [_text(part) for part in (lemma.expression, lemma.symbol, lemma.point, lemma.value)]
    elif isinstance(lemma, OverLists):
        said = ["lists", *list_lemmas.texts_of(lemma)]
    else:
        said = _stated(lemma)
    return hashlib.sha256(json.dumps(said).encode()).hexdigest()[:16]


def _stated(lemma: _Recorded) -> dict[str, Any]:
    """What a record of a lemma must speak of, as records write it."""
    if isinstance(lemma, ForSome):
        said: dict[str, Any] = {
            "exists": _rows(lemma.constants),
            "such": list(map(_text, lemma.such)),
            "relations": list(map(_text, lemma.relations)),
        }
        return said | {"box": _rows(lemma.box), "given": list(map(_text, lemma.given))}
    if isinstance(lemma, OverLists):
        return dict(list_lemmas.read(lemma).said)
    relation, box, given = problem(lemma)
    return {"relation": _text(relation), "box": _rows(box), "given": list(map(_text, given))}


def _rows(box: Mapping[sp.Symbol, tuple[Any, Any]]) -> list[list[str]]:
    """Ranges as records write them."""
    return [[_text(symbol), *(str(sp.sympify(end, strict=True)) for end in ends)] for symbol, ends in box.items()]


@functools.lru_cache(maxsize=None, typed=True)
def _text(expression: sp.Basic | int) -> str:
    """An expression with the assumptions on its symbols; writing a long one takes as long as checking its proof."""
    return sp.srepr(sp.sympify(expression, strict=True))


def _methods(node: Any) -> set[str]:
    """Names of the methods a record uses."""
    if isinstance(node, dict):
        own = {str(node["by"])} if "by" in node else set()
        return own.union(*(_methods(child) for child in node.values()))
    return set().union(*map(_methods, node)) if isinstance(node, list) else set()


def _count(node: Any) -> int:
    """Number of steps of a record."""
    if isinstance(node, dict):
        return ("by" in node) + sum(map(_count, node.values()))
    return sum(map(_count, node)) if isinstance(node, list) else 0
