"""Symmetric n x n matrices by their eigenvalues: "eigmax(A) <= trace(A)" with A=psd(n) is a statement over a list.

A symmetric matrix is U diag(l) U', with any numbers l and any orthogonal U. So a statement that speaks of functions of
one matrix (c*A^2 + I, exp(A), A^-1), of their traces, determinants, greatest and least eigenvalues and norms, and of
forms x'Ay of vectors of which else only lengths and inner products are used, is one over the list l and over vectors
U'x. What asks for more, an entry or a product of two matrices, is refused.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from theory.prover.typed.entries import EntryForms
from theory.prover.typed.formula import FormulaError
from theory.prover.typed.matrices import Written, closing, split, terms

_TOTALS = {
    "trace": "sum({}, i=1..n)", "det": "prod({}, i=1..n)", "logdet": "sum(log({}), i=1..n)",
    "eigmax": "max({}, i=1..n)", "eigmin": "min({}, i=1..n)", "opnorm": "max(abs({}), i=1..n)",
    "frobenius": "sqrt(sum(({})^2, i=1..n))",
}  # fmt: skip
"""Functions of a matrix, by its eigenvalues at i."""
NAMES = (*_TOTALS, "psd", "pd", "quad")
_CALL = re.compile(rf"\b({'|'.join(NAMES)})\s*\(")
_LENGTHS = re.compile(r"\b(norm|dot)\s*\(")
_FUNCTIONS = ("exp", "log", "sqrt")
"""Functions that are never meant of each entry."""
_WORD = re.compile(r"[A-Za-z_]\w*")
_LINE = re.compile(r"\s*[\[(]?\s*-oo\s*[:,]\s*oo\s*[\])]?\s*")
_LIST = re.compile(r"([A-Za-z_]\w*)\s*\[\s*\w+\s*\]")


def by_spectra(
    statement: str, matrices: Mapping[str, tuple[str, str]], given: Sequence[str], ranges: Mapping[str, str]
) -> Written:
    """What a statement says of the eigenvalues of its matrices.

    Args:
        matrices: name -> kind and length.
        ranges: what other names and lists range over.

    Raises:
        FormulaError: on what does not follow from eigenvalues.
    """
    lengths = {length for _, length in matrices.values()}
    if len(lengths) > 1:
        raise FormulaError(f"matrices must be of one size, got {' and '.join(sorted(lengths))}")
    lists = {found[1]: value for name, value in ranges.items() if (found := _LIST.fullmatch(name.strip()))}
    words = {word for text in [statement, *given, *ranges] for word in _WORD.findall(text)}
    index = next(name for name in ("i", "j", "k", "i_", "index_") if name not in words - {"i", "j", "k"} | set(ranges))
    spectra = {name: f"{name}_eig" for name in matrices}
    if clash := sorted({*spectra.values()} & words):
        raise FormulaError(f"eigenvalues must have a free name, got {clash[0]}, which is taken")
    length = lengths.pop()
    entries = EntryForms(frozenset(matrices), frozenset(lists), length, frozenset(ranges), frozenset(words))
    statement = entries.told(statement, is_given=False)
    given = [*[entries.told(text, is_given=True) for text in given], *entries.conditions()]
    lists |= dict.fromkeys(entries.basis.values(), "-oo:oo")
    writer = _SpectraWriter(dict(matrices), lists, index, length, spectra)
    own = [f"{kind}({name})" for name, (kind, _) in matrices.items() if kind != "symmetric"]
    conditions = [writer.told(text, is_given=True) for text in [*own, *given]]
    goal = writer.told(statement, is_given=False)
    writer.require_lengths([statement, *given])
    added = dict.fromkeys(spectra.values(), "-oo:oo") | dict.fromkeys(entries.basis.values(), "-1:1")
    return Written(goal, [(f"{name}[{index}]", range_) for name, range_ in added.items()], conditions)


@dataclass
class _SpectraWriter:
    matrices: dict[str, tuple[str, str]]
    lists: dict[str, str]
    index: str
    length: str
    spectra: dict[str, str]
    formed: str = ""
    """The matrix whose forms a statement has."""

    def told(self, text: str, *, is_given: bool) -> str:
        """A text without matrices."""
        whole = _CALL.match(text.strip())
        is_whole = (
            whole and whole[1] in ("psd", "pd") and closing(text.strip(), whole.end() - 1) == len(text.strip()) - 1
        )
        if whole and is_whole:
            sign = ">" if whole[1] == "pd" else ">="
            inner = self.told(text.strip()[whole.end() : -1], is_given=False)
            value = self.eigenvalue(inner)
            return f"{value} {sign} 0" if is_given else f"min({value}, {self.index}=1..{self.length}) {sign} 0"
        for found in reversed(list(_CALL.finditer(text))):
            if found[1] in ("psd", "pd"):
                raise FormulaError(f"psd and pd must stand alone, got {text[:60]!r}")
            end = closing(text, found.end() - 1)
            parts = [part.strip() for part in split(text[found.end() : end])]
            text = text[: found.start()] + self.call(found[1], parts) + text[end + 1 :]
        return text

    def call(self, function: str, parts: list[str]) -> str:
        """A function of a matrix, and of vectors."""
        if len(parts) != 1 and not (function == "quad" and len(parts) in (2, 3)):
            most = "a matrix and one or two vectors" if function == "quad" else "one matrix"
            raise FormulaError(f"{function} must have {most}, got {len(parts)} arguments")
        value = self.eigenvalue(parts[0])
        if function == "quad":
            (name,) = {word for word in _WORD.findall(parts[0]) if word in self.matrices} or {""}
            if self.formed not in ("", name) or not name:
                raise FormulaError(f"forms must be of one matrix, got {parts[0][:40]!r}")
            self.formed = name
            vectors = [self.vector(part) for part in parts[1:]]
            squared = f"({vectors[0]})^2" if len(vectors) == 1 else f"({vectors[0]})*({vectors[1]})"
            return f"sum(({value})*{squared}, {self.index}=1..{self.length})"
        said = _TOTALS[function].replace("i=1..n", f"{self.index}=1..{self.length}")
        return said.format(value)

    def eigenvalue(self, text: str) -> str:
        """The eigenvalues of a function of a matrix, at the index."""
        names = {word for word in _WORD.findall(text) if word in self.matrices}
        if len(names) > 1:
            raise FormulaError(f"a function must be of one matrix where sizes are {self.length}, got {text[:40]!r}")
        if not names and not re.search(r"\bI\b", text):
            raise FormulaError(f"trace, det, psd and the like must be of a matrix, got {text[:40]!r}")
        if found := next((w for w in _WORD.findall(text) if w in self.lists), None):
            raise FormulaError(f"a matrix must be made of numbers, I and one matrix, got {found}")
        _require_matrix(text, {*names, "I"})
        for name in names:
            if re.search(rf"\b{name}\s*\[", text):
                raise FormulaError(
                    f"matrices must stand without entries where sizes are {self.length}, got {text[:40]!r}"
                )
            text = re.sub(rf"\b{name}\b", f"{self.spectra[name]}[{self.index}]", text)
        return re.sub(r"\bI\b", "1", text)

    def vector(self, text: str) -> str:
        """A combination of lists, at the index."""
        self.require_combination(text)
        return _WORD.sub(lambda w: f"{w[0]}[{self.index}]" if w[0] in self.lists else w[0], text)

    def require_combination(self, text: str) -> None:
        """Refuse what is no sum of lists times numbers: its inner products would hang on the basis."""
        for term in re.split(r"[+-]", text):
            factors = [part.strip() for part in term.split("*")]
            found = [part for part in factors if part in self.lists]
            plain = [part for part in factors if part not in found]
            if len(found) != 1 or not all(re.fullmatch(r"\w+(?:/\d+)?", part) for part in plain):
                raise FormulaError(f"vectors beside forms must be sums of lists times numbers, got {text[:40]!r}")
            if _LINE.fullmatch(self.lists[found[0]]) is None:
                raise FormulaError(f"vectors beside forms must be in all of (-oo, oo), got {found[0]}")

    def require_lengths(self, texts: Sequence[str]) -> None:
        """Refuse lists that are used by more than their lengths and inner products, where there are forms."""
        for text in texts:
            left = text
            for found in reversed(list(_CALL.finditer(left))):
                if found[1] == "quad":
                    left = left[: found.start()] + left[closing(left, found.end() - 1) + 1 :]
            for found in reversed(list(_LENGTHS.finditer(left))) if self.formed else ():
                end = closing(left, found.end() - 1)
                parts = [part.strip() for part in split(left[found.end() : end])]
                if found[1] == "dot" or parts[1:] == ["2"]:
                    for part in parts if found[1] == "dot" else parts[:1]:
                        self.require_combination(part)
                    left = left[: found.start()] + left[end + 1 :]
            if self.formed and (stray := next((w for w in _WORD.findall(left) if w in self.lists), None)):
                raise FormulaError(f"vectors beside forms must stand in quad, dot and norm(., 2) alone, got {stray}")
            for found in reversed(list(_CALL.finditer(left))):
                left = left[: found.start()] + left[closing(left, found.end() - 1) + 1 :]
            if stray := next((w for w in _WORD.findall(left) if w in (*self.matrices, "I")), None):
                raise FormulaError(f"a matrix must stand in {', '.join(NAMES)}, got {stray}")


def _require_matrix(text: str, matrices: set[str]) -> None:
    """Refuse numbers added to matrices (c*I is meant, or c times all ones), and functions that may be of entries."""
    for found in re.finditer(r"(\w*)\s*\(", text):
        inner = text[found.end() : closing(text, found.end() - 1)]
        if any(word in matrices for word in _WORD.findall(inner)):
            if found[1] and found[1] not in _FUNCTIONS:
                raise FormulaError(f"functions of a matrix must be {', '.join(_FUNCTIONS)}, got {found[1]}")
            _require_matrix(inner, matrices)
    for term in terms(text):
        if not any(word in matrices for word in _WORD.findall(term)):
            raise FormulaError(f"matrix must be added to a matrix (c*I, not c), got {text[:40]!r}")
