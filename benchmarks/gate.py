"""How many faults of the checker its tests see: every obligation broken by itself, in turn, and the tests put to it.

    python -m benchmarks.gate                       # 150 mutants drawn by number, a few minutes of one core
    python -m benchmarks.gate --module moves        # all mutants of a module
    python -m benchmarks.gate --all --write         # all of them, and the page benchmarks/results/gate.md

The checker is what proofs rest on, so a test that no fault of it fails is worth nothing. Every function and table of
`theory/checker` is mutated at every place of a closed list (`OPERATORS`): an obligation or a refusal dropped, a
comparison shifted by its end, a direction or a sign turned, a constant moved by one, "and" for "or", an entry of a
table dropped. What is counted of a record's cost (`tick`) is left out. Against each mutant stand the tests of the
checker (`WITNESSES`) that pass through its function. One that
fails *kills* it, and how it fails is told apart: the mutant accepts what is to be refused, refuses what is to be
accepted, or computes another value. A mutant that only breaks (a TypeError) is counted by itself. What is left
*survives*, unless `benchmarks/gate_equivalents.json` gives a reason why no record can tell it from the checker.

One process reads everything once. Each mutant is a fork of it in which one function or table is replaced, so that a
mutant costs tenths of a second.
"""

from __future__ import annotations
import __future__

import argparse
import ast
import builtins
import contextlib
import functools
import importlib
import json
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

import pytest

import theory.checker
from theory.checker.limits import InvalidRecord

ROOT = Path(__file__).resolve().parents[1]
TESTS = ROOT / "tests" / "theory" / "checker"
PAGE = ROOT / "benchmarks" / "results" / "gate.md"
EQUIVALENTS = ROOT / "benchmarks" / "gate_equivalents.json"
WITNESSES = (
    "test_enclosures.py", "test_forms.py", "test_machinery.py", "test_obligations.py", "test_statements.py",
    "test_limits.py", "test_lengths.py", "test_length_steps.py", "test_uniform.py", "test_single_faults.py",
    "test_unbounded.py",
)  # fmt: skip
"""Tests of the checker's parts, which name what is broken and are quick; `--tests` adds or takes others."""
SLOWEST = 0.25
"""CPU seconds beyond which a test does not take part."""
SECONDS = 2.0
"""CPU seconds of tests for one mutant."""

TURNED: dict[str, str] = {
    "low": "high", "lower": "upper", "is_open": "is_open_above", "min": "max", "all": "any",
    "floor": "ceil", "INFINITY": "MINUS_INFINITY",
}  # fmt: skip
"""Names that stand for a direction or a quantifier, each with its opposite."""
TURNED |= {other: name for name, other in TURNED.items()}

SHIFTED: dict[type[ast.cmpop], type[ast.cmpop]] = {
    ast.Lt: ast.LtE, ast.LtE: ast.Lt, ast.Gt: ast.GtE, ast.GtE: ast.Gt, ast.Eq: ast.GtE, ast.NotEq: ast.Lt,
}  # fmt: skip
"""Comparisons, each with the one that differs from it at the end, or beyond it."""
SIGNS = {">": ">=", ">=": ">", "<": "<=", "<=": "<", "==": ">=", "!=": ">"}
"""The same for relations as texts."""
ASKING = ("check", "_demand", "_discharge", "refute", "show", "verify", "take", "walk", "leaf", "own_conditions")
"""Calls whose result nobody takes: each asks for something. Besides those with `require` in their name."""

# ------------------------------------------------------------------------------------------------------------ operators


def drop_obligation(node: ast.AST) -> list[ast.AST]:
    """`require(...)` and its kin, and `check(...)` of a part of the proof: nothing is asked."""
    if isinstance(node, ast.Expr) and isinstance(node.value, ast.Call):
        called = node.value.func
        name = called.id if isinstance(called, ast.Name) else called.attr if isinstance(called, ast.Attribute) else ""
        return [ast.Pass()] if "require" in name or name in ASKING else []
    return [ast.Pass()] if isinstance(node, ast.Raise) else []


