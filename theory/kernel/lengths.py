"""Statements over lists of n entries as theorems: lists are functions, totals those of TheoremeterLengths.v.

Each obligation of a step, at one place, at the first one or at the next, is a lemma over points like any other
(`theory.kernel.obligations`); the rule of the step, a lemma of the library, makes a fact about totals of them. The
theorem says that all terms have values, each part of the relation has one, and the relation holds.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from flint import fmpq

from theory.checker.lists.lengths import MAX_FIRST, LengthProof, Lengths, ReplayTotal, entry_at, read_lengths
from theory.checker.nodes import Node
from theory.checker.parser import Relation, read_end, read_expression
from theory.checker.statement import Statement, read_givens
from theory.kernel.climbing import Climb
from theory.kernel.convex import Convex
from theory.kernel.obligations import (
    OPERATIONS,
    Lemmas,
    Obligation,
    conditions,
    joined,
    met,
    of_relation,
)
from theory.kernel.script import Scope, Script, rendered
from theory.kernel.terms import Names, NotExported, claimed, rational, term
from theory.kernel.theorems import assumptions, conclusion, givens, printed_statement, proposition, written

_OWED, _KNOWN = " ".join(["ltac:(owed)"] * 3), " ".join(["ltac:(assumption)"] * 3)
"""That a place is whole and lies between the first and the last, to be shown or known."""


class _Recorder(LengthProof):
    """The rules of the checker, with what they ask for written down; the record was replayed before."""

    def __init__(self, statement: Lengths) -> None:
        super().__init__(statement)
        self.asked: list[Obligation] = []

    def settled(self, statement: Statement, body: Any) -> str:
        """Keep what is asked for."""
        if isinstance(body, dict) and "taken" in body and "instances" not in body:
            return super().settled(statement, body)
        self.asked.append(Obligation(statement, (), body))
        return "proved"

    def settled_with(self, statement: Statement, extra: Sequence[Relation], body: Any) -> str:
        """Keep what is asked for."""
        self.asked.append(Obligation(statement, tuple(extra), body))
        return "proved"


def length_theorem(record: dict[str, Any], label: str) -> tuple[list[str], list[str]]:
    """The statement as the checker prints it, and the lines of lemmas and theorem."""
    statement = read_lengths(record)
    printed = printed_statement(statement.outer)
    printed += [f"for entries {s} in [{r.low}, {r.high}]" for s, r in statement.entries.items()]
    printed += [f"where {written(r)} at each {statement.index}" for r in statement.each]
    printed += [f"with {t.symbol} the {t.kind} of {t.body} over {statement.index} = {t.first} .. {statement.length}"
                for t in statement.totals]  # fmt: skip
    return printed, LengthTheorem(statement, record, label).lines()


class LengthTheorem:
    """One theorem on its way; what is said in the proof so far is known by the names of its hypotheses.

    Attributes:
        names: the term of each symbol of the statement outside of totals.
        everywhere: the name and the text of what was shown at all places from some first one on.
        shown: for each total, what its terms ask for, by the hypotheses that say it of all places.
        members: for sums without negative terms, the hypothesis that says it.
        local: hypotheses of the theorem that speak of all places.
    """

    def __init__(self, statement: Lengths, record: dict[str, Any], label: str) -> None:
        self.statement, self.record, self.label = statement, record, label
        self.proof, self.lemmas = _Recorder(statement), Lemmas(label)
        taken: set[str] = set()
        self.names = {s: claimed(s.data.name, taken) for s in statement.box}
        self.lists = {s: claimed(s.data.name, taken) for s in statement.entries}
        self.i, self.j, self.k = claimed(statement.index.data.name, taken), claimed("j", taken), claimed("k", taken)
        self.n = self.names[statement.length]
        for total in statement.totals:
            self.names[total.symbol] = self.upto(total, self.n)
        self.scope = Scope(self.names, taken=frozenset(taken))
        self.script: Script = []
        self.everywhere: list[tuple[str, int, list[str]]] = []
        self.shown: dict[Node, list[str]] = {}
        self.members: dict[Node, str] = {}
        self.local: list[str] = []

    # ------------------------------------------------------------------------------------------------------------ terms

    def at(self, place: str, before: int | None = None) -> dict[Node, str]:
        """The term of each symbol at one place; of totals as far as that place those before a number."""
        found = self.names | {s: f"({x} {place})" for s, x in self.lists.items()}
        above = self.statement.totals[:before]
        found |= {s: self.upto(total, place) for s, total in self.statement.running.items() if total in above}
        return found | {self.statement.index: place}

    def function(self, total: ReplayTotal) -> str:
        """The terms of a total."""
        before = self.statement.totals.index(total)
        return f"(fun {self.i} => {term(total.body, self.at(self.i, before))})"

    def upto(self, total: ReplayTotal, place: str) -> str:
        """A total as far as one place."""
        return f"({OPERATIONS[total.kind]} {self.function(total)} {_first(total)} {place})"

    def places(self, first: int, x: str) -> str:
        """What is said of a place."""
        return f"whole {x} -> {rational(fmpq(first))} <= {x} -> {x} <= {self.n}"

    # ---------------------------------------------------------------------------------------------------------- theorem

    def lines(self) -> list[str]:
        """Lemmas, and the theorem."""
        said = self._said()
        labels = [self.scope.name("A") for _ in said]
        self.local = [a for a, text in zip(labels, said, strict=True) if text.startswith("forall ")]
        lists = list(self.lists.values())
        variables = [self.names[s] for s in self.statement.box]
        self.script.append(f"intros {' '.join([*variables, *lists, *labels])}.")
        for step in self.record["steps"]:
            self._step(step)
        wanted, final = self._wanted(), []
        if "raised" in self.record["last"]:
            raise NotExported(f"sides raised to the power {self.record['last']['to']}")
        self.proof.asked = []
        self.proof.finish(self.record["last"])
        for obligation in self.proof.asked:
            final += met(self.lemmas.add(obligation), obligation.whole, self.names, self.scope)
        if len(self.proof.asked) == 2:  # both are squares, and the greater side is not negative
            relation = self.statement.outer.relation
            turn = "apply Rle_ge. " if relation.sign == ">=" else ""
            final.append(f"assert ({self.scope.name('Q')} : {proposition(relation, self.names)}) by "
                         f"({turn.replace('. ', '; ')}apply by_squares; first [assumption | lra]).")  # fmt: skip
        head = [f"Theorem {self.label} : forall {' '.join(variables)} : R,"]
        head += [f"  forall {' '.join(lists)} : R -> R,"] if lists else []
        head += [*(f"  ({text}) ->" for text in said), "  " + " /\\\n  ".join(f"({text})" for text in wanted) + "."]
        return [*self.lemmas.lines, *head, "Proof.", *rendered([*self.script, *final, "joined."]), "Qed."]

    def _said(self) -> list[str]:
        """Ranges, what holds at each place, and the givens."""
        statement, found = self.statement, []
        for s, row in zip(statement.box, self.record["box"], strict=True):
            found += assumptions(s, read_end(row[1]), read_end(row[2]), self.names[s])
        there = self.at(self.i)
        head = f"forall {self.i} : R, {self.places(1, self.i)}"
        for s, row in zip(statement.entries, self.record["entries"], strict=True):
            found += [f"{head} -> {text}" for text in assumptions(s, read_end(row[1]), read_end(row[2]), there[s])]
        for r in statement.each:
            texts = [*of_relation(r, there), proposition(r, there)]
            found += [f"{head} -> {text}" for text in texts]
        return list(dict.fromkeys([*found, *givens(statement.outer, self.names)]))

    def _wanted(self) -> list[str]:
        """That all terms have values, and what is shown outside of totals."""
        found = []
        for total in self.statement.totals:
            head = f"forall {self.i} : R, {self.places(total.first, self.i)}"
            found += [f"{head} -> {text}" for text in conditions(total.body, self.at(self.i))]
        return list(dict.fromkeys([*found, *conclusion(self.statement.outer, self.names)]))

    # ------------------------------------------------------------------------------------------------------------ steps

    def _step(self, step: dict[str, Any]) -> None:
        rules: dict[str, Callable[[dict[str, Any]], Any]] = {
            "termwise": self._termwise, "exact": self._termwise, "extreme": self._extreme,
            "products": self._products, "member": self._member, "jensen": self._jensen,
            "induction": self._induction, "walk": self._walk, "factors": self._factors,
        }  # fmt: skip
        if step["by"] not in rules:
            raise NotExported(f"the rule {step['by']!r}")
        facts, covered = len(self.proof.facts), set(self.proof.covered)
        extremes = {first: self.proof.said_by_extremes(first) for first in range(-MAX_FIRST, MAX_FIRST + 1)}
        self.extremes, self.proof.asked = extremes, []
        self.proof.take(step)
        rules[step["by"]](step)
        self._values(covered)
        for fact in self.proof.facts[facts:]:
            for text in of_relation(fact, self.names):
                self.script.append(f"assert ({self.scope.name('C')} : {text}) by owed.")

    def _values(self, before: set[Node]) -> None:
        """That the terms of totals which a step was the first to speak of have values."""
        for total in self.statement.totals:
            if total.symbol in before or total.symbol not in self.proof.covered or total.symbol in self.shown:
                continue
            self.shown[total.symbol] = []
            for text in conditions(total.body, self.at(self.i)):
                sources = (g for g, first, texts in self.everywhere if text in texts and first <= total.first)
                source = next(sources, None)
                if source is None:
                    raise NotExported(f"a total whose terms ask for {text}, which no place shows")
                name, known = self.scope.name("V"), self.scope.name("K")
                self.shown[total.symbol].append(name)
                self.script += [
                    f"assert ({name} : forall {self.i} : R, {self.places(total.first, self.i)} -> {text}).",
                    [f"intros {self.i} ? ? ?. pose proof ({source} {self.i} {_OWED}) as {known}.",
                     f"conj {known}. assumption."],
                ]  # fmt: skip

    def here(self, place: str, first: int) -> Script:
        """What holds at a place from a first one on, which is known to be one."""
        found: Script = []
        if first == 1:
            found += [f"pose proof ({a} {place} {_OWED}) as {self.scope.name('E')}."
                      for a in self.local]  # fmt: skip
        there = self.at(place)
        for total in self.statement.totals:
            relation = Relation(">=" if total.kind == "min" else "<=", total.body, total.symbol)
            if relation not in self.extremes[first]:
                continue
            lemma = {"max": "greatest_above", "min": "least_below", "sum": "total_above"}[total.kind]
            applied = f"apply ({lemma} {self.function(total)} {_first(total)} {self.n} {place})"
            turn = "apply Rle_ge; " if total.kind == "min" else ""
            rest = f"first [owed | exact {self.members[total.symbol]}]" if total.kind == "sum" else "owed"
            name = self.scope.name("E")
            found.append(f"assert ({name} : {proposition(relation, there)}) by ({turn}{applied}; {rest}).")
        return found

    def everywhere_from(self, obligation: Obligation, first: int) -> str:
        """The name of what an obligation says at all places."""
        label, name, known = self.lemmas.add(obligation), self.scope.name("G"), self.scope.name("K")
        statement, there = obligation.whole, self.at(self.i)
        texts = conclusion(statement, there)
        self.script += [
            f"assert ({name} : forall {self.i} : R, {self.places(first, self.i)} -> {joined(texts)}).",
            [f"intros {self.i} ? ? ?.", *self.here(self.i, first), *met(label, statement, there, self.scope),
             "joined."],
        ]  # fmt: skip
        self.everywhere.append((name, first, texts))
        if first <= self.statement.least and len(texts) > 1:
            self.script.append(f"pose proof ({name} {rational(fmpq(first))} {_OWED}) as {known}. conj {known}.")
        return name

    def fact(self, fact: Relation, script: Script) -> None:
        """A fact about totals becomes known."""
        self.script += [f"assert ({self.scope.name('F')} : {proposition(fact, self.names)}).", script]

    def _relation_at(self, name: str, goal: str = "lra") -> str:
        """A tactic for what holds at each place, from what was shown there."""
        known = self.scope.name("K")
        return (
            f"intros {self.i} ? ? ?; pose proof ({name} {self.i} {_KNOWN}) as {known}; conj {known}; cbv beta; {goal}"
        )

    def _termwise(self, step: dict[str, Any]) -> None:
        totals = [(self.proof.total(place), read_expression(w)) for place, w in step["weights"]]
        first, rest = totals[0][0].first, term(read_expression(step["rest"]), self.names)
        name = self.everywhere_from(self.proof.asked[0], first)
        rows = " :: ".join(f"({term(w, self.names)}, {self.function(total)})" for total, w in totals)
        known, (sign, lemma) = self.scope.name("T"), ("=", "exactly") if step["by"] == "exact" else ("<=", "termwise")
        self.fact(self.proof.facts[-1], [
            f"assert ({known} : weighted_totals ({rows} :: nil) {rational(fmpq(first))} {self.n} {sign} "
            f"({self.n} + 1 - {rational(fmpq(first))}) * {rest}).",
            [f"apply {lemma}; [wholes | assumption | lra | ].",
             f"{self._relation_at(name, 'cbn [weighted]; lra')}."],
            f"cbn [weighted_totals] in {known}. lra.",
        ])  # fmt: skip

    def _extreme(self, step: dict[str, Any]) -> None:
        total = self.proof.total(step["total"])
        name = self.everywhere_from(self.proof.asked[0], total.first)
        lemma, turn = ("greatest_below", "") if total.kind == "max" else ("least_above", "apply Rle_ge. ")
        self.fact(self.proof.facts[-1], [
            f"{turn}apply {lemma}; [wholes | assumption | lra | ].", f"{self._relation_at(name)}."])  # fmt: skip

    def _products(self, step: dict[str, Any]) -> None:
        first = self.proof.total(step["total"]).first
        names = [self.everywhere_from(obligation, first) for obligation in self.proof.asked]
        square, *signs = self.proof.facts[-3:]
        self.fact(square, [
            "apply cauchy_schwarz; [wholes | assumption | lra | | | ].",
            *([f"{self._relation_at(name)}."] for name in names)])  # fmt: skip
        for sign, name in zip(signs, names, strict=False):
            self.fact(sign, ["apply Rle_ge. apply total_nonnegative; [wholes | assumption | lra | ].",
                              f"{self._relation_at(name)}."])  # fmt: skip

    def _jensen(self, step: dict[str, Any]) -> None:
        Convex(self, step, self.proof.asked).write()

    def _member(self, step: dict[str, Any]) -> None:
        total = self.proof.total(step["total"])
        name, kept = self.everywhere_from(self.proof.asked[0], total.first), self.scope.name("M")
        body = term(total.body, self.at(self.i))
        self.script += [f"assert ({kept} : forall {self.i} : R, {self.places(total.first, self.i)} -> 0 <= {body}).",
                        [f"{self._relation_at(name)}."]]  # fmt: skip
        self.members[total.symbol] = kept
        self.fact(self.proof.facts[-1], [
            f"apply Rle_ge. apply total_nonnegative; [wholes | assumption | lra | exact {kept}]."])  # fmt: skip

    def _factors(self, step: dict[str, Any]) -> None:
        total, f, side = self.proof.total(step["total"]), read_expression(step["potential"]), step["side"]
        sign, grows = (self.everywhere_from(obligation, total.first) for obligation in self.proof.asked)
        rows = [(self.proof.total(place), read_expression(w)) for place, w in step["weights"]]
        weights = "".join(f"({term(w, self.names)}, {self.function(t)}) :: " for t, w in rows)
        potential = f"(fun {self.i} => {term(f, self.at(self.i))})"
        known, positive, is_below = self.scope.name("T"), self.scope.name("T"), side.endswith("below")
        by = {"tangent": "lazymatch goal with |- _ <= exp ?e => pose proof (exp_ineq1_le e) end; lra",
              "log above": "apply by_log; lra", "log below": "apply by_log_below; lra"}  # fmt: skip
        with_sign = f"pose proof ({sign} {self.i} {_KNOWN}) as {positive}; conj {positive}; cbn [weighted]; "
        lemma = f"factors_{'below' if is_below else 'above'} {self.function(total)} {potential} ({weights}nil)"
        self.script += [
            f"pose proof ({lemma} {_first(total)} {self.n} ltac:(wholes) ltac:(assumption) ltac:(lra)) as {known}.",
            *([] if is_below else [f"premise {known} ltac:({self._relation_at(sign)})."]),
            f"premise {known} ltac:({self._relation_at(grows, with_sign + by.get(side, 'same_exponent'))}).",
            f"cbn [weighted_totals] in {known}. cbv beta in {known}.",
            *([] if is_below else [f"destruct {known} as [? {known}]."]),
        ]  # fmt: skip
        whole, at_least_0 = self.proof.facts[-2:]
        self.fact(whole, ["same_exponent."])
        self.fact(at_least_0, [f"first [lra | apply Rle_ge; eapply Rle_trans; [left; apply exp_pos | exact {known}]]."])

    # ------------------------------------------------------------------------------------------- from place to place

    def _induction(self, step: dict[str, Any]) -> None:
        length, least = self.statement.length, self.statement.least
        start = self.names | {length: rational(fmpq(least))}
        for place in range(1, least + 1):
            start |= {entry_at(s, place): f"({x} {rational(fmpq(place))})" for s, x in self.lists.items()}
        self._climb(step, length, least, start, range(1, least + 1))

    def _walk(self, step: dict[str, Any]) -> None:
        begin, first = step["from"], self.proof.total(step["totals"][0]).first
        start = self.at(rational(fmpq(begin)))
        self._climb(step, self.statement.index, begin, start, [begin] if begin == first else [])

    def _climb(self, step: dict[str, Any], key: Node, begin: int, start: Names, here: Sequence[int]) -> None:
        totals, claims = [self.proof.total(place) for place in step["totals"]], read_givens(step["claims"])
        Climb(self, key, totals, claims, begin, start, here, self.proof.asked).write()


def _first(total: ReplayTotal) -> str:
    return rational(fmpq(total.first))
