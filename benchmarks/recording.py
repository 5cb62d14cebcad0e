"""What recording costs: the same trainings without curves, with those of every run, and with the proof's quantities.

    python benchmarks/recording.py [--rounds 9] [--engines torch fused grouped collapsed]

All of it in one run: on each engine the three take turns, with the same data, weights and order of batches, so they
take the same steps, which is checked. Figures are CPU seconds of one thread, the least over the rounds (what disturbs a
run only adds to it; trainings of some hundredths of a second get eight times the rounds), and the share of a run that
recording takes: what is added to the training, over the whole run with it, drawing data and testing included.
Sizes are the paper's, m = 1000 and L = 100, at alpha_* = 0.4, alpha_# = 0.1, with an output layer per token;
noisy tokens except on the engine that collapses equal ones.
"""

from __future__ import annotations

import argparse
import json
import os
import sys
import time
from dataclasses import dataclass
from pathlib import Path
from typing import Any

os.environ.update(dict.fromkeys(("OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS", "MKL_NUM_THREADS"), "1"))

HERE = Path(__file__).parent
sys.path.insert(0, str(HERE.parent))

import torch  # noqa: E402

from sim.engine_setting import VARIABLE  # noqa: E402
from sim.shallow_vit.course import Errors, Looks, ProofRun, grouped  # noqa: E402
from sim.shallow_vit.data import Samples, TokenModel  # noqa: E402
from sim.shallow_vit.model import Weights, draw_features, initialize  # noqa: E402
from sim.shallow_vit.readouts import along, proof_curves  # noqa: E402
from sim.shallow_vit.training import Recorder, TrainedVit, TrainedWeights, Unrecorded, train_weights  # noqa: E402

ENGINES = ("torch", "fused", "grouped", "collapsed")
WAYS = ("nothing", "curves", "proof")
RATE, N_TEST, N_PLANTED, _N_PROBE = 0.5, 300, 10, 16
_SIZES = {"dimension": 10, "n_tokens": 100, "n_patterns": 5}


@dataclass(frozen=True)
class Problem:
    """Samples and weights to start from."""

    data: TokenModel
    train: Samples
    start: Weights
    directions: torch.Tensor


def draw(engine: str, *, n_neurons: int, n_samples: int) -> Problem:
    """The problem of an engine, always the same one."""
    generator = torch.Generator().manual_seed(0)
    data = TokenModel(
        **_SIZES, label_relevant_fraction=0.4, confusion_fraction=0.1, counts="exact",
        token_noise=0.0 if engine == "collapsed" else 0.01,
    )  # fmt: skip
    directions = draw_features(_SIZES["dimension"], torch.Generator().manual_seed(0))[:, : _SIZES["n_patterns"]]
    start = initialize(
        dimension=_SIZES["dimension"], n_tokens=_SIZES["n_tokens"], n_neurons=n_neurons, value_error=0.1,
        key_query_error=0.2, neuron_scale=0.01, output_layer="per token", initialization="contraction",
        generator=generator,
    )  # fmt: skip
    return Problem(data, data.sample(n_samples, generator), start, directions)


def train(problem: Problem, way: str, *, max_steps: int) -> tuple[TrainedWeights, dict[str, Any]]:
    """One training from the problem's beginning, and the curves that are kept of it."""
    groups = grouped(problem.start.output, N_PLANTED)
    looks = Looks(groups=groups, learning_rate=RATE)
    recorders = {"nothing": Unrecorded(_N_PROBE), "curves": Recorder(_N_PROBE), "proof": looks}
    run = train_weights(
        problem.train, problem.start, batch_size=16, learning_rate=RATE, max_steps=max_steps, train_attention=True,
        generator=torch.Generator().manual_seed(1), recorder=recorders[way],
    )  # fmt: skip
    told = {"outcome": run.outcome, "account": run.account}
    if way == "nothing":
        return run, {}
    if way == "curves":
        return run, _read(along, TrainedVit(**told, training=run, fresh=lambda: problem.train))
    probe = problem.train[:_N_PROBE]
    errors = Errors(value=0.1, query=0.2)
    return run, _read(
        proof_curves, ProofRun(**told, looks=looks, probe=probe, directions=problem.directions, errors=errors)
    )


def _read(module: Any, run: Any) -> dict[str, Any]:
    """All curves that a module of readouts reads off a run, by the names of its functions."""
    names = [name for name, found in vars(module).items() if getattr(found, "__module__", "") == module.__name__]
    return {name: getattr(module, name)(run) for name in names if not name.startswith("_")}


def measure(engine: str, rounds: int, *, n_neurons: int = 1000, n_samples: int = 128, max_steps: int = 400) -> Any:
    """CPU seconds of the three ways on one engine, the ways taking turns, and what they recorded."""
    os.environ[VARIABLE] = engine
    seconds: dict[str, list[float]] = {name: [] for name in (*WAYS, "around")}
    steps, records = set(), {}
    for turn in range(rounds + 1):  # the first warms up, compilation included
        began = time.process_time()
        problem = draw(engine, n_neurons=n_neurons, n_samples=n_samples)
        around = time.process_time() - began
        for way in WAYS:
            began = time.process_time()
            run, curves = train(problem, way, max_steps=max_steps)
            if turn:
                seconds[way].append(time.process_time() - began)
            steps.add(run.account["iterations"])
            records[way] = len(curves.get("step", ()))
        began = time.process_time()
        run.engine.outputs(problem.data.sample(N_TEST, torch.Generator().manual_seed(2)))
        if turn:
            seconds["around"].append(around + time.process_time() - began)
    if len(steps) != 1:
        raise AssertionError(f"recording must not change a training, got {sorted(steps)} steps")
    return figures(engine, steps.pop(), seconds, records)


def figures(engine: str, steps: int, seconds: dict[str, list[float]], records: dict[str, int]) -> dict[str, Any]:
    """The least seconds of each way, and the share of a run that recording takes by them."""
    least = {name: min(found) for name, found in seconds.items()}

    def share(way: str) -> float:
        return (least[way] - least["nothing"]) / (least[way] + least["around"])

    return {
        "engine": engine,
        "steps": steps,
        "seconds": {name: round(found, 4) for name, found in least.items()},
        "records": {way: records[way] for way in WAYS[1:]},
        "share": {way: round(share(way), 3) for way in WAYS[1:]},
    }


def table(measured: list[dict[str, Any]]) -> str:
    """The figures in markdown."""
    lines = [
        "| engine | steps | training | with curves | with the proof's quantities | data and test | share of curves | "
        "share of the proof's |",
        "|---|---:|---:|---:|---:|---:|---:|---:|",
    ]
    for row in measured:
        taken = " | ".join(f"{row['seconds'][name]:.3g} s" for name in (*WAYS, "around"))
        shares = " | ".join(f"{100 * row['share'][way]:.0f} %" for way in WAYS[1:])
        lines.append(f"| {row['engine']} | {row['steps']} | {taken} | {shares} |")
    return "\n".join(lines)


def main() -> None:
    """Measure, print, keep."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--rounds", type=int, default=9)
    parser.add_argument("--engines", nargs="+", choices=ENGINES, default=ENGINES)
    arguments = parser.parse_args()
    torch.set_num_threads(1)
    measured = [measure(name, arguments.rounds * (8 if name == "collapsed" else 1)) for name in arguments.engines]
    print(table(measured))
    (HERE / "results" / "recording.json").write_text(json.dumps(measured, indent=1) + "\n")


if __name__ == "__main__":
    main()
