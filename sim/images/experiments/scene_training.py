"""A network trained on objects in backgrounds, on all tokens or on those that sparsification keeps. [li2023, Figure 6]

One training, or two that differ in one thing: the second is on all tokens, on the first few of the same samples, or
from another initial model. Both start from the same weights unless that is what differs, see the same objects at the
same places on the same backgrounds, and take the same number of steps. Test images are sparsified like training images.

What the paper leaves open is a parameter here: patches, steps, rates, and whether tokens of test images are removed as
well, which they are. An initial model is the same network trained on whole images without backgrounds; its output layer
is drawn anew.
"""

from __future__ import annotations

import copy
from dataclasses import dataclass, replace

import torch
from torch import nn

from sim.images.constructions.scenes import Scenes, backgrounds_by_class, grey, paste, resized
from sim.images.constructions.tokens import KEPT_BY, keep_tokens, relevant, scores_of
from sim.images.networks.named import network as named_network
from sim.images.networks.vision_transformer import VisionTransformer
from sim.images.sets.dataset import load
from sim.images.sets.labelled import Images
from sim.images.training.course import TrainedNetwork, TrainingCourse, train
from sim.trials.digest import hash_of
from sim.trials.readouts import Run
from sim.trials.trial import Outcome, Scalar
from sim.trials.validation import require, require_integer, require_one_of

BESIDE = ("", "all tokens", "fewer samples", "another start")
"""What the second training has; "" for none."""
LABELS = ("true", "shuffled")
NEAREST = 0.01
"""A wanted alpha_* must be met as nearly by a whole number of tokens."""


def simulate_scenes(
    *,
    n_samples: int, steps: int, objects: str = "digits", classes: str = "", backgrounds: str = "photographs",
    canvas: int = 10, object_size: int = 8, patch_size: int = 2, spurious_rate: float = 0.0, test_scenes: int = 1,
    label_relevant_fraction: float = 0.0, kept_by: str = "mask", network: str = "small-vit5",
    start_on: str = "", start_classes: str = "", start_per_class: int = 0, start_steps: int = 0,
    batch_size: int = 32, learning_rate: float = 3e-3, weight_decay: float = 0.05, warm_up: int = 0,
    precision: str = "single", labels: str = "true", target_accuracy: float = 0.775,
    beside: str = "", beside_samples: int = 0, beside_start_on: str = "", beside_start_classes: str = "",
    beside_start_per_class: int = 0,
    generator: torch.Generator,
) -> ScenesRun:  # fmt: skip
    """Train once or twice.

    Args:
        classes: numbers of the classes that are told apart, "2,0"; all where empty.
        spurious_rate: 0 for a background behind every image. Else the share of training images of the first of two
            classes that have one, one less this share of the second; of test images, half of either.
        test_scenes: how often each test object is set into a background.
        label_relevant_fraction: alpha_* after leaving out tokens; 0 leaves none out.
        kept_by: "mask", "random", "inverse mask", or "attention": that of the network trained on all tokens.
        start_on, start_classes, start_per_class, start_steps: the data set that the initial model is trained on, its
            classes, how many images of each (0 for all), and for how many steps. No set: weights are drawn.
        labels: "shuffled" trains on labels that belong to other images.
        target_accuracy: the test accuracy of a success.
        beside: one of `BESIDE`; `beside_samples` and `beside_start_...` say how it differs.
    """
    _require_choices(beside, beside_samples, n_samples, labels, kept_by, label_relevant_fraction)
    wanted = Wanted(
        objects, _numbers(classes), backgrounds, canvas, object_size, patch_size, spurious_rate, labels, test_scenes
    )
    course = TrainingCourse(
        steps, batch_size=batch_size, learning_rate=learning_rate, weight_decay=weight_decay, warm_up=warm_up,
        precision=precision,
    )  # fmt: skip
    data = wanted.made(n_samples, generator)
    first = Start(network, start_on, start_classes, start_per_class, start_steps)
    second = Start(network, beside_start_on, beside_start_classes, beside_start_per_class, start_steps)
    trainer = Trainer(data, wanted, course, first.network_for(data, wanted, course, generator), generator)
    whole = trainer.trained(0.0) if beside == "all tokens" or kept_by == "attention" else None
    found = trainer.trained(label_relevant_fraction, kept_by, by=whole)
    other = whole if beside == "all tokens" else None
    if beside == "fewer samples":
        trainer = replace(trainer, few=torch.arange(n_samples) < beside_samples)
    if beside == "another start":
        trainer = replace(trainer, start=second.network_for(data, wanted, course, generator))
    if beside in ("fewer samples", "another start"):
        other = trainer.trained(label_relevant_fraction, kept_by, by=whole)
    trainings = [found] if other is None else [found, other]
    diverged = any(each.diverged for each in trainings)
    account: dict[str, Scalar] = dict(data.observables())
    if not diverged:
        account["weights"] = hash_of(*(weights for each in trainings for weights in each.learner.weights))
    return ScenesRun(
        outcome=Outcome.DIVERGED if diverged else Outcome.CONVERGED, account=account, data=data, found=found,
        beside=other, target_accuracy=target_accuracy,
    )  # fmt: skip


