"""Sentences with formulas in them, set as a careful typist would: Greek letters, sub- and superscripts, signs.

Claims are written in plain characters: `alpha_*`, `Theta(1)`, `e^{-(delta+tau)}`, `||q_1||`, `>=`. A reader of a page
gets α with its star below. Only what is clearly a formula is touched, nothing is left out, and everything is escaped
first: the marks are put in around text that is inert already.
"""

from __future__ import annotations

import functools
import re

from markupsafe import Markup, escape

from checks.report.escape import plain

_GREEK = {
    "alpha": "α", "beta": "β", "gamma": "γ", "delta": "δ", "epsilon": "ε", "eps": "ε", "zeta": "ζ", "eta": "η",
    "theta": "θ", "iota": "ι", "kappa": "κ", "lambda": "λ", "mu": "μ", "nu": "ν", "xi": "ξ", "pi": "π", "rho": "ρ",
    "sigma": "σ", "tau": "τ", "phi": "φ", "varphi": "φ", "chi": "χ", "psi": "ψ", "omega": "ω",
    "Gamma": "Γ", "Delta": "Δ", "Theta": "Θ", "Lambda": "Λ", "Xi": "Ξ", "Sigma": "Σ", "Phi": "Φ", "Psi": "Ψ",
    "Omega": "Ω",
}  # fmt: skip
_SIGNS = {
    "&lt;=": "≤", "&gt;=": "≥", "!=": "≠", "-&gt;": "→", "=&gt;": "⇒", "&gt;~": "≳", "&lt;~": "≲", "||": "‖",
    "+-": "±", "...": "…",
}  # fmt: skip
_LETTER = "|".join(sorted(_GREEK, key=len, reverse=True))
_GROUP = r"\{[^{}]*\}|\([^()]*\)"
_BELOW = rf"_(?:{_GROUP}|(?:{_LETTER})|[A-Za-z0-9*#]{{1,3}})"
_ABOVE = rf"\^(?:{_GROUP}|-?(?:[0-9]+(?:\.[0-9]+)?|(?:{_LETTER})(?:\([^()]*\))?|[A-Za-z*]))"
_NOT_AFTER = r"(?<![A-Za-z0-9_\\.])(?<!ppendix )(?<!&\#39;)(?!(?<=\d\()[a-h]\))(?!(?<=\d )s\b)(?![A-Z]\.[a-z0-9])"
"""A formula has no letter or quotation before it, is no claim's id (A.fig2) and names no appendix."""
_PIECE = re.compile(
    rf"{_NOT_AFTER}(?P<name>{_LETTER}|[A-Za-z])(?P<primes>(?:&\#39;)*)(?P<below>{_BELOW})?(?P<above>{_ABOVE})?"
    rf"(?![A-Za-z0-9_]|&\#39;[a-z])|(?P<end>[)\]}}‖|0-9])(?P<power>{_ABOVE})(?![A-Za-z0-9_])"
    rf"|(?P<sum>∑)(?P<index>{_BELOW})"
)
_WORDS = frozenset("aAI")
"""Single letters that are words of a sentence."""
_MINUS = re.compile(r"(?<=\s)-(?=\s)|(?<![\w)\]\-;])-(?=[\d∞])")
_QUOTE = re.compile(r"(?:^|[\s(])'\w")
_ROOT = re.compile(r"\bsqrt(?:(?=\()| (?=<i>))")
_DIFFERENCE = re.compile(r"(?<=[0-9)>])-(?=<i>|\((?![0-9]))")
"""A minus within a formula; a hyphen has a letter of a word before it, or behind it."""
_TIMES = re.compile(
    r"(?:(?<=[A-Za-z0-9)])|(?<=[A-Za-z]&\#39;)|(?<=[A-Za-z]&\#39;&\#39;))(?<!_[A-Za-z0-9])\*(?=[A-Za-z(])"
)
_CODE = Markup("<code>{}</code>")
_SUM = re.compile(r"(?<![A-Za-z0-9])sum(?=_(?:\{|[A-Za-z0-9]{1,3}\b))")
_INFINITY = re.compile(r"(?<![A-Za-z0-9_])oo(?![A-Za-z0-9_])")
_SIGN = re.compile("|".join(map(re.escape, sorted(_SIGNS, key=len, reverse=True))))
_MOST = 6000


@functools.lru_cache(maxsize=8192)
def prose(text: str) -> Markup:
    """Text of a paper, a claim or a verdict as a line of a page."""
    shown = plain(text, _MOST)
    if shown.count("`") % 2 == 0:
        pieces = enumerate(shown.split("`"))
        return Markup("".join(_CODE.format(piece) if number % 2 else _typeset(piece) for number, piece in pieces))
    return _typeset(shown)


def _typeset(text: str) -> Markup:
    is_quoting = _QUOTE.search(text) is not None
    safe = _SIGN.sub(lambda found: _SIGNS[found[0]], str(escape(text)))
    safe = _TIMES.sub("·", _INFINITY.sub("∞", safe).replace("**", "^"))
    typeset = _PIECE.sub(_quoted if is_quoting else _set, _SUM.sub("∑", safe))
    return Markup(_ROOT.sub("√", _DIFFERENCE.sub("−", _MINUS.sub("−", typeset))))


def _quoted(found: re.Match[str]) -> str:
    """A piece of a text with quotations: what stands behind a letter may end one, and is no prime."""
    return _set(found).replace("′", "&#39;")


def brief(text: str, most: int = 260) -> str:
    """The beginning of a long sentence, up to the end of a clause; three dots say that it goes on."""
    words = plain(text)
    if len(words) <= most:
        return words
    ends = [found.start() for found in re.finditer(r"[;:.](?= )", words[:most])]
    end = ends[-1] if ends and ends[-1] > most // 3 else words.rfind(" ", 0, most + 1)
    return f"{words[: end if end > 0 else most]} …"


def found_of(words: str, part: str) -> str:
    """What was found, without the sentence before it that says again what was asked: the name of the part."""
    asked, name, found = words.partition(f"{part}. ")
    return found if part and name and re.match(r"(Claimed|Asked|Read otherwise): ", asked) else words


def _set(found: re.Match[str]) -> str:
    """A letter with what stands below and above it; letters that are words of a sentence stay."""
    if found["sum"]:
        return f"∑{_script('sub', found['index'][1:])}"
    if found["end"]:
        return f"{found['end']}{_script('sup', found['power'][1:])}"
    name, below, above = found["name"], found["below"] or "", found["above"] or ""
    if name in _WORDS and not below and not above:
        return found[0]
    letter = _GREEK.get(name, name)
    upright = name in _GREEK and name[0].isupper()
    shown = letter if upright else f"<i>{letter}</i>"
    return f"{shown}{found['primes'].replace('&#39;', '′')}{_script('sub', below[1:])}{_script('sup', above[1:])}"


def _script(tag: str, inner: str) -> str:
    if not inner:
        return ""
    if (inner[0] == "{" and inner[-1] == "}") or (inner[0] == "(" and tag == "sup"):
        inner = inner[1:-1]
    inner = _PIECE.sub(_set, inner).replace("-", "−")
    return f"<{tag}>{inner}</{tag}>"
