"""Why a verdict is what it is: one object, from the rule to the last layer, that every surface renders.

*Parts.* There are six, each with figures as fields, and clauses where a thing is particular. A `Clause` is one fact:
what it is about, in words, with the figures that the words rest on. Code asks for a clause's `topic`, never for words
in its text, and tables, pictures and tests take figures from fields.

*Layers.* A rule fills in its decision; each layer above it adds clauses to the part that they belong to, with `adding`,
and none reads or edits the text of another.

*Text.* An explanation has a first sentence, its parts in full, and one line of all of them. Clauses are joined here and
nowhere else. The first sentence says what was measured and the word that follows from it; what was claimed stands
before it where the claim is known (`checks.report.explanation_words`). Confidences are printed as they were used; no
level is written here.

Calling order: `measured_sentence` for the first sentence; `Explanation.details` -> one function a part, for the
rest.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field, replace
from enum import StrEnum
from typing import Any

from checks.statistics.outcome import MAX_PLANNED, Interval, Plan, Verdict
from checks.statistics.policy import level_words

# ------------------------------------------------------------------------------------------------------------ the parts


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
    EXTRAPOLATION = "extrapolation to a limit"
    ENCLOSURE = "limits on both sides of a transition"
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
    APART = "off by less than the margin"
    LOGARITHM = "perhaps a logarithm more or less"
    SECOND_TERM = "a second term"
    FAMILY = "shared error"
    STRICTER = "stricter level"
    CONTROL = "control"
    HYPOTHESES = "hypotheses"
    REGIME = "out of regime"
    LOST_RUNS = "lost runs"
    DIVERGED = "diverged runs"
    LEFT_OUT = "runs left out"
    CENSORING = "censored runs"
    SKEWNESS = "skewed samples"
    UNDEFINED = "no value to judge"
    SEARCH = "unfinished search"
    NO_CONSTRUCTION = "no construction"
    FAILED_STEP = "failed search step"
    OTHER_POINT = "a counterexample out of regime"
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
    CLAIMED_CURVE = "the claimed curve"

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
    LATER = "criteria set after trials were seen"
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
        most_seconds: the most that it may be, where the plan has larger sizes than were measured; then `seconds` is the
            least.
        nothing: why nothing is left to do, "" where something is.
        only: what the plan shows where it decides nothing, "" where it would decide.
        first: what costs no trial and would decide, said before the plan, which is then what decides without it.
    """

    plan: Plan | None = None
    unit: str = "replicates"
    seconds: float | None = None
    most_seconds: float | None = None
    nothing: str = ""
    only: str = ""
    first: Clauses = ()
    clauses: Clauses = ()


NO_MEASUREMENTS, NOT_TESTED, NO_STEP = Measurements(), Adequacy(), NextStep()


# ------------------------------------------------------------------------------------------------------------ all of it


ASSUMED_RATE = "rate assumed"
"""Figure of the choice of a rate: how fast an author says that a limit is approached; "needed" is 1 where a verdict
rests on it."""

ALLOWED = "allowed"
"""Figure of a clause that says why what stands against a verdict elsewhere does not stand against this one."""

LABELS = ("decision", "evidence", "adequacy", "limits", "choices", "next")
"""Parts of an explanation, in the order of reading."""


