"""One claim in full, as text: what is claimed, under which hypotheses, what follows, and how it is settled."""

from __future__ import annotations

from checks.evidence.check import Check
from checks.evidence.part import Part
from checks.records.preset import Preset
from checks.report.layout import paragraph
from theory.claim import Claim

_MAX_WIDTH = 110
"""Longer lines are hard to read, however wide the screen is."""
_LABEL = 13


def render(check: Check, *, width: int = 0) -> str:
    """Everything known of a claim before any measurement, in lines of at most `width` places (0: unlimited)."""
    claim = check.claim
    texts = min(width or _MAX_WIDTH, _MAX_WIDTH)
    lines = [*paragraph(f"{claim.id}  ({claim.kind.value})", width), *paragraph(f"[{claim.source}]", width), ""]
    lines += [*paragraph(claim.statement, texts), ""]
    for label, words in _facts(claim):
        lines += paragraph(words, width, _LABEL, first=f"{label:{_LABEL}}")
    if claim.reading:
        lines += ["", "How we read it", *paragraph(claim.reading, texts)]
    lines += ["", "Evidence" if check.parts else "Evidence: none is built for this claim yet."]
    for part in check.parts:
        lines += paragraph(f"{part.name}: {_sizes(part)}", width, 4, first="  ")
    return "\n".join(lines) + "\n"


def _facts(claim: Claim) -> list[tuple[str, str]]:
    """What is claimed, of what and when, each under its name."""
    facts = [("observable", claim.observable)]
    facts += [("claimed", str(claim.value))] if claim.value is not None else []
    facts += [
        ("axis", f"{axis.symbol} toward {axis.toward}: {_exponent(claim, index)}")
        for index, axis in enumerate(claim.axes)
    ]
    facts += [("constant", f"{c.symbol} in [{c.low}, {c.high}], hidden") for c in claim.constants]
    facts += [("margin", str(claim.margin))] if claim.has_order else []
    facts += [("hypothesis", f"{hypothesis.name}: {hypothesis.relation}") for hypothesis in claim.regime]
    facts += [("path", claim.path.words)] if claim.path else []
    return facts + [("lemma", lemma.name) for lemma in claim.lemmas]


def _exponent(claim: Claim, index: int) -> str:
    """Asymptotic exponent and log degree in one axis, derived from the claim's value."""
    from theory.asymptotics.exponents import exponent, log_degree

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
