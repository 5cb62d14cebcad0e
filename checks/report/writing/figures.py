"""The figures of a line as cells: exponents, relation and Delta that add up, their axis, and ranges over constants.

What a cell says is read from the row's judgement alone; digits come from `checks.statistics.verdict`.
"""

from __future__ import annotations

from fractions import Fraction

from checks.evidence.headline import Headline
from checks.evidence.scaling import MAX_LEFT_OUT
from checks.records.rows import BEYOND, SERVES, Row
from checks.report.writing.model import (
    NOTHING,
    Difference,
    Figure,
    Mathematics,
    Phrase,
    Span,
    Words,
    WrittenCell,
    difference,
)
from checks.statistics.explanation import ASSUMED_RATE, Topic
from checks.statistics.verdict import (
    DELTA_WORDS,
    RELATION_SIGNS,
    Interval,
    Quantity,
    Verdict,
    digits_of,
    rounded,
)
from theory.claim import Kind
from theory.display.formulas import latex as formula
from theory.display.names import latex_symbol

_FIGURES_WORDS = (
    "'n → ∞: 0.40 for ≤ 0.50, Δ -0.10' says that the measured quantity follows n^0.40 on the grid where the "
    "claim allows at most order n^0.50 there (≥: at least, =: of that order). Intervals are at least {level}, of "
    "Δ where there is one. {delta}"
)

_DELTA = Mathematics("Δ", r"\Delta")
_SIGNS = {"≤": r"\leq", "≥": r"\geq", "=": "="}
_MOST_BOUNDARY = 10
_MOST_BOUNDARY_LATEX = 60
_SHOWN = {
    Quantity.RATE: "rate in ",
    Quantity.RATIO: "measured/claimed in ",
    Quantity.LIMIT: "a limit in ",
    Quantity.PLACE: "a transition in ",
    Quantity.CHANGE: "a factor in ",
    Quantity.THRESHOLD_RATIO: "a factor in ",
}


def figures_words(level: str) -> str:
    """What a table's figures are, where intervals have a confidence in words, "95 %"."""
    return _FIGURES_WORDS.format(level=level, delta=DELTA_WORDS)


def headline_figures(headline: Headline) -> WrittenCell:
    """The figures of the line that decides a headline; nothing where there is none."""
    return NOTHING if headline.decisive is None else figures(headline.decisive)


def figures(row: Row) -> WrittenCell:
    """What was measured against what is claimed, in one phrase after another; nothing where symbols settled it."""
    judgement = row.judgement
    effect, interval = judgement.effect, judgement.confidence_interval
    if effect.quantity is Quantity.DIFFERENCE and judgement.delta is not None:
        return WrittenCell(((Words("difference "), *_delta_figures(row, None, digits=2)),))
    if judgement.delta is not None:
        found = exponents(row)
        if found is None:
            return WrittenCell(((_DELTA, Words(" "), *_delta_figures(row, None, digits=2)),)) + _delta_over_constants(
                row
            )
        axis = WrittenCell(((*_axis_pieces(row), Words(":")),)) if row.axis is not None else NOTHING
        both = (found.measured, Words(" for "), *_claimed(row, found), Words(","))
        change = (_DELTA, Words(" "), *_delta_figures(row, found, digits=2))
        return axis + WrittenCell((both, change)) + _delta_over_constants(row)
    if interval is None or effect.quantity is None:
        return NOTHING
    return WrittenCell(
        (
            (
                Words(_shown(row)),
                _span(row, _telling(row)),
                Words(_asked(row) + _beyond(row) + _selected(row)),
            ),
        )
    )


def _shown(row: Row) -> str:
    """What the interval is of: of a law the share below a quantile, of an open transition the limit at one value."""
    quantity, decision = row.judgement.effect.quantity, row.judgement.explanation.decision
    if quantity is None:
        return "in "
    if quantity is Quantity.LIMIT and decision.claimed is not None and _chosen(row, "step") is not None:
        return f"share up to the {decision.claimed:.3g} quantile in "
    places = [clause.figures["place"] for clause in decision.clauses if "place" in clause.figures]
    if quantity is Quantity.LIMIT and places and row.claim.kind is Kind.TRANSITION:
        return f"at {places[0]:.4g} a limit in "
    return _SHOWN.get(quantity, "in ")


