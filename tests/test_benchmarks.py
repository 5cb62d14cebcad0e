"""A slice of the long runs in `benchmarks`, from fixed seeds, and planted faults that they must notice."""

from __future__ import annotations

import flint
import pytest

from benchmarks import interval_arithmetic, prover_mutants
from theory.prover.certify import Proved, Refuted


class TestIntervalArithmetic:
    def test_no_value_lies_outside_its_enclosure(self):
        tally = interval_arithmetic.run(250, seed=1)
        assert tally.violations == []
        assert tally.values > 2 * tally.expressions
        assert tally.finite_enclosures > tally.expressions / 2

    @pytest.mark.parametrize("who", ["prover", "checker"])
    def test_an_arithmetic_that_loses_an_end_is_noticed(self, monkeypatch, who):
        honest = interval_arithmetic.enclosures

        def clipped(expression, box):
            found = honest(expression, box)
            low, high = found[who]
            finite = low.is_finite() and high.is_finite()
            return found | {who: (low, low + (high - low) * flint.arb("0.9"))} if finite else found

        monkeypatch.setattr(interval_arithmetic, "enclosures", clipped)
        violations = interval_arithmetic.run(100, seed=1).violations
        assert violations
        assert all(line.startswith(who) for line in violations)


class TestProverMutants:
    def test_nothing_false_is_proved_and_nothing_true_refuted(self):
        figures = prover_mutants.run(30, 12, seed=1)
        assert figures["contradictions"] == []
        assert "Proved" not in figures["false"]["all"]
        assert set(figures["false, prover alone"]["all"]) <= {"Refuted", "Unknown"}
        assert "Refuted" not in figures["true"]["all"]
        assert figures["false"]["all"]["Refuted"] >= 27
        assert figures["true"]["all"]["Proved"] >= 4

    @pytest.mark.parametrize(
        ("answer", "n_wrong"), [(Proved({}, 0.0), 4), (Refuted({}, 0, {}, 0.0), 2)], ids=["credulous", "contrary"]
    )
    def test_a_prover_that_does_not_look_is_noticed(self, monkeypatch, answer, n_wrong):
        monkeypatch.setattr(prover_mutants, "certify", lambda *arguments, **options: answer)
        assert len(prover_mutants.run(4, 2, seed=2)["contradictions"]) == n_wrong

    def test_the_table_counts_every_mutant(self):
        figures = prover_mutants.run(3, 2, seed=3)
        assert [line for line in prover_mutants.table(figures).splitlines() if "| false | all | 3 |" in line]
        assert [line for line in prover_mutants.table(figures).splitlines() if "| true | all | 2 |" in line]
