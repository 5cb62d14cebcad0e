"""A claim of a paper, written once: source, hypotheses, observable and symbolic value.

Reading order: `Kind` says which rule will judge the claim; `Axis`, `Constant` and `Hypothesis` are its vocabulary, and
lemmas (`theory.lemma`), which symbols alone can settle; `Path` says how the parameters of a regime move together.

Formulas are sympy expressions whose symbols carry assumptions; numbers are exact rationals. Exponents, limits and
slopes are derived from `Claim.value` by `theory.asymptotics.exponents`, never written down beside it.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field, replace
from enum import StrEnum

import sympy as sp
from sympy.concrete.expr_with_limits import ExprWithLimits

from theory.display.notebook import ShownClaim
from theory.lemma import Conditions, ForSome, Identity, Inequality, Lemma, Limit, OverLists, Role
from theory.refusals import require_exact, unlike
from theory.tried import Tried
from theory.truth import KnownTruth

__all__ = [
    "CHOSEN_ROLES",
    "Axis",
    "Claim",
    "Conditions",
    "Constant",
    "Evidence",
    "ForSome",
    "Hypothesis",
    "Identity",
    "Inequality",
    "Kind",
    "Lemma",
    "Limit",
    "Met",
    "OverLists",
    "Path",
    "Role",
    "Source",
]

DEFAULT_MARGIN = sp.Rational(1, 4)

CLAIM_ID = re.compile(r"([A-Z]|[a-z][a-z0-9_-]{0,39})\.[a-z][a-z0-9_A-Z]{0,79}")

ORDERINGS = (sp.StrictLessThan, sp.LessThan, sp.StrictGreaterThan, sp.GreaterThan)
"""Relations that order two numbers."""


class Kind(StrEnum):
    """What a claim asserts. The kind alone decides which rule judges it; the author of a check cannot."""

    IDENTITY = "identity"
    INEQUALITY = "inequality"
    LIMIT = "limit"
    TRANSITION = "transition"
    DEFINITION = "definition"
    TIGHT = "tight"
    UPPER = "upper"
    LOWER = "lower"
    EXPLICIT_UPPER = "explicit upper"
    EXPLICIT_LOWER = "explicit lower"
    EXACT = "exact"
    SUFFICIENT = "sufficient condition"
    UNSPECIFIED_ORDER = "unspecified order"
    EVERY_ALGORITHM = "every algorithm"
    EXISTENCE = "existence"
    BEHAVIOUR = "behaviour"
    FIGURE = "figure"
    OPEN = "open"

    @property
    def is_scaling(self) -> bool:
        """Whether a claim of this kind is an order with hidden constants, which the Delta rule judges."""
        return self in (Kind.TIGHT, Kind.UPPER, Kind.LOWER)

    @property
    def is_explicit(self) -> bool:
        """Whether a claim of this kind gives its constants: values are compared as they stand, without a prefactor."""
        return self in (Kind.EXPLICIT_UPPER, Kind.EXPLICIT_LOWER, Kind.EXACT)

    @property
    def states_a_step(self) -> bool:
        """Whether a claim of this kind is itself a step of a proof: its lemmas are its statement.

        A limit with an axis is not: see `Claim.states_limit`.
        """
        return self in (Kind.IDENTITY, Kind.INEQUALITY, Kind.LIMIT, Kind.DEFINITION)


ROLES_OF_THE_PAPER = (Role.STATEMENT, Role.READING, Role.REPAIR)
"""Roles of lines that speak of what the paper says, where its hypotheses are met."""
CHOSEN_ROLES = (*ROLES_OF_THE_PAPER, Role.OWN_QUESTION)
"""Roles that the author of a check may give a line of measurements."""


class Evidence(StrEnum):
    """How a claim can be settled."""

    DERIVED = "D"
    SYMBOLIC = "S"
    CERTIFIED = "C"
    PROPERTY = "P"
    MEASURED = "M"


class Met(StrEnum):
    """Whether a hypothesis holds at a grid point; hidden constants leave it undecidable."""

    MET = "met"
    NOT_MET = "not met"
    UNDECIDABLE = "undecidable"


@dataclass(frozen=True)
class Source:
    """Where a claim stands: citation key and place, e.g. `Source("li2023", "Theorem 1, eq. (10)")`."""

    key: str
    """Citation key of the paper."""
    place: str
    """Where in it, in the paper's own words."""

    def __str__(self) -> str:
        return f"{self.key}, {self.place}"


