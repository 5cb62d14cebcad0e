"""What is read off a training for the rows about the proof, against loops written out and against autograd."""

import itertools
import math

import numpy as np
import pytest
import torch

from sim.engine_setting import forced
from sim.shallow_vit import proof_quantities as read
from sim.shallow_vit.course import follow_proof, plant
from sim.shallow_vit.data import LABEL_RELEVANT, TokenModel
from sim.shallow_vit.engine.interface import StepRule
from sim.shallow_vit.engine.start import start
from sim.shallow_vit.engine.tally import Tally
from sim.shallow_vit.groups import grouped
from sim.shallow_vit.model import Weights, attention, draw_features, hinge, initialize, predict
from sim.shallow_vit.points import TokenPoints, outputs
from sim.shallow_vit.probes import autograd_gradient
from sim.shallow_vit.systems import PROOF_COURSE
from sim.trials.readouts import observed
from sim.trials.validation import InvalidParameter

RATE, SIGMA, DELTA = 0.5, 0.1, 0.2
SMALL = {
    "n_tokens": 10, "label_relevant_fraction": 0.4, "confusion_fraction": 0.1, "n_samples": 16, "n_neurons": 24,
    "batch_size": 8, "learning_rate": RATE, "max_steps": 60, "n_planted": 4,
}  # fmt: skip


def seeded(seed=0):
    return torch.Generator().manual_seed(seed)


def network(output_layer="per token", seed=0, n_neurons=24, scale=0.3):
    return initialize(
        dimension=10, n_neurons=n_neurons, n_tokens=10, value_error=SIGMA, key_query_error=DELTA, neuron_scale=scale,
        output_layer=output_layer, initialization="contraction", generator=seeded(seed),
    )  # fmt: skip


def samples(n=8, seed=1, **own):
    given = {"n_tokens": 10, "label_relevant_fraction": 0.4, "confusion_fraction": 0.1, "counts": "exact", **own}
    return TokenModel(**{"token_noise": 0.0, **given}).sample(n, seeded(seed))


@pytest.fixture(scope="module", params=["per token", "shared"])
def descent(request):
    """Five steps of gradient descent by autograd: weights, and the gradients in C = W_O W_V."""
    weights, batch = network(request.param), samples()
    course, activities = [weights], []
    for _ in range(5):
        readout = weights.readout.clone().requires_grad_(True)
        attended = attention(batch.tokens, weights.scoring) @ batch.tokens
        outputs = (torch.relu(attended @ readout.T) * weights.output).sum(-1).mean(-1)
        activities.append(torch.autograd.grad(hinge(outputs, batch.labels).mean(), readout)[0])
        gradient = autograd_gradient(batch.tokens, batch.labels, weights)
        weights = weights.step(gradient, RATE, train_attention=True)
        course.append(weights)
    return course, activities


def tallied(engine, output_layer, n_steps=5, seed=1, **own):
    """An engine that took some steps in one pass, and the sums over them."""
    weights, train = network(output_layer), samples(8 * n_steps, seed, **own)
    with forced(engine):
        found = start(train, weights, StepRule(8, RATE, True))
    groups = grouped(weights.output, 4)
    tally = Tally(found, torch.stack([groups.first, groups.second], dim=1), RATE)
    found.advance(torch.arange(len(train)), 0, 1)
    if n_steps > 1:
        found.advance(torch.arange(len(train)), 1, n_steps - 1)
    return train, weights, found, tally


