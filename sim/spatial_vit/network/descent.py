"""What descents of this folder share: when one has diverged, and at which steps it is looked at."""

from __future__ import annotations

import numpy as np

DIVERGED_RISK = 1e6
"""Risk above which a run counts as diverged; the risk of the zero network is log 2."""


def record_grid(first: float, last: float, n_records: int) -> np.ndarray:
    """Zero and `n_records` logarithmically spaced times from `first` to `last`, [n_records + 1]."""
    return np.concatenate([[0.0], np.geomspace(min(first, last), last, n_records)])


def record_steps(n_steps: int, n_records: int) -> np.ndarray:
    """Distinct steps nearest to a logarithmic grid, 0 and `n_steps` included."""
    return np.unique(np.round(record_grid(1.0, n_steps, n_records)).astype(np.int64))
