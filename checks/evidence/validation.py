"""What is refused when a check is loaded: names that nobody defines, values of the wrong kind, letters nobody gives.

Whoever writes a check writes names: of parameters, observables, letters, hypotheses. Each is looked up before anything
runs, in the simulator's signature (`sim.trials.signature`; torch is not imported), in what its system declares, or in
the claim. A problem is one line: claim, paper, part, the rule, what was got, and the nearest name that would do.

What a field of a part names follows from the field's own name: `PARAMETER_FIELDS` and `OBSERVABLE_FIELDS` hold for
every kind of part, those of plug-ins included.
"""

from __future__ import annotations

import inspect
from collections.abc import Iterator, Mapping, Sequence
from typing import Any, Protocol

import sympy as sp

from checks.evidence.along import ORDERS
from checks.evidence.part import APART_WORDS, Part
from checks.evidence.regime import conjuncts
from checks.records.preset import Preset
from checks.statistics.verdict import FAILING, Verdict
from sim.trials.errors import nearest
from sim.trials.signature import Signature, UnknownFunction, signature_of
from sim.trials.sweep import MOST_TRIALS, Sweep
from sim.trials.trial import TrialSpec
from theory.claim import Claim, Kind, at
from theory.refusals import unlike

_MOST_POINTS = 10_000
"""Of a larger grid those points are compared that differ from the first along one axis."""
PARAMETER_FIELDS = ("parameter", "size", "horizon", "cutoff", "series", "moving", "member")
"""Fields of a part that name a parameter of its simulators; "" and None stand for none."""
OBSERVABLE_FIELDS = (
    "observable",
    "finished",
    "given",
    "success",
    "count",
    "total",
    "exact",
    "first",
    "second",
    "reference",
)
"""Fields of a part that name what its simulators observe."""


def judges_of(kind: Kind) -> list[str]:
    """The kinds of evidence made for a claim of this kind, of those that are loaded; not those that go with any."""
    found, waiting = set(), [Part]
    while waiting:
        part = waiting.pop()
        waiting += part.__subclasses__()
        if not inspect.isabstract(part):
            kinds = object.__new__(part).kinds  # the same for every part of a class, whatever its fields
            if kind in kinds and len(kinds) < len(Kind):
                found.add(part.__name__)
    return sorted(found)


class InvalidCheck(ValueError):
    """A check that cannot be run as written; `problems` has a line for each mistake, the text shows the first."""

    def __init__(self, problems: Sequence[str]) -> None:
        self.problems = tuple(problems)
        more = len(self.problems) - 1
        super().__init__(self.problems[0] + (f" (and {more} more)" if more else ""))

    def __reduce__(self) -> tuple[Any, ...]:
        """So that it can come back from a worker."""
        return type(self), (self.problems,)


class Stated(Protocol):
    """What a check states: a claim, and its evidence."""

    @property
    def claim(self) -> Claim:
        """The claim."""

    @property
    def parts(self) -> tuple[Part, ...]:
        """The parts."""

    @property
    def expects(self) -> Verdict | None:
        """What must come out of a control."""


def problems(check: Stated) -> Iterator[str]:
    """Every mistake of a check that can be seen without running anything, a line each."""
    claim = check.claim
    if not isinstance(claim, Claim):
        yield f"claim must be a Claim, got {_shown(claim)}"
        return
    where = f"{claim.id} ({claim.source.key})"
    if not isinstance(check.parts, tuple):
        yield f"{where}: parts must be a tuple of parts, got {_shown(check.parts)}; write (part,) for one"
        return
    if check.expects is not None and not (isinstance(check.expects, Verdict) and check.expects in FAILING):
        against = ", ".join(verdict for verdict in Verdict if verdict in FAILING)
        yield f"{where}: expects must be a verdict against the claim ({against}), got {_shown(check.expects)}"
    sound = True
    yield from (f"{where}: {problem}" for problem in _never(claim, check))
    yield from (f"{where}: {problem}" for problem in _short_of_limit(claim))
    for part in check.parts:
        if not isinstance(part, Part):
            yield f"{where}: parts must be parts such as Scaling or Behaviour, got {_shown(part)}"
            return
        for problem in part_problems(claim, part):
            sound = False
            yield f"{where}, part {part.name!r}: {problem}"
    if sound:
        yield from (f"{where}: {problem}" for problem in _shared_names(claim, check.parts))
        yield from (f"{where}: {problem}" for problem in _wholes(check.parts))


