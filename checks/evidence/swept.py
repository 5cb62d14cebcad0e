"""What a part runs: its sweeps by preset, at once or in rounds, and the parameters that tell its trials apart."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

from checks.records.preset import SMALLER, Placement, Preset
from checks.sampling.rounds import Round
from sim.trials.sweep import Specs, Sweep
from sim.trials.trial import Trial, TrialSpec

BySize = Mapping[Preset, tuple[Sweep, ...]]
"""Sweeps by preset."""


@dataclass(frozen=True, kw_only=True)
class Swept:
    """What has trials of its own."""

    sweeps: BySize = field(default_factory=dict)
    """The trials by preset; a missing preset falls back to the next smaller one, for small evidence is evidence too."""
    cost: str = ""
    """What its trials take (a device, hours, memory) where that is no matter of minutes. Such a part has a line at
    every preset, which says so until it is measured."""

    def sweeps_at(self, preset: Preset) -> tuple[Sweep, ...]:
        """The sweeps of a preset, or of the next smaller one that has any."""
        return sweeps_for(preset, self.sweeps)

    def specs(self, preset: Preset) -> Sequence[TrialSpec]:
        """The trials this part rests on, without its control's."""
        return Specs(sweep.specs() for sweep in self.sweeps_at(preset))

    def trial_count(self, preset: Preset) -> int:
        """How many trials that are."""
        return len(self.specs(preset))

    @property
    def looked_up(self) -> BySize:
        """Sweeps whose names are looked up when a check is loaded: all of them, or an example of those drawn later."""
        return self.sweeps

    @property
    def told_apart(self) -> tuple[str, ...]:
        """Parameters by which trials are sorted and judged together otherwise; none where a part sorts them itself."""
        return ()

    @property
    def grid_parameters(self) -> tuple[str, ...]:
        """Parameters that tell the points of the part's grid apart, its axis and then its sample size."""
        return ()

    @property
    def continued_parameters(self) -> tuple[str, ...]:
        """Parameters along which the part's trials can go on beyond those that are stored."""
        return self.grid_parameters

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
    ) -> Sequence[TrialSpec]:
        """The trials that come next, a pure function of the finished trials of all earlier rounds; none at the end.

        Here, as on every grid: all of them in the first round.
        """
        return [] if trials else self.specs(preset)


def sweeps_for(preset: Preset, by_size: BySize) -> tuple[Sweep, ...]:
    """The sweeps of a preset, or of the next smaller one that has any."""
    return next((by_size[size] for size in (preset, *SMALLER[preset]) if size in by_size), ())


def placement_words(part: Swept, preset: Preset, rounds: Sequence[Round], placement: Placement) -> str:
    """Which of the placements was used, and how many trials it took."""
    count = sum(len(stage.specs) for stage in rounds)
    if part.placed(placement) is Placement.GRID:
        return f"{count} trials placed on the whole grid"
    return f"{count} trials placed adaptively in {len(rounds)} rounds; the grid has {len(part.specs(preset))}"
