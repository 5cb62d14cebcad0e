"""`theoremeter judge`: measurements in a csv file against a formula, and every kind of file that is none."""

from __future__ import annotations

import json
import math
import re
from collections.abc import Callable
from pathlib import Path

import numpy as np
import pytest

from checks.cli import main
from checks.commands.csv_samples import MAX_LINE, MAX_POINTS, read_samples
from checks.commands.declared.judge import DEFAULT_MARGIN, DEFAULT_RATIO_MARGIN
from checks.evidence.scaling import Scaling
from checks.statistics.judge import judge_exact, judge_explicit, judge_limit, judge_scaling
from theory import claim as claims

SIZES = (10, 20, 40, 80, 160)
REPLICATES = 6


def measured(replicates: int = REPLICATES) -> np.ndarray:
    """Risks of 5 / n with noise, one row a size."""
    noise = np.exp(0.05 * np.random.default_rng(0).standard_normal((len(SIZES), replicates)))
    return 5 / np.array(SIZES)[:, None] * noise


def text(samples: np.ndarray) -> str:
    rows = [f"{n},{value!r}" for n, values in zip(SIZES, samples.tolist(), strict=True) for value in values]
    return "\n".join(["n,risk", *rows]) + "\n"


GOOD, MANY = text(measured()), text(measured(20))
Judge = Callable[..., tuple[int, str, str]]