def shift_comparison(node: ast.AST) -> list[ast.AST]:
    """Each comparison of a chain with its end in for out; a relation as a text likewise."""
    if isinstance(node, ast.Constant):
        return [ast.Constant(SIGNS[node.value])] if isinstance(node.value, str) and node.value in SIGNS else []
    if not isinstance(node, ast.Compare):
        return []
    found = []
    for place, op in enumerate(node.ops):
        if isinstance(op, ast.Eq | ast.NotEq) and isinstance(node.comparators[place], ast.Constant | ast.Tuple):
            value = getattr(node.comparators[place], "value", "")
            shifted = (ast.NotEq if isinstance(op, ast.Eq) else ast.Eq) if isinstance(value, str) else SHIFTED[type(op)]
        elif type(op) in SHIFTED:
            shifted = SHIFTED[type(op)]
        else:
            continue
        found.append(ast.Compare(node.left, [*node.ops[:place], shifted(), *node.ops[place + 1 :]], node.comparators))
    return found


def turn_direction(node: ast.AST) -> list[ast.AST]:
    """The other end, the other rounding, the other quantifier."""
    if isinstance(node, ast.Attribute) and node.attr in TURNED and isinstance(node.ctx, ast.Load):
        return [ast.Attribute(node.value, TURNED[node.attr], node.ctx)]
    if isinstance(node, ast.Name) and node.id in TURNED and isinstance(node.ctx, ast.Load):
        return [ast.Name(TURNED[node.id], node.ctx)]
    return []


def turn_sign(node: ast.AST) -> list[ast.AST]:
    """A minus dropped, a sum for a difference."""
    if isinstance(node, ast.UnaryOp) and isinstance(node.op, ast.USub) and not isinstance(node.operand, ast.Constant):
        return [node.operand]
    if isinstance(node, ast.BinOp) and isinstance(node.op, ast.Add | ast.Sub):
        return [ast.BinOp(node.left, ast.Sub() if isinstance(node.op, ast.Add) else ast.Add(), node.right)]
    return []


def swap_logic(node: ast.AST) -> list[ast.AST]:
    """And for or, a negation dropped."""
    if isinstance(node, ast.BoolOp):
        return [ast.BoolOp(ast.Or() if isinstance(node.op, ast.And) else ast.And(), node.values)]
    if isinstance(node, ast.UnaryOp) and isinstance(node.op, ast.Not):
        return [node.operand]
    return []


def move_constant(node: ast.AST) -> list[ast.AST]:
    """A truth value turned, a small whole number one more."""
    if isinstance(node, ast.Constant) and isinstance(node.value, bool):
        return [ast.Constant(not node.value)]
    if isinstance(node, ast.Constant) and type(node.value) is int and abs(node.value) < 10:
        return [ast.Constant(node.value + 1)]
    return []


def drop_entry(node: ast.AST) -> list[ast.AST]:
    """A table without one of its entries."""
    if isinstance(node, ast.Dict) and len(node.keys) > 1:
        rows = list(zip(node.keys, node.values, strict=True))
        return [ast.Dict([k for k, _ in left], [v for _, v in left]) for left in _without_each(rows)]
    if isinstance(node, ast.Set) and len(node.elts) > 1:
        return [ast.Set(left) for left in _without_each(node.elts)]
    return []


def _without_each(rows: list) -> list[list]:
    return [rows[:place] + rows[place + 1 :] for place in range(len(rows))]


OPERATORS: dict[str, Callable[[ast.AST], list[ast.AST]]] = {
    "obligation dropped": drop_obligation,
    "comparison shifted": shift_comparison,
    "direction turned": turn_direction,
    "sign turned": turn_sign,
    "logic swapped": swap_logic,
    "constant moved": move_constant,
    "entry dropped": drop_entry,
}
"""What a fault is, by the name that the page has for it."""


@dataclass(frozen=True)
class CheckerMutant:
    """One function, default or table of the checker with one fault.

    Attributes:
        module: its short name. owner: qualified name of the function, or of the table. line: of the fault.
        operator: a key of `OPERATORS`. was, now: the code at that place. context: the statement around it.
        number: which one it is of those that are alike in all of this but the line.
        kind: "code" (of a function), "defaults" (of a function) or "table".
        code: of the function, or of an expression that is the new value.
    """

    module: str
    owner: str
    line: int
    operator: str
    was: str
    now: str
    context: str
    number: int
    kind: str
    code: CodeType

    @property
    def key(self) -> str:
        """A name that does not change with lines elsewhere."""
        turns = f" #{self.number}" if self.number else ""
        return f"{self.module}.{self.owner}: {self.operator}: {self.was} -> {self.now} in {self.context}{turns}"


