"""Levels of success other than section 4.1's test hinge below 1e-3, for the same trials.

A trial stores its test hinge and its test error, so whether a threshold belongs to the level costs no training. A test
hinge of exactly zero is rarer than any of them; an error of zero on a few hundred test samples is the weakest.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping

from sim.trials.trial import Trial


def hinge_below_a_hundredth(trial: Trial) -> bool:
    """Whether the mean test hinge is below 1e-2."""
    return trial.number("test_hinge") < 1e-2


def no_test_error(trial: Trial) -> bool:
    """Whether no test sample is on the wrong side."""
    return trial.number("test_error") == 0


OTHER_LEVELS: Mapping[str, Callable[[Trial], bool]] = {
    "test hinge < 1e-2": hinge_below_a_hundredth,
    "test error 0": no_test_error,
}
"""By the words of a reason."""
