"""Short records that ask for long work: each class ends by a count or a bound, before one operation that takes long.

An operation of python-flint cannot be stopped. Without the bounds here most of these cases take minutes, or memory
until the process ends.
"""

import pytest
from flint import fmpq

from benchmarks.forging import resealed
from tests.theory.checker.test_hostile import X, record, refused
from theory.checker import limits
from theory.checker.limits import InvalidRecord, metered
from theory.checker.nodes import Node, root
from theory.checker.parser import read_expression
from theory.checker.polynomials import MAX_ATOMS, NoForm, Ring
from theory.checker.replay import replay
from theory.checker.walks import walk

PRIMES = [p for p in range(2, 6000) if all(p % k for k in range(2, int(p**0.5) + 1))]


def add(*terms):
    return f"Add({', '.join(terms)})"


def mul(*factors):
    return f"Mul({', '.join(factors)})"


def power(base, exponent):
    return f"Pow({base}, {exponent})"


def whole(n):
    return f"Integer({n})"


def identity(left, right, **changes):
    return record(relation=f"Equality({left}, {right})", proof={"by": "identity"}, **changes)


def roots(count):
    """A true identity between so many square roots, none of which is rational: sqrt(4 p) = 2 sqrt(p)."""
    half = "Rational(1, 2)"
    left = [power(whole(4 * p), half) for p in PRIMES[:count]]
    return identity(add(*left), add(*[mul(whole(2), power(whole(p), half)) for p in PRIMES[:count]]))


def test_many_roots_are_one_quick_identity():
    assert replay(roots(440)) == "proved"


def test_scans_of_many_relations_are_counted(monkeypatch):
    monkeypatch.setattr(limits, "STEPS", 100_000)
    assert "steps" in refused(roots(440))


def test_so_many_steps_and_no_more(monkeypatch):
    monkeypatch.setattr(limits, "STEPS", 5)
    with metered():
        for _ in range(3):
            limits.tick()
        limits.tick(2)
        with pytest.raises(InvalidRecord, match="more than 5 steps"):
            limits.tick()


def test_a_text_of_200_characters_is_said_in_full():
    assert limits._plain("x" * 200) == "x" * 200
    assert limits._plain("x" * 201) == "x" * 200 + "..."


def test_atoms_are_bounded_before_a_ring_is_made():
    with pytest.raises(NoForm, match="atoms"):
        Ring(MAX_ATOMS + 1)


def denominators(count):
    """A sum of powers of x over so many numbers of 39 000 bits without a common factor."""
    numbers = [power(whole(p), whole(-int(39_000 / p.bit_length()))) for p in PRIMES[5 : 5 + count]]
    return [mul(number, power(X, whole(2 * k + 2))) for k, number in enumerate(numbers)]


def test_a_common_denominator_is_bounded():
    refused(identity(mul(add(*denominators(400)), f"sin({X})"), f"cos({X})"))


def test_a_content_is_bounded():
    text = power(add(*denominators(400)), "Rational(1, 2)")
    assert "digits" in refused(identity(text, f"cos({X})"))


def sparse(ring, degree):
    """The product of x^degree - 1 over all five symbols, written out: 32 terms."""
    found = ring.one
    for place in range(5):
        found = ring.times(found, ring.plus(ring.generator(place, degree), ring.minus(ring.one)))
    return found


def test_a_short_fraction_with_a_long_quotient_is_left_as_it_is():
    """(x^80 - 1)/(x - 1) in five symbols at once would have 80^5 terms."""
    ring = Ring(5)
    top, bottom = sparse(ring, 80), sparse(ring, 1)
    assert ring.cancelled(top, bottom) == (top, bottom)
    top, bottom = sparse(ring, 6), sparse(ring, 3)
    quotient, rest = ring.cancelled(top, bottom)
    assert rest.p.is_constant()
    assert (quotient.p / rest.p.leading_coefficient()) * bottom.p == top.p


