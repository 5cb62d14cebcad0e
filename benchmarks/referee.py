"""A second referee for leaves of proofs: `python -m benchmarks.referee [--work DIR] [--write]`; part of `make kernel`.

A proof ends in leaves, each a bound: e > 0, or e >= 0, at every point of a box. Our checker has seen each of them by
its own arithmetic. Here LeanCert, whose checker is compiled from Lean, is asked for the same bound: e >= c with a
rational c, which is 0, or a number > 0 where the bound is strict. Its wheel has all it needs; nothing is downloaded.

The expression goes over term by term, without its simplifier. Where one enclosure is too wide the box is cut in two,
here, and every piece is asked for; so confirmed means that Lean's checker has seen all pieces. Refused means that it
encloses a value below 0 at a point of the leaf: then one of the two is wrong.

Who confirms everything is no referee, so of each proof with a confirmed leaf the first one is planted false as well:
the bound is moved past the value in the middle of the box. Where that is confirmed the run fails.
"""

from __future__ import annotations

import argparse
import importlib
import importlib.metadata
import resource
import sys
import tempfile
from collections import Counter, deque
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from fractions import Fraction
from pathlib import Path
from typing import Any
from unittest.mock import patch

from flint import arb, ctx, fmpq

from benchmarks.kernel import CORPORA, RESULTS, records
from benchmarks.peer_smt import CannotState
from theory.checker import steps
from theory.checker.enclosure import SymbolRange, enclose
from theory.checker.goal import ReplayGoal, Step, place_of
from theory.checker.nodes import MINUS_ONE, Node, add, mul, number
from theory.checker.replay import replay
from theory.checker.walks import symbols

PAGE = RESULTS.with_name("referee.md")
LEAVES = ("interval", "infeasible", "mean", "shift")
"""Steps that end a proof with a bound over their box, without a proof inside."""
MARGIN = Fraction(1, 2**30)
"""What e is to exceed where it is strict; less where our own enclosure does not reach so far above 0."""
PIECES = 64
"""Of one leaf, at most: then it is left undecided."""
SECONDS = 5
"""CPU seconds of LeanCert for one leaf."""
MAX_POWER = 64
MAX_DIGITS = 100_000
"""Of the numbers of an enclosure, which are exact and may become long."""
ANSWERS = ("confirmed", "confirmed in pieces", "refused", "undecided", "not stated")
_FUNCTIONS = {
    "sin": "sin", "cos": "cos", "atan": "atan", "exp": "exp", "log": "log", "sinh": "sinh", "cosh": "cosh",
    "tanh": "tanh", "erf": "erf", "Abs": "abs",
}  # fmt: skip


@dataclass(frozen=True)
class Leaf:
    """e > 0 (strict) or e >= 0 at every point of the box; `step` is what showed it."""

    step: str
    e: Node
    strict: bool
    box: Mapping[Node, SymbolRange]

    @property
    def key(self) -> tuple[Any, ...]:
        """Equal for leaves that say the same."""
        return self.e, self.strict, tuple(sorted((x.data.name, str(r)) for x, r in self.box.items()))


def leaves_of(record: dict[str, Any]) -> list[Leaf]:
    """The leaves of a proof as the checker passed them, each once. Raises InvalidRecord where it refuses the proof."""
    found: dict[tuple[Any, ...], Leaf] = {}

    def noting(name: str, step: Any) -> Any:
        def noted(node: Step, goal: ReplayGoal) -> None:
            step(node, goal)
            leaf = _leaf(name, node, goal)
            found.setdefault(leaf.key, leaf)

        return noted

    with patch.dict(steps._STEPS, {name: noting(name, steps._STEPS[name]) for name in LEAVES}):
        replay(record)
    return list(found.values())


def _leaf(name: str, node: Step, goal: ReplayGoal) -> Leaf:
    """What a step showed: of its goal, or, where no point meets a given, of the given."""
    e, strict = goal.e, goal.strict
    if name == "infeasible":
        given, is_strict = goal.given[place_of(node["given"], goal.given)]
        e, strict = mul(MINUS_ONE, given), not is_strict
    return Leaf(name, e, strict, {x: goal.box[x] for x in sorted(symbols(e), key=str)})


# ------------------------------------------------------------------------------------------------------ to LeanCert