def checker_modules() -> list[ModuleType]:
    """All modules of the checker, those of its folders too."""
    found = pkgutil.walk_packages(theory.checker.__path__, "theory.checker.")
    return [importlib.import_module(info.name) for info in found if not info.ispkg]


def module_named(short: str) -> ModuleType:
    """The module of the checker with this last name; no two have the same."""
    (found,) = (module for module in checker_modules() if module.__name__.rpartition(".")[2] == short)
    return found


def mutants_of(module: ModuleType) -> Iterator[CheckerMutant]:
    """Every fault of every function, default and table of a module; names that the module lacks are left out."""
    known = {*vars(module), *vars(builtins)}
    counts: Counter[str] = Counter()
    tree = ast.parse(Path(str(module.__file__)).read_text(encoding="utf-8"))
    for owner, kind, root, compiled in _owners(tree):
        for holder, field, place, node in list(_places(root)):
            for operator, mutate in OPERATORS.items():
                for new in mutate(node):
                    if isinstance(new, ast.Name) and new.id not in known:
                        continue
                    statement = _statement_at(root, node)
                    ast.copy_location(new, node)
                    _put(holder, field, place, new)
                    code = compiled()
                    _put(holder, field, place, node)
                    mutant = CheckerMutant(
                        module.__name__.rpartition(".")[2], owner, getattr(node, "lineno", 0), operator, _text(node),
                        "nothing" if isinstance(new, ast.Pass) else _text(new), statement, 0, kind, code,
                    )  # fmt: skip
                    counts[mutant.key] += 1
                    yield CheckerMutant(**{**vars(mutant), "number": counts[mutant.key] - 1})


def _text(node: ast.AST, longest: int = 160) -> str:
    text = " ".join(ast.unparse(node).split())
    return text if len(text) <= longest else text[: longest - 3] + "..."


def _statement_at(root: ast.AST, node: ast.AST) -> str:
    """The first line of the innermost statement around a node."""
    found: ast.AST = root
    for statement in ast.walk(root):
        inside = isinstance(statement, ast.stmt) and statement.lineno <= getattr(node, "lineno", 0)
        if inside and getattr(node, "end_lineno", 0) <= (statement.end_lineno or 0):
            found = statement
    return _text(found, 100) if not hasattr(found, "body") else ast.unparse(found).splitlines()[0][:100]


def _owners(tree: ast.Module) -> Iterator[tuple[str, str, ast.AST, Callable[[], CodeType]]]:
    """What may be mutated: (name, kind, the part to walk, how to compile what there is of it)."""
    for node in tree.body:
        scopes = [("", node)]
        if isinstance(node, ast.ClassDef):
            scopes = [(f"{node.name}.", inner) for inner in node.body]
        for prefix, inner in scopes:
            if isinstance(inner, ast.FunctionDef):
                yield prefix + inner.name, "code", ast.Module(inner.body, []), functools.partial(_code_of, inner)
                defaults = ast.Tuple([*inner.args.defaults, *filter(None, inner.args.kw_defaults)], ast.Load())
                yield prefix + inner.name, "defaults", defaults, functools.partial(_value_of, defaults)
            elif isinstance(inner, ast.Assign | ast.AnnAssign) and inner.value is not None and not prefix:
                targets = inner.targets if isinstance(inner, ast.Assign) else [inner.target]
                name = ast.unparse(targets[0])
                if name != "__all__" and len(targets) == 1:
                    holder = ast.copy_location(ast.Expr(inner.value), inner)
                    yield name, "table", holder, functools.partial(_value_of, holder)


def _code_of(function: ast.FunctionDef) -> CodeType:
    decorators, function.decorator_list = function.decorator_list, []
    whole = ast.fix_missing_locations(ast.Module([function], []))
    code = compile(whole, f"<{function.name}>", "exec", flags=__future__.annotations.compiler_flag)
    function.decorator_list = decorators
    return next(inner for inner in code.co_consts if isinstance(inner, CodeType) and inner.co_name == function.name)


