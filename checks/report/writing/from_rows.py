"""From rows to the model of a table: which cell of a line says what. Nothing else of `report` reads a judgement for it.

Calling order: `document` -> `_claim_line`, `_line` -> `figures`, `_exponents`, `axis_of`; `records` for JSON and csv.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import replace
from fractions import Fraction

from checks.evidence.check import claim_headline, claim_verdict
from checks.evidence.headline import Headline, ProofSteps, Readings
from checks.records.preset import Preset
from checks.records.rows import Point, Row, policy_of_rows
from checks.report.writing.model import (
    NOTHING,
    Cell,
    Column,
    Difference,
    Document,
    Figure,
    Line,
    Mathematics,
    Phrase,
    Points,
    Sheet,
    Span,
    Tone,
    Wanted,
    Words,
    columns,
    difference,
    short,
    words,
)
from checks.report.writing.records import record
from checks.statistics.digits import digits_of, rounded
from checks.statistics.policy import ErrorPolicy, level_words
from checks.statistics.verdict import (
    DELTA_WORDS,
    FAILING,
    RELATION_SIGNS,
    SKIPPING,
    UNUSABLE,
    Interval,
    Quantity,
    Verdict,
)
from theory.claim import Role
from theory.display.formulas import latex as formula
from theory.display.names import latex_symbol

CLAIM_COLUMNS = columns(
    [
        ("claim", "claim"),
        ("verdict", "headline"),
        ("figures", "measured for claimed"),
        ("steps", "proof"),
        ("readings", "readings"),
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
POINT_HEADINGS = ("value", "bound", "measured", "interval", "trials", "note")

_FIGURES_WORDS = (
    "'n → ∞: 0.40 for ≤ 0.50, Δ -0.10' says that the measured quantity follows n^0.40 on the grid where the "
    "claim allows at most order n^0.50 there (≥: at least, =: of that order). Intervals are {level}, of Δ where "
    "there is one. {delta}"
)

_DELTA = Mathematics("Δ", r"\Delta")
_SIGNS = {"≤": r"\leq", "≥": r"\geq", "=": "="}
_MOST_BOUNDARY = 10
_MOST_BOUNDARY_LATEX = 60
_SHOWN = {
    Quantity.RATE: "rate in ",
    Quantity.RATIO: "measured/claimed in ",
    Quantity.CHANGE: "a factor in ",
    Quantity.THRESHOLD_RATIO: "a factor in ",
}


def figures_words(level: str) -> str:
    """What a table's figures are, where intervals have a confidence in words, "95 %"."""
    return _FIGURES_WORDS.format(level=level, delta=DELTA_WORDS)


def _line_columns(level: str) -> tuple[Column, ...]:
    """Columns of `lines`, Delta's with the confidence of its intervals."""
    return tuple(replace(one, heading=f"Δ [{level}]") if one.key == "delta" else one for one in LINE_COLUMNS)


def document(table: Mapping[str, Sequence[Row]], preset: Preset, wanted: Wanted) -> Document:
    """The table of some claims, by id."""
    headlines = {name: claim_headline(rows) for name, rows in table.items()}
    count = f"{len(table)} claim{'' if len(table) == 1 else 's'}"
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
            tuple(_claim_line(name, headlines[name]) for name in settled),
            tuple(filter(None, (counts, legend, HEADLINE_WORDS))),
        ),
        Sheet(
            _line_columns(level),
            tuple(_line(name, row, headlines[name]) for name in settled for row in table[name]),
            tuple(filter(None, (counts, legend, _hint(wanted), _levels(table, policy)))),
        ),
        tuple(record(row, headlines[name], preset) for name, rows in table.items() for row in rows),
    )


# --------------------------------------------------------------------------------------------------------------- lines


def _claim_line(name: str, headline: Headline) -> Line:
    """One claim: its headline and the figures of the statement line that decides it."""
    readings = "" if headline.readings is Readings.ONE else headline.readings.value
    cells = {
        "claim": words(name),
        "verdict": words(headline.verdict.value),
        "figures": headline_figures(headline),
        "steps": words(steps(headline.proof_steps)),
        "readings": words(readings),
        "why": words(why(headline)),
    }
    return Line(cells, tone_of(headline.verdict), name)


