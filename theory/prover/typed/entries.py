"""Entries of symmetric n x n matrices as forms: A[i,j] is e_i'A e_j, for the vectors e_i of a basis.

Beside eigenvalues and inner products a basis is known by its inner products alone: e_i'e_i = 1, and of two places i and
j of which nothing is said e_i'e_j is 0 or 1, as they differ or not. Any vectors that meet this are some of a basis. Of
places 1 and 2 it is 0. So these are equivalent to what was typed, for those n at which the entries are there:

- sum(sum(A[i,j]*x[i]*y[j], j=1..n), i=1..n) is quad(A, x, y), that of A[i,j]^2 frobenius(A)^2, and sum(A[i,i], i=1..n)
  the trace;
- sum(A[i,j]*x[j], j=1..n) is e_i'A x, sum(A[i,j]^2, j=1..n) e_i'A^2 e_i, x[i] beside A[i,i] the product e_i'x.
"""

from __future__ import annotations

import itertools
import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field

from theory.prover.typed.formula import FormulaError
from theory.prover.typed.matrices import bare, closing, parts_at, split, terms

_WORD = re.compile(r"[A-Za-z_]\w*")
_SUM = re.compile(r"\bsum\s*\(")
_CELL = r"\b{}\s*\[\s*(\w+)\s*,\s*(\w+)\s*\]"
_PLACE = r"\b({})\s*\[\s*(\w+)\s*\]"


