"""How often the search for a law finds one where there is none, and the right one where there is one.

Run from the root of the checkout, a few minutes on one core; prints the tables of benchmarks/results/search.md, and
places them there with --write:

    python -m benchmarks.search --write

- *Structureless tables*: what was measured does not depend on any letter, in nine ways that tempt a search. Every one
  of them that yields a law is a false law.
- *Planted laws*: a law of the grammar is drawn, with decoy letters, and measured with noise. What the search finds is
  compared with it, shape by shape and exponent by exponent, and on fresh settings.

Tables are drawn by their number alone; the constants of the search were chosen on tables of other numbers (from a
million on).
"""

from __future__ import annotations

import argparse
import time
from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np

from checks.search.factors import Factor, read_factor
from checks.search.law import SearchedLaw
from checks.search.search import search_law
from checks.statistics.regression import Array

PAGE = Path(__file__).parent / "results" / "search.md"
BEGIN, END = "<!-- search: begin -->", "<!-- search: end -->"
EACH = 50
"""Structureless tables of each kind."""
PLANTED = 400
NAMES = "abcdefgh"
EXPONENTS = (-3, -2, -3 / 2, -1, -2 / 3, -1 / 2, -1 / 3, -1 / 4, 1 / 4, 1 / 3, 1 / 2, 2 / 3, 1, 3 / 2, 2, 3)
NOISES = (0.02, 0.1, 0.3)
"""Standard deviation of the logarithm of one measurement."""
SAME = 0.05
"""Root mean square of log(found / planted) up to which two laws are one on their range; or half the noise."""


@dataclass(frozen=True, eq=False)
class SearchTable:
    """What a search is given."""

    letters: dict[str, Array]
    samples: Array
    combinations: tuple[str, ...] = ()


# ------------------------------------------------------------------------------------------------------- no structure


def _settings(generator: np.random.Generator, n_letters: int, count: int) -> dict[str, Array]:
    return {name: 10 ** generator.uniform(0.3, 2.0, count) for name in NAMES[:n_letters]}


def _independent(generator: np.random.Generator) -> SearchTable:
    return SearchTable(_settings(generator, 6, 60), np.exp(generator.standard_normal(60)))


def _permuted(generator: np.random.Generator) -> SearchTable:
    letters = _settings(generator, 6, 60)
    law = letters["a"] ** 2 / letters["b"] * np.exp(0.1 * generator.standard_normal(60))
    return SearchTable(letters, generator.permutation(law))


def _heavy(generator: np.random.Generator) -> SearchTable:
    return SearchTable(_settings(generator, 6, 60), np.exp(np.clip(generator.standard_t(1.5, 60), -300, 300)))


def _skewed(generator: np.random.Generator) -> SearchTable:
    return SearchTable(
        _settings(generator, 6, 60), 1.0 + generator.poisson(np.exp(1.5 * generator.standard_normal(60)))
    )


def _discrete(generator: np.random.Generator) -> SearchTable:
    letters = {name: generator.choice([2.0, 4.0, 8.0], 60) for name in NAMES[:6]}
    return SearchTable(letters, np.exp(generator.standard_normal(60)))


def _correlated(generator: np.random.Generator) -> SearchTable:
    common = generator.standard_normal(60)
    letters = {name: np.exp(0.97 * common + 0.25 * generator.standard_normal(60)) * 3 for name in NAMES[:6]}
    return SearchTable(letters, np.exp(generator.standard_normal(60)))


def _many(generator: np.random.Generator) -> SearchTable:
    letters = _settings(generator, 8, 24)
    return SearchTable(letters, np.exp(generator.standard_normal(24)), ("a + b", "c + d", "e + f", "g + h"))


def _uneven(generator: np.random.Generator) -> SearchTable:
    letters = _settings(generator, 6, 60)
    scale = letters["a"] / 30
    return SearchTable(letters, np.exp(scale * generator.standard_normal(60)))


def _replicated(generator: np.random.Generator) -> SearchTable:
    own = generator.standard_normal(60)
    return SearchTable(_settings(generator, 6, 60), np.exp(own[:, None] + 0.1 * generator.standard_normal((60, 5))))


