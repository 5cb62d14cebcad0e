"""Sums whose terms know neither their index nor an entry, as multiples: sum(exp(g), i=1..k-1) is (k - 1)*(exp(g)).

Such sums may have ends of their own beside the length. A multiple says the same where the ends are whole and there are
no less than 0 places between them, high >= low - 1: `theory.prover.prove` asks for the latter before it puts one in.
"""

from __future__ import annotations

import re
from collections.abc import Collection
from dataclasses import dataclass

_SUM = re.compile(r"(?<![\w.])sum\s*\(")
_WHOLE = re.compile(r"[A-Za-z_0-9\s+\-*()]+")
_RANGE = re.compile(r"\s*([A-Za-z_]\w*)\s*=(.+?)\.\.(.+)", re.S)


@dataclass(frozen=True)
class CountedText:
    """A text with multiples in the place of sums, and how many terms each of these has, as texts."""

    text: str
    counts: tuple[str, ...]


def counted(text: str, whole: Collection[str], names: Collection[str]) -> CountedText:
    """Put multiples in the place of sums of terms that are alike; a text without such sums stays as it is.

    Args:
        whole: names of whole numbers, of which the ends of such a sum are made.
        names: all names that have a meaning, of which none is an index.
    """
    at, counts = 0, []
    while found := _SUM.search(text, at):
        parts = _arguments(text, found.end())
        range_ = _RANGE.fullmatch(parts[1][1]) if len(parts) == 2 else None
        body = parts[0][1] if parts else ""
        is_own = range_ is not None and not re.search(rf"[\[\]]|\.\.|(?<![\w.]){range_[1]}(?!\w)", body)
        if not is_own or range_[1] in names or not all(_is_whole(range_[k], whole) for k in (2, 3)):
            at = found.end()
            continue
        count = f"(({range_[3].strip()}) - ({range_[2].strip()}) + 1)"
        counts.append(count)
        text = f"{text[: found.start()]}({count}*({body.strip()})){text[parts[-1][0] + 1 :]}"
        at = found.start()
    return CountedText(text, tuple(counts))


def _is_whole(text: str, whole: Collection[str]) -> bool:
    """Whether an end is a sum of products of whole numbers."""
    is_plain = _WHOLE.fullmatch(text) and "**" not in text
    return bool(is_plain) and all(word in whole or word.isdigit() for word in re.findall(r"\w+", text))


def _arguments(text: str, start: int) -> list[tuple[int, str]]:
    """The arguments of a call that opens before `start`, each with where it ends; none if it stays open."""
    depth, begin, found = 0, start, []
    for place in range(start, len(text)):
        character = text[place]
        if depth == 0 and character in ",)":
            found.append((place, text[begin:place]))
            begin = place + 1
            if character == ")":
                return found
        depth += (character in "([") - (character in ")]")
    return []
