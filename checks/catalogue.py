"""The catalogue of checks: every claim of every paper with the evidence that settles it.

Nothing is registered: every module-level `Check` of a paper's checks is collected, and to it is joined what symbols
settle, which follows from the claim alone: a proof for each of its lemmas, an exponent for each of its axes. A claim
without a check is a row all the same, and so is what cannot be used: its check is broken, with the reason.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any

from checks.evidence.adversaries import Adversary, put_to, unknown
from checks.evidence.check import Check, mistakes_collected
from checks.evidence.exponents import derivations
from checks.evidence.family import lines_that_share
from checks.evidence.part import Part
from checks.evidence.proofs import proofs
from checks.evidence.validation import of_part
from checks.records.preset import Preset
from sim.store.sources import imports_of, sources_of
from sim.systems import misdirected, misnamed, shared_name
from sim.trials.sweep import systems_in
from sim.trials.trial import System, TrialSpec
from theoremeter_papers import Paper, cached, known, load, outside_key, papers, unnamed
from theory import catalogue as claims_catalogue
from theory.catalogue import Contents, contents, instances_below, unloaded, why
from theory.claim import Claim, Evidence

_KNOWING = frozenset({"sympy", "theory", "checks"})
"""Packages that know formulas; a simulator must not know the one it tests."""


def discover(among: Iterable[Paper] | None = None) -> dict[str, Check]:
    """Every claim's check by id, in catalogue order: its measured parts, its proofs, its derived exponents.

    None stands for all papers but those that are only looked at when they are named.
    """
    chosen = unnamed() if among is None else among
    return {name: check for paper in chosen for name, check in checks_of(paper).items()}


def select(words: Iterable[str]) -> list[Check]:
    """The checks that ids, keys of papers and patterns name, or, for no word, all that the command speaks of.

    Raises:
        UnknownClaim: a word that names nothing, with the nearest id or key.
    """
    words = list(words)
    chosen: dict[str, Check] = {}
    for claim in claims_catalogue.select(words):
        checks = checks_of_key(claim.paper)
        chosen[claim.id] = checks[claim.id]
        if claim.paper in checks:  # what of the paper cannot be used, and nobody knows whom it concerns
            chosen[claim.paper] = checks[claim.paper]
    for paper in papers() if words else known():  # that of a paper without any claim as well
        if (not words or paper.key in words) and paper.key in (checks := checks_of(paper)):
            chosen[paper.key] = checks[paper.key]
    return list(chosen.values())


def checks_of_key(key: str) -> dict[str, Check]:
    """The checks of the paper with this key."""
    return next(checks_of(paper) for paper in papers() if paper.key == key)


@cached
def checks_of(paper: Paper) -> dict[str, Check]:
    """A paper's checks by id of their claims; what is broken and belongs to no claim is a check under its key."""
    systems: dict[str, System] = {}
    with mistakes_collected():
        found = _measured(paper)
        checks = {name: _joined(paper, claim, found, systems) for name, claim in contents(paper).claims.items()}
    lines = sum(lines_that_share(check.claim, check.parts) for check in checks.values())
    checks = {name: check.of_family(lines) for name, check in checks.items()}
    reasons = found.broken.get(paper.key)
    return {**checks, paper.key: Check(unloaded(paper.key), (), tuple(reasons))} if reasons else checks


# --------------------------------------------------------------------------------------------- what is found of a paper


@dataclass
class _Found(Contents):
    """The measuring checks of a paper's modules, by id."""

    checks: dict[str, Check] = field(default_factory=dict)


def _measured(paper: Paper) -> _Found:
    """The checks that stand in a paper's modules, and what of them and of its claims is broken."""
    stated = contents(paper)
    found = _Found(stated.claims, {name: list(reasons) for name, reasons in stated.broken.items()})
    if paper.broken:
        return found
    before = len(found.broken.get(paper.key, ()))
    for module, check in instances_below(paper, paper.checks, Check, found, optional=paper.is_outside):
        _take(found, paper, check, module)
    new = found.broken.get(paper.key, [])[before:]
    lacking = [name for name, claim in found.claims.items() if _must_be_measured(claim) and name not in found.checks]
    if new and lacking:  # the claims whose checks were lost with the module say so themselves
        del found.broken[paper.key][before:]
        for name in lacking:
            found.broken.setdefault(name, []).extend(new)
    return found


def _must_be_measured(claim: Claim) -> bool:
    return Evidence.MEASURED in claim.evidence


