"""The order of verdicts, their groups, and intervals."""

from __future__ import annotations

import itertools
import json

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from checks.statistics.verdict import FAILING, PASSING, SKIPPING, UNUSABLE, Interval, Verdict, worst

# Each line is worse than every line below it.
ORDER = (
    {"refuted", "violated", "inconsistent", "false as printed"},
    {"broken"},
    {"reading-dependent"},
    {"uninformative"},
    {"inconclusive", "unknown", "undecidable", "not measured"},
    {"out of regime"},
    {"vacuous"},
    {"loose"},
    {"holds, misprinted"},
    {"consistent"},
    {"holds"},
    {"tight", "certified", "proved", "satisfiable"},
    {"not refuted"},
    {"no claim"},
)


def test_order_covers_every_verdict_once():
    words = [word for group in ORDER for word in group]
    assert sorted(words) == sorted(str(verdict) for verdict in Verdict)


def test_the_worst_is_the_worst_of_any_pair():
    for (i, better), (j, worse) in itertools.combinations(reversed(list(enumerate(ORDER))), 2):
        assert i > j
        for a, b in itertools.product(better, worse):
            assert worst([Verdict(a), Verdict(b)]) == b
            assert worst([Verdict(b), Verdict(a)]) == b


@settings(deadline=None, derandomize=True)
@given(st.lists(st.sampled_from(list(Verdict)), min_size=1), st.sampled_from(list(Verdict)))
def test_more_evidence_never_makes_the_worst_milder(verdicts, extra):
    assert worst([*verdicts, extra]).severity >= worst(verdicts).severity
    assert worst(verdicts) in verdicts


def test_a_row_without_evidence_is_not_measured_yet():
    assert worst([]) is Verdict.NOT_MEASURED_YET


def test_every_verdict_has_exactly_one_outcome_in_pytest():
    groups = (PASSING, SKIPPING, FAILING, UNUSABLE)
    assert sorted(frozenset.union(*groups)) == sorted(Verdict)
    assert sum(map(len, groups)) == len(Verdict)
    assert Verdict.VACUOUS in FAILING
    assert Verdict.LOOSE in PASSING
    assert Verdict.OUT_OF_REGIME in SKIPPING


def test_interval():
    interval = Interval(np.float64(-1.0), 2)
    assert 0.5 in interval
    assert 2.1 not in interval
    assert -interval == Interval(-2.0, 1.0)
    assert json.dumps([interval.low, interval.high]) == "[-1.0, 2.0]"
    assert type(interval.low) is float
    with pytest.raises(ValueError, match="low must be <= high"):
        Interval(1.0, 0.0)
    with pytest.raises(ValueError, match="low must be <= high"):
        Interval(float("nan"), 0.0)
