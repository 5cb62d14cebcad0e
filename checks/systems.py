"""The simulators that checks and the command line know, by name. Importing this imports none of them."""

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
SHALLOW_VIT_GRADIENTS = System(
    "shallow_vit_gradients",
    "sim.shallow_vit.probes:measure_gradients",
    ("sim.shallow_vit.data", "sim.shallow_vit.model", "sim.shallow_vit.gradients", "sim.shallow_vit.probes"),
)
LUCKY_NEURONS = System(
    "lucky_neurons", "sim.shallow_vit.probes:count_lucky_neurons", ("sim.shallow_vit.probes", "sim.validation")
)
SPATIAL_VIT_REDUCED = System("spatial_vit_reduced", "sim.spatial_vit.reduced:simulate_reduced", ("sim.spatial_vit",))
SPATIAL_VIT = System("spatial_vit", "sim.spatial_vit.training:simulate_full", ("sim.spatial_vit",))
SPATIAL_VIT_GRADIENTS = System(
    "spatial_vit_gradients", "sim.spatial_vit.gradients:measure_gradients", ("sim.spatial_vit",)
)
SPATIAL_VIT_STEPS = System("spatial_vit_steps", "sim.spatial_vit.steps:measure_steps", ("sim.spatial_vit",))

SYSTEMS = (
    SHALLOW_VIT,
    SHALLOW_VIT_GRADIENTS,
    LUCKY_NEURONS,
    SPATIAL_VIT_REDUCED,
    SPATIAL_VIT,
    SPATIAL_VIT_GRADIENTS,
    SPATIAL_VIT_STEPS,
)
