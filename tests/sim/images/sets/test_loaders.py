"""Data sets read from tiny files in the formats of the real ones, and what is refused of damaged ones."""

from __future__ import annotations

import hashlib
import importlib.util
import io
import os
import pickle
import struct
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
from PIL import Image
from scipy.io import savemat

from sim.image_root import VARIABLE, image_root, rooted
from sim.images.refusals import BadImages, MissingImages, UnusableImages
from sim.images.sets import dataset
from sim.images.sets.dataset import load
from sim.images.sets.pickled import read_pickled
from sim.images.sets.published import PUBLISHED, lacking
from sim.trials.validation import InvalidParameter
from tests.sim.images.sets.archives import BatchWriter, batch, binary, some_pixels, write_cifar10_like

LABELS = [3, 1, 4, 1, 5, 9, 2, 6, 5, 0]


@pytest.fixture
def root(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv(VARIABLE, str(tmp_path))
    return tmp_path


def refusal(name: str, split: str = "train") -> str:
    with pytest.raises(UnusableImages) as refused:
        load(name, split=split)
    assert "\n" not in str(refused.value)
    return str(refused.value)


# -------------------------------------------------------------------------------------------------------------- CIFAR


def test_both_formats_of_cifar10_are_the_same_set(root: Path) -> None:
    pixels = some_pixels(10)
    folder = write_cifar10_like(root, pixels, LABELS, kind="batches")
    from_batches = load("cifar10-like", split="train")
    for path in folder.iterdir():
        path.unlink()
    folder.rmdir()
    write_cifar10_like(root, pixels, LABELS, kind="binary")
    from_binary = load("cifar10-like", split="train")
    assert from_batches.checksum == from_binary.checksum
    assert (from_binary.pixels.numpy() == pixels).all()
    assert from_binary.labels.tolist() == LABELS
    assert (from_binary.n_classes, from_binary.stand_in, len(load("cifar10-like", split="test"))) == (10, True, 2)


def test_both_formats_of_cifar100_are_the_same_set(root: Path) -> None:
    pixels, labels = some_pixels(3), [99, 0, 42]
    checksums = set()
    for folder, name, data in (
        ("cifar-100-python", "train", batch(pixels, labels, key=b"fine_labels")),
        ("cifar-100-binary", "train.bin", binary(pixels, labels, coarse=True)),
    ):
        base = root / folder[:9] / "cifar100-like" / folder
        base.mkdir(parents=True)
        (base / name).write_bytes(data)
        with rooted(base.parents[1]):
            found = load("cifar100-like", split="train")
        checksums.add(found.checksum)
        assert (found.labels.tolist(), found.n_classes) == (labels, 100)
        (base / name).unlink()
        base.rmdir()
    assert len(checksums) == 1


@pytest.mark.parametrize(
    ("damage", "words"),
    [
        (lambda data: data[:-3], "got one that is truncated"),
        (lambda data: data[:1000], "got one that is truncated"),
        (lambda data: b"", "truncated"),
        (lambda data: data.replace(b"U\x06labels", b"U\x06lapels"), "must have an entry labels, got batch_label"),
        (lambda data: data.replace(b"K\x01K\x02M\x00\x0c\x86", b"K\x01K\x03M\x00\x0c\x86"), "an array of shape"),
        (lambda data: data.replace(b"U\x02u1", b"U\x02f1"), "makes something else than an array of whole numbers"),
        (lambda data: data.replace(b"U\x02u1", b"U\x02i8"), "begin with their largest byte"),
        (lambda data: data.replace(b"cnumpy\nndarray\n", b"cposix\nsystem\n"), "it names b'posix system'"),
        (lambda data: b"\x80\x06" + data[2:], "of another protocol than 2 to 5"),
        (lambda data: b"cos\nsystem\n(S'true'\ntR.", "it names b'os system'"),
        (lambda data: b"\x80\x02]q\x01.", "must hold a dict, got list"),
        (
            lambda data: pickle.dumps({b"data": 1, b"labels": [1]}),
            "must have data of kind uint8 and shape [n, 3072], got int",
        ),
        (
            lambda data: pickle.dumps({b"data": np.zeros((1, 3072))}),
            "makes something else than an array of whole numbers",
        ),
        (
            lambda data: pickle.dumps({b"data": np.zeros((1, 3072), int), b"labels": [1]}),
            "shape [n, 3072], got int64 [1, 3072]",
        ),
        (lambda data: pickle.dumps({b"data": os.system}), "it names b'posix system'"),
    ],
)
def test_damaged_batches_are_one_line(root: Path, damage, words: str) -> None:
    folder = write_cifar10_like(root, some_pixels(10), LABELS, kind="batches")
    path = folder / "data_batch_2"
    before = path.read_bytes()
    path.write_bytes(damage(before))
    assert path.read_bytes() != before
    told = refusal("cifar10-like")
    assert words in told
    assert "data_batch_2" in told


def test_a_pickle_that_would_run_something_runs_nothing(tmp_path: Path) -> None:
    path = tmp_path / "ran"
    for protocol in range(pickle.HIGHEST_PROTOCOL + 1):

        class Runs:
            def __reduce__(self):
                return open, (str(path), "w")

        with pytest.raises(BadImages):
            read_pickled(pickle.dumps({b"data": Runs()}, protocol=protocol), "a batch")
    assert not path.exists()


@pytest.mark.parametrize("protocol", [2, 3, 4, 5])
@pytest.mark.parametrize("as_array", [False, True])
def test_pickles_of_python_3_are_read(root: Path, protocol: int, as_array: bool) -> None:
    pixels = some_pixels(10)
    folder = write_cifar10_like(root, pixels, LABELS, kind="batches")
    before = load("cifar10-like", split="train").checksum
    dataset._read.cache_clear()
    for path in folder.glob("data_batch_*"):
        batch_of = read_pickled(path.read_bytes(), path.name)
        labels = np.array(batch_of[b"labels"]) if as_array else batch_of[b"labels"]
        whole = {"data": batch_of[b"data"].copy(), "labels": labels, "filenames": ["a.png"] * len(labels)}
        path.write_bytes(pickle.dumps(whole, protocol=protocol))
        assert pickle.loads(path.read_bytes())["data"].tolist() == batch_of[b"data"].tolist()
    assert load("cifar10-like", split="train").checksum == before


@pytest.mark.parametrize("seed", range(3))
def test_no_byte_that_is_changed_leaves_a_traceback(seed: int) -> None:
    generator = np.random.default_rng(seed)
    entries = {b"labels": [1, 2, 300], b"data": np.arange(6, dtype=np.uint8).reshape(2, 3)}
    whole = pickle.dumps(entries, protocol=seed + 2) if seed else BatchWriter().whole(entries)
    assert read_pickled(whole, "a batch")[b"data"].tolist() == [[0, 1, 2], [3, 4, 5]]
    for _ in range(400):
        data = bytearray(whole)
        for place in generator.integers(0, len(data), 2):
            data[place] = generator.integers(0, 256)
        try:
            found = read_pickled(bytes(data), "a batch")
        except BadImages:
            continue
        assert all(isinstance(key, bytes) for key in found)


def test_labels_that_do_not_fit_are_one_line(root: Path) -> None:
    pixels = some_pixels(10)
    folder = write_cifar10_like(root, pixels, LABELS, kind="batches")
    (folder / "data_batch_1").write_bytes(batch(pixels[:2], [0, 10]))
    assert "must have labels from 0 to 9, got 10: perhaps of another set" in refusal("cifar10-like")
    (folder / "data_batch_1").write_bytes(batch(pixels[:2], [0, 1, 2]))
    assert "must have a label for each of 2 images, got 3" in refusal("cifar10-like")
    (folder / "data_batch_1").write_bytes(batch(pixels[:2], [0, 1], key=b"fine_labels"))
    assert "must have an entry labels, got batch_label, coarse_labels" in refusal("cifar10-like")
    (folder / "data_batch_1").unlink()
    assert "data_batch_1 is not there" in refusal("cifar10-like")


def test_damaged_binary_files_are_one_line(root: Path) -> None:
    folder = write_cifar10_like(root, some_pixels(10), LABELS, kind="binary")
    path = folder / "data_batch_3.bin"
    whole = path.read_bytes()
    path.write_bytes(whole[:-1])
    assert "must hold records of 3073 bytes, got 6145 bytes" in refusal("cifar10-like")
    path.write_bytes(b"\x63" + whole[1:])
    assert "must have labels from 0 to 9, got 99" in refusal("cifar10-like")
    path.write_bytes(b"")
    assert "got 0 bytes" in refusal("cifar10-like")


def _publish(monkeypatch: pytest.MonkeyPatch, pixels: np.ndarray, labels: list[int], **changes) -> None:
    """Have ten images stand for CIFAR-10 as it was published: sums of the binary files that hold them."""
    parts = np.array_split(np.arange(len(pixels)), 5)
    sums = [hashlib.sha1(binary(pixels[part], [labels[place] for place in part])).hexdigest() for part in parts]
    sizes = {"train": len(pixels), "test": 2}
    held = replace(PUBLISHED["cifar10"], n_classes=10, sizes=sizes, sha1={"train": tuple(sums)}, md5={})
    monkeypatch.setitem(PUBLISHED, "cifar10", replace(held, **changes))
    dataset._read.cache_clear()


TEN = [3, 1, 4, 7, 5, 9, 2, 6, 8, 0]
NOT_PUBLISHED = "must hold cifar10 as it was published, which is known by the digest of its decoded images: got other"


@pytest.mark.parametrize("kind", ["batches", "binary"])
@pytest.mark.parametrize("alter", ["nothing", "a pixel", "a label", "two images", "all"])
def test_a_published_set_is_known_by_its_decoded_images(root: Path, monkeypatch, kind: str, alter: str) -> None:
    pixels, labels = some_pixels(10), list(TEN)
    _publish(monkeypatch, pixels.copy(), list(TEN))
    if alter == "a pixel":
        pixels[7, 2, 31, 31] ^= 1
    elif alter == "a label":
        labels[0], labels[9] = labels[9], labels[0]
    elif alter == "two images":
        pixels[[0, 1]] = pixels[[1, 0]]
    elif alter == "all":
        pixels = some_pixels(10, seed=1)
    folder = write_cifar10_like(root, pixels, labels, kind=kind)
    folder.rename(root / folder.name)
    if alter == "nothing":
        assert load("cifar10", split="train").stand_in is False
    else:
        assert NOT_PUBLISHED in refusal("cifar10")


def test_published_files_in_another_order_are_put_in_theirs(root: Path, monkeypatch) -> None:
    pixels = some_pixels(10)
    _publish(monkeypatch, pixels, TEN)
    moved = [6, 7, 0, 1, 2, 3, 8, 9, 4, 5]
    folder = write_cifar10_like(root, pixels[moved], [TEN[place] for place in moved], kind="binary")
    folder.rename(root / folder.name)
    found = load("cifar10", split="train")
    assert (found.labels.tolist(), bool((found.pixels.numpy() == pixels).all())) == (TEN, True)


def test_published_batches_are_known_by_their_md5_as_well(root: Path, monkeypatch) -> None:
    pixels = some_pixels(10)
    folder = write_cifar10_like(root, pixels, TEN, kind="batches")
    md5 = {path.name: hashlib.md5(path.read_bytes()).hexdigest() for path in folder.iterdir()}
    _publish(monkeypatch, pixels, TEN, sha1={"train": ("0" * 40,) * 5}, md5=md5)
    folder = folder.rename(root / folder.name)
    assert len(load("cifar10", split="train")) == 10
    (folder / "data_batch_5").write_bytes(batch(some_pixels(2, seed=1), TEN[8:]))
    dataset._read.cache_clear()
    assert NOT_PUBLISHED in refusal("cifar10")


def test_too_few_images_are_no_published_set(root: Path) -> None:
    write_cifar10_like(root, some_pixels(10), LABELS, kind="binary").rename(root / "cifar-10-batches-bin")
    assert "must hold the 50000 images of cifar10, train, got 10" in refusal("cifar10")


# --------------------------------------------------------------------------------------------------------------- SVHN


def test_svhn_is_read_and_ten_is_nought(root: Path) -> None:
    pixels, labels = some_pixels(4), np.array([[10], [1], [9], [10]], dtype=np.uint8)
    (root / "svhn-like" / "svhn").mkdir(parents=True)
    path = root / "svhn-like" / "svhn" / "train_32x32.mat"
    savemat(path, {"X": pixels.transpose(2, 3, 1, 0), "y": labels}, do_compression=True)
    found = load("svhn-like", split="train")
    assert (found.pixels.numpy() == pixels).all()
    assert found.labels.tolist() == [0, 1, 9, 0]
    assert "test_32x32.mat is not there" in refusal("svhn-like", "test")
    whole = path.read_bytes()
    for damaged, words in (
        (whole[:300], "must have X and y, got X"),
        (b"\x89HDF" + whole[4:], "must be a Matlab file of format 5, got one that begins b'\\x89HDF"),
        (whole[:200] + b"\0" * 50 + whole[250:], "that is damaged"),
    ):
        path.write_bytes(damaged)
        dataset._read.cache_clear()  # a process reads a set once
        assert words in refusal("svhn-like")


@pytest.mark.parametrize(
    ("arrays", "words"),
    [
        ({"X": np.zeros((32, 32, 3, 2), dtype=np.uint8)}, "must have X and y, got X"),
        ({"X": np.zeros((32, 32, 3, 2)), "y": np.ones((2, 1))}, "must have X of kind uint8 and shape"),
        ({"X": np.zeros((28, 28, 3, 2), dtype=np.uint8), "y": np.ones((2, 1))}, "got uint8 [28, 28, 3, 2]"),
        ({"X": np.zeros((32, 32, 3, 2), dtype=np.uint8), "y": np.ones((3, 1))}, "must have y of shape [2, 1]"),
        ({"X": np.zeros((32, 32, 3, 2), dtype=np.uint8), "y": np.zeros((2, 1))}, "labels from 1 to 10, got 0 to 0"),
    ],
)
def test_other_matlab_files_are_one_line(root: Path, arrays, words: str) -> None:
    (root / "svhn-like" / "svhn").mkdir(parents=True)
    savemat(root / "svhn-like" / "svhn" / "train_32x32.mat", arrays)
    assert words in refusal("svhn-like")


# ------------------------------------------------------------------------------------------------------------- folders


def picture(colour: tuple[int, int, int], size: tuple[int, int] = (40, 20), kind: str = "PNG") -> bytes:
    file = io.BytesIO()
    Image.new("RGB", size, colour).save(file, kind)
    return file.getvalue()


def plants(root: Path) -> Path:
    folder = root / "imagenet-plants"
    for split, count in (("train", 2), ("test", 1)):
        for number, colour in (("n01", (255, 0, 0)), ("n02", (0, 255, 0))):
            (folder / split / number).mkdir(parents=True)
            for place in range(count):
                kind = "JPEG" if place else "PNG"
                (folder / split / number / f"{place}.{kind}").write_bytes(picture(colour, kind=kind))
    return folder


def test_folders_are_classes_and_images_their_middle_squares(root: Path) -> None:
    plants(root)
    found = load("imagenet-plants", split="train", size=16)
    assert found.pixels.shape == (4, 3, 16, 16)
    assert (found.labels.tolist(), found.n_classes, found.stand_in) == ([0, 0, 1, 1], 2, False)
    assert found.pixels[0, :, 8, 8].tolist() == [255, 0, 0]
    assert len(load("imagenet-plants", split="test", size=16)) == 2


def bomb() -> bytes:
    """A PNG of a few bytes that says it has 100 000 x 100 000 pixels."""
    whole = bytearray(picture((0, 0, 0)))
    whole[16:24] = struct.pack(">II", 100_000, 100_000)
    import zlib

    whole[29:33] = struct.pack(">I", zlib.crc32(bytes(whole[12:29])))
    return bytes(whole)


@pytest.mark.parametrize(
    ("data", "words"),
    [
        (b"not an image", "must be a JPEG, PNG or WEBP image, got another file"),
        (picture((1, 2, 3))[:60], "must be a whole JPEG, PNG or WEBP image, got"),
        (picture((1, 2, 3), kind="BMP"), "must be a JPEG, PNG or WEBP image, got another file"),
        (bomb(), "got DecompressionBomb"),
    ],
)
def test_other_files_in_a_folder_are_one_line(root: Path, data: bytes, words: str) -> None:
    (plants(root) / "train" / "n01" / "0.PNG").write_bytes(data)
    told = refusal("imagenet-plants")
    assert words in told
    assert "0.PNG" in told


def test_folders_that_do_not_fit_are_one_line(root: Path) -> None:
    folder = plants(root)
    (folder / "test" / "n03").mkdir()
    assert "must have the same classes in both splits, got n03 in one of them alone" in refusal("imagenet-plants")
    (folder / "test" / "n03").rmdir()
    (folder / "train" / "n01" / "0.PNG").unlink()
    (folder / "train" / "n01" / "1.JPEG").unlink()
    assert "n01 must hold images (.jpg, .jpeg, .png, .webp), got none" in refusal("imagenet-plants")
    (root / "imagenet").mkdir()
    assert "must have a folder test or val with a folder a class, got none" in refusal("imagenet", "test")
    (root / "imagenet" / "train").mkdir()
    assert "must have a folder for each class, got none" in refusal("imagenet")


# -------------------------------------------------------------------------------------------------------- Hugging Face


def test_a_set_of_two_classes_is_not_imagenet(root: Path) -> None:
    for split in ("train", "val"):
        for number in ("n01", "n02"):
            (root / "imagenet" / split / number).mkdir(parents=True)
            (root / "imagenet" / split / number / "0.png").write_bytes(picture((9, 9, 9)))
    with pytest.raises(BadImages, match="must hold the 1000 classes of imagenet, train, got 2"):
        load("imagenet", split="train", size=8)


def test_what_is_no_file_is_neither_waited_for_nor_read_for_ever(root: Path) -> None:
    folder = write_cifar10_like(root, some_pixels(10), LABELS, kind="batches")
    path = folder / "data_batch_2"
    for make in (os.mkfifo, lambda place: place.symlink_to("/dev/zero")):
        path.unlink()
        make(path)
        assert "must be a file, got something else" in refusal("cifar10-like")


def test_without_pyarrow_its_formats_are_one_line(root: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (root / "cifar10-like" / "cifar10").mkdir(parents=True)
    (root / "cifar10-like" / "cifar10" / "train-00000-of-00001.parquet").write_bytes(b"PAR1")
    there = importlib.util.find_spec
    monkeypatch.setattr(importlib.util, "find_spec", lambda name: None if name == "pyarrow" else there(name))
    assert "needs pyarrow, which is not installed: pip install 'theoremeter[images]'" in refusal("cifar10-like")


# ----------------------------------------------------------------------------------------------------------- the root


def test_a_missing_set_says_what_to_fetch_and_where_to_put_it(root: Path) -> None:
    told = refusal("cifar10")
    assert told.startswith("cifar10 is not on this machine: fetch https://www.cs.toronto.edu/~kriz/cifar-10-python")
    assert "md5 c58f30108f718f92721af3b95e74349a" in told
    assert told.endswith(f"below {root}")
    assert lacking({"objects": "cifar10", "canvas": 32}) == told
    assert lacking({"objects": "digits", "canvas": 32}) == ""
    assert "put files of the format of svhn below" in lacking({"objects": "svhn-like"})


def test_without_a_root_it_says_how_to_name_one(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv(VARIABLE, raising=False)
    assert image_root() is None
    with pytest.raises(MissingImages, match=r"into a folder that --images or THEOREMETER_IMAGES names, in svhn$"):
        load("svhn", split="train")


def test_a_root_that_is_none_is_one_line(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv(VARIABLE, str(tmp_path / "nowhere"))
    with pytest.raises(InvalidParameter, match="THEOREMETER_IMAGES must be a folder with image data, got '"):
        load("cifar10", split="train")
    with pytest.raises(InvalidParameter, match="images must be a folder"), rooted(tmp_path / "nowhere"):
        pass


def test_the_root_is_named_within_a_block(root: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "inner").mkdir()
    with rooted(tmp_path / "inner"):
        assert image_root() == (tmp_path / "inner").resolve()
    assert image_root() == root
    monkeypatch.delenv(VARIABLE)
    with rooted(tmp_path):
        assert image_root() == tmp_path.resolve()
    assert image_root() is None
