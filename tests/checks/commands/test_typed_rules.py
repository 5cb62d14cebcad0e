"""What is claimed as text in the rules of Python, and columns of a table: the same verdicts as with numbers."""

from __future__ import annotations

import inspect
from typing import Any

import numpy as np
import pytest

import theoremeter
from theoremeter import Estimate, Interval, judge_exact, judge_explicit, judge_fraction, judge_joint, judge_scaling

N = np.array([10.0, 20, 40, 80, 160, 320])
RUNS = 5 / N[:, None] * np.exp(0.1 * np.random.default_rng(0).standard_normal((6, 30)))
ORDER = {"relation": "tight", "margin": 0.25}


class Column(np.ndarray):
    """What of a column of pandas counts: an array with `to_numpy`."""

    def to_numpy(self) -> np.ndarray:
        return np.asarray(self)


def column(values: Any) -> Column:
    return np.asarray(values).view(Column)


def test_a_claim_as_text_is_judged_as_its_numbers_are() -> None:
    assert judge_scaling(N, RUNS, "5/n", **ORDER) == judge_scaling(N, RUNS, 5 / N, **ORDER)
    assert judge_scaling(N, RUNS, "d/n", let={"d": 5}, **ORDER) == judge_scaling(N, RUNS, 5 / N, **ORDER)
    assert judge_scaling(N, RUNS, "n^(-3/2)", **ORDER).verdict == "violated"
    typed = judge_exact(RUNS, "d/n", let={"n": N, "d": "5"}, margin=0.2)
    assert typed == judge_exact(RUNS, 5 / N, margin=0.2)
    assert judge_explicit(RUNS, "6/n", let={"n": N}, relation="upper").verdict == "holds"
    assert judge_fraction([1, 2], [400, 400], "1/n", let={"n": [10, 10]}, relation="upper").verdict == "holds"
    found = [Estimate(3 * n, Interval(2.9 * n, 3.1 * n), standard_error=0.02, n_trials=20) for n in N]
    assert theoremeter.judge_thresholds(N, found, "n", **ORDER).verdict == "tight"
    grid = np.repeat(N, 6), np.tile(N, 6)
    axes = {"n": (grid[0], "infinity"), "d": (grid[1], "infinity")}
    samples = (grid[1] / grid[0])[:, None] * np.exp(0.05 * np.random.default_rng(1).standard_normal((36, 4)))
    assert {one.verdict for one in judge_joint(axes, samples, "d/n", **ORDER).values()} == {"tight"}


@pytest.mark.parametrize(
    ("text", "let", "told"),
    [
        ("d/n", {}, "claimed must have one letter, the axis, beside those of let, got d, n"),
        ("1/n", {"e": 1}, "let must give letters of claimed, got 'e'"),
        ("1/(n - 10)", {}, "claim must have a real value at n = 10"),
        ("__import__('os').getcwd()", {}, "claimed must have one letter"),
        ("lambda: 1", {}, "claimed must be made of numbers, names"),
        ("n" + "+n" * 5000, {}, "claimed must have at most"),
        ("n^9999999", {}, "claimed must have exponents of at most 10000"),
        ("d/n", {"d": [1, 2]}, r"d must be a number, or one a point \(6\), got \(2,\)"),
        ("d/n", {"d": float("nan")}, "d must be finite, got nan"),
        ("1/n <= 2", {}, "claimed must be an expression without a relation"),
    ],
)
def test_a_text_outside_the_grammar_is_refused(text: str, let: dict[str, Any], told: str) -> None:
    with pytest.raises(ValueError, match=told):
        judge_scaling(N, RUNS, text, let=let, **ORDER)


def test_letters_go_with_a_text_alone() -> None:
    with pytest.raises(ValueError, match="let must go with a formula as text, got it with claimed as numbers"):
        judge_scaling(N, RUNS, 5 / N, let={"d": 5}, **ORDER)
    assert list(inspect.signature(judge_scaling).parameters)[:3] == ["axis", "samples", "claimed"]
    assert "let" in inspect.signature(judge_scaling).parameters


def test_a_column_of_a_table_is_a_run_a_row() -> None:
    """Rows of one axis value are runs of one point, in any order; else every row is a point of one run."""
    order = np.random.default_rng(2).permutation(180)
    long = column(np.repeat(N, 30)[order]), column(RUNS.ravel()[order])
    grouped = [long[1][long[0] == n] for n in N]
    assert judge_scaling(*long, "1/n", **ORDER) == judge_scaling(N, grouped, 1 / N, **ORDER)
    single = judge_scaling(column(N), column(RUNS[:, 0]), "1/n", **ORDER)
    assert single == judge_scaling(N, RUNS[:, :1], 1 / N, **ORDER)
    with pytest.raises(ValueError, match="one run a point is samples"):
        judge_scaling(N, RUNS[:, 0], 1 / N, **ORDER)


class Index:
    """What of an index of pandas counts."""

    def __init__(self, *labels: int) -> None:
        self.labels = labels

    def equals(self, other: Index) -> bool:
        return self.labels == other.labels


def indexed(values: Any, *labels: int) -> Column:
    found = column(values)
    vars(found)["index"] = Index(*labels)
    return found


def test_columns_of_other_indices_are_refused_and_never_paired_by_place() -> None:
    """Planted: a frame shuffled, its own column in its old order."""
    n, risk = np.repeat(N, 5), RUNS[:, :5].ravel()
    rows = range(len(n))
    shuffled = np.random.default_rng(0).permutation(len(n))
    assert judge_scaling(indexed(n, *rows), indexed(risk, *rows), "5/n", **ORDER).verdict == "tight"
    with pytest.raises(ValueError, match="samples must have the index of axis, got another; columns are paired"):
        judge_scaling(indexed(n[shuffled], *shuffled), indexed(risk, *rows), "5/n", **ORDER)
    with pytest.raises(ValueError, match="d must have the index of axis"):
        judge_scaling(indexed(n, *rows), risk[:, None], "d/n", let={"d": indexed(5 + 0 * n, *shuffled)}, **ORDER)


@pytest.mark.parametrize(
    ("rule", "arguments", "told"),
    [
        (judge_scaling, (RUNS, N, "1/n"), r"axis must be one number a point \[points\], got shape \(6, 30\)"),
        (judge_joint, ([1, 2], RUNS, "1/n"), "axes must map names to .values, toward.*, got list"),
        (judge_joint, ({"n": N}, RUNS, "1/n"), "axes must map names to .values, toward.*, got ndarray for 'n'"),
    ],
)
def test_what_is_no_axis_is_refused_by_the_name_of_its_argument(rule: Any, arguments: tuple, told: str) -> None:
    with pytest.raises(ValueError, match=told):
        rule(*arguments, **ORDER)
