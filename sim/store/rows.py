"""Rows of a store become typed records here, and nowhere else; what is malformed is refused by store, key and rule.

A store may come from anywhere. So every column is checked when a row is read, and again when one is written: nothing is
written that would be refused later. The key is a hash of the other columns, which tells a row that was changed. Curves
are checked when they are opened (`sim.store.array_codec`), because most verdicts look at none.

Readouts of a system are kept with the hash of what each was computed from. What a row has from other sources than
today's, or not at all, is withheld, and whoever asks for it hears which readout is lacking (`in_use`).
"""

from __future__ import annotations

import functools
import json
import math
import re
from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import TYPE_CHECKING, TypeVar

from sim.store.array_codec import arrays_of, unpack
from sim.store.fingerprint import readout_digests
from sim.trials.errors import MissingReadout, MissingValueError, StoreError, nearest, printable
from sim.trials.readouts import readouts_of
from sim.trials.trial import CURVE, Outcome, Parameters, Scalar, System, TrialResult, canonical, identity_said, key_of

if TYPE_CHECKING:
    import numpy as np

Value = TypeVar("Value")

MAX_TEXT = 4 * 2**20
"""Characters that the parameters or observables of one trial may have; the longest proof has a fiftieth of that."""
_SHORT = 4096
"""Characters of a JSON text up to which it is kept as read."""
_MAX_NAMES = 1000
_MAX_SECONDS = 1e12
_MAX_INTEGER = 2**63
_KEY = re.compile(r"[0-9a-f]{64}")
_FINGERPRINT = re.compile(r"[0-9a-f]{16}")
_SYSTEM = re.compile(r"[A-Za-z0-9_][A-Za-z0-9_.-]{0,99}")
NAME = re.compile(r"[A-Za-z_][A-Za-z0-9_.-]{0,99}")
_READOUT = re.compile(rf"(?:{CURVE})?{NAME.pattern}")
_READOUT_TEXT = re.compile(r"[0-9a-f]{16}(?: \[.{0,100000}\])?", re.DOTALL)
_NUMBER_LENGTH = 400  # characters of a number; a float that is written out in full has fewer


@dataclass(frozen=True)
class Record:
    """A row as stored, of whatever system: for whoever looks after the store rather than at a trial.

    `digests` are those of its readouts; which values each gave is in the result.
    """

    key: str
    system: str
    fingerprint: str
    parameters: Parameters
    replicate: int
    result: TrialResult
    seconds: float
    digests: Mapping[str, str] = field(default_factory=dict)


def read_row(path: Path, row: Sequence[object]) -> Record:
    """The record of a row; its columns are those of `sim.store.sqlite_file.COLUMNS`, in their order.

    Raises:
        StoreError: naming the store, the key, the column and its rule.
    """
    name, system, digest, parameters, replicate, outcome, observables, seconds, curves, readouts = row
    origin = origin_of(path, name)
    name = checked(key, name, "key", origin)
    system = checked(system_name, system, "system", origin)
    digest = checked(fingerprint, digest, "fingerprint", origin)
    asked = checked(json_object, parameters, "parameters", origin)
    replicate = checked(whole, replicate, "replicate", origin)
    ending = checked(Outcome, outcome, "outcome", origin)
    reader = diverged_object if ending is Outcome.DIVERGED else json_object
    observed = checked(reader, observables, "observables", origin)
    spent = checked(duration, seconds, "seconds", origin)
    if name != key_of(identity_said(system, canonical_of(asked, parameters), replicate), digest):
        raise StoreError(f"{origin}: key must be the hash of the row, got a row that was changed")
    if ending.is_failure and not isinstance(observed.get("error"), str):
        raise StoreError(f"{origin}: observables of a failed trial must have a text 'error', got none")
    if curves is not None and not isinstance(curves, bytes):
        raise StoreError(f"{origin}: curves must be bytes, got {type(curves).__name__}")
    digests, given = checked(readouts_kept, readouts, "readouts", origin)
    result = TrialResult(ending, Observed(observed, origin), unpack(curves, origin), given)
    return Record(name, system, digest, asked, replicate, result, spent, digests)


