"""Read the corpus: benchmarks/statements/lengths.txt, and lengths_aside, _later, _third and _fourth.txt.

    ## class
    # source
    name: statement | conditions | proved or refuted | at

Conditions are separated by semicolons: relations, "n whole", ranges of numbers "n in [1, oo)" and of entries "x[i] in
[0, 1]", perhaps with places behind, "u[i] in [0, oo), i=0..n"; "X in [a, b]" is a random variable where the statement
has E[...]; "convex(f)". Lemmas are numbered in one order over the first two files: odd ones are to look at, even ones
set aside. Those of the third file were set aside when the first set had been measured.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import dataclass
from fractions import Fraction
from pathlib import Path
from typing import Any

from benchmarks.lengths.formulas import Node, Relation, Statement, read_relations, read_statement, read_term
from benchmarks.lengths.values import Entries, Exact, Floats, Point, value

STATEMENTS = Path(__file__).parents[1] / "statements"
HALVES = {
    "seen": "lengths.txt", "aside": "lengths_aside.txt", "later": "lengths_later.txt", "third": "lengths_third.txt",
    "fourth": "lengths_fourth.txt",
}  # fmt: skip
_RANGE = re.compile(r"(\w+)(\[[\w, ]+\])? in ([\[(])(.*?), (.*?)([\])])((?:, \w+=.+)?)")
_PLACES = re.compile(r"(\w+)=(.+?)\.\.(.+?)(?:, |$)")


@dataclass(frozen=True)
class Span:
    """A range of a number, of entries or of a random variable; `places` are (first, last) of each index of a list."""

    name: str
    low: Node | None
    high: Node | None
    open_low: bool
    open_high: bool
    places: tuple[tuple[Node, Node], ...] = ()


@dataclass(frozen=True)
class Lemma:
    """One line of the corpus.

    Attributes:
        text, conditions: as written.
        expected: "proved" or "refuted".
        at: name -> term or list, as written: where a twin fails, or the choice that serves a quantified lemma.
        whole: names of whole numbers.
        spans: ranges in their order.
        relations: conditions that are relations, in their order.
        convex: names of functions that are given to be convex.
    """

    name: str
    theme: str
    source: str
    text: str
    conditions: tuple[str, ...]
    expected: str
    at: dict[str, str]
    statement: Statement
    whole: frozenset[str]
    spans: tuple[Span, ...]
    relations: tuple[Relation, ...]
    convex: tuple[str, ...]

    @property
    def lists(self) -> dict[str, Span]:
        """Ranges of lists."""
        return {span.name: span for span in self.spans if span.places}


def read_corpus(half: str) -> list[Lemma]:
    """The lemmas of a part of the corpus, each with its twin behind it. Raises ValueError with the line."""
    found, theme, source = [], "", ""
    lines = (STATEMENTS / HALVES[half]).read_text(encoding="utf-8").splitlines()
    for number, line in enumerate(lines, start=1):
        if line.startswith("## "):
            theme = line[3:]
        elif line.startswith("# "):
            source = line[2:]
        elif line:
            try:
                found.append(read_line(line, theme, source))
            except ValueError as error:
                raise ValueError(f"line {number}: {error}") from None
    return found


def read_line(line: str, theme: str = "", source: str = "") -> Lemma:
    """The lemma of one line. Raises ValueError."""
    name, _, rest = line.partition(": ")
    text, conditions, expected, at = [part.strip() for part in [*rest.split(" | "), ""][:4]]
    pieces = tuple(piece.strip() for piece in conditions.split(";") if piece.strip())
    return Lemma(
        name=name,
        theme=theme,
        source=source,
        text=text,
        conditions=pieces,
        expected=expected,
        at={key.strip(): term.strip() for key, _, term in (part.partition("=") for part in at.split(";") if part)},
        statement=read_statement(text),
        whole=frozenset(piece.removesuffix(" whole") for piece in pieces if piece.endswith(" whole")),
        spans=tuple(_span(piece) for piece in pieces if _RANGE.fullmatch(piece)),
        relations=tuple(r for piece in pieces if _is_relation(piece) for r in read_relations(piece)),
        convex=tuple(piece[7:-1] for piece in pieces if piece.startswith("convex(")),
    )


def _is_relation(piece: str) -> bool:
    return not (piece.endswith(" whole") or piece.startswith("convex(") or _RANGE.fullmatch(piece))


def _span(piece: str) -> Span:
    found = _RANGE.fullmatch(piece)
    if found is None:
        raise ValueError(f"must be a range, got {piece}")
    places: tuple[tuple[Node, Node], ...] = ()
    if found[2]:
        named = _PLACES.findall(found[7].removeprefix(", ")) or [("i", "1", "n")]
        places = tuple((read_term(low), read_term(high)) for _, low, high in named)
    ends = [None if end in ("oo", "-oo") else read_term(end) for end in (found[4], found[5])]
    return Span(found[1], ends[0], ends[1], found[3] == "(", found[6] == ")", places)


# ---------------------------------------------------------------------------------------------- points that are written


def point_at(lemma: Lemma) -> Point:
    """The point of a line: numbers, lists by their ranges, probabilities P of a random variable, functions."""
    point = Point()
    rows = {}
    for name, text in lemma.at.items():
        if name.endswith("(t)"):
            point.functions[name[:-3]] = _function(read_term(text))
        elif text.startswith("("):
            rows[name] = _row(text)
        elif name in {span.name for span in lemma.lists.values()}:
            rows[name] = [Fraction(text)]
        else:
            point.numbers[name] = value(read_term(text), point, Exact)
    for name, row in rows.items():
        if name in lemma.lists:
            span = lemma.lists[name]
            first, last = (int(value(end, point, Exact)) for end in span.places[0])
            row = row[:-1] + [row[-2]] * (last - first + 2 - len(row)) if row[-1] is ... else row
            point.lists[name] = Entries(first, row)
        elif name != "P":
            point.variables[name] = row, rows["P"]
    return point


def _function(body: Node) -> Callable[[Any], Any]:
    """A function of t."""
    return lambda x: value(body, Point({"t": x}), Exact if isinstance(x, Fraction) else Floats)


def _row(text: str) -> list:
    """(1/2, 1/2), ((1, 0), (0, 1)), or (1/2...) for one number at all places."""
    inner = text[1:-1]
    if inner.startswith("("):
        return [_row(part + ")") for part in re.split(r"\)\s*,?\s*", inner) if part]
    found: list = [Fraction(part) for part in re.split(r",\s*", inner.removesuffix("..."))]
    return [*found, ...] if inner.endswith("...") else found
