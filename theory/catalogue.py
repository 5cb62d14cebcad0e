"""All claims of all papers, found in their folders: nothing is registered by hand.

What cannot be read is kept with the reason and stops nothing else: a module with an error, an id that belongs to
another paper, an id given twice. `Unloaded` stands for what has no claim to be shown at.
"""

from __future__ import annotations

import difflib
import fnmatch
import pkgutil
import re
import traceback
from collections.abc import Collection, Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from types import ModuleType
from typing import Any, TypeVar

from theoremeter_papers import Paper, cached, known, load, paper_of, papers, said, unnamed
from theory.claim import Claim, Kind, Source
from theory.places import nearest_of_kind, places_of, typed_place

MAX_REASON = 300

Instance = TypeVar("Instance")


class UnknownClaim(ValueError):
    """An id, key, pattern or place that no claim carries."""


class Unloaded(Claim):
    """Stands for the claims of a paper that could not be read; its id is the paper's key."""

    def __post_init__(self) -> None:
        """Any id will do."""


@dataclass
class Contents:
    """What was found of a paper: claims by id, and by id or key why something of it cannot be used."""

    claims: dict[str, Claim] = field(default_factory=dict)
    broken: dict[str, list[str]] = field(default_factory=dict)

    def blame(self, name: str, reason: str) -> None:
        """Remember why a claim, or all that a paper has besides, cannot be used."""
        reasons = self.broken.setdefault(name, [])
        if reason not in reasons:
            reasons.append(reason)


# ------------------------------------------------------------------------------------------------------------ modules


def modules_below(name: str, *, optional: bool = False) -> Iterator[tuple[str, ModuleType | Exception]]:
    """A module, and all below it where it is a package, by name; each imported, or the error that it ends in.

    Args:
        optional: whether the module may be missing.
    """
    module = _imported(name)
    if isinstance(module, ModuleNotFoundError) and module.name == name and optional:
        return
    yield name, module
    if isinstance(module, ModuleType) and "__path__" in vars(module):
        for below in _names_below(module):
            yield from modules_below(f"{name}.{below}")


def _names_below(package: ModuleType) -> list[str]:
    """What is in a package: modules, packages, and folders of modules that need no `__init__.py`."""
    names = {info.name for info in pkgutil.iter_modules(package.__path__)}
    for folder in map(Path, package.__path__):
        names |= {path.parent.name for path in folder.glob("*/*.py") if path.parent.name.isidentifier()}
        names -= {
            name for name in names if folder.resolve().is_relative_to((folder / name).resolve())
        }  # a link to itself
    return sorted(names)


def _imported(name: str) -> ModuleType | Exception:
    """A module, or the error that importing it ends in."""
    try:
        return load(name)
    except Exception as error:
        return error


def instances_below(
    paper: Paper, name: str, kind: type[Instance], found: Contents, *, optional: bool = False
) -> Iterator[tuple[str, Instance]]:
    """Every instance of `kind` at the top of a paper's module or of those below it, also in collections, once each.

    Modules that cannot be imported are held against the paper's key.
    """
    met: set[int] = set()
    for module, loaded in modules_below(name, optional=optional):
        if isinstance(loaded, Exception):
            found.blame(paper.key, why(loaded, paper, module))
            continue
        for value in tuple(vars(loaded).values()):
            for member in _members(value):
                # by type(): an object may say anything, or raise, when asked for its class
                if issubclass(type(member), kind) and id(member) not in met:
                    met.add(id(member))
                    yield module, member


def _members(value: Any) -> Collection[Any]:
    """What stands in a tuple, a list or the values of a mapping; anything else by itself."""
    if type(value) in (tuple, list):
        return tuple(value)
    return tuple(value.values()) if type(value) is dict else (value,)


def why(error: BaseException, paper: Paper, module: str) -> str:
    """An error in one line: file and line of the paper's that it comes from, its kind and its text."""
    if isinstance(error, SyntaxError):
        place, text = (str(error.filename or ""), error.lineno or 0), error.msg
    else:
        place, text = _place(error, paper), said(error)
    name = place[0].rpartition("/")[2] or f"{module.removeprefix(f'theoremeter_papers.{paper.key}.')}"
    whole = " ".join(f"{type(error).__name__}: {text}".split())
    line = f", line {place[1]}" if place[1] else ""
    return f"{name}{line}: {whole[:MAX_REASON]}{'...' if len(whole) > MAX_REASON else ''}"


def _place(error: BaseException, paper: Paper) -> tuple[str, int]:
    """File and line of the innermost frame at the top of a module of the paper's, or in a function of it."""
    root = str(paper.folder if paper.is_outside else paper.folder.parents[1])
    frames = [frame for frame in traceback.extract_tb(error.__traceback__) if frame.filename.startswith(root)]
    own = [frame for frame in frames if frame.name == "<module>"] or (frames if paper.is_outside else [])
    return (own[-1].filename.replace("\\", "/"), own[-1].lineno or 0) if own else ("", 0)


# ------------------------------------------------------------------------------------------------------------- claims


@cached
def contents(paper: Paper) -> Contents:
    """The claims of a paper, in the order of modules and definitions, and what of it is broken."""
    found = Contents()
    if paper.broken:
        found.blame(paper.key, paper.broken)
        return found
    for module, claim in instances_below(paper, paper.claims, Claim, found):
        _take(found, paper, claim, module)
    for name, claim in found.claims.items():
        for other in claim.uses:
            if other not in found.claims:
                found.blame(name, f"uses must name claims of {paper.key}, got {other!r} for {name}")
            elif name in _used_below(found, other):
                found.blame(name, f"uses must not lead back to a claim, got {other!r} for {name}")
    return found


