"""All claims of all papers, found in the folder tree: nothing is registered by hand."""

from __future__ import annotations

import difflib
import functools
import importlib
import pkgutil
from collections.abc import Iterable, Iterator

from theory.claim import Claim

PAPERS = {"A": "shallow_vit", "B": "spatial_vit", "classical": "classical"}
"""Key of a paper, the first part of its claims' ids -> its folder in `theory/`, `sim/` and `checks/`."""

ONLY_NAMED = frozenset({"classical"})
"""Papers that are judged where they are named, and left out where nothing is."""


class UnknownClaim(ValueError):
    """An id that no claim carries."""


def instances_below(package_name: str, kind: type) -> Iterator[tuple[str, object]]:
    """Every module-level instance of `kind` below a package, also in tuples, as (module, object), in reading order."""
    package = importlib.import_module(package_name)
    for info in sorted(pkgutil.walk_packages(package.__path__, package_name + "."), key=lambda info: info.name):
        module = importlib.import_module(info.name)
        for value in vars(module).values():
            members = value if type(value) is tuple else (value,)
            yield from ((info.name, member) for member in members if isinstance(member, kind))


@functools.cache
def discover() -> dict[str, Claim]:
    """All claims of all papers but those of `ONLY_NAMED` by id, in the order of papers, modules and definitions."""
    return _claims_of(key for key in PAPERS if key not in ONLY_NAMED)


def discover_all() -> dict[str, Claim]:
    """All claims of all papers, also those that are judged only where they are named."""
    return {**discover(), **_only_named()}


@functools.cache
def _only_named() -> dict[str, Claim]:
    return _claims_of(sorted(ONLY_NAMED))


def _claims_of(keys: Iterable[str]) -> dict[str, Claim]:
    claims: dict[str, Claim] = {}
    for key in keys:
        for module, claim in instances_below(f"theory.{PAPERS[key]}", Claim):
            if not isinstance(claim, Claim):
                raise TypeError(f"a claim must be a Claim, got {claim!r} in {module}")
            if claim.paper != key:
                raise ValueError(f"claim ids must begin with {key}. in this paper, got {claim.id} in {module}")
            if claims.setdefault(claim.id, claim) is not claim:
                raise ValueError(f"claim ids must be unique, got {claim.id} again in {module}")
    return claims


def select(ids: Iterable[str]) -> list[Claim]:
    """The claims named; for no id all but those of `ONLY_NAMED`. Raises UnknownClaim with the nearest id."""
    claims = discover_all()
    chosen = []
    for name in ids:
        if name not in claims:
            by_folded = {known.lower(): known for known in claims}
            near = difflib.get_close_matches(name.lower(), by_folded, n=1, cutoff=0.0)
            raise UnknownClaim(f"id must be a known claim, got {name!r}; nearest is {by_folded[near[0]]}")
        chosen.append(claims[name])
    return chosen or list(discover().values())
