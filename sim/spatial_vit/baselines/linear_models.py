"""Generalized linear models phi(sum_j <w_j, X_j>) against the labelling function: how small can their error be?

The theorem says that none errs less than 1/8, so each model here is an attack on it. An error is P[f* g <= 0]: where f*
is zero every model is wrong. Attacks whose error is exact:

- `sum`: w_j = w*, phi = sign; a sum of zero is an error.
- `function_of_sum`: w_j = w*, phi the best function of the sum there is.
- `free_weights`: w_j = a_j w*, phi = sign, the a_j by exact coordinate descent on the error itself: along one a_j it is
  a step function, whose least value is read off its sorted jumps.

Attacks measured on fresh samples, as counts:

- `logistic`: all D d weights by logistic regression on noisy patches, phi = sign; `logistic_step`: phi a step function
  of the fitted sum, not monotone, learned from the same samples.
- `digits`: w_j = 3^j w*; phi reads the base-3 digits of the sum, which are all coefficients, and evaluates f* on them.
  Noise is orthogonal to w*, so up to D = 24 the sums of noisy patches are read in float64; beyond, where 3^D leaves
  float64, sums of the coefficients in integers.
- `digits_table`: the same weights and no knowledge in phi: a table of the sums seen in training with their labels.

[jelassi2022, Theorem 3.1]
"""

from __future__ import annotations

from collections import Counter

import numpy as np
import torch

from sim.spatial_vit.baselines.linear_fit import fit_logistic, fit_steps
from sim.spatial_vit.network.data import (
    contiguous_sets,
    labelling_function,
    random_feature,
    sample,
    sample_coefficients,
)
from sim.spatial_vit.network.lattice import joint_law, support
from sim.spatial_vit.network.setting import Setting, data_setting
from sim.spatial_vit.reduced.enumeration import enumerate_fully
from sim.trials.trial import Outcome, TrialResult
from sim.trials.validation import require, require_integer, require_one_of

EXACT_ATTACKS = ("sum", "function_of_sum", "free_weights")
SAMPLED_ATTACKS = ("logistic", "logistic_step", "digits", "digits_table")
FLOAT_DIGITS = 24
"""Most base-3 digits read in float64: 3^24 roundings of 1e-16 stay below 1e-4 of a digit."""
ENUMERATED_PATTERNS = 400_000
"""Most data points for which weights are optimised exactly."""


def attack_labelling(
    *,
    attack: str,
    n_patches: int,
    set_size: int,
    spurious_rate: float,
    n_samples: int = 4000,
    n_test: int = 4000,
    patch_dimension: int = 16,
    n_starts: int = 4,
    n_sweeps: int = 6,
    generator: torch.Generator,
) -> TrialResult:
    """Attack the labelling function with one generalized linear model.

    Args:
        attack: one of `EXACT_ATTACKS` and `SAMPLED_ATTACKS`.
        n_samples, n_test, patch_dimension: of attacks on samples.
        n_starts, n_sweeps: of `free_weights`.

    Returns:
        Observables `error` (exact attacks) or `n_wrong` out of `n_test` (sampled ones), and `floor`, P[f* = 0].

    Raises:
        ValueError: on bad input.
    """
    require_one_of("attack", attack, EXACT_ATTACKS + SAMPLED_ATTACKS)
    require_integer(least=1, n_samples=n_samples, n_test=n_test, n_starts=n_starts, n_sweeps=n_sweeps)
    require_integer(least=2, patch_dimension=patch_dimension)
    setting = data_setting(n_patches=n_patches, set_size=set_size, spurious_rate=spurious_rate)
    joint = joint_law(n_patches=n_patches, set_size=set_size, spurious_rate=spurious_rate)
    floor = float(joint[:, n_patches].sum())
    if attack in SAMPLED_ATTACKS:
        n_wrong = _wrong_on_samples(
            attack, setting, n_samples=n_samples, n_test=n_test, dimension=patch_dimension, generator=generator
        )
        return TrialResult(Outcome.CONVERGED, {"n_wrong": n_wrong, "n_test": n_test, "floor": floor})
    if attack == "free_weights":
        error = _best_free_weights(setting, n_starts=n_starts, n_sweeps=n_sweeps, generator=generator)
    else:
        error = sum_error(joint) if attack == "sum" else function_of_sum_error(joint)
    return TrialResult(Outcome.CONVERGED, {"error": error, "floor": floor})