def _line(name: str, row: Row, headline: Headline) -> Line:
    """One line of a claim: a part, along an axis."""
    judgement = row.judgement
    found = exponents(row)
    interval = judgement.confidence_interval
    measured = NOTHING if found is None else Cell(((found.measured,),))
    if found is None and judgement.exponents.measured is not None:
        measured = words(rounded(judgement.exponents.measured))
    if judgement.delta is None and interval is not None:
        measured = measured + figures(row)
    value = row.claim.value
    cells = {
        "claim": words(name),
        "headline": words(headline.verdict.value),
        "verdict": words(row.verdict.value),
        "role": words(row.role.value),
        "part": words(row.part),
        "axis": axis_of(row),
        "formula": NOTHING if value is None else Cell(((Mathematics(str(value), formula(value, breakable=True)),),)),
        "measured": measured,
        "claimed": claimed(row),
        "delta": delta(row),
        "constants": over_constants(row),
        "asymptotic": words(asymptotic(row)),
        "trials": words(row.protocol.n_trials or ""),
        "why": words(reason_of(row)),
    }
    return Line(cells, tone_of(row.verdict), name, row.role is Role.STATEMENT, points_of(row))


def tone_of(verdict: Verdict) -> Tone:
    """Against the claim, or broken; open; nothing measured; for it."""
    if verdict is Verdict.NOT_MEASURED_YET:
        return Tone.NOTHING
    return Tone.AGAINST if verdict in FAILING | UNUSABLE else Tone.OPEN if verdict in SKIPPING else Tone.FOR


def reason_of(row: Row) -> str:
    """Why a line's verdict is what it is: the one place that tables and pages take it from."""
    return row.judgement.reason


def why(headline: Headline) -> str:
    """The reason of the deciding line, and the readings that disagree with it."""
    said = [f"{row.part}: {row.verdict}: {reason_of(row)}" for row in headline.disagreeing]
    row = headline.decisive
    own = "" if row is None else f"{row.part}: {reason_of(row)}" if row.part else reason_of(row)
    return "; but read otherwise, ".join(text for text in (own, *said) if text)


def steps(found: ProofSteps) -> str:
    """Of the displayed steps, how many hold, corrections counted apart."""
    if not found.total:
        return ""
    corrected = f"+{found.corrected}" if found.corrected else ""
    return f"{found.hold}{corrected} of {found.total}"


def line_name(row: Row) -> str:
    """The verdict on a line, and which line it is."""
    count, axis = row.protocol.n_trials, axis_of(row).text
    trials = f" ({count} {'trial' if count == 1 else 'trials'})" if count else ""
    return f"{row.verdict}: {', '.join(filter(None, (row.claim.id, row.part, axis)))}{trials}"


def one_line(name: str, rows: Sequence[Row]) -> str:
    """A claim's headline and the reason of the line that decides it."""
    headline = claim_headline(rows)
    row = headline.decisive or rows[0]
    part = f"{row.part}: " if row.part else ""
    return f"{name:22} {headline.verdict.value:17} {part}{reason_of(row)}"


# ------------------------------------------------------------------------------------------------------------- figures


def headline_figures(headline: Headline) -> Cell:
    """The figures of the line that decides a headline; nothing where there is none."""
    return NOTHING if headline.decisive is None else figures(headline.decisive)


def figures(row: Row) -> Cell:
    """What was measured against what is claimed, in one phrase after another; nothing where symbols settled it."""
    judgement = row.judgement
    effect, interval = judgement.effect, judgement.confidence_interval
    if effect.quantity is Quantity.DIFFERENCE and judgement.delta is not None:
        return Cell(((Words("difference "), *_delta_figures(row, None)),))
    if judgement.delta is not None:
        found = exponents(row)
        if found is None:
            return Cell(((_DELTA, Words(" "), *_delta_figures(row, None)),)) + _delta_over_constants(row)
        axis = Cell(((*_axis_pieces(row), Words(":")),)) if row.axis is not None else NOTHING
        both = (found.measured, Words(" for "), *_claimed(row, found), Words(","))
        return axis + Cell((both, (_DELTA, Words(" "), *_delta_figures(row, found)))) + _delta_over_constants(row)
    if interval is None or effect.quantity is None:
        return NOTHING
    is_ratio = effect.relation is not None and effect.quantity is Quantity.RATIO
    asked = f" for {RELATION_SIGNS[effect.relation or '']} 1" if is_ratio else ""
    return Cell(((Words(_SHOWN.get(effect.quantity, "in ")), _span(row), Words(asked)),))