def fraction(q: fmpq) -> Fraction:
    """An exact number."""
    return Fraction(int(q.p), int(q.q))


def lean_expression(lean: Any, e: Node, box: Mapping[Node, SymbolRange]) -> Any:
    """An expression of the checker in LeanCert's. Raises CannotState on what it has not."""
    if e.kind == "number":
        return lean.const(fraction(e.data))
    if e.kind == "symbol":
        return lean.var(_name(e, box))
    if e.kind == "constant":
        raise CannotState(f"no constant {e.data}")
    if e.kind == "pow":
        return _lean_power(lean, e.args[0], e.args[1], box)
    if e.kind not in ("add", "mul", "Max", "Min", *_FUNCTIONS):
        raise CannotState(f"no {e.kind}")
    first, *others = [lean_expression(lean, part, box) for part in e.args]
    if e.kind in _FUNCTIONS:
        return getattr(lean, _FUNCTIONS[e.kind])(first)
    for part in others:
        if e.kind == "add":
            first = first + part
        elif e.kind == "mul":
            first = first * part
        else:
            first = getattr(lean, e.kind)(first, part)
    return first * lean.const(fraction(e.data)) if e.kind == "mul" and e.data != 1 else first


def _name(symbol: Node, box: Mapping[Node, SymbolRange]) -> str:
    return f"v{sorted(box, key=str).index(symbol)}"


def _lean_power(lean: Any, base: Node, exponent: Node, box: Mapping[Node, SymbolRange]) -> Any:
    inner = lean_expression(lean, base, box)
    if exponent.kind == "number" and exponent.data.q <= 2 and abs(exponent.data.p) <= MAX_POWER:
        raised = inner if exponent.data.q == 1 else lean.sqrt(inner)
        n = abs(int(exponent.data.p))
        raised = raised if n == 1 else raised**n
        return lean.inv(raised) if exponent.data < 0 else raised
    if not enclose(base, dict(box)).low > 0:
        raise CannotState("no such power of what may be 0")
    return lean.exp(lean_expression(lean, exponent, box) * lean.log(inner))


def lean_box(leaf: Leaf) -> dict[str, tuple[Fraction, Fraction]]:
    """The ranges of a leaf with closed ends: what holds there holds in the leaf. Raises CannotState on a half-line."""
    if not all(r.is_bounded for r in leaf.box.values()):
        raise CannotState("no half-lines")
    return {_name(x, leaf.box): (fraction(r.low), fraction(r.high)) for x, r in leaf.box.items()}


def least(leaf: Leaf) -> Fraction:
    """The c of e >= c: 0, or a number > 0, which shows e > 0. Raises CannotState where e nears 0 at an open end."""
    if not leaf.strict:
        return Fraction(0)
    low = enclose(leaf.e, dict(leaf.box)).low
    if leaf.step == "interval" and not low > 0:
        raise CannotState("no bound above 0, as an open end alone keeps it from 0")
    c = MARGIN
    while low > 0 and arb(fmpq(c.numerator, c.denominator)) * 1024 > low and c.denominator < 2**1000:
        c /= 1024
    return c


