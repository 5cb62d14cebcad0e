"""One claim in full, as text: what is claimed, under which hypotheses, what follows, and how it is settled.

Formulas stand as in print, as far as Unicode goes: in a terminal the claimed value takes several lines where it has a
fraction. Where there is a store, its verdict stands first.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import sympy as sp
from rich.cells import cell_len

from checks.evidence import list_lemmas
from checks.evidence.check import Check, claim_headline
from checks.evidence.later import exponents
from checks.evidence.part import Part
from checks.evidence.repairs import mending_of
from checks.records.preset import Preset
from checks.records.rows import Row
from checks.report import repairs_page
from checks.report.escape import plain
from checks.report.layout import WIDEST_TEXT, paragraph, text_width
from checks.report.repair_forms import repair_records
from checks.report.writing import figures as written
from checks.report.writing import from_rows
from theory.claim import Axis, Claim, Kind, Lemma, OverLists
from theory.display.formulas import unicode_line, unicode_lines, unicode_symbol

_LABEL = 13


def render(
    check: Check, *, width: int = 0, rows: Sequence[Row] = (), preset: Preset = Preset.QUICK, unicode: bool = True
) -> str:
    """Everything known of a claim, in lines of at most `width` places (0: unlimited).

    Args:
        rows: its rows at a preset, from a store; none where there is no store.
        unicode: whether letters beyond ASCII can be shown.
    """
    claim = check.claim
    texts = text_width(width or WIDEST_TEXT)
    lines = [*paragraph(f"{claim.id}  ({claim.kind.value})", width), *paragraph(f"[{claim.source}]", width), ""]
    lines += [*paragraph(claim.statement, texts), ""]
    if rows:
        lines += [*paragraph(_verdict(rows, preset), width, _LABEL, first=f"{'verdict':{_LABEL}}"), ""]
        beside = repairs_page.beside(mending_of(rows), width=texts, unicode=unicode)
        lines += ["What is true instead", *beside, ""] if beside else []
    for label, words in _facts(claim, unicode=unicode):
        if label == "claimed" and unicode and width:
            lines += _claimed(claim.formula, words, width)
        else:
            lines += paragraph(words, width, _LABEL, first=f"{label:{_LABEL}}")
    if claim.reading:
        lines += ["", "How we read it", *paragraph(claim.reading, texts)]
    lines += ["", "Evidence" if check.parts else "Evidence: none is built for this claim yet."]
    for part in check.parts:
        lines += paragraph(f"{part.name}: {_sizes(part)}", width, 4, first="  ")
    return "\n".join(lines) + "\n"


def record_of(check: Check, *, rows: Sequence[Row] = (), preset: Preset = Preset.QUICK) -> dict[str, Any]:
    """The same as one JSON-able object; headline, scope and why are null where nothing was judged."""
    claim = check.claim
    headline = claim_headline(rows) if rows else None
    return {
        "id": plain(claim.id),
        "paper": plain(claim.source.key),
        "source": plain(claim.source.place),
        "kind": claim.kind.value,
        "statement": plain(claim.statement),
        "reading": plain(claim.reading),
        "facts": [{"of": label, "words": plain(words)} for label, words in _facts(claim, unicode=False)],
        "parts": [
            {"part": plain(part.name), "trials": {preset.value: part.trial_count(preset) for preset in Preset}}
            for part in check.parts
        ],
        "preset": preset.value,
        "headline": None if headline is None else headline.verdict.value,
        "figures": None if headline is None else plain(written.headline_figures(headline).text),
        "scope": None if headline is None else [plain(words) for words in headline.scope],
        "why": None if headline is None else plain(from_rows.why(headline)),
        "repairs": repair_records(mending_of(rows)) if rows else [],
    }


def _verdict(rows: Sequence[Row], preset: Preset) -> str:
    """The headline with its figures and the first sentence of the line that decides it."""
    headline = claim_headline(rows)
    figures, why = written.headline_figures(headline).text, from_rows.why(headline)
    scope = "; ".join(headline.scope)
    told = f"{headline.verdict} at preset {preset}{f', {figures}' if figures else ''}{f': {why}' if why else ''}"
    return f"{told} Scope: {scope}." if scope else told


def _claimed(value: sp.Expr, words: str, width: int) -> list[str]:
    """The claimed formula in two dimensions, or on one line where that does not fit."""
    lines, middle = unicode_lines(value)
    drawn = [plain(line) for line in lines]
    if len(drawn) == 1 or max(map(cell_len, drawn)) > width - _LABEL:
        return paragraph(words, width, _LABEL, first=f"{'claimed':{_LABEL}}")
    labels = ["claimed" if number == middle else "" for number in range(len(drawn))]
    return [f"{label:{_LABEL}}{line}".rstrip() for label, line in zip(labels, drawn, strict=True)]


def _facts(claim: Claim, *, unicode: bool) -> list[tuple[str, str]]:
    """What is claimed, of what and when, each under its name."""
    formula, symbol = (unicode_line, unicode_symbol) if unicode else (str, str)
    facts = [("observable", claim.observable)]
    facts += [("claimed", formula(claim.value))] if claim.value is not None else []
    facts += [
        ("axis", f"{symbol(axis.symbol.name)} {_toward(axis, unicode=unicode)}: {_exponent(claim, index)}")
        for index, axis in enumerate(claim.axes)
    ]
    for constant in claim.constants:
        low, high = (formula(sp.sympify(end, strict=True)) for end in (constant.low, constant.high))
        facts.append(("constant", f"{symbol(constant.symbol.name)} in [{low}, {high}], hidden"))
    facts += [("margin", str(claim.margin))] if claim.has_order else []
    facts += [("hypothesis", f"{hypothesis.name}: {formula(hypothesis.relation)}") for hypothesis in claim.regime]
    facts += [("path", claim.path.words)] if claim.path else []
    return facts + [("lemma", _lemma(lemma)) for lemma in claim.lemmas]


def _lemma(lemma: Lemma) -> str:
    """The name of a lemma, and what it says where that is typed."""
    return f"{lemma.name}: {list_lemmas.words(lemma)}" if isinstance(lemma, OverLists) else lemma.name


def _toward(axis: Axis, *, unicode: bool) -> str:
    """Where an axis leads."""
    if not unicode:
        return f"toward {axis.toward}"
    named = {"infinity": "∞", "zero": "0"}
    return f"→ {named[axis.toward] if isinstance(axis.toward, str) else unicode_line(axis.toward)}"


def _exponent(claim: Claim, index: int) -> str:
    """Asymptotic exponent and log degree in one axis, derived from the claim's value."""
    axis = claim.axes[index]
    if claim.value is None:
        return "no formula"
    if claim.kind is Kind.TRANSITION:
        return "the claimed value is the place of the transition"
    if claim.states_limit:
        return "the claimed value is the limit"
    try:
        power = exponents.exponent(claim.value, axis.symbol, toward=axis.toward)
        degree = exponents.log_degree(claim.value, axis.symbol, toward=axis.toward)
    except ValueError as error:
        return f"no exponent ({error})"
    return f"exponent {power}" + (f", log degree {degree}" if degree != 0 else "")


def _sizes(part: Part) -> str:
    counts = {preset: part.trial_count(preset) for preset in Preset}
    return ", ".join(f"{count} trials {preset}" for preset, count in counts.items())
