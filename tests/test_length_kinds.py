"""Kinds of lemmas over n entries: each line of the list is read, and what is refused is refused with one line."""

from __future__ import annotations

from benchmarks.lengths.kinds import Kind, _kind, kinds, section


def test_a_kind_is_stated_where_the_prover_reads_its_example() -> None:
    assert _kind("mean: mean(x) <= 1 | x[i] in [0, 1]; n whole; n in [1, oo)").refused == ""
    assert _kind("convex: f(mean(x)) <= 0 | x[i] in [0, 1]; convex(f); n whole; n in [1, oo)").refused == ""
    assert _kind("eigenvalues: eigmax([[a, 0, 0], [0, a, 0], [0, 0, a]]) >= a | a in (-oo, oo)").refused == ""
    refused = _kind("eigenvalues: eigmax([[a, 0], [0, a]]) + trace([[a]]) >= a | a in (-oo, oo)").refused
    assert "must be of one size, 2 or 3" in refused
    assert "\n" not in refused


def test_thirty_four_of_the_forty_can_be_stated() -> None:
    found = kinds()
    assert len(found) == 40
    assert len({kind.name for kind in found}) == 40
    assert sum(not kind.refused for kind in found) >= 34
    assert sum(line.startswith("| ") for line in section()) == 42


def test_the_section_says_why(monkeypatch) -> None:
    found = (Kind("a", "x <= 1", ""), Kind("b", "x | y", "no"))
    monkeypatch.setattr("benchmarks.lengths.kinds.kinds", lambda: found)
    lines = section()
    assert "Of 2 kinds" in lines[2]
    assert "1 can be stated" in lines[2]
    assert lines[-3:-1] == ["| a | `x <= 1` | yes |", "| b | `x \\| y` | no: no |"]