def _value_of(holder: ast.AST) -> CodeType:
    value = holder.value if isinstance(holder, ast.Expr) else holder
    return compile(ast.fix_missing_locations(ast.Expression(value)), "<table>", "eval")


def _places(root: ast.AST) -> Iterator[tuple[ast.AST, str, int | None, ast.AST]]:
    """Every node below a root with its parent, the field and, in a list, the place; f-strings and texts left out."""
    stack = [root]
    while stack:
        parent = stack.pop()
        for field, value in ast.iter_fields(parent):
            for place, child in enumerate(value) if isinstance(value, list) else [(None, value)]:
                if isinstance(child, ast.AST) and not _is_note(child, field):
                    yield parent, field, place, child
                    stack.append(child)


def _is_note(node: ast.AST, field: str) -> bool:
    """Whether nothing rests on a part: words, types, and what is counted of a record's cost."""
    is_count = isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and node.func.id == "tick"
    return is_count or isinstance(node, ast.JoinedStr) or field in ("annotation", "returns")


def _put(parent: ast.AST, field: str, place: int | None, node: ast.AST) -> None:
    if place is None:
        setattr(parent, field, node)
    else:
        getattr(parent, field)[place] = node


def plant(mutant: CheckerMutant) -> None:
    """Replace the function, the default or the table in this process, and empty the caches of the checker."""
    module = module_named(mutant.module)
    if mutant.kind == "table":
        _rebind(module, mutant.owner, eval(mutant.code, vars(module)))
    else:
        plant_in(function_of(mutant), module, mutant)
    forget()


def plant_in(function: Any, module: ModuleType, mutant: CheckerMutant) -> None:
    """Give a function of a module the code or the defaults of a mutant."""
    if mutant.kind == "code":
        function.__code__ = mutant.code.replace(co_freevars=function.__code__.co_freevars)
        return
    values = eval(mutant.code, vars(module))
    keyed = function.__kwdefaults__ or {}
    n_plain = len(values) - len(keyed)
    function.__defaults__ = values[:n_plain] or None
    function.__kwdefaults__ = dict(zip(keyed, values[n_plain:], strict=True)) or None


def _rebind(module: ModuleType, target: str, value: Any) -> None:
    names = [name.strip() for name in target.strip("()").split(",")]
    for name, new in zip(names, value if len(names) > 1 else [value], strict=True):
        old = vars(module)[name]
        if isinstance(old, dict | set) and type(old) is type(new):
            old.clear()
            old.update(new)
            continue
        for other in checker_modules():
            if vars(other).get(name) is old:
                setattr(other, name, new)


def function_of(mutant: CheckerMutant) -> FunctionType:
    """The function as it is imported, under whatever decorates it."""
    found: Any = module_named(mutant.module)
    for name in mutant.owner.split("."):
        found = vars(found)[name]
    while not isinstance(found, FunctionType):
        found = next(
            getattr(found, name) for name in ("__wrapped__", "fget", "__func__", "func") if hasattr(found, name)
        )
    return found


def forget() -> None:
    """Empty the caches of the checker, which hold what the code before the fault said."""
    for module in checker_modules():
        for value in vars(module).values():
            if isinstance(value, functools._lru_cache_wrapper):
                value.cache_clear()


# ---------------------------------------------------------------------------------------------------------------- tests


@dataclass(frozen=True)
class Witness:
    """A test that passes.

    Attributes:
        item: the test. calls: (module, function) of the checker that it passes through. seconds: CPU that it takes.
    """

    item: pytest.Item
    calls: frozenset[tuple[str, str]]
    seconds: float


WAYS = ("accepts more", "refuses more", "another value", "breaks", "does not end")
"""How a mutant differs from the checker, where a test sees it."""


@dataclass(frozen=True)
class MutantFate:
    """What became of a mutant.

    Attributes:
        way: of `WAYS`, None where it survives. killer: the test that says so. tried: tests that pass through it.
    """

    mutant: CheckerMutant
    way: str | None
    killer: str
    tried: int

    @property
    def is_killed(self) -> bool:
        """Whether a test tells it from the checker by what it says; one that only breaks, or does not end, too."""
        return self.way is not None


