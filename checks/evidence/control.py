"""Controls: runs that must fail a part's criterion, because a criterion that they meet decides nothing."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace

from checks.evidence.no_numbers import without_number
from checks.evidence.swept import BySize, Swept, sweeps_for
from checks.records.preset import Preset
from checks.records.rows import Row
from checks.statistics.explanation import Clause, Topic
from checks.statistics.verdict import PASSING, Verdict
from sim.trials.sweep import Specs
from sim.trials.trial import Outcome, Trial, TrialSpec
from theory.claim import Claim


@dataclass(frozen=True)
class Control:
    """Runs that must fail a part's criterion: an untrained network, shuffled labels, a planted fault.

    A criterion that the control meets decides nothing: where the claim meets it too, that is uninformative.
    """

    words: str
    """What the runs are, for the line."""
    sweeps: BySize
    """The runs by preset, as those of a part."""
    by_rule: bool = False
    """Whether the part's own rule judges the runs as a line, instead of each run by the criterion of success: of a
    bound it is the curve that another system may meet as well."""
    allowed: str = ""
    """Why the statement does not exclude the system (a place in the paper): that it meets the criterion as well is then
    said beside the headline, which is then consistent, no more."""
    asserted: str = ""
    """Where the paper claims the same of the system (a place in the paper): it is no adversary then, and that it meets
    the criterion is told and takes nothing from the line."""

    def specs(self, preset: Preset) -> Sequence[TrialSpec]:
        """Its trials at a preset."""
        return Specs(sweep.specs() for sweep in sweeps_for(preset, self.sweeps))


@dataclass(frozen=True, kw_only=True)
class Controlled(Swept):
    """What may have a control beside its trials: then `met_by` says what the control must fail."""

    control: Control | None = None
    """Runs that must fail the criterion; None for none."""
    adversaries: tuple[Control, ...] = ()
    """Other systems that the statement should exclude: labels at random, frozen attention where it is trained."""
    spared: Mapping[str, str] = field(default_factory=dict)
    """Adversaries of the paper (`checks.evidence.adversaries`) that the statement is not put to, with the reasons."""

    granted: Mapping[str, str] = field(default_factory=dict)
    """Adversaries of the paper that the statement does not exclude, with the places in it (`Control.allowed`)."""

    @property
    def has_criterion(self) -> bool:
        """Whether one run can meet the part's criterion of success."""
        return type(self).met_by is not Controlled.met_by

    @property
    def controls(self) -> tuple[Control, ...]:
        """All that must fail the criterion."""
        return (*(() if self.control is None else (self.control,)), *self.adversaries)

    def control_specs(self, preset: Preset) -> Sequence[TrialSpec]:
        """The trials of all controls; none where the part has no trials at this preset."""
        if not self.controls or not self.specs(preset):
            return []
        return Specs(control.specs(preset) for control in self.controls)

    def met_by(self, trial: Trial) -> bool | None:
        """Whether one trial meets the part's criterion of success; None where the part, or the trial, has none."""
        return None

    @property
    def rate_asked(self) -> float:
        """Share of the trials that must meet the criterion of success."""
        return 0.5

    def against_control(
        self,
        rows: list[Row],
        trials: Sequence[Trial],
        preset: Preset,
        judge: Callable[[Claim, Sequence[Trial]], Sequence[Row]],
    ) -> list[Row]:
        """The rows, with what each control did, and without what a control that meets the criterion takes from them.

        Args:
            judge: the part's own rule, for controls that it judges.
        """
        rows = [row.adding(limits=tuple(self._spared_words())) for row in rows] if self.spared else rows
        for control in self.controls:
            own = {spec.identity for spec in control.specs(preset)}
            met = [trial for trial in trials if trial.spec.identity in own]
            if control.by_rule:
                found = judge(without_regime(rows[0].claim), met) if rows and met else []
                rows = [held_against_line(row, control, found) for row in rows]
                continue
            lost, met = without_number(self, met)
            ended = [trial for trial in met if trial.result.outcome != Outcome.DIVERGED]
            shown = [shows for trial in ended if (shows := self.met_by(trial)) is not None]
            n_diverged = len(met) - len(ended)
            rows = held_against(rows, control, shown, n_diverged=n_diverged, n_lost=len(lost), rate=self.rate_asked)
        return rows

    def _spared_words(self) -> Iterator[Clause]:
        for words, reason in self.spared.items():
            yield Clause(Topic.REMARK, f"not put to {words}: {reason}")


