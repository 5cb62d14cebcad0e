"""A free diagonal, eigenvalues of A, Gaussian encodings and single steps, each against a second witness."""

import itertools
import math

import numpy as np
import pytest
import torch

from sim.spatial_vit.network import data
from sim.spatial_vit.network.setting import Setting
from sim.spatial_vit.reduced import diagonal, enumeration, expected_errors, population, steps
from sim.spatial_vit.reduced import dynamics as reduced
from sim.spatial_vit.reduced.phases import smallest_eigenvalue
from sim.spatial_vit.sampled import encodings
from sim.spatial_vit.systems import SPATIAL_VIT_DIAGONAL, SPATIAL_VIT_REDUCED
from sim.trials.readouts import observed

SETTING = Setting(
    n_patches=6, set_size=2, spurious_rate=0.3, activation_power=3, linear_coefficient=0.05, diagonal_logit=0.7,
    temperature=1.5,
)  # fmt: skip
COMMON = {
    "n_patches": 8, "set_size": 2, "spurious_rate": 0.2, "activation_power": 3, "linear_coefficient": 1 / 64,
    "diagonal_logit": 1.0, "learning_rate": 0.01,
}  # fmt: skip


def generator(seed=0):
    return torch.Generator().manual_seed(seed)


@pytest.mark.parametrize("free", [False, True])
def test_descent_is_that_of_every_logit_of_the_full_model(free):
    """All 36 entries of A by the full model's gradient, the diagonal put back where it is held."""
    sets = data.contiguous_sets(SETTING)
    whole = enumeration.enumerate_fully(SETTING, sets)
    logits, alpha, rate = SETTING.diagonal_logit * torch.eye(6, dtype=torch.float64), 0.4, 0.3
    for _ in range(12):
        gradient = enumeration.population_gradient(whole, logits=logits, alignment=alpha)
        moved = logits - rate * gradient.logits
        if not free:
            moved.fill_diagonal_(SETTING.diagonal_logit)
        logits, alpha = moved, alpha - rate * gradient.alignment
    start = np.array([0.4, 0.0, 0.0, SETTING.diagonal_logit])[: 4 if free else 3]
    path = reduced.descend(population.exact_types(SETTING), SETTING, start, learning_rate=rate, n_steps=12, n_records=3)
    expected = [alpha, float(logits[0, 1]), float(logits[0, 2]), float(logits[0, 0])][: len(start)]
    np.testing.assert_allclose(path.states[-1], expected, rtol=1e-11)
    assert (abs(float(logits[0, 0]) - SETTING.diagonal_logit) > 1e-4) is free


def test_a_free_row_keeps_its_mean():
    """A row of the gradient sums to zero, so the sum of the row's logits never moves."""
    done = reduced.simulate_reduced(**COMMON, n_steps=500, n_records=20, train_diagonal=True, generator=generator())
    run = observed(SPATIAL_VIT_REDUCED, done)
    rows = run.curves["diagonal_logit"] + run.curves["within_logit"] + 6 * run.curves["across_logit"]
    np.testing.assert_allclose(rows, COMMON["diagonal_logit"], rtol=1e-12)
    assert run.observables["associated"] is True


def test_both_diagonals_are_followed_from_one_start():
    both = diagonal.compare_diagonals(**COMMON, n_steps=10**6, n_records=9, generator=generator())
    found = observed(SPATIAL_VIT_DIAGONAL, both)
    for name, free in (("fixed", False), ("free", True)):
        done = reduced.simulate_reduced(
            **COMMON, n_steps=10**6, n_records=9, dynamics="flow", train_diagonal=free, generator=generator()
        )
        run = observed(SPATIAL_VIT_REDUCED, done)
        np.testing.assert_array_equal(found.curves[f"{name}_within_logit"], run.curves["within_logit"])
        assert found.observables[f"{name}_ending"] == run.observables["ending"]
    assert (found.curves["fixed_diagonal_logit"] == 1.0).all()
    assert found.curves["free_diagonal_logit"][-1] > 1.1
    ratio = found.observables["free_test_error"] / found.observables["fixed_test_error"]
    assert math.exp(found.observables["log_error_ratio"]) == pytest.approx(ratio)