def run_test(item: pytest.Item) -> None:
    """One test with its fixtures. Raises what it raises."""
    if hasattr(item, "_initrequest"):
        item._initrequest()  # as pytest does before it runs a test again
    try:
        item.ihook.pytest_runtest_setup(item=item)
        item.ihook.pytest_runtest_call(item=item)
    finally:
        with contextlib.suppress(Exception):
            item.ihook.pytest_runtest_teardown(item=item, nextitem=None)


def way_of(error: BaseException) -> str:
    """How a test failed: what the mutant said where the checker says something else."""
    text = str(error)
    if isinstance(error, InvalidRecord):
        return "breaks" if text.startswith("malformed") else "refuses more"
    if isinstance(error, pytest.fail.Exception):
        return "accepts more" if "DID NOT RAISE" in text else "another value"
    return "another value" if isinstance(error, AssertionError) else "breaks"


def witness(item: pytest.Item, files: dict[str, str], slowest: float) -> Witness | None:
    """A test with what it passes through; None where it fails, is skipped or takes long."""
    seen: set[tuple[str, str]] = set()

    def note(frame: FrameType, event: str, _: Any) -> None:
        if event == "call" and frame.f_code.co_filename in files:
            seen.add((files[frame.f_code.co_filename], frame.f_code.co_qualname))

    def stop(*_: Any) -> None:
        raise TimeoutError

    forget()
    before = sys.gettrace()
    signal.signal(signal.SIGVTALRM, stop)
    signal.setitimer(signal.ITIMER_VIRTUAL, slowest * 3)
    sys.settrace(note)
    try:
        run_test(item)
    except BaseException:
        return None
    finally:
        sys.settrace(before)
        signal.setitimer(signal.ITIMER_VIRTUAL, 0)
        signal.signal(signal.SIGVTALRM, signal.SIG_DFL)
    forget()
    began = time.process_time()
    run_test(item)
    return Witness(item, frozenset(seen), time.process_time() - began)


def witnesses_of(items: Iterable[pytest.Item], slowest: float = SLOWEST) -> list[Witness]:
    """The tests that pass quickly, those that pass through least first."""
    files = {str(module.__file__): module.__name__.rpartition(".")[2] for module in checker_modules()}
    found = [one for item in items if (one := witness(item, files, slowest)) is not None and one.seconds < slowest]
    return sorted(found, key=lambda one: (one.seconds * (1 + len(one.calls)), one.item.nodeid))


def fate(mutant: CheckerMutant, witnesses: Sequence[Witness], seconds: float = SECONDS) -> MutantFate:
    """Give a mutant the tests that pass through its function, for so many seconds, in a fork."""
    concerned = [one for one in witnesses if _concerns(one, mutant)]
    if not concerned:
        return MutantFate(mutant, None, "", 0)
    reader, writer = os.pipe()
    sys.stdout.flush()
    child = os.fork()
    if child == 0:
        os.close(reader)
        limit = 10 + 4 * seconds
        signal.setitimer(signal.ITIMER_VIRTUAL, limit)
        found = _killer(mutant, concerned, seconds)
        os.write(writer, json.dumps(found).encode())
        os._exit(0)
    os.close(writer)
    with os.fdopen(reader, "rb") as stream:
        answer = stream.read().decode()
    status = os.waitpid(child, 0)[1]
    if status or not answer:
        return MutantFate(mutant, "does not end", "", len(concerned))
    return MutantFate(mutant, *json.loads(answer), len(concerned))


def _concerns(one: Witness, mutant: CheckerMutant) -> bool:
    if mutant.kind == "table":
        return any(module == mutant.module for module, _ in one.calls) or not one.calls
    return (mutant.module, mutant.owner) in one.calls