@pytest.mark.parametrize("output_layer", ["per token", "shared"])
@pytest.mark.parametrize("engine", ["torch", "fused", "grouped", "collapsed"])
def test_sums_over_steps_are_those_of_gradients_by_autograd(engine, output_layer):
    train, weights, found, tally = tallied(engine, output_layer)
    activity, own, every = torch.zeros(24, 2).double(), torch.zeros(2, 10).double(), torch.zeros(2, 10).double()
    for batch in (train[8 * k : 8 * k + 8] for k in range(5)):
        readout = weights.readout.clone().requires_grad_(True)
        attended = attention(batch.tokens, weights.scoring) @ batch.tokens
        outputs = (torch.relu(attended @ readout.T) * weights.output).sum(-1).mean(-1)
        (step,) = torch.autograd.grad(hinge(outputs, batch.labels).mean(), readout)
        for pattern in (0, 1):
            for i in range(24):
                every[pattern] += step[i, pattern] * weights.hidden[i]
                if i // 4 == pattern:
                    own[pattern] += step[i, pattern] * weights.hidden[i]
        activity += step[:, :2]
        gradient = autograd_gradient(batch.tokens, batch.labels, weights)
        weights = weights.step(gradient, RATE, train_attention=True)
    assert tally.steps == 5
    torch.testing.assert_close(found.weights().hidden, weights.hidden, rtol=1e-9, atol=1e-12)
    torch.testing.assert_close(tally.activity, activity, rtol=1e-9, atol=1e-12)
    torch.testing.assert_close(tally.own, own, rtol=1e-9, atol=1e-12)
    torch.testing.assert_close(tally.every, every, rtol=1e-9, atol=1e-12)


@pytest.mark.parametrize("engine", ["torch", "fused", "grouped", "collapsed"])
def test_an_engine_takes_the_same_steps_with_sums_as_without(engine):
    train, weights, found, _ = tallied(engine, "per token")
    with forced(engine):
        plain = start(train, weights, StepRule(8, RATE, True))
    plain.advance(torch.arange(len(train)), 0, 5)
    assert torch.equal(found.weights().hidden, plain.weights().hidden)
    assert torch.equal(found.weights().query, plain.weights().query)


def test_activity_of_a_neuron_is_the_sum_that_the_paper_writes():
    batch, weights, _, tally = tallied("collapsed", "per token", n_steps=1)
    weight, outputs = attention(batch.tokens, weights.scoring), predict(batch.tokens, weights)
    for i, pattern in itertools.product((0, 5), (0, 1)):
        total = 0.0
        for n, query in itertools.product(range(8), range(10)):
            if batch.labels[n] * outputs[n] >= 1:
                continue
            attended = sum(weight[n, query, s] * batch.tokens[n, s] for s in range(10))
            if weights.hidden[i] @ weights.value @ attended >= 0:
                mass = sum(float(weight[n, query, s]) for s in range(10) if batch.patterns[n, s] == pattern)
                total += float(-batch.labels[n] * weights.output[query, i]) * mass / 10
        assert float(tally.activity[i, pattern]) == pytest.approx(total / 8, abs=1e-12)


