"""What the checks of Theorem 4.2 and Figure 4 read from a trial."""

import numpy as np
import pytest
import sympy as sp

from checks.records.pictures import Lines, Matrix
from checks.records.preset import Preset
from checks.spatial_vit import figure_4, realistic
from checks.spatial_vit.setting import symbols
from sim.trials.trial import Outcome, Trial, TrialResult, TrialSpec
from theory.claim import Role
from theory.spatial_vit import notation


def trial(steps, rows, *, n_patches=8, **observables):
    curves = {"step": np.array(steps, dtype=float), "associated_rows": np.array(rows, dtype=float)}
    spec = TrialSpec(realistic.SPATIAL_VIT, {"n_patches": n_patches})
    return Trial(spec, TrialResult(Outcome.BUDGET, observables, curves), 0.0)


@pytest.mark.parametrize(
    ("rows", "stands"),
    [
        ((0, 0.5, 1, 1), True),
        ((0, 1, 1, 0.875), False),
        ((0, 1, 0.875, 1), False),
        ((0, 1, 0.875, 0.5), False),
        ((0, 1), False),
    ],
)
def test_association_stays_from_sixteen_squared_patches_on(rows, stands):
    """A run that has nothing to lose by then shows nothing."""
    assert realistic._stays(trial((0, 1000, 1100, 9000)[: len(rows)], rows)) is stands


@pytest.mark.parametrize(("error", "below"), [(0.05, True), (0.0735, True), (0.075, False), (0.09, False)])
def test_an_error_must_lie_below_that_of_uniform_attention_by_three_standard_errors(error, below):
    """Uniform attention errs 0.08, which 20 000 test points tell to 0.0019; the level is half way to the floor."""
    run = trial((0,), (0,), test_error=error, error_floor=0.06, structure_level=0.07)
    spec = TrialSpec(realistic.SPATIAL_VIT, {"n_patches": 8, "n_test": 20_000})
    assert realistic.below_uniform(Trial(spec, run.result, 0.0)) is below


def test_endings_are_counted_the_most_frequent_first():
    runs = [trial((0,), (0,), ending=name) for name in ("no_association", "structure_learned", "structure_learned")]
    assert realistic.endings(runs) == "endings: 2 structure learned, 1 no association"
    assert realistic.endings([]) == ""


def test_spread_names_both_ends():
    runs = [trial((0,), (0,), cosine=value) for value in (0.5, 0.25, 0.75)]
    assert realistic.spread(runs, "cosine", "cosine") == "cosine from 0.25 to 0.75"
    assert realistic.spread(runs[:1], "cosine", "cosine") == "cosine 0.5"
    assert realistic.spread(runs, "error", "error") == ""


def test_parameters_become_the_papers_letters():
    found = symbols({"n_patches": 8, "spurious_rate": 0.25, "patch_dimension": 16, "diagonal_logit": 1.0, "risk": "x"})
    assert found[notation.D] == 8
    assert found[notation.q] == sp.Rational(1, 4)
    assert found[notation.sigma] ** 2 * found[notation.d] == 1
    assert found[notation.sigma_A] == found[notation.beta] == 1
    assert len(found) == 6


def test_figure_4_draws_what_the_paper_draws():
    curves = {
        "sets": np.array([0.0, 0.0, 1.0, 1.0]), "final_logits": np.arange(16.0).reshape(4, 4),
        "step": np.array([0.0, 1.0]), "test_error": np.array([0.5, 0.1]), "train_error": np.array([0.5, 0.0]),
        "cosine": np.array([0.0, 1.0]),
    }  # fmt: skip
    run = Trial(trial((0,), (0,)).spec, TrialResult(Outcome.BUDGET, {"error_floor": 0.05}, curves), 0.0)
    mask, learned, error, cosine = figure_4.pictures(run)
    assert isinstance(mask, Matrix)
    assert mask.values.tolist() == np.kron(np.eye(2), np.ones((2, 2))).tolist()
    assert isinstance(learned, Matrix)
    assert np.isnan(np.diag(learned.values)).all()
    assert learned.values[0, 1] == 1
    assert isinstance(error, Lines)
    assert error.level == ("test error's floor", 0.05)
    assert isinstance(cosine, Lines)
    assert cosine.lines["cosine"].tolist() == [0.0, 1.0]


def test_figure_4_has_the_same_three_criteria_for_every_protocol_and_states_three():
    names = [part.name for part in figure_4.B_FIG_4.parts]
    n_text = sum(name.startswith("text") for name in figure_4._PROTOCOLS)
    # What the figure shows of either network, beside two stricter criteria each.
    assert len(names) == 3 * len(figure_4._PROTOCOLS) + 2 * n_text == len(set(names))
    stated = [part.name for part in figure_4.B_FIG_4.parts if part.role is Role.STATEMENT]
    assert [name.partition(":")[0] for name in stated] == ["text"] * 3
    read = {part.name.partition(":")[0] for part in figure_4.B_FIG_4.parts if part.role is Role.READING}
    # The network of (T) is read where it has samples enough; with fewer it is a question of ours.
    assert (
        read
        == {"text, sqrt(d), 20 000 samples"}
        < {name for name in figure_4._PROTOCOLS if name.startswith("text, sqrt(d)")}
    )
    drawn = [part.name for part in figure_4.B_FIG_4.parts if part.pictures]
    assert len(drawn) == len(figure_4._PROTOCOLS)
    (script,) = figure_4._PROTOCOLS["script"][Preset.QUICK]
    (spec, *_) = script.specs()
    assert spec.parameters["patch_factor"] is spec.parameters["projected_noise"] is False
