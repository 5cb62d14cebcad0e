"""Simulators that are wrong on purpose, to see whether the evidence notices."""

from __future__ import annotations

from collections.abc import Iterator
from unittest.mock import patch

from theoremeter import Fault

from . import simulators


def ten_times_the_step():
    """The fixed step, ten times as long."""
    right = simulators.answer

    def wrong(learner, t, x, g, total, game):
        return right(learner, t, x, 10 * g if learner == "fixed_step" else g, total, game)

    return patch.object(simulators, "answer", wrong)


def forgetful_adversary():
    """Orthogonal to the learner's point, and not to the gradients before."""
    right = simulators.orthogonal_to
    return patch.object(simulators, "orthogonal_to", lambda vectors, dimension: right(vectors[:1], dimension))


def leader_of_yesterday():
    """The leader leaves out the last round."""
    right = simulators.answer

    def wrong(learner, t, x, g, total, game):
        return right(learner, t, x, g, total - g if learner == "leader" else total, game)

    return patch.object(simulators, "answer", wrong)


def shorter_gradients():
    """An adversary that leaves a tenth of every gradient out."""
    right = simulators.challenge
    return patch.object(simulators, "challenge", lambda *of: 0.9 * right(*of))


def last_sign_unseen():
    """Regret against the best point of all rounds but the last."""
    return patch.object(simulators, "abs", lambda value: max(abs(value) - 1, 0), create=True)


def faults() -> Iterator[Fault]:
    """Each with the part that must notice it."""
    yield Fault("ten times the step", "regret.fixed_step", "alternating losses", planted=ten_times_the_step)
    yield Fault("the leader of yesterday", "regret.leader", "alternating losses", planted=leader_of_yesterday)
    yield Fault("shorter gradients", "regret.equality", "orthogonal losses", planted=shorter_gradients)
    yield Fault("shorter gradients", "regret.forced", "five learners", planted=shorter_gradients)
    yield Fault("the last sign unseen", "regret.line", "six learners", planted=last_sign_unseen)
    yield Fault("the last sign unseen", "regret.line_mean", "learner: still", planted=last_sign_unseen)
    yield Fault(
        "a forgetful adversary",
        "regret.equality",
        "orthogonal losses",
        planted=forgetful_adversary,
        equivalent="from the centre, fixed steps that stay in the ball are a multiple of the gradients before",
    )
