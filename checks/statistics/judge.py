"""Measured against claimed: the one place that callers take verdicts from.

Every rule lives in a module of its own and is exported here: orders with hidden constants in
`checks.statistics.scaling_rule` and `checks.statistics.slope_rules` (both by the Delta rule,
`checks.statistics.delta_rule`), what rises without a formula in
`checks.statistics.rise_rule`, the other kinds of claim in the modules named below.
"""

from __future__ import annotations

from checks.statistics.arguments import signed_log_axis
from checks.statistics.bound_rules import judge_attempts, judge_explicit
from checks.statistics.exact_rule import judge_exact
from checks.statistics.fraction_rule import judge_fraction
from checks.statistics.hidden_constants import profile_constants, profiled_choice, spared_within
from checks.statistics.offset_power import OffsetPower, fit_offset_power
from checks.statistics.order_rule import judge_unspecified
from checks.statistics.paired_rule import judge_paired
from checks.statistics.path_rule import judge_path_behaviour
from checks.statistics.point_rules import judge_behaviour, judge_identity, judge_sufficient
from checks.statistics.rise_rule import fitted_exponent, judge_rise
from checks.statistics.scaling_rule import judge_joint, judge_scaling, judge_thresholds
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
