"""How a part judges: what is written for a kind of evidence, and the little that is asked of every part.

A new kind of evidence is a `checks.evidence.part.Part` with a `judge` of its own. It says in `kinds` which claims it
can judge, in `axes` for which parameters it has rows, and in `has_sampling_error` whether its trials are draws.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from typing import ClassVar, Self

import sympy as sp

from checks.records.rows import Row
from checks.statistics.policy import DEFAULT_POLICY, ErrorPolicy
from sim.trials.trial import Trial
from theory.claim import Axis, Claim, Kind


@dataclass(frozen=True, kw_only=True)
class Judging(ABC):
    """What turns trials into rows, under a policy."""

    name: str
    """Its name in the table, one of its own within a check."""
    note: str = ""
    """What a reader of the row must know about the protocol, among the choices of its explanation."""
    remark: Callable[[Sequence[Trial]], str] | None = None
    """Says more of what the trials show, in figures. That is evidence beside the verdict and decides nothing."""
    aspect: str = ""
    """Shared by parts that speak of the same statement by different evidence; "" stands for the part's name."""
    policy: ErrorPolicy = DEFAULT_POLICY
    """The error that this judgement may spend, less where it is one of several interim analyses."""
    reads_value: ClassVar[bool] = False
    """Whether the claim's value is computed at the trials' points, from their letters alone."""
    leaves_lost: ClassVar[bool] = True
    """Whether it is judged where a few of its trials ended without a result, from those that are left."""
    may_decide: ClassVar[bool] = True
    """Whether its lines can ever say something of the claim's truth, whatever is measured."""

    @abstractmethod
    def judge(self, claim: Claim, trials: Sequence[Trial]) -> list[Row]:
        """Turn the part's finished trials into rows."""

    @property
    def kinds(self) -> frozenset[Kind]:
        """Kinds of claim that this part can judge."""
        return frozenset(Kind)

    @property
    def own_letters(self) -> frozenset[sp.Symbol]:
        """Letters of the claim's value that the part itself moves, and no parameter gives."""
        return frozenset()

    def axes(self, claim: Claim) -> Sequence[Axis | None]:
        """The axes this part judges; one row each."""
        return [None]

    @property
    def counts_alone(self) -> bool:
        """Whether its judgement rests on how many trials of each setting meet its criterion (`met_by`), and on no more.

        Then trials of one setting that agree in it may stand as one (`checks.records.many_trials`).
        """
        return False

    @property
    def counts_lost(self) -> bool:
        """Whether its verdict can be asked for as if lost runs had met its criterion, and as if they had not.

        It is where the verdict rests on which trials meet the criterion (`met_by`), and on their parameters.
        """
        return False

    def with_lost(self, left: Sequence[Trial], lost: Sequence[Trial]) -> Iterator[Sequence[Trial]]:
        """The trials in each way in which lost ones may have come out; none where no way is known."""
        return iter(())

    def asks(self, trial: Trial) -> object:
        """What its author's functions ask of a trial, as far as the verdict rests on it."""
        return None

    @property
    def is_monotone(self) -> bool:
        """Whether a verdict that stands where all lost runs meet its criterion and where none does stands between."""
        return False

    @property
    def is_measured(self) -> bool:
        """Whether trials of a simulator settle this part; for proofs and derived numbers it is False."""
        return True

    @property
    def has_sampling_error(self) -> bool:
        """Whether more replicates would narrow the answer; proofs, identities and exact dynamics are what they are."""
        return False

    @property
    def confidence(self) -> float:
        """Confidence at which this part is judged."""
        return self.policy.interval_confidence

    def under(self, policy: ErrorPolicy) -> Self:
        """The part judged under another policy."""
        return replace(self, policy=policy)
