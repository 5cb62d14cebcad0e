"""Which papers there are, and where Python finds the modules of those from outside.

Papers of the repository are folders `checks/*/paper.toml`. The user names others: `--paper`, or `THEOREMETER_PAPERS`
for a session; installed packages name theirs by the entry point group `theoremeter.papers`. Nothing else is imported:
no store, no text of a trial and no file beside the user's can bring a paper in.

A worker process has been told nothing. The folder of a simulator's paper travels with its `System`, and `locate` makes
it known there.
"""

from __future__ import annotations

import functools
import importlib.abc
import importlib.metadata
import importlib.util
import os
import re
import sys
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import contextmanager, redirect_stdout
from dataclasses import dataclass, field
from importlib.machinery import ModuleSpec, PathFinder, SourceFileLoader
from pathlib import Path
from types import ModuleType
from typing import Any, TypeVar

from theoremeter_papers._paper import FILE, KEY, Origin, Paper, PaperError, read

VARIABLE = "THEOREMETER_PAPERS"
"""Folders of papers, separated as in PATH."""
GROUP = "theoremeter.papers"
"""Entry points that name packages with a `paper.toml`."""
PACKAGE = "theoremeter_papers"
_OURS = ("theory.", "sim.", "checks.")

Function = TypeVar("Function", bound=Callable[..., Any])


@dataclass
class _Process:
    """What this process has been told."""

    named: tuple[Paper, ...] = ()
    located: dict[str, tuple[Paper, dict[str, object]]] = field(default_factory=dict)
    """Papers that trials brought along, by key, with what files of theirs looked like when they were first seen."""
    emptied: list[Callable[[], None]] = field(default_factory=list)
    variable: str = ""
    """What the environment named when it was last asked."""


_process = _Process()


def cached(function: Function) -> Function:
    """Like `functools.cache`, emptied whenever other papers are known, or a paper's modules are let go.

    What is worked out from a paper, a simulator or a module of this repository alone is kept: those do not change.
    """
    lasting, passing = functools.cache(function), functools.cache(function)
    _process.emptied.append(passing.cache_clear)

    @functools.wraps(function)
    def remembered(*arguments: Any) -> Any:
        if arguments and _is_lasting(arguments[0]):
            return lasting(*arguments)
        _follow_variable()
        return passing(*arguments)

    def clear() -> None:
        lasting.cache_clear()
        passing.cache_clear()

    remembered.cache_clear = clear  # type: ignore[attr-defined]
    return remembered  # type: ignore[return-value]


def _is_lasting(argument: object) -> bool:
    """Whether a paper, the name of a module or a simulator is none from outside."""
    if isinstance(argument, Paper):
        return not argument.is_outside
    if isinstance(argument, str):
        return argument.startswith(_OURS)
    return getattr(argument, "folder", None) == ""


def when_changed(clear: Callable[[], None]) -> None:
    """Have something emptied as what is `cached` is."""
    _process.emptied.append(clear)


# ------------------------------------------------------------------------------------------------------- which papers


@functools.cache
def repository() -> tuple[Paper, ...]:
    """The papers of this repository, by key."""
    root = Path(__file__).resolve().parents[1] / "checks"
    found = [read(path.parent, Origin.REPOSITORY) for path in root.glob(f"*/{FILE}")]
    return _distinct(sorted(found, key=lambda paper: paper.key))


def papers() -> tuple[Paper, ...]:
    """All papers: the repository's, those named, those installed, those that trials brought along.

    Raises:
        PaperError: two of them have one key, or a folder named by the environment is no paper.
    """
    return _all()


@cached
def _all() -> tuple[Paper, ...]:
    folders = [Path(name) for name in _process.variable.split(os.pathsep) if name]
    brought = [paper for paper, _ in _process.located.values()]
    return _distinct([*repository(), *_process.named, *map(read, folders), *_installed(), *brought])


