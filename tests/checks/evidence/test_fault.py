"""A function stands replaced at its place while the context lasts, and no longer."""

from __future__ import annotations

import pytest

from checks.evidence.fault import altered, returning
from sim.trials import digest
from sim.trials.sweep import Sweep

HASH = "sim.trials.digest.hash_of"


def test_a_function_is_replaced_meanwhile() -> None:
    right = digest.hash_of
    with altered(HASH, lambda found: lambda *matrices: found(*matrices)[:2]):
        assert digest.hash_of(1.0) == right(1.0)[:2]
    assert digest.hash_of is right


def test_a_method_is_replaced_on_its_class() -> None:
    right = vars(Sweep)["specs"]
    with altered("sim.trials.sweep.Sweep.specs", lambda found: lambda self: []):
        assert vars(Sweep)["specs"] is not right
    assert vars(Sweep)["specs"] is right


def test_what_a_function_returns_is_changed() -> None:
    with returning(HASH, lambda found: f"-{found}"):
        changed = digest.hash_of(1.0)
    assert changed == f"-{digest.hash_of(1.0)}"


def test_an_error_leaves_nothing_replaced() -> None:
    right = digest.hash_of
    with pytest.raises(ZeroDivisionError), altered(HASH, lambda found: None):
        raise ZeroDivisionError
    assert digest.hash_of is right


@pytest.mark.parametrize("place", ["sim.trials.digest.nothing", "sim.nothing.hash_of"])
def test_a_place_where_nothing_stands_is_an_error(place: str) -> None:
    with pytest.raises((KeyError, AttributeError)), altered(place, lambda found: found):
        pass