def _never(claim: Claim, check: Stated) -> Iterator[str]:
    """A control that is declared to end in a word that none of its lines can give."""
    words = {part.contradicts for part in check.parts if isinstance(part, Part)}
    words |= {Verdict.REFUTED} if claim.lemmas else set()
    if words and check.expects in {Verdict.VIOLATED, Verdict.REFUTED} - words:
        yield f"expects must be what its lines can say ({', '.join(sorted(words))}), got {check.expects}"


_FAR = sp.Integer(10) ** 30
"""Where a polynomial condition on one letter says what it says in the limit, short of constants beyond 10^30."""


def _short_of_limit(claim: Claim) -> Iterator[str]:
    """A hypothesis that keeps an axis away from the limit that the claim is about."""
    if claim.kind not in {*ORDERS, Kind.LIMIT, Kind.TRANSITION}:
        return
    for axis in claim.axes:
        if axis.toward not in ("infinity", "zero"):
            continue
        far = _FAR if axis.toward == "infinity" else 1 / _FAR
        for hypothesis in claim.regime:
            for part in conjuncts(hypothesis.relation):
                sides = part.free_symbols == {axis.symbol} and all(s.is_polynomial(axis.symbol) for s in part.args)
                if sides and part.subs(axis.symbol, far) == sp.false:
                    limit = f"{axis.symbol} -> {'infinity' if axis.toward == 'infinity' else '0'}"
                    yield f"regime must not end before the limit {limit} of a claim of kind {claim.kind}, got {part}"


def _wholes(parts: Sequence[Part]) -> Iterator[str]:
    """Parts that judge half of an order and name, for both halves, a part that is not there."""
    names = {part.name for part in parts}
    for part in parts:
        whole = getattr(part, "whole", "")
        if whole and whole not in names:
            yield f"part {part.name!r}: whole must name a part of the check, got {whole!r}"


def part_problems(claim: Claim, part: Part) -> Iterator[str]:
    """The mistakes of one part, without where it stands."""
    yield from _kind(claim, part)
    yield from _hypotheses(claim, part)
    yield from _axis(claim, part)
    yield from _reasons(claim, part)
    shapes = [
        *_shape("sweeps", part.looked_up),
        *(line for control in part.controls for line in _shape("sweeps of the control", control.sweeps)),
    ]
    yield from shapes
    if shapes:
        return
    sweeps = [
        *_all_sweeps(part.looked_up),
        *(sweep for control in part.controls for sweep in _all_sweeps(control.sweeps)),
    ]
    signatures: dict[str, Signature] = {}
    for system in dict.fromkeys(sweep.system for sweep in sweeps):
        try:
            signatures[system.name] = signature_of(system.path)
        except UnknownFunction as error:
            yield f"system {system.name}: {error}"
            return
        if not signatures[system.name].takes_generator:
            yield f"system {system.name}: its simulator must take an argument 'generator', got none"
    asked = dict.fromkeys(problem for sweep in sweeps for problem in _asked(sweep, signatures[sweep.system.name]))
    yield from asked
    if not asked:  # a misspelt name in a sweep is one mistake, not two
        yield from _parameter_names(part, signatures)
        yield from _mixed(claim, part)
    yield from _observable_names(part, sweeps)
    if isinstance(part.symbols, Mapping):
        yield from _letters(claim, part, signatures)


# ---------------------------------------------------------------------------------------------- what the claim is about


def _kind(claim: Claim, part: Part) -> Iterator[str]:
    if claim.kind not in part.kinds:
        can = ", ".join(kind for kind in Kind if kind in part.kinds)
        others = ", ".join(judges_of(claim.kind)) or "its lemmas alone"
        name = f"{type(part).__name__}{' with noiseless=True' if getattr(part, 'noiseless', False) else ''}"
        yield f"{name} judges {can}, got kind {claim.kind}, which is judged by {others}"


def _hypotheses(claim: Claim, part: Part) -> Iterator[str]:
    known = [hypothesis.name for hypothesis in claim.regime]
    for name in part.exempt:
        if name not in known:
            yield f"exempt must name hypotheses of the claim, got {name!r}{nearest(name, known)}"


