"""Known truths are true, and their twins false in the way they say: by witnesses that know nothing of the prover."""

from __future__ import annotations

import ast
import itertools
import math
import random
from collections import Counter
from pathlib import Path

import mpmath
import pytest
import sympy as sp
from scipy.integrate import quad
from scipy.stats import norm

from theoremeter_papers import papers
from theory.asymptotics.exponents import exponent, log_degree
from theory.catalogue import discover, select
from theory.claim import Claim, ForSome, Inequality, Kind
from theory.classical import extremes, inequalities, matrices, occupancy, optimisation, regression, sorting, walks
from theory.classical.twins import twin
from theory.truth import TRUE, KnownTruth, WrongBy

ROOT = Path(__file__).resolve().parents[2]
CLAIMS = [claim for claim in discover(papers()).values() if claim.paper == "classical"]
TRUE_CLAIMS = [claim for claim in CLAIMS if claim.truth == TRUE]
TWINS = [claim for claim in CLAIMS if claim.truth != TRUE]
BY_ID = {claim.id: claim for claim in CLAIMS}


def origin(claim: Claim) -> Claim:
    """The true claim of a twin."""
    return max((other for other in TRUE_CLAIMS if claim.id.startswith(f"{other.id}_by")), key=lambda c: len(c.id))


class TestTruth:
    def test_every_claim_of_the_paper_has_one_and_no_other_claim(self) -> None:
        assert all(claim.truth is not None for claim in CLAIMS)
        assert all(claim.truth is None for claim in select([]))

    def test_there_are_enough_of_each_and_twins_of_every_kind(self) -> None:
        assert len(TRUE_CLAIMS) >= 20
        assert len(TWINS) >= 40
        assert {claim.truth.wrong_by for claim in TWINS} == set(WrongBy)
        assert {origin(claim).id for claim in TWINS} == {claim.id for claim in TRUE_CLAIMS}

    def test_it_is_said_in_words(self) -> None:
        assert str(TRUE) == "true"
        assert str(KnownTruth(WrongBy.HALF_POWER)) == "false by half a power"

    def test_the_paper_is_judged_where_it_is_named(self) -> None:
        assert select(["classical.ols_risk"]) == [regression.OLS_RISK]
        assert not {claim.id for claim in select([])} & BY_ID.keys()

    def test_nothing_but_tests_and_the_page_reads_it(self) -> None:
        readers = {
            str(path.relative_to(ROOT))
            for package in ("theory", "sim", "checks")
            for path in (ROOT / package).rglob("*.py")
            if "truth" in path.read_text(encoding="utf-8")  # most are spared the parser
            for node in ast.walk(ast.parse(path.read_text(encoding="utf-8")))
            if isinstance(node, ast.Attribute) and node.attr == "truth"
        }
        assert readers == {"theory/classical/twins.py", "checks/report/known_truths.py", "checks/test_claims.py"}


class TestTwin:
    def test_differs_in_what_is_given_and_says_so(self) -> None:
        found = twin(regression.OLS_ORDER, "made_up", WrongBy.HALF_POWER, value=regression.n**-2)
        assert found.id == "classical.ols_order_made_up"
        assert found.truth == KnownTruth(WrongBy.HALF_POWER)
        assert found.statement == ("Wrong by half a power on purpose: the excess risk is of the order of n**(-2).")
        assert (found.kind, found.axes, found.margin) == (Kind.TIGHT, regression.OLS_ORDER.axes, sp.Rational(1, 16))

    def test_refuses_a_claim_not_known_to_be_true(self) -> None:
        for claim in (TWINS[0], discover()["A.samples"]):
            with pytest.raises(ValueError, match="claim must be known to be true, got"):
                twin(claim, "made_up", WrongBy.SIGN, kind=Kind.UPPER)

    def test_refuses_to_change_nothing(self) -> None:
        with pytest.raises(ValueError, match="value, kind or lemmas must be given, got none"):
            twin(regression.OLS_RISK, "made_up", WrongBy.SIGN)


# ------------------------------------------------------------------------------------------- orders are off as they say


@pytest.mark.parametrize("claim", [claim for claim in TWINS if claim.kind.is_scaling], ids=lambda claim: claim.id)
def test_the_order_of_a_twin_is_off_as_it_says(claim: Claim) -> None:
    true, (axis,) = origin(claim), claim.axes
    if true is optimisation.STRONGLY_CONVEX:
        rates = [sp.diff(c.formula, axis.symbol) / c.formula for c in (claim, true)]
        ratio = float((rates[0] / rates[1]).subs({optimisation.eta: sp.Rational(1, 2), optimisation.mu: 0.1}))
        assert abs(ratio - 1) > 0.25
        return
    powers = [exponent(c.formula, axis.symbol, toward=axis.toward) for c in (claim, true)]
    expected = {WrongBy.HALF_POWER: sp.Rational(1, 2), WrongBy.QUARTER_POWER: sp.Rational(1, 4), WrongBy.LOGARITHM: 0}
    assert abs(powers[0] - powers[1]) == expected[claim.truth.wrong_by]
    if claim.truth.wrong_by is WrongBy.LOGARITHM:
        toward = sp.oo if axis.toward == "infinity" else 0
        ratio = claim.formula / true.formula
        assert sp.limit(ratio, axis.symbol, toward) in (0, sp.oo)
        if axis.toward == "infinity":
            assert abs(log_degree(ratio, axis.symbol)) == 1
    if claim.kind is Kind.UPPER:
        assert powers[0] < powers[1]
    if claim.kind is Kind.LOWER and true.kind is Kind.UPPER:
        assert powers[0] > powers[1]


