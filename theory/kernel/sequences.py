"""Statements over recursions as theorems: lists are functions, and claims go from each place to the next.

The theorem says that the terms of all totals have values, each part of the relation has one, and the relation holds.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from flint import fmpq

from theory.checker.lists.lengths import ReplayTotal
from theory.checker.lists.sequences import Sequences, read_sequences, sequence_obligations
from theory.checker.nodes import Node
from theory.checker.parser import Relation, read_end
from theory.checker.statement import Statement, read_givens
from theory.kernel.obligations import OPERATIONS, Lemmas, Obligation, conditions, joined, met, of_relation
from theory.kernel.script import Scope, Script, rendered
from theory.kernel.terms import NotExported, claimed, rational, term
from theory.kernel.theorems import assumptions, conclusion, givens, printed_statement, proposition, written


def sequence_theorem(record: dict[str, Any], label: str) -> tuple[list[str], list[str]]:
    """The statement as the checker prints it, and the lines of lemmas and theorem."""
    statement = read_sequences(record)
    if any(t.kind in ("max", "min") for t in statement.totals):
        raise NotExported("a greatest or least on the way through a recursion")
    printed = printed_statement(Statement(statement.relation, statement.box, statement.given))
    i = statement.index
    printed += [f"for entries {u} in [{statement.ranges[u].low}, {statement.ranges[u].high}], at {i} + 1 {e.after}, "
                f"at first {e.begin}, at last {e.end}" for u, e in statement.entries.items()]  # fmt: skip
    printed += [f"where {written(r)} at each {i} = {statement.first} .. {statement.length}" for r in statement.each]
    printed += [f"where {written(r)} at each {i} but the last" for r in statement.next]
    printed += [f"with {t.symbol} the {t.kind} of {t.body} over all {i} but the last" for t in statement.totals]
    return printed, _Theorem(statement, record, label).lines()


class _Theorem:
    """One theorem on its way."""

    def __init__(self, statement: Sequences, record: dict[str, Any], label: str) -> None:
        self.statement, self.record, self.label = statement, record, label
        self.claims, self.lemmas = read_givens(record["claims"]), Lemmas(label)
        taken: set[str] = set()
        self.names = {s: claimed(s.data.name, taken) for s in statement.box}
        self.lists = {u: claimed(u.data.name, taken) for u in statement.entries}
        self.i, self.j = claimed(statement.index.data.name, taken), claimed("j", taken)
        self.n, self.first = self.names[statement.length], rational(fmpq(statement.first))
        self.scope = Scope(self.names, taken=frozenset(taken))
        self.each: list[str] = []
        self.next: list[str] = []

    # ------------------------------------------------------------------------------------------------------------ terms

    def at(self, place: str, last: str | None = None) -> dict[Node, str]:
        """The term of each symbol at one place; totals go as far as `last`."""
        found = dict(self.names)
        for u, x in self.lists.items():
            entry = self.statement.entries[u]
            found |= {u: f"({x} {place})", entry.after: f"({x} ({place} + 1))", entry.begin: f"({x} {self.first})",
                      entry.end: f"({x} {self.n})"}  # fmt: skip
        found[self.statement.index] = place
        return found | {t.symbol: self.upto(t, last) for t in self.statement.totals} if last is not None else found

    def function(self, total: ReplayTotal) -> str:
        """The terms of a total."""
        return f"(fun {self.i} => {term(total.body, self.at(self.i))})"

    def upto(self, total: ReplayTotal, last: str) -> str:
        """A total as far as one place."""
        return f"({OPERATIONS[total.kind]} {self.function(total)} {self.first} {last})"

    def inside(self, *, is_next: bool) -> str:
        """What is said of a place, perhaps that it is not the last."""
        end = f"{self.i} + 1" if is_next else self.i
        return f"forall {self.i} : R, whole {self.i} -> {self.first} <= {self.i} -> {end} <= {self.n}"

    # ---------------------------------------------------------------------------------------------------------- theorem

    def lines(self) -> list[str]:
        """Lemmas, and the theorem."""
        at_end = self.at(self.n, f"({self.n} - 1)")
        said = self._said(at_end)
        variables, lists = [self.names[s] for s in self.statement.box], list(self.lists.values())
        wanted = [f"{self.inside(is_next=True)} -> {text}"
                  for t in self.statement.totals for text in conditions(t.body, self.at(self.i))]  # fmt: skip
        wanted += conclusion(Statement(self.statement.relation, self.statement.box, ()), at_end)
        asked = [
            Obligation(s, tuple(extra), body) for s, extra, body in sequence_obligations(self.statement, self.record)
        ]
        labels = [self.lemmas.add(obligation) for obligation in asked]
        k, known = len(self.claims), self.scope.name("K")
        name, at_n = self.scope.name("I"), self._here(self.first)
        script: Script = [f"intros {' '.join([*variables, *lists, *[label for label, _ in said]])}."]
        script += self._climb(name, labels, asked[:k], asked[k : 2 * k])
        script += self._values(name, labels[k : 2 * k], asked[k : 2 * k])
        script += [f"pose proof ({name} {self.n} ltac:(owed) ltac:(owed) ltac:(owed)) as {known}. conj {known}."]
        script += [*at_n, *self._here(self.n), *met(labels[-1], asked[-1].whole, at_end, self.scope), "joined."]
        head = [f"Theorem {self.label} : forall {' '.join(variables)} : R,", f"  forall {' '.join(lists)} : R -> R,"]
        head += [*(f"  ({text}) ->" for _, text in said), "  " + " /\\\n  ".join(f"({text})" for text in wanted) + "."]
        return [*self.lemmas.lines, *head, "Proof.", *rendered(script), "Qed."]

    def _said(self, at_end: dict[Node, str]) -> list[tuple[str, str]]:
        """What is said, with the name of each hypothesis: ranges, what holds at places, the givens."""
        statement, found, there = self.statement, [], self.at(self.i)
        for s, row in zip(statement.box, self.record["box"], strict=True):
            found += assumptions(s, read_end(row[1]), read_end(row[2]), self.names[s])
        local, ties = [], []
        for u, row in zip(statement.entries, self.record["entries"], strict=True):
            local += assumptions(u, read_end(row[1]), read_end(row[2]), there[u])
        for r in statement.each:
            local += [*of_relation(r, there), proposition(r, there)]
        for r in statement.next:
            ties += [*of_relation(r, there), proposition(r, there)]
        found += givens(Statement(Relation("true"), statement.box, statement.given), at_end)
        rows = [(self.scope.name("A"), text) for text in dict.fromkeys(found)]
        for texts, names, is_next in ((local, self.each, False), (ties, self.next, True)):
            for text in dict.fromkeys(texts):
                names.append(self.scope.name("A"))
                rows.append((names[-1], f"{self.inside(is_next=is_next)} -> {text}"))
        return rows

    def _here(self, place: str, *, is_next: bool = False) -> Script:
        """What holds at a place."""
        return [f"pose proof ({a} {place} ltac:(owed) ltac:(owed) ltac:(owed)) as {self.scope.name('E')}."
                for a in (self.next if is_next else self.each)]  # fmt: skip

    def _claimed(self, place: str) -> str:
        names = self.at(place, f"({place} - 1)")
        return joined([proposition(claim, names) for claim in self.claims])

    def _climb(
        self, name: str, labels: Sequence[str], start: Sequence[Obligation], steps: Sequence[Obligation]
    ) -> Script:
        """All claims at all places: `up_to`."""
        i, j, first = self.i, self.j, self.first
        base: Script = ["cbv beta.", *self._here(first)]
        for label, obligation in zip(labels, start, strict=False):
            base += met(label, obligation.whole, self.at(first), self.scope)
        base += [f"rewrite ?({OPERATIONS[t.kind]}_empty {self.function(t)} {first} ({first} - 1)) by lra."
                 for t in self.statement.totals]  # fmt: skip
        up = self._up(labels[len(start) :], steps)
        up += [f"rewrite ?({OPERATIONS[t.kind]}_grown {self.function(t)} {first} ({i} - 1) ({i} + 1 - 1)) by "
               f"first [wholes | lra | apply whole_minus; wholes]; replace ({i} + 1 - 1) with {i} by lra; cbv beta."
               for t in self.statement.totals]  # fmt: skip
        return [
            f"assert ({name} : forall {j} : R, whole {j} -> {first} <= {j} -> {j} <= {self.n} -> {self._claimed(j)}).",
            [f"intros {j} ? ? ?. apply (up_to (fun {j} => {self._claimed(j)}) {first} {j}); "
             "[wholes | | | assumption | assumption].",
             [*base, "joined."],
             [f"intros {i} ? ? ? IH. cbv beta in *. conj IH. assert ({i} + 1 <= {self.n}) by lra.", *up, "joined."]],
        ]  # fmt: skip

    def _up(self, labels: Sequence[str], steps: Sequence[Obligation]) -> Script:
        """What holds at a place that is not the last, and what the steps say there."""
        i = self.i
        found: Script = [f"assert (whole ({i} + 1)) by wholes."]
        found += [*self._here(self.first), *self._here(i), *self._here(f"({i} + 1)"), *self._here(i, is_next=True)]
        for label, obligation in zip(labels, steps, strict=False):
            found += met(label, obligation.whole, self.at(i, f"({i} - 1)"), self.scope)
        return found

    def _values(self, name: str, labels: Sequence[str], steps: Sequence[Obligation]) -> Script:
        """That the terms of totals have values."""
        i, found = self.i, []
        for total in self.statement.totals:
            for text in conditions(total.body, self.at(i)):
                known = self.scope.name("K")
                found += [
                    f"assert ({self.scope.name('V')} : {self.inside(is_next=True)} -> {text}).",
                    [f"intros {i} ? ? ?. pose proof ({name} {i} ltac:(owed) ltac:(owed) ltac:(lra)) as {known}.",
                     f"conj {known}.", *self._up(labels, steps), "owed."],
                ]  # fmt: skip
        return found
