"""Letters that only number runs: a seed, a date, a line number taken for a letter of the setting.

Settings that differ in such a letter alone are runs of one setting. Taken for settings of their own they stand in both
halves, so that the half that judges has been seen, and chance that belongs to a setting looks like a law. A letter is
taken for a label where leaving it out merges at least half of the settings, the held-out settings bear no power of it
out, and what the law leaves is common to settings that differ in it alone [F test of one-way variance: Fisher 1925].
"""

from __future__ import annotations

import numpy as np
from scipy import special

from checks.search.factors import MeasuredSettings
from checks.search.law import ROUNDING, SearchedLaw
from checks.statistics.policy import PRETEST_LEVEL
from checks.statistics.regression import Array


def label_among(settings: MeasuredSettings, law: SearchedLaw) -> str | None:
    """The letter that most looks like a label; None where none does."""
    left = settings.y - np.log(law.predict(settings.letters))
    if float(np.abs(left).max()) < ROUNDING:
        return None
    found = {name: p for name in settings.letters if (p := _common(settings, name, left)) is not None}
    used = {name for term in law.terms if term.is_borne_out for name in term.factor.letters}
    used |= set(law.logarithm.factor.letters if law.logarithm is not None else ())
    likely = {name: p for name, p in found.items() if p < PRETEST_LEVEL and name not in used}
    return min(likely, key=lambda name: likely[name], default=None)


def _common(settings: MeasuredSettings, name: str, left: Array) -> float | None:
    """p that what is left has no part common to settings that differ in this letter alone; None where few do."""
    others = [values for other, values in settings.letters.items() if other != name]
    if not others:
        return None
    _, twins = np.unique(np.column_stack(others), axis=0, return_inverse=True)
    members = np.bincount(np.ravel(twins))
    if 2 * len(members) > len(left) or len(members) < 2:
        return None
    if settings.claimed is not None and any(
        np.ptp(settings.claimed[twins == twin]) > 0 for twin in range(len(members))
    ):
        return None
    means = np.bincount(np.ravel(twins), left) / members
    between = float(members @ (means - left.mean()) ** 2) / (len(members) - 1)
    within = float(np.sum((left - means[np.ravel(twins)]) ** 2)) / (len(left) - len(members))
    return float(special.fdtrc(len(members) - 1, len(left) - len(members), between / max(within, 1e-300)))
