"""Compile the kernels that the tests need, once, before processes of the tests do so beside each other.

    python -m tests.compile_kernels --jobs 2

Kernels are compiled for each precision, number of axes and engine that meets them, twelve seconds at most. These are
for tokens in 10 and 20 dimensions, which claims at preset quick have; what trains in others is left to `make
exhaustive`. Where kernels are there nothing is
done; where numba is missing there are none.
"""

from __future__ import annotations

import argparse
import os
from collections.abc import Callable, Iterator
from concurrent.futures import ProcessPoolExecutor
from multiprocessing import get_context
from pathlib import Path

from sim.engine_setting import numba_is_there
from sim.kernels.cache import folder
from sim.shallow_vit import engine
from sim.spatial_vit import engine as spatial_vit

SINGLE, DOUBLE = "float32", "float64"


def grouped(precision: str, dimension: int = 10) -> None:
    """Training, outputs and masses."""
    import torch

    from tests.sim.shallow_vit.test_engines import engine, problem

    kind = getattr(torch, precision)
    samples, weights = problem(dimension=dimension)
    built = engine("grouped", samples.to(kind), weights.to(kind))
    built.advance(torch.arange(len(samples)), 0, 1)
    built.outputs(samples.to(kind))
    built.masses(2)
    if precision == DOUBLE and dimension == 10:
        engine("grouped", samples, weights, train_attention=False)


def collapsed(precision: str = DOUBLE, dimension: int = 10) -> None:
    """The same where tokens of a pattern are identical."""
    import torch

    from tests.sim.shallow_vit.test_engines import engine, problem

    samples, weights = problem(token_noise=0.0, dimension=dimension)
    samples, weights = samples.to(getattr(torch, precision)), weights.to(getattr(torch, precision))
    built = engine("collapsed", samples, weights)
    built.advance(torch.arange(len(samples)), 0, 1)
    built.outputs(samples)
    built.masses(2)


def tally(name: str) -> None:
    """Training with sums over its steps."""
    import torch

    from sim.shallow_vit.engine.tally import Tally
    from tests.sim.shallow_vit.test_engines import engine, problem

    samples, weights = problem(token_noise=0.0 if name == "collapsed" else 0.01)
    built = engine(name, samples, weights)
    Tally(built, torch.ones(len(weights.hidden), 2, dtype=torch.bool), 1.0).advance(torch.arange(len(samples)), 0, 1)


def largest() -> None:
    """Sums over steps hold the training itself: one process infers and optimises what both call once."""
    tally("grouped")
    grouped(DOUBLE)


def collapsing() -> None:
    """The same of identical tokens."""
    tally("collapsed")
    collapsed()


def spatial(precision: str) -> None:
    """Descents of the spatial ViT: on all of it in this precision, on v alone in double."""
    import torch

    from sim.spatial_vit.engine.start import compiled
    from sim.spatial_vit.network.setting import Setting

    where = Setting(
        n_patches=4, set_size=2, spurious_rate=0.5, activation_power=3, linear_coefficient=0.1, diagonal_logit=1.0
    )
    rule = compiled().rule_of(where, logits_rate=0.1, value_rate=0.1, stop_risk=0.0)
    mixed, value = torch.ones(3, 4, 5, dtype=torch.float64), torch.ones(5, dtype=torch.float64)
    compiled().full_descent(mixed.to(getattr(torch, precision)), torch.eye(4).double(), value, rule).advance(1)
    if precision == DOUBLE:
        compiled().value_descent(mixed, torch.ones(3, dtype=torch.float64), value, rule).advance(1)


def many_axes() -> None:
    """Both for tokens in 20 dimensions, those of Fig. 7 and 8."""
    grouped(DOUBLE, 20)
    collapsed(DOUBLE, 20)


def tasks() -> Iterator[tuple[Callable[..., None], tuple[object, ...]]]:
    """What most claims at smoke and the engines' own tests ask for, by processes that share nothing, longest first."""
    yield largest, ()
    yield many_axes, ()
    yield grouped, (SINGLE,)
    yield collapsing, ()
    yield collapsed, (SINGLE,)
    yield spatial, (SINGLE,)
    yield spatial, (DOUBLE,)


def main() -> None:
    """Compile what is missing and leave a mark beside it."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--jobs", type=int, default=2)
    jobs = parser.parse_args().jobs
    asked_for = os.environ.get("NUMBA_CACHE_DIR", "")
    marks = [
        folder(Path(kernels.__file__).parent, asked_for) / "compiled-for-tests" for kernels in (engine, spatial_vit)
    ]
    if all(mark.exists() for mark in marks) or not numba_is_there():
        return
    with ProcessPoolExecutor(jobs, mp_context=get_context("spawn")) as pool:
        for done in [pool.submit(compiled, *values) for compiled, values in tasks()]:
            done.result()
    for mark in marks:
        mark.touch()


if __name__ == "__main__":
    main()
