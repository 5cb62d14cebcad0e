"""Text on a screen of any width: tables whose important columns keep their width, and paragraphs.

A column has a priority. Where a table is wider than the screen, columns that may be narrower wrap; where that is not
enough, the columns of least priority leave the line and stand below it, indented. Nothing is cut. Widths are those of
the screen: a Chinese letter takes two places and an accent none. Every text passes through `plain`, and what colours a
line is written here alone. A width of 0 is a file or a pipe: lines are as long as they need to be, without colours.

Calling order: `table` -> `_across` (which columns, how wide) -> `_line`, `_below`; `paragraph` for text.
"""

from __future__ import annotations

import itertools
import os
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from rich.cells import cell_len, chop_cells

from checks.report.escape import plain

_GAP = 2
_INDENT = 4
WIDEST_TEXT = 110
"""Longer lines are hard to read, however wide the screen is."""
_NO_BREAK = "\N{NO-BREAK SPACE}"
_SGR = {"bold": "1", "dim": "2", "red": "31", "green": "32", "yellow": "33"}


@dataclass(frozen=True)
class Column:
    """A column of a table.

    Attributes:
        priority: 0 never leaves the line; of the others the greatest number leaves first.
        least: the width down to which its cells may wrap; 0 keeps them whole.
        label: what stands before its cell below the line; its name by default, "" for nothing.
        below: stands below the line, as a paragraph of its own, however wide the screen is.
        coloured: takes the colour of its row.
    """

    name: str
    priority: int = 0
    least: int = 0
    label: str | None = None
    right: bool = False
    below: bool = False
    coloured: bool = False


def table(
    columns: Sequence[Column],
    rows: Sequence[Sequence[str]],
    *,
    width: int = 0,
    header: bool = True,
    colours: Sequence[str] = (),
) -> list[str]:
    """Lines of a table, none wider than `width` (0: unlimited).

    Args:
        rows: a cell a column each.
        colours: of each row, e.g. "red"; "" for none.
    """
    rows = [[plain(cell) for cell in row] for row in rows]
    across = _across(columns, rows, width, header=header)
    lines = []
    if header:
        names = _line(columns, [column.name for column in columns], across)
        lines += [coloured(line, "bold", width) for line in names]
    for number, row in enumerate(rows):
        colour = colours[number] if colours and width else ""
        lines += _line(columns, row, across, colour)
        lines += _below(columns, row, across, width) if width else []
    return lines


def _across(columns: Sequence[Column], rows: Sequence[Sequence[str]], width: int, *, header: bool) -> Mapping[int, int]:
    """Which columns stand on the line, by their place, and how wide each is."""
    cells = [[row[place] for row in rows] for place in range(len(columns))]
    natural = [
        max(map(cell_len, [*cells[place], column.name] if header else cells[place]), default=0)
        for place, column in enumerate(columns)
    ]
    if not width:
        return dict(enumerate(natural))
    kept = [place for place, column in enumerate(columns) if not column.below and any(cells[place])]
    widths = {place: min(natural[place], columns[place].least or natural[place]) for place in kept}

    def room() -> int:
        return width - sum(widths.values()) - _GAP * (len(widths) - 1)

    while room() < 0:
        last = max(widths, key=lambda place: (columns[place].priority, place))
        if columns[last].priority == 0:
            break
        del widths[last]
    while room() < 0 and max(widths.values()) > 1:  # a screen too narrow even for what never leaves the line
        widths[max(widths, key=lambda place: widths[place])] -= 1
    for place in sorted(widths, key=lambda place: columns[place].priority):
        widths[place] += max(min(natural[place] - widths[place], room()), 0)
    return widths


def _line(columns: Sequence[Column], row: Sequence[str], across: Mapping[int, int], colour: str = "") -> list[str]:
    """What stands on the line: as many lines as the cell that wraps most."""
    wrapped = {place: wrap(row[place], width) for place, width in across.items()}
    lines = []
    for number in range(max(map(len, wrapped.values()), default=0)):
        parts = []
        for place, width in across.items():
            text = wrapped[place][number] if number < len(wrapped[place]) else ""
            space = " " * (width - cell_len(text))
            shown = coloured(text, colour, 1) if columns[place].coloured and text else text
            parts.append(space + shown if columns[place].right else shown + space)
        lines.append((" " * _GAP).join(parts).rstrip())
    return lines


def _below(columns: Sequence[Column], row: Sequence[str], across: Mapping[int, int], width: int) -> list[str]:
    """What left the line: short cells one after another, and long texts as paragraphs."""
    gone = [place for place in range(len(columns)) if place not in across and row[place]]
    gone.sort(key=lambda place: columns[place].label != "")  # names come before figures
    pieces = [_labelled(columns[place], row[place], width) for place in gone if not columns[place].below]
    texts = ["; ".join(pieces)] if pieces else []
    texts += [_labelled(columns[place], row[place], width) for place in gone if columns[place].below]
    return [line for text in texts for line in paragraph(text, width, _INDENT)]


def _labelled(column: Column, cell: str, width: int) -> str:
    """A cell with its column's name, held together where it is short."""
    if column.label == "":
        return cell
    words = f"{column.label or column.name} {cell}"
    return words.replace(" ", _NO_BREAK) if cell_len(words) <= width // 2 else words


def paragraph(text: object, width: int = 0, indent: int = 0, first: str | None = None) -> list[str]:
    """Text as lines that are indented alike.

    Args:
        first: what stands before the first line in place of its indent.
    """
    begin = " " * indent if first is None else plain(first)
    if not width:
        return [begin + plain(text)]
    indent = min(indent, width // 3)
    if first is not None and cell_len(begin) > max(indent, width // 3):
        return paragraph(f"{begin}{plain(text)}", width)
    begin = begin[:indent] if first is None else begin
    room = max(width - max(indent, cell_len(begin)), 1)
    lines = wrap(plain(text), room)
    return [(begin if number == 0 else " " * indent) + line for number, line in enumerate(lines)]


def text_width(width: int) -> int:
    """How wide prose is set on a screen: no wider than is good to read (0, a file: on lines as long as it is)."""
    return min(width, WIDEST_TEXT)


def wrap(text: str, width: int) -> list[str]:
    """Lines of at most `width` places, broken between words, and within one that is longer.

    What is held together by no-break spaces stays so where it fits on a line.
    """
    if cell_len(text) <= width:
        return [text.replace(_NO_BREAK, " ")]
    lines, line = [], ""
    held = text.split(" ")
    words = itertools.chain(*(word.split(_NO_BREAK) if cell_len(word) > width else [word] for word in held))
    for word in words:
        if line and cell_len(line) + 1 + cell_len(word) <= width:
            line = f"{line} {word}"
            continue
        lines += [line] if line else []
        *full, line = chop_cells(word, max(width, 2)) if cell_len(word) > width else [word]
        lines += full
    return [found.replace(_NO_BREAK, " ") for found in [*lines, line] if found] or [""]


def coloured(text: str, colour: str, width: int) -> str:
    """Text in a colour; as it is where there is no terminal or the user wants none (https://no-color.org)."""
    if not width or not colour or os.environ.get("NO_COLOR") or os.environ.get("TERM") == "dumb":
        return text
    return f"\x1b[{_SGR[colour]}m{text}\x1b[0m"
