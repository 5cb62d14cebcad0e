"""The documentation as a site: `make docs` writes it to build/docs, from these pages and the docstrings of the face.

Pages that a command can write in seconds, and records of what takes longer, are put into `docs/generated`, which git
ignores, before the pages are read.
"""

from __future__ import annotations

import contextlib
import inspect
import io
import re
import sys
from enum import Enum, StrEnum
from importlib.metadata import version as installed_version
from pathlib import Path
from typing import Any

COMMANDS = {"verdicts": "explain", "errata": "errata"}
"""Pages that a command of theoremeter writes from the sources, by their name."""
RECORDS = (
    "adaptive",
    "calibration",
    "classical",
    "doctored",
    "engine-notes",
    "mutants",
    "peers",
    "prover",
    "reference-data",
    "scale",
    "search",
)
"""Pages of `benchmarks/results`, each of which says what wrote it; that took minutes or hours."""
SUBJECTS = {
    "Judging measurements": ("checks.statistics.",),
    "Searching a law": ("checks.search.", "checks.report.law_page"),
    "Exponents and limits of formulas": ("theory.asymptotics.",),
    "Proofs": ("theory.prover.", "theory.checker.", "theory.relations"),
    "What a paper claims": ("theory.",),
    "How it is measured": ("checks.evidence.",),
    "Simulators, grids and stored trials": ("sim.", "checks.records.preset"),
    "Tables and pictures": ("checks.",),
}
"""Headings of the page of public names, and where names under each are defined; the first that fits counts."""
SIGNATURES = (
    "After this page you know every name that `theoremeter` exports, with its arguments and in a sentence what it is "
    "for. `help(theoremeter.NAME)` and the site (`make docs`) have shapes, units and errors. Written by `python "
    "docs/conf.py > docs/api.md`; a test compares."
)
PUBLIC = "After this page you know every name that `theoremeter` exports, with arguments, shapes, units and errors."
OPTIONS = {
    "Explanation": (":members: adding, about, details, reason, sentence",),
    "Part": (":members:", ":inherited-members:"),
    **dict.fromkeys(("Axis", "Claim", "Constant", "Hypothesis", "Path", "Source"), (":members:",)),
}
"""What Sphinx is told of a class: its fields have their words below each of them."""

TYPESET = frozenset(
    ["findings", "settings", "site", "shallow_vit", "spatial_vit", "table", "generated/errata", "generated/verdicts"]
)
"""Pages whose sentences have formulas of papers in them, in plain characters; they are set as on the results' site."""
_LETTERS = "αβγδεζηθκλμνξπρστφψωΓΔΘΛΞΣΦΨΩ"
_NAMES = (
    "alpha beta gamma delta epsilon zeta eta theta kappa lambda mu nu xi pi rho sigma tau phi psi omega "
    "Gamma Delta Theta Lambda Xi Sigma Phi Psi Omega"
)
GREEK = dict(zip(_LETTERS, _NAMES.split(), strict=True))

project = "theoremeter"
author = "the theoremeter authors"
copyright = author  # Sphinx asks for this name
version = release = installed_version("theoremeter")

extensions = ["myst_parser", "sphinx.ext.autodoc", "sphinx.ext.napoleon"]
source_suffix = {".md": "markdown"}
exclude_patterns = ["figures"]
nitpicky = False
myst_heading_anchors = 4
myst_enable_extensions = ["colon_fence", "dollarmath"]
html_math_renderer = "mathml"
autodoc_typehints = "none"
autodoc_member_order = "bysource"

smartquotes = False  # a prime of a formula is no quotation mark

html_theme = "furo"
html_title = "theoremeter"
html_copy_source = False
html_show_sourcelink = False


def typeset(app: Any, tree: Any) -> None:
    """Set the formulas in sentences of a page that has been read; code, headings and links stay as they are."""
    from docutils import nodes
    from markupsafe import escape

    from checks.report.site.prose import prose

    if app.env.docname not in TYPESET:
        return
    kept = (nodes.literal, nodes.literal_block, nodes.math, nodes.math_block, nodes.raw, nodes.title, nodes.reference)
    for text in list(tree.findall(nodes.Text)):
        above = text.parent
        while above is not None and not isinstance(above, kept):
            above = above.parent
        words = str(text)
        shown = prose(spelled(words))
        if above is None and shown != escape(words.strip()):
            before, after = words[: len(words) - len(words.lstrip())], words[len(words.rstrip()) :]
            text.parent.replace(text, nodes.raw("", f"{before}{shown}{after}", format="html"))


def spelled(words: str) -> str:
    """Greek letters by their names, as claims write them: alpha_*."""
    return re.sub(f"(?<![A-Za-z0-9])[{''.join(GREEK)}](?![A-Za-z0-9])", lambda found: GREEK[found[0]], words)