@dataclass(frozen=True)
class Explanation:
    """Why a verdict is what it is.

    Attributes:
        decision: the word, the rule and the figures that decided.
        evidence: what it rests on.
        adequacy: what was tested of the model, and with what result.
        limits: hypotheses, controls and what else bounds it.
        choices: what was chosen, and after which results were seen.
        next: what would decide.
        repair: always None: what is true instead stands beside a claim, not beside one of its lines.
    """

    decision: Ruling = field(default_factory=Ruling)
    evidence: Measurements = field(default_factory=Measurements)
    adequacy: Adequacy = field(default_factory=Adequacy)
    limits: Limits = field(default_factory=Limits)
    choices: Choices = field(default_factory=Choices)
    next: NextStep = field(default_factory=NextStep)
    repair: None = None

    def adding(self, *, obstacles: Clauses = (), left_out: Clauses = (), **parts: Clauses) -> Explanation:
        """The explanation with more clauses in the parts named; obstacles go before those there are.

        Raises:
            TypeError: a part that has no clauses.
        """
        changed: dict[str, Any] = {}
        for name, clauses in parts.items():
            part = getattr(self, name, None)
            if part is None or not hasattr(part, "clauses"):
                raise TypeError(f"a clause must belong to a part of the explanation, got {name!r}")
            changed[name] = replace(part, clauses=(*part.clauses, *clauses))
        if obstacles:
            decision = changed.get("decision", self.decision)
            changed["decision"] = replace(decision, obstacles=(*obstacles, *decision.obstacles))
        if left_out:
            evidence = changed.get("evidence", self.evidence)
            changed["evidence"] = replace(evidence, left_out=(*evidence.left_out, *left_out))
        return replace(self, **changed)

    @property
    def clauses(self) -> Clauses:
        """Every clause of every part."""
        own = self.decision.obstacles, self.decision.clauses, self.evidence.left_out, self.evidence.clauses
        others = (
            *(part.clauses for part in (self.adequacy, self.limits, self.choices)),
            self.next.first,
            self.next.clauses,
        )
        return tuple(clause for clauses in (*own, *others) for clause in clauses)

    def about(self, topic: Topic) -> Clauses:
        """The clauses on one topic."""
        return tuple(clause for clause in self.clauses if clause.topic is topic)

    @property
    def details(self) -> tuple[tuple[str, str], ...]:
        """The parts in full, each under its label; those that say nothing are left out."""
        told = (
            decision_text(self.decision),
            evidence_text(self.evidence),
            adequacy_text(self.adequacy, self.decision.obstacles),
            limits_text(self.limits),
            joined(self.choices.clauses),
            next_text(self.next),
        )
        return tuple((label, words) for label, words in zip(LABELS, told, strict=True) if words)

    @property
    def reason(self) -> str:
        """All parts on one line."""
        return "; ".join(words for _, words in self.details)

    @property
    def sentence(self) -> str:
        """The first sentence: what was measured, and the word."""
        return measured_sentence(self.decision, self.evidence)


NOTHING_SAID = Explanation()


def finding(words: str, topic: Topic = Topic.FINDING, *, rule: Rule = Rule.NONE, **figures: Figure) -> Explanation:
    """An explanation that is one finding, in words: of a part of your own that no rule decides."""
    return Explanation(Ruling(rule=rule, clauses=(Clause(topic, words, figures),)))


def clauses_of(topic: Topic, words: str, **figures: Figure) -> Clauses:
    """One clause, or none where there are no words."""
    return (Clause(topic, words, figures),) if words else ()


def obstacle(topic: Topic, words: str, **figures: Figure) -> Explanation:
    """An explanation why nothing was decided: one obstacle."""
    return Explanation(Ruling(obstacles=(Clause(topic, words, figures),)))


# ---------------------------------------------------------------------------------------------------------------- words


_EXPONENTS = (Rule.EQUIVALENCE, Rule.LOCAL_RANGE)


def counted(number: int, units: str) -> str:
    """A number with its unit, which is given in the plural."""
    return f"{number} {units if number != 1 else units.removesuffix('s')}"


def joined(clauses: Iterable[Clause]) -> str:
    """Clauses of one part, in their order."""
    return "; ".join(clause.text for clause in clauses if clause.text)


# ---------------------------------------------------------------------------------------------------- each part in full


def decision_text(ruling: Ruling) -> str:
    """What decided: obstacles, then what the rule found."""
    obstacles = joined(ruling.obstacles)
    found = _equivalence(ruling) if ruling.rule in _EXPONENTS else ""
    between = "; so far " if _is_short(ruling) else "; otherwise " if obstacles and found else "; "
    text = between.join(filter(None, (obstacles, found)))
    return "; ".join(filter(None, (text, joined(ruling.clauses))))


