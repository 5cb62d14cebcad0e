"""Symbols that nobody has used, numbered by the search that needs them and not by the process.

sympy begins to count its dummies at a random number, so that their hashes, and the certificates that name them, are
others each time; and those of one name are told apart by that number alone, which the order of a polynomial's symbols
does not see. Here a search counts its own from the statement on, with the number in the name as well; in a certificate
they are then numbered by their order in it (`renumbered`), whatever was tried beside.
"""

from __future__ import annotations

import re
import threading
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import fields, is_dataclass
from typing import Any

import sympy as sp

_OWN = re.compile(r"Dummy\('([^']*[^'0-9])(\d+)((?: above)?'(?:, \w+=\w+)*, dummy_index=)\2\b")


class _Count(threading.local):
    """Of the search that runs in this thread: the number that its dummies begin at, and the next one."""

    first = 1
    next = 1


_COUNT = _Count()


def fresh(name: str, **assumptions: bool) -> sp.Dummy:
    """A dummy that the search has not used."""
    number, _COUNT.next = _COUNT.next, _COUNT.next + 1
    return sp.Dummy(f"{name}{'' if name[-1].isalpha() else '_'}{number}", dummy_index=number, **assumptions)


@contextmanager
def numbered_anew(*statement: Any) -> Iterator[None]:
    """Number the dummies of a search from 1 on, or from those on that stand in its statement."""
    before = _COUNT.first, _COUNT.next
    taken = (dummy.dummy_index for part in expressions_of(statement) for dummy in part.atoms(sp.Dummy))
    _COUNT.first = _COUNT.next = 1 + max(taken, default=0)
    try:
        yield
    finally:
        _COUNT.first, _COUNT.next = before


def expressions_of(part: Any) -> Iterator[sp.Basic]:
    """All expressions that a statement is made of, ranges by their symbols."""
    if isinstance(part, sp.Basic):
        yield part
    elif isinstance(part, Mapping | list | tuple):
        for inner in part:
            yield from expressions_of(inner)
    elif is_dataclass(part):
        for field in fields(part):
            yield from expressions_of(getattr(part, field.name))


def renumbered(text: str) -> str:
    """A certificate's text with the dummies of this search numbered without gaps, in the order that they had."""
    first = _COUNT.first
    used = sorted({int(found[2]) for found in _OWN.finditer(text) if int(found[2]) >= first})
    numbers = {number: first + place for place, number in enumerate(used)}

    def renamed(found: re.Match[str]) -> str:
        number = int(found[2])
        return f"Dummy('{found[1]}{found[3]}{numbers[number]}" if number in numbers else found[0]

    return _OWN.sub(renamed, text)
