"""The simulators of the shallow ViT, by name. Importing this imports none of them."""

from sim.trial import System

_ENDINGS = "sim.shallow_vit.outcomes:names_of"

SHALLOW_VIT = System(
    "shallow_vit",
    "sim.shallow_vit.training:simulate",
    engine="sim.engine_setting:signature",
    endings=_ENDINGS,
)
SHALLOW_VIT_GRADIENTS = System("shallow_vit_gradients", "sim.shallow_vit.probes:measure_gradients")
LUCKY_NEURONS = System("lucky_neurons", "sim.shallow_vit.probes:count_lucky_neurons")
PROOF_COURSE = System(
    "proof_course",
    "sim.shallow_vit.course:follow_proof",
    engine="sim.engine_setting:signature",
    endings=_ENDINGS,
)
MEAN_FRACTION = System("mean_fraction", "sim.shallow_vit.fractions:measure_mean_fraction")
SHALLOW_VIT_TOKENS = System(
    "shallow_vit_tokens",
    "sim.shallow_vit.sparsification:simulate_tokens",
    engine="sim.engine_setting:signature",
    endings=_ENDINGS,
)
SHALLOW_VIT_NETWORK = System("shallow_vit_network", "sim.shallow_vit.variants:simulate_network", endings=_ENDINGS)
INITIAL_WEIGHTS = System("initial_weights", "sim.shallow_vit.initial:measure_initial")
LOCAL_NETWORK = System("local_network", "sim.shallow_vit.local:simulate_local", endings=_ENDINGS)
SHALLOW_VIT_HEADS = System("shallow_vit_heads", "sim.shallow_vit.variants:compare_heads")
SHALLOW_VIT_SKIP_GRADIENTS = System("shallow_vit_skip_gradients", "sim.shallow_vit.skip:measure_skip_gradients")