def exponents(row: Row) -> Difference | None:
    """The exponents on the grid and Delta as printed; None where a line lacks one of them."""
    judgement = row.judgement
    measured, on_grid, change = judgement.exponents.measured, judgement.exponents.on_grid, judgement.delta
    if measured is None or on_grid is None or change is None:
        return None
    return difference(measured, on_grid, change, judgement.confidence_interval)


def claimed(row: Row) -> Cell:
    """How the measured quantity must stand to the claimed one, and the claimed exponent on the grid."""
    found = exponents(row)
    return NOTHING if found is None else Cell((_claimed(row, found),))


def _claimed(row: Row, found: Difference) -> Phrase:
    sign = RELATION_SIGNS.get(row.judgement.effect.relation or "", "")
    return (Mathematics(sign, _SIGNS[sign]), Words(" "), found.claimed) if sign else (found.claimed,)


def delta(row: Row) -> Cell:
    """Delta with its interval; the mean difference of pairs stands under its own name."""
    if row.judgement.delta is None:
        return NOTHING
    name = (Words("difference "),) if row.judgement.effect.quantity is Quantity.DIFFERENCE else ()
    return Cell(((*name, *_delta_figures(row, exponents(row))),))


def _delta_figures(row: Row, found: Difference | None) -> Phrase:
    judgement = row.judgement
    value, interval = judgement.delta or 0.0, judgement.confidence_interval
    text = rounded(value, digits_of(interval), signed=True)
    figure = Figure(value, text, str(judgement.effect.quantity or Quantity.DELTA)) if found is None else found.delta
    return (figure,) if interval is None else (figure, Words(" "), _span(row), *_kind(row))


def _kind(row: Row) -> Phrase:
    """What an interval is, where it is not of the level in the heading."""
    kind = " (range)" if row.judgement.effect.interval_kind == "range" else row.own_level
    return (Words(kind),) if kind else ()


def _span(row: Row) -> Span:
    interval = row.judgement.confidence_interval
    if interval is None:
        raise ValueError("the line must have an interval, got none")
    return Span(interval, "range" if row.judgement.effect.interval_kind == "range" else row.level)


def over_constants(row: Row) -> Cell:
    """What the figures are over the admissible values of hidden constants, where they differ as printed."""
    judgement = row.judgement
    found = [
        (Words("measured"), judgement.exponents.measured_range, "exponent"),
        (Words("claimed"), judgement.exponents.on_grid_range, "exponent"),
        (_DELTA, judgement.effect.delta_range, "Δ"),
    ]
    said = [(name, Words(" "), *ends) for name, span, unit in found if (ends := _ends(span, unit))]
    return Cell(tuple((*phrase, Words(",")) for phrase in said[:-1]) + tuple(said[-1:]))


def _delta_over_constants(row: Row) -> Cell:
    """The same of Delta alone, behind Delta."""
    ends = _ends(row.judgement.effect.delta_range, "Δ")
    return Cell(((Words("("), *ends, Words(" over constants)")),)) if ends else NOTHING


def _ends(interval: Interval | None, unit: str) -> Phrase:
    if interval is None:
        return ()
    low, high = (Figure(end, rounded(end, signed=unit == "Δ"), unit) for end in (interval.low, interval.high))
    return (low, Words(" to "), high) if low.text != high.text else ()


def asymptotic(row: Row) -> str:
    """The claim's exponent in the limit, where it is not the one on the grid as printed; "" elsewhere."""
    text, found = row.display.asymptotic_exponent or "", exponents(row)
    if not text or found is None:
        return text
    try:
        value = float(Fraction(text))
    except (ValueError, ZeroDivisionError, OverflowError):
        return text
    digits = len(found.claimed.text.partition(".")[2])
    return "" if rounded(value, digits) == found.claimed.text else text


