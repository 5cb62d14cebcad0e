"""How sheets of pictures are laid out: in a paper's column, on a page of bands, side by side. Knows no library.

What draws them, `checks.report.pictures.renderer`, is imported when the first one is drawn.
"""

from __future__ import annotations

import importlib
import math
from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Any

from sim.trials.validation import InvalidParameter

MOST_KEY = 10.0
"""Size of a marker in a legend at most: an arrow must not reach the next line."""


@dataclass(frozen=True)
class SheetLook:
    """How a sheet is laid out; all lengths in inches.

    Attributes:
        style: settings of matplotlib beside those of all pictures.
        width: of a sheet; `narrow` where each of its bands has one panel.
        panel, line: heights of a panel, and of a line of words above or below it.
        title_size: letters of the title.
        title_characters, panel_characters: on a line of the title and of a panel's title, by inch.
        height_characters: on a line of words beside a vertical axis.
        ticks: what of a panel's width its ticks take from its title.
        most_columns: of a legend. `key` is the size of a marker in it at most, in points.
    """

    style: Mapping[str, Any]
    width: float
    narrow: float
    panel: float
    line: float
    title_size: float
    title_characters: float = 15.0
    panel_characters: float = 15.0
    height_characters: int = 30
    ticks: float = 0.35
    most_columns: int = 4
    key: float = math.inf


LARGER = {
    "font.size": 8.0,
    "axes.labelsize": 8.0,
    "axes.titlesize": 8.0,
    "xtick.labelsize": 7.5,
    "ytick.labelsize": 7.5,
    "legend.fontsize": 7.5,
    "hatch.linewidth": 0.8,
}
"""Sizes that can be read where a page is 600 pixels wide."""
COLUMN = SheetLook({}, 3.4, 3.4, 2.06, 0.13, 8.0, 14.7, 48 / 3.4, 36, ticks=0.0, most_columns=1, key=MOST_KEY)
"""A picture at the width of a paper's column."""
PAGE = SheetLook({**LARGER, "svg.fonttype": "path"}, 6.8, 4.6, 2.4, 0.16, 9.0)  # letters look the same everywhere
"""A page of bands."""


def side_by_side(count: int) -> SheetLook:
    """A row of small panels, whose width grows with their number."""
    width = max(1.75 * count, 2.6)
    return replace(COLUMN, width=width, narrow=width, panel=1.8, panel_characters=26 * count / width, most_columns=2)


def require_matplotlib() -> None:
    """Raise InvalidParameter, in one line, where the extra `report` is not installed."""
    try:
        importlib.import_module("matplotlib")
    except ImportError as error:
        rule = 'have matplotlib installed (pip install "theoremeter[report]")'
        raise InvalidParameter("plot", rule, str(error)) from None
