"""Token data: fractions, labels, noise and roles, each also against a planted falsehood that it must catch."""

import math

import pytest
import torch
from hypothesis import given, settings
from hypothesis import strategies as st

from sim.shallow_vit.data import CONFUSION, LABEL_RELEVANT, OTHER, Samples, TokenModel
from sim.trials.validation import InvalidParameter

SIZES = {"n_tokens": 20, "label_relevant_fraction": 0.4, "confusion_fraction": 0.2}


def draw(n_samples: int = 400, seed: int = 0, **arguments) -> Samples:
    return sample_of(TokenModel(**{**SIZES, **arguments}), n_samples, seed)


def sample_of(model: TokenModel, n_samples: int = 400, seed: int = 0) -> Samples:
    return model.sample(n_samples, torch.Generator().manual_seed(seed))


def counts_of_roles(samples: Samples) -> torch.Tensor:
    """Tokens of each role [n, 3]."""
    return torch.stack([(samples.roles == role).sum(1) for role in (LABEL_RELEVANT, CONFUSION, OTHER)], dim=1)


def mean_of_majority(n_tokens: int, relevant: float, confusing: float) -> tuple[float, float]:
    """Exact mean fractions of label-relevant and confusion tokens: the label is the majority, ties are redrawn."""
    total = larger = smaller = 0.0
    for a in range(n_tokens + 1):
        for b in range(n_tokens + 1 - a):
            if a != b:
                rest = n_tokens - a - b
                ways = math.comb(n_tokens, a) * math.comb(n_tokens - a, b)
                weight = ways * relevant**a * confusing**b * (1 - relevant - confusing) ** rest
                total += weight
                larger += weight * max(a, b)
                smaller += weight * min(a, b)
    return larger / total / n_tokens, smaller / total / n_tokens


# ------------------------------------------------------------------------------ statements that a wrong simulator fails


def assert_labels_are_the_majority(samples: Samples) -> None:
    votes = (samples.patterns == 0).sum(1) - (samples.patterns == 1).sum(1)
    assert (votes != 0).all(), "no ties"
    assert torch.equal(votes.sign().double(), samples.labels), (
        "the label is the majority of the discriminative patterns"
    )


def assert_exact_fractions(samples: Samples, relevant: int, confusing: int) -> None:
    rest = samples.patterns.shape[1] - relevant - confusing
    expected = torch.tensor([relevant, confusing, rest]).expand(len(samples), 3)
    assert torch.equal(counts_of_roles(samples), expected), "every sample has the fractions asked for"


def assert_mean_fractions(samples: Samples, relevant: float, confusing: float) -> None:
    found = counts_of_roles(samples)[:, :2].double() / samples.patterns.shape[1]
    error = found.std(0) / len(samples) ** 0.5
    distance = (found.mean(0) - torch.tensor([relevant, confusing], dtype=torch.float64)).abs()
    assert (distance <= 5 * error).all(), "mean fractions within 5 sigma"


# ------------------------------------------------------------------------------------------------------------- patterns


@settings(derandomize=True, deadline=None, max_examples=25)
@given(st.data(), st.integers(1, 30), st.integers(3, 7))
def test_exact_counts_give_the_exact_fractions_in_every_sample(source, n_tokens, n_patterns):
    relevant = source.draw(st.integers(1, n_tokens))
    confusing = source.draw(st.integers(0, min(relevant - 1, n_tokens - relevant)))
    samples = draw(
        n_tokens=n_tokens,
        label_relevant_fraction=relevant / n_tokens,
        confusion_fraction=confusing / n_tokens,
        n_patterns=n_patterns,
        counts="exact",
        n_samples=20,
    )
    assert_exact_fractions(samples, relevant, confusing)
    assert_labels_are_the_majority(samples)
    others = torch.stack([(samples.patterns == pattern).sum(1) for pattern in range(2, n_patterns)])
    assert (others.max(0).values - others.min(0).values <= 1).all(), "other patterns share the rest evenly"


def test_exact_counts_shuffle_the_tokens():
    patterns = draw(counts="exact").patterns
    assert len(patterns.unique(dim=0)) > 300
    first = (patterns[:, 0] <= 1).double().mean()
    assert abs(first - 0.6) < 5 * (0.24 / 400) ** 0.5


def test_exact_counts_without_noise_are_two_points_up_to_order():
    samples = draw(counts="exact", token_noise=0.0)
    assert len(samples.patterns.sort(dim=1).values.unique(dim=0)) == 2


@pytest.mark.parametrize(
    ("relevant", "confusing", "n_tokens"), [(0.4, 0.2, 20), (0.3, 0.2, 11), (0.12, 0.0, 9), (1.0, 0.0, 5)]
)
def test_fluctuating_counts_have_the_mean_of_a_majority_vote(relevant, confusing, n_tokens):
    samples = draw(4000, n_tokens=n_tokens, label_relevant_fraction=relevant, confusion_fraction=confusing)
    assert_labels_are_the_majority(samples)
    if relevant < 1:
        assert_mean_fractions(samples, *mean_of_majority(n_tokens, relevant, confusing))
    else:
        assert_exact_fractions(samples, n_tokens, 0)