STRUCTURELESS: dict[str, Callable[[np.random.Generator], SearchTable]] = {
    "noise alone, 6 letters, 60 settings": _independent,
    "a law, its measurements permuted": _permuted,
    "heavy tails (t with 1.5 degrees of freedom, logarithm)": _heavy,
    "skewed counts": _skewed,
    "letters of three values each": _discrete,
    "letters that move together (correlation 0.94)": _correlated,
    "8 letters and 4 sums, 24 settings": _many,
    "a letter moves the noise alone": _uneven,
    "5 replicates, settings differ by chance": _replicated,
}


def structureless(kind: str, number: int) -> SearchTable:
    """A table of this kind, by its number."""
    return STRUCTURELESS[kind](np.random.default_rng([1, list(STRUCTURELESS).index(kind), number]))


def yields_law(table: SearchTable) -> bool:
    """Whether the search says that there is a law."""
    return search_law(table.letters, table.samples, combinations=table.combinations).found


# ------------------------------------------------------------------------------------------------------- planted laws


@dataclass(frozen=True, eq=False)
class PlantedLaw:
    """A law of the grammar, with a table measured from it and fresh settings to compare on."""

    table: SearchTable
    fresh: dict[str, Array]
    exponents: dict[str, float]
    log: tuple[str, float] | None
    offset: float | None
    noise: float

    def at(self, letters: dict[str, Array]) -> Array:
        """The law at settings."""
        product = _product(self.exponents, self.log, letters)
        return product + (self.offset or 0.0)


def _product(exponents: dict[str, float], log: tuple[str, float] | None, letters: dict[str, Array]) -> Array:
    total = np.ones(len(next(iter(letters.values()))))
    for text, power in exponents.items():
        total = total * _factor(text, letters).at(letters) ** power
    return total if log is None else total * np.log(letters[log[0]]) ** log[1]


def _factor(text: str, letters: dict[str, Array]) -> Factor:
    return Factor(((1, text),)) if text in letters else read_factor(text, list(letters))


def planted(number: int) -> PlantedLaw:
    """A law drawn by its number: one to three factors of three to eight letters, some with a logarithm or an offset."""
    generator = np.random.default_rng([2, number])
    n_letters, count = int(generator.integers(3, 9)), int(generator.integers(40, 81))
    replicates, noise = int(generator.choice([1, 4])), float(generator.choice(NOISES))
    together = generator.random() < 0.25
    combinations = tuple(c for c in ("b - a", "a + c") if generator.random() < 0.3)

    def drawn(size: int) -> dict[str, Array]:
        found = {name: 10 ** generator.uniform(0.3, 2.0, size) for name in NAMES[:n_letters]}
        if together:
            found["c"] = found["a"] * np.exp(0.4 * generator.standard_normal(size)) + 1
        found["b"] = found["a"] + found["b"] if "b - a" in combinations else found["b"]
        return found

    letters, fresh = drawn(count), drawn(2000)
    terms = [*NAMES[:n_letters], *combinations, *combinations]
    chosen = dict.fromkeys(generator.permutation(terms)[: int(generator.integers(1, 4))].tolist())
    exponents = {text: float(generator.choice(EXPONENTS)) for text in chosen}
    kind = generator.random()
    log = (str(generator.choice(list(NAMES[:n_letters]))), 1.0) if kind < 0.2 else None
    offset = None
    if kind > 0.8:
        offset = float(np.quantile(_product(exponents, log, fresh), generator.uniform(0.1, 0.5)))
    clean = _product(exponents, log, letters) + (offset or 0.0)
    samples = clean[:, None] * np.exp(noise * generator.standard_normal((count, replicates)))
    return PlantedLaw(SearchTable(letters, samples, combinations), fresh, exponents, log, offset, noise)


@dataclass(frozen=True)
class Found:
    """What became of one planted law.

    Attributes:
        outcome: "exact", "shape", "same", "none" or "wrong".
        apart: root mean square of log(found / planted) on fresh settings.
        covered: whether each exponent's interval holds the planted one; None where there are none to compare.
    """

    outcome: str
    noise: float
    kind: str
    apart: float = 0.0
    covered: bool | None = None
    seconds: float = 0.0


