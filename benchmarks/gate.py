"""How many faults of the checker its tests see: each obligation broken by itself, in turn.

    python -m benchmarks.gate --sample 300        # mutants drawn by number; without it all of them, hours
    python -m benchmarks.gate --write             # ... and the page benchmarks/results/gate.md

The checker is what proofs rest on, so a test that no fault of it fails is worth nothing. Every function of
`theory/checker` is mutated at every place of a closed list (`OPERATORS`): an obligation dropped, a comparison shifted by
its end, a direction or a sign turned, a constant moved by one, "and" for "or". Tests of `tests/theory/checker` that call
the function run against each mutant, the quickest first, until one fails. A mutant that all of them pass *survives*:
either it is equivalent, or a record of a false statement is missing from the tests.

One process imports and collects everything once. Each mutant is a fork of it in which the code of one function is
replaced, so that a mutant costs tenths of a second and not an import of sympy.
"""

from __future__ import annotations

import argparse
import ast
import copy
import functools
import importlib
import os
import pkgutil
import random
import signal
import sys
import time
from collections import Counter
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path
from types import CodeType, FrameType, FunctionType, ModuleType
from typing import Any

import pytest
from _pytest.runner import runtestprotocol

import theory.checker

ROOT = Path(__file__).resolve().parents[1]
TESTS = ROOT / "tests" / "theory" / "checker"
PAGE = ROOT / "benchmarks" / "results" / "gate.md"
SECONDS = 90
"""Of the clock after which a mutant counts as killed: it does not end where the checker does."""

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
    """`require(...)` and its kin: nothing is asked."""
    if isinstance(node, ast.Expr) and isinstance(node.value, ast.Call):
        called = node.value.func
        if isinstance(called, ast.Name) and "require" in called.id:
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
    """Every fault of every function and method of a module."""
    tree = ast.parse(Path(str(module.__file__)).read_text(encoding="utf-8"))
    for qualname, function in _functions(tree):
        body = [node for part in function.body for node in ast.walk(part)]
        for index, node in enumerate(body):
            for operator, mutate in OPERATORS.items():
                if mutate(node) is None:
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


def function_of(mutant: CheckerMutant) -> FunctionType | None:
    """The function as it is imported, under whatever decorates it; None where Python made another of it."""
    found: Any = sys.modules[mutant.module]
    for name in mutant.qualname.split("."):
        found = vars(found)[name]
    while not isinstance(found, FunctionType):
        found = next(filter(None, (getattr(found, name, None) for name in ("__wrapped__", "fget", "__func__", "func"))), None)
        if found is None:
            return None
    return found


# ------------------------------------------------------------------------------------------------------------------ runs


@dataclass(frozen=True)
class MutantFate:
    """What became of a mutant: killed by a test (its name, or "time"), or "" where it survived."""

    mutant: CheckerMutant
    killer: str
    tests: int


class Gate:
    """A plug-in of pytest that runs the tests once, to learn what each calls, and then against every mutant."""

    def __init__(self, mutants: list[CheckerMutant], progress: bool) -> None:
        self.mutants, self.progress = mutants, progress
        self.fates: list[MutantFate] = []

    def pytest_runtestloop(self, session: pytest.Session) -> bool:
        """Take the place of pytest's own loop."""
        callers = self._callers(session.items)
        began = time.monotonic()
        for number, mutant in enumerate(self.mutants):
            items = callers.get((mutant.module, mutant.qualname.rpartition(".")[2]), [])
            self.fates.append(_fate(mutant, items))
            if self.progress and number % 20 == 19:
                survivors = sum(not fate.killer for fate in self.fates)
                seconds = time.monotonic() - began
                print(f"{number + 1}/{len(self.mutants)}, {survivors} survive, {seconds:.0f} s", file=sys.stderr, flush=True)
        return True

    def _callers(self, items: list[pytest.Item]) -> dict[tuple[str, str], list[pytest.Item]]:
        """Tests by the functions of the checker that they call, the quickest first."""
        files = {str(module.__file__): module.__name__ for module in checker_modules()}
        called: dict[tuple[str, str], list[tuple[float, int]]] = {}
        for index, item in enumerate(items):
            _forget()
            seen: set[tuple[str, str]] = set()

            def note(frame: FrameType, event: str, _: Any, seen: set[tuple[str, str]] = seen) -> None:
                if event == "call" and frame.f_code.co_filename in files:
                    seen.add((files[frame.f_code.co_filename], frame.f_code.co_name))

            began = time.perf_counter()
            sys.setprofile(note)
            reports = runtestprotocol(item, log=False, nextitem=None)
            sys.setprofile(None)
            seconds = time.perf_counter() - began
            if all(report.passed for report in reports):  # what fails by itself tells nothing
                for function in seen:
                    called.setdefault(function, []).append((seconds, index))
        return {function: [items[index] for _, index in sorted(found)] for function, found in called.items()}


