"""What no simulator may violate, on drawn inputs: symmetries, scales, rows of softmax, independence within a batch.

`target` drives hypothesis toward the largest deviation; the bounds are rounding, in units of the last place.
"""

from __future__ import annotations

from dataclasses import replace

import pytest
import torch
from hypothesis import example, given, target
from hypothesis import strategies as st

from sim.shallow_vit import gradients as shallow_gradients
from sim.shallow_vit import model as shallow
from sim.spatial_vit.network import model as spatial
from sim.spatial_vit.network.descent import record_steps
from sim.spatial_vit.network.setting import Setting
from sim.spatial_vit.reduced import population

SEEDS = st.integers(0, 2**32 - 1)
SCALES = st.sampled_from([0.01, 0.3, 1.0, 4.0, 30.0])
ROUNDING = 1e-12


def generator_of(seed: int) -> torch.Generator:
    return torch.Generator().manual_seed(seed)


def normal(generator: torch.Generator, *shape: int) -> torch.Tensor:
    return torch.randn(*shape, generator=generator, dtype=torch.float64)


def deviation(found: torch.Tensor, expected: torch.Tensor, of: str = "output") -> float:
    """Largest difference relative to the larger of 1 and the largest entry; a target of the search under label `of`."""
    size = float((found - expected).abs().max()) / max(1.0, float(expected.abs().max()))
    target(size, label=of)
    return size


class Shallow:
    """A drawn batch and network of paper A."""

    def __init__(self, seed: int, scale: float, *, shared: bool = True) -> None:
        generator = generator_of(seed)
        n, length, dimension, n_neurons = (2 + seed % k for k in (3, 5, 4, 6))
        self.tokens = normal(generator, n, length, dimension)
        self.labels = torch.randint(2, (n,), generator=generator).double() * 2 - 1
        matrix = lambda *shape: scale * normal(generator, *shape)  # noqa: E731
        self.weights = shallow.Weights(
            hidden=matrix(n_neurons, dimension),
            value=matrix(dimension, dimension),
            key=matrix(dimension, dimension),
            query=matrix(dimension, dimension),
            output=torch.sign(normal(generator, *((n_neurons,) if shared else (length, n_neurons)))),
        )


def with_(weights: shallow.Weights, **changes: torch.Tensor) -> shallow.Weights:
    names = ("hidden", "value", "key", "query", "output")
    return shallow.Weights(**{name: changes.get(name, getattr(weights, name)) for name in names})


