"""Measured against claimed: the one place that callers take verdicts from.

Every rule lives in a module named for what it judges and is exported here: orders in `checks.statistics.order_rules`
and `checks.statistics.slope_rules` (both by the Delta rule, `checks.statistics.delta_rule`), the other kinds of claim
in the modules named below.
"""

from __future__ import annotations

from checks.statistics.arguments import signed_log_axis
from checks.statistics.behaviour_rules import judge_behaviour, judge_identity, judge_path_behaviour, judge_sufficient
from checks.statistics.bound_rules import judge_attempts, judge_exact, judge_explicit, judge_fraction
from checks.statistics.comparisons import judge_paired
from checks.statistics.hidden_constants import profile_constants, profiled_choice, spared_within
from checks.statistics.laws import OffsetPower, fit_offset_power
from checks.statistics.limit_rule import judge_limit
from checks.statistics.order_rules import (
    fitted_exponent,
    judge_joint,
    judge_rise,
    judge_scaling,
    judge_thresholds,
    judge_unspecified,
)
from checks.statistics.slope_rules import judge_range, judge_rates

__all__ = [
    "OffsetPower",
    "fit_offset_power",
    "fitted_exponent",
    "judge_attempts",
    "judge_behaviour",
    "judge_exact",
    "judge_explicit",
    "judge_fraction",
    "judge_identity",
    "judge_joint",
    "judge_limit",
    "judge_paired",
    "judge_path_behaviour",
    "judge_range",
    "judge_rates",
    "judge_rise",
    "judge_scaling",
    "judge_sufficient",
    "judge_thresholds",
    "judge_unspecified",
    "profile_constants",
    "profiled_choice",
    "signed_log_axis",
    "spared_within",
]
