"""The reduced network of paper B and its exact population gradient, derived from (T).

Derivation, in the order of the definitions below:

1. A row of three-valued logits (beta, gamma, rho) puts weight Lambda on its own patch, Gamma on each of the C - 1
   others of its set and Xi on each of the D - C across; `softmax_row` builds them, with G.
2. With v = alpha w*, patch i of coefficient x in a set of sum s and a data point of total z has the pre-activation
   u(x, s, z). One entry A_ij is shifted by epsilon: in the softmax's numerator the term of patch j, in its denominator
   one exponential. sympy differentiates by epsilon at 0. The result is affine in x_j, so its average over the pairs of
   a class is its value at the class's mean coefficient: (s - x) / (C - 1) within the set, (z - s) / (D - C) across.
3. dL/dA_ij averaged over a class is then E[-y / (1 + exp(y F)) * mean over i of sigma'(u_i) du_i/dA_ij]. By symmetry
   y = 1. Nothing here was copied from Lemma 4.3: the paper gives no gradient, only bounds of it.
4. `numeric_gradient` takes the expectation over the L - 1 random sets as a sum over multisets of set types
   (n_plus, n_minus), with exact rational multinomial weights.

Gradient descent on A moves each entry by its own derivative, so gamma moves by the *mean* over its D (C - 1) pairs
and rho over its D (D - C), never by the total derivative of the risk in gamma or rho.

A row shifted as a whole leaves its softmax alone, so that the derivatives of its entries sum to zero:
beta's + (C - 1) gamma's + (D - C) rho's = 0, for every data point (`INCREMENT_IDENTITY`). As beta is held, it
makes rho pay 1 / (D - C) of what the diagonal and the set would gain: the 1/D of Lemma 4.3.
[jelassi2022, (T), (GD), section 4.1, Lemma 4.3]
"""

from __future__ import annotations

import functools
import itertools
import math
from collections import Counter
from collections.abc import Callable, Iterator
from dataclasses import dataclass

import sympy as sp

from theory.claim import Identity
from theory.spatial_vit.notation import (
    REDUCED_TEMPERATURE,
    SET_SIZES,
    SEVERAL_SETS,
    C,
    D,
    alpha,
    beta,
    gamma,
    nu,
    p,
    q,
    rho,
    tau,
)

x, s, z = sp.symbols("x s z", integer=True)
"""A patch's feature coefficient, the sum over its set (itself included), the sum over all patches."""
u = sp.Symbol("u", real=True)
"""Pre-activation of a patch."""
F = sp.Symbol("F", real=True)
"""Output of the network."""
x_j = sp.Symbol("x_j", real=True)
epsilon = sp.Symbol("epsilon", real=True)


@dataclass(frozen=True)
class SoftmaxRow:
    """Softmax values of one row: own patch, each other of its set, each across; G = D (Lambda + (C - 1) Gamma)."""

    own: sp.Expr
    within: sp.Expr
    across: sp.Expr
    own_set: sp.Expr


@dataclass(frozen=True)
class ClassMeans:
    """One quantity for each class of entries A_ij: the diagonal, pairs within a set, pairs across sets."""

    diagonal: sp.Expr
    within: sp.Expr
    across: sp.Expr

    def map(self, function: Callable[[sp.Expr], sp.Expr]) -> ClassMeans:
        """Apply `function` to the three."""
        return ClassMeans(function(self.diagonal), function(self.within), function(self.across))


def softmax_row(temperature: sp.Expr = REDUCED_TEMPERATURE) -> SoftmaxRow:
    """Lambda, Gamma, Xi, G as expressions in beta, gamma, rho, C, D; section 4.1 has temperature 1."""
    own, within, across = (sp.exp(logit / temperature) for logit in (beta, gamma, rho))
    normaliser = own + (C - 1) * within + (D - C) * across
    return SoftmaxRow(
        own=own / normaliser,
        within=within / normaliser,
        across=across / normaliser,
        own_set=D * (own + (C - 1) * within) / normaliser,
    )


ROW = softmax_row()
LAMBDA, GAMMA, XI, G = ROW.own, ROW.within, ROW.across, ROW.own_set
"""The paper's four reduced quantities, without temperature. [jelassi2022, section 4.1]"""

