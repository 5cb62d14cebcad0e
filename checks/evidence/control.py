"""Controls: runs that must fail a part's criterion, because a criterion that they meet decides nothing."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

from checks.evidence.swept import BySize, Swept, sweeps_for
from checks.records.preset import Preset
from checks.records.rows import Row
from checks.statistics.explanation import Clause, Topic
from checks.statistics.verdict import Verdict
from sim.trials.trial import Outcome, Trial, TrialSpec


@dataclass(frozen=True)
class Control:
    """Runs that must fail a part's criterion: an untrained network, shuffled labels, a planted fault.

    A criterion that the control meets decides nothing, and the part's verdict is withdrawn.
    """

    words: str
    """What the runs are, for the line."""
    sweeps: BySize
    """The runs by preset, as those of a part."""


@dataclass(frozen=True, kw_only=True)
class Controlled(Swept):
    """What may have a control beside its trials: then `met_by` says what the control must fail."""

    control: Control | None = None
    """Runs that must fail the criterion; None for none."""

    def control_specs(self, preset: Preset) -> list[TrialSpec]:
        """The trials of the control; none where the part has no trials at this preset."""
        if self.control is None or not self.specs(preset):
            return []
        return [spec for sweep in sweeps_for(preset, self.control.sweeps) for spec in sweep.specs()]

    def met_by(self, trial: Trial) -> bool | None:
        """Whether one trial meets the part's criterion of success; None where the part, or the trial, has none."""
        return None

    @property
    def rate_asked(self) -> float:
        """Share of the trials that must meet the criterion of success."""
        return 0.5

    def against_control(self, rows: list[Row], controls: Sequence[Trial]) -> list[Row]:
        """The rows, withdrawn where the control meets the criterion as often as the part asks."""
        if self.control is None:
            return rows
        ended = [trial for trial in controls if trial.result.outcome != Outcome.DIVERGED]
        shown = [met for trial in ended if (met := self.met_by(trial)) is not None]
        n_diverged = len(controls) - len(ended)
        return held_against(rows, self.control, shown, n_diverged=n_diverged, rate=self.rate_asked)


def held_against(
    rows: Sequence[Row], control: Control, shown: Sequence[bool], *, n_diverged: int, rate: float
) -> list[Row]:
    """The rows with what the control did, withdrawn where it meets the criterion in `rate` of its runs, or in half.

    Args:
        shown: whether each run of the control meets the criterion.
        n_diverged: runs besides. A diverged run fails every criterion and shows nothing, so it does not count.
    """
    met = sum(shown)
    words = f"control ({control.words}): meets the criterion in {met} of {len(shown)} runs"
    words += f", {n_diverged} more diverged" if n_diverged else ""
    told = [replace(row, protocol=replace(row.protocol, control=words)) for row in rows]
    if shown and met < min(0.5, rate) * len(shown):
        return told
    failed = Clause(Topic.CONTROL, f"{words}, so the criterion decides nothing", {"met": met, "runs": len(shown)})
    return [row if row.verdict is Verdict.NO_CLAIM else row.withdrawn(Verdict.INCONCLUSIVE, failed) for row in told]
