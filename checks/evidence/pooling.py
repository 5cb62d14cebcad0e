"""Trials of several settings that are judged together, and whether one setting by itself says the contrary.

A rate or a mean over all trials of a sweep is that of the mixture that its author chose. "For every n" is a claim on
each of them, and a setting at which it fails may hide among others. So what holds of all together is open where one
setting alone is against it, each at its share of the error [Bonferroni].
"""

from __future__ import annotations

from collections.abc import Callable, Sequence

from checks.records.many_trials import by_setting
from checks.statistics.explanation import Clause, Topic
from checks.statistics.policy import ErrorPolicy
from checks.statistics.verdict import PASSING, Judgement, Verdict
from sim.trials.trial import Trial


def places(trials: Sequence[Trial]) -> list[str]:
    """Trials of several settings by the parameters in which these differ; one alone by all of its parameters."""
    asked = [trial.spec.parameters for trial in trials]
    differing = [name for name in asked[0] if len({repr(one.get(name)) for one in asked}) > 1] or list(asked[0])
    return [", ".join(f"{name} = {one.get(name)}" for name in differing) for one in asked]


def held_by_each(
    judgement: Judgement,
    trials: Sequence[Trial],
    alone: Callable[[Sequence[Trial], float], Judgement],
    *,
    confidence: float,
) -> Judgement:
    """The judgement of all trials together, open where it is for the claim and one setting alone is against it.

    Args:
        trials: those that were judged, of any settings.
        alone: the judgement of the trials of one setting, at a confidence.
        confidence: shared among the settings.
    """
    groups = by_setting(trials)
    if judgement.verdict not in PASSING or len(groups) < 2:
        return judgement
    each = ErrorPolicy(confidence).each_of(len(groups))
    found = [alone(group, each) for group in groups]
    failing = [i for i, one in enumerate(found) if one.verdict is Verdict.VIOLATED]
    if not failing:
        return judgement
    name, one = places([group[0] for group in groups])[failing[0]], found[failing[0]]
    said = one.explanation.decision.clauses[0].text if one.explanation.decision.clauses else str(one.verdict)
    words = f"holds of all {len(groups)} settings together, violated by {len(failing)} alone: at {name}, {said}"
    more = "; judge each by a part of its own, or the claim as one on the mixture"
    clause = Clause(Topic.SETTING, words + more, {"settings": len(groups), "failing": len(failing)})
    return judgement.withdrawn(Verdict.INCONCLUSIVE, clause)
