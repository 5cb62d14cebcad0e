"""Statements with symmetric matrices as ones without: of size 2 or 3 by entries, of size n by eigenvalues."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from typing import Any

from theory.prover.typed.compressed import by_vectors
from theory.prover.typed.formula import FormulaError, require_name
from theory.prover.typed.matrices import DECLARED, Written, written_out
from theory.prover.typed.spectra import by_spectra

_LIST = re.compile(r"([A-Za-z_]\w*)\s*\[\s*\w+\s*\]")


def without_declared(pairs: Sequence[tuple[Any, Any]]) -> tuple[list[tuple[Any, Any]], dict[str, tuple[str, str]]]:
    """Ranges without the matrices among them, A=symmetric(3) or A=psd(n), and these by name, with kind and size."""
    plain, matrices = [], {}
    for key, value in pairs:
        found = DECLARED.fullmatch(value) if isinstance(value, str) else None
        if found is None or not isinstance(key, str):
            plain.append((key, value))
            continue
        require_name(key)
        if key in matrices or key == "I":
            raise FormulaError(f"a matrix must have a name of its own, which is not I, got {key}")
        matrices[key] = (found[1], found[2])
    return plain, matrices


def without_matrices(
    statement: Any, matrices: Mapping[str, tuple[str, str]], given: Sequence[Any], ranges: Mapping[Any, Any]
) -> Written | None:
    """What a statement says without matrices; None where it has none. Raises FormulaError."""
    if isinstance(statement, list | tuple) and len(statement) == 1:
        (statement,) = statement
    if not isinstance(statement, str):
        if matrices:
            raise FormulaError("a statement with matrices must be one text")
        return None
    if clash := next((name for name in matrices if name in ranges), None):
        raise FormulaError(f"range must be given once for each name, got two for {clash}")
    if matrices and not all(size.isdigit() for _, size in matrices.values()):
        if not all(isinstance(g, str) for g in given):
            raise FormulaError("a statement with matrices must be text")
        named = {str(name): value if isinstance(value, str) else "" for name, value in ranges.items()}
        if len(matrices) > 1:
            lists = {found[1]: value for name, value in named.items() if (found := _LIST.fullmatch(name.strip()))}
            return by_vectors(statement, matrices, given, {str(k): str(v) for k, v in ranges.items()}, lists)
        return by_spectra(statement, matrices, given, named)
    return written_out(statement, matrices, given, [str(name) for name in ranges])
