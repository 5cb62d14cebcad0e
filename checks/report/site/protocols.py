"""What was run for each part of a claim: simulator, settings, replicates, control, and what its author says of it."""

from __future__ import annotations

import functools
import re
import shlex
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import replace

from checks.evidence.check import Check
from checks.evidence.part import Part
from checks.evidence.typed import naming
from checks.records.preset import Preset
from checks.records.rows import Row
from checks.report.site.model import ProtocolOf, Size
from checks.statistics.explanation import counted, seconds_text
from sim.store.store import key
from sim.trials.signature import UnknownFunction, signature_of
from sim.trials.trial import Scalar, Trial, TrialSpec
from theoremeter_papers import paper_of
from theory.catalogue import Contents, instances_below
from theory.claim import Role
from theory.stated import Printed

_MOST_VALUES = 12


def protocols_of(check: Check, rows: Sequence[Row], preset: Preset) -> tuple[ProtocolOf, ...]:
    """The protocol of every measured part that has trials at a preset."""
    found: list[ProtocolOf] = []
    for part in check.parts:
        if part.is_measured and part.specs(preset):
            found.append(_without_known(_protocol(part, check, rows, preset), found))
    return tuple(found)


def _without_known(one: ProtocolOf, before: Sequence[ProtocolOf]) -> ProtocolOf:
    """A protocol without the settings of the first one of its simulator that it shares, where it has all of them."""
    first = next((each for each in before if each.simulator == one.simulator and not each.alike), None)
    if first is None or not {name for name, _ in first.settings} <= {name for name, _ in one.settings}:
        return one
    own = tuple(setting for setting in one.settings if setting not in first.settings)
    return replace(one, settings=own, alike=first.part) if len(own) < len(one.settings) else one


def runs_of(check: Check, preset: Preset, trials: Mapping[str, Trial]) -> str:
    """How many trials the measured parts of a claim rest on, each counted once though several lines use it."""
    asked = {key(spec) for part in check.parts if part.is_measured for spec in part.specs(preset)}
    done = [trials[name] for name in asked if name in trials]
    if not done:
        return ""
    seconds = sum(trial.seconds for trial in done)
    return f"{counted(len(done), 'trials')}{f', {seconds_text(seconds)} of CPU' if seconds else ''}"


def sizes_of(check: Check, preset: Preset, trials: Mapping[str, Trial]) -> tuple[Size, ...]:
    """Of each simulator the parameters in the runs of the claim's statement that are stored; none of what never ran."""
    ran: dict[str, list[TrialSpec]] = {}
    for part in check.parts:
        if part.is_measured and part.role_in(check.claim) is Role.STATEMENT:
            for spec in part.specs(preset):
                done = ran.setdefault(spec.system.name, [])
                done += [spec] if key(spec) in trials else []
    return tuple(size for name, specs in ran.items() for size in _sizes(name, specs))


def _sizes(simulator: str, specs: Sequence[TrialSpec]) -> Iterator[Size]:
    if not specs:
        yield Size(simulator)
        return
    try:
        defaults = signature_of(specs[0].system.path).defaults
    except UnknownFunction:
        defaults = {}
    values: dict[str, dict[float | str, None]] = {}
    for spec in specs:
        for name, value in spec.parameters.items():
            is_number = isinstance(value, int | float) and not isinstance(value, bool)
            values.setdefault(name, {}).setdefault(value if is_number else str(value))
    for name, found in values.items():
        default = _shown(defaults[name]) if name in defaults else ""
        yield Size(simulator, name, ends_of(found), default, all(name in spec.parameters for spec in specs))


def ends_of(values: Iterable[float | str]) -> tuple[float | str, ...]:
    """The least and the greatest of numbers; all of other values."""
    found = list(dict.fromkeys(values))
    if all(isinstance(value, int | float) for value in found):
        return tuple(dict.fromkeys((min(found), max(found))))  # type: ignore[type-var]
    return tuple(found)


