"""What a trial takes at sizes that nobody has run, beside what it took."""

from __future__ import annotations

import pytest

from checks.records.cost_of_sizes import seconds_beyond
from checks.records.rows import Protocol, Row
from checks.statistics.explanation import Clause, Explanation, NextStep, Topic
from checks.statistics.verdict import Judgement, Plan, Verdict
from tests.checks.made_up import made_up

MEASURED = {
    "a sampler of matrices": (
        {4: 0.40e-3, 8: 0.55e-3, 16: 0.88e-3, 32: 1.55e-3, 64: 2.81e-3, 128: 5.38e-3},
        8192,
        1.15,
    ),
    "a sort": ({16: 0.153e-3, 64: 0.160e-3, 256: 0.196e-3, 1024: 0.430e-3}, 262144, 2.5),
}
"""Seconds by size, and what a far larger one then took on the same machine."""


@pytest.mark.parametrize("name", MEASURED)
def test_what_was_measured_later_lies_between_the_ends(name: str) -> None:
    known, size, taken = MEASURED[name]
    least, most = seconds_beyond(known, size)
    assert least <= taken <= most
    assert most < 30 * least  # the ends say something


def test_a_size_takes_at_least_in_proportion_to_the_work_of_the_largest() -> None:
    """Where nothing of the work shows beside the call, and where one size alone was measured."""
    assert seconds_beyond({10: 1e-3, 20: 1e-3}, 2000)[0] >= 1e-3 + 0.05e-3 * 100
    assert seconds_beyond({10: 1e-3}, 1000)[0] > 1e-3
    assert seconds_beyond({10: 1e-3, 20: 1e-3, 40: 1e-9}, 4000)[1] > 0  # the clock went back


def test_what_would_decide_at_larger_sizes_is_priced_there() -> None:
    """Twenty trials at each of twelve sizes, of which six are new: at the mean cost of the old ones 0.5 s."""
    known, _, _ = MEASURED["a sampler of matrices"]
    larger = Clause(Topic.ROUTE, "sizes up to d = 8192", {"size": 8192.0})
    told = Explanation(next=NextStep(Plan(12, 20), clauses=(larger,)))
    row = Row(made_up(), "sizes", Judgement(Verdict.INCONCLUSIVE, told), protocol=Protocol(120, 0.24, seconds_at=known))
    step = row.explanation.next
    assert step.seconds is not None
    assert step.most_seconds is not None
    assert 10 < step.seconds < 24.3 < step.most_seconds  # 24.3 CPU s were measured
    assert "about 15 s to 94 s of CPU time" in row.explanation.details[-1][1]
    alone = Explanation(next=NextStep(Plan(6, 40)))
    row = Row(
        made_up(), "sizes", Judgement(Verdict.INCONCLUSIVE, alone), protocol=Protocol(120, 0.24, seconds_at=known)
    )
    assert "40 replicates at each of 6 points, about 0.48 s of CPU time" in row.explanation.details[-1][1]
