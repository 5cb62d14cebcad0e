"""Derived numbers: the exact exponent of a claim's value in each of its axes, alone and along the regime's path.

Alone, one parameter moves and the others stay: what the formula says of that parameter. Along a path all parameters of
the regime move as its hypotheses ask: what the claim says when the theorem applies at all. Neither is a verdict. A
derivation runs like any other trial, by two independent computations (`theory.asymptotics.exponents`), and is stored.
The store is not believed: a row derives the number again, once for each formula and version of the sources, and
refuses a stored one that differs.
"""

from __future__ import annotations

import hashlib
from collections.abc import Sequence
from dataclasses import dataclass, replace

import sympy as sp

from checks.evidence.check import ToolError
from checks.evidence.comparison import make_row
from checks.evidence.later import exponents
from checks.evidence.part import SymbolicPart
from checks.evidence.theory_cache import LIBRARIES, SOURCES, theory_cache
from checks.records.preset import Preset
from checks.records.rows import Row
from checks.records.stored_trials import Unjudgeable
from checks.statistics.explanation import Rule, finding
from checks.statistics.verdict import Judgement, Verdict
from sim.trials.trial import Outcome, Scalar, System, Trial, TrialResult, TrialSpec
from theoremeter_papers import folder_of
from theory.catalogue import select
from theory.claim import Axis, Claim, Evidence, Role
from theory.timeout import TimedOut

_DERIVER = System(
    name="derivation",
    function="checks.evidence.exponents:derive",
    sources=(*SOURCES, "checks.evidence.exponents"),
    libraries=LIBRARIES,
)


@dataclass(frozen=True, kw_only=True)
class Derivation(SymbolicPart):
    """The exponent of a claim's value in one symbol."""

    expression: sp.Expr
    axis: Axis
    words: str = "all other parameters fixed"

    def role_in(self, claim: Claim) -> Role:
        """An exponent of the formula."""
        return Role.DERIVED

    def specs(self, preset: Preset) -> list[TrialSpec]:
        """One trial, the same at every preset; its parameters pin the formula, so a changed one is derived afresh."""
        parameters = {
            "claim": self.claim_id,
            "part": self.name,
            "axis": str(self.axis.symbol),
            "formula": _digest(self),
        }
        return [TrialSpec(replace(_DERIVER, folder=folder_of(self.claim_id.partition(".")[0])), parameters)]

    def axes(self, claim: Claim) -> Sequence[Axis | None]:
        """The one axis."""
        return [self.axis]

    def judge(self, claim: Claim, trials: Sequence[Trial]) -> list[Row]:
        """Show the number, derived again; the paper's words claim nothing beyond it.

        Raises:
            Unjudgeable: the store holds another one.
        """
        (trial,) = trials
        observed = derived_again(self, trial)
        exponent = observed.get("exponent")
        said = (
            f"no exponent, {self.words}: {observed.get('reason')}; "
            "leave Evidence.DERIVED out of the claim where none is meant"
        )
        if exponent is not None:
            degree = observed["log_degree"]
            said = f"exponent {exponent}" + (f", log degree {degree}" if degree != "0" else "") + f": {self.words}"
        derived = finding(said, rule=Rule.DERIVATION, exponent=exponent, log_degree=observed.get("log_degree"))
        judgement = Judgement(Verdict.NO_CLAIM, derived)
        return [make_row(self, claim, judgement, trials, axis=self.axis, exponent=exponent)]


def derivations(claim: Claim) -> tuple[Derivation, ...]:
    """A part for every axis of a claim with derived evidence, and one for its path."""
    if Evidence.DERIVED not in claim.evidence or claim.value is None:
        return ()
    alone = [
        Derivation(name="derived: one moves", claim_id=claim.id, expression=claim.value, axis=axis)
        for axis in claim.axes
        if axis.symbol in claim.value.free_symbols  # a limit has no exponent in what it has let grow
    ]
    if claim.path is None:
        return tuple(alone)
    together = Derivation(
        name="derived: all move",
        words=claim.path.words,
        claim_id=claim.id,
        expression=claim.path.along(claim.value),
        axis=Axis(claim.path.symbol, claim.path.toward),
    )
    return (*alone, together)


def derive(*, claim: str, part: str, axis: str, formula: str, generator: object) -> TrialResult:
    """Derive one exponent. A trial like any other; nothing in it is random."""
    (found,) = (p for p in derivations(select([claim])[0]) if p.name == part and str(p.axis.symbol) == axis)
    if _digest(found) != formula:
        raise ToolError(f"{claim} ({part}) changed while it was derived; run again")
    try:
        told = _derived(found)
    except TimedOut as error:
        told = {"reason": str(error)}
    return TrialResult(Outcome.CONVERGED if "exponent" in told else Outcome.BUDGET, told)


def _derived(part: Derivation) -> dict[str, Scalar]:
    """Exponent and degree of the logarithm, or the reason why there is none.

    Raises:
        TimedOut: it took too long, which says nothing of the formula.
    """
    where = part.axis.symbol, part.axis.toward
    try:
        power, degree = (
            f(part.expression, where[0], toward=where[1]) for f in (exponents.exponent, exponents.log_degree)
        )
    except ValueError as error:
        return {"reason": str(error)}
    return {"exponent": str(power), "log_degree": str(degree)}


def derived_again(part: Derivation, trial: Trial) -> dict[str, str]:
    """What the formula gives, which is what the stored trial must hold.

    Raises:
        Unjudgeable: it holds another exponent, or one where there is none.
    """
    stored = {name: str(value) for name, value in trial.result.observables.items()}
    try:
        found = theory_cache().get(f"derive {_digest(part)}", lambda: _derived(part))
    except TimedOut as error:
        return {"reason": f"it could not be derived again here: {error}"}
    told = {name: str(value) for name, value in found.items()}
    for name in ("exponent", "log_degree"):
        if trial.result.outcome is Outcome.CONVERGED and stored.get(name) != told.get(name):
            words = (
                f"{name} must be what the formula gives, {told.get(name, 'none')}, got {stored.get(name, 'none')!r:.60}"
            )
            raise Unjudgeable(f"{trial.origin or part.claim_id}: {words}")
    return told


def _digest(part: Derivation) -> str:
    """Content of a derivation."""
    toward = part.axis.toward
    texts = [
        sp.srepr(part.expression),
        sp.srepr(part.axis.symbol),
        toward if isinstance(toward, str) else sp.srepr(toward),
    ]
    return hashlib.sha256(" ".join(texts).encode()).hexdigest()[:16]
