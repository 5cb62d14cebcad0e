"""Calls with a limit: what sympy draws is the same in each, and its contradictions are named."""

from __future__ import annotations

import re
import signal
import subprocess
import sys
import threading
import time
from functools import partial
from pathlib import Path

import pytest
import sympy as sp
import sympy.core.random
from sympy.core.facts import InconsistentAssumptions

import theory
from theory.prover import certify as prover
from theory.prover.certify import Proved, Unknown, certify
from theory.timeout import Contradiction, TimedOut, by_steps, cpu_clock, is_by_steps, loaded, reckon, within

x = sp.Symbol("x", positive=True)


def draw() -> list[int]:
    """What sympy's order of questions would be drawn from."""
    order = list(range(20))
    sympy.core.random._assumptions_shuffle(order)
    return order


def contradict(*_: object) -> None:
    raise InconsistentAssumptions({"positive": True}, "positive", False)


def test_every_call_begins_at_the_same_draw() -> None:
    first = within(5.0, draw)
    assert draw() != first
    assert within(5.0, draw) == first


def test_a_call_from_another_thread_begins_there_as_well() -> None:
    found: list[object] = []
    thread = threading.Thread(target=lambda: found.append(within(60.0, _drawn_elsewhere)))
    thread.start()
    thread.join()
    assert found == [within(5.0, _drawn_elsewhere)]


def _drawn_elsewhere() -> list[int]:
    return draw()


def test_a_contradiction_of_sympy_is_named() -> None:
    with pytest.raises(Contradiction, match="facts of an expression contradict each other"):
        within(5.0, contradict)


