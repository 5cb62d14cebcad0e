"""A check joins a claim with the evidence that settles it; the catalogue of checks; the rows of many.

A `Check` is a claim and its parts (`checks.evidence.part`). pytest and the command line consume the same checks;
neither imports the other. Nothing is registered: `discover` collects every module-level `Check` below `checks/<paper>/`
and joins to it what symbols settle, which follows from the claim alone: a proof for each of its lemmas, an exponent for
each of its axes. A claim without a check is a row all the same.
"""

from __future__ import annotations

import functools
import importlib
from collections.abc import Mapping
from dataclasses import replace

from checks.evidence.check import Check
from checks.evidence.part import Part
from theory.catalogue import ONLY_NAMED, PAPERS, instances_below
from theory.catalogue import discover as discover_claims
from theory.catalogue import discover_all as discover_all_claims
from theory.claim import Claim


@functools.cache
def discover() -> dict[str, Check]:
    """Every claim's check by id, in catalogue order: its measured parts, its proofs, its derived exponents."""
    return _checks_of(discover_claims())


def discover_all() -> dict[str, Check]:
    """As `discover`, with the checks of papers that are judged only where they are named."""
    return {**discover(), **_only_named()}


@functools.cache
def _only_named() -> dict[str, Check]:
    return _checks_of({name: claim for name, claim in discover_all_claims().items() if claim.paper in ONLY_NAMED})


def _checks_of(claims: Mapping[str, Claim]) -> dict[str, Check]:
    from checks.evidence.exponents import derivations
    from checks.evidence.proofs import proofs

    checks: dict[str, Check] = {}
    for folder in dict.fromkeys(PAPERS[claim.paper] for claim in claims.values()):
        for module, check in instances_below(f"checks.{folder}", Check):
            if not isinstance(check, Check):
                raise TypeError(f"a check must be a Check, got {check!r} in {module}")
            if checks.setdefault(check.claim.id, check) is not check:
                raise ValueError(f"a claim has one check, got a second one for {check.claim.id} in {module}")
    measured = {name: _translated(checks[name]) if name in checks else () for name in claims}
    return {
        name: Check(claim, (*measured[name], *proofs(claim), *derivations(claim))) for name, claim in claims.items()
    }


def _translated(check: Check) -> tuple[Part, ...]:
    """A check's parts, those without a translation of parameters with the paper's own."""
    own = importlib.import_module(f"checks.{PAPERS[check.claim.paper]}.setting").symbols
    return tuple(replace(part, symbols=own) if part.symbols is None else part for part in check.parts)
