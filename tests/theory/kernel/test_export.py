"""Exported proofs: what the theorem says, that coqc compiles it, and that it compiles nothing false."""

from __future__ import annotations

import functools
import re
import subprocess
from pathlib import Path
from typing import Any

import pytest

import theory.kernel.export as kernel
from benchmarks.kernel import steps_of
from tests.theory.kernel.compiling import coqc, needs_coq
from theory.classical.learning import LEMMAS
from theory.kernel.export import NotExported, exported, identifier
from theory.prover.certify import Proved, certify
from theory.prover.prove import prove
from theory.prover.records import sealed

ALLOWED = ("ClassicalDedekindReals.", "FunctionalExtensionality.", "Classical_Prop.", "PrimInt63.", "Uint63.",
           "PrimFloat.", "FloatAxioms.", "FloatOps.", "Eqdep.")  # fmt: skip
"""What Coq's reals rest on, and the numbers of the machine with which coq-interval computes."""


def record_of(statement: str, *, given: tuple[str, ...] = (), **ranges: Any) -> dict[str, Any]:
    found = prove(statement, ranges, given=given, seconds=20).record
    assert found is not None
    return found


def theorem(text: str) -> str:
    """Hypotheses and conclusion, in one line."""
    return " ".join(text[text.index("\nTheorem ") : text.index("Proof.")].split())


def test_the_theorem_is_the_whole_statement() -> None:
    """Ranges with their strictness, conditions with what they ask for, and where each part has a value."""
    said = theorem(exported(record_of("log(x)/y <= x/y", x="(0, 3]", y=(1, 2), given=("sqrt(x) <= y",)), "a log"))
    assert said.startswith("Theorem a_log_")
    premises, conclusion = said.split(" : ", 1)[1].rsplit("-> ", 1)
    for premise in ("0 <= x", "0 < x", "x <= 3", "1 <= y", "y <= 2", "(sqrt x) <= y"):
        assert f"{premise} ->" in f"{premises}->"
    assert "(0 < x) /\\" in conclusion
    assert "(y <> 0) /\\" in conclusion
    assert re.search(r"\(ln x\).* <= ", conclusion)


def test_kinds_and_signs_are_hypotheses() -> None:
    said = theorem(exported(record_of("2^n >= n", n=(1, 5))))
    assert "1 <= n -> n <= 5 ->" in said
    found = prove("n^2 >= n", {"n": ("-oo", "oo")}, integers=("n",), seconds=20).record
    assert found is not None
    assert "whole n ->" in theorem(exported(found))


def test_a_refutation_is_a_point() -> None:
    said = theorem(exported(record_of("x <= 1/3", x=(0, "1/2"))))
    assert "exists x : R, (0 <= x) /\\ (x <= (1 / 2)) /\\ (x > (1 / 3))." in said


@pytest.mark.parametrize(("statement", "word"), [("floor(x) <= x", "floor"), ("erf(x) <= 1", "erf")])
def test_what_has_no_translation_is_named(statement: str, word: str) -> None:
    with pytest.raises(NotExported, match=word):
        exported(record_of(statement, x=(0, 1)))


def test_names_of_files_stay_apart() -> None:
    assert identifier("plain") == "plain"
    assert len({identifier("x <= 1"), identifier("x >= 1"), identifier("y" * 300), identifier("y" * 301)}) == 4
    assert all(re.fullmatch("[A-Za-z][A-Za-z0-9_]*", identifier(name)) for name in ("", "1", "é *)", "y" * 300))


def test_a_name_ends_no_comment() -> None:
    text = exported(record_of("x <= 2", x=(0, 1)), 'a "*) Axiom false : False. (*')
    assert text.index("*)") == text.index("*)\nFrom Coq")


def test_nothing_is_assumed() -> None:
    for text in (kernel.library_text().decode(), exported(record_of("exp(-x) <= 1 - x/2", x=(0, 1)))):
        assert not re.search(r"\b(Admitted|admit|Axiom|Parameter|Conjecture|Hypothesis|Variable)\b", text)


