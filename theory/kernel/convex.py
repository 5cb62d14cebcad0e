"""Jensen's inequality for sums, exported: two derivatives as a lemma over points, the rest by TheoremeterConvex.v."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from flint import fmpq

from theory.checker.calculus import derivative
from theory.checker.parser import read_end, read_expression
from theory.checker.statement import read_box
from theory.checker.walks import normal
from theory.kernel.obligations import Obligation, joined, met
from theory.kernel.script import Scope
from theory.kernel.steps import derived
from theory.kernel.terms import rational, term
from theory.kernel.theorems import assumptions, framed, hypotheses, introduced, names_of

_UNFOLDED = "unfold Rpower, tanh, sinh, cosh in *."


class Convex:
    """One step of the theorem: a sum of values of a convex or concave function against the value at a mean.

    Args:
        theorem: `theory.kernel.lengths.LengthTheorem`, to which lines are added.
        step: of the record.
        asked: what it asks for, in the order of the checker's rule.
    """

    def __init__(self, theorem: Any, step: dict[str, Any], asked: Sequence[Obligation]) -> None:
        self.theorem, self.step = theorem, step
        proof = theorem.proof
        self.total, self.mean = proof.total(step["total"]), proof.total(step["mean"])
        self.weights = None if step["weights"] is None else proof.total(step["weights"])
        self.bends, *rest = asked
        self.outside, self.places = (rest[:2], rest[2:]) if self.weights else ([], rest)
        self.t = next(iter(read_box([step["row"]])))
        self.f, self.second, self.at = (read_expression(step[name]) for name in ("of", "bends", "at"))

    def write(self) -> None:
        """What the step says, with all that it asks for."""
        theorem = self.theorem
        names = [theorem.everywhere_from(obligation, self.total.first) for obligation in self.places]
        scope = theorem.scope.introduced(self.t)
        x, i = scope.names[self.t], theorem.i
        slope = derivative(normal(self.f), self.t)
        functions = [f"(fun {x} => {term(e, scope.names)})" for e in (self.f, slope, self.second)]
        low, high = (read_end(end) for end in self.step["row"][1:])
        inside = joined(assumptions(self.t, low, high, x)) or "True"
        weight = theorem.function(self.weights) if self.weights else "(fun _ => 1)"
        argument = f"(fun {i} => {term(self.at, theorem.at(i))})"
        lists = [weight, argument, theorem.function(self.total), theorem.function(self.mean)]
        first = rational(fmpq(self.total.first))
        count = f"({theorem.n} + 1 - {first})"
        whole = term(read_expression(self.step["whole"]), theorem.names) if self.weights else count
        lemma = f"jensen_{'convex' if self.step['side'] == '>=' else 'concave'}"
        known, here = theorem.scope.name("T"), theorem.names | {self.t: x}
        bends, twice = theorem.lemmas.add(self.bends), self._derivatives(slope)
        box = self.bends.whole.box

        def at_point(label: str, goal: str) -> str:
            k, d = theorem.scope.name("K"), theorem.scope.name("D")
            applied = " ".join([label, *(here[s] for s in box)])
            return f"intros {x} {k}; cbv beta in {k}; conj {k}; pose proof ({applied}) as {d}; met {d}; {goal}"

        for obligation in self.outside:
            theorem.script += met(theorem.lemmas.add(obligation), obligation.whole, theorem.names, theorem.scope)
        at_places = [theorem.scope.name("K") for _ in names]
        there = "; ".join(
            f"pose proof ({name} {i} ltac:(assumption) ltac:(assumption) ltac:(assumption)) as {k}; conj {k}"
            for name, k in zip(names, at_places, strict=True)
        )
        split = "repeat match goal with |- _ /\\ _ => split end; first [assumption | exact I | lra]"
        applied = " ".join([lemma, f"(fun {x} => {inside})", *functions, *lists, first, theorem.n, whole])
        theorem.script += [
            f"pose proof ({applied}) as {known}.",
            f"premise {known} ltac:(unfold between; intros ? ? ? P Q ? ?; conj P; conj Q; {split}).",
            f"premise {known} ltac:({at_point(twice, 'assumption')}).",
            f"premise {known} ltac:({at_point(twice, 'assumption')}).",
            f"premise {known} ltac:({at_point(bends, 'cbv beta; lra')}).",
            f"premise {known} ltac:(wholes).",
            f"premise {known} ltac:(assumption).",
            f"premise {known} ltac:(lra).",
            f"premise {known} ltac:(intros {i} ? ? ?; {there}; cbv beta; {split}).",
            f"premise {known} ltac:({'lra' if self.weights else 'apply total_ones; [wholes | assumption | lra]'}).",
            f"premise {known} ltac:(lra).",
            f"cbv beta in {known}.",
        ]
        theorem.fact(theorem.proof.facts[-1], [f"first [lra | {self._same_count(count, known)}]."])

    def _same_count(self, count: str, known: str) -> str:
        """The number of places, as the fact writes it."""
        return (
            f"replace {count} with ({self.theorem.n} + {rational(fmpq(1 - self.total.first))}) in {known} by lra; lra"
        )

    def _derivatives(self, slope: Any) -> str:
        """The name of a lemma: both derivatives at each point of the range."""
        statement, theorem = self.bends.whole, self.theorem
        names = names_of(statement)
        scope, label = Scope(names, taken=frozenset(names.values())), theorem.lemmas.name()
        said = hypotheses(statement, names)
        labels = [scope.name("A") for _ in said]
        inner = scope.introduced(self.t)
        y, x = inner.names[self.t], names[self.t]
        pairs = ((self.f, slope), (slope, self.second))
        wanted = [f"is_derive (fun {y} => {term(e, inner.names)}) {x} {term(d, names)}" for e, d in pairs]
        script = [*introduced(names, labels), _UNFOLDED, "split.",
                  *(derived(e, d, statement.box, scope, []) for e, d in pairs)]  # fmt: skip
        theorem.lemmas.lines += [*framed(label, list(names.values()), said, wanted, script), ""]
        return label
