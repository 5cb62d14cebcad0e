r"""The names of symbols in LaTeX, as papers write them.

A name such as `alpha_*`, `c''`, `||W_K||`, `|S|-|S_1|`, `polylog(d)` or `e^{-(delta+tau)}` is a small formula in plain
characters. It is read here token by token, and each token has a spelling of ours, so that no command that a name brings
along comes out. A name that is no formula is set as words; sympy would write it into LaTeX as it is.
"""

from __future__ import annotations

import functools
import re
import unicodedata
from dataclasses import dataclass

_GREEK_WORDS = (
    "alpha beta gamma delta epsilon varepsilon zeta eta theta vartheta iota kappa lambda mu nu xi pi varpi rho varrho "
    "sigma varsigma tau upsilon phi varphi chi psi omega Gamma Delta Theta Lambda Xi Pi Sigma Upsilon Phi Psi Omega ell"
)
GREEK = frozenset(_GREEK_WORDS.split())
"""Letters that LaTeX has a command for."""
FUNCTIONS = frozenset({"log", "ln", "exp", "sin", "cos", "tan", "sinh", "cosh", "tanh", "max", "min", "sup", "inf"})
"""Functions that LaTeX has a command for."""
_SIGNS = {"*": r" \cdot ", "+": " + ", "-": " - ", "/": " / ", ",": ", ", "=": " = "}
_BARS = {"|": "|", "||": r"\|"}
_SCRIPT = r"[_^](?:\{[^{}]+\}|-?[A-Za-z0-9]+|[*#+-])"
_TOKEN = re.compile(
    rf"\s*(?:(?P<word>[A-Za-z]+|[\u0370-\u03ff])(?P<digits>[0-9]*)(?P<primes>'{{0,3}})(?P<scripts>(?:{_SCRIPT})*)(?P<late>'{{0,3}})"
    rf"|(?P<number>\d+(?:\.\d+)?)(?P<of_number>(?:\^{_SCRIPT[4:]})?)"
    rf"|(?P<close>\)|\|\|?)(?P<of_close>(?:{_SCRIPT})*)"
    r"|(?P<sign>[-+*/,=])|(?P<open>\())\s*"
)
_ONE_SCRIPT = re.compile(_SCRIPT)
_LOOSE_SIGN = re.compile(r"^(?:\\cdot|[=/,])|(?:\\cdot|[-+=/,])$")
"""A sign that has nothing before it, or nothing behind."""
_MOST = 200
"""Characters of a name that is read as a formula."""


@functools.lru_cache(maxsize=4096)
def latex_symbol(name: str) -> str:
    """The name of a symbol in LaTeX, fit to stand beside a factor and under a power.

    Sums and products get brackets, other names of several signs a group. A name that is no formula
    becomes words in plain letters.
    """
    found = _read(name) if len(name) <= _MOST else None
    if found is None:
        return words(name)
    if found.is_open:
        return rf"\left({found.text}\right)"
    return f"{{{found.text}}}" if found.n_tokens > 1 else found.text


def word(letters: str, *, most_italic: int = 1, is_applied: bool = False) -> str:
    """A letter, a Greek letter by its name, a function, or a word upright.

    Args:
        most_italic: a word of so many letters is a row of letters, as the indices `ij` are.
        is_applied: whether it stands before the argument of a function.
    """
    letters = "lambda" if letters == "lamda" else letters  # sympy's own spelling
    if letters in GREEK or (is_applied and letters in FUNCTIONS):
        return f"\\{letters}"
    if len(letters) <= most_italic:
        return letters
    return rf"\operatorname{{{letters}}}" if is_applied else rf"\mathrm{{{letters}}}"


def words(text: str, most: int = _MOST) -> str:
    """A text in which anything may stand, as words: what is no letter, digit or plain sign of it is left out."""
    letters = unicodedata.normalize("NFKD", text).encode("ascii", "ignore").decode()
    kept = " ".join(re.sub(r"[^A-Za-z0-9+*/()\[\].=<>,' -]+", " ", letters).split())
    return rf"\text{{{kept[:most].strip() or '?'}}}"


@dataclass(frozen=True)
class _Formula:
    """A name that was read. `is_open` where a sign stands outside all brackets and bars."""

    text: str
    n_tokens: int
    is_open: bool


def _read(name: str) -> _Formula | None:
    """A name as a formula; None where it is none."""
    written, previous, place, is_open = "", "", 0, False
    n_tokens, standing = 0, []
    while place < len(name):
        found = _TOKEN.match(name, place)
        if found is not None and found["close"] == "||" and standing[-1:] == ["|"]:  # one ends and one begins
            found = _TOKEN.match(name, place, found.start("close") + 1)
        if found is None:
            return None
        place = found.end()
        token = _token(found, standing)
        if token is None:
            return None
        if found["word"] and previous and r"\mathrm" in token + previous:  # words of a sentence
            return None
        previous = token if found["word"] else ""
        is_open |= bool(found["sign"]) and not standing
        n_tokens += 1
        joint = " " if re.search(r"\\[A-Za-z]+$", written) and token[:1].isalnum() else ""
        written += joint + token
    written = written.strip()
    is_whole = written and not standing and _LOOSE_SIGN.search(written) is None
    return _Formula(written, n_tokens, is_open) if is_whole else None


def _token(found: re.Match[str], standing: list[str]) -> str | None:
    """One token in LaTeX; brackets and bars that are open stand in `standing`."""
    if found["word"]:
        base = word(_by_name(found["word"]), is_applied=found.string.startswith("(", found.end()))
        primes = found["primes"] + found["late"]
        return _with_scripts(f"{{{base}{primes}}}" if primes else base, found["digits"], found["scripts"])
    if found["number"]:
        return _with_scripts(found["number"], "", found["of_number"])
    if found["open"]:
        standing.append(")")
        return "("
    if found["close"]:
        bar = found["close"]
        if standing and standing[-1] == bar:
            standing.pop()
            return _with_scripts(_BARS.get(bar, bar), "", found["of_close"])
        if bar == ")" or found["of_close"]:
            return None
        standing.append(bar)
        return _BARS[bar]
    return _SIGNS[found["sign"]]


def _by_name(letter: str) -> str:
    """A Greek letter by its English name; a word as it is."""
    if letter.isascii():
        return letter
    name = unicodedata.name(letter, "").replace("LAMDA", "LAMBDA")
    kind, _, last = name.removeprefix("GREEK ").partition(" LETTER ")
    return last.lower() if kind == "SMALL" else last.capitalize()


def _with_scripts(base: str, digits: str, scripts: str) -> str | None:
    """A base with what stands below and above it; None where two things stand above."""
    below, above = [digits] if digits else [], []
    for script in _ONE_SCRIPT.findall(scripts):
        written = _index(script[1:])
        if written is None:
            return None
        (below if script[0] == "_" else above).append(written)
    if len(above) > 1:
        return None
    under = f"_{{{','.join(below)}}}" if below else ""
    return base + under + "".join(f"^{{{written}}}" for written in above)


def _index(text: str) -> str | None:
    if text[0] == "{":
        found = _read(text[1:-1])
        return None if found is None else found.text
    if text.isalpha():
        return word(text, most_italic=2)
    return r"\#" if text == "#" else text
