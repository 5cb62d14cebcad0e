"""`theoremeter check-paper --static`: what can be said of a paper by reading it. Nothing of it is imported or run.

The folder may be anybody's. So it is read within bounds: so many files, so deep, so large, no link followed, text only.
A file is parsed to a syntax tree and looked at; what only shows when code runs (names put together, a claim that is
made in a loop) is left to `check-paper`, which imports the paper.
"""

from __future__ import annotations

import ast
import os
import re
import stat
import tomllib
import warnings
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from checks.statistics.explanation import counted
from theoremeter_papers import FILE, PaperError, problems, read
from theory.claim import CLAIM_ID

MOST_FILES, MOST_LEVELS = 400, 8
MOST_BYTES, MOST_BYTES_IN_ALL = 500_000, 5_000_000
"""Of a file that is parsed, and of all of them."""
MOST_NODES = 300_000
"""Of a file's syntax tree."""
MOST_PROBLEMS = 100
DATA = "findings.toml", "errata.toml"
KNOWING = frozenset({"sympy", "theory", "checks"})
"""Packages that know formulas, and modules of the paper that do; a simulator must not know the one it tests."""
_USUAL = """
    theoremeter theory sim checks sympy numpy scipy torch math cmath random itertools functools dataclasses collections
    typing fractions statistics enum unittest contextlib __future__ operator bisect heapq abc string textwrap decimal
    numbers types
"""
USUAL = frozenset(_USUAL.split())
"""Packages that a paper needs, and those of the standard library that reach no file, process or network."""


DYNAMIC = "exec", "eval", "compile", "__import__", "import_module", "open"
"""Functions with which code reaches what no import names."""
_BESIDE = re.compile(r"\.\w")


@dataclass
class Reading:
    """What was found in a folder."""

    key: str
    problems: list[str] = field(default_factory=list)
    claims: dict[str, str] = field(default_factory=dict)
    systems: list[str] = field(default_factory=list)
    computed: list[str] = field(default_factory=list)
    """"claims" or "systems" for each whose id is no literal: one such call may make many."""
    trees: dict[str, ast.Module] = field(default_factory=dict)
    n_files: int = 0

    def words(self) -> str:
        """What was read, in one line."""
        counts = f"{counted(len(self.claims), 'claims')}, {counted(len(self.systems), 'systems')}"
        computed = [f"{counted(n, kind)}" for kind in ("claims", "systems") if (n := self.computed.count(kind))]
        more = f", and {' and '.join(computed)} or more whose ids are computed" if computed else ""
        told = f"{self.key}: {counts} by their literal ids{more}; {counted(self.n_files, 'files')} read, none imported"
        named = {name for tree in self.trees.values() for name, _ in imports(tree)}
        reached = sorted(name for name in named if name.split(".")[0] not in USUAL and not _BESIDE.match(name))
        called = {name for tree in self.trees.values() for name in _called(tree)}
        reached += [f"{name}()" for name in DYNAMIC if name in called]
        return told + (f"; reaches beyond the usual: {', '.join(reached[:12])}" if reached else "")


def read_paper(folder: Path) -> Reading:
    """Read a paper's folder without importing anything of it."""
    found = Reading(folder.name)
    try:
        if os.path.islink(folder / FILE):
            found.problems.append(f"{FILE}: must be a file of the paper, got a link")
            return found
        found.problems += problems(folder)
        if found.problems:
            return found
        found.key = read(folder).key
        files = list(_files(folder.resolve(), found.problems))
    except PaperError as error:
        found.problems.append(str(error))
        return found
    _read_files(folder.resolve(), files, found)
    _require_entries(found)
    for name, tree in found.trees.items():
        _read_ids(name, tree, found)
    _read_simulators(found)
    return found


# ----------------------------------------------------------------------------------------------------------- the folder


def _files(root: Path, told: list[str]) -> Iterator[str]:
    """The Python files and records of a folder, by their path in it; links and special files are problems."""
    waiting, count = [("", 0)], 0
    while waiting:
        place, depth = waiting.pop()
        with os.scandir(root / place) as entries:
            for entry in sorted(entries, key=lambda one: one.name):
                count += 1
                if count > MOST_FILES:
                    told.append(f"a paper must have at most {MOST_FILES} files, got more; the rest is not read")
                    return
                name = f"{place}{entry.name}"
                if entry.name.startswith(".") or entry.name == "__pycache__":
                    continue
                if entry.is_symlink():
                    told.append(f"{name}: must be a file or a folder of the paper, got a link, which is not followed")
                elif entry.is_dir(follow_symlinks=False):
                    if depth + 1 > MOST_LEVELS:
                        told.append(f"{name}: folders must be at most {MOST_LEVELS} deep, got more")
                    else:
                        waiting.append((f"{name}/", depth + 1))
                elif name.endswith(".py") or name in DATA:
                    yield name


def _read_files(root: Path, names: Sequence[str], found: Reading) -> None:
    left = MOST_BYTES_IN_ALL
    for name in names:
        try:
            data = _bytes(root / name, min(MOST_BYTES, left))
        except (OSError, ValueError) as error:
            found.problems.append(f"{name}: {error}")
            continue
        left -= len(data)
        found.n_files += 1
        try:
            text = data.decode("utf-8-sig")
            if name.endswith(".py"):
                found.trees[name] = _tree(text)
            else:
                tomllib.loads(text)
        except UnicodeDecodeError as error:
            found.problems.append(f"{name}: must be text in UTF-8, got byte {data[error.start]:#04x} at {error.start}")
        except SyntaxError as error:
            found.problems.append(f"{name}, line {error.lineno or 0}: SyntaxError: {error.msg}")
        except (ValueError, RecursionError, MemoryError) as error:
            found.problems.append(f"{name}: cannot be read: {str(error)[:200] or type(error).__name__}")