def _is_short(ruling: Ruling) -> bool:
    return any(clause.topic is Topic.SHORTAGE for clause in ruling.obstacles)


def _equivalence(ruling: Ruling) -> str:
    """An exponent against its margin, and both exponents; "" where nothing could be estimated."""
    if ruling.figure is None or ruling.interval is None:
        return ""
    span = "range" if ruling.level is None else f"{level_words(ruling.level)} interval"
    text = f"Delta = {ruling.figure:+.3g}, {span} {ruling.interval}{_against_margin(ruling)}"
    if ruling.measured is None or ruling.claimed is None:
        return text
    return f"{text}; exponent {ruling.measured:.3g} measured, {ruling.claimed:.3g} claimed on this grid"


def _against_margin(ruling: Ruling) -> str:
    """Where the interval that decided lies."""
    m, interval = f"{ruling.threshold:g}", ruling.interval
    if interval is None or _is_short(ruling):
        return ""
    if ruling.by_rule == Verdict.VIOLATED:
        return f" above the margin {m}" if interval.low > 0 else f" below the margin -{m}"
    if ruling.by_rule == Verdict.TIGHT:
        return f" inside (-{m}, {m})"
    if ruling.by_rule == Verdict.LOOSE:
        return f" below the margin -{m}: the bound holds with room to spare"
    if ruling.by_rule == Verdict.HOLDS:
        return f" below {m}"
    if any(clause.topic is Topic.STRICTER for clause in ruling.obstacles):
        return f" beyond the margin {m}"
    return f" does not decide at margin {m}"


def evidence_text(evidence: Measurements) -> str:
    """What the verdict rests on."""
    said = [f"{counted(evidence.points, evidence.unit)}{_each(evidence)}"] if evidence.points and evidence.unit else []
    said += [evidence.path] if evidence.path else []
    return "; ".join([*said, *filter(None, (joined(evidence.left_out), joined(evidence.clauses)))])


def _each(evidence: Measurements) -> str:
    if evidence.replicates is None:
        return ""
    low, high = evidence.replicates
    unit = evidence.replicate_unit.removesuffix("s") if high == 1 else evidence.replicate_unit
    return f", {low if low == high else f'{low} to {high}'} {unit} each"


def adequacy_text(adequacy: Adequacy, obstacles: Clauses = ()) -> str:
    """What was found against the model, and what was looked for besides; what stands in the way was found."""
    found = {clause.topic for clause in (*adequacy.clauses, *obstacles)}
    quiet = [topic.value for topic in adequacy.tested if topic not in found]
    said = [joined(adequacy.clauses), f"tested, nothing found: {', '.join(quiet)}" if quiet else ""]
    return "; ".join(filter(None, said))


def limits_text(limits: Limits) -> str:
    """Where hypotheses stand, controls, and what bounds the verdict."""
    said = [
        f"{words}: {', '.join(f'{name} at {count}' for name, count in counts.items())}"
        for words, counts in (("hypotheses met", limits.met), ("hypotheses not met", limits.not_met))
        if counts
    ]
    open_ends = [
        f"{name} at {count}" + (f" (needs {limits.needed[name]})" if name in limits.needed else "")
        for name, count in limits.undetermined.items()
    ]
    said += [f"hypotheses undetermined: {', '.join(open_ends)}"] if open_ends else []
    said += [f"hypotheses not looked at: {', '.join(limits.left_out)}"] if limits.left_out else []
    return "; ".join([*said, *filter(None, [joined(limits.clauses)])])


def next_text(step: NextStep) -> str:
    """What would decide."""
    said = joined(step.first), plan_text(step), joined(step.clauses), step.nothing and f"nothing: {step.nothing}"
    return "; ".join(filter(None, said))


