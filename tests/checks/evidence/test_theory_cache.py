"""What is kept of symbolic work is never taken for an answer about another claim, another record or an older source."""

from __future__ import annotations

import hashlib
import json
import os
import shutil
import subprocess
import sys
from dataclasses import replace
from importlib import metadata
from pathlib import Path

import pytest

from checks.evidence import theory_cache as cached
from checks.evidence.check import ToolError
from checks.evidence.proofs import Proof, judge_record, proofs
from checks.records.preset import Preset
from checks.statistics.verdict import Verdict
from sim.running.run import run_trial
from sim.store.disk_cache import DiskCache
from sim.trials.trial import Trial
from tests.printed_words import PACKAGES
from theory.catalogue import discover
from theory.claim import Identity

ROOT = Path(__file__).resolve().parents[3]

SHOW = """
import sys
from checks.evidence.comparison import exponent_words
from checks.evidence.theory_cache import theory_cache
from theory.catalogue import discover
claim = discover()["A.samples_frozen"]
before = len(list(theory_cache().folder.iterdir()))
exponent = exponent_words(claim, claim.axes[0])
after = len(list(theory_cache().folder.iterdir()))
print(exponent, "derived" if after > before else "cached")
"""


def shown(checkout: Path) -> str:
    environment = {**os.environ, "PYTHONPATH": str(checkout)}
    environment.pop("THEOREMETER_CACHE", None)
    command = [sys.executable, "-c", SHOW]
    return subprocess.run(command, cwd=checkout, env=environment, capture_output=True, text=True, check=True).stdout


def test_every_module_of_the_prover_and_the_checker_counts() -> None:
    """Also one in a new room: a proof by an older rung is not taken for one by this."""
    listed = {ROOT.joinpath(*source.split(".")) for source in cached.SOURCES}
    modules = [path for room in ("prover", "checker") for path in (ROOT / "theory" / room).rglob("*.py")]
    assert [path for path in modules if path.parent not in listed] == []


def test_a_claim_whose_source_changes_is_derived_anew(tmp_path: Path) -> None:
    """Planted: the exponent printed in a paper's formula becomes another one."""
    for package in PACKAGES:  # with compiled modules, known by times of files that are kept, and without any answer
        shutil.copytree(ROOT / package, tmp_path / package, ignore=shutil.ignore_patterns("answers-*", "kernels-*"))
    assert shown(tmp_path).split() == ["-2", "derived"]
    assert shown(tmp_path).split() == ["-2", "cached"]
    source = tmp_path / "theory" / "shallow_vit" / "generalization.py"
    text = source.read_text(encoding="utf-8")
    formula = "needed_samples_frozen = (alpha * (alpha - value_error)) ** -2"
    assert text.count(formula) == 1
    source.write_text(text.replace(formula, formula.replace("-2", "-3")), encoding="utf-8")
    assert shown(tmp_path).split() == ["-3", "derived"]


@pytest.fixture
def kept(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """An empty folder for this test's answers."""
    folder = tmp_path / "answers"
    folder.mkdir()
    monkeypatch.setattr("checks.evidence.proofs.theory_cache", lambda: DiskCache(folder))
    return folder


@pytest.fixture(scope="module")
def proof() -> tuple[Proof, Trial]:
    """A lemma that is proved in no time, and its proof."""
    part = next(part for part in proofs(discover()["B.permutation"]) if part.name == "two patches swapped, p = 3")
    (spec,) = part.specs(Preset.SMOKE)
    return part, run_trial(spec)


def test_a_record_is_replayed_once(kept: Path, proof: tuple[Proof, Trial], monkeypatch: pytest.MonkeyPatch) -> None:
    part, trial = proof
    first = judge_record(part.claim_id, part.lemma, trial)
    assert first.verdict is Verdict.PROVED
    assert len(list(kept.iterdir())) == 1

    def never(record: object) -> None:
        raise AssertionError("replayed again")

    monkeypatch.setattr("theory.checker.replay.verify", never)
    assert judge_record(part.claim_id, part.lemma, trial) == first


def test_a_forged_record_is_replayed_however_well_it_is_sealed(kept: Path, proof: tuple[Proof, Trial]) -> None:
    """Planted: a record with a right digest and a wrong proof, of a lemma whose true record is kept."""
    part, trial = proof
    judge_record(part.claim_id, part.lemma, trial)
    record = json.loads(str(trial.result.observables["record"]))
    body = {**{name: value for name, value in record.items() if name != "digest"}, "proof": {"by": "believe me"}}
    digest = hashlib.sha256(json.dumps(body, sort_keys=True).encode()).hexdigest()
    forged = replace(
        trial.result, observables={**trial.result.observables, "record": json.dumps({**body, "digest": digest})}
    )
    with pytest.raises(ToolError, match="fails its re-check"):
        judge_record(part.claim_id, part.lemma, replace(trial, result=forged))
    assert len(list(kept.iterdir())) == 1


def test_a_record_that_is_kept_settles_no_other_lemma(kept: Path, proof: tuple[Proof, Trial]) -> None:
    part, trial = proof
    judge_record(part.claim_id, part.lemma, trial)
    assert isinstance(part.lemma, Identity)
    other = replace(part.lemma, right=part.lemma.right + 1)
    with pytest.raises(ToolError, match="speaks of another relation"):
        judge_record(part.claim_id, other, trial)


def test_answers_follow_the_versions_of_libraries(monkeypatch: pytest.MonkeyPatch) -> None:
    asked: list[tuple[str, ...]] = []
    monkeypatch.setattr(
        cached, "disk_cache", lambda package, libraries, files: asked.append((package.name, *libraries))
    )
    cached.theory_cache.__wrapped__()
    assert asked == [("theory", *(f"{name}={metadata.version(name)}" for name in ("sympy", "mpmath", "python-flint")))]
