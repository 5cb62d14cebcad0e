"""What is done to tokens: which are kept, what moves and what does not, against plain loops."""

from __future__ import annotations

import pytest
import torch

from sim.shallow_vit.data import OTHER, TokenModel
from sim.shallow_vit.model import attention, initialize
from sim.shallow_vit.sparsification import simulate_tokens
from sim.shallow_vit.systems import SHALLOW_VIT_TOKENS
from sim.shallow_vit.tokens import (
    scores_of,
    sparsified,
    sparsify,
    with_background,
    with_noisy_tokens,
    with_pattern_sets,
)
from sim.trials.readouts import observed
from sim.trials.trial import Outcome

MODEL = TokenModel(n_tokens=20, label_relevant_fraction=0.3, confusion_fraction=0.1, counts="exact", token_noise=0.0)


def generator() -> torch.Generator:
    return torch.Generator().manual_seed(7)


def weights():
    return initialize(
        dimension=10, n_neurons=6, n_tokens=20, value_error=0.1, key_query_error=0.2, neuron_scale=0.01,
        output_layer="per token", initialization="contraction", generator=generator(),
    )  # fmt: skip


def test_sparsify_keeps_the_highest_scores_in_their_order():
    tokens = torch.randn(4, 7, 3, generator=generator(), dtype=torch.float64)
    scores = torch.randint(0, 4, (4, 7), generator=generator()).double()  # with ties: the earlier token is kept
    kept, places = sparsify(tokens, scores, 3)
    for n in range(4):
        expected = sorted(sorted(range(7), key=lambda s: (-float(scores[n, s]), s))[:3])
        assert places[n].tolist() == expected
        assert torch.equal(kept[n], tokens[n, expected])


def test_all_tokens_kept_change_nothing():
    samples = MODEL.sample(5, generator())
    kept = sparsified(samples, torch.rand(5, 20, generator=generator()), 20)
    assert torch.equal(kept.tokens, samples.tokens)
    assert torch.equal(kept.patterns, samples.patterns)


@pytest.mark.parametrize(("keep", "scores"), [(0, (4, 7)), (8, (4, 7)), (2, (4, 6))])
def test_what_cannot_be_kept_is_refused(keep, scores):
    with pytest.raises(ValueError, match="must"):
        sparsify(torch.zeros(4, 7, 3), torch.zeros(*scores), keep)


def test_what_has_no_order_or_no_tokens_is_refused():
    scores = torch.zeros(4, 7)
    with pytest.raises(ValueError, match=r"tokens must be of shape \[n, L, d\], got \[4, 7\]"):
        sparsify(torch.zeros(4, 7), scores, 2)
    scores[1, 2] = torch.nan
    with pytest.raises(ValueError, match="scores must be numbers, got nan"):
        sparsify(torch.zeros(4, 7, 3), scores, 2)


def test_an_unknown_score_is_refused():
    with pytest.raises(ValueError, match="kept_by must be one of"):
        scores_of("label", MODEL.sample(2, generator()), weights=weights(), generator=generator())


def test_discriminative_tokens_are_kept_first_and_harmfully_last():
    samples = MODEL.sample(6, generator())
    kept = {
        name: sparsified(samples, scores_of(name, samples, weights=weights(), generator=generator()), 8)
        for name in ("discriminative", "harmful")
    }
    assert (kept["discriminative"].roles != OTHER).all()
    assert (kept["harmful"].roles == OTHER).all()


def test_the_oracle_of_roles_knows_no_label():
    samples = MODEL.sample(6, generator())
    flipped = type(samples)(samples.tokens, -samples.labels, samples.patterns)
    first, second = (
        scores_of("discriminative", each, weights=weights(), generator=generator()) for each in (samples, flipped)
    )
    assert torch.equal(first, second)


def test_attention_scores_are_what_a_token_receives():
    samples = MODEL.sample(3, generator())
    found = scores_of("attention", samples, weights=weights(), generator=generator())
    rows = attention(samples.tokens, weights().scoring)
    for n in range(3):
        for s in range(20):
            assert float(found[n, s]) == pytest.approx(
                sum(float(rows[n, query, s]) for query in range(20)) / 20, abs=1e-8
            )


