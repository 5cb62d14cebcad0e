"""`theoremeter simulate`: one run of a simulator, to try a setting; its parameters are those of the function."""

from __future__ import annotations

import argparse
import difflib
import json
import sys
from typing import Any

from checks.commands.options import BadInput, terminal_width
from checks.report.escape import plain
from checks.report.layout import paragraph
from sim.running.run import run_trial, simulate_spec
from sim.systems import systems
from sim.trials.signature import UnknownFunction, signature_of
from sim.trials.trial import TrialSpec


def _systems() -> dict[str, Any]:
    return systems()


def simulate_command(arguments: argparse.Namespace) -> int:
    """Run a simulator once."""
    systems = _systems()
    if arguments.system not in systems:
        near = difflib.get_close_matches(arguments.system, systems, n=1, cutoff=0.0)[0]
        raise BadInput(f"system must be a known simulator, got {arguments.system!r}; nearest is {near}")
    system = systems[arguments.system]
    accepted = _parameters_of(system)
    if not arguments.parameters and arguments.format == "json":
        rows = [{"name": name, "type": kind, "default": default} for name, (kind, default) in accepted.items()]
        print(json.dumps({"system": system.name, "parameters": rows}, indent=1))
        return 0
    if not arguments.parameters:
        for name, (kind, default) in accepted.items():
            told = f"{name} ({kind}){'' if default is None else f' = {default}'}"
            print("\n".join(paragraph(told, terminal_width(), 4, first="")))
        return 0
    parameters = {}
    for pair in arguments.parameters:
        name, equals, text = pair.partition("=")
        if not equals:
            raise BadInput(f"parameters must be NAME=VALUE, got {pair!r}")
        if name not in accepted:
            near = difflib.get_close_matches(name, accepted, n=1, cutoff=0.0)[0]
            raise BadInput(f"parameters of {system.name} must be known, got {name!r}; nearest is {near}")
        parameters[name] = _value(name, text, accepted[name][0])
    lacking = [name for name, (_, default) in accepted.items() if default is None and name not in parameters]
    if lacking:
        raise BadInput(
            f"parameters of {system.name} must include {', '.join(lacking)}, got {', '.join(parameters) or 'none'}"
        )
    spec = TrialSpec(system, parameters, arguments.replicate)
    # an error in a simulator of ours is a bug of ours; in one of the user's it is a line that names theirs
    result = run_trial(spec).result if system.folder else simulate_spec(spec)
    if result.outcome.is_failure:
        print(plain(f"failed: {system.name} {parameters}: {result.observables['error']}"), file=sys.stderr)
        return 1
    print(json.dumps({"outcome": result.outcome.value, **result.observables}, indent=1))
    return 0


def _parameters_of(system: Any) -> dict[str, tuple[str, Any]]:
    """Name -> (type, default or None) of a simulator's keyword parameters."""
    try:
        parameters = signature_of(system.path).parameters
    except UnknownFunction as error:
        raise BadInput(f"{system.name}: {error}") from None
    return {name: (found.annotation, found.default) for name, found in parameters.items()}


def _value(name: str, text: str, kind: str) -> bool | int | float | str:
    """Read a parameter of the stated type."""
    try:
        if kind == "bool":
            return {"true": True, "false": False}[text.lower()]
        return {"int": int, "float": float}.get(kind, str)(text)
    except (KeyError, ValueError):
        raise BadInput(f"{name} must be of type {kind}, got {text!r}") from None
