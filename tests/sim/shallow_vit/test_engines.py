"""Every engine against autograd and against each other: ties, edges, empty groups, any noise, a planted bug."""

import functools
import importlib.util
import inspect
import sys
from dataclasses import replace

import numpy as np
import pytest
import torch
from hypothesis import given, settings
from hypothesis import strategies as st

from sim import engine_setting
from sim.engine_setting import VARIABLE, forced, setting, signature
from sim.shallow_vit.data import Samples, TokenModel
from sim.shallow_vit.engine import choice, structure
from sim.shallow_vit.engine.choice import choose
from sim.shallow_vit.engine.interface import Engine, StepRule
from sim.shallow_vit.engine.start import compiled, start
from sim.shallow_vit.engine.structure import distinct_samples, same_tokens_by_pattern, shared_points
from sim.shallow_vit.model import Weights, attention, initialize, predict
from sim.shallow_vit.probes import MATRICES, autograd_gradient
from sim.shallow_vit.systems import SHALLOW_VIT
from sim.shallow_vit.training import simulate
from sim.store import fingerprint as fingerprints
from sim.trials.readouts import observed
from sim.trials.trial import TrialSpec
from sim.trials.validation import InvalidParameter

TIGHT = 1e-10
LAYERS = ("shared", "per token")


def problem(
    seed: int = 0,
    *,
    n: int = 6,
    n_tokens: int = 17,
    n_neurons: int = 30,
    dimension: int = 10,
    output_layer: str = "shared",
    token_noise: float = 0.01,
    **data,
) -> tuple[Samples, Weights]:
    """Samples and weights in general position; a typical output is 2, so hinges are active and inactive."""
    generator = torch.Generator().manual_seed(seed)
    fractions = {"label_relevant_fraction": 0.4, "confusion_fraction": 0.2, **data}
    model = TokenModel(n_tokens=n_tokens, dimension=dimension, token_noise=token_noise, **fractions)
    samples = model.sample(n, generator)
    weights = initialize(
        dimension=dimension, n_neurons=n_neurons, n_tokens=n_tokens, value_error=0.3, key_query_error=0.4,
        neuron_scale=1.0, output_layer=output_layer, initialization="orthonormal", generator=generator,
    )  # fmt: skip
    typical = float(predict(samples.tokens, weights).abs().median())
    return samples, replace(weights, hidden=weights.hidden * (2 / typical if typical > 0 else 1.0))


def engine(name: str, samples: Samples, weights: Weights, rate: float = 1.0, *, train_attention: bool = True) -> Engine:
    with forced(name):
        built = start(samples, weights, StepRule(len(samples), rate, train_attention))
    assert built.name == name
    return built


def gradient(name: str, samples: Samples, weights: Weights, **options) -> dict[str, torch.Tensor]:
    """What one step of length 1 takes away."""
    built = engine(name, samples, weights, **options)
    done = built.advance(torch.arange(len(samples)), 0, 1)
    assert done.steps == 1
    moved = built.weights()
    return {matrix: getattr(weights, matrix) - getattr(moved, matrix) for matrix in MATRICES}


def assert_gradient(found: dict[str, torch.Tensor], expected: object, tolerance: float = TIGHT) -> None:
    for matrix in MATRICES:
        right = expected[matrix] if isinstance(expected, dict) else getattr(expected, matrix)
        assert (found[matrix] - right).abs().max() <= tolerance * max(float(right.abs().max()), 1e-3), matrix


# ------------------------------------------------------------------------------------------------------------- autograd


@settings(derandomize=True, deadline=None, max_examples=60)
@given(
    st.integers(1, 6), st.integers(3, 40), st.integers(1, 70), st.sampled_from(LAYERS), st.integers(3, 8),
    st.sampled_from([0.0, 1e-3, 0.01, 0.1, 1.0]), st.integers(0, 10**6),
)  # fmt: skip
def test_every_engine_equals_autograd(n, n_tokens, n_neurons, output_layer, n_patterns, token_noise, seed):
    samples, weights = problem(
        seed, n=n, n_tokens=n_tokens, n_neurons=n_neurons, output_layer=output_layer, n_patterns=n_patterns,
        token_noise=token_noise,
    )  # fmt: skip
    outputs = predict(samples.tokens, weights)
    expected = autograd_gradient(samples.tokens, samples.labels, weights)
    for name in ("torch", "fused", "grouped", *(["collapsed"] if token_noise == 0 else [])):
        assert_gradient(gradient(name, samples, weights), expected)
        found = engine(name, samples, weights).outputs(samples)
        assert torch.allclose(found, outputs, rtol=1e-11, atol=1e-12), name


