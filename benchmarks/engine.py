"""Engines of the shallow ViT side by side in one run: seconds a step, memory, compile time, and the way to Figure 1(a).

    python benchmarks/engine.py [--quick] [--jax-python PATH] [--contestants NAME ...]

Every contestant is a process of its own, and they take turns, so that load falls on all alike; figures are medians over
the rounds. "core" is CPU time of one process; "pair" is wall time a step with two processes at work, counting both's.
Contestants must agree with float64 autograd on all weights after 50 steps, relative 1e-10 in double precision and 1e-4
in single, or they are marked; where a gate so close to zero that single precision misses it costs the autograd loop
itself more than that, twice its own deviation. At the start of training every hinge is active: the dearest steps.
"""

from __future__ import annotations

import argparse
import json
import os
import platform
import statistics
import subprocess
import sys
import tempfile
import time
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

import numpy as np

HERE = Path(__file__).parent
sys.path.insert(0, str(HERE.parent))

from benchmarks.contestants import CONTESTANTS, MATRICES  # noqa: E402

RESULTS = HERE / "results"
WITNESS = "torch autograd loop"
LOOP, JAX = WITNESS, "JAX jit(vmap)"


@dataclass(frozen=True)
class Case:
    """One size and protocol."""

    n_tokens: int
    n_neurons: int
    batch_size: int
    output_layer: str
    token_noise: float
    precision: str
    counts: str = "exact"

    @property
    def name(self) -> str:
        """One line."""
        noise = "noisy" if self.token_noise else "no noise"
        size = f"L={self.n_tokens} m={self.n_neurons} B={self.batch_size}"
        return f"{size} a {self.output_layer}, {noise}, {self.precision}"

    @property
    def flops(self) -> float:
        """Floating point operations of a step without grouping: the arithmetic limit's numerator."""
        return 60 * self.batch_size * self.n_tokens * self.n_neurons + 80 * self.batch_size * self.n_tokens**2

    def admits(self, contestant: str) -> bool:
        """Whether the contestant can run this case."""
        if contestant == "torch.compile":  # a minute of compilation for every shape
            return self.batch_size == 16 and (self.output_layer, self.precision) == ("per token", "float32")
        return contestant != "ours: collapsed" or self.token_noise == 0

    def write(self, folder: Path) -> Path:
        """The problem as an npz."""
        import torch

        from sim.shallow_vit.data import TokenModel
        from sim.shallow_vit.model import initialize

        generator = torch.Generator().manual_seed(0)
        kind = getattr(torch, self.precision)
        data = TokenModel(
            n_tokens=self.n_tokens, label_relevant_fraction=0.4, confusion_fraction=0.1, counts=self.counts,
            token_noise=self.token_noise,
        ).sample(4 * self.batch_size, generator)  # fmt: skip
        weights = initialize(
            dimension=10, n_neurons=self.n_neurons, n_tokens=self.n_tokens, value_error=0.1, key_query_error=0.2,
            neuron_scale=0.01, output_layer=self.output_layer, initialization="orthonormal", generator=generator,
        ).to(kind)  # fmt: skip
        path = folder / f"{abs(hash(self))}.npz"
        np.savez(
            path, tokens=data.tokens.to(kind).numpy(), labels=data.labels.to(kind).numpy(),
            patterns=data.patterns.numpy(), batch_size=self.batch_size, rate=0.05,
            **{name: getattr(weights, name).numpy() for name in (*MATRICES, "output")},
        )  # fmt: skip
        return path


def cases() -> list[Case]:
    """Three sizes and two batches with noise and per-token outputs; then the protocols that collapse, and doubles."""
    sizes = ((100, 1000), (50, 100), (20, 32))
    single = [
        Case(length, m, batch, layer, 0.01, "float32")
        for length, m in sizes
        for batch in (16, 32)
        for layer in (("per token", "shared") if batch == 16 else ("per token",))
    ]
    largest = [
        Case(100, 1000, 16, layer, noise, precision)
        for layer in ("per token", "shared")
        for noise, precision in ((0.01, "float64"), (0.0, "float32"), (0.0, "float64"))
    ]
    return [*single, *largest]


class Worker:
    """A contestant's process."""

    def __init__(self, contestant: str, python: str) -> None:
        environment = {**os.environ, "PYTHONPATH": str(HERE.parent), "PYTHONWARNINGS": "ignore"}
        self._process = subprocess.Popen(
            [python, str(HERE / "contestants.py"), contestant],
            stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True, env=environment,
        )  # fmt: skip

    def send(self, request: dict[str, Any]) -> None:
        """Ask without waiting."""
        assert self._process.stdin is not None
        self._process.stdin.write(json.dumps(request) + "\n")
        self._process.stdin.flush()

    def answer(self) -> dict[str, Any]:
        """Wait for the answer to the oldest request."""
        assert self._process.stdout is not None
        line = self._process.stdout.readline()
        return json.loads(line) if line else {"error": "the process ended"}

    def ask(self, **request: Any) -> dict[str, Any]:
        """Ask and wait."""
        self.send(request)
        return self.answer()

    def close(self) -> None:
        """End the process."""
        assert self._process.stdin is not None
        self._process.stdin.close()
        self._process.wait()


