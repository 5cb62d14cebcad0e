"""Words of a picture: its title, the figures of its row, what its axes are, and what else moves with an axis."""

from __future__ import annotations

import re
import textwrap
from dataclasses import replace

import sympy as sp

from checks.records.rows import Row
from checks.report.escape import drawn, plain
from checks.report.pictures.gathered import Piece
from checks.report.pictures.model import Panel, PanelAxis
from checks.report.pictures.scales import on_grid
from checks.report.writing.figures import exponents
from checks.statistics.verdict import Quantity
from theory.claim import Kind


def title_of(row: Row) -> str:
    """The claim, the part and the verdict."""
    return plain(f"{row.claim.id} ({row.part}): {row.verdict}")


def heading(piece: Piece) -> str:
    """A part's name with its role and its verdict, or how far its trials are."""
    row = piece.row
    if row is None:
        return piece.part.name
    role = "" if row.role.value == "statement" else f"{row.role.value}, "
    return f"{piece.part.name} ({role}{row.verdict})"


_SPAN_WORDS = {Quantity.PLACE: "a transition in", Quantity.LIMIT: "a limit in", Quantity.RATE: "a rate in"}
"""What an interval is of, where it is not the factor by which something changes."""


def figures_in_words(row: Row) -> str:
    """The figures of the judgement, as the table prints them."""
    judgement = row.judgement
    interval = judgement.confidence_interval and str(judgement.confidence_interval).replace("inf", "∞")
    words = []
    if judgement.delta is not None:
        kind = row.interval_words.removesuffix(" interval")
        found = exponents(row)
        change = f"{judgement.delta:+.2f}" if found is None else found.delta.text
        words += [f"Δ = {change}" + (f" {interval} ({kind})" if interval else "")]
        words += [f"margin {judgement.effect.margin:g}"] if judgement.effect.margin is not None else []
    elif interval is not None and (span := _SPAN_WORDS.get(judgement.effect.quantity or Quantity.CHANGE)):
        words += [f"{span} {interval}"]
    elif interval is not None and row.points and all(point.bound is None for point in row.points):
        words += [f"a factor in {interval}"]
    elif interval is not None and not row.claim.has_order:
        words += [f"measured / bound at the worst point {interval}"]
    if judgement.exponents.measured is not None and judgement.exponents.on_grid is not None:
        words += [f"slope {judgement.exponents.measured:.3g} measured, {judgement.exponents.on_grid:.3g} claimed"]
    has_bounds = any(point.bound is not None for point in row.points) or row.claim.kind is not Kind.FIGURE
    if (
        row.claim.has_order
        and row.points
        and has_bounds
        and not row.display.curves
        and not judgement.exponents.prefactor
    ):
        words += ["no prefactor could be fitted, so the claimed order is not drawn"]
    return "; ".join(words)


def axis_label(row: Row) -> str:
    """The axis's symbol, what it is in words, and the limit the claim speaks of."""
    if row.axis is None:
        return drawn(row.display.axis_words) if row.display.curves else "setting, in the order of the table of points"
    words = f" ({drawn(row.display.axis_words)})" if row.display.axis_words else ""
    toward = row.axis.toward if row.toward is None else row.toward
    limit = {"infinity": "∞", "zero": "0"}.get(str(toward), "boundary")
    limit = f"{toward:.3g}" if isinstance(toward, float) else limit
    return f"{letter(row.axis.symbol.name)}{words} → {limit}"


_LETTER = r"[A-Za-z][A-Za-z0-9]*(?:[_^][A-Za-z0-9*#]+)*'*"


def letter(name: str) -> str:
    """A symbol's name as a letter of a formula where it can be one; other names may hold commands of mathtext."""
    if not re.fullmatch(rf"({_LETTER}|[-+()|])+", name) or not re.search("[A-Za-z]", name):
        return drawn(name)
    written = re.sub(_LETTER, lambda one: sp.latex(sp.Symbol(one[0])).replace("#", r"\#"), name)
    return f"${written}$"


def observed(row: Row) -> str:
    """What the points of a row are: what its claim speaks of, or what was made of that."""
    return row.display.height or row.display.quantity or row.claim.observable.replace("_", " ")


def height_words(piece: Piece) -> str:
    """What the vertical axis is: the size or the observable of the part, or what its claim speaks of."""
    part = piece.part
    return words(getattr(part, "size", "") or getattr(part, "observable", "") or piece.claim.observable)


def words(name: str) -> str:
    """A parameter or an observable as it is read."""
    return name.removeprefix("n_").replace("_", " ")


def spoken(name: str) -> str:
    """A name of several words as it is read."""
    return name.replace("_", " ")


def wrapped(text: str, characters: int, most: int | None = None) -> str:
    """A plain text as words of a picture, on lines of so many characters, and no more lines than `most`."""
    return "\n".join(map(drawn, textwrap.wrap(plain(text), characters)[:most]))


def joined(*texts: str, by: str = ", ") -> str:
    """What there is of the texts."""
    return by.join(filter(None, texts))


def labelled(panel: Panel, piece: Piece, height: str, *, in_step: bool = True) -> Panel:
    """The panel with the words of its axes, where it has none itself, and what moves in step with its axis."""
    across = panel.x.words or (axis_label(piece.row) if piece.row is not None else "")
    x, y = replace(panel.x, words=across), replace(panel.y, words=panel.y.words or drawn(height))
    return replace(panel, x=x, y=y, top=_in_step(panel.x, piece) if in_step else None)


def _in_step(axis: PanelAxis, piece: Piece) -> PanelAxis | None:
    """An axis with the numbers of a letter that moves with the given one: no slope tells the two apart."""
    moving = piece.in_step()
    if not moving:
        return None
    numbers = next(iter(moving.values()))
    letters = ", ".join(map(letter, moving))
    top = PanelAxis(f"confounded with {letters}, collinear with the axis", axis.scale)
    return on_grid(top, sorted(numbers), apart=0.11, words=numbers)
