"""Controls: runs that must fail a part's criterion, because a criterion that they meet decides nothing."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

from checks.evidence.swept import BySize, Swept, sweeps_for
from checks.records.preset import Preset
from checks.records.rows import Row
from checks.statistics.explanation import Clause, Topic
from checks.statistics.verdict import PASSING, Verdict
from sim.trials.trial import Outcome, Trial, TrialSpec


@dataclass(frozen=True)
class Control:
    """Runs that must fail a part's criterion: an untrained network, shuffled labels, a planted fault.

    A criterion that the control meets decides nothing: where the claim meets it too, that is uninformative.
    """

    words: str
    """What the runs are, for the line."""
    sweeps: BySize
    """The runs by preset, as those of a part."""

    def specs(self, preset: Preset) -> list[TrialSpec]:
        """Its trials at a preset."""
        return [spec for sweep in sweeps_for(preset, self.sweeps) for spec in sweep.specs()]


@dataclass(frozen=True, kw_only=True)
class Controlled(Swept):
    """What may have a control beside its trials: then `met_by` says what the control must fail."""

    control: Control | None = None
    """Runs that must fail the criterion; None for none."""
    adversaries: tuple[Control, ...] = ()
    """Other systems that the statement should exclude: labels at random, frozen attention where it is trained."""

    @property
    def controls(self) -> tuple[Control, ...]:
        """All that must fail the criterion."""
        return (*(() if self.control is None else (self.control,)), *self.adversaries)

    def control_specs(self, preset: Preset) -> list[TrialSpec]:
        """The trials of all controls; none where the part has no trials at this preset."""
        if not self.controls or not self.specs(preset):
            return []
        return [spec for control in self.controls for spec in control.specs(preset)]

    def met_by(self, trial: Trial) -> bool | None:
        """Whether one trial meets the part's criterion of success; None where the part, or the trial, has none."""
        return None

    @property
    def rate_asked(self) -> float:
        """Share of the trials that must meet the criterion of success."""
        return 0.5

    def against_control(self, rows: list[Row], trials: Sequence[Trial], preset: Preset) -> list[Row]:
        """The rows, with what each control did, and without what a control that meets the criterion takes from them."""
        for control in self.controls:
            own = {spec.identity for spec in control.specs(preset)}
            met = [trial for trial in trials if trial.spec.identity in own]
            ended = [trial for trial in met if trial.result.outcome != Outcome.DIVERGED]
            shown = [shows for trial in ended if (shows := self.met_by(trial)) is not None]
            rows = held_against(rows, control, shown, n_diverged=len(met) - len(ended), rate=self.rate_asked)
        return rows


def held_against(
    rows: Sequence[Row], control: Control, shown: Sequence[bool], *, n_diverged: int, rate: float
) -> list[Row]:
    """The rows with what the control did; where it meets the criterion in `rate` of its runs, or in half, none holds.

    A claim that is met as well is then uninformative. One that fails what the control meets is inconclusive, as is one
    whose control shows nothing.

    Args:
        shown: whether each run of the control meets the criterion.
        n_diverged: runs besides. A diverged run fails every criterion and shows nothing, so it does not count.
    """
    met = sum(shown)
    words = f"control ({control.words}): meets the criterion in {met} of {len(shown)} runs"
    words += f", {n_diverged} more diverged" if n_diverged else ""
    told = [replace(row, protocol=replace(row.protocol, control=_joined(row.protocol.control, words))) for row in rows]
    if shown and met < min(0.5, rate) * len(shown):
        return told
    also = f"also met by {control.words}, {met} of {len(shown)}" if shown else words
    failed = Clause(Topic.CONTROL, f"{also}, so the criterion decides nothing", {"met": met, "runs": len(shown)})
    return [row if row.verdict is Verdict.NO_CLAIM else row.withdrawn(_left(row, shown), failed) for row in told]


def _left(row: Row, shown: Sequence[bool]) -> Verdict:
    """What a verdict is worth beside a control that meets the criterion, or that shows nothing."""
    if row.verdict is Verdict.UNINFORMATIVE or (shown and row.verdict in PASSING):
        return Verdict.UNINFORMATIVE
    return Verdict.INCONCLUSIVE


def _joined(*words: str) -> str:
    return "; ".join(filter(None, words))