def plan_text(step: NextStep) -> str:
    """A plan in words, "" where there is none."""
    plan = step.plan
    if plan is None:
        return ""
    many = f"{plan.n_replicates}" if plan.n_replicates != MAX_PLANNED else f"over {MAX_PLANNED}"
    where = f" at each of {plan.n_points} points" if plan.n_points > 1 else ""
    is_range = step.most_seconds is not None and step.most_seconds > 1.2 * (step.seconds or 0.0)
    most = f" to {seconds_text(step.most_seconds or 0.0)}" if is_range else ""
    time = "" if step.seconds is None else f", about {seconds_text(step.seconds)}{most} of CPU time"
    decides = "without one, would decide" if step.first else "would decide"
    unit = step.unit.removesuffix("s") if plan.n_replicates == 1 else step.unit
    return f"{step.only or decides}: {many} {unit}{where}{time}"


def seconds_text(seconds: float) -> str:
    """Seconds as a reader takes them."""
    if seconds < 120:
        return f"{seconds:.2g} s" if seconds < 10 else f"{seconds:.0f} s"
    return f"{seconds / 60:.0f} min" if seconds < 7200 else f"{seconds / 3600:.1f} h"


# --------------------------------------------------------------------------------------------------- the first sentence


_FIGURES = {
    Rule.EQUIVALENCE: "exponent",
    Rule.LOCAL_RANGE: "exponent",
    Rule.BINOMIAL: "rate",
    Rule.PATH_END: "rate at the far end",
    Rule.MEAN_BOUND: "at worst",
    Rule.SHARE_BOUND: "at worst",
    Rule.RATIO: "measured over claimed at worst",
    Rule.EXTRAPOLATION: "limit",
    Rule.ENCLOSURE: "a transition",
    Rule.PAIRED: "mean difference",
    Rule.TREND: "end-to-end factor",
    Rule.SMALLER: "mean ratio",
    Rule.TOLERANCE: "largest error",
    Rule.ATTEMPTS: "least error",
    Rule.DESCRIPTION: "exponent",
}
"""What a rule's figure is called."""

_DONE = {
    Rule.ATTEMPTS: "Tried",
    Rule.CONSTRUCTION: "Built",
    Rule.RECORD: "Re-checked",
    Rule.LIMIT: "Derived",
    Rule.DERIVATION: "Derived",
}
"""What was done instead of measuring, by rule."""

_NOTHING = {
    Topic.UNMEASURED: "Not measured yet",
    Topic.REGIME: "No point meets the hypotheses",
    Topic.UNUSABLE: "Its check cannot be used",
    Topic.SEARCH: "Searched without a result",
}
"""What stands for a measurement where there is none, by the obstacle."""

_SETTLED = {
    Verdict.REFUTED: "it fails at a point",
    Verdict.SATISFIABLE: "all hold at a point",
    Verdict.INCONSISTENT: "they contradict each other",
}
"""What a record shows, where that is no proof."""


_MOST_OWN_WORDS = 20


def measured_sentence(ruling: Ruling, evidence: Measurements) -> str:
    """What was measured and the word, in one sentence."""
    obstacle = ruling.obstacles[0].topic if ruling.obstacles else None
    if ruling.rule is Rule.NONE and obstacle in _NOTHING:
        said = _NOTHING[obstacle]
        return f"{said}." if said.lower().startswith(str(ruling.word)) else f"{said}: {ruling.word}."
    if ruling.rule is Rule.NONE and obstacle is None and ruling.clauses and _is_brief(ruling.clauses[0].text):
        return f"{ruling.clauses[0].text}: {ruling.word}."
    where = _where(ruling, evidence)
    tail = _comparison(ruling) if obstacle is None else obstacle.value
    said = ", ".join(filter(None, (_figure(ruling), tail)))
    return f"{_DONE.get(ruling.rule, 'Measured')}{where}{said and f': {said}'}: {ruling.word}{_kernel(ruling)}."


def _kernel(ruling: Ruling) -> str:
    """By whom else a record was checked, behind the word: " (Rocq 8.16.1)"."""
    name = ruling.clauses[0].figures.get("kernel") if ruling.rule is Rule.RECORD and ruling.clauses else None
    return f" ({name})" if name else ""