# ------------------------------------------------------------------------------------------------------ exact attacks


def sum_error(joint: np.ndarray) -> float:
    """P[f* sum <= 0] from the joint law of the sum and f*."""
    values = support(joint)
    return float(joint[np.multiply.outer(values, values) <= 0].sum())


def function_of_sum_error(joint: np.ndarray) -> float:
    """Least P[f* phi(sum) <= 0] over all phi; by symmetry, label -1 sees the joint law mirrored."""
    both = (joint + joint[::-1, ::-1]) / 2
    zero = len(joint) // 2
    wrong = np.minimum(both[:, :zero].sum(axis=1), both[:, zero + 1 :].sum(axis=1))
    return float(wrong.sum() + both[:, zero].sum())


def _best_free_weights(setting: Setting, *, n_starts: int, n_sweeps: int, generator: torch.Generator) -> float:
    """Least exact error of sign(sum_j a_j <w*, X_j>) that coordinate descent finds from several starts."""
    n_rows = setting.n_sets * 3 ** (setting.n_patches - setting.set_size)
    rule = f"leave at most {ENUMERATED_PATTERNS} data points L 3^(D - C) to enumerate"
    require(n_rows <= ENUMERATED_PATTERNS, "n_patches", rule, n_rows)
    sets = contiguous_sets(setting)
    chunks = list(enumerate_fully(setting, sets))
    patterns = np.concatenate([coefficients.numpy() for coefficients, _ in chunks])
    weights = np.concatenate([probability.numpy() for _, probability in chunks])
    signs = np.sign(labelling_function(torch.from_numpy(patterns), sets).numpy())
    signed, weights = (signs[:, None] * patterns)[signs != 0], weights[signs != 0]
    floor = 1 - weights.sum()
    best = 1.0
    for start in range(n_starts):
        # The first start is equal weights but for their ties.
        spread = 1e-3 if start == 0 else 1.0
        draw = torch.randn(setting.n_patches, generator=generator, dtype=torch.float64).numpy()
        best = min(best, floor + descend_error(signed, weights, 1.0 + spread * draw, n_sweeps=n_sweeps))
    return float(best)


def descend_error(signed: np.ndarray, probability: np.ndarray, start: np.ndarray, *, n_sweeps: int) -> float:
    """Lower P[a . z <= 0] over the rows z of `signed` [rows, patches], one entry of a at a time, each exactly.

    Args:
        signed: coefficients times the sign of f*; entries -1, 0 or 1.
        probability: of each row.
        start: a at the start.
    """
    a = start.copy()
    totals = signed @ a
    error = float(probability[totals <= 0].sum())
    for _ in range(n_sweeps):
        before = error
        for j in range(signed.shape[1]):
            column = signed[:, j]
            rest = totals - a[j] * column
            jumps = -rest * column  # a_j z_j > -rest turns at a_j = -rest / z_j
            moved = column != 0
            order = np.argsort(jumps[moved])
            at = jumps[moved][order]
            # Above its jump a row with z_j = 1 is right, one with z_j = -1 wrong.
            gain = (probability * column)[moved][order]
            ends = np.concatenate([[at[0] - 1], (at[1:] + at[:-1]) / 2, [at[-1] + 1]])
            right = np.concatenate([[0.0], np.cumsum(gain)])
            wide = np.concatenate([[True], at[1:] > at[:-1] + 1e-9, [True]])
            chosen = int(np.flatnonzero(wide)[right[wide].argmax()])
            proposed = rest + ends[chosen] * column
            found = float(probability[proposed <= 0].sum())
            if found < error:
                a[j], totals, error = ends[chosen], proposed, found
        if error == before:
            break
    return error


