"""The lines of a table as JSON-able objects: every figure in full, null where a key does not apply."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import asdict
from typing import Any

from checks.evidence.headline import Headline
from checks.evidence.letters import Letters
from checks.records.preset import Preset
from checks.records.rows import Point, Row
from checks.records.standing import Standings
from checks.report.escape import plain
from checks.report.explanation_words import as_json, sentence
from checks.statistics.verdict import Interval


def record(row: Row, headline: Headline, preset: Preset, repairs: Sequence[Mapping[str, Any]] = ()) -> dict[str, Any]:
    """One line: keys as in `checks.report.schema`; null where a key does not apply.

    Args:
        repairs: what is true instead of the claim, as records.
    """
    judgement, claim, claimed = row.judgement, row.claim, row.display.asymptotic_exponent
    return {
        "id": plain(claim.id),
        "part": plain(row.part),
        "paper": plain(claim.source.key),
        "source": plain(claim.source.place),
        "kind": claim.kind.value,
        "claimed": None if claim.value is None else plain(claim.value),
        "axis": plain(row.axis.symbol.name) if row.axis else None,
        "toward": plain(row.axis.toward) if row.axis else None,
        "asymptotic_exponent": None if claimed is None else plain(claimed),
        "relation": judgement.effect.relation,
        "grid_exponent": _finite(judgement.exponents.on_grid),
        "grid_exponent_range": _pair(judgement.exponents.on_grid_range),
        "measured_exponent": _finite(judgement.exponents.measured),
        "measured_exponent_range": _pair(judgement.exponents.measured_range),
        "delta": _finite(judgement.delta),
        "delta_range": _pair(judgement.effect.delta_range),
        "quantity": None if judgement.effect.quantity is None else judgement.effect.quantity.value,
        "confidence": judgement.effect.confidence,
        "confidence_interval": _pair(judgement.confidence_interval),
        "equivalence_interval": _pair(judgement.effect.equivalence_interval),
        "margin": _finite(judgement.effect.margin),
        "verdict": row.verdict.value,
        "claim_verdict": headline.verdict.value,
        "expects": None if headline.expects is None else headline.expects.value,
        "role": row.role.value,
        "readings": headline.readings.value,
        "letters": _letters(headline.letters),
        "claim_standings": _standings(headline.standings),
        "proof_steps": asdict(headline.proof_steps),
        "repairs": list(repairs),
        "tried": [{"way": one.way.value, "outcome": plain(one.outcome)} for one in claim.tried],
        "reason": plain(judgement.reason),
        "sentence": plain(sentence(row)),
        "explanation": as_json(row.explanation),
        "in_regime": row.in_regime,
        "hypotheses": {
            "met": dict(row.standing.met),
            "not_met": dict(row.standing.not_met),
            "undetermined": dict(row.standing.undetermined),
            "needed": {name: plain(words) for name, words in row.standing.needed.items()},
        },
        "standings": _standings(row.standings),
        "law": None if row.law is None else row.law.record(),
        "control": plain(row.protocol.control) or None,
        "also_met": [plain(words) for words in row.protocol.also_met],
        "excludes": plain(row.protocol.excludes) or None,
        "n_trials": row.protocol.n_trials,
        "preset": preset.value,
        "seconds": round(row.protocol.seconds, 3),
        "points": [_point(point) for point in row.points],
    }


def _letters(letters: Letters) -> dict[str, Any]:
    """Which letters of a claimed order were swept, and how; exponents in letters that it lacks."""
    return {
        "swept": {plain(name): verdict.value for name, verdict in letters.swept},
        "not_swept": [plain(name) for name in letters.unswept],
        "lacking": {plain(one.letter): [one.exponent, one.between.low, one.between.high] for one in letters.lacking},
    }


def _standings(standings: Standings | None) -> dict[str, str] | None:
    """What a line or a claim comes to by either way to take hidden constants."""
    if standings is None:
        return None
    return {"whatever_the_constants": standings.whatever.value, "own_settings": standings.own.value}


def _point(point: Point) -> dict[str, Any]:
    return {
        "value": _finite(point.value),
        "bound": _finite(point.bound),
        "measured": _finite(point.measured),
        "low": _finite(point.low),
        "high": _finite(point.high),
        "censored": point.censored,
        "in_regime": point.in_regime,
        "n_trials": point.n_trials,
        "endings": {plain(name): count for name, count in point.endings},
        "sequence": plain(point.sequence),
    }


def _finite(value: float | None) -> float | None:
    return value if value is not None and math.isfinite(value) else None


def _pair(interval: Interval | None) -> list[float | None] | None:
    return None if interval is None else [_finite(interval.low), _finite(interval.high)]
