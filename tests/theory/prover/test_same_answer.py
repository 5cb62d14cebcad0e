"""A statement has one answer, certificate and course: whatever hashes Python draws, what ran before, and how fast."""

from __future__ import annotations

import contextlib
import io
import json
import time
from types import SimpleNamespace

import sympy as sp

from benchmarks import hash_seeds
from theory import timeout
from theory.prover.certify import certify
from theory.prover.prove import prove

WITH_DUMMIES = "log(x) - log(y) <= (x - y)/y", {"x": "(0, oo)", "y": "(0, oo)"}
OTHERS = [("x*exp(-x) <= 1/2", {"x": "[0, oo)"}), ("sqrt(x) <= 1 + x", {"x": "[0, oo)"})]
SOME = ["rate_hoeffding", "num_decay", "nes_conjugate_low", "num_square"]
"""Of textbooks: each process had a certificate or steps of its own, as long as sets and seconds led the search."""


def record_of(text: str, box: dict[str, str]) -> str:
    decision = prove(text, box, seconds=30)
    assert decision.verdict == "proved"
    return json.dumps(decision.record)


def test_an_answer_hangs_neither_on_what_ran_before_nor_on_the_speed_of_the_machine(monkeypatch) -> None:
    first = record_of(*WITH_DUMMIES)
    assert "Dummy" in first
    for text, box in OTHERS:
        record_of(text, box)
        sp.Dummy("t")
    assert record_of(*WITH_DUMMIES) == first
    busy = SimpleNamespace(thread_time=lambda: 3 * time.thread_time(), monotonic=time.monotonic)
    monkeypatch.setattr(timeout, "time", busy)
    assert record_of(*WITH_DUMMIES) == first


def test_a_difference_is_told(capsys, monkeypatch) -> None:
    row = {"name": "one", "verdict": "proved", "digest": "a", "steps": {"interval": 1}, "seconds": 0.1}
    answers = iter([{"one": row}, {"one": {**row, "digest": "b"}}, {"one": row}, {"one": {**row, "seconds": 9.0}}])
    monkeypatch.setattr(hash_seeds, "answers_of", lambda seed, words: next(answers))
    assert hash_seeds.main(["--corpus", "A"]) == 1
    assert "one: digest: proved in 0.1 s; proved in 0.1 s" in capsys.readouterr().out
    assert hash_seeds.main(["--corpus", "A"]) == 0
    assert "0 of 1 differ under 2 hash seeds" in capsys.readouterr().out


def asked_twice(names: list[str]) -> tuple[int, str]:
    """What the benchmark ends with, and what it says: its second process asks backward, and its clock runs fast."""
    words = [word for name in names for word in ("--only", name)]
    said = io.StringIO()
    with contextlib.redirect_stdout(said):
        status = hash_seeds.main(["--corpus", "textbooks", "--seconds", "20", *words])
    return status, said.getvalue()


def test_processes_with_other_hashes_have_the_same_answers() -> None:
    status, said = asked_twice(SOME)
    assert status == 0, said
    assert int(said.split()[2]) >= len(SOME)


def test_a_process_with_other_hashes_has_the_same_answer() -> None:
    status, said = asked_twice(SOME[-1:])
    assert status == 0, said


def test_a_certificate_spells_a_symbol_as_its_range_does() -> None:
    """sympy takes both for one symbol, and hands out the root that it has kept."""
    other, own = sp.Symbol("p_kept", positive=True), sp.Symbol("p_kept", real=True, positive=True)
    assert other == own
    sp.sqrt(other)
    record = certify(sp.Le(sp.sqrt(own), 1, evaluate=False), {own: (0, 1)}, budget_s=30).record
    assert sp.srepr(own) in record["relation"]
    assert sp.srepr(other) not in json.dumps(record)
