"""How a proof cuts its box: the pieces of a record in one or two letters, each with what decides it there.

The record is the stored one, which the checker replayed when the row was judged; nothing is searched for again. A proof
may pass to another form, to the factors of an expression or to a face of the box before it cuts; then the pieces are
those of the part with most cuts, and the picture says which letters it is in.
"""

from __future__ import annotations

import json
import math
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import Any

from checks.evidence.check import Check
from checks.evidence.proofs import Proof
from checks.records.preset import Preset
from checks.records.rows import Row
from checks.report.pictures.model import Band, Box, DataTable, Ink, Key, Panel, PanelAxis
from checks.report.pictures.words import letter
from checks.statistics.verdict import Verdict
from sim.store.store import key
from sim.trials.trial import Trial
from theory.checker.limits import InvalidRecord, metered
from theory.checker.parser import read_end, read_rational, read_symbol
from theory.checker.replay import require_plain
from theory.checker.statement import read_statement

Range = tuple[float, float]
Step = Mapping[str, Any]

MOST_PAVINGS = 4
"""Pictures of one claim; the records of all proofs stand with the proof steps."""
MOST_PIECES = 200
_REPLAYED = (Verdict.PROVED, Verdict.CERTIFIED, Verdict.INCONSISTENT)
_WORDS = {
    "interval": "interval arithmetic", "mean": "the mean-value form", "shift": "coefficients of one sign",
    "infeasible": "a condition that fails there", "empty": "the lack of a whole number", "zero": "an identity there",
    "monotone": "the face where it is least", "factor": "the sign of each factor", "cases": "cases",
}  # fmt: skip
_OTHERWISE = "another form of the expression"
_HATCHES = ("", "//", "xx", "\\\\", "||", "--")
"""By how many pieces are decided so, the most first."""
_LIKE = {"restate": "proof", "lower": "proof"}
"""Steps that go over to another form on the same box, and where the proof of that form stands."""
_WIDE = 100.0
"""Ratio of the ends of a range from which on its axis is logarithmic."""


@dataclass(frozen=True)
class CutPiece:
    """A part of a box, by the names of its letters, and what decides it there."""

    box: Mapping[str, Range]
    by: str


@dataclass(frozen=True)
class CutBox:
    """The pieces of a proof's box; `letters` are those that are cut, one or two."""

    letters: tuple[str, ...]
    pieces: tuple[CutPiece, ...]
    box: Mapping[str, Range]


# -------------------------------------------------------------------------------------------------------------- records


def paving_of(text: str) -> CutBox | None:
    """The pieces of a record; None where it cuts nothing, too often, or in more than two letters.

    Args:
        text: a record as it is stored; one that is malformed gives None, since pictures judge nothing.
    """
    try:
        record = json.loads(text)
        require_plain(record)
        with metered():
            box = {s.data.name: (_number(r.low), _number(r.high)) for s, r in read_statement(record).box.items()}
            start = _first_cut(record.get("proof", record.get("vacuous")), box)
            pieces = tuple(_pieces(*start)) if start is not None else ()
    except (InvalidRecord, ValueError, TypeError, KeyError, AttributeError, IndexError, OverflowError, RecursionError):
        return None
    if start is None or not 2 <= len(pieces) <= MOST_PIECES:
        return None
    letters = tuple(name for name in start[1] if len({piece.box[name] for piece in pieces}) > 1)
    return CutBox(letters, pieces, start[1]) if len(letters) in (1, 2) else None


def _number(end: Any) -> float:
    """An end of a range, a fraction of whole numbers of any size or an infinity, as a float."""
    return float(Fraction(int(end.p), int(end.q))) if hasattr(end, "p") else math.inf if end > 0 else -math.inf


def _cuts(node: Any) -> int:
    """How many times a proof cuts, in all of it."""
    stack, found = [node], 0
    while stack:
        step = stack.pop()
        if isinstance(step, dict):
            found += step.get("by") == "split"
            stack += step.values()
        elif isinstance(step, list):
            stack += step
    return found


def _first_cut(node: Any, box: Mapping[str, Range]) -> tuple[Step, Mapping[str, Range]] | None:
    """The first step that cuts, on the way that cuts most, with the box that it cuts."""
    while isinstance(node, dict) and node.get("by") != "split":
        below = [row[3] for row in node.get("parts", ())] + list(node.get("proofs", ()))
        below += [node[name] for name in ("proof", "face", "slope") if name in node]
        following = max(below, key=_cuts, default=None)
        if following is None or not _cuts(following):
            return None
        if node.get("by") == "monotone" and following is node["face"]:
            name, sign = read_symbol(node["symbol"]).data.name, node["sign"]
            end = box[name][0] if sign > 0 else box[name][1]
            box = {**box, name: (end, end)}
        if node.get("by") == "rename":
            ends = {read_symbol(row[0]).data.name: (row[2], row[3]) for row in node["rows"]}
            box = {**box, **{name: tuple(_number(read_end(e)) for e in pair) for name, pair in ends.items()}}  # type: ignore[dict-item]
        node = following
    return (node, box) if isinstance(node, dict) else None


