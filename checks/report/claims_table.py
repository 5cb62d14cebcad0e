"""One line a claim: its headline and the figures of the statement line that decides it.

What the lines of a claim say in detail is the table of parts (`checks.report.table`, `--parts`). Here stand, for every
claim: id, headline, figures (exponent measured and claimed with the interval of Delta, Δ, a rate, or measured over
claimed), what became of the displayed proof steps, and whether other readings agree.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from checks.evidence.check import claim_headline
from checks.evidence.headline import Headline, ProofSteps, Readings
from checks.records.rows import Row
from checks.report import layout
from checks.report.explanation_words import details, sentence
from checks.report.layout import Column
from checks.statistics.verdict import FAILING, SKIPPING, UNUSABLE, Interval, Verdict

COLUMNS = (
    Column("claim"),
    Column("headline", coloured=True),
    Column("measured against claimed", priority=1, least=20),
    Column("proof", priority=3),
    Column("readings", priority=2),
    Column("why", below=True, label=""),
)
DETAILS = Column("details", below=True, label="")
"""Why in full, where it is asked for."""
NAMES = [column.name for column in COLUMNS]


def colour_of(verdict: Verdict) -> str:
    """Red against the claim and where broken, yellow where open, faint where nothing was measured, green for it."""
    if verdict is Verdict.NOT_MEASURED_YET:
        return "dim"
    return "red" if verdict in FAILING | UNUSABLE else "yellow" if verdict in SKIPPING else "green"


def lines(table: Mapping[str, Sequence[Row]], *, reasons: bool, width: int) -> list[str]:
    """The table for a screen of this width; what is settled comes first, for a reader sees verdicts before gaps."""
    named = {name: claim_headline(rows) for name, rows in table.items()}
    order = sorted(named, key=lambda name: named[name].verdict is Verdict.NOT_MEASURED_YET)
    columns = (*COLUMNS, DETAILS) if reasons else COLUMNS[:-1]
    rows = [(*cells(name, named[name]), _details(named[name]))[: len(columns)] for name in order]
    return layout.table(columns, rows, width=width, colours=[colour_of(named[name].verdict) for name in order])


def cells(name: str, headline: Headline) -> tuple[str, ...]:
    """One claim's cells, in the order of `COLUMNS`."""
    return (
        name,
        headline.verdict.value,
        figures(headline.decisive),
        steps(headline.proof_steps),
        "" if headline.readings is Readings.ONE else headline.readings.value,
        why(headline),
    )


def figures(row: Row | None) -> str:
    """What was measured against what is claimed, in figures; "" where nothing was measured or symbols settled it."""
    if row is None:
        return ""
    judgement = row.judgement
    interval = judgement.confidence_interval
    if judgement.delta is not None:
        claimed = row.display.asymptotic_exponent
        exponents = "" if judgement.exponents.measured is None else f"{judgement.exponents.measured:+.2f}"
        exponents += f" for {claimed}, " if exponents and claimed and len(claimed) < 7 else ", " if exponents else ""
        return f"{exponents}Δ {judgement.delta:+.2f}{_bounds(interval)}"
    if interval is None or judgement.effect.interval_kind is None:
        return ""
    if any(point.bound is not None for point in row.points):
        return f"measured/claimed in{_bounds(interval)}"
    if row.points:
        return f"a factor in{_bounds(interval)}"
    return f"rate in{_bounds(interval)}"


def _bounds(interval: Interval | None) -> str:
    return f" [{interval.low:.2g}, {interval.high:.2g}]" if interval else ""


def steps(found: ProofSteps) -> str:
    """Of the displayed steps, how many hold, corrections counted apart."""
    if not found.total:
        return ""
    corrected = f"+{found.corrected}" if found.corrected else ""
    return f"{found.hold}{corrected} of {found.total}"


def why(headline: Headline) -> str:
    """The first sentence of the deciding line, and of the readings that disagree with it."""
    row = headline.decisive
    rows = [*([] if row is None else [row]), *headline.disagreeing]
    return " ".join(map(sentence, rows))


def _details(headline: Headline) -> str:
    """The explanation of the deciding line in full."""
    return "" if headline.decisive is None else details(headline.decisive)


def legend() -> str:
    """How to read the columns."""
    return (
        "A headline comes from the paper's own statement, at points that meet its hypotheses. Proof: displayed steps "
        "that hold, + those that hold as corrected. --parts gives every line with its role, --reasons says why; "
        "`theoremeter explain` how each claim is read."
    )
