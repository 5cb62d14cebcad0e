"""Symmetric matrices of size 2 or 3, written out: "eigmax(A) <= trace(A)" with A=psd(3) is a statement about 6 numbers.

Names A=symmetric(3) stand for their entries A11, A12 = A[1,2] and so on. `trace`, `det`, `frobenius` are formulas.
With mu free, mu >= eigmax(M) says that all principal minors of mu*I - M are at least 0, so:

- where more of eigmax(M) only helps, it is any such mu;
- where the relation is linear in it and less of it helps, eigmax(M) <= c is v'Mv <= c v'v for all v;
- elsewhere it is the mu at which det(mu*I - M) is 0 as well. eigmin(M) is -eigmax(-M).

psd(M) is v'Mv >= 0 for all v where it is asked, and its principal minors where it is given; pd(M) likewise. All of
this is equivalent to what was typed. What is given is said once more of v and of vectors across it, which adds nothing
at any point but is what a proof needs.
"""

from __future__ import annotations

import itertools
import re
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import partial

import sympy as sp

from theory.prover.typed.formula import FormulaError, read_expression
from theory.prover.typed.parts import CONSTANTS, FUNCTIONS

SCALARS = ("trace", "det", "frobenius", "eigmax", "eigmin")
RELATIONS = ("psd", "pd")
KINDS = ("symmetric", "psd", "pd")
"""What a named matrix may be declared as."""

DECLARED = re.compile(rf"\s*({'|'.join(KINDS)})\s*\(\s*(\w+)\s*\)\s*")
_WORD = re.compile(r"[A-Za-z_]\w*")
_TOKEN = re.compile(r"\s*(?:(\d+\.?\d*(?:[eE][+-]?\d+)?|\.\d+)|([A-Za-z_]\w*)|(\*\*|[-+*/^()\[\],!]))")
_SIGN = re.compile(r"<=|>=|==|<|>|=")
_CALL = re.compile(rf"\b({'|'.join((*SCALARS, *RELATIONS))})\s*\(")
_ROWS = re.compile(r"\[\s*\[")
_MOST_POWER = 3

Rows = tuple[tuple[str, ...], ...]


@dataclass(frozen=True)
class Written:
    """A statement without matrices."""

    statement: str
    pairs: list[tuple[str, str]]
    given: list[str]
    dropped: frozenset[str] = frozenset()
    """Names of lists and of a size that no longer stand in it."""
    whole: frozenset[str] = frozenset()
    """Names of whole numbers among the pairs."""
    note: str = ""
    """What is said of it behind what was typed."""


def closing(text: str, at: int) -> int:
    """The place of what closes the bracket that opens at a place. Raises FormulaError."""
    depth = 0
    for place in range(at, len(text)):
        depth += (text[place] in "([") - (text[place] in ")]")
        if depth == 0:
            return place
    raise FormulaError(f"statement must close what it opens, got {text[at]!r} at column {at + 1}")


def written_out(
    statement: str, matrices: Mapping[str, tuple[str, str]], given: Sequence[str], taken: Sequence[str]
) -> Written | None:
    """What a statement says of the entries of its matrices; None where it has no matrix that is to be written out.

    Args:
        matrices: name -> kind and size, of named ones.
        taken: names that have a range.

    Raises:
        FormulaError: on a matrix that is not square, not symmetric, of another size, or where none may stand.
    """
    texts = [statement, *[g for g in given if isinstance(g, str)]]
    found = [name for text in texts for name in _CALL.findall(text)]
    sizes = {int(size) for _, size in matrices.values()} | set(_literal_sizes(texts))
    if not matrices and (not found or (sizes == {2} and set(found) <= {"eigmax", "eigmin"})):
        return None
    if len(sizes) != 1 or not sizes <= {2, 3}:
        raise FormulaError(f"matrices must be of one size, 2 or 3, or n in symmetric(n), got {sorted(sizes) or 'none'}")
    return _Writer(sizes.pop(), dict(matrices), taken, texts).statement(statement, given)


def at_size(
    size: int, statement: str, matrices: Mapping[str, tuple[str, str]], given: Sequence[str], taken: Sequence[str]
) -> tuple[Written, bool, bool]:
    """A statement written out at a size, with named matrices.

    Returns:
        What it says, whether each greatest eigenvalue stands for any number that is no less, and whether it asks
        something of all vectors.
    """
    writer = _Writer(size, dict(matrices), taken, [statement, *given])
    written = writer.statement(statement, given)
    return written, not writer.pinned, bool(writer.vector)


