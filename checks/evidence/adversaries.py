"""Adversaries by default: systems that every measured statement of a paper is put to, without its check asking.

A paper declares them once, as `adversaries` beside the `symbols` of its translation. Each statement with a criterion
that one run can meet is put to all that replace its simulator, but for those that the part declares itself, by their
words, and for those that it is spared, with the reason, which the line says. What a statement grants to one it is put
to all the same, and where that meets it the headline is consistent, no more.
"""

from __future__ import annotations

import itertools
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING

from checks.evidence.control import Control, Controlled
from checks.records.preset import Preset
from sim.trials.sweep import Sweep, systems_in
from sim.trials.trial import Parameters, System, TrialSpec
from theory.claim import Claim, Role

if TYPE_CHECKING:
    from checks.evidence.part import Part

RUNS = 5
"""Runs of each adversary of a statement, as many as most controls have that a check declares."""


@dataclass(frozen=True)
class Adversary:
    """A system that a statement about a simulator should exclude: an untrained network, labels at random.

    Attributes:
        words: what it is, for the line.
        of: the simulator whose statements are put to it.
        change: parameters that it has instead of those of the judged runs.
        instead: the simulator that runs it, where that is another one.
        at: where its runs stand, for parameters that the judged runs have: where statements are easiest to meet.
    """

    words: str
    of: System
    change: Parameters = field(default_factory=dict)
    instead: System | None = None
    at: Parameters = field(default_factory=dict)

    def control(self, part: Controlled) -> Control | None:
        """Its runs for a part; None where the part has no runs of the simulator, or is about this very system.

        Where the part repeats its settings under other seeds, or `at` is where they stand, they are the last setting's,
        else those of its last settings, a run each: what draws nothing ends one setting alike every time.
        """
        preset, specs = _smallest(part, self.of)
        if preset is None:
            return None
        system, last = self.instead or self.of, specs[-1].parameters
        if system == self.of and all(last.get(name) == value for name, value in self.change.items()):
            return None
        is_repeated = any(spec.replicate for spec in specs) or any(name in last for name in self.at)
        points = tuple(map(self._placed, specs[-1:] if is_repeated else specs))
        distinct = tuple(point for i, point in enumerate(points) if point not in points[:i])
        return Control(self.words, {preset: (Sweep(system, distinct, {}, RUNS if is_repeated else 1),)})

    def _placed(self, spec: TrialSpec) -> Parameters:
        placed = {name: value for name, value in self.at.items() if name in spec.parameters}
        return {**spec.parameters, **placed, **self.change}


def _smallest(part: Controlled, system: System) -> tuple[Preset | None, list[TrialSpec]]:
    """The last of the part's trials of a simulator, `RUNS` or fewer, at the smallest preset that has any trials."""
    for preset in Preset:
        specs = part.specs(preset)
        if len(specs):
            backward = (specs[place] for place in reversed(range(len(specs))))
            its = (spec for spec in backward if spec.system == system) if system in systems_in(specs) else ()
            found = [*itertools.islice(its, RUNS)][::-1]
            return (preset, found) if found else (None, [])
    return None, []


def put_to(claim: Claim, parts: Iterable[Part], adversaries: Iterable[Adversary]) -> tuple[Part, ...]:
    """The parts of a claim, statements with the adversaries of their paper beside those that they declare."""
    adversaries = tuple(adversaries)

    def with_all(part: Part) -> Part:
        if not (part.is_measured and part.role_in(claim) is Role.STATEMENT and part.has_criterion):
            return part
        declared = {control.words for control in part.controls} | set(part.spared)
        found = (adversary.control(part) for adversary in adversaries if adversary.words not in declared)
        more = tuple(
            replace(control, allowed=part.granted.get(control.words, "")) for control in found if control is not None
        )
        return replace(part, adversaries=(*part.adversaries, *more)) if more else part

    return tuple(map(with_all, parts))


def unknown(parts: Iterable[Part], adversaries: Iterable[Adversary]) -> Iterator[str]:
    """What is wrong with the adversaries that parts are spared or grant: their paper declares none of these words."""
    known = {adversary.words for adversary in adversaries}
    for part in parts:
        for name, words in (*(("spared", one) for one in part.spared), *(("granted", one) for one in part.granted)):
            if words not in known:
                yield f"{name} must name adversaries of the paper, got {words!r} for part {part.name!r}"