@pytest.mark.parametrize("output_layer", LAYERS)
def test_the_paper_s_sizes(output_layer):
    """d = 10, M = 5, m = 1000, L = 100, B = 16. [li2023, §4.1]"""
    samples, weights = problem(n=16, n_tokens=100, n_neurons=1000, output_layer=output_layer)
    expected = autograd_gradient(samples.tokens, samples.labels, weights)
    for name in ("fused", "grouped"):
        assert_gradient(gradient(name, samples, weights), expected)


@pytest.mark.parametrize("name", ["fused", "grouped", "collapsed"])
@pytest.mark.parametrize("output_layer", LAYERS)
def test_frozen_attention_moves_neurons_alone_and_as_autograd_says(name, output_layer):
    samples, weights = problem(output_layer=output_layer, token_noise=0.0 if name == "collapsed" else 0.05)
    found = gradient(name, samples, weights, train_attention=False)
    expected = autograd_gradient(samples.tokens, samples.labels, weights)
    still = torch.zeros_like(weights.key)
    assert_gradient(found, {"hidden": expected.hidden, "value": expected.value, "key": still, "query": still})
    assert not found["key"].any()
    assert not found["query"].any()


@pytest.mark.parametrize("name", ["fused", "grouped", "collapsed"])
def test_scores_beyond_the_range_of_exp(name):
    """exp(score) would overflow: the largest score has to be taken off first."""
    samples, weights = problem(token_noise=0.0 if name == "collapsed" else 0.05)
    steep = replace(weights, key=weights.key * 900, query=weights.query * 2)
    assert float((samples.tokens @ steep.scoring.T @ samples.tokens.transpose(1, 2)).max()) > 800
    assert_gradient(gradient(name, samples, steep), autograd_gradient(samples.tokens, samples.labels, steep), 1e-8)


@pytest.mark.parametrize("output_layer", LAYERS)
def test_points_that_samples_do_not_share(output_layer):
    """Equal tokens within a sample, longer ones from sample to sample: scores and gradients are each sample's own."""
    samples, weights = problem(token_noise=0.0, output_layer=output_layer)
    longer = samples.tokens * (1 + 0.1 * torch.arange(len(samples), dtype=torch.float64))[:, None, None]
    samples = replace(samples, tokens=longer)
    assert len(engine("collapsed", samples, weights)._points.rows) == len(samples)
    expected = autograd_gradient(samples.tokens, samples.labels, weights)
    assert_gradient(gradient("collapsed", samples, weights), expected)


def test_the_largest_score_is_at_a_point_that_a_sample_lacks():
    """Points are shared, and what all others weigh against the one that is lacking rounds to nothing."""
    samples, weights = problem(1, n=8, n_tokens=9, token_noise=0.0, n_patterns=6)
    built = engine("collapsed", samples, weights)
    assert len(built._points.rows) == 1
    lacking = int((built._points.counts == 0).any(axis=0).argmax())
    assert (built._points.counts == 0)[:, lacking].any(), "no sample lacks a pattern"
    toward = torch.from_numpy(built._points.rows[0, lacking].copy())
    steep = replace(weights, key=weights.key + 3000 * torch.outer(weights.query @ toward, toward))
    assert_gradient(
        gradient("collapsed", samples, steep), autograd_gradient(samples.tokens, samples.labels, steep), 1e-8
    )


# ------------------------------------------------------------------------------------------------------- edges and ties


@pytest.mark.parametrize("output_layer", LAYERS)
def test_neurons_on_the_edge_of_a_group_are_worked_out_token_by_token(output_layer):
    """Neurons orthogonal to what a group attends to on average are open for some of its tokens, closed for others."""
    samples, weights = problem(n=4, n_tokens=40, n_neurons=24, output_layer=output_layer, token_noise=0.02)
    probe = engine("grouped", samples, weights)
    attended = probe._tokens.columns * 0
    kernels = sys.modules["sim.shallow_vit.engine.grouped"]
    kernels.attend_all(probe._network, probe._tokens, probe._scratch, probe._axes, attended)
    first, last = probe._tokens.bounds[0, :2]
    mean = torch.from_numpy(attended[0, :, first:last].mean(1))
    readout = weights.readout
    readout[:5] -= (readout[:5] @ mean)[:, None] * mean / (mean @ mean)
    edged = replace(weights, hidden=torch.linalg.solve(weights.value.T, readout.T).T)
    gates = (readout[:5] @ torch.from_numpy(attended[0, :, first:last])) >= 0
    assert (gates.any(1) & ~gates.all(1)).all(), "every one of them is open for some tokens, closed for others"
    expected = autograd_gradient(samples.tokens, samples.labels, edged)
    built = engine("grouped", samples, edged)
    built.outputs(samples[:1])
    assert_gradient(gradient("grouped", samples, edged), expected)


