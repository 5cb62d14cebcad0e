"""Exported proofs over lists of n entries: what the theorem says, that coqc compiles it, and nothing false."""

from __future__ import annotations

import copy
import json
import re
import subprocess
from pathlib import Path
from typing import Any

import pytest

import theory.kernel.export as kernel
from benchmarks.kernel import lengths_page
from tests.theory.kernel.compiling import coqc, needs_coq
from theory.kernel.compiled import content_digest
from theory.kernel.export import LIBRARY, OF_LENGTHS, NotExported, exported, library_text
from theory.prover.prove import prove
from theory.prover.records import sealed

Record = dict[str, Any]
RECORDS: dict[str, Record] = json.loads(
    (Path(__file__).parents[1] / "checker" / "length_records.json").read_text(encoding="utf-8")
)
SAMPLE = ("cauchy", "means", "gauss", "largest", "halves")
"""Cauchy-Schwarz; Jensen, by the tangent at the mean; inductions; a greatest entry; terms that may have no value."""


@pytest.fixture(scope="module")
def recursion() -> Record:
    """Of a recursion: u[n] <= 2^n u[0]."""
    ranges = {"u[i]": "[0, oo), i=0..n", "n": "[0, oo)"}
    found = prove("u[n] <= 2^n*u[0]", ranges, given=["u[i+1] <= 2*u[i]"], integers=["n"], seconds=10).record
    assert found is not None
    return found


@pytest.fixture(scope="module")
def weighted() -> Record:
    """Jensen's inequality by the sign of a second derivative: of cosh, with weights."""
    ranges = {"w[i]": "[0, 1]", "x[i]": "[0, 2]", "n": "1:oo"}
    text, given = "sum(w[i]*cosh(x[i]), i=1..n) >= cosh(sum(w[i]*x[i], i=1..n))", ["sum(w[i], i=1..n) = 1"]
    found = prove(text, ranges, given=given, integers=["n"], seconds=20).record
    assert found is not None
    return found


@pytest.fixture(scope="module")
def tangent_and_mean() -> Record:
    """Jensen's inequality, where a tangent to a logarithm shows the sign: names of two parts of the library."""
    ranges = {"p[i]": "(0, 1]", "n": "1:oo"}
    text, given = "sum(p[i]*log(1/p[i]), i=1..n) <= log(n)", ["sum(p[i], i=1..n) = 1"]
    found = prove(text, ranges, given=given, integers=["n"], seconds=20).record
    assert found is not None
    return found


@pytest.fixture(scope="module")
def counted() -> Record:
    """The same of a concave function and of the number of places, where the function is atan."""
    found = prove(
        "sum(atan(x[i]), i=1..n) <= n*atan(mean(x))", {"x[i]": "[0, 2]", "n": "1:oo"}, integers=["n"], seconds=20
    )
    assert found.record is not None
    return found.record


def changed(record: Record, **entries: Any) -> Record:
    """A record with other entries, sealed again."""
    return sealed({key: value for key, value in copy.deepcopy(record).items() if key != "digest"} | entries)


def said(text: str, label: str) -> str:
    """Hypotheses and conclusion of a theorem, in one line."""
    start = text.index(f"\nTheorem {label} :")
    return " ".join(text[start : text.index("Proof.", start)].split())


def test_the_theorem_is_about_all_lengths_and_all_lists() -> None:
    theorem = said(exported(RECORDS["entropy"], "entropy"), "entropy")
    for premise in ("(whole n)", "(1 <= n)", "((total (fun i => (p i)) 1 n) = 1)",
                    "(forall i : R, whole i -> 1 <= i -> i <= n -> 0 < (p i))"):  # fmt: skip
        assert f"{premise} ->" in theorem
    assert "forall n : R, forall p : R -> R," in theorem
    assert theorem.endswith("((total (fun i => ((p i) * (ln (/ (p i))))) 1 n) <= (ln n)).")


def test_it_says_that_all_terms_have_values() -> None:
    conclusion = said(exported(RECORDS["entropy"], "entropy"), "entropy").rsplit("-> (forall", 1)[1]
    assert "(forall i : R, whole i -> 1 <= i -> i <= n -> 0 < (/ (p i))) /\\" in conclusion


def test_a_lemma_whose_name_another_part_of_the_library_has_is_named_with_its_part(tangent_and_mean: Record) -> None:
    """The part that is loaded later hides a name of an earlier one, and coqc refused the file."""
    text = exported(tangent_and_mean, "it")
    names = [re.findall(r"^Lemma (\w+)", library_text([part]).decode(), re.M) for part in LIBRARY]
    shared = {name for k, some in enumerate(names) for name in some if any(name in more for more in names[k + 1 :])}
    bare = [name for name in shared if re.search(rf"(?<![\w.]){name}\b", text)]
    assert (shared, bare) == ({"above_tangent"}, [])
    assert "Theoremeter.above_tangent" in text


def test_a_recursion_ties_neighbours(recursion: Record) -> None:
    theorem = said(exported(recursion, "grows"), "grows")
    assert "(forall i : R, whole i -> 0 <= i -> i + 1 <= n -> (u (i + 1)) <= (2 * (u i))) ->" in theorem
    assert theorem.endswith("(0 < 2) /\\ ((u n) <= ((Rpower 2 n) * (u 0))).")


