"""Search the ranges of constants: for a choice that serves, and for witnesses that leave no choice.

Pieces of the ranges wait in order of hope: the least margin of the relations at the piece's best choice, over points of
the box that were seen so far. The most hopeful one is taken. If an attack finds a point at which its best choice fails,
that point becomes a witness, and the witnesses are tried on the whole piece; if it finds none, the choice is put to the
prover. A piece that neither settles is cut in two. Hope is a matter of floats; what is proved is not.
"""

from __future__ import annotations

import heapq
import itertools
from collections.abc import Sequence
from fractions import Fraction

import sympy as sp

from theory.intervals.box import Box, at_integers, exact, middle
from theory.prover.certify import StatementSearch
from theory.prover.counterexamples.attack import fits, holds, violates
from theory.prover.existence.hope import Choice, Hope
from theory.prover.existence.parts import ChosenParts, Tree
from theory.prover.existence.question import ExistenceQuestion
from theory.prover.existence.refute import PieceRefuter, fresh_point, samples
from theory.prover.goal import Node
from theory.timeout import cpu_clock, reckon

_PIECES = 600
_DEEPEST = 60
_PROOFS = 12
_MORE = 20
"""Pieces that are still looked at once a choice serves that leaves no point."""
_PROOF_SHARE = 0.3
_PIECE_S = 0.01
"""Seconds at which a piece is reckoned, without proofs and attacks."""
_ELSEWHERE = 2
"""Choices of a piece that are attacked beside its best one."""
_SLIVER = 50
_DENOMINATORS = (12, 1000, 10**6)


