"""Trainings on scenes: what is counted, what differs between two of them, and what is refused."""

from __future__ import annotations

import pytest
import torch

from sim.images.constructions.tokens import relevant
from sim.images.experiments.scene_training import Wanted, simulate_scenes
from sim.images.systems import IMAGE_SCENES
from sim.trials.readouts import observed
from sim.trials.trial import Outcome
from sim.trials.validation import InvalidParameter

FEW = {"n_samples": 40, "steps": 2, "batch_size": 16}


def simulated(**changes):
    return observed(IMAGE_SCENES, simulate_scenes(**{**FEW, **changes}, generator=torch.Generator().manual_seed(3)))


def test_a_trial_says_what_it_was_made_of() -> None:
    result = simulated(label_relevant_fraction=0.8, beside="all tokens")
    told = result.observables
    assert result.outcome is Outcome.CONVERGED
    assert (told["alpha"], told["beside_alpha"], told["n_test"], told["stand_in"]) == (0.8, 0.64, 359, True)
    assert str(told["objects_sha256"]).startswith("6c4d6d4f39a0")
    assert len({told[f"{name}_sha256"] for name in ("objects", "test_objects", "backgrounds", "test_backgrounds")}) == 4


def test_the_same_seed_gives_the_same_figures() -> None:
    assert simulated().observables == simulated().observables


def test_success_is_an_accuracy_of_at_least_the_target() -> None:
    assert simulated(target_accuracy=0.0).observables["success"] is True
    assert simulated(target_accuracy=1.0).observables["success"] is False


@pytest.mark.parametrize(
    ("kept_by", "alpha"), [("mask", 1.0), ("inverse mask", 7 / 16), ("random", None), ("attention", None)]
)
def test_ways_to_keep_sixteen_of_25_tokens(kept_by: str, alpha: float | None) -> None:
    found = simulated(label_relevant_fraction=1.0, kept_by=kept_by, steps=0).observables["alpha"]
    assert found == alpha if alpha is not None else 0.4 < found < 0.9


@pytest.mark.parametrize(
    "changes",
    [
        {"beside": "fewer samples", "beside_samples": 10},
        {"beside": "another start", "start_on": "digits", "start_steps": 1, "start_classes": "0,1"},
        {
            "beside": "another start",
            "beside_start_on": "digits",
            "beside_start_per_class": 2,
            "start_steps": 1,
            "classes": "3,8",
            "spurious_rate": 0.9,
            "test_scenes": 2,
        },
    ],
)
def test_a_second_training_differs_in_one_thing(changes) -> None:
    told = simulated(**changes).observables
    assert {"accuracy", "beside_accuracy", "beside_alpha"} <= told.keys()
    assert told["alpha"] == told["beside_alpha"] == 0.64


def test_a_second_training_that_differs_in_nothing_yet_is_the_first() -> None:
    told = simulated(steps=0, beside="all tokens").observables
    assert told["accuracy"] == told["beside_accuracy"]


def test_shuffled_labels_are_those_of_other_images() -> None:
    def made(labels: str):
        wanted = Wanted("digits", (), "photographs", 10, 8, 2, 0.0, labels, 1)
        return wanted.made(200, torch.Generator().manual_seed(1))

    true, shuffled = made("true"), made("shuffled")
    assert torch.bincount(true.train.images.labels).equal(torch.bincount(shuffled.train.images.labels))
    assert 0 < int((true.train.images.labels == shuffled.train.images.labels).sum()) < 50
    assert true.test.images.labels.equal(shuffled.test.images.labels)


def test_spurious_backgrounds_by_exact_counts_in_training_and_in_testing() -> None:
    wanted = Wanted("digits", (2, 7), "photographs", 10, 8, 2, 0.9, "true", 3)
    data = wanted.made(200, torch.Generator().manual_seed(1))
    for scenes, rates in ((data.train, (0.9, 0.1)), (data.test, (0.5, 0.5))):
        for label, rate in enumerate(rates):
            of_class = scenes.images.labels == label
            assert int(scenes.has_background[of_class].sum()) == round(rate * int(of_class.sum()))
        assert (relevant(scenes.is_object, 2).sum(1) == 16).all()
    assert len(data.test.images) % 3 == 0


@pytest.mark.parametrize(
    ("changes", "words"),
    [
        ({"n_samples": 2000}, "n_samples must be at most the 1438 of digits, got 2000"),
        ({"label_relevant_fraction": 0.9}, "label_relevant_fraction must be made by a whole number of 25 tokens"),
        ({"label_relevant_fraction": 0.5}, "label_relevant_fraction must be made by a whole number of 25 tokens"),
        ({"classes": "1,x"}, "classes must be numbers between commas, got '1,x'"),
        ({"spurious_rate": 0.9}, "classes must be two where spurious_rate is not 0"),
        ({"patch_size": 3}, "patch_size must divide canvas = 10 and object_size = 8"),
        ({"network": "small-resnet18"}, "network must be a vision transformer"),
        ({"patch_size": 0}, "patch_size must be >= 1, got 0"),
        ({"label_relevant_fraction": 1e-310}, "label_relevant_fraction must be made by a whole number of 25 tokens"),
        ({"labels": "wrong"}, "labels must be one of true, shuffled, got 'wrong'"),
        ({"beside": "fewer samples"}, "beside_samples must be from 2 to 39, got 0"),
        ({"start_on": "photographs"}, "start_on must have 1 channels like the objects, got 'photographs'"),
    ],
)
def test_what_does_not_go_together_is_one_line(changes, words: str) -> None:
    with pytest.raises(InvalidParameter) as refused:
        simulated(**changes)
    assert words in str(refused.value)
