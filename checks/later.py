"""What takes long to load and is not needed before something is judged: each is imported when it is first used.

Claims are listed and explained from the catalogue, and building that must not pay for numpy, scipy or torch. So the
modules that it consists of, which are those of evidence and of papers, take them from here, at their top:

    from checks.later import np, rules

and import nothing in their functions.
"""

from __future__ import annotations

import importlib
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from typing import Any

    import numpy as np
    import torch
    from scipy import special, stats

    from checks.sampling import adaptive_design
    from checks.statistics import (
        behaviour_rules,
        bound_rules,
        comparisons,
        estimates,
        hidden_constants,
        laws,
        means,
        slope_rules,
    )
    from checks.statistics import judge as rules
    from theory.asymptotics import exponents, local_slopes
    from theory.checker import replay as replaying
    from theory.prover import certify as certifying
    from theory.prover import records as proof_records
    from theory.prover.existence import certify as existence
else:

    class _Later:
        """A module that is imported when something of it is asked for."""

        def __init__(self, name: str) -> None:
            self._name = name

        def __getattr__(self, name: str) -> Any:
            return getattr(importlib.import_module(self._name), name)

    np, torch = _Later("numpy"), _Later("torch")
    special, stats = _Later("scipy.special"), _Later("scipy.stats")
    adaptive_design = _Later("checks.sampling.adaptive_design")
    behaviour_rules = _Later("checks.statistics.behaviour_rules")
    bound_rules = _Later("checks.statistics.bound_rules")
    comparisons = _Later("checks.statistics.comparisons")
    estimates = _Later("checks.statistics.estimates")
    hidden_constants = _Later("checks.statistics.hidden_constants")
    laws = _Later("checks.statistics.laws")
    means = _Later("checks.statistics.means")
    rules = _Later("checks.statistics.judge")
    slope_rules = _Later("checks.statistics.slope_rules")
    exponents, local_slopes = _Later("theory.asymptotics.exponents"), _Later("theory.asymptotics.local_slopes")
    replaying, proof_records = _Later("theory.checker.replay"), _Later("theory.prover.records")
    certifying, existence = _Later("theory.prover.certify"), _Later("theory.prover.existence.certify")

__all__ = [
    "adaptive_design",
    "behaviour_rules",
    "bound_rules",
    "certifying",
    "comparisons",
    "estimates",
    "existence",
    "exponents",
    "hidden_constants",
    "laws",
    "local_slopes",
    "means",
    "np",
    "proof_records",
    "replaying",
    "rules",
    "slope_rules",
    "special",
    "stats",
    "torch",
]
