"""Read what stands before a typed statement: "exists N: forall n >= N: log(n) <= sqrt(n)".

    statement := (("exists" | "forall") item ("," item)* [":"])* relation
    item      := ["whole"] name ["in" ("[" | "(") end "," end ("]" | ")") | (">=" | ">" | "<=" | "<") end]

"forall" may come before "exists" once: what is chosen may then depend on it. An end that is no number, as N above, is
a condition. A name alone after "exists" is a threshold from 1 on, the end of a later range. Instead of a relation may
stand "f = O(g)", "f = o(g)" or "f = Theta(g)", as the one symbol that has no upper end goes there. Ends are read by
`theory.prover.prove`.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any

from theory.prover.typed.formula import MAX_LENGTH, FormulaError

_NAME = r"[A-Za-z_][A-Za-z0-9_]{0,49}"
_ITEM = re.compile(
    rf"\s*(whole\s+)?({_NAME})(?:\s+in\s+([\[(])([^\[\]():,]*),([^\[\]():,]*)([\])])|\s*(>=|<=|>|<)([^,:<>=]+))?\s*"
)
_WORD = re.compile(r"\b(exists|forall)\b")
_NUMBER = re.compile(r"[\s0-9.eE+*/^-]*|\s*[+-]?\s*(oo|inf)\s*")
_ORDER = re.compile(r"(.*[^<>=!])=\s*(O|o|Theta)\s*\((.*)\)\s*", re.S)


@dataclass(frozen=True)
class Quantified:
    """A statement, the ranges that stand before it, as text by name, conditions, and the names of whole numbers.

    `typed` is what it says of matrices, where it was written out without them.
    """

    statement: Any
    exists: Mapping[str, str] = field(default_factory=dict)
    forall: Mapping[str, str] = field(default_factory=dict)
    whole: frozenset[str] = frozenset()
    before: Mapping[str, str] = field(default_factory=dict)
    given: tuple[str, ...] = ()
    typed: str = ""

    def told(self, words: str) -> str:
        """What was asked, for readers, before what it was written out as."""
        return f"{self.typed}, that is, {words}" if self.typed else words


@dataclass
class _Read:
    """What was read so far."""

    groups: list[tuple[str, dict[str, str]]] = field(default_factory=list)
    whole: set[str] = field(default_factory=set)
    given: list[str] = field(default_factory=list)
    bare: set[str] = field(default_factory=set)

    def names(self) -> list[str]:
        """All names that have a range."""
        return [name for _, group in self.groups for name in group]


def read_quantified(statement: Any) -> Quantified:
    """The statement without what stands before it; what is no text is returned as it is.

    Raises:
        FormulaError: something else before a colon, a name that comes twice, or "exists" after "exists" and "forall".
    """
    if not isinstance(statement, str) or (":" not in statement and not _WORD.match(statement.lstrip())):
        return Quantified(statement)
    if len(statement) > MAX_LENGTH:
        raise FormulaError(f"statement must have at most {MAX_LENGTH} characters, got {len(statement)}")
    *before, relation = statement.split(":")
    read = _Read()
    for text in before:
        _read_part(text, read)
    if not before:
        raise FormulaError("statement must have a colon before its relation, got none")
    kinds = [kind for kind, _ in read.groups]
    if kinds not in (
        ["exists"],
        ["forall"],
        ["exists", "forall"],
        ["forall", "exists"],
        ["forall", "exists", "forall"],
    ):
        raise FormulaError(
            f"statement must have at most forall, exists and forall in this order, got {', '.join(kinds)}"
        )
    unbounded = sorted(name for name in read.bare if not any(re.search(rf"\b{name}\b", text) for text in read.given))
    if unbounded:
        raise FormulaError(f"exists and forall must be followed by x in [low, high], got {unbounded[0]!r}")
    found = {"exists": {}, "forall": {}, "before": {}}
    for place, (kind, group) in enumerate(read.groups):
        found["before" if kind == "forall" and "exists" in kinds[place + 1 :] else kind] |= group
    return Quantified(
        relation.strip(), found["exists"], found["forall"], frozenset(read.whole), found["before"], tuple(read.given)
    )


def _read_part(text: str, read: _Read) -> None:
    """Quantifiers between two colons."""
    places = [found.start() for found in _WORD.finditer(text)]
    if not places or text[: places[0]].strip():
        raise FormulaError(f"statement must have exists or forall before a colon, got {text.strip()[:40]!r}")
    for start, end in zip(places, [*places[1:], len(text)], strict=True):
        kind = text[start : start + 6]
        if not read.groups or read.groups[-1][0] != kind:
            read.groups.append((kind, {}))
        for is_whole, name, ends in _items(text[start + 6 : end], kind, read):
            if name in read.names():
                raise FormulaError(f"statement must give one range for each symbol, got two for {name}")
            read.groups[-1][1][name] = ends
            read.whole |= {name} if is_whole else set()


def _items(text: str, kind: str, read: _Read) -> Iterator[tuple[bool, str, str]]:
    place = 0
    while True:
        item = _ITEM.match(text, place)
        if item is None or (item[3] is None and item[7] is None and kind == "forall"):
            raise FormulaError(
                f"exists and forall must be followed by x in [low, high], got {text[place:].strip()[:40]!r}"
            )
        yield bool(item[1]), item[2], _ends(item, read, has_conditions=kind == "forall")
        place = item.end()
        if place == len(text):
            return
        if text[place] != ",":
            raise FormulaError(f"ranges must have commas between them, got {text[place:].strip()[:40]!r}")
        place += 1


def _ends(item: re.Match, read: _Read, *, has_conditions: bool) -> str:
    """The range of an item as text; ends that are no numbers become conditions where that may be."""
    name = item[2]
    if item[3] is None and item[7] is None:
        read.bare.add(name)
        return "[1, oo)"
    if item[3] is not None:
        low, high, first, last = item[4], item[5], item[3], item[6]
        signs = ">" if first == "(" else ">=", "<" if last == ")" else "<="
    else:
        is_low = item[7] in (">", ">=")
        low, high = (item[8], "oo") if is_low else ("-oo", item[8])
        first, last = "(" if item[7] == ">" else "[", ")" if item[7] == "<" else "]"
        signs = item[7], item[7]
    shown = []
    for end, sign, outer in ((low, signs[0], "-oo"), (high, signs[1], "oo")):
        if _NUMBER.fullmatch(end) or not has_conditions:
            shown.append(end.strip())
            continue
        read.given.append(f"{name} {sign} {end.strip()}")
        # what lies above a threshold from 1 on lies above 1
        shown.append("1" if end.strip() in read.bare and sign in (">", ">=") else outer)
    first = "(" if shown[0] == "-oo" else first
    last = ")" if shown[1] == "oo" else last
    return f"{first}{shown[0]}, {shown[1]}{last}"


# ------------------------------------------------------------------------------------------------------------- orders


def read_order(statement: Any, unbounded: list[str], taken: set[str]) -> Quantified | None:
    """Statements "f = O(g)", "f = o(g)" or "f = Theta(g)" with quantifiers; None of another text.

    Args:
        unbounded: names of symbols without an upper end.
        taken: all names in use.

    Raises:
        FormulaError: not exactly one symbol goes to infinity.
    """
    found = _ORDER.fullmatch(statement) if isinstance(statement, str) else None
    if found is None:
        return None
    if len(unbounded) != 1:
        got = ", ".join(unbounded) or "none"
        raise FormulaError(f"{found[2]}(...) must be said of one symbol without an upper end, got {got}")
    n, f, g = unbounded[0], found[1].strip(), found[3].strip()
    big, start, eps = (_free(name, taken) for name in ("C", "N", "eps"))
    if found[2] == "o":
        upper, given = f"abs({f}) <= {eps}*abs({g})", (f"{n} >= {start}",)
        return Quantified(upper, {start: "[1, oo)"}, before={eps: "(0, oo)"}, given=given)
    # of a factor and a threshold the greater one may stand for both
    upper, lower, given = f"abs({f}) <= {big}*abs({g})", f"{big}*abs({f}) >= abs({g})", (f"{n} >= {big}",)
    return Quantified(upper if found[2] == "O" else [upper, lower], {big: "[1, oo)"}, given=given)


def _free(name: str, taken: set[str]) -> str:
    while name in taken:
        name += "_"
    return name
