"""Read the expressions of a proof record: they are data, and no text in a record is ever run.

sympy's own readers evaluate what they are given as Python. Here only classes of sympy expressions are called, and only
names of symbols may be strings. `theory.checker` rests on this module and on `theory.enclosure`, and on nothing else.
"""

import ast
from functools import lru_cache

import sympy as sp


class InvalidRecord(ValueError):
    """The record does not prove what it says."""


def require(condition, reason, *parts):
    """Raise InvalidRecord with a one-line reason, formatted only then, unless `condition` holds."""
    if not condition:
        raise InvalidRecord(reason.format(*parts))


@lru_cache(maxsize=4096)
def read(text):
    """The number of a rational string or the sympy object of an srepr; only classes of sympy are ever called."""
    return sp.Rational(text) if text[-1:].isdigit() else build(ast.parse(text, mode="eval").body)


def build(node):
    """The sympy object of a syntax tree. Raises InvalidRecord on anything but constants, names and classes of sympy."""
    match node:
        case ast.Constant(value):
            return value
        case ast.UnaryOp(op=ast.USub(), operand=operand):
            return -build(operand)
        case ast.Name(name) if isinstance(getattr(sp, name, None), sp.Basic):
            return getattr(sp, name)
        case ast.Call(ast.Name(name), args, keywords) if isinstance(kind := getattr(sp, name, None), type):
            require(issubclass(kind, sp.Basic), "{} is not an expression", name)
            values, options = list(map(build, args)), {str(k.arg): build(k.value) for k in keywords}
            # sympy evaluates strings as code wherever it expects an expression; only names may be strings.
            require(issubclass(kind, sp.Symbol) or not any(isinstance(v, str) for v in values), "text for a value")
            return kind(*values, **options | ({"evaluate": False} if issubclass(kind, sp.Rel) else {}))
    raise InvalidRecord("unreadable expression")