def _protocol(part: Part, check: Check, rows: Sequence[Row], preset: Preset) -> ProtocolOf:
    specs = part.specs(preset)
    seconds = sum({row.axis: row.protocol.seconds for row in rows if row.part == part.name}.values())
    return ProtocolOf(
        part=part.name,
        role=part.role_in(check.claim),
        kind=kind_of(part),
        simulator=", ".join(dict.fromkeys(spec.system.name for spec in specs)),
        settings=tuple(_settings(specs)),
        counts=_counts(specs, seconds),
        control="; ".join(each.words for each in part.controls if not (each.asserted or each.allowed)),
        may_meet="; ".join(
            f"{each.words} ({each.asserted or each.allowed})" for each in part.controls if each.asserted or each.allowed
        ),
        remarks=tuple(_remarks(part)),
        once=_once(specs[0], check.claim.paper),
        printed=printed_in(specs, printed_by(check.claim.paper), check.claim.id),
    )


@functools.cache
def printed_by(key: str) -> tuple[Printed, ...]:
    """The settings that a paper declares as printed; what cannot be read is not declared."""
    paper = paper_of(key)
    found = () if paper is None else instances_below(paper, paper.claims, Printed, Contents(), optional=True)
    return tuple(one for _, one in found)


def printed_in(specs: Sequence[TrialSpec], declared: Sequence[Printed], claim: str) -> Mapping[str, str] | None:
    """The parameters of trials whose every value is printed, with the places; None where nothing is declared."""
    if not declared:
        return None
    values: dict[str, dict[Scalar, None]] = {}
    for spec in specs:
        for name, value in spec.parameters.items():
            values.setdefault(name, {}).setdefault(value)
    places = {name: [_place(declared, claim, name, value) for value in found] for name, found in values.items()}
    return {name: "; ".join(dict.fromkeys(found)) for name, found in places.items() if all(found)}


def _place(declared: Sequence[Printed], claim: str, name: str, value: Scalar) -> str:
    """Where a value is printed; "" where it is not."""
    own = (one for one in declared if one.of(claim) and value in one.settings.get(name, ()))
    return next((one.place for one in own), "")


def _once(spec: TrialSpec, paper: str) -> str:
    given = [f"{name}={value}" for name, value in spec.parameters.items()]
    return shlex.join(["theoremeter", *naming([paper]), "simulate", spec.system.name, *given])


def kind_of(part: Part) -> str:
    """The kind of evidence, in words."""
    return re.sub(r"(?<=[a-z])(?=[A-Z])", " ", type(part).__name__).lower()


def _counts(specs: Sequence[TrialSpec], seconds: float) -> str:
    replicates = len({spec.replicate for spec in specs})
    settings = len({repr(sorted(spec.parameters.items())) for spec in specs})
    words = f"{len(specs)} trials: {settings} {'settings' if settings > 1 else 'setting'}"
    words += f", up to {replicates} replicates each" if replicates > 1 else ""
    return words + (f"; {seconds_text(seconds)} of CPU" if seconds else "")


def _settings(specs: Sequence[TrialSpec]) -> Iterator[tuple[str, str]]:
    """Parameters with their values: those that vary, then those that do not."""
    values: dict[str, dict[str, None]] = {}
    for spec in specs:
        for name, value in spec.parameters.items():
            values.setdefault(name, {}).setdefault(_shown(value))
    for name, found in sorted(values.items(), key=lambda item: (len(item[1]) == 1, item[0])):
        shown = list(found)
        rest = f", … ({len(shown)} values, the last {shown[-1]})" if len(shown) > _MOST_VALUES else ""
        yield name, ", ".join(shown[:_MOST_VALUES]) + rest


def _shown(value: Scalar) -> str:
    return f"{value:.6g}" if isinstance(value, float) else str(value)


def _remarks(part: Part) -> Iterator[str]:
    if part.because:
        yield f"Why it is a line of this role: {part.because}"
    if part.note:
        yield part.note
    if part.path is not None:
        yield f"Path: {part.path.words}"
    if part.exempt:
        yield f"Leaves out the hypotheses {', '.join(part.exempt)}."
