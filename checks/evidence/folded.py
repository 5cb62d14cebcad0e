"""A part of very many trials that are counted as they are read, and never lie in memory together.

Only a part whose judgement rests on counts by setting can be counted so (`Judging.counts_alone`): what its criterion
says of each trial is added up, and the same rule judges the sums. A rule that looks at the order, the spread or the
median of its trials needs all of them, and its part holds what it judges.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Self

from checks.evidence.endings import endings_of
from checks.evidence.lost_runs import are_few
from checks.evidence.no_numbers import gave_no_number
from checks.evidence.part import Part, judged_of, unmeasured
from checks.evidence.unmeasured import control_words, needs_words, stored_words, with_retry
from checks.records.many_trials import Many
from checks.records.preset import Placement, Preset
from checks.records.rows import Protocol, Row
from checks.records.stored_trials import blamed
from checks.statistics.policy import ErrorPolicy
from sim.store.store import written_setting
from sim.trials.sweep import MANY_TRIALS, are_swept, begins_later, replicates_in, settings_in, systems_in
from sim.trials.trial import BEYOND_LIMITS, Outcome, Trial, TrialSpec
from theory.claim import Axis, Claim, Kind

FOLDED_FROM = 20_000
"""Parts of so many trials are counted as they are read; what has fewer is held, for pictures and pages show runs."""
Setting = tuple[str, str]
"""The name of a simulator, and parameters as text."""


def is_foldable(part: Part, preset: Preset, placement: Placement) -> bool:
    """Whether a part is to be counted as its trials are read."""
    return len(part.specs(preset)) >= FOLDED_FROM and _counts_alone(part, preset, placement)


def _counts_alone(part: Part, preset: Preset, placement: Placement) -> bool:
    specs = part.specs(preset)
    return (
        part.counts_alone
        and not part.at_limit
        and part.one_round(placement)
        and not begins_later(specs)
        and not any(system.readouts or system.curves for system in systems_in(specs))
    )


def is_very_large(part: Part, preset: Preset, placement: Placement) -> bool:
    """Whether a part asks for more trials than are gone through where a store has few of them."""
    specs = part.specs(preset)
    return len(specs) >= MANY_TRIALS and part.one_round(placement) and are_swept(specs) and not begins_later(specs)


class Count:
    """Trials of a part, counted: those of one setting that agree in all that its judgement looks at are one kind."""

    def __init__(self, part: Part, preset: Preset, placement: Placement = Placement.GRID) -> None:
        self.part = part
        self.keys: list[str] = []
        """Of its trials, as far as they have any where they are read."""
        self._is_judged = _counts_alone(part, preset, placement)
        self.asked: dict[Setting, int] = {}
        """How many replicates of each setting are asked for."""
        for system, parameters, replicates in replicates_in(part.specs(preset)):
            setting = system.name, written_setting(parameters)
            self.asked[setting] = max(replicates, self.asked.get(setting, 0))
        self.lost: dict[tuple[Setting, Outcome], tuple[Trial, int]] = {}
        """Trials that ended without a result: the first of each setting and kind, and how many."""
        self._kinds: dict[tuple[Setting, object], tuple[Trial, int, float]] = {}
        self._error: tuple[Trial, Exception] | None = None

    def add(self, setting: Setting, trial: Trial, number: int, seconds: float) -> None:
        """Count trials that are equal but for replicate and seconds, of which the first is given.

        Args:
            seconds: of all together.
        """
        outcome = trial.result.outcome
        if outcome.is_failure and not (self.part.at_limit and outcome in BEYOND_LIMITS):
            first, count = self.lost.get((setting, outcome), (trial, 0))
            self.lost[setting, outcome] = first, count + number
            return
        if not self._is_judged:
            self._add((setting, None), trial, number, seconds)
            return
        try:
            named = endings_of(trial) if trial.spec.system.endings else None
            is_lost = gave_no_number(self.part, trial)
            met = None if is_lost else self.part.met_by(trial)
            agreed = setting, (outcome is Outcome.DIVERGED, is_lost, met, named)
        except Exception as error:  # of an author's function; judging says so, and other claims are judged
            self._error = self._error or (trial, error)
            return
        self._add(agreed, trial, number, seconds)

    def _add(self, kind: tuple[Setting, object], trial: Trial, number: int, seconds: float) -> None:
        first, count, spent = self._kinds.get(kind, (trial, 0, 0.0))
        self._kinds[kind] = first, count + number, spent + seconds

    @property
    def is_enough(self) -> bool:
        """Whether the counts say all that judging asks for: sums that are judged, or that trials are missing."""
        asked, lost = sum(self.asked.values()), sum(count for _, count in self.lost.values())
        left = sum(count for _, count, _ in self._kinds.values())
        return self._is_judged or left + lost < asked or not are_few(lost, asked)

    def folded(self) -> Folded:
        """The part with what was counted, in the order of its settings."""
        order = {setting: place for place, setting in enumerate(self.asked)}
        kinds = [one for _, one in sorted(self._kinds.items(), key=lambda item: order[item[0][0]])]
        trials = Many([replace(first, seconds=spent / n) for first, n, spent in kinds], [n for _, n, _ in kinds])
        part = self.part
        return Folded(
            name=part.name,
            aspect=part.aspect,
            policy=part.policy,
            role=part.role,
            because=part.because,
            sweeps=part.sweeps,
            control=part.control,
            adversaries=part.adversaries,
            spared=part.spared,
            part=part,
            trials=trials,
            n_asked=sum(self.asked.values()),
            lost=Many([first for first, _ in self.lost.values()], [count for _, count in self.lost.values()]),
            error=self._error,
            keys=tuple(self.keys),
        )


@dataclass(frozen=True, kw_only=True)
class Folded(Part):
    """A part whose trials have been counted; `error` is what its criterion raised at one of them."""

    part: Part
    trials: Many
    n_asked: int
    lost: Many
    error: tuple[Trial, Exception] | None = None
    keys: tuple[str, ...] = ()

    @property
    def stated(self) -> Part:
        """The part: how many trials there are is no criterion."""
        return self.part

    def keys_there(self, preset: Preset, trials: Mapping[str, Trial]) -> Sequence[str]:
        """Those that were read."""
        return self.keys

    @property
    def kinds(self) -> frozenset[Kind]:
        """All, and so it is proposed for none: its part was held against the claim before its trials were counted."""
        return frozenset(Kind)

    @property
    def has_sampling_error(self) -> bool:
        """That of the part."""
        return self.part.has_sampling_error

    @property
    def rate_asked(self) -> float:
        """That of the part."""
        return self.part.rate_asked

    def met_by(self, trial: Trial) -> bool | None:
        """As the part does."""
        return self.part.met_by(trial)

    def under(self, policy: ErrorPolicy) -> Self:
        """Both it and the part that it stands for."""
        return replace(self, policy=policy, part=self.part.under(policy))

    def next_round(
        self, preset: Preset, trials: Sequence[Trial], placement: Placement = Placement.GRID
    ) -> Sequence[TrialSpec]:
        """Nothing: its trials have been read."""
        return []

    def axes(self, claim: Claim) -> Sequence[Axis | None]:
        """Those of the part."""
        return self.part.axes(claim)

    def judge(self, claim: Claim, trials: Sequence[Trial]) -> list[Row]:
        """As the part does."""
        return self.part.judge(claim, trials)

    def rows_or_lack(
        self, claim: Claim, preset: Preset, trials: Mapping[str, Trial], placement: Placement = Placement.GRID
    ) -> list[Row]:
        """Judge what was counted, as the part judges trials."""
        place = f"{claim.id}, {self.name}"
        if self.error is not None:
            with blamed([self.error[0]], place):
                raise self.error[1]
        n_gone = self.n_asked - len(self.trials)
        lost: Counter[Outcome] = Counter()
        for trial, count in zip(self.lost.kinds, self.lost.counts, strict=True):
            lost[trial.result.outcome] += count
        if n_gone > len(self.lost) or not are_few(n_gone, self.n_asked):
            words = stored_words(claim, preset, (len(self.trials), self.n_asked), lost)
            words = "; ".join([words, *needs_words(self.part, settings_in(self.part.specs(preset)))])
            return unmeasured(self.part, claim, words, Protocol(len(self.trials)))
        controls = self.part.controls_ended(preset, trials)
        if controls is None:
            return unmeasured(self.part, claim, control_words(claim, preset), Protocol(len(self.trials)))
        with blamed([*self.trials.kinds, *controls], place):
            every = Many([*self.trials.kinds, *self.lost.kinds], [*self.trials.counts, *self.lost.counts])
            rows = self.against_control(judged_of(self.part, claim, every), controls, preset, self.judge)
        return with_retry(rows, claim, preset, lost)
