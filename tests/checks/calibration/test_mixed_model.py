"""The mixed model against what is known in closed form, and what the page says of cells that hide what is planted."""

from __future__ import annotations

import math
from dataclasses import replace

import numpy as np
import pytest

from checks.calibration import page
from checks.calibration.grid import all_cells
from checks.calibration.measure import Rates
from checks.calibration.mixed_model import mixed_line
from checks.statistics.verdict import Verdict

X = np.linspace(0.0, 3.0, 7)


def samples(seed: int, *, between: float = 0.0, replicates: int = 5) -> np.ndarray:
    rng = np.random.default_rng(seed)
    return 0.3 * X[:, None] + between * rng.standard_normal((7, 1)) + 0.1 * rng.standard_normal((7, replicates))


def test_points_that_scatter_have_the_t_interval_of_their_means() -> None:
    """Balanced data: the slope is that of least squares, its error that of lack of fit, with n - 2 degrees."""
    logs = samples(0, between=0.5)
    means = logs.mean(axis=1)
    slope, level = np.polyfit(X, means, 1)
    left = means - slope * X - level
    error = math.sqrt(float(left @ left) / 5 / float(np.sum((X - X.mean()) ** 2)))
    found = mixed_line(X, logs, ("replicate", "point"))
    assert found.slope == pytest.approx(slope, abs=1e-9)
    assert found.standard_error == pytest.approx(error, rel=1e-3)
    assert found.freedom == pytest.approx(5, rel=1e-2)


def test_columns_of_their_own_exponents_have_the_t_interval_of_their_slopes() -> None:
    rng = np.random.default_rng(1)
    logs = samples(1) + 0.4 * rng.standard_normal(5) * (X - X.mean())[:, None]
    slopes = np.polyfit(X, logs, 1)[0]
    found = mixed_line(X, logs, ("replicate", "slope"))
    assert found.slope == pytest.approx(slopes.mean(), abs=1e-9)
    assert found.standard_error == pytest.approx(slopes.std(ddof=1) / math.sqrt(5), rel=1e-2)
    assert found.freedom == pytest.approx(4, rel=0.05)


def test_missing_and_cut_off_runs_are_refused() -> None:
    logs = samples(2)
    logs[0, 0] = np.inf
    with pytest.raises(ValueError, match="logs must be finite"):
        mixed_line(X, logs)


def cell_named(name: str):
    return next(cell for cell in all_cells() if cell.name == name)


def test_what_no_rule_can_see_is_said_and_is_the_limit_instead_of_the_target() -> None:
    """None of 8 pairs collapses in 0.9^8 = 43 %, so 40 % wrong is no miss and 60 % is one."""
    cell = cell_named("pairs/8/one in ten collapses")
    rates = Rates(cell, 1000, {Verdict.HOLDS: 400, Verdict.INCONCLUSIVE: 600}, 1000, 600, 1.0)
    assert cell.unseen.rate == pytest.approx(0.9**8)
    assert page.misses(rates) == []
    assert "none of 8 pairs collapses in 43 %" in page.render([rates], command="x")
    assert page.misses(replace(rates, verdicts={Verdict.HOLDS: 600})) == ["wrong holds"]


def test_a_bend_is_hidden_by_its_distance_from_a_line() -> None:
    """Half the noise doubles the distance; a large one hides nothing."""
    quiet, loud = (cell_named(f"bend/late offset/{noise}/7").unseen for noise in ("0.05", "0.1"))
    assert quiet.rate < 0.01 < 0.2 < loud.rate < 0.35
    assert cell_named("no line/S/0.05/7 x 5").unseen.rate < 1e-6
