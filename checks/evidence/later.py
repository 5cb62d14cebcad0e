"""What takes long to load and is not needed before something is judged: each is imported when it is first used.

Claims are listed and explained from the catalogue, and building that must not pay for numpy, scipy or torch. So the
modules that it consists of, which are those of evidence and of papers, take them from here, at their top:

    from checks.evidence.later import np, rules

and import nothing in their functions.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from theoremeter.later import Later

if TYPE_CHECKING:
    import numpy as np
    import torch
    from scipy import special, stats

    from checks.sampling import adaptive_design
    from checks.search import designs
    from checks.search import search as law_searches
    from checks.statistics import (
        bound_trend,
        comparisons,
        distances,
        estimates,
        laws,
        means,
        order_rules,
        value_rules,
    )
    from checks.statistics import judge as rules
    from sim.spatial_vit.network import labelling, lattice
    from sim.spatial_vit.network import setting as network_setting
    from theory.asymptotics import exponents, local_slopes
    from theory.checker import replay as replaying
    from theory.intervals import arithmetic as interval_arithmetic
    from theory.intervals import balls
    from theory.intervals import programs as interval_programs
    from theory.kernel import compiled as compiled_proofs
    from theory.prover import certify as certifying
    from theory.prover import drawn_points
    from theory.prover import prove as typed_lists
    from theory.prover import records as proof_records
    from theory.prover.existence import certify as existence
    from theory.prover.lengths import drawn as drawn_lists
    from theory.prover.lengths import question as list_questions
else:
    np, torch = Later("numpy"), Later("torch")
    designs, law_searches = Later("checks.search.designs"), Later("checks.search.search")
    special, stats = Later("scipy.special"), Later("scipy.stats")
    adaptive_design = Later("checks.sampling.adaptive_design")
    bound_trend = Later("checks.statistics.bound_trend")
    comparisons = Later("checks.statistics.comparisons")
    distances = Later("checks.statistics.distances")
    estimates = Later("checks.statistics.estimates")
    laws = Later("checks.statistics.laws")
    means = Later("checks.statistics.means")
    rules = Later("checks.statistics.judge")
    order_rules, value_rules = Later("checks.statistics.order_rules"), Later("checks.statistics.value_rules")
    labelling, lattice = Later("sim.spatial_vit.network.labelling"), Later("sim.spatial_vit.network.lattice")
    network_setting = Later("sim.spatial_vit.network.setting")
    exponents, local_slopes = Later("theory.asymptotics.exponents"), Later("theory.asymptotics.local_slopes")
    interval_arithmetic = Later("theory.intervals.arithmetic")
    balls, interval_programs = Later("theory.intervals.balls"), Later("theory.intervals.programs")
    compiled_proofs = Later("theory.kernel.compiled")
    replaying, proof_records = Later("theory.checker.replay"), Later("theory.prover.records")
    certifying, existence = Later("theory.prover.certify"), Later("theory.prover.existence.certify")
    typed_lists, drawn_lists = Later("theory.prover.prove"), Later("theory.prover.lengths.drawn")
    list_questions, drawn_points = Later("theory.prover.lengths.question"), Later("theory.prover.drawn_points")

__all__ = [
    "adaptive_design",
    "balls",
    "bound_trend",
    "certifying",
    "comparisons",
    "designs",
    "distances",
    "drawn_lists",
    "drawn_points",
    "estimates",
    "existence",
    "exponents",
    "interval_arithmetic",
    "interval_programs",
    "labelling",
    "lattice",
    "law_searches",
    "laws",
    "list_questions",
    "local_slopes",
    "means",
    "network_setting",
    "np",
    "order_rules",
    "proof_records",
    "replaying",
    "rules",
    "special",
    "stats",
    "torch",
    "value_rules",
]