def _killer(mutant: CheckerMutant, witnesses: Sequence[Witness], seconds: float) -> tuple[str | None, str]:
    """The first test that fails by an answer; one that only breaks is told where there is none."""
    broken: tuple[str | None, str] = None, ""
    try:
        plant(mutant)
    except Exception:
        return "breaks", "import"
    ends = time.process_time() + seconds
    for one in witnesses:
        if time.process_time() > ends:
            break
        try:
            forget()
            run_test(one.item)
        except BaseException as error:
            way = way_of(error)
            if way != "breaks":
                return way, one.item.nodeid
            broken = way, one.item.nodeid
            ends = min(ends, time.process_time() + 0.3)
    return broken


def fates_of(mutants: Sequence[CheckerMutant], witnesses: Sequence[Witness], seconds: float) -> list[MutantFate]:
    """What becomes of each, with progress on stderr; a test that killed is the first to be tried on the next."""
    fates, began = [], time.monotonic()
    queue = list(witnesses)
    for number, mutant in enumerate(mutants, start=1):
        fates.append(fate(mutant, queue, seconds))
        killer = next((one for one in queue if one.item.nodeid == fates[-1].killer), None)
        if killer is not None and killer.seconds < 0.05:
            queue.remove(killer)
            queue.insert(0, killer)
        if number % 100 == 0:
            left = sum(not one.is_killed for one in fates)
            print(
                f"{number}/{len(mutants)}, {left} left, {time.monotonic() - began:.0f} s", file=sys.stderr, flush=True
            )
    return fates


class _Gate:
    """Takes the place of pytest's own loop: the tests are collected as always, and run against mutants."""

    def __init__(self, work: Callable[[list[pytest.Item]], None]) -> None:
        self.work = work

    @pytest.hookimpl(tryfirst=True)
    def pytest_runtestloop(self, session: pytest.Session) -> bool:
        self.work(session.items)
        return True


def with_tests(work: Callable[[list[pytest.Item]], None], paths: Sequence[Path]) -> None:
    """Collect the tests below some paths and hand them to `work`."""
    options = ["-q", "-p", "no:cacheprovider", "-p", "no:xdist", "--capture=no", "--no-header", "--no-summary"]
    code = pytest.main([*options, *map(str, paths)], plugins=[_Gate(work)])
    if code not in (pytest.ExitCode.OK, pytest.ExitCode.NO_TESTS_COLLECTED):
        raise SystemExit(f"gate: the tests could not be collected ({code!r})")


def is_witness(item: pytest.Item) -> bool:
    """Whether a test may take part: those of the gate itself may not."""
    return "test_gate.py" not in item.nodeid


# ----------------------------------------------------------------------------------------------------------------- page


def equivalents() -> dict[str, str]:
    """Reasons by the key of a mutant that nothing can tell from the checker."""
    return {key: reason for reason, keys in json.loads(EQUIVALENTS.read_text(encoding="utf-8")).items() for key in keys}


def tallies(fates: Sequence[MutantFate], reasons: dict[str, str]) -> dict[str, list[int]]:
    """Rows of the table by module: mutants, each way to be killed, equivalent, surviving."""
    found = {}
    for module in sorted({one.mutant.module for one in fates}):
        members = [one for one in fates if one.mutant.module == module]
        ways = [sum(one.way == way for one in members) for way in WAYS]
        same = sum(one.way is None and one.mutant.key in reasons for one in members)
        found[module] = [len(members), *ways, same, sum(one.way is None for one in members) - same]
    return found


def table(rows: dict[str, list[int]]) -> str:
    """Counts by module, and their sums."""
    lines = ["| module | mutants | accepts more | refuses more | another value | breaks | does not end | "
             "equivalent | survive |", "|---|---:|---:|---:|---:|---:|---:|---:|---:|"]  # fmt: skip
    totals = [sum(column) for column in zip(*rows.values(), strict=True)]
    for module, row in (*sorted(rows.items()), ("all", totals)):
        lines.append(f"| {module} | {' | '.join(map(str, row))} |")
    return "\n".join(lines)


def survivors(fates: Sequence[MutantFate], reasons: dict[str, str]) -> list[MutantFate]:
    """What no test tells from the checker and no reason explains."""
    return [one for one in fates if not one.is_killed and one.mutant.key not in reasons]


