"""A badge: one small SVG that says how a claim, or the claims of a paper, came out, for a README.

Everything on it is counted from the lines of a table. It asks for nothing: no font, script or address, and its words
are there for those who cannot see it.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from html import escape

from checks.report.escape import plain
from checks.report.json_table import TableLine
from checks.statistics.verdict import FAILING, SKIPPING, UNUSABLE, Verdict

_COLOURS = {"stand": "#2e7d32", "against": "#b3261e", "open": "#8a5a00", "not measured": "#5f6368"}
"""What is said of claims, the words of a badge; white letters on each have a contrast of 4.5 and more."""
_EM = 6.6
"""Pixels of a letter, about; the text is fitted to what this gives."""
_PAD = 12


def counts(lines: Sequence[TableLine]) -> dict[str, int]:
    """How many claims stand, have something against them, are open, and are not measured."""
    headlines = {line.id: line.headline for line in lines}
    found = dict.fromkeys(_COLOURS, 0)
    for verdict in headlines.values():
        found[_kind(verdict)] += 1
    return found


def _kind(verdict: Verdict) -> str:
    if verdict is Verdict.NOT_MEASURED_YET:
        return "not measured"
    return "against" if verdict in FAILING | UNUSABLE else "open" if verdict in SKIPPING else "stand"


def badge(lines: Sequence[TableLine]) -> str:
    """The badge of a table: of one claim its headline, of several how many came out which way.

    Raises:
        ValueError: a table without lines.
    """
    if not lines:
        raise ValueError("a badge must be of a claim, got none")
    found = counts(lines)
    names = list(dict.fromkeys(line.id for line in lines))
    (left, right) = (names[0], lines[0].headline.value) if len(names) == 1 else ("theoremeter", _counted(found))
    kind = next(kind for kind in ("against", "open", "stand", "not measured") if found[kind])
    return _svg(plain(left, 60), right, _COLOURS[kind])


def _counted(found: Mapping[str, int]) -> str:
    return ", ".join(f"{number} {kind}" for kind, number in found.items() if number)


def _svg(left: str, right: str, colour: str) -> str:
    first, second = (round(len(text) * _EM) + _PAD for text in (left, right))
    words = escape(f"{left}: {right}", quote=True)

    def text(said: str, begin: int, width: int) -> str:
        return (
            f'<text x="{begin + width / 2:g}" y="14" textLength="{width - _PAD}" lengthAdjust="spacingAndGlyphs">'
            f"{escape(said)}</text>"
        )

    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" width="{first + second}" height="20" role="img" aria-label="{words}">'
        f'<title>{words}</title><rect width="{first}" height="20" fill="#444"/>'
        f'<rect x="{first}" width="{second}" height="20" fill="{colour}"/>'
        '<g fill="#fff" text-anchor="middle" font-family="Verdana,DejaVu Sans,sans-serif" font-size="11">'
        f"{text(left, 0, first)}{text(right, first, second)}</g></svg>\n"
    )