def by_subject() -> dict[str, list[tuple[str, Any]]]:
    """Everything that `theoremeter` exports, by subject."""
    import theoremeter

    found: dict[str, list[tuple[str, Any]]] = {subject: [] for subject in SUBJECTS}
    for name in sorted({*theoremeter.__all__, "open"}):  # which a star leaves to Python
        value = getattr(theoremeter, name)
        subject = next(one for one, places in SUBJECTS.items() if value.__module__.startswith(places))
        found[subject].append((name, value))
    return found


def signatures() -> str:
    """The page of names that is read without a build: `python docs/conf.py > docs/api.md`."""
    lines = ["# Names and signatures", "", SIGNATURES, ""]
    for subject, members in by_subject().items():
        lines += [f"## {subject}", "", *(_signed(name, value) for name, value in members), ""]
    return "\n".join(lines)


def _signed(name: str, value: Any) -> str:
    """One name: its arguments, with defaults that are plain, and the first sentence of its docstring."""
    try:
        found = inspect.signature(value)
        plain = [one.replace(annotation=one.empty, default=_default(one)) for one in found.parameters.values()]
        told = str(inspect.Signature(plain))
    except (TypeError, ValueError):
        told = ""
    if isinstance(value, type) and issubclass(value, Enum):
        told = f": {', '.join(value.__members__)}"
    words = " ".join((inspect.getdoc(value) or "").partition("\n\n")[0].split())
    return f"- `{name}{told}`: {words}"


def _default(parameter: inspect.Parameter) -> Any:
    """A default as it is written; an ellipsis where it is made anew, or has no short form."""
    value = parameter.default
    if isinstance(value, StrEnum):
        return value.value
    return (
        value if value is parameter.empty or value is None or isinstance(value, str | int | float | tuple) else _Left()
    )


class _Left:
    def __repr__(self) -> str:
        return "..."


def public_names() -> str:
    """The page of everything that `theoremeter` exports, in full."""
    found: dict[str, list[str]] = {}
    for subject, members in by_subject().items():
        for name, value in members:
            kind = "autoclass" if isinstance(value, type) else "autofunction"
            lines = found.setdefault(subject, [])
            lines += [f".. {kind}:: theoremeter.{name}", *(f"   {option}" for option in OPTIONS.get(name, ()))]
    sections = [f"## {subject}\n\n```{{eval-rst}}\n{chr(10).join(lines)}\n```\n" for subject, lines in found.items()]
    return "\n".join(["# Everything public\n", f"{PUBLIC}\n", *sections])


def with_formulas(page: str) -> str:
    """The page of how claims are read, with what each claims typeset below its source."""
    from checks.catalogue import discover
    from theoremeter_papers import repository, unnamed
    from theory.display.formulas import latex

    for name, check in discover(unnamed(repository())).items():
        if check.claim.value is not None:
            head, found, rest = page.partition(f"\n## {name}\n\n")
            source, _, rest = rest.partition("\n\n")
            shown = f"```{{math}}\n{latex(check.claim.value)}\n```"
            page = f"{head}{found}{source}\n\n**The formula that is claimed.**\n\n{shown}\n\n{rest}"
    return page


def generated() -> dict[str, str]:
    """The pages of `docs/generated` by their name."""
    from checks.cli import main

    pages = {}
    for name, command in COMMANDS.items():
        with contextlib.redirect_stdout(io.StringIO()) as page:
            if main([command, "--format", "markdown"]):
                raise RuntimeError(f"theoremeter {command} must end with exit code 0")
        pages[name] = page.getvalue()
    pages["verdicts"] = with_formulas(pages["verdicts"])
    pages["api"] = public_names()
    results = Path(__file__).parents[1] / "benchmarks" / "results"
    return pages | {name: (results / f"{name}.md").read_text(encoding="utf-8") for name in RECORDS}


def write_generated(_app: Any) -> None:
    """Write the pages; one that is as it should be keeps its date, and Sphinx does not read it again."""
    folder = Path(__file__).parent / "generated"
    folder.mkdir(exist_ok=True)
    for name, text in generated().items():
        path = folder / f"{name}.md"
        if not path.exists() or path.read_text(encoding="utf-8") != text:
            path.write_text(text, encoding="utf-8")


def formula(latex: str, *, block: bool) -> str:
    """A formula as MathML, which a browser typesets without a script and without a network; it can be scrolled."""
    from theory.display.mathml import mathml

    written = mathml(latex, latex, block=block)
    if not written:
        raise RuntimeError(f"a formula of the pages must be LaTeX that latex2mathml knows, got {latex!r}")
    return f'<div style="overflow-x: auto; margin-bottom: 1rem" tabindex="0">{written}</div>\n' if block else written


def write_formula(translator: Any, node: Any) -> None:
    """Write a formula into a page of the site."""
    from docutils import nodes

    translator.body.append(formula(node.astext(), block=isinstance(node, nodes.math_block)))
    raise nodes.SkipNode


def setup(app: Any) -> None:
    """Have Sphinx write pages before it looks for any, and set formulas as above."""
    app.connect("builder-inited", write_generated)
    app.connect("doctree-read", typeset)
    app.add_html_math_renderer("mathml", (write_formula, None), (write_formula, None))


if __name__ == "__main__":
    sys.stdout.write(signatures())
