"""What became of a statement with constants that may be chosen, in words."""

from __future__ import annotations

from dataclasses import replace

import sympy as sp

from theory.prover.decision import Decision, listed
from theory.prover.existence.certify import ExistenceUnknown, NoneServes, RefutedPiece, Serves

_TOLD = 6
"""Pieces that a line tells."""


def existence_decision(answer: Serves | NoneServes | ExistenceUnknown, words: str) -> Decision:
    """What `theory.prover.existence.certify.certify_exists` answered to a question."""
    decision = _decision(answer, words)
    return replace(decision, seconds=answer.seconds, failures=answer.failures)


def _decision(answer: Serves | NoneServes | ExistenceUnknown, words: str) -> Decision:
    if isinstance(answer, Serves):
        constants = {s.name: value for s, value in answer.constants.items()}
        empty = f"with {listed(constants)} no point satisfies the conditions, so it speaks of nothing"
        verdict, reason = ("vacuous", empty) if answer.vacuous else ("proved", "")
        return Decision(verdict, words, {}, None, reason, answer.record, 0.0, constants=constants)
    if isinstance(answer, NoneServes):
        return Decision("refuted", words, {}, None, _refuted(answer), answer.record, 0.0)
    left = len(answer.remaining)
    parts = f"; {left} {'piece' if left == 1 else 'pieces'} of the constants' ranges left open" if left else ""
    reason = f"{answer.reason}{parts}"
    return Decision("unknown", words, {}, None, reason, None, 0.0, answer.explanation)


def _refuted(answer: NoneServes) -> str:
    told = "; ".join(map(_piece, answer.pieces[:_TOLD]))
    left = len(answer.pieces) - _TOLD
    more = f"; and {left} more {'piece' if left == 1 else 'pieces'}" if left > 0 else ""
    such = f" with {', '.join(map(str, answer.such))}" if answer.such else ""
    return f"no choice{such} serves: {told}{more}"


def _piece(piece: RefutedPiece) -> str:
    ranges = ", ".join(f"{s} in {_ends(s, *ends)}" for s, ends in piece.ranges.items())
    where = ", ".join(_value(s, w) for s, w in piece.witness.items())
    return f"for {ranges} it fails{f' at {where}' if where else ''}"


def _ends(s: sp.Symbol, low: sp.Expr, high: sp.Expr) -> str:
    is_open, is_open_high = low == 0 and s.is_positive, high == 0 and s.is_negative
    return f"{'(' if is_open or low == -sp.oo else '['}{low}, {high}{')' if is_open_high or high == sp.oo else ']'}"


def _value(s: sp.Symbol, w: sp.Expr) -> str:
    if s.is_integer and not w.is_Rational:
        return f"a whole {s} between {w} and {w + 1}"
    return f"{s} = {w}"
