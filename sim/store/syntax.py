"""The syntax of sources in words that every Python from 3.11 on finds alike; comments, docstrings, layout left out.

`ast.dump` will not do: 3.12 gave functions and classes another field, 3.13 leaves out what is empty.
"""

from __future__ import annotations

import ast
import functools

_SILENT = frozenset({"ctx", "kind", "type_comment", "type_ignores"})
"""Fields of a syntax tree that decide nothing: they follow from where a node stands, or speak to other tools."""


@functools.cache
def syntax(text: str) -> str:
    """A source's syntax in words; systems share most of their sources."""
    return words_of(ast.parse(text))


@functools.cache
def recipe_syntax(text: str) -> str:
    """The same without `NAME = System(...)` at its top, which declares a simulator and computes nothing.

    What such a declaration says that decides results (the function, the engine, the libraries) is hashed apart. One
    stays that anything else in the source names, or whose arguments call something; so does `LORENZ = System(rho=28)`
    of a class that is not ours.
    """
    tree = ast.parse(text)
    ours = _names_of_system(tree)
    declared = [node for node in tree.body if _declares(node, ours)]
    if not declared:
        return syntax(text)
    rest = [node for node in tree.body if node not in declared]
    named = {each.id for node in rest for each in ast.walk(node) if isinstance(each, ast.Name)}
    kept = [node for node in tree.body if node in rest or _target(node) in named]
    return words_of(ast.Module(kept, []))


_HOMES = ("theoremeter", "sim.trials.trial")
"""The modules from which a source may import our `System`."""


def _names_of_system(tree: ast.Module) -> frozenset[str]:
    """What a source calls our `System`, as it is written there; none where it binds such a name once more."""
    found: list[str] = []
    for node in ast.walk(tree):
        if isinstance(node, ast.ImportFrom) and not node.level and node.module in _HOMES:
            found += [each.asname or each.name for each in node.names if each.name == "System"]
        elif isinstance(node, ast.Import):
            found += [f"{each.asname or each.name}.System" for each in node.names if each.name in _HOMES]
    return frozenset(found).difference(*map(_rebound, ast.walk(tree)))


def _rebound(node: ast.AST) -> tuple[str, ...]:
    """The names that a node binds to something other than an import of ours."""
    if isinstance(node, ast.ClassDef | ast.FunctionDef | ast.AsyncFunctionDef):
        return (node.name,)
    if isinstance(node, ast.Name) and isinstance(node.ctx, ast.Store):
        return (node.id, f"{node.id}.System")
    if isinstance(node, ast.ImportFrom) and (node.level or node.module not in _HOMES):
        return tuple(each.asname or each.name for each in node.names)
    return ()


def _declares(node: ast.stmt, ours: frozenset[str]) -> bool:
    """Whether a statement is `NAME = System(...)` of our class, without a call among its arguments."""
    value = getattr(node, "value", None)
    if not _target(node) or not isinstance(value, ast.Call) or ast.unparse(value.func) not in ours:
        return False
    arguments = [*value.args, *(keyword.value for keyword in value.keywords)]
    busy = (ast.Call, ast.NamedExpr, ast.Lambda, ast.Await, ast.Yield, ast.YieldFrom)
    return not any(isinstance(each, busy) for one in arguments for each in ast.walk(one))


def _target(node: ast.stmt) -> str:
    """The one name that an assignment binds; "" for anything else."""
    targets = node.targets if isinstance(node, ast.Assign) else [node.target] if isinstance(node, ast.AnnAssign) else []
    return targets[0].id if len(targets) == 1 and isinstance(targets[0], ast.Name) else ""


def words_of(value: object) -> str:
    """A node with its fields by name, those that are empty left out; a list; or a constant."""
    if isinstance(value, list):
        return f"[{','.join([words_of(part) for part in value])}]"
    if not isinstance(value, ast.AST):
        return ascii(value)  # what repr escapes depends on the version's Unicode tables
    kind = type(value)
    if isinstance(value, ast.JoinedStr):
        return f"JoinedStr({words_of(_pieces(value))})"
    written = []
    for name in _spoken(kind):
        field = getattr(value, name, None)
        if name == "body" and isinstance(field, list):
            field = _without_docstrings(field)
        if field is not None and field != []:
            written.append(f"{name}={words_of(field)}")
    return f"{kind.__name__}({','.join(written)})"


@functools.cache
def _spoken(kind: type[ast.AST]) -> tuple[str, ...]:
    """The fields of a kind of node that decide something, in order."""
    return tuple(sorted(set(kind._fields) - _SILENT))


def _pieces(node: ast.JoinedStr) -> list[ast.expr | str]:
    """The parts of an f-string, texts in one piece: versions cut them differently."""
    pieces: list[ast.expr | str] = []
    for part in node.values:
        text = part.value if isinstance(part, ast.Constant) and isinstance(part.value, str) else None
        if text is None:
            pieces.append(part)
        elif pieces and isinstance(pieces[-1], str):
            pieces[-1] += text
        elif text:
            pieces.append(text)
    return pieces


def _without_docstrings(lines: list[ast.stmt]) -> list[ast.stmt]:
    """A body without the strings that stand as statements: docstrings, and those below an attribute or a constant."""
    return [line for line in lines if not is_string(line)] or [ast.Pass()]


def is_string(node: ast.AST) -> bool:
    """Whether a statement is a string by itself: a docstring, of whatever."""
    return isinstance(node, ast.Expr) and isinstance(node.value, ast.Constant) and isinstance(node.value.value, str)
