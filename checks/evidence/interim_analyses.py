"""Interim analyses: replicates are doubled until a verdict is decided, with the error rate held.

Whoever adds data until the result pleases is wrong far more often than 5 %. Here the analyses are stated beforehand:
analysis j has 2^j times the replicates of the preset, there are at most `MAX_ANALYSES`, and the error spent up to each
grows with the root of its replicates [Lan and DeMets 1983] (`checks.statistics.policy.look_shares`). So a wrong verdict
appears at any of them no more often than the policy allows one judgement, and the intervals of all cover together at
its confidence. The first analysis that decides counts; a later one never overrules it. Stopping early, because
replicates no longer help or the budget is spent, costs no error.

`UntilDecided` wraps a part and is one itself: which trials come next is a pure function of those that are finished, so
resuming, or printing the table, finds the same analyses in the store. Who judged the plain preset first and goes on
only because it was inconclusive has spent the error there already: the two together are wrong twice as often at most.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Self

from checks.evidence.check import Check
from checks.evidence.part import Part
from checks.evidence.typed import command
from checks.records.preset import Placement, Preset
from checks.records.rows import Row
from checks.sampling.rounds import finished
from checks.statistics.explanation import Clause, Topic
from checks.statistics.policy import LOOKS, ErrorPolicy, level_words
from checks.statistics.verdict import Judgement, Verdict
from sim.store.fingerprint import key
from sim.trials.trial import Trial, TrialSpec
from theory.claim import Axis, Claim

MAX_ANALYSES = len(LOOKS)
"""The last has 16 times the replicates of the first."""


@dataclass(frozen=True, kw_only=True)
class UntilDecided(Part):
    """A part that is analysed again, with twice the replicates, until all its rows are decided.

    Attributes:
        part: what is measured and how it is judged.
        claim: whose rows decide.
        preset: whose sweeps the first analysis has.
        budget_seconds: trial seconds that the part may cost in all; an analysis expected to exceed it is not begun.
    """

    part: Part
    claim: Claim
    preset: Preset
    budget_seconds: float

    def under(self, policy: ErrorPolicy) -> Self:
        """Both it and the part that it repeats."""
        return replace(self, policy=policy, part=self.part.under(policy))

    def specs(self, preset: Preset) -> Sequence[TrialSpec]:
        """The trials of the first analysis."""
        return self.part.specs(preset)

    def control_specs(self, preset: Preset) -> Sequence[TrialSpec]:
        """Those of the part: a control is measured once."""
        return self.part.control_specs(preset)

    def axes(self, claim: Claim) -> Sequence[Axis | None]:
        """Those of the part."""
        return self.part.axes(claim)

    def one_round(self, placement: Placement) -> bool:
        """Whether what is measured depends on no result: never."""
        return False

    def next_round(
        self, preset: Preset, trials: Sequence[Trial], placement: Placement = Placement.GRID
    ) -> Sequence[TrialSpec]:
        """Name the next analysis's trials, unless all is decided, replicates would not help, or the budget is spent."""
        analyses = list(self._analyses(_by_key(trials)))
        if analyses and not self._goes_on(analyses, trials):
            return []
        return analysis(self.part, preset, len(analyses)).specs(preset)

    def rows_or_lack(
        self, claim: Claim, preset: Preset, trials: Mapping[str, Trial], placement: Placement = Placement.GRID
    ) -> list[Row]:
        """Judge the analyses that are complete, also while another is under way."""
        found = finished(trials)
        analyses = list(self._analyses(found))
        controls = [found[name] for name in map(key, self.control_specs(preset)) if name in found]
        if not analyses or len(controls) < len(self.control_specs(preset)):
            return self.part.rows_or_lack(claim, preset, trials, placement)
        return self.part.against_control(self._judged(analyses, found), controls, preset, self.part.judge)

    def judge(self, claim: Claim, trials: Sequence[Trial]) -> list[Row]:
        """Every row of the first analysis that decides it, or of the last where none does."""
        found = _by_key(trials)
        return self._judged(list(self._analyses(found)), found)

    def _judged(self, analyses: Sequence[Sequence[Row]], found: Mapping[str, Trial]) -> list[Row]:
        """The rows of complete analyses, the open ones with why they are."""
        seconds = _seconds(
            [found[name] for name in _names(analysis(self.part, self.preset, len(analyses) - 1), self.preset)]
        )
        words = self._open_words(len(analyses), seconds)
        rows = _first_decided(analyses)
        further = Clause(Topic.INTERIM, words, {"analyses": len(analyses), "seconds": seconds})
        return [row.adding(next=(further,)) if may_decide(row.judgement) else row for row in rows]

    def _analyses(self, found: Mapping[str, Trial]) -> Iterator[list[Row]]:
        """The rows of every complete analysis, in order; none where there are no trials."""
        for number in range(MAX_ANALYSES):
            part = analysis(self.part, self.preset, number)
            names = _names(part, self.preset)
            if not names or not all(name in found for name in names):
                return
            yield part.lines(self.claim, [found[name] for name in names])

    def _goes_on(self, analyses: Sequence[Sequence[Row]], trials: Sequence[Trial]) -> bool:
        """Whether another analysis is allowed, affordable, and would help some row."""
        helps = any(may_decide(row.judgement) for row in _first_decided(analyses))
        return helps and len(analyses) < MAX_ANALYSES and 2 * _seconds(trials) <= self.budget_seconds

    def _open_words(self, n_analyses: int, seconds: float) -> str:
        """Why a row that replicates would close is still open, after so many analyses and trial seconds."""
        if n_analyses == MAX_ANALYSES:
            return "no interim analysis is left"
        if 2 * seconds > self.budget_seconds:
            return f"another analysis would cost {seconds:.0f} s more, beyond the budget of {self.budget_seconds:.0f} s"
        return f"go on with: {command('run', self.claim.id)} --preset {self.preset} --until-decided"


