"""What a trial of each simulator typically costs, for the time left that a run shows before it has measured any.

Mean CPU seconds of a trial at the quick preset on one core of 2023, to one digit. Nothing but their ratios matters, and
those only until trials of the same claim have ended (`sim.running.time_left`). A plan needs more than this and measures
it (`checks.planning.costs`).
"""

from __future__ import annotations

from sim.trial import TrialSpec

_SECONDS = {
    "derivation": 0.02, "gaussian_patches": 0.9, "initial_outputs": 0.002, "initial_weights": 0.0006,
    "image_attention": 3.0, "image_encodings": 5.0, "image_shuffling": 3.0,
    "labelling_error": 0.03, "linear_attacks": 0.07, "local_network": 0.06, "lucky_neurons": 0.01,
    "mean_fraction": 0.01, "proof": 0.07, "proof_course": 0.08, "sampled_data": 0.02, "shallow_vit": 0.05,
    "shallow_vit_data": 0.002, "shallow_vit_gradients": 0.006, "shallow_vit_heads": 0.2, "shallow_vit_network": 0.1,
    "shallow_vit_pairs": 0.05, "shallow_vit_population_hinge": 0.02, "shallow_vit_skip_gradients": 0.002,
    "shallow_vit_tokens": 0.2, "shallow_vit_written_out": 0.04, "spatial_vit": 0.02, "spatial_vit_diagonal": 0.2,
    "spatial_vit_encodings": 0.002, "spatial_vit_events": 0.4, "spatial_vit_gradients": 0.05,
    "spatial_vit_oracle": 0.003, "spatial_vit_partition_free": 0.04, "spatial_vit_reduced": 0.2,
    "spatial_vit_steps": 0.1, "spatial_vit_transfer": 0.08, "structure_free": 0.1, "structure_free_search": 0.2,
    "image_scenes": 1.0,
}  # fmt: skip
_A_STEP_AND_PATCH = {"spatial_vit": 5e-5}
"""Where steps differ from ten to ten thousand within one claim."""
_UNKNOWN = 0.07


def typical_seconds(spec: TrialSpec) -> float:
    """A guess of a trial's CPU seconds, from its simulator's name and, where it decides, its number of steps."""
    seconds = _SECONDS.get(spec.system.name, _UNKNOWN)
    each = _A_STEP_AND_PATCH.get(spec.system.name)
    if each is not None:
        steps, patches = (spec.parameters.get(name) for name in ("n_steps", "n_patches"))
        if isinstance(steps, int | float) and isinstance(patches, int | float):
            seconds += each * steps * patches
    return seconds
