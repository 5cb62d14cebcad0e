"""Simulators of drawn textbook facts against a second witness: enumeration, a naive loop, or a closed form."""

from __future__ import annotations

import itertools
import math
from fractions import Fraction

import numpy as np
import pytest
import torch

from sim.classical.extremes import simulate_gaussian_maximum
from sim.classical.matrices import simulate_singular_values
from sim.classical.occupancy import simulate_birthdays, simulate_coupons
from sim.classical.percolation import largest_cluster, simulate_percolation
from sim.classical.random_graphs import simulate_random_graph
from sim.classical.regression import simulate_least_squares, simulate_ridge
from sim.classical.sorting import longest_increasing, simulate_quicksort, simulate_subsequence
from sim.classical.walks import simulate_exit
from sim.trials.trial import TrialResult


def seeded(seed: int = 0) -> torch.Generator:
    return torch.Generator().manual_seed(seed)


def number(result: TrialResult, name: str) -> float:
    return float(result.observables[name])


# ------------------------------------------------------------------------------------------------------- regression


@pytest.mark.parametrize(("n_samples", "dimension"), [(12, 3), (4, 9)])
def test_least_squares_is_the_pseudoinverse_of_the_same_data(n_samples: int, dimension: int) -> None:
    again = seeded()
    design = torch.randn(5, n_samples, dimension, generator=again, dtype=torch.float64).numpy()
    noise = torch.randn(5, n_samples, 1, generator=again, dtype=torch.float64).numpy()[:, :, 0]
    truth = np.eye(dimension)[0] * 0.7
    errors = [np.linalg.pinv(x) @ (x @ truth + e) - truth for x, e in zip(design, noise, strict=True)]
    found = simulate_least_squares(n_samples=n_samples, dimension=dimension, n_draws=5, signal=0.7, generator=seeded())
    assert number(found, "excess_risk") == pytest.approx(np.mean([error @ error for error in errors]), rel=1e-10)


def test_ridge_on_orthogonal_columns_shrinks_each_coordinate_alone() -> None:
    again = seeded()
    drawn = torch.randn(4, 20, 3, generator=again, dtype=torch.float64)
    noise = torch.randn(4, 20, 1, generator=again, dtype=torch.float64)
    errors = []
    for x, e in zip(drawn, noise[:, :, 0], strict=True):
        basis = torch.linalg.qr(x).Q
        shrunk = (20 * torch.eye(3, dtype=torch.float64)[0] + 20**0.5 * basis.T @ e) / (20 + 6.0)
        errors.append(float((shrunk - torch.eye(3, dtype=torch.float64)[0]).square().sum()))
    found = simulate_ridge(n_samples=20, dimension=3, penalty=6.0, n_draws=4, generator=seeded())
    assert number(found, "excess_risk") == pytest.approx(np.mean(errors), rel=1e-10)


# --------------------------------------------------------------------------------------------------------- extremes


@pytest.mark.parametrize(("n", "expected"), [(1, 0.0), (2, 1 / math.sqrt(math.pi)), (3, 1.5 / math.sqrt(math.pi))])
def test_the_largest_of_few_normals_has_its_known_mean(n: int, expected: float) -> None:
    found = simulate_gaussian_maximum(n_variables=n, n_draws=40_000, generator=seeded())
    assert number(found, "expected_maximum") == pytest.approx(expected, abs=0.02)  # four standard errors


# -------------------------------------------------------------------------------------------------------- occupancy


def test_coupons_are_counted_as_a_naive_loop_counts_them() -> None:
    again, waits = seeded(), []
    drawn = torch.randint(6, (3, 24), generator=again)
    for row in drawn.tolist():
        seen: set[int] = set()
        waits.append(next(i for i, coupon in enumerate(row, 1) if not seen.add(coupon) and len(seen) == 6))
    found = simulate_coupons(n_coupons=6, n_draws=3, generator=seeded())
    assert number(found, "expected_draws") == np.mean(waits)


def test_one_coupon_takes_one_draw_and_many_take_several_chunks() -> None:
    assert number(simulate_coupons(n_coupons=1, n_draws=3, generator=seeded()), "expected_draws") == 1
    found = simulate_coupons(n_coupons=3, n_draws=20_000, generator=seeded())  # some need more than the first 12
    assert number(found, "expected_draws") == pytest.approx(5.5, abs=0.08)


def test_birthdays_of_three_on_four_days_are_shared_as_often_as_enumerated() -> None:
    shared = sum(len(set(days)) < 3 for days in itertools.product(range(4), repeat=3))
    generator = seeded()
    found = [simulate_birthdays(n_days=4, n_people=3, generator=generator).observables["success"] for _ in range(4000)]
    assert np.mean(found) == pytest.approx(shared / 64, abs=0.03)


# ---------------------------------------------------------------------------------------------------- random graphs