def _chosen(row: Row, name: str) -> float | None:
    """A number that was stated beforehand, by its name; None where there is none."""
    clauses = row.judgement.explanation.choices.clauses
    found = (clause.figures.get(name) for clause in clauses if clause.topic is Topic.MARGIN)
    return next((float(value) for value in found if isinstance(value, int | float)), None)


def _asked(row: Row) -> str:
    """What the interval is compared with, and how far off it may be by the test's own margin; "" without either."""
    effect, decision = row.judgement.effect, row.judgement.explanation.decision
    sign = RELATION_SIGNS.get(effect.relation or "", "")
    is_sequence = effect.quantity is Quantity.LIMIT
    if effect.quantity is Quantity.RATIO and sign:
        return f" for {sign} 1" + (f" ± {effect.margin:g}" if effect.margin is not None else "")
    if decision.claimed is None or not (is_sequence or effect.quantity is Quantity.PLACE):
        return _at_rate(row)
    room = f" ± {decision.threshold:.2g}" if decision.threshold is not None else ""
    level = _chosen(row, "level") if effect.quantity is Quantity.PLACE else None
    strength = "" if level is None else f", to {level:.3g} or more"
    return f" for {sign} {decision.claimed:.4g}{room}{strength}{_at_rate(row)}"


def _at_rate(row: Row) -> str:
    """The rate that a decided limit rests on, where an author assumed one."""
    for clause in row.judgement.explanation.choices.clauses:
        if ASSUMED_RATE in clause.figures and clause.figures["needed"]:
            return f" at rate {clause.figures[ASSUMED_RATE]:g} assumed"
    return ""


def _selected(row: Row) -> str:
    """How many trials count, where a selection by the part's author leaves out more than a fifth of them."""
    for clause in row.judgement.explanation.choices.clauses:
        counted, every = clause.figures.get("counted"), clause.figures.get("of")
        if clause.topic is not Topic.SELECTION or not isinstance(counted, int) or not isinstance(every, int):
            continue
        if counted < (1 - MAX_LEFT_OUT) * every:
            return f", of {counted} of {every} trials"
    return ""


def _telling(row: Row) -> int:
    """Digits of an interval that show on which side of what is asked its ends lie: two, or as many more as it takes."""
    interval, bars = row.judgement.confidence_interval, _bars(row)
    if interval is None:
        return 2
    pairs = [(end, bar) for end in (interval.low, interval.high) for bar in bars if end != bar]

    def tells(digits: int) -> bool:
        """Whether rounded ends lie where the ends do."""
        return all((float(f"{end:.{digits}g}") - bar) * (end - bar) > 0 for end, bar in pairs)

    return next((digits for digits in (2, 3) if tells(digits)), 4)


def _bars(row: Row) -> list[float]:
    """What the ends of an interval are compared with."""
    decision = row.judgement.explanation.decision
    if row.judgement.effect.quantity is Quantity.RATIO:
        return [1.0]
    if row.judgement.effect.quantity is Quantity.LIMIT and decision.claimed is not None and decision.threshold:
        return [decision.claimed - decision.threshold, decision.claimed + decision.threshold]
    return [] if decision.threshold is None else [decision.threshold]


def _beyond(row: Row) -> str:
    """How far beyond a sufficient condition success was shown, where that makes it loose."""
    low, high = BEYOND
    found = [clause.figures for clause in row.judgement.explanation.decision.clauses if low in clause.figures]
    if not found or row.verdict is not Verdict.LOOSE:
        return ""
    factors = [found[0][name] for name in (low, high)]
    ends = dict.fromkeys(f"{factor:.3g}" for factor in factors if isinstance(factor, float))
    serves = found[0].get(SERVES)
    constant = f": a constant of {serves:.2g} serves" if isinstance(serves, float) else ""
    return f", loose by a factor of {' to '.join(ends)}{constant}"


