"""The papers in examples/: what their checks say of theorems, and of what was planted beside them."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from checks.catalogue import discover
from checks.cli import main
from checks.commands.objects import run
from checks.evidence.check import Check
from checks.statistics.verdict import Verdict
from theoremeter_papers import named

EXAMPLES = Path(__file__).parents[2] / "examples"
LITERATURE = {
    "regret.zinkevich": Verdict.HOLDS,
    "regret.scaled_steps": Verdict.HOLDS,
    "regret.anytime": Verdict.NOT_REFUTED,
    "regret.fixed_step": Verdict.HOLDS,
    "regret.strongly_convex": Verdict.HOLDS,
    "regret.logarithm": Verdict.TIGHT,
    "regret.batch": Verdict.HOLDS,
    "regret.forced": Verdict.NOT_REFUTED,
    "regret.adversary_exists": Verdict.SATISFIABLE,
    "regret.equality": Verdict.HOLDS,
    "regret.leader": Verdict.HOLDS,
    "regret.line": Verdict.NOT_REFUTED,
    "regret.line_mean": Verdict.HOLDS,
    "regret.root_of_two_over_pi": Verdict.HOLDS,
    "regret.rayleigh": Verdict.HOLDS,
    "regret.steps": Verdict.CERTIFIED,
    "regret.tuning": Verdict.PROVED,
    "spiked.edge": Verdict.HOLDS,
    "spiked.outlier": Verdict.HOLDS,
    "spiked.normal": Verdict.HOLDS,
    "spiked.edgeworth": Verdict.TIGHT,
    "spiked.cosine": Verdict.HOLDS,
    "spiked.blind": Verdict.HOLDS,
    "spiked.transition": Verdict.HOLDS,
    "spiked.smallest": Verdict.HOLDS,
    "spiked.any_entries": Verdict.HOLDS,
    "spiked.apart": Verdict.PROVED,
    "spiked.classical": Verdict.PROVED,
}
"""What theorems come out as at preset quick."""
PLANTED = {
    "regret.fixed_step_anytime": Verdict.VIOLATED,
    "regret.half": Verdict.VIOLATED,
    "regret.leader_as_descent": Verdict.VIOLATED,
    "regret.line_forced": Verdict.REFUTED,
    "regret.root_not_logarithm": Verdict.VIOLATED,
    "regret.rayleigh_of_unit_variance": Verdict.VIOLATED,
    "regret.few_steps": Verdict.REFUTED,
    "spiked.bias_at_most_gamma": Verdict.REFUTED,
    "spiked.consistent": Verdict.FALSE_AS_PRINTED,
    "spiked.always_outside": Verdict.VIOLATED,
    "spiked.edgeworth_without_skewness": Verdict.VIOLATED,
    "spiked.universal_normal": Verdict.VIOLATED,
    "spiked.early_transition": Verdict.VIOLATED,
}
"""What is false on purpose."""
AT_SMOKE = (
    "regret.adversary_exists",
    "regret.anytime",
    "regret.equality",
    "regret.fixed_step",
    "regret.forced",
    "regret.half",
    "regret.leader",
    "regret.leader_as_descent",
)
"""What takes a second or two in all."""


def checks_of(key: str) -> Iterator[dict[str, Check]]:
    with named([EXAMPLES / key]) as papers:
        yield discover(papers)


@pytest.fixture(scope="module", params=["regret", "spiked"])
def example(request: pytest.FixtureRequest) -> Iterator[dict[str, Check]]:
    yield from checks_of(request.param)


def test_every_claim_has_a_check_and_an_expectation(example: dict[str, Check]) -> None:
    expected = {**LITERATURE, **PLANTED}
    assert set(example) == {
        name for name in expected if name.partition(".")[0] in {c.partition(".")[0] for c in example}
    }
    assert all(check.parts for check in example.values())


def test_what_is_planted_says_so_and_nothing_else_does(example: dict[str, Check]) -> None:
    says = {name for name, check in example.items() if "false on purpose" in check.claim.source.place}
    assert says == set(PLANTED) & set(example)
    declared = {name: check.expects for name, check in example.items() if check.expects is not None}
    assert declared == {name: PLANTED[name] for name in says}


def test_some_games_are_judged_at_smoke(tmp_path: Path) -> None:
    for checks in checks_of("regret"):
        found = run([checks[name] for name in AT_SMOKE], store=tmp_path / "trials.sqlite", preset="smoke")
    assert not found.failures
    assert found.verdicts == {name: {**LITERATURE, **PLANTED}[name] for name in AT_SMOKE}


def test_theorems_hold_and_what_is_planted_does_not(example: dict[str, Check], tmp_path: Path) -> None:
    found = run(list(example.values()), store=tmp_path / "trials.sqlite", preset="quick")
    assert not found.failures
    expected = {**LITERATURE, **PLANTED}
    assert found.verdicts == {name: expected[name] for name in example}


@pytest.mark.parametrize("key", ["regret", "spiked"])
def test_no_planted_fault_survives(key: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["check-paper", str(EXAMPLES / key), "--faults"]) == 0
    lines = capsys.readouterr().out.splitlines()
    assert sum(line.startswith("killed: ") for line in lines) >= 4
    assert not any(line.startswith(("survived: ", "undecided: ")) for line in lines)


def test_an_example_goes_onto_a_site(tmp_path: Path) -> None:
    folder, store = str(EXAMPLES / "regret"), str(tmp_path / "trials.sqlite")
    assert (
        main(["--paper", folder, "run", "regret.leader", "regret.steps", "--preset", "smoke", "--store", store, "-q"])
        == 0
    )
    out = tmp_path / "site"
    assert main(["--paper", folder, "report", "--preset", "smoke", "--store", store, "--out", str(out), "-q"]) == 0
    page = (out / "claims" / "regret.leader.html").read_text(encoding="utf-8")
    assert "linear" in page
    assert "holds" in page