def _follow_variable() -> None:
    """Have all that was worked out from papers emptied where the environment names others than before."""
    variable = os.environ.get(VARIABLE, "")
    if variable != _process.variable:
        _process.variable = variable
        _let_go({key for key in map(outside_key, tuple(sys.modules)) if key and not key.startswith("_")})


def unnamed(among: Iterable[Paper] | None = None) -> tuple[Paper, ...]:
    """Of some papers, or of all, those that are looked at without being named."""
    return tuple(paper for paper in (papers() if among is None else among) if not paper.only_when_named)


def known() -> tuple[Paper, ...]:
    """The papers that a command speaks of where it names no claims: those named on the command line, if any are."""
    return _process.named or unnamed()


def any_named() -> bool:
    """Whether the command line names papers."""
    return bool(_process.named)


def paper_of(key: str) -> Paper | None:
    """The paper with this key; installed packages are looked for only where no other has it."""
    brought = [paper for paper, _ in _process.located.values()]
    near = (paper for paper in (*repository(), *_process.named, *brought) if paper.key == key)
    return next(near, None) or next((paper for paper in papers() if paper.key == key), None)


def _distinct(found: Iterable[Paper]) -> tuple[Paper, ...]:
    """Papers without repetition of a folder.

    Raises:
        PaperError: two folders with one key.
    """
    by_key: dict[str, Paper] = {}
    for paper in found:
        other = by_key.setdefault(paper.key, paper)
        if other.folder != paper.folder:
            folders = f"{other.folder} and {paper.folder}"
            raise PaperError(f"papers must have keys of their own, got {paper.key!r} in {folders}")
    return tuple(by_key.values())


def _installed() -> Iterator[Paper]:
    """Papers of installed packages. One that cannot be read is a paper with a reason, for it was nobody's input."""
    for entry in sorted(importlib.metadata.entry_points(group=GROUP), key=lambda entry: (entry.name, entry.value)):
        try:
            yield read(_package_folder(entry.value), Origin.INSTALLED)
        except PaperError as error:
            key = entry.name if re.fullmatch(KEY, entry.name) else re.sub(r"[^a-z0-9_-]", "-", f"x{entry.name}")[:40]
            yield Paper(key, Path(f"<{entry.value}>"), Origin.INSTALLED, broken=str(error))


def _package_folder(name: str) -> Path:
    """Where a package lies, without running it: no parent is imported unless the name has one."""
    try:
        spec = importlib.util.find_spec(name)
    except (ImportError, ValueError, AttributeError) as error:
        raise PaperError(f"the package {name} must exist: {error}") from None
    places = list(spec.submodule_search_locations or ()) if spec else []
    if not places:
        raise PaperError(f"the entry point of a paper must name a package, got {name}")
    return Path(places[0])


@contextmanager
def named(folders: Sequence[Path]) -> Iterator[tuple[Paper, ...]]:
    """Name papers for a while, as `--paper` does; afterwards their modules are let go.

    Raises:
        PaperError: a folder is no paper, or two have one key, those of the repository included.
    """
    found = _distinct(read(folder) for folder in folders)
    _distinct([*repository(), *found])
    before = _process.named
    _process.named = _distinct([*before, *found])
    if found:
        _empty()
    try:
        yield found
    finally:
        _process.named = before
        if found:
            _let_go(paper.key for paper in found)


# ------------------------------------------------------------------------------------------------ in other processes


def outside_key(module: str) -> str:
    """Key of the paper from outside that a module belongs to; "" where it belongs to none."""
    head, _, rest = module.partition(".")
    return rest.partition(".")[0] if head == PACKAGE else ""


def folder_of(key: str) -> str:
    """What a trial must bring along so that a worker finds this paper: its folder, or "" for the repository's own."""
    paper = paper_of(key)
    return str(paper.folder) if paper is not None and paper.is_outside else ""


