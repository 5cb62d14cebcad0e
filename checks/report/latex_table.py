"""The table in LaTeX: a longtable with the rules of booktabs, to be put into a paper.

By default the lines that decide a headline: the statements. Every text is escaped, and formulas are typeset by
`theory.display.formulas`, so no name or reason of a claim, a paper or a store is a command. A document needs the
packages `PACKAGES`; the widths are shares of its lines, so it must have one column of text there.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

from checks.evidence.check import claim_headline
from checks.records.preset import Preset
from checks.records.rows import Row, policy_of_rows
from checks.report import claims_table
from checks.report.escape import latex
from checks.statistics.policy import level_words
from checks.statistics.verdict import Interval
from theory.claim import Role
from theory.display.formulas import latex as formula
from theory.display.names import latex_symbol

PACKAGES = ("amsmath", "array", "booktabs", "longtable")
COLUMNS = (
    ("claim", 0.16),
    ("line", 0.20),
    ("axis", 0.08),
    ("claimed", 0.18),
    ("exponent", 0.075),
    ("measured", 0.15),
    ("verdict", 0.105),
)
"""Headings, and shares of the line."""


def longtable(table: Mapping[str, Sequence[Row]], preset: Preset, *, parts: bool = False) -> str:
    """The table as a fragment of a document.

    Args:
        parts: every line of every claim, and not its statements alone. A claim without a statement has one line, with
            its headline, either way.
    """
    policy = policy_of_rows(row for rows in table.values() for row in rows)
    level = latex(level_words(policy.confidence)).replace(" ", r"\,")
    names = " & ".join(name for name, _ in COLUMNS) + r" \\"
    widths = "".join(rf">{{\raggedright\arraybackslash}}p{{{share:g}\linewidth}}" for _, share in COLUMNS)
    shown = "every line" if parts else "statements"
    count = f"{len(table)} claim{'' if len(table) == 1 else 's'}"
    lines = [
        rf"% Needs \usepackage{{{','.join(PACKAGES)}}}",
        r"\begingroup\renewcommand{\_}{\textunderscore\allowbreak}% ids may break after an underscore",
        r"\footnotesize\setlength{\tabcolsep}{0.004\linewidth}\setlength{\LTcapwidth}{\linewidth}",
        rf"\begin{{longtable}}{{@{{}}{widths}@{{}}}}",
        rf"\caption{{{count} at preset {latex(preset)}, {shown}; below each claim its headline. Claimed: the formula, "
        r"and its exponent along the axis. Measured: the exponent, and $\Delta$, by how much it is beyond the claimed "
        rf"one, with its {level} interval; or a rate, or measured over claimed.}}\\",
        rf"\toprule {names} \midrule\endfirsthead",
        rf"\toprule {names} \midrule\endhead",
        rf"\midrule \multicolumn{{{len(COLUMNS)}}}{{r@{{}}}}{{continued}}\\ \endfoot",
        r"\bottomrule\endlastfoot",
    ]
    groups = [list(_group(name, rows, parts=parts)) for name, rows in table.items()]
    body = "\n\\addlinespace\n".join("\n".join(group) for group in groups)
    return "\n".join([*lines, body, r"\end{longtable}", r"\endgroup"]) + "\n"


def _group(name: str, rows: Sequence[Row], *, parts: bool) -> Iterator[str]:
    """The lines of one claim, the first with its headline."""
    headline = claim_headline(rows)
    shown = list(rows) if parts else [row for row in rows if row.role is Role.STATEMENT]
    head = rf"{latex(name)}\newline\emph{{{latex(headline.verdict)}}}"
    if not shown:
        yield _line([head, "", *_claimed(rows[0]), "", latex(headline.verdict)] if rows else [head])
        return
    for number, row in enumerate(shown):
        part = latex(row.part) + ("" if row.role is Role.STATEMENT else rf"\newline({latex(row.role)})")
        cells = [latex(name) if number else head, part]
        yield _line([*cells, *_claimed(row), _measured(row), latex(row.verdict)])


def _line(cells: Sequence[str]) -> str:
    return " & ".join([*cells, *[""] * (len(COLUMNS) - len(cells))]) + r" \\"


def _claimed(row: Row) -> list[str]:
    """Axis, formula and its exponent."""
    axis = ""
    if row.axis is not None:
        toward = row.axis.toward
        limit = {"infinity": r"\infty", "zero": "0"}.get(str(toward)) or (formula(toward) if toward else "")
        limit = limit if len(limit) < 60 else r"\partial"
        axis = rf"${latex_symbol(row.axis.symbol.name)} \to {limit}$"
    value = "" if row.claim.value is None else f"${formula(row.claim.value, breakable=True)}$"
    return [axis, value, latex(row.display.asymptotic_exponent or "")]


def _measured(row: Row) -> str:
    """The figures of a line, as they stand in the table of claims."""
    judgement = row.judgement
    if judgement.delta is None:
        return latex(claims_table.figures(row))
    measured = judgement.exponents.measured
    parts = [] if measured is None else [f"${measured:+.2f}$"]
    delta = " ".join([rf"$\Delta={judgement.delta:+.2f}$", *_interval(judgement.confidence_interval)]) + latex(
        row.own_level
    )
    return ", ".join([*parts, delta])


def _interval(interval: Interval | None) -> list[str]:
    return [] if interval is None else [rf"$[{_number(interval.low)}, {_number(interval.high)}]$"]


def _number(value: float) -> str:
    return f"{value:.2f}".replace("inf", r"\infty")