class Referee:
    """LeanCert's checker, started when it is first asked, with a limit of CPU seconds for each leaf."""

    def __init__(self, seconds: float = SECONDS) -> None:
        self.lean = importlib.import_module("leancert")
        self._client = self.lean.LeanClient()
        self._solver = self.lean.Solver(self._client, auto_simplify=False, auto_affine=False)
        self._seconds = seconds

    def close(self) -> None:
        """End its process."""
        self._client.close()

    def judged(self, leaf: Leaf) -> tuple[str, str]:
        """One of ANSWERS, and why where it is none of the first two."""
        try:
            e, box, c = lean_expression(self.lean, leaf.e, leaf.box), lean_box(leaf), least(leaf)
        except CannotState as error:
            return "not stated", str(error)
        try:
            self._limit()
            return self._asked(leaf, e, box, c)
        except self.lean.BridgeError as error:  # it was ended, or has no such function
            self._client.close()
            return "undecided", "no end in time" if "died" in str(error) else str(error)[:60]
        except ValueError as error:  # Python reads no whole number of so many digits
            if "digits" not in str(error):
                raise
            return "undecided", "its enclosure has ends of very many digits"

    def _limit(self) -> None:
        """So many seconds from now on, of its process; the last one's may have ended."""
        process = self._client._ensure_process()
        fields = Path(f"/proc/{process.pid}/stat").read_text(encoding="utf-8").rpartition(")")[2].split()
        spent = (int(fields[11]) + int(fields[12])) / 100
        most = resource.prlimit(process.pid, resource.RLIMIT_CPU)[1]
        resource.prlimit(process.pid, resource.RLIMIT_CPU, (int(spent + self._seconds) + 1, most))

    def _asked(self, leaf: Leaf, e: Any, box: dict[str, tuple[Fraction, Fraction]], c: Fraction) -> tuple[str, str]:
        waiting, n_asked = deque([box]), 0
        while waiting:
            piece = waiting.popleft()
            n_asked += 1
            said = self._solver.verify_bound(e, _asked_box(piece), lower=c)
            if isinstance(said, self.lean.Verified):
                continue
            if self._is_below(leaf, e, piece):
                return "refused", f"below 0 in {piece}"
            widest = max(piece, key=lambda name: piece[name][1] - piece[name][0], default="")
            if not widest or piece[widest][0] == piece[widest][1]:
                return "undecided", "its enclosure of one point is too wide"
            if n_asked + len(waiting) + 2 > PIECES:
                is_wide = isinstance(said, self.lean.Inconclusive)
                return "undecided", f"its enclosures of {PIECES} pieces are too wide" if is_wide else said.reason
            low, high = piece[widest]
            middle = (low + high) / 2
            waiting += [piece | {widest: (low, middle)}, piece | {widest: (middle, high)}]
        return ("confirmed" if n_asked == 1 else "confirmed in pieces"), ""

    def _is_below(self, leaf: Leaf, e: Any, piece: dict[str, tuple[Fraction, Fraction]]) -> bool:
        """Whether it encloses a value < 0, at the middle of a piece, if that is a point of the leaf."""
        at = {name: (low + high) / 2 for name, (low, high) in piece.items()}
        if any(r.is_integer and at[_name(x, leaf.box)].denominator != 1 for x, r in leaf.box.items()):
            return False
        point = {name: (value, value) for name, value in at.items()}
        checks = self._solver.verify_bound(e, _asked_box(point), lower=Fraction(0)).checks
        return all(one.status != "domain_obstruction" and one.enclosure.hi < 0 for one in checks)


def _asked_box(piece: dict[str, tuple[Fraction, Fraction]]) -> dict[str, tuple[Fraction, Fraction]]:
    """A box for LeanCert, which asks for one symbol at least."""
    return piece or {"none": (Fraction(0), Fraction(0))}


def planted(leaf: Leaf) -> Leaf:
    """The leaf with its bound moved past the value of e in the middle of the box, by 2^-10 or a little more.

    e has a bounded enclosure there; ValueError else.
    """
    middle = {x: _at((r.low + r.high) / 2 if not r.is_integer else r.low) for x, r in leaf.box.items()}
    high = enclose(leaf.e, middle).high
    if not high.is_finite():
        raise ValueError(f"{leaf.e} has no bounded enclosure in the middle of its box")
    above = fmpq(int((high * 2**10).ceil().unique_fmpz()) + 1, 2**10)
    return Leaf("planted", add(leaf.e, number(-above)), False, leaf.box)


def _at(value: fmpq) -> SymbolRange:
    return SymbolRange(value, value)


# -------------------------------------------------------------------------------------------------------- the counts


def judged_records(
    work: Path, seconds: float, corpora: list[str], referee: Referee
) -> Iterator[tuple[str, str, Leaf, tuple[str, str], str]]:
    """Corpus, name, leaf, what is said of it, and what of the planted one beside it ("" where there is none)."""
    for corpus, name, word, record in records(work, seconds, corpora):
        if word != "proved":
            continue
        is_planted = False
        for leaf in leaves_of(record):
            said, beside = referee.judged(leaf), ""
            if _is_confirmed(said[0]) and not is_planted:
                beside, is_planted = referee.judged(planted(leaf))[0], True
            yield corpus, name, leaf, said, beside


