"""Of what the work of a training is made, for plans (`sim.trials.cost_law`). Nothing that simulates imports this."""

from __future__ import annotations

import math

from sim.trials.cost_law import CostLaw, Kind, Terms
from sim.trials.trial import Parameters, Trial


def _numbers(parameters: Parameters, *names: str) -> tuple[float, ...]:
    return tuple(float(parameters[name]) for name in names)


def _training_kind(parameters: Parameters) -> Kind:
    """Engines go by token noise; kernels are compiled for an output layer, a precision and a dimension."""
    collapsed = parameters["token_noise"] == 0
    return collapsed, parameters["output_layer"], parameters["precision"], int(parameters["dimension"])


def _training_terms(parameters: Parameters, steps: float) -> Terms:
    """Work of a training: samples that pass through tokens, attention and neurons, and the weights' update."""
    tokens, neurons, batch, samples, tested, dimension, patterns = _numbers(
        parameters, "n_tokens", "n_neurons", "batch_size", "n_samples", "n_test", "dimension", "n_patterns"
    )
    seen = steps * batch
    layers = tokens if parameters["output_layer"] == "per token" else 1.0
    return {
        "trial": 1.0,
        "data": (samples + tested) * tokens * dimension,
        "records": math.log2(steps + 2) * tokens * neurons,
        "steps": steps,
        "attention": seen * tokens * tokens * dimension,
        "neurons": seen * patterns * neurons * dimension,
        "token neurons": seen * tokens * neurons,
        "weights": steps * layers * neurons,
    }


def _training_bytes(parameters: Parameters) -> float:
    """Data, weights with their gradient, and records of neurons; what passes through the network goes in chunks."""
    tokens, neurons, samples, tested, dimension, steps = _numbers(
        parameters, "n_tokens", "n_neurons", "n_samples", "n_test", "dimension", "max_steps"
    )
    layers = tokens if parameters["output_layer"] == "per token" else 1.0
    data, weights = (samples + tested) * tokens * dimension, 2 * neurons * (dimension + layers)
    return 8 * (data + weights + math.log2(steps + 2) * tokens * neurons)


def _training_steps(trial: Trial, parameters: Parameters) -> float:
    """Steps that moved a weight, to the end of their pass, and one pass more that showed there were no others."""
    samples, batch = _numbers(parameters, "n_samples", "batch_size")
    in_pass = math.ceil(samples / batch)
    passes = math.ceil(trial.number("iterations") / in_pass) + 1
    return min(passes * in_pass, _training_most(parameters))


def _training_most(parameters: Parameters) -> float:
    most, samples, batch = _numbers(parameters, "max_steps", "n_samples", "batch_size")
    return min(most, samples // batch) if parameters["one_pass"] else most


def _training_examples(parameters: Parameters) -> list[Parameters]:
    """One size moves at a time, at two numbers of steps; the step is so small that every sample stays active."""
    base = {
        "n_tokens": 50, "n_neurons": 200, "batch_size": 16, "n_samples": 128, "n_test": 16,
        "label_relevant_fraction": 0.4, "confusion_fraction": 0.2, "learning_rate": 1e-6,
    }  # fmt: skip
    kept = {name: parameters[name] for name in ("token_noise", "output_layer", "precision", "dimension")}
    moved: list[dict[str, int]] = [
        {}, {"n_neurons": 1000}, {"n_tokens": 20}, {"n_tokens": 100}, {"n_tokens": 200, "n_neurons": 50},
        {"batch_size": 64}, {"n_samples": 1024}, {"n_tokens": 100, "n_neurons": 1000},
        {"n_test": 1000},
    ]  # fmt: skip
    return [{**base, **kept, **sizes, "max_steps": steps} for sizes in moved for steps in (4, 64)]


TRAINING = CostLaw(
    kind=_training_kind,
    terms=_training_terms,
    taken=_training_steps,
    most=_training_most,
    examples=_training_examples,
    bytes_held=_training_bytes,
)
