"""Curves as bytes: what is packed comes back, and bytes that no numpy array of numbers has are refused in one line."""

from __future__ import annotations

import io
import zipfile

import numpy as np
import pytest

from sim.store.array_codec import pack, unpack
from sim.trials.errors import StoreError

LOSS = np.arange(6.0).reshape(2, 3)


def with_member(content: bytes) -> bytes:
    """A blob whose one curve has these bytes."""
    found = io.BytesIO()
    with zipfile.ZipFile(found, "w") as archive:
        archive.writestr("loss.npy", content)
    return found.getvalue()


def npy(array: np.ndarray) -> bytes:
    found = io.BytesIO()
    np.save(found, array)
    return found.getvalue()


def test_what_is_packed_comes_back_in_its_order() -> None:
    for array in (LOSS, np.asfortranarray(LOSS), np.array(3), np.array([True, False]), np.zeros((0, 2), np.float32)):
        back = unpack(pack({"loss": array}))["loss"]
        assert back.dtype == array.dtype
        assert np.array_equal(back, array)
    assert np.array_equal(unpack(with_member(npy(LOSS)))["loss"], LOSS)


@pytest.mark.parametrize(
    ("content", "said"),
    [
        (b"", "must be npy files of numbers, got 'loss' with another header"),
        (b"no header at all", "must be npy files of numbers, got 'loss' with another header"),
        (npy(LOSS)[1:], "must be npy files of numbers, got 'loss' with another header"),
        (npy(LOSS)[:-1], "must have the bytes of their shapes, got 'loss' with 47 of 48"),
        (npy(LOSS) + b"x", "must have the bytes of their shapes, got 'loss' with 49 of 48"),
        (npy(np.array(["a"])), "must be "),
    ],
    ids=["empty", "no header", "a byte less before", "a byte less", "a byte more", "text"],
)
def test_bytes_of_no_array_of_numbers_are_refused_in_one_line(content: bytes, said: str) -> None:
    with pytest.raises(StoreError) as refusal:
        unpack(with_member(content), "trial 7")["loss"]
    assert str(refusal.value).startswith(f"trial 7: curves {said}")
    assert "\n" not in str(refusal.value)