@pytest.mark.parametrize("name", ["fused", "grouped", "collapsed"])
@pytest.mark.parametrize("output_layer", LAYERS)
def test_a_tie_is_open_in_every_engine(name, output_layer):
    """1[C u >= 0]: neurons that read an axis on which no token lies, and dead ones, have C u = 0 exactly."""
    samples, weights = problem(token_noise=0.0, output_layer=output_layer)
    axes = torch.eye(10, dtype=torch.float64)
    hidden = weights.hidden.clone()
    hidden[:4] = 0
    hidden[4:8] = axes[9]
    exact = replace(weights, hidden=hidden, value=axes)
    assert not (samples.tokens @ exact.readout.T)[..., :8].any()
    expected = gradient("torch", samples, exact)
    assert expected["hidden"][:8].abs().max() > 0, "the subgradient at a tie is the open one"
    assert_gradient(gradient(name, samples, exact), expected)


def test_a_pattern_missing_from_a_sample_leaves_nothing_behind():
    """Working memory of a group that the sample lacks must not speak for the sample before."""
    samples, weights = problem(3, n=8, n_tokens=12, n_patterns=8)
    missing = torch.stack([(samples.patterns != pattern).all(1) for pattern in range(8)])
    assert missing.any()
    for output_layer in LAYERS:
        samples, weights = problem(3, n=8, n_tokens=12, n_patterns=8, output_layer=output_layer)
        assert_gradient(
            gradient("grouped", samples, weights), autograd_gradient(samples.tokens, samples.labels, weights)
        )


def faulty_outputs(old: str, new: str, samples: Samples, weights: Weights) -> torch.Tensor:
    """Outputs of the grouped kernels with a line of their source changed."""
    import numba

    compiled()
    from sim.shallow_vit.engine import neurons

    source = inspect.getsource(neurons)
    assert source.count(old) == 1
    spec = importlib.util.spec_from_loader("faulty_neurons", loader=None)
    assert spec is not None
    module = importlib.util.module_from_spec(spec)
    exec(compile(source.replace(old, new), "faulty_neurons.py", "exec"), module.__dict__)
    built = engine("grouped", samples, weights)
    network, tokens, scratch, axes = built._network, built._tokens, built._scratch, built._axes
    attend = sys.modules["sim.shallow_vit.engine.attention"].attend_sample
    summed = module.sum_output

    @numba.njit
    def run(network, tokens, scratch, axes, out):
        for b in range(len(out)):
            attend(tokens.rows, tokens.columns, tokens.reach, b, network.scoring, axes, scratch)
            out[b] = summed(network, tokens, b, scratch.attended, tokens.columns.shape[2], 30, 0.5, axes, scratch)

    out = np.empty(len(samples))
    run(network, tokens, scratch, axes, out)
    return torch.from_numpy(out) / samples.tokens.shape[1]


def test_edges_left_out_are_caught():
    samples, weights = problem(1, n=6, n_tokens=30, n_neurons=30, token_noise=0.05)
    right = predict(samples.tokens, weights)
    assert torch.allclose(engine("grouped", samples, weights).outputs(samples), right, rtol=1e-11, atol=1e-12)
    found = faulty_outputs("if neuron < n_neurons:", "if neuron < 0:", samples, weights)
    assert (found - right).abs().max() > 1e-4


# ------------------------------------------------------------------------------------------------------ whole trainings

TRAINING = {
    "n_tokens": 20,
    "label_relevant_fraction": 0.4,
    "confusion_fraction": 0.1,
    "n_samples": 24,
    "n_neurons": 40,
    "batch_size": 8,
    "learning_rate": 0.3,
    "max_steps": 120,
    "n_test": 60,
}


def trained(name: str, **arguments):
    with forced(name):
        return observed(SHALLOW_VIT, simulate(**{**TRAINING, **arguments}, generator=torch.Generator().manual_seed(4)))