def _fate(mutant: CheckerMutant, items: list[pytest.Item]) -> MutantFate:
    """Run the tests against the mutant in a fork."""
    function = function_of(mutant)
    if function is None:
        return MutantFate(mutant, "", 0)
    reader, writer = os.pipe()
    child = os.fork()
    if child == 0:
        os.close(reader)
        signal.alarm(SECONDS)
        os.dup2(os.open(os.devnull, os.O_WRONLY), 1)
        os.dup2(1, 2)
        function.__code__ = mutant.code.replace(co_name=function.__code__.co_name)
        _forget()
        for item in items:
            if not all(report.passed for report in runtestprotocol(item, log=False, nextitem=None)):
                os.write(writer, item.nodeid.encode())
                break
        os._exit(0)
    os.close(writer)
    with os.fdopen(reader, "rb") as stream:
        killer = stream.read().decode()
    status = os.waitpid(child, 0)[1]
    return MutantFate(mutant, killer or ("time" if status else ""), len(items))


def _forget() -> None:
    """Empty the caches of the checker, which hold what the code before the fault said."""
    for module in checker_modules():
        for value in vars(module).values():
            if isinstance(value, functools._lru_cache_wrapper):
                value.cache_clear()


# ------------------------------------------------------------------------------------------------------------------ page


def table(fates: list[MutantFate], drawn_of: int) -> str:
    """Rates by kind of fault, and the survivors by module."""
    lines = ["| fault | mutants | killed | survive |", "|---|---:|---:|---:|"]
    for operator in (*OPERATORS, "all"):
        members = [fate for fate in fates if operator in (fate.mutant.operator, "all")]
        killed = sum(bool(fate.killer) for fate in members)
        share = f" ({100 * killed / len(members):.0f} %)" if members else ""
        lines.append(f"| {operator} | {len(members)} | {killed}{share} | {len(members) - killed} |")
    left = Counter(fate.mutant.module.rpartition(".")[2] for fate in fates if not fate.killer)
    by_module = ", ".join(f"`{name}` {count}" for name, count in left.most_common()) or "none"
    drawn = f"{len(fates)} of {drawn_of} mutants, drawn by number." if len(fates) < drawn_of else f"All {drawn_of} mutants."
    return "\n".join([*lines, "", f"{drawn} Survivors by module: {by_module}."])


def main() -> None:
    """Run the gate."""
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("--sample", type=int, help="so many mutants, drawn by number (default: all)")
    parser.add_argument("--module", action="append", help="of this module of the checker alone")
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--survivors", type=Path, help="a file for the survivors, one a line")
    parser.add_argument("--write", action="store_true", help="put the table on its page")
    arguments = parser.parse_args()
    modules = [m for m in checker_modules() if not arguments.module or m.__name__.rpartition(".")[2] in arguments.module]
    mutants = [mutant for module in modules for mutant in mutants_of(module)]
    chosen = random.Random(arguments.seed).sample(mutants, min(arguments.sample or len(mutants), len(mutants)))
    gate = Gate(sorted(chosen, key=lambda mutant: (mutant.module, mutant.line)), progress=True)
    options = ["-q", "-p", "no:cacheprovider", "-n", "0"]
    pytest.main([*options, str(TESTS)], plugins=[gate])
    words = table(gate.fates, len(mutants))
    print(words)
    if arguments.survivors:
        survived = [fate.mutant for fate in gate.fates if not fate.killer]
        text = "".join(f"{m.module}:{m.line} {m.qualname}: {m.operator}: {m.was} -> {m.now}\n" for m in survived)
        arguments.survivors.write_text(text, encoding="utf-8")
    if arguments.write:
        head, _, rest = PAGE.read_text(encoding="utf-8").partition("<!-- gate: begin -->\n")
        tail = rest.partition("<!-- gate: end -->")[2]
        PAGE.write_text(f"{head}<!-- gate: begin -->\n\n{words}\n\n<!-- gate: end -->{tail}", encoding="utf-8")


if __name__ == "__main__":
    main()
