"""The simulators on images, by name. Importing this imports none of them."""

from sim.trials.trial import System

_READOUTS = "sim.images.readouts"
_COSTS = "sim.images.costs"
_DEVICE = "sim.images.training.device:signature"
_LIBRARIES = ("torch", "numpy", "scipy", "pillow")
"""Pillow decodes pictures; another version may round otherwise."""

_SUMS = ("objects_sha256", "test_objects_sha256", "backgrounds_sha256", "test_backgrounds_sha256")
IMAGE_SCENES = System(
    "image_scenes",
    "sim.images.experiments.scene_training:simulate_scenes",
    readouts=(f"{_READOUTS}.scenes",),
    engine=_DEVICE,
    libraries=_LIBRARIES,
    needs="sim.images.sets.published:lacking",
    observables=(
        "accuracy", "success", "alpha", "n_test", "stand_in", "beside_accuracy", "beside_alpha", "weights", *_SUMS,
    ), typical_seconds=1.0, gpu_seconds=f"{_COSTS}:scenes",
)  # fmt: skip
_DATA = ("train_sha256", "test_sha256", "weights")
IMAGE_SHUFFLING = System(
    "image_shuffling",
    "sim.images.experiments.shuffling:measure_shuffle",
    readouts=(f"{_READOUTS}.shuffling",),
    engine=_DEVICE,
    libraries=_LIBRARIES,
    needs="sim.images.sets.published:lacking",
    observables=("accuracy_permuted", "accuracy_restored", "chance", "is_restored", "moved", *_DATA),
    typical_seconds=3.0,
    gpu_seconds=f"{_COSTS}:training",
)
IMAGE_ATTENTION = System(
    "image_attention",
    "sim.images.experiments.attention_kinds:compare_attention",
    readouts=(f"{_READOUTS}.attention",),
    engine=_DEVICE,
    libraries=_LIBRARIES,
    needs="sim.images.sets.published:lacking",
    observables=("accuracy_positional", "accuracy_vanilla", "loss_positional", "loss_vanilla", "chance", *_DATA),
    typical_seconds=3.0,
    gpu_seconds=f"{_COSTS}:pair",
)
_LOCALITY = ("locality", "low", "high", "chance", "near_above_cut", "far_above_cut", "similarities")
IMAGE_ENCODINGS = System(
    "image_encodings",
    "sim.images.experiments.encodings:measure_encodings",
    readouts=(f"{_READOUTS}.encodings",),
    curves=(f"{_READOUTS}.encodings_along",),
    engine=_DEVICE,
    libraries=_LIBRARIES,
    needs="sim.images.sets.published:lacking",
    observables=(
        *_LOCALITY, "locality_initial", "locality_shown", "accuracy", "guessing", "initial_similarities", *_DATA,
    ), typical_seconds=5.0, gpu_seconds=f"{_COSTS}:training",
)  # fmt: skip
PRETRAINED_ENCODINGS = System(
    "pretrained_encodings",
    "sim.images.experiments.pretrained_encodings:measure_pretrained",
    needs="sim.images.encodings.weight_files:lacking",
    observables=(*_LOCALITY, "patches", "sha256"),
)
