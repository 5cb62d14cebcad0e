"""Evidence for one aspect of a claim: which trials it needs, how they are judged, and what its lines may say.

A `Part` joins four ideas, each in a module that can be read by itself: how trials are judged, where an author of a new
kind of part begins (`checks.evidence.judging`), what is run (`checks.evidence.swept`), which control must fail
(`checks.evidence.control`), and where the claim's hypotheses are met (`checks.evidence.hypotheses`). Here stored trials
become the rows of a table, and a part that has none yet says what it lacks. The kinds of evidence are in
`checks.evidence.sampled`, `checks.evidence.trajectories`, `checks.evidence.refutation`, `checks.evidence.open_parts`,
`checks.evidence.law_search` and `checks.evidence.proofs`.
"""

from __future__ import annotations

import functools
from abc import ABC
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, fields, replace
from numbers import Number
from typing import ClassVar

import sympy as sp

from checks.evidence.control import Control, Controlled
from checks.evidence.hypotheses import APART_WORDS, Outside, UnderHypotheses
from checks.evidence.lost_runs import are_few, worst_cases
from checks.evidence.swept import placement_words
from checks.evidence.unmeasured import at_another_preset, control_words, lacking_words, missing_words, with_retry
from checks.records.criteria import keys_of
from checks.records.preset import Placement, Preset
from checks.records.rows import NOTHING_RUN, Protocol, Row
from checks.records.stored_trials import blamed
from checks.sampling.rounds import Round, finished_of, walk
from checks.statistics.explanation import Clause, Topic, obstacle
from checks.statistics.verdict import Judgement, Verdict
from sim.store.fingerprint import key
from sim.trials.errors import MissingReadout
from sim.trials.trial import BEYOND_LIMITS, Outcome, Scalar, Trial, TrialResult, TrialSpec
from theory.claim import CHOSEN_ROLES, Claim, Role

__all__ = ["APART_WORDS", "Control", "Outside", "Part", "SymbolicPart"]

_NUMBERS = "float", "float | None", "int", "int | None"
"""How fields that are numbers are annotated."""