ACTIVATION = u**p + nu * u
"""sigma(u). [jelassi2022, Simplification 3.1]"""
# powsimp: sympy leaves p u^p / u, which has no value at u = 0, where patches without a feature are.
ACTIVATION_SLOPE = sp.powsimp(sp.diff(ACTIVATION, u))
LOSS = sp.log(1 + sp.exp(-F))
"""Logistic loss of a data point with label 1."""
LOSS_SLOPE = sp.diff(LOSS, F)


def preactivation(temperature: sp.Expr = tau) -> sp.Expr:
    """u(x, s, z) of one patch under three-valued logits. [jelassi2022, (T)]"""
    row = softmax_row(temperature)
    return D * alpha * (row.own * x + row.within * (s - x) + row.across * (z - s))


def _shifted_preactivation(logit: sp.Symbol, temperature: sp.Expr) -> sp.Expr:
    """u of a patch after A_ij = `logit` of one patch j of coefficient x_j became logit + epsilon."""
    own, within, across = (sp.exp(value / temperature) for value in (beta, gamma, rho))
    gain = sp.exp((logit + epsilon) / temperature) - sp.exp(logit / temperature)
    numerator = own * x + within * (s - x) + across * (z - s) + gain * x_j
    return D * alpha * numerator / (own + (C - 1) * within + (D - C) * across + gain)


def entry_derivatives(temperature: sp.Expr = tau) -> ClassMeans:
    """du_i/dA_ij of one patch, averaged over j in each class."""

    def derivative(logit: sp.Symbol, class_mean: sp.Expr) -> sp.Expr:
        by_entry = sp.diff(_shifted_preactivation(logit, temperature), epsilon).subs(epsilon, 0)
        if sp.simplify(sp.diff(by_entry, x_j, 2)) != 0:
            raise ArithmeticError("the derivative by one entry must be affine in its patch's coefficient")
        return by_entry.subs(x_j, class_mean)

    return ClassMeans(
        diagonal=derivative(beta, x),
        within=derivative(gamma, (s - x) / (C - 1)),
        across=derivative(rho, (z - s) / (D - C)),
    )


@functools.cache
def increment_identity() -> Identity:
    """Derivatives of a row's entries sum to zero, patch by patch and so for the population gradient."""
    by_entry = entry_derivatives()
    total = by_entry.diagonal + (C - 1) * by_entry.within + (D - C) * by_entry.across
    return Identity("increments of a row sum to zero", total, sp.Integer(0), box=SET_SIZES, given=SEVERAL_SETS)


@functools.cache
def linear_part_identities() -> tuple[Identity, ...]:
    """The linear part nu u of the activation moves no logit, for every data point.

    Its slope is nu at every patch, and du_i/dA_ij is linear in (x, s, z), which sum over the patches to z, C z and D z.
    So near the origin the logits' increments are of order alpha^p and not alpha, whatever nu is.
    """
    sums = {x: z, s: C * z, z: D * z}
    by_entry = entry_derivatives()
    return tuple(
        Identity(
            f"linear part, {name}",
            derivative.subs(sums, simultaneous=True),
            sp.Integer(0),
            box=SET_SIZES,
            given=SEVERAL_SETS,
        )
        for name, derivative in (
            ("diagonal", by_entry.diagonal),
            ("within", by_entry.within),
            ("across", by_entry.across),
        )
    )


@functools.cache
def closed_forms() -> tuple[Identity, ...]:
    """What step 2 amounts to: du_i/dA_ij = (alpha D / tau) S_ij (x_j - sum_k S_ik x_k), class by class."""
    row, by_entry = softmax_row(tau), entry_derivatives()
    mean = preactivation(tau) / (D * alpha)
    scale = D * alpha / tau
    pairs = (
        ("diagonal entry", by_entry.diagonal, scale * row.own * (x - mean)),
        ("within-set entry", by_entry.within, scale * row.within * ((s - x) / (C - 1) - mean)),
        ("cross-set entry", by_entry.across, scale * row.across * ((z - s) / (D - C) - mean)),
    )
    return tuple(Identity(name, left, right, box=SET_SIZES, given=SEVERAL_SETS) for name, left, right in pairs)


