"""No statement that a shipped adversary meets reads *holds*: over all trials that come with the papers.

What an adversary meets is counted here from its own stored runs, apart from the words that stand in a row.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace

import pytest

from checks.catalogue import discover
from checks.commands.published import archives
from checks.evidence import headline
from checks.evidence.check import Check, claim_headline, evaluate
from checks.evidence.control import Control, Controlled, without_regime
from checks.evidence.endings import left_out
from checks.records.preset import Preset
from checks.records.published import PRESETS, merge, rekeyed
from checks.report.archive_headlines import read as headlines
from checks.report.archive_words import MEMBERS
from checks.statistics.verdict import PASSING, Verdict
from sim.store.fingerprint import key
from sim.store.sealed_file import Sealed, read_sealed
from sim.store.store import Store
from sim.systems import systems
from sim.trials.trial import Outcome, Trial
from theoremeter_papers import repository, unnamed
from theory.claim import Role

HELD = {Verdict.HOLDS, Verdict.TIGHT, Verdict.HOLDS_MISPRINTED}
PLANTED = {"A.samples"}
Stored = Mapping[str, Trial]
Published = Mapping[Preset, tuple[list[Check], Stored]]


def deciding(name: str) -> Check:
    """A claim's check with the measured lines alone that make its headline; archives keep proofs apart."""
    check = discover()[name]
    deciding = (Role.STATEMENT, Role.READING)
    kept = (part for part in check.parts if part.is_measured and part.role_in(check.claim) in deciding)
    return replace(check, parts=tuple(kept))


def in_favour(archive: Sealed) -> Iterator[Check]:
    """The claims whose archived headline speaks for them, be it as consistent; definitions apart."""
    for each in headlines(archive.text("headlines.json"), archive.path).headlines:
        if each.word in {*HELD, Verdict.CONSISTENT} and not (check := deciding(each.claim)).claim.by_construction:
            yield check


@pytest.fixture(scope="module")
def published(tmp_path_factory: pytest.TempPathFactory) -> dict[Preset, tuple[list[Check], Stored]]:
    """By preset, the claims that are published as held, and their trials in a store of this version."""
    found, known = {}, {system.name: system for system in systems().values()}
    for preset in PRESETS:
        with Store(tmp_path_factory.mktemp("published") / f"{preset}.sqlite") as store:
            checks: list[Check] = []
            for _, _, file in archives(unnamed(repository()), [preset]):
                with read_sealed(file, MEMBERS) as archive:
                    checks += in_favour(archive)
                    wanted = {key(spec) for check in checks for spec in check.specs(preset)}
                    merge(store, (row for row in rekeyed(archive, known) if row[0] in wanted))
            found[preset] = checks, store.get([spec for check in checks for spec in check.specs(preset)])
    return found


def met(part: Controlled, check: Check, control: Control, runs: list[Trial]) -> bool:
    """Whether a system's stored runs meet the criterion of a line, by the part's own rule where that judges them."""
    if control.by_rule:
        return bool(runs) and any(row.verdict in PASSING for row in part.judge(without_regime(check.claim), runs))
    shown = [part.met_by(trial) for trial in runs if trial.result.outcome != Outcome.DIVERGED]
    counted = [one for one in shown if one is not None]
    return bool(counted) and sum(counted) >= min(0.5, part.rate_asked) * len(counted)


def meeting(check: Check, preset: Preset, trials: Stored) -> Iterator[str]:
    """The systems whose stored runs meet a statement line of a claim, each with the line."""
    stored = {trial.spec.identity: trial for trial in trials.values()}
    for part in check.parts:
        if isinstance(part, Controlled) and part.role_in(check.claim) is Role.STATEMENT:
            for control in part.controls:
                if control.asserted:  # the paper claims the same of it
                    continue
                runs = [stored[s.identity] for s in control.specs(preset) if s.identity in stored]
                if met(part, check, control, runs):
                    yield f"{check.claim.id}: {part.name}: {control.words}"


def held_and_met(checks: Sequence[Check], preset: Preset, trials: Stored) -> list[str]:
    """Systems that meet a statement line of a claim whose headline says that it holds; claims that do are some."""
    with left_out():
        rows = evaluate(checks, preset, trials)
        held = [check for check in checks if claim_headline(rows[check.claim.id]).verdict in HELD]
        assert held
        return [words for check in held for words in meeting(check, preset, trials)]


@pytest.mark.parametrize("preset", PRESETS)
def test_no_statement_that_a_shipped_adversary_meets_reads_holds(published: Published, preset: Preset) -> None:
    assert held_and_met(published[preset][0], preset, published[preset][1]) == []


def test_one_that_did_would_be_named(published: Published, monkeypatch: pytest.MonkeyPatch) -> None:
    """Planted: frozen attention meets A.samples, which the rule of headlines no longer heeds."""
    monkeypatch.setattr(headline, "HELD", ())
    checks, trials = published[Preset.QUICK]
    named = held_and_met([check for check in checks if check.claim.id in PLANTED], Preset.QUICK, trials)
    assert {words.partition(":")[0] for words in named} == PLANTED
    assert all(words.endswith("frozen attention") for words in named)