def locate(folder: str) -> None:
    """Make the paper in a folder known to this process, as trials ask that bring their paper along.

    Where its sources have changed since, as they may on a cluster that outlives a run, its modules are let go.
    """
    for paper, seen in _process.located.values():
        if str(paper.folder) == folder:
            if _changed(paper.key, seen):
                seen.clear()
                _let_go([paper.key])
            return
    if not folder or any(str(paper.folder) == folder for paper in papers()):
        return
    paper = read(Path(folder))
    _distinct([*repository(), paper])
    _process.located[paper.key] = paper, {}
    _let_go([paper.key])


def _changed(key: str, seen: dict[str, object]) -> bool:
    """Whether a file of the paper's modules is another than when it was first seen."""
    for name in _modules(key):
        file = getattr(sys.modules[name], "__file__", None)
        if file is not None and os.path.exists(file):
            stat = os.stat(file)
            form = stat.st_mtime_ns, stat.st_size
            if seen.setdefault(file, form) != form:
                return True
    return False


def _modules(key: str) -> list[str]:
    """Names of the paper's modules that are loaded."""
    prefix = f"{PACKAGE}.{key}"
    return [name for name in tuple(sys.modules) if name == prefix or name.startswith(f"{prefix}.")]


def _let_go(keys: Iterable[str]) -> None:
    """Forget the modules of papers, and all that was worked out from them."""
    for key in keys:
        for name in _modules(key):
            del sys.modules[name]
        vars(sys.modules[PACKAGE]).pop(key, None)
    _empty()


def _empty() -> None:
    importlib.invalidate_caches()
    for clear in _process.emptied:
        clear()


# ----------------------------------------------------------------------------------------------------------- importing


def load(name: str) -> ModuleType:
    """Import a module of a paper. What it prints goes to stderr: stdout carries a command's result, such as JSON.

    Raises:
        Exception: whatever it ends in; where that is none, as with `sys.exit()`, in its place a RuntimeError.
    """
    try:
        with redirect_stdout(sys.stderr):
            return importlib.import_module(name)
    except (Exception, KeyboardInterrupt):
        raise
    except SystemExit as error:
        raise RuntimeError(f"the module ends the process ({error})") from None
    except BaseException as error:  # somebody's own kind, which no handler of ours would meet
        raise RuntimeError(f"the module raises {type(error).__name__}: {said(error)}") from None


def said(error: BaseException) -> str:
    """The text of an error, whose own `__str__` may raise."""
    try:
        return str(error)
    except Exception:
        return "an error that has no text"


class _FromSource(SourceFileLoader):
    """Compiles a module of a paper from its source at every import.

    Kept bytecode counts as fresh where the source's second and length are those it was made from. An edit within one
    second is then not seen: trials would be known by the new text and computed by the old one.
    """

    def path_stats(self, path: str) -> Any:
        """Have no bytecode read or written, as for a source whose date is unknown."""
        raise OSError


class _Finder(importlib.abc.MetaPathFinder):
    """Finds `theoremeter_papers.<key>`, the folder of a paper from outside, and the modules in it."""

    def find_spec(
        self, fullname: str, path: Sequence[str] | None, target: ModuleType | None = None
    ) -> ModuleSpec | None:
        """Where a paper's package or a module in it lies; None for all other names."""
        key = outside_key(fullname)
        if not key or key.startswith("_"):
            return None
        is_package = fullname == f"{PACKAGE}.{key}"
        spec = _package(fullname, key) if is_package else PathFinder.find_spec(fullname, path, target)
        if spec is not None and isinstance(spec.loader, SourceFileLoader):
            spec.loader, spec.cached = _FromSource(fullname, spec.loader.path), None
        return spec


def _package(fullname: str, key: str) -> ModuleSpec | None:
    """Where the folder of a paper from outside lies, under the name that its modules have."""
    paper = paper_of(key)
    if paper is None or not paper.is_outside or paper.broken:
        return None
    places = [str(paper.folder)]
    opening = paper.folder / "__init__.py"
    if opening.is_file():
        return importlib.util.spec_from_file_location(fullname, opening, submodule_search_locations=places)
    spec = ModuleSpec(fullname, None, is_package=True)
    spec.submodule_search_locations = places
    return spec


sys.meta_path.insert(0, _Finder())