def _take(found: _Found, paper: Paper, check: Check, module: str) -> None:
    name = check.claim.id
    if name not in found.claims:
        found.blame(paper.key, f"a check must be of a claim in {paper.claims}, got one of {name} in {module}")
    elif found.claims[name] is not check.claim and found.claims[name] != check.claim:
        found.blame(name, f"a check must be of the claim as it stands in {paper.claims}, got another in {module}")
    elif name in found.checks:
        found.blame(name, f"a claim has one check, got a second one for {name} in {module}")
    else:
        found.checks[name] = check = _with_shared_symbols(paper, check)
        for reason in check.broken:
            found.blame(name, reason)


def _with_shared_symbols(paper: Paper, check: Check) -> Check:
    """A check whose parts take what they need of the mapping `symbols` of the whole paper, where they name it."""
    own: Any = getattr(load(paper.translation), "symbols", None)
    if not isinstance(own, Mapping) or not isinstance(check.parts, tuple):
        return check
    shared = [isinstance(part, Part) and part.symbols is own for part in check.parts]
    if not any(shared):
        return check
    parts = tuple(
        replace(part, symbols=of_part(check.claim, part, own)) if is_shared else part
        for part, is_shared in zip(check.parts, shared, strict=True)
    )
    return replace(check, parts=parts, broken=())


def _joined(paper: Paper, claim: Claim, found: _Found, systems: dict[str, System]) -> Check:
    """A claim's check with what symbols settle; broken where any of it raises or breaks a rule.

    Args:
        systems: those of the paper that were met so far, by name; new ones are added.
    """
    parts: tuple[Part, ...] = ()
    try:
        if claim.id in found.checks:
            known = adversaries_of(paper)
            parts = put_to(claim, _translated(paper, found.checks[claim.id]), known)
            for reason in unknown(parts, known):
                found.blame(claim.id, reason)
        for reason in _mistakes(paper, claim, parts, systems) if claim.id not in found.broken else ():
            found.blame(claim.id, reason)
        broken = tuple(found.broken.get(claim.id, ()))
        own = found.checks.get(claim.id)
        siblings, expects = (None, None) if own is None else (own.siblings, own.expects)
        kept = () if broken else parts
        return Check(claim, (*kept, *proofs(claim), *derivations(claim)), broken, siblings=siblings, expects=expects)
    except Exception as error:
        if not found.broken.get(claim.id):  # what is no tuple of parts, say, was named already
            found.blame(claim.id, why(error, paper, paper.checks))
        return Check(claim, (), tuple(found.broken[claim.id]))


def adversaries_of(paper: Paper) -> tuple[Adversary, ...]:
    """The systems that a paper's statements are put to by default: `adversaries` beside its `symbols`."""
    return tuple(getattr(load(paper.translation), "adversaries", ()))


def _translated(paper: Paper, check: Check) -> tuple[Part, ...]:
    """A check's parts, those without a translation of parameters with the paper's own, where it has one."""
    own: Any = getattr(load(paper.translation), "symbols", None)
    if not own:
        return check.parts

    def translated(part: Part) -> Part:
        if part.symbols is not None:
            return part
        return replace(part, symbols=of_part(check.claim, part, own) if isinstance(own, Mapping) else own)

    return tuple(map(translated, check.parts))


# ---------------------------------------------------------------------------------------- rules for papers from outside


def _mistakes(paper: Paper, claim: Claim, parts: tuple[Part, ...], systems: dict[str, System]) -> Iterator[str]:
    """What keeps the parts of a claim from being measured: what is refused in any check, and in one from outside."""
    yield from Check(claim, parts).broken
    if paper.is_outside:
        yield from _rules_broken(paper, parts, systems)


def _rules_broken(paper: Paper, parts: Iterable[Part], systems: dict[str, System]) -> Iterator[str]:
    """Names of systems that others may have, and simulators that know the formula."""
    specs = (some for part in parts for preset in Preset for some in _specs(part, preset))
    asked = {system for some in specs for system in systems_in(some)}
    for system in sorted(asked, key=lambda system: (system.name, system.path)):
        # seeds and stored trials go by the name, so two of one name would be taken for each other
        if reason := misnamed(paper, system) or shared_name(systems.setdefault(system.name, system), system):
            yield reason
        yield from misdirected(system)
        if outside_key(system.module):
            yield from _formulas_known(paper, system)


def _specs(part: Part, preset: Preset) -> tuple[Sequence[TrialSpec], Sequence[TrialSpec]]:
    return part.specs(preset), part.control_specs(preset)


def _formulas_known(paper: Paper, system: System) -> Iterator[str]:
    for module in sources_of(system.module):
        for name in sorted(imports_of(module)):
            if name.partition(".")[0] in _KNOWING or _is_below(name, paper.claims) or _is_below(name, paper.checks):
                yield f"simulators must not know the formula that they test, got an import of {name} in {module}"


def _is_below(name: str, module: str) -> bool:
    return name == module or name.startswith(f"{module}.")