@dataclass
class EntryForms:
    """The entries of one statement.

    Attributes:
        matrices, lists: names of matrices and of vectors.
        length: the size of the matrices.
        ranges: names that have a range.
        words: all names of the statement.
        basis: place -> name of its vector, of those that were met.
    """

    matrices: frozenset[str]
    lists: frozenset[str]
    length: str
    ranges: frozenset[str]
    words: frozenset[str]
    basis: dict[str, str] = field(default_factory=dict)

    def told(self, text: str, *, is_given: bool) -> str:
        """A text without entries of matrices. Raises FormulaError."""
        if not self.matrices or not re.search(_CELL.format(f"({'|'.join(self.matrices)})"), text):
            return text
        text = self.without_sums(text)
        places: set[str] = set()
        for name in self.matrices:
            text = re.sub(_CELL.format(name), lambda at, name=name: self.entry(name, at[1], at[2], places), text)
        if self.lists:
            text = re.sub(
                _PLACE.format("|".join(self.lists)), lambda at: f"dot({at[1]}, {self.at(at[2], places)})", text
            )
        named = [place for place in sorted(places) if not place.isdigit()]
        if is_given and named:
            raise FormulaError(f"conditions must have entries of matrices at numbers, A[1,2], got {named[0]}")
        if stray := next((word for word in _WORD.findall(text) if word in named), None):
            raise FormulaError(f"places of entries must stand in [ ] alone, and not in other totals, got {stray}")
        return text

    def conditions(self) -> Iterator[str]:
        """What is known of the basis."""
        for vector in self.basis.values():
            yield f"dot({vector}, {vector}) = 1"
        for (a, e), (b, f) in itertools.combinations(self.basis.items(), 2):
            both = a.isdigit() and b.isdigit()
            yield f"dot({e}, {f}) = 0" if both else f"dot({e}, {f})*(1 - dot({e}, {f})) = 0"
        most = max((int(place) for place in self.basis if place.isdigit()), default=1)
        if most > 1:
            yield f"{self.length} >= {most}"

    def at(self, place: str, places: set[str]) -> str:
        """The vector of a place."""
        if place in self.ranges or place == "0":
            raise FormulaError(f"places of entries must be 1, 2, ... or names without a range, got {place}")
        places.add(place)
        if place not in self.basis:
            stem = f"e_{place}"
            self.basis[place] = next(n for n in (stem, *(f"{stem}_{k}" for k in range(99))) if n not in self.words)
        return self.basis[place]

    def entry(self, name: str, i: str, j: str, places: set[str]) -> str:
        """A[i,j]."""
        e, f = self.at(i, places), self.at(j, places)
        return f"quad({name}, {e})" if i == j else f"quad({name}, {e}, {f})"

    # ----------------------------------------------------------------------------------------------------------- sums

    def without_sums(self, text: str) -> str:
        """A text in which forms stand for sums over entries of matrices."""
        start = 0
        while found := _SUM.search(text, start):
            end = closing(text, found.end() - 1)
            told = self.sum(text[found.end() : end])
            if told is None:
                start = found.end()
                continue
            text = f"{text[: found.start()]}{told}{text[end + 1 :]}"
            start = found.start()
        return text

    def sum(self, inside: str) -> str | None:
        """The form that a sum is; None of one without entries of matrices."""
        body, index = self.index(inside)
        indices = [index]
        factors = list(_factors(body))
        inner = [f for f in factors if (m := _SUM.match(f)) and closing(f, m.end() - 1) == len(f) - 1]
        if len(inner) == 1:
            term, other = self.index(inner[0][inner[0].index("(") + 1 : -1])
            around = [f for f in factors if f != inner[0]]
            if other in {word for f in around for word in _WORD.findall(f)}:
                raise self.refuse(body)
            body, indices = "*".join([*around, *_factors(term)]), [index, other]
        if not re.search(_CELL.format(f"({'|'.join(self.matrices)})"), body):
            return None
        if "" in indices or len(set(indices)) < len(indices) or self.ranges & set(indices):
            raise self.refuse(body)
        return self.total(body, indices)

    def index(self, inside: str) -> tuple[str, str]:
        """What is added up, and its index where that runs from 1 to n; "" where not."""
        parts = list(split(inside))
        found = re.fullmatch(rf"\s*(\w+)\s*=\s*1\s*\.\.\s*{self.length}\s*", parts[-1])
        return (parts[0].strip(), found[1]) if found and len(parts) == 2 else (inside, "")

    def refuse(self, body: str) -> FormulaError:
        """What is no form."""
        said = "sums over entries of matrices must be of A[i,j]*x[i]*y[j], A[i,j]^2 or A[i,i], i and j from 1 to"
        return FormulaError(f"{said} {self.length}, got {body[:50]!r}")

    def total(self, body: str, indices: list[str]) -> str:
        """A sum of products over one or two indices, as a form."""
        weights: list[str] = []
        vectors: dict[str, list[str]] = {index: [] for index in indices}
        cells: list[tuple[str, str, str, bool]] = []
        for factor in _factors(body):
            cell = re.fullmatch(_CELL.format(f"({'|'.join(self.matrices)})") + r"\s*(\^\s*2|\*\*\s*2)?", factor)
            used = [index for index in indices if re.search(rf"\b{index}\b", factor)]
            if cell:
                cells.append((cell[1], cell[2], cell[3], bool(cell[4])))
            elif not used:
                weights.append(factor)
            else:
                vectors[used[0]].append(self.vector(factor, used, body))
        if len(cells) != 1 or any(re.search(_CELL.format(f"({'|'.join(self.matrices)})"), w) for w in weights):
            raise self.refuse(body)
        form = self.form(cells[0], vectors)
        if form is None:
            raise self.refuse(body)
        return f"({'*'.join([*(f'({w})' for w in weights), form])})"

    def form(self, cell: tuple[str, str, str, bool], vectors: Mapping[str, list[str]]) -> str | None:
        """The sum of one entry times vectors at its places; None where that is no form."""
        name, i, j, is_squared = cell
        counts = [len(row) for row in vectors.values()]
        summed = [place for place in (i, j) if place in vectors]
        if len(vectors) == 2:
            if i == j or len(summed) < 2 or counts != ([0, 0] if is_squared else [1, 1]):
                return None
            return f"frobenius({name})^2" if is_squared else _quad(name, vectors[i][0], vectors[j][0])
        if i == j:
            return f"trace({name})" if summed and counts == [0] and not is_squared else None
        if len(summed) != 1 or counts != ([0] if is_squared else [1]):
            return None
        basis = self.at(j if summed == [i] else i, set())
        return f"quad({name}^2, {basis})" if is_squared else _quad(name, basis, vectors[summed[0]][0])

    def vector(self, factor: str, used: list[str], body: str) -> str:
        """What a factor is as a vector, where each of its lists stands at the one index."""
        if len(used) != 1:
            raise self.refuse(body)
        bare = re.sub(rf"\b({'|'.join(self.lists) or '(?!)'})\s*\[\s*{used[0]}\s*\]", r"\1", factor)
        while bare.startswith("(") and closing(bare, 0) == len(bare) - 1:
            bare = bare[1:-1].strip()
        if re.search(rf"\b{used[0]}\b|[\[(]", bare):
            raise self.refuse(body)
        return bare


def _quad(name: str, x: str, y: str) -> str:
    return f"quad({name}, {x})" if x == y else f"quad({name}, {x}, {y})"


def _factors(text: str) -> Iterator[str]:
    """The factors of a product; of anything else that text alone."""
    if len(terms(text)) > 1:
        return iter([text.strip()])
    signs = (at for at in bare(text, "*") if "**" not in (text[at : at + 2], text[at - 1 : at + 1]))
    return (part.strip() for part in parts_at(text, signs))
