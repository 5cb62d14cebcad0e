"""What the exact population risk costs and how exact it is, and the flow against gradient descent of the full model.

    python -m benchmarks.population        # about a minute; writes benchmarks/results/population.json

Expectations: seconds a gradient of enumeration and of the Fourier integral, and their largest difference, over D.

Speed: flow time 1e6 at (D, C, q) = (24, 4, 1/3). The peer is gradient descent of the full network, D^2 logits and
alpha, by torch autograd on the same population risk. All 3^20 configurations are out of its reach, so it is given our
compression: one representative data point for each of the 11 628 multisets with its probability, and gradients averaged
over the classes that Lemma 4.1 makes equal. A second peer sees 50 000 sampled points, the number of a circulated
script of Fig. 4. Both run a few steps, whose time is measured; the rest is that time multiplied, and printed as such.
"""

from __future__ import annotations

import json
import platform
import sys
import time
from pathlib import Path
from typing import Any

import numpy as np
import torch
from rich.console import Console
from rich.table import Table as Grid

from sim.spatial_vit.network import model
from sim.spatial_vit.network.data import contiguous_sets, sample_coefficients
from sim.spatial_vit.network.setting import Setting
from sim.spatial_vit.reduced import population
from sim.spatial_vit.reduced.dynamics import descend, simulate_reduced
from sim.spatial_vit.reduced.expected_errors import errors_at
from sim.spatial_vit.reduced.fourier import fourier_types
from sim.spatial_vit.systems import SPATIAL_VIT_REDUCED
from sim.trials.readouts import observed

RESULTS = Path(__file__).parent / "results" / "population.json"
SIZES = (16, 24, 28, 32, 64, 128, 256)
ENUMERATED = 32
"""Largest D whose multisets are enumerated here (116 280 at D = 32)."""
SPURIOUS_PATCHES = 4.0
FLOW_TIME = 1e6
LEARNING_RATE = 0.02
"""Step of the full model: above 0.03 alpha overshoots at D = 24, and gamma falls below rho."""
PEER_STEPS = 40
SAMPLES = 50_000
NAMES = ("risk", "alignment", "diagonal", "within", "across")


def main() -> None:
    """Measure, print and write."""
    torch.set_num_threads(1)
    expectations = [expectation(size) for size in SIZES]
    found = {
        "python": platform.python_version(), "numpy": np.__version__, "torch": torch.__version__, "threads": 1,
        "expectations": expectations, "speed": speed(),
    }  # fmt: skip
    show(found)
    RESULTS.parent.mkdir(exist_ok=True)
    RESULTS.write_text(json.dumps(found, indent=1) + "\n", encoding="utf-8")


def reference(n_patches: int, spurious_rate: float) -> Setting:
    """C = 4, p = 3, nu = D^-2, beta = 1."""
    return Setting(n_patches, 4, spurious_rate, 3, float(n_patches) ** -2, 1.0, 1.0)


def expectation(n_patches: int) -> dict[str, Any]:
    """Cost and accuracy of both methods at three states of a run: the start, alpha's maximum and late."""
    setting = reference(n_patches, SPURIOUS_PATCHES / n_patches)
    peak = 1.4 / n_patches**0.55
    states = [(1.0 / n_patches, 0.0, 0.0), (peak, 0.0, 0.0), (1.6 / n_patches, 4.0, -1.0)]
    start = time.perf_counter()
    integral = fourier_types(setting)
    found: dict[str, Any] = {"n_patches": n_patches, "fourier_prepare_s": time.perf_counter() - start}
    found["fourier_gradient_s"] = timed(lambda: [gradient(integral, setting, state) for state in states]) / len(states)
    start = time.perf_counter()
    rates = [errors_at(integral, setting, alignment=a, within=g, across=r) for a, g, r in states]
    found["fourier_errors_s"] = (time.perf_counter() - start) / len(states)
    found["largest_error_uncertainty"] = max(rate.uncertainty for rate in rates)
    if n_patches <= ENUMERATED:
        start = time.perf_counter()
        table = population.exact_types(setting)
        found |= {"multisets": table.n_rows, "enumeration_prepare_s": time.perf_counter() - start}
        found["enumeration_gradient_s"] = timed(lambda: [gradient(table, setting, s) for s in states]) / len(states)
        pairs = [(gradient(integral, setting, state), gradient(table, setting, state)) for state in states]
        found["largest_difference"] = max(float(np.abs(a - b).max()) for a, b in pairs)
    else:
        generator = torch.Generator().manual_seed(n_patches)
        batches = [population.sampled_types(setting, n_draws=4000, generator=generator) for _ in range(16)]
        drawn = np.array([[gradient(table, setting, state) for state in states] for table in batches])
        error = drawn.std(axis=0, ddof=1) / 4
        exact = np.array([gradient(integral, setting, state) for state in states])
        found["largest_z_of_draws"] = float((np.abs(drawn.mean(axis=0) - exact) / error).max())
    return found


def gradient(table: population.PopulationTable, setting: Setting, state: tuple[float, float, float]) -> np.ndarray:
    """Risk and derivatives at (alpha, gamma, rho)."""
    alignment, within, across = state
    at = population.reduced_gradient(table, setting, alignment=alignment, within=within, across=across)
    return np.array([getattr(at, name) for name in NAMES])


def timed(work: Any, repeats: int = 5) -> float:
    """Fastest of some repeats, in seconds."""
    seconds = []
    for _ in range(repeats):
        start = time.perf_counter()
        work()
        seconds.append(time.perf_counter() - start)
    return min(seconds)