@dataclass(frozen=True, kw_only=True)
class Part(Controlled, UnderHypotheses, ABC):
    """Evidence for one aspect of a claim.

    A kind of your own is a frozen dataclass with a `judge` of its own. Usually it also says its `kinds`, its `axes` and
    whether it `has_sampling_error`; `met_by` where it has a criterion that a control can fail. All else has a default.
    """

    contradicts: ClassVar[Verdict] = Verdict.VIOLATED
    """The word of this kind of part against a claim."""
    at_limit: Mapping[str, Scalar] = field(default_factory=dict)
    """What a trial that was ended at a limit of time or memory counts as, by observable: a run cut off there.

    Where nothing is said, such a trial is lost (`checks.evidence.lost_runs`).
    """

    def __post_init__(self) -> None:
        for own in fields(self):
            value = getattr(self, own.name)
            if own.type in _NUMBERS and not isinstance(value, Number | sp.Expr | None):
                raise ValueError(f"{own.name} must be a number, got {value!r} for part {self.name!r}")
        if self.is_measured and self.role not in CHOSEN_ROLES:
            allowed = ", ".join(CHOSEN_ROLES)
            raise ValueError(f"role must be one of {allowed}, got {self.role!r} for part {self.name!r}")
        if not all(control.by_rule for control in self.controls) and not self.has_criterion:
            raise ValueError(f"control must be of a part with a criterion to meet, got one for {self.name!r}")
        if self.exempt and not self.because:
            raise ValueError(f"because must say why part {self.name!r} leaves out {', '.join(self.exempt)}, got none")
        if self.role is not Role.STATEMENT and self.is_measured and not self.because:
            raise ValueError(
                f"because must say why part {self.name!r} is a {self.role} (a place in the paper), got none"
            )

    def rows(
        self, claim: Claim, preset: Preset, trials: Mapping[str, Trial], placement: Placement = Placement.GRID
    ) -> list[Row]:
        """Judge what the store holds: not measured yet where trials are missing, no row where the preset has none."""
        try:
            return self.rows_or_lack(claim, preset, trials, placement)
        except MissingReadout as error:
            return unmeasured(self, claim, lacking_words(claim, preset, error))

    def rows_or_lack(
        self, claim: Claim, preset: Preset, trials: Mapping[str, Trial], placement: Placement = Placement.GRID
    ) -> list[Row]:
        """The same rows.

        Raises:
            MissingReadout: judging asks for a readout that stored trials lack. That is found out by judging, because a
                part's functions may read whatever they like.
        """
        get = functools.partial(self._ended_of, trials)
        rounds = list(walk(self, preset, placement, get))
        if not rounds:
            return unmeasured(self, claim, at_another_preset(self, claim))
        found = [trial for stage in rounds for trial in stage.found.values()]
        controls = self.controls_ended(preset, trials)
        gone = self._few_lost(rounds, trials, placement)
        if (rounds[-1].missing and not gone) or controls is None:
            last = rounds[-1]
            lost = Counter(
                trials[name].result.outcome for name in last.specs if name in trials and name not in last.found
            )
            words = missing_words(self, claim, preset, rounds, placement, lost=lost)
            words = words if last.missing else control_words(claim, preset)
            return unmeasured(self, claim, words, Protocol(len(found)))
        with blamed([*found, *controls], f"{claim.id}, {self.name}"):
            rows = self.against_control(judged_of(self, claim, [*found, *gone]), controls, preset, self.judge)
        rows = with_retry(rows, claim, preset, Counter(trial.result.outcome for trial in gone))
        if count := sum(trials[key(trial.spec)].result.outcome in BEYOND_LIMITS for trial in found if self.at_limit):
            words = (
                f"{count} of {len(found)} runs were ended at a limit of seconds or memory and count as cut off there"
            )
            rows = [row.adding(choices=(Clause(Topic.CENSORING, words, {"ended": count}),)) for row in rows]
        if len(self.placements) == 1:
            return rows
        words = placement_words(self, preset, rounds, placement)
        placed = Clause(Topic.PLACEMENT, words, {"trials": sum(len(stage.specs) for stage in rounds)})
        return [row.adding(choices=(placed,)) for row in rows]

    def _few_lost(self, rounds: Sequence[Round], trials: Mapping[str, Trial], placement: Placement) -> list[Trial]:
        """All trials that have no result, where these are few, have ended, and no later round rests on them."""
        lacking = [key(spec) for spec in rounds[-1].missing]
        can_go_on = self.leaves_lost and self.one_round(placement)
        if not can_go_on or not are_few(len(lacking), len(rounds[-1].specs)):
            return []
        return [trials[name] for name in lacking] if all(name in trials for name in lacking) else []

    def with_lost(self, left: Sequence[Trial], lost: Sequence[Trial]) -> Iterator[Sequence[Trial]]:
        """As if lost trials had met the criterion and as if they had not, where the verdict counts which do."""
        if self.counts_lost:
            yield from worst_cases(self.met_by, left, lost, mixed=not self.is_monotone)

    def asks(self, trial: Trial) -> object:
        """Whether it meets the criterion."""
        return self.met_by(trial)

    @property
    def stated(self) -> Part:
        """The part whose numbers are its author's criteria."""
        return self

    def keys_there(self, preset: Preset, trials: Mapping[str, Trial]) -> Sequence[str]:
        """Keys of its trials among those that are there."""
        return keys_of(self.specs(preset), trials)

    def controls_ended(self, preset: Preset, trials: Mapping[str, Trial]) -> list[Trial] | None:
        """The trials of all controls; None where one is missing."""
        specs = self.control_specs(preset)
        found = self._ended_of(trials, specs)
        return list(found.values()) if len(found) == len({key(spec) for spec in specs}) else None

    def _ended_of(self, trials: Mapping[str, Trial], specs: Iterable[TrialSpec]) -> dict[str, Trial]:
        """Those of `specs` that can be judged, with what was ended at a limit as the part has it count."""
        specs = tuple(specs)
        found = finished_of(trials, specs)
        for name in map(key, specs) if self.at_limit else ():
            if name in trials and trials[name].result.outcome in BEYOND_LIMITS:
                found[name] = replace(trials[name], result=TrialResult(Outcome.BUDGET, self.at_limit))
        return found


@dataclass(frozen=True, kw_only=True)
class SymbolicPart(Part):
    """Evidence that symbols settle, in one trial that is the same at every preset."""

    claim_id: str
    """Id of the claim that it speaks of, which its trial names."""
    leaves_lost: ClassVar[bool] = False

    @property
    def is_measured(self) -> bool:
        """Nothing is measured."""
        return False

    def lines(self, claim: Claim, trials: Sequence[Trial]) -> list[Row]:
        """A formula has no points that could lie outside the hypotheses: they are among its conditions."""
        return [replace(row, role=self.role_in(claim)) for row in self.judge(claim, trials)]


def judged_of(part: Part, claim: Claim, trials: Sequence[Trial]) -> list[Row]:
    """The lines of a part's trials, each with why it has its role."""
    return [replace(row, because=part.because) for row in part.lines(claim, trials)]


def unmeasured(part: Part, claim: Claim, words: str, protocol: Protocol = NOTHING_RUN) -> list[Row]:
    """A line for each axis that says why nothing is judged; none where there is nothing to say."""
    judgement = Judgement(Verdict.NOT_MEASURED_YET, obstacle(Topic.UNMEASURED, words))
    role = part.role_in(claim)
    return [
        Row(claim, part.name, judgement, axis, role=role, protocol=protocol, policy=part.policy)
        for axis in part.axes(claim)
        if words
    ]