def steps_for(cost_s: float, target_s: float) -> int:
    """Steps that take about so long, a few at least."""
    return max(3, min(2000, round(target_s / max(cost_s, 1e-6))))


def compete(case: Case, path: Path, workers: dict[str, Worker], rounds: int, target_s: float) -> dict[str, Any]:
    """Figures of every contestant on one case."""
    found: dict[str, Any] = {}
    entrants = [name for name in workers if case.admits(name)]
    for name in entrants:
        first = workers[name].ask(case=str(path), steps=3, gate=True)
        if "error" in first:
            found[name] = first
            continue
        gate = {matrix: np.array(values) for matrix, values in first["gate"].items()}
        found[name] = {"first_s": first["first_s"], "trial": first["cpu_s"], "core": [], "wall": [], "gate": gate}
    reference = _reference(path)
    for _ in range(rounds):
        for name in entrants:
            if "error" in found[name]:
                continue
            steps = steps_for(found[name]["trial"], target_s)
            figures = workers[name].ask(case=str(path), steps=steps)
            found[name]["core"].append(figures["cpu_s"])
            found[name]["wall"].append(figures["wall_s"])
            found[name]["peak_MiB"] = figures["peak_MiB"]
    figures = {name: _summary(one, reference) for name, one in found.items()}
    bound = max(1e-10 if case.precision == "float64" else 1e-4, 2 * figures[WITNESS]["deviation"])
    for one in figures.values():
        if "error" not in one:
            one["agrees"] = one["deviation"] < bound
    return figures


def _reference(path: Path) -> dict[str, np.ndarray]:
    """Weights after 50 steps of float64 autograd."""
    from benchmarks.contestants import autograd

    with np.load(path) as archive:
        case = {
            name: values.astype(np.float64) if values.dtype == np.float32 else values
            for name, values in archive.items()
        }
    return autograd(case)(50)


def _summary(found: dict[str, Any], reference: dict[str, np.ndarray]) -> dict[str, Any]:
    if "error" in found:
        return found
    deviation = max(
        float(np.abs(found["gate"][name] - right).max() / np.abs(right).max()) for name, right in reference.items()
    )
    return {
        "core_s": statistics.median(found["core"]),
        "core_least_s": min(found["core"]),
        "wall_s": statistics.median(found["wall"]),
        "first_s": found["first_s"],
        "peak_MiB": found["peak_MiB"],
        "deviation": deviation,
    }


def pairs(case: Case, path: Path, python_of: dict[str, str], target_s: float) -> dict[str, float]:
    """Wall seconds a step with two processes of a contestant at work at once, each training its own trial."""
    found = {}
    for name, python in python_of.items():
        if not case.admits(name):
            continue
        two = [Worker(name, python) for _ in range(2)]
        for worker in two:
            worker.send({"case": str(path), "steps": 5})
        first = [worker.answer() for worker in two]
        if not any("error" in one for one in first):
            steps = steps_for(first[0]["cpu_s"], target_s)
            for worker in two:
                worker.send({"case": str(path), "steps": steps})
            found[name] = max(worker.answer()["wall_s"] for worker in two) / 2
        for worker in two:
            worker.close()
    return found


FIGURE_1A = {
    "n_tokens": 100, "n_neurons": 1000, "batch_size": 16, "learning_rate": 0.5, "max_steps": 40_000,
    "output_layer": "per token", "counts": "fluctuating", "n_test": 1000,
}  # fmt: skip
FIGURE_TRIALS = 10 * 10 * 20


def figure_slice(quick: bool) -> list[dict[str, Any]]:
    """Trials of Figure 1(a) at a few points of its grid; extrapolated by their mean to all 2000. [li2023]"""
    import torch

    from sim.shallow_vit.training import simulate

    torch.set_num_threads(1)
    points = ((0.38, 128),) if quick else ((0.28, 64), (0.28, 1024), (0.38, 256), (0.48, 64), (0.48, 1024))
    rows = []
    for noise, precision in ((0.01, "float64"), (0.01, "float32"), (0.0, "float64"), (0.0, "float32")):
        seconds, steps, engine = [], 0, ""
        simulate(  # compiles what is not yet compiled
            **{**FIGURE_1A, "max_steps": 2, "n_test": 1}, label_relevant_fraction=0.4, confusion_fraction=0.1,
            n_samples=16, token_noise=noise, precision=precision, generator=torch.Generator(),
        )  # fmt: skip
        for fraction, size in points:
            began = time.process_time()
            result = simulate(
                **FIGURE_1A, label_relevant_fraction=fraction, confusion_fraction=round(0.5 - fraction, 2),
                n_samples=size, token_noise=noise, precision=precision, generator=torch.Generator().manual_seed(size),
            )  # fmt: skip
            seconds.append(time.process_time() - began)
            steps += int(result.curves["step"][-1])
            engine = str(result.observables["engine"])
        mean = statistics.mean(seconds)
        rows.append(
            {"token_noise": noise, "precision": precision, "engine": engine, "trials_measured": len(points),
             "mean_trial_s": mean, "ms_per_step": 1e3 * sum(seconds) / steps,
             "extrapolated_two_core_minutes": mean * FIGURE_TRIALS / 2 / 60}
        )  # fmt: skip
    return rows


