"""Training on images: bit for bit the same when it is resumed, its schedule, its augmentation, its refusals."""

from __future__ import annotations

import math
from dataclasses import replace
from pathlib import Path

import pytest
import torch

from sim.images.networks.named import network
from sim.images.refusals import BadImages
from sim.images.sets.labelled import Images
from sim.images.training import checkpoint, checkpoint_folder
from sim.images.training.augmentation import PixelScaling, augmented
from sim.images.training.checkpoint import State
from sim.images.training.course import TrainedNetwork, TrainingCourse, train
from sim.images.training.device import VARIABLE, claimed, device, signature
from sim.trials.validation import InvalidParameter


def generator_of(seed: int) -> torch.Generator:
    return torch.Generator().manual_seed(seed)


def striped(n: int = 48) -> Images:
    """Images of 8 x 8 pixels with noise whose odd columns, or odd rows, are bright, by their class."""
    labels = torch.arange(n) % 2
    pixels = torch.randint(0, 60, (n, 1, 8, 8), generator=generator_of(1), dtype=torch.uint8)
    pixels[labels == 0, :, :, 1::2] += 150
    pixels[labels == 1, :, 1::2] += 150
    return Images(pixels, labels, n_classes=2, name="striped", stand_in=True)


COURSE = TrainingCourse(steps=12, batch_size=16, learning_rate=3e-3, warm_up=3, augment="crop and flip")


def trained(
    name: str = "small-vit7",
    *,
    course: TrainingCourse = COURSE,
    save_to: Path | None = None,
    images: Images | None = None,
) -> TrainedNetwork:
    generator = generator_of(0)
    made = network(name, image_size=8, channels=1, n_classes=2, patch_size=0 if "vit" not in name else 4,
                   generator=generator)  # fmt: skip
    return train(made, images or striped(), course=course, generator=generator, save_to=save_to, save_every=5)


def weights(found: TrainedNetwork) -> dict[str, torch.Tensor]:
    return {name: value.clone() for name, value in found.network.state_dict().items()}


def same(one: dict[str, torch.Tensor], other: dict[str, torch.Tensor]) -> bool:
    return one.keys() == other.keys() and all(torch.equal(one[name], other[name]) for name in one)


class Interrupted(Exception):
    pass


@pytest.mark.parametrize("name", ["small-vit7", "small-resnet18"])
def test_a_resumed_training_is_bit_for_bit_the_uninterrupted_one(name, tmp_path, monkeypatch):
    whole = trained(name)
    file, right = tmp_path / "run.pt", State.next_batch

    def stops(state: State, n_images: int, size: int) -> torch.Tensor:
        if state.step == 8:  # three steps after the checkpoint, in the middle of an epoch
            raise Interrupted
        return right(state, n_images, size)

    monkeypatch.setattr(State, "next_batch", stops)
    with pytest.raises(Interrupted):
        trained(name, save_to=file)
    monkeypatch.setattr(State, "next_batch", right)
    assert sorted(path.name for path in tmp_path.iterdir()) == ["run.pt"]
    resumed = trained(name, save_to=file)
    assert same(weights(whole), weights(resumed))
    assert whole.losses.tolist() == resumed.losses.tolist()
    again = trained(name, save_to=file)  # at its end: nothing is left to do
    assert same(weights(whole), weights(again))


def test_a_checkpoint_serves_no_other_training(tmp_path):
    file = tmp_path / "run.pt"
    trained(save_to=file)
    for changes in ({"learning_rate": 1e-3}, {"steps": 13}, {"augment": "none"}):
        with pytest.raises(BadImages, match="is of another training"):
            trained(course=replace(COURSE, **changes), save_to=file)
    images = striped()
    with pytest.raises(BadImages, match="is of another training"):
        trained(images=replace(images, labels=1 - images.labels), save_to=file)


