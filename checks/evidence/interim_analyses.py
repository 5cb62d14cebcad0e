"""Looking more than once: replicates are doubled until a verdict is decided, with the error rate held.

Whoever adds data until the result pleases is wrong far more often than 5 %. Here the looks are stated beforehand: look
j has 2^j times the replicates of the preset, there are at most `LOOKS`, and each may spend an equal share of the error
(Bonferroni over looks: it assumes nothing of how they depend). So a wrong verdict appears at any of them with
probability at most 5 %, and the intervals of all looks cover together at 95 %. The first look that decides counts; a
later one never overrules it. Stopping early, because replicates no longer help or the budget is spent, costs no error.

`UntilDecided` wraps a part and is one itself: which trials come next is a pure function of those that are finished, so
resuming, or printing the table, finds the same looks in the store. Who judged the plain preset first and looks on only
because it was inconclusive has spent 5 % there already: the two together are wrong with probability at most 10 %.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace

from checks.evidence.check import Check
from checks.evidence.part import Part
from checks.records.preset import Placement, Preset
from checks.records.rows import Row
from checks.sampling.rounds import finished
from checks.statistics.verdict import Judgement, Verdict
from sim.trial import Trial, TrialSpec
from theory.claim import Axis, Claim

LOOKS = 5
"""Most looks; the last has 16 times the replicates of the first."""


@dataclass(frozen=True, kw_only=True)
class UntilDecided(Part):
    """A part looked at until all its rows are decided.

    Attributes:
        part: what is measured and how it is judged.
        claim: whose rows decide.
        preset: whose sweeps the first look has.
        budget_seconds: trial seconds that the part may cost in all; a look expected to exceed it is not begun.
    """

    part: Part
    claim: Claim
    preset: Preset
    budget_seconds: float

    def specs(self, preset: Preset) -> list[TrialSpec]:
        """The trials of the first look."""
        return self.part.specs(preset)

    def control_specs(self, preset: Preset) -> list[TrialSpec]:
        """Those of the part: a control is looked at once."""
        return self.part.control_specs(preset)

    def axes(self, claim: Claim) -> Sequence[Axis | None]:
        """Those of the part."""
        return self.part.axes(claim)

    def one_round(self, placement: Placement) -> bool:
        """Whether what is measured depends on no result: never."""
        return False

    def next_round(
        self, preset: Preset, trials: Sequence[Trial], placement: Placement = Placement.GRID
    ) -> list[TrialSpec]:
        """Name the next look's trials, unless all is decided, replicates would not help, or the budget is spent."""
        looks = list(self._looks(_by_key(trials)))
        if looks and not self._goes_on(looks, trials):
            return []
        return look(self.part, preset, len(looks)).specs(preset)

    def rows(
        self, claim: Claim, preset: Preset, trials: Mapping[str, Trial], placement: Placement = Placement.GRID
    ) -> list[Row]:
        """Judge the looks that are complete; one under way is no reason to hide what those before it say."""
        from sim.store.store import key

        found = finished(trials)
        looks = list(self._looks(found))
        controls = [found[name] for name in map(key, self.control_specs(preset)) if name in found]
        if not looks or len(controls) < len(self.control_specs(preset)):
            return self.part.rows(claim, preset, trials, placement)
        return self.part.against_control(self._judged(looks, found), controls)

    def judge(self, claim: Claim, trials: Sequence[Trial]) -> list[Row]:
        """Every row as the first look that decides it has it, or as the last look where none does."""
        found = _by_key(trials)
        return self._judged(list(self._looks(found)), found)

    def _judged(self, looks: Sequence[Sequence[Row]], found: Mapping[str, Trial]) -> list[Row]:
        """The rows of complete looks, the open ones with why they are."""
        seconds = _seconds([found[name] for name in _names(look(self.part, self.preset, len(looks) - 1), self.preset)])
        words = self._open_words(len(looks), seconds)
        rows = _first_decided(looks)
        return [row.saying(words) if may_decide(row.judgement) else row for row in rows]

    def _looks(self, found: Mapping[str, Trial]) -> Iterator[list[Row]]:
        """The rows of every complete look, in order. Where there is no trial to look at, there is no look."""
        for number in range(LOOKS):
            part = look(self.part, self.preset, number)
            names = _names(part, self.preset)
            if not names or not all(name in found for name in names):
                return
            yield part.lines(self.claim, [found[name] for name in names])

    def _goes_on(self, looks: Sequence[Sequence[Row]], trials: Sequence[Trial]) -> bool:
        """Whether another look is allowed, affordable, and would help some row."""
        helps = any(may_decide(row.judgement) for row in _first_decided(looks))
        return helps and len(looks) < LOOKS and 2 * _seconds(trials) <= self.budget_seconds

    def _open_words(self, n_looks: int, seconds: float) -> str:
        """Why a row that replicates would close is still open, after so many looks and trial seconds."""
        if n_looks == LOOKS:
            return "no look is left"
        if 2 * seconds > self.budget_seconds:
            return f"another look would cost {seconds:.0f} s more, beyond the budget of {self.budget_seconds:.0f} s"
        return f"go on with: theoremeter run {self.claim.id} --preset {self.preset} --until-decided"


def look(part: Part, preset: Preset, number: int) -> Part:
    """A part with 2^number times the replicates, judged at its share of the error. The first look is number 0."""
    sweeps = tuple(replace(sweep, replicates=sweep.replicates * 2**number) for sweep in part.sweeps_at(preset))
    return replace(part, sweeps={preset: sweeps}, error_share=1 / LOOKS)


def first_decided(judgements: Sequence[Judgement]) -> int:
    """Which of the looks counts: the first that is decided, or that replicates cannot decide; else the last."""
    return next((i for i, judgement in enumerate(judgements) if not may_decide(judgement)), len(judgements) - 1)


def may_decide(judgement: Judgement) -> bool:
    """Whether a judgement is open and more replicates at the same points are expected to close it."""
    plan = judgement.plan
    return (
        judgement.verdict is Verdict.INCONCLUSIVE and plan is not None and plan.n_points <= max(judgement.n_points, 1)
    )


def _first_decided(looks: Sequence[Sequence[Row]]) -> list[Row]:
    """Each row of the look that counts for it."""
    rows = []
    for stages in zip(*looks, strict=True):
        number = first_decided([row.judgement for row in stages])
        words = f"look {number + 1} of at most {LOOKS}, {100 * 0.05 / LOOKS:.2g} % error each"
        rows.append(stages[number].saying(words))
    return rows


def _names(part: Part, preset: Preset) -> list[str]:
    """Keys of a part's trials, each once, in order."""
    from sim.store.store import key

    return list(dict.fromkeys(map(key, part.specs(preset))))


def _by_key(trials: Sequence[Trial]) -> dict[str, Trial]:
    from sim.store.store import key

    return {key(trial.spec): trial for trial in trials}


def _seconds(trials: Sequence[Trial]) -> float:
    return sum(trial.seconds for trial in trials)


def until_decided(check: Check, preset: Preset, *, budget_seconds: float) -> Check:
    """The check with every part that more replicates can decide looked at until decided.

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
            part=part,
            claim=check.claim,
            preset=preset,
            budget_seconds=budget_seconds,
        )
        if repeated(part)
        else part
        for part in check.parts
    )
    return Check(check.claim, parts)
