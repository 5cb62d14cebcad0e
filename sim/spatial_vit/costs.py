"""Of what the work of a trial is made, for plans (`sim.trials.cost_law`). Nothing that simulates imports this."""

from __future__ import annotations

import ast
import functools
import math

from sim.trials.cost_law import CostLaw, Terms
from sim.trials.signature import source_of
from sim.trials.trial import Parameters


def _numbers(parameters: Parameters, *names: str) -> tuple[float, ...]:
    return tuple(float(parameters[name]) for name in names)


def _n_steps(parameters: Parameters) -> float:
    return float(parameters["n_steps"])


def _may_stop(parameters: Parameters) -> bool:
    """Whether descent ends where the risk is small enough."""
    return float(parameters["stop_risk"]) > 0


# ------------------------------------------------------------------------------------- dynamics of the reduced network


def _multisets(parameters: Parameters) -> int:
    """Multisets of set types that an enumeration sums over."""
    size, n_random = int(parameters["set_size"]), int(parameters["n_patches"]) // int(parameters["set_size"]) - 1
    types = (size + 1) * (size + 2) // 2
    return math.comb(n_random + types - 1, n_random)


@functools.cache
def _most_enumerated() -> int:
    """The simulator's own number, read in its text: importing it takes a second, for torch."""
    for node in ast.parse(source_of("sim.spatial_vit.reduced.expectation")).body:
        if isinstance(node, ast.Assign) and ast.unparse(node.targets[0]) == "ENUMERATED_ROWS":
            return int(ast.literal_eval(node.value))
    raise LookupError("sim.spatial_vit.reduced.expectation must assign ENUMERATED_ROWS")


def _is_fourier(parameters: Parameters) -> bool:
    expectation = parameters["expectation"]
    return expectation == "fourier" or (expectation == "exact" and _multisets(parameters) > _most_enumerated())


def _reduced_terms(parameters: Parameters, steps: float) -> Terms:
    """Work of following the reduced variables; the flow takes about as many gradients at any size."""
    if parameters["dynamics"] == "flow":
        steps = FLOW_GRADIENTS[_is_fourier(parameters)]
    records, patches, size, rate = _numbers(parameters, "n_records", "n_patches", "set_size", "spurious_rate")
    rows = rate * patches * math.log2(patches / size) if _is_fourier(parameters) else float(_multisets(parameters))
    return {"trial": 1.0, "gradients": steps, "rows": steps * rows, "records": records, "record rows": records * rows}


def _reduced_examples(parameters: Parameters) -> list[Parameters]:
    """Gradient descent, whose steps can be counted, over sizes on the same side of the choice of method."""
    base = {"activation_power": 3, "linear_coefficient": 1e-3, "diagonal_logit": 1.0, "learning_rate": 1e-3}
    large = _is_fourier(parameters)
    sizes = ((48, 4, 0.125), (64, 4, 0.125), (128, 4, 0.05)) if large else ((8, 2, 0.25), (16, 4, 0.25), (24, 4, 0.25))
    return [
        {
            **base,
            "n_patches": n_patches,
            "set_size": size,
            "spurious_rate": rate,
            "n_steps": steps,
            "n_records": records,
        }
        for n_patches, size, rate in sizes
        for steps, records in (((4, 2), (16, 2), (8, 8)) if large else ((20, 2), (400, 2), (100, 100)))
    ]


FLOW_GRADIENTS = {False: 2000.0, True: 900.0}
"""Gradients of a flow, enumerated and by the Fourier integral at its looser tolerance; stored flows set the level."""

# ------------------------------------------------------------------------------ training of the full network on samples


def _is_population(parameters: Parameters) -> bool:
    return parameters["risk"] == "population"


def _data_points(parameters: Parameters) -> float:
    """Samples, or the configurations L 3^(D - C) of an enumeration."""
    if not _is_population(parameters):
        return float(parameters["n_samples"])
    patches, size = int(parameters["n_patches"]), int(parameters["set_size"])
    return patches / size * 3.0 ** (patches - size)


