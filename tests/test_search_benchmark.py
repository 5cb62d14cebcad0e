"""The benchmark of the search: what it plants is what it says, and how often the search errs on it."""

from __future__ import annotations

from collections import Counter

import numpy as np
import pytest

from benchmarks import search as benchmark


def test_a_planted_law_is_what_is_measured() -> None:
    for number in range(30):
        truth = benchmark.planted(number)
        clean = truth.at(truth.table.letters)
        runs = np.log(truth.table.samples / clean[:, None])
        assert runs.std() == pytest.approx(truth.noise, rel=0.5)
        assert set(truth.exponents) <= {*truth.table.letters, *truth.table.combinations}


def test_outcomes_are_told_apart() -> None:
    truth = next(law for law in map(benchmark.planted, range(50)) if law.offset is None and law.log is None)
    letters, clean = truth.table.letters, truth.at(truth.table.letters)
    search = {"combinations": truth.table.combinations}
    assert benchmark.found_of(truth, benchmark.search_law(letters, clean, **search)).outcome == "exact"
    first = next(iter(letters.values()))
    assert benchmark.found_of(truth, benchmark.search_law(letters, clean * first, **search)).outcome in (
        "wrong",
        "shape",
    )
    noise = np.exp(np.random.default_rng(0).standard_normal(len(clean)))
    assert benchmark.found_of(truth, benchmark.search_law(letters, noise, **search)).outcome == "none"


@pytest.mark.parametrize("kind", benchmark.STRUCTURELESS)
def test_no_structure_yields_no_law(kind: str) -> None:
    assert not any(benchmark.yields_law(benchmark.structureless(kind, number)) for number in range(2))


def test_planted_laws_are_found() -> None:
    outcomes = Counter(benchmark.search_planted(number).outcome for number in range(20))
    assert outcomes["exact"] >= 10
    assert outcomes["wrong"] + outcomes["none"] <= 4


def test_of_a_hundred_structureless_tables_none_yields_a_law() -> None:
    """All that the page counts are drawn by `python -m benchmarks.search`; one law in thirty would be met here."""
    kinds = list(benchmark.STRUCTURELESS)
    drawn = [benchmark.structureless(kinds[number % len(kinds)], 10_000 + number) for number in range(108)]
    assert sum(map(benchmark.yields_law, drawn)) == 0


def test_of_a_hundred_planted_laws_most_are_found() -> None:
    found = [benchmark.search_planted(10_000 + number) for number in range(100)]
    outcomes = Counter(one.outcome for one in found)
    assert outcomes["exact"] >= 65
    assert outcomes["wrong"] + outcomes["none"] <= 12
    covered = [one.covered for one in found if one.covered is not None]
    assert np.mean(covered) > 0.95 - 3 * (0.95 * 0.05 / len(covered)) ** 0.5
    assert max(one.seconds for one in found) < 5


def test_the_page_has_the_tables() -> None:
    page = benchmark.PAGE.read_text(encoding="utf-8")
    assert f"| all | {benchmark.EACH * len(benchmark.STRUCTURELESS)} | 0 |" in page
    assert f"| all | {benchmark.PLANTED} |" in page
