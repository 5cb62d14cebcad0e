"""Of what the trials of each simulator are made: the laws of `checks.cost_model`, by the simulator's name.

Written down from the simulators' own documentation of their cost. A simulator without a law is planned from stored
trials of the same grid alone.
"""

from __future__ import annotations

import math

from checks.cost_model import Kind, Law, Terms
from sim.trial import Parameters, Trial


def _number(parameters: Parameters, name: str, default: float) -> float:
    return float(parameters.get(name, default))


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
    passes = math.ceil(float(trial.result.observables["iterations"]) / in_pass) + 1
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
    from sim.spatial_vit.expectation import ENUMERATED_ROWS

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

LAWS = {
    "shallow_vit": Law(_training_kind, _training_terms, _training_steps, _training_most, _training_examples),
    "spatial_vit_reduced": Law(
        kind=lambda parameters: (_is_fourier(parameters),),
        terms=_reduced_terms,
        taken=lambda trial: float(trial.result.observables["n_steps_taken"]),
        most=lambda parameters: _number(parameters, "n_steps", 1),
        examples=_reduced_examples,
    ),
}
