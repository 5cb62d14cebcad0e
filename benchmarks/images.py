"""Training on images end to end, from files of CIFAR's format: images a second, beside a plain loop of torch.

    python benchmarks/images.py [--rehearse]

Pictures are made up: a pattern of their class under noise, written in the binary format of CIFAR-10 and read back by
the loader. One trial of the simulator that compares kinds of attention runs as a sweep would run it, on the GPU that
`sim.images.training.device` takes, and must end above chance. Then our training and a plain loop train the same ViT of
7 blocks with the same batch size and precision: a DataLoader, AdamW, autocast, and nothing else, so no crops and no
schedule.
Rates are medians of three, after a run that is not counted, and end when the last step has ended on the device.

Without a GPU it says so and exits with 2. `--rehearse` does all of it at a tiny size on the CPU: it shows that this
file works, and its figures mean nothing.
"""

from __future__ import annotations

import argparse
import json
import os
import statistics
import sys
import tempfile
import time
from collections.abc import Callable
from dataclasses import asdict, dataclass
from pathlib import Path

import numpy as np

HERE = Path(__file__).parent
sys.path.insert(0, str(HERE.parent))

from sim.image_root import rooted  # noqa: E402
from sim.images.systems import IMAGE_ATTENTION  # noqa: E402
from sim.images.training.device import VARIABLE, device  # noqa: E402
from sim.running.run import run_trial  # noqa: E402
from sim.trials.trial import Outcome, TrialSpec  # noqa: E402
from sim.trials.validation import InvalidParameter  # noqa: E402

RESULTS = HERE / "results"
NAME = "cifar10-like"
ROUNDS = 3
N_CLASSES = 10


@dataclass(frozen=True)
class Plan:
    """What is trained: images of each of the five training files and of the test file, network, steps."""

    kind: str
    images_a_file: int
    network: str
    patch_size: int
    batch_size: int
    steps: int
    timed_steps: int
    precision: str


GPU = Plan("cuda", 10_000, "vit7", 4, 128, 2000, 300, "mixed")
REHEARSAL = Plan("cpu", 20, "small-vit7", 16, 16, 30, 2, "single")


def write_set(root: Path, images_a_file: int, *, seed: int = 0) -> None:
    """Made-up pictures in the binary format of CIFAR-10, below the user's folder."""
    folder = root / NAME / "cifar-10-batches-bin"
    folder.mkdir(parents=True)
    generator = np.random.default_rng(seed)
    patterns = generator.integers(60, 196, (N_CLASSES, 3, 4, 4)).repeat(8, axis=2).repeat(8, axis=3)
    for name in (*(f"data_batch_{number}" for number in range(1, 6)), "test_batch"):
        labels = np.arange(images_a_file) % N_CLASSES
        noise = generator.integers(-60, 60, (images_a_file, 3, 32, 32))
        pixels = (patterns[labels] + noise).clip(0, 255).astype(np.uint8).reshape(images_a_file, -1)
        rows = np.concatenate([labels[:, None].astype(np.uint8), pixels], axis=1)
        (folder / f"{name}.bin").write_bytes(rows.tobytes())


def whole_trial(plan: Plan) -> dict[str, object]:
    """One trial from files to accuracies, as a sweep runs it."""
    parameters = {
        "dataset": NAME, "network": plan.network, "patch_size": plan.patch_size, "steps": plan.steps,
        "batch_size": plan.batch_size, "learning_rate": 1e-3, "warm_up": plan.steps // 10,
        "augment": "crop", "precision": plan.precision,
    }  # fmt: skip
    start = time.perf_counter()
    trial = run_trial(TrialSpec(IMAGE_ATTENTION, parameters))
    seconds = time.perf_counter() - start
    if trial.result.outcome is Outcome.FAILED:
        raise RuntimeError(f"the trial failed: {dict(trial.result.observables)}")
    images = 2 * plan.steps * plan.batch_size
    return {"seconds": seconds, "images_a_second": images / seconds, **trial.result.observables}


def rate_of(train: Callable[[], None], plan: Plan) -> float:
    """Images a second, median of the rounds."""
    import torch

    def seconds() -> float:
        start = time.perf_counter()
        train()
        if plan.kind == "cuda":
            torch.cuda.synchronize()
        return time.perf_counter() - start

    seconds()
    return plan.timed_steps * plan.batch_size / statistics.median(seconds() for _ in range(ROUNDS))


