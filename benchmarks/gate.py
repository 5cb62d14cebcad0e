"""How many faults of the checker are seen: each obligation broken by itself, in turn, and records put to what is left.

    python -m benchmarks.gate                     # 300 mutants drawn by number, minutes
    python -m benchmarks.gate --all --write       # all of them, hours, and the page benchmarks/results/gate.md
    python -m benchmarks.gate --collect FILE      # of the records in FILE and forgeries of them, those that kill

The checker is what proofs rest on, so a test that no fault of it fails is worth nothing. Every function of
`theory/checker` is mutated at every place of a closed list (`OPERATORS`): an obligation dropped, a comparison shifted
by its end, a direction or a sign turned, a constant moved by one, "and" for "or". Against each mutant stand records of
which the checker's answer is known, `tests/theory/checker/records.jsonl` and forgeries of them. A mutant that answers
otherwise is killed; one that answers alike *survives*: it is equivalent, it differs in what no record asks, or one is
missing.

One process reads everything once. Each mutant is a fork of it in which the code of one function is replaced, so that a
mutant costs tenths of a second.
"""

from __future__ import annotations

import argparse
import ast
import builtins
import copy
import functools
import importlib
import json
import math
import os
import pkgutil
import random
import signal
import sys
import time
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from types import CodeType, FrameType, FunctionType, ModuleType
from typing import Any

import theory.checker
from benchmarks.forging import forged, outcome

ROOT = Path(__file__).resolve().parents[1]
RECORDS = ROOT / "tests" / "theory" / "checker" / "records.jsonl"
PAGE = ROOT / "benchmarks" / "results" / "gate.md"
SLOWEST = 0.1
"""Seconds of a replay beyond which a record does not take part."""
FORGERIES = 12
"""Of each record, where records are drawn."""

TURNED: dict[str, str] = {
    "low": "high", "lower": "upper", "is_open": "is_open_above", "min": "max", "all": "any",
    "floor": "ceil", "INFINITY": "MINUS_INFINITY",
}  # fmt: skip
"""Names that stand for a direction or a quantifier, each with its opposite."""
TURNED |= {other: name for name, other in TURNED.items()}

SHIFTED: dict[type[ast.cmpop], type[ast.cmpop]] = {
    ast.Lt: ast.LtE, ast.LtE: ast.Lt, ast.Gt: ast.GtE, ast.GtE: ast.Gt, ast.Eq: ast.LtE, ast.NotEq: ast.Gt,
}  # fmt: skip
"""Comparisons, each with the one that differs from it at the end, or beyond it."""

# ------------------------------------------------------------------------------------------------------------ operators


def drop_obligation(node: ast.AST) -> ast.AST | None:
    """`require(...)` and its kin, and `check(...)` of a part of the proof: nothing is asked."""
    if isinstance(node, ast.Expr) and isinstance(node.value, ast.Call):
        called = node.value.func
        if isinstance(called, ast.Name) and ("require" in called.id or called.id in ("check", "_demand")):
            return ast.Pass()
    return None


def shift_comparison(node: ast.AST) -> ast.AST | None:
    """The first comparison with its end in for out."""
    if isinstance(node, ast.Compare) and type(node.ops[0]) in SHIFTED:
        return ast.Compare(node.left, [SHIFTED[type(node.ops[0])](), *node.ops[1:]], node.comparators)
    return None


def turn_direction(node: ast.AST) -> ast.AST | None:
    """The other end, the other rounding, the other quantifier."""
    if isinstance(node, ast.Attribute) and node.attr in TURNED and isinstance(node.ctx, ast.Load):
        return ast.Attribute(node.value, TURNED[node.attr], node.ctx)
    if isinstance(node, ast.Name) and node.id in TURNED and isinstance(node.ctx, ast.Load):
        return ast.Name(TURNED[node.id], node.ctx)
    return None


def turn_sign(node: ast.AST) -> ast.AST | None:
    """A minus dropped, a sum for a difference."""
    if isinstance(node, ast.UnaryOp) and isinstance(node.op, ast.USub) and not isinstance(node.operand, ast.Constant):
        return node.operand
    if isinstance(node, ast.BinOp) and isinstance(node.op, ast.Add | ast.Sub):
        return ast.BinOp(node.left, ast.Sub() if isinstance(node.op, ast.Add) else ast.Add(), node.right)
    return None