@pytest.mark.parametrize(
    "arguments",
    [
        {},
        {"output_layer": "per token", "counts": "exact"},
        {"token_noise": 0.0},
        {"token_noise": 0.0, "counts": "exact"},
        {"token_noise": 0.0, "output_layer": "per token"},
        {"train_attention": False, "token_noise": 0.0},
        {"noise": "truncated", "max_steps": 2000},
        {"one_pass": True},
        {"learning_rate": 1e6},
    ],
)
def test_engines_tell_the_same_story(arguments):
    """Same outcome, observables and curves up to rounding, whatever the engine: the generator is used alike."""
    reference = trained("torch", **arguments)
    collapsible = ["collapsed"] if arguments.get("token_noise") == 0 else []
    for name in ("fused", "grouped", *collapsible):
        found = trained(name, **arguments)
        assert found.outcome is reference.outcome
        assert found.observables["engine"] == name
        for key in reference.observables.keys() - {"engine", "weights"}:
            assert found.observables[key] == pytest.approx(reference.observables[key], rel=1e-9, abs=1e-9), key
        for key, curve in reference.curves.items():
            assert np.allclose(found.curves[key], curve, rtol=1e-9, atol=1e-9), key


@pytest.mark.parametrize("output_layer", LAYERS)
def test_single_precision_follows_autograd_in_double_over_fifty_steps(output_layer):
    samples, weights = problem(n=16, n_tokens=24, n_neurons=40, dimension=10, output_layer=output_layer)
    weights = replace(weights, hidden=weights.hidden * 0.02)
    built = engine("grouped", samples.to(torch.float32), weights.to(torch.float32), 0.05)
    done = built.advance(torch.arange(16).repeat(50), 0, 50)
    assert (done.steps, done.last_move, done.sane) == (50, 49, True)
    for _ in range(50):
        gradient = autograd_gradient(samples.tokens, samples.labels, weights)
        weights = weights.step(gradient, 0.05, train_attention=True)
    for matrix in MATRICES:
        found, right = getattr(built.weights(), matrix), getattr(weights, matrix)
        assert found.dtype == torch.float32
        assert (found.double() - right).abs().max() < 1e-4 * right.abs().max(), matrix


def test_a_block_of_steps_is_its_steps_one_by_one():
    samples, weights = problem(n=12)
    order = torch.randperm(12, generator=torch.Generator().manual_seed(0))
    for name in ("torch", "grouped"):
        with forced(name):
            whole, single = (start(samples, weights, StepRule(5, 0.1, True)) for _ in range(2))
        together = whole.advance(order, 0, 3)
        apart = [single.advance(order, position, 1) for position in range(3)]
        assert (together.first_loss, together.loss) == (apart[0].loss, apart[2].loss)
        for matrix in MATRICES:
            assert torch.equal(getattr(whole.weights(), matrix), getattr(single.weights(), matrix))


@pytest.mark.parametrize("name", ["torch", "grouped", "collapsed"])
def test_an_engine_leaves_what_it_was_given(name):
    samples, weights = problem(token_noise=0.0)
    before = [getattr(weights, matrix).clone() for matrix in MATRICES], samples.tokens.clone()
    gradient(name, samples, weights)
    assert all(torch.equal(getattr(weights, matrix), old) for matrix, old in zip(MATRICES, before[0], strict=True))
    assert torch.equal(samples.tokens, before[1])


# ---------------------------------------------------------------------------------------------------------- idle hinges


def just_so(samples: Samples, weights: Weights, sample: int, value: float) -> Weights:
    """Weights scaled so that y F of a sample, positive before, takes a value."""
    output = samples.labels[sample] * predict(samples.tokens[sample : sample + 1], weights)[0]
    return replace(weights, hidden=weights.hidden * (value / output))


def certainly_idle(judge, samples: Samples, weights: Weights, sample: int) -> bool:
    """What a judge of idle hinges says of a sample."""
    built = engine("grouped", samples, weights)
    network, tokens, scratch, axes = built._network, built._tokens, built._scratch, built._axes
    return asking(judge)(network, tokens, sample, axes, scratch, built._idle)