def speed() -> dict[str, Any]:
    """Seconds to flow time 1e6 at D = 24: the reduced flow measured, the full model measured and extrapolated."""
    setting = reference(24, 1 / 3)
    start = time.perf_counter()
    done = simulate_reduced(
        n_patches=24, set_size=4, spurious_rate=1 / 3, activation_power=3, linear_coefficient=24.0**-2,
        diagonal_logit=1.0, dynamics="flow", learning_rate=1e-3, n_steps=round(FLOW_TIME / 1e-3), n_records=100,
        generator=torch.Generator(),
    )  # fmt: skip
    run = observed(SPATIAL_VIT_REDUCED, done)
    ours = time.perf_counter() - start
    table = population.exact_types(setting)
    sets = contiguous_sets(setting)
    points, weights = representatives(setting)
    generator = torch.Generator().manual_seed(0)
    drawn, labels, _ = sample_coefficients(setting, sets, n_samples=SAMPLES, generator=generator)
    steps = FLOW_TIME / LEARNING_RATE
    peers = {}
    for name, data, share in (
        ("one point a multiset", points, weights),
        ("50 000 samples", drawn * labels[:, None], torch.full((SAMPLES,), 1 / SAMPLES, dtype=torch.float64)),
    ):
        start = time.perf_counter()
        state = train_full(setting, data, share)
        each = (time.perf_counter() - start) / PEER_STEPS
        peers[name] = {
            "measured_steps": PEER_STEPS, "measured_s": each * PEER_STEPS, "seconds_a_step": each,
            "extrapolated_steps": steps, "extrapolated_s": each * steps, "factor": each * steps / ours,
            "state": state.tolist(),
        }  # fmt: skip
    path = descend(
        table, setting, np.array([setting.initial_alignment, 0.0, 0.0]), learning_rate=LEARNING_RATE,
        n_steps=PEER_STEPS, n_records=2,
    )  # fmt: skip
    deviation = float(np.abs(path.states[-1] - np.array(peers["one point a multiset"]["state"])).max())
    end = {name: run.observables[name] for name in ("feature_alignment", "within_logit", "across_logit", "risk")}
    return {
        "flow_time": FLOW_TIME, "learning_rate": LEARNING_RATE, "reduced_flow_s": ours, "reduced_end": end,
        "peers": peers, "deviation_after_measured_steps": deviation,
    }  # fmt: skip


def representatives(setting: Setting) -> tuple[torch.Tensor, torch.Tensor]:
    """One data point of label 1 for each multiset, the signal set first, [multisets, patches], and its probability."""
    table = population.exact_types(setting)
    size = setting.set_size
    points = torch.zeros(table.n_rows, setting.n_patches, dtype=torch.float64)
    for row in range(table.n_rows):
        cells = table.counts[[row]].tocoo()
        filled = 0
        for cell, count in zip(cells.coords[1], cells.data, strict=True):
            plus, minus, _ = table.multiplicity[cell].astype(int)
            for _ in range(int(count)):
                points[row, filled : filled + plus] = 1.0
                points[row, filled + plus : filled + plus + minus] = -1.0
                filled += size
    return points, torch.from_numpy(table.weights)


def train_full(setting: Setting, points: torch.Tensor, weights: torch.Tensor) -> np.ndarray:
    """Descend all logits and alpha by autograd for `PEER_STEPS` steps; (alpha, gamma, rho) at the end.

    Sampled data break the classes' equality slightly, a single point for each multiset breaks it fully; the average
    over each class restores what the population has.
    """
    sets = contiguous_sets(setting)
    same = sets[:, None] == sets[None, :]
    diagonal = torch.eye(setting.n_patches, dtype=torch.bool)
    classes = (same & ~diagonal, ~same)
    logits = torch.zeros(setting.n_patches, setting.n_patches, dtype=torch.float64)
    logits.fill_diagonal_(setting.diagonal_logit)
    alignment = torch.tensor(setting.initial_alignment, dtype=torch.float64)
    ones = torch.ones(len(points), dtype=torch.float64)
    for _ in range(PEER_STEPS):
        logits.requires_grad_()
        alignment.requires_grad_()
        risk = model.logistic_risk(model.output(alignment * points, logits, setting), ones, weights)
        by_logits, by_alignment = torch.autograd.grad(risk, (logits, alignment))
        with torch.no_grad():
            step = torch.zeros_like(logits)
            for entries in classes:
                step[entries] = by_logits[entries].mean()
            logits = logits - LEARNING_RATE * step
            alignment = alignment - LEARNING_RATE * by_alignment
    return np.array([float(alignment), *(float(logits[entries].mean()) for entries in classes)])


def show(found: dict[str, Any]) -> None:
    """Print both tables."""
    console = Console(file=sys.stdout, width=120)
    grid = Grid("D", "multisets", "enumeration s", "Fourier s", "errors s", "difference", "error ±", "z of draws")
    for row in found["expectations"]:
        cells = ("multisets", "enumeration_gradient_s", "fourier_gradient_s", "fourier_errors_s",
                 "largest_difference", "largest_error_uncertainty", "largest_z_of_draws")  # fmt: skip
        grid.add_row(str(row["n_patches"]), *(f"{row[cell]:.3g}" if cell in row else "" for cell in cells))
    console.print(grid)
    result = found["speed"]
    console.print(f"flow to time {result['flow_time']:.0e} at D = 24: {result['reduced_flow_s']:.2f} s, measured")
    for name, peer in result["peers"].items():
        console.print(
            f"full-model autograd, {name}: {peer['measured_steps']} steps in {peer['measured_s']:.2f} s, measured; "
            f"{peer['extrapolated_steps']:.0e} steps in {peer['extrapolated_s']:.2e} s, extrapolated; "
            f"factor {peer['factor']:.2e}"
        )
    console.print(f"states after the measured steps differ by {result['deviation_after_measured_steps']:.1e}")


if __name__ == "__main__":
    main()
