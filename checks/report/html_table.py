"""The table of claims in HTML, for a notebook: what `checks.report.claims_table` prints, every cell escaped."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from checks.evidence.check import claim_headline
from checks.records.preset import Preset
from checks.records.rows import Row
from checks.report import claims_table
from checks.report.escape import html
from theory.display.notebook import IGNORED, LEFT


def claims(table: Mapping[str, Sequence[Row]], preset: Preset) -> str:
    """One line a claim, in the order of the table; texts between dollars are no formulas for MathJax."""
    head = "".join(f"<th{LEFT}>{html(name)}</th>" for name in claims_table.NAMES)
    rows = "".join(_row(claims_table.cells(name, claim_headline(rows))) for name, rows in table.items())
    count = f"{len(table)} claim{'' if len(table) == 1 else 's'} at preset {preset}"
    caption = f"<caption>{html(count)}</caption>"
    body = f"<thead><tr>{head}</tr></thead><tbody>{rows}</tbody>"
    return f'<div class="{IGNORED}"><table>{caption}{body}</table></div>'


def _row(cells: Sequence[str]) -> str:
    return f"<tr>{''.join(f'<td{LEFT}>{html(cell)}</td>' for cell in cells)}</tr>"