def test_value_drift_is_split_into_what_each_neuron_adds(descent):
    course, activities = descent
    directions = draw_features(10, seeded())[:, :5]
    lucky, others = np.zeros((6, 2, 10)), np.zeros((6, 2, 10))
    for step, (weights, activity) in enumerate(zip(course, activities, strict=False), start=1):
        lucky[step], others[step] = lucky[step - 1], others[step - 1]
        for pattern, i in itertools.product((0, 1), range(24)):
            part = RATE * float(activity[i, pattern]) * weights.hidden[i].numpy()
            (lucky if i // 4 == pattern else others)[step, pattern] -= part
    found = read.value_drift(
        torch.stack([weights.value for weights in course]), torch.from_numpy(lucky), torch.from_numpy(others),
        directions=directions,
    )  # fmt: skip
    for pattern in (0, 1):
        value = course[-1].value[:, pattern].numpy() - directions[:, pattern].numpy()
        left = value - lucky[-1, pattern]
        assert float(found[f"value_left_{pattern + 1}"][-1]) == pytest.approx(np.linalg.norm(left))
        identity = np.linalg.norm(left - others[-1, pattern])
        assert float(found[f"value_identity_{pattern + 1}"][-1]) == pytest.approx(identity)
        moved = float((course[-1].value - course[0].value)[:, pattern].norm())
        assert float(found[f"value_drift_{pattern + 1}"][-1]) == pytest.approx(moved)
    assert float(found["value_lost"].max()) < 1e-9


def test_activities_are_averaged_by_group(descent):
    course, activities = descent
    groups = grouped(course[0].output, 4)
    mean = sum(activities) / 5
    found = read.activity_signs(mean[:, :2], groups)
    total = course[0].output if course[0].output.dim() == 1 else course[0].output.sum(0)
    own = [float(mean[i, 1]) for i in range(4, 8) if total[i] > 0]
    assert found["activity_2_positive"] == pytest.approx(np.mean(own) if own else math.nan, nan_ok=True)
    below = np.mean([value < 0 for value in own]) if own else math.nan
    assert found["activity_below_zero_2_positive"] == pytest.approx(below, nan_ok=True)
    largest = max(abs(float(mean[i, j])) for i in range(8, 24) for j in (0, 1))
    assert found["activity_unlucky_largest"] == pytest.approx(largest)


@pytest.mark.parametrize("own", [{}, {"counts": "fluctuating", "token_noise": 0.05}], ids=["exact", "noisy"])
def test_attention_against_definition_1_written_out(own):
    weights, batch, lengths = network(), samples(**own), {"query_1": 1.4, "query_2": 1.2}
    weights = Weights(weights.hidden, weights.value, 1.3 * weights.key, 1.2 * weights.query, weights.output)
    lengths = {name: torch.tensor([1.0, length], dtype=torch.float64) for name, length in lengths.items()}
    both = torch.stack([torch.eye(10, dtype=torch.float64), weights.scoring])
    found = read.attention_against_bounds(TokenPoints.of(batch, weights.output), both, lengths, DELTA)
    found = {name: float(values[1]) for name, values in found.items()}
    lengths = {name: float(length[1]) for name, length in lengths.items()}
    over, other_over, other_least, mass_over, masses, bounds = [], [], [], [], [], []
    for n in range(len(batch)):
        roles = batch.roles[n].tolist()
        relevant = [s for s in range(10) if roles[s] == LABEL_RELEVANT]
        rest = 10 - len(relevant)
        q = lengths["query_1"] if batch.labels[n] > 0 else lengths["query_2"]
        low, high = math.exp(q * q - DELTA * q), math.exp(q * q + DELTA * q)
        nu, phi = 1 / (len(relevant) * low + rest), 1 / (len(relevant) * high + rest)
        bounds.append(len(relevant) * low * nu)
        for query in relevant:
            scores = [math.exp(float(batch.tokens[n, s] @ weights.scoring @ batch.tokens[n, query])) for s in range(10)]
            share = [score / sum(scores) for score in scores]
            over += [share[s] / (low * nu) for s in relevant]
            other_over += [share[s] / nu for s in range(10) if s not in relevant]
            other_least += [share[s] / phi for s in range(10) if s not in relevant]
            masses.append(sum(share[s] for s in relevant))
            mass_over.append(masses[-1] / bounds[-1])
    assert found["relevant_over_bound"] == pytest.approx(min(over))
    assert found["other_over_bound"] == pytest.approx(max(other_over))
    assert found["other_over_least"] == pytest.approx(min(other_least))
    assert found["mass_over_bound"] == pytest.approx(min(mass_over))
    assert found["mass_own_query"] == pytest.approx(np.mean(masses))
    assert found["mass_bound"] == pytest.approx(np.mean(bounds))


def test_mean_weights_times_tokens_make_up_all_attention():
    weights, one = network(), torch.ones(1, dtype=torch.float64)
    points = TokenPoints.of(samples(), weights.output)
    lengths = {"query_1": one, "query_2": one}
    found = read.attention_against_bounds(points, weights.scoring[None], lengths, DELTA)
    total = 4 * found["weight_relevant"] + 1 * found["weight_confusion"] + 5 * found["weight_other"]
    assert float(total) == pytest.approx(1)


@pytest.mark.parametrize("output_layer", ["per token", "shared"])
@pytest.mark.parametrize("own", [{}, {"counts": "fluctuating", "token_noise": 0.05}], ids=["exact", "noisy"])
def test_outputs_of_points_are_those_of_all_tokens(own, output_layer):
    batch, course = samples(**own), [network(output_layer), network(output_layer, seed=3)]
    found = outputs(
        TokenPoints.of(batch, course[0].output), torch.stack([weights.scoring for weights in course]),
        torch.stack([weights.readout for weights in course]),
    )  # fmt: skip
    for row, weights in zip(found, course, strict=True):
        expected = predict(batch.tokens, Weights(**{**vars(weights), "output": course[0].output}))
        torch.testing.assert_close(row, expected, rtol=1e-10, atol=1e-12)


def test_lengths_are_what_was_gained_along_the_feature():
    start, moved = network(), network(seed=3)
    found = read.feature_lengths(torch.stack([start.query, moved.query]), torch.stack([start.key, moved.key]))
    axis = torch.zeros(10, dtype=torch.float64)
    axis[1] = 1
    assert float(found["key_2"][1]) == pytest.approx(1 + float(axis @ (moved.key @ axis) - axis @ (start.key @ axis)))
    assert {name: float(values[0]) for name, values in found.items()} == dict.fromkeys(found, 1.0)


def test_neurons_are_planted_within_the_cap_and_keep_their_lengths():
    hidden, directions = network(n_neurons=40).hidden, draw_features(10, seeded())
    turned = plant(hidden, directions, 10, 0.1, seeded(2))
    angles = read.angles(turned, directions)
    assert float(angles[:10, 0].max()) <= 0.1
    assert float(angles[10:20, 1].max()) <= 0.1
    torch.testing.assert_close(turned.norm(dim=1), hidden.norm(dim=1))
    assert torch.equal(turned[20:], hidden[20:])


def test_planted_angles_have_the_law_of_gaussian_ones_that_fell_into_the_cap():
    radius, directions = 1.0, torch.eye(3, dtype=torch.float64)
    drawn = torch.randn(200_000, 3, generator=seeded(5), dtype=torch.float64)
    expected = read.angles(drawn, directions)[:, 0]
    expected = expected[expected <= radius]
    found = read.angles(plant(drawn[:4001], directions, 2000, radius, seeded(6)), directions)[:2000, 0]
    for share in (0.1, 0.5, 0.9):
        below = float((found <= expected.quantile(share)).double().mean())
        assert below == pytest.approx(share, abs=5 * (share * (1 - share) / 2000) ** 0.5)


def test_features_are_the_ones_that_the_start_was_drawn_around():
    for seed in range(5):
        distance = (network(seed=seed).value - draw_features(10, seeded(seed))).norm(dim=0)
        assert float(distance.max()) == pytest.approx(SIGMA)


def test_lucky_sets_written_out():
    weights = network(n_neurons=400)
    directions = draw_features(10, seeded())[:, :5]
    found = read.angles(weights.hidden, directions)
    event = read.closest_by_a_margin(found, 0.1)
    groups = grouped(weights.output, 30)
    kept = read.shares_kept(found, groups, 1.2)
    margin = 2 * math.asin(0.05)
    inside, counted = [], []
    for i in range(400):
        row = [math.acos(float(weights.hidden[i] @ directions[:, j] / weights.hidden[i].norm())) for j in range(5)]
        for pattern in (0, 1):
            others = min(angle for j, angle in enumerate(row) if j != pattern)
            assert bool(event[i, pattern]) == (row[pattern] + margin <= others - margin)
        if i < 30 and float(weights.output[:, i].sum()) > 0:
            inside.append(row[0] <= 1.2)
            counted.append(row[0] + margin <= min(row[1:]) - margin)
    assert float(kept["kept_1_positive"]) == pytest.approx(np.mean(inside))
    in_event = read.shares_in_event(event, groups)
    assert float(in_event["lucky_in_event_1_positive"]) == pytest.approx(np.mean(counted))
    same = read.shares_kept_in_event(event, event, groups)
    assert {float(share) for share in same.values()} == {1.0}


def test_projections_of_neurons_written_out():
    weights, directions = network(), draw_features(10, seeded())[:, :5]
    groups = grouped(weights.output, 4)
    found = read.neuron_projections(weights.hidden, directions, groups)
    onto = [[float(weights.hidden[i] @ directions[:, j]) for j in range(5)] for i in range(24)]
    rest = [onto[i][j] for i in range(8, 24) for j in (2, 3, 4)]
    assert float(found["rest_largest"]) == pytest.approx(max(rest))
    assert float(found["rest_rms"]) == pytest.approx(np.sqrt(np.mean(np.square(rest))))
    assert float(found["projection_2"]) == pytest.approx(np.mean([onto[i][1] for i in range(4, 8)]))


def test_a_course_ends_as_the_training_does_and_its_sums_are_exact():
    result = observed(PROOF_COURSE, follow_proof(**SMALL, generator=seeded()))
    assert result.observables["quadrature"] < 1e-9
    assert result.curves["step"][0] == 0
    assert (np.diff(result.curves["step"]) > 0).all()
    along = {name: curve for name, curve in result.curves.items() if name not in ("map_step", "attention_map")}
    assert {len(curve) for curve in along.values()} == {len(result.curves["step"])}
    largest = max(result.curves["rest_largest"])
    assert result.observables["rest_over_logarithm"] == pytest.approx(largest / math.sqrt(2 * math.log(100 * 24 * 5)))
    assert result.curves["kept_1_positive"][0] in (1.0, pytest.approx(math.nan, nan_ok=True))
    assert result.curves["value_identity_1"] == pytest.approx(result.curves["value_identity_1"][0])
    again = observed(PROOF_COURSE, follow_proof(**SMALL, generator=seeded()))
    assert again.observables == pytest.approx(dict(result.observables), nan_ok=True)


def test_what_queries_lack_at_the_end_is_that_of_the_forward_pass():
    run = follow_proof(**SMALL, generator=seeded())
    weights = run.looks.looks[-1].weights
    found = observed(PROOF_COURSE, run).observables
    lacking = []
    for n in range(len(run.probe)):
        scores = run.probe.tokens[n] @ weights.query.T @ weights.key @ run.probe.tokens[n].T
        relevant = run.probe.roles[n] == LABEL_RELEVANT
        lacking.append(1 - torch.softmax(scores, dim=-1)[:, relevant].sum(-1))
    assert found["worst_query_missing_at_end"] == pytest.approx(max(float(each.max()) for each in lacking))
    by_label = [lacking[int((run.probe.labels == label).nonzero()[0])].mean() for label in (1, -1)]
    assert found["average_query_missing_at_end"] == pytest.approx(float(sum(by_label)) / 2)


def test_the_gain_of_lucky_neurons_is_their_way_along_their_feature():
    run = follow_proof(**SMALL, generator=seeded())
    first, *_, last = run.looks.looks
    chosen = run.looks.groups.first & run.looks.groups.positive
    moved = ((last.weights.hidden - first.weights.hidden) @ run.directions)[chosen, 0].mean()
    gain = observed(PROOF_COURSE, run).observables["lucky_gain"]
    assert gain == pytest.approx(float(moved), nan_ok=True)


def test_curves_of_one_label_s_sample_are_those_of_the_whole_batch():
    few = observed(PROOF_COURSE, follow_proof(**SMALL, generator=seeded()))
    with forced("torch"):
        noisy = observed(PROOF_COURSE, follow_proof(**SMALL, token_noise=1e-9, generator=seeded()))
    assert few.curves["relevant_over_bound"][0] == pytest.approx(noisy.curves["relevant_over_bound"][0], rel=1e-6)


@pytest.mark.parametrize(
    ("own", "message"),
    [
        ({"n_planted": 12}, "n_planted must be less than half of n_neurons = 24, got 12"),
        ({"batch_size": 32}, "batch_size must be at most n_samples = 16, got 32"),
        ({"initialization": "literal"}, "initialization must be one of"),
        ({"learning_rate": 0.0}, "learning_rate must be > 0, got 0.0"),
    ],
)
def test_bad_input_names_argument_rule_and_value(own, message):
    with pytest.raises(InvalidParameter, match=message):
        follow_proof(**{**SMALL, **own}, generator=seeded())


def test_margins_of_fresh_samples_are_those_of_the_forward_pass_on_tokens_in_another_order():
    run = follow_proof(**SMALL, generator=seeded())
    found, weights = observed(PROOF_COURSE, run).curves, run.looks.looks[-1].weights
    margins = []
    for places in (2, 4, 6, 8):
        tokens = torch.cat([run.probe.tokens[:, -places:], run.probe.tokens[:, :-places]], dim=1)
        margins.append(run.probe.labels * predict(tokens, weights))
    margins = torch.stack(margins)
    assert found["margin_fresh"][-1] == pytest.approx(float(margins.mean()))
    assert found["margin_fresh_least"][-1] == pytest.approx(float(margins.min()))
    assert found["margin_fresh"][-1] != pytest.approx(found["margin"][-1])


def test_tokens_with_noise_have_no_fresh_margin():
    noisy = observed(PROOF_COURSE, follow_proof(**SMALL, token_noise=0.01, generator=seeded()))
    assert "margin" in noisy.curves
    assert "margin_fresh" not in noisy.curves
