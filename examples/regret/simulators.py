"""Games between a learner and an adversary, in rounds: regret against the best fixed point in hindsight.

`play_linear`: losses g_t . x over the ball of radius `radius`, with |g_t| at most `lipschitz`. `play_signs`: losses +x
or -x over [-1, 1] against every sequence of signs. `play_quadratic`: losses |x - z_t|^2 / 2. `play_median`: stochastic
gradient descent on E |x - z| over [-1, 1].
"""

from __future__ import annotations

import itertools
import math

import torch

from theoremeter import Outcome, System, TrialResult

LEARNERS = ("root_steps", "scaled_steps", "fixed_step", "leader", "still")
ADVERSARIES = ("orthogonal", "against", "same", "alternating", "random")


def within(x: torch.Tensor, radius: float) -> torch.Tensor:
    """The nearest point of the ball."""
    length = float(x.norm())
    return x if length <= radius else x * (radius / length)


def answer(learner: str, t: int, x: torch.Tensor, g: torch.Tensor, total: torch.Tensor, game: dict) -> torch.Tensor:
    """Where a learner goes after round t, at x with gradient g and sum of gradients `total`."""
    radius, lipschitz, n_rounds = game["radius"], game["lipschitz"], game["n_rounds"]
    if learner == "root_steps":
        return within(x - g / math.sqrt(t), radius)
    if learner == "scaled_steps":
        return within(x - g * (2 * radius / (lipschitz * math.sqrt(t))), radius)
    if learner == "fixed_step":
        return within(x - g * (radius / (lipschitz * math.sqrt(n_rounds))), radius)
    if learner == "leader":
        length = float(total.norm())
        return -total * (radius / length) if length else torch.zeros_like(x)
    if learner == "still":
        return x
    raise ValueError(f"learner must be one of {LEARNERS}, got {learner!r}")


def less(vector: torch.Tensor, basis: list[torch.Tensor]) -> torch.Tensor:
    """What is left of a vector beside an orthonormal basis, taken away twice against rounding."""
    for known in [*basis, *basis]:
        vector = vector - known * float(vector @ known)
    return vector


def orthogonal_to(vectors: list[torch.Tensor], dimension: int) -> torch.Tensor:
    """A unit vector orthogonal to all of these. Raises ValueError where they leave no room."""
    basis: list[torch.Tensor] = []
    for vector in vectors:
        rest = less(vector, basis)
        if float(rest.norm()) > 1e-9:
            basis.append(rest / rest.norm())
    longest = max((less(axis, basis) for axis in torch.eye(dimension, dtype=torch.float64)), key=torch.norm)
    if float(longest.norm()) < 0.1:
        raise ValueError(f"dimension must exceed the {len(basis)} directions to be orthogonal to, got {dimension}")
    return longest / longest.norm()


def challenge(
    adversary: str, t: int, x: torch.Tensor, total: torch.Tensor, game: dict, generator: torch.Generator
) -> torch.Tensor:
    """The gradient of round t, against a learner at x."""
    lipschitz, first = game["lipschitz"], torch.zeros_like(x)
    first[0] = lipschitz
    if adversary == "orthogonal":
        return lipschitz * orthogonal_to([x, total], len(x))
    if adversary == "against":
        length = float(x.norm())
        return x * (lipschitz / length) if length else first
    if adversary == "same":
        return first
    if adversary == "alternating":
        return first / 2 if t == 1 else first * (-1) ** (t - 1)
    if adversary == "random":
        drawn = torch.randn(len(x), generator=generator, dtype=torch.float64)
        return drawn * (lipschitz / float(drawn.norm()))
    raise ValueError(f"adversary must be one of {ADVERSARIES}, got {adversary!r}")


def play_linear(
    *,
    learner: str,
    adversary: str,
    n_rounds: int,
    dimension: int,
    radius: float = 1.0,
    lipschitz: float = 1.0,
    generator: torch.Generator,
) -> TrialResult:
    """One game of linear losses; a learner begins at 0. Curve `regret` is that after each round."""
    game = {"radius": radius, "lipschitz": lipschitz, "n_rounds": n_rounds}
    x = torch.zeros(dimension, dtype=torch.float64)
    total, loss, regrets = torch.zeros_like(x), 0.0, []
    for t in range(1, n_rounds + 1):
        g = challenge(adversary, t, x, total, game, generator)
        loss += float(g @ x)
        total = total + g
        x = answer(learner, t, x, g, total, game)
        regrets.append(loss + radius * float(total.norm()))
    return TrialResult(
        Outcome.CONVERGED,
        {"regret": regrets[-1], "regret_per_root": regrets[-1] / math.sqrt(n_rounds)},
        {"round": [float(t) for t in range(1, n_rounds + 1)], "regret": regrets},
    )


LINEAR = System("regret.linear", play_linear, observables=("regret", "regret_per_root", "round"))