def exponents(row: Row) -> Difference | None:
    """The exponents on the grid and Delta as printed; None where a line lacks one of them."""
    judgement = row.judgement
    measured, on_grid, change = judgement.exponents.measured, judgement.exponents.on_grid, judgement.delta
    if measured is None or on_grid is None or change is None:
        return None
    return difference(measured, on_grid, change, judgement.confidence_interval)


def claimed(row: Row) -> WrittenCell:
    """How the measured quantity must stand to the claimed one, and the claimed exponent on the grid."""
    found = exponents(row)
    return NOTHING if found is None else WrittenCell((_claimed(row, found),))


def _claimed(row: Row, found: Difference) -> Phrase:
    sign = RELATION_SIGNS.get(row.judgement.effect.relation or "", "")
    return (Mathematics(sign, _SIGNS[sign]), Words(" "), found.claimed) if sign else (found.claimed,)


def delta(row: Row) -> WrittenCell:
    """Delta with its interval; the mean difference of pairs stands under its own name."""
    if row.judgement.delta is None:
        return NOTHING
    name = (Words("difference "),) if row.judgement.effect.quantity is Quantity.DIFFERENCE else ()
    return WrittenCell(((*name, *_delta_figures(row, exponents(row))),))


def _delta_figures(row: Row, found: Difference | None, *, digits: int = 3) -> Phrase:
    judgement = row.judgement
    value, interval = judgement.delta or 0.0, judgement.confidence_interval
    text = rounded(value, digits_of(interval), signed=True)
    figure = Figure(value, text, str(judgement.effect.quantity or Quantity.DELTA)) if found is None else found.delta
    return (figure,) if interval is None else (figure, Words(" "), _span(row, digits), *_kind(row))


def _kind(row: Row) -> Phrase:
    """What an interval is, where it is not of the level in the heading."""
    kind = " (range)" if row.judgement.effect.interval_kind == "range" else row.own_level
    return (Words(kind),) if kind else ()


def _span(row: Row, digits: int) -> Span:
    interval = row.judgement.confidence_interval
    if interval is None:
        raise ValueError("the line must have an interval, got none")
    level = "range" if row.judgement.effect.interval_kind == "range" else row.level
    return Span(interval, level, digits)


def over_constants(row: Row) -> WrittenCell:
    """What the figures are over the admissible values of hidden constants, where they differ as printed."""
    judgement = row.judgement
    found = [
        (Words("measured"), judgement.exponents.measured_range, "exponent"),
        (Words("claimed"), judgement.exponents.on_grid_range, "exponent"),
        (_DELTA, judgement.effect.delta_range, "Δ"),
    ]
    said = [(name, Words(" "), *ends) for name, span, unit in found if (ends := _ends(span, unit))]
    return WrittenCell(tuple((*phrase, Words(",")) for phrase in said[:-1]) + tuple(said[-1:]))


def _delta_over_constants(row: Row) -> WrittenCell:
    """The same of Delta alone, behind Delta."""
    ends = _ends(row.judgement.effect.delta_range, "Δ")
    return WrittenCell(((Words("("), *ends, Words(" over constants)")),)) if ends else NOTHING


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


def axis_of(row: Row) -> WrittenCell:
    """The axis whose exponents are printed, and where it goes; toward a boundary that is the distance to it."""
    return NOTHING if row.axis is None else WrittenCell((_axis_pieces(row),))


def _axis_pieces(row: Row) -> Phrase:
    if row.axis is None:
        return ()
    name, toward = row.axis.symbol.name, row.axis.toward
    letter = Mathematics(name, latex_symbol(name))
    if isinstance(toward, str):
        limit = Mathematics("∞", r"\infty") if toward == "infinity" else Mathematics("0", "0")
        return (letter, Mathematics(" → ", r" \to "), limit)
    boundary, typeset = (str(toward), formula(toward)) if toward.is_Atom else (f"({toward})", f"({formula(toward)})")
    boundary = boundary if len(boundary) <= _MOST_BOUNDARY else "boundary"
    typeset = typeset if len(typeset) <= _MOST_BOUNDARY_LATEX else r"\partial"
    return (Mathematics(f"|{name} - {boundary}| → 0", rf"|{letter.latex} - {typeset}| \to 0"),)
