"""LaTeX: a longtable with the rules of booktabs, to be put into a paper.

By default the lines that decide a headline: the statements. Every text is escaped, and formulas are typeset by
`theory.display.formulas`, so no name or reason of a claim, a paper or a store is a command. A document needs the
packages `PACKAGES`; the widths are shares of its lines, so it must have one column of text there.
"""

from __future__ import annotations

import itertools
from collections.abc import Iterator, Sequence

from checks.report.escape import latex
from checks.report.writing.model import Document, Options, Piece, Words, WrittenCell, WrittenLine

PACKAGES = ("amsmath", "array", "booktabs", "longtable")
COLUMNS = (
    ("claim", 0.16),
    ("line", 0.19),
    ("axis", 0.08),
    ("claimed", 0.18),
    ("exponent", 0.075),
    ("measured", 0.16),
    ("verdict", 0.105),
)
"""Headings, and shares of the line."""


def write(document: Document, wanted: Options) -> str:
    """The table as a fragment of a document: every line of every claim where parts are wanted, else its statements.

    A claim without a statement has one line, with its headline, either way.
    """
    names = " & ".join(name for name, _ in COLUMNS) + r" \\"
    widths = "".join(rf">{{\raggedright\arraybackslash}}p{{{share:g}\linewidth}}" for _, share in COLUMNS)
    shown = "every line" if wanted.parts else "statements"
    legend = f" {latex(document.legend)}" if document.legend else ""
    lines = [
        rf"% Needs \usepackage{{{','.join(PACKAGES)}}}",
        r"\begingroup\renewcommand{\_}{\textunderscore\allowbreak}% ids may break after an underscore",
        r"\footnotesize\setlength{\tabcolsep}{0.004\linewidth}\setlength{\LTcapwidth}{\linewidth}",
        rf"\begin{{longtable}}{{@{{}}{widths}@{{}}}}",
        rf"\caption{{{latex(document.title)}, {shown}; below each claim its headline. Claimed: the formula. Exponent: "
        rf"the claim's own on the measured grid. Measured: the exponent and $\Delta$ with its interval; or a rate, or "
        rf"measured over claimed.{legend}}}\\",
        rf"\toprule {names} \midrule\endfirsthead",
        rf"\toprule {names} \midrule\endhead",
        rf"\midrule \multicolumn{{{len(COLUMNS)}}}{{r@{{}}}}{{continued}}\\ \endfoot",
        r"\bottomrule\endlastfoot",
    ]
    groups = itertools.groupby(document.lines.lines, key=lambda line: line.group)
    body = "\n\\addlinespace\n".join("\n".join(_group(list(group), parts=wanted.parts)) for _, group in groups)
    return "\n".join([*lines, body, r"\end{longtable}", r"\endgroup"]) + "\n"


def _group(lines: Sequence[WrittenLine], *, parts: bool) -> Iterator[str]:
    """The lines of one claim, the first with its headline."""
    first = lines[0]
    shown = [line for line in lines if parts or line.decides]
    head = rf"{cell(first['claim'])}\newline\emph{{{cell(first['headline'])}}}"
    if not shown:
        yield _row([head, "", *_claimed(first), "", cell(first["headline"])])
    for number, line in enumerate(shown):
        part = cell(line["part"]) + ("" if line.decides else rf"\newline({cell(line['role'])})")
        constants = f"over constants: {cell(line['constants'])}" if line["constants"] else ""
        measured = ", ".join(filter(None, (cell(line["measured"]), _delta(line["delta"]), constants)))
        yield _row([cell(line["claim"]) if number else head, part, *_claimed(line), measured, cell(line["verdict"])])


def _row(cells: Sequence[str]) -> str:
    return " & ".join(cells) + r" \\"


def _claimed(line: WrittenLine) -> list[str]:
    """Axis, formula, and its exponent on the grid; the one in the limit by its own name, where it is another."""
    asymptotic = cell(line["asymptotic"])
    exponent = " ".join(filter(None, (cell(line["claimed"]), asymptotic and f"({asymptotic} asymptotically)")))
    return [cell(line["axis"]), cell(line["formula"]), exponent]


def _delta(written: WrittenCell) -> str:
    return rf"$\Delta$ {cell(written)}" if written else ""


def cell(written: WrittenCell) -> str:
    """A cell: neighbouring pieces of a formula are one formula."""
    return " ".join(
        "".join(_run(is_text, list(pieces)) for is_text, pieces in itertools.groupby(phrase, key=_is_text))
        for phrase in written.phrases
    )


def _is_text(piece: Piece) -> bool:
    return isinstance(piece, Words)


def _run(is_text: bool, pieces: Sequence[Piece]) -> str:
    if is_text:
        return latex("".join(piece.text for piece in pieces))
    return f"${''.join('' if isinstance(piece, Words) else piece.latex for piece in pieces)}$"