def _reasons(claim: Claim, part: Part) -> Iterator[str]:
    known = [lemma.name for lemma in claim.lemmas]
    for name in getattr(part, "reasons", ()):
        if name not in known:
            yield f"reasons must name lemmas of the claim, got {name!r}{nearest(name, known)}"


def _axis(claim: Claim, part: Part) -> Iterator[str]:
    """The letter of an axis, and those of a path, must be the claim's own, assumptions included."""
    axes = [axis.symbol for axis in claim.axes]
    symbol = getattr(part, "symbol", None)
    if symbol is not None and symbol not in axes:
        yield f"symbol must be an axis of the claim, got {unlike(symbol, axes)}"
    if symbol is not None and part.reads_value and claim.value is None:
        yield f"{type(part).__name__} needs a claim with a value, got none for {claim.id}"
    if part.path is not None:
        known = _letters_of(claim, part) - set(part.path.moves) - {part.path.symbol}
        for letter in (part.path.symbol, *part.path.moves):
            if letter not in known and any(letter.name == other.name for other in known):
                yield f"path must move letters of the claim, got {unlike(letter, known)}"


def _letters_of(claim: Claim, part: Part) -> set[sp.Symbol]:
    """Every letter that the claim, or the part's own condition, quantity or law, speaks of."""
    condition = getattr(part, "condition", None)
    relations = [hypothesis.relation for hypothesis in (*claim.regime, *((condition,) if condition else ()))]
    relations += [own for name in ("quantity", "law") if isinstance(own := getattr(part, name, None), sp.Basic)]
    found = {letter for relation in relations for letter in relation.free_symbols}
    found |= {axis.symbol for axis in claim.axes} | {constant.symbol for constant in claim.constants}
    found |= claim.value.free_symbols if claim.value is not None else set()
    for path in (claim.path, part.path):
        found |= {path.symbol, *path.moves} if path is not None else set()
    return found


def _shared_names(claim: Claim, parts: Sequence[Part]) -> Iterator[str]:
    """Two lines that would carry one (id, part, axis), by which records and findings name them."""
    seen: set[tuple[str, str]] = set()
    for part in parts:
        for axis in part.axes(claim):
            for words in ("", APART_WORDS) if part.is_measured else ("",):
                name = f"{part.name}{words}", str(axis.symbol) if axis else ""
                if name in seen:
                    yield f"parts must have names of their own, got {name[0]!r} twice"
                seen.add(name)


# ---------------------------------------------------------------------------------------------- what is asked of trials


def _shape(name: str, sweeps: object) -> Iterator[str]:
    """Sweeps must be tuples of sweeps by preset."""
    if not isinstance(sweeps, Mapping):
        yield f"{name} must be a mapping of presets to tuples of sweeps, got {_shown(sweeps)}"
        return
    for preset, listed in sweeps.items():
        if preset not in set(Preset):
            yield f"{name} must be by preset, got {preset!r}{nearest(str(preset), Preset)}"
        elif not isinstance(listed, tuple) or not all(isinstance(sweep, Sweep) for sweep in listed):
            yield f"{name} at {preset} must be a tuple of sweeps, got {_shown(listed)}; write (Sweep(...),) for one"
        elif not all(isinstance(point, Mapping) for sweep in listed for point in sweep.sample(1)):
            yield f"{name} at {preset} must have mappings as points, such as grid(...) makes"


def _all_sweeps(sweeps: Mapping[Preset, tuple[Sweep, ...]]) -> list[Sweep]:
    return [sweep for listed in sweeps.values() for sweep in listed]