def _take(found: Contents, paper: Paper, claim: Claim, module: str) -> None:
    if claim.paper != paper.key:
        reason = f"claim ids must begin with {paper.key}. in this paper, got {claim.id} in {module}"
        found.blame(paper.key, reason)
    elif claim.id in found.claims:
        found.blame(claim.id, f"claim ids must be unique, got {claim.id} again in {module}")
    else:
        found.claims[claim.id] = claim


def _used_below(found: Contents, name: str) -> set[str]:
    """What a claim uses, and all that is used by that in turn."""
    below: set[str] = set()
    ahead = [name]
    while ahead:
        claim = found.claims.get(ahead.pop())
        fresh = set(claim.uses) - below if claim is not None else set()
        below |= fresh
        ahead += fresh
    return below


def claims_of(paper: Paper) -> dict[str, Claim]:
    """A paper's claims by id; one that stands for what could not be read is the last."""
    found = contents(paper)
    extra = {paper.key: unloaded(paper.key)} if paper.key in found.broken else {}
    return {**found.claims, **extra}


@cached
def unloaded(key: str) -> Unloaded:
    """What stands for the unreadable part of a paper."""
    return Unloaded(
        id=key,
        source=Source(key, "paper.toml"),
        kind=Kind.BEHAVIOUR,
        statement="Something of this paper cannot be used.",
        observable="",
        evidence=(),
    )


def discover(among: Iterable[Paper] | None = None) -> dict[str, Claim]:
    """All claims of all papers by id, or of some, in the order of papers, modules and definitions.

    None stands for all papers but those that are only looked at when they are named.
    """
    chosen = unnamed() if among is None else among
    return {name: claim for paper in chosen for name, claim in claims_of(paper).items()}


# ---------------------------------------------------------------------------------------------------------- selection


def select(words: Iterable[str]) -> list[Claim]:
    """The claims that ids, keys of papers, patterns and places name, each once, in the order asked.

    A place is a number of the paper's own: "Theorem 1", "eq. (10)", "(10)", "Fig. 4"; where several papers have it, the
    key of one or its citation key stands before it: "A Figure 2". No word stands for all claims of the papers named on
    the command line, or else of all papers but those that are only looked at when they are named.

    Raises:
        UnknownClaim: a word that names nothing, with the nearest id or key, or places of several papers.
    """
    chosen: dict[str, Claim] = {}
    words = list(words)
    for word in words:
        chosen |= _named(word)
    return list(chosen.values()) if words else list(discover(known()).values())


def _named(word: str) -> Mapping[str, Claim]:
    paper = paper_of(word.partition(".")[0]) if not set(word) & set("*?[") else None
    if paper is not None:
        claims = claims_of(paper)
        if word == paper.key:
            return claims
        if word in claims:
            return {word: claims[word]}
    claims = discover(papers())
    found = {name: claim for name, claim in claims.items() if fnmatch.fnmatchcase(name, word)}
    if found:
        return found
    if (at_place := _at_place(word)) is not None:
        return at_place
    by_folded = {name.lower(): name for name in (*(paper.key for paper in papers()), *claims)}
    near = difflib.get_close_matches(word.lower(), by_folded, n=1, cutoff=0.0)
    rule = "id must match a known claim" if set(word) & set("*?[") else "id must be a known claim"
    raise UnknownClaim(f"{rule}, got {word!r}; nearest is {by_folded[near[0]]}")


_OF_PAPER = re.compile(r"\[?(?P<paper>[^\W\d_][\w-]*)\]?[\s,:]+(?P<place>.+)")


def _at_place(word: str) -> Mapping[str, Claim] | None:
    """The claims that stand at a place of a paper, by its own numbers; None where the word is no place."""
    claims = discover(known())
    prefix, place = "", word
    named = _OF_PAPER.fullmatch(word)
    if named is not None:
        chosen = {
            name: claim
            for name, claim in discover(papers()).items()
            if named["paper"] in (claim.paper, claim.source.key)
        }
        if chosen:
            claims, prefix, place = chosen, named["paper"], named["place"].removesuffix("]")
    groups = typed_place(place)
    if groups is None:
        return None
    at = {name: places_of(claim.source.place) for name, claim in claims.items()}
    found = {name: claims[name] for name, places in at.items() if all(group & places for group in groups)}
    keys = list(dict.fromkeys(claim.paper for claim in found.values()))
    if len(keys) == 1:
        return found
    if keys:
        instead = " or ".join(repr(f"{key} {place}") for key in keys)
        raise UnknownClaim(
            f"a place must be of one paper, got {word!r}, which {' and '.join(keys)} have; write {instead}"
        )
    asked, near = min(groups[-1]), []
    for key in dict.fromkeys(claim.paper for claim in claims.values()):
        known_places = {one for name, places in at.items() if claims[name].paper == key for one in places}
        alike = nearest_of_kind(asked, known_places)
        near += [f"{key} has {', '.join(map(str, alike))}"] if alike else []
    of = f" of {prefix}" if prefix else ""
    told = "; ".join(near) or f"no claim{of} has a {asked.kind}"
    raise UnknownClaim(f"a place must be one that a claim{of} is read from, got {word!r}; {told}")
