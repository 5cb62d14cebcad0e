"""Which engine fits the structure of a data set, unless one is asked for (see `sim.engine_setting`)."""

from __future__ import annotations

from sim.engine_setting import AUTOMATIC, VARIABLE, numba_is_there, setting
from sim.trials.validation import InvalidParameter

INSANE_OUTPUT = 1e6
"""An output beyond it, or not a number, ends a training as diverged."""
_MOST_AXES = 32  # kernels are compiled for each dimension and unroll over it
_LEAST_GROUP = 2  # tokens of a group on average from which on sharing its gates pays


def choose(*, n_tokens: int, n_groups: int, dimension: int, identical_tokens: bool) -> str:
    """The engine for samples of `n_tokens` tokens in `n_groups` groups, within which they may be identical.

    Raises:
        InvalidParameter: "collapsed" was forced and tokens differ.
    """
    name = setting()
    if name == "collapsed" and not identical_tokens:
        raise InvalidParameter(VARIABLE, "be another where tokens of a pattern differ", name)
    if name != AUTOMATIC:
        return name
    if not numba_is_there() or dimension > _MOST_AXES:
        return "torch"
    if identical_tokens:
        return "collapsed"
    return "grouped" if n_tokens >= _LEAST_GROUP * n_groups else "fused"
