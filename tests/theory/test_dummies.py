"""Dummies of a search: never one that stands in its statement, and in a certificate without gaps, in their order."""

from __future__ import annotations

import subprocess
import sys
from dataclasses import dataclass

import sympy as sp

from theory.dummies import fresh, numbered_anew, renumbered

x = sp.Symbol("x", real=True)


@dataclass(frozen=True)
class Asked:
    relation: sp.Basic
    box: dict[sp.Symbol, tuple[int, int]]


def test_a_search_begins_to_count_anew_and_the_one_around_it_goes_on() -> None:
    with numbered_anew():
        first, second = fresh("t", real=True), fresh("u")
        with numbered_anew(x):
            assert fresh("t", real=True) == first
        assert fresh("u") not in (first, second)


def test_no_dummy_of_the_statement_is_taken_again() -> None:
    with numbered_anew():
        t = fresh("t", real=True)
        for statement in (t + 1, [t**2], {t: (0, 1)}, Asked(sp.Ge(x, 0), {t: (0, 1)})):
            with numbered_anew(statement):
                assert fresh("t", real=True) != t


def test_dummies_of_one_name_have_texts_of_their_own() -> None:
    """By its text alone a polynomial orders its symbols."""
    with numbered_anew():
        assert len({str(fresh("t")) for _ in range(20)}) == 20
        assert fresh("x1").name != fresh("x").name


def test_a_certificate_has_them_numbered_in_their_order() -> None:
    with numbered_anew():
        t, _, u = fresh("t", real=True), fresh("v"), fresh("u")
        text = renumbered(f"{sp.srepr(u)} {sp.srepr(t)} {sp.srepr(u + x)}")
    assert text.startswith("Dummy('u', dummy_index=2) Dummy('t', real=True, dummy_index=1)")
    assert text.count("Dummy('u', dummy_index=2)") == 2


def test_those_of_a_search_around_stay_as_they_are() -> None:
    with numbered_anew():
        outer = fresh("t")
        with numbered_anew(outer):
            inner = fresh("t")
            text = renumbered(f"{sp.srepr(outer)} {sp.srepr(inner)}")
        assert text == f"{sp.srepr(outer)} Dummy('t', dummy_index={inner.dummy_index})"
        assert renumbered(text) == "Dummy('t', dummy_index=1) Dummy('t', dummy_index=2)"


def test_a_users_own_dummy_keeps_its_name() -> None:
    own = sp.Dummy("x")
    assert renumbered(sp.srepr(own)) == sp.srepr(own)


def test_a_dummy_is_the_same_in_each_process() -> None:
    code = "from theory.dummies import fresh; import sympy as sp; print(sp.srepr([fresh('t'), fresh('t')]))"
    run = [subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True) for _ in range(2)]
    assert run[0].stdout == run[1].stdout != ""
