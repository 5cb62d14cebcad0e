"""The simulators that checks and the command line know, by name. Importing this imports none of them.

A system's sources are every module that it imports, directly or not, and no more: one too few would let a changed
simulator reuse old trials, one too many makes trials stale that nothing changed. A test compares the list with the
imports.
"""

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
SPATIAL_VIT_ENCODINGS = System(
    "spatial_vit_encodings", "sim.spatial_vit.encodings:sample_logits", ("sim.spatial_vit.encodings",)
)
_SAMPLED = (*_REDUCED, "sim.spatial_vit.labelling", "sim.spatial_vit.empirical", "sim.spatial_vit.training")
SPATIAL_VIT = System("spatial_vit", "sim.spatial_vit.training:simulate_full", _SAMPLED)
SPATIAL_VIT_GRADIENTS = System(
    "spatial_vit_gradients",
    "sim.spatial_vit.gradients:measure_gradients",
    (*_SAMPLED, "sim.spatial_vit.gradients"),
)

SYSTEMS = (
    SHALLOW_VIT,
    SHALLOW_VIT_GRADIENTS,
    LUCKY_NEURONS,
    SPATIAL_VIT_REDUCED,
    SPATIAL_VIT,
    SPATIAL_VIT_GRADIENTS,
    SPATIAL_VIT_STEPS,
    SPATIAL_VIT_DIAGONAL,
    SPATIAL_VIT_ENCODINGS,
)