@functools.cache
def asking(judge):
    """A judge and what it rests on as one compiled function: what only kernels call has no entry from Python."""
    import numba

    kernels = sys.modules["sim.shallow_vit.engine.grouped"]
    attend, renew = kernels._attend, kernels.renew

    @numba.njit
    def ask(network, tokens, sample, axes, scratch, idle):
        renew(network, idle, axes)
        attend(network, tokens, sample, axes, scratch)
        return judge(network, tokens, sample, axes, scratch, idle)

    return ask


def mean_outputs(samples: Samples, weights: Weights) -> torch.Tensor:
    """Outputs if all tokens of a pattern attended to their mean."""
    attended = attention(samples.tokens, weights.scoring) @ samples.tokens
    belongs = torch.nn.functional.one_hot(samples.patterns).to(attended.dtype)
    weight = belongs / belongs.sum(1, keepdim=True).clamp(min=1)
    mean = belongs @ (weight.transpose(1, 2) @ attended)
    return (torch.relu(mean @ weights.readout.T) * weights.output).sum(-1).mean(-1)


def test_a_hinge_said_to_be_idle_is_and_most_that_are_clearly_so_are_found():
    """In single precision, with roundings that matter; y F a hair below 1 is never settled, y F = 3 nearly always."""
    compiled()
    from sim.shallow_vit.engine.screening import is_certainly_idle

    found = asked = 0
    for seed in range(24):
        sizes = {"n": 4, "n_tokens": 30, "token_noise": (0.003, 0.01, 0.03, 1.0)[seed % 4]}
        samples, weights = problem(seed, output_layer=LAYERS[seed // 4 % 2], **sizes)
        outputs = samples.labels * predict(samples.tokens, weights)
        for sample in torch.nonzero(outputs > 0.05).flatten().tolist():
            for value in (1 - 1e-6, 3.0):
                scaled = just_so(samples, weights, sample, value).to(torch.float32)
                said = certainly_idle(is_certainly_idle, samples.to(torch.float32), scaled, sample)
                assert value > 1 or not said
            if sizes["token_noise"] < 1:
                found, asked = found + said, asked + 1
    assert asked > 20
    assert found > asked / 2


def test_a_bound_without_the_spread_of_a_group_is_noticed():
    """Where means of groups promise y F > 1 and the tokens do not keep it."""
    from numba import njit

    compiled()
    from sim.shallow_vit.engine import screening as idle

    source = inspect.getsource(idle.is_certainly_idle.py_func)
    assert source.count("(spread + rounding * size)") == 1
    scope = dict(vars(idle))
    exec(source.replace("@inner\n", "").replace("(spread + rounding * size)", "rounding * size"), scope)
    faulty = njit(scope["is_certainly_idle"])
    samples, weights = problem(0, n=12, n_tokens=30, token_noise=1.0, output_layer="per token")
    truth = samples.labels * predict(samples.tokens, weights)
    promised = samples.labels * mean_outputs(samples, weights)
    sample = int(torch.where(truth > 0, promised - truth, -torch.inf).argmax())
    assert 0 < truth[sample] < promised[sample]
    scaled = just_so(samples, weights, sample, 2 / float(1 + promised[sample] / truth[sample]))
    assert samples.labels[sample] * predict(samples.tokens, scaled)[sample] < 1
    assert certainly_idle(faulty, samples, scaled, sample)
    assert not certainly_idle(idle.is_certainly_idle, samples, scaled, sample)


@pytest.mark.parametrize("output_layer", LAYERS)
@pytest.mark.parametrize("train_attention", [True, False])
def test_settling_idle_hinges_changes_no_bit(output_layer, train_attention):
    samples, weights = problem(1, n=24, n_tokens=30, output_layer=output_layer)
    with forced("grouped"):
        quick, plain = (start(samples, weights, StepRule(5, 0.3, train_attention)) for _ in range(2))
    plain._idle = plain._idle._replace(sums=plain._idle.sums[:, :, :0])
    for epoch in range(8):
        order = torch.randperm(24, generator=torch.Generator().manual_seed(epoch))
        assert quick.advance(order, 0, 5) == plain.advance(order, 0, 5)
    assert quick._idle.before.any()
    assert not plain._idle.before.any()
    for matrix in MATRICES:
        assert torch.equal(getattr(quick.weights(), matrix), getattr(plain.weights(), matrix)), matrix


def test_sums_that_do_not_fit_are_not_kept(monkeypatch):
    samples, weights = problem(1, n=24, n_tokens=30, output_layer="per token")
    monkeypatch.setattr(structure, "_MOST_SUMS_BYTES", 1000)
    built = engine("grouped", samples, weights)
    built.advance(torch.arange(24), 0, 1)
    assert built._idle.sums.size == 0
    assert not built._idle.before.any()


def test_vectors_begin_at_lines_of_the_cache():
    samples, weights = problem()
    for name in ("fused", "grouped"):
        built = engine(name, samples, weights)
        for arrays in (built._network, built._descent, built._tokens, built._scratch, built._idle):
            assert not any(array.ctypes.data % 64 for array in arrays if array.size)


# ------------------------------------------------------------------------------------------------------------ structure


def test_exact_ratios_without_noise_are_two_samples():
    samples = TokenModel(
        n_tokens=20, label_relevant_fraction=0.4, confusion_fraction=0.1, counts="exact", token_noise=0.0
    ).sample(40, torch.Generator().manual_seed(0))
    kept, kinds = distinct_samples(samples, 5)
    assert len(kept) == 2
    assert (samples.labels[kept][kinds] == samples.labels).all()
    assert same_tokens_by_pattern(samples)
    noisy = replace(samples, tokens=samples.tokens + 0.0)
    noisy.tokens[3, 5, 7] += 1e-9
    assert not same_tokens_by_pattern(noisy)


def test_points_are_shared_where_those_that_are_there_agree():
    points = torch.arange(12.0).reshape(1, 4, 3).repeat(3, 1, 1)
    counts = torch.tensor([[1, 0, 2, 0], [2, 1, 0, 0], [1, 1, 1, 0]])
    points[counts == 0] = 0
    shared = shared_points(points, counts)
    assert shared.shape == (1, 4, 3)
    assert torch.equal(shared[0, :3], points[2, :3])
    assert not shared[0, 3].any()
    points[1, 0, 0] += 1e-12
    assert shared_points(points, counts) is points


# --------------------------------------------------------------------------------------------------------------- choice


@pytest.mark.parametrize(
    ("n_tokens", "n_groups", "dimension", "identical_tokens", "expected"),
    [
        (100, 5, 10, False, "grouped"),
        (100, 5, 10, True, "collapsed"),
        (9, 5, 10, False, "fused"),
        (10, 5, 10, False, "grouped"),
        (100, 5, 64, False, "torch"),
    ],
)
def test_the_engine_is_chosen_by_structure(n_tokens, n_groups, dimension, identical_tokens, expected):
    shape = {"n_tokens": n_tokens, "n_groups": n_groups, "dimension": dimension, "identical_tokens": identical_tokens}
    assert choose(**shape) == expected
    with forced("torch"):
        assert choose(**shape) == "torch"


def test_without_numba_torch_trains(monkeypatch):
    for module in (choice, engine_setting):
        monkeypatch.setattr(module, "numba_is_there", lambda: False)
    found = trained("auto")
    assert found.observables["engine"] == "torch"
    assert signature() == "torch"
    with (
        pytest.raises(InvalidParameter, match=r"must be torch or auto without numba .*, got 'grouped'"),
        forced("grouped"),
    ):
        pass


def test_bad_choices_are_named(monkeypatch):
    monkeypatch.setenv(VARIABLE, "quick")
    message = "THEOREMETER_ENGINE must be one of auto, torch, fused, grouped, collapsed, gpu, gpu-tf32, got 'quick'"
    with pytest.raises(InvalidParameter) as caught:
        setting()
    assert str(caught.value) == message
    monkeypatch.setenv(VARIABLE, "collapsed")
    with pytest.raises(InvalidParameter, match="must be another where tokens of a pattern differ"):
        simulate(**TRAINING, generator=torch.Generator())


def test_engines_share_seeds_but_not_stored_results():
    spec = TrialSpec(SHALLOW_VIT, TRAINING)
    keys, seeds = set(), set()
    for name in ("auto", "torch", "fused", "grouped", "collapsed"):
        with forced(name):
            keys.add(fingerprints.key(spec))
            seeds.add(spec.seed)
    assert (len(keys), len(seeds)) == (5, 1)
    assert "numba=" in signature()


def test_another_numba_is_another_engine(monkeypatch):
    before = signature()
    engine_setting.compiler.cache_clear()
    with monkeypatch.context() as patched:
        patched.setattr(engine_setting.importlib.metadata, "version", lambda library: "0.0")
        assert signature() == "auto numba=0.0 llvmlite=0.0"
    engine_setting.compiler.cache_clear()
    assert signature() == before