def test_quiet_tokens_are_those_without_noise():
    noisy = with_noisy_tokens(MODEL.sample(6, generator()), 0.25, 1.5, generator())
    pattern = torch.eye(10, dtype=torch.float64)
    size = (noisy.tokens - pattern[noisy.patterns]).norm(dim=-1)
    assert torch.equal((size > 1e-12).sum(1), torch.full((6,), 5))
    assert size[size > 1e-12].numpy() == pytest.approx(1.5)
    kept = sparsified(noisy, scores_of("quiet", noisy, weights=weights(), generator=generator()), 15)
    assert torch.equal(kept.tokens, pattern[kept.patterns])


def test_pattern_sets_have_the_stated_distances():
    spread = 0.8
    samples = with_pattern_sets(MODEL.sample(20, generator()), spread, 5, generator())
    points = {}
    for token, pattern in zip(samples.tokens.flatten(0, 1), samples.patterns.flatten(), strict=True):
        points.setdefault(int(pattern), set()).add(tuple(round(entry, 12) for entry in token.tolist()))
    assert all(len(found) == 2 for found in points.values())
    for pattern, found in points.items():
        first, second = (torch.tensor(point) for point in found)
        assert float((first - second).norm()) == pytest.approx(spread)
        assert float(first.norm()) == pytest.approx(1)
        for other, others in points.items():
            if other != pattern:
                gaps = [float((torch.tensor(p) - torch.tensor(q)).norm()) for p in found for q in others]
                assert min(gaps) == pytest.approx(2**0.5)


@pytest.mark.parametrize("correlation", [-1.0, 0.0, 0.8, 1.0])
def test_a_background_agrees_with_the_label_as_often_as_asked(correlation):
    samples = with_background(MODEL.sample(4000, generator()), correlation, generator())
    others = samples.roles == OTHER
    first = torch.where(others, samples.patterns == 2, True).all(1)
    second = torch.where(others, samples.patterns == 3, True).all(1)
    assert (first ^ second).all()
    agrees = (first == (samples.labels > 0)).double().mean()
    assert float(agrees) == pytest.approx((1 + correlation) / 2, abs=0.03)
    assert torch.equal(samples.tokens, torch.eye(10, dtype=torch.float64)[samples.patterns])


SMALL = {
    "n_tokens": 20, "label_relevant_fraction": 0.3, "confusion_fraction": 0.1, "n_samples": 8, "n_neurons": 10,
    "batch_size": 4, "learning_rate": 0.5, "max_steps": 60, "n_test": 20,
}  # fmt: skip


def told(**arguments):
    return observed(SHALLOW_VIT_TOKENS, simulate_tokens(**arguments, generator=generator()))


def test_without_options_a_trial_is_the_plain_one():
    """The training on all tokens does not know of the one on fewer."""
    plain = told(**SMALL)
    both = told(**SMALL, kept_tokens=8)
    for name, value in plain.observables.items():
        assert both.observables[name] == value
    second = {name.removeprefix("kept_") for name in both.observables if name.startswith("kept_")}
    assert second == {"iterations", "train_hinge_zero", "engine", "weights", "test_hinge", "test_error", "success"}
    assert second <= set(plain.observables)


def test_keeping_every_token_trains_the_same_network_up_to_order():
    found = told(**{**SMALL, "batch_size": 8}, kept_tokens=20, kept_by="random").observables
    assert found["kept_iterations"] == found["iterations"]
    assert found["kept_test_hinge"] == pytest.approx(found["test_hinge"], abs=1e-9)


def test_divergence_is_an_outcome():
    result = told(**{**SMALL, "learning_rate": 1e6}, kept_tokens=8)
    assert result.outcome is Outcome.DIVERGED
    assert result.observables["success"] is False


@pytest.mark.parametrize(
    ("name", "value"),
    [
        ("kept_tokens", 21),
        ("kept_tokens", -1),
        ("kept_by", "label"),
        ("pattern_spread", 2.5),
        ("noisy_share", 1.5),
        ("n_samples", 0),
        ("learning_rate", 0.0),
        ("spurious_correlation", 2.0),
        ("spurious_correlation", 0.5),
        ("batch_size", 9),
    ],
)
def test_bad_parameters_are_named(name, value):
    extra = {"has_background": True} if value == 2.0 else {}
    with pytest.raises(ValueError, match=f"{name} must"):
        simulate_tokens(**{**SMALL, **extra, name: value}, generator=generator())
