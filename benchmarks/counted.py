"""Tables of very many trials from files of Parquet: `python -m benchmarks.counted --trials N [--shards S] [--real]`.

Files as `store export --parquet` writes them, with values drawn by numpy in place of simulators; then what `table` does
with them: read side by side, count, judge. One process a run, so that the memory is its own. `--place N` hands N empty
parts to two workers of dask, as `run --shards N` does: what a coordinator of 10^8 trials in parts of 10^8 / N costs.
"""

from __future__ import annotations

import argparse
import json
import resource
import tempfile
import time
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

import numpy as np

from benchmarks.no_op import NO_OP
from checks.commands.counting import counted_checks
from checks.commands.placed_shards import ended
from checks.commands.store import current_fingerprints
from checks.evidence.check import Check, evaluate
from checks.evidence.sampled import Behaviour
from checks.records.preset import Placement, Preset
from sim.running.executors import find
from sim.store.fingerprint import fingerprint
from sim.store.shard_paths import ENDING
from sim.store.shards import shards_at, write_file
from sim.store.store import written_setting
from sim.trials.sweep import Sweep, grid
from sim.trials.trial import Trial
from theory.catalogue import select

SETTINGS = 2000
ROWS = 2**16


def main() -> None:
    """Measure one thing and print it."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--trials", type=int, default=1_000_000)
    parser.add_argument("--shards", type=int, default=10)
    parser.add_argument("--real", action="store_true", help="each trial has a real number of its own")
    parser.add_argument("--place", type=int, default=0)
    arguments = parser.parse_args()
    found = placed(arguments.place) if arguments.place else counted(arguments.trials, arguments.shards, arguments.real)
    memory = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024
    print(json.dumps({**vars(arguments), **found, "memory_mib": round(memory)}))


def counted(trials: int, n_shards: int, real: bool) -> dict[str, Any]:
    """Seconds of the processor that reading and judging take, and bytes of the files."""
    replicates = trials // SETTINGS
    sweep = Sweep(NO_OP, grid(size=range(SETTINGS)), {"milliseconds": 0.0}, replicates)
    with tempfile.TemporaryDirectory() as folder:
        rng = np.random.default_rng(0)
        for shard in range(n_shards):
            path = Path(folder, str(shard), f"{NO_OP.name}-{fingerprint(NO_OP)}{ENDING}")
            path.parent.mkdir()
            groups = _groups(np.arange(shard, replicates, n_shards), rng, real)
            write_file(path, (NO_OP.name, fingerprint(NO_OP)), {"shown": "double" if real else "bool"}, groups)
        size = sum(path.stat().st_size for path in Path(folder).rglob(f"*{ENDING}"))
        part = Behaviour(name="drawn", shows=_shows, rate=0.9, sweeps={Preset.QUICK: (sweep,)})
        (claim,) = select(["B.association_always"])
        current_fingerprints()  # which takes seconds, whatever the number of trials
        start, wall = time.process_time(), time.perf_counter()
        read = shards_at(Path(folder))
        checks = [Check(claim, (part,))]
        checks = counted_checks(checks, Preset.QUICK, Placement.GRID, read, Path(folder, "rest.sqlite"))
        (rows,) = evaluate(checks, Preset.QUICK, {}).values()
        spent = {"cpu_seconds": time.process_time() - start, "seconds": time.perf_counter() - wall}
    return {**spent, "bytes": size, "judged": rows[0].protocol.n_trials, "verdict": str(rows[0].verdict)}


def _groups(replicates: np.ndarray, rng: np.random.Generator, real: bool) -> Iterator[Mapping[str, Any]]:
    texts = sorted(written_setting({"size": size, "milliseconds": 0.0}) for size in range(SETTINGS))
    at_once = max(1, ROWS // len(replicates))
    for start in range(0, SETTINGS, at_once):
        some = texts[start : start + at_once]
        count = len(some) * len(replicates)
        values = rng.random(count)
        yield {
            "parameters": [text for text in some for _ in replicates],
            "replicate": np.tile(replicates, len(some)),
            "outcome": ["converged"] * count,
            "seconds": np.full(count, 1e-5),
            "readouts": [""] * count,
            "observable.shown": values if real else values < 0.95,
        }


def _shows(trial: Trial) -> bool:
    return float(trial.result.observables["shown"]) > 0.05


def placed(parts: int) -> dict[str, Any]:
    """Seconds that handing out so many parts takes."""
    with find("dask", workers=2).open() as opened:
        start = time.perf_counter()
        calls = {opened.submit(_nothing, part): part for part in range(parts)}
        count = sum(code == 0 for _, (code, _) in ended(calls, lambda done: None))
    return {"seconds": time.perf_counter() - start, "judged": count}


def _nothing(part: int) -> tuple[int, str]:
    return 0, ""


if __name__ == "__main__":
    main()
