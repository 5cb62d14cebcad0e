"""What `--format json` prints, command by command, as JSON schemas (draft 2020-12); `theoremeter schema` publishes it.

A key that does not apply is null, never NaN and never left out. Objects are closed: a key that is not here is a change
of what programs read, and a test holds the output of every command against it.
"""

from __future__ import annotations

import functools
from collections.abc import Mapping
from typing import Any

from checks.records.preset import Preset
from checks.statistics.verdict import Verdict

Schema = dict[str, Any]
DRAFT = "https://json-schema.org/draft/2020-12/schema"

TEXT: Schema = {"type": "string"}
NUMBER: Schema = {"type": "number"}
COUNT: Schema = {"type": "integer", "minimum": 0}
TRUTH: Schema = {"type": "boolean"}
OBJECT: Schema = {"type": "object"}
"""An object whose keys depend on what is told, such as an explanation."""
VERDICT: Schema = {"enum": [verdict.value for verdict in Verdict]}
PRESET: Schema = {"enum": [preset.value for preset in Preset]}


def _or_null(schema: Schema) -> Schema:
    return {"anyOf": [schema, {"type": "null"}]}


def _list(schema: Schema) -> Schema:
    return {"type": "array", "items": schema}


def _map(schema: Schema) -> Schema:
    return {"type": "object", "additionalProperties": schema}


def _object(**properties: Schema) -> Schema:
    """An object that has these keys and no other."""
    return {
        "type": "object", "properties": properties, "required": list(properties), "additionalProperties": False
    }  # fmt: skip


def _all(schema: Schema, names: str) -> Mapping[str, Schema]:
    """The same for several keys."""
    return dict.fromkeys(names.split(), schema)


FIGURE = _or_null(NUMBER)
PAIR = _or_null({"type": "array", "items": FIGURE, "minItems": 2, "maxItems": 2})
"""An interval or a range; an end that is infinite is null."""
WORD = _or_null(TEXT)
TEXTS = _list(TEXT)
STANDINGS = _or_null(_object(whatever_the_constants=VERDICT, own_settings=VERDICT))
NAMED_VERDICTS = _list(_object(part=TEXT, verdict=VERDICT))


def _point() -> Schema:
    return _object(
        **_all(FIGURE, "value bound measured low high"), censored=WORD, in_regime=_or_null(TRUTH), n_trials=COUNT,
        endings=_map(COUNT), sequence=TEXT,
    )  # fmt: skip


def _repair() -> Schema:
    """What is true instead, or why nothing is."""
    rival = _object(**_all(TEXT, "name formula"), **_all(FIGURE, "error factor p"), interval=PAIR,
                    **_all(COUNT, "closer compared"))  # fmt: skip
    return _object(
        **_all(TEXT, "id paper source"), headline=VERDICT, of=TEXT, part=WORD, printed=TEXT, printed_formulas=TEXTS,
        repaired=WORD, repaired_formulas=_or_null(TEXTS), conditions=_or_null(TEXTS), exponents=_or_null(_map(PAIR)),
        constants=_or_null(_map(PAIR)), confidence=FIGURE, evidence=WORD, range=_or_null(_map(PAIR)),
        held_out=_or_null(_object(settings=COUNT, error=NUMBER, factor=FIGURE, p=FIGURE)),
        rivals=_or_null(_list(rival)), alternatives=_or_null(TEXTS), derivation=WORD,
        reasons=_or_null(NAMED_VERDICTS), verdict=_or_null(VERDICT), sentence=WORD, because=WORD,
        chosen=_or_null(TEXTS), no_repair=WORD, tried=NAMED_VERDICTS, searched=_or_null(_list(OBJECT)),
    )  # fmt: skip


