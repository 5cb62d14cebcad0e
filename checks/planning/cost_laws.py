"""Of what the trials of each simulator are made: the laws of `checks.planning.cost_model`, by the simulator's name.

Written down from the simulators' own documentation of their cost. A simulator without a law is planned from stored
trials of the same grid alone.
"""

from __future__ import annotations

import math

from checks.planning.cost_model import Kind, Law, Terms
from sim.trial import Parameters, Trial


def _number(parameters: Parameters, name: str, default: float) -> float:
    return float(parameters.get(name, default))


def _numbers(parameters: Parameters, **defaults: float) -> tuple[float, ...]:
    return tuple(_number(parameters, name, value) for name, value in defaults.items())


def _n_steps(parameters: Parameters) -> float:
    return _number(parameters, "n_steps", 1)


def _may_stop(parameters: Parameters) -> bool:
    """Whether descent ends where the risk is small enough."""
    return _number(parameters, "stop_risk", 0.0) > 0


# -------------------------------------------------------------------------------------- training of the shallow network


def _training_kind(parameters: Parameters) -> Kind:
    """Engines go by token noise; kernels are compiled for an output layer, a precision and a dimension."""
    collapsed = _number(parameters, "token_noise", 0.0) == 0 and _number(parameters, "noise_radius", 0.0) == 0
    output_layer, precision = parameters.get("output_layer", "per token"), parameters.get("precision", "float64")
    return collapsed, output_layer, precision, int(parameters.get("dimension", 10))


def _training_terms(parameters: Parameters, steps: float) -> Terms:
    """Work of a training: samples that pass through tokens, attention and neurons, and the weights' update."""
    names = {"n_tokens": 0, "n_neurons": 0, "batch_size": 0, "n_samples": 0, "dimension": 10, "n_patterns": 5}
    tokens, neurons, batch, samples, dimension, patterns = (
        _number(parameters, name, value) for name, value in names.items()
    )
    seen = steps * batch
    layers = tokens if parameters.get("output_layer", "per token") == "per token" else 1.0
    return {
        "trial": 1.0,
        "data": (samples + _number(parameters, "n_test", 0)) * tokens * dimension,
        "records": math.log2(steps + 2) * tokens * neurons,
        "steps": steps,
        "attention": seen * tokens * tokens * dimension,
        "neurons": seen * patterns * neurons * dimension,
        "token neurons": seen * tokens * neurons,
        "weights": steps * layers * neurons,
    }


def _training_steps(trial: Trial) -> float:
    """Steps that moved a weight, to the end of their pass, and one pass more that showed there were no others."""
    parameters = trial.spec.parameters
    in_pass = math.ceil(_number(parameters, "n_samples", 1) / _number(parameters, "batch_size", 1))
    passes = math.ceil(trial.number("iterations") / in_pass) + 1
    return min(passes * in_pass, _training_most(parameters))


