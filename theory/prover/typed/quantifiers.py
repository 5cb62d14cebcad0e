"""Read what stands before a typed statement: "exists c in [0, 2]: forall x in [0, 1]: x <= c".

    statement := (("exists" | "forall") item ("," item)* ":")* relation
    item      := ["whole"] name "in" ("[" | "(") end "," end ("]" | ")")

Constants that may be chosen come first: after "forall" there is no "exists". Ends are read by `theory.prover.prove`.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from typing import Any

from theory.prover.typed.formula import MAX_LENGTH, FormulaError

_ITEM = re.compile(r"\s*(whole\s+)?([A-Za-z_][A-Za-z0-9_]{0,49})\s+in\s+([\[(][^\[\](),:]*,[^\[\](),:]*[\])])\s*")
_WORD = re.compile(r"\s*(exists|forall)\b")


@dataclass(frozen=True)
class Quantified:
    """A statement, the ranges that stand before it, as text by name, and the names of whole numbers among them."""

    statement: Any
    exists: Mapping[str, str] = field(default_factory=dict)
    forall: Mapping[str, str] = field(default_factory=dict)
    whole: frozenset[str] = frozenset()


def read_quantified(statement: Any) -> Quantified:
    """The statement without what stands before it; what is no text is returned as it is.

    Raises:
        FormulaError: something else before a colon, a name that comes twice, or "exists" after "forall".
    """
    if not isinstance(statement, str) or ":" not in statement:
        return Quantified(statement)
    if len(statement) > MAX_LENGTH:
        raise FormulaError(f"statement must have at most {MAX_LENGTH} characters, got {len(statement)}")
    *before, relation = statement.split(":")
    found: dict[str, dict[str, str]] = {"exists": {}, "forall": {}}
    whole: set[str] = set()
    for text in before:
        word = _WORD.match(text)
        if word is None:
            raise FormulaError(f"statement must have exists or forall before a colon, got {text.strip()[:40]!r}")
        if word[1] == "exists" and found["forall"]:
            raise FormulaError("statement must have exists before forall, got it after")
        for is_whole, name, ends in _items(text[word.end() :]):
            if name in found["exists"] or name in found["forall"]:
                raise FormulaError(f"statement must give one range for each symbol, got two for {name}")
            found[word[1]][name] = ends
            whole |= {name} if is_whole else set()
    return Quantified(relation.strip(), found["exists"], found["forall"], frozenset(whole))


def _items(text: str) -> Iterable[tuple[bool, str, str]]:
    place = 0
    while True:
        item = _ITEM.match(text, place)
        if item is None:
            raise FormulaError(
                f"exists and forall must be followed by x in [low, high], got {text[place:].strip()[:40]!r}"
            )
        yield bool(item[1]), item[2], item[3]
        place = item.end()
        if place == len(text):
            return
        if text[place] != ",":
            raise FormulaError(f"ranges must have commas between them, got {text[place:].strip()[:40]!r}")
        place += 1