class ExistenceSearch:
    """One statement with constants on its way to an answer."""

    def __init__(self, question: ExistenceQuestion, deadline: float, *, asks_checker: bool = False) -> None:
        """`asks_checker`: as in `theory.prover.certify.StatementSearch`."""
        self.question, self.deadline, self.asks_checker = question, deadline, asks_checker
        self.tree = self.at = Tree(at_integers(question.constants))
        self.hope = Hope(question)
        self.refuter = PieceRefuter(question, deadline, asks_checker=asks_checker)
        self.promising: list[Choice] = []
        self.given_up: list[Tree] = []
        self.waiting: list[tuple[tuple[float, float], int, Tree]] = []
        self.numbers = itertools.count()
        self.pieces = self.attacks = self.proofs = 0
        self.note = ""
        self.empty: ChosenParts | None = None  # serves because it leaves no point
        self.enough = _PIECES

    def run(self) -> ChosenParts | Tree | None:
        """A choice with its proofs, a tree without an open piece, or None."""
        self._add(self.tree)
        while self.waiting and self.pieces < self.enough and cpu_clock() < self.deadline:
            score, _, tree = heapq.heappop(self.waiting)
            now = self._score(tree)
            if self.waiting and now > score and now > self.waiting[0][0]:
                heapq.heappush(self.waiting, (now, next(self.numbers), tree))
                continue
            self.pieces, self.at = self.pieces + 1, tree
            reckon(_PIECE_S)
            found = self._settle(tree)
            if found is not None:
                return found
        return self.tree if self.tree.is_refuted else self.empty

    def _settle(self, tree: Tree) -> ChosenParts | None:
        """Put one piece to the attack, the prover or the witnesses; cut it where none of them decides."""
        choice = self.hope.best(tree.piece)
        is_attacked = choice is not None and self._attack(choice)
        tree.leaf = self.refuter.leaf(tree.piece)
        if tree.leaf is None and choice is not None and not is_attacked and self.proofs < _PROOFS:
            found = self._prove(choice)
            if found is not None and not self._is_poor(found):
                return found
        is_infinite = not all(isinstance(end, Fraction) for r in tree.piece.values() for end in (r.low, r.high))
        # Numbers cover a closed range if anything does but where sides touch: there, and only there, pieces get small.
        with_paths = (
            is_infinite or (bool(self.question.such) and tree.depth == 0) or (is_attacked and tree.depth % 5 == 4)
        )
        if tree.leaf is None and is_attacked and self._learn_elsewhere(tree.piece):
            tree.leaf = self.refuter.leaf(tree.piece)
        if tree.leaf is None and with_paths:
            tree.leaf = self.refuter.moving_leaf(tree.piece)
        if tree.leaf is None:
            self._cut(tree, choice)
        return None

    def _learn_elsewhere(self, piece: Box) -> bool:
        """Whether choices of a piece that no witness speaks against gave new ones."""
        count = len(self.refuter.stock)
        unspoken = (c for c in samples(piece, self.question.such) if not self.refuter.speaks_against(c))
        for choice in itertools.islice(unspoken, _ELSEWHERE):
            if cpu_clock() < self.deadline:
                self._attack(choice)
        return len(self.refuter.stock) > count

    def _cut(self, tree: Tree, choice: Choice | None) -> None:
        """Cut a piece in two where it is longest: at its best choice and in the middle in turn.

        At the best choice the witnesses against both sides meet.
        """
        where = _longest(tree.piece)
        if where is not None and choice is not None and tree.depth % 2 == 0:
            where = _at_choice(tree.piece, where, choice)
        if where is None or tree.depth >= _DEEPEST:
            self.given_up.append(tree)
            return
        for part in tree.divide(*where):
            self._add(part)

    def _add(self, tree: Tree) -> None:
        heapq.heappush(self.waiting, (self._score(tree), next(self.numbers), tree))

    def _score(self, tree: Tree) -> tuple[float, float]:
        least, slack = self.hope.margin(tree.piece)
        return -least, -slack

    # ------------------------------------------------------------------------------------------------- one choice

    def _attack(self, choice: Choice) -> bool:
        """Whether points are found at which relations fail with the choice; they become witnesses."""
        relations, given = self.question.chosen(choice)
        self.attacks += 1
        is_hit = False
        for place, relation in enumerate(relations):
            search = StatementSearch(relation, self.question.box, given, self.deadline)
            search.look_for_counterexample()
            point = search.point or self._suspect(search, choice)
            if point is not None:
                self.refuter.learn((place, point))
                self.hope.learn(point)
                is_hit = True
        return is_hit

    def _suspect(self, search: StatementSearch, choice: Choice) -> Choice | None:
        """A point seen before at which the choice fails: of strict givens the search for one comes too near the end."""
        for seen in self.hope.suspects(choice):
            for denominator in _DENOMINATORS:
                point = search.attack.rounded(denominator, seen)
                if search.attack.is_admitted(point) and violates(search.relation, point):
                    return point
        return None

    def _prove(self, choice: Choice) -> ChosenParts | None:
        """The choice with a proof of every relation, or None."""
        if choice in self.promising or not self._is_such(choice):
            return None
        self.proofs += 1
        self.promising.append(choice)
        relations, given = self.question.chosen(choice)
        now = cpu_clock()
        until = now + _PROOF_SHARE * (self.deadline - now)
        bodies: list[Node] = []
        for relation in relations:
            search = StatementSearch(relation, self.question.box, given, until, asks_checker=self.asks_checker)
            body = search.proof()
            if body is None:
                self.note = f"with {_chosen(choice)}: {search.reason}"
                return None
            bodies.append(body)
        empty = None if search.attack.feasible or not given else self._emptiness(given)
        return ChosenParts(choice, tuple(bodies) if empty is None else (empty,) * len(bodies))

    def _emptiness(self, given: tuple[sp.Basic, ...]) -> Node | None:
        """A proof that no point meets the givens, looked for longer: that a choice serves for nothing must be said."""
        body = StatementSearch(sp.false, self.question.box, given, self.deadline).proof()
        return body if body is not None and "vacuous" in body else None

    def _is_poor(self, found: ChosenParts) -> bool:
        """Whether a choice serves because it leaves no point, and another one may leave some."""
        depends = any(g.free_symbols & set(self.question.constants) for g in self.question.given)
        if not depends or not any("vacuous" in body for body in found.bodies):
            return False
        if self.empty is None:
            self.empty, self.enough = found, self.pieces + _MORE
        return True

    def _is_such(self, choice: Choice) -> bool:
        meets = all(self.question.constants[s].contains(_fraction(v)) and fits(s, v) for s, v in choice.items())
        return meets and all(holds(condition, choice) for condition in self.question.such)

    # ----------------------------------------------------------------------------------------------- what is open

    def left(self) -> Sequence[Box]:
        """The pieces on which nothing is known, the most hopeful first."""
        at_work = [self.at] if self.at.leaf is None and self.at.cut is None and self.at not in self.given_up else []
        return [tree.piece for tree in (*at_work, *(tree for *_, tree in sorted(self.waiting)), *self.given_up)]

    def reason(self) -> str:
        """Why the statement stayed open, in one line."""
        open_ends = [s for s, r in self.tree.piece.items() if not isinstance(r.high, Fraction)]
        if open_ends and not self.promising:
            s = open_ends[0]
            return (
                f"no counterexample was found that moves with {s}, and without one no finite number of pieces covers "
                f"{s} -> oo"
            )
        return "a choice that no point speaks against is not proved" if self.promising else "pieces stay open"

    def explanation(self) -> tuple[str, ...]:
        """Lines for readers: what was tried, and where it is tight."""
        tried = self.refuter.tried
        lines = [
            f"tried: {self.pieces} pieces, {self.attacks} attacks on a choice, {self.proofs} proofs of one, "
            f"{tried['points']} counterexamples at a point, {tried['paths']} that move with the constants"
        ]
        left = self.left()
        if left:
            smallest = min(left, key=_width)
            lines.append(f"smallest piece left of {len(left)}: {_words(smallest)}")
        said = "no point speaks against {}, and it is not proved: put it in and prove that"
        lines += [said.format(_chosen(choice)) for choice in self.promising[:3]]
        if self.refuter.stock:
            place, witness = self.refuter.stock[0]
            at = f" at {fresh_point(witness)}" if witness else ""
            lines.append(f"last counterexample: {self.question.relations[place]} fails{at}")
        return (*lines, self.note) if self.note else tuple(lines)