def _full_terms(parameters: Parameters, steps: float) -> Terms:
    """Work of full-batch steps: coordinates of patches read, attention paid; an enumeration needs one coordinate."""
    patches, dimension, records, tested = _numbers(parameters, "n_patches", "patch_dimension", "n_records", "n_test")
    points = _data_points(parameters)
    if _is_population(parameters):
        dimension, tested = 1.0, points
    return {
        "trial": 1.0,
        "data": points * patches * dimension,
        "steps": steps,
        "coordinates": steps * points * patches * dimension,
        "attention": steps * points * patches**2,
        "patches": steps * points * patches,
        "records": records,
        "tests": records * tested * patches,
        "test attention": records * tested * patches**2,
    }


def _full_bytes(parameters: Parameters) -> float:
    """Data, or the configurations of an enumeration, and the attention that each pays."""
    patches, dimension, tested = _numbers(parameters, "n_patches", "patch_dimension", "n_test")
    points = _data_points(parameters)
    if _is_population(parameters):
        return 8 * points * patches * (1 + patches)
    return 8 * (points + tested) * patches * (dimension + patches)


def _full_examples(parameters: Parameters) -> list[Parameters]:
    """Sizes up to those that no longer fit a cache; the step is so small that nothing else changes."""
    base = {
        "set_size": 2, "spurious_rate": 0.25, "activation_power": 3, "linear_coefficient": 1e-2, "diagonal_logit": 1.0,
        "learning_rate": 1e-6, "n_records": 2,
    }  # fmt: skip
    if _is_population(parameters):
        sizes = [{"n_patches": patches} for patches in (4, 6, 8, 10)]
    else:
        base |= {"risk": parameters["risk"], "precision": parameters["precision"], "n_test": 1000}
        sizes = [
            {"n_patches": patches, "patch_dimension": dimension, "n_samples": samples}
            for patches, dimension, samples in (
                (8, 8, 250),
                (8, 64, 2000),
                (16, 16, 2000),
                (24, 24, 500),
                (32, 32, 8000),
            )
        ]
        sizes.append({**sizes[0], "n_test": 20_000})
    return [{**base, **size, "n_steps": steps} for size in sizes for steps in (4, 40)]


# --------------------------------------------------------------------------------- fine-tuning, and Adam on minibatches


def _tuning_terms(parameters: Parameters, steps: float) -> Terms:
    """Work of fine-tunings on fixed attention, and of the training before them."""
    patches, dimension, samples, repeats, tested = _numbers(
        parameters, "n_patches", "patch_dimension", "n_samples", "n_repeats", "n_test"
    )
    before, passes = _numbers(parameters, "pretraining_samples", "pretraining_steps")
    before *= parameters["association"] == "empirical"
    seen = repeats * steps * samples
    return {
        "trial": 1.0,
        "repeats": repeats,
        "data": repeats * samples * patches * dimension,
        "steps": repeats * steps,
        "coordinates": seen * patches * dimension,
        "attention": seen * patches**2,
        "test attention": repeats * tested * patches**2,
        "data before": before * patches * dimension,
        "training before": before * passes * patches * (patches + dimension),
    }


def _tuning_bytes(parameters: Parameters) -> float:
    """Data of the larger training, and the attention that each sample pays; a test goes in chunks."""
    patches, dimension, samples, before = _numbers(
        parameters, "n_patches", "patch_dimension", "n_samples", "pretraining_samples"
    )
    before *= parameters["association"] == "empirical"
    return 8 * max(samples, before) * patches * (dimension + patches)


def _tuning_examples(parameters: Parameters) -> list[Parameters]:
    base = {
        "activation_power": 3, "linear_coefficient": 1e-3, "diagonal_logit": 1.0, "learning_rate": 1e-6,
        "stop_risk": 0.0, "pretraining_samples": 1000, "n_records": 2,
        "association": parameters["association"],
    }  # fmt: skip
    sizes = ((12, 3, 12, 8), (16, 4, 64, 4), (24, 4, 24, 32)) if base["association"] != "hand_built" else (
        (32, 4, 32, 4), (64, 4, 64, 16), (64, 4, 256, 4), (128, 4, 128, 8))  # fmt: skip
    return [
        {
            **base,
            "n_patches": patches,
            "set_size": size,
            "patch_dimension": dimension,
            "n_samples": samples,
            "spurious_rate": size / patches,
            "n_steps": steps,
            "pretraining_steps": steps,
            "n_repeats": repeats,
        }
        for patches, size, dimension, samples in sizes
        for steps, repeats in ((10, 1), (200, 1), (50, 8))
    ]