def _is_brief(words: str) -> bool:
    """Whether a finding in words, of a part without a rule, fits into a sentence."""
    return 0 < len(words.split()) <= _MOST_OWN_WORDS and ". " not in words


def _where(ruling: Ruling, evidence: Measurements) -> str:
    """On which part of the axis, or on how many of what."""
    if ruling.rule is Rule.BINOMIAL and evidence.trials:
        return f" in {counted(evidence.trials, 'trials')}"
    if evidence.axis_range is not None:
        least, most = (size_words(end, 3) for end in (evidence.axis_range.low, evidence.axis_range.high))
        return f" on {evidence.axis or 'the axis'} {least} to {most}"
    if not (evidence.points and evidence.unit):
        return ""
    before = {"trials": "in", "seeds": "in", "attempts": "in", "inputs": "on", "pairs": "on"}.get(evidence.unit, "at")
    return f" {before} {counted(evidence.points, evidence.unit)}"


def _figure(ruling: Ruling) -> str:
    """The measured figure with its interval, "" where there is none."""
    name, value = _FIGURES.get(ruling.rule, ""), ruling.measured
    if ruling.rule is Rule.ENCLOSURE and ruling.interval is not None:
        return f"{name} between {_number(ruling.interval.low)} and {_number(ruling.interval.high)}"
    if value is None and ruling.figure is not None and ruling.rule in _EXPONENTS:
        name, value = "exponent off by", ruling.figure
    if value is None:
        return ""
    interval = ruling.measured_interval or ruling.interval
    level = ruling.measured_level if ruling.measured_interval is not None else ruling.level
    if interval is None or interval.low == interval.high:
        return f"{name} {_number(value)}"
    return f"{name} {_number(value)} ({'range' if level is None else level_words(level)} {_ends(interval)})"


def _comparison(ruling: Ruling) -> str:
    """How the figure stands to the claim."""
    figures = dict(ruling.clauses[0].figures) if ruling.clauses else {}
    if ruling.rule in _EXPONENTS:
        return _steepness(ruling)
    if ruling.rule in (Rule.BINOMIAL, Rule.PATH_END, Rule.MEAN_BOUND, Rule.SHARE_BOUND, Rule.ATTEMPTS):
        sense = "at most" if ruling.relation == "upper" else "at least"
        return "" if ruling.claimed is None else f"{sense} {_number(ruling.claimed)} claimed"
    if ruling.rule is Rule.RATIO:
        return f"1 claimed, tested within {_number(ruling.threshold)}"
    if ruling.rule is Rule.EXTRAPOLATION:
        sense = {"upper": "at most ", "lower": "at least "}.get(ruling.relation or "", "")
        claimed, found = ruling.claimed, ruling.interval
        if ruling.threshold is None or claimed is None:
            return f"{sense}{_number(claimed)} claimed"
        is_told = ruling.by_rule == Verdict.HOLDS and not sense and found is not None and claimed not in found
        tested = "told from it, and within" if is_told else "tested within"
        return f"{sense}{_number(claimed)} claimed, {tested} {_number(ruling.threshold)}"
    if ruling.rule is Rule.ENCLOSURE:
        return f"{_number(ruling.claimed)} claimed"
    if ruling.rule is Rule.TOLERANCE:
        return f"tolerance {_number(ruling.threshold)}"
    if ruling.rule is Rule.PAIRED:
        return _between(figures.get("low"), figures.get("high"))
    if ruling.rule in (Rule.TREND, Rule.SMALLER):
        words = ("a rise", "a fall") if ruling.rule is Rule.TREND else ("larger", "smaller")
        return _against_one(ruling.interval, *words)
    if ruling.rule is Rule.CONSTRUCTION:
        return "all conditions met"
    if ruling.rule is Rule.RECORD:
        return _SETTLED.get(Verdict(ruling.by_rule), _record(figures.get("steps")))
    if ruling.rule is Rule.LIMIT:
        return f"the limit is {figures.get('limit')}"
    if ruling.rule is Rule.DERIVATION:
        return f"exponent {figures.get('exponent')}"
    return "nothing claimed" if ruling.rule is Rule.DESCRIPTION else ""