# ------------------------------------------------------------------------------------------ values by other derivations


def largest_normal(n: int) -> float:
    """Mean of the largest of n standard normal variables, by integration."""
    return quad(lambda x: x * n * norm.pdf(x) * norm.cdf(x) ** (n - 1), -10, 10, limit=400)[0]


def quicksort_cost(n: int) -> float:
    """By the recursion over the pivot's rank."""
    costs, total = [0.0], 0.0
    for size in range(1, n + 1):
        costs.append(size - 1 + 2 * total / size)
        total += costs[-1]
    return costs[n]


def lengths(n: int) -> float:
    """Mean length of the longest increasing subsequence over all permutations."""
    total = 0
    for values in itertools.permutations(range(n)):
        best = [1] * n
        for i, j in itertools.product(range(n), repeat=2):
            if j < i and values[j] < values[i]:
                best[i] = max(best[i], best[j] + 1)
        total += max(best, default=0)
    return total / math.factorial(n)


def shared_day(n: int) -> float:
    """People at whom a shared birthday has probability one half, between whole numbers by straight lines."""
    apart, people = 1.0, 1
    while True:
        following = apart * (1 - people / n)
        if following <= 0.5:
            return people + (apart - 0.5) / (apart - following)
        apart, people = following, people + 1


def ruin(a: int, b: int) -> tuple[float, float]:
    """Mean time and probability of `b`, by value iteration on the line."""
    times, sides = [0.0] * (a + b + 1), [0.0] * (a + b) + [1.0]
    for _ in range(40 * (a + b) ** 2):
        for i in range(1, a + b):
            times[i] = 1 + (times[i - 1] + times[i + 1]) / 2
            sides[i] = (sides[i - 1] + sides[i + 1]) / 2
    return times[a], sides[a]


def autoregression(eta: float) -> float:
    """Variance of x' = (1 - eta) x - eta noise, step by step."""
    variance = 0.0
    for _ in range(int(40 / eta)):
        variance = (1 - eta) ** 2 * variance + eta**2
    return variance


def inverse_square(n: int) -> float:
    """E 1/chi^2_n: the risk of least squares in one dimension."""
    return quad(lambda x: x ** (n / 2 - 2) * math.exp(-x / 2), 0, 400)[0] / (2 ** (n / 2) * math.gamma(n / 2))


WITNESSES: dict[str, list[tuple[dict[sp.Symbol, sp.Expr], float]]] = {
    "classical.gaussian_maximum": [({extremes.n: n}, largest_normal(n)) for n in (4, 64, 4096)],
    "classical.gaussian_maximum_lower": [({extremes.n: n}, largest_normal(n)) for n in (4, 64, 4096)],
    "classical.gaussian_maximum_mean": [({extremes.n: n}, largest_normal(n)) for n in (128, 1024, 8192)],
    "classical.coupons": [({occupancy.n: n}, sum(n / (n - seen) for seen in range(n))) for n in (4, 16, 256)],
    "classical.birthdays_median": [({occupancy.n: n}, shared_day(n)) for n in (64, 1024, 16384)],
    "classical.quicksort": [({sorting.n: n}, quicksort_cost(n)) for n in (4, 64, 1024)],
    "classical.subsequence": [({sorting.n: n}, lengths(n)) for n in (2, 4, 6)],
    "classical.subsequence_lower": [({sorting.n: n}, lengths(n)) for n in (2, 4, 6)],
    "classical.exit_time": [({walks.a: 4, walks.b: b}, ruin(4, b)[0]) for b in (2, 4, 8)],
    "classical.exit_side": [({walks.a: 4, walks.b: b}, ruin(4, b)[1]) for b in (2, 4, 8)],
    "classical.noise_floor": [({optimisation.eta: sp.Rational(1, k)}, autoregression(1 / k)) for k in (2, 8, 25)],
    "classical.ols_risk": [({regression.n: n, regression.d: 1}, inverse_square(n)) for n in (4, 6, 12)],
}
MARGINS = {"classical.birthdays_median": 0.15, "classical.gaussian_maximum_mean": 0.02}
"""How exact a claim is meant to be; 1e-6 where nothing is said."""


def holds(claim: Claim, at: dict[sp.Symbol, sp.Expr], found: float, *, margin: float) -> bool:
    value = float(claim.formula.subs(at))
    if claim.kind is Kind.EXPLICIT_UPPER:
        return found <= value
    return found >= value if claim.kind is Kind.EXPLICIT_LOWER else abs(found / value - 1) <= margin