def _pieces(node: Step, box: Mapping[str, Range]) -> Iterator[CutPiece]:
    """The pieces below a step, from below to above."""
    stack: list[tuple[Any, Mapping[str, Range]]] = [(node, box)]
    while stack:
        step, here = stack.pop()
        while isinstance(step, dict) and step.get("by") in _LIKE:
            step = step[_LIKE[step["by"]]]
        if step["by"] != "split":
            yield CutPiece(here, _WORDS.get(step["by"], _OTHERWISE))
            continue
        symbol = read_symbol(step["symbol"])
        name, at = symbol.data.name, _number(read_rational(step["at"]))
        low, high = here[name]
        after = at + 1 if symbol.data.is_integer else at
        stack += [(step["above"], {**here, name: (after, high)}), (step["below"], {**here, name: (low, at)})]


# -------------------------------------------------------------------------------------------------------------- drawing


def panel_of(paving: CutBox) -> Panel:
    """Every piece a rectangle with a frame, and a hatch by what decides it."""
    frames = [_frame(paving, name) for name in paving.letters]
    up = frames[1] if len(frames) > 1 else (0.0, 1.0)
    counts = Counter(piece.by for piece in paving.pieces).most_common()
    inks = {by: _ink(number) for number, (by, _) in enumerate(counts)}
    boxes = []
    for piece in paving.pieces:
        left, right = _within(piece.box[paving.letters[0]], frames[0])
        low, high = _within(piece.box[paving.letters[1]], up) if len(frames) > 1 else up
        boxes.append(Box(inks[piece.by], "piece", left=left, right=right, low=low, high=high))
    keys = [Key(ink, label=f"decided by {by}") for by, ink in inks.items()]
    y = _axis(paving, 1, up) if len(frames) > 1 else PanelAxis(ends=up, ticks=())
    lines = 2 if len(paving.letters) == 1 else None
    return Panel(_axis(paving, 0, frames[0]), y, [*boxes, *keys], lines=lines)


def _axis(paving: CutBox, place: int, ends: Range) -> PanelAxis:
    is_wide = ends[0] > 0 and ends[1] >= _WIDE * ends[0]
    return PanelAxis(_axis_words(paving, place), "log" if is_wide else "linear", ends, most=0 if is_wide else 5)


def _ink(number: int) -> Ink:
    """Of the pieces that are decided in one way, by the place of that way."""
    return Ink("#0072B2", 0.7, fill="white" if number else "#DCEBF5", hatch=_HATCHES[number % len(_HATCHES)])


def _frame(paving: CutBox, name: str) -> Range:
    """What is shown of a letter: its range, or where that has no end, what is cut and half as much again."""
    low, high = paving.box[name]
    ends = sorted({end for piece in paving.pieces for end in piece.box[name] if math.isfinite(end)})
    reach = max((ends[-1] - ends[0]) / 2, abs(ends[-1]) / 2, 1.0)
    return (low if math.isfinite(low) else ends[0] - reach), (high if math.isfinite(high) else ends[-1] + reach)


def _within(ends: Range, frame: Range) -> Range:
    return max(ends[0], frame[0]), min(ends[1], frame[1])


def _axis_words(paving: CutBox, place: int) -> str:
    name = paving.letters[place]
    low, high = paving.box[name]
    goes = [words for end, words in ((low, "−∞"), (high, "∞")) if not math.isfinite(end)]
    return letter(name) + (f", on to {' and '.join(goes)}" if goes else "")


def records_of(check: Check, rows: Sequence[Row], trials: Mapping[str, Trial]) -> Iterator[tuple[Proof, Row, str]]:
    """The proofs of a claim with the row of each and its stored record."""
    by_part = {row.part: row for row in rows}
    for part in check.parts:
        if isinstance(part, Proof) and part.name in by_part:
            (spec,) = part.specs(next(iter(Preset)))
            trial = trials.get(key(spec))
            text = trial.result.observables.get("record") if trial is not None else None
            if isinstance(text, str):
                yield part, by_part[part.name], text


def bands(check: Check, rows: Sequence[Row], trials: Mapping[str, Trial]) -> list[Band]:
    """A band for each proof of a claim that cuts a box in one or two letters, those with most pieces first."""
    found: list[tuple[str, CutBox]] = []
    for part, row, text in records_of(check, rows, trials):
        paving = paving_of(text) if row.verdict in _REPLAYED else None
        found += [(part.name, paving)] if paving is not None else []
    found.sort(key=lambda pair: -len(pair[1].pieces))
    return [_band(name, paving) for name, paving in found[:MOST_PAVINGS]]


def _band(name: str, paving: CutBox) -> Band:
    counts = Counter(piece.by for piece in paving.pieces)
    others = [f"{n} in {_range(ends)}" for n, ends in paving.box.items() if n not in paving.letters]
    said = [f"{len(paving.pieces)} pieces in {' and '.join(paving.letters)}"]
    said += [f"{count} decided by {by}" for by, count in counts.most_common()]
    said += [f"not cut: {', '.join(others)}"] if others else []
    return Band(
        f"How the proof cuts its box: {name}", (panel_of(paving),), "; ".join(said), most=1, data=(_table(paving),)
    )


def _table(paving: CutBox) -> DataTable:
    rows = [
        (str(number), *(_range(piece.box[name]) for name in paving.letters), piece.by)
        for number, piece in enumerate(paving.pieces, start=1)
    ]
    return DataTable("Pieces", ("piece", *paving.letters, "decided by"), tuple(rows))


def _range(ends: Range) -> str:
    return f"{ends[0]:g} to {ends[1]:g}".replace("-inf", "−∞").replace("inf", "∞")
