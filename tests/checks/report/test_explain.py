"""The page of readings: whole, up to date, and without an empty reason."""

from __future__ import annotations

import math
from dataclasses import replace

import pytest
import sympy

from checks.catalogue import discover
from checks.cli import main
from checks.evidence.check import Check
from checks.evidence.headline import headline_of
from checks.evidence.sampled import Behaviour
from checks.records.preset import Preset
from checks.records.rows import Row
from checks.report import claim_page, table
from checks.report.explain import render, section_of
from checks.statistics.judge import judge_behaviour
from checks.statistics.verdict import Verdict
from sim.store.store import key
from sim.trials.sweep import Sweep, grid
from sim.trials.trial import Outcome, System, Trial, TrialResult
from tests.checks.made_up import made_up
from tests.checks.report.screens import SCREENS, bare, require_readable
from theory.claim import Axis, Hypothesis, Inequality, Kind, Role
from theory.relations import above

CHECKS = list(discover().values())


def test_the_page_of_all_claims_has_a_section_for_each_in_their_order(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["explain", "--format", "markdown"]) == 0
    page = capsys.readouterr().out
    head, *sections = page.split("\n## ")
    assert head.startswith("# How each claim is read\n")
    assert [section.partition("\n")[0] for section in sections] == [check.claim.id for check in CHECKS]
    for check, section in zip(CHECKS, sections, strict=True):
        assert render([check]).partition(f"\n## {check.claim.id}\n")[2].strip() == section.partition("\n")[2].strip()


@pytest.mark.parametrize("check", CHECKS, ids=lambda check: check.claim.id)
def test_a_claim_has_its_statement_its_lines_and_a_reason(check: Check) -> None:
    page = render([check])
    assert f"## {check.claim.id}\n" in page
    assert page.count("**As read.**") == page.count("**Lines.**") == page.count("**Why the headline is fair.**") == 1
    lines = [line for line in page.splitlines() if line.startswith("- ")]
    assert len(lines) == len(check.claim.lemmas) + sum(part.is_measured for part in check.parts)
    assert not any(line.startswith(f"- {Role.OUTSIDE}:") for line in lines)


@pytest.mark.parametrize("check", CHECKS, ids=lambda check: check.claim.id)
def test_what_is_measured_says_why_its_headline_is_fair(check: Check) -> None:
    if any(part.is_measured for part in check.parts):
        assert len(check.claim.fairness) > 100


@pytest.mark.parametrize("width", SCREENS)
def test_a_screen_of_any_width_has_text_and_the_claims_before_what_words_mean(width: int) -> None:
    page = render(CHECKS, fmt="terminal", width=width)
    require_readable(page, render(CHECKS, fmt="terminal"), width)
    assert page.index(CHECKS[-1].claim.id) < page.index("What the words mean")
    asked = render(CHECKS[:1], fmt="terminal", width=width)
    assert bare(asked).startswith(f"{CHECKS[0].claim.id}  (")


def test_every_role_that_a_line_may_have_is_explained() -> None:
    page = bare(render(CHECKS[:1], fmt="terminal", width=80))
    words = page[page.index("What the words mean") :]
    assert all(f"\n{role.value} " in words for role in Role)


def test_what_markdown_or_a_narrow_screen_makes_of_text_is_found() -> None:
    """What the tests of screens must catch, each planted alone."""
    whole = "samples of order alpha_*^-2 are enough"
    require_readable("samples of order\nalpha_*^-2 are enough", whole, 24)
    for planted in (whole, "samples of order alpha\\_\\*^-2", "| samples | of |\n|---|---|", "samples of ord\ner"):
        with pytest.raises(AssertionError):
            require_readable(planted, whole, 24)


def test_a_probability_says_beforehand_how_many_trials_it_takes() -> None:
    """29 trials without a failure bound a rate of 0.9 from below at 95 %, and 28 do not."""
    check = discover()["A.fig4"]
    (line,) = [one for one in section_of(check).lines if "the mass ends at 0.9 or more" in one]
    part = next(part for part in check.parts if part.name == "the mass ends at 0.9 or more")
    needed = math.ceil(math.log(0.05) / math.log(part.rate))
    assert f"A rate of {part.rate:g} takes {needed} trials at least to hold" in line
    for trials, verdict in ((needed, Verdict.HOLDS), (needed - 1, Verdict.INCONCLUSIVE)):
        assert judge_behaviour(trials, trials, rate=part.rate).verdict is verdict


@pytest.mark.parametrize(("kind", "rests"), [(Kind.INEQUALITY, "Its lemmas are its statement"), (Kind.UPPER, "waits")])
def test_a_claim_of_lemmas_waits_for_no_measurement(kind: Kind, rests: str) -> None:
    """It waited for a measurement of none, it compares two formulas."""
    n = sympy.Symbol("n", positive=True)
    order = {} if kind.states_a_step else {"axes": (Axis(n),), "value": n}
    lemma = Inequality("n <= n**2", n <= n**2, {n: (1, sympy.oo)})
    said = section_of(Check(made_up(kind, lemmas=(lemma,), **order), ())).fair
    assert rests in said
    assert ("measurement of" in said) is not kind.states_a_step


def outside() -> Row:
    """A line of a claim of which no point meets its hypothesis."""
    n = sympy.Symbol("n", positive=True)
    claim = made_up(Kind.BEHAVIOUR, regime=(Hypothesis("n > 5", above(n, 5)),))
    system = System("made_up", "tests.nowhere:simulate", ("sim.trials.trial",))
    sweeps = {Preset.SMOKE: (Sweep(system, grid(size=(2, 4)), {}, 3),)}
    part = Behaviour(name="shows", shows=lambda _: True, rate=1, symbols={"size": n}, sweeps=sweeps)
    result = TrialResult(Outcome.CONVERGED, {"value": 1.0})
    trials = {key(spec): Trial(spec, result, 1.0) for spec in part.specs(Preset.SMOKE)}
    (row,) = part.rows(claim, Preset.SMOKE, trials)
    return row


@pytest.mark.parametrize("fmt", ["terminal", "markdown", "json"])
def test_why_a_claim_is_out_of_regime_stands_in_explain_show_and_the_table(fmt: str) -> None:
    row = outside()
    check = Check(row.claim, ())
    said = "Hypotheses not met: n > 5 at 2 points; measured on n 2 to 4."
    assert headline_of([row]).verdict is Verdict.OUT_OF_REGIME
    assert said in render([check], fmt=fmt, rows={row.claim.id: [row]}).replace("\\>", ">").replace("&gt;", ">")
    assert claim_page.record_of(check, rows=[row], preset=Preset.SMOKE)["why"] == said
    page = table.render({row.claim.id: [row]}, Preset.SMOKE, fmt="terminal", parts=False, reasons=True)
    assert said in page


def test_explain_says_why_a_headline_is_open() -> None:
    row = replace(outside(), role=Role.STATEMENT, judgement=judge_behaviour(3, 3, rate=0.9))
    page = render([Check(row.claim, ())], fmt="terminal", rows={row.claim.id: [row]})
    assert "\nWhy\n" in page
    assert "3 of 3" in page
    assert "29 trials" in page