def test_fluctuating_counts_have_the_nominal_fractions_where_the_vote_is_clear():
    samples = draw(2000, n_tokens=100, label_relevant_fraction=0.5, confusion_fraction=0.1)
    assert_mean_fractions(samples, 0.5, 0.1)
    assert counts_of_roles(samples).double().std(0).min() > 2, "and fluctuate"


def test_close_fractions_separate_by_the_vote():
    """alpha_* is defined by the label, so where the vote is close its mean lies above the nominal fraction."""
    larger, smaller = mean_of_majority(50, 0.3, 0.2)
    assert larger > 0.31
    assert smaller < 0.19
    assert_mean_fractions(draw(4000, n_tokens=50, label_relevant_fraction=0.3), larger, smaller)


@pytest.mark.parametrize("counts", ["exact", "fluctuating"])
def test_classes_are_balanced_and_mirror_each_other(counts):
    samples = draw(4000, counts=counts)
    assert abs(samples.labels.mean()) < 5 / 4000**0.5
    by_class = [counts_of_roles(samples[samples.labels == label]).double() for label in (1, -1)]
    error = (by_class[0].var(0) / len(by_class[0]) + by_class[1].var(0) / len(by_class[1])).sqrt()
    assert ((by_class[0].mean(0) - by_class[1].mean(0)).abs() <= 5 * error).all()


@settings(derandomize=True, deadline=None, max_examples=10)
@given(st.integers(0, 10**6))
def test_exchanging_the_discriminative_patterns_and_the_label_keeps_the_roles(seed):
    samples = draw(50, seed)
    swapped = torch.tensor([1, 0, 2, 3, 4])[samples.patterns]
    mirrored = Samples(samples.tokens, -samples.labels, swapped)
    assert torch.equal(mirrored.roles, samples.roles)
    assert_labels_are_the_majority(mirrored)


def test_roles_of_a_sample_by_hand():
    patterns = torch.tensor([[0, 0, 1, 2, 4], [1, 0, 1, 3, 1]])
    samples = Samples(torch.zeros(2, 5, 10), torch.tensor([1.0, -1.0]), patterns)
    assert samples.roles.tolist() == [[0, 0, 1, 2, 2], [0, 1, 0, 2, 0]]


# ---------------------------------------------------------------------------------------------------------------- noise


def test_tokens_are_their_patterns_where_there_is_no_noise():
    samples = draw(token_noise=0.0, dimension=7)
    assert torch.equal(samples.tokens, torch.eye(7, dtype=torch.float64)[samples.patterns])


def test_gaussian_noise_has_the_stated_deviation():
    samples = draw(token_noise=0.01)
    noise = samples.tokens - torch.eye(10, dtype=torch.float64)[samples.patterns]
    assert noise.std() == pytest.approx(0.01, rel=5 / (2 * noise.numel()) ** 0.5)
    assert abs(noise.mean()) < 5 * 0.01 / noise.numel() ** 0.5


@settings(derandomize=True, deadline=None, max_examples=15)
@given(st.integers(2, 12), st.floats(0.6, 2.0), st.integers(0, 10**6))
def test_truncated_noise_never_exceeds_the_radius(dimension, ratio, seed):
    radius = ratio * 0.01 * dimension**0.5
    samples = draw(
        20, seed, dimension=dimension, n_patterns=2, label_relevant_fraction=0.6, confusion_fraction=0.4,
        noise="truncated", token_noise=0.01, noise_radius=radius,
    )  # fmt: skip
    length = (samples.tokens - torch.eye(dimension, dtype=torch.float64)[samples.patterns]).norm(dim=-1)
    assert length.max() <= radius * (1 + 1e-12)
    assert length.min() > 0


def test_a_radius_that_keeps_no_noise_is_refused_instead_of_drawing_for_ever():
    with pytest.raises(InvalidParameter, match=r"noise_radius must keep at least 0\.001 of the noise vectors"):
        TokenModel(**SIZES, dimension=100, noise="truncated", token_noise=0.01, noise_radius=0.051)
    TokenModel(**SIZES, dimension=100, noise="gaussian", token_noise=0.01, noise_radius=0.051)


# ---------------------------------------------------------------------------------------------------- samples and seeds


def test_the_same_seed_gives_the_same_samples():
    first, second, other = draw(seed=1), draw(seed=1), draw(seed=2)
    assert torch.equal(first.tokens, second.tokens)
    assert torch.equal(first.labels, second.labels)
    assert not torch.equal(first.patterns, other.patterns)


def test_samples_can_be_picked_and_converted():
    samples = draw(10)
    picked = samples[torch.tensor([3, 1])].to(torch.float32)
    assert len(picked) == 2
    assert picked.tokens.dtype == picked.labels.dtype == torch.float32
    assert torch.equal(picked.patterns, samples.patterns[[3, 1]])


# --------------------------------------------------------------------------------------------------- planted falsehoods


