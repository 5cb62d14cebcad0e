"""How fast this machine is: short trials run once for the cost model, kept beside the store.

The file says which machine and which version of the simulator it speaks of; of another machine or version it says
nothing. It is a convenience: one that cannot be read or written costs seconds and no answer.
"""

from __future__ import annotations

import hashlib
import itertools
import json
import math
import os
import platform
from collections.abc import Callable, Collection, Iterator, Sequence
from contextlib import suppress
from pathlib import Path

from checks.planning.allowance import is_over
from checks.planning.cost_model import CostModel, Sample, fit_model, samples_of
from checks.records.stored_trials import blamed
from sim.running.run import run_trial
from sim.store.store import Store, fingerprint
from sim.trials.cost_law import CostLaw, Kind, law_of
from sim.trials.trial import Parameters, System, Trial, TrialSpec

MAX_STORED = 2000
"""Stored trials of a simulator that are looked at."""

_MAX_BYTES = 2**24

Tell = Callable[[str], None]


def machine() -> str:
    """What tells this machine from others that would take another time: processor, cores, system, python."""
    model = platform.processor()
    with suppress(OSError):
        lines = Path("/proc/cpuinfo").read_text(encoding="utf-8").splitlines()
        model = next((line.split(":", 1)[1].strip() for line in lines if line.startswith("model name")), model)
    return " ".join(map(str, (model, os.cpu_count(), platform.system(), platform.machine(), platform.python_version())))


def timings_path(store: Path) -> Path:
    """Where the timings beside a store are."""
    return store.with_name(f"{store.name}.timings.json")


def cost_models(specs: Collection[TrialSpec], store: Store, *, measure: bool, tell: Tell) -> dict[str, CostModel]:
    """Cost models, by name, of the simulators behind some trials, as far as there are laws for them.

    Args:
        store: its trials set the level; timings are kept beside it.
        measure: whether to run short trials of kinds that have not been timed on this machine.
    """
    wanted: dict[System, dict[Kind, Parameters]] = {}
    laws = {system: law for system in {spec.system for spec in specs} if (law := law_of(system))}
    asked = {(spec.system, repr(spec.parameters)): spec.parameters for spec in specs if spec.system in laws}
    for (system, _), parameters in asked.items():
        wanted.setdefault(system, {}).setdefault(laws[system].kind(parameters), parameters)
    path = timings_path(store.path)
    models, untimed = {}, list[str]()
    for system, kinds in wanted.items():
        law = laws[system]
        short = [timed(system, law, parameters, path, measure=measure, tell=tell) for parameters in kinds.values()]
        stored = list(_stored(system, store))
        with blamed(stored, f"the costs of {system.name}"):
            models[system.name] = fit_model(law, itertools.chain(*short), samples_of(law, stored))
        untimed += [system.name] if measure and not all(short) else []
    if untimed:
        left = f"for want of time {', '.join(untimed)} are not timed"
        tell(f"{left}: --timings again goes on where it stopped, a larger --within ends it")
    return models


def _stored(system: System, store: Store) -> Iterator[Trial]:
    """Trials of a simulator, evenly some of many."""
    keys = store.keys([fingerprint(system)])
    for record in store.records(keys[:: -(-len(keys) // MAX_STORED) or 1]):
        spec = TrialSpec(system, record.parameters, record.replicate)
        yield Trial(spec, record.result, record.seconds, origin=f"store {store.path}, trial {record.key}")


def timed(
    system: System,
    law: CostLaw,
    wanted: Parameters,
    path: Path,
    *,
    measure: bool = True,
    tell: Tell = lambda words: None,
) -> list[Sample]:
    """Samples of short trials of the same kind as one with the `wanted` parameters; none where there are none yet.

    Args:
        measure: whether to run them if they are not kept.
    """
    examples = law.examples(wanted)
    asked = json.dumps([machine(), fingerprint(system), *examples], sort_keys=True)
    name = f"{system.name} {hashlib.sha256(asked.encode()).hexdigest()[:16]}"
    kept = _read(path)
    known = _is_sound(kept.get(name), len(examples))
    if not known and (not measure or is_over()):
        return []
    if not known:
        done = kept[name] if _is_sound(kept.get(name), len(examples), partly=True) else []
        tell(f"timing {len(examples) - len(done)} short trials of {system.name}, once on this machine")
        for sample in _time(system, law, examples[len(done) :]):
            done = [*done, [sample.steps, sample.seconds]]
            kept[name] = done
            _write(path, kept)
        if len(done) < len(examples):
            return []
    pairs = zip(examples, kept[name], strict=True)
    return [Sample(parameters, steps, seconds) for parameters, (steps, seconds) in pairs]


def _time(system: System, law: CostLaw, examples: Sequence[Parameters]) -> Iterator[Sample]:
    """Run every example twice and keep the faster: the first of a kind compiles, and others are at work.

    It ends where the time is over that a plan may take.
    """
    for parameters in examples:
        if is_over():
            return
        runs = [run_trial(TrialSpec(system, parameters)) for _ in range(2)]
        good = [trial for trial in runs if not trial.result.outcome.is_failure]
        if not good:
            raise RuntimeError(f"{system.name} cannot be timed: {runs[0].result.observables['error']}")
        yield Sample(parameters, law.taken(good[0], parameters), min(trial.seconds for trial in good))


def _is_sound(pairs: object, number: int, *, partly: bool = False) -> bool:
    """Whether a kept entry has steps and seconds for each example, or for the first of them.

    The file may have come with a stranger's store.
    """
    return (
        isinstance(pairs, list)
        and (len(pairs) == number or (partly and len(pairs) < number))
        and all(isinstance(pair, list) and len(pair) == 2 for pair in pairs)
        and all(isinstance(value, float | int) and 0 < value < math.inf for pair in pairs for value in pair)
    )


def _read(path: Path) -> dict[str, list[list[float]]]:
    with suppress(OSError, ValueError, RecursionError):
        if not path.is_file() or path.stat().st_size > _MAX_BYTES:
            return {}
        kept = json.loads(path.read_text(encoding="utf-8"))
        if isinstance(kept, dict):
            return kept
    return {}


def _write(path: Path, kept: dict[str, list[list[float]]]) -> None:
    """Put the file in its place at once; what another process timed meanwhile is timed again some day."""
    part = path.with_name(f"{path.name}.{os.getpid()}.part")
    with suppress(OSError):
        path.parent.mkdir(parents=True, exist_ok=True)
        part.write_text(json.dumps(kept), encoding="utf-8")
        os.replace(part, path)
