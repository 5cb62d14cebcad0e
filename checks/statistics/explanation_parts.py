"""What an explanation is made of: six parts, each with figures as fields, and clauses where a thing is particular.

A `Clause` is one fact: what it is about, in words, with the figures that the words rest on. No layer edits the words of
another: each adds clauses of its own to the part that they belong to. Code asks for a clause's `topic`, never for words
in its text. `checks.statistics.explanation` holds the parts together, `checks.statistics.explanation_text` makes text
of them.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from enum import StrEnum

from checks.statistics.outcome import Interval, Plan

Figure = float | int | str | None


class Rule(StrEnum):
    """How a verdict was reached."""

    EQUIVALENCE = "equivalence test on the exponent"
    LOCAL_RANGE = "range of local exponents"
    BINOMIAL = "exact binomial test"
    PATH_END = "exact binomial test at the end of a path"
    MEAN_BOUND = "interval of a mean against a bound"
    SHARE_BOUND = "interval of a share against a bound"
    RATIO = "equivalence test on measured over claimed"
    PAIRED = "test of paired differences"
    TREND = "sign of a fitted slope"
    SMALLER = "average ratio of thresholds"
    TOLERANCE = "largest error against a tolerance"
    ATTEMPTS = "attempts to do better than claimed possible"
    CONSTRUCTION = "construction"
    RECORD = "re-checked certificate"
    LIMIT = "exact limit"
    DERIVATION = "derived exponent"
    DESCRIPTION = "description"
    NONE = ""


class Topic(StrEnum):
    """What a clause is about."""

    FINDING = "finding"

    SHORTAGE = "too few data"
    FINITE_SIZE = "finite size"
    FAMILY = "shared error"
    STRICTER = "stricter level"
    CONTROL = "control"
    HYPOTHESES = "hypotheses"
    REGIME = "outside the hypotheses"
    LOST_RUNS = "lost runs"
    DIVERGED = "diverged runs"
    LEFT_OUT = "runs left out"
    CENSORING = "censored runs"
    SKEWNESS = "skewed samples"
    UNDEFINED = "no value to judge"
    SEARCH = "unfinished search"
    NO_CONSTRUCTION = "no construction"
    FAILED_STEP = "failed search step"
    OTHER_POINT = "a counterexample outside the hypotheses"
    UNMEASURED = "not measured yet"
    UNUSABLE = "unusable check"

    STRAIGHTNESS = "straightness"
    LACK_OF_FIT = "lack of fit"
    SHARED_RUNS = "shared runs"
    MIXTURE = "mixture"
    SPREAD = "moving spread"
    MEAN = "mean and mean of logarithms"
    OVERDISPERSION = "over-dispersion"
    REPLICATION = "single runs"
    STEEPNESS = "steepness of curves"
    MARGIN = "wide margin"
    OTHER_LAW = "another law"
    PICTURE = "straightness of a picture"

    COUNTS = "counts"
    SETTING = "setting"
    ENDINGS = "endings of runs"
    REMARK = "remark"
    LEVELS = "other levels of success"
    HORIZON = "horizon"

    GRID = "reach of a grid"
    EXTREME_MEMBER = "extreme member of a family"
    CONSTANTS = "hidden constants"
    PROTOCOL = "protocol"
    SELECTION = "trials that count"
    INTERIM = "interim analyses"
    PLACEMENT = "placement of trials"
    TRUE_FORM = "true form"

    ROUTE = "what else would decide"
    COST = "cost"


@dataclass(frozen=True)
class Clause:
    """One fact with the figures that it rests on.

    Attributes:
        topic: what it is about; code asks for this and never for words of the text.
        text: a clause in words, without a full stop.
        figures: what stands in the text as numbers, by name.
    """

    topic: Topic
    text: str
    figures: Mapping[str, Figure] = field(default_factory=dict)


Clauses = tuple[Clause, ...]


@dataclass(frozen=True)
class Ruling:
    """How the verdict was decided.

    Attributes:
        word: the verdict. by_rule: what the rule alone says, where obstacles made another verdict of it; else the same.
        rule: which test. relation: "upper", "lower", "tight", or "" where the rule has none.
        estimand: what `figure` and `interval` speak of.
        figure, interval: the estimate and the interval that decided. level: its confidence as used here, None where it
            is no confidence interval. threshold: what the interval was held against (a margin, a bound, a rate).
        measured, measured_interval, measured_level: what a reader compares, at the confidence of reports.
        claimed: what the claim says in the unit of `measured`.
        sign: measured = claimed + sign x figure, for exponents; 0 where that is not so.
        clauses: what else decided.
        obstacles: why the rule's own word does not stand, or why it has none, the last first.
    """

    word: str = ""
    by_rule: str = ""
    rule: Rule = Rule.NONE
    relation: str = ""
    estimand: str = ""
    figure: float | None = None
    interval: Interval | None = None
    level: float | None = None
    threshold: float | None = None
    measured: float | None = None
    measured_interval: Interval | None = None
    measured_level: float | None = None
    claimed: float | None = None
    sign: int = 0
    clauses: Clauses = ()
    obstacles: Clauses = ()


@dataclass(frozen=True)
class Measurements:
    """What the verdict rests on.

    Attributes:
        points: how many entered. unit: what they are (points, seeds, windows, pairs, inputs).
        replicates: fewest and most at a point, in `replicate_unit`; None where there are none.
        trials: in all, 0 where nobody counted them. seconds: CPU time that they took.
        censored: runs that were cut off. lost: runs without a value.
        axis_range: of the points that entered; None without an axis. axis: its name, where it is known.
        path: how parameters move along it.
        left_out: points or runs that took no part, each with why.
    """

    points: int = 0
    unit: str = "points"
    replicates: tuple[int, int] | None = None
    replicate_unit: str = "replicates"
    trials: int = 0
    seconds: float = 0.0
    censored: int = 0
    lost: int = 0
    axis_range: Interval | None = None
    axis: str = ""
    path: str = ""
    left_out: Clauses = ()
    clauses: Clauses = ()


@dataclass(frozen=True)
class Adequacy:
    """What was tested of the model behind the figures; a test without a clause found nothing."""

    tested: tuple[Topic, ...] = ()
    clauses: Clauses = ()


@dataclass(frozen=True)
class Limits:
    """What the verdict does not reach: at how many points each hypothesis is met, not met, or open.

    Attributes:
        needed: constants, in words, under which an open hypothesis would be met.
        clauses: controls and what else bounds the verdict.
    """

    met: Mapping[str, int] = field(default_factory=dict)
    not_met: Mapping[str, int] = field(default_factory=dict)
    undetermined: Mapping[str, int] = field(default_factory=dict)
    needed: Mapping[str, str] = field(default_factory=dict)
    left_out: tuple[str, ...] = ()
    clauses: Clauses = ()


@dataclass(frozen=True)
class Choices:
    """What was chosen, and when: protocol, constants in a claim's favour, what was added after data were seen."""

    clauses: Clauses = ()


@dataclass(frozen=True)
class NextStep:
    """What would decide.

    Attributes:
        plan: points and replicates; None where more of them would not, or nothing is open. unit: of its replicates.
        seconds: CPU time of the plan at the mean cost of the trials at hand; None where that is not known.
        nothing: why nothing is left to do, "" where something is.
    """

    plan: Plan | None = None
    unit: str = "replicates"
    seconds: float | None = None
    nothing: str = ""
    clauses: Clauses = ()


NO_MEASUREMENTS, NOT_TESTED, NO_STEP = Measurements(), Adequacy(), NextStep()