@pytest.mark.parametrize("n_edges", [2, 3, 4, 6])
def test_graphs_on_four_vertices_are_connected_as_often_as_enumerated(n_edges: int) -> None:
    pairs = list(itertools.combinations(range(4), 2))
    graphs = list(itertools.combinations(pairs, n_edges))
    expected = sum(map(connected, graphs)) / len(graphs)
    generator = seeded()
    found = [
        simulate_random_graph(n_vertices=4, n_edges=n_edges, generator=generator).observables["success"]
        for _ in range(400)
    ]
    assert np.mean(found) == pytest.approx(expected, abs=0.08)


def connected(edges: tuple[tuple[int, int], ...]) -> bool:
    """Whether four vertices hang together, by spreading from the first."""
    reached = {0}
    for _ in range(4):
        reached |= {end for edge in edges if reached & set(edge) for end in edge}
    return len(reached) == 4


# ---------------------------------------------------------------------------------------------------------- sorting


def test_quicksort_costs_what_the_recursion_over_pivots_says() -> None:
    costs = [Fraction(0), Fraction(0)]
    for size in range(2, 8):
        costs.append(size - 1 + 2 * sum(costs) / size)
    found = simulate_quicksort(n_items=7, n_draws=20_000, generator=seeded())
    assert number(found, "expected_comparisons") == pytest.approx(float(costs[7]), abs=0.06)


def test_quicksort_of_two_is_one_comparison_and_of_one_none() -> None:
    for n_items, expected in ((1, 0), (2, 1)):
        found = simulate_quicksort(n_items=n_items, n_draws=3, generator=seeded())
        assert number(found, "expected_comparisons") == expected


def test_patience_finds_the_longest_increasing_subsequence_of_every_permutation() -> None:
    for values in itertools.permutations(range(6)):
        longest = max(
            len(chosen)
            for size in range(1, 7)
            for chosen in itertools.combinations(values, size)
            if list(chosen) == sorted(chosen)
        )
        assert longest_increasing(list(values)) == longest


def test_subsequences_of_three_have_mean_length_two() -> None:
    found = simulate_subsequence(n_items=3, n_draws=5000, generator=seeded())
    assert number(found, "expected_length") == pytest.approx(2.0, abs=0.04)  # 3, 2, 2, 2, 2, 1


# ------------------------------------------------------------------------------------------------------------ walks


@pytest.mark.parametrize(("below", "above"), [(1, 1), (2, 5), (9, 9)])
def test_walks_leave_as_the_linear_equations_say(below: int, above: int) -> None:
    size = below + above - 1  # places strictly between the barriers
    step = 0.5 * (np.eye(size, k=1) + np.eye(size, k=-1))
    times = np.linalg.solve(np.eye(size) - step, np.ones(size))
    sides = np.linalg.solve(np.eye(size) - step, 0.5 * np.eye(size)[-1])
    found = simulate_exit(below=below, above=above, n_draws=4000, generator=seeded())
    assert number(found, "expected_exit_time") == pytest.approx(times[below - 1], rel=0.06)
    assert number(found, "share_above") == pytest.approx(sides[below - 1], abs=0.03)


# --------------------------------------------------------------------------------------------------------- matrices


@pytest.mark.parametrize(("n_rows", "n_columns"), [(5, 3), (3, 5), (4, 4)])
def test_singular_values_are_those_of_the_same_matrices(n_rows: int, n_columns: int) -> None:
    drawn = torch.randn(6, n_rows, n_columns, generator=seeded(), dtype=torch.float64)
    values = torch.linalg.svdvals(drawn)
    found = simulate_singular_values(n_rows=n_rows, n_columns=n_columns, n_draws=6, generator=seeded())
    assert number(found, "expected_operator_norm") == pytest.approx(float(values[:, 0].mean()))
    assert number(found, "expected_smallest_singular_value") == pytest.approx(float(values[:, -1].mean()), rel=1e-6)


# ------------------------------------------------------------------------------------------------------ percolation


@pytest.mark.parametrize("seed", range(20))
def test_the_largest_cluster_is_what_a_flood_fills(seed: int) -> None:
    is_open = torch.rand(7, 7, generator=seeded(seed)) < 0.5
    assert largest_cluster(is_open) == flooded(is_open.tolist())


def flooded(is_open: list[list[bool]]) -> int:
    """Sites of the largest cluster on a torus of the triangular lattice, site by site."""
    width, seen, largest = len(is_open), set(), 0
    for start in itertools.product(range(width), repeat=2):
        waiting, size = [start], 0
        while waiting:
            i, j = waiting.pop()
            if (i, j) in seen or not is_open[i][j]:
                continue
            seen.add((i, j))
            size += 1
            around = ((1, 0), (-1, 0), (0, 1), (0, -1), (1, 1), (-1, -1))
            waiting += [((i + a) % width, (j + b) % width) for a, b in around]
        largest = max(largest, size)
    return largest


def test_percolation_of_closed_and_open_boxes() -> None:
    assert largest_cluster(torch.zeros(4, 4, dtype=torch.bool)) == 0
    assert number(simulate_percolation(width=5, n_draws=2, open_rate=1.0, generator=seeded()), "largest_cluster") == 25
