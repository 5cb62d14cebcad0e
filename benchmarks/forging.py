"""Forged records of proofs: a record that the checker knows, with one place changed, and what it says of both.

A record stands for a proof that the checker replays. Forgeries are made from valid ones by changing a number, a truth
value, a step, a side or an end, so that most prove nothing. `outcome` is what the checker says; a checker with a fault
that matters says something else of some record.
"""

from __future__ import annotations

import copy
import random
import re
from collections.abc import Iterator
from typing import Any

from theory.checker.replay import InvalidRecord, replay
from theory.prover.records import sealed

Path = tuple[str | int, ...]
"""Keys and indices that lead to a place of a record."""

STEPS = ({"by": "interval"}, {"by": "zero"}, {"by": "empty"})
"""Steps without parts, which may stand in the place of any."""

RELATIONS = ("GreaterThan", "StrictGreaterThan", "LessThan", "StrictLessThan", "Equality")
NUMBERS = ("0", "1", "-1", "2", "1/2", "oo", "-oo")


def outcome(record: dict[str, Any]) -> str:
    """What the checker says of a record: proved, vacuous, refuted or refused."""
    try:
        return replay(record)
    except InvalidRecord:
        return "refused"


def resealed(record: dict[str, Any]) -> dict[str, Any]:
    """The record with a digest that fits it: what a careful forger would hand in."""
    return sealed({key: value for key, value in record.items() if key != "digest"})


def forged(record: dict[str, Any], generator: random.Random) -> dict[str, Any]:
    """A copy with one place changed."""
    changed = copy.deepcopy(record)
    places = [place for place in _places(changed) if place and place[0] != "digest"]
    place = generator.choice(places)
    parent: Any = changed
    for key in place[:-1]:
        parent = parent[key]
    parent[place[-1]] = _another(parent[place[-1]], generator)
    if isinstance(parent, list) and generator.random() < 0.1:
        del parent[place[-1]]
    return resealed(changed)


def _places(value: Any, path: Path = ()) -> Iterator[Path]:
    yield path
    children = value.items() if isinstance(value, dict) else enumerate(value) if isinstance(value, list) else ()
    for key, child in children:
        yield from _places(child, (*path, key))


def _another(value: Any, generator: random.Random) -> Any:
    """A value of the same kind that is another."""
    if value is None:
        return generator.choice((0, "0", *STEPS))
    if isinstance(value, bool):
        return not value
    if isinstance(value, int):
        return generator.choice((value + 1, value - 1, -value, 0))
    if isinstance(value, list):
        shuffled = list(value)
        generator.shuffle(shuffled)
        return generator.choice((shuffled, value[:-1], value + value[-1:], []))
    if isinstance(value, dict):
        children = [child for child in value.values() if isinstance(child, dict) and "by" in child]
        return generator.choice((*STEPS, *children))
    return _other_text(value, generator)


def _other_text(text: str, generator: random.Random) -> str:
    """Another number, relation or expression; every number within an expression is one more or less in its turn."""
    numbers = list(re.finditer(r"(?<=[(, ])-?\d+(?=[,)])", text))
    relations = [name for name in RELATIONS if text.startswith(f"{name}(")]
    if relations and generator.random() < 0.5:
        other = generator.choice([name for name in RELATIONS if name != relations[0]])
        return other + text[len(relations[0]) :]
    if numbers:
        at = generator.choice(numbers)
        return text[: at.start()] + str(int(at.group()) + generator.choice((-1, 1, 2))) + text[at.end() :]
    if re.fullmatch(r"-?\d+(/\d+)?|-?oo", text):
        return generator.choice([number for number in NUMBERS if number != text])
    return generator.choice((*NUMBERS, "Integer(0)", "oo", "low", "high"))
