"""The settings of [li2023, §4.1] in words, and their translation into the paper's letters.

What the paper prints: d = m_a = m_b = 10, M = 5 orthonormal patterns, c_0 = 0.01, xi = 0.01, m = 1000, sigma = 0.1,
delta = 0.2. What it does not print (step, batch, iterations, test size) is free; the values below train at every size
used here. Two protocols are used throughout, because the text leaves both open:

- per-token output layer ("a_(l) in R^m, l in [L]"): what eq. (1) and Algorithm 1 say, hence the statement's protocol;
- shared output layer: one `a` for all tokens, as most implementations would have it: a reading.

Orthonormal features plus errors of length sigma and delta, which is how section 4.1 is usually coded, give matrices of
norm above 1; what is judged as a statement starts from matrices of norm at most 1, as Assumption 1 asks
(`WITHIN_NORMS`).
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from types import MappingProxyType
from typing import Any

import sympy as sp

from checks.evidence.adversaries import Adversary
from checks.evidence.control import Control
from checks.evidence.translation import exact
from checks.records.preset import Preset
from sim.shallow_vit.systems import (
    PROOF_COURSE,
    PROOF_COURSE_SHUFFLED,
    SHALLOW_VIT,
    SHALLOW_VIT_NETWORK,
    SHALLOW_VIT_SHUFFLED,
    SHALLOW_VIT_TOKENS,
)
from sim.trials.sweep import Sweep
from sim.trials.trial import Parameters, Scalar
from theory.shallow_vit import notation as n

PAPER = {
    "dimension": 10,
    "n_patterns": 5,
    "n_neurons": 1000,
    "neuron_scale": 0.01,
    "value_error": 0.1,
    "key_query_error": 0.2,
    "token_noise": 0.01,
    "batch_size": 16,
}
"""The paper's own sizes and errors, with the free batch size."""

WITHIN_NORMS = {"initialization": "contraction"}
"""Initial matrices that meet all of Assumption 1."""

SHARED = "eq. (1) writes a_(l); one vector for all tokens is what most implementations have"
"""Why one output layer for all tokens is a reading and not the statement."""

SAME_RATIOS = {
    **WITHIN_NORMS,
    "n_tokens": 100,
    "counts": "exact",
    "token_noise": 0.0,
    "output_layer": "per token",
    "learning_rate": 0.5,
    "max_steps": 10_000,
    "n_test": 300,
}
"""The statement's protocol: eq. (1)'s output layer, the ratio of patterns "the same among all the data" (4.1),
tau = 0, and eta = 1/2, for which zeta of (10) lies within 0.001 of 1.
"""

NEAR_ZERO = {"value_error": 0.03}
"""A better initial model than the paper's, so that (9) admits alpha_* from 0.025 on, not 0.082."""

FLUCTUATING_IS_READ = (
    "section 3.2: alpha_* is an average, so counts may fluctuate; one output layer is one interpretation of eq. (1)"
)
"""Why counts that fluctuate, with one output layer, are a reading."""

EASIEST = {"label_relevant_fraction": 0.6, "confusion_fraction": 0.0, "n_samples": 128}
"""Where trained networks of every protocol succeed: the place of the controls."""

COUNTED_STEPS: Mapping[str, Any] = MappingProxyType(
    {"observable": "iterations", "finished": "train_hinge_zero", "given": "success", "cutoff": "max_steps"}
)
"""T: SGD steps to zero training hinge, of the runs that generalise."""

SIZES: dict[Preset, dict[str, Any]] = {
    Preset.SMOKE: {**PAPER, "n_tokens": 50, "n_neurons": 40},
    Preset.QUICK: {**PAPER, "n_tokens": 50, "n_neurons": 100},
    Preset.FULL: {**PAPER, "n_tokens": 100},
}
"""Network and sample size by preset: smaller ones run the same code with fewer neurons and tokens."""


def without(fixed: Parameters, *moved: str) -> dict[str, Scalar]:
    """The parameters that a sweep's points do not set."""
    return {name: value for name, value in fixed.items() if name not in moved}


def untrained(point: Parameters, **common: Any) -> Control:
    """The network after one step, where a sweep is easiest: a criterion that it meets decides nothing."""
    sweep = Sweep(SHALLOW_VIT, (point,), {**common, "max_steps": 1}, 5)
    return Control(ONE_STEP, {Preset.SMOKE: (sweep,)})


