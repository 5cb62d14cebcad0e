"""Every public name with the module it lives in, for type checkers and for `theoremeter` itself, which reads it."""

from checks.commands.objects import (
    Table as Table,
    run as run,
    table as table,
)

from checks.commands.opened import (
    ClaimResult as ClaimResult,
    Opened as Opened,
    open as open,
)
from checks.commands.typed_rules import (
    judge_exact as judge_exact,
    judge_explicit as judge_explicit,
    judge_fraction as judge_fraction,
    judge_joint as judge_joint,
    judge_limit as judge_limit,
    judge_scaling as judge_scaling,
    judge_thresholds as judge_thresholds,
)
from checks.evidence.check import (
    Check as Check,
)
from checks.evidence.control import (
    Control as Control,
)
from checks.evidence.excesses import (
    Excess as Excess,
)
from checks.evidence.fault import (
    Fault as Fault,
)
from checks.evidence.law_distances import (
    LawDistance as LawDistance,
)
from checks.evidence.limit_laws import (
    LimitLaw as LimitLaw,
)
from checks.evidence.open_parts import (
    Course as Course,
    Exponent as Exponent,
    Regions as Regions,
)
from checks.evidence.paired import (
    PairedDifference as PairedDifference,
)
from checks.evidence.part import (
    Outside as Outside,
    Part as Part,
)
from checks.evidence.refutation import (
    Construction as Construction,
    CounterexampleSearch as CounterexampleSearch,
)
from checks.evidence.rising import (
    Rising as Rising,
)
from checks.evidence.sampled import (
    Agreement as Agreement,
    Behaviour as Behaviour,
    Fraction as Fraction,
    LimitValue as LimitValue,
    Sufficient as Sufficient,
)
from checks.evidence.scaling import (
    Scaling as Scaling,
)
from checks.evidence.thresholds import (
    Threshold as Threshold,
)
from checks.evidence.trajectories import (
    ClaimedRate as ClaimedRate,
    Range as Range,
    Rate as Rate,
)
from checks.evidence.transitions import (
    Transition as Transition,
)
from checks.evidence.trial_bounds import (
    AtLeast as AtLeast,
    AtMost as AtMost,
)
from checks.evidence.translation import (
    exact as exact,
)
from checks.evidence.validation import (
    InvalidCheck as InvalidCheck,
    problems as problems,
)
from checks.records.pictures import (
    Cells as Cells,
    Curve as Curve,
    Lines as Lines,
    Matrix as Matrix,
)
from checks.records.preset import (
    Placement as Placement,
    Preset as Preset,
)
from checks.records.rows import (
    Display as Display,
    Point as Point,
    Protocol as Protocol,
    Row as Row,
)
from checks.report.law_page import (
    written_law as written_law,
)
from checks.search.designs import (
    space_filling as space_filling,
)
from checks.search.law import (
    LawForm as LawForm,
    LawTerm as LawTerm,
    SearchedLaw as SearchedLaw,
)
from checks.search.search import (
    search_law as search_law,
)
from checks.statistics.estimates import (
    Estimate as Estimate,
    arithmetic_mean as arithmetic_mean,
    common_steepness as common_steepness,
    estimate_threshold as estimate_threshold,
    geometric_mean as geometric_mean,
    hitting_times as hitting_times,
    success_rate as success_rate,
)
from checks.statistics.explanation import (
    Adequacy as Adequacy,
    Choices as Choices,
    Clause as Clause,
    Explanation as Explanation,
    Limits as Limits,
    Measurements as Measurements,
    NextStep as NextStep,
    Rule as Rule,
    Ruling as Ruling,
    Topic as Topic,
    finding as finding,
    obstacle as obstacle,
)
from checks.statistics.judge import (
    judge_attempts as judge_attempts,
    judge_behaviour as judge_behaviour,
    judge_excess as judge_excess,
    judge_identity as judge_identity,
    judge_paired as judge_paired,
    judge_path_behaviour as judge_path_behaviour,
    judge_range as judge_range,
    judge_rates as judge_rates,
    judge_rise as judge_rise,
    judge_sufficient as judge_sufficient,
    judge_transition as judge_transition,
    judge_unspecified as judge_unspecified,
    profile_constants as profile_constants,
)
from checks.statistics.laws import (
    OffsetPower as OffsetPower,
    fit_offset_power as fit_offset_power,
)
from checks.statistics.policy import (
    ErrorPolicy as ErrorPolicy,
    level_words as level_words,
)
from checks.statistics.order_rules import (
    decay_rate as decay_rate,
    local_slopes as local_slopes,
)
from checks.statistics.verdict import (
    Effect as Effect,
    Exponents as Exponents,
    Interval as Interval,
    Judgement as Judgement,
    Plan as Plan,
    Verdict as Verdict,
)
from sim.store.store import (
    Store as Store,
)
from sim.trials.sweep import (
    Sweep as Sweep,
    grid as grid,
)
from sim.trials.trial import (
    Outcome as Outcome,
    System as System,
    Trial as Trial,
    TrialResult as TrialResult,
    TrialSpec as TrialSpec,
)
from sim.trials.validation import (
    InvalidParameter as InvalidParameter,
)
from theory.asymptotics.exponents import (
    along as along,
    exponent as exponent,
    leading_order as leading_order,
    limit as limit,
    log_degree as log_degree,
)
from theory.checker.replay import (
    InvalidRecord as InvalidRecord,
    replay as replay,
)
from theory.claim import (
    Axis as Axis,
    Claim as Claim,
    Constant as Constant,
    Evidence as Evidence,
    ForSome as ForSome,
    Hypothesis as Hypothesis,
    Kind as Kind,
    Met as Met,
    Path as Path,
    Role as Role,
    Source as Source,
)
from theory.lemma import (
    Conditions as Conditions,
    Identity as Identity,
    Inequality as Inequality,
    Limit as Limit,
    OverLists as OverLists,
)
from theory.prover.certify import (
    NotDefined as NotDefined,
    Proved as Proved,
    Refuted as Refuted,
    Unknown as Unknown,
    certify as certify,
)
from theory.prover.decision import (
    Decision as Decision,
)
from theory.prover.existence.certify import (
    ExistenceUnknown as ExistenceUnknown,
    NoneServes as NoneServes,
    RefutedPiece as RefutedPiece,
    Serves as Serves,
    certify_exists as certify_exists,
)
from theory.prover.prove import (
    prove as prove,
)
from theory.relations import (
    above as above,
    at_least as at_least,
    at_most as at_most,
    below as below,
)
from theory.tried import (
    Tried as Tried,
    Way as Way,
)

__all__: list[str]
__version__: str
