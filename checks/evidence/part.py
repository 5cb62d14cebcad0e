"""Evidence for one aspect of a claim: which trials it needs, how they are judged, and what its lines may say.

A `Part` names the trials it needs at a preset, at once or in rounds, and turns them, when finished, into rows of the
table. It sets apart what lies outside the claim's hypotheses, holds back accusations that undetermined points cannot
carry, and withdraws what its control shows to decide nothing. The kinds of evidence are in `checks.evidence.sampled`,
`checks.evidence.trajectories`, `checks.evidence.refutation`, `checks.evidence.open_parts` and `checks.evidence.proofs`.
"""

from __future__ import annotations

import functools
from abc import ABC, abstractmethod
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from enum import StrEnum
from typing import ClassVar, Self

import sympy as sp

from checks.evidence.accusation import farthest_trials, held_back
from checks.evidence.control import Control, held_against
from checks.evidence.endings import counted, words
from checks.evidence.regime import all_met, standing
from checks.evidence.translation import Symbols, letters
from checks.evidence.typed import command
from checks.evidence.unmeasured import at_another_preset, missing_words
from checks.records.preset import SMALLER, Placement, Preset
from checks.records.rows import NOTHING_RUN, Protocol, Row
from checks.records.standing import NOWHERE
from checks.records.stored_trials import blamed
from checks.sampling.rounds import Round, finished_of, walk
from checks.statistics.explanation import Clause, Topic, obstacle
from checks.statistics.policy import DEFAULT_POLICY, ErrorPolicy
from checks.statistics.verdict import Judgement, Verdict
from sim.sweep import Sweep
from sim.trial import Outcome, Trial, TrialSpec
from theory.claim import CHOSEN_ROLES, Axis, Claim, Kind, Met, Path, Role

APART_WORDS = " (outside the hypotheses)"
"""What is added to the name of a part's second line, of the trials outside the hypotheses."""


class Outside(StrEnum):
    """What a part does with trials whose parameters fail a hypothesis of the claim."""

    APART = "apart"
    """They are judged by themselves, on a line of their own."""
    GREYED = "greyed"
    """They stay on the line's picture and take no part in its verdict; a line of its own only where all are outside."""