def multiplied(text: str, names: Collection[str], size: int, left: Sequence[str], right: Sequence[str]) -> str:
    """x'My of a combination of named matrices, whose entries stand as A[1,2], with the coordinates of both vectors."""
    places = range(1, size + 1)
    named = {name: tuple(tuple(f"{name}[{i},{j}]" for j in places) for i in places) for name in names}
    rows = _Matrix(text, named, size).whole()
    parts = [
        f"({e})*({a})*({b})"
        for row, a in zip(rows, left, strict=True)
        for e, b in zip(row, right, strict=True)
        if "0" not in (e, a, b)
    ]
    return " + ".join(parts) or "0"


def _literal_sizes(texts: Sequence[str]) -> Iterator[int]:
    """How many rows the matrices have that are typed as [[a, b], [b, c]]."""
    for text in texts:
        for opened in _ROWS.finditer(text):
            yield len(list(split(text[opened.start() + 1 : closing(text, opened.start())])))


def bare(text: str, characters: str) -> Iterator[int]:
    """Where one of these characters stands outside of brackets."""
    depth = 0
    for place, character in enumerate(text):
        depth += (character in "([") - (character in ")]")
        if depth == 0 and character in characters:
            yield place


def parts_at(text: str, places: Iterable[int]) -> Iterator[str]:
    """The parts of a text between these places."""
    start = 0
    for place in places:
        yield text[start:place]
        start = place + 1
    yield text[start:]


def split(text: str) -> Iterator[str]:
    """The parts between commas outside of brackets."""
    return parts_at(text, bare(text, ","))


def terms(text: str) -> list[str]:
    """The parts between + and - outside of brackets and exponents."""
    before = {place: text[:place].rstrip()[-1:] for place in bare(text, "+-")}
    return list(parts_at(text, (place for place, last in before.items() if last and last not in "+-*/^(")))


def _joined(sign: str, *parts: str) -> str:
    return sign.join(part if _WORD.fullmatch(part) or part.isdigit() else f"({part})" for part in parts)


def _added(parts: Sequence[str]) -> str:
    """A sum without what is 0."""
    left = [part for part in parts if part not in ("0", "(0)")]
    return " + ".join(left) or "0"


def _times(a: str, b: str) -> str:
    if "0" in (a, b):
        return "0"
    return b if a == "1" else a if b == "1" else _joined("*", a, b)


def _over(e: str, under: str) -> str:
    return "0" if e == "0" else _joined("/", e, under)


def _minus(e: str) -> str:
    return "0" if e == "0" else f"(-{e})" if _WORD.fullmatch(e) else f"(-({e}))"


def _difference(right: str, left: str) -> str:
    """right - left, without a 0."""
    right, left = (side.strip() for side in (right, left))
    bare = left.strip("() ")
    return f"({right})" if bare == "0" else f"({right} - ({left}))"


def _each(function: Callable[..., str], *matrices: Rows) -> Rows:
    """A function of the entries of matrices, entry by entry."""
    return tuple(tuple(map(function, *rows)) for rows in zip(*matrices, strict=True))