@pytest.mark.parametrize(("within", "across"), [(0.2, -0.4), (2.0, -1.0), (-1.0, 0.5), (0.3, 0.3)])
def test_smallest_eigenvalue_is_that_of_the_matrix(within, across):
    sets = data.contiguous_sets(SETTING)
    values = torch.tensor([across, within], dtype=torch.float64)
    matrix = values[(sets[:, None] == sets).long()]
    matrix.fill_diagonal_(SETTING.diagonal_logit)
    expected = float(torch.linalg.eigvalsh(matrix)[0])
    assert smallest_eigenvalue(SETTING, within=within, across=across) == pytest.approx(expected, abs=1e-12)


def test_least_error_is_the_chance_that_no_sum_passes_the_threshold_alone():
    """f* = 0 where the sets beyond 0.9 C cancel: counted over all 3^4 contents of the two random sets."""
    q, total = SETTING.spurious_rate, 0.0
    for values in itertools.product((0, 1, -1), repeat=4):
        sums = [2, values[0] + values[1], values[2] + values[3]]
        if sum(s for s in sums if abs(s) > 1.8) == 0:
            total += math.prod(1 - q if value == 0 else q / 2 for value in values)
    assert expected_errors.least_error(population.exact_types(SETTING), SETTING) == pytest.approx(total, rel=1e-12)


def test_logits_of_gaussian_encodings_entry_by_entry():
    found = encodings.sample_logits(n_patches=5, diagonal_logit=2.0, generator=generator(3)).observables
    drawn = torch.randn(5, 5, generator=generator(3), dtype=torch.float64) * math.sqrt(2 / 5)
    entries = {(i, j): sum(float(drawn[k, i] * drawn[k, j]) for k in range(5)) for i in range(5) for j in range(5)}
    inside, outside = ([v for (i, j), v in entries.items() if (i == j) is same] for same in (True, False))
    assert found["diagonal_mean"] == pytest.approx(sum(inside) / 5)
    assert (found["diagonal_smallest"], found["diagonal_largest"]) == pytest.approx((min(inside), max(inside)))
    assert found["across_typical"] == pytest.approx(math.sqrt(sum(v * v for v in outside) / 20))
    sizes = [abs(v) for v in outside]
    assert (found["across_smallest"], found["across_largest"]) == pytest.approx((min(sizes), max(sizes)))
    first = sum(max(range(5), key=lambda j, i=i: entries[i, j]) == i for i in range(5))
    assert found["associates_itself"] == first / 5
    with pytest.raises(ValueError, match="diagonal_logit must be > 0, got -1"):
        encodings.sample_logits(n_patches=5, diagonal_logit=-1.0, generator=generator())


def test_steps_along_the_learning_rate_move_gamma_by_its_derivative():
    found = steps.measure_steps(
        axis="learning_rate", learning_rate=1e-3, last=0.5, n_points=4, n_patches=12, set_size=3, spurious_patches=3.0,
        linear_power=2.0, activation_power=5, diagonal_logit=1.0, generator=generator(),
    ).curves  # fmt: skip
    np.testing.assert_allclose(found["learning_rate"], np.geomspace(1e-3, 0.5, 4))
    np.testing.assert_allclose(found["within_moved"], found["learning_rate"] * found["within_descent"], rtol=1e-12)
    table = population.exact_types(
        Setting(
            n_patches=12, set_size=3, spurious_rate=0.25, activation_power=5, linear_coefficient=12**-2,
            diagonal_logit=1.0, temperature=1.0,
        )
    )  # fmt: skip
    assert table.n_rows > 0
    assert found["feature_alignment"] == pytest.approx(12 ** (-2 / 4))


@pytest.mark.parametrize("power", [3, 5])
def test_below_the_start_the_linear_part_moves_no_logit_at_first_order(power):
    """The increment follows alpha^p, four decades below the alpha at which the activation turns linear."""
    found = steps.measure_steps(
        axis="alignment_scale", alignment_scale=1e-2, last=1.0, n_points=5, n_patches=12, set_size=3,
        spurious_patches=3.0, linear_power=8.0, activation_power=power, diagonal_logit=1.0, generator=generator(),
    ).curves  # fmt: skip
    slopes = np.diff(np.log(found["within_descent"])) / np.diff(np.log(found["feature_alignment"]))
    np.testing.assert_allclose(slopes, power, atol=0.02)


def test_longer_encodings_have_larger_products():
    as_drawn, longer = (
        encodings.sample_logits(n_patches=5, diagonal_logit=2.0, length_factor=factor, generator=generator(3))
        for factor in (1.0, 3.0)
    )
    for name in ("diagonal_mean", "across_typical", "across_smallest"):
        assert longer.observables[name] == pytest.approx(9 * as_drawn.observables[name])
