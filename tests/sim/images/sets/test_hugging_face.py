"""What Hugging Face's datasets write: read as it is, and refused where it is damaged, of another kind or too large."""

from __future__ import annotations

import functools
import io
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from PIL import Image

from sim.image_root import VARIABLE
from sim.images.refusals import BadImages, UnusableImages
from sim.images.sets import dataset, hugging_face
from sim.images.sets.columns import Allowance
from sim.images.sets.dataset import load
from sim.images.sets.hugging_face import read_hub
from tests.sim.images.sets.archives import some_pixels

pyarrow = pytest.importorskip("pyarrow", reason="of the extra images")

LABELS = [7, 0, 9]
KINDS = pytest.mark.parametrize("kind", ["parquet", "arrow"])


def png(image: np.ndarray) -> bytes:
    file = io.BytesIO()
    Image.fromarray(image.transpose(1, 2, 0)).save(file, "PNG")
    return file.getvalue()


def table_of(pixels: np.ndarray, labels: list[Any], **more: Any) -> Any:
    return pyarrow.table({"img": [{"bytes": png(image), "path": None} for image in pixels], "label": labels, **more})


def write(folder: Path, kind: str, table: Any, *, compression: str | None = None) -> Path:
    if kind == "parquet":
        from pyarrow import parquet

        path = folder / "plain_text" / "train-00000-of-00001.parquet"
        path.parent.mkdir(parents=True, exist_ok=True)
        parquet.write_table(table, path)
        return path
    path = folder / "train" / "data-00000-of-00001.arrow"
    path.parent.mkdir(parents=True, exist_ok=True)
    options = pyarrow.ipc.IpcWriteOptions(compression=compression)
    with pyarrow.ipc.new_stream(str(path), table.schema, options=options) as stream:
        stream.write_table(table)
    return path


def refusal(folder: Path, split: str = "train") -> str:
    with pytest.raises(UnusableImages) as refused:
        read_hub(folder, split, 10)
    assert "\n" not in str(refused.value)
    return str(refused.value)


@KINDS
def test_what_datasets_write(tmp_path: Path, kind: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv(VARIABLE, str(tmp_path))
    folder, pixels = tmp_path / "cifar10-like" / "cifar10", some_pixels(3)
    path = write(folder, kind, table_of(pixels, LABELS, name=["a", "b", "c"]))
    found = load("cifar10-like", split="train")
    assert (found.pixels.numpy() == pixels).all()
    assert found.labels.tolist() == LABELS
    assert "must have test-*.parquet or test/*.arrow, got none" in refusal(folder, "test")
    path.write_bytes(path.read_bytes()[: len(path.read_bytes()) // 2])
    dataset._read.cache_clear()
    assert f"must be a whole {kind} file" in refusal(folder)


@KINDS
@pytest.mark.parametrize(
    ("columns", "words"),
    [
        ({"img": [b"a"], "label": [1]}, "must have images that are structs with bytes, got binary"),
        ({"img": [{"path": "a.png"}], "label": [1]}, "must have images that are structs with bytes, got struct<path"),
        ({"img": [{"bytes": b"a"}], "label": ["1"]}, "must have labels that are whole numbers, got string"),
        ({"img": [{"bytes": b"a"}], "lapel": [1]}, "must have columns img or image, and label, got img, lapel"),
        (
            {"img": [{"bytes": None}], "label": [1]},
            "must have images that are structs with bytes, got struct<bytes: null",
        ),
        ({"img": [{"bytes": b"a"}, {"bytes": None}], "label": [1, 1]}, "must be a JPEG, PNG or WEBP image"),
        ({"img": [None, {"bytes": b"a"}], "label": [1, 1]}, "must have the bytes of each image, got a row without"),
    ],
)
def test_columns_of_another_kind_are_one_line(tmp_path: Path, kind: str, columns, words: str) -> None:
    write(tmp_path, kind, pyarrow.table(columns))
    assert words in refusal(tmp_path)


@pytest.mark.parametrize("label", [10, -1, None])
def test_labels_that_are_none_are_one_line(tmp_path: Path, label: int | None) -> None:
    write(tmp_path, "arrow", table_of(some_pixels(2), [0, label]))
    assert f"must have labels from 0 to 9, got {label}" in refusal(tmp_path)


def test_an_entry_that_is_repeated_does_not_unpack_to_more_than_is_allowed(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A hundred kilobytes in the dictionary of a page, and 2 000 rows that name it: a thousand times the file."""
    entry = png(some_pixels(1)[0]) + bytes(100_000)
    images = pyarrow.StructArray.from_arrays([pyarrow.array([entry]).take(pyarrow.array([0] * 2000))], ["bytes"])
    path = write(tmp_path, "parquet", pyarrow.table({"img": images, "label": [1] * 2000}))
    assert path.stat().st_size < 200_000
    monkeypatch.setattr(hugging_face, "Allowance", functools.partial(Allowance, most_bytes=2_000_000))
    before = pyarrow.total_allocated_bytes()
    assert "must unpack to at most 2000000 bytes, got more" in refusal(tmp_path)
    assert pyarrow.total_allocated_bytes() - before < 10_000_000


@KINDS
def test_more_rows_than_are_allowed_are_one_line(tmp_path: Path, kind: str, monkeypatch: pytest.MonkeyPatch) -> None:
    write(tmp_path, kind, table_of(some_pixels(3), LABELS))
    monkeypatch.setattr(hugging_face, "Allowance", functools.partial(Allowance, most_rows=2))
    assert "must have at most 2 rows, got more" in refusal(tmp_path)


@KINDS
def test_a_file_that_is_too_large_or_none_is_not_opened(
    tmp_path: Path, kind: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = write(tmp_path, kind, table_of(some_pixels(3), LABELS))
    monkeypatch.setattr("sim.images.sets.columns.MAX_BYTES", 100)
    assert f"must have at most 100 bytes, got {path.stat().st_size}" in refusal(tmp_path)
    path.unlink()
    path.mkdir()
    assert "must be a file, got something else" in refusal(tmp_path)


@pytest.mark.parametrize("compression", ["lz4", "zstd"])
def test_a_compressed_stream_is_refused_before_it_is_unpacked(tmp_path: Path, compression: str) -> None:
    write(tmp_path, "arrow", table_of(some_pixels(3), LABELS), compression=compression)
    assert "must not be compressed, as datasets write it" in refusal(tmp_path)


def test_a_stream_with_a_dictionary_is_one_line(tmp_path: Path) -> None:
    names = pyarrow.array(["a", "a", "b"]).dictionary_encode()
    write(tmp_path, "arrow", table_of(some_pixels(3), LABELS, name=names))
    assert "must have record batches after its schema, got a dictionary" in refusal(tmp_path)


def test_no_byte_that_is_changed_leaves_a_traceback(tmp_path: Path) -> None:
    """Nor follows an offset out of its buffer."""
    path = write(tmp_path, "arrow", table_of(some_pixels(2) // 100 * 100, [1, 2]))
    whole, generator = path.read_bytes(), np.random.default_rng(0)
    metadata = whole.rindex(b"PNG\r\n") - 200  # pixels follow, of which each byte is decoded in another test
    for _ in range(150):
        data = bytearray(whole)
        for place in generator.integers(0, metadata, 2):
            data[place] = generator.integers(0, 256)
        path.write_bytes(bytes(data))
        try:
            _, labels = read_hub(tmp_path, "train", 10)
        except BadImages:
            continue
        assert all(0 <= label < 10 for label in labels)
