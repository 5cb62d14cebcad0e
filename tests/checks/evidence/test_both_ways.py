"""Constants bind both ways: a line has a standing whatever they are, and one with the paper's constants or 1."""

from __future__ import annotations

from dataclasses import replace

import pytest
import sympy as sp

from checks.catalogue import discover
from checks.evidence.headline import headline_of
from checks.evidence.sampled import Behaviour
from checks.records.rows import Row
from checks.records.standing import Standing, Standings
from checks.statistics.explanation import finding
from checks.statistics.verdict import FAILING, Judgement, Verdict
from sim.trials.trial import Outcome, Trial, TrialResult, TrialSpec
from tests.checks.made_up import SYSTEM, made_up
from theory.claim import Claim, Hypothesis, Kind, Path
from theory.relations import at_least

n, k, c, degree = sp.symbols("n k c degree", positive=True)
ENOUGH = Hypothesis("n at least c k", at_least(n, c * k), hidden=((c, sp.Integer(1)),))
CLAIM = made_up(Kind.BEHAVIOUR, regime=(ENOUGH,))


def trials(shown: dict[int, tuple[int, int]]) -> list[Trial]:
    """At each n, how many of how many trials show it; k is 10."""
    return [
        Trial(
            TrialSpec(SYSTEM, {"n": size, "k": 10}, number),
            TrialResult(Outcome.CONVERGED, {"shows": number < good}),
            0.0,
        )
        for size, (good, number_of) in shown.items()
        for number in range(number_of)
    ]


def judged(shown: dict[int, tuple[int, int]], claim: Claim = CLAIM, path: Path | None = None) -> Row:
    part = Behaviour(
        name="shows",
        shows=lambda trial: trial.flag("shows"),
        rate=0.5,
        symbols={"n": n, "k": k},
        path=path,
    )
    return part.lines(claim, trials(shown))[0]


def both(shown: dict[int, tuple[int, int]], claim: Claim = CLAIM, path: Path | None = None) -> tuple[str, str]:
    found = judged(shown, claim, path).standings
    assert found is not None
    return found.whatever, found.own


def test_points_that_speak_for_a_claim_at_constants_of_1_speak_against_it_as_well():
    assert both({20: (60, 60)}) == ("undecidable", "holds")
    assert both({20: (0, 60)}) == ("undecidable", "violated")
    assert judged({20: (0, 60)}).verdict is Verdict.UNDECIDABLE


def test_only_points_inside_at_constants_of_1_count_there():
    assert both({5: (60, 60)}) == ("undecidable", "out of regime")
    assert both({5: (60, 60), 20: (0, 60)}) == ("inconclusive", "violated")
    assert both({5: (0, 60), 20: (60, 60)}) == ("inconclusive", "holds")


def test_a_path_that_leads_inside_speaks_whatever_the_constants():
    path = Path("n grows", n, "infinity", {})
    shown = {10: (60, 60), 20: (60, 60), 40: (60, 60)}
    assert both(shown, path=path) == ("holds", "holds")


def test_what_is_open_stays_open():
    assert both({20: (1, 2)}) == ("inconclusive", "inconclusive")


def test_a_letter_that_nobody_translates_is_no_constant_of_1():
    norm = sp.Symbol("norm", positive=True)
    claim = replace(CLAIM, regime=(ENOUGH, Hypothesis("norm at most 1", sp.Le(norm, 1))))
    assert both({20: (60, 60)}, claim) == ("undecidable", "undecidable")


def test_a_degree_that_the_applier_chooses_keeps_no_setting_out():
    free = Hypothesis("n = poly(k)", sp.Le(n, k**degree), free=(degree,))
    assert both({2000: (60, 60)}, replace(CLAIM, regime=(free,))) == ("undecidable", "holds")


def test_without_hidden_constants_there_is_one_standing():
    claim = replace(CLAIM, regime=(Hypothesis("n at least k", at_least(n, k)),))
    assert judged({20: (60, 60)}, claim).standings is None


