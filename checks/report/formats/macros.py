r"""LaTeX macros, so that a paper's text quotes headlines: \theoremeter{A.samples} is the verdict with its figures.

The file goes into a preamble by \input and needs amsmath for some signs. \theoremeterverdict{ID} is the word alone,
\theoremeterfigures{ID} the figures alone. A claim that the file lacks is printed as ?? with a warning, as \ref does.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from checks.report.escape import latex, plain
from checks.report.formats.latex import cell
from checks.report.writing.model import Document, Options

_NAME = re.compile(r"[A-Za-z0-9][A-Za-z0-9._-]*")
"""An id that is the same letters within \\csname; any other has no macro, and a comment says so."""
_LOOK_UP = r"""\makeatletter
\def\theoremeter@get#1#2{\@ifundefined{theoremeter@#1@#2}{\textbf{??}\@latex@warning{%
  No verdict of claim \detokenize{#2} in the file of theoremeter}}{\csname theoremeter@#1@#2\endcsname}}
\newcommand{\theoremeter}[1]{\theoremeter@get{both}{#1}}
\newcommand{\theoremeterverdict}[1]{\theoremeter@get{verdict}{#1}}
\newcommand{\theoremeterfigures}[1]{\theoremeter@get{figures}{#1}}
\def\theoremeter@set#1#2#3#4{\@namedef{theoremeter@verdict@#1}{#2}\@namedef{theoremeter@figures@#1}{#3}%
  \@namedef{theoremeter@both@#1}{#4}}"""


def write(document: Document, wanted: Options) -> str:
    """The macros, and a definition for each claim, whatever is wanted."""
    head = f"% {latex(document.title)}. Quote a claim with \\theoremeter{{ID}}."
    legend = [f"% {latex(document.legend)}"] if document.legend else []
    return "\n".join([head, *legend, _LOOK_UP, *_definitions(document), r"\makeatother"]) + "\n"


def _definitions(document: Document) -> Iterator[str]:
    for line in document.claims.lines:
        name, verdict = plain(line["claim"].text), cell(line["verdict"])
        if _NAME.fullmatch(name):
            figures = cell(line["figures"])
            both = f"{verdict} ({figures})" if figures else verdict
            yield rf"\theoremeter@set{{{name}}}{{{verdict}}}{{{figures}}}{{{both}}}"
        else:
            yield f"% no macro for {latex(name)} ({verdict}): an id must have ASCII letters, digits and ._- alone"
