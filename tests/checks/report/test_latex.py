"""LaTeX that people hand in: which lines it has, formulas that are only formulas, and a real LaTeX to compile it."""

from __future__ import annotations

import re
import shutil
import subprocess
from dataclasses import replace
from pathlib import Path

import pytest
import sympy as sp

from checks.catalogue import discover
from checks.records.preset import Preset
from checks.records.rows import Row
from checks.report.escape import latex
from checks.report.formats.latex import PACKAGES
from checks.report.table import render
from checks.statistics.explanation import finding
from checks.statistics.verdict import Judgement, Verdict
from tests.checks.report.test_escape import COMMAND, HOSTILE, row_of
from tests.patience import PATIENCE_SECONDS
from theory.claim import Role
from theory.display import formulas
from theory.display.names import latex_symbol

DOCUMENT = r"""\documentclass{article}
\usepackage{%s}
\begin{document}
%s
\end{document}
"""


def longtable(table: dict[str, list[Row]], preset: Preset, *, parts: bool = False) -> str:
    """The table in LaTeX."""
    return render(table, preset, fmt="latex", parts=parts)


UNICODE = "αβγΔΩϵ → ≤ ≥ ≠ ∞ × · ± − √ ∈ ∑ “a” ‘b’ – — … naïve é ß ø Å ñ č ł ﬁ x² x₁ ½ µ 中文 🙂 ﷽ ‖x‖ ｆ"


def compiled(text: str, folder: Path, packages: tuple[str, ...] = PACKAGES) -> str:
    """The log of a LaTeX that made a document of a fragment, and was not allowed to run programs."""
    program = shutil.which("pdflatex")
    if program is None:
        pytest.skip("there is no pdflatex here; `make latex` installs one from Debian's packages")
    (folder / "page.tex").write_text(DOCUMENT % (",".join(packages), text), encoding="utf-8")
    words = [program, "-no-shell-escape", "-interaction=nonstopmode", "-halt-on-error", "page.tex"]
    done = subprocess.run(words, cwd=folder, capture_output=True, timeout=PATIENCE_SECONDS, check=False)
    log = done.stdout.decode(errors="replace")
    assert done.returncode == 0, log[-2000:]
    assert (folder / "page.pdf").read_bytes().startswith(b"%PDF")
    return log


# ---------------------------------------------------------------------------------------------------------------- lines


def hostile_table() -> dict[str, list[Row]]:
    """A claim for every hostile text, which is its part, reason, source, statement and the name of its symbol."""
    table = {}
    for number, text in enumerate((*HOSTILE, UNICODE)):
        row = row_of(text)
        symbol = sp.Symbol(text, positive=True)
        axis = replace(row.claim.axes[0], symbol=symbol)
        claim = replace(row.claim, id=f"A.made_up_{number}", axes=(axis,), value=symbol**-2)
        table[claim.id] = [replace(row, claim=claim, axis=axis), replace(row, claim=claim, role=Role.READING)]
    return table


def test_statement_lines_by_default_and_every_line_on_request() -> None:
    row = row_of("line one")
    table = {"A.made_up": [row, replace(row, part="line two", role=Role.PROOF_STEP)]}
    statements, every = (longtable(table, Preset.QUICK, parts=parts) for parts in (False, True))
    assert "line one" in statements
    assert "line two" not in statements
    assert r"line two\newline(proof step)" in every


def test_a_claim_without_a_statement_keeps_its_line() -> None:
    row = replace(row_of("an exponent"), role=Role.DERIVED, judgement=Judgement(Verdict.NO_CLAIM))
    (line,) = (line for line in longtable({"A.made_up": [row]}, Preset.FULL).splitlines() if "newline" in line)
    assert line.endswith(r"no claim \\")
    assert r"\emph{no claim}" in line


# ------------------------------------------------------------------------------------------------------------- formulas


@pytest.mark.parametrize(
    ("name", "latex"),
    [
        ("alpha_*", r"\alpha_{*}"),
        ("alpha_#", r"\alpha_{\#}"),
        ("A_ij", "A_{ij}"),
        ("x1_max", r"x_{1,\mathrm{max}}"),
        ("||q_1||", r"{\|q_{1}\|}"),
        ("|x||y|", "{|x||y|}"),
        ("(delta+tau)", r"{(\delta + \tau)}"),
        ("|S|-|S_1|", r"\left(|S| - |S_{1}|\right)"),
        ("K*Q", r"\left(K \cdot Q\right)"),
        ("c''", "{c''}"),
        ("own", r"\mathrm{own}"),
        ("polylog(d)", r"{\operatorname{polylog}(d)}"),
        ("cos(theta)", r"{\cos(\theta)}"),
        ("eta^C", r"\eta^{C}"),
        ("n^-1", "n^{-1}"),
        ("w_+", "w_{+}"),
        ("=1+1", r"\text{=1+1}"),
        ("x*", r"\text{x*}"),
        ("e^{-(delta+tau)}(1-rho)", r"{e^{- (\delta + \tau)}(1 - \rho)}"),
        ("α_*", r"\alpha_{*}"),
        ("a$b%", r"\text{a b}"),
        ("naïve words", r"\text{naive words}"),
        ("W x", "{Wx}"),
        ("two words", r"\text{two words}"),
        ("P[y f* <= 0]", r"\text{P[y f* <= 0]}"),
        ("x^2^2", r"\text{x 2 2}"),
        ("|", r"\text{?}"),
        (")a(", r"\text{)a(}"),
        ("", r"\text{?}"),
    ],
)
def test_symbols_are_named_as_in_papers(name: str, latex: str) -> None:
    assert latex_symbol(name) == latex


