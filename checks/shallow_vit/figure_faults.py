"""Faults planted where figures, token sparsification, and the laws in noise and initial errors are measured."""

from __future__ import annotations

from collections.abc import Iterator

from checks.evidence.fault import Fault
from checks.records.preset import Preset
from checks.shallow_vit import planted
from sim.engine_setting import AUTOMATIC


def faults() -> Iterator[Fault]:
    """Each runs in about a second."""
    yield from _of_samples_and_steps()
    yield from _of_attention()
    yield from _of_sparsification()
    yield from _of_noise_and_start()


def _of_samples_and_steps() -> Iterator[Fault]:
    """Labels drawn at random would leave no threshold, which decides nothing; these turn an exponent and a rise.

    No power can be told on the axis of Figure 1(a), which spans less than a factor of 4, so a fault there turns its
    direction.
    """
    yield Fault(
        "wrong data: a share of the samples, a hundredth where alpha_* is 0.46",
        "A.fig1a",
        "fewer samples where alpha_* is larger",
        planted=lambda: planted.fewer_samples(
            lambda options: 100 ** ((0.28 - options["label_relevant_fraction"]) / 0.18)
        ),
        changes={"n_tokens": 50, "n_neurons": 60, "max_steps": 3_000, "n_test": 100},
        preset=Preset.FULL,
        keep=lambda index, spec: (
            spec.parameters["label_relevant_fraction"] in (0.28, 0.3, 0.32, 0.34, 0.36, 0.38, 0.4, 0.46)
            and int(spec.parameters["n_samples"]) >= 4
            and spec.replicate < 5
        ),
        engine=AUTOMATIC,
    )
    yield Fault(
        "wrong step: shrinks with alpha_*",
        "A.fig2",
        "output layer shared",
        planted=lambda: planted.shorter_steps(lambda options: options["label_relevant_fraction"] / 0.24),
        changes={"n_tokens": 100, "n_samples": 128, "n_test": 100},
        keep=lambda index, spec: spec.replicate < 3,
        engine=AUTOMATIC,
    )
    yield Fault(
        "wrong data: a share of the samples, an eighth where sigma is 0",
        "A.fig1b",
        "errors about features of length 1",
        planted=lambda: planted.fewer_samples(lambda options: 8 ** (options["value_error"] / 0.9 - 1)),
        changes={"n_tokens": 10, "n_neurons": 40, "max_steps": 1_000, "n_test": 100},
        preset=Preset.FULL,
        keep=lambda index, spec: spec.replicate < 4 and int(spec.parameters["n_samples"]) > 4,
        engine=AUTOMATIC,
    )


def _of_attention() -> Iterator[Fault]:
    """Attention that moves the other way or where it should not, another step, a start outside Assumption 1."""
    small = {"n_neurons": 40, "n_tokens": 20, "n_samples": 32, "max_steps": 300}
    for claim, part in (("A.fig4", "the mass rises, that on the others falls"), ("A.fig7", "the mass rises, M = 10")):
        yield Fault(
            "wrong gradient: W_Q uphill",
            claim,
            part,
            planted=lambda: planted.scaled("sim.shallow_vit.engine.reference.hinge_gradient", query=-1.0),
            changes=small,
            keep=lambda index, spec: index < 6,
        )
        yield Fault(
            "wrong label rule: labels drawn at random",
            claim,
            part,
            planted=planted.random_labels,
            changes={"n_neurons": 40, "n_tokens": 20, "max_steps": 500},
            keep=lambda index, spec: index < 6,
            engine=AUTOMATIC,
        )
    yield Fault(
        "wrong data: networks with trained attention see a sixteenth of the samples that are counted",
        "A.fig3",
        "trained attention needs fewer samples than frozen",
        planted=lambda: planted.fewer_samples(lambda options: 1 / 16 if options.get("train_attention", True) else 1.0),
        changes={"n_tokens": 100, "n_neurons": 100, "max_steps": 4_000, "n_test": 100},
        preset=Preset.FULL,
        keep=lambda index, spec: (
            spec.parameters["label_relevant_fraction"] in (0.16, 0.24, 0.4)
            and int(spec.parameters["n_samples"]) >= 4
            and spec.replicate < 6
        ),
        engine=AUTOMATIC,
    )
    yield Fault(
        "wrong step: the root of eta",
        "A.iterations_frozen",
        "attention frozen",
        axis="eta",
        planted=planted.rooted_step,
        changes={"n_samples": 64, "n_tokens": 20, "output_layer": "shared"},
    )
    yield Fault(
        "wrong recipe: errors added to isometries, which takes norms above 1",
        "A.asm1",
        "contractions meet it",
        faulty_changes={"initialization": "orthonormal"},
    )


def _of_sparsification() -> Iterator[Fault]:
    for claim, part in (
        ("A.fig5", "label-irrelevant tokens removed"),
        ("A.fig5", "noisy tokens removed"),
        ("A.fig8", "label-irrelevant tokens removed, M = 10"),
        ("A.noise_scaling", "sparsification, steps"),
    ):
        yield Fault(
            "wrong sparsification: the tokens of lowest score kept",
            claim,
            part,
            planted=planted.lowest_kept,
            changes={"max_steps": 500},
            engine=AUTOMATIC,
        )


def _of_noise_and_start() -> Iterator[Fault]:
    """Errors that are left out, steps that shrink with them: none may pass for Remarks 2 and 3."""
    fewer = "smaller sigma, fewer steps"
    for part in (f"{fewer}, random errors", f"{fewer}, adversarial errors", "smaller delta, fewer steps"):
        name = "wrong start: errors left out"
        yield Fault(name, "A.init_scaling", part, planted=planted.exact_start, engine=AUTOMATIC)
    yield Fault(
        "wrong data: token noise left out",
        "A.noise_scaling",
        "less token noise, fewer steps",
        planted=planted.noiseless_tokens,
        engine=AUTOMATIC,
    )
    squared = "iterations, squared"
    for claim, part, parameter, pole in (
        ("A.init_scaling", f"{squared}, random errors", "value_error", 0.5),
        ("A.init_scaling", f"{squared}, adversarial errors", "value_error", 0.5),
        ("A.noise_scaling", squared, "noise_radius", 0.25),
    ):
        yield Fault(
            "wrong step: shrinks with the squared distance to the pole",
            claim,
            part,
            planted=lambda parameter=parameter, pole=pole: planted.shorter_steps(
                lambda options: (1 - options[parameter] / pole) ** 2
            ),
            changes={"output_layer": "shared"},
            engine=AUTOMATIC,
        )
