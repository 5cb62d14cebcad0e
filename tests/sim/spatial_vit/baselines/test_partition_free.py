"""Learners without the partition, and what none of them can beat: enumeration over partitions is the witness."""

import itertools
import math
from collections import defaultdict

import numpy as np
import pytest
import torch

from sim.spatial_vit.baselines import partition_bounds, partition_free
from sim.spatial_vit.network import lattice
from sim.spatial_vit.network.data import contiguous_sets, permuted_sets, random_feature, sample, sample_coefficients
from sim.spatial_vit.network.setting import Setting, data_setting


def partitions(patches, size):
    """Every partition of `patches` into sets of `size`."""
    if not patches:
        yield ()
        return
    first, *rest = patches
    for others in itertools.combinations(rest, size - 1):
        left = [patch for patch in rest if patch not in others]
        for more in partitions(left, size):
            yield ((first, *others), *more)


def joint(chosen, rate, n_patches):
    """P(signs, y) under one partition, by adding up all signal sets and random signs."""
    table = defaultdict(float)
    weight = {0: 1 - rate, 1: rate / 2, -1: rate / 2}
    for signal in chosen:
        others = [j for j in range(n_patches) if j not in signal]
        for draws in itertools.product((-1, 0, 1), repeat=len(others)):
            probability = math.prod(weight[draw] for draw in draws) / len(chosen) / 2
            for label in (-1, 1):
                signs = [label] * n_patches
                for patch, draw in zip(others, draws, strict=True):
                    signs[patch] = draw
                table[tuple(signs), label] += probability
    return table


@pytest.mark.parametrize(("n_patches", "set_size", "rate"), [(4, 2, 0.5), (6, 2, 0.7), (6, 3, 0.4)])
def test_least_error_is_that_of_the_bayes_rule_over_all_partitions(n_patches, set_size, rate):
    table = defaultdict(float)
    every = list(partitions(list(range(n_patches)), set_size))
    for chosen in every:
        for key, probability in joint(chosen, rate, n_patches).items():
            table[key] += probability / len(every)
    seen = {signs for signs, _ in table}
    bayes = sum(min(table[signs, 1], table[signs, -1]) for signs in seen)
    assert partition_bounds.least_error(set_size, n_patches, rate) == pytest.approx(bayes, rel=1e-12)


@pytest.mark.parametrize("n_samples", [0, 1, 2, 4])
def test_the_oracle_is_the_bayes_rule_given_the_sets_seen(n_samples):
    """D = 6, C = 2: every sequence of signal sets, and the Bayes rule of one whose new set is known to be unseen."""
    rate, every = 0.6, list(partitions(list(range(6)), 2))
    chosen = every[0]
    error = 0.0
    for drawn in itertools.product(range(3), repeat=n_samples):
        unseen = [chosen[i] for i in range(3) if i not in drawn]
        left = sorted(patch for group in unseen for patch in group)
        if not left:
            continue
        table = defaultdict(float)
        options = list(partitions(left, 2))
        for option in options:
            renamed = [tuple(left.index(patch) for patch in group) for group in option]
            for key, probability in joint(renamed, rate, len(left)).items():
                table[key] += probability / len(options)
        bayes = sum(min(table[signs, 1], table[signs, -1]) for signs in {signs for signs, _ in table})
        error += bayes * len(unseen) / 3 / 3**n_samples
    assert partition_bounds.oracle_error(6, 2, rate, n_samples=n_samples) == pytest.approx(error, rel=1e-12)


def test_the_oracle_without_samples_errs_as_the_best_vote():
    assert partition_bounds.oracle_error(64, 4, 0.25, n_samples=0) == pytest.approx(
        partition_bounds.least_error(4, 64, 0.25), rel=1e-12
    )


def test_unseen_sets_are_counted_as_in_draws():
    exact = partition_bounds.unseen_distribution(5, 7)
    counts = np.zeros(6)
    for drawn in itertools.product(range(5), repeat=7):
        counts[5 - len(set(drawn))] += 1
    np.testing.assert_allclose(exact, counts / 5**7, rtol=1e-12)


