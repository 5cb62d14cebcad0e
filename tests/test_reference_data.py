"""The benchmark on data of others: small public tables with certified answers, and files that are made up here."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from benchmarks import reference_data as benchmark
from checks.statistics.judge import fit_offset_power, judge_scaling
from checks.statistics.verdict import Verdict

MISRA1C = """NIST/ITL StRD
Dataset Name:  Misra1c           (Misra1c.dat)
File Format:   ASCII
               Starting Values   (lines 8 to 9)
               Certified Values  (lines 8 to 14)
               Data              (lines 12 to 25)

  b1 =   500         600           6.3642725809E+02  4.6638326572E+00
  b2 =     0.0001      0.0002      2.0813627256E-04  1.7728423155E-06
Residual Sum of Squares:                    4.0966836971E-02
Data:   y            x
      10.07E0      77.6E0
      14.73E0     114.9E0
      17.94E0     141.1E0
      23.93E0     190.8E0
      29.61E0     239.9E0
      35.18E0     289.0E0
      40.02E0     332.8E0
      44.82E0     378.4E0
      50.76E0     434.8E0
      55.05E0     477.3E0
      61.01E0     536.8E0
      66.40E0     593.1E0
      75.47E0     689.1E0
      81.78E0     760.0E0
"""
"""NIST StRD, Misra1c: monomolecular adsorption [Misra 1978]; in the public domain. Shortened to what is read."""


@pytest.fixture
def misra(tmp_path: Path) -> Path:
    path = tmp_path / "Misra1c.dat"
    path.write_text(MISRA1C)
    return path


def test_the_certified_curve_is_tight_and_half_a_power_off_is_not(misra: Path) -> None:
    reference = benchmark.read_nist(misra)
    assert reference.certified == pytest.approx([636.42725809, 2.0813627256e-4])
    assert benchmark.judged(reference).verdict is Verdict.TIGHT
    assert benchmark.judged(reference, power=0.5).verdict is Verdict.VIOLATED
    assert benchmark.nist_table(misra.parent)[-1].endswith("| tight | violated |")


@pytest.mark.parametrize(("old", "new"), [("81.78E0", "81.87E0"), ("Data       ", "Numbers    ")])
def test_a_file_that_is_not_what_it_was_certified_for_is_refused(misra: Path, old: str, new: str) -> None:
    misra.write_text(MISRA1C.replace(old, new))
    with pytest.raises(ValueError, match=r"certified sum of squares|must have certified values"):
        benchmark.read_nist(misra)


def test_the_lamp_has_its_certified_fit() -> None:
    temperature, energy = benchmark.DAN_WOOD.T
    fit = fit_offset_power(temperature, energy[:, None], noise="absolute", checkpoints=False)
    assert fit.offset.value == 0.0
    prefactor, exponent = benchmark.DAN_WOOD_CERTIFIED
    assert fit.prefactor.value == pytest.approx(prefactor, rel=1e-5)
    assert -fit.alpha.value == pytest.approx(exponent, rel=1e-5)
    judged = judge_scaling(temperature, energy[:, None], temperature**4, relation="tight", margin=0.25)
    assert judged.verdict is Verdict.INCONCLUSIVE
    assert "the axis spans a factor 1.28" in judged.reason


def test_planets() -> None:
    kepler = benchmark.small_tables()[0]
    assert kepler.startswith("- Period against distance^(3/2): tight, exponent 1.49")
    assert kepler.endswith("Against distance^2: violated.")


def test_the_law_that_made_the_runs_holds_and_the_other_is_violated(tmp_path: Path) -> None:
    rng = np.random.default_rng(0)
    parameters, tokens = np.exp(rng.uniform(18, 23, 200)), np.exp(rng.uniform(21, 26, 200))
    loss = benchmark.PUBLISHED[1].at(parameters, tokens) * np.exp(0.01 * rng.standard_normal(200))
    rows = zip(parameters, 6 * parameters * tokens, loss, strict=True)
    path = tmp_path / "runs.csv"
    path.write_text("Model Size,Training FLOP,loss\n" + "".join(f"{n},{c},{y}\n" for n, c, y in rows))
    lines = [line for line in benchmark.chinchilla_table(path) if "as an exact law" in line]
    assert [" violated (" in line for line in lines] == [True, False]
    assert [" holds (" in line for line in lines] == [False, True]


def test_learning_curves_leave_out_their_last_point(tmp_path: Path) -> None:
    sizes = 2.0 ** np.arange(8)
    rows = "".join(f"NMT,one,{x},{0.3 + x**-0.5 + (x == 128)}\n" for x in sizes)
    path = tmp_path / "curves.csv"
    path.write_text("Domain,Model,Seen Examples,Loss\n" + rows)
    line = benchmark.curves_table(path)[-1]
    assert line.startswith("| one | 7 | 0.300 [0.3, 0.3] | 0.500 [0.5, 0.5] | 1.3884 | 0.3884 |")


def test_the_page_has_its_tables() -> None:
    page = (Path(benchmark.__file__).parent / "results" / "reference-data.md").read_text(encoding="utf-8")
    tables = page.partition(benchmark.BEGIN)[2].partition(benchmark.END)[0]
    assert tables.count("###") == 4
    assert all(f"\n| {name} |" in tables for name in ("DanWood", "Misra1c", "Rat43"))