@dataclass(frozen=True)
class Axis:
    """A parameter that scales, with the limit the claim speaks of."""

    symbol: sp.Symbol
    """Its letter in the claim's value."""
    toward: str | sp.Expr = "infinity"
    """Where it goes, "infinity", "zero" or an exact boundary value that the symbol approaches."""

    def __post_init__(self) -> None:
        if isinstance(self.toward, str) and self.toward not in ("infinity", "zero"):
            raise ValueError(f"toward must be 'infinity', 'zero' or a sympy number, got {self.toward!r}")


@dataclass(frozen=True)
class Constant:
    """A hidden constant of a theorem with the range, stated beforehand, over which it is profiled.

    A constant that the theorem says to exist (O, Omega, "for some C") is chosen in the claim's favour; for one that the
    theorem leaves free ("for every C"; `for_all`) the least favourable value of the range counts.
    """

    symbol: sp.Symbol
    """Its letter in the claim's value."""
    low: sp.Expr
    """Lower end of its range, exact."""
    high: sp.Expr
    """Upper end of its range, exact."""
    for_all: bool = False
    """Whether the theorem leaves it free, so that the least favourable value counts."""

    def __post_init__(self) -> None:
        """Take whole numbers for ends as they stand, as boxes of lemmas do."""
        for name in ("low", "high"):
            if type(end := getattr(self, name)) is int:
                object.__setattr__(self, name, sp.Integer(end))


@dataclass(frozen=True)
class Hypothesis:
    """A named relation that a grid point meets or not.

    A constant in it is chosen by whoever applies the theorem or by the theorem. "d = poly(D)" admits every polynomial,
    so a path on which d is some polynomial in D meets it. "eta at most 1/poly(d)", "m at least C M^2": a path meets it
    only if it does for every value of the constant.
    """

    name: str
    """Its name on lines and in `exempt` of a part, e.g. "n > d + 1"."""
    relation: sp.Basic
    """The relation in the paper's letters; letters that no grid point gives are its constants."""
    free: tuple[sp.Symbol, ...] = ()
    """Constants that whoever applies the theorem chooses; all others are the theorem's to choose."""
    hidden: tuple[tuple[sp.Symbol, sp.Expr], ...] = ()
    """The theorem's constants that its text leaves open, each with the value that the paper's experiments have, and 1
    where it names none."""

    def at_own_settings(self) -> Hypothesis:
        """The hypothesis with the paper's constants or 1: without hidden constants.

        Where whoever applies the theorem chooses a constant, as the degree of a polynomial, one setting by itself
        always meets the hypothesis for some choice.
        """
        if self.free and not self.hidden:
            return replace(self, relation=sp.true, free=())
        return replace(self, relation=at(self.relation, dict(self.hidden)), hidden=()) if self.hidden else self

    def evaluate(self, point: Mapping[sp.Symbol, object]) -> Met:
        """Substitute `point`; symbols left over are hidden constants and make the answer undecidable."""
        result = at(self.relation, point)
        if result in (sp.true, True):
            return Met.MET
        if result in (sp.false, False):
            return Met.NOT_MET
        return Met.UNDECIDABLE


def at(expression: sp.Basic, point: Mapping[sp.Symbol, object]) -> sp.Basic:
    """An expression at a point, all symbols at once; those that the point lacks stay.

    `subs` puts in one symbol after the other and asks what may be assumed of every form in between, which takes many
    times as long and decides nothing. Only where an expression binds symbols of its own is it needed.
    """
    values = {symbol: sp.sympify(value, strict=True) for symbol, value in point.items()}
    if expression.has(ExprWithLimits, sp.Derivative, sp.Subs, sp.Lambda):
        return expression.subs(values)
    return expression.xreplace(values)


Regime = tuple[Hypothesis, ...]


def evaluate_regime(regime: Regime, point: Mapping[sp.Symbol, object]) -> dict[str, Met]:
    """Every hypothesis of `regime` at one grid point, by name."""
    return {hypothesis.name: hypothesis.evaluate(point) for hypothesis in regime}


@dataclass(frozen=True)
class Path:
    """How the parameters of a regime move together as `symbol` goes `toward` its limit.

    An exponent with everything else fixed may lie outside the regime; along a path every hypothesis keeps its slack.
    """

    words: str
    """What moves how, in words, for the lines that speak of it."""
    symbol: sp.Symbol
    """The parameter that the others follow."""
    toward: str
    """Its limit, "infinity" or "zero"."""
    moves: Mapping[sp.Symbol, sp.Expr]
    """Each parameter that moves, as an expression in `symbol`."""

    def along(self, expression: sp.Expr) -> sp.Expr:
        """The expression as a function of `symbol` alone (and of constants that do not move)."""
        return expression.subs(self.moves, simultaneous=True)


