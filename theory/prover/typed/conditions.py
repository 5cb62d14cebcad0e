"""Read the pieces of a formula by cases: Piecewise((x, x < 1), (2*x - 1, x >= 1 and not x > 5), (9, True)).

    piece     := "(" sum "," condition ")"
    condition := conjunct ("or" conjunct)*
    conjunct  := denial ("and" denial)*
    denial    := "not" denial | "True" | sum (relation sum)+ | "(" condition ")"

Relations are those of statements and "!="; a chain is all of its links. Nothing is decided: 1 > 2 stays a condition.
"""

from __future__ import annotations

from collections.abc import Callable
from itertools import pairwise
from typing import Any

import sympy as sp

WORDS = ("and", "or", "not", "True")
"""Words of conditions."""

_RELATIONS: dict[str, Callable[..., sp.Basic]] = {
    "<=": sp.Le, "<": sp.Lt, ">=": sp.Ge, ">": sp.Gt, "==": sp.Eq, "=": sp.Eq, "!=": sp.Ne,
}  # fmt: skip


def read_piece(parser: Any, refused: type[Exception]) -> tuple[sp.Expr, sp.Basic]:
    """A piece and its condition, where a parser of `theory.prover.typed.formula` stands.

    Args:
        refused: what the parser raises on a text that is none.
    """
    parser.take("(")
    value = parser.deeper(parser.sum)
    parser.take(",")
    condition = parser.deeper(lambda: _any(parser, refused))
    parser.take(")")
    return value, condition


def _any(parser: Any, refused: type[Exception]) -> sp.Basic:
    return _joined(parser, "or", sp.Or, lambda: _joined(parser, "and", sp.And, lambda: _one(parser, refused)))


def _joined(parser: Any, word: str, kind: type[sp.Basic], part: Callable[[], sp.Basic]) -> sp.Basic:
    """Parts with a word between them, or the only one."""
    parts = [part()]
    while _is_word(parser, word):
        parser.advance()
        parts.append(part())
    return parts[0] if len(parts) == 1 else kind(*parts, evaluate=False)


def _one(parser: Any, refused: type[Exception]) -> sp.Basic:
    if _is_word(parser, "not"):
        parser.advance()
        return sp.Not(parser.deeper(lambda: _one(parser, refused)), evaluate=False)
    if _is_word(parser, "True"):
        parser.advance()
        return sp.true
    if parser.is_at("("):
        # What stands in parentheses may be a condition, or the beginning of a sum.
        mark = parser.mark()
        try:
            parser.advance()
            inner = parser.deeper(lambda: _any(parser, refused))
            parser.take(")")
        except refused:
            parser.go_back(mark)
        else:
            return inner
    return _relation(parser)


def _relation(parser: Any) -> sp.Basic:
    sides, signs = [parser.sum()], []
    while parser.kind == "sign" and parser.token in _RELATIONS:
        signs.append(parser.token)
        parser.advance()
        sides.append(parser.sum())
    if not signs:
        parser.refuse("must have a relation in a condition here")
    links = [_RELATIONS[sign](*pair, evaluate=False) for pair, sign in zip(pairwise(sides), signs, strict=True)]
    return links[0] if len(links) == 1 else sp.And(*links, evaluate=False)


def _is_word(parser: Any, word: str) -> bool:
    return parser.kind == "name" and parser.token == word