SAMPLE = [
    ("exp(-x) <= 1 - x/2", {"x": (0, 1)}, ()),
    ("log(x) <= x - 1", {"x": "(0, oo)"}, ()),
    ("x^2 + y^2 >= 2*x*y", {"x": (0, "oo"), "y": (0, "oo")}, ()),
    ("x + y <= 1", {"x": (0, 1), "y": (0, 1)}, ("x + 2*y <= 1",)),
    ("exp(x)*exp(y)/exp(x + y) == 1", {"x": (0, 1), "y": (0, 1)}, ()),
    ("x <= 1/3", {"x": (0, "1/2")}, ()),
    ("max(x, y, z) >= (x + y + z)/3", {"x": (0, 1), "y": (0, 1), "z": (0, 1)}, ()),
    ("log(1 + x) < x", {"x": "(0, oo)"}, ()),
]
STEPS = {"cases", "limit", "induction"}
"""What the last of the sample must show by."""


@functools.cache
def harmonic() -> dict[str, Any]:
    """That harmonic numbers are at most 1 + log n: a sum, an induction, and a limit at infinity."""
    lemma = next(one for one in LEMMAS if one.name.startswith("harmonic numbers below"))
    answer = certify(lemma.relation, lemma.box, lemma.given, budget_s=20)
    assert isinstance(answer, Proved)
    assert answer.record is not None
    return answer.record


@pytest.fixture(scope="module")
def compiled(folder: Path) -> subprocess.CompletedProcess[str]:
    """The sample, and a theorem whose axioms are printed; in one file, since loading Coq's reals takes longest."""
    texts = [exported(record_of(words, given=given, **ranges), words) for words, ranges, given in SAMPLE]
    texts += [exported(record_of("x*(1 - x) <= 1/4", x=(0, 1)), "it"), exported(harmonic(), "harmonic")]
    assert sum(text.count("\nTheorem ") for text in texts) == len(SAMPLE) + 2
    return coqc("\n".join([*texts, "Print Assumptions it.", ""]), folder)


def test_the_sample_has_sums_inductions_limits_and_choices_of_three() -> None:
    records = [harmonic(), *(record_of(words, **ranges) for words, ranges, _ in SAMPLE[-2:])]
    assert set().union(*map(steps_of, records)) >= STEPS
    assert "total (fun k => (/ k)) 1 n" in theorem(exported(harmonic()))


@needs_coq
def test_they_compile(compiled: subprocess.CompletedProcess[str]) -> None:
    assert compiled.returncode == 0, compiled.stderr


@needs_coq
@pytest.mark.parametrize(
    ("old", "new"), [("Integer(1)", "Rational(9, 10)"), ("LessThan", "GreaterThan")], ids=["constant", "direction"]
)
def test_a_changed_statement_does_not_compile(
    old: str, new: str, folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The checker refuses such a record; Coq does so too, where nobody asks the checker."""
    record = record_of("exp(-x) <= 1 - x/2", x=(0, 1))
    relation = record["relation"].replace(old, new, 1)
    assert relation != record["relation"]
    changed = sealed({key: value for key, value in record.items() if key != "digest"} | {"relation": relation})
    with pytest.raises(kernel.InvalidRecord):
        exported(changed)
    monkeypatch.setattr(kernel, "replay", lambda _: "proved")
    assert coqc(exported(changed), folder).returncode != 0


@needs_coq
@pytest.mark.parametrize(
    ("old", "new"), [("Integer(1)))", "Integer(0)))"), ("LessThan", "StrictLessThan")], ids=["constant", "strict"]
)
def test_a_changed_sum_does_not_compile(old: str, new: str, folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Without the 1, and as a strict inequality, it fails at n = 1."""
    relation = new.join(harmonic()["relation"].rsplit(old, 1))
    assert relation != harmonic()["relation"]
    changed = {key: value for key, value in harmonic().items() if key != "digest"} | {"relation": relation}
    with pytest.raises(kernel.InvalidRecord):
        exported(sealed(changed))
    monkeypatch.setattr(kernel, "replay", lambda _: "proved")
    assert coqc(exported(sealed(changed)), folder).returncode != 0


@needs_coq
def test_it_rests_on_the_axioms_of_the_reals(compiled: subprocess.CompletedProcess[str]) -> None:
    names = re.findall(r"^([A-Za-z_.0-9]+)\s*:", compiled.stdout, re.MULTILINE)
    names = [name for name in names if name != "Axioms"]
    assert names
    assert [name for name in names if not name.startswith(ALLOWED)] == []
