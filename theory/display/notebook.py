"""A claim as a notebook shows it: HTML, a formula in LaTeX, and plain words.

[https://ipython.readthedocs.io/en/stable/config/integrating.html] Notebooks show the HTML and turn to LaTeX when they
are made into a PDF. Every text is escaped, and the HTML asks MathJax to leave it alone: what stands between dollars in
somebody's statement is no formula. So the formula stands there as MathML, where latex2mathml is installed, and in any
case as one line of text.
"""

from __future__ import annotations

import html
from collections.abc import Collection
from typing import TYPE_CHECKING

from theory.display.formulas import latex, unicode_line, unicode_symbol
from theory.display.mathml import mathml

if TYPE_CHECKING:
    import sympy as sp

IGNORED = "tex2jax_ignore mathjax_ignore"
"""Classes whose contents MathJax 2 and 3 leave as they are."""
LEFT = ' style="text-align:left"'
"""Of a cell: notebooks set cells to the right, as columns of numbers are."""


_GONE, _SIZE = "font-size:0px", "font-size:16px"
"""JupyterLab takes MathML out of notebooks that it does not trust and leaves the letters, powers beside their bases. So
the formula has a size and what is around it has none."""


class ShownClaim:
    """What a claim shows in a notebook; a claim is one, and gives it id, kind, source, statement, value and regime."""

    def _repr_html_(self) -> str:
        claim: object = self
        rows = "".join(f"<tr><th{LEFT}>{name}</th><td{LEFT}>{text}</td></tr>" for name, text in _facts(claim))
        name, statement = _text(getattr(claim, "id", "")), _text(getattr(claim, "statement", ""))
        return f'<div class="{IGNORED}"><p><strong>{name}</strong>: {statement}</p><table>{rows}</table></div>'

    def _repr_latex_(self) -> str | None:
        value = getattr(self, "value", None)
        # A space after each "<": pages that print LaTeX as it is take it for the start of a tag before a letter.
        return None if value is None else rf"$\displaystyle {latex(value).replace('<', '< ')}$"

    def _repr_mimebundle_(
        self, include: Collection[str] | None = None, exclude: Collection[str] | None = None
    ) -> dict[str, str]:
        words = " ".join(f"{getattr(self, 'id', '')}: {getattr(self, 'statement', '')}".split())
        shown = {"text/plain": printable(words), "text/html": self._repr_html_(), "text/latex": self._repr_latex_()}
        return {
            kind: text
            for kind, text in shown.items()
            if text is not None and (not include or kind in include) and kind not in (exclude or ())
        }


def _facts(claim: object) -> list[tuple[str, str]]:
    """What stands in the rows, as HTML."""
    kind, source = getattr(claim, "kind", ""), getattr(claim, "source", "")
    facts = [("kind", _text(kind)), ("source", _text(source)), ("observable", _text(getattr(claim, "observable", "")))]
    value: sp.Expr | None = getattr(claim, "value", None)
    facts += [] if value is None else [("claimed", _formula(value))]
    axes = [f"{unicode_symbol(axis.symbol.name)} → {_limit(axis.toward)}" for axis in getattr(claim, "axes", ())]
    facts += [("axes", _text(", ".join(axes)))] if axes else []
    hypotheses = [
        f"<li>{_text(hypothesis.name)}: <code>{_text(unicode_line(hypothesis.relation))}</code></li>"
        for hypothesis in getattr(claim, "regime", ())
    ]
    return facts + ([("hypotheses", f"<ul>{''.join(hypotheses)}</ul>")] if hypotheses else [])


def _formula(value: sp.Expr) -> str:
    """A formula as it is typeset, if it can be, and on one line."""
    line = printable(unicode_line(value))
    typeset = mathml(latex(value), line).replace("<math ", f'<math displaystyle="true" style="{_SIZE}" ', 1)
    return (f'<div style="{_GONE}">{typeset}</div>' if typeset else "") + f"<code>{_text(line)}</code>"


def _limit(toward: str | sp.Expr) -> str:
    return {"infinity": "∞", "zero": "0"}.get(toward) or toward if isinstance(toward, str) else unicode_line(toward)


def printable(text: str) -> str:
    """Text without characters that control anything."""
    return "".join(character if character.isprintable() else " " for character in text)


def _text(text: object) -> str:
    return html.escape(printable(str(text)))