@pytest.mark.parametrize("damage", ["cut", "text", "empty", "pickle"])
def test_damaged_checkpoints_are_refused_in_one_line(damage, tmp_path):
    file = tmp_path / "run.pt"
    trained(save_to=file)
    content = file.read_bytes()
    if damage == "pickle":
        torch.save({"about": Path("x")}, file)
    else:
        file.write_bytes({"cut": content[: len(content) // 2], "text": b"no checkpoint", "empty": b""}[damage])
    with pytest.raises(BadImages, match=r"checkpoint .*run.pt is damaged") as error:
        trained(save_to=file)
    assert "\n" not in str(error.value)


def test_training_learns_and_an_untrained_network_is_left_as_it_is():
    images = striped()
    found = trained(course=TrainingCourse(steps=40, batch_size=16, learning_rate=3e-3))
    assert found.accuracy(images) == 1.0
    assert found.losses[-1] < found.losses[0] / 4
    untrained = trained(course=TrainingCourse(steps=0, batch_size=16))
    fresh = network("small-vit7", image_size=8, channels=1, n_classes=2, patch_size=4, generator=generator_of(0))
    assert same(weights(untrained), fresh.state_dict())
    assert len(untrained.losses) == 0


def test_dropped_tokens_do_not_matter_to_what_is_learned():
    """Where every image keeps its left half, the right half may be anything."""
    images, keep = striped(), torch.tensor([[True, False, True, False]]).expand(48, 4)
    other = images.pixels.clone()
    other[:, :, :, 4:] = other[:, :, :, 4:].flip(0)  # the same pixels, so that the scaling is the same
    found = []
    for pixels in (images.pixels, other):
        made = network("small-vit5", image_size=8, channels=1, n_classes=2, patch_size=4, generator=generator_of(0))
        seen = replace(images, pixels=pixels)
        found.append(train(made, seen, course=replace(COURSE, augment="none"), generator=generator_of(1), keep=keep))
    assert all(
        torch.allclose(one, found[1].network.state_dict()[name], atol=1e-6)
        for name, one in found[0].network.state_dict().items()
    )


def test_a_training_whose_loss_is_no_number_has_diverged():
    found = trained(course=TrainingCourse(steps=120, batch_size=16, learning_rate=1e30))
    assert found.diverged
    assert found.steps == 50
    assert found.accuracy(striped()) == 0.0


def test_the_schedule_rises_and_falls_by_half_a_cosine():
    course = TrainingCourse(steps=110, learning_rate=2.0, warm_up=10)
    assert [course.rate_at(step) for step in (0, 4, 9, 10)] == pytest.approx([0.2, 1.0, 2.0, 2.0])
    assert course.rate_at(60) == pytest.approx(1.0)
    assert course.rate_at(109) == pytest.approx(1 - math.cos(math.pi / 100), rel=1e-9)


def test_scaled_training_images_have_mean_0_and_deviation_1():
    pixels = torch.randint(0, 256, (20, 3, 8, 8), generator=generator_of(0), dtype=torch.uint8)
    pixels[:, 1] = 7
    seen = PixelScaling.of(pixels)(pixels)
    assert torch.allclose(seen.mean(dim=(0, 2, 3)), torch.zeros(3), atol=1e-5)
    assert seen.std(dim=(0, 2, 3), correction=0).tolist() == pytest.approx([1, 0, 1], abs=1e-5)


def test_each_augmented_image_is_a_shifted_and_perhaps_reflected_one():
    pixels = torch.randint(1, 256, (40, 1, 8, 8), generator=generator_of(0), dtype=torch.uint8)
    found = augmented(pixels, "crop and flip", generator_of(1))
    seen = set()
    for image, moved in zip(pixels[:, 0], found[:, 0], strict=True):
        padded = torch.nn.functional.pad(image, (1, 1, 1, 1))
        candidates = {
            (top, left, flipped): padded[top : top + 8, left : left + 8]
            for top in range(3) for left in range(3) for flipped in (False, True)
        }  # fmt: skip
        fits = [
            name for name, candidate in candidates.items()
            if torch.equal(candidate.flip(1) if name[2] else candidate, moved)
        ]  # fmt: skip
        assert len(fits) == 1
        seen.add(fits[0])
    assert len(seen) > 10
    assert augmented(pixels, "none", generator_of(1)) is pixels


def test_every_image_of_an_epoch_is_used_once():
    state = State(None, None, generator_of(0), [], {})
    epoch = torch.cat([state.next_batch(48, 16) for _ in range(3)])
    assert sorted(epoch.tolist()) == list(range(48))


@pytest.mark.parametrize(
    ("changes", "words"),
    [
        ({"steps": -1}, "steps must be >= 0, got -1"),
        ({"batch_size": 49}, "batch_size must be <= 48, the images, got 49"),
        ({"learning_rate": 0.0}, "learning_rate must be > 0, got 0.0"),
        ({"augment": "mixup"}, "augment must be one of none, crop, crop and flip, auto.*, got 'mixup'"),
        ({"precision": "half"}, "precision must be one of single, mixed, got 'half'"),
        ({"smoothing": 1.0}, "smoothing must be < 1, got 1.0"),
    ],
)
def test_bad_courses_are_refused(changes, words):
    with pytest.raises(InvalidParameter, match=words):
        trained(course=replace(COURSE, **changes))


def test_tokens_dropped_by_place_go_with_no_augmentation():
    made = network("small-vit5", image_size=8, channels=1, n_classes=2, patch_size=4, generator=generator_of(0))
    keep = torch.ones(48, 4, dtype=torch.bool)
    with pytest.raises(InvalidParameter, match="keep must leave every image a token"):
        train(
            made,
            striped(),
            course=TrainingCourse(1, 8),
            generator=generator_of(0),
            keep=keep & (torch.arange(48) > 0)[:, None],
        )
    with pytest.raises(InvalidParameter, match="augment must be none where tokens are dropped by place"):
        train(made, striped(), course=COURSE, generator=generator_of(0), keep=keep)


def test_the_device_is_the_cpu_unless_a_gpu_is_asked_for(monkeypatch):
    monkeypatch.delenv(VARIABLE, raising=False)
    assert device() == "cpu"
    assert signature() == "device=cpu"
    monkeypatch.setenv(VARIABLE, "tpu")
    with pytest.raises(InvalidParameter, match="THEOREMETER_DEVICE must be one of cpu, cuda, got 'tpu'"):
        device()
    monkeypatch.setenv(VARIABLE, "cuda")
    if not torch.cuda.is_available():
        with pytest.raises(InvalidParameter, match="THEOREMETER_DEVICE must be cpu on a machine without a GPU"):
            device()


def test_workers_take_one_gpu_each_and_share_what_is_left(tmp_path):
    """Each claim stands for a process: a lock that is held is held, whoever asks."""
    found = [claimed(3, tmp_path, "test") for _ in range(4)]
    assert [number for number, _ in found[:3]] == [0, 1, 2]
    assert [free for _, free in found] == [True, True, True, False]
    assert found[3][0] in (0, 1, 2)


def test_trials_keep_checkpoints_where_a_folder_is_set(tmp_path, monkeypatch):
    monkeypatch.delenv(checkpoint_folder.VARIABLE, raising=False)
    assert checkpoint.file_of(striped(), "one") is None
    monkeypatch.setenv(checkpoint_folder.VARIABLE, str(tmp_path))
    files = {checkpoint.file_of(striped(), *words) for words in (("one",), ("two",), ("one", 1))}
    assert len(files) == 3
    assert {file.parent for file in files} == {tmp_path}
    monkeypatch.setenv(checkpoint_folder.VARIABLE, str(tmp_path / "nowhere"))
    with pytest.raises(InvalidParameter, match="THEOREMETER_CHECKPOINTS must be a folder for checkpoints"):
        checkpoint.file_of(striped(), "one")