def row(whatever: Verdict | None, own: Verdict | None, verdict: Verdict = Verdict.HOLDS) -> Row:
    standings = None if whatever is None or own is None else Standings(whatever, own)
    needed = Standing(undetermined={ENOUGH.name: 1}, needed={ENOUGH.name: "c <= 0.5"})
    return Row(CLAIM, "part", Judgement(verdict, finding("why")), standings=standings, standing=needed)


@pytest.mark.parametrize("own", sorted(FAILING))
def test_what_fails_at_the_papers_own_settings_is_not_held(own: Verdict):
    assert headline_of([row(Verdict.UNDECIDABLE, own)]).verdict is Verdict.UNDECIDABLE


def test_lines_that_say_nothing_there_are_not_heard_beside_others_that_do():
    silent, speaks = row(Verdict.UNDECIDABLE, Verdict.OUT_OF_REGIME), row(Verdict.UNDECIDABLE, Verdict.TIGHT)
    assert headline_of([silent, speaks]).standings == Standings(Verdict.UNDECIDABLE, Verdict.TIGHT)
    assert headline_of([silent]).standings == Standings(Verdict.UNDECIDABLE, Verdict.OUT_OF_REGIME)


def test_a_proof_accuses_and_does_not_speak_for_what_is_measured():
    silent = row(Verdict.UNDECIDABLE, Verdict.OUT_OF_REGIME)
    proved, refuted = row(None, None, Verdict.PROVED), row(None, None, Verdict.REFUTED)
    assert headline_of([silent, proved]).standings == Standings(Verdict.UNDECIDABLE, Verdict.OUT_OF_REGIME)
    assert headline_of([silent, refuted]).standings == Standings(Verdict.REFUTED, Verdict.REFUTED)


def test_the_scope_prints_both_and_the_constants_where_neither_holds():
    (told, needed) = headline_of([row(Verdict.UNDECIDABLE, Verdict.OUT_OF_REGIME)]).scope
    assert told == (
        "whatever the constants: undecidable; with the paper's constants or 1: no run meets every hypothesis, so none "
        "speaks"
    )
    assert needed == "its points need c <= 0.5"
    assert len(headline_of([row(Verdict.UNDECIDABLE, Verdict.HOLDS)]).scope) == 1


def test_a_constant_that_is_not_1_is_excepted_where_the_claim_stands_with_it():
    """With ten times its samples (10) holds, with one time it fails; "with the constants or 1: holds" stood there."""
    words = "whatever the constants: undecidable; with the paper's constants or 1, but for (10)'s, which is 10: holds"
    for own, told in ((Verdict.HOLDS, words), (Verdict.VIOLATED, words.replace(", but for (10)'s, which is 10", ""))):
        line = row(Verdict.UNDECIDABLE, own)
        line = replace(line, protocol=replace(line.protocol, but_for="(10)'s, which is 10"))
        assert told.replace("holds", str(own)) in headline_of([line]).scope


def test_what_a_control_withdraws_stands_in_neither_way():
    withdrawn = row(Verdict.UNDECIDABLE, Verdict.HOLDS).withdrawn(Verdict.UNINFORMATIVE)
    assert withdrawn.standings == Standings(Verdict.UNDECIDABLE, Verdict.UNINFORMATIVE)


def test_every_hidden_constant_of_the_papers_has_a_value_at_their_own_settings():
    for name, check in discover().items():
        for hypothesis in check.claim.regime:
            open_ = {symbol for symbol in hypothesis.relation.free_symbols if symbol.name.startswith("c_")}
            valued = {symbol for symbol, _ in hypothesis.hidden}
            measured = any(part.is_measured for part in check.parts)
            assert not measured or open_ <= valued | set(hypothesis.free), f"{name}: {hypothesis.name}"
            assert not valued & set(hypothesis.free)
