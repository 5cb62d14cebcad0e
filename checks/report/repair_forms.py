"""Repairs as people read them, and as objects of JSON: forms with their formulas, and what each rests on, in words.

Every format takes its words, digits and formulas from here: the page of `theoremeter repairs`, the pages of a site, and
the records of a table. Nothing is escaped here; whoever writes a format does that.
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING, Any

from checks.evidence.repairs import NO_PROOF, Form, Mending, Repair
from checks.report.escape import plain
from checks.report.explanation_words import sentence
from checks.report.law_page import equation
from checks.report.site.formulas import Spelling, claimed_formula, conditions_of, relations_of
from checks.report.site.model import Formula, ShownForm, ShownMending, ShownRepair
from checks.report.writing.model import Mathematics
from checks.statistics.verdict import Interval
from theory.claim import Claim, Conditions, Lemma, Role

if TYPE_CHECKING:
    from checks.search.law import RivalLaw, SearchedLaw

MISPRINT = "misprint"
"""What a repair of a slip with one evident correction is of."""


def shown(mending: Mending, spell: Spelling = str) -> ShownMending:
    """What is true instead of a claim, in words and formulas."""
    claim = mending.claim
    return ShownMending(
        claim.id,
        claim.source.place,
        claim.statement,
        mending.headline.verdict,
        _grouped(mending.of_statement, spell),
        _grouped(mending.of_steps, spell),
        "" if mending.lacks is None else mending.lacks.value,
        tuple((row.part, row.verdict) for row in mending.tried),
        tuple(row.part for row in mending.unmended),
        tuple(_searched(law) for law in _laws_of(mending)),
        tuple(map(_front, _laws_of(mending))),
    )


def _laws_of(mending: Mending) -> list[SearchedLaw]:
    """What searches found for a statement that lacks a repair."""
    return [row.law for row in mending.searched if row.law is not None] if mending.lacks is not None else []


def _searched(law: SearchedLaw) -> str:
    """What stands in place of a law: the constant at the settings that were measured, and how far off that is."""
    rival = law.claimed_rival
    if law.found and rival is not None:
        return (
            f"{law.response} = {law.formula} is not told from the printed form, which errs {rival.times_text} times as "
            "much"
        )
    spread = math.exp(law.held_out.spread)
    value, ends = f"{law.constant:.3g}", law.constant_interval
    halves = f"{value} {ends}"
    if law.constant not in ends:
        halves = f"{value} by the settings it was fitted on and {ends} by those held out, which exclude it"
    return f"no law of {law.response}, which is {halves}, off by a factor {spread:.3g}"


def _front(law: SearchedLaw) -> str:
    """Complexity against error: the best law of each complexity, with the factor by which it is off."""
    points = (f"{point.cost}: {point.formula} ({math.exp(point.held_out):.3g})" for point in law.front)
    return f"best law of {law.response} by complexity (factor off on held-out settings): {'; '.join(points)}"


def _grouped(repairs: Sequence[Repair], spell: Spelling) -> tuple[ShownRepair, ...]:
    """Repairs in words and formulas; what one line repairs in several places is one of them."""
    by_line: dict[str, list[Repair]] = {}
    for repair in repairs:
        by_line.setdefault(repair.line.part, []).append(repair)
    return tuple(_shown(group, spell) for group in by_line.values())


def _shown(group: Sequence[Repair], spell: Spelling) -> ShownRepair:
    first, law = group[0], _law(group[0])
    return ShownRepair(
        _of(first),
        first.line.part,
        tuple(_printed(one, spell) for one in group if not isinstance(one.printed.stated, Claim)),
        _shown_form(first.repaired, spell, first.line.part),
        first.evidence.value,
        first.line.explanation.sentence if law is None else " ".join(law.sentences[1:2]),
        _brief(first),
        first.line.because,
        tuple((name, words) for name, words in _facts(first) if words),
    )


def _brief(repair: Repair) -> str:
    """What it rests on, and how many times as much as a law the printed form errs, or a constant where none ran."""
    law = _law(repair)
    if law is None:
        return repair.evidence.value
    rival = law.claimed_rival or law.rivals[0]
    other = "" if law.claimed_rival is not None else f" {rival.name}"
    return f"{rival.factor_text}x{other}, at least {math.floor(100 * rival.interval.low) / 100:.3g}x"


def _printed(repair: Repair, spell: Spelling) -> ShownForm:
    """What is false, and if so under another reading of the text alone."""
    form = _shown_form(repair.printed, spell)
    return replace(form, words=f"under one reading: {form.words}") if repair.role is Role.READING else form


def _of(repair: Repair) -> str:
    return MISPRINT if repair.is_misprint else repair.role.value


def _law(repair: Repair) -> SearchedLaw | None:
    """The law that was searched, where it is one that repairs."""
    stated = repair.repaired.stated
    return None if stated is None or isinstance(stated, Claim | Lemma) else stated


def _shown_form(form: Form, spell: Spelling = str, part: str = "") -> ShownForm:
    """A form in words and formulas; a law is named by its line, since several may be searched for one claim."""
    if form.stated is None:
        return ShownForm(form.words)
    if isinstance(form.stated, Claim):
        value = claimed_formula(form.stated)
        return ShownForm(form.words, () if value is None else (value,))
    if not isinstance(form.stated, Lemma):
        return ShownForm(part, (_formula_of_law(form.stated),), is_law=True)
    formulas = tuple(one for one in relations_of(form.stated, spell) if one.text not in _DECIDED)
    return ShownForm(form.words, formulas, conditions_of(form.stated, spell), isinstance(form.stated, Conditions))


_DECIDED = ("True", "False")
"""Relations that sympy has decided when they were written: their lemma's name says what they were."""


