"""Which kinds of lemmas over n entries can be typed: `python -m benchmarks.lengths.kinds`.

Each line of benchmarks/statements/kinds.txt is put to `theory.prover.prove` with hardly any time. What is refused with
a line cannot be stated; whether the rest is proved is not asked here.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache

from benchmarks.lengths.corpus import STATEMENTS
from theory.prover.prove import prove

KINDS = STATEMENTS / "kinds.txt"
_SECONDS = 0.05


@dataclass(frozen=True)
class Kind:
    """A kind, an example, and the line with which that is refused ("" where it is read)."""

    name: str
    text: str
    refused: str


@cache
def kinds() -> tuple[Kind, ...]:
    """All kinds in their order."""
    lines = KINDS.read_text(encoding="utf-8").splitlines()
    return tuple(_kind(line) for line in lines if line and not line.startswith("#"))


def _kind(line: str) -> Kind:
    name, _, rest = line.partition(": ")
    text, _, conditions = rest.partition(" | ")
    ranges, given, whole = {}, [], []
    for piece in conditions.split("; "):
        symbol, found, ends = piece.partition(" in ")
        if found:
            ranges[symbol] = ends
        elif piece.endswith(" whole"):
            whole.append(piece.removesuffix(" whole"))
        else:
            given.append(piece)
    try:
        prove(text, ranges, given=given, integers=whole, seconds=_SECONDS)
    except ValueError as error:
        return Kind(name, text, str(error))
    return Kind(name, text, "")


def section() -> list[str]:
    """The section of the page."""
    found = kinds()
    stated = sum(not kind.refused for kind in found)
    lines = [
        *("## Kinds", ""),
        f"Of {len(found)} kinds of what such lemmas are made of (`benchmarks/statements/kinds.txt`), {stated} can be "
        "stated; `python -m benchmarks.lengths.kinds` asks again.",
        *("", "| kind | example | stated |", "| --- | --- | --- |"),
    ]
    for kind in found:
        text, said = (part.replace("|", "\\|") for part in (kind.text, kind.refused))
        lines.append(f"| {kind.name} | `{text}` | {f'no: {said}' if said else 'yes'} |")
    return [*lines, ""]


if __name__ == "__main__":
    print("\n".join(section()))