def _training_most(parameters: Parameters) -> float:
    most = _number(parameters, "max_steps", 1)
    if parameters.get("one_pass", False):
        return min(most, _number(parameters, "n_samples", 1) // _number(parameters, "batch_size", 1))
    return most


def _training_examples(parameters: Parameters) -> list[Parameters]:
    """One size moves at a time, at two numbers of steps; the step is so small that every sample stays active."""
    base = {
        "n_tokens": 50, "n_neurons": 200, "batch_size": 16, "n_samples": 128, "n_test": 16,
        "label_relevant_fraction": 0.4, "confusion_fraction": 0.2, "learning_rate": 1e-6,
    }  # fmt: skip
    kept = {name: parameters[name] for name in ("token_noise", "noise_radius", "output_layer", "precision", "dimension")
            if name in parameters}  # fmt: skip
    moved: list[dict[str, int]] = [
        {}, {"n_neurons": 1000}, {"n_tokens": 20}, {"n_tokens": 100}, {"n_tokens": 200, "n_neurons": 50},
        {"batch_size": 64}, {"n_samples": 1024}, {"n_tokens": 100, "n_neurons": 1000},
        {"n_test": 1000},
    ]  # fmt: skip
    return [{**base, **kept, **sizes, "max_steps": steps} for sizes in moved for steps in (4, 64)]


# ------------------------------------------------------------------------------------- dynamics of the reduced network


def _multisets(parameters: Parameters) -> int:
    """Multisets of set types that an enumeration sums over."""
    size, n_random = int(parameters["set_size"]), int(parameters["n_patches"]) // int(parameters["set_size"]) - 1
    types = (size + 1) * (size + 2) // 2
    return math.comb(n_random + types - 1, n_random)


def _is_fourier(parameters: Parameters) -> bool:
    from sim.spatial_vit.reduced.expectation import ENUMERATED_ROWS

    expectation = parameters.get("expectation", "exact")
    return expectation == "fourier" or (expectation == "exact" and _multisets(parameters) > ENUMERATED_ROWS)


def _reduced_terms(parameters: Parameters, steps: float) -> Terms:
    """Work of following the reduced variables; the flow takes about as many gradients at any size."""
    if parameters.get("dynamics", "gradient_descent") == "flow":
        steps = FLOW_GRADIENTS[_is_fourier(parameters)]
    records = _number(parameters, "n_records", 200)
    if _is_fourier(parameters):
        sets = _number(parameters, "n_patches", 1) / _number(parameters, "set_size", 1)
        rows = _number(parameters, "spurious_rate", 0.0) * _number(parameters, "n_patches", 1) * math.log2(sets)
    else:
        rows = float(_multisets(parameters))
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
    return parameters.get("risk", "population") == "population"


def _data_points(parameters: Parameters) -> float:
    """Samples, or the configurations L 3^(D - C) of an enumeration."""
    if not _is_population(parameters):
        return _number(parameters, "n_samples", 1000)
    patches, size = int(parameters["n_patches"]), int(parameters["set_size"])
    return patches / size * 3.0 ** (patches - size)


def _full_terms(parameters: Parameters, steps: float) -> Terms:
    """Work of full-batch steps: coordinates of patches read, attention paid; an enumeration needs one coordinate."""
    patches, dimension, records = _numbers(parameters, n_patches=1, patch_dimension=64, n_records=20)
    points = _data_points(parameters)
    if _is_population(parameters):
        dimension, tested = 1.0, points
    else:
        tested = _number(parameters, "n_test", 4096)
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


def _full_examples(parameters: Parameters) -> list[Parameters]:
    """Sizes up to those that no longer fit a cache; the step is so small that nothing else changes."""
    base = {
        "set_size": 2, "spurious_rate": 0.25, "activation_power": 3, "linear_coefficient": 1e-2, "diagonal_logit": 1.0,
        "learning_rate": 1e-6, "n_records": 2,
    }  # fmt: skip
    if _is_population(parameters):
        sizes = [{"n_patches": patches} for patches in (4, 6, 8, 10)]
    else:
        base |= {name: parameters[name] for name in ("risk", "precision") if name in parameters} | {"n_test": 1000}
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
    names = {"n_patches": 1, "patch_dimension": 1, "n_samples": 1, "n_repeats": 1, "n_test": 1000}
    patches, dimension, samples, repeats, tested = _numbers(parameters, **names)
    before, passes = _numbers(parameters, pretraining_samples=1000, pretraining_steps=1000)
    before *= parameters.get("association", "hand_built") == "empirical"
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


def _tuning_examples(parameters: Parameters) -> list[Parameters]:
    base = {
        "activation_power": 3, "linear_coefficient": 1e-3, "diagonal_logit": 1.0, "learning_rate": 1e-6,
        "stop_risk": 0.0, "pretraining_samples": 1000, "n_records": 2,
        "association": parameters.get("association", "hand_built"),
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
    names = {"n_patches": 1, "patch_dimension": 1, "batch_size": 1, "n_samples": 1, "n_test": 1, "n_records": 20}
    patches, dimension, batch, samples, tested, records = _numbers(parameters, **names)
    return {
        "trial": 1.0,
        "data": (samples + tested) * patches * dimension,
        "linear model": samples * (patches * dimension) ** 2,
        "steps": steps,
        "coordinates": steps * batch * patches * dimension,
        "attention": steps * batch * patches**2,
        "tests": records * tested * patches * (patches + dimension),
    }


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


LAWS = {
    "shallow_vit": Law(_training_kind, _training_terms, _training_steps, _training_most, _training_examples),
    "spatial_vit_reduced": Law(
        kind=lambda parameters: (_is_fourier(parameters),),
        terms=_reduced_terms,
        taken=lambda trial: trial.number("n_steps_taken"),
        most=_n_steps,
        examples=_reduced_examples,
        may_stop=_may_stop,
    ),
    "spatial_vit": Law(
        kind=lambda parameters: (_is_population(parameters), parameters.get("precision", "double")),
        terms=_full_terms,
        taken=lambda trial: trial.number("step"),
        most=_n_steps,
        examples=_full_examples,
        may_stop=_may_stop,
    ),
    "spatial_vit_transfer": Law(
        kind=lambda parameters: (parameters.get("association", "hand_built"),),
        terms=_tuning_terms,
        taken=lambda trial: trial.number("n_steps_taken"),
        most=_n_steps,
        examples=_tuning_examples,
    ),
    "gaussian_patches": Law(
        kind=lambda parameters: (parameters["attention"],),
        terms=_minibatch_terms,
        taken=lambda trial: _n_steps(trial.spec.parameters),
        most=_n_steps,
        examples=_minibatch_examples,
        may_stop=lambda parameters: False,
    ),
}