@dataclass(frozen=True, eq=False, kw_only=True)
class ScenesRun(Run):
    """One training, or two; and the test accuracy of a success."""

    data: Data
    found: Trained
    beside: Trained | None
    target_accuracy: float


def _require_choices(
    beside: str, beside_samples: int, n_samples: int, labels: str, kept_by: str, fraction: float
) -> None:
    require_integer(least=2, n_samples=n_samples)
    require_integer(least=0, beside_samples=beside_samples)
    require_one_of("beside", beside, BESIDE)
    require_one_of("labels", labels, LABELS)
    require_one_of("kept_by", kept_by, KEPT_BY)
    require(0 <= fraction <= 1, "label_relevant_fraction", "be between 0 and 1", fraction)
    fewer = 2 <= beside_samples < n_samples
    require(fewer or beside != "fewer samples", "beside_samples", f"be from 2 to {n_samples - 1}", beside_samples)


def _numbers(classes: str) -> tuple[int, ...]:
    """The classes named in a text."""
    words = [word for word in classes.split(",") if word]
    for word in words:
        require(word.isascii() and word.isdecimal() and len(word) < 6, "classes", "be numbers between commas", classes)
    return tuple(map(int, words))


def _chosen(name: str, split: str, classes: tuple[int, ...]) -> Images:
    found = load(name, split=split)
    return found.of_classes(classes) if classes else found


@dataclass(frozen=True)
class Wanted:
    """The scenes that are asked for; the parameters are those of `simulate_scenes`."""

    objects: str
    classes: tuple[int, ...]
    backgrounds: str
    canvas: int
    object_size: int
    patch_size: int
    spurious_rate: float
    labels: str
    test_scenes: int

    def __post_init__(self) -> None:
        require_integer(least=1, canvas=self.canvas, object_size=self.object_size, patch_size=self.patch_size)
        whole = self.object_size % self.patch_size == 0 and self.canvas % self.patch_size == 0
        rule = (
            f"divide canvas = {self.canvas} and object_size = {self.object_size}, so that alpha_* is the same for all"
        )
        require(whole, "patch_size", rule, self.patch_size)
        require(0 <= self.spurious_rate <= 1, "spurious_rate", "be between 0 and 1", self.spurious_rate)
        require_integer(least=1, test_scenes=self.test_scenes)
        is_pair = len(self.classes) == 2
        require(is_pair or not self.spurious_rate, "classes", "be two where spurious_rate is not 0", self.classes)

    def made(self, n_samples: int, generator: torch.Generator) -> Data:
        """Training and test scenes; the first samples of a larger set are those of a smaller one."""
        given, test = (_chosen(self.objects, split, self.classes) for split in ("train", "test"))
        require(n_samples <= len(given), "n_samples", f"be at most the {len(given)} of {given.name}", n_samples)
        sets = {"objects": given.checksum, "test objects": test.checksum}
        used = given.take(torch.randperm(len(given), generator=generator)[:n_samples])
        if self.labels == "shuffled":
            used = replace(used, labels=used.labels[torch.randperm(n_samples, generator=generator)])
        rate, seen = self.spurious_rate, test.take(torch.arange(len(test)).repeat(self.test_scenes))
        behind = [load(self.backgrounds, split=split, size=2 * self.canvas) for split in ("train", "test")]
        sets |= {"backgrounds": behind[0].checksum, "test backgrounds": behind[1].checksum}
        of_training = self._pasted(used, behind[0], (rate, 1 - rate), generator)
        return Data(of_training, self._pasted(seen, behind[1], (0.5, 0.5), generator), sets)

    def _pasted(
        self, objects: Images, behind: Images, rates: tuple[float, float], generator: torch.Generator
    ) -> Scenes:
        shown = backgrounds_by_class(objects.labels, rates, generator) if self.spurious_rate else None
        if objects.pixels.shape[1] == 1:
            behind = grey(behind)
        return paste(
            objects, behind, canvas=self.canvas, size=self.object_size, step=self.patch_size, generator=generator,
            has_background=shown,
        )  # fmt: skip


@dataclass(frozen=True, eq=False)
class Data:
    """Scenes to train on and to test on, and the checksums of the sets that they are made of."""

    train: Scenes
    test: Scenes
    checksums: dict[str, str]

    def observables(self) -> dict[str, Scalar]:
        """Sets by their checksums, and whether any of them stands in for the paper's."""
        sums = {f"{name.replace(' ', '_')}_sha256": value[:16] for name, value in self.checksums.items()}
        return {**sums, "stand_in": self.train.images.stand_in, "n_test": len(self.test.images)}


