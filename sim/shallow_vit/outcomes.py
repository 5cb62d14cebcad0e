"""Names of the ways in which a training fails, read off what its trial keeps.

An outcome says how a training stopped. These names say what became of one that did not succeed, so that a table can
tell a network that memorised from one that never learned. They are worked out when a trial is read, from observables
and curves that it has anyhow: no stored trial changes. A training may have several names, or none.

| name | criterion |
|---|---|
| frozen softmax | attention was trained, and no recorded attention mass ever moved by more than `MOVED` |
| uniform attention | at the end the odds that a query attends to a label-relevant token are those of even attention |
| memorised | zero training hinge, and a test that failed |
| hinge not falling | not finished, and the last half's mean hinge is not below `FALLEN` times the first |

"Even" means within `EVEN_LOG_ODDS` in the logarithm, over all queries and over label-relevant ones. A name is given
only where the trial has what its criterion reads, and at least `LEAST_RECORDS` records where that is a curve. The
numbers were stated before any trial of a protocol was looked at. [li2023, section 4.1 for success]
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping
from typing import TYPE_CHECKING

from sim.trials.trial import Outcome, Trial

if TYPE_CHECKING:
    import numpy as np

FROZEN, UNIFORM, MEMORISED, NOT_FALLING = "frozen softmax", "uniform attention", "memorised", "hinge not falling"
NAMES = (FROZEN, UNIFORM, MEMORISED, NOT_FALLING)

MOVED = 1e-3
"""An attention mass that stays this near to its start has not moved."""
EVEN_LOG_ODDS = 0.25
"""Orthonormal features start at log odds of 1, even attention has 0; probes of 16 samples scatter by about 0.1."""
FALLEN = 0.9
"""A mean hinge below this share of the first has fallen."""
_MASSES = ("mass_label_relevant", "mass_confusion", "mass_other", "mass_own_query", "mass_worst_query")
LEAST_RECORDS = 5
"""Below it a run is too short to say what moved: controls train one step."""


def names_of(trial: Trial) -> tuple[str, ...] | None:
    """Names of how a training failed, in the order of `NAMES`; None where it succeeded, () where it diverged."""
    if trial.result.outcome in (Outcome.DIVERGED, Outcome.FAILED):
        return ()
    return None if has_succeeded(trial) else tuple(_names(trial))


def has_succeeded(trial: Trial) -> bool:
    """Whether the test was passed; where there is none, whether the training set is fitted."""
    seen = trial.result.observables
    return bool(seen.get("success", seen.get("train_hinge_zero", False)))


def _names(trial: Trial) -> Iterator[str]:
    seen, curves = trial.result.observables, trial.result.curves
    if is_frozen(trial):
        yield FROZEN
    if attends_evenly(trial):
        yield UNIFORM
    if seen.get("train_hinge_zero") is True and "success" in seen:
        yield MEMORISED
    if seen.get("train_hinge_zero") is False and _is_long(curves, "hinge") and not _falls(curves):
        yield NOT_FALLING


def is_frozen(trial: Trial) -> bool:
    """Whether attention was trained and none of the recorded masses ever left its start."""
    move = largest_move(trial)
    return move is not None and move <= MOVED and bool(trial.spec.parameters.get("train_attention", True))


def largest_move(trial: Trial) -> float | None:
    """The farthest that a recorded attention mass went from its start; None where too few records were kept."""
    curves = trial.result.curves
    names = [name for name in _MASSES if name in curves] + [name for name in curves if name.startswith("mass_layer_")]
    masses = [curves[name] for name in names]
    if not masses or len(masses[0]) < LEAST_RECORDS:
        return None
    return max(float(abs(mass - mass[0]).max()) for mass in masses)


def attends_evenly(trial: Trial) -> bool:
    """Whether at the end label-relevant tokens have the share of attention that they have of the tokens."""
    seen, curves = trial.result.observables, trial.result.curves
    share = seen.get("realised_label_relevant_fraction", trial.spec.parameters.get("label_relevant_fraction"))
    names = ("mass_label_relevant", "mass_own_query")
    if not isinstance(share, int | float) or not 0 < share < 1 or not all(_is_long(curves, name) for name in names):
        return False
    ends = [float(curves[name][-1]) for name in names]
    return all(0 < end < 1 and abs(_log_odds(end) - _log_odds(share)) <= EVEN_LOG_ODDS for end in ends)


def _log_odds(share: float) -> float:
    return math.log(share / (1 - share))


def _is_long(curves: Mapping[str, np.ndarray], name: str) -> bool:
    return name in curves and len(curves[name]) >= LEAST_RECORDS


def _falls(curves: Mapping[str, np.ndarray]) -> bool:
    steps, hinge = curves["step"], curves["hinge"]
    known = hinge == hinge  # the last record has no batch after it
    late = hinge[known & (steps >= steps[-1] / 2)]
    return len(late) > 0 and float(late.mean()) < FALLEN * float(hinge[known][0])