def _bytes(path: Path, most: int) -> bytes:
    """What a plain file holds, if that is little; another kind of file is never waited for."""
    handle = os.open(path, os.O_RDONLY | getattr(os, "O_NONBLOCK", 0) | getattr(os, "O_NOFOLLOW", 0))
    with os.fdopen(handle, "rb") as file:
        if not stat.S_ISREG(os.fstat(handle).st_mode):
            raise ValueError("must be a plain file, got another kind")
        data = file.read(most + 1)
    if len(data) > most:
        raise ValueError(f"must have at most {MOST_BYTES} bytes, and all files {MOST_BYTES_IN_ALL}, got more")
    return data


def _tree(text: str) -> ast.Module:
    """The syntax tree of a module; a deep one ends in an error of its own, not in this process."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # of odd escapes in somebody's texts
        tree = ast.parse(text)
    for count, _ in enumerate(ast.walk(tree)):
        if count > MOST_NODES:
            raise ValueError(f"must be at most {MOST_NODES} pieces of syntax, got more")
    return tree


def _require_entries(found: Reading) -> None:
    """A paper states claims, in a module or a package of this name."""
    if not _modules_of(found, "claims") and not any(line.startswith("claims") for line in found.problems):
        found.problems.append("claims.py: must be there, got none")


def _modules_of(found: Reading, entry: str) -> list[str]:
    return [name for name in found.trees if name == f"{entry}.py" or name.startswith(f"{entry}/")]


# --------------------------------------------------------------------------------------------------------- what is said


def _read_ids(name: str, tree: ast.Module, found: Reading) -> None:
    """Ids of claims and names of systems that stand there as literals."""
    for node in ast.walk(tree):
        if not isinstance(node, ast.Call):
            continue
        called = _name_of(node)
        if called == "Claim" and name.split("/")[0].removesuffix(".py") in ("claims", "checks"):
            _take_claim(name, node, found)
        elif called == "System":
            _take_system(name, node, found)


def _name_of(node: ast.Call) -> str:
    """The last name of what is called."""
    return node.func.attr if isinstance(node.func, ast.Attribute) else str(getattr(node.func, "id", ""))


def _called(tree: ast.Module) -> set[str]:
    return {_name_of(node) for node in ast.walk(tree) if isinstance(node, ast.Call)}


def _take_claim(name: str, node: ast.Call, found: Reading) -> None:
    claim = _literal(node, "id", 0)
    place = f"{name}, line {node.lineno}"
    if claim is None:
        found.computed.append("claims")
        return
    if not CLAIM_ID.fullmatch(claim) or claim.partition(".")[0] != found.key:
        found.problems.append(f"{place}: id must be '{found.key}.<name>', got {claim[:60]!r}")
    elif claim in found.claims:
        found.problems.append(f"{place}: claim ids must be unique, got {claim} again, first at {found.claims[claim]}")
    else:
        found.claims[claim] = place


def _take_system(name: str, node: ast.Call, found: Reading) -> None:
    system = _literal(node, "name", 0)
    if system is None:
        found.computed.append("systems")
        return
    found.systems.append(system)
    if system != found.key and not system.startswith(f"{found.key}."):
        rule = f"names of systems must be {found.key} or begin with {found.key}."
        found.problems.append(f"{name}, line {node.lineno}: {rule}, got {system[:60]!r}")


def _literal(node: ast.Call, name: str, place: int) -> str | None:
    """An argument that is a text, by name or place; None for any other."""
    named: Mapping[str | None, ast.expr] = {keyword.arg: keyword.value for keyword in node.keywords}
    value: Any = named.get(name, node.args[place] if len(node.args) > place else None)
    return value.value if isinstance(value, ast.Constant) and isinstance(value.value, str) else None


def imports(tree: ast.Module) -> Iterator[tuple[str, int]]:
    """What a module imports, wherever in it: names as they are written, those beside it with points before them."""
    for node in ast.walk(tree):
        if isinstance(node, ast.Import):
            yield from ((alias.name, node.lineno) for alias in node.names)
        elif isinstance(node, ast.ImportFrom):
            points = "." * node.level
            if node.module:
                yield f"{points}{node.module}", node.lineno
            else:
                yield from ((f"{points}{alias.name}", node.lineno) for alias in node.names)


def _read_simulators(found: Reading) -> None:
    """A simulator, and what of the paper it imports, must not know the formula."""
    waiting, seen = _modules_of(found, "simulators"), set()
    while waiting:
        name = waiting.pop()
        if name in seen:
            continue
        seen.add(name)
        for imported, line in imports(found.trees[name]):
            beside = imported.startswith(".")
            first = imported.lstrip(".").split(".")[0]
            if (first in KNOWING and not beside) or (beside and first in ("claims", "checks")):
                rule = "simulators must not know the formula that they test"
                found.problems.append(f"{name}, line {line}: {rule}, got an import of {imported[:60]}")
            elif beside:
                waiting += _modules_of(found, first)
