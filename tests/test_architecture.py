"""The rules of the house, checked: who may import whom, what is documented, and how long a function may be."""

from __future__ import annotations

import ast
import functools
import graphlib
import re
from collections.abc import Collection, Iterable, Iterator
from dataclasses import dataclass
from pathlib import Path

import pytest
from importlinter.cli import lint_imports

from sim.store.sources import file_of, sources_of
from sim.systems import systems
from theoremeter_papers import repository

ROOT = Path(__file__).resolve().parents[1]
PACKAGES = ("theory", "sim", "checks")
WITH_DOORS = (*PACKAGES, "theoremeter", "theoremeter_papers")
MODULES = sorted(path for package in WITH_DOORS for path in (ROOT / package).rglob("*.py"))
MAX_FUNCTION_LINES = 60

MAX_CORE_LINES = 3310
"""Of the checker's modules that re-check a proof about points, without docstrings, comments and blank lines: few enough
to be read. What lifts it makes every audit longer."""

OPTIONAL = {"PIL", "dask", "distributed", "fcntl", "latex2mathml", "matplotlib", "numba", "pyarrow", "triton"}
"""Of an extra, or of some platforms."""
INSIDE = {
    "an optional library": {
        "sim.images.sets.columns": {"pyarrow"},
        "sim.images.sets.decoding": {"PIL"},
        "sim.images.sets.stand_ins": {"PIL"},
        "sim.images.training.device": {"fcntl"},
        "sim.running.dask_cluster": {"dask", "distributed"},
        "sim.kernels.cache": {"numba"},
        "sim.spatial_vit.engine.start": {"sim.spatial_vit.engine.compiled"},
        "sim.shallow_vit.engine.start": {"sim.shallow_vit.engine.compiled", "sim.shallow_vit.engine.gpu"},
        "sim.shallow_vit.engine.tally": {"sim.shallow_vit.engine.tally_kernels"},
        "theory.display.mathml": {"latex2mathml"},
        "theory.intervals.paving": {"matplotlib"},
    },
    "start-up": {
        "checks.cli": {"checks.commands.farewell", "checks.commands.process"},  # somebody answers Ctrl-C before
        "checks.commands.process": {"checks.commands.blame"},
        "checks.records.published": {"numpy"},
        "checks.statistics.policy": {"numpy", "scipy"},
        "sim.engine_setting": {"torch"},
        "sim.images.sets.svhn": {"scipy"},
        "sim.images.training.device": {"torch"},
        "sim.running.executors": {"sim.running.dask_cluster"},
        "sim.running.run": {"torch"},
        "sim.store.array_codec": {"numpy"},
        "sim.store.replays": {"numpy"},
        "sim.store.shards": {"numpy"},
        "theoremeter.__main__": {"checks.cli"},  # after the guard
        "theory.checker.replay": {  # so that an ordinary proof is re-checked by the core alone
            "theory.checker.constants.existence",
            "theory.checker.constants.uniform",
            "theory.checker.lists.sequences",
            "theory.checker.lists.tables",
            "theory.checker.lists.unbounded",
        },
        "theory.prover.counterexamples.proposals": {"scipy"},
        "theory.prover.expressions.floats": {"scipy"},
        "theory.prover.rungs.combinations": {"scipy"},
    },
}
"""Why modules import inside functions, and what: libraries by name, modules of ours in full."""

Definition = ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef


def name_of(path: Path) -> str:
    return str(path.relative_to(ROOT))


@dataclass(frozen=True)
class Facts:
    """What the rules ask of a module, which is parsed and walked once for all of them."""

    imports: tuple[tuple[ast.Import | ast.ImportFrom, bool], ...]
    """Each import at any depth of nesting, and whether it stands inside a function."""
    functions: tuple[tuple[str, int], ...]
    """Name and number of lines after the first, at any depth."""
    classes: tuple[str, ...]
    asserts: tuple[int, ...]
    undocumented: tuple[str, ...]
    """Public names without a docstring; "" stands for the module itself."""


