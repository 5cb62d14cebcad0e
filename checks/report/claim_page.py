"""One claim in full, as text: what is claimed, under which hypotheses, what follows, and how it is settled."""

from __future__ import annotations

import textwrap

from checks.check import Check, Part, Preset
from theory.claim import Claim

_WIDTH = 110


def render(check: Check) -> str:
    """Everything known of a claim before any measurement."""
    claim = check.claim
    lines = [f"{claim.id}  ({claim.kind.value})", f"[{claim.source}]", "", *_wrap(claim.statement), ""]
    lines += [f"observable   {claim.observable}"]
    if claim.value is not None:
        lines += [f"claimed      {claim.value}"]
    lines += [
        f"axis         {axis.symbol} toward {axis.toward}: {_exponent(claim, index)}"
        for index, axis in enumerate(claim.axes)
    ]
    lines += [f"constant     {c.symbol} in [{c.low}, {c.high}], hidden" for c in claim.constants]
    if claim.has_order:
        lines += [f"margin       {claim.margin}"]
    lines += [f"hypothesis   {hypothesis.name}: {hypothesis.relation}" for hypothesis in claim.regime]
    lines += [f"path         {claim.path.words}"] if claim.path else []
    lines += [f"lemma        {lemma.name}" for lemma in claim.lemmas]
    if claim.reading:
        lines += ["", "How we read it", *_wrap(claim.reading)]
    lines += ["", "Evidence" if check.parts else "Evidence: none is built for this claim yet."]
    lines += [f"  {part.name}: {_sizes(part)}" for part in check.parts]
    return "\n".join(lines) + "\n"


def _exponent(claim: Claim, index: int) -> str:
    """Asymptotic exponent and log degree in one axis, derived from the claim's value."""
    from theory.asymptotics import exponent, log_degree

    axis = claim.axes[index]
    if claim.value is None:
        return "no formula"
    try:
        power = exponent(claim.value, axis.symbol, toward=axis.toward)
        degree = log_degree(claim.value, axis.symbol, toward=axis.toward)
    except ValueError as error:
        return f"no exponent ({error})"
    return f"exponent {power}" + (f", log degree {degree}" if degree != 0 else "")


def _sizes(part: Part) -> str:
    counts = {preset: len(part.specs(preset)) for preset in Preset}
    return ", ".join(f"{count} trials {preset}" for preset, count in counts.items())


def _wrap(text: str) -> list[str]:
    return textwrap.wrap(text, _WIDTH)
