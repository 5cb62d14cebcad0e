"""Checks, their parts and rows: what is missing, what contradicts, and that nothing is registered by hand."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
import pytest
import sympy as sp

from checks.catalogue import discover
from checks.evidence.check import Check, ToolError, claim_verdict, deciding, evaluate
from checks.evidence.comparison import make_row
from checks.evidence.part import Part
from checks.evidence.translation import exact
from checks.records.preset import Preset
from checks.records.rows import Row
from checks.statistics.explanation import finding
from checks.statistics.verdict import Judgement, Verdict
from sim.image_root import VARIABLE
from sim.store.store import key
from sim.trials.sweep import Sweep, grid
from sim.trials.trial import Outcome, System, Trial, TrialResult, TrialSpec
from tests.checks.made_up import SYSTEM, made_up
from theory.catalogue import discover as discover_claims
from theory.claim import Claim, Kind, Role

CLAIM = made_up()


@dataclass(frozen=True, kw_only=True)
class Fixed(Part):
    """A part with a verdict of its own."""

    verdict: Verdict

    def judge(self, claim: Claim, trials: Sequence[Trial]) -> list[Row]:
        return [make_row(self, claim, Judgement(self.verdict, finding("as told")), trials)]


def sweep(replicates: int, **axes: tuple[int, ...]) -> tuple[Sweep, ...]:
    return (Sweep(SYSTEM, grid(**axes), {}, replicates),)


def part(verdict: Verdict = Verdict.HOLDS, name: str = "made up", **changes: object) -> Fixed:
    return Fixed(**{"name": name, "verdict": verdict, "sweeps": {Preset.SMOKE: sweep(2, x=(1, 2))}, **changes})


def stored(specs: Sequence[TrialSpec]) -> dict[str, Trial]:
    return {key(spec): Trial(spec, TrialResult(Outcome.CONVERGED, {}), 0.25) for spec in specs}


def test_every_claim_of_the_catalogue_has_a_check() -> None:
    assert list(discover()) == list(discover_claims())
    assert all(check.claim is discover_claims()[name] for name, check in discover().items())


def test_parts_and_axes_of_a_claim_are_told_apart() -> None:
    for name, check in discover().items():
        rows = [(part.name, axis.symbol if axis else None) for part in check.parts for axis in part.axes(check.claim)]
        assert len(rows) == len(set(rows)), name


def test_no_part_rests_on_the_same_trial_twice() -> None:
    for check in discover().values():
        for part in check.parts:
            identities = [spec.identity for spec in part.specs(Preset.SMOKE)]
            assert len(identities) == len(set(identities)), part.name


def test_a_larger_preset_falls_back_to_a_smaller_one_and_never_the_other_way() -> None:
    small, large = part(), part(sweeps={Preset.QUICK: sweep(5, x=(1,))})
    assert [len(small.specs(preset)) for preset in Preset] == [4, 4, 4]
    assert [len(large.specs(preset)) for preset in Preset] == [0, 5, 5]


def test_missing_trials_are_not_measured_yet_with_the_command_that_measures_them() -> None:
    check = Check(CLAIM, (part(),))
    (row,) = check.rows(Preset.QUICK, stored(check.specs(Preset.QUICK)[:3]))
    assert row.verdict is Verdict.NOT_MEASURED_YET
    assert row.judgement.reason == "3 of 4 trials stored; theoremeter run A.made_up --preset quick"
    assert row.protocol.n_trials == 3


def test_missing_trials_leave_one_row_for_every_axis_of_every_discovered_part() -> None:
    for check in discover().values():
        for preset in Preset:
            for part in check.parts:
                rows = part.rows(check.claim, preset, {})
                costs = part.cost and any(map(part.specs, Preset))  # such a part has a line at every preset
                has_line = part.specs(preset) or costs
                assert [row.axis for row in rows] == (list(part.axes(check.claim)) if has_line else [])
                assert all(row.verdict is Verdict.NOT_MEASURED_YET for row in rows)


def test_finished_trials_are_judged() -> None:
    check = Check(CLAIM, (part(note="mind the gap"),))
    (row,) = check.rows(Preset.SMOKE, stored(check.specs(Preset.SMOKE)))
    assert row.verdict is Verdict.HOLDS
    assert row.judgement.reason == "as told; mind the gap"
    assert (row.protocol.n_trials, row.protocol.seconds) == (4, 1.0)


def test_a_trial_that_two_sweeps_share_counts_once() -> None:
    shared = part(sweeps={Preset.SMOKE: (*sweep(2, x=(1, 2)), *sweep(2, x=(2, 3)))})
    (row,) = shared.rows(CLAIM, Preset.SMOKE, stored(shared.specs(Preset.SMOKE)))
    assert row.protocol.n_trials == 6


def test_a_preset_without_trials_gives_no_row_but_the_claim_keeps_one() -> None:
    late = part(sweeps={Preset.FULL: sweep(1, x=(1,))})
    assert late.rows(CLAIM, Preset.SMOKE, {}) == []
    (row,) = evaluate([Check(CLAIM, (late,))], Preset.SMOKE, {})["A.made_up"]
    assert row.verdict is Verdict.NOT_MEASURED_YET
    assert "full" in row.judgement.reason


def test_a_claim_without_parts_is_not_measured_yet() -> None:
    (row,) = evaluate([Check(CLAIM, ())], Preset.SMOKE, {})["A.made_up"]
    assert row.verdict is Verdict.NOT_MEASURED_YET
    assert row.part == ""


@pytest.mark.parametrize("proof", [Verdict.PROVED, Verdict.CERTIFIED])
@pytest.mark.parametrize("measured", [Verdict.VIOLATED, Verdict.REFUTED])
def test_a_proof_contradicted_by_a_measurement_is_an_error_of_the_tool(proof: Verdict, measured: Verdict) -> None:
    parts = part(proof, "lemma", aspect="the gap is positive"), part(measured, "runs", aspect="the gap is positive")
    check = Check(CLAIM, parts)
    trials = stored(check.specs(Preset.SMOKE))
    with pytest.raises(ToolError, match=f"A.made_up .the gap is positive. is both {proof} and {measured}"):
        evaluate([check], Preset.SMOKE, trials)
    apart = Check(CLAIM, (part(proof, "lemma"), part(measured, "runs")))
    assert claim_verdict(evaluate([apart], Preset.SMOKE, trials)["A.made_up"]) is measured


def test_the_headline_is_the_worst_row() -> None:
    check = Check(
        CLAIM, tuple(part(verdict, str(verdict)) for verdict in (Verdict.TIGHT, Verdict.LOOSE, Verdict.HOLDS))
    )
    rows = evaluate([check], Preset.SMOKE, stored(check.specs(Preset.SMOKE)))["A.made_up"]
    assert claim_verdict(rows) is Verdict.LOOSE


def test_exact_reads_decimals_as_they_are_written() -> None:
    assert exact(0.3) == sp.Rational(3, 10)
    assert exact(7) == exact(np.int64(7)) == 7
    assert exact(np.float64(0.3)) == sp.Rational(3, 10)


@pytest.mark.parametrize("value", ["1", "__import__('os').getcwd()", None, float("inf"), float("nan"), [1]])
def test_exact_reads_no_text_as_a_formula(value: object) -> None:
    with pytest.raises(ValueError, match="value must be a finite number"):
        exact(value)


def asked(name: str, role: Role, system: System = SYSTEM) -> Part:
    """A part in a role; its trials read a data set where the system needs one."""
    because = "" if role is Role.STATEMENT else "a place in the paper"
    return part(
        name=name,
        role=role,
        because=because,
        sweeps={Preset.SMOKE: (Sweep(system, grid(objects=("cifar10",)), {}, 1),)},
    )


LACKING = System("lacking", "tests.nowhere:simulate", ("sim.trials.trial",), needs="sim.images.sets.published:lacking")
STATED, ELSEWHERE = asked("stated", Role.STATEMENT), asked("stated of data", Role.STATEMENT, LACKING)
READ, OWN = asked("read otherwise", Role.READING), asked("asked beside it", Role.OWN_QUESTION)


@pytest.mark.parametrize(
    ("claim", "parts", "kept"),
    [
        (CLAIM, (STATED, READ, OWN), (STATED, READ)),
        (CLAIM, (READ, OWN), ()),
        (CLAIM, (ELSEWHERE, READ, OWN), (ELSEWHERE,)),
        (CLAIM, (ELSEWHERE, STATED, READ, OWN), (ELSEWHERE, STATED, READ)),
        (made_up(Kind.OPEN), (READ, OWN), (READ, OWN)),
    ],
    ids=["all", "no statement", "a statement of data that are not here", "one of two", "an open question"],
)
def test_what_decides_a_headline_is_kept_and_nothing_beside_it(
    claim: Claim, parts: tuple[Part, ...], kept: tuple[Part, ...], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.delenv(VARIABLE, raising=False)
    assert deciding(Check(claim, parts), Preset.SMOKE).parts == kept