def axis_of(row: Row) -> Cell:
    """The axis whose exponents are printed, and where it goes; toward a boundary that is the distance to it."""
    return NOTHING if row.axis is None else Cell((_axis_pieces(row),))


def _axis_pieces(row: Row) -> Phrase:
    if row.axis is None:
        return ()
    name, toward = row.axis.symbol.name, row.axis.toward
    letter = Mathematics(name, latex_symbol(name))
    limits = {"infinity": ("∞", r"\infty"), "zero": ("0", "0")}
    if isinstance(toward, str):
        return (letter, Mathematics(" → ", r" \to "), Mathematics(*limits[toward]))
    boundary, typeset = (str(toward), formula(toward)) if toward.is_Atom else (f"({toward})", f"({formula(toward)})")
    boundary = boundary if len(boundary) <= _MOST_BOUNDARY else "boundary"
    typeset = typeset if len(typeset) <= _MOST_BOUNDARY_LATEX else r"\partial"
    return (Mathematics(f"|{name} - {boundary}| → 0", rf"|{letter.latex} - {typeset}| \to 0"),)


# -------------------------------------------------------------------------------------------------------------- points


def points_of(row: Row) -> Points | None:
    """Claim against measurement at each point; None where a line has no points."""
    if not row.points:
        return None
    cells = tuple(point_cells(point) for point in row.points)
    deltas = ", ".join(rounded(value, signed=True) for value in row.judgement.exponents.local_deltas)
    below = f"Δ between neighbours, nearest to the limit last: {deltas}" if deltas else ""
    return Points(f"{row.claim.id} ({row.part}): bound against measurement", point_names(row), cells, below)


def point_names(row: Row) -> tuple[str, ...]:
    """Headings of the columns of `point_cells`, the first the row's axis."""
    return (row.axis.symbol.name if row.axis else POINT_HEADINGS[0], *POINT_HEADINGS[1:])


def point_cells(point: Point) -> tuple[str, ...]:
    """One point's cells, in the order of `POINT_HEADINGS`."""
    notes = [f"censored {point.censored}"] if point.censored else []
    notes += ["out of regime"] if point.in_regime is False else []
    notes += [f"{count} {name}" for name, count in point.endings]
    is_bounded = point.low is not None or point.high is not None
    interval = f"[{short(point.low) or '0'}, {short(point.high) or '∞'}]" if is_bounded else ""
    cells = (f"{point.value:.4g}", short(point.bound), short(point.measured), interval, str(point.n_trials))
    return (*cells, ", ".join(notes))


# --------------------------------------------------------------------------------------------------------------- notes

HEADLINE_WORDS = (
    "A headline comes from the paper's own statement, at points that meet its hypotheses. Proof: displayed steps "
    "that hold, + those that hold as corrected. --parts gives every line with its role, --reasons says why; "
    "`theoremeter explain` how each claim is read."
)


def _counted(table: Mapping[str, Sequence[Row]], preset: Preset) -> str:
    """How many claims came out as what."""
    counts = Counter(claim_verdict(rows) for rows in table.values())
    parts = ", ".join(f"{counts[verdict]} {verdict.value}" for verdict in Verdict if counts[verdict])
    return f"{len(table)} claim{'' if len(table) == 1 else 's'} at preset {preset}: {parts}."


def _hint(wanted: Wanted) -> str:
    if wanted.reasons:
        return ""
    return "--reasons says why, below each line; --format markdown, csv and json hold the reasons as well."


def _levels(table: Mapping[str, Sequence[Row]], policy: ErrorPolicy) -> str:
    """At which level a claim is called violated."""
    from checks.evidence.comparison import scaling_family

    keys = dict.fromkeys(rows[0].claim.paper for rows in table.values() if rows)
    levels = ", ".join(f"{policy.error:g}/{scaling_family(key)} for {key}" for key in keys)
    return (
        f"Statement lines decide a claim's headline. 'violated' is tested at {levels or 'no level'} "
        f"({policy.error:g} over the scaling claims of the paper)."
    )