@dataclass(frozen=True)
class Claim(ShownClaim):
    """One statement of a paper."""

    id: str
    """The claim's name in code, check, table and report, `<key of the paper>.<name>`."""
    source: Source
    """Where the paper states it."""
    kind: Kind
    """What it asserts, which decides the rule that judges it."""
    statement: str
    """The claim as we read it, in one sentence."""
    observable: str
    """What a machine can measure of it, in the field's words."""
    evidence: tuple[Evidence, ...]
    """How it can be settled."""
    axes: tuple[Axis, ...] = ()
    """Parameters that scale; each must occur in `value` where there is one. A limit to be measured has one that goes to
    infinity, and its value, which is the limit, does not contain it."""
    value: sp.Expr | None = None
    """The claimed value, or None. It is up to a hidden prefactor unless the kind is explicit. Of a family (poly,
    polylog, D^Omega(1)) it is the largest member, or the smallest where the claim is a lower bound."""
    constants: tuple[Constant, ...] = ()
    """Hidden constants inside `value`, with the ranges over which they are profiled."""
    regime: Regime = ()
    """Hypotheses under which the claim is made."""
    lemmas: tuple[Lemma, ...] = ()
    """Parts of it that symbols or rigorous arithmetic settle, each with a name of its own."""
    path: Path | None = None
    """How all parameters of the regime move, for the exponent of `value` along it; None where nothing scales."""
    margin: sp.Rational = field(default=DEFAULT_MARGIN)
    """Difference of two scaling exponents that counts as none in practice."""
    reading: str = ""
    """What had to be settled to read the text (slips, hidden constants), or ""."""
    fairness: str = ""
    """Why the paper's authors would accept the headline, by the words of the text that it rests on, what is not held
    against them, and what would be needed to speak against the claim."""
    tried: tuple[Tried, ...] = ()
    """Where the data leave it open: what was tried, and why it does not decide."""
    by_construction: str = ""
    """Why the claim cannot come out otherwise (a definition, a ratio of two printed bounds), or "". Its headline is
    then "consistent", no finding."""
    uses: tuple[str, ...] = ()
    """Ids of this paper's claims that its printed proof names or derives it from. Where a proof goes by induction over
    several claims at once, what one uses of another at the step before is left out: no claim uses itself."""
    truth: KnownTruth | None = None
    """Whether the claim is true, where that is known beforehand; no verdict reads it."""

    def __repr__(self) -> str:
        """One line; `theoremeter show ID` and a notebook say more."""
        return f"<Claim {self.id}: {self.kind}, {self.source.place[:30]}>"[:80]

    def __post_init__(self) -> None:
        if not CLAIM_ID.fullmatch(self.id):
            raise ValueError(f"id must be '<key of the paper>.<name>', got {self.id!r}")
        if not self.margin > 0:
            raise ValueError(f"margin must be > 0, got {self.margin}")
        if self.kind.is_scaling and self.value is not None and not self.axes:
            raise ValueError(f"axes must name at least one parameter of a scaling claim, got none for {self.id}")
        for place, formula in _formulas(self):
            require_exact(formula, f"{place} of {self.id}")
        if self.states_limit or self.kind is Kind.TRANSITION:
            self._require_limit()
        elif self.value is not None and self.value.free_symbols:  # a constant does not depend on its axes
            for axis in self.axes:
                if axis.symbol not in self.value.free_symbols:
                    got = unlike(axis.symbol, self.value.free_symbols)
                    raise ValueError(f"axes must occur in the value of {self.id}, got {got}")

        if not isinstance(self.uses, tuple) or len(set(self.uses) - {self.id}) < len(self.uses):
            raise ValueError(f"uses must be a tuple of ids of other claims, each once, got {self.uses!r} for {self.id}")
        names = {lemma.name for lemma in self.lemmas}
        slips = {lemma.name for lemma in self.lemmas if lemma.slip}
        if len(names) < len(self.lemmas):
            raise ValueError(f"lemmas must have names of their own, got {[lemma.name for lemma in self.lemmas]}")
        for lemma in self.lemmas:
            if lemma.instead and lemma.instead not in names - {lemma.name}:
                raise ValueError(f"instead must name another lemma of {self.id}, got {lemma.instead!r}")
            if lemma.slip and not lemma.instead:
                raise ValueError(f"a slip must name its correction (instead), got none for {lemma.name!r} of {self.id}")
            if lemma.slip and lemma.instead in slips:
                raise ValueError(f"a slip's correction must be no slip itself, got {lemma.instead!r} of {self.id}")

    def _require_limit(self) -> None:
        """Raise unless the claim gives the value of a limit, or the place of a transition, along its one axis."""
        if not self.axes:
            raise ValueError(f"axes must name what grows where a transition is claimed, got none for {self.id}")
        if self.value is None:
            raise ValueError(f"value must be that of the limit where a limit has an axis, got none for {self.id}")
        if len(self.axes) > 1 or self.axes[0].toward != "infinity":
            got = ", ".join(f"{axis.symbol} toward {axis.toward}" for axis in self.axes)
            raise ValueError(f"axes of a limit must be one that goes to infinity, got {got} for {self.id}")
        if self.axes[0].symbol in self.value.free_symbols:
            symbol = self.axes[0].symbol
            raise ValueError(f"value of a limit must not contain its axis {symbol}, got {self.value} for {self.id}")

    @property
    def states_limit(self) -> bool:
        """Whether the claim is a limit that sizes along its axis are measured for, and no step of a proof."""
        return self.kind in (Kind.LIMIT, Kind.TRANSITION) and bool(self.axes)

    @property
    def has_order(self) -> bool:
        """Whether the Delta rule judges the claim along an axis.

        Besides orders with hidden constants these are families of orders, whose `value` is the extreme member stated
        beforehand, lower bounds for every algorithm (attacks on the smallest member), and figures linear in a value.
        """
        families = (Kind.UNSPECIFIED_ORDER, Kind.EVERY_ALGORITHM, Kind.FIGURE)
        return self.value is not None and bool(self.axes) and (self.kind.is_scaling or self.kind in families)

    def under_hypotheses(self, lemma: Lemma) -> Lemma:
        """An inequality with the claim's hypotheses among its conditions, unless it says why not; others as they are.

        Hypotheses in other symbols than the lemma's say nothing about it, and what is no inequality is no condition.
        """
        if not isinstance(lemma, Inequality | ForSome) or lemma.beyond:
            return lemma
        relations = [h.relation for h in self.regime]
        parts = [part for relation in relations for part in (relation.args if relation.func is sp.And else (relation,))]
        said = [
            part
            for part in parts
            if isinstance(part, ORDERINGS) and part.free_symbols <= set(lemma.box) and part not in lemma.given
        ]
        return replace(lemma, given=(*lemma.given, *said))

    def role_of(self, lemma: Lemma) -> Role:
        """What a lemma is to the headline: given with it, or the claim's statement where the claim is itself a step.

        A misprint is a proof step whatever the claim is, and its correction stands in its place. A form that repairs
        what is false as printed, and is no misprint's correction, is ours and not the paper's.
        """
        if lemma.role is not None:
            return lemma.role
        is_step = self.kind.states_a_step and not self.states_limit
        own = Role.STATEMENT if is_step else Role.PROOF_STEP
        if lemma.slip:
            return Role.PROOF_STEP
        repaired = [other for other in self.lemmas if other.instead == lemma.name]
        if not repaired:
            return own
        return own if any(other.slip for other in repaired) else Role.OWN_QUESTION

    @property
    def formula(self) -> sp.Expr:
        """The claimed value, for those who cannot do without. Raises ValueError where the claim has none."""
        if self.value is None:
            raise ValueError(f"{self.id} must have a formula here, and has none")
        return self.value

    @property
    def paper(self) -> str:
        """Key of the claim's paper."""
        return self.id.partition(".")[0]

    def axis(self, symbol: sp.Symbol) -> Axis:
        """The axis of `symbol`. Raises KeyError where the claim does not speak of it."""
        for axis in self.axes:
            if axis.symbol == symbol:
                return axis
        raise KeyError(f"{self.id} has no axis {symbol}")


def _formulas(claim: Claim) -> Iterator[tuple[str, object]]:
    """Every formula of a claim, with the words for where it stands; those of lemmas are read by the prover."""
    if claim.value is not None:
        yield "value", claim.value
    yield "margin", claim.margin
    for axis in claim.axes:
        if not isinstance(axis.toward, str):
            yield f"limit of axis {axis.symbol}", axis.toward
    for constant in claim.constants:
        yield from ((f"range of constant {constant.symbol}", end) for end in (constant.low, constant.high))
    for hypothesis in claim.regime:
        yield f"hypothesis {hypothesis.name!r}", hypothesis.relation
    if claim.path is not None:
        yield from ((f"path of {symbol}", image) for symbol, image in claim.path.moves.items())
