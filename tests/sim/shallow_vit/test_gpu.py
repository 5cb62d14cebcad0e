"""The GPU engine through Triton's interpreter, against autograd and the torch engine; its kernels compiled as well.

The interpreter takes some hundredths of a second for every program, so everything here is small; `conftest` turns it
on.
"""

import importlib.util
import subprocess
import sys
import threading
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
import torch
from triton.runtime.interpreter import InterpretedFunction

from sim.engine_setting import VARIABLE, forced, setting, signature
from sim.running.run import run, simulate_spec
from sim.shallow_vit.data import Samples, TokenModel
from sim.shallow_vit.engine import gpu, gpu_kernels
from sim.shallow_vit.engine.interface import Advance, Engine, StepRule
from sim.shallow_vit.engine.start import start
from sim.shallow_vit.model import Weights, initialize, predict
from sim.shallow_vit.probes import MATRICES, autograd_gradient
from sim.shallow_vit.systems import SHALLOW_VIT
from sim.shallow_vit.training import simulate
from sim.store import fingerprint as fingerprints
from sim.store.store import Store
from sim.trials.readouts import observed
from sim.trials.trial import Outcome, TrialSpec
from sim.trials.validation import InvalidParameter

LAYERS = ("shared", "per token")
ROOT = Path(__file__).parents[3]


@pytest.fixture(autouse=True)
def quick_interpreter(monkeypatch):
    """Triton looks through its modules at every call of a function within a kernel; once for each will do."""
    honest, looked_for = InterpretedFunction.__call__, set()

    def call(self, *args, **kwargs):
        if self.fn in looked_for:
            return self.rewrite()(*args, **kwargs)
        looked_for.add(self.fn)
        return honest(self, *args, **kwargs)

    monkeypatch.setattr(InterpretedFunction, "__call__", call)


def problem(
    seed: int = 0, *, n: int = 3, n_tokens: int = 9, n_neurons: int = 12, output_layer: str = "per token", **data
) -> tuple[Samples, Weights]:
    """Samples and weights in general position; a typical output is 2, so hinges are active and inactive."""
    generator = torch.Generator().manual_seed(seed)
    samples = TokenModel(
        n_tokens=n_tokens, **{"label_relevant_fraction": 0.4, "confusion_fraction": 0.2, "token_noise": 0.1, **data}
    ).sample(n, generator)
    weights = initialize(
        dimension=samples.tokens.shape[2], n_neurons=n_neurons, n_tokens=n_tokens, value_error=0.3, key_query_error=0.4,
        neuron_scale=1.0, output_layer=output_layer, initialization="orthonormal", generator=generator,
    )  # fmt: skip
    typical = float(predict(samples.tokens, weights).abs().median())
    return samples, replace(weights, hidden=weights.hidden * (2 / typical))


def build(samples: Samples, weights: Weights, rule: StepRule, name: str = "gpu") -> Engine:
    with forced(name):
        built = start(samples, weights, rule)
    assert built.name == name
    return built


def deviation(found: Weights, expected: Weights) -> float:
    """Largest relative deviation of any matrix."""
    pairs = [(getattr(found, matrix), getattr(expected, matrix)) for matrix in MATRICES]
    return max(float((left.double() - right).abs().max() / right.abs().max()) for left, right in pairs)


def one_step(samples: Samples, weights: Weights, *, train_attention: bool = True) -> tuple[Weights, Advance]:
    """Weights after a step of length 1."""
    built = build(samples, weights, StepRule(len(samples), 1.0, train_attention))
    done = built.advance(torch.arange(len(samples)), 0, 1)
    assert torch.allclose(built.outputs(samples), predict(samples.tokens, built.weights()), rtol=1e-11, atol=1e-12)
    return built.weights(), done


def autograd_step(samples: Samples, weights: Weights, *, train_attention: bool = True) -> Weights:
    gradient = autograd_gradient(samples.tokens, samples.labels, weights)
    return weights.step(gradient, 1.0, train_attention=train_attention)


# ------------------------------------------------------------------------------------------------------------- autograd


