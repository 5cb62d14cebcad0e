"""The GPU engine: each trial keeps its arrays on the device; steps of all trials that wait are launched together.

One `GpuEngine` belongs to one trial, like every engine, and what it computes is a function of that trial alone. Run
trials in threads (`theoremeter run --engine gpu` does) and their steps meet in one program; run one, and it is slow.
Data and initial weights are drawn on the CPU, so all engines train on the same ones.
"""

from __future__ import annotations

import functools
import threading
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any

import torch
import triton
import triton.language as tl
from triton.backends.compiler import GPUTarget
from triton.compiler import ASTSource

from sim.engine_setting import VARIABLE, gpu_device
from sim.shallow_vit.data import Samples
from sim.shallow_vit.engine import gpu_kernels as kernels
from sim.shallow_vit.engine.batching import Rendezvous
from sim.shallow_vit.engine.interface import Advance, Masses, StepRule
from sim.shallow_vit.engine.reference import attention_masses
from sim.shallow_vit.gradients import evaluate
from sim.shallow_vit.model import Weights
from sim.trials.validation import require

_ROWS, _BLOCK = 32, 64  # tokens and neurons of a tile
_LEAST = 16  # rows and columns of the smallest matrix product
_MOST_TOKENS, _MOST_AXES = 256, 32  # one tile holds the scores of its queries against all keys
_FIRST = threading.Lock()  # of several threads that ask for an ensemble at once, one makes it
_TYPES = {torch.float32: tl.float32, torch.float64: tl.float64}


@dataclass(frozen=True)
class Shape:
    """What trials of one launch have in common.

    Attributes:
        columns: dimension, padded.
        products: how float32 factors are multiplied: "ieee", or "tf32" with 10 bits of mantissa.
    """

    batch_size: int
    n_tokens: int
    n_neurons: int
    columns: int
    per_token: bool
    train_attention: bool
    precision: torch.dtype
    products: str
    device: str

    @property
    def n_tiles(self) -> int:
        """Tiles of tokens."""
        return triton.cdiv(self.n_tokens, _ROWS)


@dataclass
class _Stretch:
    """Steps asked for by one trial: where its arrays are, how many steps, and how far it has come."""

    addresses: list[int]
    first: int
    n_samples: int
    count: int
    progress: list[float]
    steps: int = field(default=0)

    @property
    def left(self) -> int:
        """Steps still to run."""
        return self.count - self.steps


@dataclass(frozen=True)
class Launch:
    """One kernel of a step: its programs for one trial, and what it is compiled for."""

    kernel: Any
    programs: tuple[int, ...]
    constants: dict[str, Any]


def launches(shape: Shape) -> list[Launch]:
    """The kernels of a step in their order: outputs, hinges, then the weights."""
    batch, blocks = shape.batch_size, triton.cdiv(shape.n_neurons, _BLOCK)
    constants = {
        "BATCH": batch, "SLOTS": triton.next_power_of_2(batch), "LENGTH": shape.n_tokens, "NEURONS": shape.n_neurons,
        "DIM": shape.columns, "KEYS": max(_LEAST, triton.next_power_of_2(shape.n_tokens)), "ROWS": _ROWS,
        "BLOCK": _BLOCK, "PER_TOKEN": shape.per_token, "TRAIN_ATTENTION": shape.train_attention,
        "DTYPE": _TYPES[shape.precision], "PRODUCTS": shape.products,
    }  # fmt: skip
    programs = {
        kernels.forward: (batch, shape.n_tiles),
        kernels.judge: (),
        kernels.descend_neurons: (blocks,),
        kernels.pull_through_attention: (batch,),
        kernels.descend_shared: (),
        kernels.multiply_out: (blocks,),
    }
    if not shape.train_attention:
        del programs[kernels.pull_through_attention]
    return [
        Launch(kernel, grid, {name: constants[name] for name in kernel.arg_names if name in constants})
        for kernel, grid in programs.items()
    ]


def compile_for(shape: Shape, capability: int) -> dict[str, Any]:
    """Compile the kernels of a step for NVIDIA devices of a compute capability, e.g. 90. It takes no GPU."""
    target, types = GPUTarget("cuda", capability, 32), {"table": "*i64", "progress": "*fp64", "step": "i32"}
    compiled = {}
    for launch in launches(shape):
        names = launch.kernel.arg_names
        signature = {name: types.get(name, "constexpr") for name in names}
        constants = {(names.index(name),): value for name, value in launch.constants.items()}
        source = ASTSource(fn=launch.kernel, signature=signature, constexprs=constants, attrs={})
        compiled[launch.kernel.__name__] = triton.compile(source, target=target)
    return compiled


