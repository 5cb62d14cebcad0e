"""A tenth of the drawn statements: none false is proved, none true refuted, and not by never answering.

All of them: `make soundness`.
"""

from __future__ import annotations

from collections import Counter

import pytest

from tests.theory.soundness.statements import FAMILIES, Truth
from tests.theory.soundness.trial import SEED, contradiction, draw, numbers, put

STRIDE = 10
SHARES: dict[tuple[Truth, str], list[int]] = {}
for _truth, _name, _index in numbers(stride=STRIDE):
    SHARES.setdefault((_truth, _name), []).append(_index)
VERDICTS: Counter = Counter()
TRIED: set = set()


@pytest.mark.parametrize(("truth", "name"), SHARES, ids=lambda part: getattr(part, "name", part).lower())
def test_statements_are_what_their_family_says(truth: Truth, name: str) -> None:
    for index in SHARES[truth, name]:
        statement = draw(truth, name, index, SEED)
        assert not contradiction(statement), statement


@pytest.mark.parametrize(("truth", "name"), SHARES, ids=lambda part: getattr(part, "name", part).lower())
def test_no_answer_is_wrong(truth: Truth, name: str) -> None:
    trials = [put(draw(truth, name, index, SEED)) for index in SHARES[truth, name]]
    VERDICTS.update((truth, trial.verdict) for trial in trials)
    TRIED.add((truth, name))
    faults = [f"{trial.fault}: {trial.statement} [{trial.verdict}]" for trial in trials if trial.fault]
    assert not faults, "\n".join(faults)


def test_a_good_part_of_the_statements_is_decided() -> None:
    """A prover that never answers is never wrong: at least half of what can be decided is."""
    if set(SHARES) != TRIED:
        pytest.skip("counts the answers of all families, and not all were asked")
    of_truth = Counter()
    for (truth, verdict), count in VERDICTS.items():
        of_truth[truth] += count if not verdict.startswith("ValueError") else 0
    print(dict(VERDICTS))
    assert VERDICTS[Truth.FAILS, "Refuted"] > of_truth[Truth.FAILS] / 2
    assert VERDICTS[Truth.HOLDS, "Proved"] > of_truth[Truth.HOLDS] / 2


def test_every_family_is_drawn() -> None:
    assert set(SHARES) == {(truth, name) for truth, families in FAMILIES.items() for name in families}


def test_other_seeds_draw_other_statements() -> None:
    assert str(draw(Truth.FAILS, "false_far_out", 0, 1)) != str(draw(Truth.FAILS, "false_far_out", 0, 2))
    assert str(draw(Truth.FAILS, "false_far_out", 0, 1)) == str(draw(Truth.FAILS, "false_far_out", 0, 1))