# ------------------------------------------------------------------------------------------------ attacks on samples


def _wrong_on_samples(
    attack: str, setting: Setting, *, n_samples: int, n_test: int, dimension: int, generator: torch.Generator
) -> int:
    """Test samples at which f* and the model disagree or f* is zero."""
    sets = contiguous_sets(setting)
    if attack in ("digits", "digits_table"):
        draw = _digit_sums if setting.n_patches <= FLOAT_DIGITS else _integer_digit_sums
        sums, values = draw(setting, sets, n_test, dimension, generator)
        if attack == "digits":
            guesses = [_labelled(total, setting, sets) for total in sums]
        else:
            table = _table(*draw(setting, sets, n_samples, dimension, generator))
            guesses = [table[total] for total in sums]
        return int((np.sign(values) * np.sign(guesses) <= 0).sum())

    feature = random_feature(dimension, generator)
    training = sample(setting, sets, feature=feature, n_samples=n_samples, generator=generator)
    test = sample(setting, sets, feature=feature, n_samples=n_test, generator=generator)
    labels = training.labels.numpy()
    fitted = training.patches.flatten(1).numpy(), test.patches.flatten(1).numpy()
    weights = fit_logistic(fitted[0], labels)
    guesses = fitted[1] @ weights
    if attack == "logistic_step":
        guesses = fit_steps(fitted[0] @ weights, labels)(guesses)
    return int((labelling_function(test.coefficients, sets).numpy() * guesses <= 0).sum())


def _digit_sums(
    setting: Setting, sets: torch.Tensor, n_samples: int, dimension: int, generator: torch.Generator
) -> tuple[list[int], np.ndarray]:
    """sum_j <3^j w*, X_j> of noisy patches, rounded to the integer it is but for floating point, and f*."""
    feature = random_feature(dimension, generator)
    drawn = sample(setting, sets, feature=feature, n_samples=n_samples, generator=generator)
    powers = 3.0 ** torch.arange(setting.n_patches, dtype=torch.float64)
    weights = powers[:, None] * feature
    sums = (drawn.patches * weights).sum(dim=(1, 2))
    return [round(total) for total in sums.tolist()], labelling_function(drawn.coefficients, sets).numpy()


def _integer_digit_sums(
    setting: Setting, sets: torch.Tensor, n_samples: int, dimension: int, generator: torch.Generator
) -> tuple[list[int], np.ndarray]:
    """The same of the coefficients alone, in integers of any length; there is no noise along w* to read."""
    del dimension
    coefficients, _, _ = sample_coefficients(setting, sets, n_samples=n_samples, generator=generator)
    powers = [3**j for j in range(setting.n_patches)]
    rows = coefficients.int().tolist()
    sums = [sum(power * x for power, x in zip(powers, row, strict=True)) for row in rows]
    return sums, labelling_function(coefficients, sets).numpy()


def _labelled(total: int, setting: Setting, sets: torch.Tensor) -> float:
    """phi: balanced base-3 digits of the sum are the coefficients; f* of them."""
    digits = []
    for _ in range(setting.n_patches):
        digit = (total + 1) % 3 - 1
        digits.append(float(digit))
        total = (total - digit) // 3
    return float(labelling_function(torch.tensor([digits], dtype=torch.float64), sets))


def _table(sums: list[int], values: np.ndarray) -> Counter[int]:
    """phi: the label seen with a sum, zero for a sum never seen."""
    table: Counter[int] = Counter()
    for total, value in zip(sums, np.sign(values).astype(int).tolist(), strict=True):
        table[total] += value
    return table
