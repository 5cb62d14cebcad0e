"""How the formats of other provers write things, and their texts as words and signs, for `benchmarks.suite_infix`."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass, field

import sympy as sp

from theory.problems.formulas import ProblemError

MAX_TOKENS = 4000


@dataclass(frozen=True)
class Dialect:
    """How a format writes things.

    Attributes:
        token: matches one token after blanks; whatever it does not match is refused.
        implies, both, either, denies, forall: the tokens of the connectives.
        functions: its names of functions -> those of the prover's grammar.
        constants: its names of numbers.
        applies: whether functions stand before their arguments without a comma (`sin x`), as in Coq.
    """

    token: re.Pattern[str]
    implies: str
    both: str
    either: str
    denies: str
    forall: str
    functions: Mapping[str, str]
    constants: Mapping[str, sp.Expr]
    applies: bool = False


@dataclass
class Names:
    """What names mean: bound terms, and functions defined in the text (their parameters and the tokens of the body)."""

    terms: dict[str, sp.Expr] = field(default_factory=dict)
    functions: dict[str, tuple[tuple[str, ...], list[str]]] = field(default_factory=dict)


def tokens_of(text: str, dialect: Dialect) -> list[str]:
    """The tokens of a text. Raises ProblemError on a character that the format does not have, or on too many."""
    found, place = [], 0
    blank = re.compile(r"\s*")
    while True:
        place = blank.match(text, place).end()  # type: ignore[union-attr]
        if place == len(text):
            return found
        match = dialect.token.match(text, place)
        if match is None or match.end() == place:
            raise ProblemError(f"cannot be read at {text[place : place + 20]!r}")
        found.append(match[0])
        place = match.end()
        if len(found) > MAX_TOKENS:
            raise ProblemError(f"has more than {MAX_TOKENS} words and signs")
