"""The lines of the table: one verdict each, with the figures that a table or a page shows."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field, replace

from checks.records.pictures import Curve, Picture
from checks.records.standing import NOWHERE, Standing
from checks.statistics.policy import DEFAULT_POLICY, ErrorPolicy, level_words
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
    endings: tuple[tuple[str, int], ...] = ()
    """How trials failed, by name, and how many of them; a trial may have several names, or none."""


@dataclass(frozen=True)
class Protocol:
    """What was run for a row.

    Attributes:
        n_trials: trials that it rests on.
        seconds: CPU seconds that they took.
        control: what the control did that must fail the criterion, in words; "" where the part has none.
    """

    n_trials: int = 0
    seconds: float = 0.0
    control: str = ""


@dataclass(frozen=True)
class Display:
    """What a row shows and no rule reads.

    Attributes:
        asymptotic_exponent: the claim's own along the axis, in words.
        axis_words: what the axis is in the simulator's words.
        curves: one a trial, where the axis lies inside each trial.
        pictures: what one of the trials looks like, side by side, where the claim is about a picture.
    """

    asymptotic_exponent: str | None = None
    axis_words: str = ""
    curves: tuple[Curve, ...] = field(default=(), repr=False, compare=False)
    pictures: tuple[Picture, ...] = field(default=(), repr=False, compare=False)


NOTHING_RUN, NOTHING_SHOWN = Protocol(), Display()


@dataclass(frozen=True)
class Row:
    """One verdict: of a claim, by part and axis, with all the figures that a table or a page shows.

    Attributes:
        axis: what is scaled; None where there is no axis.
        toward: the axis's limit as judged: its boundary, where it has one, as a number at the constants that counted.
        points: claim against measurement along the axis.
        role: what the line may do to the claim's headline.
        standing: where its points stand with the claim's hypotheses.
        aspect: the statement it speaks of, where several parts speak of one.
        policy: under which it was judged; the intervals of its points have its `interval_confidence`.
    """

    claim: Claim
    part: str
    judgement: Judgement
    axis: Axis | None = None
    toward: str | float | None = None
    points: tuple[Point, ...] = ()
    role: Role = Role.STATEMENT
    standing: Standing = NOWHERE
    aspect: str = ""
    protocol: Protocol = NOTHING_RUN
    display: Display = NOTHING_SHOWN
    policy: ErrorPolicy = DEFAULT_POLICY

    @property
    def verdict(self) -> Verdict:
        """The row's verdict."""
        return self.judgement.verdict

    @property
    def in_regime(self) -> bool | None:
        """Whether its points meet the claim's hypotheses; None where that is open or nobody looked."""
        return self.standing.in_regime

    @property
    def level(self) -> str:
        """Confidence of its interval in words, such as "95 %"; "" where it has none."""
        confidence = self.judgement.effect.confidence
        return "" if confidence is None else level_words(confidence)

    @property
    def interval_words(self) -> str:
        """What its interval is: "range", or "95 % interval"."""
        return "range" if self.judgement.effect.interval_kind == "range" else f"{self.level} interval".lstrip()

    @property
    def own_level(self) -> str:
        """Words such as " at 99 %" where its interval has another confidence than was asked for; "" elsewhere."""
        return "" if self.level in ("", level_words(self.policy.confidence)) else f" at {self.level}"

    def saying(self, words: str) -> Row:
        """The row with one more clause at the end of its reason."""
        return replace(self, judgement=replace(self.judgement, reason=f"{self.judgement.reason}; {words}"))


def policy_of_rows(rows: Iterable[Row]) -> ErrorPolicy:
    """What a table was asked for: its rows have one confidence, whatever share of the error one of them may spend."""
    return replace(next((row.policy for row in rows), DEFAULT_POLICY), family=1, share=1.0)