class _Matrix:
    """A text of scalars and matrices, token by token."""

    def __init__(self, text: str, named: Mapping[str, Rows], size: int) -> None:
        self.text, self.named, self.size, self.place = text, named, size, 0
        self.one: Rows = tuple(tuple("1" if i == j else "0" for j in range(size)) for i in range(size))
        self.token = ""
        self.advance()

    def refuse(self, rule: str) -> FormulaError:
        return FormulaError(f"matrix {rule}, got {self.token or 'the end'!r} in {self.text.strip()[:60]!r}")

    def advance(self) -> None:
        found = _TOKEN.match(self.text, self.place)
        if found is None and self.text[self.place :].strip():
            self.token = self.text[self.place :].strip()[0]
            raise self.refuse("must be made of numbers, names, + - * / ^ ( ) and [ ]")
        self.token = found[0].strip() if found else ""
        self.place = found.end() if found else len(self.text)

    def take(self, token: str) -> None:
        if self.token != token:
            raise self.refuse(f"must have {token!r} here")
        self.advance()

    def whole(self) -> Rows:
        """The matrix that the whole text is."""
        found = self.sum()
        if self.token:
            raise self.refuse("must end")
        if isinstance(found, str):
            raise FormulaError(
                f"trace, det, eigmax, psd and the like must be of a matrix, got {self.text.strip()[:60]!r}"
            )
        return found

    def sum(self) -> str | Rows:
        left = self.product()
        while self.token in ("+", "-"):
            sign = self.token
            self.advance()
            right = self.product()
            if isinstance(left, str) != isinstance(right, str):
                raise FormulaError(f"matrix must be added to a matrix (c*I, not c), got {self.text.strip()[:60]!r}")
            if isinstance(left, str) or isinstance(right, str):
                left = f"{left} {sign} ({right})"
            elif sign == "+":
                left = _each(lambda a, b: _added([a, b]), left, right)
            else:
                left = _each(lambda a, b: a if b == "0" else f"{a} - ({b})", left, right)
        return left

    def product(self) -> str | Rows:
        left = self.unary()
        while self.token in ("*", "/"):
            sign = self.token
            self.advance()
            right = self.unary()
            if sign == "/":
                if not isinstance(right, str):
                    raise self.refuse("must not be divided by")
                left = _over(left, right) if isinstance(left, str) else _each(partial(_over, under=right), left)
            else:
                left = self.multiplied(left, right)
        return left

    def multiplied(self, left: str | Rows, right: str | Rows) -> str | Rows:
        if isinstance(left, str) and isinstance(right, str):
            return _times(left, right)
        if isinstance(left, str) or isinstance(right, str):
            c, rows = (left, right) if isinstance(left, str) else (right, left)
            return _each(partial(_times, c), rows)  # type: ignore[arg-type]
        columns = list(zip(*right, strict=True))
        return tuple(
            tuple(_added([f"({_times(a, b)})" for a, b in zip(row, c, strict=True)]) for c in columns) for row in left
        )

    def unary(self) -> str | Rows:
        if self.token not in ("+", "-"):
            return self.power()
        sign = self.token
        self.advance()
        found = self.unary()
        if sign == "+":
            return found
        return f"-({found})" if isinstance(found, str) else _each(_minus, found)

    def power(self) -> str | Rows:
        base = self.atom()
        if self.token not in ("^", "**"):
            return base
        self.advance()
        if isinstance(base, str):
            return f"({base})^({self.unary()})"
        if not self.token.isdigit() or not 1 <= int(self.token) <= _MOST_POWER:
            raise self.refuse(f"must have a power from 1 to {_MOST_POWER}")
        found: str | Rows = base
        for _ in range(int(self.token) - 1):
            found = self.multiplied(found, base)
        self.advance()
        return found

    def atom(self) -> str | Rows:
        token = self.token
        if token == "(":
            self.advance()
            found = self.sum()
            self.take(")")
            return f"({found})" if isinstance(found, str) else found
        if token == "[":
            return self.literal()
        if token in ("", ")", "]", ",", "*", "/", "^", "**", "!"):
            raise self.refuse("must have a number, a name or a matrix here")
        self.advance()
        if token in self.named:
            return self.named[token]
        if token == "I":
            return self.one
        if self.token == "(" and _WORD.fullmatch(token):
            start = self.text.rfind("(", 0, self.place)
            end = closing(self.text, start)
            self.place = end + 1
            self.advance()
            return f"{token}{self.text[start : end + 1]}"
        return token

    def literal(self) -> Rows:
        """[[a, b], [b, c]]."""
        start = self.text.rfind("[", 0, self.place)
        end = closing(self.text, start)
        rows = [row.strip() for row in split(self.text[start + 1 : end])]
        if not all(row.startswith("[") and row.endswith("]") for row in rows):
            raise self.refuse("must have rows, [[a, b], [b, c]]")
        found = tuple(tuple(e.strip() for e in split(row[1:-1])) for row in rows)
        if any(len(row) != len(found) or not all(row) for row in found) or len(found) != self.size:
            raise self.refuse(f"must have {self.size} rows of {self.size} entries")
        self.place = end + 1
        self.advance()
        return found