def patch_pull(temperature: sp.Expr = tau) -> ClassMeans:
    """sigma'(u_i) du_i/dA_ij / D of one patch: summed over patches, the mean of dF/dA_ij over the pairs of a class."""
    slope = ACTIVATION_SLOPE.subs(u, preactivation(temperature))
    return entry_derivatives(temperature).map(lambda derivative: slope * derivative / D)


def alignment_pull(temperature: sp.Expr = tau) -> sp.Expr:
    """sigma'(u_i) du_i/dalpha of one patch: summed over patches it is dF/dalpha."""
    value = preactivation(temperature)
    return ACTIVATION_SLOPE.subs(u, value) * sp.diff(value, alpha)


SetType = tuple[int, int]


@dataclass(frozen=True)
class Configuration:
    """A class of data points of label 1: the types (n_plus, n_minus) of the random sets and its probability in q."""

    random_sets: tuple[SetType, ...]
    weight: sp.Expr

    def patches(self, set_size: int) -> Iterator[tuple[int, int, int, int]]:
        """Number of patches with (x, s, z), the signal set first, as (number, x, s, z)."""
        sets = [(set_size, 0), *self.random_sets]
        total = sum(plus - minus for plus, minus in sets)
        for plus, minus in sets:
            for number, value in ((plus, 1), (minus, -1), (set_size - plus - minus, 0)):
                if number:
                    yield number, value, plus - minus, total


def configurations(n_patches: int, set_size: int) -> Iterator[Configuration]:
    """Every multiset of types of the L - 1 random sets, with its probability as a polynomial in q.

    Raises:
        ValueError: where set_size does not divide n_patches.
    """
    if n_patches % set_size:
        raise ValueError(f"set_size must divide n_patches, got {set_size} and {n_patches}")
    n_random = n_patches // set_size - 1
    types = [(a, b) for a in range(set_size + 1) for b in range(set_size + 1 - a)]
    ways = {
        (a, b): math.factorial(set_size) // math.prod(map(math.factorial, (a, b, set_size - a - b))) for a, b in types
    }
    for chosen in itertools.combinations_with_replacement(types, n_random):
        orders = math.factorial(n_random) // math.prod(map(math.factorial, Counter(chosen).values()))
        featured = sum(a + b for a, b in chosen)
        number = orders * math.prod(ways[kind] for kind in chosen)
        weight = number * (q / 2) ** featured * (1 - q) ** (n_random * set_size - featured)
        yield Configuration(random_sets=chosen, weight=weight)


@dataclass(frozen=True)
class NumericGradient:
    """Population risk and its derivatives by alpha and by one entry of each class."""

    risk: object
    alignment: object
    diagonal: object
    within: object
    across: object


def numeric_gradient(n_patches: int, set_size: int, *, modules: str = "mpmath") -> Callable[..., NumericGradient]:
    """Exact population gradient at integer (D, C) as a function of numbers, assembled from the derived expressions.

    The function takes alpha, beta, gamma, rho, q, nu, p, tau by keyword and computes in the arithmetic of `modules`
    ("mpmath": at its current precision, or "math").
    """
    parameters = (alpha, beta, gamma, rho, nu, p, tau)
    pulls = patch_pull()
    value = preactivation()
    by_patch = sp.lambdify(
        (x, s, z, *parameters),
        [
            piece.subs({D: n_patches, C: set_size})
            for piece in (ACTIVATION.subs(u, value), alignment_pull(), pulls.diagonal, pulls.within, pulls.across)
        ],
        modules=modules,
        cse=True,
    )
    loss = sp.lambdify(F, [LOSS, LOSS_SLOPE], modules=modules)
    rows = [(sp.lambdify(q, row.weight, modules=modules), row) for row in configurations(n_patches, set_size)]

    def evaluate(**numbers: object) -> NumericGradient:
        at = [numbers[symbol.name] for symbol in parameters]
        patch = functools.cache(lambda x, s, z: by_patch(x, s, z, *at))
        totals = [0] * 5
        for weight, row in rows:
            sums = [0] * 5
            for number, *where in row.patches(set_size):
                sums = [a + number * b for a, b in zip(sums, patch(*where), strict=True)]
            risk, slope = loss(sums[0])
            probability = weight(numbers["q"])
            totals[0] += probability * risk
            totals[1:] = [a + probability * slope * b for a, b in zip(totals[1:], sums[1:], strict=True)]
        return NumericGradient(*totals)

    return evaluate