def test_sums_of_signs_have_the_moments_and_tails_of_sums():
    probabilities = lattice.sum_law(60, 0.25)
    sums = np.arange(-60, 61)
    assert probabilities.sum() == pytest.approx(1)
    assert probabilities @ sums == pytest.approx(0, abs=1e-12)
    assert probabilities @ sums**2 == pytest.approx(15)
    assert probabilities[0] == pytest.approx(0.125**60, rel=1e-10)


def test_whether_the_partition_is_needed_is_decided_by_the_power_of_set_size():
    """Errors of the best guess without sets, q = C^c / D, D = 64 C: to 0 for c < 2, constant at 2, to 1/2 above."""
    errors = {
        c: [partition_bounds.least_error(size, 64 * size, size**c / (64 * size)) for size in (4, 9, 16)]
        for c in (1.0, 1.5, 2.0, 2.5)
    }
    assert errors[1.0][0] > 10 * errors[1.0][1] > 100 * errors[1.0][2]
    assert errors[1.5] == sorted(errors[1.5], reverse=True)
    assert all(abs(error - 0.159) < 0.01 for error in errors[2.0])  # a normal vote, one standard deviation out
    assert errors[2.5] == sorted(errors[2.5])


def test_the_least_samples_of_the_oracle_are_the_first_that_do():
    found = partition_bounds.measure_oracle(n_patches=64, set_size=4, spurious_patches=16.0, generator=None).observables
    least = int(found["least_samples"])
    errors = [partition_bounds.oracle_error(64, 4, 0.25, n_samples=count) for count in range(least + 1)]
    assert errors == sorted(errors, reverse=True)
    assert errors[-1] == found["oracle_error"] <= found["level"] < errors[-2]


# ------------------------------------------------------------------------------------------------------------ attacks


def test_the_spectral_direction_is_the_top_eigenvector():
    generator = torch.Generator().manual_seed(1)
    setting = data_setting(n_patches=64, set_size=4, spurious_rate=0.125)
    feature = random_feature(48, generator)
    data = sample(setting, contiguous_sets(setting), feature=feature, n_samples=3, generator=generator)
    found = partition_free.spectral_direction(data.patches, generator)
    rows = data.patches.reshape(-1, 48)
    top = torch.linalg.eigh(rows.T @ rows).eigenvectors[:, -1]
    assert float(found @ top) ** 2 == pytest.approx(1, abs=1e-6)
    assert abs(float(found @ feature)) > 0.9


def test_labels_give_the_direction_its_sign():
    assert all(learn(seed, n_samples=12)["cosine"] > 0.9 for seed in range(8))


def test_the_mean_direction_is_the_mean_of_labelled_sums():
    generator = torch.Generator().manual_seed(2)
    patches = torch.randn(5, 6, 4, generator=generator, dtype=torch.float64)
    labels = torch.tensor([1.0, -1.0, -1.0, 1.0, 1.0], dtype=torch.float64)
    total = sum(label * patch for label, image in zip(labels, patches, strict=True) for patch in image)
    torch.testing.assert_close(partition_free.mean_direction(patches, labels), total / total.norm())


def test_sets_are_learned_in_any_order_of_patches():
    generator = torch.Generator().manual_seed(3)
    setting = Setting(
        n_patches=24, set_size=4, spurious_rate=0.2, activation_power=3, linear_coefficient=1.0, diagonal_logit=0.0,
        temperature=1.0,
    )  # fmt: skip
    sets = permuted_sets(setting, generator)
    signs, labels, _ = sample_coefficients(setting, sets, n_samples=400, generator=generator)
    learned = partition_free.learned_membership(signs, labels, 4)
    assert torch.equal(learned, (sets[:, None] == sets[None, :]).double())
    scrambled = partition_free.learned_membership(signs, labels[torch.randperm(400, generator=generator)], 4)
    assert not torch.equal(scrambled, learned)


def test_votes_by_hand():
    membership = torch.tensor([[1.0, 1, 0, 0], [1, 1, 0, 0], [0, 0, 1, 1], [0, 0, 1, 1]], dtype=torch.float64)
    signs = torch.tensor([[1.0, 1, -1, 0], [1, 0, -1, -1], [1, 0, 1, -1], [0, 0, 0, 0]], dtype=torch.float64)
    assert partition_free.vote(signs).tolist() == [1, -1, 1, 0]
    assert partition_free.set_vote(signs, membership).tolist() == [4, -4, 1, 0]  # the third has no whole set
    projections = torch.tensor([0.9, 0.4, -0.6, -0.5], dtype=torch.float64)
    assert partition_free.read_signs(projections).tolist() == [1, 0, -1, 0]


