"""Kinds of pictures, one a module of this folder: which parts each takes, and the bands that it makes of them.

A kind is found by walking the folder: its module has a `KIND`, and nothing else names it. Some pictures are a part's
own: each part is taken by the first kind that wants it (`takes`). Others stand beside these, whatever was taken.
Every kind is asked once, and `theoremeter plot`, `theoremeter figures` and the site show what it makes.
"""

from __future__ import annotations

import functools
import importlib
from collections.abc import Callable, Collection, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

from checks.records.rows import Row
from checks.report.pictures.gathered import Piece
from checks.report.pictures.model import Band
from sim.trials.errors import MissingReadout
from sim.trials.trial import Trial

FOLDER = Path(__file__).parent
OWN = 0
"""Place of the pictures that parts have of their own, in the order of the check."""


@dataclass(frozen=True)
class PictureKind:
    """How pictures of one kind are made.

    Attributes:
        place: where they stand among others, from top to bottom.
        takes: which parts have this as their own picture and no other; None for pictures beside these.
        asked: which of the kinds that take parts is asked first; special ones before those that take anything.
        each: the band of one part; or
        bands: the bands of all parts of a claim, or of those that it takes.
        of_row: the band of a row by itself, for which no trials are at hand; None where this kind has none of it.
        keeps: trials of a claim that this kind shows whatever judging reads of them, with the names of their curves:
            evidence that comes with a paper keeps these.
    """

    place: int
    takes: Callable[[Piece], bool] | None = None
    asked: int = 0
    each: Callable[[Piece], Band | None] | None = None
    bands: Callable[[Sequence[Piece]], Sequence[Band]] | None = None
    of_row: Callable[[Row], Band | None] | None = None
    keeps: Callable[[Sequence[Piece]], Sequence[tuple[Trial, Collection[str]]]] | None = None


@functools.cache
def every() -> tuple[PictureKind, ...]:
    """All kinds, those that take parts in the order in which they are asked."""
    names = sorted(path.stem for path in FOLDER.glob("[a-z]*.py"))
    found = [importlib.import_module(f"{__name__}.{name}").KIND for name in names]
    return tuple(sorted(found, key=lambda kind: kind.asked))


def bands_of(pieces: Sequence[Piece]) -> list[Band]:
    """Everything that is drawn of a claim's parts, from top to bottom.

    A part is left out whose trials lack a readout that a picture of it shows: published trials keep what verdicts need,
    and no more. Its row says that it is not measured, and why.
    """
    try:
        return _bands(pieces)
    except MissingReadout:
        return _bands([piece for piece in pieces if not _lacks(piece)])


def _bands(pieces: Sequence[Piece]) -> list[Band]:
    left, found = list(pieces), []
    for kind in every():
        taken = pieces if kind.takes is None else [piece for piece in left if kind.takes(piece)]
        left = left if kind.takes is None else [piece for piece in left if piece not in taken]
        found += [(kind.place, 0 if piece is None else pieces.index(piece), band) for piece, band in _made(kind, taken)]
    return [band for *_, band in sorted(found, key=lambda one: one[:2])]


def _lacks(piece: Piece) -> bool:
    """Whether the trials of a part lack what its pictures show."""
    try:
        _bands([piece])
    except MissingReadout:
        return True
    return False


def kept_of(pieces: Sequence[Piece]) -> list[tuple[Trial, Collection[str]]]:
    """The trials of a claim whose curves published evidence keeps for its pictures, with the names of these."""
    return [one for kind in every() if kind.keeps is not None for one in kind.keeps(pieces)]


def band_of_row(row: Row) -> Band | None:
    """What is drawn of a row by itself, by the first kind that has something; None where nothing can be drawn."""
    return next((band for kind in every() if kind.of_row is not None and (band := kind.of_row(row)) is not None), None)


def _made(kind: PictureKind, pieces: Sequence[Piece]) -> Iterator[tuple[Piece | None, Band]]:
    """The bands of a kind, each with its part where it is of one."""
    for piece in pieces if kind.each is not None else ():
        band = kind.each(piece) if kind.each is not None else None
        if band is not None:
            yield piece, band
    for band in kind.bands(pieces) if kind.bands is not None else ():
        yield None, band
