"""What a simulator is asked, read from its source: parameters by name, their kinds and their defaults.

A simulator's module imports torch, which takes seconds, and listing claims must not. So the one `def` is parsed and
nothing runs. Where the source alone does not tell (a decorator that may change the signature, a default that is
computed, a function made by another), the module is imported and asked.

The defaults stand in the simulator's signature and nowhere else: `completed` joins them to what a trial was given.
"""

from __future__ import annotations

import ast
import functools
import importlib
import importlib.util
import inspect
import math
import re
import sys
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from sim.errors import nearest
from theoremeter_papers import when_changed

GENERATOR = "generator"
"""The one argument of every simulator that is no parameter."""

_KINDS: dict[str, tuple[tuple[type, ...], str]] = {
    "bool": ((bool,), "True or False"),
    "int": ((int,), "a whole number"),
    "float": ((int, float), "a number"),
    "str": ((str,), "a text"),
    "None": ((type(None),), "None"),
}
"""Kinds of parameters that are checked: their types, and what they are in words."""
_TRANSPARENT = frozenset({"no_grad", "inference_mode", "enable_grad", "cache", "lru_cache", "jaxtyped"})
"""Decorators that leave a signature as it is."""


class UnknownFunction(ValueError):
    """A simulator's function that is not where its system says."""


class _NotStatic(Exception):
    """The source does not tell without running it."""


@dataclass(frozen=True)
class Parameter:
    """One parameter: its annotation as written, and its default where it has one."""

    annotation: str = ""
    is_required: bool = True
    default: Any = None

    def refusal(self, kind: type) -> str:
        """What a value must be by the annotation, in words; "" where one of this type is, or where nothing is said."""
        return _refusal(self.annotation, kind)


@functools.cache
def _refusal(annotation: str, kind: type) -> str:
    allowed = [_KINDS.get(word.strip()) for word in annotation.split("|")]
    rules = [rule for rule in allowed if rule is not None]
    if len(rules) < len(allowed):
        return ""
    for types, _ in rules:
        if issubclass(kind, types) and (bool in types or not issubclass(kind, bool)):
            return ""
    return " or ".join(words for _, words in rules)


@dataclass(frozen=True)
class Signature:
    """The parameters of a simulator by name; `takes_any` where it takes others besides, by `**`."""

    parameters: Mapping[str, Parameter] = field(default_factory=dict)
    takes_any: bool = False
    takes_generator: bool = True

    @property
    def required(self) -> frozenset[str]:
        """Parameters without a default."""
        return frozenset(name for name, parameter in self.parameters.items() if parameter.is_required)

    @property
    def defaults(self) -> dict[str, Any]:
        """The defaults of all others."""
        return {name: found.default for name, found in self.parameters.items() if not found.is_required}


_READ: dict[str, tuple[tuple[str, int], Signature]] = {}
when_changed(_READ.clear)  # another paper may have modules of these names


def signature_of(function: str) -> Signature:
    """The signature of a function named by its import path "package.module:name".

    Raises:
        UnknownFunction: there is no such function, or its module cannot be imported.
    """
    module, _, name = function.partition(":")
    path = _file(module)
    stamp = (str(path), path.stat().st_mtime_ns) if path else ("", 0)
    if function in _READ and _READ[function][0] == stamp and path:
        return _READ[function][1]
    try:
        if path is None:
            raise _NotStatic
        found = _read(path.read_text(encoding="utf-8"), name)
    except (_NotStatic, SyntaxError):
        found = _imported(module, name)
    _READ[function] = stamp, found
    return found


def completed(function: str, parameters: Mapping[str, Any]) -> dict[str, Any]:
    """All parameters of a call: the defaults of the signature, and over them what is given."""
    known = _READ.get(function)
    signature = known[1] if known else signature_of(function)
    return {**signature.defaults, **parameters}


# ------------------------------------------------------------------------------------------------------- from source


def _file(module: str) -> Path | None:
    """The source file of a module, found without importing it; the packages around it are imported."""
    loaded = sys.modules.get(module)
    if loaded is not None:
        path = getattr(loaded, "__file__", None)
    else:
        try:
            spec = importlib.util.find_spec(module)
        except (ImportError, ValueError, AttributeError):
            return None
        path = spec.origin if spec else None
    return Path(path) if path and path.endswith(".py") and Path(path).is_file() else None


def source_of(module: str) -> str:
    """The text of a module, found without importing it.

    Raises:
        UnknownFunction: there is none.
    """
    path = _file(module)
    if path is None:
        raise UnknownFunction(f"module {module} must have a source, got none")
    return path.read_text(encoding="utf-8")


def _read(text: str, name: str) -> Signature:
    """The signature of the function `name` at the top of a source: of its header alone where that is plain."""
    found = _header(text, name)
    if found is None:
        defined = [node for node in ast.parse(text).body if name in _bound(node)]
        if len(defined) != 1 or not isinstance(defined[0], ast.FunctionDef):
            raise _NotStatic
        found = defined[0]
    if not all(_is_transparent(decorator) for decorator in found.decorator_list):
        raise _NotStatic
    return _signature(found.args)


