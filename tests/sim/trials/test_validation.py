"""Every rule of sim.trials.validation: what passes, what is refused, and the words of the refusal."""

import math

import pytest

from sim.trials.validation import (
    InvalidParameter,
    require,
    require_integer,
    require_non_negative,
    require_one_of,
    require_positive,
)


def refusal(check, *arguments, **parameters) -> str:
    with pytest.raises(InvalidParameter) as caught:
        check(*arguments, **parameters)
    return str(caught.value)


def test_good_values_pass_in_silence():
    require(True, "eta", "be small", 1)
    require_positive(eta=0.1, width=3)
    require_non_negative(noise=0.0, width=3)
    require_integer(least=1, width=1, depth=7)
    require_one_of("mode", "a", ("a", "b"))


def test_the_text_names_argument_rule_and_value():
    assert refusal(require, False, "size", "divide n", 5, 16) == "size must divide n, got 5 and 16"
    assert refusal(require_positive, learning_rate=-0.1) == "learning_rate must be > 0, got -0.1"
    assert refusal(require_non_negative, noise=-1) == "noise must be >= 0, got -1"
    assert refusal(require_integer, least=1, steps=0) == "steps must be >= 1, got 0"
    assert refusal(require_integer, least=1, steps=2.0) == "steps must be an integer, got 2.0"
    assert refusal(require_one_of, "mode", "c", ("a", "b")) == "mode must be one of a, b, got 'c'"


@pytest.mark.parametrize("check", [require_positive, require_non_negative])
def test_only_finite_numbers_pass(check):
    assert refusal(check, eta=math.inf) == "eta must be finite, got inf"
    assert refusal(check, eta=math.nan).endswith("got nan")
    assert refusal(check, eta=-math.inf).endswith("got -inf")


@pytest.mark.parametrize("value", [True, 1.0, "1", None])
def test_only_integers_are_integers(value):
    assert refusal(require_integer, least=0, steps=value) == f"steps must be an integer, got {value!r}"


def test_a_refusal_is_a_value_error():
    assert issubclass(InvalidParameter, ValueError)