def canonical_of(parameters: Parameters, text: object) -> str:
    """Canonical text of parameters that were read from a text, which many rows have."""
    return _canonical(text) if isinstance(text, str) and len(text) <= _SHORT else canonical(parameters)


@functools.lru_cache(maxsize=4096)
def _canonical(text: str) -> str:
    return canonical(json_object(text))


def lacking(record: Record, system: System) -> frozenset[str]:
    """The readouts of a system that a row does not have, or has from other sources."""
    return frozenset(name for name, digest in readout_digests(system).items() if record.digests.get(name) != digest)


def in_use(record: Record, system: System, missing: frozenset[str] | None = None) -> TrialResult:
    """What of a row is from the sources of today: its own account, and the readouts that are current.

    Args:
        missing: what the row is `lacking`, where that is known already.
    """
    current, result = readout_digests(system), record.result
    missing = lacking(record, system) if missing is None else missing
    withheld = {name for name in result.given if name in missing or name not in current}
    if not (missing or withheld):
        return result
    values = {value for name in withheld for value in result.given[name]} | missing
    stale = {value: name for name in withheld & missing for value in result.given[name]}
    readouts = readouts_of(system)
    families = frozenset(name for name in missing if readouts[name].is_family)
    lack = Lack(missing, families, stale)
    observed = result.observables
    origin = observed.origin if isinstance(observed, Observed) else ""
    kept = Observed({name: value for name, value in observed.items() if name not in values}, origin, lack)
    curves = CurvesInUse(result.curves, {value for value in values if value.startswith(CURVE)}, lack, origin)
    given = {name: values for name, values in result.given.items() if name not in withheld}
    return replace(result, observables=kept, curves=curves, given=given)


@dataclass(frozen=True)
class Lack:
    """What a row lacks: readouts, those of them that give several values, and which gave what before they changed."""

    readouts: frozenset[str] = frozenset()
    families: frozenset[str] = frozenset()
    stale: Mapping[str, str] = field(default_factory=dict)

    def refuse(self, value: str, origin: str) -> None:
        """Name the readouts that may give a value which the row does not have; nothing where none may."""
        asked = {value} & self.readouts or {self.stale[value]} if value in self.stale else self._may_give(value)
        if asked:
            words = f"readout {', '.join(sorted(asked))} must be stored, got a trial without it; a run fills it"
            raise MissingReadout(f"{origin}: {words}", asked)

    def _may_give(self, value: str) -> Collection[str]:
        is_curve = value.startswith(CURVE)
        return {value} & self.readouts or {name for name in self.families if name.startswith(CURVE) is is_curve}


class Observed(dict[str, Scalar]):
    """Observables of a stored row; asking for one that is not there names the row, and the readout if one is due."""

    def __init__(self, found: Mapping[str, Scalar], origin: str, lack: Lack | None = None) -> None:
        super().__init__(found)
        self.origin, self._lack = origin, lack or Lack()

    def __contains__(self, name: object) -> bool:
        if not super().__contains__(name):
            self._lack.refuse(str(name), self.origin)
            return False
        return True

    def get(self, name: str, default: Scalar | None = None) -> Scalar | None:  # type: ignore[override]
        """The value, or the default where no readout is due to give it."""
        return super().get(name, default) if name in self else default

    def __missing__(self, name: str) -> Scalar:
        self._lack.refuse(name, self.origin)
        raise MissingValueError(
            f"{self.origin}: observables must have {name}, got {', '.join(self)}{nearest(name, self)}"
        )


class CurvesInUse(Mapping[str, "np.ndarray"]):
    """Curves of a stored row without those that are withheld."""

    def __init__(self, curves: Mapping[str, np.ndarray], withheld: Collection[str], lack: Lack, origin: str) -> None:
        self._curves, self._lack, self._origin = curves, lack, origin
        self._withheld = {name.removeprefix(CURVE) for name in withheld}

    def __getitem__(self, name: str) -> np.ndarray:
        if name not in self:
            raise MissingValueError(f"{self._origin}: curves must have {name}, got {', '.join(self)}")
        return self._curves[name]

    def __contains__(self, name: object) -> bool:
        if name in self._withheld or name not in self._curves:
            self._lack.refuse(f"{CURVE}{name}", self._origin)
            return False
        return True

    def __iter__(self) -> Iterator[str]:
        return (name for name in self._curves if name not in self._withheld)

    def __len__(self) -> int:
        return sum(1 for _ in self)


