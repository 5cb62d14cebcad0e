"""What a readout is computed from: the definitions that its function reaches, of whatever modules.

A recipe's identity is that of whole modules (`sim.store.sources`): much hangs on it, and it may err only by being too
careful. Readouts stand many in a module, so theirs is finer: a function at the top of a module, what it names, what
that names, and so on. Read from the sources, as imports are. A definition is a function, a class, or what is assigned
to a name, and takes with it

- every name in it that its module binds, as far as an import leads, whether or not a local one hides it;
- the whole of a module that it uses otherwise than by attribute;
- what modules do when they are imported (calls, assignments to attributes, decorators that may register), for every
  module that it touches.

So a helper that two readouts share counts for both, one that neither names for none. What is part of the recipe is left
out, because readouts hang on the recipe's key anyhow.

How a wrong split shows: tests change each definition and compare what goes stale with what the interpreter ran; and a
replay must repeat all readouts that are still current bit for bit, or nothing of it is kept (`sim.store.replays`).
"""

from __future__ import annotations

import ast
import hashlib
import json
from collections.abc import Collection, Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any

from sim.store.disk_cache import own_cache
from sim.store.sources import BORDER, file_of, has_source
from sim.store.syntax import is_string, words_of
from theoremeter_papers import cached

AT_IMPORT = ""
"""The name of what a module does when it is imported, beside definitions."""
_PLAIN = frozenset({"dataclass", "functools.cache", "functools.lru_cache", "functools.wraps", "contextmanager"})
"""Decorators that tell nobody else of what they decorate. All others may."""


@dataclass
class SourceDefinition:
    """What a name at the top of a module stands for.

    Attributes:
        words: its syntax.
        uses: names in it, with their attributes ("np.exp", "data.sample").
        imports: what imports inside it bind, by name.
    """

    words: str = ""
    uses: list[str] = field(default_factory=list)
    imports: dict[str, str] = field(default_factory=dict)


@dataclass(frozen=True)
class Outline:
    """The top of a module: definitions by name, and what its imports bind."""

    definitions: Mapping[str, SourceDefinition]
    imports: Mapping[str, str]


def digest_of(function: str, given: Collection[str] = ()) -> str:
    """Hash of all that a function "module:name" is computed from, modules in `given` left out."""
    return hashlib.sha256(json.dumps([function, reached(function, given)]).encode()).hexdigest()[:16]


def reached(function: str, given: Collection[str] = ()) -> list[tuple[str, str, str, list[str]]]:
    """The definitions that a function is computed from: module, name, syntax, and what it uses by import.

    Raises:
        ModuleNotFoundError: no source for its module.
        ValueError: the module does not define it.
    """
    module, _, name = function.partition(":")
    if name not in outline_of(module).definitions:
        raise ValueError(f"module {module} must define {name}, got no such definition")
    found = _Reached(module.partition(".")[0], frozenset(given) | BORDER)
    found.follow(module, name)
    return sorted(found.records)


class _Reached:
    """The definitions reached so far, each as [module, name, syntax, what its names stand for]."""

    def __init__(self, root: str, left_out: frozenset[str]) -> None:
        self.records: list[tuple[str, str, str, list[str]]] = []
        self._roots, self._left_out = {root, "sim"}, left_out
        self._seen: set[tuple[str, str]] = set()
        self._waiting: list[tuple[str, str]] = []

    def follow(self, module: str, name: str) -> None:
        """Reach a definition, and all that it reaches."""
        self._reach(module, name)
        while self._waiting:
            module, name = self._waiting.pop()
            outline = outline_of(module)
            definition = outline.definitions[name]
            targets = sorted(set(self._targets(outline, definition, all_imports=name != AT_IMPORT)))
            self.records.append((module, name, definition.words, targets))
            for target in targets:
                self._reach_dotted(target)
            for use in definition.uses:
                if (first := use.partition(".")[0]) in outline.definitions:
                    self._reach(module, first)

    def _targets(self, outline: Outline, definition: SourceDefinition, *, all_imports: bool) -> Iterator[str]:
        """Dotted names of what a definition uses by import; an import inside a function counts as it stands."""
        for use in definition.uses:
            first, dot, rest = use.partition(".")
            for bound in (definition.imports, outline.imports):
                if first in bound:
                    yield f"{bound[first]}{dot}{rest}"
        yield from (target for name, target in outline.imports.items() if name.startswith("*"))
        used = {use.partition(".")[0] for use in definition.uses}
        yield from (target for name, target in definition.imports.items() if all_imports and name not in used)

    def _reach_dotted(self, target: str) -> None:
        """Reach what a dotted name stands for: a definition of a module, or all of a module."""
        module, rest = _split(target)
        if module.partition(".")[0] not in self._roots or not module or module in self._left_out:
            return
        outline = outline_of(module)
        name = rest.partition(".")[0]
        if name in outline.definitions:
            self._reach(module, name)
        elif name in outline.imports:
            self._touch(module)
            self._reach_dotted(f"{outline.imports[name]}{rest[len(name) :]}")
        else:  # the module itself, handed on or asked for something by a computed name
            for each in outline.definitions:
                self._reach(module, each)

    def _reach(self, module: str, name: str) -> None:
        if (module, name) not in self._seen:
            self._seen.add((module, name))
            self._touch(module)
            self._waiting.append((module, name))

    def _touch(self, module: str) -> None:
        """What a module does when it is imported, and what those do that it imports."""
        if (module, "*") in self._seen or module in self._left_out or module.partition(".")[0] not in self._roots:
            return
        self._seen.add((module, "*"))
        outline = outline_of(module)
        if AT_IMPORT in outline.definitions:
            self._reach(module, AT_IMPORT)
        for target in outline.imports.values():
            if imported := _split(target)[0]:
                self._touch(imported)