_WORDS = {
    "id": "the claim", "part": "which of its lines", "paper": "citation key", "source": "place in the paper",
    "claimed": "the claim's formula as text", "axis": "the symbol that moves",
    "toward": "the limit of the axis: infinity, zero, or a boundary",
    "asymptotic_exponent": "in the limit, exact, as text",
    "relation": "upper (at most), lower (at least), tight (of that order)",
    "grid_exponent": "slope of the claim on the measured points", "measured_exponent": "slope of the measurements",
    "delta": "by how much the measured slope is worse for the claim (docs/table.md)",
    "grid_exponent_range": "least and largest over hidden constants; null where they move nothing",
    "measured_exponent_range": "the same", "delta_range": "the same",
    "quantity": "what the intervals are of: Δ, rate, measured / claimed, a factor, a ratio, a mean difference",
    "confidence": "of confidence_interval as it was used; null for a range",
    "confidence_interval": "of the quantity; with --until-decided simultaneous over all interim analyses",
    "equivalence_interval": "at 1 - 2 (1 - confidence): its ends are one-sided limits",
    "margin": "practical equivalence of exponents", "verdict": "of this line",
    "claim_verdict": "the headline of its claim",
    "expects": "of a control, the verdict that must come out", "role": "what the line is to the headline",
    "readings": "whether interpretations of the text agree",
    "letters": "of the claimed order: swept, not swept, and exponents in letters that it lacks",
    "claim_standings": "the headline by either way to take hidden constants; null where none is hidden",
    "standings": "the same of this line", "proof_steps": "displayed steps by how they came out",
    "repairs": "what is true instead of the claim", "tried": "what was tried where the claim is open",
    "reason": "the explanation on one line", "sentence": "claimed, measured, the word, in one sentence",
    "explanation": "in typed parts: decision, evidence, adequacy, limits, choices, next",
    "in_regime": "whether all points meet the hypotheses", "hypotheses": "at how many points each is met or not",
    "law": "of a search: what judge --search prints", "control": "what had to fail the criterion",
    "also_met": "systems that meet the criterion and that the statement does not exclude",
    "excludes": "which rivals the line tells the statement from, where that is not all", "n_trials": "independent runs",
    "seconds": "of CPU", "points": "along the axis; endings counts how trials failed, sequence says which of several",
}  # fmt: skip
"""What the keys of a line are, where their names do not say it."""


def _line() -> Schema:
    """A line of the table: one part of a claim, along one axis. docs/table.md says what each key is."""
    triple = {"type": "array", "items": FIGURE, "minItems": 3, "maxItems": 3}
    line = _object(
        **_all(TEXT, "id part paper source kind"), **_all(WORD, "claimed axis toward asymptotic_exponent relation"),
        grid_exponent=FIGURE, grid_exponent_range=PAIR, measured_exponent=FIGURE, measured_exponent_range=PAIR,
        delta=FIGURE, delta_range=PAIR, quantity=WORD, confidence=FIGURE, confidence_interval=PAIR,
        equivalence_interval=PAIR, margin=FIGURE, verdict=VERDICT, claim_verdict=VERDICT, expects=WORD, role=TEXT,
        readings=TEXT, letters=_object(swept=_map(VERDICT), not_swept=TEXTS, lacking=_map(triple)),
        claim_standings=STANDINGS, proof_steps=_map(COUNT), repairs=_list(_repair()),
        tried=_list(_object(way=TEXT, outcome=TEXT)), reason=TEXT, sentence=TEXT, explanation=OBJECT,
        in_regime=_or_null(TRUTH),
        hypotheses=_object(met=_map(COUNT), not_met=_map(COUNT), undetermined=_map(COUNT), needed=_map(TEXT)),
        standings=STANDINGS, law=_or_null(OBJECT), control=WORD, also_met=TEXTS, excludes=WORD, n_trials=COUNT,
        preset=PRESET, seconds=NUMBER, points=_list(_point()),
    )  # fmt: skip
    for name, words in _WORDS.items():
        line["properties"][name] = {"description": words, **line["properties"][name]}
    return line


