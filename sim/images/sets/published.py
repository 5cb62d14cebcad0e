"""Which published data sets can be read, where each may lie below the user's folder, and what to fetch if it does not.

Imports no torch: whoever hands out trials asks here what this machine lacks. A name with "-like" behind it has the
files of the same formats in a folder of that name, holds any pictures, and always stands in for the published set.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path

from sim.image_root import VARIABLE, image_root
from sim.trials.validation import InvalidParameter

LIKE = "-like"


@dataclass(frozen=True)
class Location:
    """A folder or file below the root, and the format that it is in: batches, binary, mat, hub or folder."""

    format: str
    path: str


@dataclass(frozen=True)
class Published:
    """A data set that somebody published.

    Attributes:
        places: where it may lie, in the order in which it is looked for.
        fetch: what to fetch, in words that end a sentence.
        md5: of files by name, as torchvision lists them.
        sizes: images by split, where they are known.
        sha1: by split, of the records of the binary version (labels, then pixels, by image), file by file, as MXNet
            lists them: a digest of the decoded images, whichever format they were read from.
    """

    n_classes: int
    places: tuple[Location, ...]
    fetch: str
    md5: Mapping[str, str]
    sizes: Mapping[str, int]
    sha1: Mapping[str, tuple[str, ...]] = field(default_factory=dict)


PUBLISHED: Mapping[str, Published] = {
    "cifar10": Published(
        10,
        (
            Location("batches", "cifar-10-batches-py"),
            Location("binary", "cifar-10-batches-bin"),
            Location("hub", "cifar10"),
        ),
        "https://www.cs.toronto.edu/~kriz/cifar-10-python.tar.gz (md5 c58f30108f718f92721af3b95e74349a), unpacked",
        {
            "data_batch_1": "c99cafc152244af753f735de768cd75f",
            "data_batch_2": "d4bba439e000b95fd0a9bffe97cbabec",
            "data_batch_3": "54ebc095f3ab1f0389bbae665268c751",
            "data_batch_4": "634d18415352ddfa80567beed471001a",
            "data_batch_5": "482c414d41f54cd18b22e5b47cb7c3cb",
            "test_batch": "40351d587109b95175f43aff81a1287e",
        },
        {"train": 50_000, "test": 10_000},
        {
            "train": (
                "aadd24acce27caa71bf4b10992e9e7b2d74c2540",
                "c0ba65cce70568cd57b4e03e9ac8d2a5367c1795",
                "1dd00a74ab1d17a6e7d73e185b69dbf31242f295",
                "aab85764eb3584312d3c7f65fd2fd016e36a258e",
                "26e2849e66a845b7f1e4614ae70f4889ae604628",
            ),
            "test": ("67eb016db431130d61cd03c7ad570b013799c88c",),
        },
    ),
    "cifar100": Published(
        100,
        (Location("batches", "cifar-100-python"), Location("binary", "cifar-100-binary"), Location("hub", "cifar100")),
        "https://www.cs.toronto.edu/~kriz/cifar-100-python.tar.gz (md5 eb9058c3a382ffc7106e4002c42a8d85), unpacked",
        {"train": "16019d7e3df5f24257cddd939b257f8d", "test": "f0ef6b0ae62326f3e7ffdfab6717acfc"},
        {"train": 50_000, "test": 10_000},
        {
            "train": ("e207cd2e05b73b1393c74c7f5e7bea451d63e08e",),
            "test": ("8fb6623e830365ff53cf14adec797474f5478006",),
        },
    ),
    "svhn": Published(
        10,
        (Location("mat", "svhn"), Location("mat", "."), Location("hub", "svhn")),
        "http://ufldl.stanford.edu/housenumbers/train_32x32.mat and test_32x32.mat (md5 "
        "e26dedcc434d2e4c54c9b2d4a06d8373 and eb5a983be6a315427106f1b164d9cef3)",
        {
            "train_32x32.mat": "e26dedcc434d2e4c54c9b2d4a06d8373",
            "test_32x32.mat": "eb5a983be6a315427106f1b164d9cef3",
        },
        {"train": 73_257, "test": 26_032},
    ),
    "imagenet": Published(
        1000,
        (Location("folder", "imagenet"),),
        "the images of ILSVRC 2012 from https://image-net.org, a folder a class in imagenet/train and imagenet/val",
        {},
        {},
    ),
    "imagenet-plants": Published(
        1,
        (Location("folder", "imagenet-plants"),),
        "synsets below plant (n00017222) from https://image-net.org, a folder a synset in imagenet-plants/train and "
        "imagenet-plants/test",
        {},
        {},
    ),
}
"""By name. Of an image folder the classes are counted, and no checksum is known."""

TRAINS: Mapping[str, Mapping[str, tuple[str, ...]]] = {
    "cifar10": {"train": tuple(f"data_batch_{number}" for number in range(1, 6)), "test": ("test_batch",)},
    "cifar100": {"train": ("train",), "test": ("test",)},
}
"""Files of the CIFAR sets by split, without their endings."""

NAMES = (*PUBLISHED, *(f"{name}{LIKE}" for name in PUBLISHED))


def is_like(name: str) -> bool:
    """Whether a name is that of a set in the format of a published one."""
    return name.endswith(LIKE)


def published(name: str) -> Published:
    """The published set of a name, or the one that it is like."""
    return PUBLISHED[name.removesuffix(LIKE)]


def found(name: str) -> tuple[Location, Path] | None:
    """Where a set lies on this machine; None where it does not.

    Raises:
        InvalidParameter: the root that is named is no folder.
    """
    root = image_root()
    if root is None:
        return None
    base = root / name if is_like(name) else root
    for place in published(name).places:
        path = base / place.path
        if _holds(path, place.format):
            return place, path
    return None


def _holds(path: Path, kind: str) -> bool:
    if kind == "mat":
        return (path / "train_32x32.mat").is_file() or (path / "test_32x32.mat").is_file()
    if kind == "hub":
        return path.is_dir() and any(next(path.rglob(f"*.{ending}"), None) for ending in ("parquet", "arrow"))
    return path.is_dir()


def missing_words(name: str) -> str:
    """What to fetch and where to put it, in one line."""
    root = image_root()
    where = f"below {root}" if root else f"into a folder that --images or {VARIABLE} names"
    if is_like(name):
        paths = ", ".join(f"{name}/{place.path}" for place in published(name).places)
        return f"{name} is not on this machine: put files of the format of {published_name(name)} {where}, as {paths}"
    if name == "svhn":
        where += ", in svhn"
    return f"{name} is not on this machine: fetch {PUBLISHED[name].fetch}, {where}"


def published_name(name: str) -> str:
    """The name without "-like"."""
    return name.removesuffix(LIKE)


def lacking(parameters: Mapping[str, object]) -> str:
    """What this machine lacks for a trial of these parameters, in one line; "" where nothing.

    Every text among them that is the name of a published set asks for it.
    """
    for value in parameters.values():
        if isinstance(value, str) and value in NAMES:
            try:
                if found(value) is None:
                    return missing_words(value)
            except InvalidParameter as error:
                return str(error)
    return ""
