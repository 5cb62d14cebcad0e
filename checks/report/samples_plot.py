"""One picture of measurements along an axis and the formula they were judged against, for `theoremeter judge --plot`.

Marks and colours are those of `checks.report.plot`: a dot is a point's mean with its interval, an arrow a point of
which only a bound is known. A formula that leaves a constant open is drawn times the constant that was fitted.
"""

from __future__ import annotations

import textwrap
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from checks.records.rows import Point
from checks.report.escape import drawn, plain
from checks.report.marks import CLAIMED, MEASURED, anchor, is_number, mark, set_scale
from checks.report.plot import COLUMN_INCHES, PNG_DPI, require_matplotlib
from sim.validation import InvalidParameter

if TYPE_CHECKING:
    from matplotlib.figure import Figure

    from checks.statistics.estimates import Estimate

SUFFIXES = (".svg", ".png", ".pdf")
_TITLE_CHARACTERS = 50
_STYLE = {
    "font.size": 7.5,
    "axes.linewidth": 0.6,
    "axes.spines.top": False,
    "axes.spines.right": False,
    "svg.hashsalt": "theoremeter",  # the same data give the same file
}


def require_suffix(path: Path) -> None:
    """Raise InvalidParameter where a picture cannot be of the kind that a file's name asks for, or nothing can draw."""
    if path.suffix.lower() not in SUFFIXES:
        raise InvalidParameter("plot", f"end in one of {', '.join(SUFFIXES)}", str(path))
    require_matplotlib()


def write(
    path: Path,
    *,
    axis: str,
    value: str,
    title: str,
    claim: str,
    x: Sequence[float],
    estimates: Sequence[Estimate],
    claimed: Sequence[float],
    confidence: float,
) -> None:
    """Draw points and the claimed law into a file.

    Raises:
        InvalidParameter: the file cannot be written.
    """
    import matplotlib.style

    points = points_of(x, estimates)
    with matplotlib.style.context(["default", _STYLE]):
        figure = _figure(axis, value, title, claim, points, claimed, confidence)
        kind = path.suffix.lower().removeprefix(".")
        try:
            figure.savefig(path, format=kind, dpi=PNG_DPI, metadata={"Date": None} if kind == "svg" else None)
        except OSError as error:
            raise InvalidParameter(
                "plot", "be a file that can be written", f"{path}: {error.strerror or error}"
            ) from None


def points_of(x: Sequence[float], estimates: Sequence[Estimate]) -> list[Point]:
    """Estimates as points of a picture."""
    return [
        Point(
            value=at,
            bound=None,
            measured=estimate.value,
            low=estimate.confidence_interval.low if estimate.confidence_interval else None,
            high=estimate.confidence_interval.high if estimate.confidence_interval else None,
            censored=estimate.censored,
        )
        for at, estimate in zip(x, estimates, strict=True)
    ]


def _figure(
    axis: str,
    value: str,
    title: str,
    claim: str,
    points: Sequence[Point],
    claimed: Sequence[float],
    confidence: float,
) -> Figure:
    from matplotlib.figure import Figure

    x = [point.value for point in points]
    figure = Figure(figsize=(COLUMN_INCHES, 3.3), layout="constrained")
    axes = figure.add_subplot()
    anchors = [anchor(point) for point in points if point.censored]
    known = [*claimed, *(p.measured for p in points if p.censored is None), *anchors]
    set_scale(axes, "x", x)
    set_scale(axes, "y", list(filter(is_number, known)), [end for p in points for end in (p.low, p.high)])
    marker = "_" if len(x) == 1 else None
    axes.plot(x, list(claimed), color=CLAIMED, lw=1.2, marker=marker, label=f"claimed: {drawn(claim)}")
    mark(axes, list(zip(x, points, strict=True)), colour=MEASURED, words="", confidence=confidence)
    axes.set_xlabel(drawn(axis))
    axes.set_ylabel(drawn(value))
    figure.suptitle("\n".join(textwrap.wrap(plain(title), _TITLE_CHARACTERS)), x=0.02, ha="left", fontsize=8,
                    fontweight="bold", parse_math=False)  # fmt: skip
    figure.legend(loc="outside lower left", frameon=False)
    return figure