def _formula_of_law(law: SearchedLaw) -> Formula:
    written = equation(law)
    pieces = [piece for phrase in written.phrases for piece in phrase if isinstance(piece, Mathematics)]
    return Formula(written.text, "".join(piece.latex for piece in pieces))


# --------------------------------------------------------------------------------------------------------------- words


def _facts(repair: Repair) -> Iterator[tuple[str, str]]:
    """What is known of a repair beside its form, by name; "" for what does not apply."""
    law = _law(repair)
    level = "" if law is None else f" ({law.level_words})"
    yield f"exponents ({law.level_words} together)" if law is not None else "exponents", _intervals(repair.exponents)
    yield f"constants{level}", _intervals(repair.constants)
    yield "on", "" if repair.derivation else _spans(repair.range)
    told = repair.held_out
    if told is not None:
        yield "held out", f"{told.settings} settings, typically off by a factor {told.factor:.3g}"
    yield "rivals", "; ".join(map(_rival, repair.rivals))
    yield "doubts", "" if law is None else " ".join(law.sentences[2 + len(law.rivals) :])
    yield "choices", "; ".join(clause.text for clause in repair.line.explanation.choices.clauses)
    yield "derivation", NO_PROOF if not repair.derivation else ""
    yield "reason", "; ".join(f"{line.part} ({line.verdict.value})" for line in repair.reasons)


def _rival(rival: RivalLaw) -> str:
    return f"{rival.name} errs {rival.times_text} times as much"


def _intervals(found: Mapping[str, Interval | None]) -> str:
    return ", ".join(f"{name} {'open' if ends is None else ends}" for name, ends in found.items())


def _spans(ranges: Mapping[str, Interval]) -> str:
    """Where the letters were, those that moved first: "N = 8 to 64; fixed: M = 5"."""
    moved = [f"{name} = {_span(ends)}" for name, ends in ranges.items() if ends.low < ends.high]
    fixed = [f"{name} = {_span(ends)}" for name, ends in ranges.items() if not ends.low < ends.high]
    return "; ".join(filter(None, (", ".join(moved), f"fixed: {', '.join(fixed)}" if fixed else "")))


def _span(ends: Interval) -> str:
    return f"{ends.low:.4g}" if ends.low == ends.high else f"{ends.low:.4g} to {ends.high:.4g}"


# ---------------------------------------------------------------------------------------------------------------- JSON