def swap_logic(node: ast.AST) -> ast.AST | None:
    """And for or, a negation dropped."""
    if isinstance(node, ast.BoolOp):
        return ast.BoolOp(ast.Or() if isinstance(node.op, ast.And) else ast.And(), node.values)
    if isinstance(node, ast.UnaryOp) and isinstance(node.op, ast.Not):
        return node.operand
    return None


def move_constant(node: ast.AST) -> ast.AST | None:
    """A truth value turned, a small whole number one more."""
    if isinstance(node, ast.Constant) and isinstance(node.value, bool):
        return ast.Constant(not node.value)
    if isinstance(node, ast.Constant) and type(node.value) is int and abs(node.value) < 10:
        return ast.Constant(node.value + 1)
    return None


OPERATORS: dict[str, Callable[[ast.AST], ast.AST | None]] = {
    "obligation dropped": drop_obligation,
    "comparison shifted": shift_comparison,
    "direction turned": turn_direction,
    "sign turned": turn_sign,
    "logic swapped": swap_logic,
    "constant moved": move_constant,
}
"""What a fault is, by the name that the page has for it."""


@dataclass(frozen=True)
class CheckerMutant:
    """One function of the checker with one fault.

    Attributes:
        module, qualname: of the function. line: of the fault in its file.
        operator: a key of `OPERATORS`. was, now: the code at that place.
        code: of the function with the fault.
    """

    module: str
    qualname: str
    line: int
    operator: str
    was: str
    now: str
    code: CodeType


def checker_modules() -> list[ModuleType]:
    """All modules of the checker."""
    found = pkgutil.iter_modules(theory.checker.__path__, "theory.checker.")
    return [importlib.import_module(info.name) for info in found]


def mutants_of(module: ModuleType) -> Iterator[CheckerMutant]:
    """Every fault of every function and method of a module; names that the module lacks are left out."""
    known = {*vars(module), *vars(builtins)}
    tree = ast.parse(Path(str(module.__file__)).read_text(encoding="utf-8"))
    for qualname, function in _functions(tree):
        body = [node for part in function.body for node in ast.walk(part)]
        for index, node in enumerate(body):
            for operator, mutate in OPERATORS.items():
                turned = mutate(node)
                if turned is None or (isinstance(turned, ast.Name) and turned.id not in known):
                    continue
                faulty = copy.deepcopy(tree)
                there = dict(_functions(faulty))[qualname]
                place = [inner for part in there.body for inner in ast.walk(part)][index]
                new = mutate(place)
                assert new is not None
                _replace(there, place, ast.copy_location(new, place))
                ast.fix_missing_locations(faulty)
                code = _code_of(compile(faulty, str(module.__file__), "exec"), qualname)
                was, now = ast.unparse(node), "nothing" if isinstance(new, ast.Pass) else ast.unparse(new)
                yield CheckerMutant(module.__name__, qualname, place.lineno, operator, was, now, code)


def _functions(tree: ast.Module) -> list[tuple[str, ast.FunctionDef]]:
    """Functions and methods by their qualified names; what is defined within a function is part of it."""
    found = []
    for node in tree.body:
        if isinstance(node, ast.FunctionDef):
            found.append((node.name, node))
        elif isinstance(node, ast.ClassDef):
            found += [(f"{node.name}.{inner.name}", inner) for inner in node.body if isinstance(inner, ast.FunctionDef)]
    return found


def _replace(tree: ast.AST, place: ast.AST, new: ast.AST) -> None:
    for parent in ast.walk(tree):
        for name, value in ast.iter_fields(parent):
            if value is place:
                setattr(parent, name, new)
            elif isinstance(value, list) and any(item is place for item in value):
                value[[item is place for item in value].index(True)] = new


def _code_of(code: CodeType, qualname: str) -> CodeType:
    for name in qualname.split("."):
        code = next(inner for inner in code.co_consts if isinstance(inner, CodeType) and inner.co_name == name)
    return code