class TestShallow:
    @given(SEEDS, SCALES)
    @example(seed=0, scale=1e4)
    def test_attention_rows_are_distributions(self, seed, scale):
        drawn = Shallow(seed, scale)
        rows = shallow.attention(drawn.tokens, drawn.weights.scoring)
        assert (rows >= 0).all()
        assert deviation(rows.sum(-1), torch.ones(())) < ROUNDING

    @given(SEEDS, st.sampled_from([0.01, 0.3, 1.0]), st.floats(-50, 50))
    def test_a_uniform_shift_of_a_query_s_logits_changes_nothing(self, seed, scale, shift):
        """A coordinate that is 1 in every token turns one row of the scoring into a shift by the query alone."""
        drawn = Shallow(seed, scale)
        ones = torch.ones(*drawn.tokens.shape[:2], 1, dtype=torch.float64)
        tokens, size = torch.cat([drawn.tokens, ones], dim=-1), drawn.tokens.shape[-1] + 1
        scoring = torch.zeros(size, size, dtype=torch.float64)
        scoring[:-1, :-1] = drawn.weights.scoring
        shifted = scoring.clone()
        shifted[-1, :] = shift
        assert deviation(shallow.attention(tokens, shifted), shallow.attention(tokens, scoring)) < 1e-10

    @given(SEEDS)
    def test_a_shift_by_the_key_is_not_uniform(self, seed):
        """The planted falsehood: the other row and column of the scoring, and a softmax over the wrong axis."""
        drawn = Shallow(seed, 1.0)
        logits = drawn.tokens @ drawn.weights.scoring.T @ drawn.tokens.transpose(1, 2)
        rows = shallow.attention(drawn.tokens, drawn.weights.scoring)
        assert deviation(torch.softmax(logits + drawn.tokens[:, None, :, 0], dim=-1), rows) > ROUNDING
        assert deviation(torch.softmax(logits, dim=1).sum(-1), torch.ones(()), "wrong axis") > ROUNDING

    @given(SEEDS, SCALES, st.randoms(use_true_random=False))
    def test_permuting_tokens_permutes_attention_and_keeps_the_output(self, seed, scale, shuffler):
        drawn = Shallow(seed, scale)
        order = list(range(drawn.tokens.shape[1]))
        shuffler.shuffle(order)
        permuted = drawn.tokens[:, order]
        rows = shallow.attention(drawn.tokens, drawn.weights.scoring)
        assert (
            deviation(shallow.attention(permuted, drawn.weights.scoring), rows[:, order][:, :, order], "rows") < 1e-10
        )
        expected = shallow.predict(drawn.tokens, drawn.weights)
        assert deviation(shallow.predict(permuted, drawn.weights), expected) < 1e-10

    @given(SEEDS, SCALES, st.booleans())
    def test_samples_of_a_batch_do_not_meet(self, seed, scale, shared):
        drawn = Shallow(seed, scale, shared=shared)
        together = shallow.predict(drawn.tokens, drawn.weights)
        alone = torch.cat([shallow.predict(sample[None], drawn.weights) for sample in drawn.tokens])
        assert deviation(alone, together) < ROUNDING
        assert deviation(shallow_gradients.evaluate(drawn.tokens, drawn.weights), together, "chunks") < ROUNDING

    @given(SEEDS, st.sampled_from([0.1, 0.5, 1.0]))
    def test_flipping_labels_and_output_layer_keeps_loss_and_gradient(self, seed, scale):
        drawn = Shallow(seed, scale)
        flipped = with_(drawn.weights, output=-drawn.weights.output)
        assert torch.equal(shallow.predict(drawn.tokens, flipped), -shallow.predict(drawn.tokens, drawn.weights))
        first = shallow_gradients.hinge_gradient(drawn.tokens, drawn.labels, drawn.weights)
        second = shallow_gradients.hinge_gradient(drawn.tokens, -drawn.labels, flipped)
        assert (first.loss, first.n_active) == (second.loss, second.n_active)
        if first.gradient is not None:
            for name in ("hidden", "value", "key", "query"):
                assert deviation(getattr(second.gradient, name), getattr(first.gradient, name), name) < ROUNDING

    @given(SEEDS, st.sampled_from([0.1, 0.5, 1.0]), st.floats(0.1, 10))
    def test_scales_move_between_matrices(self, seed, scale, factor):
        """Neurons against values, and keys against queries; the output is homogeneous in the neurons."""
        drawn = Shallow(seed, scale)
        weights, expected = drawn.weights, shallow.predict(drawn.tokens, drawn.weights)
        moved = with_(weights, hidden=factor * weights.hidden, value=weights.value / factor)
        scored = with_(weights, key=factor * weights.key, query=weights.query / factor)
        assert deviation(shallow.predict(drawn.tokens, moved), expected) < 1e-11
        assert deviation(shallow.predict(drawn.tokens, scored), expected, "scores") < 1e-10
        grown = shallow.predict(drawn.tokens, with_(weights, hidden=factor * weights.hidden))
        assert deviation(grown, factor * expected, "grown") < 1e-11

    @given(st.floats(-5, 5), st.sampled_from([-1.0, 1.0]))
    @example(output=1.0, label=1.0)
    @example(output=-1.0, label=-1.0)
    def test_hinge_is_the_margin_that_lacks(self, output, label):
        loss = float(shallow.hinge(torch.tensor(output), torch.tensor(label)))
        assert loss == pytest.approx(max(0.0, 1 - label * output), abs=1e-6)


def setting_of(seed: int, temperature: float = 1.0) -> Setting:
    size, n_sets = 2 + seed % 3, 2 + seed // 3 % 3
    return Setting(
        n_patches=size * n_sets, set_size=size, spurious_rate=seed % 5 / 4, activation_power=3 + 2 * (seed % 2),
        linear_coefficient=1 / 64, diagonal_logit=1.0, temperature=temperature,
    )  # fmt: skip


class Spatial:
    """A drawn batch, logits and setting of paper B."""

    def __init__(self, seed: int, scale: float, temperature: float = 1.0) -> None:
        self.setting, generator = setting_of(seed, temperature), generator_of(seed)
        d = self.setting.n_patches
        self.projections = normal(generator, 4, d) / d
        self.logits = scale * normal(generator, d, d)
        self.labels = torch.randint(2, (4,), generator=generator).double() * 2 - 1
        self.masses = torch.rand(4, generator=generator, dtype=torch.float64)

    def risk(self, **changes: torch.Tensor) -> spatial.RiskGradient:
        parts = {name: changes.get(name, getattr(self, name)) for name in ("projections", "logits", "labels", "masses")}
        return spatial.risk_gradient(
            parts["projections"], parts["logits"], self.setting, labels=parts["labels"], weights=parts["masses"]
        )


