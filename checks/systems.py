"""The simulators that checks and the command line know, by name. Importing this imports none of them.

A system's sources are every module that it imports, directly or not, and no more: one too few would let a changed
simulator reuse old trials, one too many makes trials stale that nothing changed. A test compares the list with the
imports.
"""

from checks.classical.systems import SYSTEMS as CLASSICAL
from sim.trial import System

SHALLOW_VIT = System(
    "shallow_vit",
    "sim.shallow_vit.training:simulate",
    (
        "sim.shallow_vit.data",
        "sim.shallow_vit.model",
        "sim.shallow_vit.gradients",
        "sim.shallow_vit.engine",
        "sim.shallow_vit.training",
    ),
    engine="sim.engine_setting:signature",
)
_PROBES = ("sim.shallow_vit.data", "sim.shallow_vit.model", "sim.shallow_vit.gradients", "sim.shallow_vit.probes")
SHALLOW_VIT_GRADIENTS = System("shallow_vit_gradients", "sim.shallow_vit.probes:measure_gradients", _PROBES)
LUCKY_NEURONS = System("lucky_neurons", "sim.shallow_vit.probes:count_lucky_neurons", _PROBES)
_POPULATION = (
    "sim.spatial_vit.setting",
    "sim.spatial_vit.data",
    "sim.spatial_vit.model",
    "sim.spatial_vit.population",
    "sim.spatial_vit.fourier",
    "sim.spatial_vit.fourier_errors",
    "sim.spatial_vit.expectation",
)
"""What an exact expectation of the reduced network rests on."""
_REDUCED = (*_POPULATION, "sim.spatial_vit.phases", "sim.spatial_vit.reduced")

SPATIAL_VIT_REDUCED = System("spatial_vit_reduced", "sim.spatial_vit.reduced:simulate_reduced", _REDUCED)
SPATIAL_VIT_STEPS = System(
    "spatial_vit_steps", "sim.spatial_vit.steps:measure_steps", (*_REDUCED, "sim.spatial_vit.steps")
)
SPATIAL_VIT_DIAGONAL = System(
    "spatial_vit_diagonal", "sim.spatial_vit.diagonal:compare_diagonals", (*_REDUCED, "sim.spatial_vit.diagonal")
)
SPATIAL_VIT_EVENTS = System(
    "spatial_vit_events",
    "sim.spatial_vit.events:follow_events",
    (*_REDUCED, "sim.spatial_vit.events"),
)
SPATIAL_VIT_ENCODINGS = System(
    "spatial_vit_encodings", "sim.spatial_vit.encodings:sample_logits", ("sim.spatial_vit.encodings",)
)
_LATTICE = ("sim.spatial_vit.setting", "sim.spatial_vit.data", "sim.spatial_vit.lattice")
_SAMPLED = (
    *_REDUCED,
    "sim.spatial_vit.lattice",
    "sim.spatial_vit.labelling",
    "sim.spatial_vit.empirical",
    "sim.spatial_vit.training",
)
SPATIAL_VIT = System("spatial_vit", "sim.spatial_vit.training:simulate_full", _SAMPLED)
SPATIAL_VIT_GRADIENTS = System(
    "spatial_vit_gradients",
    "sim.spatial_vit.gradients:measure_gradients",
    (*_SAMPLED, "sim.spatial_vit.gradients"),
)
SPATIAL_VIT_ORACLE = System(
    "spatial_vit_oracle",
    "sim.spatial_vit.partition_bounds:measure_oracle",
    ("sim.spatial_vit.setting", "sim.spatial_vit.lattice", "sim.spatial_vit.partition_bounds"),
    uses_torch=False,
)
SPATIAL_VIT_PARTITION_FREE = System(
    "spatial_vit_partition_free",
    "sim.spatial_vit.partition_free:simulate_partition_free",
    (*_LATTICE, "sim.spatial_vit.partition_bounds", "sim.spatial_vit.partition_free"),
)
SPATIAL_VIT_TRANSFER = System(
    "spatial_vit_transfer",
    "sim.spatial_vit.transfer:simulate_transfer",
    (*_SAMPLED, "sim.spatial_vit.partition_bounds", "sim.spatial_vit.transfer"),
)
LINEAR_ATTACKS = System(
    "linear_attacks",
    "sim.spatial_vit.linear_models:attack_labelling",
    (
        *_LATTICE,
        "sim.spatial_vit.model",
        "sim.spatial_vit.population",
        "sim.spatial_vit.linear_fit",
        "sim.spatial_vit.linear_models",
    ),
)
STRUCTURE_FREE = System(
    "structure_free",
    "sim.spatial_vit.structure:build_transformers",
    (*_LATTICE, "sim.spatial_vit.model", "sim.spatial_vit.adam", "sim.spatial_vit.structure"),
)
STRUCTURE_FREE_SEARCH = System(
    "structure_free_search", "sim.spatial_vit.structure:search_structureless", STRUCTURE_FREE.sources
)
SAMPLED_DATA = System(
    "sampled_data",
    "sim.spatial_vit.probes:measure_data",
    (*_LATTICE, "sim.spatial_vit.model", "sim.spatial_vit.probes"),
)
LABELLING_ERROR = System("labelling_error", "sim.spatial_vit.probes:measure_labelling", SAMPLED_DATA.sources)
INITIAL_OUTPUTS = System("initial_outputs", "sim.spatial_vit.probes:measure_start", SAMPLED_DATA.sources)
GAUSSIAN_PATCHES = System(
    "gaussian_patches",
    "sim.spatial_vit.gaussian_patches:simulate_gaussian_patches",
    (
        "sim.spatial_vit.setting",
        "sim.spatial_vit.data",
        "sim.spatial_vit.model",
        "sim.spatial_vit.adam",
        "sim.spatial_vit.linear_fit",
        "sim.spatial_vit.gaussian_patches",
    ),
)

SYSTEMS = (
    SHALLOW_VIT,
    SHALLOW_VIT_GRADIENTS,
    LUCKY_NEURONS,
    SPATIAL_VIT_REDUCED,
    SPATIAL_VIT,
    SPATIAL_VIT_GRADIENTS,
    SPATIAL_VIT_STEPS,
    SPATIAL_VIT_ORACLE,
    SPATIAL_VIT_PARTITION_FREE,
    SPATIAL_VIT_TRANSFER,
    LINEAR_ATTACKS,
    STRUCTURE_FREE,
    STRUCTURE_FREE_SEARCH,
    SAMPLED_DATA,
    LABELLING_ERROR,
    INITIAL_OUTPUTS,
    GAUSSIAN_PATCHES,
    SPATIAL_VIT_DIAGONAL,
    SPATIAL_VIT_ENCODINGS,
    SPATIAL_VIT_EVENTS,
    *CLASSICAL,
)