@pytest.fixture
def judge(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> Judge:
    """Exit code, stdout and stderr of the command on a file of these bytes."""
    monkeypatch.chdir(tmp_path)

    def run(content: str | bytes, *words: str, axis: str = "n", claim: str = "d/n", relation: str = "upper") -> tuple:
        data = content if isinstance(content, bytes) else content.encode()
        Path("data.csv").write_bytes(data)
        let = [] if "--let" in words or "d" not in claim else ["--let", "d=5"]
        asked = ["--axis", axis, "--value", "risk", "--claim", claim, "--relation", relation]
        code = main(["judge", "data.csv", *asked, *let, *words])
        streams = capsys.readouterr()
        return code, streams.out, streams.err

    return run


def test_an_order(judge: Judge) -> None:
    code, out, _ = judge(GOOD)
    lines = out.splitlines()
    assert code == 0
    assert lines[0] == "tight: risk against d/n (upper) as n goes to infinity with d = 5"
    assert lines[1] == "    data.csv: 30 rows, 5 values of n from 10 to 160, 6 rows at each"
    assert lines[2].startswith("    exponent -")
    assert lines[2].endswith("measured, -1 claimed on these points")


@pytest.mark.parametrize("toward", ["infinity", "zero", "200"])
@pytest.mark.parametrize("relation", ["upper", "lower", "tight"])
def test_figures_are_those_of_the_rule(judge: Judge, relation: str, toward: str) -> None:
    _, out, _ = judge(GOOD, "--toward", toward, "--format", "json", "--margin", "0.2", claim="d/n^2", relation=relation)
    told = json.loads(out)
    limit = 200.0 if toward == "200" else toward
    axis = np.array(SIZES, dtype=float)
    expected = judge_scaling(axis, measured(), 5 / axis**2, relation=relation, margin=0.2, toward=limit)
    assert told["verdict"] == expected.verdict
    assert told["delta"] == pytest.approx(expected.delta)
    assert told["measured_exponent"] == pytest.approx(expected.exponents.measured)
    low, high = told["measured_exponent_interval"]
    assert low < told["measured_exponent"] < high
    assert high - low == pytest.approx(expected.confidence_interval.high - expected.confidence_interval.low)


def test_values_as_they_stand(judge: Judge) -> None:
    bounds = 5 / np.array(SIZES)
    told = json.loads(judge(GOOD, "--format", "json", relation="exact")[1])
    assert told["verdict"] == judge_exact(measured(), bounds, margin=0.05).verdict
    told = json.loads(judge(MANY, "--format", "json", "--let", "d=6", relation="explicit upper")[1])
    assert told["verdict"] == judge_explicit(measured(20), bounds * 1.2, relation="upper").verdict == "holds"
    assert (told["margin"], told["range"]) == (None, None)
    negative = text(-measured(20))
    assert "holds: " in judge(negative, "--let", "d=-4", relation="explicit-upper")[1]


def test_values_without_noise(judge: Judge) -> None:
    """Planted: a sequence that leaves its formula at one term; without `--exact` one row a point decides nothing."""
    one = "n,risk\n" + "".join(f"{n},{5 / n!r}\n" for n in SIZES)
    words = ("--exact", "--relation", "exact", "--margin", "1e-9")
    assert "holds: " in judge(one, *words)[1]
    assert "violated: " in judge(one.replace("10,0.5\n", "10,0.505\n"), *words)[1], "5 % were allowed unasked"
    assert "violated: " in judge(one.replace("10,0.5\n", "10,0.6\n"), *words)[1]
    assert "violated: " in judge(one.replace("10,0.5\n", "10,0.5000001\n"), "--exact", relation="explicit-upper")[1]
    assert "inconclusive: " in judge(one, relation="exact")[1]
    code, out, err = judge(one + "10,0.6\n", *words)
    assert (code, out) == (2, "")
    assert "measured must agree at each point where it is exact" in err


def test_rows_that_are_runs_of_their_own(judge: Judge) -> None:
    """What twenty rows in any order leave open, twenty of runs of their own decide, and the reason says so."""
    words = ("--let", "d=5.25", "--reasons")
    unsaid = judge(MANY, *words, relation="explicit-upper")[1]
    assert "inconclusive: " in unsaid
    assert "holds if each is a run of its own" in " ".join(unsaid.split())
    assert "holds: " in judge(MANY, *words, "--independent", relation="explicit-upper")[1]


def test_a_stated_range(judge: Judge) -> None:
    zeros = "n,risk\n" + "10,0\n" * 40
    assert "inconclusive: " in judge(zeros, "--let", "d=1", relation="explicit-upper")[1]
    stated = judge(zeros, "--let", "d=1", "--range", "0", "1", "--format", "json", relation="explicit-upper")
    told = json.loads(stated[1])
    assert (told["verdict"], told["range"]) == ("holds", [0.0, 1.0])


@pytest.mark.parametrize(
    "content",
    [
        b"\xef\xbb\xbf" + GOOD.encode(),
        GOOD.replace("\n", "\r\n"),
        GOOD.replace("\n", "\r"),
        GOOD.replace("\n", "\n\n"),
        GOOD.replace(",", ";"),
        GOOD.replace(",", "\t"),
        GOOD.replace(",", " , "),
        GOOD.rstrip("\n"),
        "\n".join(f'"{line.replace(",", chr(34) + "," + chr(34))}"' for line in GOOD.splitlines()),
        "\n".join(f"{line},{'why' if i == 0 else 'ünüsed,'[:6]}" for i, line in enumerate(GOOD.splitlines())),
    ],
    ids=["BOM", "CRLF", "CR", "blank lines", "semicolons", "tabs", "spaces", "no last newline", "quotes", "more"],
)
def test_files_that_say_the_same(judge: Judge, content: str | bytes) -> None:
    assert judge(content, "--format", "json") == judge(GOOD, "--format", "json")


def test_a_column_whose_name_is_no_symbol(judge: Judge) -> None:
    content = GOOD.replace("n,", "sample size,", 1)
    assert judge(content, axis="n=sample size")[1].startswith("tight: risk against d/n")


def test_runs_that_were_cut_off(judge: Judge) -> None:
    content = GOOD + "5,inf\n5,Infinity\n5,+inf\n5,0.97\n5,0.985\n5,0.995\n"
    told = json.loads(judge(content, "--limit", "1", "--format", "json")[1])
    assert told["points"][0] == {"axis": 5.0, "claimed": 1.0, "mean": None, "n": 6}
    assert told["verdict"] == "tight"
    assert "--limit, and leave out the row of a lost run" in judge(GOOD + "5,\n", "--limit", "1")[2]
    assert "3 equal to it (1) and none that is inf" in judge(GOOD + "5,1\n" * 3, "--limit", "1")[2]


def test_runs_that_were_not_seen(judge: Judge) -> None:
    content = GOOD + "320,0\n320,0\n320,0.016\n320,0.017\n320,0\n320,0\n"
    low = ("--limit-low", "0.015625")
    assert json.loads(judge(content, *low, "--format", "json")[1])["verdict"] == "tight"
    assert "a run that was cut off needs --limit-low" in judge(content)[2]
    assert "limit-low must be at most every value, got 0.016 at n = 320" in judge(content, "--limit-low", "0.0165")[2]
    assert "limit-low must be < limit, got 2 and 1" in judge(content, "--limit-low", "2", "--limit", "1")[2]
    assert "limit-low must go with upper, lower or tight" in judge(GOOD, *low, relation="exact")[2]


def test_runs_that_were_lost(judge: Judge) -> None:
    out = " ".join(judge(GOOD + "160,\n80,nan\n10,NA\n", "--reasons")[1].split())
    assert out.startswith("tight: ")
    assert "3 of 33 runs were lost and do not count" in out
    assert "got an empty cell; leave out the row of a lost run" in judge(GOOD + "160,\n", relation="exact")[2]


def test_rows_that_are_not_equally_many(judge: Judge) -> None:
    fewer = " ".join(judge(GOOD.rstrip("\n").rpartition("\n")[0], "--reasons")[1].split())
    assert "from 10 to 160, 5 to 6 rows at each" in fewer
    assert "5 points, 5 to 6 replicates each" in fewer
    assert "1 to 6 rows at each" in judge(GOOD + "320,0.0156\n")[1]
    more = "".join(f"320,{0.0156 + 0.0001 * i}\n" for i in range(21))
    assert "holds: " in judge(MANY + more, "--let", "d=8", relation="explicit-upper")[1]


def test_an_offset_that_the_data_show_has_its_intervals(judge: Judge) -> None:
    content = text(measured() + 0.5)
    out = " ".join(judge(content, claim="1/n", relation="tight")[1].split())
    assert "the data show an offset: E + A n^-alpha with E = 0." in out
    told = json.loads(judge(content, "--format", "json", claim="1/n")[1])["offset_power"]
    assert told["E"]["confidence_interval"][0] < 0.5 < told["E"]["confidence_interval"][1]
    assert told["alpha"]["confidence_interval"][0] < 1 < told["alpha"]["confidence_interval"][1]
    assert json.loads(judge(GOOD, "--format", "json")[1])["offset_power"] is None


def test_limits_as_numbers(judge: Judge) -> None:
    for word, number in (("infinity", "inf"), ("zero", "0")):
        assert judge(GOOD, "--toward", number, "--format", "json") == judge(GOOD, "--toward", word, "--format", "json")


def test_too_little_to_decide(judge: Judge) -> None:
    for content in ("n,risk\n10,1\n", "n,risk\n10,1\n10,1\n", "n,risk\n10,1\n20,0.5\n"):
        code, out, _ = judge(content)
        assert code == 0
        assert out.startswith("inconclusive: ")


def test_a_picture(judge: Judge, tmp_path: Path) -> None:
    assert judge(GOOD, "--plot", "a.svg")[0] == 0
    drawn = (tmp_path / "a.svg").read_text()
    assert "<svg" in drawn
    assert judge(GOOD, "--plot", "a.gif")[2] == "theoremeter: plot must end in one of .svg, .png, .pdf, got 'a.gif'\n"
    assert "plot must be a file that can be written" in judge(GOOD, "--plot", "no/a.svg")[2]


CELL = "line 32, column risk: a cell must be a number > 0 (its logarithm is taken), got"
BAD_FILES = [
    ("320,nought", f"{CELL} 'nought'"),
    ("320,inf", f"{CELL} 'inf'; a run that was cut off needs --limit"),
    ("320,-1", f"{CELL} '-1'"),
    ("320,0", f"{CELL} '0'; a run that was cut off needs --limit-low"),
    ("320,1_0", f"{CELL} '1_0'"),
    ("320,٣", f"{CELL} '٣'"),
    ("320,0x1", f"{CELL} '0x1'"),
    ("320,\0", f"{CELL} '\\x00'"),
    ("320,=1+1", f"{CELL} '=1+1'"),
    ("320,\x1b[31m1", f"{CELL} '\\x1b[31m1'"),
    ("320,1e-320", "line 32, column risk: a cell must be between 1e-150 and 1e+150"),
    ("0,1", "line 32, column n: a cell must be a number > 0"),
    ("1e999,1", "line 32, column n: a cell must be a number > 0"),
    ("320", "line 32: a row must have as many cells as the header (2), got 1"),
    ("320,1,2", "line 32: a row must have as many cells as the header (2), got 3"),
    ('"320,1', "line 32: a line must be csv"),
    ("1" * (MAX_LINE + 1), f"line 32: a line must have at most {MAX_LINE} characters"),
    ("\n".join(f"{1000 + i},1" for i in range(MAX_POINTS)), f"at most {MAX_POINTS} different values"),
]


@pytest.mark.parametrize(("line", "said"), BAD_FILES, ids=[ascii(line[:12]) for line, _ in BAD_FILES])
def test_a_bad_line_is_named(judge: Judge, line: str, said: str) -> None:
    code, out, err = judge(f"{GOOD}{line}\n")
    assert (code, out) == (2, "")
    assert err.startswith("theoremeter: data.csv, ")
    assert said in err
    assert err.count("\n") == 1
    assert err.rstrip("\n").isprintable()


@pytest.mark.parametrize(
    ("content", "said"),
    [
        ("", "must begin with a line of column names"),
        ("\n\n", "must begin with a line of column names"),
        ("n,risk\n", "must have a row below the header"),
        ("1,2\n3,4\n", "axis must be a column of the header, got 'n'; columns are 1, 2"),
        ("N,risk\n3,4\n", "axis must be a column of the header, got 'n'; columns are N, risk; nearest is N"),
        ("n,rsk\n3,4\n", "value must be a column of the header, got 'risk'; columns are n, rsk; nearest is rsk"),
        (f"{','.join(f'c{i}' for i in range(50))}\n", "columns are c0, c1, c2, c3"),
        ("n,n,risk\n1,2,3\n", "axis must name one column, got 'n', which 2 columns have"),
        (GOOD.encode("utf-16"), "column names must be printable text in UTF-8"),
        ("n,ri\x1b[31msk\n1,2\n", "column names must be printable text in UTF-8"),
        (GOOD.encode() + b"320,\xff\n", "line 32, column risk: a cell must be a number > 0"),
    ],
)
def test_a_bad_file_is_refused(judge: Judge, content: str | bytes, said: str) -> None:
    code, out, err = judge(content)
    assert (code, out) == (2, "")
    assert said in err
    assert err.count("\n") == 1


BAD_WORDS = [
    (["--relation", "foo"], "relation: must be one of upper, lower"),
    (["--relation", "uper"], "got 'uper'; nearest is upper"),
    (["--relation", "Θ"], "got 'Θ'; that is tight"),
    *(
        (["--claim", claim], f"; the relation stands by itself: --claim {formula!r} --relation {relation}")
        for claim, formula, relation in (
            ("O(1/n)", "1/n", "upper"),
            ("risk = O(1/n)", "1/n", "upper"),
            ("Õ(d/n)", "d/n", "upper"),
            ("Omega(1/n)", "1/n", "lower"),
            ("\\Omega(1/n)", "1/n", "lower"),
            ("Ω(n^-1)", "n^-1", "lower"),
            ("Theta(1/n)", "1/n", "tight"),
            ("Θ(1/n)", "1/n", "tight"),
            ("≲ 1/n", "1/n", "upper"),
            ("risk ≳ 1/n", "1/n", "lower"),
            ("\\lesssim 1/n", "1/n", "upper"),
            ("risk <= d/n", "d/n", "explicit-upper"),
            ("risk ≥ d/n", "d/n", "explicit-lower"),
            ("risk = d/n", "d/n", "exact"),
        )
    ),
    (["--margin", "nan"], "margin: must be a finite number > 0"),
    (["--margin", "1/0"], "margin: must be a finite number > 0"),
    (["--margin", "1/2/3"], "margin: must be a finite number > 0"),
    (["--toward", "nan"], "toward: must be infinity, zero or a number"),
    (["--toward", "40"], "axis must not touch the boundary 40"),
    (["--toward", "50"], "axis must lie on one side of the boundary 50 it approaches, got 10 to 160"),
    (["--limit", "0.1"], "limit must be at least every value, got 0.5"),
    (["--let", "d"], "let must be NAME=NUMBER, got 'd'"),
    (["--let", "d=5", "--let", "k=3"], "let must give symbols of the claim, got 'k'"),
    (["--let", "d=5", "--let", "n=3"], "let must not name the axis, got n"),
    (["--let", "d=x"], "let d must have names that are declared, got 'x'"),
    (["--claim", "k/n", "--let", "d=5"], "claim must have names that are the axis n or are given by --let, got 'k'"),
    (["--claim", "1/(n-10)"], "claim must have a real value at n = 10, got none"),
    (["--claim", "log(n) - 3"], "claim must be > 0 and at least 1e-150 for upper (its logarithm is taken), got"),
    (["--claim", "exp(exp(n))"], "claim must be at most 1e+150 in size"),
    (["--claim", "9**9**9*n"], "claim must have exponents of at most 10000"),
    (["--claim", "n >= 1"], "claim must be an expression without a relation"),
    (["--axis", "risk"], "axis and value must be different columns"),
    (["--axis", "pi=n"], "a symbol's name must be free, got pi"),
    (
        ["--range", "0", "1"],
        "range must go with explicit-upper, explicit-lower, exact, limit,",
    ),
    (["--relation", "exact", "--range", "0", "0.1"], "range must hold every sample, got"),
    (["--relation", "exact", "--range", "2", "1"], "range must be two finite numbers, low < high"),
    (["--relation", "exact", "--margin", "2"], "margin must be < 1 with exact"),
    (["--relation", "exact", "--limit", "1"], "limit must go with upper, lower or tight"),
    (["--relation", "explicit-upper", "--margin", "1"], "margin must go with upper, lower, tight, exact, limit,"),
    (
        ["--exact"],
        "limit, limit-upper or limit-lower, got it with upper",
    ),
    (["--relation", "exact", "--exact", "--range", "0", "1"], "range must not go with exact"),
    (["--relation", "exact", "--exact"], "margin must be given for values without noise against an exact law"),
    (["--relation", "exact", "--exact", "--independent"], "independent must not go with exact"),
    (["--relation", "exact", "--claim", "n - 10"], "claim must not be 0 for exact"),
    (["--rate", "0.5"], "rate must go with limit, limit-upper or limit-lower, got 0.5 with upper"),
    (["--relation", "limit"], "claim must be one number with limit, got 1/n"),
    (["--relation", "limit", "--claim", "0"], "tolerance must be given where a limit of 0 is claimed"),
    (["--relation", "limit", "--margin", "1"], "margin must be < 1 with limit"),
    (["--relation", "limit", "--margin", "0.1", "--tolerance", "0.1"], "tolerance must not go with margin"),
    (["--relation", "limit", "--claim", "2", "--toward", "zero"], "toward must be infinity with limit, got zero"),
    (["--relation", "limit", "--claim", "2", "--rate", "9"], "rate must lie in [0.25, 3), got 9"),
    (["--relation", "limit", "--claim", "2", "--checkpoints"], "checkpoints must go with upper, lower, tight, excess,"),
    (["--relation", "limit", "--claim", "2", "--independent"], "independent must not go with a limit"),
    (["--relation", "excess", "--claim", "1/log(n)"], "claim must be a power of n with excess"),
    (["--relation", "excess", "--limit", "1"], "limit must go with upper, lower or tight, got 1 with excess"),
    (["--relation", "excess", "--toward", "3"], "toward must be infinity or zero with excess, got 3"),
]


@pytest.mark.parametrize(("words", "said"), BAD_WORDS, ids=[" ".join(words) for words, _ in BAD_WORDS])
def test_bad_words_are_refused(judge: Judge, words: list[str], said: str) -> None:
    code, out, err = judge(GOOD, *words, claim="1/n" if "--let" not in words else "d/n")
    assert (code, out) == (2, "")
    assert said in err
    assert err.count("\n") == 1


def test_what_cannot_be_read(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    asked = ["--axis", "n", "--value", "risk", "--claim", "1/n", "--relation", "upper"]
    for path in (tmp_path, tmp_path / "none.csv"):
        assert main(["judge", str(path), *asked]) == 2
        assert "data must be a csv file that can be read" in capsys.readouterr().err
    assert main(["judge", "/dev/zero", *asked]) == 2
    assert "line 1: a line must have at most" in capsys.readouterr().err


def test_margins_are_those_of_claims_and_parts() -> None:
    """Written down a second time because asking for help must not import sympy."""
    assert float(claims.DEFAULT_MARGIN) == DEFAULT_MARGIN
    assert Scaling.ratio_margin == DEFAULT_RATIO_MARGIN


def test_many_rows(tmp_path: Path) -> None:
    path = tmp_path / "many.csv"
    path.write_text("n,risk\n" + "".join(f"{10 * 2 ** (i % 5)},1.5\n" for i in range(50_000)))
    samples = read_samples(path, axis="n", value="risk", positive=True)
    assert samples.n_rows == 50_000
    assert samples.counts == (10_000, 10_000)
    assert samples.axis == [10.0, 20.0, 40.0, 80.0, 160.0]


def test_a_point_of_lost_runs_alone_is_named(judge: Judge) -> None:
    code, _, err = judge(re.sub(r"(?m)^10,.*", "10,nan", GOOD))
    assert code == 2
    assert "data.csv: column 'risk' must hold a number at every value of n, got only lost runs at 10" in err


def test_a_claim_about_a_mean_takes_sixty_runs(judge: Judge) -> None:
    """GOOD has 30 runs, MANY 100; the word has no place where means are judged anyway."""
    said = [
        judge(content, "--estimand", word)[1].split(":")[0] for content in (GOOD, MANY) for word in ("typical", "mean")
    ]
    assert said == ["tight", "inconclusive", "tight", "tight"]
    code, _, err = judge(GOOD, "--estimand", "mean", relation="explicit-upper")
    assert (code, err.splitlines()[-1].split("estimand must")[1]) == (
        2,
        " go with upper, lower or tight, got it with explicit-upper",
    )


def _drawn(law: Callable[[np.ndarray], np.ndarray], noise: float) -> str:
    """A csv of eight sizes, twelve runs each."""
    rng, sizes = np.random.default_rng(0), 50 * 2.0 ** np.arange(8)
    rows = [f"{n:g},{v}" for n, mean in zip(sizes, law(sizes), strict=True) for v in mean * rng.normal(1, noise, 12)]
    return "n,risk\n" + "\n".join(rows) + "\n"


@pytest.mark.parametrize(
    ("claim", "words", "verdict"),
    [
        ("1", ["limit"], "holds"),
        ("1.04", ["limit", "--margin", "0.01"], "violated"),
        ("1.5 - 1", ["limit", "--tolerance", "0.2"], "violated"),
        ("1.2", ["limit-upper"], "holds"),
        ("1.2", ["limit-lower"], "violated"),
    ],
)
def test_a_limit_is_judged_as_in_python(judge: Judge, claim: str, words: list[str], verdict: str) -> None:
    content = _drawn(lambda n: 1 + 0.5 / np.sqrt(n), 0.003)
    code, out, _ = judge(content, *words[1:], claim=claim, relation=words[0])
    assert (code, out.split(":")[0]) == (0, verdict)
    assert "as n goes to infinity" in out
    assert "measured / claimed" not in out
    kind = {"limit": "tight"}.get(words[0], words[0].removeprefix("limit-"))
    rows = [[float(line.split(",")[1]) for line in content.splitlines()[1 + 12 * i : 13 + 12 * i]] for i in range(8)]
    given = {name.removeprefix("--"): float(value) for name, value in zip(words[1::2], words[2::2], strict=True)}
    value = {"1.5 - 1": 0.5}.get(claim) or float(claim)
    assert judge_limit(50 * 2.0 ** np.arange(8), rows, value, relation=kind, **given).verdict.value == verdict


@pytest.mark.parametrize(
    ("claim", "relation", "verdict"),
    [
        ("n^(-1/2)", "excess", "tight"),
        ("7/n", "excess", "violated"),
        ("1/n", "excess-upper", "violated"),
        ("n^(-1/9)", "excess-upper", "loose"),
    ],
)
def test_an_excess_over_an_offset_is_judged(judge: Judge, claim: str, relation: str, verdict: str) -> None:
    """The plain order of the same values is near 0, since the offset is most of them."""
    code, out, _ = judge(_drawn(lambda n: 1 + 4 / np.sqrt(n), 0.001), claim=claim, relation=relation)
    assert (code, out.split(":")[0]) == (0, verdict)
    assert "exponent -0.5" in out or "exponent -0.4" in out


def test_an_excess_is_drawn_with_the_law_that_was_fitted(judge: Judge, tmp_path: Path) -> None:
    content, path = _drawn(lambda n: 1 + 4 / np.sqrt(n), 0.001), tmp_path / "picture.svg"
    assert judge(content, "--plot", str(path), claim="1/n", relation="excess")[0] == 0
    words = path.read_text()
    assert "fitted: " in words
    assert "claimed: " not in words


def beside(column: str, cell: Callable[[int, int], object], *, rows: int = REPLICATES) -> str:
    """The measurements with one column more, of the axis value's number and the run's."""
    lines = [
        f"{n},{cell(i, j)},{value!r}"
        for i, (n, values) in enumerate(zip(SIZES, measured(rows).tolist(), strict=True))
        for j, value in enumerate(values)
    ]
    return "\n".join([f"n,{column},risk", *lines]) + "\n"


@pytest.mark.parametrize(
    ("column", "cell", "said"),
    [
        ("d", lambda i, _: SIZES[i] / 10, "d varies with n, so that what is found along n may be of that"),
        ("model", lambda i, _: "ab"[i % 2], "model varies with n"),
        ("delta", lambda _, j: 0.1 * (1 + j % 2), "delta varies among rows of one n, which are taken for runs of one"),
        ("delta", lambda i, j: 0.2 if (i, j) == (2, 1) else 0.1, "delta varies among rows of one n"),
    ],
)
def test_a_setting_that_is_not_used_is_named(judge: Judge, column: str, cell: Callable, said: str) -> None:
    """Its rows are pooled or follow it along the axis: a note, and the answer is the one without the column."""
    content = beside(column, cell)
    code, out, err = judge(content)
    assert code == 0
    assert out == judge(GOOD)[1]
    assert err.startswith(f"theoremeter: data.csv: columns that are not used: {said}")
    assert err.count("\n") == 1
    assert judge(content, "--quiet")[1:] == (out, "")


@pytest.mark.parametrize(
    ("column", "cell"),
    [
        ("d", lambda *_: 5),
        ("d", lambda i, _: "5" if i else "5.0"),
        ("Seed", lambda _, j: j),
        ("bound", lambda i, _: 5 / SIZES[i]),
        ("", lambda i, j: REPLICATES * i + j),
        ("line", lambda i, j: REPLICATES * i + j),
        ("loss", lambda i, j: math.sin(1 + REPLICATES * i + j)),
        ("remark", lambda *_: ""),
    ],
)
def test_what_is_no_setting_is_not_named(judge: Judge, column: str, cell: Callable) -> None:
    code, out, err = judge(beside(column, cell))
    assert (code, out, err) == (0, judge(GOOD)[1], "")


def test_long_names_and_many_columns_leave_the_note_one_line(judge: Judge) -> None:
    names = [f"{'x' * 60}{i}" for i in range(70)]
    rows = [",".join([line, *[str(i % 2)] * 70]) for i, line in enumerate(GOOD.splitlines()[1:])]
    code, _, err = judge("\n".join([",".join(["n,risk", *names]), *rows]) + "\n")
    assert code == 0
    assert err.count("\n") == 1
    assert ", ... vary among rows of one n" in err
