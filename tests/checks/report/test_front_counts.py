"""The six counts that a referee reads first."""

from __future__ import annotations

from checks.report.front_counts import FIRST_READ, MEASURED_AGAINST, CountedClaim, front_counts
from checks.statistics.verdict import Verdict


def one(verdict: Verdict, *, is_repaired: bool = False, is_put_to: bool = False) -> CountedClaim:
    return CountedClaim(verdict, is_repaired, is_put_to)


def test_each_claim_stands_where_it_belongs() -> None:
    counts = front_counts(
        [
            one(Verdict.FALSE_AS_PRINTED, is_repaired=True, is_put_to=True),
            one(Verdict.VIOLATED),
            one(Verdict.HOLDS, is_put_to=True),
            one(Verdict.TIGHT, is_put_to=True),
            one(Verdict.PROVED),
            one(Verdict.HOLDS),
            one(Verdict.CONSISTENT, is_put_to=True),
            one(Verdict.LOOSE, is_repaired=True, is_put_to=True),
            one(Verdict.INCONCLUSIVE, is_repaired=True),
            one(Verdict.UNDECIDABLE),
            one(Verdict.NO_CLAIM),
        ]
    )
    assert list(counts) == [FIRST_READ[0], MEASURED_AGAINST, *FIRST_READ[1:]]
    assert list(counts.values()) == [1, 1, 3, 2, 1, 1, 2]


def test_what_no_data_contradict_is_not_counted_among_what_they_do() -> None:
    assert list(front_counts([one(Verdict.REFUTED), one(Verdict.FALSE_AS_PRINTED)]).values()) == [2, 0, 0, 0, 0, 0]


def test_of_no_claim_every_count_is_0() -> None:
    assert set(front_counts(()).values()) == {0}
