"""The name under which a trial is kept: a hash of everything that decides its result, and of nothing else.

That is (system, parameters, replicate), the syntax trees of the simulator's sources (comments and docstrings do not
count), and the versions of the libraries it computes with. Sizes of blocks and batches are in it as well, though there
is no field for them: those that a protocol states (`batch_size`) are parameters, those of the arithmetic are constants
of the sources. None is taken from the machine, because BLAS may round a product differently at another batch size.
"""

from __future__ import annotations

import ast
import functools
import hashlib
import importlib
import importlib.metadata
import importlib.util
import json
from pathlib import Path

from sim.answers import answers
from sim.trial import System, TrialSpec

_LIBRARIES = ("torch", "numpy", "scipy", "sympy", "python-flint")

TrialKey = str


def key(spec: TrialSpec) -> TrialKey:
    """Content hash under which a trial is kept."""
    return hashlib.sha256(f"{spec.identity}\n{fingerprint(spec.system)}".encode()).hexdigest()


def fingerprint(system: System) -> str:
    """Hash of the simulator's syntax trees, of the libraries it computes with, and of the engine if it has several."""
    module, _, name = system.engine.partition(":")
    return _fingerprint(system, getattr(importlib.import_module(module), name)() if module else "")


@functools.cache
def _fingerprint(system: System, engine: str) -> str:
    texts = [path.read_text(encoding="utf-8") for source in system.sources for path in _files(source)]
    libraries = [f"{library}={importlib.metadata.version(library)}" for library in _LIBRARIES]

    def hashed() -> str:
        digest = hashlib.sha256(f"{system.function}{engine}".encode())
        for text in texts:
            digest.update(_syntax(text))
        for library in libraries:
            digest.update(library.encode())
        return digest.hexdigest()[:16]

    # Parsing and writing out the trees takes most of a second, their texts say as much.
    question = json.dumps([system.function, engine, texts, libraries])
    return answers(Path(__file__).parent).recall(question, hashed)


@functools.cache
def _syntax(text: str) -> bytes:
    """A source's syntax tree without docstrings; systems share most of their sources."""
    return ast.dump(_without_docstrings(ast.parse(text))).encode()


def _files(source: str) -> list[Path]:
    spec = importlib.util.find_spec(source)
    if spec is None or spec.origin is None:
        raise ModuleNotFoundError(f"no source for {source}")
    if spec.submodule_search_locations:
        return sorted(Path(spec.submodule_search_locations[0]).glob("*.py"))
    return [Path(spec.origin)]


def _without_docstrings(tree: ast.Module) -> ast.Module:
    """Drop every string that stands as a statement: docstrings, and those below an attribute or a constant."""
    for node in ast.walk(tree):
        body = getattr(node, "body", None)
        if isinstance(body, list):
            node.body = [line for line in body if not _is_string(line)] or [ast.Pass()]  # type: ignore[attr-defined]
    return tree


def _is_string(node: ast.AST) -> bool:
    return isinstance(node, ast.Expr) and isinstance(node.value, ast.Constant) and isinstance(node.value.value, str)