def _judgement() -> Schema:
    """What `judge` prints; with `--search` it is a law."""
    fitted = _object(value=FIGURE, confidence_interval=PAIR)
    judged = _object(
        **_all(TEXT, "data axis value claim"), let=_map(TEXT), relation=TEXT,
        toward=_or_null({"type": ["string", "number"]}), margin=FIGURE, tolerance=FIGURE, rate=FIGURE, range=PAIR,
        verdict=VERDICT, reason=TEXT, explanation=OBJECT, measured_exponent=FIGURE,
        measured_exponent_interval=PAIR, grid_exponent=FIGURE, delta=FIGURE, confidence=NUMBER,
        confidence_interval=PAIR, equivalence_interval=PAIR, prefactor=FIGURE,
        offset_power=_or_null(_object(E=fitted, A=fitted, alpha=fitted)), n_rows=COUNT,
        points=_list(_object(axis=NUMBER, claimed=NUMBER, mean=FIGURE, n=COUNT)),
    )  # fmt: skip
    figures = _object(value=FIGURE, interval=PAIR)
    law = _object(
        data=TEXT, response=TEXT, found=TRUTH, reason=TEXT, formula=TEXT, constant=figures, terms=_list(OBJECT),
        logarithm=_or_null(OBJECT), offset=_or_null(figures), ranges=_map(PAIR), fixed=TEXTS, labels=TEXTS,
        gaps=_map(PAIR), fitted=COUNT, held_out=OBJECT, level=NUMBER, confidence=NUMBER, seed={"type": "integer"},
        rivals=_list(OBJECT), front=_list(OBJECT), alternatives=TEXTS,
    )  # fmt: skip
    return {"anyOf": [judged, law]}


def _proof() -> Schema:
    """What `prove` prints: of a typed statement, of an SMT-LIB file, or a list for a list of statements."""
    typed = _object(
        **_all(TEXT, "verdict statement reason"), point=_map(TEXT), gap=WORD, record=_or_null(OBJECT), seconds=NUMBER,
        explanation=TEXTS, constants=_map(TEXT), failures=_list(OBJECT),
    )  # fmt: skip
    told = {
        **_all(TEXT, "verdict statement reason note"), "point": _map(TEXT), "constants": _map(TEXT),
        "records": _list(OBJECT), "seconds": NUMBER,
    }  # fmt: skip
    return {"anyOf": [typed, _object(**told, status=TEXT), _list(_object(**told, expected=TEXT))]}


def _plan() -> Schema:
    size = {"n_points": COUNT, "n_replicates": COUNT}
    design = _object(
        question=TEXT, **size, enough=TRUTH, power=FIGURE, power_now=FIGURE, formula=_or_null(_object(**size)),
        axis_values=_list(NUMBER), span=FIGURE, wider_span=FIGURE, sizes=_list(NUMBER), n_trials=COUNT, n_more=COUNT,
        cpu_seconds=NUMBER, more_cpu_seconds=NUMBER, wall_seconds=NUMBER, seconds_source=TEXT,
    )  # fmt: skip
    cost = _object(preset=PRESET, n_trials=COUNT, n_missing=COUNT, missing_cpu_seconds=FIGURE, source=TEXT)
    return _object(
        **_all(TEXT, "id part"), axis=WORD, verdict=VERDICT, preset=_or_null(PRESET),
        **_all(NUMBER, "confidence power"), unit=WORD, **{name: _or_null(COUNT) for name in size},
        seconds_by_point=_list(_list(NUMBER)), workers=COUNT,
        placement=TEXT, preset_cost=_or_null(cost), designs=_list(design), note=WORD,
    )  # fmt: skip


def _diff() -> Schema:
    figures = _object(verdict=VERDICT, **_all(FIGURE, "measured_exponent delta confidence"), confidence_interval=PAIR,
                      n_trials=COUNT, preset=TEXT)  # fmt: skip
    name = {"id": TEXT, "part": TEXT, "axis": WORD}
    alone = _list(_object(**name, verdict=VERDICT))
    return _object(
        before=TEXT, after=TEXT, differ=TRUTH, headlines=_list(_object(id=TEXT, before=VERDICT, after=VERDICT)),
        lines=_list(_object(**name, noise=TEXT, difference=PAIR, before=figures, after=figures)), only_before=alone,
        only_after=alone,
    )  # fmt: skip