def _asked(sweep: Sweep, signature: Signature) -> Iterator[str]:
    """Parameters that the simulator does not take, lacks, or cannot use."""
    system = sweep.system.name
    if type(sweep.replicates) is not int or sweep.replicates < 1:
        yield f"replicates must be a whole number of at least 1, got {_shown(sweep.replicates)}"
    elif len(sweep.points) * sweep.replicates > MOST_TRIALS:
        yield f"a sweep must have at most {MOST_TRIALS} trials, got {len(sweep.points) * sweep.replicates}"
    if type(sweep.first_replicate) is not int or sweep.first_replicate < 0:
        yield f"first_replicate must be a whole number of at least 0, got {_shown(sweep.first_replicate)}"
    for names in sweep.names:
        given = names | set(sweep.fixed)
        unknown = set() if signature.takes_any else given - set(signature.parameters)
        for name in sorted(unknown):
            near = nearest(name, signature.parameters)
            yield f"parameters must be those of simulator {system}, got {name!r}{near}"
        for name in () if unknown else sorted(signature.required - given):
            yield f"parameters must include {name!r} of simulator {system}, got {', '.join(sorted(given)) or 'none'}"
    for name in sorted(set(sweep.fixed).intersection(*sweep.names)) if sweep.names else ():
        yield f"fixed must hold what the points leave open, got {name!r}, which every point sets"
    seen = {(name, type(value)): value for name, value in sweep.values()}
    for (name, kind), value in seen.items():
        if not issubclass(kind, bool | int | float | str):
            yield f"parameter {name!r} must be a plain number, text or True or False, got {_shown(value)}"
        elif name in signature.parameters and (rule := signature.parameters[name].refusal(kind)):
            yield f"parameter {name!r} of simulator {system} must be {rule}, got {value!r}"


def _parameter_names(part: Part, signatures: Mapping[str, Signature]) -> Iterator[str]:
    """Names of parameters in the part's own fields: every trial must be given them, for lines are sorted by them."""
    taken = [name for signature in signatures.values() for name in signature.parameters]
    for name in getattr(part, "attempts", ()):
        if name not in taken:
            yield f"attempts must be parameters of simulators, got {name!r}{nearest(name, taken)}"
    for field in PARAMETER_FIELDS:
        name = getattr(part, field, None) or ""
        for sweep in _all_sweeps(part.looked_up) if name else ():
            if name in sweep.fixed or all(name in names for names in sweep.names):
                continue
            known = signatures[sweep.system.name].parameters
            if name in known:
                yield f"{field} must be a parameter that every trial is given, got {name!r}, which its sweeps leave out"
            else:
                given = [*known, *sweep.fixed, *(other for names in sweep.names for other in sorted(names))]
                words = f"a parameter of simulator {sweep.system.name}"
                yield f"{field} must be {words}, got {name!r}{nearest(name, given)}"
            break


def _mixed(claim: Claim, part: Part) -> Iterator[str]:
    """Trials that would be judged together though they differ in a word, or in a number that an exact value knows."""
    apart = part.told_apart
    for listed in part.looked_up.values() if apart else ():
        seen: dict[tuple[object, ...], TrialSpec] = {}
        for spec in (
            TrialSpec(sweep.system, {**sweep.fixed, **point})
            for sweep in listed
            for point in sweep.sample(_MOST_POINTS)
        ):
            given = spec.parameters
            if not set(apart) <= set(given):
                return  # a name that is not there is another mistake
            place = tuple(given[name] for name in apart)
            first = seen.setdefault(place, spec)
            if name := _told_by(claim, part, first, spec):
                where = ", ".join(f"{label} = {value}" for label, value in zip(apart, place, strict=True))
                both = f"{name} {first.parameters[name]!r} and {given[name]!r} at {where}"
                yield f"trials that are judged together must agree, got {both}; give each a part of its own"
                return


def _told_by(claim: Claim, part: Part, first: TrialSpec, other: TrialSpec) -> str:
    """The first parameter that tells two trials of one place apart; "" where they may be judged together."""
    before, after = first.parameters, other.parameters
    differing = sorted(name for name in before if before[name] != after.get(name, before[name]))
    words = [name for name in differing if isinstance(before[name], str | bool)]
    if words or not differing or not (claim.kind.is_explicit or claim.states_limit):
        return words[0] if words else ""
    if claim.states_limit or claim.value is None:
        return differing[0]
    try:
        values = {at(claim.value, part.letters(spec)) for spec in (first, other)}
    except Exception:  # a translation that fails is another mistake
        return ""
    return differing[0] if len(values) > 1 else ""


