"""Several symmetric n x n matrices in forms of few vectors, as a statement at a size of 1 to 3.

A statement that has matrices only in forms x'Ay of combinations of them, in psd and pd, and in greatest and least
eigenvalues that may as well be any larger number or are asked to be at most one, fails for some n only if it fails at
n = m, where m vectors stand in it (one more for what is asked of all vectors):

- from more than m places, take P A P', where the rows of P span the vectors. Forms of them stay as they are, psd, pd
  and mu I - A >= 0 are kept.
- from fewer than m, put c = w'Aw beside A, for one vector w of length 1, once for each place that is lacking: the same
  is kept, and forms of the vectors with zeros there are as they were.

Vectors of a basis are then the first ones; of two places i and j of which nothing is said, e_j is (c, 1 - c), c 0 or 1.

So the statement at n = m, where it is written out, is equivalent. Products and powers of matrices, traces and
determinants are not kept by the first step, and refused.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

import sympy as sp

from theory.prover.typed.entries import EntryForms
from theory.prover.typed.formula import FormulaError, read_expression
from theory.prover.typed.matrices import RELATIONS, Written, at_size, closing, multiplied, split

_CALL = re.compile(r"\b(quad|dot|norm|eigmax|eigmin|psd|pd)\s*\(")
_OTHER = re.compile(r"\b(trace|det|logdet|frobenius|opnorm)\s*\(")
_WORD = re.compile(r"[A-Za-z_]\w*")
_LINE = re.compile(r"\s*[\[(]?\s*-oo\s*[:,]\s*oo\s*[\])]?\s*")
_ONE = "one_"
"""What stands for I where a combination is looked at."""
_MOST = 3


def by_vectors(
    statement: str,
    matrices: Mapping[str, tuple[str, str]],
    given: Sequence[str],
    ranges: Mapping[str, str],
    lists: Mapping[str, str],
) -> Written:
    """What a statement says at the size that decides it.

    Args:
        matrices: name -> kind and length.
        ranges: what names and lists range over.
        lists: those of lists, by their names.

    Raises:
        FormulaError: on what does not follow from forms of few vectors.
    """
    lengths = {length for _, length in matrices.values()}
    if len(lengths) > 1:
        raise FormulaError(f"matrices must be of one size, got {' and '.join(sorted(lengths))}")
    length = lengths.pop()
    if not str(ranges.get(length, "")).rstrip(" ])").endswith("oo"):
        raise FormulaError(f"the size of several matrices must have a range without an upper end, got {length}")
    words = {word for text in [statement, *given, *ranges] for word in _WORD.findall(text)}
    names = frozenset(matrices)
    entries = EntryForms(names, frozenset(lists), length, frozenset(ranges), frozenset(words))
    statement = entries.told(statement, is_given=False)
    given = [entries.told(text, is_given=True) for text in given]
    texts = [statement, *given]
    vectors = list(entries.basis.values()) + [
        name for name in lists if any(re.search(rf"\b{name}\b", text) for text in texts)
    ]
    for size in range(max(len(vectors), 1), _MOST + 1):
        written = _At(size, names, vectors, {e: lists.get(e, "-oo:oo") for e in vectors}, length, words, entries.basis)
        found = written.statement(statement, matrices, given, list(ranges))
        if found is not None:
            return found
    raise FormulaError(f"statements on several matrices must have few vectors, at most {_MOST}, got {len(vectors)}")


@dataclass
class _At:
    """One size."""

    size: int
    matrices: frozenset[str]
    vectors: list[str]
    lists: Mapping[str, str]
    length: str
    words: set[str]
    basis: Mapping[str, str]
    pairs: list[tuple[str, str]] = field(default_factory=list)
    coordinates: dict[str, list[str]] = field(default_factory=dict)

    def __post_init__(self) -> None:
        for k, name in enumerate(self.vectors):  # any vectors are these, once turned: the k-th has k coordinates
            if _LINE.fullmatch(self.lists[name]) is None:
                raise FormulaError(f"vectors beside forms must be in all of (-oo, oo), got {name}")
            if name in self.basis.values():
                self.coordinates[name] = self.of_basis(k, name)
                continue
            own = [self.free(f"{name}{i}") for i in range(1, min(k + 1, self.size) + 1)]
            self.pairs += [(e, "-oo:oo") for e in own]
            self.coordinates[name] = own + ["0"] * (self.size - len(own))

    def of_basis(self, k: int, name: str) -> list[str]:
        """The coordinates of the k-th vector of a basis; a second one at a place with a name may be the first."""
        places = list(self.basis)
        if k == 0 or all(place.isdigit() for place in places[: k + 1]):
            return ["1" if i == k else "0" for i in range(self.size)]
        if k > 1:
            raise FormulaError("entries of several n x n matrices must be at numbers, or at two places in all")
        same = self.free(f"{name}_same")
        self.pairs.append((same, "0:1"))
        return [same, f"(1 - {same})", *["0"] * (self.size - 2)]

    def free(self, name: str) -> str:
        """A name that the statement does not have."""
        if name in self.words:
            raise FormulaError(f"coordinates of vectors must have free names, got {name}, which is taken")
        return name

    def statement(
        self, statement: str, matrices: Mapping[str, tuple[str, str]], given: Sequence[str], taken: Sequence[str]
    ) -> Written | None:
        """The statement at this size; None where it asks for one more vector than there is room for."""
        told = [self.told(text) for text in (statement, *given)]
        known = {name: (kind, str(self.size)) for name, (kind, _) in matrices.items()}
        taken = [*[name for name in taken if "[" not in name], *[name for name, _ in self.pairs]]
        written, is_exact, asks = at_size(self.size, told[0], known, told[1:], taken)
        if not is_exact:
            raise FormulaError(
                "greatest eigenvalues of several n x n matrices must stand where more of them helps, or in one bound"
            )
        if asks and len(self.vectors) + 1 > self.size:
            return None
        dropped = frozenset({*self.lists, self.length})
        note = f" (at size {self.size}, which decides every size)"
        whole = frozenset(name for name, range_ in self.pairs if range_ == "0:1")
        return Written(written.statement, [*written.pairs, *self.pairs], written.given, dropped, whole, note)

    def told(self, text: str) -> str:
        """A text without vectors."""
        if found := _OTHER.search(text):
            raise FormulaError(
                f"several n x n matrices must stand in quad, eigmax, eigmin, psd and pd alone, got {found[1]}"
            )
        plain = text
        for found in reversed(list(_CALL.finditer(text))):
            end = closing(text, found.end() - 1)
            parts = [part.strip() for part in split(text[found.end() : end])]
            if found[1] in ("eigmax", "eigmin", *RELATIONS):
                if len(parts) != 1:
                    raise FormulaError(f"{found[1]} must have one matrix, got {len(parts)} arguments")
                self.require_linear(parts[0], {*self.matrices, _ONE})
                blank = found[1]
            else:
                blank = self.form(found[1], parts)
                text = f"{text[: found.start()]}({blank}){text[end + 1 :]}"
            plain = f"{plain[: found.start()]} {plain[end + 1 :]}"
        if stray := next((w for w in _WORD.findall(plain) if w in {*self.lists, *self.matrices, self.length}), None):
            raise FormulaError(
                f"several n x n matrices and vectors must stand in quad, dot, norm(., 2), eigmax, eigmin, psd and pd "
                f"alone, got {stray}"
            )
        return text

    def form(self, function: str, parts: list[str]) -> str:
        """x'Ay, x'y or the length of x, in coordinates."""
        if function == "norm":
            if len(parts) != 2 or parts[1] != "2":
                raise FormulaError(f"vectors beside forms must stand in norm(., 2), got norm of {parts[-1][:20]}")
            return f"sqrt({self.form('dot', [parts[0], parts[0]])})"
        if function == "dot":
            if len(parts) != 2:
                raise FormulaError(f"dot must have two vectors, got {len(parts)}")
            u, w = map(self.at, parts)
            return " + ".join(f"({a})*({b})" for a, b in zip(u, w, strict=True))
        if len(parts) not in (2, 3):
            raise FormulaError(f"quad must have a matrix and one or two vectors, got {len(parts)} arguments")
        self.require_linear(parts[0], {*self.matrices, _ONE})
        u, w = self.at(parts[1]), self.at(parts[-1])
        return multiplied(parts[0], self.matrices, self.size, u, w)

    def at(self, text: str) -> list[str]:
        """The coordinates of a combination of lists."""
        self.require_linear(text, set(self.lists))
        return [
            _WORD.sub(lambda w, i=i: self.coordinates[w[0]][i] if w[0] in self.lists else w[0], text)
            for i in range(self.size)
        ]

    def require_linear(self, text: str, of: set[str]) -> None:
        """Refuse what is no sum of matrices, or of lists, times numbers."""
        read = re.sub(r"\bI\b", _ONE, text)
        symbols = {word: sp.Symbol(word, real=True) for word in {*_WORD.findall(read), *of}}
        found = [symbols[name] for name in sorted(of)]
        try:
            e = sp.expand(read_expression(read, symbols))
            is_linear = e.is_polynomial(*found) and all(sum(m) == 1 for m in sp.Poly(e, *found).monoms())
        except (FormulaError, sp.PolynomialError):
            is_linear = False
        others = {*self.lists, *self.matrices, self.length, "I"} - of - {"I" if _ONE in of else ""}
        if not is_linear or others & set(_WORD.findall(text)):
            raise FormulaError(f"several n x n matrices must stand in sums, times numbers, got {text[:40]!r}")