def _audit() -> dict[str, Schema]:
    """Keys of trials that were run again."""
    return {
        **_all(COUNT, "total run_again altered near"), **_all(NUMBER, "chance farthest"),
        **_all(TEXTS, "differences copied"), "not_run_again": _map(COUNT),
        "headlines": _map(_object(**_all(COUNT, "deciding run_again altered"), chance=NUMBER)),
    }  # fmt: skip


def _claims() -> dict[str, Schema]:
    """What is said of claims, with verdicts where a store is read."""
    judged = {"headline": _or_null(VERDICT), "scope": _or_null(TEXTS), "repairs": _list(_repair())}
    return {
        "list": _list(
            _object(id=TEXT, source=WORD, kind=WORD, statement=TEXT, parts=COUNT, broken=TEXTS)
        ),
        "show": _list(
            _object(
                **_all(TEXT, "id paper source kind statement reading"), facts=_list(_object(of=TEXT, words=TEXT)),
                parts=_list(_object(part=TEXT, trials=_map(COUNT))), preset=PRESET, figures=WORD, why=WORD, **judged,
            )
        ),
        "explain": _list(
            _object(**_all(TEXT, "id source kind read fair"), lines=TEXTS, tried=TEXTS, why=WORD, **judged)
        ),
        "errata": _list(
            _object(
                **_all(TEXT, "paper place printed correct why derivation"), needed={"enum": ["yes", "open", "no"]},
                rows=_list(_object(id=TEXT, part=TEXT)),
            )
        ),
        "repairs": _list(_repair()),
    }  # fmt: skip


@functools.cache
def schemas() -> Mapping[str, Schema]:
    """The schema of each command that has `--format json`."""
    change = _object(id=TEXT, part=WORD, axis=WORD, before=_or_null(VERDICT), after=_or_null(VERDICT))
    item = _object(**_all(TEXT, "section number heading reason"), answer=WORD, claims=_map(TEXTS), commands=TEXTS)
    held = _object(name=TEXT, version=TEXT, state=TEXT, outcomes=_map(COUNT), seconds=NUMBER)
    found = {
        **_claims(),
        "table": _list(_line()),
        "plan": _list(_plan()),
        "judge": _judgement(),
        "prove": _proof(),
        "diff": _diff(),
        "check": _object(folder=TEXT, preset=PRESET, lines=COUNT, changes=_list(change)),
        "check-paper": _object(
            problems=TEXTS,
            unmeasured=TEXTS,
            contents=TEXT,
            faults=_list(_object(**_all(TEXT, "fate name id part words"))),
        ),
        "checklist": _object(venue=TEXT, title=TEXT, made_from=TEXT, items=_list(item)),
        "store info": _object(
            store=TEXT, bytes=COUNT, schema=COUNT, simulators=_list(held), lacking=_map(_map(COUNT)), recomputed=TEXT,
            refused=TEXTS, leases=_map(COUNT),
        ),
        "store digest": _object(digest=TEXT, trials=COUNT, timed=COUNT),
        "store verify": _object(sound=TRUTH, absent=WORD, **_audit()),
        "verify": _list(
            _object(
                archive=TEXT, verdict={"enum": ["verified", "not verified", "cannot be verified here"]}, words=TEXT,
                lines=TEXTS, trials=_or_null(_object(**_audit())),
            )
        ),
        "simulate": {
            "anyOf": [
                {"type": "object", "properties": {"outcome": TEXT}, "required": ["outcome"]},
                _object(system=TEXT, parameters=_list(_object(name=TEXT, type=TEXT, default={}))),
            ]
        },
    }  # fmt: skip
    return {
        name: {"$schema": DRAFT, "title": f"theoremeter {name} --format json", **one} for name, one in found.items()
    }


def schema_of(name: str) -> Schema:
    """The schema of one command's JSON.

    Raises:
        KeyError: a command that has none.
    """
    return schemas()[name]