def statements(body: Iterable[ast.AST], inside: bool = False) -> Iterator[tuple[ast.stmt, bool]]:
    """All statements at any depth, each with whether a function is around it. Expressions hold none."""
    for node in body:
        if isinstance(node, ast.stmt):
            yield node, inside
        deeper = inside or isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef)
        for block in ("body", "orelse", "finalbody", "handlers", "cases"):
            yield from statements(getattr(node, block, ()), deeper)


@functools.cache
def facts(path: Path) -> Facts:
    tree = ast.parse(path.read_bytes())
    every = tuple(statements(tree.body))
    return Facts(
        imports=tuple((node, inside) for node, inside in every if isinstance(node, ast.Import | ast.ImportFrom)),
        functions=tuple(
            (node.name, (node.end_lineno or node.lineno) - node.lineno)
            for node, _ in every
            if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef)
        ),
        classes=tuple(node.name for node, _ in every if isinstance(node, ast.ClassDef)),
        asserts=tuple(node.lineno for node, _ in every if isinstance(node, ast.Assert)),
        undocumented=tuple(
            getattr(node, "name", "") for node in (tree, *public(tree.body)) if not ast.get_docstring(node)
        ),
    )


def imported(path: Path) -> set[str]:
    """Top-level names of everything a module imports, at any depth of nesting."""
    found = set()
    for node, _ in facts(path).imports:
        if isinstance(node, ast.Import):
            found |= {alias.name.split(".")[0] for alias in node.names}
        else:
            assert node.level == 0, f"{name_of(path)} imports relatively"
            found.add(str(node.module).split(".")[0])
    return found


def public(body: list[ast.stmt]) -> Iterator[Definition]:
    """Public functions and classes of a module, and the public methods of those classes."""
    for node in body:
        if isinstance(node, Definition) and not node.name.startswith("_"):
            yield node
            if isinstance(node, ast.ClassDef):
                yield from public(node.body)


def test_every_statement_is_found_wherever_it_stands() -> None:
    """As `ast.walk` finds them, which goes through all expressions as well: in any block of any statement."""
    path = Path(__file__)
    blocks = (
        "def f():\n try:\n  import a\n except E:\n  import b\n else:\n  import c\n finally:\n  import d",
        "match x:\n case 1:\n  import e",
        "async def g():\n async with h:\n  for i in j:\n   import k\n  else:\n   import l",
        "class C:\n while m:\n  if n:\n   import o\n  elif p:\n   import q\n  else:\n   def r(): import s",
        "try:\n import t\nexcept* E:\n import u",
    )
    for text in ("\n".join(blocks), path.read_text(encoding="utf-8")):
        tree = ast.parse(text)
        found = {id(node) for node, _ in statements(tree.body)}
        assert found == {id(node) for node in ast.walk(tree) if isinstance(node, ast.stmt)}
    inside = {node.names[0].name for node, within in statements(ast.parse("\n".join(blocks)).body)
              if within and isinstance(node, ast.Import)}  # fmt: skip
    assert inside == set("abcdkls")


def test_no_rule_rests_on_assert() -> None:
    """`python -O` leaves those statements out. Tests may: pytest's are what they are for."""
    for path in MODULES:
        if path.name != "conftest.py" and not path.name.startswith("test_"):
            assert not facts(path).asserts, f"{name_of(path)}: assert in lines {facts(path).asserts}"


def named_in(node: ast.Import | ast.ImportFrom, modules: Collection[str]) -> set[str]:
    """Modules that one statement imports, in full."""
    if isinstance(node, ast.Import):
        return {alias.name for alias in node.names}
    inner = {f"{node.module}.{alias.name}" for alias in node.names}
    return inner.intersection(modules) or {str(node.module)}


def imports_of(path: Path, modules: set[str]) -> set[str]:
    """Modules of this repository that a module imports: at its top, inside a function, or for type checkers alone."""
    return modules & set().union(*(named_in(node, modules) for node, _ in facts(path).imports))


def modules_by_name() -> dict[str, Path]:
    return {".".join(path.relative_to(ROOT).with_suffix("").parts).removesuffix(".__init__"): path for path in MODULES}


def imported_inside(path: Path, modules: Collection[str]) -> set[str]:
    """What functions of a module import: modules of ours in full, anything else by its first name."""
    found = set().union(*(named_in(node, modules) for node, inside in facts(path).imports if inside))
    return {name if name in modules else name.partition(".")[0] for name in found}