def learn(seed=0, **changes):
    arguments = {"n_patches": 64, "set_size": 4, "spurious_patches": 8.0, "patch_dimension": 64, "n_samples": 6}
    return partition_free.simulate_partition_free(
        **{**arguments, **changes}, generator=torch.Generator().manual_seed(seed)
    ).observables


def test_a_learner_that_knows_the_feature_errs_as_the_best_vote():
    seen = learn(feature="known", n_test=40_000)
    assert seen["cosine"] == 1.0
    assert seen["test_error"] == pytest.approx(seen["least_error_without_partition"], abs=0.006)


def test_projections_of_fresh_patches_need_no_patches():
    """The shortcut against whole patches along a direction that is far from the feature."""
    setting = data_setting(n_patches=16, set_size=4, spurious_rate=0.25)
    sets, generator = contiguous_sets(setting), torch.Generator().manual_seed(5)
    feature, other = random_feature(6, generator), random_feature(6, generator)
    direction = feature + 0.8 * (other - (other @ feature) * feature)
    direction /= direction.norm()
    data = sample(setting, sets, feature=feature, n_samples=40_000, generator=generator)
    whole = partition_free.read_signs(data.patches @ direction)
    quick, _, _ = partition_free._fresh_signs(setting, sets, 40_000, 6, float(direction @ feature), generator)
    for value in (-1, 0, 1):
        shares = [float((signs == value).double().mean()) for signs in (quick, whole)]
        assert shares[0] == pytest.approx(shares[1], abs=4e-3)


def test_few_samples_reach_the_best_vote_and_many_reach_the_sets():
    assert learn()["success"]
    hard = {"spurious_patches": 16.0, "level_share": 0.5, "label": "learned_sets"}
    assert not learn(**hard, n_samples=16)["success"]
    assert learn(**hard, n_samples=256)["success"]
    assert learn(**hard, n_samples=256)["test_error"] < learn(**hard, n_samples=16)["level"]
    assert learn(spurious_patches=16.0, n_samples=256, level_share=0.5)["success"] is False  # no sets, no luck


def test_the_mean_needs_more_samples_than_the_direction_of_most_variance():
    sizes = {"n_patches": 256, "patch_dimension": 256, "n_samples": 3}
    spectral, mean = (learn(**sizes, feature=name) for name in ("spectral", "mean"))
    assert spectral["cosine"] > 0.9 > 0.7 > mean["cosine"]


@pytest.mark.parametrize(
    ("changes", "words"),
    [
        ({"feature": "unknown"}, "feature must be one of known, mean, spectral, got 'unknown'"),
        ({"label": "none"}, "label must be one of vote, learned_sets, got 'none'"),
        ({"spurious_patches": 65.0}, r"spurious_patches must be in \[0, n_patches\], got 65.0 and 64"),
        ({"n_samples": 0}, "n_samples must be >= 1, got 0"),
        ({"level": 0.0}, r"level must be in \(0, 1\), got 0.0"),
    ],
)
def test_bad_input_is_refused_in_one_line(changes, words):
    with pytest.raises(ValueError, match=f"^{words}$"):
        learn(**changes)


@pytest.mark.parametrize(
    ("changes", "words"),
    [
        ({"set_size": 5}, "set_size must divide n_patches, got 5 and 64"),
        ({"spurious_patches": 0.0}, r"spurious_patches must be in \(0, n_patches\], got 0.0 and 64"),
        ({"level_share": 1.0}, r"level_share must be in \(0, 1\), got 1.0"),
    ],
)
def test_the_oracle_refuses_bad_input(changes, words):
    arguments = {"n_patches": 64, "set_size": 4, "spurious_patches": 16.0}
    with pytest.raises(ValueError, match=f"^{words}$"):
        partition_bounds.measure_oracle(**{**arguments, **changes}, generator=None)