@dataclass(frozen=True, kw_only=True)
class Part(ABC):
    """Evidence for one aspect of a claim.

    `role` is the author's choice among statement, reading and own question, with `because`, the place in the paper, as
    reason. Trials whose parameters fail a hypothesis of the claim are judged apart, as a line outside; nobody chooses
    that. `symbols` translates a trial's parameters for that purpose: a mapping of parameters to letters, or a function
    (`checks.evidence.translation`); None stands for the paper's own translation.
    `path` says how the parameters move toward a limit where the sweep follows one: only then may points whose
    hypotheses hang on hidden constants speak against the claim. `exempt` names hypotheses that this part leaves out,
    with `because` as reason.

    `sweeps` gives the trials by preset; a missing preset falls back to the next smaller one, because small evidence at
    a large preset is still evidence. Parts that speak of the same statement by different evidence share an `aspect`.
    `note` is what a reader of the row must know about the protocol, among the choices of its explanation. `remark` says
    more of what the trials show, in figures; it is evidence beside the verdict and decides nothing.
    """

    name: str
    note: str = ""
    role: Role = Role.STATEMENT
    because: str = ""
    remark: Callable[[Sequence[Trial]], str] | None = None
    aspect: str = ""
    symbols: Symbols | None = None
    path: Path | None = None
    exempt: tuple[str, ...] = ()
    control: Control | None = None
    sweeps: Mapping[Preset, tuple[Sweep, ...]] = field(default_factory=dict)
    policy: ErrorPolicy = DEFAULT_POLICY
    """The error that this judgement may spend: less where it is one of several interim analyses."""
    cost: str = ""
    """What its trials take where that is no matter of minutes: a device, hours, memory. Such a part has a line at every
    preset, which says so until it is measured."""
    reads_value: ClassVar[bool] = False
    """Whether the claim's value is computed at the trials' points, from their letters alone."""

    def __post_init__(self) -> None:
        if self.is_measured and self.role not in CHOSEN_ROLES:
            allowed = ", ".join(CHOSEN_ROLES)
            raise ValueError(f"role must be one of {allowed}, got {self.role!r} for part {self.name!r}")
        if self.control is not None and type(self).met_by is Part.met_by:
            raise ValueError(f"control must be of a part with a criterion to meet, got one for {self.name!r}")
        if self.exempt and not self.because:
            raise ValueError(f"because must say why part {self.name!r} leaves out {', '.join(self.exempt)}, got none")
        if self.role is not Role.STATEMENT and self.is_measured and not self.because:
            raise ValueError(
                f"because must say why part {self.name!r} is a {self.role} (a place in the paper), got none"
            )

    @property
    def is_measured(self) -> bool:
        """Whether trials of a simulator settle this part; for proofs and derived numbers it is False."""
        return True

    @property
    def has_sampling_error(self) -> bool:
        """Whether more replicates would narrow the answer; proofs, identities and exact dynamics are what they are."""
        return False

    @property
    def grid_parameters(self) -> tuple[str, ...]:
        """Parameters that tell the points of the part's grid apart: its axis, then its sample size."""
        return ()

    @property
    def continued_parameters(self) -> tuple[str, ...]:
        """Parameters along which the part's trials can go on beyond those that are stored."""
        return self.grid_parameters

    def sweeps_at(self, preset: Preset) -> tuple[Sweep, ...]:
        """The sweeps of a preset, or of the next smaller one that has any."""
        return next((self.sweeps[size] for size in (preset, *SMALLER[preset]) if size in self.sweeps), ())

    def specs(self, preset: Preset) -> list[TrialSpec]:
        """The trials this part rests on, without its control's."""
        return [spec for sweep in self.sweeps_at(preset) for spec in sweep.specs()]

    def control_specs(self, preset: Preset) -> list[TrialSpec]:
        """The trials of the control; none where the part has no trials at this preset."""
        if self.control is None or not self.specs(preset):
            return []
        by_size = self.control.sweeps
        sweeps = next((by_size[size] for size in (preset, *SMALLER[preset]) if size in by_size), ())
        return [spec for sweep in sweeps for spec in sweep.specs()]

    @property
    def confidence(self) -> float:
        """Confidence at which this part is judged."""
        return self.policy.interval_confidence

    def under(self, policy: ErrorPolicy) -> Self:
        """The part judged under another policy."""
        return replace(self, policy=policy)

    @property
    def placements(self) -> frozenset[Placement]:
        """How the trials of this part can be placed."""
        return frozenset({Placement.GRID})

    def placed(self, placement: Placement) -> Placement:
        """How the trials are placed where `placement` is asked for: so if the part can, on its grid otherwise."""
        return placement if placement in self.placements else Placement.GRID

    def one_round(self, placement: Placement) -> bool:
        """Whether what is measured depends on no result, so that none needs to be read before."""
        return self.placed(placement) is Placement.GRID

    def next_round(
        self, preset: Preset, trials: Sequence[Trial], placement: Placement = Placement.GRID
    ) -> list[TrialSpec]:
        """The trials that come next, a pure function of the finished trials of all earlier rounds; none at the end.

        Here, as on every grid: all of them in the first round.
        """
        return [] if trials else self.specs(preset)

    def rows(
        self, claim: Claim, preset: Preset, trials: Mapping[str, Trial], placement: Placement = Placement.GRID
    ) -> list[Row]:
        """Judge what the store holds: not measured yet where trials are missing, no row where the preset has none."""
        from sim.store.store import key

        get = functools.partial(finished_of, trials)
        rounds = list(walk(self, preset, placement, get))
        if not rounds:
            return self._unmeasured(claim, at_another_preset(self, claim))
        found = [trial for stage in rounds for trial in stage.found.values()]
        controls = get(self.control_specs(preset))
        lacks_control = len(controls) < len({key(spec) for spec in self.control_specs(preset)})
        if rounds[-1].missing or lacks_control:
            last = rounds[-1]
            failed = sum(name in trials and name not in last.found for name in last.specs)
            words = missing_words(self, claim, preset, rounds, placement, failed=failed)
            if not last.missing:
                words = f"the control is not measured; {command('run', claim.id)} --preset {preset}"
            return self._unmeasured(claim, words, Protocol(len(found)))
        with blamed([*found, *controls.values()], f"{claim.id}, {self.name}"):
            rows = self.against_control(self.lines(claim, found), list(controls.values()))
        if len(self.placements) == 1:
            return rows
        words = self._placement_words(preset, rounds, placement)
        placed = Clause(Topic.PLACEMENT, words, {"trials": sum(len(stage.specs) for stage in rounds)})
        return [row.adding(choices=(placed,)) for row in rows]

    def _unmeasured(self, claim: Claim, words: str, protocol: Protocol = NOTHING_RUN) -> list[Row]:
        """A line for each axis that says why nothing is judged; none where there is nothing to say."""
        judgement = Judgement(Verdict.NOT_MEASURED_YET, obstacle(Topic.UNMEASURED, words))
        role = self.role_in(claim)
        return [
            Row(claim, self.name, judgement, axis, role=role, protocol=protocol, policy=self.policy)
            for axis in self.axes(claim)
            if words
        ]

    # --------------------------------------------------------------------------------------- roles and hypotheses

    def role_in(self, claim: Claim) -> Role:
        """The line's role where its points meet the hypotheses."""
        return Role.OWN_QUESTION if claim.kind is Kind.OPEN else self.role

    @property
    def outside(self) -> Outside:
        """What becomes of trials whose parameters fail a hypothesis."""
        return Outside.APART

    def lines(self, claim: Claim, trials: Sequence[Trial]) -> list[Row]:
        """Judge the trials inside the hypotheses, or where that is open, and apart those outside."""
        whole, claim = claim, replace(claim, regime=self._regime(claim))
        rows = self._lines(claim, trials)
        return [replace(self._with_exempt(row, whole), claim=whole) for row in rows] if self.exempt else rows

    def _lines(self, claim: Claim, trials: Sequence[Trial]) -> list[Row]:
        inside = [trial for trial in trials if self._met(claim, trial) is not Met.NOT_MET]
        if self.outside is Outside.GREYED and inside:
            rows = [self._placed_in_regime(row, claim, inside) for row in self.judge(claim, trials)]
            return self._told_of_endings(rows, claim, trials)
        outside = [trial for trial in trials if self._met(claim, trial) is Met.NOT_MET]
        rows = [self._placed_in_regime(row, claim, inside) for row in self.judge(claim, inside)] if inside else []
        apart = self.judge(without_regime(claim), outside) if outside else []
        name = f"{self.name}{APART_WORDS}" if inside else self.name
        apart = [replace(self._placed_in_regime(row, claim, outside), part=name) for row in apart]
        return self._told_of_endings(rows, claim, inside) + self._told_of_endings(apart, claim, outside)

    def _told_of_endings(self, rows: list[Row], claim: Claim, trials: Sequence[Trial]) -> list[Row]:
        """The rows with how many of their trials failed by which name, where the simulator has names."""
        counts = counted(trials, is_outside=lambda trial: self._met(claim, trial) is Met.NOT_MET)
        said = words(counts, len(trials))
        return [row.adding(evidence=(Clause(Topic.ENDINGS, said, counts),)) for row in rows] if said else rows

    def _regime(self, claim: Claim) -> tuple:
        return tuple(hypothesis for hypothesis in claim.regime if hypothesis.name not in self.exempt)

    def _with_exempt(self, row: Row, claim: Claim) -> Row:
        """The row, whose points are nowhere said to meet a hypothesis that nobody looked at."""
        left_out = frozenset(hypothesis.name for hypothesis in claim.regime if hypothesis.name in self.exempt)
        if not left_out or row.in_regime is not True:
            return row
        shown = tuple(replace(point, in_regime=None if point.in_regime else False) for point in row.points)
        return replace(row, standing=replace(row.standing, left_out=left_out), points=shown)

    def _met(self, claim: Claim, trial: Trial) -> Met:
        return all_met(self._regime(claim), self.point(trial))

    def point(self, trial: Trial) -> Mapping[sp.Symbol, sp.Expr]:
        """A trial's parameters in the paper's symbols; empty where no translation is known."""
        return self.letters(trial.spec)

    def letters(self, spec: TrialSpec) -> Mapping[sp.Symbol, sp.Expr]:
        """What a trial is asked, its simulator's defaults included, in the paper's symbols."""
        return letters(self.symbols, spec)

    def _placed_in_regime(self, row: Row, claim: Claim, trials: Sequence[Trial]) -> Row:
        """The row with its role, where its points stand, and no accusation that they cannot carry."""
        settings = {repr(sorted(trial.spec.parameters.items())): trial for trial in trials}
        points = [self.point(trial) for trial in settings.values()]
        found = standing(self._regime(claim), points, path=self.path) if self._regime(claim) else NOWHERE
        role = self.role_in(claim)
        is_chosen = role in (Role.STATEMENT, Role.READING)
        if found.in_regime is False and is_chosen:
            role = Role.OUTSIDE
        shown = tuple(replace(point, in_regime=found.in_regime if point.in_regime else False) for point in row.points)
        row = replace(row, claim=claim, role=role, standing=found, points=shown)

        def farthest() -> list[Row]:
            return self.judge(claim, farthest_trials(trials, self.path, self.point))

        alone = None if self.judges_limit(claim) else farthest
        return held_back(row, found, farthest=alone, nears_bound=lambda: self.nears_bound(claim, trials))

    def nears_bound(self, claim: Claim, trials: Sequence[Trial]) -> bool:
        """Whether what these trials count comes nearer to what is claimed along the part's path."""
        return False

    def judges_limit(self, claim: Claim) -> bool:
        """Whether the verdict is about a limit already, and not about the points as they stand."""
        return False

    # ------------------------------------------------------------------------------------------------- the control

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

    def _placement_words(self, preset: Preset, rounds: Sequence[Round], placement: Placement) -> str:
        """Which of the placements was used, and how many trials it took."""
        count = sum(len(stage.specs) for stage in rounds)
        if self.placed(placement) is Placement.GRID:
            return f"{count} trials placed on the whole grid"
        return f"{count} trials placed adaptively in {len(rounds)} rounds; the grid has {len(self.specs(preset))}"

    def axes(self, claim: Claim) -> Sequence[Axis | None]:
        """The axes this part judges; one row each."""
        return [None]

    @property
    def kinds(self) -> frozenset[Kind]:
        """Kinds of claim that this part can judge."""
        return frozenset(Kind)

    @abstractmethod
    def judge(self, claim: Claim, trials: Sequence[Trial]) -> list[Row]:
        """Turn the part's finished trials into rows."""


@dataclass(frozen=True, kw_only=True)
class SymbolicPart(Part):
    """Evidence that symbols settle, in one trial that is the same at every preset."""

    claim_id: str

    @property
    def is_measured(self) -> bool:
        """Nothing is measured."""
        return False

    def lines(self, claim: Claim, trials: Sequence[Trial]) -> list[Row]:
        """A formula has no points that could lie outside the hypotheses: they are among its conditions."""
        return [replace(row, role=self.role_in(claim)) for row in self.judge(claim, trials)]


def without_regime(claim: Claim) -> Claim:
    """The claim as it is judged outside its hypotheses."""
    return replace(claim, regime=())
