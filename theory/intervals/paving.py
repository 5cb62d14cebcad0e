"""Where a lemma holds and where it fails: a box cut into boxes on which the answer is certain.

`certify` says whether a relation holds on all of a box; where it does not, the shape of the region on which it does is
the finding. `pave` bisects until rigorous enclosures decide a piece either way, largest piece first, so that what is
left undecided is a thin layer along the boundary. Volumes are exact rationals. Pieces rest on the prover's interval
arithmetic and carry no record; a piece that matters can be certified on its own.
"""

from __future__ import annotations

import heapq
import itertools
import math
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import flint
import sympy as sp

from theory.intervals.arithmetic import BITS, RigorousInterval
from theory.intervals.box import Box, VariableRange, exact_box, number
from theory.intervals.centered_forms import Sharpened
from theory.relations import as_positive

Piece = dict[sp.Symbol, tuple[sp.Rational, sp.Rational]]
_COLOURS = {"holds": "#4c9a6a", "fails": "#c8553d", "undecided": "#d9d9d9"}


@dataclass(frozen=True)
class Paving:
    """Pieces that share no interior and fill the box: the relation holds, or fails, at every point of a piece."""

    relation: sp.Basic
    box: Piece
    holds: tuple[Piece, ...]
    fails: tuple[Piece, ...]
    undecided: tuple[Piece, ...]

    def volume(self, kind: str) -> sp.Rational:
        """The exact volume of all pieces that are "holds", "fails" or "undecided"."""
        if kind not in _COLOURS:
            raise ValueError(f"kind must be one of {', '.join(_COLOURS)}, got {kind!r}")
        return sum((_volume(piece) for piece in getattr(self, kind)), sp.S.Zero)

    def share(self, kind: str) -> sp.Rational:
        """The exact share of the box's volume."""
        return self.volume(kind) / _volume(self.box)


def pave(relation: sp.Basic, box: Mapping[sp.Symbol, tuple[Any, Any]], *, max_pieces: int = 2000) -> Paving:
    """Cut `box` into at most `max_pieces` boxes on which `relation` holds, fails, or is undecided.

    Args:
        relation: <, <=, > or >= between exact expressions; where a side may have no value, nothing is decided.
        box: {symbol: (low, high)}, finite rationals with low < high, real symbols only.

    Raises:
        ValueError: bad box, relation or max_pieces.
    """
    if max_pieces < 1:
        raise ValueError(f"max_pieces must be >= 1, got {max_pieces}")
    ranges = _ranges(relation, box)
    expression, is_strict = as_positive(relation)
    value = Sharpened(expression, tuple(ranges))
    found: dict[str, list[Box]] = {"holds": [], "fails": [], "undecided": []}
    order = itertools.count()
    queue: list[tuple[float, int, Box]] = [(0.0, next(order), ranges)]
    n_pieces = 1
    with flint.ctx.workprec(BITS):
        while queue:
            _, _, piece = heapq.heappop(queue)
            kind = _answer(value.enclose(piece), is_strict)
            if kind == "undecided" and n_pieces < max_pieces:
                n_pieces += 1
                symbol = value.side_to_cut(piece)
                low, high = piece[symbol].low, piece[symbol].high
                for ends in (VariableRange(low, (low + high) / 2), VariableRange((low + high) / 2, high)):
                    half = piece | {symbol: ends}
                    heapq.heappush(queue, (-math.prod(float(r.high - r.low) for r in half.values()), next(order), half))
            else:
                found[kind].append(piece)
    pieces = {kind: tuple(exact_box(piece) for piece in boxes) for kind, boxes in found.items()}
    return Paving(relation, exact_box(ranges), pieces["holds"], pieces["fails"], pieces["undecided"])


def _answer(enclosure: RigorousInterval, is_strict: bool) -> str:
    low, high = enclosure.lo, enclosure.hi
    if low > 0 or (low == 0 and not is_strict):
        return "holds"
    return "fails" if high < 0 or (high == 0 and is_strict) else "undecided"


def _ranges(relation: sp.Basic, box: Mapping[sp.Symbol, tuple[Any, Any]]) -> Box:
    """The box with exact ends. Raises ValueError."""
    if not isinstance(relation, sp.StrictLessThan | sp.LessThan | sp.StrictGreaterThan | sp.GreaterThan):
        raise ValueError(f"relation must be <, <=, > or >=, got {relation}")
    missing = sorted(str(symbol) for symbol in relation.free_symbols - set(box))
    if missing:
        raise ValueError(f"box must contain every symbol of the relation, got none for {', '.join(missing)}")
    ranges = {}
    for symbol, ends in box.items():
        low, high = map(sp.sympify, ends)
        if not (low.is_Rational and high.is_Rational and low < high):
            raise ValueError(f"box must have finite rational ends, low < high, got ({low}, {high}) for {symbol}")
        if symbol.is_integer:
            raise ValueError(f"box must be of real symbols, got the integer {symbol}")
        ranges[symbol] = VariableRange(number(low), number(high))
    return ranges


def _volume(piece: Piece) -> sp.Rational:
    return math.prod((high - low for low, high in piece.values()), start=sp.S.One)


def draw(paving: Paving, path: Path, *, at: Mapping[sp.Symbol, Any] | None = None) -> None:
    """Draw a paving in two of its variables, as SVG or PNG by the suffix of `path`; needs the extra `report`.

    Args:
        at: exact values of all further variables; the picture is the cut of the paving there.

    Raises:
        ValueError: other than two variables are left.
    """
    import matplotlib.pyplot as plt
    from matplotlib.collections import PatchCollection
    from matplotlib.patches import Patch, Rectangle

    fixed = {symbol: sp.Rational(value) for symbol, value in (at or {}).items()}
    axes = [symbol for symbol in paving.box if symbol not in fixed]
    if len(axes) != 2:
        raise ValueError(f"at must leave two variables, got {len(axes)} left")
    with plt.rc_context({"svg.hashsalt": "paving", "svg.fonttype": "none"}):
        figure, plot = plt.subplots(figsize=(5.2, 4.4), layout="constrained")
        for kind, colour in _COLOURS.items():
            cut = [p for p in getattr(paving, kind) if all(p[s][0] <= v <= p[s][1] for s, v in fixed.items())]
            sides = [[(float(low), float(high - low)) for low, high in (p[s] for s in axes)] for p in cut]
            patches = [Rectangle((left, bottom), width, height) for (left, width), (bottom, height) in sides]
            plot.add_collection(PatchCollection(patches, facecolor=colour, edgecolor="white", linewidth=0.2))
        for name, symbol in zip(("x", "y"), axes, strict=True):
            getattr(plot, f"set_{name}lim")(*map(float, paving.box[symbol]))
            getattr(plot, f"set_{name}label")(f"${sp.latex(symbol)}$")
        words = [f"{kind}: {float(100 * paving.share(kind)):.1f} %" for kind in _COLOURS]
        handles = [Patch(color=colour, label=word) for colour, word in zip(_COLOURS.values(), words, strict=True)]
        figure.legend(handles=handles, loc="outside lower center", ncols=3, frameon=False, fontsize=9)
        plot.set_title(f"${sp.latex(paving.relation)}$", fontsize=10)
        figure.savefig(path, metadata={"Date": None} if Path(path).suffix == ".svg" else None)
        plt.close(figure)
