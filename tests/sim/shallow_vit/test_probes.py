"""Lucky neurons: counts and their exact expectation, against numerical integration."""

import math

import pytest
import torch
from scipy.integrate import quad

from sim.shallow_vit.probes import cap_probability, count_lucky_neurons, measure_gradients
from sim.trials.validation import InvalidParameter

ARGUMENTS = {"n_neurons": 100_000, "value_error": 0.6, "noise_radius": 0.2}


def count(seed: int = 0, **arguments) -> dict:
    generator = torch.Generator().manual_seed(seed)
    return dict(count_lucky_neurons(**{**ARGUMENTS, **arguments}, generator=generator).observables)


def cap_by_quadrature(dimension: int, angle: float) -> float:
    """Share of the sphere's area within an angle: the angle's density is sin^(d-2)."""

    def area(stop: float) -> float:
        return quad(lambda x: math.sin(x) ** (dimension - 2), 0, stop, epsabs=0, epsrel=1e-12)[0]

    return area(angle) / area(math.pi)


@pytest.mark.parametrize("angle", [0.05, 0.13, 0.8, 1.5, math.pi / 2, 1.7, 2.5, 3.1])
@pytest.mark.parametrize("dimension", [2, 3, 10])
def test_the_probability_of_a_cap_is_the_integral_of_a_power_of_the_sine(dimension, angle):
    assert cap_probability(dimension, angle) == pytest.approx(cap_by_quadrature(dimension, angle), rel=1e-9)


def test_the_probability_of_a_cap_starts_at_none_and_ends_at_all():
    assert cap_probability(10, 0.0) == 0
    assert cap_probability(10, math.pi) == cap_probability(10, 4.0) == 1


def test_the_expected_count_at_the_paper_s_sizes_is_the_integral_of_sin_8():
    found = count(n_neurons=1000, value_error=0.1, noise_radius=0.03)
    assert found["expected_defined"] == pytest.approx(1000 * cap_by_quadrature(10, 0.13), rel=1e-9)
    assert found["expected_defined"] < 1e-4, "not one of a thousand neurons is expected to be lucky"


@pytest.mark.parametrize(("value_error", "noise_radius", "dimension"), [(0.6, 0.2, 10), (1.0, 0.4, 10), (0.3, 0.0, 3)])
def test_the_count_is_binomial_around_its_expectation(value_error, noise_radius, dimension):
    found = count(value_error=value_error, noise_radius=noise_radius, dimension=dimension, n_patterns=3)
    n, mean = found["n_neurons"], found["expected_defined"]
    assert mean > 5
    assert abs(found["n_defined"] - mean) < 5 * (mean * (1 - mean / n)) ** 0.5


@pytest.mark.parametrize("n_patterns", [2, 5])
def test_without_errors_the_proof_s_event_has_probability_one_over_the_patterns(n_patterns):
    found = count(value_error=0.0, noise_radius=0.0, n_patterns=n_patterns)
    n, share = found["n_neurons"], 1 / n_patterns
    assert found["n_defined"] == 0
    assert abs(found["n_in_proof"] - n * share) < 5 * (n * share * (1 - share)) ** 0.5


def test_the_proof_s_event_shrinks_with_the_error():
    counts = [count(value_error=error, noise_radius=0.0)["n_in_proof"] for error in (0.0, 0.05, 0.1, 0.2, 0.6)]
    assert counts == sorted(counts, reverse=True)
    assert counts[0] > counts[1] > counts[2]


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ({"n_neurons": 0}, "n_neurons must be >= 1, got 0"),
        ({"n_patterns": 1}, "n_patterns must be >= 2, got 1"),
        ({"dimension": 4}, "dimension must be at least n_patterns, got 4"),
        ({"value_error": -0.1}, "value_error must be >= 0, got -0.1"),
    ],
)
def test_bad_input_names_argument_rule_and_value(arguments, message):
    with pytest.raises(InvalidParameter) as caught:
        count(**arguments)
    assert str(caught.value) == message


def test_bad_input_of_the_gradient_measure_is_named():
    with pytest.raises(InvalidParameter, match="n_samples must be >= 1, got 0"):
        measure_gradients(n_tokens=5, n_neurons=4, n_samples=0, output_layer="shared", generator=torch.Generator())