@dataclass
class _Writer:
    """One statement that is written out."""

    size: int
    kinds: dict[str, tuple[str, str]]
    taken: Sequence[str]
    texts: Sequence[str]
    named: dict[str, Rows] = field(default_factory=dict)
    pairs: list[tuple[str, str]] = field(default_factory=list)
    more: list[str] = field(default_factory=list)
    values: dict[str, Rows] = field(default_factory=dict)
    held: list[Rows] = field(default_factory=list)
    pinned: set[str] = field(default_factory=set)
    vector: tuple[str, ...] = ()

    def __post_init__(self) -> None:
        places = range(1, self.size + 1)
        words = {*self.taken, *[word for text in self.texts for word in _WORD.findall(text)]}
        for name in self.kinds:
            entries = [f"{name}{i}{j}" for i in places for j in places if i <= j]
            if clash := next((e for e in entries if e in words), None):
                raise FormulaError(f"entries of {name} must have free names, got {clash}; write {name}[i,j]")
            self.pairs += [(entry, "-oo:oo") for entry in entries]
            self.named[name] = tuple(tuple(f"{name}{min(i, j)}{max(i, j)}" for j in places) for i in places)
        self.words = words | {name for name, _ in self.pairs}

    def fresh(self, stem: str) -> str:
        """A free name for any real number."""
        name = next(f"{stem}{k}" for k in itertools.count(1) if f"{stem}{k}" not in self.words)
        self.words.add(name)
        self.pairs.append((name, "-oo:oo"))
        return name

    def statement(self, statement: str, given: Sequence[str]) -> Written:
        """What is asked, with what is given and the ranges of all entries."""
        given = [f"{kind}({name})" for name, (kind, _) in self.kinds.items() if kind in RELATIONS] + list(given)
        conditions = [self.condition(text) if isinstance(text, str) else [text] for text in given]
        goal = self.goal(self.plain(statement))
        for name, rows in self.values.items():
            self.more += [f"{minor} >= 0" for minor in self.minors(self.beyond(name, rows))]
            self.held.append(self.beyond(name, rows))
        for vector in self.around():
            self.more += [f"{self.form(rows, vector)} >= 0" for rows in self.held]
        if self.size == 3 and not self.vector and re.search(r"\bdet\s*\(", statement):
            self.more += [f"{self.form(rows, vector)} >= 0" for rows in self.held for vector in _of_entries(rows)]
        return Written(goal, self.pairs, [g for part in conditions for g in part] + self.more)

    # -------------------------------------------------------------------------------------------------- what is asked

    def goal(self, text: str) -> str:
        """The statement, with a vector where one is needed."""
        if asked := self.relation(text):
            kind, rows = asked
            self.vector = tuple(self.fresh("v") for _ in range(self.size))
            self.more += [f"{self.square()} > 0"] if kind == "pd" else []
            return f"{self.form(rows, self.vector)} {'>' if kind == 'pd' else '>='} 0"
        sides, sign = self.sides(text)
        if sign in ("==", "="):
            for name in list(self.values):
                self.pin(name)
            return text
        left, right = sides if sign in ("<=", "<") else sides[::-1]
        below = [name for name in self.values if self.way(left, right, name) != 1]
        linear = [name for name in below if name not in self.pinned and self.slope(left, right, name) is not None]
        chosen = linear[0] if linear else None
        for name in below:
            if name != chosen:
                self.pin(name)
        if chosen is None:
            return text
        weight, rows = self.slope(left, right, chosen), self.values.pop(chosen)
        self.pairs.remove((chosen, "-oo:oo"))
        self.vector = tuple(self.fresh("v") for _ in range(self.size))
        strict = sign in ("<", ">")
        self.more += [f"{self.square()} > 0"] if strict else []
        left, right = (re.sub(rf"\b{chosen}\b", "0", side) for side in (left, right))
        rest = _difference(right, left)
        form = self.form(rows, self.vector)
        return f"{form if weight == 1 else f'({weight})*({form})'} {'<' if strict else '<='} {rest}*({self.square()})"

    def sides(self, text: str) -> tuple[list[str], str]:
        """Both sides of the one relation of a text, and the sign between them."""
        signs = _SIGN.findall(text)
        if len(signs) != 1:
            raise FormulaError(f"statement with matrices must be one relation, got {len(signs)} signs in {text[:60]!r}")
        return _SIGN.split(text), signs[0]

    def gap(self, left: str, right: str) -> sp.Expr | None:
        """The greater side less the lesser one; None where lists stand in them."""
        free = self.words.intersection(_WORD.findall(f"{left} {right}")).difference(FUNCTIONS, CONSTANTS, ("I", "oo"))
        names = {word: sp.Symbol(word, real=True) for word in sorted(free)}
        try:
            return read_expression(f"({right}) - ({left})", names)
        except FormulaError:
            return None

    def way(self, left: str, right: str, name: str) -> int:
        """1 where the statement is helped by more of a name, -1 by less, 0 where that is not seen."""
        e = self.gap(left, right)
        return 0 if e is None else _way(e, sp.Symbol(name, real=True))

    def slope(self, left: str, right: str, name: str) -> sp.Rational | None:
        """The weight w > 0 with which a name is taken off, where it is a number."""
        e = self.gap(left, right)
        slope = sp.nan if e is None else sp.expand(sp.diff(e, sp.Symbol(name, real=True)))
        return -slope if slope.is_Rational and slope < 0 else None

    def pin(self, name: str) -> None:
        """Say that a name, which is no less than an eigenvalue, is one."""
        if name in self.pinned:
            return
        self.pinned.add(name)
        self.more.append(f"{_det(self.beyond(name, self.values[name]))} = 0")

    # -------------------------------------------------------------------------------------------------- what is given

    def condition(self, text: str) -> list[str]:
        """What a condition says."""
        text = self.plain(text)
        if asked := self.relation(text):
            kind, rows = asked
            self.held.append(rows)
            return [f"{minor} {'>' if kind == 'pd' else '>='} 0" for minor in self.minors(rows)]
        names = [name for name in self.values if re.search(rf"\b{name}\b", text)]
        found = []
        if names and len(_SIGN.findall(text)) == 1:
            sides, sign = self.sides(text)
            left, right = sides if sign in ("<=", "<") else sides[::-1]
            for name in names:  # eigmax(M) <= c says that some mu <= c is no less than it, but mu is any number here
                is_tied = len(names) > 1 or sign in ("==", "=") or name in self.pinned
                weight = None if is_tied else self.slope(left, right, name)
                if weight is None:
                    self.pin(name)
                    continue
                rows = self.values.pop(name)
                self.pairs.remove((name, "-oo:oo"))
                left, right = (re.sub(rf"\b{name}\b", "0", side) for side in (left, right))
                most = self.beyond(f"{_difference(right, left)}/({weight})", rows)
                self.held.append(most)
                found = [f"{minor} {'>' if sign in '<>' else '>='} 0" for minor in self.minors(most)]
            return found or [text]
        for name in names:
            self.pin(name)
        return [text]

    # ------------------------------------------------------------------------------------------------------- matrices

    def plain(self, text: str) -> str:
        """A text in which formulas and names stand for functions of matrices, but for psd and pd."""
        for found in reversed(list(_CALL.finditer(text))):
            if found[1] in RELATIONS:
                continue
            end = closing(text, found.end() - 1)
            text = text[: found.start()] + self.scalar(found[1], self.rows(text[found.end() : end])) + text[end + 1 :]
        return self.with_entries(text)

    def with_entries(self, text: str) -> str:
        """A text in which names stand for A[1,2]."""
        if not self.named:
            return text
        return re.sub(rf"\b({'|'.join(self.named)})\s*\[\s*(\d)\s*,\s*(\d)\s*\]", self.entry, text)

    def entry(self, found: re.Match[str]) -> str:
        """A[1,2]."""
        i, j = int(found[2]), int(found[3])
        if not 1 <= min(i, j) <= max(i, j) <= self.size:
            raise FormulaError(f"entries of {found[1]} must be at 1 to {self.size}, got {found[0]}")
        return self.named[found[1]][i - 1][j - 1]

    def rows(self, text: str) -> Rows:
        """A symmetric matrix."""
        rows = _Matrix(self.with_entries(text), self.named, self.size).whole()
        for i, j in itertools.combinations(range(self.size), 2):
            e = None if rows[i][j] == rows[j][i] else self.gap(rows[i][j], rows[j][i])
            if (e is not None and sp.expand(e) != 0) or (e is None and rows[i][j] != rows[j][i]):
                raise FormulaError(f"matrix must be symmetric, [[a, b], [b, c]], got {rows[i][j]} and {rows[j][i]}")
        return rows

    def scalar(self, function: str, rows: Rows) -> str:
        """A function of a matrix."""
        if function == "trace":
            return f"({_added([f'({rows[i][i]})' for i in range(self.size)])})"
        if function == "det":
            return f"({_det(rows)})"
        if function == "frobenius":
            return f"sqrt({_added([_joined('^', e, '2') for row in rows for e in row if e != '0'])})"
        if function == "eigmin":
            rows = _each(_minus, rows)
        known = next((name for name, other in self.values.items() if other == rows), None)
        name = known or self.fresh("eig")
        self.values[name] = rows
        return f"({name})" if function == "eigmax" else f"(-{name})"

    def relation(self, text: str) -> tuple[str, Rows] | None:
        """psd(M) or pd(M), where a text is that."""
        found = _CALL.match(text.strip())
        if found is None or found[1] not in RELATIONS:
            if any(name in RELATIONS for name in _CALL.findall(text)):
                raise FormulaError(f"psd and pd must stand alone, got {text[:60]!r}")
            return None
        text = text.strip()
        if closing(text, found.end() - 1) != len(text) - 1:
            raise FormulaError(f"psd and pd must stand alone, got {text[:60]!r}")
        return found[1], self.rows(text[found.end() : -1])

    def beyond(self, value: str, rows: Rows) -> Rows:
        """value*I - M."""
        return tuple(
            tuple(f"{value} - ({e})" if i == j else _minus(e) for j, e in enumerate(row)) for i, row in enumerate(rows)
        )

    def minors(self, rows: Rows) -> list[str]:
        """All principal minors."""
        sets = [s for k in range(1, self.size + 1) for s in itertools.combinations(range(self.size), k)]
        return [_det(tuple(tuple(rows[i][j] for j in s) for i in s)) for s in sets]

    def square(self) -> str:
        """v'v."""
        return _added([f"{v}^2" for v in self.vector])

    def form(self, rows: Rows, vector: Sequence[str]) -> str:
        """v'Mv."""
        parts = []
        for i, j in itertools.combinations_with_replacement(range(len(rows)), 2):
            if rows[i][j] == "0" or "0" in (vector[i], vector[j]):
                continue
            e = "" if rows[i][j] == "1" else f"({rows[i][j]})*"
            parts.append(f"{e}{vector[i]}^2" if i == j else f"2*{e}{vector[i]}*{vector[j]}")
        return _added(parts)

    def around(self) -> list[tuple[str, ...]]:
        """The vector, and those across it to each axis: their forms add up to trace(M) v'v - v'Mv."""
        if not self.vector:
            return []
        if self.size == 1:
            return [self.vector]
        if self.size == 2:
            a, b = self.vector
            return [self.vector, (f"(-{b})", a)]
        a, b, c = self.vector
        return [self.vector, ("0", f"(-{c})", b), (c, "0", f"(-{a})"), (f"(-{b})", a, "0")]