def main() -> None:
    """Run the gate."""
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("--sample", type=int, default=150, help="so many mutants, drawn by number")
    parser.add_argument("--all", action="store_true", help="all mutants")
    parser.add_argument("--module", action="append", help="all mutants of this module of the checker")
    parser.add_argument("--measured", action="store_true", help="modules alone that the page has a row for")
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--seconds", type=float, default=SECONDS, help="of tests for one mutant")
    parser.add_argument("--tests", type=Path, action="append", help="these tests, not WITNESSES; may be repeated")
    parser.add_argument("--only", type=Path, help="a file of keys, one a line: these mutants alone")
    parser.add_argument("--survivors", type=Path, help="a file for the survivors, one a line")
    parser.add_argument("--write", action="store_true", help="put rows and survivors of whole modules on the page")
    arguments = parser.parse_args()
    if arguments.write and (arguments.only or not (arguments.all or arguments.module)):
        parser.error("--write takes --all or --module, without --only: a row is of all faults of its module")
    chosen = arguments.module
    modules = [m for m in checker_modules() if not chosen or m.__name__.rpartition(".")[2] in chosen]
    if arguments.measured:
        modules = [m for m in modules if f"| {m.__name__.rpartition('.')[2]} |" in PAGE.read_text(encoding="utf-8")]
    mutants = [mutant for module in modules for mutant in mutants_of(module)]
    if arguments.only:
        wanted = set(arguments.only.read_text(encoding="utf-8").splitlines())
        mutants = [mutant for mutant in mutants if mutant.key in wanted]
    elif not (arguments.all or chosen):
        mutants = random.Random(arguments.seed).sample(mutants, min(arguments.sample, len(mutants)))

    def work(items: list[pytest.Item]) -> None:
        witnesses = witnesses_of(filter(is_witness, items))
        print(f"{len(mutants)} mutants, {len(witnesses)} tests, {sum(w.seconds for w in witnesses):.0f} s of CPU",
              file=sys.stderr, flush=True)  # fmt: skip
        fates, reasons = fates_of(mutants, witnesses, arguments.seconds), equivalents()
        print(table(tallies(fates, reasons)))
        left = survivors(fates, reasons)
        if arguments.survivors:
            text = "".join(f"{one.mutant.line}\t{one.tried}\t{one.mutant.key}\n" for one in left)
            arguments.survivors.write_text(text, encoding="utf-8")
        if arguments.write:
            write_page(tallies(fates, reasons), [one.mutant.key for one in left])

    with_tests(work, arguments.tests or [TESTS / name for name in WITNESSES])


def listed(page: Path) -> set[str]:
    """The keys of the survivors on the page."""
    lines = page.read_text(encoding="utf-8").splitlines()
    return {line[3:-1] for line in lines if line.startswith("- `") and line.endswith("`")}


def rows_on(page: str) -> dict[str, list[int]]:
    """The rows of the table on a page, by module, without their sums."""
    found = {}
    for line in page.splitlines():
        module, *numbers = [cell.strip() for cell in line.strip("|").split("|")]
        if len(numbers) == 3 + len(WAYS) and all(n.isdecimal() for n in numbers) and module != "all":
            found[module] = [int(n) for n in numbers]
    return found


def write_page(rows: dict[str, list[int]], left: Sequence[str], page: Path = PAGE) -> None:
    """Put rows and survivors between the marks of the page; those of other modules of the checker stay as they are.

    Args:
        rows: of the modules that were passed, as `tallies` has them.
        left: the keys of their survivors.
        page: which has the marks.
    """
    text = page.read_text(encoding="utf-8")
    kept = {module.__name__.rpartition(".")[2] for module in checker_modules()} - set(rows)
    before = {module: row for module, row in rows_on(text).items() if module in kept}
    keys = sorted([*(key for key in listed(page) if key.partition(".")[0] in kept), *left])
    words = "\n".join([table(before | rows), "", "Survivors:", "", *([f"- `{key}`" for key in keys] or ["none"])])
    head, _, rest = text.partition("<!-- gate: begin -->\n")
    tail = rest.partition("<!-- gate: end -->")[2]
    page.write_text(f"{head}<!-- gate: begin -->\n\n{words}\n\n<!-- gate: end -->{tail}", encoding="utf-8")


if __name__ == "__main__":
    main()
