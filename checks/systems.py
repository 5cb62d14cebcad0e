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
_SPATIAL_VIT_DATA = ("sim.spatial_vit.data", "sim.spatial_vit.setting", "sim.spatial_vit.partition_bounds")
SPATIAL_VIT_ORACLE = System(
    "spatial_vit_oracle",
    "sim.spatial_vit.partition_bounds:measure_oracle",
    ("sim.spatial_vit.partition_bounds",),
    uses_torch=False,
)
SPATIAL_VIT_PARTITION_FREE = System(
    "spatial_vit_partition_free",
    "sim.spatial_vit.partition_free:simulate_partition_free",
    (*_SPATIAL_VIT_DATA, "sim.spatial_vit.partition_free"),
)
SPATIAL_VIT_TRANSFER = System(
    "spatial_vit_transfer",
    "sim.spatial_vit.transfer:simulate_transfer",
    (
        *_SPATIAL_VIT_DATA,
        "sim.spatial_vit.expectation",
        "sim.spatial_vit.fourier",
        "sim.spatial_vit.model",
        "sim.spatial_vit.population",
        "sim.spatial_vit.reduced",
        "sim.spatial_vit.training",
        "sim.spatial_vit.transfer",
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
)
