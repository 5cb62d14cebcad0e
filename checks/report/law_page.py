"""A searched law for people: in a terminal, as JSON, markdown, or a fragment of LaTeX.

The tables are made once, of the typed cells that tables of claims have (`checks.report.writing.model`), and each format
turns them into text. The fragment of LaTeX needs the packages `checks.report.formats.latex.PACKAGES`.
"""

from __future__ import annotations

import json
from dataclasses import dataclass
from typing import TYPE_CHECKING

from checks.report import layout
from checks.report.escape import latex, markdown
from checks.report.formats.latex import cell
from checks.report.formats.markdown import grid
from checks.report.layout import Column, paragraph
from checks.report.writing.model import Mathematics, Span, WrittenCell, words
from checks.statistics.verdict import Interval
from theory.display.names import latex_symbol

if TYPE_CHECKING:
    from checks.search.factors import Factor, Logarithm
    from checks.search.law import LawForm, SearchedLaw

LAW_FORMATS = ("terminal", "json", "markdown", "latex")
"""What a law is written in."""


_COLUMNS = {"factor": Column("factor", least=24), "rival": Column("rival"), "law": Column("law", least=24)}


@dataclass(frozen=True)
class LawTable:
    """One table of a law's page."""

    title: str
    headings: tuple[str, ...]
    rows: tuple[tuple[WrittenCell, ...], ...]


def written_law(law: SearchedLaw, fmt: str = "terminal", *, width: int = 0, data: str = "") -> str:
    """A law with its intervals, its rivals and the front.

    Args:
        fmt: one of `LAW_FORMATS`.
        width: columns of a terminal; 0 is unlimited.
        data: where the measurements come from, for the head; "" for nothing.

    Raises:
        ValueError: another format.
    """
    if fmt not in LAW_FORMATS:
        raise ValueError(f"format must be one of {', '.join(LAW_FORMATS)}, got {fmt!r}")
    if fmt == "json":
        return json.dumps(({"data": data} if data else {}) | law.record(), indent=1, allow_nan=False) + "\n"
    found = [table for table in (_terms(law), _rivals(law), _front(law)) if table.rows]
    if fmt == "markdown":
        return _markdown(law, found, data)
    return _latex(law, found, data) if fmt == "latex" else _terminal(law, found, width, data)


# ------------------------------------------------------------------------------------------------------------ formats


def _terminal(law: SearchedLaw, found: list[LawTable], width: int, data: str) -> str:
    lines = paragraph(_headline(law), width)
    for text in filter(None, (data, _said(law))):
        lines += paragraph(text, width, 4)
    for table in found:
        columns = [_COLUMNS.get(name, Column(name, priority=1)) for name in table.headings]
        rows = [[one.text for one in row] for row in table.rows]
        lines += ["", *paragraph(table.title, width), *layout.table(columns, rows, width=width)]
    return "\n".join(lines) + "\n"


def _markdown(law: SearchedLaw, found: list[LawTable], data: str) -> str:
    blocks = [f"**{markdown(_headline(law))}**", *([markdown(data)] if data else []), markdown(_said(law))]
    blocks += [
        f"{markdown(table.title)}\n\n{grid(table.headings, [[one.text for one in row] for row in table.rows])}".rstrip()
        for table in found
    ]
    return "\n\n".join(blocks) + "\n"


def _latex(law: SearchedLaw, found: list[LawTable], data: str) -> str:
    head = rf"\textbf{{Law}}: {cell(equation(law))}." if law.found else rf"\textbf{{{latex(_headline(law))}}}."
    lines = [r"\begingroup\footnotesize", rf"\noindent {head} {latex(data)}".rstrip(), "", latex(_said(law)), ""]
    for table in found:
        shape = "".join("l" if name in _COLUMNS else "r" for name in table.headings)
        lines += [
            rf"\smallskip\noindent {latex(table.title)}\\",
            rf"\begin{{tabular}}{{@{{}}{shape}@{{}}}}",
            r"\toprule",
            " & ".join(map(latex, table.headings)) + r" \\ \midrule",
            *(" & ".join(map(cell, row)) + r" \\" for row in table.rows),
            r"\bottomrule",
            r"\end{tabular}",
            "",
        ]
    return "\n".join([*lines, r"\endgroup"]) + "\n"


def _headline(law: SearchedLaw) -> str:
    return f"law: {law.response} = {law.formula}" if law.found else f"no law found for {law.response}"


def _said(law: SearchedLaw) -> str:
    """What is said below the law."""
    return " ".join(law.sentences[1:])


# ------------------------------------------------------------------------------------------------------------- tables