def test_formulas_of_every_claim_are_formulas() -> None:
    for name, check in discover().items():
        for formula in (check.claim.value, *(hypothesis.relation for hypothesis in check.claim.regime)):
            if formula is not None:
                assert formulas.typeset(formula), name
                assert r"\text" not in formulas.latex(formula), name
                assert formulas.unicode_line(formula).count("**") == 0, name


@pytest.mark.parametrize(
    "text", [*HOSTILE, "x}y", "^^5cinput", "\\", "%", "&", "\\begin{x}", "x_{", "\\\\[1cm]"], ids=ascii
)
def test_a_symbol_of_any_name_is_no_command(text: str) -> None:
    x = sp.Symbol(text, positive=True)
    function = sp.Function(re.sub(r"[\s\0\ud800-\udfff]", "", text) or "f")  # sympy refuses others
    for formula in (x**-2 + sp.log(x), function(x), sp.Symbol(text) <= 1, sp.MatrixSymbol(text, 2, 2)):
        written = formulas.latex(formula)
        assert set(COMMAND.findall(written)) <= {
            "frac",
            "log",
            "left",
            "right",
            "text",
            "mathrm",
            "operatorname",
            "leq",
        }
        assert written.isascii()
        assert written.isprintable()
        assert re.search(r"[$%&~#]", written) is None
        assert written.count("{") == written.count("}")


def test_formulas_in_unicode() -> None:
    a, n, c = sp.symbols("alpha_* n c_1", positive=True)
    assert formulas.unicode_line(1 / (a**2 * sp.sqrt(n)) + c * sp.oo) == "∞"
    assert formulas.unicode_line(sp.log(n) ** 2 / (a - c) ** 2) == "log(n)²/(α_* - c₁)²"
    assert formulas.unicode_line(sp.sqrt(n) <= n ** sp.Rational(1, 3)) == "√n ≤ n^(1/3)"
    assert formulas.unicode_line(n**a) == "n^α_*"
    assert formulas.unicode_line(n ** sp.Symbol("m (M-2)")) == "n^(m (M-2))"
    assert formulas.unicode_line(sp.And(n > 1, n < 2 * sp.pi)) == "n > 1 and n < 2·π"
    assert formulas.unicode_lines(c / n) == (["c₁", "──", "n"], 1)


def test_letters_beyond_ascii_become_commands_or_code_points() -> None:
    assert latex("α → ∞") == r"\ensuremath{\alpha} \ensuremath{\rightarrow} \ensuremath{\infty}"
    assert latex("é ß 中 x²") == r"\'{e} \ss{} \texttt{U+4E2D} x\textsuperscript{2}"
    assert latex("[a]") == "{[}a{]}"
    assert latex(UNICODE).isascii()


# --------------------------------------------------------------------------------------------------------- a real LaTeX


def test_hostile_texts_compile_and_do_nothing(tmp_path: Path) -> None:
    log = compiled(longtable(hostile_table(), Preset.QUICK, parts=True), tmp_path)
    assert "(/etc/passwd" not in log
    assert {path.name for path in tmp_path.iterdir()} <= {"page.tex", "page.pdf", "page.log", "page.aux"}


def test_every_claim_compiles(tmp_path: Path) -> None:
    table = {
        name: [Row(check.claim, part.name, Judgement(Verdict.HOLDS, finding("made up")), axis, role=part.role)]
        for name, check in discover().items()
        for part in check.parts[:1]
        for axis in check.claim.axes[:1] or (None,)
    }
    assert len(table) > 50
    log = compiled(longtable(table, Preset.QUICK, parts=True), tmp_path)
    assert "Missing character" not in log


# -------------------------------------------------------------------------------------------------------------- macros

QUOTING = r"""%s
Quoted: \theoremeter{A.made_up_0}; \theoremeterverdict{A.made_up_0}; \theoremeterfigures{A.made_up_0}.
And a claim that is not there: \theoremeter{A.no}
"""


def test_a_text_quotes_a_headline_by_its_id(tmp_path: Path) -> None:
    """Hostile texts beside it, a wrong id too: ?? and a warning, as of a reference that is not there."""
    text = render(hostile_table(), Preset.QUICK, fmt="macros")
    assert text.isascii()
    (line,) = (line for line in text.splitlines() if "{A.made_up_0}" in line)
    assert line.startswith(r"\theoremeter@set{A.made_up_0}{")
    log = compiled(QUOTING % text, tmp_path)
    assert "No verdict of claim A.no in the file of theoremeter" in log
    assert "claim A.made" not in log


def test_an_id_that_is_no_name_of_a_macro_is_a_comment() -> None:
    hostile = "A.x}\\input{/etc/passwd}"
    row = next(iter(hostile_table().values()))[0]
    text = render({hostile: [row]}, Preset.QUICK, fmt="macros")
    assert r"\input" not in text
    assert [line for line in text.splitlines() if line.startswith("% no macro for A.x")]
