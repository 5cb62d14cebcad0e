"""Claims about totals from a first place to each next one, by `up_to` of TheoremeterLengths.v: inductions and walks."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from flint import fmpq

from theory.checker.lists.lengths import ReplayTotal
from theory.checker.nodes import Node
from theory.checker.parser import Relation
from theory.kernel.obligations import OPERATIONS, Obligation, conditions, joined, met
from theory.kernel.script import Script
from theory.kernel.terms import Names, NotExported, rational, term
from theory.kernel.theorems import proposition


@dataclass
class Climb:
    """One induction or walk.

    Attributes:
        theorem: `theory.kernel.lengths.LengthTheorem`, to which lines are added.
        key: the symbol of the place, the length or the index.
        totals, claims: those of the step.
        begin: the first place.
        start: the term of each symbol there.
        here: the places whose entries are known there.
        asked: what is to be shown at the first place, then at the next, in the order of the claims.
    """

    theorem: Any
    key: Node
    totals: Sequence[ReplayTotal]
    claims: Sequence[Relation]
    begin: int
    start: Names
    here: Sequence[int]
    asked: Sequence[Obligation]

    def write(self) -> None:
        """Add the claims at all places, and that the terms of totals have values there."""
        theorem, n = self.theorem, self.theorem.n
        labels = [theorem.lemmas.add(obligation) for obligation in self.asked]
        k, i, j, low = len(self.claims), theorem.i, theorem.j, _number(self.begin)
        self.inside = theorem.at(f"({i} + 1)") | {self.key: i} | {t.symbol: theorem.upto(t, i) for t in self.totals}
        self.first = self.totals[0].first if self.key == theorem.statement.index else 1
        self.base = self._base(labels[:k], self.asked[:k])
        self.up = self._up(labels[k:], self.asked[k:])
        name, known, at_n = (theorem.scope.name(letter) for letter in ("I", "IH", "K"))
        theorem.script += [
            f"assert ({name} : forall {j} : R, whole {j} -> {low} <= {j} -> {j} <= {n} -> {self._claimed(j)}).",
            [f"intros {j} ? ? ?. apply (up_to (fun {j} => {self._claimed(j)}) {low} {j});",
             "  [wholes | | | assumption | assumption].",
             ["cbv beta.", *self.base, *self._spelled(), "joined."],
             [f"intros {i} ? ? ? {known}. cbv beta in *. conj {known}.", *self.up, *self._grown(), "joined."]],
            f"pose proof ({name} {n} ltac:(owed) ltac:(owed) ltac:(owed)) as {at_n}. conj {at_n}.",
        ]  # fmt: skip
        for total in self.totals:
            self._values(total, name)

    def _claimed(self, place: str) -> str:
        names = self.theorem.names | {self.key: place} | {t.symbol: self.theorem.upto(t, place) for t in self.totals}
        return joined([proposition(claim, names) for claim in self.claims])

    def _base(self, labels: Sequence[str], asked: Sequence[Obligation]) -> Script:
        """What is known at the first place."""
        found: Script = []
        for place in self.here:
            found += self.theorem.here(_number(place), self.first)
        for label, obligation in zip(labels, asked, strict=True):
            found += met(label, obligation.whole, self.start, self.theorem.scope)
        return found

    def _up(self, labels: Sequence[str], asked: Sequence[Obligation]) -> Script:
        """What is known at the next place."""
        after = f"({self.theorem.i} + 1)"
        found: Script = [f"assert (whole {after}) by wholes.", *self.theorem.here(after, self.first)]
        for label, obligation in zip(labels, asked, strict=True):
            found += met(label, obligation.whole, self.inside, self.theorem.scope)
        return found

    def _spelled(self) -> Script:
        """Totals of few terms, written out in the goal."""
        found: Script = []
        names = []
        for total in self.totals:
            f, op, first = self.theorem.function(total), OPERATIONS[total.kind], _number(total.first)
            places = range(total.first, self.begin + 1)
            text = _written(total, [term(total.body, self.theorem.at(_number(place))) for place in places])
            names.append(self.theorem.scope.name("L"))
            steps = [f"rewrite ({op}_grown {f} {first} {_number(p - 1)} {_number(p)}) by first [wholes | lra]."
                     for p in reversed(places)]  # fmt: skip
            found += [f"assert ({names[-1]} : {self.theorem.upto(total, _number(self.begin))} = {text}).",
                      [*steps, f"rewrite ({op}_empty {f} {first} {_number(total.first - 1)}) by lra. cbv beta.",
                       "first [reflexivity | ring | unfold Rmax, Rmin; repeat destruct Rle_dec; lra]."]]  # fmt: skip
        return [*found, *_rewritten(names)]

    def _grown(self) -> Script:
        """Totals up to the next place, as what they were and one more term."""
        theorem, i, found, names = self.theorem, self.theorem.i, [], []
        after = f"({i} + 1)"
        for total in self.totals:
            names.append(theorem.scope.name("L"))
            text = _written(total, [theorem.upto(total, i), term(total.body, theorem.at(after))])
            applied = f"{OPERATIONS[total.kind]}_grown {theorem.function(total)} {_number(total.first)} {i} {after}"
            found.append(f"assert ({names[-1]} : {theorem.upto(total, after)} = {text}) by "
                         f"(rewrite ({applied}); [reflexivity | wholes | wholes | lra | lra]).")  # fmt: skip
        return [*found, *_rewritten(names)]

    def _values(self, total: ReplayTotal, name: str) -> None:
        """That terms have values: the one at the first place, and the one at each next."""
        theorem, i, k = self.theorem, self.theorem.i, self.theorem.k
        texts = conditions(total.body, theorem.at(i))
        if total.symbol in theorem.shown or not texts:
            return
        if self.begin > total.first:
            raise NotExported("terms that may have no value at more than one first place")
        theorem.shown[total.symbol] = []
        low, has_first = _number(self.begin), self.begin == total.first
        after, at_k = (conditions(total.body, theorem.at(place)) for place in (f"({i} + 1)", k))
        for next_text, text in zip(after, at_k, strict=True):
            later, found, known = (theorem.scope.name(letter) for letter in "VVK")
            first_one = [f"destruct (Rle_or_lt {k} {low}) as [? | ?].",
                         [f"assert ({k} = {low}) by lra. subst {k}.", *self.base, "owed."]]  # fmt: skip
            inside = f"whole {i} -> {low} <= {i} -> {i} + 1 <= {theorem.n}"
            theorem.script += [
                f"assert ({later} : forall {i} : R, {inside} -> {next_text}).",
                [f"intros {i} ? ? ?. pose proof ({name} {i} ltac:(owed) ltac:(owed) ltac:(owed)) as {known}.",
                 f"conj {known}.", *self.up, "owed."],
                f"assert ({found} : forall {k} : R, {theorem.places(total.first, k)} -> {text}).",
                [f"intros {k} ? ? ?.", *(first_one if has_first else []),
                 f"replace {k} with ({k} - 1 + 1) by lra. apply ({later} ({k} - 1)); [wholes | | lra].",
                 *self._lies_above(k, low, has_first)],
            ]  # fmt: skip
            theorem.shown[total.symbol].append(found)

    def _lies_above(self, k: str, low: str, is_beyond: bool) -> Script:
        """That the place before k is no less than the first."""
        if not is_beyond:
            return ["lra."]
        known = self.theorem.scope.name("B")
        return [f"destruct (whole_or {k} {low} ltac:(assumption)) as [{known} | {known}]; [lra | ].",
                f"rewrite plus_IZR in {known}. lra."]  # fmt: skip


def _number(n: int) -> str:
    return rational(fmpq(n))


def _written(total: ReplayTotal, terms: Sequence[str]) -> str:
    """The total of some terms, as the checker writes it."""
    if not terms:
        return "0" if total.kind == "sum" else "1"
    if len(terms) == 1:
        return terms[0]
    if total.kind in ("sum", "prod"):
        return f"({(' + ' if total.kind == 'sum' else ' * ').join(terms)})"
    found = terms[-1]
    for part in reversed(terms[:-1]):
        found = f"(R{total.kind} {part} {found})"
    return found


def _rewritten(names: Sequence[str]) -> Script:
    """Equations put to use twice: terms of later totals have earlier ones in them."""
    line = f"rewrite {', '.join(f'?{name}' for name in names)}."
    return [line, line] if len(names) > 1 else [line]
