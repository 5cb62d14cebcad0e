"""Transformers that generalize although their positional encodings point away from the sets.

Sets are partners, two by two. Encodings are built so that every patch's C largest inner products with others are those
with the partner set, while attention still reads sums from which the label follows:

- `partners`, of Simplification 3.1 (A = P^T P): inner products of n with itself, `own` within the set, `partner` a
  little larger with the partner set, 0 elsewhere. As the three are close and large, attention is even over both sets.
- `projected`, of Definition 3.2 with W_Q, W_K free: p_i = e_pair + s f_pair / 2 + z_i, s = 1 or -1 for the two sets of
  a pair, and z_i that add up to 0 within a set, so that they push the products within it down. W_Q keeps f_pair alone:
  attention is even over the own set. The encodings span D dimensions, so that d = D is room enough.

Even attention makes F a sum of odd powers of integers, whose law is exact at any D by convolution. The real attention
differs from even by a little; as long as that moves F by less than the distance between two values of the even one, it
changes no sign but those of ties, and ties count as errors. So the exact law bounds the real error from above, and no
error is taken for zero that is only small. [jelassi2022, Theorem 3.2]
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import torch

from sim.spatial_vit.baselines.adam import Adam
from sim.spatial_vit.network import model
from sim.spatial_vit.network.data import contiguous_sets, labelling_function, sample_coefficients
from sim.spatial_vit.network.lattice import labelling_law, not_positive, pushed, sum_law, support, with_terms
from sim.spatial_vit.network.setting import Setting
from sim.trials.trial import Outcome, TrialResult
from sim.trials.validation import require, require_integer, require_non_negative, require_one_of, require_positive

CONSTRUCTIONS = ("partners", "projected")
LOGIT = 40.0
"""Size of the largest logits: e^-40 is the attention's remainder elsewhere."""
NEARNESS = 1e-9
"""How much closer partners are than patches of one set, in `partners`: attention must not feel it, float64 must."""


@dataclass(frozen=True)
class Transformer:
    """Positional encodings [dimension, patches], the attention logits made of them, and the even attention intended.

    Attributes:
        group_size: patches over which attention is even: 2 C, or C.
    """

    encodings: np.ndarray
    logits: np.ndarray
    even: np.ndarray
    group_size: int


def build_transformers(
    *,
    construction: str,
    first_doubling: int,
    last_doubling: int,
    spurious_degree: float = 1.0,
    activation_power: int = 3,
    n_test: int = 2000,
    generator: torch.Generator,
) -> TrialResult:
    """Build one transformer for each L = 2^k sets of C = k patches, q = C^degree / D, nu = D^-2, and measure it.

    Curves, [doublings]: `n_patches`; `gap`, by how much the C largest products with others exceed all within the set,
    least over patches; `gap_with_self`, the same where a patch counts itself; `error_bound` of P[f* F <= 0];
    `floor`, P[f* = 0] or less; `movement`, how far the real attention moves F in distances of two values.

    Observables: `n_wrong` out of `n_test`, drawn data points at which the real transformer and f* disagree, at all
    sizes together; least and largest entries of the curves, and `exponents_grow`: -log(error) / log(D) rises at every
    size.

    Raises:
        ValueError: on bad input.
    """
    require_one_of("construction", construction, CONSTRUCTIONS)
    require_integer(least=2, first_doubling=first_doubling)
    require_integer(least=first_doubling + 1, last_doubling=last_doubling)
    require_integer(least=1, n_test=n_test)
    require_non_negative(spurious_degree=spurious_degree)
    records = []
    for size in range(first_doubling, last_doubling + 1):
        n_patches = size * 2**size
        setting = Setting(
            n_patches=n_patches, set_size=size, spurious_rate=size**spurious_degree / n_patches,
            activation_power=activation_power, linear_coefficient=n_patches**-2.0, diagonal_logit=0.0, temperature=1.0,
        )  # fmt: skip
        records.append(_measure(setting, construction, n_test=n_test, generator=generator))
    curves = {name: np.array([record[name] for record in records]) for name in records[0] if name != "n_wrong"}
    exponents = -np.log(curves["error_bound"]) / np.log(curves["n_patches"])
    return TrialResult(
        Outcome.CONVERGED,
        {
            "least_gap": float(curves["gap"].min()),
            "largest_gap_with_self": float(curves["gap_with_self"].max()),
            "largest_movement": float(curves["movement"].max()),
            "first_exponent": float(exponents[0]),
            "last_exponent": float(exponents[-1]),
            "exponents_grow": bool((np.diff(exponents) > 0).all()),
            "n_wrong": int(sum(record["n_wrong"] for record in records)),
            "n_test": n_test * len(records),
        },
        curves,
    )


def _measure(setting: Setting, construction: str, *, n_test: int, generator: torch.Generator) -> dict[str, float]:
    """One size: where the encodings point, and how the transformer errs."""
    sets = contiguous_sets(setting)
    built = build(construction, sets.numpy(), setting.set_size)
    gram = built.encodings.T @ built.encodings
    logits = torch.from_numpy(built.logits)
    coefficients, _, _ = sample_coefficients(setting, sets, n_samples=n_test, generator=generator)
    outputs = model.settled_output(coefficients, logits, setting)
    wrong = labelling_function(coefficients, sets) * outputs <= 0
    shape = {"n_patches": setting.n_patches, "set_size": setting.set_size, "spurious_rate": setting.spurious_rate}
    floor = not_positive(labelling_law(**shape))
    return {
        "n_patches": float(setting.n_patches),
        "gap": structure_gap(gram, sets.numpy(), with_self=False),
        "gap_with_self": structure_gap(gram, sets.numpy(), with_self=True),
        "floor": floor,
        "error_bound": floor + even_error(setting, built.group_size),
        "movement": movement(built, setting),
        "n_wrong": float(wrong.sum()),
    }


