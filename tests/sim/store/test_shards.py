"""Files of Parquet: a store comes back bit for bit, several read side by side are one, strange ones are refused."""

from __future__ import annotations

import json
import math
import random
import re
import resource
from collections import Counter
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from sim.store import shards as shards_module
from sim.store.fingerprint import fingerprint
from sim.store.replays import bits_of
from sim.store.shards import rows_of_shard, shards_at, windows, write_shards
from sim.store.store import Store, StoreError, written_setting
from sim.trials.trial import Outcome, System, Trial, TrialResult, TrialSpec

arrow = pytest.importorskip("pyarrow", reason="of the extra parquet")
parquet = pytest.importorskip("pyarrow.parquet", reason="of the extra parquet")

TOY = System("toy", "benchmarks.no_op:no_op", uses_torch=False, libraries=())
OTHER = System("other", "benchmarks.no_op:no_op", uses_torch=False, libraries=())


def trial(number: int, observables: dict[str, Any], outcome: Outcome = Outcome.CONVERGED, **more: Any) -> Trial:
    system = more.pop("system", TOY)
    spec = TrialSpec(system, {"size": number // 3, "word": "é"}, number % 3)
    return Trial(spec, TrialResult(outcome, observables, more.pop("curves", {})), 0.25 * number)


STRANGE = (
    trial(0, {"flag": True, "many": 3, "mixed": 1, "text": "plain"}),
    trial(1, {"flag": False, "many": -(2**62), "mixed": 0.5, "text": "naïve", "loss": -0.0}),
    trial(2, {"flag": True, "mixed": "word", "loss": math.nan}),
    trial(3, {"mixed": True, "loss": math.inf}, Outcome.DIVERGED),
    trial(4, {"error": "ValueError: no"}, Outcome.FAILED),
    trial(5, {"loss": 0.1 + 0.2}, curves={"course": np.arange(6.0).reshape(2, 3)}),
    trial(6, {"many": 1}, system=OTHER),
)


@pytest.fixture
def stored(tmp_path: Path) -> Callable[..., Path]:
    """Write trials into a store and the store into a folder."""
    numbers = iter(range(100))

    def write(*trials: Trial) -> Path:
        name = next(numbers)
        with Store(tmp_path / f"{name}.sqlite") as store:
            store.put(trials)
            write_shards(store, tmp_path / f"{name}")
        return tmp_path / f"{name}"

    return write


def contents(store: Store) -> dict[str, Any]:
    return {one.key: (one.result.outcome, bits_of(one.result), one.seconds, one.digests) for one in store.records()}


@pytest.mark.parametrize("rows", [2, 2**16])
def test_a_store_comes_back_bit_for_bit(
    stored: Callable[..., Path], rows: int, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(shards_module, "_ROWS", rows)
    folder = stored(*STRANGE)
    assert sorted(path.name for path in folder.iterdir()) == [
        f"other-{fingerprint(OTHER)}.parquet", f"toy-{fingerprint(TOY)}.parquet"
    ]  # fmt: skip
    with Store(tmp_path / "again.sqlite") as again, Store(tmp_path / "0.sqlite", read_only=True) as before:
        for shard in shards_at(folder):
            assert again.merge(list(rows_of_shard(shard))).new == shard.n_rows
        assert contents(again) == contents(before)
        assert len(contents(again)) == len(STRANGE)


def draws(seed: int) -> list[Trial]:
    """Trials of some settings, with few results."""
    rng = random.Random(seed)
    return [
        Trial(
            TrialSpec(TOY, {"size": size}, replicate),
            TrialResult(Outcome.CONVERGED, {"up": rng.random() < 0.8, "level": rng.choice([0.5, 2.0])}),
            rng.random(),
        )
        for size in range(7)
        for replicate in range(11)
    ]


def told(folders: list[Path]) -> list[Any]:
    found = [one for window in windows([s for folder in folders for s in shards_at(folder)]) for one in window]
    assert all(list(one.replicates) == sorted(one.replicates) for one in found)
    return found


@pytest.mark.parametrize("seed", range(5))
def test_files_side_by_side_have_each_trial_once(
    seed: int, stored: Callable[..., Path], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(shards_module, "_ROWS", 5)
    trials, rng = draws(seed), random.Random(seed)
    parts: list[list[Trial]] = [[], [], []]
    for one in trials:
        for part in rng.sample(parts, rng.choice([1, 1, 2])):
            part.append(one)
    found = told([stored(*part) for part in parts])
    counts: Counter[tuple[Any, ...]] = Counter()
    for one in found:
        counts[one.setting, *sorted(one.observables.items())] += len(one.replicates)
    expected = Counter(
        (written_setting(one.spec.parameters), *sorted(one.result.observables.items())) for one in trials
    )
    assert counts == expected
    each = [(one.setting, int(replicate)) for one in found for replicate in one.replicates]
    assert sorted(each) == sorted((written_setting(one.spec.parameters), one.spec.replicate) for one in trials)
    assert len(found) < len(trials)


def test_two_results_of_one_trial_are_refused_and_failures_give_way(stored: Callable[..., Path]) -> None:
    first, other = draws(1), draws(2)
    edited = next(n for n in range(77) if first[n].result != other[n].result)
    with pytest.raises(StoreError, match=r"must have the same results, got 1 trials with others, first .*size"):
        told([stored(*first), stored(other[edited])])
    lost = Trial(first[3].spec, TrialResult(Outcome.FAILED, {"error": "no"}), 0.0)
    for folders in ([stored(lost), stored(*first)], [stored(*first), stored(lost)]):
        found = told(folders)
        assert sum(len(one.replicates) for one in found) == len(first)
        assert not any(one.outcome.is_failure for one in found)


# -------------------------------------------------------------------------------------------------------- strange files

ROWS = 4
SOUND: dict[str, Any] = {
    "parameters": ['{"size": 0}', '{"size": 0}', '{"size": 1}', '{"size": 1}'],
    "replicate": [0, 1, 0, 1],
    "outcome": ["converged"] * ROWS,
    "seconds": [0.5] * ROWS,
    "readouts": [""] * ROWS,
    "observable.up": [True] * ROWS,
}


def file_of(path: Path, columns: dict[str, Any], about: str | None = None, **how: Any) -> Path:
    said = json.dumps({"format": 1, "system": "toy", "recipe": "0" * 16}) if about is None else about
    table = arrow.table(columns)
    how = {"compression": "NONE", "store_schema": False, "write_page_checksum": True} | how
    with parquet.ParquetWriter(str(path), table.schema, **how) as file:
        file.add_key_value_metadata({"theoremeter": said})
        file.write_table(table)
    return path


def read(path: Path) -> list[tuple]:
    """Everything that a file says, by either way to read it."""
    (shard,) = shards_at(path)
    for window in windows([shard]):
        assert list(window)
    return list(rows_of_shard(shard))


def test_the_sound_file_is_read(tmp_path: Path) -> None:
    assert len(read(file_of(tmp_path / "a.parquet", SOUND))) == ROWS


@pytest.mark.parametrize(
    ("change", "rule"),
    [
        ({"replicate": [0.0, 1.0, 0.0, 1.0]}, "columns must be those of a store's trials, got replicate of double"),
        ({"parameters": [{"size": 1}] * ROWS}, "columns must be those of a store's trials, got parameters"),
        ({"observable.up": [[1.0]] * ROWS}, "columns must be those of a store's trials, got observable.up"),
        ({"observable.__x y": [1.0] * ROWS}, "columns must be those of a store's trials, got observable.__x y"),
        ({"secret": [1.0] * ROWS}, "columns must be those of a store's trials, got secret of double"),
        ({"curves": ["text"] * ROWS}, "columns must be those of a store's trials, got curves of string"),
        ({"seconds": None}, "columns must include seconds"),
        ({"seconds": [0.5, math.nan, 0.5, 0.5]}, "seconds must be a finite number"),
        ({"seconds": [0.5, -1.0, 0.5, 0.5]}, "seconds must be a finite number"),
        ({"replicate": [1, 0, 0, 1]}, "rows must be sorted by parameters and replicate, each once"),
        ({"replicate": [0, 0, 0, 1]}, "rows must be sorted by parameters and replicate, each once"),
        ({"replicate": [-1, 0, 0, 1]}, "rows must be sorted by parameters and replicate, each once"),
        ({"parameters": ['{"size": 1}'] * 2 + ['{"size": 0}'] * 2}, "rows must be sorted by parameters and replicate"),
        ({"parameters": ['{"size":0}'] * 2 + ['{"size": 1}'] * 2}, "parameters must be written as theoremeter does"),
        ({"parameters": ["[1]"] * 2 + ["{}"] * 2}, "parameters must be a JSON object"),
        ({"parameters": ['{"a": {"b": 1}}'] * 2 + ["{}"] * 2}, "parameters must"),
        ({"outcome": ["converged"] * 3 + ["fine"]}, "outcome 'fine' is not a valid Outcome"),
        ({"outcome": ["converged"] * 3 + [None]}, "must be there in every row"),
        ({"outcome": ["converged"] * 3 + ["failed"]}, "must have a text 'error', got none"),
        ({"observable.loss": [1.0, 2.0, math.inf, 0.0]}, "observables must have finite numbers, got loss = inf"),
        ({"json.loss": ["1.0", "[1]", "2", "3"]}, "loss must"),
        ({"json.loss": ["1.0", '1, "up": false', "2", "3"]}, "loss must be one value"),
        ({"json.loss": ["1.0", "Infinity", "2", "3"]}, "loss must have finite numbers"),
        ({"json.loss": ["1.0", "nonsense", "2", "3"]}, "loss must be a JSON object"),
    ],
)  # fmt: skip
def test_what_no_store_would_write_is_one_line(change: dict[str, Any], rule: str, tmp_path: Path) -> None:
    columns = {name: values for name, values in (SOUND | change).items() if values is not None}
    path = file_of(tmp_path / "a.parquet", columns)
    with pytest.raises(StoreError, match=re.escape(str(tmp_path))) as caught:
        read(path)
    assert rule in str(caught.value)
    assert "\n" not in str(caught.value)
    assert len(str(caught.value)) < 700


@pytest.mark.parametrize("how", [{"compression": "zstd"}, {"compression": "snappy"}, {"compression": "gzip"}])
def test_what_would_unpack_to_more_is_refused(how: dict[str, str], tmp_path: Path) -> None:
    with pytest.raises(StoreError, match="columns must not be compressed, got some that are"):
        read(file_of(tmp_path / "a.parquet", SOUND, **how))


def test_large_groups_of_rows_are_refused_before_they_are_read(tmp_path: Path) -> None:
    count = 2**17 + 1
    columns = {name: [values[0]] * count for name, values in SOUND.items()} | {"replicate": range(count)}
    path = file_of(tmp_path / "a.parquet", columns)
    with pytest.raises(StoreError, match=f"a group of rows must have at most .* got {count} rows"):
        shards_at(path)


def test_a_long_text_that_every_row_has_is_held_once(tmp_path: Path) -> None:
    count = 2**16
    columns = {name: [values[0]] * count for name, values in SOUND.items()} | {"replicate": range(count)}
    text = arrow.DictionaryArray.from_arrays(np.zeros(count, dtype=np.int32), ["x" * 2**20])
    path = file_of(tmp_path / "a.parquet", columns | {"observable.text": text})
    assert path.stat().st_size < 8 * 2**20  # 64 GiB were each text held by itself
    (shard,) = shards_at(path)
    before = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    ((one,),) = windows([shard])
    assert resource.getrusage(resource.RUSAGE_SELF).ru_maxrss - before < 256 * 2**10
    assert len(one.replicates) == count


@pytest.mark.parametrize(
    "about", ["", "{", "[]", '{"format": 2}', '{"format": 1, "system": "../x", "recipe": "0"}', "[" * 999]
)
def test_files_of_others_are_refused(about: str, tmp_path: Path) -> None:
    with pytest.raises(StoreError, match=r"must say that theoremeter wrote it|system must be"):
        shards_at(file_of(tmp_path / "a.parquet", SOUND, about))
    (tmp_path / "b.parquet").write_bytes(b"PAR1 and more")
    with pytest.raises(StoreError, match="must be a whole file of Parquet, got another"):
        shards_at(tmp_path / "b.parquet")
    (tmp_path / "empty").mkdir()
    with pytest.raises(StoreError, match="or a folder with files"):
        shards_at(tmp_path / "empty")


def _damaged(content: bytes) -> Iterator[bytes]:
    rng = random.Random(1)
    for _ in range(150):
        found = bytearray(content)
        for place in rng.sample(range(len(found)), rng.choice([1, 1, 8])):
            found[place] ^= 1 << rng.randrange(8)
        yield bytes(found)
    yield from (content[:length] for length in range(0, len(content), max(1, len(content) // 20)))


def test_a_damaged_file_is_one_line_or_says_the_same(tmp_path: Path) -> None:
    path = file_of(tmp_path / "a.parquet", SOUND)
    sound, refused = read(path), 0
    for content in _damaged(path.read_bytes()):
        path.write_bytes(content)
        try:
            found = read(path)
        except StoreError as error:
            refused += "\n" not in str(error)
            continue
        assert [row[2:] for row in found] != [] or not content
        assert len(found) <= len(sound)
    assert refused > 100
