"""Drawn statements: none false is proved, none true refuted, and not by never answering.

One of each family here, a twentieth of them where nothing is left out; `make soundness` has all of them, and continuous
integration a fifth.
"""

from __future__ import annotations

import functools
from collections.abc import Iterable

import pytest

from tests.theory.soundness.statements import FAMILIES, Truth
from tests.theory.soundness.trial import SEED, Trial, contradiction, draw, numbers, put

STRIDE = 20
SHORT_S = 0.2
"""For the one of each family: most that are decided are by then. In the twentieth all are asked for longer."""
SHARES: dict[tuple[Truth, str], list[int]] = {}
for _truth, _name, _index in numbers(stride=STRIDE):
    SHARES.setdefault((_truth, _name), []).append(_index)


@functools.cache
def tried(truth: Truth, name: str, index: int) -> Trial:
    """What the prover makes of a statement, asked once."""
    return put(draw(truth, name, index, SEED))


def faults(trials: Iterable[Trial]) -> list[str]:
    return [f"{trial.fault}: {trial.statement} [{trial.verdict}]" for trial in trials if trial.fault]


@pytest.mark.parametrize(("truth", "name"), SHARES, ids=lambda part: getattr(part, "name", part).lower())
def test_statements_are_what_their_family_says(truth: Truth, name: str) -> None:
    for index in SHARES[truth, name]:
        statement = draw(truth, name, index, SEED)
        assert not contradiction(statement), statement


@pytest.mark.parametrize(("truth", "name"), SHARES, ids=lambda part: getattr(part, "name", part).lower())
def test_no_answer_is_wrong(truth: Truth, name: str) -> None:
    assert not faults([put(draw(truth, name, SHARES[truth, name][0], SEED), budget_s=SHORT_S)])


def test_no_answer_is_wrong_in_a_twentieth_of_all_and_a_good_part_is_decided() -> None:
    """A prover that never answers is never wrong: at least half of what can be decided is."""
    trials = {truth: [] for truth, _ in SHARES}
    for (truth, name), indices in SHARES.items():
        trials[truth] += [tried(truth, name, index) for index in indices]
    wrong = [line for group in trials.values() for line in faults(group)]
    assert not wrong, "\n".join(wrong)
    for truth, verdict in ((Truth.FAILS, "Refuted"), (Truth.HOLDS, "Proved")):
        asked = [trial.verdict for trial in trials[truth] if not trial.verdict.startswith("ValueError")]
        assert asked.count(verdict) > len(asked) / 2


def test_every_family_is_drawn() -> None:
    assert set(SHARES) == {(truth, name) for truth, families in FAMILIES.items() for name in families}


def test_other_seeds_draw_other_statements() -> None:
    assert str(draw(Truth.FAILS, "false_far_out", 0, 1)) != str(draw(Truth.FAILS, "false_far_out", 0, 2))
    assert str(draw(Truth.FAILS, "false_far_out", 0, 1)) == str(draw(Truth.FAILS, "false_far_out", 0, 1))
