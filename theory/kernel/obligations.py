"""Proofs over lists of n entries rest on ordinary statements: a lemma for each of them."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from typing import Any

from theory.checker.lists.instances import by_instances
from theory.checker.lists.total_steps import gap, taken_off
from theory.checker.nodes import Node
from theory.checker.parser import Relation
from theory.checker.statement import Statement
from theory.kernel.script import Scope, Script
from theory.kernel.terms import Names, asked, condition, term
from theory.kernel.theorems import (
    conclusion,
    framed,
    hypotheses,
    introduced,
    names_of,
    theorem,
)

OPERATIONS = {"sum": "total", "prod": "product", "max": "greatest", "min": "least"}
"""What a total is called in the library."""


@dataclass(frozen=True)
class Obligation:
    """A statement, conditions beside its givens, and what shows it."""

    statement: Statement
    extra: tuple[Relation, ...]
    body: Any

    @property
    def whole(self) -> Statement:
        """The statement with all of its conditions."""
        return replace(self.statement, given=(*self.statement.given, *self.extra))


@dataclass
class Lemmas:
    """The lemmas of one theorem, by number."""

    label: str
    lines: list[str] = field(default_factory=list)
    count: int = 0

    def name(self) -> str:
        """A new name."""
        self.count += 1
        return f"{self.label}_{self.count}"

    def add(self, obligation: Obligation) -> str:
        """The name of the lemma that says what is asked for."""
        body = obligation.body
        if isinstance(body, dict) and "instances" in body:
            return self._by_instances(obligation)
        if isinstance(body, dict) and "taken" in body:
            return self._by_weights(obligation)
        label = self.name()
        self.lines += [*theorem(obligation.whole, body, label), ""]
        return label

    def _framed(self, statement: Statement, names: Names, scope: Scope, script: Script) -> str:
        """A lemma over points whose proof is written."""
        label, said = self.name(), hypotheses(statement, names)
        start = introduced(names, [scope.name("A") for _ in said])
        wanted = conclusion(statement, names)
        self.lines += [*framed(label, list(names.values()), said, wanted, [*start, *script]), ""]
        return label

    def _by_weights(self, obligation: Obligation) -> str:
        """By multiples of conditions."""
        parts = taken_off(obligation.statement, obligation.extra, obligation.body)
        whole = obligation.whole
        names = names_of(whole)
        scope, script = Scope(names, taken=frozenset(names.values())), []
        for h, weight, sign, body in parts.rows:
            if sign is not None:
                script += met(self.add(Obligation(sign, (), body)), sign, names, scope)
            times, name = f"{term(weight, names)} * {term(gap(h), names)}", scope.name("T")
            if h.sign == "==":
                script.append(f"assert ({name} : {times} = 0) by (replace {term(gap(h), names)} with 0 by lra; ring).")
            elif sign is None and h.sign in ("<", ">"):
                script.append(f"assert ({name} : 0 < {times}) by (apply Rmult_lt_0_compat; lra).")
            else:
                script.append(f"assert ({name} : 0 <= {times}) by (apply Rmult_le_pos; lra).")
        script += met(self.add(Obligation(parts.left, (), parts.proof)), parts.left, names, scope)
        return self._framed(whole, names, scope, [*script, "first [joined | nra]."])

    def _by_instances(self, obligation: Obligation) -> str:
        """By multiples of relations that hold at all points of boxes of their own, at one point each."""
        whole = obligation.whole
        inner, found, extra, rest = by_instances(whole, obligation.body)
        names = names_of(whole)
        scope, script = Scope(names, taken=frozenset(names.values())), []
        for one in found:
            for statement, body in one.inside:
                script += met(self.add(Obligation(statement, (), body)), statement, names, scope)
            values = {s: term(one.values[s], names) for s in one.own.box}
            script += met(self.add(Obligation(one.own, (), one.proof)), one.own, values, scope)
        left = Obligation(inner, extra, rest)
        script += met(self.add(left), left.whole, names, scope)
        return self._framed(whole, names, scope, [*script, "joined."])


def met(label: str, statement: Statement, names: Names, scope: Scope) -> Script:
    """What a lemma says becomes known; all that it asks for is known, or plain."""
    name = scope.name("K")
    return [f"pose proof ({' '.join([label, *(names[s] for s in statement.box)])}) as {name}. met {name}."]


def conditions(e: Node, names: Names) -> list[str]:
    """What an expression asks for to have a value."""
    return [condition(c, sign, names) for c, sign in asked(e)]


def of_relation(r: Relation, names: Names) -> list[str]:
    """What the sides of a relation ask for to have values."""
    sides = () if r.sign in ("true", "false") else (r.left, r.right)
    return list(dict.fromkeys(text for side in sides for text in conditions(side, names)))


def joined(texts: Sequence[str]) -> str:
    """All of these, as one proposition."""
    return " /\\ ".join(f"({text})" for text in texts)
