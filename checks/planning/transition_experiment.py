"""The experiment behind a transition: the fitted sequences nearest to its place, made up again, and others between."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import ClassVar

import numpy as np

from checks.evidence.comparison import sane
from checks.evidence.family import shared_by
from checks.evidence.transitions import Transition
from checks.planning.limit_experiment import LimitExperiment
from checks.planning.power import Array, Experiment, Truth
from checks.records.rows import Row
from checks.statistics.explanation import Topic
from checks.statistics.limits import MIN_SIZES, extrapolate, is_silent, places_needed, size_means, transition_verdict
from checks.statistics.verdict import Judgement, Plan, Verdict
from sim.trials.trial import Trial
from theory.claim import Claim

AS_SEEN = math.nan
"""In place of a transition's place: every sequence tends to where it was seen to."""


@dataclass(frozen=True, kw_only=True, eq=False)
class TransitionExperiment(Experiment):
    """Sequences of means at growing sizes, one for each value of a parameter.

    Those nearest to the claimed place are made up, and those that are open or violated; the others, which hold, are
    taken to hold on. A value that nobody measured follows its measured neighbour on the same side of the place. Nearer
    to a transition sequences creep, so that what is planned for them is the least that may do.

    Attributes:
        made_up: by value of the parameter, those now and those to come.
        held: values whose sequences hold, farther out.
        claimed, within: the place, and how narrowly it is to be enclosed.
        level: what the limit reaches beyond it.
    """

    n_simulations: ClassVar[int] = 100
    made_up: Mapping[float, LimitExperiment]
    held: tuple[float, ...]
    claimed: float
    within: float
    level: float

    def truths(self) -> tuple[tuple[str, tuple[Truth, ...]], ...]:
        """The limits as seen, and the claim's place: right, and wrong by one value of the parameter."""
        fits, misses = frozenset({Verdict.HOLDS}), frozenset({Verdict.VIOLATED})
        beyond = min(value for value in self.made_up if value > self.claimed)
        as_seen = all(self._is_right(value, self._limit(value, AS_SEEN)) for value in self.made_up)
        return (
            ("limits as seen", (Truth("as seen", AS_SEEN, fits if as_seen else misses),)),
            (
                "the place",
                (
                    Truth("right", self.claimed, fits),
                    Truth(f"beyond {beyond:g}", math.nextafter(beyond, math.inf), misses),
                ),
            ),
        )

    def judge(self, size: Plan, truth: Truth, generator: np.random.Generator) -> Judgement:
        """Each sequence through the limit rule, and all of them through that of transitions."""
        said = dict.fromkeys(self.held, Verdict.HOLDS)
        for value, sequence in self.made_up.items():
            own = replace(truth, value=self._limit(value, truth.value))
            said[value] = sequence.judge(size, own, generator).verdict
        return Judgement(transition_verdict(said, self.claimed, self.within))

    def _is_right(self, value: float, limit: float) -> bool:
        return abs(limit) < self.made_up[value].tolerance if value < self.claimed else limit >= self.level

    def _limit(self, value: float, place: float) -> float:
        """Where the sequence of a value goes if the transition is at a place."""
        sequence = self.made_up[value]
        if math.isnan(place):
            return sequence.truths()[0][1][0].value if sequence.relation == "tight" else sequence.found.value
        return 0.0 if value < place else max(sequence.found.value, self.level + 2 * sequence.tolerance)

    @property
    def n_settings(self) -> int:
        """Values of the parameter."""
        return len(self.made_up) + len(self.held)

    def grid(self, n_points: int) -> Array:
        """Sizes now and as many doublings as asked for, in logarithms."""
        return self._first.grid(n_points)

    @property
    def first_points(self) -> int:
        """As many as now."""
        return self._first.first_points

    @property
    def max_points(self) -> int:
        """A few doublings."""
        return self._first.max_points

    @property
    def least(self) -> Plan:
        """The smallest size that the rule judges."""
        return self._first.least

    @property
    def _first(self) -> LimitExperiment:
        return next(iter(self.made_up.values()))


def of_part(part: Transition, claim: Claim, row: Row, trials: Sequence[Trial]) -> Experiment | str:
    """The experiment of the sequences nearest to the place, or why there is none."""
    if part.noiseless:
        return "its values have no noise: replicates change nothing, larger sizes or values nearer to the place would"
    told = row.judgement.explanation
    clauses = [clause for topic in (Topic.FINDING, Topic.SETTING, Topic.SHORTAGE) for clause in told.about(topic)]
    places = [figure for clause in clauses if isinstance(figure := clause.figures.get("claimed"), float)]
    if not places:
        return "no transition could be looked for: " + row.judgement.reason
    claimed = places[0]
    groups = part.sequences(trials)
    values: dict[float, list[tuple[float, list[float]]]] = {}
    for ((value, size), group), point in zip(groups.items(), row.points, strict=True):  # both in one order
        seen = [trial.number(part.observable) for trial in sane(group)]
        if seen and point.in_regime is not False and value != claimed:
            values.setdefault(value, []).append((size, seen))
    low, high = max(v for v in values if v < claimed), min(v for v in values if v > claimed)
    between = places_needed(low, high, claimed, part.within)
    policy = part.policy.of_family(shared_by(part, claim))
    policy = policy.of_family(policy.family * (len(values) + len(between)))
    found = {value: _sequence(part, value < claimed, points) for value, points in values.items()}
    if lost := [value for value, one in found.items() if one is None]:
        return f"no limit could be extrapolated at {part.moving} = {lost[0]:g}: {row.judgement.reason}"
    fitted = {value: replace(one, policy=policy) for value, one in found.items() if one is not None}
    now = {value: one.now() for value, one in fitted.items()}
    silent = {value for value, one in fitted.items() if one.means.is_exact}
    inner = {low, high} - silent
    made_up = {v: one for v, one in fitted.items() if v in inner or now[v] is not Verdict.HOLDS}
    made_up |= {value: fitted[low if value < claimed else high] for value in between}
    sizes = [one.size for one in fitted.values()]
    every = ", ".join(f"{value:.4g}" for value in sorted({*values, *between}))
    return TransitionExperiment(
        size=Plan(min(one.n_points for one in sizes), min(one.n_replicates for one in sizes)),
        unit=f"replicates a size at each {part.moving.replace('_', ' ')} of {every}",
        made_up=dict(sorted(made_up.items())),
        held=tuple(value for value in fitted if value not in made_up),
        claimed=claimed,
        within=part.within,
        level=part.level,
    )


def _sequence(part: Transition, is_below: bool, points: Sequence[tuple[float, list[float]]]) -> LimitExperiment | None:
    """One value's sequence with what the rule asks of it; None where it has no limit yet."""
    sizes, samples = zip(*points, strict=True)
    silent = is_below and part.range is None and is_silent(samples, part.tolerance)
    means = size_means(sizes, [[0.0] for _ in sizes] if silent else samples, exact=silent, span=part.range)
    if len(means.size) < MIN_SIZES or min(map(len, samples)) < 2 or means.is_constant:
        return None
    levels = part.policy.violation_confidence, part.policy.equivalence_confidence
    found = extrapolate(means, *levels, rate=part.rate)
    if found is None:
        return None
    asked: dict = {"claimed": 0.0} if is_below else {"claimed": part.level + part.tolerance, "relation": "lower"}
    size = Plan(len(means.size), min(map(len, samples)))
    asked |= {"means": means, "found": found, "tolerance": part.tolerance, "rate": part.rate}
    return LimitExperiment(size=size, unit="replicates a size", **asked)
