"""Drawn statements on symmetric matrices, with an oracle that knows eigenvalues from numpy alone."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from fractions import Fraction
from random import Random

import numpy as np

FUNCTIONS = {
    "eigmax": lambda m: np.linalg.eigvalsh(m)[-1],
    "eigmin": lambda m: np.linalg.eigvalsh(m)[0],
    "trace": np.trace,
    "det": np.linalg.det,
    "frobenius": np.linalg.norm,
}
_SIZES, _POINTS = (2, 3, 4, 6), 400
_CLEAR = 1e-9
"""By how much a relation must fail, beside the sizes in it, so that rounding cannot be the cause."""


@dataclass(frozen=True)
class Drawn:
    """A sum of weights times functions of combinations of matrices, stated to be at most 0, or one to be psd.

    Attributes:
        terms: weight, function, weights of the matrices and of I.
        kinds: symmetric or psd, by name.
        size: 2, 3 or "n".
        asked: "<=", "<" or "psd", of the first combination.
        given: a combination that is psd, or None.
    """

    terms: tuple[tuple[int, str, tuple[int, ...]], ...]
    kinds: Mapping[str, str]
    size: int | str
    asked: str
    given: tuple[int, ...] | None

    def combination(self, weights: tuple[int, ...]) -> str:
        """A combination as it is typed."""
        return " + ".join(f"({w})*{name}" for w, name in zip(weights, (*self.kinds, "I"), strict=True) if w)

    @property
    def statement(self) -> str:
        """The statement as it is typed: what is added on the right, what is taken off on the left."""
        if self.asked == "psd":
            return f"psd({self.combination(self.terms[0][2])})"
        sides: tuple[list[str], list[str]] = [], []
        for w, function, weights in self.terms:
            sides[w < 0].append(f"{abs(w)}*{function}({self.combination(weights)})")
        left, right = (" + ".join(side) or "0" for side in sides)
        return f"{left} {self.asked} {right}"

    @property
    def conditions(self) -> list[str]:
        """What is given."""
        return [f"psd({self.combination(self.given)})"] if self.given else []

    def box(self) -> dict[str, str]:
        """Ranges as they are typed."""
        found = {name: f"{kind}({self.size})" for name, kind in self.kinds.items()}
        return found | ({"n": "[1, oo)"} if self.size == "n" else {})

    def excess(self, matrices: Mapping[str, np.ndarray]) -> float | None:
        """By how much the relation fails beside the sizes in it; None where the matrices are not spoken of."""
        rows = [*matrices.values(), np.eye(len(next(iter(matrices.values()))))]

        def mixed(weights: tuple[int, ...]) -> np.ndarray:
            return sum(w * m for w, m in zip(weights, rows, strict=True))

        wanted = [matrices[name] for name, kind in self.kinds.items() if kind == "psd"]
        wanted += [mixed(self.given)] if self.given else []
        if any(np.linalg.eigvalsh(m)[0] < -1e-12 * (1 + abs(m).max()) for m in wanted):
            return None
        if self.asked == "psd":
            m = mixed(self.terms[0][2])
            return -np.linalg.eigvalsh(m)[0] / (1 + abs(m).max())
        values = [w * FUNCTIONS[function](mixed(weights)) for w, function, weights in self.terms]
        return sum(values) / (1 + sum(map(abs, values)))


_KNOWN: tuple[tuple[tuple[int, str, tuple[int, int]], ...], ...] = (
    ((1, "eigmax", (1, 1)), (-1, "eigmax", (1, 0)), (-1, "eigmax", (0, 1))),
    ((-1, "eigmin", (1, 1)), (1, "eigmin", (1, 0)), (1, "eigmin", (0, 1))),
    ((1, "eigmax", (1, 0)), (-1, "trace", (1, 0))),
    ((1, "eigmax", (1, 0)), (-1, "frobenius", (1, 0))),
    ((1, "eigmin", (1, 0)), (-1, "eigmax", (1, 0))),
    ((1, "eigmin", (1, 0)), (-1, "trace", (1, 0))),
    ((1, "eigmin", (1, 1)), (-1, "trace", (1, 0)), (-1, "trace", (0, 1))),
    ((1, "eigmax", (1, -1)), (-1, "eigmax", (1, 0))),
    ((1, "frobenius", (1, 0)), (-1, "trace", (1, 0))),
)
"""Statements that hold of symmetric or of psd matrices, by the weights of A and B."""


def drawn(count: int, seed: int) -> Iterator[Drawn]:
    """Statements: every other one is known, with its kinds drawn and perhaps one weight changed."""
    rng = Random(seed)
    for k in range(count):
        size = rng.choice((2, 3, 3, "n"))
        if k % 2:
            terms = rng.choice(_KNOWN)
            both = any(weights[1] for _, _, weights in terms)
            size = 3 if both and size == "n" else size
            names = ("A", "B") if both else ("A",)
            kinds = {name: rng.choice(("symmetric", "psd")) for name in names}
            rows = [(w, function, (*weights[: len(names)], 0)) for w, function, weights in terms]
            if rng.random() < 0.4:
                place = rng.randrange(len(rows))
                rows[place] = (2 * rows[place][0], *rows[place][1:])
            yield Drawn(tuple(rows), kinds, size, rng.choice(("<=", "<=", "<=", "<")), None)
            continue
        names = ("A",) if size == "n" else rng.choice((("A",), ("A", "B")))
        kinds = {name: rng.choice(("symmetric", "psd")) for name in names}

        def weights(names: tuple[str, ...] = names, rng: Random = rng) -> tuple[int, ...]:
            found = [rng.choice((0, 1, 1, -1, 2)) for _ in names]
            found[0] = found[0] if any(found) else 1
            return (*found, rng.choice((0, 0, 0, 1, -1)))

        functions = ("eigmax", "eigmax", "eigmin", "trace", "frobenius", "det")
        terms = [
            (rng.choice((1, 2)), rng.choice(functions), weights()),
            (-rng.choice((1, 2)), rng.choice(functions), weights()),
        ]
        terms += [(rng.choice((1, -1)), rng.choice(functions), weights())] * rng.choice((0, 1))
        given = weights() if rng.random() < 0.25 else None
        asked = rng.choice(("<=", "<=", "<=", "<", "psd"))
        yield Drawn(tuple(terms), kinds, size, asked, given)


def worst(statement: Drawn, seed: int) -> float | None:
    """The greatest excess at drawn matrices, of low rank, diagonal, small and large; None where none counts."""
    rng, found = np.random.default_rng(seed), []
    for k in range(_POINTS):
        n = int(rng.choice(_SIZES)) if statement.size == "n" else int(statement.size)
        n = 1 if statement.size == "n" and k % 9 == 0 else n
        matrices = {name: _matrix(rng, n, kind) for name, kind in statement.kinds.items()}
        found.append(statement.excess(matrices if k else {name: np.zeros((n, n)) for name in matrices}))
    return max((excess for excess in found if excess is not None), default=None)


def _matrix(rng: np.random.Generator, n: int, kind: str) -> np.ndarray:
    if rng.random() < 0.4:
        entries = rng.integers(-3, 4, (n, n)).astype(float)
    else:
        entries = rng.standard_normal((n, n)) * 10.0 ** rng.integers(-1, 2)
    found = entries @ entries.T if kind == "psd" else entries + entries.T
    shape = rng.random()
    if shape < 0.2:
        return np.diag(np.diag(found))
    if shape < 0.4:
        return np.outer(entries[0], entries[0]) * (1 if kind == "psd" else rng.choice((1, -1)))
    return np.eye(n) * abs(found[0, 0]) if shape < 0.5 else found


def at(statement: Drawn, point: Mapping[str, object]) -> float | None:
    """The excess at a counterexample, read by names alone; None where it has no value."""
    found = {}
    for name in statement.kinds:
        if statement.size == "n":
            n = int(str(point["n"]))
            found[name] = np.diag([_number(point, f"{name}_eig[{k}]") for k in range(1, n + 1)])
        else:
            rows = range(1, int(statement.size) + 1)
            found[name] = np.array([[_number(point, f"{name}{min(i, j)}{max(i, j)}") for j in rows] for i in rows])
    return statement.excess(found)


def _number(point: Mapping[str, object], name: str) -> float:
    value = point.get(name, 0)
    return float(value) if isinstance(value, float) else float(Fraction(str(value)))


def fault(statement: Drawn, verdict: str, point: Mapping[str, object], seed: int) -> str:
    """What is wrong with an answer; "" where nothing is."""
    if verdict in ("proved", "vacuous"):
        excess = worst(statement, seed)
        if verdict == "vacuous":
            return "" if excess is None else "vacuous, but it speaks of some matrices"
        if excess is not None and (excess > _CLEAR or (excess == 0 and statement.asked == "<")):
            return f"proved, but it fails by {excess:.3g}"
    if verdict == "refuted":
        excess = at(statement, point)
        if excess is None or excess < (-_CLEAR if statement.asked == "<" else 0):
            return f"refuted at {dict(point)}, where it holds by {excess}"
    return ""
