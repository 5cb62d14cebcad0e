"""One contestant of the engine benchmark: a process that trains on request and says what it took.

Reads one JSON request a line and answers with one line: {"case": path of an npz, "steps": n} trains n steps from the
npz's beginning, batch after batch, and reports seconds per model-step (CPU time of this process, and wall);
{"gemm": precision} measures the machine. Libraries are imported by the contestant that needs them, so each process's
memory is its own.
"""

from __future__ import annotations

import json
import os
import resource
import sys
import time
from collections.abc import Callable
from typing import Any

os.environ.update(dict.fromkeys(("OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS", "MKL_NUM_THREADS"), "1"))
os.environ.setdefault("XLA_FLAGS", "--xla_cpu_multi_thread_eigen=false intra_op_parallelism_threads=1")

import numpy as np

MATRICES = ("hidden", "value", "key", "query")
TRIALS_AT_ONCE = 4
"""Trials that the vmapped contestants train together; their times are per trial and step."""

Train = Callable[[int], dict[str, np.ndarray]]
"""Train so many steps from the beginning and return the four matrices."""


def torch_loss(torch: Any, tokens: Any, labels: Any, weights: dict[str, Any]) -> Any:
    """Eq. (1) and the hinge as most would write them. [li2023]"""
    scores = tokens @ (weights["key"].T @ weights["query"]).T @ tokens.transpose(-1, -2)
    attended = torch.softmax(scores, dim=-1) @ tokens
    hidden = torch.relu(attended @ (weights["hidden"] @ weights["value"]).T)
    outputs = (hidden * weights["output"]).sum(-1).mean(-1)
    return torch.clamp(1 - labels * outputs, min=0).mean()


def _torch_problem(case: dict[str, np.ndarray], device: str = "cpu") -> tuple[Any, Any, Any, dict[str, Any]]:
    import torch

    torch.set_num_threads(1)
    weights = {name: torch.tensor(case[name], device=device) for name in (*MATRICES, "output")}
    return torch, torch.tensor(case["tokens"], device=device), torch.tensor(case["labels"], device=device), weights


def _batches(case: dict[str, np.ndarray], steps: int) -> list[slice]:
    size = int(case["batch_size"])
    whole = len(case["labels"]) // size
    return [slice((step % whole) * size, (step % whole + 1) * size) for step in range(steps)]


def autograd(case: dict[str, np.ndarray], *, compile_it: bool = False, device: str = "cpu") -> Train:
    """A loop over steps of torch autograd, perhaps compiled."""
    torch, tokens, labels, start = _torch_problem(case, device)
    rate = float(case["rate"])

    def loss(x: Any, y: Any, weights: dict[str, Any]) -> Any:
        return torch_loss(torch, x, y, weights)

    chosen = torch.compile(loss, fullgraph=True) if compile_it else loss

    def train(steps: int) -> dict[str, np.ndarray]:
        weights = {name: start[name].clone().requires_grad_(name != "output") for name in start}
        for batch in _batches(case, steps):
            found = torch.autograd.grad(
                chosen(tokens[batch], labels[batch], weights), [weights[name] for name in MATRICES]
            )
            with torch.no_grad():
                for name, gradient in zip(MATRICES, found, strict=True):
                    weights[name] -= rate * gradient
        return {name: weights[name].detach().cpu().numpy() for name in MATRICES}

    return train


def compiled_autograd(case: dict[str, np.ndarray]) -> Train:
    """The same, through torch.compile."""
    return autograd(case, compile_it=True)


def functional(
    case: dict[str, np.ndarray], *, compile_it: bool = False, device: str = "cpu", trials: int = TRIALS_AT_ONCE
) -> Train:
    """torch.func: gradients of several trials at once by vmap, perhaps compiled."""
    torch, tokens, labels, start = _torch_problem(case, device)
    rate, output = float(case["rate"]), start["output"]

    def loss(trained: dict[str, Any], x: Any, y: Any) -> Any:
        return torch_loss(torch, x, y, {**trained, "output": output})

    step = torch.func.vmap(torch.func.grad(loss), in_dims=(0, 0, 0))
    step = torch.compile(step) if compile_it else step

    def train(steps: int) -> dict[str, np.ndarray]:
        weights = {name: torch.stack([start[name]] * trials) for name in MATRICES}
        for batch in _batches(case, steps):
            x, y = (data[batch].expand(trials, *data[batch].shape) for data in (tokens, labels))
            found = step(weights, x.contiguous(), y.contiguous())
            weights = {name: weights[name] - rate * found[name] for name in MATRICES}
        return {name: weights[name][0].cpu().numpy() for name in MATRICES}

    return train