def origin_of(path: Path, name: object) -> str:
    """Where a row is, as an error names it."""
    return f"store {path}, trial {name if isinstance(name, str) else printable(repr(name), most=80)}"


def checked(read: Callable[[object], Value], value: object, column: str, origin: str) -> Value:
    """A column's value as its reader gives it; a StoreError that names the column where the reader refuses."""
    try:
        return read(value)
    except RecursionError:
        raise StoreError(f"{origin}: {column} must be flat, got deep nesting") from None
    except ValueError as error:
        raise StoreError(f"{origin}: {column} {printable(str(error))}") from None


# -------------------------------------------------------------------------------------------------------------- columns


def key(value: object) -> str:
    """A trial's key."""
    return _matching(_KEY, value, "be 64 hexadecimal digits")


def fingerprint(value: object) -> str:
    """A simulator's fingerprint."""
    return _matching(_FINGERPRINT, value, "be 16 hexadecimal digits")


def system_name(value: object) -> str:
    """A system's name, which files are named after."""
    return _matching(_SYSTEM, value, "be letters, digits, _, . and -, at most 100")


def whole(value: object) -> int:
    """A replicate."""
    if not isinstance(value, int) or isinstance(value, bool) or not 0 <= value < _MAX_INTEGER:
        raise ValueError(f"must be a whole number >= 0, got {_shown(value)}")
    return value


def duration(value: object) -> float:
    """Seconds."""
    if not isinstance(value, float | int) or isinstance(value, bool) or not 0 <= value <= _MAX_SECONDS:
        raise ValueError(f"must be a finite number >= 0, got {_shown(value)}")
    return float(value)


def json_object(value: object) -> dict[str, Scalar]:
    """A flat object of scalars, no number infinite. What is not defined may be nan, as long as nothing asks for it."""
    found = _parsed(value)
    for name, scalar in found.items():
        if isinstance(scalar, float) and math.isinf(scalar):
            raise ValueError(f"must have finite numbers, got {name} = {scalar}")
    return found


def diverged_object(value: object) -> dict[str, Scalar]:
    """The observables of a trial that diverged, which may be infinite as well."""
    return _parsed(value)


def readouts_written(digests: Mapping[str, str], given: Mapping[str, Sequence[str]]) -> str:
    """The column of readouts: the hash of each by name, and the values that it gave where those are not its name."""
    values = {name: "" if tuple(given[name]) == (name,) else f" {json.dumps(list(given[name]))}" for name in given}
    return json.dumps({name: f"{digests[name]}{values[name]}" for name in given}) if given else ""


@functools.lru_cache(maxsize=256)
def readouts_kept(value: object) -> tuple[Mapping[str, str], Mapping[str, tuple[str, ...]]]:
    """Hashes of readouts by name, and the values that each gave; trials of a system share their texts."""
    digests: dict[str, str] = {}
    given: dict[str, tuple[str, ...]] = {}
    for name, text in _parsed(value, _READOUT).items() if value != "" else ():
        digest, _, values = _matching(_READOUT_TEXT, text, "have 16 hexadecimal digits by readout").partition(" ")
        found = json.loads(values) if values else [name]
        if not isinstance(found, list) or not all(isinstance(each, str) and _READOUT.fullmatch(each) for each in found):
            raise ValueError(f"must have names as values of a readout, got {_shown(values)}")
        digests[name], given[name] = digest, tuple(found)
    return digests, given


def unkeepable(result: object) -> str:
    """Why the store would refuse what a simulator returned, and what to write instead; "" where it keeps it."""
    if not isinstance(result, TrialResult):
        return f"a simulator must return a TrialResult, got {_type(result)}"
    if not isinstance(result.outcome, Outcome):
        return f"outcome must be an Outcome, got {_shown(result.outcome)}; write Outcome.CONVERGED"
    for name, value in result.observables.items():
        if not isinstance(value, bool | int | float | str):
            rule = f"observable {name!r} must be a plain number, a text or True or False"
            return f"{rule}, got a {_type(value)}; {_instead(name, value)}"
    try:
        reader = diverged_object if result.outcome is Outcome.DIVERGED else json_object
        reader(json.dumps(dict(result.observables)))
    except (TypeError, ValueError) as error:
        return f"observables {error}"
    try:
        arrays_of(result.curves)
    except ValueError as error:
        return str(error)
    return ""