def _observable_names(part: Part, sweeps: Sequence[Sweep]) -> Iterator[str]:
    """Names of observables, where a system lists what it observes."""
    wanted = [(field, getattr(part, field)) for field in OBSERVABLE_FIELDS if getattr(part, field, None)]
    wanted += [("compares", name) for name in getattr(part, "compares", ())]
    for system in dict.fromkeys(sweep.system for sweep in sweeps if sweep.system.observables):
        known = system.observables
        unknown = [(field, name) for field, name in wanted if name not in known]
        fields = {field for field, _ in unknown}
        if "exact" in dict(wanted) and ("exact" not in fields or not {"count", "total"} & fields):
            continue  # an error is had exactly or counted
        for field, name in unknown:
            yield f"{field} must be observed by simulator {system.name}, got {name!r}{nearest(name, known)}"


# -------------------------------------------------------------------------------------------------- words into letters


def of_part(claim: Claim, part: Part, symbols: Mapping[str, sp.Symbol]) -> dict[str, sp.Symbol]:
    """What a part needs of a mapping that a whole paper shares: its simulators' parameters, and the claim's letters.

    What looks like a mistake stays, and is refused: a letter that only looks like one of the claim's, or a parameter
    that no simulator of the part has, for a letter that nothing else gives.
    """
    known: set[str] = set()
    for system in dict.fromkeys(sweep.system for sweep in _all_sweeps(part.looked_up)):
        try:
            signature = signature_of(system.path)
        except UnknownFunction:
            return dict(symbols)
        known |= set(symbols) if signature.takes_any else set(signature.parameters)
    letters = {str(letter) for letter in _letters_of(claim, part)}
    if not hasattr(part, "parameter"):
        letters -= {str(getattr(part, "symbol", ""))}  # an axis inside each trial, such as the step
    given = {str(letter) for name, letter in symbols.items() if name in known}
    return {
        name: letter
        for name, letter in symbols.items()
        if str(letter) in letters and (name in known or str(letter) not in given)
    }


def _letters(claim: Claim, part: Part, signatures: Mapping[str, Signature]) -> Iterator[str]:
    """A translation given as a mapping of parameters to letters."""
    symbols: Mapping[str, sp.Symbol] = part.symbols  # type: ignore[assignment]
    known = {name: found for signature in signatures.values() for name, found in signature.parameters.items()}
    takes_any = any(signature.takes_any for signature in signatures.values()) or not signatures
    letters = _letters_of(claim, part)
    owners: dict[sp.Symbol, str] = {}
    for name, letter in symbols.items():
        if name not in known and not takes_any:
            yield f"symbols must translate parameters of its simulators, got {name!r}{nearest(str(name), known)}"
        elif name in known and known[name].annotation in ("str", "bool"):
            yield f"symbols must translate numbers, got {name!r}, which is of kind {known[name].annotation}"
        if letter not in letters:
            shared = "a mapping for several claims is named symbols in checks.py, and no part is given it"
            yield f"symbols must give letters of the claim, got {name!r}: {unlike(letter, letters)}; {shared}"
        elif letter in owners:
            yield f"symbols must give every letter once, got {owners[letter]!r} and {name!r} for {letter}"
        else:
            owners[letter] = name
    yield from _covered(claim, part, owners)


def _covered(claim: Claim, part: Part, owners: Mapping[sp.Symbol, str]) -> Iterator[str]:
    """Whether the claim's value can be computed at the points, and the axis is the parameter that the part names."""
    axis, parameter = getattr(part, "symbol", None), getattr(part, "parameter", "")
    is_known = axis in {known.symbol for known in claim.axes} and parameter in owners.values()
    if is_known and axis in owners and owners[axis] != parameter:
        yield f"symbols must give the axis {axis} for {parameter!r}, got it for {owners[axis]!r}"
    if not part.reads_value or claim.value is None:
        return
    open_letters = (
        claim.value.free_symbols - set(owners) - {constant.symbol for constant in claim.constants} - part.own_letters
    )
    if open_letters:
        left = ", ".join(sorted(map(str, open_letters)))
        said = ", ".join(f"{name!r}: {letter}" for letter, name in owners.items()) or "nothing"
        yield f"symbols must give every letter of the claim's value, got {said}, and {left} left over"


def _shown(value: object) -> str:
    """A value in a few characters, with its type."""
    text = " ".join(repr(value).split())
    return f"{type(value).__name__} {text if len(text) <= 60 else text[:57] + '...'}"
