"""The gate: what it plants and how it tells faults apart, and steps that one obligation alone refuses."""

from __future__ import annotations

import subprocess
import sys
from collections import Counter
from pathlib import Path
from types import ModuleType
from typing import Any

import pytest
import sympy as sp

from benchmarks.gate import (
    OPERATORS,
    PAGE,
    ROOT,
    WAYS,
    MutantFate,
    checker_modules,
    equivalents,
    function_of,
    listed,
    main,
    mutants_of,
    rows_on,
    survivors,
    table,
    tallies,
    way_of,
    write_page,
)
from tests.theory.checker.replaying import INTERVAL, accepts, refuses, x
from theory.checker import calculus, hypotheses
from theory.checker.limits import InvalidRecord

MEAN_OF_ONE = {"by": "means", "weights": [["1/2", sp.srepr(x**2)]], "of": sp.srepr(x), "scale": "1"}
NARROWED = {"by": "narrow", "symbol": sp.srepr(x), "given": 0, "proof": INTERVAL}

CASES = [
    # x^2/2 >= x fails at 1: half a weight is no mean.
    (hypotheses, "require(total == 1", "nothing", MEAN_OF_ONE, x**2 / 2 - x, {x: (0, 5)}, {}),
    # x < 2 fails at 2, which belongs to (0, 2] and meets x <= 2.
    (
        hypotheses,
        "r.is_open_above",
        "r.is_open",
        NARROWED,
        2 - x,
        {x: (0, 2, True, False)},
        {"given": [(2 - x, False)]},
    ),
]


def accepts_with_fault(module: ModuleType, was: str, now: str, *args: Any, **kwargs: Any) -> bool:
    """Whether a checker with one of these faults takes the step for a proof."""
    for mutant in mutants_of(module):
        if not mutant.was.startswith(was) or mutant.now != now:
            continue
        function = function_of(mutant)
        right = function.__code__
        try:
            function.__code__ = mutant.code
            if accepts(*args, **kwargs):
                return True
        except Exception:
            continue
        finally:
            function.__code__ = right
    return False


@pytest.mark.parametrize(("module", "was", "now", "step", "expression", "box", "more"), CASES)
def test_one_obligation_stands_between_a_false_statement_and_a_proof(
    module: ModuleType, was: str, now: str, step: Any, expression: sp.Expr, box: dict, more: dict
) -> None:
    assert refuses(step, expression, box, strict=bool(more), **more)
    assert accepts_with_fault(module, was, now, step, expression, box, strict=bool(more), **more)
    assert refuses(step, expression, box, strict=bool(more), **more)


def test_mutants_have_names_of_their_own_and_the_code_of_one_fault() -> None:
    mutants = list(mutants_of(hypotheses))
    assert len({mutant.key for mutant in mutants}) == len(mutants)
    assert {mutant.operator for mutant in mutants} <= set(OPERATORS)
    ends = [mutant.now for mutant in mutants_of(calculus) if mutant.kind == "table"]
    assert "2 + sign" not in ends
    chained = [mutant for mutant in mutants if mutant.was == "w > 0" and mutant.now == "w >= 0"]
    assert len(chained) == 1
    assert function_of(chained[0]).__code__.co_code != chained[0].code.co_code
    kinds = Counter(mutant.kind for module in (hypotheses, calculus) for mutant in mutants_of(module))
    assert kinds["code"] > 100
    assert kinds["table"] > 10


@pytest.mark.parametrize(
    ("error", "way"),
    [
        (InvalidRecord("no"), "refuses more"), (InvalidRecord("malformed: TypeError: x"), "breaks"),
        (AssertionError("1 == 2"), "another value"), (TypeError("x"), "breaks"),
        (pytest.fail.Exception("DID NOT RAISE InvalidRecord"), "accepts more"),
    ],
)  # fmt: skip
def test_how_a_fault_shows_itself(error: BaseException, way: str) -> None:
    assert way_of(error) == way
    assert way in WAYS


def test_survivors_are_what_nothing_kills_and_no_reason_explains() -> None:
    one, two, three = list(mutants_of(hypotheses))[:3]
    fates = [MutantFate(one, "refuses more", "a test", 3), MutantFate(two, None, "", 3), MutantFate(three, None, "", 3)]
    assert [fate.mutant for fate in survivors(fates, {two.key: "a reason"})] == [three]
    rows = tallies(fates, {two.key: "a reason"})
    assert rows == {"hypotheses": [3, 0, 1, 0, 0, 0, 1, 1]}
    rows["zero"] = [2, 2, 0, 0, 0, 0, 0, 0]
    assert table(rows).splitlines()[-1] == "| all | 5 | 2 | 1 | 0 | 0 | 0 | 1 | 1 |"


def test_a_pass_over_some_modules_replaces_their_rows_and_survivors_alone(tmp_path: Path) -> None:
    page = tmp_path / "gate.md"
    page.write_text("head\n<!-- gate: begin -->\nold\n<!-- gate: end -->\ntail\n", encoding="utf-8")
    zero, nodes = [4, 1, 1, 0, 0, 0, 0, 2], [3, 2, 0, 0, 0, 0, 0, 1]
    left = ["gone.a: x", "nodes.a: x", "zero.b: y", "zero.a: x"]
    write_page({"zero": zero, "nodes": nodes, "gone": nodes}, left, page)
    write_page({"zero": [4, 2, 1, 0, 0, 0, 0, 1]}, ["zero.b: y"], page)
    text = page.read_text(encoding="utf-8")
    assert rows_on(text) == {"nodes": nodes, "zero": [4, 2, 1, 0, 0, 0, 0, 1]}  # `gone` is no module of the checker
    assert text.startswith("head\n")
    assert text.endswith("-->\ntail\n")
    assert "old" not in text
    assert "| all | 7 | 4 | 1 | 0 | 0 | 0 | 0 | 2 |" in text
    assert listed(page) == {"nodes.a: x", "zero.b: y"}


@pytest.mark.parametrize("words", [["--write"], ["--write", "--module", "zero", "--only", "keys"]])
def test_a_part_of_a_module_is_not_written(words: list[str], monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sys, "argv", ["gate", *words])
    with pytest.raises(SystemExit, match="2"):
        main()


def test_what_is_said_to_be_equivalent_or_to_survive_is_a_mutant_of_the_checker() -> None:
    known = {mutant.key for module in checker_modules() for mutant in mutants_of(module)}
    assert set(equivalents()) <= known
    assert listed(PAGE) <= known
    assert not listed(PAGE) & set(equivalents())
    assert all(len(reason) > 20 for reason in equivalents().values())


def test_no_mutant_of_a_sample_survives_that_is_not_on_the_page(tmp_path: Path) -> None:
    left = tmp_path / "left.txt"
    command = [sys.executable, "-m", "benchmarks.gate", "--measured", "--sample", "50", "--survivors", str(left)]
    done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr[-2000:]
    keys = {line.split("\t")[2] for line in left.read_text(encoding="utf-8").splitlines()}
    assert keys <= listed(PAGE)
