"""Settle the claim of an SMT-LIB file: that no values satisfy all of its assertions."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace

import sympy as sp

from theory.problems.answers import Settled
from theory.problems.settle import settle
from theory.problems.smtlib import Script

_OPPOSITE = {"proved": "refuted", "refuted": "proved"}


def settle_script(script: Script, *, seconds: float = 60.0) -> Settled:
    """Prove or refute the claim of a file within a time limit, in seconds.

    A file with "for all" may ask for the opposite of its claim: constants that serve satisfy its assertions.

    Raises:
        ProblemError: too many cases, or more than one question.
        ValueError: a term that the prover does not take.
    """
    found = settle(script.problem, seconds=seconds, total=True)
    if found.verdict == "vacuous":  # the choice serves, if there is one: "for all" speaks of no point
        found = replace(found, verdict="proved", reason="")
    if not (script.is_opposite or script.problem.constants):
        return found
    verdict = _OPPOSITE.get(found.verdict, found.verdict) if script.is_opposite else found.verdict
    values = {**found.point, **found.constants}
    if verdict == "proved" and values:
        reason = f"what it says of all values fails at {_listed(script, values)}"
        return replace(found, verdict=verdict, point={}, constants={}, reason=reason)
    if verdict == "refuted":
        of_all = f"what it says holds for all values: its denial fails, {found.reason}" if found.reason else ""
        reason = of_all or ("" if values else "what it says holds as it stands")
        return replace(found, verdict=verdict, point=values, constants={}, reason=reason)
    return replace(found, verdict=verdict)


def _listed(script: Script, values: Mapping[str, sp.Rational]) -> str:
    return ", ".join(f"{script.names[name]} = {value}" for name, value in values.items())