def function_of(mutant: CheckerMutant) -> FunctionType:
    """The function as it is imported, under whatever decorates it."""
    found: Any = sys.modules[mutant.module]
    for name in mutant.qualname.split("."):
        found = vars(found)[name]
    while not isinstance(found, FunctionType):
        found = next(
            getattr(found, name) for name in ("__wrapped__", "fget", "__func__", "func") if hasattr(found, name)
        )
    return found


# -------------------------------------------------------------------------------------------------------------- records


@dataclass(frozen=True)
class Witness:
    """A record and what the checker says of it.

    Attributes:
        record: sealed. says: proved, vacuous, refuted or refused.
        calls: functions of the checker that it passes through. seconds: that took.
    """

    record: dict[str, Any]
    says: str
    calls: frozenset[tuple[str, str]]
    seconds: float


@dataclass(frozen=True)
class MutantFate:
    """What became of a mutant.

    Attributes:
        killer: index of the witness of which it says something else, -1 where it did not end, None where it survives.
        tried: witnesses that pass through its function and were tried.
    """

    mutant: CheckerMutant
    killer: int | None
    tried: int


def witness(record: dict[str, Any]) -> Witness:
    """What the checker says of a record, and by which functions."""
    files = {str(module.__file__): module.__name__ for module in checker_modules()}
    seen: set[tuple[str, str]] = set()

    def note(frame: FrameType, event: str, _: Any) -> None:
        if event == "call" and frame.f_code.co_filename in files:
            seen.add((files[frame.f_code.co_filename], frame.f_code.co_name))

    forget()
    sys.setprofile(note)
    says = outcome(record)
    sys.setprofile(None)
    began = time.perf_counter()
    outcome(record)
    return Witness(record, says, frozenset(seen), time.perf_counter() - began)


def fate(mutant: CheckerMutant, witnesses: Sequence[Witness], seconds: float) -> MutantFate:
    """Give a mutant the records that pass through its function, for so many seconds, in a fork."""
    reader, writer = os.pipe()
    child = os.fork()
    if child == 0:
        os.close(reader)
        signal.alarm(max(20, math.ceil(3 * seconds)))
        killer, tried = _killer(mutant, witnesses, seconds)
        os.write(writer, f"{'' if killer is None else killer},{tried}".encode())
        os._exit(0)
    os.close(writer)
    with os.fdopen(reader, "rb") as stream:
        killer, _, tried = stream.read().decode().partition(",")
    status = os.waitpid(child, 0)[1]
    if status:
        return MutantFate(mutant, -1, 0)
    return MutantFate(mutant, int(killer) if killer else None, int(tried))


def _killer(mutant: CheckerMutant, witnesses: Sequence[Witness], seconds: float) -> tuple[int | None, int]:
    name = mutant.module, mutant.qualname.rpartition(".")[2]
    function = function_of(mutant)
    function.__code__ = mutant.code.replace(co_freevars=function.__code__.co_freevars)
    forget()
    ends, tried = time.process_time() + seconds, 0
    for index, known in enumerate(witnesses):
        if name not in known.calls:
            continue
        if time.process_time() > ends:
            break
        tried += 1
        if outcome(known.record) != known.says:
            return index, tried
    return None, tried


def forget() -> None:
    """Empty the caches of the checker, which hold what the code before the fault said."""
    for module in checker_modules():
        for value in vars(module).values():
            if isinstance(value, functools._lru_cache_wrapper):
                value.cache_clear()


def witnesses_of(records: Iterable[dict[str, Any]], forgeries: int, seed: int) -> list[Witness]:
    """The records and so many forgeries of each, the quickest first."""
    generator = random.Random(seed)
    found, known = [], set()
    for record in records:
        for made in (record, *(forged(record, generator) for _ in range(forgeries))):
            if made["digest"] not in known:
                known.add(made["digest"])
                found.append(witness(made))
    return sorted((one for one in found if one.seconds < SLOWEST), key=lambda one: (one.seconds, one.record["digest"]))


# ----------------------------------------------------------------------------------------------------------------- page