def analysis(part: Part, preset: Preset, number: int) -> Part:
    """A part with 2^number times the replicates, judged at its share of the error. The first is number 0."""
    sweeps = tuple(replace(sweep, replicates=sweep.replicates * 2**number) for sweep in part.sweeps_at(preset))
    policy = replace(part.policy, look=number)
    return replace(part, sweeps={preset: sweeps}, policy=policy)


def first_decided(judgements: Sequence[Judgement]) -> int:
    """Which of the analyses counts: the first that is decided, or that replicates cannot decide; else the last."""
    return next((i for i, judgement in enumerate(judgements) if not may_decide(judgement)), len(judgements) - 1)


def may_decide(judgement: Judgement) -> bool:
    """Whether a judgement is open and more replicates at the same points are expected to close it."""
    plan = judgement.plan
    return (
        judgement.verdict is Verdict.INCONCLUSIVE and plan is not None and plan.n_points <= max(judgement.n_points, 1)
    )


def _first_decided(analyses: Sequence[Sequence[Row]]) -> list[Row]:
    """Each row of the analysis that counts for it."""
    rows = []
    for stages in zip(*analyses, strict=True):
        number = first_decided([row.judgement for row in stages])
        row = stages[number]
        words = f"interim analysis {number + 1} of at most {MAX_ANALYSES}, {level_words(row.policy.error)} error"
        rows.append(row.adding(choices=(Clause(Topic.INTERIM, words, {"analysis": number + 1}),)))
    return rows


def _names(part: Part, preset: Preset) -> list[str]:
    """Keys of a part's trials, each once, in order."""
    return list(dict.fromkeys(map(key, part.specs(preset))))


def _by_key(trials: Sequence[Trial]) -> dict[str, Trial]:
    return {key(trial.spec): trial for trial in trials}


def _seconds(trials: Sequence[Trial]) -> float:
    return sum(trial.seconds for trial in trials)


def until_decided(check: Check, preset: Preset, *, budget_seconds: float) -> Check:
    """The check with every part that more replicates can decide analysed until decided.

    A sweep of one replicate a point is deterministic, or its points are what is counted; it is left as it is, and so is
    a part without trials at the preset.
    """

    def repeated(part: Part) -> bool:
        sweeps = part.sweeps_at(preset)
        return part.has_sampling_error and bool(sweeps) and all(sweep.replicates > 1 for sweep in sweeps)

    parts = tuple(
        UntilDecided(
            name=part.name,
            aspect=part.aspect,
            policy=part.policy,
            part=part,
            claim=check.claim,
            preset=preset,
            budget_seconds=budget_seconds,
        )
        if repeated(part)
        else part
        for part in check.parts
    )
    return replace(check, parts=parts)
