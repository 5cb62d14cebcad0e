"""`theoremeter.open`: a store asked claim by claim, and its results as text, pictures and data frames."""

from __future__ import annotations

import sys
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import matplotlib.figure
import pytest

import theoremeter
from checks.commands.objects import run, table
from checks.commands.opened import ClaimResult, Opened
from checks.commands.opened import open as opened
from sim.trials.errors import StoreError
from tests.papers import edit, write_paper

CURVES = '/ size}, {"c": [1.0 * size] * (size % 3 + 1), "grid": [[1.0, 2.0]]})'


@pytest.fixture(scope="module")
def paper(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A measured paper: its folder, with a store beside it."""
    folder = write_paper(tmp_path_factory.mktemp("opened") / "mine")
    edit(folder / "simulators.py", "/ size})", CURVES)
    run(paper=folder, store=folder.parent / "s.sqlite", preset="smoke")
    return folder


@pytest.fixture
def store(paper: Path) -> Opened:
    return opened(paper.parent / "s.sqlite", preset="smoke", paper=paper)


@pytest.fixture
def result(store: Opened) -> ClaimResult:
    return store["toy.mean"]


def test_a_store_is_a_mapping_of_claims(store: Opened) -> None:
    assert list(store) == ["toy.mean", "toy.step"]
    assert (len(store), "toy.mean" in store, "toy.men" in store) == (2, True, False)
    assert {name: one.verdict for name, one in store.items()} == {"toy.mean": "tight", "toy.step": "proved"}
    assert store.table().verdicts == {"toy.mean": "tight", "toy.step": "proved"}
    for asked, told in {
        "toy.men": "nearest is toy.mean",
        "toy": "which names toy.mean, toy.step",
        3: "got int",
    }.items():
        with pytest.raises(KeyError, match=told):
            store[asked]  # pyrefly: ignore


def test_a_summary_and_every_repr_fit_a_narrow_screen(store: Opened, result: ClaimResult) -> None:
    lines = result.summary().splitlines()
    assert lines[0] == "toy.mean: tight (Theorem 1, preset smoke)"
    assert lines[1] == "    The mean falls like 1/n."
    assert all(len(line) <= 80 for line in lines)
    check = theoremeter.Check(result.claim, ())
    found = [store, result, result.rows[0], result.rows[0].judgement, result.claim, check, store.table()]
    assert [type(one).__name__ for one in found if len(repr(one)) > 80 or "\n" in repr(one)] == []
    assert repr(result) == "<ClaimResult toy.mean: tight, 1 line, 15 trials>"
    assert repr(store.table()) == "<Table 2 claims at smoke: 1 tight, 1 proved>"


def test_points_are_a_data_frame(result: ClaimResult, store: Opened, monkeypatch: pytest.MonkeyPatch) -> None:
    for library in ("pandas", "polars"):
        monkeypatch.setitem(sys.modules, library, SimpleNamespace(DataFrame=lambda columns: columns))
        columns = result.to_frame(library)
        assert columns["value"] == [2.0, 4.0, 8.0, 16.0, 32.0]
        assert set(columns["verdict"]) == {"tight"}
        assert {len(column) for column in columns.values()} == {5}
        assert store["toy.step"].to_frame(library)["value"] == [None]
        monkeypatch.setitem(sys.modules, library, None)  # as where it is not installed
        with pytest.raises(ValueError, match=rf"{library} must be installed \(extra `frames`"):
            result.to_frame(library)
    with pytest.raises(ValueError, match="library must be one of pandas, polars, got 'dask'"):
        result.to_frame("dask")


def test_curves_are_a_data_set(result: ClaimResult, store: Opened, monkeypatch: pytest.MonkeyPatch) -> None:
    made: dict[str, Any] = {}
    monkeypatch.setitem(
        sys.modules, "xarray", SimpleNamespace(Dataset=lambda data, coords: made.update(data, of=coords))
    )
    result.to_xarray()
    (names, values), (grid, cells) = made["c"], made["grid"]
    assert (names, values.shape) == (("trial", "c_0"), (15, 3))
    assert (grid, cells.shape) == (("trial", "grid_0", "grid_1"), (15, 1, 2))
    sizes = made["of"]["size"][1]
    for size, row in zip(sizes, values, strict=True):
        assert [one for one in row if one == one] == [size] * (size % 3 + 1)
    with pytest.raises(ValueError, match=r"trials of toy\.step must have curves, got none in 1 trial"):
        store["toy.step"].to_xarray()


def test_a_claim_is_drawn_on_axes_of_the_users(result: ClaimResult, store: Opened) -> None:
    axes = matplotlib.figure.Figure().subplots()
    assert result.plot(ax=axes) is axes
    assert axes.get_title().startswith("toy.mean, sizes: tight")
    assert axes.get_xscale() == "log"
    assert axes.has_data()
    with pytest.raises(ValueError, match="part must be one of 'sizes', got 'size'"):
        result.plot(ax=axes, part="size")
    with pytest.raises(ValueError, match=r"toy\.step must have something to draw: "):
        store["toy.step"].plot(ax=axes)


def test_claims_are_asked_for_by_id_and_papers_by_folder(paper: Path, tmp_path: Path) -> None:
    where = {"store": paper.parent / "s.sqlite", "preset": "smoke"}
    assert table("toy.mean", paper=paper, **where).verdicts == {"toy.mean": "tight"}
    assert table(["toy.step", "toy.mean"], paper=paper, **where).lines.keys() == {"toy.step", "toy.mean"}
    assert table("A.gradients", **where).verdicts == {"A.gradients": "not measured"}
    with pytest.raises(ValueError, match=r"id must be a known claim, got 'toy\.mean'"):
        table("toy.mean", **where)
    with pytest.raises(ValueError, match=r"paper must be a folder with a paper\.toml, got "):
        table(paper=tmp_path, **where)
    with pytest.raises(StoreError, match="store must be a file that holds trials, got none at "):
        opened(tmp_path / "none.sqlite")
    with pytest.raises(ValueError, match="preset must be one of smoke, quick, full, got 'huge'"):
        opened(where["store"], preset="huge")


def test_the_version_is_that_of_the_sources() -> None:
    assert f'version = "{theoremeter.__version__}"' in (Path(__file__).parents[3] / "pyproject.toml").read_text()