def _terms(law: SearchedLaw) -> LawTable:
    """Exponents and constants with their intervals, and where the letters were."""
    rows = [
        (
            WrittenCell(((_factor(term.factor),),)),
            WrittenCell(((Mathematics(term.exponent_text, term.exponent_text),),)),
            _span(term.interval, law),
            words(_range_words(term.factor, law)),
        )
        for term in law.terms
    ]
    if law.logarithm is not None:
        written = WrittenCell(((_logarithm(law.logarithm),),))
        rows.append((written, words(law.logarithm.power_text), words("given"), words("")))
    if law.found:
        rows.append((words("constant"), words(f"{law.constant:.3g}"), _span(law.constant_interval, law), words("")))
    if law.offset is not None:
        rows.append((words("offset"), words(f"{law.offset:.3g}"), _span(law.offset_interval, law), words("")))
    title = (
        f"Exponents by the fitting half; intervals ({law.level_words} for all together) by the held-out settings alone"
    )
    return LawTable(title, ("factor", "exponent", "interval", "range"), tuple(rows))


def _rivals(law: SearchedLaw) -> LawTable:
    rows = tuple(
        (
            words(rival.name),
            words(f"{rival.error:.3g}"),
            words(rival.factor_text),
            words(f"{rival.closer} of {rival.compared}"),
            words(f"{rival.p:.2g}"),
        )
        for rival in law.rivals
    )
    told = law.held_out
    title = f"Rivals on the {told.settings} held-out settings; the law's own log error is {told.error:.3g}"
    return LawTable(title, ("rival", "log error", "over the law's", "law closer at", "p"), rows)


def _front(law: SearchedLaw) -> LawTable:
    rows = tuple(
        (
            words(f"{point.cost}{' chosen' if point.is_chosen else ''}"),
            words(f"{point.error:.3g}"),
            words(f"{point.held_out:.3g}"),
            _formula(point.form),
        )
        for point in law.front
    )
    title = "Complexity against log error; chosen: the simplest within a standard error of the least cross-validated"
    return LawTable(title, ("complexity", "cross-validated", "held out", "law"), rows)


def _span(interval: Interval | None, law: SearchedLaw) -> WrittenCell:
    return words("") if interval is None else WrittenCell(((Span(interval, law.level_words),),))


def _range_words(factor: Factor, law: SearchedLaw) -> str:
    if factor.cost > 1:
        return ""
    ends = law.ranges[factor.text]
    return f"{ends.low:.3g} to {ends.high:.3g}"


# ----------------------------------------------------------------------------------------------------------- formulas


def equation(law: SearchedLaw) -> WrittenCell:
    """The law as one formula, with what it is a law of; no law is a constant."""
    return _formula(law.form, (Mathematics(f"{law.response} = ", f"{latex_symbol(law.response)} = "),))


def _formula(form: LawForm, before: tuple[Mathematics, ...] = ()) -> WrittenCell:
    """The right side of a law as one formula."""
    pieces = [*before]
    if form.offset is not None:
        pieces.append(Mathematics(f"{form.offset:.3g} + ", f"{_number(form.offset)} + "))
    pieces.append(Mathematics(f"{form.constant:.3g}", _number(form.constant)))
    for term in form.terms:
        power = term.exponent_text
        above = "" if power == "1" else f"^{{{power}}}"
        pieces.append(Mathematics(f" {term.text}", rf"\, {{{_bracketed(term.factor)}}}{above}"))
    if form.logarithm is not None:
        written, power = _logarithm(form.logarithm), form.logarithm.power_text
        inside = written.latex if power == "1" else f"{{({written.latex})}}^{{{power}}}"
        pieces.append(Mathematics(f" {form.logarithm.raised_text}", rf"\, {inside}"))
    return WrittenCell((tuple(pieces),))


def _factor(factor: Factor) -> Mathematics:
    return Mathematics(factor.text, _factor_latex(factor))


def _factor_latex(factor: Factor) -> str:
    text = ""
    for place, (sign, part) in enumerate(factor.parts):
        text += "" if place == 0 else " - " if sign < 0 else " + "
        text += latex_symbol(part) if isinstance(part, str) else f"{part:g}"
    return text


def _bracketed(factor: Factor) -> str:
    written = _factor_latex(factor)
    return written if factor.cost == 1 else rf"\left({written}\right)"


def _logarithm(logarithm: Logarithm) -> Mathematics:
    inside = _factor_latex(logarithm.factor)
    if logarithm.is_inverse:
        inside = f"1/{_bracketed(logarithm.factor)}"
    return Mathematics(logarithm.text, rf"\log\left({inside}\right)")


def _number(value: float) -> str:
    """Three digits, as a power of ten where it is far from 1."""
    mantissa, _, power = f"{value:.3g}".partition("e")
    return rf"{mantissa} \times 10^{{{int(power)}}}" if power else mantissa