def table(fates: list[MutantFate], drawn_of: int) -> str:
    """Rates by kind of fault, and the survivors by module."""
    lines = ["| fault | mutants | killed | survive | of these no record reaches |", "|---|---:|---:|---:|---:|"]
    for operator in (*OPERATORS, "all"):
        members = [one for one in fates if operator in (one.mutant.operator, "all")]
        left = [one for one in members if one.killer is None]
        killed = len(members) - len(left)
        share = f" ({100 * killed / len(members):.0f} %)" if members else ""
        unreached = sum(not one.tried for one in left)
        lines.append(f"| {operator} | {len(members)} | {killed}{share} | {len(left)} | {unreached} |")
    by_module = Counter(one.mutant.module.rpartition(".")[2] for one in fates if one.killer is None)
    listed = ", ".join(f"`{name}` {count}" for name, count in by_module.most_common()) or "none"
    drawn = (
        f"{len(fates)} of {drawn_of} mutants, drawn by number." if len(fates) < drawn_of else f"All {drawn_of} mutants."
    )
    return "\n".join([*lines, "", f"{drawn} Survivors by module: {listed}."])


def fates_of(mutants: Sequence[CheckerMutant], witnesses: Sequence[Witness], seconds: float) -> list[MutantFate]:
    """What becomes of each, with progress on stderr."""
    fates, began = [], time.monotonic()
    for number, mutant in enumerate(mutants, start=1):
        fates.append(fate(mutant, witnesses, seconds))
        if number % 50 == 0:
            left = sum(one.killer is None for one in fates)
            print(
                f"{number}/{len(mutants)}, {left} survive, {time.monotonic() - began:.0f} s",
                file=sys.stderr,
                flush=True,
            )
    return fates


def read(path: Path) -> list[dict[str, Any]]:
    """Records of a file, one a line; with what the checker is known to say, or without."""
    rows = [json.loads(line) for line in path.read_text(encoding="utf-8").splitlines()]
    return [row.get("record", row) for row in rows]


def main() -> None:
    """Run the gate."""
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("--sample", type=int, default=300, help="so many mutants, drawn by number")
    parser.add_argument("--all", action="store_true", help="all mutants")
    parser.add_argument("--module", action="append", help="of this module of the checker alone")
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--seconds", type=float, default=4.0, help="of records for one mutant")
    parser.add_argument("--forgeries", type=int, default=FORGERIES, help="of each record")
    parser.add_argument("--collect", type=Path, help="records, one a line; those that kill are put into the tests")
    parser.add_argument("--survivors", type=Path, help="a file for the survivors, one a line")
    parser.add_argument("--write", action="store_true", help="put the table on its page")
    arguments = parser.parse_args()
    modules = [
        m for m in checker_modules() if not arguments.module or m.__name__.rpartition(".")[2] in arguments.module
    ]
    mutants = [mutant for module in modules for mutant in mutants_of(module)]
    count = len(mutants)
    if not arguments.all:
        mutants = random.Random(arguments.seed).sample(mutants, min(arguments.sample, len(mutants)))
    witnesses = witnesses_of(read(arguments.collect or RECORDS), arguments.forgeries, arguments.seed)
    print(f"{len(witnesses)} records, {Counter(one.says for one in witnesses)}", file=sys.stderr, flush=True)
    fates = fates_of(mutants, witnesses, arguments.seconds)
    words = table(fates, count)
    print(words)
    if arguments.survivors:
        left = [one.mutant for one in fates if one.killer is None]
        text = "".join(f"{m.module}:{m.line} {m.qualname}: {m.operator}: {m.was} -> {m.now}\n" for m in left)
        arguments.survivors.write_text(text, encoding="utf-8")
    if arguments.collect:
        chosen = sorted({one.killer for one in fates if one.killer is not None and one.killer >= 0})
        kept = [json.loads(line) for line in RECORDS.read_text(encoding="utf-8").splitlines()]
        known = {row["record"]["digest"] for row in kept}
        found = [witnesses[index] for index in chosen if witnesses[index].record["digest"] not in known]
        rows = [*kept, *({"says": one.says, "record": one.record} for one in found)]
        RECORDS.write_text("".join(json.dumps(row, sort_keys=True) + "\n" for row in rows), encoding="utf-8")
    if arguments.write:
        head, _, rest = PAGE.read_text(encoding="utf-8").partition("<!-- gate: begin -->\n")
        tail = rest.partition("<!-- gate: end -->")[2]
        PAGE.write_text(f"{head}<!-- gate: begin -->\n\n{words}\n\n<!-- gate: end -->{tail}", encoding="utf-8")


if __name__ == "__main__":
    main()