def test_modules_import_inside_functions_for_a_few_reasons() -> None:
    """What else is slow to load comes later by `theoremeter.later`; a simulator's faults are planted by their place."""
    names = modules_by_name()
    needed: dict[str, set[str]] = {}
    for table in INSIDE.values():
        for name, imported_there in table.items():
            needed[name] = needed.get(name, set()) | imported_there
    found = {name: inside for name, path in names.items() if (inside := imported_inside(path, names))}
    assert found == needed


def test_the_reasons_to_import_inside_functions_are_true() -> None:
    names = modules_by_name()
    for name, libraries in INSIDE["an optional library"].items():
        for library in libraries:
            of_ours = sources_of(library) if library in names else ()
            assert OPTIONAL & {library}.union(*(imported(names[module]) for module in of_ours)), name


def test_no_module_imports_itself_by_way_of_others() -> None:
    """Not even by an import inside a function or under TYPE_CHECKING: each such circle is one module in pieces."""
    names = modules_by_name()
    graph = {name: imports_of(path, set(names)) - {name} for name, path in names.items()}
    try:
        tuple(graphlib.TopologicalSorter(graph).static_order())
    except graphlib.CycleError as error:
        pytest.fail(" -> ".join(error.args[1]))


def test_import_contracts_hold(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(ROOT)
    assert lint_imports(config_filename=str(ROOT / "pyproject.toml"), no_cache=True) == 0


@pytest.mark.parametrize(
    ("package", "forbidden"),
    [("sim", {"sympy", "theory", "checks"}), ("theory", {"torch", "sim", "checks"})],
)
def test_no_forbidden_import_not_even_inside_a_function(package: str, forbidden: set[str]) -> None:
    for path in sorted((ROOT / package).rglob("*.py")):
        assert not imported(path) & forbidden, name_of(path)


def test_no_test_imports_relatively() -> None:
    for path in sorted((ROOT / "tests").rglob("*.py")):
        if re.search(rb"\bfrom[\s\\]*\.", path.read_bytes()):  # only these can, and most are spared the parser
            imported(path)


def test_modules_and_what_they_show_are_documented() -> None:
    """A module opens with what it is and why it is so."""
    assert {name_of(path): facts(path).undocumented for path in MODULES if facts(path).undocumented} == {}


def test_functions_fit_on_a_screen() -> None:
    lengths = {(name_of(path), name): lines for path in MODULES for name, lines in facts(path).functions}
    assert {where: lines for where, lines in lengths.items() if lines >= MAX_FUNCTION_LINES} == {}


def code_lines(path: Path) -> int:
    """Lines of a module with code on them."""
    text = path.read_text(encoding="utf-8")
    blocks = [body for node in ast.walk(ast.parse(text)) if isinstance(body := getattr(node, "body", None), list)]
    said = {
        line
        for part in (part for body in blocks for part in body)
        if isinstance(part, ast.Expr) and isinstance(part.value, ast.Constant) and isinstance(part.value.value, str)
        for line in range(part.lineno, int(part.end_lineno or 0) + 1)
    }
    lines = enumerate(map(str.strip, text.splitlines()), start=1)
    return sum(line not in said and bool(words) and not words.startswith("#") for line, words in lines)


def test_code_is_counted_without_what_is_said_of_it(tmp_path: Path) -> None:
    """Counted by hand: the lines with `code` in them."""
    path = tmp_path / "module.py"
    said = ('"""A module', 'of two lines."""', "", "code = 1  # one", '"""What it is."""', "", "# alone")
    path.write_text(
        "\n".join([*said, "def code_f():", '    """Say."""', "    if code:", '        return """', '    code"""', ""]),
        encoding="utf-8",
    )
    assert code_lines(path) == 5


def test_the_core_of_the_checker_can_be_read() -> None:
    """These re-check an ordinary proof, with Python and flint; test_checker.py sees that no other module is loaded."""
    assert sum(map(code_lines, (ROOT / "theory" / "checker").glob("*.py"))) <= MAX_CORE_LINES


def test_one_name_for_one_class() -> None:
    named: dict[str, set[str]] = {}
    for path in MODULES:
        for name in facts(path).classes:
            named.setdefault(name, set()).add(name_of(path))
    assert {name: paths for name, paths in named.items() if len(paths) > 1} == {}


def test_papers_have_the_same_folders_everywhere() -> None:
    for paper in repository():
        assert all((ROOT / package / paper.folder.name / "__init__.py").is_file() for package in PACKAGES)


HAS_NO_ORDER = {"any", "all", "in_order", "set", "frozenset", "union", "sum", "max", "min"}
"""What makes the same of a set's members in any order."""
TAKES_IN_TURN = {"list", "tuple", "next", "iter", "enumerate", "zip", "map", "filter", "sorted", "reversed", "fromkeys"}


def is_drawn_out(node: ast.expr) -> bool:
    """Whether an expression is a set of sympy's: free_symbols, atoms(...), and what set arithmetic makes of them."""
    if isinstance(node, ast.BinOp):
        return is_drawn_out(node.left) or is_drawn_out(node.right)
    name = node.func if isinstance(node, ast.Call) else node
    return isinstance(name, ast.Attribute) and name.attr == ("atoms" if isinstance(node, ast.Call) else "free_symbols")


def called(node: ast.AST | None) -> str:
    """The last part of a called name; `sorted` counts as itself where it has a key, by which members may be alike."""
    if not isinstance(node, ast.Call):
        return ""
    name = getattr(node.func, "id", getattr(node.func, "attr", ""))
    return "set" if name == "sorted" and not node.keywords else name


def out_of_order(tree: ast.Module) -> list[int]:
    """Lines that go through a set of sympy's as it comes."""
    around = {child: node for node in ast.walk(tree) for child in ast.iter_child_nodes(node)}
    found = []
    for node in ast.walk(tree):
        if isinstance(node, ast.For | ast.comprehension) and is_drawn_out(node.iter):
            inside = around[node] if isinstance(node, ast.comprehension) else None
            is_set = isinstance(inside, ast.SetComp)
            is_asked = isinstance(inside, ast.GeneratorExp) and called(around[inside]) in HAS_NO_ORDER
            found += [] if is_set or is_asked else [node.iter.lineno]
        elif isinstance(node, ast.Starred) and is_drawn_out(node.value):
            found += [] if isinstance(around[node], ast.Set) else [node.lineno]
        elif called(node) in TAKES_IN_TURN and any(map(is_drawn_out, node.args)):  # type: ignore[attr-defined]
            found.append(node.lineno)  # type: ignore[attr-defined]
    return found


def test_no_search_goes_through_a_set_of_sympy_as_it_comes() -> None:
    """Its order is another one in each process, and so would be what is tried first; `theory.ordering.in_order`."""
    rooms = [ROOT / "theory" / room for room in ("prover", "asymptotics", "problems")]
    bare = {name_of(path): out_of_order(ast.parse(path.read_bytes())) for room in rooms for path in room.rglob("*.py")}
    assert {path: lines for path, lines in bare.items() if lines} == {}


@pytest.mark.parametrize(
    ("text", "is_bare"),
    [
        ("for s in e.free_symbols: f(s)", True),
        ("[s for s in e.free_symbols & box]", True),
        ("sorted(e.atoms(Pow), key=str)", True),
        ("f(*e.free_symbols)", True),
        ("dict.fromkeys(e.free_symbols)", True),
        ("for s in in_order(e.free_symbols): f(s)", False),
        ("in_order(s for s in e.free_symbols if s in box)", False),
        ("{s for s in e.atoms(Pow)}", False),
        ("any(s in box for s in e.free_symbols)", False),
        ("sorted(s.name for s in e.free_symbols)", False),
    ],
)
def test_a_set_that_is_gone_through_is_seen(text: str, is_bare: bool) -> None:
    assert bool(out_of_order(ast.parse(text))) == is_bare


def test_no_simulator_asks_the_machine() -> None:
    """The size of a batch or block may decide the last bits; it comes from the parameters or stands in the source."""
    sources = {source for system in systems().values() for source in sources_of(system.module)}
    for path in map(file_of, sources):
        assert not imported(path) & {"os", "sys", "platform", "psutil", "multiprocessing", "time"}, name_of(path)
        assert "get_num_threads" not in path.read_text(encoding="utf-8"), name_of(path)