def test_a_statement_on_which_sympy_contradicts_itself_is_unknown(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(prover, "_settle", contradict)
    answer = certify(sp.Ge(x, 1, evaluate=False), {x: (1, 2)})
    assert isinstance(answer, Unknown)
    assert "contradict" in answer.reason


def test_facts_that_a_call_that_was_cut_off_left_half_made_are_made_anew(monkeypatch: pytest.MonkeyPatch) -> None:
    """A binomial tail was left unknown by luck, and that would have been stored."""
    k, n = sp.symbols("k n", integer=True, positive=True)
    e, settle, calls = k + n * sp.floor(x) / 2, prover._settle, []
    assert e.is_rational
    e._assumptions["rational"] = None

    def contradict_once(*arguments: object) -> object:
        calls.append(arguments)
        return contradict() if len(calls) == 1 else settle(*arguments)

    monkeypatch.setattr(prover, "_settle", contradict_once)
    answer = certify(sp.Ge(e, 1, evaluate=False), {x: (1, 2), k: (1, 5), n: (1, 5)})
    assert isinstance(answer, Proved)
    assert len(calls) == 2
    assert e.is_rational


def test_an_enclosing_timer_that_fires_while_the_handler_is_put_in_does_not_escape(monkeypatch):
    """The alarm of the call outside then meets the handler of the call inside, before that one has begun."""
    put_in = signal.signal

    def put_in_and_fire(number, handler):
        before = put_in(number, handler)
        if callable(handler) and handler.__name__ == "expire":
            handler(number, None)
        return before

    monkeypatch.setattr(signal, "signal", put_in_and_fire)
    assert within(5, abs, -3) == 3


def just_fired(read, which, *seconds):
    """What the kernel says of a timer that has fired while its signal is on its way: it repeats, and 0 s are left."""
    return 0.0, read(which, *seconds)[1]


def test_an_enclosing_timer_that_has_just_fired_is_armed_again(monkeypatch):
    """Else nothing would stop the call outside any more, however long it computed."""
    read = signal.getitimer

    def outside():
        monkeypatch.setattr(signal, "getitimer", partial(just_fired, read))
        within(50, abs, -3)
        return read(signal.ITIMER_REAL)[1]

    assert within(60, outside) > 0


def test_a_timer_that_has_just_fired_is_armed_again_after_a_module_is_loaded(tmp_path, monkeypatch):
    (tmp_path / "holds_nothing.py").touch()
    monkeypatch.syspath_prepend(tmp_path)
    put = signal.setitimer

    def outside():
        with monkeypatch.context() as patch:
            patch.setattr(signal, "setitimer", lambda *to: just_fired(put, *to) if to[1:] == (0,) else put(*to))
            loaded("holds_nothing")
        del sys.modules["holds_nothing"]
        return signal.getitimer(signal.ITIMER_REAL)[1]

    assert within(60, outside) > 0


def test_a_module_is_loaded_with_the_clock_stopped(tmp_path, monkeypatch):
    """A limit that fires while a module is imported would leave half of it behind."""
    (tmp_path / "asks_the_clock.py").write_text("import signal\nleft = signal.getitimer(signal.ITIMER_REAL)\n")
    monkeypatch.syspath_prepend(tmp_path)

    def inside():
        first, again = loaded("asks_the_clock"), loaded("asks_the_clock")
        return first, again, sys.modules.pop("asks_the_clock").left, signal.getitimer(signal.ITIMER_REAL)[0]

    first, again, during, afterwards = within(60, inside)
    assert (first > 0, again, during) == (True, 0.0, (0.0, 0.0))
    assert 0 < afterwards <= 60
    assert signal.getitimer(signal.ITIMER_REAL) == (0.0, 0.0)


def compute(seconds: float) -> str:
    """Keep this thread busy."""
    until = time.thread_time() + seconds
    while time.thread_time() < until:
        pass
    return "done"


def test_a_call_that_computes_too_long_is_stopped():
    with pytest.raises(TimedOut, match=r"compute did not end within 0\.1 s"):
        within(0.1, compute, 60.0)


def test_a_limit_counts_what_is_computed_and_not_what_passes():
    """A busy machine lets time pass between two steps; that stops nothing."""
    assert within(0.1, time.sleep, 0.3) is None


def test_no_search_knows_the_time_of_day():
    """What a busy machine could change: outside `theory.timeout` no clock is read but that of what is computed."""
    modules = [path for path in Path(theory.__file__).parent.rglob("*.py") if path.name != "timeout.py"]
    texts = {path: path.read_text(encoding="utf-8") for path in modules}
    assert len(modules) > 100
    clocks = {clock for text in texts.values() for clock in re.findall(r"\btime\.(\w+)\(|from time import", text)}
    assert clocks == {"thread_time"}
    assert not [path for path, text in texts.items() if re.search(r"^\s*(import|from) datetime", text, re.MULTILINE)]


def test_a_limit_does_not_count_what_other_threads_compute():
    other = threading.Thread(target=compute, args=(1.0,))
    other.start()
    try:
        assert within(0.4, compute, 0.2) == "done"
    finally:
        other.join()


def test_the_first_of_nested_limits_wins():
    def inside(seconds: float) -> str:
        try:
            return within(seconds, compute, 0.2)
        except TimedOut:
            return "the inner one"

    assert within(10, inside, 0.05) == "the inner one"
    assert within(10, inside, 5.0) == "done"
    with pytest.raises(TimedOut, match="inside did not end"):
        within(0.05, inside, 5.0)


def test_what_a_process_computes_for_a_thread_is_on_its_clock():
    found: list[object] = []

    def elsewhere() -> None:
        before = cpu_clock()
        with pytest.raises(TimedOut):
            within(0.2, compute, 60.0)
        found.append(cpu_clock() - before)

    thread = threading.Thread(target=elsewhere)
    thread.start()
    thread.join()
    assert found[0] >= 0.15


def test_the_prover_loads_scipy_only_where_it_is_asked():
    """It takes longer to load than most lemmas to prove."""
    code = (
        "import sys, sympy as sp; from theory.prover.certify import certify; x = sp.Symbol('x', real=True);"
        "certify(sp.Ge(x**2, 0, evaluate=False), {x: (-1, 1)}); print('scipy.optimize' in sys.modules)"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.strip() == "False"


def steps_of(count: int, seconds: float = 1.0) -> float:
    """What the clock of a search says after so many steps."""
    for _ in range(count):
        reckon(seconds)
    return cpu_clock()


def test_the_clock_of_a_search_is_that_of_its_steps():
    assert not is_by_steps()
    assert by_steps(5, steps_of, 3) == 3
    assert by_steps(5, is_by_steps)
    assert not is_by_steps()


def test_a_search_by_itself_has_no_end_in_steps():
    """So that its course is the same for each budget, whose seconds break it off."""
    assert by_steps(5, steps_of, 300) == 300


def test_a_search_within_another_ends_at_its_steps_and_not_a_part_of_one_later():
    def around() -> tuple[float, float]:
        reckon(1)
        with pytest.raises(TimedOut, match="of its steps"):
            by_steps(2.5, steps_of, 100)
        return cpu_clock(), by_steps(10, steps_of, 4)

    assert by_steps(1, around) == (3.5, 7.5)


def test_of_searches_within_each_other_the_first_end_counts():
    def inmost() -> None:
        with pytest.raises(TimedOut):
            by_steps(3, by_steps, 10, steps_of, 100)
        assert cpu_clock() == 3
        with pytest.raises(TimedOut):
            by_steps(10, by_steps, 3, steps_of, 100)
        assert cpu_clock() == 6

    by_steps(1, inmost)


def test_elsewhere_steps_are_no_clock():
    before = cpu_clock()
    reckon(1000)
    assert cpu_clock() - before < 900


def test_a_search_whose_budget_is_reckoned_ends_at_its_steps_on_every_machine():
    with pytest.raises(TimedOut, match="of its steps"):
        by_steps(5, steps_of, 300, is_cut=True)
    assert not is_by_steps()


def test_what_a_stopped_search_was_given_counts_as_spent_however_fast_the_machine_is():
    def around() -> float:
        with pytest.raises(TimedOut):
            within(0.01, by_steps, 2.5, forever)
        return cpu_clock()

    assert by_steps(1, around) == 2.5


def forever() -> None:
    while True:
        pass


def test_no_search_asks_whether_a_long_number_is_prime(monkeypatch):
    """Under some hashes sympy asks it on the way to a sign; a number of 17 732 bits took ten seconds."""
    asked = []
    monkeypatch.setattr("sympy.ntheory.primetest.isprime", lambda number: asked.append(number) or False)
    for number, is_known in ((2**61 - 1, True), (10**200 + 7, False)):
        for fact in ("is_prime", "is_composite"):
            assert (within(5, getattr, sp.Integer(number), fact) is not None) is is_known
    assert asked
    assert max(asked) == 2**61 - 1
    assert within(5, getattr, sp.Integer(10**200 + 9), "is_extended_nonnegative") is True
