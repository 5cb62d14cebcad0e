"""Claims that an argument of a paper uses together: they are judged in one regime, or their headlines say otherwise.

Three events that a theorem chains hold together only where they hold for the same runs: one horizon, one order of
limits, the same data. So each of them has a statement line at the same settings. What holds under other ones alone is a
reading, whose name says which.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

from checks.evidence.part import Part
from checks.evidence.validation import Stated
from checks.records.preset import Preset
from sim.trials.sweep import settings_in
from sim.trials.trial import Scalar, TrialSpec
from theory.claim import Role

Settings = frozenset[frozenset[tuple[str, Scalar]]]
"""What trials are asked, without how they are computed."""


@dataclass(frozen=True)
class Siblings:
    """The claims of one argument."""

    claims: tuple[str, ...]
    """Their ids, that of the check itself among them."""
    place: str
    """Where the paper uses them together."""
    computed_by: tuple[str, ...] = ()
    """Parameters that say how a run is computed or recorded, and nothing of what it is a run of."""

    def settings_of(self, part: Part, preset: Preset) -> Settings:
        """What the trials of a part are asked at a preset; a parameter at its default is not asked."""
        return frozenset(map(self._asked, settings_in(part.specs(preset))))

    def _asked(self, spec: TrialSpec) -> frozenset[tuple[str, Scalar]]:
        defaults = spec.system.completed({})
        return frozenset(
            (name, value)
            for name, value in spec.parameters.items()
            if name not in self.computed_by and defaults.get(name) != value
        )

    def shared(self, checks: Iterable[Stated], preset: Preset) -> frozenset[Settings]:
        """The settings at which every sibling has a statement line; empty where there are none, or a sibling lacks."""
        by_claim = {
            check.claim.id: {
                self.settings_of(part, preset)
                for part in check.parts
                if part.is_measured and part.role is Role.STATEMENT and part.specs(preset)
            }
            for check in checks
        }
        return frozenset.intersection(*(frozenset(by_claim.get(name, ())) for name in self.claims))