def guarded(n_rounds: int) -> list[dict[int, float]]:
    """What the equalising learner plays before round t + 1 where the signs so far add up to s, of n rounds.

    With v(t, s) the mean of |s + rest| over all signs to come, it plays (v(t + 1, s - 1) - v(t + 1, s + 1)) / 2, which
    makes both signs cost the same.
    """
    values = {s: float(abs(s)) for s in range(-n_rounds, n_rounds + 1)}
    moves = []
    for t in range(n_rounds - 1, -1, -1):
        places = range(-t, t + 1)
        moves.append({s: (values[s - 1] - values[s + 1]) / 2 for s in places})
        values = {s: (values[s - 1] + values[s + 1]) / 2 for s in places}
    return moves[::-1]


def play_signs(*, learner: str, n_rounds: int, generator: torch.Generator) -> TrialResult:
    """The greatest and the mean regret of a learner over all 2^n sequences of signs; losses s_t x over [-1, 1]."""
    del generator  # all sequences are played
    game = {"radius": 1.0, "lipschitz": 1.0, "n_rounds": n_rounds}
    moves, regrets = guarded(n_rounds), []
    for signs in itertools.product((-1.0, 1.0), repeat=n_rounds):
        x, total, loss = torch.zeros(1, dtype=torch.float64), torch.zeros(1, dtype=torch.float64), 0.0
        for t, sign in enumerate(signs, start=1):
            played = moves[t - 1][round(float(total))] if learner == "equaliser" else float(x)
            loss += sign * played
            g = torch.tensor([sign], dtype=torch.float64)
            total = total + g
            if learner != "equaliser":
                x = answer(learner, t, x, g, total, game)
        regrets.append(loss + abs(float(total)))
    return TrialResult(Outcome.CONVERGED, {"greatest_regret": max(regrets), "mean_regret": sum(regrets) / len(regrets)})


SIGNS = System("regret.signs", play_signs, observables=("greatest_regret", "mean_regret"))


def draw_sums(*, n_rounds: int, dimension: int, n_games: int = 1000, generator: torch.Generator) -> TrialResult:
    """Games against random unit gradients by a learner who stays at 0, on the line or in the plane.

    Curve `scaled_regret`: the regret of each game over the root of the number of rounds.
    """
    if dimension == 1:
        total = (2.0 * torch.randint(0, 2, (n_games, n_rounds), generator=generator).double() - 1).sum(dim=1).abs()
    elif dimension == 2:
        angle = 2 * math.pi * torch.rand(n_games, n_rounds, generator=generator, dtype=torch.float64)
        total = torch.hypot(angle.cos().sum(dim=1), angle.sin().sum(dim=1))
    else:
        raise ValueError(f"dimension must be 1 or 2, got {dimension}")
    regrets = total / math.sqrt(n_rounds)
    return TrialResult(Outcome.CONVERGED, {"mean_regret": float(regrets.mean())}, {"scaled_regret": regrets.tolist()})


SUMS = System("regret.sums", draw_sums, observables=("mean_regret", "scaled_regret"))


def play_quadratic(
    *, targets: str, n_rounds: int, dimension: int = 2, curvature: float = 1.0, generator: torch.Generator
) -> TrialResult:
    """Losses curvature |x - z_t|^2 / 2 over the unit ball by steps 1 / (curvature t), from 0.

    Args:
        targets: z_t "alternating" between two opposite unit vectors, "random" unit vectors, or always the "same" one.
    """
    first = torch.zeros(dimension, dtype=torch.float64)
    first[0] = 1.0
    x, seen, loss = torch.zeros_like(first), torch.zeros_like(first), 0.0
    for t in range(1, n_rounds + 1):
        if targets == "random":
            z = torch.randn(dimension, generator=generator, dtype=torch.float64)
            z = z / z.norm()
        elif targets in ("alternating", "same"):
            z = first * ((-1) ** t if targets == "alternating" else 1)
        else:
            raise ValueError(f"targets must be 'alternating', 'random' or 'same', got {targets!r}")
        loss += curvature * float((x - z) @ (x - z)) / 2
        seen = seen + z
        x = within(x - curvature * (x - z) / (curvature * t), 1.0)
    middle = seen / n_rounds
    best = curvature * (n_rounds - n_rounds * float(middle @ middle)) / 2
    return TrialResult(Outcome.CONVERGED, {"regret": loss - best})


QUADRATIC = System("regret.quadratic", play_quadratic, observables=("regret",))


def play_median(*, n_rounds: int, share: float = 0.6, generator: torch.Generator) -> TrialResult:
    """Averaged stochastic gradient descent on f(x) = E |x - z| over [-1, 1], z = 1 with probability `share`, else -1.

    Steps are 2 / sqrt(t), from 0; `excess` is f at the mean of the points that were played, less its least value.
    """
    signs = torch.rand(n_rounds, generator=generator, dtype=torch.float64) < share
    x, total = 0.0, 0.0
    for t, high in enumerate(signs.tolist(), start=1):
        total += x
        x = min(1.0, max(-1.0, x + (1.0 if high else -1.0) * 2 / math.sqrt(t)))
    mean = total / n_rounds
    return TrialResult(Outcome.CONVERGED, {"excess": (2 * share - 1) * (1 - mean)})


MEDIAN = System("regret.median", play_median, observables=("excess",))