def ours(plan: Plan) -> Callable[[], None]:
    """Our training, with crops and its schedule; images are loaded before, the network is drawn anew each time."""
    from sim.images.experiments.pairs import trained
    from sim.images.sets.dataset import load
    from sim.images.training.course import TrainingCourse

    images = load(NAME, split="train")
    course = TrainingCourse(plan.timed_steps, plan.batch_size, augment="crop", precision=plan.precision)
    return lambda: trained(images, network=plan.network, course=course, seed=0, patch_size=plan.patch_size) and None


def plain_loop(plan: Plan) -> Callable[[], None]:
    """What one would write by hand."""
    import torch
    from torch.utils.data import DataLoader, TensorDataset

    from sim.images.networks.named import network
    from sim.images.sets.dataset import load

    images, place = load(NAME, split="train"), torch.device(device())
    data = TensorDataset(images.pixels.float() / 255, images.labels)

    def train() -> None:
        made = network(
            plan.network, image_size=32, channels=3, n_classes=N_CLASSES, patch_size=plan.patch_size,
            generator=torch.Generator().manual_seed(0),
        ).to(place)  # fmt: skip
        optimizer = torch.optim.AdamW(made.parameters(), lr=1e-3, weight_decay=0.05)
        batches = DataLoader(data, plan.batch_size, shuffle=True, drop_last=True, pin_memory=plan.kind == "cuda")
        done = 0
        while done < plan.timed_steps:
            for pixels, labels in batches:
                with torch.autocast(place.type, dtype=torch.bfloat16, enabled=plan.precision == "mixed"):
                    loss = torch.nn.functional.cross_entropy(made(pixels.to(place)), labels.to(place))
                optimizer.zero_grad()
                loss.backward()
                optimizer.step()
                done += 1
                if done == plan.timed_steps:
                    break

    return train


def measure(plan: Plan) -> dict[str, object]:
    """Everything, on data in a folder of its own."""
    import torch

    with tempfile.TemporaryDirectory() as folder:
        write_set(Path(folder), plan.images_a_file)
        with rooted(Path(folder)):
            trial = whole_trial(plan)
            peak = torch.cuda.max_memory_allocated() if plan.kind == "cuda" else 0
            rates = {"ours": rate_of(ours(plan), plan), "plain loop": rate_of(plain_loop(plan), plan)}
    name = torch.cuda.get_device_name() if plan.kind == "cuda" else "the CPU"
    return {"device": name, "plan": asdict(plan), "trial": trial, "peak_bytes": peak, "images_a_second": rates}


def main(words: list[str] | None = None) -> int:
    """The command line; 2 without a GPU, 1 where the trial learnt nothing."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("--rehearse", action="store_true", help="a tiny run on the CPU, whose times mean nothing")
    plan = REHEARSAL if parser.parse_args(words).rehearse else GPU
    before = os.environ.get(VARIABLE)
    os.environ[VARIABLE] = plan.kind
    try:
        device()
        found = measure(plan)
    except InvalidParameter as error:
        print(error, file=sys.stderr)
        return 2
    finally:
        if before is None:
            del os.environ[VARIABLE]
        else:
            os.environ[VARIABLE] = before
    trial, rates = found["trial"], found["images_a_second"]
    if plan is REHEARSAL:
        print("a rehearsal on the CPU: its times mean nothing")
    print(f"one trial of two trainings, files to accuracies, on {found['device']}: {trial['seconds']:.1f} s")
    print(f"accuracy {trial['accuracy_vanilla']:.3f} vanilla, {trial['accuracy_positional']:.3f} positional, "
          f"chance {trial['chance']:.3f}")  # fmt: skip
    print("| training | images a second |\n|---|---|")
    for name, rate in rates.items():
        print(f"| {name} | {rate:.0f} |")
    if plan is GPU:
        (RESULTS / "images.json").write_text(json.dumps(found, indent=1) + "\n", encoding="utf-8")
    return 0 if min(trial["accuracy_vanilla"], trial["accuracy_positional"]) > trial["chance"] + 0.1 else 1


if __name__ == "__main__":
    sys.exit(main())
