"""The simulators of the shallow ViT, by name. Importing this imports none of them."""

from dataclasses import replace

from sim.trials.trial import System

_ENDINGS = "sim.shallow_vit.outcomes:names_of"
_READOUTS = "sim.shallow_vit.readouts"

SHALLOW_VIT = System(
    "shallow_vit",
    "sim.shallow_vit.training:simulate",
    engine="sim.engine_setting:signature",
    endings=_ENDINGS,
    readouts=(f"{_READOUTS}.at_end", f"{_READOUTS}.drawn_data"),
    curves=(f"{_READOUTS}.along", f"{_READOUTS}.maps_along"),
    cost="sim.shallow_vit.costs:TRAINING",
    typical_seconds=0.05,
)
SHALLOW_VIT_SHUFFLED = System(
    "shallow_vit_shuffled",
    "sim.shallow_vit.shuffled_training:simulate_shuffled",
    engine="sim.engine_setting:signature",
    endings=_ENDINGS,
    readouts=(f"{_READOUTS}.at_end", f"{_READOUTS}.drawn_data"),
    curves=(f"{_READOUTS}.along", f"{_READOUTS}.maps_along"),
    typical_seconds=0.1,
)
SHALLOW_VIT_GRADIENTS = System(
    "shallow_vit_gradients",
    "sim.shallow_vit.probes:measure_gradients",
    typical_seconds=0.006,
)
LUCKY_NEURONS = System(
    "lucky_neurons",
    "sim.shallow_vit.probes:count_lucky_neurons",
    repeats=True,
    typical_seconds=0.01,
)
PROOF_COURSE = System(
    "proof_course",
    "sim.shallow_vit.course:follow_proof",
    engine="sim.engine_setting:signature",
    endings=_ENDINGS,
    readouts=(f"{_READOUTS}.proof_course",),
    curves=(f"{_READOUTS}.proof_curves", f"{_READOUTS}.proof_maps"),
    typical_seconds=0.08,
)
PROOF_COURSE_SHUFFLED = replace(
    PROOF_COURSE, name="proof_course_shuffled", function="sim.shallow_vit.shuffled_labels:follow_shuffled"
)
MEAN_FRACTION = System(
    "mean_fraction",
    "sim.shallow_vit.fractions:measure_mean_fraction",
    typical_seconds=0.01,
)
SHALLOW_VIT_TOKENS = System(
    "shallow_vit_tokens",
    "sim.shallow_vit.sparsification:simulate_tokens",
    engine="sim.engine_setting:signature",
    endings=_ENDINGS,
    readouts=(f"{_READOUTS}.at_end", f"{_READOUTS}.kept_tokens"),
    curves=(f"{_READOUTS}.along", f"{_READOUTS}.maps_along"),
    typical_seconds=0.2,
)
SHALLOW_VIT_NETWORK = System(
    "shallow_vit_network",
    "sim.shallow_vit.variants:simulate_network",
    endings=_ENDINGS,
    readouts=(f"{_READOUTS}.network_at_end",),
    curves=(f"{_READOUTS}.network_along",),
    typical_seconds=0.1,
)
INITIAL_WEIGHTS = System(
    "initial_weights",
    "sim.shallow_vit.initial:measure_initial",
    repeats=True,
    typical_seconds=0.0006,
)
LOCAL_NETWORK = System(
    "local_network",
    "sim.shallow_vit.local:simulate_local",
    endings=_ENDINGS,
    readouts=(f"{_READOUTS}.local",),
    curves=(f"{_READOUTS}.local_along",),
    typical_seconds=0.06,
)
SHALLOW_VIT_HEADS = System(
    "shallow_vit_heads",
    "sim.shallow_vit.variants:compare_heads",
    readouts=(f"{_READOUTS}.heads",),
    typical_seconds=0.2,
)
SHALLOW_VIT_SKIP_GRADIENTS = System(
    "shallow_vit_skip_gradients",
    "sim.shallow_vit.skip:measure_skip_gradients",
    typical_seconds=0.002,
)
SHALLOW_VIT_PAIRS = System(
    "shallow_vit_pairs",
    "sim.shallow_vit.pairs:simulate_pair",
    engine="sim.engine_setting:signature",
    typical_seconds=0.05,
)
POPULATION_HINGE = System(
    "shallow_vit_population_hinge",
    "sim.shallow_vit.population_hinge:measure_population_hinge",
    engine="sim.engine_setting:signature",
    typical_seconds=0.02,
)
SHALLOW_VIT_DATA = System(
    "shallow_vit_data",
    "sim.shallow_vit.data_model:measure_data",
    typical_seconds=0.002,
)
SHALLOW_VIT_WRITTEN_OUT = System(
    "shallow_vit_written_out",
    "sim.shallow_vit.written_out:measure_model",
    engine="sim.engine_setting:signature",
    typical_seconds=0.04,
)
