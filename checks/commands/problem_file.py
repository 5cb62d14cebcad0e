"""`theoremeter prove FILE`: the claim of an SMT-LIB file, or the statements of a plain list, one after the other."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Any

from checks.commands.options import BadInput, terminal_width
from checks.report.layout import paragraph
from theory.problems.scripts import settle_script
from theory.problems.settle import settle
from theory.problems.smtlib import read_smtlib
from theory.problems.statement_list import read_list

if TYPE_CHECKING:
    from theory.problems.settle import Settled
    from theory.problems.smtlib import Script

SUFFIXES = (".smt2", ".txt")
MAX_BYTES = 5_000_000


def is_file(statement: str) -> bool:
    """Whether what was typed names a file: no formula ends like one."""
    return statement.endswith(SUFFIXES)


def prove_file(statement: str, *, seconds: float, as_json: bool) -> int:
    """Settle what a file says; each statement of a list has `seconds`, and is printed as soon as it has an answer.

    JSON is one value, printed at the end.

    Raises:
        BadInput: the file cannot be read, or says what is not read; one line.
    """
    path = Path(statement)
    text = _text(path)
    told = []
    try:
        for one in _smtlib(path, text, seconds) if path.suffix == ".smt2" else _statements(text, seconds):
            if as_json:
                told.append(one)
            else:
                print("\n".join(_lines(one)), flush=True)
    except ValueError as error:
        raise BadInput(f"{path.name}: {error}") from None
    if as_json:
        print(json.dumps(told if path.suffix == ".txt" else told[0], indent=1, allow_nan=False))
    return 0


def _text(path: Path) -> str:
    """The text of a file. Raises BadInput."""
    try:
        if not path.is_file():
            raise BadInput(f"statement must be a formula or a file that exists, got {path.name!r}")
        with path.open("rb") as file:
            data = file.read(MAX_BYTES + 1)
        if len(data) > MAX_BYTES:
            raise BadInput(f"{path.name}: a file must have at most {MAX_BYTES} bytes, got more")
        return data.decode("utf-8")
    except UnicodeDecodeError:
        raise BadInput(f"{path.name}: a file must be UTF-8, got other bytes") from None
    except (OSError, ValueError) as error:
        if isinstance(error, BadInput):
            raise
        raise BadInput(f"{path.name!r}: cannot be read: {getattr(error, 'strerror', None) or error}") from None


def _smtlib(path: Path, text: str, seconds: float) -> Iterator[dict[str, Any]]:
    script = read_smtlib(text, path.stem)
    settled = settle_script(script, seconds=seconds)
    count = script.count
    claim = f"no values satisfy {'the assertion' if count == 1 else f'all {count} assertions'} of {path.name}"
    point = {script.names[name]: _value(script, name, value) for name, value in settled.point.items()}
    yield _told(claim, settled, point) | {"status": script.status, "note": _note(script, settled)}


def _value(script: Script, name: str, value: Any) -> str:
    return str(bool(value >= 0)).lower() if name in script.truths else str(value)


def _note(script: Script, settled: Settled) -> str:
    """What the file says of itself, where that is something else."""
    says = {"proved": "unsat", "refuted": "sat"}.get(settled.verdict, script.status)
    if script.status in ("sat", "unsat") and script.status != says:
        return f"the file's own status is {script.status}, which contradicts this"
    return ""


def _statements(text: str, seconds: float) -> Iterator[dict[str, Any]]:
    """One answer after the other; the whole list is read first, so that what breaks a rule costs no search."""
    problems = read_list(text)
    if not problems:
        raise ValueError("a list must have a statement, got none")
    for problem in problems:
        settled = settle(problem, seconds=seconds)
        point = {name: str(value) for name, value in settled.point.items()}
        shown = {"vacuous": "proved"}.get(settled.verdict, settled.verdict)
        differs = problem.expected and shown in ("proved", "refuted") and shown != problem.expected
        note = f"{problem.expected} was expected, which contradicts this" if differs else ""
        yield _told(problem.name, settled, point) | {"expected": problem.expected, "note": note}


def _told(claim: str, settled: Settled, point: Mapping[str, str]) -> dict[str, Any]:
    records = [decision.record for decision in settled.decisions if decision.record is not None]
    return {
        "verdict": settled.verdict,
        "statement": claim,
        "point": dict(point),
        "constants": {name: str(value) for name, value in settled.constants.items()},
        "reason": settled.reason,
        "records": records,
        "seconds": settled.seconds,
    }


def _lines(told: dict[str, Any]) -> list[str]:
    width = terminal_width()
    lines = paragraph(f"{told['verdict']}: {told['statement']}", width)
    if told["verdict"] == "proved" and told["constants"]:
        lines += paragraph("with " + ", ".join(f"{k} = {v}" for k, v in told["constants"].items()), width, 4)
    if told["verdict"] == "refuted" and not told["reason"]:
        at = ", ".join(f"{name} = {value}" for name, value in told["point"].items())
        lines += paragraph(f"at {at}" if at else "it fails without any values", width, 4)
    if told["reason"]:
        lines += paragraph(told["reason"], width, 4)
    is_shown = told["verdict"] in ("proved", "vacuous") or (told["verdict"] == "refuted" and told["reason"])
    if is_shown and told["records"]:
        records = (
            "its certificate was" if len(told["records"]) == 1 else f"all {len(told['records'])} certificates were"
        )
        lines += paragraph(f"{records} re-checked by the independent checker", width, 4)
    return lines + (paragraph(told["note"], width, 4) if told["note"] else [])