ONE_STEP, _RANDOM_LABELS, _FROZEN = "the network after one step", "random labels", "frozen attention"
_SMALL_AND_EASY = {**EASIEST, "n_neurons": 40, "batch_size": 16}
adversaries = (
    Adversary(ONE_STEP, SHALLOW_VIT, {"max_steps": 1}, at=_SMALL_AND_EASY),
    Adversary(_RANDOM_LABELS, SHALLOW_VIT, {"max_steps": 2_000}, instead=SHALLOW_VIT_SHUFFLED, at=_SMALL_AND_EASY),
    Adversary(ONE_STEP, PROOF_COURSE, {"max_steps": 1}),
    Adversary(_RANDOM_LABELS, PROOF_COURSE, instead=PROOF_COURSE_SHUFFLED),
    Adversary(_FROZEN, PROOF_COURSE, {"train_attention": False}),
    Adversary(ONE_STEP, SHALLOW_VIT_NETWORK, {"max_steps": 1}),
    Adversary(ONE_STEP, SHALLOW_VIT_TOKENS, {"max_steps": 1}),
)
"""Systems that the paper's statements are put to by default. Attention is frozen where its course is the point."""


def granted_batch(fraction: float, errors: Parameters = MappingProxyType({**PAPER, **NEAR_ZERO})) -> int:
    """The smallest batch that (9) grants with a constant of 1, without token noise."""
    offset = math.exp(-float(errors["key_query_error"])) * float(errors["value_error"])
    return math.ceil((fraction - offset) ** -2)


def random_labels(point: Parameters, **common: Any) -> Control:
    """The same training on labels drawn at random, where a sweep is easiest."""
    sweep = Sweep(SHALLOW_VIT_SHUFFLED, (point,), {**common, "max_steps": 2_000}, 5)
    return Control(_RANDOM_LABELS, {Preset.SMOKE: (sweep,)})


def symbols(parameters: Parameters) -> Mapping[sp.Symbol, sp.Expr]:
    """A trial's parameters as the paper's symbols.

    Gaussian token noise has no bound tau; its typical length c_0 sqrt(d) stands in for it. Norms of the initial
    matrices are known to be at most 1 where they are contractions, and else not known: they differ from draw to draw.
    """
    value = {name: exact(scalar) for name, scalar in parameters.items() if not isinstance(scalar, bool | str)}
    dimension = value.get("dimension")
    given = {
        n.alpha: value.get("label_relevant_fraction"),
        n.alpha_confusion: value.get("confusion_fraction"),
        n.eta: value.get("learning_rate"),
        n.N: value.get("n_samples"),
        n.B: value.get("batch_size"),
        n.m: value.get("n_neurons"),
        n.M: value.get("n_patterns"),
        n.d: dimension,
        n.m_a: dimension,
        n.m_b: dimension,
        n.S: value.get("n_tokens"),
        n.L: value.get("n_tokens"),
        n.sigma: value.get("value_error"),
        n.delta: value.get("key_query_error"),
        n.tau: _noise_length(value, truncated=parameters.get("noise", "truncated") == "truncated"),
        n.kappa: sp.sqrt(2),  # orthonormal patterns
    }
    if parameters.get("initialization") in ("contraction", "adversarial"):
        given |= dict.fromkeys((n.norm_V, n.norm_K, n.norm_Q), sp.Integer(1))
    return {symbol: number for symbol, number in given.items() if number is not None}


def _noise_length(value: Mapping[str, sp.Expr], *, truncated: bool) -> sp.Expr | None:
    """tau: the radius beyond which noise is redrawn, or the typical length of Gaussian noise."""
    if truncated and "noise_radius" in value:
        return value["noise_radius"]
    scale, dimension = value.get("token_noise"), value.get("dimension")
    return None if scale is None or dimension is None else scale * sp.sqrt(dimension)


def with_a_quarter(fractions: Sequence[float]) -> tuple[tuple[float, float], ...]:
    """alpha_# = alpha_*/4, inside (8)."""
    return tuple((fraction, round(fraction / 4, 6)) for fraction in fractions)


def at_fractions(pairs: Sequence[tuple[float, float]], sizes: Sequence[int] = ()) -> tuple[Parameters, ...]:
    """Points at pairs (alpha_*, alpha_#), each at all numbers of samples where some are given."""
    at = [{"label_relevant_fraction": relevant, "confusion_fraction": confusion} for relevant, confusion in pairs]
    return tuple({**point, "n_samples": size} for point in at for size in sizes) if sizes else tuple(at)
