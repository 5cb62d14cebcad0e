"""What a simulator is asked, read from its source: parameters by name, their kinds and their defaults.

A simulator's module imports torch, which takes seconds, and listing claims must not. So the one `def` is parsed and
nothing runs. Where the source alone does not tell (a decorator that may change the signature, a default that is
computed, a function made by another), the module is imported and asked.

The defaults stand in the simulator's signature and nowhere else: `completed` joins them to what a trial was given.
"""

from __future__ import annotations

import ast
import dataclasses
import functools
import importlib
import importlib.util
import inspect
import math
import re
import sys
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any, TypeVar

from sim.trials.errors import nearest
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
_TRANSPARENT = frozenset({"no_grad", "inference_mode", "enable_grad", "cache", "lru_cache", "jaxtyped", "flat"})
"""Decorators that leave a signature as it is, but for `flat`, whose settings are read as their fields."""
Returned = TypeVar("Returned")


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


def flat(simulator: Callable[..., Returned]) -> Callable[..., Returned]:
    """Let a simulator take settings, and be called with their fields.

    A parameter that is annotated with a frozen dataclass stands for its fields: who calls the simulator gives these, as
    plain keywords, and the dataclass checks them. So trials keep plain parameters, and a list of them that several
    simulators share is written once. A field that two settings share goes to both.
    """

    @functools.wraps(simulator)
    def taking_fields(**given: Any) -> Returned:
        settings = {
            name: kind(**{each: given[each] for each in _field_names(kind) if each in given})
            for name, kind in _settings_of(simulator).items()
            if name not in given
        }
        fields = {each for setting in settings.values() for each in _field_names(type(setting))}
        return simulator(**settings, **{name: value for name, value in given.items() if name not in fields})

    return taking_fields


def _settings_of(simulator: Callable[..., Any]) -> dict[str, Any]:
    """The frozen dataclasses among the annotations of a function, by parameter; names are those of its module."""
    known = getattr(simulator, "__globals__", {})
    found = {name: known.get(kind, kind) for name, kind in simulator.__annotations__.items() if name != "return"}
    return {name: kind for name, kind in found.items() if isinstance(kind, type) and dataclasses.is_dataclass(kind)}


def _field_names(setting: type) -> list[str]:
    return [each.name for each in dataclasses.fields(setting)]


_READ: dict[str, tuple[tuple[tuple[str, int], ...], Signature]] = {}
when_changed(_READ.clear)  # another paper may have modules of these names


def signature_of(function: str) -> Signature:
    """The signature of a function named by its import path "package.module:name".

    Raises:
        UnknownFunction: there is no such function, or its module cannot be imported.
    """
    module, _, name = function.partition(":")
    if function in _READ and _is_current(_READ[function][0]):
        return _READ[function][1]
    sources = _Sources()
    try:
        found = _read(sources.text(module), name, sources)
    except (_NotStatic, SyntaxError):
        found = _imported(module, name)
    _READ[function] = tuple(sources.stamps.items()), found
    return found


def _is_current(stamps: tuple[tuple[str, int], ...]) -> bool:
    """Whether files are as they were; not known where there was none."""
    return bool(stamps) and all(Path(path).is_file() and _stamp(Path(path)) == stamp for path, stamp in stamps)


def _stamp(path: Path) -> int:
    return path.stat().st_mtime_ns


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


@dataclass
class _Sources:
    """Texts of modules, and when the files that were read were written."""

    stamps: dict[str, int] = field(default_factory=dict)

    def text(self, module: str) -> str:
        path = _file(module)
        if path is None:
            raise _NotStatic
        self.stamps[str(path)] = _stamp(path)
        return path.read_text(encoding="utf-8")


def _read(text: str, name: str, sources: _Sources | None = None) -> Signature:
    """The signature of the function `name` at the top of a source: of its header alone where that is plain."""
    found = _header(text, name)
    if found is None:
        defined = [node for node in ast.parse(text).body if name in _bound(node)]
        if len(defined) != 1 or not isinstance(defined[0], ast.FunctionDef):
            raise _NotStatic
        found = defined[0]
    if not all(_is_transparent(decorator) for decorator in found.decorator_list):
        raise _NotStatic
    signature = _signature(found.args)
    is_flat = "flat" in map(_name_of, found.decorator_list)
    return _flattened(signature, text, sources or _Sources()) if is_flat else signature