class Ensemble:
    """Trials of one shape on one device."""

    def __init__(self, shape: Shape) -> None:
        self._launches, self._device = launches(shape), shape.device
        self._rendezvous: Rendezvous[_Stretch] = Rendezvous(self._block)

    def advance(self, stretch: _Stretch) -> Advance:
        """Run the steps of one trial, together with whoever else is waiting."""
        self._rendezvous.do(stretch)
        steps, last_move, loss, first_loss, stopped = stretch.progress[:5]
        return Advance(int(steps), int(last_move), loss, first_loss, sane=stopped == 0)

    def _block(self, stretches: Sequence[_Stretch]) -> list[bool]:
        """As many steps as every trial still has to run; which of them have ended."""
        rows = [[*one.addresses, one.first + one.steps, one.n_samples] for one in stretches]
        table = torch.tensor(rows, dtype=torch.int64).to(self._device)
        progress = torch.tensor([one.progress for one in stretches], dtype=torch.float64).to(self._device)
        block = min(one.left for one in stretches)
        for step in range(block):
            for launch in self._launches:
                arguments = (table, progress, step) if "step" in launch.kernel.arg_names else (table, progress)
                launch.kernel[(len(stretches), *launch.programs)](*arguments, **launch.constants)
        for one, reached in zip(stretches, progress.tolist(), strict=True):
            one.progress, one.steps = reached, one.steps + block
        return [one.left == 0 or one.progress[kernels.PROGRESS.index("stopped")] != 0 for one in stretches]


@functools.cache
def _ensemble(shape: Shape) -> Ensemble:
    return Ensemble(shape)


def ensemble(shape: Shape) -> Ensemble:
    """The one ensemble of this process for a shape, whichever thread asks first."""
    with _FIRST:
        return _ensemble(shape)


class GpuEngine:
    """See `interface.Engine`.

    Args:
        name: the engine's name, "gpu" or "gpu-tf32".
        device: default the GPU (see `engine_setting.gpu_device`).
    """

    def __init__(
        self, train: Samples, weights: Weights, rule: StepRule, *, name: str = "gpu", device: str | None = None
    ) -> None:
        self.name = name
        _, length, dimension = train.tokens.shape
        require(length <= _MOST_TOKENS, VARIABLE, f"be another beyond {_MOST_TOKENS} tokens", name)
        require(dimension <= _MOST_AXES, VARIABLE, f"be another beyond {_MOST_AXES} dimensions", name)
        device = gpu_device() if device is None else device
        columns = max(_LEAST, triton.next_power_of_2(max(weights.hidden.shape[1], len(weights.key), dimension)))
        self._shape = shape = Shape(
            batch_size=rule.batch_size, n_tokens=length, n_neurons=len(weights.hidden), columns=columns,
            per_token=weights.output.dim() == 2, train_attention=rule.train_attention, precision=train.tokens.dtype,
            products="tf32" if name == "gpu-tf32" else "ieee", device=device,
        )  # fmt: skip
        self._ensemble = ensemble(shape)
        self._rate = rule.learning_rate
        self._train, self._initial, self._host_order = train, weights, torch.empty(0)
        self._arrays = _lay_out(train, weights, shape)
        self._addresses: list[int] = []

    def advance(self, order: torch.Tensor, first: int, count: int) -> Advance:
        """Run steps on consecutive batches of a pass."""
        if order is not self._host_order:
            self._host_order = order
            self._arrays["order"] = order.to(self._shape.device, copy=True)
            self._addresses = [self._arrays[name].data_ptr() for name in kernels.ARRAYS]
        start = {"last_move": -1.0, "rate": self._rate}
        progress = [start.get(name, 0.0) for name in kernels.PROGRESS]
        return self._ensemble.advance(_Stretch(self._addresses, first, len(order), count, progress))

    def weights(self) -> Weights:
        """Weights as they are now, on the CPU."""
        return self._on_device().on("cpu")

    def masses(self, n_samples: int) -> Masses:
        """Attention masses on the first training samples."""
        return attention_masses(self._train[:n_samples].on(self._shape.device), self._on_device().scoring)

    def outputs(self, samples: Samples) -> torch.Tensor:
        """Outputs F [n] of any samples under the weights as they are now, on the CPU."""
        return evaluate(samples.tokens.to(self._shape.device), self._on_device()).cpu()

    def _on_device(self) -> Weights:
        initial, arrays = self._initial, self._arrays
        trained = {
            name: arrays[name][: getattr(initial, name).shape[0], : getattr(initial, name).shape[1]]
            for name in ("hidden", "value", "key", "query")
        }
        return Weights(**trained, output=arrays["output"])


def _lay_out(train: Samples, weights: Weights, shape: Shape) -> dict[str, torch.Tensor]:
    """A trial's arrays on the device, by name (see `gpu_kernels`)."""
    columns, batch, length = shape.columns, shape.batch_size, shape.n_tokens

    def padded(values: torch.Tensor, *, rows: int | None = None) -> torch.Tensor:
        more = 0 if rows is None else rows - values.shape[-2]
        wide = torch.nn.functional.pad(values, (0, columns - values.shape[-1], 0, more))
        return wide.to(shape.device).contiguous()

    def empty(*sizes: int) -> torch.Tensor:
        return torch.zeros(*sizes, dtype=shape.precision, device=shape.device)

    return {
        "tokens": padded(train.tokens),
        "labels": train.labels.to(shape.device, copy=True),
        "hidden": padded(weights.hidden),
        "value": padded(weights.value, rows=columns),
        "key": padded(weights.key, rows=columns),
        "query": padded(weights.query, rows=columns),
        "output": weights.output.to(shape.device, copy=True).contiguous(),
        "readout": padded(weights.readout),
        "scoring": padded(weights.scoring, rows=columns),
        "attended": empty(batch, length, columns),
        "pulled": empty(batch, length, columns),
        "partial": empty(batch, shape.n_tiles),
        "factor": empty(batch),
        "d_value": empty(triton.cdiv(shape.n_neurons, _BLOCK), columns, columns),
        "d_scoring": empty(batch, columns, columns),
    }
