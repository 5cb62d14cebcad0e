"""Figure 6 on images: what its lines say without data, what stands in, and the paper's protocol on generated files."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest
from PIL import Image

from checks.catalogue import select
from checks.evidence.check import Check, claim_headline, evaluate
from checks.evidence.paired import PairedDifference
from checks.records.preset import Preset
from checks.shallow_vit.image_setting import STAND_IN, above_chance, data_words, is_higher
from checks.statistics.comparisons import MIN_PAIRS
from checks.statistics.verdict import Verdict
from sim.image_root import VARIABLE
from sim.images.systems import IMAGE_SCENES
from sim.running.run import simulate_spec
from sim.trials.trial import Outcome, Trial, TrialResult, TrialSpec
from tests.sim.images.sets.archives import batch, some_pixels, write_cifar10_like
from theory.claim import Role

FIGURES = ("A.fig6a", "A.fig6b", "A.fig6c")


def measured(check: Check) -> list:
    return [part for part in check.parts if part.is_measured]


@pytest.fixture
def without_data(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv(VARIABLE, raising=False)


@pytest.mark.parametrize("preset", Preset)
@pytest.mark.parametrize("name", FIGURES)
def test_without_the_data_the_headline_says_what_would_measure_it(
    name: str, preset: Preset, without_data: None
) -> None:
    rows = evaluate(select([name]), preset, {})[name]
    headline = claim_headline(rows)
    assert headline.verdict is Verdict.NOT_MEASURED_YET
    assert headline.decisive is not None
    reason = headline.decisive.judgement.reason
    assert f"theoremeter run {name} --preset full; " in reason
    assert "h on one GPU with THEOREMETER_DEVICE=cuda and 3 GB of its memory" in reason
    assert "cifar10 is not on this machine: fetch https://www.cs.toronto.edu/~kriz/" in reason


@pytest.mark.parametrize("name", FIGURES)
def test_what_stands_in_says_so_and_is_never_a_statement(name: str) -> None:
    (check,) = select([name])
    for part in measured(check):
        sets = {spec.parameters["objects"] for preset in Preset for spec in part.specs(preset)}
        if part.role is Role.STATEMENT:
            assert sets == {"cifar10"}
            assert part.cost
            assert not isinstance(part, PairedDifference) or len(part.specs(Preset.FULL)) >= MIN_PAIRS
        else:
            assert sets == {"digits"}
            assert part.name.startswith(STAND_IN)
            assert part.because


@pytest.mark.parametrize("name", FIGURES)
def test_a_control_changes_labels_or_takes_no_step(name: str) -> None:
    for part in measured(select([name])[0]):
        if part.control is None:
            continue
        (own, *_), (spec, *_) = part.specs(Preset.FULL), part.control_specs(Preset.FULL)
        changed = {word for word, value in spec.parameters.items() if own.parameters.get(word) != value}
        assert "labels" in changed or spec.parameters["steps"] == 0
        assert changed <= {"labels", "steps", "start_on", "label_relevant_fraction", "n_samples"}


def test_an_untrained_network_reaches_no_target() -> None:
    (check,) = select(["A.fig6b"])
    (part, *_) = (part for part in measured(check) if part.role is not Role.STATEMENT)
    trials = [Trial(spec, simulate_spec(spec), 1.0) for spec in part.control_specs(Preset.QUICK)[:2]]
    assert [part.met_by(trial) for trial in trials] == [False, False]


def test_the_protocol_of_the_paper_keeps_as_many_tokens_as_it_prints() -> None:
    (check,) = select(["A.fig6b"])
    (part,) = (part for part in measured(check) if part.role is Role.STATEMENT)
    specs = part.specs(Preset.FULL)
    assert len(specs) == 5 * 5 * 10
    assert {spec.parameters["label_relevant_fraction"] for spec in specs} == {0.66, 0.7, 0.8, 0.9, 1.0}
    assert {spec.parameters["target_accuracy"] for spec in specs} == {0.775}


def made(accuracy: float, beside: float, sums: str = "0" * 16) -> Trial:
    told = {"accuracy": accuracy, "beside_accuracy": beside, "n_test": 359}
    told |= {"objects_sha256": sums, "backgrounds_sha256": "1" * 16}
    parameters = {"objects": "digits", "backgrounds": "photographs"}
    return Trial(TrialSpec(IMAGE_SCENES, parameters), TrialResult(Outcome.CONVERGED, told), 1.0)


def test_accuracy_is_higher_by_a_margin() -> None:
    assert is_higher(made(0.54, 0.5))
    with pytest.raises(ValueError, match="accuracy must be from 0 to 1, got 7"):
        is_higher(made(7.0, 0.5))
    assert not is_higher(made(0.52, 0.5))


@pytest.mark.parametrize(
    ("accuracies", "verdict"),
    [
        ((0.783, 0.78), Verdict.HOLDS),  # less than half a point is a rise all the same
        ((0.4, 0.78), Verdict.VIOLATED),
        ((0.11, 0.1), Verdict.INCONCLUSIVE),  # nothing was learnt
    ],
)
def test_the_statement_asks_for_the_sign_of_the_mean_difference(
    accuracies: tuple[float, float], verdict: Verdict
) -> None:
    (check,) = select(["A.fig6a"])
    part = measured(check)[0]
    trials = [made(accuracies[0] + 1e-4 * (place % 3), accuracies[1]) for place in range(20)]
    (row,) = part.lines(check.claim, trials)
    assert row.verdict is verdict


def test_chance_is_that_of_the_classes_of_the_trial() -> None:
    told = TrialResult(Outcome.CONVERGED, {})
    of_ten, of_two = (
        Trial(TrialSpec(IMAGE_SCENES, given), told, 1.0) for given in ({"n_samples": 5}, {"classes": "2,0"})
    )
    assert above_chance(of_ten) == pytest.approx(0.19)
    assert above_chance(of_two) == pytest.approx(0.55)


def test_trials_of_different_data_are_said_to_be() -> None:
    assert data_words([made(0.5, 0.5)]).startswith(f"digits (sha256 {'0' * 16}) and photographs (sha256 {'1' * 16})")
    mixed = data_words([made(0.5, 0.5), made(0.5, 0.5, "2" * 16)])
    assert f"digits (different data, sha256 {'0' * 16} and {'2' * 16})" in mixed


@pytest.fixture
def generated(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Sets in the formats of the paper's, of a few random images."""
    write_cifar10_like(tmp_path, some_pixels(40), [place % 10 for place in range(40)], kind="batches")
    folder = tmp_path / "cifar100-like" / "cifar-100-python"
    folder.mkdir(parents=True)
    (folder / "train").write_bytes(batch(some_pixels(20, 1), list(range(20)), key=b"fine_labels"))
    for split in ("train", "test"):
        plants = tmp_path / "imagenet-plants-like" / "imagenet-plants" / split / "n00017222"
        plants.mkdir(parents=True)
        Image.fromarray(np.random.default_rng(0).integers(0, 256, (80, 70, 3), dtype=np.uint8)).save(plants / "a.jpeg")
    monkeypatch.setenv(VARIABLE, str(tmp_path))
    return tmp_path


@pytest.mark.parametrize(("name", "part"), [("A.fig6a", 0), ("A.fig6c", 2)])
def test_the_protocol_of_the_paper_runs_on_generated_files(name: str, part: int, generated: Path) -> None:
    (check,) = select([name])
    spec = measured(check)[part].specs(Preset.FULL)[-1]
    few = {"n_samples": 4, "steps": 1, "start_steps": 1, "warm_up": 0, "batch_size": 2, "precision": "single"}
    like = {
        word: f"{value}-like"
        for word, value in spec.parameters.items()
        if value in ("cifar10", "cifar100", "imagenet-plants")
    }
    trial = simulate_spec(TrialSpec(IMAGE_SCENES, {**spec.parameters, **few, **like}))
    told = trial.observables
    assert trial.outcome is Outcome.CONVERGED
    assert told["stand_in"] is True
    fraction = spec.parameters["label_relevant_fraction"]
    assert told["alpha"] == fraction == 1.0
    assert told["beside_alpha"] == (169 / 256 if name == "A.fig6a" else 1.0)
