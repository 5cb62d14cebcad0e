"""Locality of positional encodings: by hand, by chance, by counting; and files of weights, whole and hostile."""

from __future__ import annotations

import io
import json
import struct
import zipfile
from pathlib import Path

import pytest
import torch

from sim.images.encodings.locality import Locality, measure_locality, neighbours, similarities
from sim.images.encodings.pretrained import encodings_of
from sim.images.encodings.square_grid import LEAST_SIDE
from sim.images.encodings.weight_files import lacking
from sim.images.experiments.pretrained_encodings import measure_pretrained
from sim.images.refusals import BadImages, MissingImages
from sim.trials.validation import InvalidParameter


def generator_of(seed: int) -> torch.Generator:
    return torch.Generator().manual_seed(seed)


def measured(encodings: torch.Tensor, **options: object) -> Locality:
    return measure_locality(encodings, generator=generator_of(0), **options)


def by_loops(encodings: torch.Tensor) -> float:
    """The score, patch by patch."""
    side = round(len(encodings) ** 0.5)
    rows = [(row / row.norm()).tolist() for row in encodings.double()]
    total = 0.0
    for i, one in enumerate(rows):
        near, far = [], []
        for j, other in enumerate(rows):
            if i != j:
                steps = abs(i // side - j // side) + abs(i % side - j % side)
                (near if steps == 1 else far).append(sum(a * b for a, b in zip(one, other, strict=True)))
        total += sum(near) / len(near) - sum(far) / len(far)
    return total / len(rows)


def bumps(side: int) -> torch.Tensor:
    """Encodings that fall off with the distance on the grid."""
    place = torch.arange(side**2)
    grid = torch.stack([place // side, place % side], dim=1).double()
    return torch.exp(-(torch.cdist(grid, grid) ** 2) / 2)


def test_the_score_is_that_of_loops_over_patches():
    encodings = torch.randn(25, 7, generator=generator_of(1))
    assert measured(encodings).score == pytest.approx(by_loops(encodings), abs=1e-12)
    assert measured(bumps(5)).score == pytest.approx(by_loops(bumps(5)), abs=1e-12)


def test_local_encodings_score_above_chance_and_random_ones_do_not():
    local, random = measured(bumps(6)), measured(torch.randn(36, 40, generator=generator_of(2)))
    assert local.low > local.chance > 0
    assert local.near_above_cut == 1.0
    assert local.far_above_cut < 0.2
    assert random.score < random.chance
    assert random.low < 0 < random.high


def test_the_expectation_over_strewn_patches_is_zero():
    encodings = bumps(4) + torch.randn(16, 16, generator=generator_of(3))
    scores = [
        measured(encodings[torch.randperm(16, generator=generator_of(seed))], n_strewn=0).score for seed in range(100)
    ]
    found = torch.tensor(scores)
    assert abs(float(found.mean())) < 3.5 * float(found.std()) / 100**0.5


def test_patches_that_were_permuted_are_put_back():
    order = torch.randperm(36, generator=generator_of(4))
    strewn = bumps(6)[order]  # the patch now at i came from order[i]
    assert measured(strewn, order=order).score == pytest.approx(measured(bumps(6)).score, abs=1e-12)
    assert measured(strewn).score < measured(bumps(6)).score / 2


def test_neighbours_share_a_side():
    near = neighbours(3)
    assert near[4].nonzero().flatten().tolist() == [1, 3, 5, 7]
    assert near[0].nonzero().flatten().tolist() == [1, 3]
    assert int(near.sum()) == 24


@pytest.mark.parametrize(
    ("encodings", "words"),
    [
        (torch.randn(10, 4), "encodings must be of a square grid of 9 to 1024 patches, got 10"),
        (torch.randn(4, 4), "encodings must be of a square grid of 9 to 1024 patches, got 4"),
        (torch.zeros(9, 4), "encodings must have a direction each"),
        (torch.full((9, 4), torch.nan), "encodings must be finite"),
        (torch.randn(9), "encodings must be of shape"),
        (torch.zeros(1, 1).expand(33**2, 1), "encodings must be of a square grid of 9 to 1024 patches, got 1089"),
    ],
)
def test_encodings_without_locality_are_refused(encodings, words):
    with pytest.raises(InvalidParameter, match=words):
        measured(encodings)
    assert LEAST_SIDE == 3


def test_cosines_have_ones_on_the_diagonal():
    found = similarities(torch.randn(9, 5, generator=generator_of(5)))
    assert torch.allclose(found.diagonal(), torch.ones(9, dtype=torch.float64))
    assert torch.allclose(found, found.T)


# ----------------------------------------------------------------------------------------------------- files of weights


def safetensors(array: torch.Tensor, name: str = "pos_embed", **changes: object) -> bytes:
    """A file of one array, as the format's specification has it, with changes to what the header says."""
    data = array.contiguous().view(torch.uint8).numpy().tobytes()
    kind = {torch.float32: "F32", torch.float64: "F64", torch.float16: "F16", torch.bfloat16: "BF16"}[array.dtype]
    about = {"dtype": kind, "shape": list(array.shape), "data_offsets": [0, len(data)], **changes}
    header = json.dumps({"__metadata__": {"format": "pt"}, name: about}).encode()
    return struct.pack("<Q", len(header)) + header + data


def written(folder: Path, data: bytes, name: str = "vit.safetensors") -> Path:
    (folder / "weights").mkdir(exist_ok=True)
    path = folder / "weights" / name
    path.write_bytes(data)
    return path


@pytest.mark.parametrize("kind", [torch.float32, torch.float64, torch.float16, torch.bfloat16])
@pytest.mark.parametrize("extra", [0, 1, 2])
def test_encodings_are_read_from_safetensors_without_the_tokens_before_them(kind, extra, tmp_path):
    array = torch.randn(1, 49 + extra, 6, generator=generator_of(6)).to(kind)
    found = encodings_of(written(tmp_path, safetensors(array)))
    assert torch.equal(found, array[0, extra:].double())


@pytest.mark.parametrize("name", ["pos_embed", "vit.embeddings.position_embeddings", "encoder.pos_embedding"])
@pytest.mark.parametrize("within", [None, "state_dict", "model"])
def test_encodings_are_read_from_what_torch_saves(name, within, tmp_path):
    array = torch.randn(1, 50, 6, generator=generator_of(7))
    table = {"head.weight": torch.zeros(2), name: array}
    held = io.BytesIO()
    torch.save(table if within is None else {within: table}, held)
    assert torch.equal(encodings_of(written(tmp_path, held.getvalue(), "vit.pt")), array[0, 1:].double())


WHOLE = safetensors(torch.randn(1, 50, 6, generator=generator_of(8)))


@pytest.mark.parametrize(
    ("data", "words"),
    [
        (WHOLE[:-1], "do not fit their shape"),
        (WHOLE[:100], "its header would have"),
        (WHOLE[:4], "its header would have"),
        (struct.pack("<Q", 2**60) + b"{}", "its header would have"),
        (struct.pack("<Q", 5) + b"no{}x", "its header is not JSON"),
        (struct.pack("<Q", 200_000) + b"[" * 200_000, "its header is not JSON"),
        (struct.pack("<Q", 2) + b"[]", "its header is no table"),
        (struct.pack("<Q", 2) + b"{}", "must hold one array called"),
        (safetensors(torch.zeros(1, 50, 6), "weight"), "must hold one array called"),
        (safetensors(torch.zeros(1, 50, 6), dtype="I64"), "is not as it should be"),
        (safetensors(torch.zeros(1, 50, 6), shape=[1, 50, -6]), "is not as it should be"),
        (safetensors(torch.zeros(1, 50, 6), shape=[2**31, 2**31]), "do not fit their shape"),
        (safetensors(torch.zeros(1, 50, 6), data_offsets=[0, 2**31]), "do not fit their shape"),
        (safetensors(torch.zeros(1, 50, 6), data_offsets=[0, True]), "is not as it should be"),
        (safetensors(torch.zeros(1, 48, 6)), "must hold encodings of a square grid of patches, got shape"),
    ],
)
def test_damaged_safetensors_are_refused_in_one_line(data, words, tmp_path):
    with pytest.raises(BadImages, match=words) as error:
        encodings_of(written(tmp_path, data))
    assert "\n" not in str(error.value)


class Hostile:
    def __reduce__(self) -> tuple:
        return (print, ("run by a file",))


def test_files_that_run_code_or_unpack_to_more_are_refused(tmp_path, capsys):
    held = io.BytesIO()
    torch.save({"pos_embed": Hostile()}, held)
    with pytest.raises(BadImages, match="must hold tensors alone"):
        encodings_of(written(tmp_path, held.getvalue(), "vit.pt"))
    packed = io.BytesIO()
    with zipfile.ZipFile(packed, "w", zipfile.ZIP_DEFLATED) as archive:
        archive.writestr("archive/data.pkl", b"0" * 1000)
    with pytest.raises(BadImages, match="must be an archive without compression"):
        encodings_of(written(tmp_path, packed.getvalue(), "vit.pt"))
    with pytest.raises(BadImages, match=r"must be an archive that torch\.save writes"):
        encodings_of(written(tmp_path, b"\x80\x02.", "vit.bin"))
    assert capsys.readouterr().out == ""


def test_a_missing_file_is_named_with_where_to_put_it(tmp_path, monkeypatch):
    monkeypatch.delenv("THEOREMETER_IMAGES", raising=False)
    said = lacking({"weights": "vit"})
    assert "put weights/vit.safetensors" in said
    assert "THEOREMETER_IMAGES" in said
    monkeypatch.setenv("THEOREMETER_IMAGES", str(tmp_path))
    with pytest.raises(MissingImages, match="nothing is downloaded"):
        measure_pretrained(weights="vit", generator=generator_of(0))
    for name in ("../vit", "a/b", "", ".hidden", "a b"):
        with pytest.raises(InvalidParameter, match="weights must be the plain name of a file"):
            measure_pretrained(weights=name, generator=generator_of(0))


def test_weights_that_are_there_are_measured(tmp_path, monkeypatch):
    monkeypatch.setenv("THEOREMETER_IMAGES", str(tmp_path))
    written(tmp_path, safetensors(torch.cat([torch.zeros(1, 49), bumps(7)])[None]))
    assert lacking({"weights": "vit"}) == ""
    found = measure_pretrained(weights="vit", generator=generator_of(0))
    assert found.observables["patches"] == 49
    assert found.observables["locality"] == pytest.approx(measured(bumps(7)).score)
    assert len(found.observables["sha256"]) == 64


def test_weights_at_patches_drawn_by_lot_are_not_local(tmp_path, monkeypatch):
    monkeypatch.setenv("THEOREMETER_IMAGES", str(tmp_path))
    written(tmp_path, safetensors(torch.cat([torch.zeros(1, 49), bumps(7)])[None]))
    own, lot = (
        measure_pretrained(weights="vit", places=places, generator=generator_of(0)).observables["locality"]
        for places in ("own", "by lot")
    )
    assert own > 0.3 > abs(lot)
    with pytest.raises(InvalidParameter, match="places must be one of own, by lot"):
        measure_pretrained(weights="vit", places="here", generator=generator_of(0))
