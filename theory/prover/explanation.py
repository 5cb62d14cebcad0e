"""Why a statement stayed open, for readers: what was tried, where it is tight, and what would help.

Floats alone speak here. Nothing rests on these lines but the reader's next step.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence

import sympy as sp

from theory.intervals.box import Box, approximate, exact
from theory.prover.counterexamples.attack import CandidateCounterexamples

_TIGHT = 1e-7
_RUNGS = {
    "first_integer": "split", "split_where_it_touches": "split", "plain_move": "toward", "move": "toward",
    "to_infinity": "limit", "order_logs": "order", "order_exps": "order", "renamed_givens": "rename",
    "in_exponentials": "restate", "lower_further": "lower", "short_branch": "branch",
}  # fmt: skip
"""The names of `docs/proofs.md` for rungs that the search calls otherwise."""


def explained(attack: CandidateCounterexamples, tried: Mapping[str, int], left: Sequence[Box]) -> tuple[str, ...]:
    """Lines about an open statement.

    Args:
        attack: the search for a counterexample, after it has run.
        tried: how often each rung was climbed.
        left: the pieces of the box on which nothing is known.
    """
    lines = []
    if tried:
        counts = Counter()
        for name, count in tried.items():
            counts[_RUNGS.get(name, name)] += count
        lines.append("tried: " + ", ".join(f"{name} {count}" for name, count in counts.most_common()))
    pieces = [piece for piece in left if piece != attack.box]
    if pieces:
        smallest = min(pieces, key=_width)
        lines.append(f"smallest piece left of {len(pieces)}: {_words(smallest)}")
    if attack.nearest is not None:
        point, margin = attack.nearest
        at = ", ".join(f"{s} = {v:.6g}" for s, v in point.items())
        lines.append(f"least margin seen: {margin:.3g} at {at}")
        lines += _advice(attack, point, margin, pieces)
    return tuple(lines)


def _advice(
    attack: CandidateCounterexamples, point: Mapping[sp.Symbol, float], margin: float, pieces: Sequence[Box]
) -> list[str]:
    """What a reader may try."""
    if abs(margin) > _TIGHT:
        kind = "the sides stay apart there: more seconds, or a smaller box, may be enough"
        return [kind if pieces or attack.given else f"{kind}; a step may be missing"]
    ends = {s: (approximate(r.low), approximate(r.high)) for s, r in attack.box.items()}
    inside = [s for s, v in point.items() if min(abs(v - end) for end in ends[s]) > _TIGHT * (1 + abs(v))]
    if inside:
        s = inside[0]
        cut = f"{point[s]:.6g}"
        return [f"the sides seem to touch inside: prove the parts {s} <= {cut} and {s} >= {cut} by themselves"]
    s = next(iter(point))
    low, high = ends[s]
    cut = f"{s} > {low:.6g}" if abs(point[s] - low) <= abs(point[s] - high) else f"{s} < {high:.6g}"
    return [f"the sides seem to touch at an end: a condition that leaves it out, such as {cut}, helps"]


def _width(piece: Box) -> float:
    return sum(approximate(r.high) - approximate(r.low) for r in piece.values())


def _words(piece: Box) -> str:
    return ", ".join(f"{s} in [{exact(r.low)}, {exact(r.high)}]" for s, r in piece.items())
