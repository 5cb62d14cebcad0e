"""From rows to the model of a table: which cell of a line says what. Nothing else of `report` reads a judgement for it.

Calling order: `document` -> `_claim_line`, `_line` -> `checks.report.writing.figures`; `records` for JSON and csv.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import replace

from checks.evidence.check import claim_headline, claim_verdict
from checks.evidence.family import accused_in
from checks.evidence.headline import Headline, ProofSteps, Readings
from checks.evidence.repairs import mending_of
from checks.records.preset import Preset
from checks.records.rows import Point, Row, policy_of_rows
from checks.report.explanation_words import details, sentence
from checks.report.repair_forms import repair_records
from checks.report.writing.figures import (
    asymptotic,
    axis_of,
    claimed,
    delta,
    exponents,
    figures,
    figures_words,
    headline_figures,
    over_constants,
)
from checks.report.writing.model import (
    NOTHING,
    Document,
    Mathematics,
    Options,
    Sheet,
    Tone,
    WrittenCell,
    WrittenColumn,
    WrittenLine,
    WrittenPoints,
    columns,
    short,
    words,
)
from checks.report.writing.records import record
from checks.statistics.explanation import counted
from checks.statistics.policy import ErrorPolicy, level_words
from checks.statistics.verdict import FAILING, SKIPPING, UNUSABLE, Verdict, rounded
from theory.claim import Role
from theory.display.formulas import latex as formula

CLAIM_COLUMNS = columns(
    [
        ("claim", "claim"),
        ("verdict", "headline"),
        ("figures", "measured for claimed"),
        ("steps", "proof"),
        ("readings", "readings"),
        ("scope", "scope"),
        ("why", "why"),
    ]
)
LINE_COLUMNS = columns(
    [
        ("claim", "claim"),
        ("verdict", "verdict"),
        ("role", "role"),
        ("part", "part"),
        ("axis", "axis"),
        ("measured", "measured"),
        ("claimed", "claimed"),
        ("delta", "Δ"),
        ("constants", "over constants"),
        ("asymptotic", "asymptotically"),
        ("trials", "trials"),
        ("why", "reason"),
    ]
)
SEQUENCE = "sequence"
POINT_HEADINGS = ("value", "bound", "measured", "interval", "trials", "note")


def _line_columns(level: str) -> tuple[WrittenColumn, ...]:
    """Columns of `lines`, Delta's with the confidence of its intervals."""
    return tuple(replace(one, heading=f"Δ [{level}]") if one.key == "delta" else one for one in LINE_COLUMNS)


def document(table: Mapping[str, Sequence[Row]], preset: Preset, wanted: Options) -> Document:
    """The table of some claims, by id."""
    headlines = {name: claim_headline(rows) for name, rows in table.items()}
    repairs = {name: repair_records(mending_of(rows)) for name, rows in table.items() if rows}
    count = counted(len(table), "claims")
    has_figures = any(row.judgement.confidence_interval is not None for rows in table.values() for row in rows)
    policy = policy_of_rows(row for rows in table.values() for row in rows)
    level = level_words(policy.confidence)
    legend = f"Figures: {figures_words(level)}" if has_figures else ""
    settled = sorted(table, key=lambda name: headlines[name].verdict is Verdict.NOT_MEASURED_YET)  # gaps come last
    counts = _counted(table, preset)
    return Document(
        f"{count} at preset {preset}",
        legend,
        Sheet(
            CLAIM_COLUMNS,
            tuple(_claim_line(name, headlines[name], wanted) for name in settled),
            tuple(filter(None, (counts, legend, HEADLINE_WORDS))),
        ),
        Sheet(
            _line_columns(level),
            tuple(_line(name, row, headlines[name], wanted) for name in settled for row in table[name]),
            tuple(filter(None, (counts, legend, _hint(wanted), _levels(table, policy)))),
        ),
        tuple(record(row, headlines[name], preset, repairs[name]) for name, rows in table.items() for row in rows),
    )


# --------------------------------------------------------------------------------------------------------------- lines


