"""Lemmas of a claim on its page: the relation, its conditions, what became of it, and the record that replays."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence

from checks.evidence.check import Check
from checks.evidence.headline import Fate, fate_of
from checks.evidence.proofs import Proof
from checks.records.preset import Preset
from checks.records.rows import Row
from checks.report.explanation_words import sentence
from checks.report.site.formulas import conditions_of, relations_of
from checks.report.site.model import Step
from checks.statistics.verdict import Verdict
from sim.store.store import key
from sim.trials.trial import Trial
from theory.claim import Lemma

HOLDS, CORRECTED, FALSE, OPEN = "holds", "holds as corrected", "false as printed", "open"
_WORDS: dict[Fate, str] = {"hold": HOLDS, "corrected": CORRECTED, "false": FALSE, "open": OPEN}
MOST_RECORD = 200_000
"""Characters of a record that a page prints."""


def steps_of(check: Check, rows: Sequence[Row], trials: Mapping[str, Trial]) -> tuple[Step, ...]:
    """Every lemma of a claim, in the order of the paper's text."""
    by_part = {row.part: row for row in rows}
    parts = {part.name: part for part in check.parts if isinstance(part, Proof)}
    return tuple(_step(check, lemma, by_part, parts.get(lemma.name), trials) for lemma in check.claim.lemmas)


def _step(check: Check, lemma: Lemma, rows: Mapping[str, Row], part: Proof | None, trials: Mapping[str, Trial]) -> Step:
    row = rows.get(lemma.name)
    verdict = row.verdict if row is not None else Verdict.NOT_MEASURED_YET
    return Step(
        name=lemma.name,
        role=check.claim.role_of(lemma),
        formulas=relations_of(lemma),
        where=conditions_of(part.lemma if part is not None else lemma),
        verdict=verdict,
        fate=_fate(lemma, rows),
        reason=sentence(row) if row is not None else "",
        details=row.explanation.details if row is not None else (),
        instead=lemma.instead,
        is_misprint=lemma.slip,
        record=_record(part, trials),
    )


def _fate(lemma: Lemma, rows: Mapping[str, Row]) -> str:
    """What became of a step, as the counts of the table have it."""
    row = rows.get(lemma.name)
    if row is None:
        return OPEN
    return _WORDS[fate_of(row.verdict, lemma, {part: other.verdict for part, other in rows.items()})]


def _record(part: Proof | None, trials: Mapping[str, Trial]) -> str:
    """The stored record of a proof, on one line; "" where there is none, or it is too long for a page."""
    if part is None:
        return ""
    (spec,) = part.specs(next(iter(Preset)))
    trial = trials.get(key(spec))
    text = trial.result.observables.get("record") if trial is not None else None
    if not isinstance(text, str) or len(text) > MOST_RECORD:
        return ""
    try:
        return json.dumps(json.loads(text), ensure_ascii=True)
    except (ValueError, RecursionError):
        return ""
