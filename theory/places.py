"""Places of a paper by its own numbers: "Theorem 1, eq. (10)" is theorem 1 and equation 10.

Read from the source of a claim, and from what a user types to find it. A range such as (26)-(30) has all that lie
between. What is no such number ("Main insights", "below the proof") is passed over in a source, and makes a typed text
no place.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass

EQUATION = "equation"
_KINDS = {
    "theorem": "theorem", "thm": "theorem", "lemma": "lemma", "lem": "lemma", "proposition": "proposition",
    "prop": "proposition", "corollary": "corollary", "corollaries": "corollary", "cor": "corollary",
    "definition": "definition", "def": "definition", "defn": "definition", "assumption": "assumption",
    "asm": "assumption", "figure": "figure", "fig": "figure", "table": "table", "tab": "table", "remark": "remark",
    "rem": "remark", "section": "section", "sec": "section", "appendix": "appendix", "app": "appendix",
    "algorithm": "algorithm", "alg": "algorithm", "equation": EQUATION, "eq": EQUATION, "eqn": EQUATION,
    "claim": "claim", "event": "event", "footnote": "footnote", "question": "question", "conjecture": "conjecture",
}  # fmt: skip
_PASSED_OVER = frozenset({"and", "or", "open"})
_TOKEN = re.compile(
    r"(?P<label>\([A-Z]?[0-9]+(?:\.[0-9]+)*[a-z]?\)|\([A-Z]+\)|\([a-z]\))"
    r"|(?P<number>[0-9]+(?:\.[0-9]+)*(?:[a-z]\b)?|[A-Z](?:\.[0-9]+)+|[IVX]+(?:\.[0-9]+)*\b)"
    r"|(?P<word>[^\W\d_]+\.?|§)|(?P<range>[-–—])|(?P<join>[,&])|(?P<other>\S)"
)
_WIDEST = 1000
"""Numbers of a range."""
MAX_CHARACTERS = 200
"""Of a typed place."""


@dataclass(frozen=True, order=True)
class NumberedPlace:
    """One numbered thing of a paper, e.g. NumberedPlace("lemma", "4.1"); a part of a figure has its letter, "6a"."""

    kind: str
    number: str

    def __str__(self) -> str:
        return f"({self.number})" if self.kind == EQUATION else f"{self.kind.capitalize()} {self.number}"


def places_of(text: str) -> frozenset[NumberedPlace]:
    """All that the source of a claim names by number, with what lies within its ranges."""
    return frozenset(place for places, _ in _read(text) for place in places)


def typed_place(text: str) -> tuple[frozenset[NumberedPlace], ...] | None:
    """What a typed text asks for: one of each group; None where the text is no place.

    >>> typed_place("Fig. 4")
    (frozenset({NumberedPlace(kind='figure', number='4')}),)
    """
    if len(text) > MAX_CHARACTERS:
        return None
    groups = list(_read(text))
    if not groups or not all(is_clean for _, is_clean in groups):
        return None
    following = [*(places for places, _ in groups[1:]), frozenset()]
    whole = [places for (places, _), after in zip(groups, following, strict=True) if not places < after]
    return tuple(whole)  # the first end of a range is no group of its own


def nearest_of_kind(asked: NumberedPlace, known: Iterable[NumberedPlace], most: int = 6) -> list[NumberedPlace]:
    """Places of the same kind, in order; those nearest by number where there are many."""
    alike = {place for place in known if place.kind == asked.kind}
    at = _order(asked)
    near = sorted(alike, key=lambda place: (abs(_order(place)[0] - at[0]), _order(place)))[:most]
    return sorted(near, key=_order)


def _order(place: NumberedPlace) -> tuple[int, list[int], str]:
    whole = [int(digits) for digits in re.findall(r"\d+", place.number)]
    return (whole[0] if whole else 0, whole, place.number)


def _read(text: str) -> Iterator[tuple[frozenset[NumberedPlace], bool]]:
    """Groups of places, each with whether everything up to it was part of a place.

    A number speaks of the kind last named; one in parentheses alone is an equation, or the part of the figure before.
    """
    kind, last, is_range, is_clean = "", None, False, True
    for token in _TOKEN.finditer(text):
        sort, said = token.lastgroup, token.group()
        if sort == "word":
            word = said.removesuffix(".").lower()
            if word not in _PASSED_OVER:
                kind = _kind(said)
                is_clean, last = is_clean and bool(kind), None
        elif sort == "label" and last is not None and last.kind != EQUATION and len(said) == 3 and said[1].islower():
            yield frozenset({NumberedPlace(last.kind, last.number + said[1])}), is_clean
        elif sort == "label" or (sort == "number" and kind):
            place = NumberedPlace(EQUATION if sort == "label" else kind, said.strip("()"))
            yield frozenset(_between(last, place) if is_range and last else {place}), is_clean
            is_range, last = False, place
            if last.number[-1].islower():  # a part of a figure speaks of the whole as well
                yield frozenset({NumberedPlace(last.kind, last.number[:-1])}), is_clean
        elif sort == "range":
            is_range = last is not None
            is_clean = is_clean and is_range
        elif sort != "join":
            kind, last, is_clean = "", None, False
    if not is_clean:
        yield frozenset(), False


def _kind(word: str) -> str:
    """The kind that a word names; a longer capitalised word is one of the paper's own. "" where it is none."""
    if word == "§":
        return "section"
    plain = word.removesuffix(".").lower()
    known = _KINDS.get(plain) or _KINDS.get(plain.removesuffix("s"))
    return known or (plain if word[0].isupper() and len(plain) > 3 else "")


def _between(first: NumberedPlace, last: NumberedPlace) -> set[NumberedPlace]:
    """All from one number to another that differ in the last figure alone; the two ends where that is not so."""
    ends = {first, last}
    (before, _, low), (same, _, high) = (place.number.rpartition(".") for place in (first, last))
    if first.kind != last.kind or before != same or not (low.isdecimal() and high.isdecimal()):
        return ends
    if not 0 <= int(high) - int(low) <= _WIDEST:
        return ends
    stem = f"{before}." if before else ""
    return {NumberedPlace(first.kind, f"{stem}{number}") for number in range(int(low), int(high) + 1)}