def held_against(
    rows: Sequence[Row], control: Control, shown: Sequence[bool], *, n_diverged: int, n_lost: int = 0, rate: float
) -> list[Row]:
    """The rows with what the control did; where it meets the criterion in `rate` of its runs, or in half, none holds.

    A claim that is met as well is then uninformative. One that fails what the control meets is inconclusive, as is one
    whose control shows nothing.

    Args:
        shown: whether each run of the control meets the criterion.
        n_diverged: runs besides. A diverged run fails every criterion and shows nothing, so it does not count.
        n_lost: runs besides that gave NaN where the criterion asks for a number, and show nothing.
    """
    met = sum(shown)
    words = f"control ({control.words}): meets the criterion in {met} of {len(shown)} runs"
    words += f", {n_diverged} more diverged" if n_diverged else ""
    words += f", {n_lost} more gave no number (NaN)" if n_lost else ""
    told = [replace(row, protocol=replace(row.protocol, control=_joined(row.protocol.control, words))) for row in rows]
    if shown and met < min(0.5, rate) * len(shown):
        return told
    if control.asserted and shown:
        return [_asserted(row, control, f"{met} of {len(shown)}") for row in told]
    if control.allowed and shown:
        return [_allowed(row, control, f"{met} of {len(shown)}") for row in told]
    also = f"also met by {control.words}, {met} of {len(shown)}" if shown else words
    failed = Clause(Topic.CONTROL, f"{also}, so the criterion decides nothing", {"met": met, "runs": len(shown)})
    return [row if row.verdict is Verdict.NO_CLAIM else row.withdrawn(_left(row, shown), failed) for row in told]


def held_against_line(row: Row, control: Control, judged: Sequence[Row]) -> Row:
    """The row with what its own rule says of a control's runs; where that speaks for the claim too, it tells nothing.

    Args:
        judged: the control's runs as the rule judged them, a row an axis.
    """
    found = next((other for other in judged if other.axis == row.axis), None)
    if found is None:
        return row
    figure = "" if found.judgement.delta is None else f", Δ {found.judgement.delta:+.2f}"
    words = f"control ({control.words}): {found.verdict} by the same rule{figure}"
    told = replace(row, protocol=replace(row.protocol, control=_joined(row.protocol.control, words)))
    if found.verdict not in PASSING or row.verdict not in PASSING or row.verdict is Verdict.NO_CLAIM:
        return told
    if control.asserted:
        return _asserted(told, control, f"{found.verdict}{figure}")
    if control.allowed:
        return _allowed(told, control, f"{found.verdict}{figure}")
    also = f"also met by {control.words}, {found.verdict}{figure}, so the criterion decides nothing"
    return told.withdrawn(Verdict.UNINFORMATIVE, Clause(Topic.CONTROL, also))


def _allowed(row: Row, control: Control, words: str) -> Row:
    """The row, which says that another system meets the criterion as well, and why that takes nothing from it."""
    also = f"{control.words} ({words})"
    told = row.adding(limits=(Clause(Topic.REMARK, f"also met by {also}: {control.allowed}"),))
    return replace(told, protocol=replace(told.protocol, also_met=(*told.protocol.also_met, also)))


def _asserted(row: Row, control: Control, words: str) -> Row:
    """The row, which says that a system meets the criterion of which the paper claims the same."""
    claimed = f"so does {control.words} ({words}), as the paper claims: {control.asserted}"
    return row.adding(limits=(Clause(Topic.REMARK, claimed),))


def _left(row: Row, shown: Sequence[bool]) -> Verdict:
    """What a verdict is worth beside a control that meets the criterion, or that shows nothing."""
    if row.verdict is Verdict.UNINFORMATIVE or (shown and row.verdict in PASSING):
        return Verdict.UNINFORMATIVE
    return Verdict.INCONCLUSIVE


def without_regime(claim: Claim) -> Claim:
    """The claim as it is judged outside its hypotheses."""
    return replace(claim, regime=())


def _joined(*words: str) -> str:
    return "; ".join(filter(None, words))