def _of_entries(rows: Rows) -> list[tuple[str, ...]]:
    """Vectors of entries of a matrix of size 3, whose forms are what its determinant falls short of a product by."""
    (_, d, e), (_, _, f), _ = rows
    return [("0", f"({e})", _minus(d)), (f"({f})", "0", _minus(d)), (f"({f})", _minus(e), "0")]


def _way(e: sp.Expr, s: sp.Symbol) -> int:
    """1 where an expression never falls as s grows, -1 where it never rises, 0 where neither is seen; 1 without s."""
    if e == s or s not in e.free_symbols:
        return 1
    parts = [part for part in e.args if s in part.free_symbols]
    if isinstance(e, sp.Add | sp.Max | sp.Min | sp.exp):
        ways = {_way(part, s) for part in parts}
        return ways.pop() if len(ways) == 1 else 0
    if isinstance(e, sp.Mul) and len(parts) == 1:
        c = sp.Mul(*[part for part in e.args if part != parts[0]])
        c = sp.expand(c)  # (x*x).is_nonnegative is not known of a product as it was written
        return _way(parts[0], s) * (1 if c.is_nonnegative else -1 if c.is_nonpositive else 0)
    return 0


def _det(rows: Rows) -> str:
    """A determinant, by its first row."""
    if len(rows) == 1:
        return rows[0][0]
    parts = []
    for j, e in enumerate(rows[0]):
        rest = tuple(tuple(row[k] for k in range(len(rows)) if k != j) for row in rows[1:])
        inner = _det(rest)
        if "0" not in (e, inner):
            sign = "-1*" if j % 2 else ""
            parts.append(f"{sign}({e})*({inner})")
    return _added(parts)