@pytest.mark.parametrize(
    "sizes",
    [
        {"n_tokens": 37, "n_neurons": 70, "output_layer": "shared"},  # two tiles of tokens, two blocks of neurons
        {"n_tokens": 37, "n_neurons": 70},
        {"n_tokens": 5, "n_neurons": 2, "n": 1},
        {"dimension": 20, "n_patterns": 7, "n_tokens": 11},  # more columns than the least tile has
        {"token_noise": 0.0},
        {"token_noise": 1.0, "output_layer": "shared"},
    ],
)
def test_a_step_is_autograd_s(sizes):
    samples, weights = problem(**sizes)
    moved, done = one_step(samples, weights)
    assert (done.steps, done.sane) == (1, True)
    assert deviation(moved, autograd_step(samples, weights)) < 1e-10


def test_active_and_inactive_samples_are_both_there():
    samples, weights = problem()
    active = samples.labels * predict(samples.tokens, weights) < 1
    assert active.any()
    assert not active.all()


def test_frozen_attention_stays():
    samples, weights = problem()
    moved, _ = one_step(samples, weights, train_attention=False)
    assert deviation(moved, autograd_step(samples, weights, train_attention=False)) < 1e-10
    assert torch.equal(moved.key, weights.key)
    assert torch.equal(moved.query, weights.query)


def test_scores_beyond_the_range_of_exp():
    samples, weights = problem()
    steep = replace(weights, key=weights.key * 900, query=weights.query * 2)
    assert float((samples.tokens @ steep.scoring.T @ samples.tokens.transpose(1, 2)).max()) > 800
    assert deviation(one_step(samples, steep)[0], autograd_step(samples, steep)) < 1e-8


def tied(output_layer: str = "per token") -> tuple[Samples, Weights]:
    """Dead neurons, and some that read an axis on which no token lies: C u = 0 exactly."""
    samples, weights = problem(token_noise=0.0, output_layer=output_layer)
    axes = torch.eye(10, dtype=torch.float64)
    hidden = weights.hidden.clone()
    hidden[:2], hidden[2:4] = 0, axes[9]
    return samples, replace(weights, hidden=hidden, value=axes)


@pytest.mark.parametrize("output_layer", LAYERS)
def test_a_tie_is_open(output_layer):
    samples, weights = tied(output_layer)
    expected = build(samples, weights, StepRule(3, 1.0, True), "torch")
    expected.advance(torch.arange(3), 0, 1)
    assert not torch.equal(expected.weights().hidden[:4], weights.hidden[:4]), "the open subgradient moves them"
    assert deviation(one_step(samples, weights)[0], expected.weights()) < 1e-10


@pytest.mark.parametrize(
    ("old", "new"),
    [
        ("signals >= 0", "signals > 0"),
        ("along - tl.sum(weights * along, 1)[:, None]", "along"),
        ("(tl.arange(0, KEYS) < LENGTH)[None, :]", "(tl.arange(0, KEYS) < KEYS)[None, :]"),
        ("(size * LENGTH)", "((size * 0 + BATCH) * LENGTH)"),
    ],
)
def test_a_fault_in_a_kernel_is_caught(old, new, tmp_path, monkeypatch):
    """A batch that is shorter than the others, with ties in it."""
    source = Path(gpu_kernels.__file__).read_text(encoding="utf-8")
    assert source.count(old) == 1
    path = tmp_path / "faulty_kernels.py"
    path.write_text(source.replace(old, new), encoding="utf-8")
    spec = importlib.util.spec_from_file_location("faulty_kernels", path)
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)

    def moved() -> Weights:
        samples, weights = tied()
        gpu._ensemble.cache_clear()
        built = build(samples, weights, StepRule(4, 1.0, True))
        built.advance(torch.arange(3), 0, 1)
        gpu._ensemble.cache_clear()
        return built.weights()

    honest = moved()
    monkeypatch.setattr(gpu, "kernels", module)
    assert deviation(moved(), honest) > 1e-6


# ------------------------------------------------------------------------------------------------------------ trainings

