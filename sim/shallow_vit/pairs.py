"""Two trainings that share every draw and differ in one error: a better initial model, or less token noise.

Both start from the same rotation, the same directions of errors, the same neurons and output layer, and train on the
same samples in the same order; one error is shorter in the better one. What then differs is what the error does.
"""

from __future__ import annotations

from typing import Any

import torch

from sim.shallow_vit.setting import PerTokenSetting
from sim.shallow_vit.tested import tested
from sim.shallow_vit.training import TrainedVit, simulate
from sim.trials.signature import flat
from sim.trials.trial import Outcome, Scalar, TrialResult
from sim.trials.validation import require, require_non_negative, require_one_of

ERRORS = ("value_error", "key_query_error", "noise_radius")
"""What a pair may differ in."""


@flat
def simulate_pair(
    *,
    setting: PerTokenSetting,
    changed: str,
    better: float,
    train_attention: bool = True,
    noise_radius: float = 0.0,
    n_test: int = 300,
    generator: torch.Generator,
) -> TrialResult:
    """Train twice with the same seed: with the errors as given, and with the one named by `changed` at `better`.

    Args:
        changed: "value_error", "key_query_error" or "noise_radius".
        better: its value in the better training; not above the given one. Equal values train the same network twice.
            A noise radius must be above 0, or both be 0: without noise nothing is drawn for it, and all later draws
            would differ.
        noise_radius: radius tau of the truncated token noise, whose coordinates have standard deviation
            tau / sqrt(dimension); 0 for none. Another radius rescales the same noise.

    Steps, whether the training set is fitted, and the test's observables come twice, as `better_...` and `worse_...`.
    """
    errors = {
        "value_error": setting.value_error, "key_query_error": setting.key_query_error, "noise_radius": noise_radius,
    }  # fmt: skip
    require_one_of("changed", changed, ERRORS)
    require_non_negative(better=better, noise_radius=noise_radius)
    require(better <= errors[changed], "better", f"be at most {changed} = {errors[changed]}", better)
    if changed == "noise_radius":
        require(better > 0 or noise_radius == 0, "better", "be above 0, since no noise draws nothing to share", better)
    seed = int(torch.randint(2**62, (1,), generator=generator))
    told: dict[str, Scalar] = {}
    outcomes = []
    for name, own in (("better", {**errors, changed: better}), ("worse", errors)):
        features = {name: own[name] for name in ("value_error", "key_query_error")}
        given = vars(setting) | features | _noise(own["noise_radius"], setting.dimension)
        again = torch.Generator().manual_seed(seed)
        run = simulate(**given, train_attention=train_attention, n_test=n_test, generator=again)
        outcomes.append(run.outcome)
        told |= {f"{name}_{observable}": value for observable, value in {**run.account, **_shown(run)}.items()}
    return TrialResult(_joint(outcomes), told)


def _shown(run: TrainedVit) -> dict[str, Scalar]:
    """What fresh samples say of one of the two."""
    if run.outcome == Outcome.DIVERGED:
        return {"success": False}
    fresh = run.fresh()
    found = tested(run.training.engine.outputs(fresh), fresh.labels)
    return {"test_hinge": found.hinge, "test_error": found.error, "success": found.success}


def _noise(radius: float, dimension: int) -> dict[str, Any]:
    """The token noise of a radius, as `simulate` takes it."""
    if radius == 0:
        return {"token_noise": 0.0}
    return {"noise": "truncated", "noise_radius": radius, "token_noise": radius / dimension**0.5}


def _joint(outcomes: list[Outcome]) -> Outcome:
    """The worst of two outcomes: a pair has converged where both have."""
    return next(outcome for outcome in (Outcome.DIVERGED, Outcome.BUDGET, Outcome.CONVERGED) if outcome in outcomes)