def _longest(piece: Box) -> tuple[sp.Symbol, Fraction] | None:
    """The constant whose range is longest, and where to cut it; None where none has two values."""
    ranges = [(s, r) for s, r in piece.items() if not r.is_point]
    if not ranges:
        return None
    s, r = max(ranges, key=lambda pair: float(pair[1].high - pair[1].low))
    at = Fraction(middle(r))
    if s.is_integer:
        at = min(Fraction(at.__floor__()), r.high - 1) if isinstance(r.high, Fraction) else Fraction(at.__floor__())
        return s, max(at, Fraction(r.low)) if isinstance(r.low, Fraction) else at
    return s, at


def _at_choice(piece: Box, where: tuple[sp.Symbol, Fraction], choice: Choice) -> tuple[sp.Symbol, Fraction]:
    """A cut at the choice instead, unless that leaves a sliver."""
    s, at = where[0], _fraction(choice[where[0]])
    low, high = piece[s].low, piece[s].high
    if s.is_integer or not (isinstance(low, Fraction) and isinstance(high, Fraction)):
        return where
    return (s, at) if min(at - low, high - at) * _SLIVER > high - low else where


def _fraction(value: sp.Rational) -> Fraction:
    return Fraction(int(value.p), int(value.q))


def _width(piece: Box) -> float:
    return sum(float(r.high - r.low) for r in piece.values())


def _words(piece: Box) -> str:
    return ", ".join(f"{s} in [{exact(r.low)}, {exact(r.high)}]" for s, r in piece.items())


def _chosen(choice: Choice) -> str:
    return ", ".join(f"{s} = {value}" for s, value in choice.items())
