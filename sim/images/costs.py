"""How long a GPU works on a trial of the papers' own image data, guessed before anybody has run one.

From the arithmetic of the networks and from a step's least time of about 20 ms, a quarter of it for AutoAugment; not
timed. Stand-ins train small networks on the CPU in seconds and take no GPU.
"""

from __future__ import annotations

from collections.abc import Mapping

from sim.images.sets.published import NAMES
from sim.trials.trial import Parameters

_SECONDS_A_STEP: Mapping[str, float] = {"vit5": 0.015, "vit7": 0.037, "vit-tiny": 0.26}
"""On one data-centre GPU; all other networks take `_ANOTHER`."""
_ANOTHER = 0.021


def scenes(parameters: Parameters) -> float:
    """Of `image_scenes`: a training or two, and the ones that they begin with."""
    if parameters.get("objects") not in NAMES:
        return 0.0
    trainings = 1 + bool(parameters.get("beside") or parameters.get("kept_by") == "attention")
    starts = sum(bool(parameters.get(name)) for name in ("start_on", "beside_start_on"))
    steps = trainings * float(parameters["steps"]) + starts * float(parameters.get("start_steps", 0))
    return steps * _seconds_a_step(parameters)


def training(parameters: Parameters) -> float:
    """Of a trial that trains one network."""
    return float(parameters["steps"]) * _seconds_a_step(parameters) if parameters.get("dataset") in NAMES else 0.0


def pair(parameters: Parameters) -> float:
    """Of a trial that trains two."""
    return 2 * training(parameters)


def _seconds_a_step(parameters: Parameters) -> float:
    is_by_pixel_pairs = parameters.get("patch_size", 2) == 2 or parameters["network"] != "vit7"
    return _SECONDS_A_STEP.get(str(parameters["network"]), _ANOTHER) if is_by_pixel_pairs else _ANOTHER
