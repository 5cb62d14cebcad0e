"""A check joins a claim with the evidence that settles it; the catalogue of checks; the rows of many.

A `Check` is a claim and its parts (`checks.part`). pytest and the command line consume the same checks; neither imports
the other. Nothing is registered: `discover` collects every module-level `Check` below `checks/<paper>/` and joins to it
what symbols settle, which follows from the claim alone: a proof for each of its lemmas, an exponent for each of its
axes. A claim without a check is a row all the same.
"""

from __future__ import annotations

import functools
import importlib
import math
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace

import sympy as sp

from checks.headline import Headline, headline_of
from checks.part import APART_WORDS, Control, Outside, Part, SymbolicPart, Symbols
from checks.pictures import Cells, Curve, Lines, Matrix, Picture
from checks.preset import Preset
from checks.rounds import Placement
from checks.rows import Point, Row
from checks.verdict import Judgement, Verdict
from sim.trial import Outcome, Trial, TrialSpec
from theory.claim import PAPERS, Claim, Evidence, instances_below
from theory.claim import discover as discover_claims

SYMBOLIC_LIBRARIES = ("sympy", "mpmath", "python-flint")
"""What a proof or a derived number rests on, and no simulator."""

__all__ = [
    "APART_WORDS",
    "SYMBOLIC_LIBRARIES",
    "Cells",
    "Check",
    "Control",
    "Curve",
    "Lines",
    "Matrix",
    "Outside",
    "Part",
    "Picture",
    "Point",
    "Preset",
    "Row",
    "SymbolicPart",
    "Symbols",
    "ToolError",
    "claim_headline",
    "claim_verdict",
    "discover",
    "diverged",
    "evaluate",
    "exact",
    "symbolic",
]


@dataclass(frozen=True)
class Check:
    """A claim and the parts that measure, prove or certify it."""

    claim: Claim
    parts: tuple[Part, ...]

    def __post_init__(self) -> None:
        for part in self.parts:
            part.require_kind(self.claim)

    def specs(self, preset: Preset) -> list[TrialSpec]:
        """All trials of all parts and of their controls."""
        return [
            spec for part in self.parts for specs in (part.specs(preset), part.control_specs(preset)) for spec in specs
        ]

    def rows(self, preset: Preset, trials: Mapping[str, Trial], placement: Placement = Placement.GRID) -> list[Row]:
        """All rows of all parts."""
        return [row for part in self.parts for row in part.rows(self.claim, preset, trials, placement)]


def symbolic(check: Check) -> Check:
    """The check without what trials of a simulator settle: its proofs and derived numbers."""
    return Check(check.claim, tuple(part for part in check.parts if not part.is_measured))


@functools.cache
def discover() -> dict[str, Check]:
    """Every claim's check by id, in catalogue order: its measured parts, its proofs, its derived exponents."""
    from checks.derivations import derivations
    from checks.proofs import proofs

    checks: dict[str, Check] = {}
    for folder in PAPERS.values():
        for module, check in instances_below(f"checks.{folder}", Check):
            if not isinstance(check, Check):
                raise TypeError(f"a check must be a Check, got {check!r} in {module}")
            if checks.setdefault(check.claim.id, check) is not check:
                raise ValueError(f"a claim has one check, got a second one for {check.claim.id} in {module}")
    measured = {name: _translated(checks[name]) if name in checks else () for name in discover_claims()}
    return {
        name: Check(claim, (*measured[name], *proofs(claim), *derivations(claim)))
        for name, claim in discover_claims().items()
    }


def _translated(check: Check) -> tuple[Part, ...]:
    """A check's parts, those without a translation of parameters with the paper's own."""
    own = importlib.import_module(f"checks.{check.claim.paper}.setting").symbols
    return tuple(replace(part, symbols=own) if part.symbols is None else part for part in check.parts)


def evaluate(
    checks: Iterable[Check],
    preset: Preset,
    trials: Mapping[str, Trial],
    placement: Placement = Placement.GRID,
) -> dict[str, list[Row]]:
    """Rows by claim id. Raises ToolError where a measurement contradicts a proof."""
    table: dict[str, list[Row]] = {}
    for check in checks:
        rows = check.rows(preset, trials, placement)
        if not rows or _lacks_measurement(check, preset):
            rows.append(_to_be_measured(check))
        _refuse_contradiction(check.claim, rows)
        table[check.claim.id] = rows
    return table


def _lacks_measurement(check: Check, preset: Preset) -> bool:
    """Whether the claim must be measured and nothing does at this preset: lemmas alone must not speak for it."""
    return Evidence.MEASURED in check.claim.evidence and not any(p.is_measured and p.specs(preset) for p in check.parts)


def _to_be_measured(check: Check) -> Row:
    measured = [part for part in check.parts if part.is_measured]
    later = next((size for size in Preset if any(part.specs(size) for part in measured)), None)
    reason = f"measured from preset {later} on" if later else "no trials are built for this claim yet"
    return Row(check.claim, "", Judgement(Verdict.NOT_MEASURED_YET, reason))


def claim_verdict(rows: Sequence[Row]) -> Verdict:
    """The verdict in the headline of a claim."""
    return claim_headline(rows).verdict


def claim_headline(rows: Sequence[Row]) -> Headline:
    """The headline of a claim, from the roles and verdicts of its rows."""
    return headline_of(rows)


class ToolError(RuntimeError):
    """Evidence that cannot all be right: the tool is wrong, not the paper."""


def _refuse_contradiction(claim: Claim, rows: Sequence[Row]) -> None:
    """A statement proved by one kind of evidence and refuted by another is an error of the tool."""
    by_aspect: dict[str, set[Verdict]] = {}
    for row in rows:
        by_aspect.setdefault(row.aspect or row.part, set()).add(row.verdict)
    for aspect, verdicts in by_aspect.items():
        proved = verdicts & {Verdict.PROVED, Verdict.CERTIFIED}
        against = verdicts & {Verdict.REFUTED, Verdict.VIOLATED}
        if proved and against:
            raise ToolError(f"{claim.id} ({aspect}) is both {min(proved)} and {min(against)}: the tool is in error")


def diverged(trials: Sequence[Trial]) -> int:
    """How many trials diverged."""
    return sum(trial.result.outcome == Outcome.DIVERGED for trial in trials)


def exact(value: object) -> sp.Expr:
    """A JSON number as an exact sympy number: 0.3 is 3/10, not its binary neighbour. No text is ever read as a formula.

    Raises:
        ValueError: on anything that is no finite number.
    """
    if isinstance(value, sp.Expr):
        return value
    if isinstance(value, float) and math.isfinite(value):
        return sp.Rational(repr(value))
    if isinstance(value, int):
        return sp.Integer(int(value))
    raise ValueError(f"value must be a finite number, got {str(value)[:80]!r}")
