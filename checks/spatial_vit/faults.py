"""Faults planted in the simulators of paper B: wrong gradients and steps, wrong labels and laws, frozen attention."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager
from dataclasses import replace
from typing import Any

from checks.evidence.fault import Fault, altered, returning
from checks.evidence.later import torch
from checks.spatial_vit import image_faults

_DYNAMICS = "sim.spatial_vit.reduced.dynamics.gradient_at"
_ATTENTION = "sim.spatial_vit.network.model.attention"


def faults() -> Iterator[Fault]:
    """Each runs in about a second, those on images in ten or so."""
    yield from _wrong_gradients()
    yield from _wrong_steps()
    yield from _wrong_courses()
    yield from _wrong_sampled_gradients()
    yield from _wrong_transfer()
    yield from _wrong_laws()
    yield from image_faults.faults()


def _doubled_within() -> AbstractContextManager[Any]:
    place = "sim.spatial_vit.reduced.population.reduced_gradient"
    return returning(place, lambda gradient: replace(gradient, within=2 * gradient.within))


def _doubled_row(name: str, attribute: str | None) -> Callable[[], AbstractContextManager[Any]]:
    def changed(found: Any) -> Any:
        entries = (found if attribute is None else getattr(found, attribute)).clone()
        entries[0] *= 2
        return entries if attribute is None else replace(found, **{attribute: entries})

    return lambda: returning(f"sim.spatial_vit.sampled.gradients.{name}", changed)


def _unnormalised() -> AbstractContextManager[Any]:
    return altered(_ATTENTION, lambda right: lambda logits, t: right(logits, t) * (1 + 0.1 * logits))


def _reversed_within() -> AbstractContextManager[Any]:
    return returning(_DYNAMICS, lambda gradient: replace(gradient, within=-gradient.within))


def _at_steps(change: Callable[[Any, Any, Any], Any]) -> Callable[[], AbstractContextManager[Any]]:
    """Single steps whose gradient is changed, given the setting, the state and the right gradient."""

    def wrong_from(right: Any) -> Any:
        return lambda table, setting, state: change(setting, state, right(table, setting, state))

    return lambda: altered("sim.spatial_vit.reduced.steps.gradient_at", wrong_from)


def _rooted_descent() -> AbstractContextManager[Any]:
    def wrong_from(right: Any) -> Any:
        def wrong(*arguments: Any, learning_rate: float, **options: Any) -> Any:
            return right(*arguments, learning_rate=learning_rate**0.5, **options)

        return wrong

    return altered("sim.spatial_vit.reduced.steps.descend", wrong_from)


def _slowed_value() -> AbstractContextManager[Any]:
    return returning(_DYNAMICS, lambda gradient: replace(gradient, alignment=1e-7 * gradient.alignment))


_total_across = _at_steps(lambda setting, _, g: replace(g, across=setting.n_across_pairs * g.across))
_total_within = _at_steps(lambda setting, _, g: replace(g, within=setting.n_within_pairs * g.within))
_resisted_within = _at_steps(lambda _, state, g: replace(g, within=state[0] * g.within))


def _wrong_gradients() -> Iterator[Fault]:
    """Of the exact dynamics and of the network, against closed forms."""
    small = {"keep": lambda index, spec: spec.parameters["n_patches"] == 6}

    closed = "closed form against autograd"
    yield Fault("wrong gradient: gamma doubled", "B.reduced_gradient", closed, planted=_doubled_within, **small)
    yield Fault(
        "wrong gradient: softmax not normalised", "B.increment_identity", "measured increments",
        planted=_unnormalised, **small,
    )  # fmt: skip
    yield Fault(
        "wrong gradient: one row of A doubled", "B.three_values", "gradient is constant on each class",
        planted=_doubled_row("autograd_gradient", "logits"), **small,
    )  # fmt: skip
    yield Fault(
        "wrong gradient: one entry of v doubled", "B.span", "gradient of v, noise paired with its negative",
        planted=_doubled_row("value_gradient", None), **small,
    )  # fmt: skip


def _wrong_steps() -> Iterator[Fault]:
    """Single steps that go too far, not far enough, or along another gradient."""
    single = "single steps, D = 32 to 256"
    yield Fault("wrong gradient: rho by its total derivative", "B.rho_step", "first step", planted=_total_across)
    yield Fault(
        "wrong gradient: one power of alpha too many", "B.gamma_step", single,
        planted=_resisted_within, keep=lambda index, spec: index == 1,
    )  # fmt: skip
    yield Fault("wrong gradient: gamma by its total derivative", "B.gamma_step", "first step",
                planted=_total_within, axis="D")  # fmt: skip
    yield Fault("wrong step: root of eta", "B.gamma_step", "first step", planted=_rooted_descent, axis="eta")


def _wrong_courses() -> Iterator[Fault]:
    """Whole runs of the exact dynamics."""
    events = {"keep": lambda index, spec: index % 6 == 0, "changes": {"n_steps": 10**6}}
    yield Fault(
        "wrong gradient: alpha slowed", "B.event1", "alpha half way to its first maximum, nu = D^-2 and D^-3",
        planted=_slowed_value, **events,
    )  # fmt: skip
    yield Fault(
        "wrong gradient: gamma uphill",
        "B.event2",
        "gamma above max |rho| of a run to T = D^3 / eta, along D",
        planted=_reversed_within,
    )
    yield Fault(
        "wrong gradient: alpha slowed", "B.event1", "alpha rises first, to T = D^3 / eta, along D",
        planted=_slowed_value,
    )  # fmt: skip
    yield Fault(
        "wrong gradient: gamma uphill", "B.association_always",
        "gamma >= rho at every time to T = D^3 / eta, along D", planted=_reversed_within,
    )  # fmt: skip
    yield Fault(
        "wrong start: alpha 30 times too large", "B.event1", "alpha rises first, nu = 1/D along D",
        faulty_changes={"initial_scale": 30.0},
    )  # fmt: skip
    some = {"keep": lambda index, spec: index % 12 == 0, "changes": {"n_steps": 10**6}}
    for claim, part in (
        ("B.association_always", "gradient flow (eta to zero)"),
        ("B.idealized", "association at the end"),
    ):
        yield Fault("wrong gradient: gamma uphill", claim, part, planted=_reversed_within, **some)
    yield Fault(
        "wrong gradient: gamma uphill", "B.idealized", "error half way to its floor at the end",
        planted=_reversed_within, keep=some["keep"], changes={"n_steps": 10**8},
    )  # fmt: skip
    yield from _wrong_encodings()


def _wrong_encodings() -> Iterator[Fault]:
    """Claims of section 3: the factor sqrt(d), the held diagonal, Gaussian encodings."""

    def reversed_when_free() -> AbstractContextManager[Any]:
        def wrong_from(right: Any) -> Any:
            def wrong(table: Any, setting: Any, state: Any) -> Any:
                gradient = right(table, setting, state)
                return gradient if len(state) == 3 else replace(gradient, within=-gradient.within)

            return wrong

        return altered(_DYNAMICS, wrong_from)

    def wide_encodings() -> AbstractContextManager[Any]:
        return returning("torch.randn", lambda drawn: 3 * drawn)

    def short_encodings() -> AbstractContextManager[Any]:
        def wrong_from(right: Any) -> Any:
            return lambda *sizes, **options: sizes[0] ** -0.5 * right(*sizes, **options)

        return altered("torch.randn", wrong_from)

    for words in ("association at the end", "gamma above rho throughout"):
        yield Fault(
            "wrong gradient: gamma uphill", "B.scale", f"logits over sqrt(d): {words}",
            planted=_reversed_within, changes={"n_steps": 10**6},
        )  # fmt: skip
    for part in (
        "association with a fixed and with a free diagonal",
        "error half way to its floor, with a fixed and with a free diagonal",
    ):
        yield Fault(
            "wrong gradient: gamma uphill where the diagonal is free", "B.diagonal_wlog", part,
            planted=reversed_when_free, changes={"n_steps": 10**8},
        )  # fmt: skip
    yield Fault("wrong encodings: three times too long", "B.gram_init", "every diagonal entry", planted=wide_encodings)
    yield Fault(
        "wrong encodings: shorter by the root of D", "B.gram_init", "typical off-diagonal entry",
        planted=short_encodings, axis="D",
    )  # fmt: skip


def _wrong_sampled_gradients() -> Iterator[Fault]:
    """Theorem 4.2 on samples: attention that climbs, attention that stands still, a value vector that climbs."""

    def scaled(*, logits: float = 1.0, value: float = 1.0) -> AbstractContextManager[Any]:
        place = "sim.spatial_vit.sampled.empirical.SignedPatches.gradient"
        return returning(place, lambda found: replace(found, logits=logits * found.logits, value=value * found.value))

    ample = {"changes": {"n_test": 4000, "n_records": 2}}
    text = {"changes": {"n_test": 1000, "n_records": 2, "n_steps": 300}}
    part = "association and an error half way to its floor, ample samples"
    yield Fault("wrong gradient: A uphill", "B.realistic", part, planted=lambda: scaled(logits=-1.0), **ample)
    yield Fault("wrong label rule: labels drawn at random", "B.realistic", part, planted=_random_signs, **ample)
    yield Fault(
        "attention frozen", "B.fig4", "text: A is largest within sets", planted=lambda: scaled(logits=0.0), **text
    )
    yield Fault(
        "wrong gradient: v uphill",
        "B.fig4",
        "text: cosine rises above 3/sqrt(d)",
        planted=lambda: scaled(value=-1.0),
        **text,
    )


def _random_signs() -> AbstractContextManager[Any]:
    def wrong_from(right: Any) -> Any:
        def wrong(*arguments: Any, generator: torch.Generator, **options: Any) -> Any:
            drawn = right(*arguments, generator=generator, **options)
            signs = 2.0 * torch.randint(2, drawn.labels.shape, generator=generator).double() - 1.0
            return replace(drawn, labels=signs)

        return wrong

    return altered("sim.spatial_vit.sampled.training.sample", wrong_from)


def _wrong_transfer() -> Iterator[Fault]:
    def uphill() -> AbstractContextManager[Any]:
        place = "sim.spatial_vit.sampled.transfer.fine_tuning_risk"
        return returning(place, lambda found: replace(found, gradient=-found.gradient))

    pretrained = "pre-trained attention, 8 samples"
    yield Fault("wrong gradient: v uphill", "B.transfer", pretrained, planted=uphill)
    yield Fault(
        "attention frozen: uniform, without sets", "B.transfer", pretrained,
        faulty_changes={"association": "uniform"},
    )  # fmt: skip


def _wrong_laws() -> Iterator[Fault]:
    """The law of the labelling function, drawn data, and the attention at the start."""

    def threshold_at(share: float) -> Callable[[], AbstractContextManager[Any]]:
        def wrong(sums: Any, set_size: int) -> Any:
            return sums * (abs(sums) > share * set_size)

        return lambda: altered("sim.spatial_vit.network.lattice.thresholded", lambda right: wrong)

    def tilted_signs() -> AbstractContextManager[Any]:
        def wrong_from(right: Any) -> Any:
            def wrong(*arguments: Any, **options: Any) -> Any:
                drawn = right(*arguments, **options)
                tilted = drawn.coefficients.clone()
                tilted[::10] = tilted[::10].abs() * drawn.labels[::10, None]
                moved = drawn.patches + (tilted - drawn.coefficients)[..., None] * options["feature"]
                return replace(drawn, coefficients=tilted, patches=moved)

            return wrong

        return altered("sim.spatial_vit.sampled.probes.sample", wrong_from)

    def doubled_row() -> AbstractContextManager[Any]:
        def changed(scores: Any) -> Any:
            scores[:, 0] *= 2
            return scores

        return returning(_ATTENTION, changed)

    yield Fault(
        "wrong label rule: no threshold", "B.glm_fails", "phi increasing, q (D - C) >= C^2",
        planted=threshold_at(0.0), keep=lambda index, spec: spec.parameters["n_patches"] == 64,
    )  # fmt: skip
    yield Fault(
        "wrong label rule: no threshold", "B.labelling", "C = log2 L, q D = C", planted=threshold_at(0.0), axis="D"
    )
    yield Fault(
        "wrong label rule: a sample in 10 has its signs of the label", "B.data",
        "frequencies and noise energy within exact intervals", planted=tilted_signs,
    )  # fmt: skip
    yield Fault(
        "wrong gradient: one patch attended to twice", "B.glm_at_init", "with activation and equal rows, beta = 0",
        planted=doubled_row,
    )  # fmt: skip