@pytest.mark.parametrize("name", WITNESSES)
def test_a_true_value_is_what_another_derivation_gives(name: str) -> None:
    margin = MARGINS.get(name, 1e-6)
    assert all(holds(BY_ID[name], at, found, margin=margin) for at, found in WITNESSES[name])


@pytest.mark.parametrize("claim", [claim for claim in TWINS if origin(claim).id in WITNESSES], ids=lambda c: c.id)
def test_a_twin_is_off_by_more_than_the_margin_of_its_check(claim: Claim) -> None:
    if claim.id == "classical.subsequence_by_factor":
        assert float(sp.limit(claim.formula / sp.sqrt(sorting.n), sorting.n, sp.oo)) < 2  # what L / sqrt(n) tends to
        return
    margin = 0.25 if origin(claim) is occupancy.BIRTHDAYS_MEDIAN else 0.05
    points = WITNESSES[origin(claim).id]
    assert not all(holds(claim, at, found, margin=margin) for at, found in points)


def test_operator_norms_of_single_columns_are_lengths() -> None:
    """E |g| in n dimensions, sqrt(2) Gamma((n+1)/2) / Gamma(n/2), between sqrt(n) - 1 and sqrt(n) + 1."""
    for n in (1, 4, 50):
        length = math.sqrt(2) * math.exp(math.lgamma((n + 1) / 2) - math.lgamma(n / 2))
        at = {matrices.n: n, matrices.m: 1}
        assert holds(matrices.OPERATOR_NORM, at, length, margin=0)
        assert holds(matrices.SMALLEST_SINGULAR_VALUE, at, length, margin=0)


# --------------------------------------------------------------------------------------- lemmas at random points


def fails_somewhere(lemma: Inequality) -> bool:
    """Whether the relation is false at one of many points of the box that meet its conditions, in 50 digits."""
    draw = random.Random(0)
    symbols = list(lemma.box)
    gaps = [sp.lambdify(symbols, relation.gts - relation.lts, "mpmath") for relation in (lemma.relation, *lemma.given)]
    with mpmath.workdps(50):
        for _ in range(500):
            shares = [mpmath.mpf(draw.randint(1, 63)) / 64 for _ in symbols]
            point = [
                low + (high - low) * u for u, (low, high) in zip(shares, map(ends, lemma.box.values()), strict=True)
            ]
            gap, *conditions = (function(*point) for function in gaps)
            if min(conditions, default=0) >= 0 and gap < -(mpmath.mpf(10) ** -30):
                return True
    return False


def ends(interval: tuple[sp.Expr | int, sp.Expr | int]) -> tuple[mpmath.mpf, mpmath.mpf]:
    low, high = (sp.Rational(end) for end in interval)
    return mpmath.mpf(low.p) / low.q, mpmath.mpf(high.p) / high.q


@pytest.mark.parametrize(
    "claim", [c for c in CLAIMS if any(isinstance(lemma, Inequality) for lemma in c.lemmas)], ids=lambda c: c.id
)
def test_inequalities_fail_at_random_points_exactly_where_they_are_false(claim: Claim) -> None:
    assert fails_somewhere(claim.lemmas[0]) == (not claim.truth.is_true)


@pytest.mark.parametrize(
    "claim", [c for c in CLAIMS if any(isinstance(lemma, ForSome) for lemma in c.lemmas)], ids=lambda c: c.id
)
def test_one_constant_serves_at_random_points_exactly_where_one_is_said_to(claim: Claim) -> None:
    (lemma,) = claim.lemmas
    ((constant, (low, high)),) = lemma.constants.items()
    choices = [low + (high - low) * sp.Rational(k, 20) for k in range(21)]
    serving = [c for c in choices if not any(fails_somewhere(put_in(r, {constant: c}, lemma)) for r in lemma.relations)]
    assert bool(serving) == claim.truth.is_true
    assert serving in ([], [sp.Rational(1, 2)])


def put_in(relation: sp.Basic, values: dict, lemma: ForSome) -> Inequality:
    """What is left of a relation with the constants in it."""
    return Inequality(lemma.name, relation.xreplace(values), lemma.box, lemma.given)


def test_the_limit_and_the_identity_in_numbers() -> None:
    (limit,) = inequalities.EULER.lemmas
    assert sp.lambdify(limit.symbol, limit.expression, "math")(1e7) == pytest.approx(math.e, rel=1e-6)
    assert float(limit.value) == math.e
    (identity,) = inequalities.VARIANCE.lemmas
    assert identity.left.subs(inequalities.p, sp.Rational(1, 3)) == identity.right.subs(
        inequalities.p, sp.Rational(1, 3)
    )
    (false,) = inequalities.VARIANCE_TWINS[0].lemmas
    assert false.left.subs(inequalities.p, sp.Rational(1, 3)) != false.right.subs(inequalities.p, sp.Rational(1, 3))


def test_ids_are_unique_and_worded() -> None:
    assert max(Counter(claim.id for claim in CLAIMS).values()) == 1
    assert all(claim.statement.endswith(".") and claim.observable for claim in CLAIMS)