def build(construction: str, sets: np.ndarray, set_size: int) -> Transformer:
    """Encodings and attention of one of `CONSTRUCTIONS`, for an even number of sets."""
    require(int(sets.max()) % 2 == 1, "n_patches", "hold an even number of sets", len(sets))
    same = sets[:, None] == sets
    pair = sets[:, None] // 2 == sets // 2
    if construction == "partners":
        # A Gram matrix needs n + (C-1) own >= C partner; its root then holds the encodings.
        gram = LOGIT * (pair + NEARNESS * (pair & ~same) + 2 * set_size * NEARNESS * np.eye(len(sets)))
        values, vectors = np.linalg.eigh(gram)
        encodings = (vectors * np.sqrt(values.clip(min=0))).T
        return Transformer(encodings, encodings.T @ encodings, pair / (2 * set_size), 2 * set_size)
    n_pairs, n_sets = int(sets.max() + 1) // 2, int(sets.max()) + 1
    membership = np.eye(n_pairs)[sets // 2].T
    sign = np.where(sets % 2 == 0, 1.0, -1.0)
    centred = set_size * (np.eye(len(sets)) - same / set_size)  # of squared length C (C - 1), products -C within a set
    encodings = np.vstack([membership, sign * membership / 2, centred])
    queries = np.zeros((len(encodings), len(encodings)))
    queries[n_pairs:n_sets, n_pairs:n_sets] = 4 * LOGIT * np.eye(n_pairs)
    return Transformer(encodings, encodings.T @ queries @ encodings, same / set_size, set_size)


def structure_gap(gram: np.ndarray, sets: np.ndarray, *, with_self: bool) -> float:
    """Least over patches of the C-th largest product outside its set minus the largest inside it.

    Positive where no Top_C meets its set.

    Args:
        with_self: whether a patch counts among its own set, as the theorem prints it.
    """
    same = sets[:, None] == sets
    inside = same if with_self else same & ~np.eye(len(sets), dtype=bool)
    size = int(same[0].sum())
    outside = np.sort(np.where(same, -np.inf, gram), axis=1)[:, -size]
    return float((outside - np.where(inside, gram, -np.inf).max(axis=1)).min())


def even_error(setting: Setting, group_size: int) -> float:
    """P[y F <= 0] where every patch attends evenly to its group, F being the sum over groups of (sum of signs)^p."""
    power, size = setting.activation_power, setting.set_size
    free = sum_law(group_size - size, setting.spurious_rate)
    signal = pushed(free, (size + support(free)) ** power)
    one = sum_law(group_size, setting.spurious_rate)
    return not_positive(with_terms(signal, pushed(one, support(one) ** power), setting.n_patches // group_size - 1))


def movement(built: Transformer, setting: Setting) -> float:
    """Upper bound of |F - even F| over data points, in distances of two values of the even F; v = w*.

    The even F has u_i = (D/m) t with t the integer sum of a group of m patches, so that the sum of u^p changes in steps
    of m (D/m)^p. The bound adds what uneven attention does to u^p and all of nu u, with |u| <= D and |x_j| <= 1.
    """
    power, n_patches = setting.activation_power, setting.n_patches
    scores = model.attention(torch.from_numpy(built.logits), setting.temperature).numpy()
    uneven = n_patches * float(np.abs(scores - built.even).sum(axis=1).max())
    largest = float(n_patches)
    moved = n_patches * (power * largest ** (power - 1) * uneven + setting.linear_coefficient * largest)
    step = built.group_size * (n_patches / built.group_size) ** power
    return moved / step


def search_structureless(
    *,
    n_patches: int,
    set_size: int,
    dimension: int,
    with_self: bool,
    n_steps: int = 500,
    learning_rate: float = 0.05,
    generator: torch.Generator,
) -> TrialResult:
    """Search encodings whose Top_C avoid their sets by gradient ascent on the gap, from a random start.

    Observables: `best_gap`, the largest `structure_gap` seen, relative to the mean squared length of encodings.

    Raises:
        ValueError: on bad input.
    """
    require_integer(least=1, n_steps=n_steps, dimension=dimension, set_size=set_size)
    require(n_patches % (2 * set_size) == 0, "set_size", "divide n_patches into an even number of sets", set_size)
    require_positive(learning_rate=learning_rate)
    sets = np.arange(n_patches) // set_size
    same = torch.from_numpy(sets[:, None] == sets)
    inside = same if with_self else same & ~torch.eye(n_patches, dtype=torch.bool)
    encodings = torch.randn(dimension, n_patches, generator=generator, dtype=torch.float64).requires_grad_()
    optimizer = Adam((encodings,), learning_rate, n_steps)
    best = -np.inf
    for _ in range(n_steps):
        unit = encodings / (encodings.square().sum() / n_patches).sqrt()
        gram = unit.T @ unit
        best = max(best, structure_gap(gram.detach().numpy(), sets, with_self=with_self))
        outside = gram.masked_fill(same, -torch.inf).topk(set_size, dim=1).values[:, -1]
        gaps = outside - gram.masked_fill(~inside, -torch.inf).amax(dim=1)
        # A soft minimum over patches, so that several are improved at once.
        (gradient,) = torch.autograd.grad(torch.logsumexp(-20 * gaps, dim=0) / 20, encodings)
        with torch.no_grad():
            optimizer.step((gradient,))
    return TrialResult(Outcome.BUDGET, {"best_gap": float(best)})