TRAINING = {
    "n_tokens": 6, "label_relevant_fraction": 0.5, "confusion_fraction": 0.2, "n_samples": 5, "n_neurons": 10,
    "batch_size": 2, "learning_rate": 1.0, "max_steps": 20, "n_test": 20, "neuron_scale": 1.0,
}  # fmt: skip


def trained(name: str, **more):
    with forced(name):
        return observed(SHALLOW_VIT, simulate(**{**TRAINING, **more}, generator=torch.Generator().manual_seed(1)))


@pytest.mark.parametrize("more", [{}, {"output_layer": "per token", "max_steps": 4}], ids=["to its end", "budget"])
def test_a_training_is_that_of_the_torch_engine(more):
    """Five samples in batches of two: the last batch of a pass is shorter."""
    expected, found = trained("torch", **more), trained("gpu", **more)
    assert expected.outcome is (Outcome.BUDGET if more else Outcome.CONVERGED)
    assert found.outcome is expected.outcome
    assert found.observables["engine"] == "gpu"
    for key in expected.observables.keys() - {"engine", "weights"}:
        assert found.observables[key] == pytest.approx(expected.observables[key], rel=1e-9, abs=1e-9), key
    for key, curve in expected.curves.items():
        assert np.allclose(found.curves[key], curve, rtol=1e-9, atol=1e-9), key


def test_single_precision_follows_double_over_fifty_steps():
    samples, weights = problem(n=2)
    weights = replace(weights, hidden=weights.hidden * 0.02)
    built = build(samples.to(torch.float32), weights.to(torch.float32), StepRule(1, 0.05, True))
    done = built.advance(torch.arange(2).repeat(25), 0, 50)
    assert (done.steps, done.last_move, done.sane) == (50, 49, True)
    for step in range(50):
        one = samples[step % 2 : step % 2 + 1]
        weights = weights.step(autograd_gradient(one.tokens, one.labels, weights), 0.05, train_attention=True)
    assert built.weights().hidden.dtype == torch.float32
    assert deviation(built.weights(), weights) < 1e-4


def test_divergence_stops_a_trial_where_the_torch_engine_stops():
    ends = []
    for name in ("torch", "gpu"):
        samples, weights = problem()
        built = build(samples, weights, StepRule(3, 1e4, True), name)
        ends.append(built.advance(torch.arange(3).repeat(4), 0, 4))
    assert not ends[0].sane
    assert (ends[1].sane, ends[1].steps, ends[1].last_move) == (False, ends[0].steps, ends[0].last_move)
    assert ends[1].loss == pytest.approx(ends[0].loss)


def test_trials_that_meet_change_no_bit_of_each_other(monkeypatch):
    """Of other sizes of data, rates and blocks; one of them diverges in the middle."""
    plans = [(0, 5, 0.3, 3), (1, 3, 1e4, 2), (2, 4, 0.1, 2)]

    def train(plan: tuple[int, int, float, int]) -> tuple[Weights, Advance]:
        seed, n, rate, steps = plan
        built = build_quietly(*problem(seed, n=n), StepRule(2, rate, True))
        done = built.advance(torch.arange(n), 0, steps)
        return built.weights(), done

    def build_quietly(samples: Samples, weights: Weights, rule: StepRule) -> Engine:
        return gpu.GpuEngine(samples, weights, rule)

    alone = [train(plan) for plan in plans]
    gpu._ensemble.cache_clear()
    companies, honest, all_here = [], gpu.Ensemble._block, threading.Barrier(len(plans))
    asked = gpu.Ensemble.advance

    def watched(self, stretches):
        companies.append(len(stretches))
        return honest(self, stretches)

    def together(self, stretch):
        all_here.wait(60)
        return asked(self, stretch)

    monkeypatch.setattr(gpu.Ensemble, "_block", watched)
    monkeypatch.setattr(gpu.Ensemble, "advance", together)
    with ThreadPoolExecutor(len(plans)) as pool:
        met = list(pool.map(train, plans))
    assert max(companies) > 1
    for (weights, done), (expected, expected_done) in zip(met, alone, strict=True):
        assert done == expected_done
        for matrix in MATRICES:
            assert torch.equal(getattr(weights, matrix), getattr(expected, matrix)), matrix