def _claim_line(name: str, headline: Headline, wanted: Options) -> WrittenLine:
    """One claim: its headline and the figures of the statement line that decides it."""
    readings = "" if headline.readings is Readings.ONE else headline.readings.value
    cells = {
        "claim": words(name),
        "verdict": words(headline.verdict.value),
        "figures": headline_figures(headline),
        "steps": words(steps(headline.proof_steps)),
        "readings": words(readings),
        "scope": words("; ".join(headline.scope)),
        "why": words(*_whys(headline), details(headline.decisive) if wanted.reasons and headline.decisive else ""),
    }
    return WrittenLine(cells, Tone.FOR if headline.as_declared else tone_of(headline.verdict), name)


def _line(name: str, row: Row, headline: Headline, wanted: Options) -> WrittenLine:
    """One line of a claim: a part, along an axis."""
    judgement = row.judgement
    found = exponents(row)
    interval = judgement.confidence_interval
    measured = NOTHING if found is None else WrittenCell(((found.measured,),))
    if found is None and judgement.exponents.measured is not None:
        measured = words(rounded(judgement.exponents.measured))
    if judgement.delta is None and interval is not None:
        measured = measured + figures(row)
    value = row.claim.value
    cells = {
        "claim": words(name),
        "headline": words("; ".join((headline.verdict.value, *headline.scope))),
        "verdict": words(row.verdict.value),
        "role": words(row.role.value),
        "part": words(row.part),
        "axis": axis_of(row),
        "formula": NOTHING
        if value is None
        else WrittenCell(((Mathematics(str(value), formula(value, breakable=True)),),)),
        "measured": measured,
        "claimed": claimed(row),
        "delta": delta(row),
        "constants": over_constants(row),
        "asymptotic": words(asymptotic(row)),
        "trials": words(row.protocol.n_trials or ""),
        "why": _why([row], row if wanted.reasons else None),
    }
    return WrittenLine(cells, tone_of(row.verdict), name, row.role is Role.STATEMENT, points_of(row))


def tone_of(verdict: Verdict) -> Tone:
    """Against the claim, or broken; open; nothing measured; for it."""
    if verdict is Verdict.NOT_MEASURED_YET:
        return Tone.NOTHING
    return Tone.AGAINST if verdict in FAILING | UNUSABLE else Tone.OPEN if verdict in SKIPPING else Tone.FOR


def why(headline: Headline) -> str:
    """The first sentence of the line that decides, and of the readings that disagree with it.

    Where no point meets the hypotheses, which of them fail and where.
    """
    return " ".join(filter(None, _whys(headline)))


def reasons(headline: Headline) -> str:
    """The same, with the explanation of the line that decides in full."""
    in_full = "" if headline.decisive is None else details(headline.decisive)
    return " ".join(filter(None, (why(headline), in_full)))


def _whys(headline: Headline) -> list[str]:
    return [*map(sentence, _heard(headline)), *dict.fromkeys(map(unmet, headline.outside))]


def _heard(headline: Headline) -> list[Row]:
    """The lines that make a headline what it is."""
    return [*([] if headline.decisive is None else [headline.decisive]), *headline.disagreeing, *headline.repairs]


def _why(rows: Sequence[Row], in_full: Row | None) -> WrittenCell:
    """The first sentences of lines, and the explanation of one of them in full."""
    return words(*map(sentence, rows), "" if in_full is None else details(in_full))


def steps(found: ProofSteps) -> str:
    """Of the displayed steps, how many hold, corrections counted apart."""
    if not found.total:
        return ""
    corrected = f"+{found.corrected}" if found.corrected else ""
    return f"{found.hold}{corrected} of {found.total}"


def line_name(row: Row) -> str:
    """What a line says of its claim, and which line it is: one whose points fail a hypothesis is out of regime."""
    count, axis = row.protocol.n_trials, axis_of(row).text
    trials = f" ({counted(count, 'trials')})" if count else ""
    is_control = row.expects is not None and row.role in (Role.STATEMENT, Role.READING)
    trials += " (control, false on purpose)" if is_control else ""
    word = Verdict.OUT_OF_REGIME if row.role is Role.OUTSIDE else row.verdict
    return f"{word}: {', '.join(filter(None, (row.claim.id, row.part, axis)))}{trials}"


def unmet(row: Row) -> str:
    """The hypotheses that a line's points fail, and where those points lie; "" where they fail none."""
    failed = ", ".join(f"{name} at {counted(count, 'points')}" for name, count in row.standing.not_met.items())
    spans = ", ".join(f"{letter} {low:.4g} to {high:.4g}" for letter, (low, high) in row.ranges.items())
    measured = f"; measured on {spans}" if spans else ""
    return f"Hypotheses not met: {failed}{measured}." if failed else ""


