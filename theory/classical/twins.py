"""False twins: a true claim with its value, its kind or its lemmas replaced by what is known to be wrong."""

from __future__ import annotations

from dataclasses import replace

import sympy as sp

from theory.claim import Claim, Kind, Lemma
from theory.truth import KnownTruth, WrongBy


def twin(
    claim: Claim,
    name: str,
    wrong_by: WrongBy,
    *,
    value: sp.Expr | None = None,
    kind: Kind | None = None,
    lemmas: tuple[Lemma, ...] = (),
) -> Claim:
    """A claim that differs from a true one in what is given, and is false.

    Args:
        claim: the true claim.
        name: what is added to its id.
        wrong_by: how the twin is wrong.
        value: the wrong value, where that is what is wrong.
        kind: the wrong kind, where a bound is turned about.
        lemmas: the wrong lemmas, where the claim is a step of a proof.

    Raises:
        ValueError: the claim is not known to be true, or nothing is replaced.
    """
    if claim.truth is None or not claim.truth.is_true:
        raise ValueError(f"claim must be known to be true, got {claim.id}")
    if value is None and kind is None and not lemmas:
        raise ValueError(f"value, kind or lemmas must be given, got none for the variant {name!r} of {claim.id}")
    changed = replace(
        claim,
        id=f"{claim.id}_{name}",
        value=claim.value if value is None else value,
        kind=kind or claim.kind,
        lemmas=lemmas or claim.lemmas,
        truth=KnownTruth(wrong_by),
    )
    return replace(changed, statement=f"Wrong by {wrong_by} on purpose: {_said(changed)}.", reading="")


def _said(claim: Claim) -> str:
    """What a claim of this kind says, in one clause."""
    if claim.value is None:
        return " and ".join(lemma.name for lemma in claim.lemmas)
    observed = claim.observable.replace("_", " ")
    words = {
        Kind.EXACT: "equals",
        Kind.EXPLICIT_UPPER: "is at most",
        Kind.EXPLICIT_LOWER: "is at least",
        Kind.TIGHT: "is of the order of",
        Kind.UPPER: "is at most of the order of",
        Kind.LOWER: "is at least of the order of",
    }
    return f"the {observed} {words[claim.kind]} {claim.value}"
