"""Faults planted in the simulators of paper A: wrong gradients, wrong labels, frozen attention."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from checks.evidence.fault import PREFACTOR, Fault
from checks.records.preset import Preset
from checks.shallow_vit import figure_faults, image_faults, planted, theorem_faults
from sim.engine_setting import AUTOMATIC


def faults() -> Iterator[Fault]:
    """Each runs in about a second."""
    yield from _wrong_gradients()
    yield from _in_the_attention()
    yield from _along_the_path()
    yield from _in_the_neurons()
    few = {"n_neurons": 40, "n_samples": 64, "max_steps": 1500}
    per_token = "average query, a per token"
    first = {"keep": lambda index, spec: index < 8, "changes": few}  # seeds that carry a verdict
    yield Fault("attention frozen", "A.concentration", per_token, faulty_changes={"train_attention": False}, **first)
    yield Fault(
        "wrong gradient: W_Q uphill",
        "A.concentration",
        per_token,
        planted=lambda: planted.scaled("sim.shallow_vit.engine.reference.hinge_gradient", query=-1.0),
        **first,
    )
    quick = {"max_steps": 300, "n_test": 100}
    yield Fault(
        "wrong label rule: labels drawn at random",
        "A.samples",
        "exact ratios, no noise",
        planted=planted.random_labels,
        changes=quick,
        engine=AUTOMATIC,
        keep=lambda index, spec: index % 3 == 0 and spec.parameters["n_samples"] == 32,
    )
    yield Fault(
        "wrong label rule: labels drawn at random",
        "A.fraction",
        "grid of Fig. 1(a)",
        planted=planted.random_labels,
        changes={"max_steps": 1500, "n_test": 100},
        engine=AUTOMATIC,
        keep=lambda index, spec: spec.replicate < 2,
    )

    yield from theorem_faults.faults()
    yield from figure_faults.faults()
    yield from image_faults.faults()
    yield from _of_extensions()


def _of_extensions() -> Iterator[Fault]:
    for claim, part in (
        ("A.multiclass", "attention concentrates, four classes"),
        ("A.pattern_sets", "sets of two vectors"),
        ("A.skip", "attention concentrates with a skip"),
    ):
        yield Fault("attention frozen", claim, part, faulty_changes={"train_attention": False}, engine=AUTOMATIC)
    for class_hinge in ("hinge of y . F", "a hinge for each output"):
        yield Fault(
            "wrong gradient: W_O uphill",
            "A.multiclass",
            f"neurons of W_2, {class_hinge}",
            planted=planted.hidden_uphill,
            changes={"max_steps": 200},
        )
    yield Fault(
        "wrong label rule: labels drawn at random",
        "A.multihead",
        "zero error with four heads, heads concatenated",
        planted=planted.random_labels,
        changes={"max_steps": 300},
    )
    yield Fault(
        "wrong step: drawn anew for each training with several heads",
        "A.multihead",
        "variance of T, heads sum",
        planted=planted.unsteady_steps,
        changes={"n_tokens": 10, "n_samples": 16, "n_neurons": 20},
    )
    for matrix, part in {
        "value": "W_V, eq. (195)",
        "key": "W_K, eq. (167)",
        "query": "W_Q, eq. (125)",
        "hidden": "W_O with x_l",
    }.items():
        yield Fault(
            f"wrong form: {part.split(',')[0]} doubled",
            "A.skip",
            f"{part} at the skip's gates",
            planted=lambda matrix=matrix: planted.changed_forms(matrix),
        )


_FEW: dict[str, Any] = {
    "keep": lambda index, spec: index < 3,
    "changes": {"n_neurons": 40, "n_tokens": 20, "n_planted": 6, "max_steps": 1500},
}
_REFERENCE = "sim.shallow_vit.engine.reference.hinge_gradient"


def _in_the_attention() -> Iterator[Fault]:
    """What the rows about attention during training must find."""
    turned: dict[str, Any] = {"planted": lambda: planted.scored(-3.0), "engine": AUTOMATIC, **_FEW}
    yield Fault("scores of the other sign", "A.softmax_bounds", "the same up to a constant of 10", **turned)
    yield Fault("scores of the other sign", "A.attention_growth", "(43) and (45): weights, constants of 10", **turned)
    yield Fault(
        "scores eight times too large",
        "A.mass_at_start",
        "attention mass before the first step",
        planted=lambda: planted.scored(8.0),
        engine=AUTOMATIC,
    )
    yield Fault(
        "wrong gradient: W_Q uphill",
        "A.attention_growth",
        "(47): K(t) > 0",
        planted=lambda: planted.scaled(_REFERENCE, query=-1.0),
        **_FEW,
    )
    yield Fault(
        "wrong gradient: W_K a tenth",
        "A.key_growth",
        "(169) with lambda = 1/2",
        planted=lambda: planted.scaled(_REFERENCE, key=0.1),
        **_FEW,
    )
    yield Fault(
        "wrong gradient: W_K uphill",
        "A.key_growth",
        "(169) with lambda = 9/10 where K(t) > 0",
        planted=lambda: planted.scaled(_REFERENCE, key=-1.0),
        **_FEW,
    )
    yield Fault(
        "attention frozen",
        "A.query_log",
        "||q_1||^2 after T steps at eta = 1/2",
        axis="T",
        faulty_changes={"train_attention": False},
        engine=AUTOMATIC,
        keep=lambda index, spec: spec.replicate < 2,
    )
    yield Fault(
        "attention frozen",
        "A.mass_limit",
        "(61): 1 - p_n(T) at most 10 eta, eta toward 0",
        changes={"n_neurons": 20, "n_tokens": 10, "n_samples": 32},
        faulty_changes={"train_attention": False},
        engine=AUTOMATIC,
    )


_ON_PATH: dict[str, Any] = {
    "preset": Preset.QUICK,
    "keep": lambda index, spec: spec.replicate < 4,
    "changes": {"learning_rate": 0.5, "max_steps": 600},
}
"""Three sizes, which a path needs, with a step of the first, so that trainings are short."""


def _along_the_path() -> Iterator[Fault]:
    """What holds there in place of what is printed must fail too where attention is not trained as it should be."""
    yield Fault(
        "wrong gradient: W_Q uphill",
        "A.attention_growth",
        "over three quarters of training together queries grow, (44) holds, and (46) without confusion tokens",
        planted=lambda: planted.scaled(_REFERENCE, query=-1.0),
        **_ON_PATH,
    )
    yield Fault(
        "wrong gradient: W_K a tenth",
        "A.key_growth",
        "(169) with lambda = 1/2, over three quarters of training together",
        planted=lambda: planted.scaled(_REFERENCE, key=0.1),
        **_ON_PATH,
    )
    yield Fault(
        "attention frozen",
        "A.concentration",
        "the mass lacking falls to 2/3 of the start's",
        faulty_changes={"train_attention": False},
        engine=AUTOMATIC,
        **_ON_PATH,
    )


def _in_the_neurons() -> Iterator[Fault]:
    """What the rows about neurons, values and means must find."""
    yield Fault(
        "wrong gradient: W_V doubled",
        "A.value_growth",
        "(49)-(50), some lambda at most 1",
        planted=lambda: planted.scaled(_REFERENCE, value=2.0),
        **_FEW,
    )
    other: dict[str, Any] = {"planted": planted.other_labels, "engine": AUTOMATIC, **_FEW}
    name = "wrong label rule: the other label"
    yield Fault(name, "A.value_signs", "the same, output layer shared", **other)
    yield Fault(
        name,
        "A.lucky_monotone",
        "lucky at the start, from then on in the event of Lemma 3's proof, and no other sign: xi = 0.01, m = 1000",
        planted=planted.other_labels,
        engine=AUTOMATIC,
        changes={**_FEW["changes"], "n_neurons": 400},
        keep=_FEW["keep"],
    )
    yield Fault(
        "wrong label rule: labels drawn at random",
        "A.output_growth",
        "margin of fresh samples at least (t/T)^2 / 10, and 1 at T on average",
        planted=planted.random_labels,
        engine=AUTOMATIC,
        **_FEW,
    )
    yield Fault(
        "one sample repeated",
        "A.hoeffding",
        "counts that fluctuate, no errors, all mass on label-relevant tokens",
        planted=planted.one_sample,
        engine=AUTOMATIC,
    )


def _wrong_gradients() -> Iterator[Fault]:
    names = {"hidden": "W_O, eq. (81)", "value": "W_V, eq. (195)", "query": "W_Q, eq. (125)", "key": "W_K, eq. (167)"}
    for matrix, part in names.items():
        yield Fault(
            f"wrong gradient: {part.split(',')[0]} doubled",
            "A.gradients",
            part,
            planted=lambda matrix=matrix: planted.scaled("sim.shallow_vit.probes.hinge_gradient", **{matrix: 2.0}),
        )
    every = dict.fromkeys(names, 2.0)
    few = {"keep": lambda index, spec: spec.replicate < 3}
    small = {"alpha_*": {"n_samples": 64, "n_tokens": 100}, "eta": {"n_samples": 64, "n_tokens": 20}}
    shared = "output layer shared"
    yield Fault(
        "wrong gradient: all doubled",
        "A.iterations",
        shared,
        axis="eta",
        planted=lambda: planted.scaled("sim.shallow_vit.engine.reference.hinge_gradient", **every),
        equivalent=PREFACTOR,
        changes=small["eta"],
        **few,
    )
    yield Fault(
        "wrong step: the root of eta",
        "A.iterations",
        shared,
        axis="eta",
        planted=planted.rooted_step,
        changes=small["eta"],
        **few,
    )
    yield Fault(
        "attention frozen",
        "A.iterations",
        shared,
        axis="alpha_*",
        changes=small["alpha_*"],
        faulty_changes={"train_attention": False},
        engine=AUTOMATIC,
        **few,
    )
