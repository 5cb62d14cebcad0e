"""The claims of a paper in columns: what a printed proof uses stands to the right of what uses it, joined by curves.

A claim's column is the longest way to it from a claim that nothing uses. Curves that pass a column get a place in it,
so that none crosses a box; within columns the order is that of the neighbours' means, swept back and forth.
[Sugiyama, Tagawa and Toda 1981]

The picture is an `svg` element with a link for each claim, in the page's own colours. It knows boxes, words and links,
and nothing of verdicts.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import pairwise
from xml.sax.saxutils import escape, quoteattr

from checks.report.escape import plain

_SWEEPS = 12
_WIDTH, _HEIGHT, _GAP, _BETWEEN, _MARGIN = 160, 54, 12, 14, 6
"""Of a box, between boxes of a column, between columns, and around all, in pixels."""
_PASSING = 14
"""Height of the place of a curve that passes a column."""
_MOST_LETTERS = 25
_LEAST_SCALE = 0.77
"""Ten columns fit a screen of 1440 pixels so; on less the picture is scrolled, or its letters would be too small."""


@dataclass(frozen=True)
class GraphBox:
    """A claim in the graph.

    Attributes:
        name: its id on the page, for links that lead to it.
        lines: its id, its headline with a sign, and what it rests on; `title` says all of it.
        group: class of its colour.
    """

    id: str
    name: str
    link: str
    lines: tuple[str, str, str]
    title: str
    group: str


def columns_of(uses: Mapping[str, Sequence[str]]) -> list[list[str]]:
    """Claims by the longest way to each from one that nothing uses; no claim leads back to itself.

    Args:
        uses: what each claim uses. Names that are no key are left out, and claims that are joined to none.
    """
    joined = {a: [b for b in found if b in uses] for a, found in uses.items()}
    used = {b for found in joined.values() for b in found}
    depth = {a: 0 for a, found in joined.items() if found or a in used}
    for _ in range(len(depth)):
        deeper = {b: depth[a] + 1 for a in depth for b in joined[a] if depth[b] <= depth[a]}
        if not deeper:
            break
        depth |= {b: max(depth[a] for a in depth if b in joined[a]) + 1 for b in deeper}
    found: list[list[str]] = [[] for _ in range(max(depth.values(), default=-1) + 1)]
    for a, column in depth.items():
        found[column].append(a)
    return found


class _Layout:
    """Places of boxes and of curves between them; a curve passes columns by places named (from, to, column)."""

    def __init__(self, uses: Mapping[str, Sequence[str]]) -> None:
        columns: list[list[object]] = [list(column) for column in columns_of(uses)]
        at = {a: number for number, column in enumerate(columns) for a in column}
        self.curves: list[list[object]] = []
        for a in at:
            for b in (b for b in uses[str(a)] if b in at):
                passed: list[object] = [(a, b, number) for number in range(at[a] + 1, at[b])]
                for place, number in zip(passed, range(at[a] + 1, at[b]), strict=True):
                    columns[number].append(place)
                self.curves.append([a, *passed, b])
        self.columns = columns
        self.before: dict[object, list[object]] = {}
        self.after: dict[object, list[object]] = {}
        for curve in self.curves:
            for one, other in pairwise(curve):
                self.after.setdefault(one, []).append(other)
                self.before.setdefault(other, []).append(one)
        self.middle: dict[object, float] = {}
        for column in columns:
            self._set(column, {})
        for sweep in range(_SWEEPS):
            self._sweep(leftward=bool(sweep % 2))
        top = min((self.middle[one] - _high(one) / 2 for column in columns for one in column), default=0)
        self.middle = {one: middle - top + _MARGIN for one, middle in self.middle.items()}

    def _sweep(self, *, leftward: bool) -> None:
        near = self.after if leftward else self.before
        for column in reversed(self.columns) if leftward else self.columns:
            wanted = {}
            for one in column:
                neighbours = [self.middle[other] for other in near.get(one, [])]
                wanted[one] = sum(neighbours) / len(neighbours) if neighbours else self.middle[one]
            column.sort(key=lambda one, wanted=wanted: wanted[one])  # type: ignore[misc]
            self._set(column, wanted)

    def _set(self, column: Sequence[object], wanted: Mapping[object, float]) -> None:
        """Put a column's boxes in their order, as near to where they are wanted as they have room."""
        below, moved = -float("inf"), 0.0
        for one in column:
            middle = max(wanted.get(one, 0.0), below + _GAP + _high(one) / 2)
            moved += wanted.get(one, middle) - middle
            self.middle[one], below = middle, middle + _high(one) / 2
        for one in column:
            self.middle[one] += moved / len(column)

    def left(self, column: int) -> int:
        return _MARGIN + column * (_WIDTH + _BETWEEN)