def table(report: dict[str, Any]) -> str:
    """The report as markdown."""
    machine, lines = report["machine"], []
    rates = ", ".join(f"{kind} {rate / 1e9:.0f} GFLOP/s" for kind, rate in machine["gemm_flops"].items())
    lines.append(f"GEMM on one core: {rates}. Load average {machine['load']}. {machine['processor']}\n")
    for entry in report["cases"]:
        case = Case(**entry["case"])
        limit = case.flops / machine["gemm_flops"][case.precision]
        lines.append(f"\n### {case.name}\n\nArithmetic limit {1e3 * limit:.3f} ms a step.\n")
        lines.append(
            "| contestant | ms a step, one core | x loop | x JAX | x limit | pair, ms | first call, s | peak MiB "
            "| deviation |"
        )
        lines.append("|---|---|---|---|---|---|---|---|---|")
        figures = entry["figures"]
        for name, one in figures.items():
            if "error" in one:
                lines.append(f"| {name} | {one['error']} | | | | | | | |")
                continue
            ratios = [
                f"{figures[other]['core_s'] / one['core_s']:.2f}" if "core_s" in figures.get(other, {}) else ""
                for other in (LOOP, JAX)
            ]
            pair = entry["pairs"].get(name)
            mark = "" if one["agrees"] else " **disagrees**"
            lines.append(
                f"| {name} | {1e3 * one['core_s']:.3f} | {ratios[0]} | {ratios[1]} | {one['core_s'] / limit:.1f} | "
                f"{'' if pair is None else f'{1e3 * pair:.3f}'} | {one['first_s']:.1f} | {one['peak_MiB']:.0f} | "
                f"{one['deviation']:.1e}{mark} |"
            )
    lines.append("\n### Figure 1(a), all 2000 trials, extrapolated from a slice\n")
    lines.append(
        "| token noise | precision | engine | trials measured | s a trial | ms a step "
        "| minutes on two cores (extrapolated) |"
    )
    lines.append("|---|---|---|---|---|---|---|")
    lines.extend(
        f"| {row['token_noise']} | {row['precision']} | {row['engine']} | {row['trials_measured']} | "
        f"{row['mean_trial_s']:.2f} | {row['ms_per_step']:.3f} | {row['extrapolated_two_core_minutes']:.1f} |"
        for row in report["figure"]
    )
    return "\n".join(lines) + "\n"


def main() -> None:
    """Measure, print the table, keep it with the figures as JSON."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--quick", action="store_true", help="two cases, one round: a rehearsal of a minute or two")
    parser.add_argument("--jax-python", default=sys.executable, help="interpreter of the JAX contestant")
    parser.add_argument(
        "--contestants", nargs="+", default=list(CONTESTANTS), choices=list(CONTESTANTS), metavar="NAME",
        help=f"some of them only, kept as engine-some: {', '.join(CONTESTANTS)}",
    )  # fmt: skip
    options = parser.parse_args()
    entrants = [name for name in CONTESTANTS if name == WITNESS or name in options.contestants]
    python_of = {name: options.jax_python if name == JAX else sys.executable for name in entrants}
    workers = {name: Worker(name, python) for name, python in python_of.items()}
    rounds, target_s = (1, 0.3) if options.quick else (3, 0.5)
    chosen = cases()[2:4] if options.quick else cases()
    report: dict[str, Any] = {"cases": []}
    with tempfile.TemporaryDirectory() as folder:
        rates = {kind: workers[WITNESS].ask(gemm=kind)["flops"] for kind in ("float32", "float64")}
        for case in chosen:
            print(case.name, file=sys.stderr, flush=True)
            path = case.write(Path(folder))
            figures = compete(case, path, workers, rounds, target_s)
            both = case.batch_size == 16 and case.precision == "float32" and case.output_layer == "per token"
            two = pairs(case, path, python_of, target_s) if both else {}
            report["cases"].append({"case": asdict(case), "figures": figures, "pairs": two})
    for worker in workers.values():
        worker.close()
    report["figure"] = figure_slice(options.quick)
    report["machine"] = {
        "gemm_flops": rates, "load": [round(value, 2) for value in os.getloadavg()], "cores": os.cpu_count(),
        "processor": platform.machine(), "python": platform.python_version(),
    }  # fmt: skip
    text = table(report)
    print(text)
    RESULTS.mkdir(exist_ok=True)
    stem = "engine-quick" if options.quick else "engine" if len(entrants) == len(CONTESTANTS) else "engine-some"
    (RESULTS / f"{stem}.json").write_text(json.dumps(report, indent=1))
    (RESULTS / f"{stem}.md").write_text(text)


if __name__ == "__main__":
    main()
