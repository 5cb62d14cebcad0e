"""What a step of the spatial ViT on sampled patches costs: a plain autograd loop, our torch code, compiled kernels.

    python -m benchmarks.spatial_descent   # a minute; writes benchmarks/results/spatial_descent.md

All in one process, one after the other for each size, CPU seconds, one thread. The sizes are those of B.realistic and
B.fig4 and, for fine-tuning, of B.transfer. The three end where they agree to rounding, which is printed beside them.

A descent takes 1024 steps: what B.realistic trains at D = 32 (D^2) and, at the full preset, at D = 8 (16 D^2). Its
seconds hold the layout of the patches and looks at the state. Of 6 steps at D = 32 those would be more than half.
"""

from __future__ import annotations

import platform
import time
from collections.abc import Callable
from pathlib import Path

import torch

from sim.engine_setting import forced
from sim.spatial_vit.network import model
from sim.spatial_vit.network.data import Dataset, contiguous_sets, random_feature, sample
from sim.spatial_vit.network.setting import Setting
from sim.spatial_vit.sampled import training, transfer
from sim.spatial_vit.sampled.empirical import SignedPatches

RESULTS = Path(__file__).parent / "results" / "spatial_descent.md"
DESCENTS = (
    (8, 2, 8, 1000, "double"),
    (8, 2, 8, 1000, "single"),
    (16, 2, 16, 4000, "single"),
    (32, 2, 32, 4000, "single"),
)
"""Patches, patches of a set, dimension, samples and precision."""
TUNINGS = ((20, 8), (64, 8), (164, 2))
"""Patches (and dimensions) and samples."""
RATE = 0.001


def problem(
    patches: int, set_size: int, dimension: int, n_samples: int
) -> tuple[Setting, Dataset, torch.Tensor, torch.Tensor]:
    """A setting, data points, logits and v."""
    where = Setting(
        n_patches=patches, set_size=set_size, spurious_rate=0.25, activation_power=3, linear_coefficient=1 / patches,
        diagonal_logit=1.0,
    )  # fmt: skip
    generator = torch.Generator().manual_seed(1)
    sets, feature = contiguous_sets(where), random_feature(dimension, generator)
    logits, value = training.initial_parameters(where, feature, "gaussian", scale=0.1, generator=generator)
    return where, sample(where, sets, feature=feature, n_samples=n_samples, generator=generator), logits, value


def autograd_loop(
    where: Setting, data: Dataset, logits: torch.Tensor, value: torch.Tensor, n_steps: int
) -> torch.Tensor:
    """What others would write; the logits at the end."""
    moving = 1.0 - torch.eye(len(logits), dtype=torch.float64)
    for _ in range(n_steps):
        leaves = logits.clone().requires_grad_(), value.clone().requires_grad_()
        risk = torch.nn.functional.softplus(-data.labels * model.forward(data.patches, *leaves, where)).mean()
        by_logits, by_value = torch.autograd.grad(risk, leaves)
        logits, value = logits - RATE * moving * by_logits, value - RATE * by_value
    return logits


def timed(run: Callable[[], torch.Tensor]) -> tuple[float, torch.Tensor]:
    """CPU seconds of the second of two runs, and what it gave."""
    run()
    start = time.process_time()
    found = run()
    return time.process_time() - start, found


def descent_row(patches: int, set_size: int, dimension: int, n_samples: int, precision: str, n_steps: int) -> list[str]:
    """A line of the first table."""
    where, data, logits, value = problem(patches, set_size, dimension, n_samples)
    signed = SignedPatches.of(data, precision)

    def ours() -> torch.Tensor:
        looks = training.descend_on_samples(
            signed,
            where,
            logits,
            value,
            learning_rate=RATE,
            value_rate=RATE,
            n_steps=n_steps,
            stop_risk=0.0,
            n_records=2,
        )[1]
        return looks[-1].logits

    loop_s, loop = timed(lambda: autograd_loop(where, data, logits, value, n_steps))
    with forced("torch"):
        torch_s, _ = timed(ours)
    compiled_s, found = timed(ours)
    apart = float((loop - found).abs().max())
    size = f"D = d = {patches}, N = {n_samples}, {precision}, {n_steps} steps"
    return [size, *(f"{1e3 * s / n_steps:.3f}" for s in (loop_s, torch_s, compiled_s)),
            f"{loop_s / compiled_s:.1f}", f"{torch_s / compiled_s:.1f}", f"{apart:.0e}"]  # fmt: skip


def tuning_row(patches: int, n_samples: int, n_steps: int) -> list[str]:
    """A line of the second table: v alone, the attention frozen."""
    where, data, logits, value = problem(patches, 4, patches, n_samples)

    def ours() -> torch.Tensor:
        course = {"learning_rate": RATE / patches**2, "n_steps": n_steps, "stop_risk": 0.0, "n_records": 2}
        return transfer.fine_tune(data, logits, value, where, **course).value  # type: ignore[arg-type]

    with forced("torch"):
        torch_s, right = timed(ours)
    compiled_s, found = timed(ours)
    apart = float((right - found).abs().max())
    return [f"D = d = {patches}, N = {n_samples}", *(f"{1e3 * s / n_steps:.4f}" for s in (torch_s, compiled_s)),
            f"{torch_s / compiled_s:.1f}", f"{apart:.0e}"]  # fmt: skip


HEAD = """# Steps of the spatial ViT on sampled patches

Made by `python -m benchmarks.spatial_descent`: milliseconds of CPU time a step, one thread, one process, one contestant
after the other. {versions}. "Apart" is the largest difference at the end.
"""


def page(descents: list[list[str]], tunings: list[list[str]]) -> str:
    """Both tables as Markdown."""
    parts = [
        HEAD.format(versions=f"torch {torch.__version__}, Python {platform.python_version()}"),
        "All logits and v (autograd in double precision, as a plain loop is written):\n",
        *_table("size; autograd loop; torch, by hand; compiled; loop / compiled; torch / compiled; apart", descents),
        "\nv alone, attention frozen:\n",
        *_table("size; torch; compiled; torch / compiled; apart", tunings),
    ]
    return "\n".join([*parts, ""])


def _table(head: str, rows: list[list[str]]) -> list[str]:
    """Lines of a table whose first column is words."""
    names = head.split("; ")
    rule = "|---" + "|---:" * (len(names) - 1) + "|"
    return [f"| {' | '.join(names)} |", rule, *(f"| {' | '.join(row)} |" for row in rows)]


def main(n_steps: int = 1024, tuning_steps: int = 100) -> str:
    """Measure; the page."""
    torch.set_num_threads(1)
    descents = [descent_row(*size, n_steps=n_steps) for size in DESCENTS]
    return page(descents, [tuning_row(*size, n_steps=tuning_steps) for size in TUNINGS])


if __name__ == "__main__":
    written = main()
    RESULTS.write_text(written)
    print(written)