def test_swapping_label_relevant_and_confusion_fractions_is_caught():
    swapped = TokenModel(**SIZES, counts="exact")
    object.__setattr__(swapped, "label_relevant_fraction", 0.2)  # past validation
    object.__setattr__(swapped, "confusion_fraction", 0.4)
    samples = sample_of(swapped)
    with pytest.raises(AssertionError, match="the label is the majority"):
        assert_labels_are_the_majority(samples)
    with pytest.raises(AssertionError, match="every sample has the fractions"):
        assert_exact_fractions(samples, 8, 4)


@pytest.mark.parametrize("counts", ["exact", "fluctuating"])
def test_swapping_the_roles_is_caught(monkeypatch, counts):
    samples = draw(counts=counts)
    roles = torch.tensor([CONFUSION, LABEL_RELEVANT, OTHER])[samples.roles]
    monkeypatch.setattr(Samples, "roles", roles)
    with pytest.raises(AssertionError, match="every sample has the fractions"):
        assert_exact_fractions(samples, 8, 4)
    expected = (0.4, 0.2) if counts == "exact" else mean_of_majority(20, 0.4, 0.2)
    with pytest.raises(AssertionError, match="mean fractions"):
        assert_mean_fractions(samples, *expected)


def test_a_label_that_is_the_intended_class_instead_of_the_vote_is_caught(monkeypatch):
    drawn = TokenModel._fluctuating_patterns

    def by_intention(self, n_samples, generator):
        state = generator.get_state()
        intended = torch.where(torch.rand(n_samples, generator=generator) < 0.5, 1.0, -1.0).double()
        generator.set_state(state)
        return drawn(self, n_samples, generator)[0], intended

    monkeypatch.setattr(TokenModel, "_fluctuating_patterns", by_intention)
    with pytest.raises(AssertionError, match="the label is the majority"):
        assert_labels_are_the_majority(draw())


def test_ties_that_are_kept_are_caught(monkeypatch):
    patterns = torch.tensor([[0, 1, 2, 3]] * 2)
    monkeypatch.setattr(TokenModel, "_fluctuating_patterns", lambda *_: (patterns, torch.tensor([1.0, -1.0]).double()))
    with pytest.raises(AssertionError, match="no ties"):
        assert_labels_are_the_majority(draw(2))


# ------------------------------------------------------------------------------------------------------------ bad input


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ({"confusion_fraction": 0.7, "label_relevant_fraction": 0.8},
         "label_relevant_fraction + confusion_fraction must be at most 1, got 1.5"),
        ({"confusion_fraction": 0.4}, "label_relevant_fraction must exceed confusion_fraction = 0.4, got 0.4"),
        ({"confusion_fraction": 0.5}, "label_relevant_fraction must exceed confusion_fraction = 0.5, got 0.4"),
        ({"label_relevant_fraction": 0.0}, "label_relevant_fraction must be > 0, got 0.0"),
        ({"label_relevant_fraction": math.nan}, "label_relevant_fraction must be > 0, got nan"),
        ({"confusion_fraction": -0.1}, "confusion_fraction must be >= 0, got -0.1"),
        ({"n_tokens": 2}, "n_tokens must be at least 1 / label_relevant_fraction = 2.5, got 2"),
        ({"n_tokens": 0}, "n_tokens must be >= 1, got 0"),
        ({"n_tokens": 20.0}, "n_tokens must be an integer, got 20.0"),
        ({"n_tokens": 12, "counts": "exact"},
         "n_tokens must make label_relevant_fraction * n_tokens a whole number for exact counts "
         "(label_relevant_fraction = 0.4), got 12"),
        ({"n_tokens": 5, "counts": "exact", "confusion_fraction": 0.1},
         "n_tokens must make confusion_fraction * n_tokens a whole number for exact counts "
         "(confusion_fraction = 0.1), got 5"),
        ({"counts": "random"}, "counts must be one of exact, fluctuating, got 'random'"),
        ({"noise": "uniform"}, "noise must be one of gaussian, truncated, got 'uniform'"),
        ({"token_noise": -0.01}, "token_noise must be >= 0, got -0.01"),
        ({"noise_radius": 0.0}, "noise_radius must be > 0, got 0.0"),
        ({"n_patterns": 1}, "n_patterns must be >= 2, got 1"),
        ({"n_patterns": 2}, "n_patterns must exceed 2 when some tokens are non-discriminative, got 2"),
        ({"dimension": 4}, "dimension must be at least n_patterns, got 4"),
    ],
)  # fmt: skip
def test_bad_input_names_argument_rule_and_value(arguments, message):
    with pytest.raises(InvalidParameter) as caught:
        TokenModel(**{**SIZES, **arguments})
    assert str(caught.value) == message


@pytest.mark.parametrize("n_tokens", [3, 7, 49, 93])
def test_a_fraction_of_exactly_one_token_is_accepted(n_tokens):
    model = TokenModel(n_tokens=n_tokens, label_relevant_fraction=1 / n_tokens, confusion_fraction=0.0, counts="exact")
    assert_exact_fractions(sample_of(model, 5), 1, 0)
