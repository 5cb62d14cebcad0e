"""Simulators that are wrong on purpose, to see whether the evidence notices."""

from __future__ import annotations

from collections.abc import Iterator
from unittest.mock import patch

from theoremeter import Fault, Preset

from . import simulators


def unscaled():
    """No spike: every coordinate has variance 1."""
    right = simulators.drawn

    def wrong(n_draws, dimension, n_samples, spike, entries, generator):
        return right(n_draws, dimension, n_samples, 1.0, entries, generator)

    return patch.object(simulators, "drawn", wrong)


def halved():
    """Only half of the samples, though all are counted: the mean of squares is divided by too many."""
    right = simulators.drawn

    def wrong(n_draws, dimension, n_samples, spike, entries, generator):
        x = right(n_draws, dimension, n_samples, spike, entries, generator)
        x[..., n_samples // 2 :] = 0
        return x

    return patch.object(simulators, "drawn", wrong)


def of_signs():
    """Signs in place of Gaussian entries."""
    right = simulators.drawn

    def wrong(n_draws, dimension, n_samples, spike, entries, generator):
        return right(n_draws, dimension, n_samples, spike, "signs", generator)

    return patch.object(simulators, "drawn", wrong)


def two_percent_more():
    """A spike that is two percent larger than asked for."""
    right = simulators.drawn

    def wrong(n_draws, dimension, n_samples, spike, entries, generator):
        return right(n_draws, dimension, n_samples, 1.02 * spike, entries, generator)

    return patch.object(simulators, "drawn", wrong)


def every_other(index: int, trial: object) -> bool:
    """Half of the trials, which is enough to show a gross fault."""
    del trial
    return index % 2 == 0


def faults() -> Iterator[Fault]:
    """Each with the part that must notice it."""
    at_quick = {"preset": Preset.QUICK, "keep": every_other}
    yield Fault("no spike", "spiked.smallest", "spike 0.1, p = n / 4", planted=unscaled, **at_quick)
    yield Fault("half of the samples", "spiked.edge", "spikes 1 and 1.2, p = n / 4", planted=halved, **at_quick)
    law = "spiked.normal", "Gaussian, spike 4"
    yield Fault("signs for Gaussian entries", *law, planted=of_signs, preset=Preset.QUICK)
    yield Fault("no spike", "spiked.transition", "p = n / 4", planted=unscaled, **at_quick)
    yield Fault(
        "two percent more",
        "spiked.outlier",
        "spikes 2.5 and 4, p = n / 4",
        planted=two_percent_more,
        equivalent="it moves the limits by less than 2 %, where 5 % are allowed",
    )
