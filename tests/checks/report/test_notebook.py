"""What notebooks show of claims, judgements and tables; hostile texts are text there as well."""

from __future__ import annotations

import re
import sys
from dataclasses import replace
from html.parser import HTMLParser

import pytest
import sympy as sp

from checks.catalogue import discover
from checks.commands.objects import Table
from checks.records.preset import Preset
from checks.statistics.explanation import Clause, Explanation, Measurements, Ruling, Topic, finding
from checks.statistics.verdict import DELTA_WORDS, Effect, Exponents, Interval, Judgement, Quantity, Verdict
from tests.checks.report.test_escape import COMMAND, HOSTILE, LETTERS, assert_inert, claim_of, row_of
from theory.claim import Axis, Hypothesis
from theory.display import mathml

TAGS = {
    "dd",
    "details",
    "dl",
    "dt",
    "summary",
    "div",
    "p",
    "strong",
    "table",
    "caption",
    "thead",
    "tbody",
    "tr",
    "th",
    "td",
    "br",
    "code",
    "ul",
    "li",
}
MATH = {"math", "mrow", "mi", "mn", "mo", "mtext", "mspace", "mfrac", "msqrt", "mroot", "msub", "msup", "msubsup"}
FORMS = {
    "class=tex2jax_ignore mathjax_ignore", "style=text-align:left", "style=font-size:0px", "style=font-size:16px",
}  # fmt: skip
SHAPES = ("display=", "displaystyle=", "stretchy=", "fence=", "form=", "mathvariant=", "alttext=")


class Reader(HTMLParser):
    """Tags, attributes and text of a page."""

    def __init__(self, page: str) -> None:
        super().__init__(convert_charrefs=True)
        self.tags: list[str] = []
        self.attributes: set[str] = set()
        self.text = ""
        self.feed(page)
        self.close()

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.tags.append(tag)
        self.attributes |= {f"{name}={value}" for name, value in attrs}

    @property
    def frame(self) -> list[str]:
        """Tags but those within formulas."""
        return [tag for tag in self.tags if tag not in MATH]

    def handle_data(self, data: str) -> None:
        self.text += data


def shown(text: str) -> list[object]:
    """A claim, a judgement and a table that carry a text wherever they have one."""
    row = row_of(text)
    symbol = sp.Symbol(text, positive=True)
    axis = replace(row.claim.axes[0], symbol=symbol)
    hypothesis = Hypothesis(text, symbol > 1)
    claim = replace(row.claim, axes=(axis,), value=symbol**-2, regime=(hypothesis,))
    return [claim, row.judgement, Table({claim.id: (replace(row, claim=claim),)}, Preset.QUICK)]


@pytest.mark.parametrize("text", HOSTILE, ids=ascii)
def test_html_holds_text_and_no_more(text: str) -> None:
    for thing in shown(text):
        bundle = thing._repr_mimebundle_()
        assert set(bundle) == {"text/plain", "text/html", "text/latex"}
        page = Reader(bundle["text/html"])
        assert_inert(bundle["text/html"])
        assert_inert(bundle["text/plain"])
        assert set(page.tags) <= TAGS | MATH
        others = {attribute for attribute in page.attributes if not attribute.startswith(SHAPES)}
        assert {"class=tex2jax_ignore mathjax_ignore"} < others <= FORMS
        harmless = [kind for kind in shown("harmless") if type(kind) is type(thing)]
        assert page.frame == Reader(harmless[0]._repr_html_()).frame
        own = set(COMMAND.findall(harmless[0]._repr_latex_()))
        assert set(COMMAND.findall(bundle["text/latex"])) <= LETTERS | own | {
            "frac",
            "text",
            "mathrm",
            "operatorname",
            "to",
        }


def test_a_bundle_has_what_was_asked_for() -> None:
    for thing in shown("harmless"):
        assert set(thing._repr_mimebundle_(include={"text/html"})) == {"text/html"}
        assert set(thing._repr_mimebundle_(exclude={"text/html"})) == {"text/plain", "text/latex"}


def test_a_claim_shows_its_formula_and_its_hypotheses() -> None:
    claim = discover()["A.samples"].claim
    text = Reader(claim._repr_html_()).text
    assert claim.statement in text
    assert "1/(α_* - c'·(1 - ζ) - c''·(σ + τ))²" in text
    assert all(hypothesis.name in text for hypothesis in claim.regime)
    assert claim._repr_latex_().startswith(r"$\displaystyle \frac{1}{\left(\alpha_{*}")
    assert "text/latex" not in replace(claim_of("x"), value=None, axes=())._repr_mimebundle_()


def test_a_formula_is_typeset_and_stands_as_text_too(monkeypatch: pytest.MonkeyPatch) -> None:
    claim = discover()["A.samples"].claim
    page = Reader(claim._repr_html_())
    assert {"mfrac", "msup", "mi"} <= set(page.tags)
    assert any(value.startswith("alttext=1/(α_*") for value in page.attributes)
    assert re.search(r'<div style="font-size:0px"><math [^>]*style="font-size:16px"', claim._repr_html_())
    monkeypatch.setitem(sys.modules, "latex2mathml.converter", None)  # as where it is not installed
    mathml.mathml.cache_clear()
    bare = Reader(claim._repr_html_())
    mathml.mathml.cache_clear()
    assert not MATH & set(bare.tags)
    assert "claimed1/(α_* - c'·(1 - ζ) - c''·(σ + τ))²" in bare.text


def test_no_tag_stands_in_latex_that_is_printed_as_it_is() -> None:
    symbol = sp.Symbol("<script>alert(1)</script>", positive=True)
    claim = replace(claim_of("x"), value=symbol**-2, axes=(Axis(symbol, "zero"),))
    assert Reader(str(claim._repr_latex_())).tags == []


def test_every_claim_has_all_its_forms() -> None:
    for name, check in discover().items():
        page = Reader(check.claim._repr_html_())
        assert name in page.text
        assert ("math" in page.tags) == (check.claim.value is not None)
        assert (check.claim._repr_latex_() is None) == (check.claim.value is None)


def test_a_judgement_shows_its_figures() -> None:
    judged = Judgement(
        Verdict.TIGHT, Explanation(Ruling(clauses=(Clause(Topic.FINDING, "a < b & c"),)), Measurements(5)),
        effect=Effect(0.0175, Interval(-0.1, float("inf")), quantity=Quantity.DELTA, relation="tight"),
        exponents=Exponents(-0.9845, -1.002),
    )  # fmt: skip
    assert judged._repr_latex_() == r"$\text{tight}\quad \Delta = +0.0175\quad [-0.1, \infty]$"
    text = Reader(judged._repr_html_()).text
    shown = ("decision" + "a < b & c", "Δ+0.02", "[-0.1, inf]", "-0.98", "= -1.00", "points5")
    assert all(words in text for words in shown)
    assert judged._repr_mimebundle_()["text/plain"] == "a < b & c: tight."
    assert DELTA_WORDS in text
    assert DELTA_WORDS not in Reader(Judgement(Verdict.HOLDS, finding(""))._repr_html_()).text


def test_a_table_shows_a_line_a_claim() -> None:
    table = shown("harmless")[2]
    assert "A.made_up" in Reader(table._repr_html_()).text
    assert r"\begin{longtable}" in table._repr_latex_()
    assert "1 claim at preset quick" in Reader(table._repr_html_()).text
