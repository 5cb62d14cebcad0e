"""What the readouts of a proof's training share: quantities of its proof, by look, each made once a run."""

from __future__ import annotations

from collections.abc import Sequence

import torch

from sim.shallow_vit import proof_quantities as read
from sim.shallow_vit.course import ProofRun
from sim.shallow_vit.data import Samples
from sim.shallow_vit.model import Weights
from sim.shallow_vit.points import TokenPoints, outputs
from sim.trials.readouts import once

_MARGIN_SAMPLES = 8
_MOST_ENTRIES = 1 << 18  # of an array over looks, samples, points and neurons: two megabytes, which stay in a cache


def is_recorded(run: ProofRun) -> bool:
    """Whether there is anything to read: not where the first step was the last, for an output beyond reason."""
    return bool(run.looks.looks) and run.looks.tally is not None


def of_values(run: ProofRun) -> read.Quantities:
    """The drift of value vectors, and what of it no sum has."""
    lucky = torch.stack([look.lucky for look in run.looks.snapshots])
    every = torch.stack([look.every for look in run.looks.snapshots])
    return read.value_drift(once(course_of, run).value, lucky, every - lucky, directions=run.directions)


def of_neurons(run: ProofRun) -> read.Quantities:
    """Projections of neurons."""
    return read.neuron_projections(once(course_of, run).hidden, run.directions, run.looks.groups)


def event_of(run: ProofRun) -> torch.Tensor:
    """Neurons that the proof of Lemma 3 counts, at each look [T, m, 2]."""
    return read.closest_by_a_margin(once(angles_of, run), run.errors.value)


def angles_of(run: ProofRun) -> torch.Tensor:
    """Angles of neurons to features, at each look [T, m, M]."""
    return read.angles(once(course_of, run).hidden, run.directions)


def kept_of(run: ProofRun) -> read.Quantities:
    """Shares of the groups that are lucky still."""
    return read.shares_kept(once(angles_of, run), run.looks.groups, run.errors.value)


def kept_in_event_of(run: ProofRun) -> read.Quantities:
    """Shares of the neurons of the event that are in it still."""
    event = once(event_of, run)
    return read.shares_kept_in_event(event, event[0], run.looks.groups)


def lucky_in_event_of(run: ProofRun) -> read.Quantities:
    """Shares of the planted groups that are in the event."""
    return read.shares_in_event(once(event_of, run), run.looks.groups)


def course_of(run: ProofRun) -> Weights:
    """The weights of all looks."""
    return _stacked([look.weights for look in run.looks.looks])


def _stacked(course: Sequence[Weights]) -> Weights:
    """Trained matrices with the looks as their first axis."""
    names = ("hidden", "value", "key", "query")
    stacked = {name: torch.stack([getattr(weights, name) for weights in course]) for name in names}
    return Weights(**stacked, output=course[0].output)


def of_samples(run: ProofRun) -> read.Quantities:
    """Margins, feature lengths and attention on the probe at each look."""
    return _of_samples(once(course_of, run), run.probe, run.errors.query)


def _of_samples(course: Weights, probe: Samples, error: float) -> read.Quantities:
    """Margins, feature lengths and attention on the probe at each look."""
    shown, few = TokenPoints.of(_distinct(probe), course.output), TokenPoints.of(probe[:_MARGIN_SAMPLES], course.output)
    scoring, lengths = course.key.transpose(1, 2) @ course.query, read.feature_lengths(course.query, course.key)
    parts = []
    for chosen in torch.arange(len(scoring)).split(max(1, _MOST_ENTRIES // few.output_sums.numel())):
        margins = few.labels * outputs(few, scoring[chosen], course.hidden[chosen] @ course.value[chosen])
        own = {name: values[chosen] for name, values in lengths.items()}
        against = read.attention_against_bounds(shown, scoring[chosen], own, error)
        parts.append({"margin": margins.mean(1), "margin_least": margins.amin(1), **own, **against})
    return {name: torch.cat([part[name] for part in parts]) for name in parts[0]}


def of_fresh_samples(run: ProofRun) -> read.Quantities:
    """Mean and least margin at each look on samples that were not trained on.

    The order of a sample's tokens is uniform, whatever they are, so that one in another order is a fresh sample: those
    of the probe with their tokens moved on by one to four fifths of the length.
    """
    course, probe = once(course_of, run), run.probe[:_MARGIN_SAMPLES]
    length = probe.tokens.shape[1]
    margins = []
    for fifths in range(1, 5):
        moved = torch.arange(length).roll(fifths * length // 5)
        fresh = Samples(probe.tokens[:, moved], probe.labels, probe.patterns[:, moved])
        points = TokenPoints.of(fresh, course.output)
        scoring = course.key.transpose(1, 2) @ course.query
        chunks = torch.arange(len(scoring)).split(max(1, _MOST_ENTRIES // points.output_sums.numel()))
        found = [outputs(points, scoring[chosen], course.hidden[chosen] @ course.value[chosen]) for chosen in chunks]
        margins.append(fresh.labels * torch.cat(found))
    every = torch.cat(margins, dim=1)
    return {"margin_fresh": every.mean(1), "margin_fresh_least": every.amin(1)}


def probe_at_end(run: ProofRun) -> tuple[TokenPoints, torch.Tensor]:
    """The distinct samples of the probe, and W_K^T W_Q at the last look [1, d, d]."""
    course = once(course_of, run)
    shown = TokenPoints.of(_distinct(run.probe), course.output)
    return shown, (course.key.transpose(1, 2) @ course.query)[-1:]


def _distinct(probe: Samples) -> Samples:
    """One sample of each label where those of a label differ in nothing but the order of their tokens."""
    counts = torch.nn.functional.one_hot(probe.patterns).sum(1)
    chosen = []
    for label in (1.0, -1.0):
        of_label = (probe.labels == label).nonzero().flatten()
        if bool((counts[of_label] != counts[of_label[:1]]).any()):
            return probe
        chosen.append(of_label[:1])
    is_exact = bool((probe.tokens.square().sum(-1) == 1).all())
    return probe[torch.cat(chosen)] if is_exact else probe