def _steepness(ruling: Ruling) -> str:
    """An exponent beside the claimed one: the larger in size is the steeper, whether both grow or both fall."""
    word = ruling.by_rule
    if word == Verdict.TIGHT:
        is_told = ruling.interval is not None and 0 not in ruling.interval
        margin = _number(ruling.threshold)
        near = f"off the claimed one by less than {margin}, its margin{_deciding_level(ruling)}"
        return near if is_told else f"as claimed within {margin}"
    if word not in (Verdict.HOLDS, Verdict.LOOSE, Verdict.VIOLATED):
        return f"undecided at margin {_number(ruling.threshold)}"
    if ruling.claimed is None:
        return "within the claim" if word != Verdict.VIOLATED else "beyond the claim"
    measured = ruling.measured
    if measured is not None and word != Verdict.HOLDS:
        if measured * ruling.claimed < 0:
            return "of the other sign than claimed"
        return f"{'steeper' if abs(measured) > abs(ruling.claimed) else 'flatter'} than claimed"
    is_lower = ruling.relation == "lower"
    is_above = ((ruling.figure or 0.0) > 0) != is_lower if word == Verdict.VIOLATED else is_lower
    axis_sign = -ruling.sign if is_lower else ruling.sign
    steeper, flatter = ("steeper", "flatter") if axis_sign * ruling.claimed >= 0 else ("flatter", "steeper")
    if word == Verdict.HOLDS:
        return f"no {flatter if is_above else steeper} than claimed"
    return f"{steeper if is_above else flatter} than claimed"


def _deciding_level(ruling: Ruling) -> str:
    """At which level an exponent is within its margin, where the wider interval beside it reaches past that."""
    wide = ruling.measured_interval
    if wide is None or ruling.claimed is None or ruling.threshold is None or ruling.level is None:
        return ""
    is_past = max(abs(end - ruling.claimed) for end in (wide.low, wide.high)) > ruling.threshold
    return f", at {level_words(ruling.level)}" if is_past else ""


def _record(steps: object) -> str:
    return f"a certificate of {counted(steps, 'steps')}" if isinstance(steps, int) else "a certificate"


def _against_one(interval: Interval | None, above: str, below: str) -> str:
    if interval is None:
        return ""
    return above if interval.low > 1 else below if interval.high < 1 else "not told from 1"


def _between(low: object, high: object) -> str:
    """Margins that were stated beforehand."""
    ends = [(word, end) for word, end in (("above", low), ("below", high)) if isinstance(end, float)]
    return f"{' and '.join(f'{word} {end:g}' for word, end in ends)} claimed" if ends else ""


_WRITTEN_OUT = 1e15
"""Sizes below this are written without a power of ten."""


def size_words(value: float, digits: int = 4) -> str:
    """A size as it goes into a sweep: whole numbers whole, others to so many digits, without a power of ten.

    >>> [size_words(value) for value in (16384.0, 1536.7, 0.12345, 40, 2.5e5)]
    ['16384', '1537', '0.1235', '40', '250000']
    """
    if not math.isfinite(value) or abs(value) >= _WRITTEN_OUT:
        return f"{value:.{digits}g}"
    rounded = value if value == int(value) else float(f"{value:.{digits}g}")
    return str(int(rounded)) if rounded == int(rounded) else f"{rounded:.{digits}g}"


def _number(value: float | None) -> str:
    """Three digits; what is rounding alone beside 1 is 0."""
    return "" if value is None else f"{value:.3g}"


def _ends(interval: Interval) -> str:
    """An interval in words; an open end is said to be one."""
    if math.isinf(interval.low) and math.isinf(interval.high):
        return "unbounded"
    if math.isinf(interval.low):
        return f"up to {interval.high:.3g}"
    return f"from {interval.low:.3g} on" if math.isinf(interval.high) else f"{interval.low:.3g} to {interval.high:.3g}"