def test_products_are_bounded_by_their_pairs_of_terms():
    symbols = [f"Symbol('x{k}', real=True)" for k in range(25)]
    box = [[s, "1", "2"] for s in symbols]
    refused(identity(mul(*[add(f"sin({s})", whole(2)) for s in symbols]), whole(1), box=box))


def test_digits_of_products_and_powers_are_bounded():
    ring = Ring(1)
    a = ring.plus(ring.generator(0), ring.constant(fmpq(7**6000, 11**5000)))
    with pytest.raises(NoForm):
        ring.raised(a, 3)
    square = ring.times(a, ring.constant(fmpq(1, 13**3000)))
    with pytest.raises(NoForm, match="digits"):
        ring.times(square, square)
    with pytest.raises(NoForm, match="degree"):
        ring.times(ring.generator(0, 60_000), ring.generator(0, 60_000))


def test_a_bound_on_digits_that_grows_in_a_long_sum_is_counted_anew():
    ring = Ring(1)
    total = ring.zero
    for _ in range(5000):
        total = ring.plus(total, ring.generator(0))
    assert total.p == 5000 * ring.generator(0).p
    assert total.bits < 1000


@pytest.mark.parametrize("low", ["1" + "0" * 3998 + "1/" + "7" * 3999, "9" * 3999])
def test_a_shift_is_bounded_by_the_digits_of_its_ends(low):
    polynomial = add(*[power(X, whole(k)) for k in range(2, 200)])
    stored = record(relation=f"GreaterThan({polynomial}, Integer(0))", box=[[X, low, "oo"]], proof={"by": "shift"})
    assert "bits" in refused(stored)


def test_exponents_that_are_whole_and_beyond_all_memory_are_no_whole_numbers():
    """2^(10^12) is an exact ball; written as a whole number it would need more memory than there is."""
    y = "Symbol('y', real=True)"
    tower = power(f"Max({power(y, whole(10**6))}, Integer(3))", whole(10**6))
    stored = record(relation=f"GreaterThan({power(X, tower)}, Integer(0))", box=[[X, "2", "3"], [y, "2", "2"]])
    assert replay(stored) == "proved"


def test_floors_of_numbers_beyond_all_memory_are_not_told():
    relation = f"LessThan(floor(exp(exp(Integer(40)))), {X})"
    stored = record(relation=relation, verdict="refuted", point=[[X, "1"]])
    del stored["proof"]
    assert "cannot be told" in refused(resealed(stored))


def test_roots_of_long_numbers_are_exact():
    value = 7**7000
    assert root(value**2, 2) == value
    assert root(value**2 + 1, 2) is None
    assert root(value**5, 5) == value
    assert root(2**100, 101) is None
    assert [root(k, 2) for k in range(10)] == [0, 1, None, None, 2, None, None, None, None, 3]


def test_comparing_trees_is_counted(monkeypatch):
    """Two trees of 2^12 leaves, built apart from 13 nodes each, share nothing with each other."""

    def tree():
        e = Node("symbol", (), "x")
        for _ in range(12):
            e = Node("add", (e, e))
        return e

    monkeypatch.setattr(limits, "STEPS", 1000)
    with metered(), pytest.raises(InvalidRecord, match="steps"):
        assert tree() == tree()


def test_walks_and_wide_sums_are_counted(monkeypatch):
    wide = read_expression(add(*["pi"] * 20_000))
    monkeypatch.setattr(limits, "STEPS", 1000)
    with metered(), pytest.raises(InvalidRecord, match="steps"):
        Node("add", wide.args)
    deep = read_expression(add(*[f"sin({whole(k)})" for k in range(2000)]))
    with metered(), pytest.raises(InvalidRecord, match="steps"):
        [walk(deep) for _ in range(20)]


def test_time_is_looked_at_whatever_is_counted(monkeypatch):
    monkeypatch.setattr(limits, "SECONDS", 0)
    assert "more than 0 s" in refused(roots(200))
