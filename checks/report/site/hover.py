"""Values that a browser shows where the mouse rests: a `title` inside each mark of a picture. No script is needed.

matplotlib writes the marks of one line in the order of its data and gives the group the name that the line has, so the
words are found again in its SVG. Where the numbers of marks and of words differ, the marks stay as they are; the same
values stand in the table below the picture.
"""

from __future__ import annotations

import itertools
import math
import re
from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING
from xml.sax.saxutils import escape

from checks.report.escape import plain

if TYPE_CHECKING:
    from matplotlib.axes import Axes

_NAME = "hover"
_MOST = 400
"""Marks of a panel that get words; a cloud of single runs does not need them."""
_MARK = re.compile(r"<(use|path)\b([^>]*?)/>")


def named(axes: Axes) -> dict[str, tuple[str, ...]]:
    """Give every line with marks, and every cell of a map, a name; the words for their marks by name."""
    from matplotlib.colors import to_rgb

    found: dict[str, tuple[str, ...]] = {}
    numbers = itertools.count()
    for line in axes.lines:
        if line.get_marker() in (None, "None", "", " ") or line.get_transform() != axes.transData:
            continue
        points = [(float(x), float(y)) for x, y in zip(*line.get_data(), strict=True)]  # type: ignore[arg-type]
        if line.get_markevery() is None and len(points) <= _MOST and all(map(math.isfinite, sum(points, ()))):
            name = f"{_NAME}{next(numbers)}-"
            line.set_gid(name)
            found[name] = tuple(f"{x:.4g}: {y:.4g}" for x, y in points)
    for patch in axes.patches:
        if patch.get_gid() == "cell" and len(axes.patches) <= _MOST:
            name = f"{_NAME}{next(numbers)}-"
            patch.set_gid(name)
            found[name] = (f"{to_rgb(patch.get_facecolor())[0]:.0%} of the trials succeed",)
    return found


def with_words(svg: str, words: Mapping[str, Sequence[str]]) -> str:
    """The picture with words in the marks of each named group."""
    for name, said in words.items():
        start = svg.find(f'<g id="{name}"')
        if start < 0:
            continue
        begin = max(svg.find("</defs>", start, svg.find("<g id=", start + 1)), start)  # marks are defined before use
        end = svg.find("<g id=", begin + 1)
        end = len(svg) if end < 0 else end
        body = svg[begin:end]
        if len(_MARK.findall(body)) == len(said):
            left = iter(said)
            body = _MARK.sub(lambda mark, left=left: _titled(mark, next(left)), body)
            svg = svg[:begin] + body + svg[end:]
    return svg


def _titled(mark: re.Match[str], words: str) -> str:
    return f"<{mark[1]}{mark[2]}><title>{escape(plain(words))}</title></{mark[1]}>"
