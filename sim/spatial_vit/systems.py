"""The simulators of the spatial ViT, by name. Importing this imports none of them."""

from sim.trials.trial import System

_READOUTS = "sim.spatial_vit.readouts"

SPATIAL_VIT_REDUCED = System(
    "spatial_vit_reduced",
    "sim.spatial_vit.reduced.dynamics:simulate_reduced",
    readouts=(f"{_READOUTS}.path_at_end", f"{_READOUTS}.path_phases"),
    curves=(f"{_READOUTS}.state_along", f"{_READOUTS}.path_along"),
    cost="sim.spatial_vit.costs:REDUCED",
    typical_seconds=0.2,
)
SPATIAL_VIT_STEPS = System(
    "spatial_vit_steps",
    "sim.spatial_vit.reduced.steps:measure_steps",
    typical_seconds=0.1,
)
SPATIAL_VIT_DIAGONAL = System(
    "spatial_vit_diagonal",
    "sim.spatial_vit.reduced.diagonal:compare_diagonals",
    readouts=(f"{_READOUTS}.diagonals",),
    curves=(f"{_READOUTS}.diagonals_along",),
    typical_seconds=0.2,
)
SPATIAL_VIT_EVENTS = System(
    "spatial_vit_events",
    "sim.spatial_vit.reduced.events:follow_events",
    readouts=(f"{_READOUTS}.events_at_end", f"{_READOUTS}.path_phases"),
    curves=(f"{_READOUTS}.state_along",),
    typical_seconds=0.4,
)
SPATIAL_VIT_ENCODINGS = System(
    "spatial_vit_encodings",
    "sim.spatial_vit.sampled.encodings:sample_logits",
    typical_seconds=0.002,
)
SPATIAL_VIT = System(
    "spatial_vit",
    "sim.spatial_vit.sampled.training:simulate_full",
    readouts=(f"{_READOUTS}.full_at_end",),
    curves=(f"{_READOUTS}.full_along", f"{_READOUTS}.full_maps"),
    cost="sim.spatial_vit.costs:FULL",
    typical_seconds="sim.spatial_vit.costs:full_seconds",
)
SPATIAL_VIT_GRADIENTS = System(
    "spatial_vit_gradients",
    "sim.spatial_vit.sampled.gradients:measure_gradients",
    typical_seconds=0.05,
)
SPATIAL_VIT_ORACLE = System(
    "spatial_vit_oracle",
    "sim.spatial_vit.baselines.partition_bounds:measure_oracle",
    uses_torch=False,
    typical_seconds=0.003,
)
SPATIAL_VIT_PARTITION_FREE = System(
    "spatial_vit_partition_free",
    "sim.spatial_vit.baselines.partition_free:simulate_partition_free",
    repeats=True,
    typical_seconds=0.04,
)
SPATIAL_VIT_TRANSFER = System(
    "spatial_vit_transfer",
    "sim.spatial_vit.sampled.transfer:simulate_transfer",
    readouts=(f"{_READOUTS}.transfer_at_end",),
    curves=(f"{_READOUTS}.transfer_along",),
    cost="sim.spatial_vit.costs:TRANSFER",
    typical_seconds=0.08,
)
LINEAR_ATTACKS = System(
    "linear_attacks",
    "sim.spatial_vit.baselines.linear_models:attack_labelling",
    typical_seconds=0.07,
)
STRUCTURE_FREE = System(
    "structure_free",
    "sim.spatial_vit.baselines.structure:build_transformers",
    typical_seconds=0.1,
)
STRUCTURE_FREE_SEARCH = System(
    "structure_free_search",
    "sim.spatial_vit.baselines.structure:search_structureless",
    typical_seconds=0.2,
)
SAMPLED_DATA = System(
    "sampled_data",
    "sim.spatial_vit.sampled.probes:measure_data",
    typical_seconds=0.02,
)
LABELLING_ERROR = System(
    "labelling_error",
    "sim.spatial_vit.sampled.probes:measure_labelling",
    repeats=True,
    typical_seconds=0.03,
)
INITIAL_OUTPUTS = System(
    "initial_outputs",
    "sim.spatial_vit.sampled.probes:measure_start",
    typical_seconds=0.002,
)
GAUSSIAN_PATCHES = System(
    "gaussian_patches",
    "sim.spatial_vit.baselines.gaussian_patches:simulate_gaussian_patches",
    readouts=(f"{_READOUTS}.patches_at_end",),
    curves=(f"{_READOUTS}.patches_along",),
    cost="sim.spatial_vit.costs:GAUSSIAN_PATCHES",
    typical_seconds=0.9,
)
