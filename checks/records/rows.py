"""The lines of the table: one verdict each, with the figures that a table or a page shows."""

from __future__ import annotations

from dataclasses import dataclass, field, replace

from checks.records.pictures import Curve, Picture
from checks.records.preset import Placement
from checks.records.standing import NOWHERE, Standing
from checks.statistics.verdict import Judgement, Verdict
from theory.claim import Axis, Claim, Role


@dataclass(frozen=True)
class Point:
    """One point of a row: claim against measurement. `bound` carries the fitted prefactor of an order."""

    value: float
    bound: float | None
    measured: float | None
    low: float | None = None
    high: float | None = None
    censored: str | None = None
    in_regime: bool | None = True
    """False where the point took no part in the verdict; None where nobody can say, as for a row."""
    n_trials: int = 0


@dataclass(frozen=True)
class Row:
    """One verdict: of a claim, by part and axis, with all the figures that a table or a page shows.

    `role` says what the line may do to the claim's headline; `standing` says where its points stand with the claim's
    hypotheses, and `in_regime` sums that up: True, False, or None where a hidden constant leaves it open.
    """

    claim: Claim
    part: str
    judgement: Judgement
    axis: Axis | None = None
    asymptotic_exponent: str | None = None
    points: tuple[Point, ...] = ()
    role: Role = Role.STATEMENT
    standing: Standing = NOWHERE
    in_regime: bool | None = None
    n_trials: int = 0
    seconds: float = 0.0
    aspect: str = ""
    control: str = ""
    """What the control did that must fail the criterion, in words; "" where the part has none."""
    toward: str | float | None = None
    """The axis's limit as judged: its boundary, where it has one, as a number at the constants that counted."""
    placement: Placement | None = None
    """How the trials were placed, where there is a choice."""
    axis_words: str = ""
    """What the axis is in the simulator's words."""
    curves: tuple[Curve, ...] = field(default=(), repr=False, compare=False)
    """One a trial, where the axis lies inside each trial."""
    pictures: tuple[Picture, ...] = field(default=(), repr=False, compare=False)
    """What one of the trials looks like, side by side, where the claim is about a picture."""

    @property
    def verdict(self) -> Verdict:
        """The row's verdict."""
        return self.judgement.verdict

    def saying(self, words: str) -> Row:
        """The row with one more clause at the end of its reason."""
        return replace(self, judgement=replace(self.judgement, reason=f"{self.judgement.reason}; {words}"))
