"""What became of one statement: the answer of `theory.prover.certify` for readers."""

from __future__ import annotations

import dataclasses
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import sympy as sp

from theory.failures import Failure
from theory.prover.certify import NotDefined, Proved, Refuted, Unknown


@dataclass(frozen=True)
class Decision:
    """What became of one statement.

    Attributes:
        verdict: "proved", "vacuous" (proved, but no point satisfies the conditions), "refuted", "undefined" (somewhere
            in the range a part of it has no real value) or "unknown".
        statement: the relation, its ranges and conditions, as typed.
        point: where it fails, or has no value: exact numbers by name; empty where it was proved or is unknown.
        gap: left side minus right side at the point of a refutation.
        reason: why the answer is no proof; "" where it is one.
        record: the certificate that `theory.checker.replay` re-checks; None where nothing was shown.
        seconds: how long it took.
        explanation: of an unknown one: what was tried, where it is tight, what may help; lines for readers.
        constants: of a proved one with constants that may be chosen (`exists`): the choice that serves, by name.
        failures: steps of the search that failed by a mistake in the program; report these.
    """

    verdict: str
    statement: str
    point: Mapping[str, sp.Rational]
    gap: sp.Expr | None
    reason: str
    record: dict[str, Any] | None
    seconds: float
    explanation: tuple[str, ...] = ()
    constants: Mapping[str, sp.Rational] = dataclasses.field(default_factory=dict)
    failures: tuple[Failure, ...] = ()

    def __bool__(self) -> bool:
        """Whether the statement is proved."""
        return self.verdict in ("proved", "vacuous")

    def __str__(self) -> str:
        chosen = f": with {listed(self.constants)}" if self.constants else ""
        ending = f": {self.reason}" if self.reason else chosen
        return f"{self.verdict}: {self.statement}{ending}"

    def as_dict(self) -> dict[str, Any]:
        """Everything as plain JSON; numbers are texts, because they are exact."""
        return {
            **{field.name: getattr(self, field.name) for field in dataclasses.fields(self)},
            "explanation": list(self.explanation),
            "failures": [dataclasses.asdict(failure) for failure in self.failures],
            "point": {name: str(value) for name, value in self.point.items()},
            "constants": {name: str(value) for name, value in self.constants.items()},
            "gap": None if self.gap is None else str(self.gap),
        }


def decision_on(answer: Proved | Refuted | Unknown, words: str) -> Decision:
    """What certify answered to a question, in words."""
    decision = _decision(answer, words)
    return dataclasses.replace(decision, seconds=answer.seconds, failures=answer.failures)


def _decision(answer: Proved | Refuted | Unknown, words: str) -> Decision:
    if isinstance(answer, Proved):
        reason = "no point satisfies the conditions, so it speaks of nothing" if answer.vacuous else ""
        verdict = "vacuous" if answer.vacuous else "proved"
        return Decision(verdict, words, {}, None, reason, answer.record, 0.0)
    if isinstance(answer, Refuted):
        point = {symbol.name: value for symbol, value in answer.counterexample.items()}
        where = f"at {listed(point)} " if point else ""
        reason = f"{where}the left side minus the right side is {short(answer.value)}"
        return Decision("refuted", words, point, answer.value, reason, answer.record, 0.0)
    if isinstance(answer, NotDefined):
        point = {symbol.name: value for symbol, value in answer.point.items()}
        where = f" at {listed(point)}" if point else ""
        return Decision("undefined", words, point, None, f"{answer.subterm} has no real value{where}", None, 0.0)
    left = len(answer.remaining)
    parts = f"; {left} {'piece' if left == 1 else 'pieces'} of the box left open" if left > 1 else ""
    reason = f"{answer.reason}{parts}"
    return Decision("unknown", words, {}, None, reason, None, 0.0, answer.explanation)


def listed(point: Mapping[str, sp.Rational]) -> str:
    """Values by name, in a line."""
    return ", ".join(f"{name} = {value}" for name, value in point.items())


def short(value: sp.Expr) -> str:
    """A number for readers: exact where that is short."""
    text = str(value)
    is_exact = value.is_Rational or value.is_infinite
    return text if is_exact and len(text) <= 24 else str(sp.N(value, 6))
