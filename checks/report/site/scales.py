"""What lets a page show a picture with logarithmic axes on linear ones: the values at the edges of its axes.

The script of a page moves the marks and draws new ticks, so no picture is drawn twice. It can go from logarithmic to
linear alone: near zero a linear picture has no digits left to be spread out. Without a script the picture stays as it
was drawn.
"""

from __future__ import annotations

import math
import re
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from matplotlib.axes import Axes

_AXES, _TICKS = "scaled-axes", "scaled-ticks-"
_WIDEST = 1e9
"""Ratio of the ends of an axis from which on nothing but one edge would be seen on a linear one."""
_GROUP = re.compile(rf'<g id="{_TICKS}(x|y|top)"')


def named(axes: Axes) -> str:
    """Give axes and their ticks names to be found again in the SVG; what the script has to know of them.

    Returns:
        For x and for y: whether it is logarithmic, and the values at its ends. "" where no axis is logarithmic, and for
        a map, whose cells are as wide as the steps of its grid.
    """
    kinds = (axes.get_xscale(), axes.get_yscale())
    ends = [float(end) for end in (*axes.get_xlim(), *axes.get_ylim())]
    is_map = any(patch.get_gid() == "cell" for patch in axes.patches)
    if "log" not in kinds or not set(kinds) <= {"log", "linear"} or is_map or not all(map(math.isfinite, ends)):
        return ""
    if any(
        kind == "log" and last > _WIDEST * first for kind, first, last in zip(kinds, ends[::2], ends[1::2], strict=True)
    ):
        return ""
    axes.set_gid(_AXES)
    axes.xaxis.set_gid(f"{_TICKS}x")
    axes.yaxis.set_gid(f"{_TICKS}y")
    for child in axes.child_axes:
        child.xaxis.set_gid(f"{_TICKS}top")
    box = axes.get_window_extent()
    height = float(axes.figure.get_window_extent().height)
    places = (box.x0, box.x1, height - box.y0, height - box.y1)
    said = [int(kinds[0] == "log"), *ends[:2], *places[:2], int(kinds[1] == "log"), *ends[2:], *places[2:]]
    return " ".join(f"{value:.6g}" for value in said)


def with_scale(svg: str, scale: str) -> str:
    """The picture with what `named` said, on the group of the axes, and with its groups of ticks marked."""
    if not scale:
        return svg
    return _GROUP.sub(r'<g data-ticks="\1"', svg.replace(f'<g id="{_AXES}"', f'<g data-scale="{scale}"', 1))