def records(mending: Mending) -> list[dict[str, Any]]:
    """The repairs of a claim as plain objects; one that says why, where the statement lacks a repair."""
    found = repair_records(mending)
    if mending.lacks is not None:
        claim = mending.claim
        printed = {"printed": plain(claim.statement), "printed_formulas": _texts(_shown_form(_statement_of(claim)))}
        searched = [law.record() for law in _laws_of(mending)]
        named = {**_EMPTY, **_named(mending, "statement"), **printed}
        found.insert(0, {**named, "no_repair": mending.lacks.value, "searched": searched})
    return found


def repair_records(mending: Mending) -> list[dict[str, Any]]:
    """The repairs alone, as a line of a table has them."""
    return [_record(repair, mending) for repair in mending.repairs]


_EMPTY: Mapping[str, Any] = dict.fromkeys(
    (
        "id", "paper", "source", "headline", "of", "part", "printed", "printed_formulas", "repaired",
        "repaired_formulas", "conditions", "exponents", "constants", "confidence", "evidence", "range", "held_out",
        "rivals", "alternatives", "derivation", "reasons", "verdict", "sentence", "because", "chosen", "no_repair",
        "tried", "searched",
    )
)  # fmt: skip
"""The keys of a record, in order; null where one does not apply."""


def _named(mending: Mending, of: str) -> dict[str, Any]:
    claim = mending.claim
    return {
        "id": plain(claim.id),
        "paper": plain(claim.source.key),
        "source": plain(claim.source.place),
        "headline": mending.headline.verdict.value,
        "of": of,
        "tried": [{"part": plain(row.part), "verdict": row.verdict.value} for row in mending.tried],
    }


def _record(repair: Repair, mending: Mending) -> dict[str, Any]:
    law, line = _law(repair), repair.line
    printed, repaired = _shown_form(repair.printed), _shown_form(repair.repaired)
    return {
        **_EMPTY,
        **_named(mending, _of(repair)),
        "part": plain(line.part),
        "printed": plain(printed.words),
        "printed_formulas": _texts(printed),
        "repaired": plain(repaired.words),
        "repaired_formulas": _texts(repaired),
        "conditions": [plain(formula.text) for formula in repaired.where],
        "exponents": _pairs(repair.exponents),
        "constants": _pairs(repair.constants),
        "confidence": None if law is None else law.confidence,
        "evidence": repair.evidence.value,
        "range": _pairs(repair.range),
        "held_out": _held_out(repair),
        "rivals": [_rival_record(rival) for rival in repair.rivals],
        "alternatives": list(map(plain, repair.alternatives)),
        "derivation": plain(repair.derived),
        "reasons": [{"part": plain(line.part), "verdict": line.verdict.value} for line in repair.reasons],
        "verdict": line.verdict.value,
        "sentence": plain(sentence(line)),
        "because": plain(line.because),
        "chosen": [plain(clause.text) for clause in line.explanation.choices.clauses],
    }


def _held_out(repair: Repair) -> dict[str, Any] | None:
    told = repair.held_out
    if told is None:
        return None
    return {"settings": told.settings, "error": told.error, "factor": _finite(told.factor), "p": told.p}


def _rival_record(rival: RivalLaw) -> dict[str, Any]:
    return {
        "name": plain(rival.name),
        "formula": plain(rival.formula),
        "error": _finite(rival.error),
        "factor": _finite(rival.factor),
        "interval": [_finite(rival.interval.low), _finite(rival.interval.high)],
        "closer": rival.closer,
        "compared": rival.compared,
        "p": _finite(rival.p),
    }


def _statement_of(claim: Claim) -> Form:
    return Form(claim.statement, claim)


def _texts(form: ShownForm) -> list[str]:
    return [plain(formula.text) for formula in form.formulas]


def _pairs(found: Mapping[str, Interval | None]) -> dict[str, list[float | None] | None]:
    return {
        plain(name): None if ends is None else [_finite(ends.low), _finite(ends.high)] for name, ends in found.items()
    }


def _finite(value: float) -> float | None:
    return value if math.isfinite(value) else None