@pytest.mark.parametrize(("name", "word"), [("hoelder", "the rule 'holder'"), ("from zero", "factorial")])
def test_a_rule_without_a_translation_is_named(name: str, word: str) -> None:
    record = RECORDS.get(name) or next(r for r in RECORDS.values() if "factorial" in json.dumps(r))
    with pytest.raises(NotExported, match=word):
        exported(record)


def test_a_refutation_is_not_exported() -> None:
    refuted = next(record for record in RECORDS.values() if record["verdict"] == "refuted")
    with pytest.raises(NotExported, match="refutations over lists"):
        exported(refuted)


@pytest.fixture(scope="module")
def compiled(
    folder: Path, recursion: Record, weighted: Record, counted: Record, tangent_and_mean: Record
) -> subprocess.CompletedProcess[str]:
    """The sample in one file, since loading Coq's reals takes longest, with the axioms of two."""
    texts = [exported(RECORDS[name], name) for name in SAMPLE]
    assert all("jensen" in [step["by"] for step in record["steps"]] for record in (weighted, counted))
    texts += [exported(recursion, "grows"), exported(weighted, "weighted"), exported(counted, "counted")]
    texts += [exported(tangent_and_mean, "bent")]
    texts += ["Print Assumptions cauchy.", "Print Assumptions grows.", ""]
    return coqc("\n".join(texts), folder)


@needs_coq
def test_they_compile(compiled: subprocess.CompletedProcess[str]) -> None:
    assert compiled.returncode == 0, compiled.stderr


FALSE = {
    "cauchy": lambda r: changed(r, relation=r["relation"].replace("LessThan", "StrictLessThan", 1)),
    "gauss": lambda r: changed(r, totals=[[*row[:2], f"Mul(Integer(2), {row[2]})", row[3]] for row in r["totals"]]),
    "means": lambda r: changed(r, relation=r["relation"].replace("LessThan", "GreaterThan", 1)),
}
"""A strict sign where x may be 0; twice the terms; the other direction."""


@needs_coq
@pytest.mark.parametrize("name", FALSE)
def test_a_changed_statement_does_not_compile(name: str, folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The checker refuses such a record; Coq does so too, where nobody asks the checker."""
    false = FALSE[name](RECORDS[name])
    assert false != RECORDS[name]
    with pytest.raises(kernel.InvalidRecord):
        exported(false)
    monkeypatch.setattr(kernel, "replay", lambda _: "proved")
    assert "Error" in coqc(exported(false, "it"), folder).stderr


@needs_coq
def test_a_recursion_that_grows_faster_does_not_compile(
    recursion: Record, folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tie,) = recursion["next"]
    false = changed(recursion, next=[tie.replace("Integer(2)", "Integer(3)")])
    assert false["next"] != recursion["next"]
    monkeypatch.setattr(kernel, "replay", lambda _: "proved")
    assert "Error" in coqc(exported(false, "it"), folder).stderr


@needs_coq
@pytest.mark.parametrize("old", ["convex", "concave"])
def test_a_function_that_bends_the_other_way_does_not_compile(
    old: str, weighted: Record, counted: Record, folder: Path
) -> None:
    """The library's other lemma in the place of its own."""
    other = {"convex": "concave", "concave": "convex"}[old]
    text = exported(weighted if old == "convex" else counted, "it")
    assert f"(jensen_{old} " in text
    assert "Error" in coqc(text.replace(f"jensen_{old} ", f"jensen_{other} "), folder).stderr


def test_the_note_of_a_record_by_jensen_rests_on_one_part_more(
    weighted: Record, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("theory.kernel.compiled.library_text", lambda parts: f"of {parts}".encode())
    by_all = content_digest(weighted)
    monkeypatch.setattr("theory.kernel.compiled.library_text", lambda parts: f"of {parts[:1]}".encode())
    assert content_digest(weighted) != by_all


def test_the_note_of_a_record_over_lists_rests_on_its_part_of_the_library(monkeypatch: pytest.MonkeyPatch) -> None:
    """Another text of that part takes the word from these records and from no others."""
    record, plain = RECORDS["cauchy"], {"relation": "LessThan(Symbol('x'), Integer(1))"}
    before = content_digest(record), content_digest(plain)
    monkeypatch.setattr("theory.kernel.compiled.library_text", lambda parts: f"of {parts}".encode())
    assert content_digest(record) != before[0]
    assert content_digest(plain) == before[1]
    assert OF_LENGTHS in kernel.LIBRARY


def test_the_page_names_rules_and_what_has_no_translation() -> None:
    rows = [{"name": "a", "record": RECORDS["cauchy"], "said": "compiled", "missing": "", "seconds": 1.26},
            {"name": "b", "record": RECORDS["hoelder"], "said": "not exported", "missing": "the rule 'holder'",
             "seconds": 0.0}]  # fmt: skip
    page = lengths_page(rows)
    assert "compiled 1 of 2; not exported 1: the rule 'holder' (1)" in page
    assert "| a | termwise, products | yes | 1.3 |" in page
    assert "| the rule 'holder' | 0.0 |" in page
