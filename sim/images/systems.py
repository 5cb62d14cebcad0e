"""The simulators on images, by name. Importing this imports none of them."""

from sim.trial import System

_DEVICE = "sim.images.device:signature"
_LIBRARIES = ("torch", "numpy", "scipy", "pillow")
"""Pillow decodes pictures; another version may round otherwise."""

_SUMS = ("objects_sha256", "test_objects_sha256", "backgrounds_sha256", "test_backgrounds_sha256")
IMAGE_SCENES = System(
    "image_scenes",
    "sim.images.scene_training:simulate_scenes",
    engine=_DEVICE,
    libraries=_LIBRARIES,
    needs="sim.images.published:lacking",
    observables=(
        "accuracy", "success", "alpha", "n_test", "stand_in", "beside_accuracy", "beside_alpha", *_SUMS,
    ),
)  # fmt: skip