def _high(one: object) -> int:
    return _HEIGHT if isinstance(one, str) else _PASSING


def drawn(boxes: Sequence[GraphBox], uses: Mapping[str, Sequence[str]], *, name: str, title: str) -> str:
    """The graph as an `svg` element; "" where no claim uses another.

    Args:
        name: begins the identifier of its title, which no other element of the page has.
    """
    layout = _Layout(uses)
    if not layout.curves:
        return ""
    column_of = {one: number for number, column in enumerate(layout.columns) for one in column}
    width = layout.left(len(layout.columns) - 1) + _WIDTH + _MARGIN
    height = max(layout.middle[one] + _high(one) / 2 for one in column_of) + _MARGIN
    style = f"width:100%;min-width:{_LEAST_SCALE * width:.0f}px;max-width:{width}px"
    parts = [
        f'<svg class="graph" viewBox="0 0 {width} {height:.0f}" style="{style}" role="group" '
        f'aria-labelledby="{name}"><title id="{name}">{escape(plain(title))}</title>'
    ]
    for curve in layout.curves:
        points = [(layout.left(column_of[one]), layout.middle[one]) for one in curve]
        parts.append(f'<path d="{_curve(points)}"/>')
    shown = sorted(
        (box for box in boxes if box.id in column_of), key=lambda box: (column_of[box.id], layout.middle[box.id])
    )
    parts += [_drawn_box(box, layout.left(column_of[box.id]), layout.middle[box.id] - _HEIGHT / 2) for box in shown]
    return "\n".join([*parts, "</svg>"])


def _curve(points: Sequence[tuple[int, float]]) -> str:
    """From the right side of the first box to the left side of the last; straight through what it passes."""
    said = f"M{points[0][0] + _WIDTH} {points[0][1]:.0f}"
    for number, (left, middle) in enumerate(points[1:], start=1):
        before = points[number - 1]
        turn = before[0] + _WIDTH + _BETWEEN // 2
        said += f"C{turn} {before[1]:.0f} {turn} {middle:.0f} {left} {middle:.0f}"
        said += f"H{left + _WIDTH}" if number < len(points) - 1 else ""
    return said


def _drawn_box(box: GraphBox, left: int, top: float) -> str:
    words = "".join(
        f'<text class="{kind}" x="{left + 12}" y="{top + down:.0f}">{escape(_cut(line))}</text>'
        for kind, down, line in zip(("id", "word", "aside"), (17, 33, 47), box.lines, strict=True)
    )
    frame = f'x="{left}" y="{top:.0f}" height="{_HEIGHT}"'
    return (
        f'<a id={quoteattr(box.name)} class="{box.group}" href={quoteattr(box.link)}>'
        f"<title>{escape(plain(box.title))}</title>"
        f'<rect class="box" {frame} width="{_WIDTH}"/><rect class="stripe" {frame} width="4"/>{words}</a>'
    )


def _cut(text: str) -> str:
    said = plain(text)
    return said if len(said) <= _MOST_LETTERS else f"{said[: _MOST_LETTERS - 1]}…"