class TestSpatial:
    @given(SEEDS, SCALES, st.floats(0.2, 8))
    @example(seed=0, scale=1e4, temperature=0.2)
    def test_rows_are_distributions_and_shifts_change_nothing(self, seed, scale, temperature):
        drawn = Spatial(seed, scale, temperature)
        rows = spatial.attention(drawn.logits, temperature)
        assert (rows >= 0).all()
        assert deviation(rows.sum(-1), torch.ones(())) < ROUNDING
        shifted = drawn.logits + torch.arange(len(rows), dtype=torch.float64)[:, None]
        assert deviation(spatial.attention(shifted, temperature), rows, "shift") < 1e-9

    @given(SEEDS, SCALES, st.floats(0.2, 8))
    def test_temperature_and_logits_scale_together(self, seed, scale, factor):
        drawn = Spatial(seed, scale)
        expected = spatial.attention(drawn.logits, 1.0)
        assert deviation(spatial.attention(factor * drawn.logits, factor), expected) < 1e-10

    @given(SEEDS, SCALES, st.randoms(use_true_random=False))
    def test_permuting_patches_and_logits_together_changes_nothing(self, seed, scale, shuffler):
        drawn = Spatial(seed, scale)
        order = list(range(drawn.setting.n_patches))
        shuffler.shuffle(order)
        found = drawn.risk(projections=drawn.projections[:, order], logits=drawn.logits[order][:, order])
        expected = drawn.risk()
        assert deviation(found.risk, expected.risk) < ROUNDING
        assert deviation(found.logits, expected.logits[order][:, order], "logits") < 1e-10

    @given(SEEDS, SCALES)
    def test_flipping_labels_and_data_changes_nothing(self, seed, scale):
        drawn = Spatial(seed, scale)
        found, expected = drawn.risk(projections=-drawn.projections, labels=-drawn.labels), drawn.risk()
        assert deviation(found.risk, expected.risk) < ROUNDING
        assert deviation(found.logits, expected.logits, "logits") < 1e-10
        assert deviation(found.projections, -expected.projections, "projections") < 1e-10

    @given(SEEDS, SCALES, st.floats(0.1, 10))
    def test_the_risk_is_additive_over_samples_and_linear_in_their_weights(self, seed, scale, factor):
        drawn = Spatial(seed, scale)
        together = drawn.risk(masses=factor * drawn.masses)
        alone = [
            spatial.risk_gradient(
                drawn.projections[i : i + 1], drawn.logits, drawn.setting,
                labels=drawn.labels[i : i + 1], weights=drawn.masses[i : i + 1],
            )
            for i in range(4)
        ]  # fmt: skip
        assert deviation(factor * sum(each.risk for each in alone), together.risk) < ROUNDING
        assert deviation(factor * sum(each.logits for each in alone), together.logits, "logits") < 1e-10

    @given(SEEDS, SCALES)
    def test_rows_of_the_logits_gradient_sum_to_zero(self, seed, scale):
        """Because shifts change nothing. A gradient without the softmax's own slope would not."""
        drawn = Spatial(seed, scale)
        found = drawn.risk().logits
        assert deviation(found.sum(dim=1) / max(1.0, float(found.abs().max())), torch.zeros(())) < 1e-11

    @given(SEEDS, st.floats(-3, 3), st.floats(-3, 3))
    def test_reduced_softmax_is_a_distribution_over_classes(self, seed, within, across):
        setting = setting_of(seed)
        row = population.softmax_values(setting, within=within, across=across)
        size, others = setting.set_size, setting.n_patches - setting.set_size
        total = row.diagonal + (size - 1) * row.within + others * row.across
        target(abs(total - 1))
        assert total == pytest.approx(1, abs=1e-14)
        moved = replace(setting, diagonal_logit=setting.diagonal_logit + 2)
        shifted = population.softmax_values(moved, within=within + 2, across=across + 2)
        assert shifted.within == pytest.approx(row.within, rel=1e-13)

    @given(st.integers(0, 8), st.floats(0.05, 0.6), st.floats(-1.5, 1.5), st.floats(-1.5, 1.5))
    @example(seed=4, alignment=0.6, within=1.5, across=-1.5)
    def test_reduced_gradient_is_the_slope_of_its_risk(self, seed, alignment, within, across):
        """The closed form against a central difference of its own risk, and the increments of a row sum to zero."""
        setting = setting_of(seed)
        table = population.exact_types(setting)
        at = lambda **changes: population.reduced_gradient(  # noqa: E731
            table, setting, **({"alignment": alignment, "within": within, "across": across} | changes)
        )
        found, step = at(), 1e-5
        numeric = (at(alignment=alignment + step).risk - at(alignment=alignment - step).risk) / (2 * step)
        target(abs(numeric - found.alignment))
        assert numeric == pytest.approx(found.alignment, rel=1e-5, abs=1e-7)
        size, others = setting.set_size, setting.n_patches - setting.set_size
        total = found.diagonal + (size - 1) * found.within + others * found.across
        assert total == pytest.approx(0, abs=1e-12 * max(1.0, abs(found.within)))

    @given(st.integers(1, 10**6), st.integers(2, 60))
    def test_record_steps_are_distinct_and_reach_both_ends(self, n_steps, n_records):
        steps = record_steps(n_steps, n_records)
        assert steps[0] == 0
        assert steps[-1] == n_steps
        assert (steps[1:] > steps[:-1]).all()