@dataclass(frozen=True)
class Start:
    """The initial model: drawn, or trained on whole images of a set."""

    network: str
    on: str
    classes: str
    per_class: int
    steps: int

    def network_for(
        self, data: Data, wanted: Wanted, course: TrainingCourse, generator: torch.Generator
    ) -> VisionTransformer:
        """The network as training finds it, its output layer drawn for the classes of the scenes."""
        images = data.train.images
        fresh = self._drawn(wanted, images.pixels.shape[1], images.n_classes, generator)
        if not self.on:
            return fresh
        whole = _few(_chosen(self.on, "train", _numbers(self.classes)), self.per_class, generator)
        whole = resized(whole, wanted.canvas)
        channels = images.pixels.shape[1]
        require(whole.pixels.shape[1] == channels, "start_on", f"have {channels} channels like the objects", self.on)
        learner = self._drawn(wanted, whole.pixels.shape[1], whole.n_classes, generator)
        course = replace(course, steps=self.steps, batch_size=min(course.batch_size, len(whole)))
        learned = train(learner, whole, course=course, generator=generator).network.to("cpu").state_dict()
        own = fresh.state_dict()
        fresh.load_state_dict({name: own[name] if name.startswith("head.") else learned[name] for name in own})
        return fresh

    def _drawn(self, wanted: Wanted, channels: int, n_classes: int, generator: torch.Generator) -> VisionTransformer:
        found: nn.Module = named_network(
            self.network, image_size=wanted.canvas, patch_size=wanted.patch_size, channels=channels,
            n_classes=n_classes, generator=generator,
        )  # fmt: skip
        if not isinstance(found, VisionTransformer):
            require(False, "network", "be a vision transformer, which has tokens to leave out", self.network)
        return found  # type: ignore[return-value]


def _few(images: Images, per_class: int, generator: torch.Generator) -> Images:
    """So many images of each class, by lot; all where 0."""
    require_integer(least=0, start_per_class=per_class)
    if not per_class:
        return images
    order = torch.randperm(len(images), generator=generator)
    kept = [order[images.labels[order] == each][:per_class] for each in range(images.n_classes)]
    return images.take(torch.cat(kept))


@dataclass(frozen=True)
class Trained:
    """One training, the tokens that test images keep (bool [n, L], all where None), and the mean alpha_*."""

    learner: TrainedNetwork
    keep: torch.Tensor | None
    alpha: float

    @property
    def diverged(self) -> bool:
        """Whether its loss was no longer finite."""
        return self.learner.diverged


@dataclass(frozen=True, eq=False)
class Trainer:
    """Trains copies of one initial model on some of the samples; `few` are those samples, all where None."""

    data: Data
    wanted: Wanted
    course: TrainingCourse
    start: VisionTransformer
    generator: torch.Generator
    few: torch.Tensor | None = None

    def trained(self, fraction: float, kept_by: str = "mask", *, by: Trained | None = None) -> Trained:
        """Train on the tokens that make alpha_* this fraction, on all where it is 0; it is tested on the same kind."""
        images = self.data.train.images
        keep, alpha = self._kept(self.data.train, fraction, kept_by, by)
        if self.few is not None:
            images, keep = images.take(self.few), None if keep is None else keep[self.few]
        learner = copy.deepcopy(self.start)
        course = replace(self.course, batch_size=min(self.course.batch_size, len(images)))
        found = train(learner, images, course=course, generator=self.generator, keep=keep)
        return Trained(found, self._kept(self.data.test, fraction, kept_by, by)[0], alpha)

    def _kept(
        self, scenes: Scenes, fraction: float, kept_by: str, by: Trained | None
    ) -> tuple[torch.Tensor | None, float]:
        """Which tokens are kept, bool [n, L], and the mean share of label-relevant ones."""
        is_relevant = relevant(scenes.is_object, self.wanted.patch_size)
        n, length = is_relevant.shape
        if fraction == 0:
            return None, float(is_relevant.double().mean())
        n_relevant = int(is_relevant[0].sum())
        keep = round(n_relevant / max(fraction, n_relevant / length))
        rule = f"be made by a whole number of {length} tokens, {n_relevant} of them label-relevant"
        require(abs(n_relevant / keep - fraction) <= NEAREST, "label_relevant_fraction", rule, fraction)
        received = _received(by, scenes.images) if kept_by == "attention" and by is not None else None
        scores = scores_of(kept_by, is_relevant, received=received, generator=self.generator)
        places, alpha = keep_tokens(scores, is_relevant, keep)
        return torch.zeros(n, length, dtype=torch.bool).scatter(1, places, True), float(alpha.mean())


def _received(by: Trained, images: Images) -> torch.Tensor:
    """The attention that each token receives under a trained network, [n, L]."""
    network = by.learner.network
    if not isinstance(network, VisionTransformer):
        raise TypeError(f"attention must be that of a vision transformer, got {type(network).__name__}")
    place = next(network.parameters()).device
    with torch.no_grad():
        parts = [network.patch_attention(by.learner.scaling(part.to(place))).cpu() for part in images.pixels.split(256)]
    return torch.cat(parts)
