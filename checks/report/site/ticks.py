"""Numbers at the ticks of a logarithmic axis as plain text: 10⁻³ where matplotlib would set a formula.

Its parser of formulas takes longer over the ticks of a page's pictures than everything else that it does for them, and
what it writes into an SVG is a group of single letters, which is longer and is read aloud letter by letter.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from matplotlib.axes import Axes

_RAISED = str.maketrans("0123456789-−", "⁰¹²³⁴⁵⁶⁷⁸⁹⁻⁻")
_POWER = re.compile(r"(?P<base>10)\^\{(?P<power>[-−0-9]+)\}")
_FRAME = re.compile(r"^\$\\mathdefault\{(.*)\}\$$", re.DOTALL)


def in_plain_text(written: str) -> str:
    r"""`$\mathdefault{2\times10^{-3}}$` as 2·10⁻³; anything that is no such number as it is."""
    found = _FRAME.match(written)
    if found is None:
        return written
    number = _POWER.sub(lambda part: f"10{part['power'].translate(_RAISED)}", found[1].replace(r"\times", "·"))
    return written if set(number) & set("\\{}^") else number


def set_plain_ticks(axes: Axes) -> None:
    """Let the logarithmic axes of a drawing write their numbers so."""
    from matplotlib.ticker import LogFormatterSciNotation

    class Plain(LogFormatterSciNotation):
        """Chooses which ticks have a number as its base does."""

        def __call__(self, x: float, pos: int | None = None) -> str:
            return in_plain_text(super().__call__(x, pos))

    for axis in (axes.xaxis, axes.yaxis):
        if isinstance(axis.get_major_formatter(), LogFormatterSciNotation):
            axis.set_major_formatter(Plain(10.0))
        if isinstance(usual := axis.get_minor_formatter(), LogFormatterSciNotation):
            axis.set_minor_formatter(Plain(10.0, labelOnlyBase=usual.labelOnlyBase))