def one_line(name: str, rows: Sequence[Row]) -> str:
    """A claim's headline and the first sentence of the line that decides it."""
    headline = claim_headline(rows)
    row = headline.decisive or rows[0]
    return f"{name:22} {headline.verdict.value:17} {sentence(row)}"


# -------------------------------------------------------------------------------------------------------------- points


def points_of(row: Row) -> WrittenPoints | None:
    """Claim against measurement at each point; None where a line has no points."""
    if not row.points:
        return None
    cells = tuple(point_cells(row, point) for point in row.points)
    deltas = ", ".join(rounded(value, signed=True) for value in row.judgement.exponents.local_deltas)
    below = f"Δ between neighbours, nearest to the limit last: {deltas}" if deltas else ""
    return WrittenPoints(f"{row.claim.id} ({row.part}): bound against measurement", point_names(row), cells, below)


def point_names(row: Row) -> tuple[str, ...]:
    """Headings of the columns of `point_cells`: the sequence, where a row has several, and the row's axis first."""
    own = (SEQUENCE,) if _has_sequences(row) else ()
    return (*own, row.axis.symbol.name if row.axis else POINT_HEADINGS[0], *POINT_HEADINGS[1:])


def _has_sequences(row: Row) -> bool:
    return any(point.sequence for point in row.points)


def point_cells(row: Row, point: Point) -> tuple[str, ...]:
    """One point's cells, in the order of `point_names`."""
    notes = [f"censored {point.censored}"] if point.censored else []
    notes += ["out of regime"] if point.in_regime is False else []
    notes += [f"{count} {name}" for name, count in point.endings]
    is_bounded = point.low is not None or point.high is not None
    interval = f"[{short(point.low) or '0'}, {short(point.high) or '∞'}]" if is_bounded else ""
    cells = (f"{point.value:.4g}", short(point.bound), short(point.measured), interval, str(point.n_trials))
    own = (point.sequence,) if _has_sequences(row) else ()
    return (*own, *cells, ", ".join(notes))


# --------------------------------------------------------------------------------------------------------------- notes

HEADLINE_WORDS = (
    "A headline comes from the paper's own statement, at points that fail none of its hypotheses. Proof: displayed "
    "steps that hold, + those that hold as corrected. Scope: letters of an order that were swept or not, exponents in "
    "letters that it lacks, and the headline by either way to take hidden constants. --parts gives every line with its "
    "role, --reasons says why; `theoremeter explain` how each claim is read."
)


def _counted(table: Mapping[str, Sequence[Row]], preset: Preset) -> str:
    """How many claims came out as what."""
    counts = Counter(claim_verdict(rows) for rows in table.values())
    parts = "; ".join(f"{counts[verdict]} {verdict.value}" for verdict in Verdict if counts[verdict])
    found = [headline for headline in map(claim_headline, table.values()) if headline.expects is not None]
    right = sum(headline.as_declared for headline in found)
    controls = f" Of these, {counted(len(found), 'controls')}, false on purpose: {right} as declared." if found else ""
    return f"{counted(len(table), 'claims')} at preset {preset}: {parts}.{controls}"


def _hint(wanted: Options) -> str:
    if wanted.reasons:
        return ""
    return "--reasons says why, below each line; --format csv and json hold the explanations as well."


def _levels(table: Mapping[str, Sequence[Row]], policy: ErrorPolicy) -> str:
    """At which levels lines are called violated, and the others what they are."""
    accused = accused_in(table)
    lines: dict[str, float] = {}
    for row in (row for rows in table.values() for row in rows):
        lines[row.claim.paper] = max(row.policy.family, lines.get(row.claim.paper, 1))
    levels = ", ".join(
        f"{policy.error:g}/{max(1, size - accused.get(key, 0)):g} for {key}" for key, size in lines.items()
    )
    return (
        f"Statement lines decide a claim's headline. 'violated' is tested at {levels or 'no level'} ({policy.error:g} "
        f"over the paper's statement lines that draws settle, less the {sum(accused.values())} violated here; a table "
        "of more of its claims may take off more, and so have other intervals for the same line), so that "
        f"one in a paper is wrong in at most {level_words(policy.error)}; 'holds', 'tight' and 'loose' at "
        f"{policy.error:g} each, by itself."
    )
