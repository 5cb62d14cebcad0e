"""Whether the lemmas of the corpus are true and their twins false, by points: `python -m benchmarks.lengths.truths`.

A lemma must hold at many drawn lengths and entries. A twin must fail at the point that stands behind it, in fractions
or in 60 digits. Of quantified lemmas the choice that is written must serve at many numbers; of their twins every one of
some choices must fail where the line says so.
"""

from __future__ import annotations

import random
import sys
from collections.abc import Iterator
from fractions import Fraction

from benchmarks.lengths.corpus import HALVES, Lemma, point_at, read_corpus
from benchmarks.lengths.formulas import read_term
from benchmarks.lengths.points import draw, fails_at, is_counterexample
from benchmarks.lengths.values import Exact, NoValue, Point, value

DRAWS = 60
_GIVEN = tuple(map(Fraction, ("1/2", "1/10", "1/30", "3")))
_CHOSEN = (1, 2, 3, 5)
_BEYOND = (0, 1, 2, 3, 10, 100, 1000)


def faults(lemma: Lemma, *, draws: int = DRAWS, seed: str = "") -> list[str]:
    """What is wrong with a lemma or a twin, a line each; none if all is well."""
    if lemma.expected == "refuted":
        return [] if _fails_as_written(lemma) else ["does not fail at its point"]
    generator = random.Random(f"{lemma.name} {seed}")
    found, drawn = [], 0
    for point in _served(lemma, generator) if lemma.statement.quantifier else _points(lemma, generator, draws):
        drawn += 1
        try:
            if fails_at(lemma, point):
                found.append(f"fails at {point}")
        except NoValue as error:
            found.append(f"has no value ({error}) at {point}")
    return found if drawn >= draws // 6 else [*found, f"only {drawn} points were found"]


def _points(lemma: Lemma, generator: random.Random, draws: int) -> Iterator[Point]:
    for _ in range(draws):
        point = draw(lemma, generator)
        if point is not None:
            yield point


def _read(lemma: Lemma, name: str, point: Point) -> Fraction:
    """A number of the line; ceilings of what is not rational are whole."""
    found = value(read_term(lemma.at[name]), point, Exact)
    return found if isinstance(found, Fraction) else Fraction(int(found))


def _served(lemma: Lemma, generator: random.Random) -> Iterator[Point]:
    """Points at which a quantified lemma must hold with the choice that its line gives."""
    for given in _GIVEN:
        base = Point({"eps": given})
        for name in ("low", "c", "N", "delta"):
            if name in lemma.at:
                base.numbers[name] = _read(lemma, name, base)
        if "delta" in base.numbers:
            for share in (-1, 0, 1, Fraction(1, 3), Fraction(-3, 4)):
                yield Point({**base.numbers, "x": 1 + share * base.numbers["delta"]})
            continue
        for beyond in (*_BEYOND, generator.randrange(50)):
            yield Point({**base.numbers, "n": base.numbers["N"] + beyond})


def _fails_as_written(lemma: Lemma) -> bool:
    if not lemma.statement.quantifier:
        return is_counterexample(lemma, point_at(lemma))
    return all(_fails_at_choice(lemma, chosen) for chosen in _CHOSEN)


def _fails_at_choice(lemma: Lemma, chosen: int) -> bool:
    """Whether a twin fails though N, c and the rest are chosen so."""
    point = Point({"N": Fraction(chosen), "c": Fraction(chosen), "low": Fraction(1, 100 * chosen)})
    if "delta" in lemma.statement.quantifier:
        point.numbers["delta"] = Fraction(1, chosen)
    for name in lemma.at:
        point.numbers[name] = _read(lemma, name, point)
    return is_counterexample(lemma, point)


def main() -> int:
    """Check both halves; 1 on any fault."""
    count = 0
    for half in HALVES:
        for lemma in read_corpus(half):
            for fault in faults(lemma)[:1]:
                print(f"{half}: {lemma.name}: {fault[:600]}")
                count += 1
    print(f"{count} faults")
    return 1 if count else 0


if __name__ == "__main__":
    sys.exit(main())