def page(rows: list[tuple[str, str, Leaf, tuple[str, str], str]], version: str) -> str:
    """The counts by corpus, by step, and why leaves are undecided or not stated."""
    plants = Counter(row[4] for row in rows if row[4])
    bare = [row for row in rows if row[2].e.weight == 1]
    lines = [
        "# Leaves of proofs before a second referee",
        "",
        "Written by `make kernel` (`python -m benchmarks.referee --write`): every leaf of every proof that is a bound "
        f"over a box is asked of the checker of LeanCert {version}, compiled from Lean, with {SECONDS} CPU seconds and "
        f"{PIECES} pieces at most. Leaves of a proof that say the same count once. Not among them: leaves that are "
        "identities, limits or expansions, and what a step asks of an enclosure on its way. "
        f"{len(bare)} leaves bound a number or a symbol alone; {sum(_is_confirmed(row[3][0]) for row in bare)} of "
        "these are confirmed.",
        "",
        *_heading("corpus"),
        *(_line(title, [row for row in rows if row[0] == corpus]) for corpus, title in CORPORA.items()),
        _line("**all**", rows),
        "",
        *_heading("step"),
        *(_line(step, [row for row in rows if row[2].step == step]) for step in LEAVES),
        "",
        f"Planted: {plants.total()} confirmed leaves, one a proof, with the bound moved past the value in the middle "
        f"of the box: {plants['refused']} refused, {plants['undecided']} undecided, {_confirmed(plants)} confirmed.",
        "",
        "| not confirmed | why | leaves |",
        "| --- | --- | --- |",
    ]
    for (answer, why), n in Counter(row[3] for row in rows if row[3][0] in ANSWERS[3:]).most_common():
        lines.append(f"| {answer} | {why.replace('|', chr(92) + '|')} | {n} |")
    lines += [f"| refused | {name}: {said[1]} | 1 |" for _, name, _, said, _ in rows if said[0] == "refused"]
    return "\n".join([*lines, ""])


def _heading(of: str) -> tuple[str, str]:
    return f"| {of} | proofs | leaves | {' | '.join(ANSWERS)} |", "| --- " * (3 + len(ANSWERS)) + "|"


def _line(title: str, rows: list[Any]) -> str:
    found = Counter(row[3][0] for row in rows)
    counts = " | ".join(str(found[answer]) for answer in ANSWERS)
    return f"| {title} | {len({row[1] for row in rows})} | {len(rows)} | {counts} |"


def _confirmed(plants: Counter[str]) -> int:
    return sum(n for answer, n in plants.items() if _is_confirmed(answer))


def _is_confirmed(answer: str) -> bool:
    return answer.startswith("confirmed")


def main() -> None:
    """Ask for all leaves, and say how many are confirmed; exit code 1 where one is refused or a planted one is not."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--seconds", type=float, default=20.0, help="of the prover, for a lemma without a record")
    parser.add_argument("--work", type=Path, default=None, help="folder with records, as of benchmarks.kernel")
    parser.add_argument("--corpus", action="append", choices=list(CORPORA), help="repeatable; all by default")
    parser.add_argument("--write", action="store_true", help=f"write {PAGE.name}; of all corpora")
    options = parser.parse_args()
    try:
        referee = Referee()
    except ImportError:
        raise SystemExit("there is no leancert here; 'pip install leancert==0.3.2' brings it (Linux)") from None
    sys.set_int_max_str_digits(MAX_DIGITS)
    rows = []
    with tempfile.TemporaryDirectory() as folder, ctx.workprec(128):
        work = options.work or Path(folder)
        work.mkdir(parents=True, exist_ok=True)
        for row in judged_records(work, options.seconds, options.corpus or list(CORPORA), referee):
            rows.append(row)
            print(f"{row[3][0]:20} {row[2].step:10} {row[1][:70]} {row[3][1]}", flush=True)
    referee.close()
    counts = Counter(row[3][0] for row in rows)
    plants = Counter(row[4] for row in rows if row[4])
    told = ", ".join(f"{answer} {counts[answer]}" for answer in ANSWERS)
    print(f"{told}, of {len(rows)} leaves; planted: {dict(plants)}")
    if options.write and not options.corpus:
        PAGE.write_text(page(rows, importlib.metadata.version("leancert")), encoding="utf-8")
    if counts["refused"] or _confirmed(plants):
        raise SystemExit("the referee refuses a leaf that the checker has passed, or confirms what is planted false")


if __name__ == "__main__":
    main()
