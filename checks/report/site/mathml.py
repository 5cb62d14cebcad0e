"""A formula on a page: MathML, or its text where that cannot be had."""

from __future__ import annotations

from markupsafe import Markup

from checks.report.escape import plain
from checks.report.site.model import Formula
from theory.display import mathml as written


def mathml(formula: Formula, *, block: bool = False) -> Markup:
    """A formula as a `math` element, or as `code` where it is too long, or no LaTeX."""
    typeset = formula.latex and written.mathml(formula.latex, plain(formula.text, 400), block=block)
    return Markup(typeset) if typeset else Markup('<code class="formula">{}</code>').format(plain(formula.text))