def test_a_run_in_threads_is_one_of_single_trials(tmp_path):
    specs = [TrialSpec(SHALLOW_VIT, {**TRAINING, "max_steps": 2}, replicate) for replicate in range(3)]
    with forced("gpu"), Store(tmp_path / "trials.sqlite") as store:
        assert run(specs, store, executor="threads", workers=3).measured == 3
        kept = store.get(specs)
        for spec in specs:
            found = kept[fingerprints.key(spec)].result.observables
            assert found == simulate_spec(spec).observables
            assert found["engine"] == "gpu"
    with forced("torch"), Store(tmp_path / "trials.sqlite") as store:
        assert store.missing(specs) == specs, "what a GPU found is kept under its own name"


# ------------------------------------------------------------------------------------------------- device and precision


def test_without_a_gpu_it_is_refused(monkeypatch):
    monkeypatch.delenv("TRITON_INTERPRET")
    monkeypatch.setattr(torch.cuda, "is_available", lambda: False)
    monkeypatch.setenv(VARIABLE, "gpu")
    with pytest.raises(InvalidParameter) as caught:
        setting()
    told = "THEOREMETER_ENGINE must be one of auto, torch, fused, grouped, collapsed on a machine without a GPU"
    assert str(caught.value) == f"{told} that torch can use, got 'gpu'"


def test_without_triton_it_is_refused(monkeypatch):
    monkeypatch.setattr(importlib.util, "find_spec", lambda name: None)
    with pytest.raises(InvalidParameter, match=r"must be another without triton \(the extra `gpu`\), got 'gpu-tf32'"):
        build(*problem(), StepRule(3, 1.0, True), "gpu-tf32")


def test_more_tokens_than_a_tile_can_hold_are_refused():
    samples, weights = problem(n=1, n_tokens=300)
    with pytest.raises(InvalidParameter, match=r"must be another beyond 256 tokens, got 'gpu'"):
        build(samples, weights, StepRule(1, 1.0, True))


def test_products_of_ten_bits_have_a_name_and_a_key_of_their_own():
    spec, keys = TrialSpec(SHALLOW_VIT, TRAINING), set()
    for name, products in (("gpu", "ieee"), ("gpu-tf32", "tf32")):
        built = build(*problem(), StepRule(3, 1.0, True), name)
        assert built._shape.products == products
        with forced(name):
            keys.add(fingerprints.key(spec))
            assert signature().startswith(f"{name} triton=")
            assert signature().endswith(" interpreted")
    with forced("torch"):
        keys.add(fingerprints.key(spec))
    assert len(keys) == 3


COMPILE = """
import torch
from sim.shallow_vit.engine.gpu import Shape, compile_for
for precision, products in ((torch.float32, "ieee"), (torch.float32, "tf32"), (torch.float64, "ieee")):
    shape = Shape(16, 30, 1000, 16, True, True, precision, products, "cuda")
    for name, kernel in compile_for(shape, 90).items():
        print(name, products, precision, "mma" in kernel.asm["ptx"], kernel.metadata.shared)
"""


def test_the_kernels_compile_for_a_gpu(tmp_path):
    """What the interpreter accepts the compiler may not; it needs no GPU. tf32 and float64 take tensor cores."""
    environment = {"PYTHONPATH": str(ROOT), "TRITON_CACHE_DIR": str(tmp_path), "PATH": "/usr/bin:/bin"}
    done = subprocess.run(
        [sys.executable, "-c", COMPILE], env=environment, capture_output=True, text=True, cwd=ROOT, check=False
    )
    assert done.returncode == 0, done.stderr
    lines = [line.split() for line in done.stdout.splitlines()]
    assert len(lines) == 18
    for name, products, precision, tensor_cores, shared in lines:
        heavy = name not in ("judge",)
        assert (tensor_cores == "True") == (heavy and (products == "tf32" or precision == "torch.float64")), name
        assert int(shared) <= 99 * 1024, "more than a consumer GPU has"
