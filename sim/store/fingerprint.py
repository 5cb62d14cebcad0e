"""The name under which a trial is kept: a hash of everything that decides its result, and of nothing else.

That is (system, parameters, replicate), the syntax of the simulator's sources (comments, docstrings and layout do not
count), and the versions of the libraries it computes with: another torch may sum in another order. Which Python read
the sources is no part of it, so a store moves from one minor version to another; nor is a library that a simulator does
not use. Sizes of blocks and batches are in it as well, though there is no field for them: those that a protocol states
(`batch_size`) are parameters, those of the arithmetic are constants of the sources. None is taken from the machine,
because BLAS may round a product differently at another batch size.
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

from sim.store.disk_cache import disk_cache
from sim.store.sources import file_of, sources_of
from sim.trial import System, TrialSpec, key_of
from theoremeter_papers import cached

_SILENT = frozenset({"ctx", "kind", "type_comment", "type_ignores"})
"""Fields of a syntax tree that decide nothing: they follow from where a node stands, or speak to other tools."""

TrialKey = str


def key(spec: TrialSpec) -> TrialKey:
    """Content hash under which a trial is kept."""
    return key_of(spec.identity, fingerprint(spec.system))


def fingerprint(system: System) -> str:
    """Hash of the simulator's sources, of the libraries it computes with, and of the engine if it has several."""
    module, _, name = system.engine.partition(":")
    return _fingerprint(system, getattr(importlib.import_module(module), name)() if module else "")


@cached
def _fingerprint(system: System, engine: str) -> str:
    texts = [path.read_text(encoding="utf-8") for path in _files(system)]
    libraries = [f"{library}={_version(library)}" for library in system.libraries]

    def hashed() -> str:
        whole = json.dumps([system.path, engine, [syntax(text) for text in texts], libraries])
        return hashlib.sha256(whole.encode()).hexdigest()[:16]

    # Parsing and writing out the trees takes most of a second, their texts say as much.
    question = json.dumps([system.path, engine, texts, libraries])
    return disk_cache(Path(__file__).parent).get(question, hashed)


def _version(library: str) -> str:
    try:
        return importlib.metadata.version(library)
    except importlib.metadata.PackageNotFoundError:
        return "none"


@functools.cache
def syntax(text: str) -> str:
    """A source's syntax in words that every Python from 3.11 on finds alike; systems share most of their sources.

    `ast.dump` will not do: 3.12 gave functions and classes another field, 3.13 leaves out what is empty.
    """
    return _words(ast.parse(text))


def _words(value: object) -> str:
    """A node with its fields by name, those that are empty left out; a list; or a constant."""
    if isinstance(value, list):
        return f"[{','.join([_words(part) for part in value])}]"
    if not isinstance(value, ast.AST):
        return ascii(value)  # what repr escapes depends on the version's Unicode tables
    kind = type(value)
    if isinstance(value, ast.JoinedStr):
        return f"JoinedStr({_words(_pieces(value))})"
    written = []
    for name in _spoken(kind):
        field = getattr(value, name, None)
        if name == "body" and isinstance(field, list):
            field = _without_docstrings(field)
        if field is not None and field != []:
            written.append(f"{name}={_words(field)}")
    return f"{kind.__name__}({','.join(written)})"


@functools.cache
def _spoken(kind: type[ast.AST]) -> tuple[str, ...]:
    """The fields of a kind of node that decide something, in order."""
    return tuple(sorted(set(kind._fields) - _SILENT))


def _pieces(node: ast.JoinedStr) -> list[ast.expr | str]:
    """The parts of an f-string, texts in one piece: versions cut them differently."""
    pieces: list[ast.expr | str] = []
    for part in node.values:
        text = part.value if isinstance(part, ast.Constant) and isinstance(part.value, str) else None
        if text is None:
            pieces.append(part)
        elif pieces and isinstance(pieces[-1], str):
            pieces[-1] += text
        elif text:
            pieces.append(text)
    return pieces


def _files(system: System) -> list[Path]:
    """The files that decide a system's results; a package that is named as a source stands for all its modules."""
    if not system.sources:
        return [file_of(module) for module in sources_of(system.module)]
    named = [file_of(source) for source in system.sources]
    return [
        path for file in named for path in (sorted(file.parent.glob("*.py")) if file.name == "__init__.py" else [file])
    ]


def _without_docstrings(lines: list[ast.stmt]) -> list[ast.stmt]:
    """A body without the strings that stand as statements: docstrings, and those below an attribute or a constant."""
    return [line for line in lines if not _is_string(line)] or [ast.Pass()]


def _is_string(node: ast.AST) -> bool:
    return isinstance(node, ast.Expr) and isinstance(node.value, ast.Constant) and isinstance(node.value.value, str)