def _header(text: str, name: str) -> ast.FunctionDef | None:
    """The function parsed from its header alone, which takes a tenth of the time; None where that could mislead."""
    starts = list(re.finditer(rf"^def {re.escape(name)}\(", text, re.MULTILINE))
    word = re.escape(name)
    bound_again = re.search(rf"^(?:async def |class |from |import ).*\b{word}\b|^{word}\s*(?::[^=]+)?=", text, re.M)
    if len(starts) != 1 or bound_again:
        return None
    before = text[: starts[0].start()].rstrip("\n").rpartition("\n")[2]
    if before.startswith(("@", ")")):
        return None
    lines: list[str] = []
    for line in text[starts[0].start() :].split("\n"):
        lines.append(line)
        if line.partition("#")[0].rstrip().endswith(":"):
            try:
                (node,) = ast.parse("\n".join([*lines, "    pass"])).body
            except SyntaxError:
                continue
            return node if isinstance(node, ast.FunctionDef) else None
    return None


def _bound(node: ast.stmt) -> set[str]:
    """Names that a statement at the top of a module may bind."""
    names = set()
    for inner in ast.walk(node):
        if isinstance(inner, ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef):
            names.add(inner.name)
            if inner is node:
                break  # what a body binds is not bound at the top
        elif isinstance(inner, ast.Name) and isinstance(inner.ctx, ast.Store):
            names.add(inner.id)
        elif isinstance(inner, ast.alias):
            names.add((inner.asname or inner.name).partition(".")[0])
    return names


def _is_transparent(decorator: ast.expr) -> bool:
    called = decorator.func if isinstance(decorator, ast.Call) else decorator
    return (called.attr if isinstance(called, ast.Attribute) else getattr(called, "id", "")) in _TRANSPARENT


def _signature(arguments: ast.arguments) -> Signature:
    plain = [*arguments.posonlyargs, *arguments.args]
    defaults: list[ast.expr | None] = [None] * (len(plain) - len(arguments.defaults)) + list(arguments.defaults)
    pairs = [*zip(plain, defaults, strict=True), *zip(arguments.kwonlyargs, arguments.kw_defaults, strict=True)]
    if arguments.posonlyargs:
        raise _NotStatic
    found = {
        argument.arg: Parameter(
            ast.unparse(argument.annotation) if argument.annotation else "",
            default is None,
            None if default is None else _value(default),
        )
        for argument, default in pairs
        if argument.arg != GENERATOR
    }
    takes_any = arguments.kwarg is not None
    return Signature(found, takes_any, takes_any or GENERATOR in {argument.arg for argument, _ in pairs})


def _value(node: ast.expr) -> Any:
    """The value of a default: a constant, or a sum, product or quotient of constants."""
    match node:
        case ast.Constant(value=bool() | int() | float() | str() | None):
            return node.value
        case ast.Attribute(value=ast.Name(id="math"), attr="inf"):
            return math.inf
        case ast.UnaryOp(op=ast.USub(), operand=operand):
            return -_number(operand)
        case ast.BinOp(left=left, op=ast.Add(), right=right):
            return _number(left) + _number(right)
        case ast.BinOp(left=left, op=ast.Sub(), right=right):
            return _number(left) - _number(right)
        case ast.BinOp(left=left, op=ast.Mult(), right=right):
            return _number(left) * _number(right)
        case ast.BinOp(left=left, op=ast.Div(), right=right) if _number(right) != 0:
            return _number(left) / _number(right)
        case _:
            raise _NotStatic


def _number(node: ast.expr) -> int | float:
    value = _value(node)
    if isinstance(value, bool) or not isinstance(value, int | float):
        raise _NotStatic
    return value


# ---------------------------------------------------------------------------------------------- from the module itself


def _imported(module: str, name: str) -> Signature:
    """The signature as the imported function has it."""
    try:
        loaded = importlib.import_module(module)
    except Exception as error:  # a module that cannot be imported raises whatever its code does
        told = f"{type(error).__name__}: {error}".partition("\n")[0]
        raise UnknownFunction(f"function must be in a module that can be imported, got {module}: {told}") from None
    function = getattr(loaded, name, None)
    if not callable(function):
        named = [other for other, value in vars(loaded).items() if inspect.isfunction(value)]
        raise UnknownFunction(f"function must be one of {module}, got {name!r}{nearest(name, named)}")
    found = inspect.signature(function).parameters
    kinds = {parameter.kind for parameter in found.values()}
    takes_any = inspect.Parameter.VAR_KEYWORD in kinds
    by_name = {
        parameter.name: Parameter(
            _annotation(parameter.annotation),
            parameter.default is parameter.empty,
            None if parameter.default is parameter.empty else parameter.default,
        )
        for parameter in found.values()
        if parameter.kind in (parameter.KEYWORD_ONLY, parameter.POSITIONAL_OR_KEYWORD) and parameter.name != GENERATOR
    }
    return Signature(by_name, takes_any, takes_any or GENERATOR in found)


def _annotation(annotation: Any) -> str:
    if annotation is inspect.Parameter.empty:
        return ""
    if isinstance(annotation, str):
        return annotation
    return annotation.__name__ if isinstance(annotation, type) else str(annotation)