def jax(case: dict[str, np.ndarray]) -> Train:
    """JAX: several trials by vmap, steps by scan, all under jit."""
    import jax as jx
    import jax.numpy as jnp

    jx.config.update("jax_enable_x64", case["tokens"].dtype == np.float64)
    rate, output = float(case["rate"]), jnp.asarray(case["output"])
    size = int(case["batch_size"])
    whole = len(case["labels"]) // size
    tokens = jnp.asarray(case["tokens"][: whole * size].reshape(whole, size, *case["tokens"].shape[1:]))
    labels = jnp.asarray(case["labels"][: whole * size].reshape(whole, size))

    def loss(trained: dict[str, Any], x: Any, y: Any) -> Any:
        scores = x @ (trained["key"].T @ trained["query"]).T @ x.transpose(0, 2, 1)
        attended = jx.nn.softmax(scores, axis=-1) @ x
        hidden = jx.nn.relu(attended @ (trained["hidden"] @ trained["value"]).T)
        outputs = (hidden * output).sum(-1).mean(-1)
        return jnp.maximum(1 - y * outputs, 0).mean()

    def one(trained: dict[str, Any], steps: Any, x: Any, y: Any) -> dict[str, Any]:
        def step(index: Any, carried: dict[str, Any]) -> dict[str, Any]:
            found = jx.grad(loss)(carried, x[index % whole], y[index % whole])
            return {name: carried[name] - rate * found[name] for name in MATRICES}

        return jx.lax.fori_loop(0, steps, step, trained)

    run = jx.jit(jx.vmap(one, in_axes=(0, None, 0, 0)))
    many_tokens, many_labels = (jnp.stack([data] * TRIALS_AT_ONCE) for data in (tokens, labels))
    start = {name: jnp.stack([jnp.asarray(case[name])] * TRIALS_AT_ONCE) for name in MATRICES}

    def train(steps: int) -> dict[str, np.ndarray]:
        found = jx.block_until_ready(run(start, steps, many_tokens, many_labels))
        return {name: np.asarray(found[name][0]) for name in MATRICES}

    return train


def ours(case: dict[str, np.ndarray], *, engine: str) -> Train:
    """One of theoremeter's engines."""
    torch, tokens, labels, start = _torch_problem(case)
    from sim.engine_setting import forced
    from sim.shallow_vit.data import Samples
    from sim.shallow_vit.engine.interface import StepRule
    from sim.shallow_vit.engine.start import start as build
    from sim.shallow_vit.model import Weights

    samples = Samples(tokens, labels, torch.from_numpy(case["patterns"]))
    rule = StepRule(int(case["batch_size"]), float(case["rate"]), train_attention=True)
    whole = len(labels) // rule.batch_size
    order = torch.arange(whole * rule.batch_size)

    def train(steps: int) -> dict[str, np.ndarray]:
        with forced(engine):
            built = build(samples, Weights(**start), rule)
        for first in range(0, steps, whole):
            built.advance(order, 0, min(whole, steps - first))
        weights = built.weights()
        return {name: getattr(weights, name).numpy() for name in MATRICES}

    return train


CONTESTANTS: dict[str, tuple[Callable[[dict[str, np.ndarray]], Train], int]] = {
    "torch autograd loop": (autograd, 1),
    "torch.func vmap": (functional, TRIALS_AT_ONCE),
    "torch.compile": (compiled_autograd, 1),
    "JAX jit(vmap)": (jax, TRIALS_AT_ONCE),
    **{
        f"ours: {name}": (lambda case, name=name: ours(case, engine=name), 1)
        for name in ("torch", "fused", "grouped", "collapsed")
    },
}
"""How each is built, and how many trials it trains at once."""


def measure(train: Train, trials: int, request: dict[str, Any]) -> dict[str, Any]:
    """Train a step to compile, time as many steps as asked for, and show the weights after 50 where asked to."""
    began = time.perf_counter()
    train(1)
    first = time.perf_counter() - began
    cpu, wall = time.process_time(), time.perf_counter()
    train(request["steps"])
    cpu, wall = time.process_time() - cpu, time.perf_counter() - wall
    gate = {name: matrix.astype(float).tolist() for name, matrix in train(50).items()} if request.get("gate") else None
    return {
        "cpu_s": cpu / request["steps"] / trials,
        "wall_s": wall / request["steps"] / trials,
        "first_s": first,
        "peak_MiB": resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024,
        "gate": gate,
    }


def gemm(kind: str) -> dict[str, float]:
    """Floating point operations a second of one core in a matrix product of this precision."""
    import torch

    torch.set_num_threads(1)
    factor = torch.randn(768, 768, dtype=getattr(torch, kind))
    best = 1e9
    for _ in range(12):
        began = time.process_time()
        factor @ factor
        best = min(best, time.process_time() - began)
    return {"flops": 2 * 768**3 / best}


def main() -> None:
    """Serve requests until the input ends."""
    build, trials = CONTESTANTS[sys.argv[1]]
    built: dict[str, Train] = {}
    answers = os.fdopen(os.dup(1), "w")
    os.dup2(2, 1)  # whatever a library prints goes to stderr
    for line in sys.stdin:
        request = json.loads(line)
        try:
            if "gemm" in request:
                answer: dict[str, Any] = gemm(request["gemm"])
            else:
                if request["case"] not in built:
                    built.clear()
                    with np.load(request["case"]) as archive:
                        built[request["case"]] = build(dict(archive))
                answer = measure(built[request["case"]], trials, request)
        except Exception as error:  # the contestant is out of this case, the benchmark goes on and says why
            answer = {"error": f"{type(error).__name__}: {error}".splitlines()[0][:200]}
        print(json.dumps(answer), file=answers, flush=True)


if __name__ == "__main__":
    main()