def _type(value: object) -> str:
    """The type of a value as its user knows it: torch.Tensor, numpy.float32, dict."""
    package = type(value).__module__.partition(".")[0]
    return type(value).__name__ if package == "builtins" else f"{package}.{type(value).__name__}"


def _instead(name: str, value: object) -> str:
    """What to write for a value of the wrong type."""
    if value is None:
        return f"leave {name!r} out"
    shape = getattr(value, "shape", None)
    if (shape is not None and math.prod(shape) != 1) or (shape is None and hasattr(value, "__len__")):
        return "keep arrays as curves, TrialResult(outcome, observables, curves)"
    kind = str(getattr(value, "dtype", ""))
    return f"write {'bool' if 'bool' in kind else 'int' if 'int' in kind else 'float'}(...)"


def _parsed(value: object, names: re.Pattern[str] = NAME) -> dict[str, Scalar]:
    if isinstance(value, str) and len(value) <= _SHORT:
        return dict(_parsed_before(value, names))
    return _parse(value, names)


@functools.lru_cache(maxsize=4096)
def _parsed_before(text: str, names: re.Pattern[str]) -> dict[str, Scalar]:
    """Replicates share their parameters, and a row that is merged is read in one store and then in the other."""
    return _parse(text, names)


def _parse(value: object, names: re.Pattern[str]) -> dict[str, Scalar]:
    if not isinstance(value, str):
        raise ValueError(f"must be a JSON object, got {_shown(value)}")
    if len(value) > MAX_TEXT:
        raise ValueError(f"must have at most {MAX_TEXT} characters, got {len(value)}")
    try:
        found = json.loads(value, object_pairs_hook=_unique, parse_int=_integer, parse_float=_float)
    except json.JSONDecodeError:
        raise ValueError(f"must be a JSON object, got {_shown(value)}") from None
    if not isinstance(found, dict) or len(found) > _MAX_NAMES:
        raise ValueError(f"must be a JSON object of at most {_MAX_NAMES} names, got {_shown(value)}")
    for name, scalar in found.items():
        if not names.fullmatch(name):
            raise ValueError(f"must have names of letters, digits, _, . and -, got {_shown(name)}")
        if not isinstance(scalar, bool | int | float | str):
            raise ValueError(f"must have scalars as values, got {name} = {_shown(scalar)}")
        if isinstance(scalar, str) and not scalar.isascii() and any("\ud800" <= c <= "\udfff" for c in scalar):
            raise ValueError(f"must have texts that can be written, got {name} = {_shown(scalar)}")
    return found


def _unique(pairs: list[tuple[str, object]]) -> dict[str, object]:
    found = dict(pairs)
    if len(found) < len(pairs):
        raise ValueError("must name everything once, got a name twice")
    return found


def _integer(text: str) -> int:
    if len(text) > _NUMBER_LENGTH or not -_MAX_INTEGER <= (number := int(text)) < _MAX_INTEGER:
        raise ValueError(f"must have integers of 64 bits, got {_shown(text)}")
    return number


def _float(text: str) -> float:
    if len(text) > _NUMBER_LENGTH:
        raise ValueError(f"must have numbers of at most {_NUMBER_LENGTH} characters, got {_shown(text)}")
    return float(text)


def _matching(pattern: re.Pattern[str], value: object, rule: str) -> str:
    if not isinstance(value, str) or not pattern.fullmatch(value):
        raise ValueError(f"must {rule}, got {_shown(value)}")
    return value


def _shown(value: object) -> str:
    """The start of a value, whatever it is; never the whole of a large one."""
    if isinstance(value, str | bytes):
        return repr(value[:60])
    return repr(value)[:60] if isinstance(value, bool | int | float | None) else type(value).__name__