def _split(target: str) -> tuple[str, str]:
    """A dotted name as the longest module in it and the rest; no module where there is none with a source."""
    parts = target.split(".")
    for size in range(len(parts), 0, -1):
        if has_source(".".join(parts[:size])):
            return ".".join(parts[:size]), ".".join(parts[size:])
    return "", target


# --------------------------------------------------------------------------------------------------------- the outline


@cached
def outline_of(module: str) -> Outline:
    """The top of a module, by its source."""
    path = file_of(module)
    package = module if path.name == "__init__.py" else module.rpartition(".")[0]
    text = path.read_text(encoding="utf-8")

    def read() -> dict[str, Any]:
        found = _outline(text, package)
        return {"definitions": {name: vars(each) for name, each in found.definitions.items()}, "imports": found.imports}

    kept = own_cache().get(json.dumps(["outline", text, package]), read)
    return Outline({name: SourceDefinition(**each) for name, each in kept["definitions"].items()}, kept["imports"])


def _outline(text: str, package: str) -> Outline:
    definitions: dict[str, SourceDefinition] = {}
    imports: dict[str, str] = {}
    for statement in ast.parse(text).body:
        if isinstance(statement, ast.Import | ast.ImportFrom):
            imports |= dict(_bound_by_import(statement, package))
            continue
        if is_string(statement):
            continue
        for name in _names_bound(statement) or [AT_IMPORT]:
            _add(definitions.setdefault(name, SourceDefinition()), statement, package)
        if any(ast.unparse(_called(each)) not in _PLAIN for each in getattr(statement, "decorator_list", ())):
            _add(definitions.setdefault(AT_IMPORT, SourceDefinition()), statement, package)
        if not isinstance(statement, ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef):
            for node in ast.walk(statement):  # under `if TYPE_CHECKING` or `try`
                if isinstance(node, ast.Import | ast.ImportFrom):
                    imports |= dict(_bound_by_import(node, package))
    return Outline(definitions, imports)


def _called(decorator: ast.expr) -> ast.expr:
    return decorator.func if isinstance(decorator, ast.Call) else decorator


def _names_bound(statement: ast.stmt) -> list[str]:
    """The names that a statement at the top of a module binds and does nothing else than bind."""
    if isinstance(statement, ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef):
        return [statement.name]
    if isinstance(statement, ast.Assign | ast.AnnAssign | ast.AugAssign):
        targets = statement.targets if isinstance(statement, ast.Assign) else [statement.target]
        flat = [part for target in targets for part in (target.elts if isinstance(target, ast.Tuple) else [target])]
        return [part.id for part in flat if isinstance(part, ast.Name)] if _are_names(flat) else []
    return []


def _are_names(targets: list[ast.expr]) -> bool:
    return all(isinstance(target, ast.Name) for target in targets)


def _add(definition: SourceDefinition, statement: ast.stmt, package: str) -> None:
    """Add a statement to what a name stands for."""
    definition.words += words_of(statement)
    definition.uses = sorted({*definition.uses, *_uses(statement)})
    for node in ast.walk(statement):
        if isinstance(node, ast.Import | ast.ImportFrom):
            definition.imports |= dict(_bound_by_import(node, package))


def _uses(node: ast.AST) -> Iterator[str]:
    """Names in a tree, each with the attributes that follow it."""
    if isinstance(node, ast.Attribute) and (dotted := _dotted(node)):
        yield dotted
        return
    if isinstance(node, ast.Name) and isinstance(node.ctx, ast.Load):
        yield node.id
    for child in ast.iter_child_nodes(node):
        yield from _uses(child)


def _dotted(node: ast.expr) -> str:
    if isinstance(node, ast.Name):
        return node.id
    if isinstance(node, ast.Attribute) and (before := _dotted(node.value)):
        return f"{before}.{node.attr}"
    return ""


def _bound_by_import(node: ast.Import | ast.ImportFrom, package: str) -> Iterator[tuple[str, str]]:
    """What an import binds, as (name, dotted name of what it stands for), relative ones resolved."""
    if isinstance(node, ast.Import):
        for alias in node.names:
            yield (alias.asname, alias.name) if alias.asname else (alias.name.partition(".")[0],) * 2
            if not alias.asname and "." in alias.name:
                yield alias.name, alias.name  # touched as well, though no name of it is bound
        return
    above = package.rsplit(".", node.level - 1)[0] if node.level else ""
    base = ".".join(part for part in (above, node.module) if part)
    for alias in node.names:
        yield (f"*{base}", base) if alias.name == "*" else (alias.asname or alias.name, f"{base}.{alias.name}")