def _flattened(signature: Signature, text: str, sources: _Sources) -> Signature:
    """The signature with the fields of settings in their places."""
    found: dict[str, Parameter] = {}
    for name, parameter in signature.parameters.items():
        plain = all(word.strip() in _KINDS for word in parameter.annotation.split("|"))
        found |= {name: parameter} if plain else _fields(parameter.annotation, text, sources)
    return replace(signature, parameters=found)


def _fields(name: str, text: str, sources: _Sources) -> dict[str, Parameter]:
    """The fields of a dataclass that a source defines or imports, those of what it extends before its own."""
    word = re.escape(name)
    imported = re.search(rf"^from ([\w.]+) import (?:\([^)]*|[^\n]*)\b{word}\b", text, re.M)
    if imported:
        return _fields(name, sources.text(imported[1]), sources)
    defined = re.search(rf"^@dataclass[^\n]*\nclass {word}\b.*?(?=^[^\s)]|\Z)", text, re.M | re.S)
    if not defined:
        raise _NotStatic
    (node,) = ast.parse(defined[0]).body
    if not isinstance(node, ast.ClassDef):
        raise _NotStatic
    found: dict[str, Parameter] = {}
    for base in node.bases:
        found |= _fields(ast.unparse(base), text, sources)
    for each in node.body:
        if isinstance(each, ast.AnnAssign) and isinstance(each.target, ast.Name):
            default = None if each.value is None else _value(each.value)
            found[each.target.id] = Parameter(ast.unparse(each.annotation), each.value is None, default)
    return found


def _header(text: str, name: str) -> ast.FunctionDef | None:
    """The function parsed from its header alone, which takes a tenth of the time; None where that could mislead."""
    starts = list(re.finditer(rf"^def {re.escape(name)}\(", text, re.MULTILINE))
    word = re.escape(name)
    bound_again = re.search(rf"^(?:async def |class |from |import ).*\b{word}\b|^{word}\s*(?::[^=]+)?=", text, re.M)
    if len(starts) != 1 or bound_again:
        return None
    before = text[: starts[0].start()].rstrip("\n").rpartition("\n")[2]
    if before.startswith(("@", ")")) and before != "@flat":
        return None
    lines: list[str] = ["@flat"] if before == "@flat" else []
    for line in text[starts[0].start() :].split("\n"):
        lines.append(line)
        if line.partition("#")[0].rstrip().endswith(":"):
            try:
                node, *more = ast.parse("\n".join([*lines, "    pass"])).body
            except SyntaxError:
                continue  # more: of a function on a line, which ends in no colon, and what comes after it
            return node if isinstance(node, ast.FunctionDef) and not more else None
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
    return _name_of(decorator) in _TRANSPARENT


def _name_of(decorator: ast.expr) -> str:
    called = decorator.func if isinstance(decorator, ast.Call) else decorator
    return called.attr if isinstance(called, ast.Attribute) else getattr(called, "id", "")


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
    settings = _settings_of(inspect.unwrap(function))
    by_name: dict[str, Parameter] = {}
    for parameter in found.values():
        if parameter.kind in (parameter.KEYWORD_ONLY, parameter.POSITIONAL_OR_KEYWORD) and parameter.name != GENERATOR:
            by_name |= dict(_declared(parameter, settings.get(parameter.name)))
    return Signature(by_name, takes_any, takes_any or GENERATOR in found)


def _declared(parameter: inspect.Parameter, setting: Any) -> Iterator[tuple[str, Parameter]]:
    """A parameter, or the fields of the setting that it stands for."""
    if setting is not None:
        for each in dataclasses.fields(setting):
            required = each.default is dataclasses.MISSING
            yield each.name, Parameter(_annotation(each.type), required, None if required else each.default)
        return
    required = parameter.default is parameter.empty
    default = None if required else parameter.default
    yield parameter.name, Parameter(_annotation(parameter.annotation), required, default)


def _annotation(annotation: Any) -> str:
    if annotation is inspect.Parameter.empty:
        return ""
    if isinstance(annotation, str):
        return annotation
    return annotation.__name__ if isinstance(annotation, type) else str(annotation)
