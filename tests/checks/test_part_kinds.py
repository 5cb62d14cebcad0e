"""What is looked up by the kind of a part has an answer for every kind that there is."""

from __future__ import annotations

import importlib
import inspect
import pkgutil
from collections.abc import Iterator

import pytest

import checks
from checks.evidence.folded import Folded
from checks.evidence.interim_analyses import UntilDecided
from checks.evidence.part import Part
from checks.mutation.made_up_trials import follow
from checks.mutation.statements import mutants_of
from checks.planning.experiments import experiment_of

for _, name, _ in pkgutil.walk_packages(checks.__path__, "checks."):
    if name.rsplit(".", 1)[-1] not in ("__main__", "conftest", "test_claims"):
        importlib.import_module(name)


def kinds(of: type[Part] = Part) -> Iterator[type[Part]]:
    for kind in of.__subclasses__():
        yield from kinds(kind)
        if not inspect.isabstract(kind) and kind.__module__.startswith("checks."):
            yield kind


EVIDENCE = sorted(set(kinds()) - {Folded, UntilDecided}, key=lambda kind: kind.__name__)
"""All but those that stand for another part, whose trials are counted already or are looked at early."""
NOTHING_TO_CONTRADICT = {"Course", "Derivation", "Exponent", "LawSearch", "Proof", "Regions"}
"""An open part asserts nothing; what symbols settle has no trials that could say the contrary."""


@pytest.mark.parametrize("kind", EVIDENCE, ids=lambda kind: kind.__name__)
def test_what_has_sampling_error_can_be_planned_and_nothing_else(kind: type[Part]) -> None:
    has_error = kind.has_sampling_error.fget(None)
    assert (experiment_of.dispatch(kind) is not experiment_of.dispatch(object)) is has_error


@pytest.mark.parametrize("kind", EVIDENCE, ids=lambda kind: kind.__name__)
def test_every_kind_has_its_falsehoods(kind: type[Part]) -> None:
    has_mutants = mutants_of.dispatch(kind) is not mutants_of.dispatch(object)
    assert has_mutants is (kind.__name__ not in NOTHING_TO_CONTRADICT)


def test_what_is_followed_is_what_has_an_order() -> None:
    followed = {kind.__name__ for kind in EVIDENCE if follow.dispatch(kind) is not follow.dispatch(object)}
    assert followed == {kind.__name__ for kind in EVIDENCE if mutants_of.dispatch(kind).__name__ == "_of_order"}