def found_of(truth: PlantedLaw, law: SearchedLaw, seconds: float = 0.0) -> Found:
    """Compare what was found with what was planted."""
    kind = "an offset" if truth.offset is not None else "a logarithm" if truth.log is not None else "powers alone"
    about = {"noise": truth.noise, "kind": kind, "seconds": seconds}
    if not law.found:
        return Found("none", **about)
    exponents = {term.factor.text: term for term in law.terms}
    log = None if law.logarithm is None else (law.logarithm.factor.text, law.logarithm.power)
    has_shape = set(exponents) == set(truth.exponents) and log == truth.log
    if has_shape and (law.offset is None) == (truth.offset is None):
        pairs = [(exponents[text], power) for text, power in truth.exponents.items()]
        is_exact = all(abs(term.exponent - power) < 1e-9 for term, power in pairs)
        held = [power in term.interval for term, power in pairs if term.interval is not None]
        return Found("exact" if is_exact else "shape", **about, covered=all(held) if held else None)
    apart = np.log(law.predict(truth.fresh)) - np.log(truth.at(truth.fresh))
    off = float(np.sqrt(np.mean(apart**2)))
    return Found("same" if off <= max(SAME, truth.noise / 2) else "wrong", **about, apart=off)


def search_planted(number: int) -> Found:
    """Draw a law and search for it."""
    truth = planted(number)
    begin = time.process_time()
    law = search_law(truth.table.letters, truth.table.samples, combinations=truth.table.combinations)
    return found_of(truth, law, time.process_time() - begin)


# ----------------------------------------------------------------------------------------------------------- the page

OUTCOMES = {
    "exact": "exact",
    "shape": "right factors, an exponent off",
    "same": "another form, same on the range",
    "wrong": "wrong",
    "none": "no law",
}


def tables(each: int, n_planted: int) -> str:
    """Both tables in markdown."""
    lines = ["| structureless tables | drawn | that yield a law |", "|---|---:|---:|"]
    total = 0
    for kind in STRUCTURELESS:
        false = sum(yields_law(structureless(kind, number)) for number in range(each))
        total += false
        lines.append(f"| {kind} | {each} | {false} |")
    lines.append(f"| all | {each * len(STRUCTURELESS)} | {total} |")
    results = [search_planted(number) for number in range(n_planted)]
    groups: dict[str, list[Found]] = {f"noise {noise:g}": [r for r in results if r.noise == noise] for noise in NOISES}
    groups |= {kind: [r for r in results if r.kind == kind] for kind in ("powers alone", "a logarithm", "an offset")}
    groups["all"] = results
    lines += [
        "",
        f"| planted laws | drawn | {' | '.join(OUTCOMES.values())} |",
        "|---|" + "---:|" * (1 + len(OUTCOMES)),
    ]
    lines += [_row(name, members) for name, members in groups.items()]
    covered = [r.covered for r in results if r.covered is not None]
    off = [r.apart for r in results if r.outcome == "wrong"]
    slowest = max(r.seconds for r in results)
    lines += [
        "",
        f"Of {len(covered)} laws of the right factors, {sum(covered)} ({100 * np.mean(covered or [0]):.1f} %) have "
        f"every exponent in its interval, at 95 % for all together. Laws that are wrong are typically off by a factor "
        f"{np.exp(np.median(off)) if off else 1:.3g}, at most {np.exp(max(off, default=0)):.3g}. The slowest search "
        f"took {slowest:.1f} CPU s, the median "
        f"{float(np.median([r.seconds for r in results])):.2f}.",
    ]
    return "\n".join(lines)


def _row(name: str, members: Sequence[Found]) -> str:
    count = Counter(member.outcome for member in members)
    cells = (f"{count[key]} ({100 * count[key] / max(len(members), 1):.0f} %)" for key in OUTCOMES)
    return f"| {name} | {len(members)} | {' | '.join(cells)} |"


def main() -> None:
    """Print the tables; place them in the page with --write."""
    parser = argparse.ArgumentParser(description="How often the search for a law errs.")
    parser.add_argument("--write", action="store_true", help=f"replace the tables of {PAGE.name}")
    parser.add_argument("--each", type=int, default=EACH, help="structureless tables of each kind")
    parser.add_argument("--planted", type=int, default=PLANTED, help="planted laws")
    asked = parser.parse_args()
    text = tables(asked.each, asked.planted)
    print(text)
    if asked.write:
        page = PAGE.read_text(encoding="utf-8")
        before, _, rest = page.partition(BEGIN)
        PAGE.write_text(f"{before}{BEGIN}\n\n{text}\n\n{END}{rest.partition(END)[2]}", encoding="utf-8")


if __name__ == "__main__":
    main()