def _minibatch_terms(parameters: Parameters, steps: float) -> Terms:
    """Work of Adam on minibatches, of its records, and of the fitted linear model."""
    patches, dimension, batch, samples, tested, records = _numbers(
        parameters, "n_patches", "patch_dimension", "batch_size", "n_samples", "n_test", "n_records"
    )
    return {
        "trial": 1.0,
        "data": (samples + tested) * patches * dimension,
        "linear model": samples * (patches * dimension) ** 2,
        "steps": steps,
        "coordinates": steps * batch * patches * dimension,
        "attention": steps * batch * patches**2,
        "tests": records * tested * patches * (patches + dimension),
    }


def _minibatch_bytes(parameters: Parameters) -> float:
    """Data and attention, and the normal equations of the linear model."""
    patches, dimension, samples, tested = _numbers(parameters, "n_patches", "patch_dimension", "n_samples", "n_test")
    return 8 * ((samples + tested) * patches * (dimension + patches) + (patches * dimension) ** 2)


def _minibatch_examples(parameters: Parameters) -> list[Parameters]:
    base = {
        "set_size": 4, "init_scale": 1.0, "learning_rate": 1e-6, "n_records": 2,
        **{name: parameters[name] for name in ("convolution", "attention")},
    }  # fmt: skip
    sizes = (
        (16, 16, 1000, 100, 500),
        (16, 16, 1000, 100, 20_000),
        (16, 16, 8000, 100, 500),
        (16, 16, 1000, 1000, 500),
        (32, 16, 1000, 100, 500),
        (16, 32, 1000, 400, 500),
    )
    names = ("n_patches", "patch_dimension", "n_samples", "batch_size", "n_test")
    return [{**base, **dict(zip(names, size, strict=True)), "n_steps": steps} for size in sizes for steps in (10, 200)]


def full_seconds(parameters: Parameters) -> float:
    """A guess of the CPU seconds of a training of the full network: steps go from ten to ten thousand in one claim."""
    steps, patches = (parameters.get(name) for name in ("n_steps", "n_patches"))
    counted = isinstance(steps, int | float) and isinstance(patches, int | float)
    return 0.02 + (5e-5 * steps * patches if counted else 0.0)


REDUCED = CostLaw(
    kind=lambda parameters: (_is_fourier(parameters),),
    terms=_reduced_terms,
    taken=lambda trial, parameters: trial.number("n_steps_taken"),
    most=_n_steps,
    examples=_reduced_examples,
    may_stop=_may_stop,
)
FULL = CostLaw(
    kind=lambda parameters: (_is_population(parameters), parameters["precision"]),
    terms=_full_terms,
    taken=lambda trial, parameters: trial.number("step"),
    most=_n_steps,
    examples=_full_examples,
    bytes_held=_full_bytes,
    may_stop=_may_stop,
)
TRANSFER = CostLaw(
    kind=lambda parameters: (parameters["association"],),
    terms=_tuning_terms,
    taken=lambda trial, parameters: trial.number("n_steps_taken"),
    most=_n_steps,
    examples=_tuning_examples,
    bytes_held=_tuning_bytes,
    may_stop=_may_stop,
)
GAUSSIAN_PATCHES = CostLaw(
    kind=lambda parameters: (parameters["attention"],),
    terms=_minibatch_terms,
    taken=lambda trial, parameters: _n_steps(parameters),
    most=_n_steps,
    examples=_minibatch_examples,
    bytes_held=_minibatch_bytes,
    may_stop=lambda parameters: False,
)
