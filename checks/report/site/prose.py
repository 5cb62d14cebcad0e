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
_SCRIPT = r"\{[^{}]*\}|\([^()]*\)|-?[A-Za-z0-9*#]+(?:[./][0-9]+)?"
_PIECE = re.compile(
    rf"(?<![A-Za-z0-9_\\])(?P<name>{_LETTER}|[A-Za-z]{{1,3}}|\)|\}})(?P<below>_(?:{_SCRIPT}))?(?P<above>\^(?:{_SCRIPT}|'+))?"
    r"(?P<primes>(?:&\#39;)*)(?![A-Za-z0-9_])"
)
_SIGN = re.compile("|".join(map(re.escape, sorted(_SIGNS, key=len, reverse=True))))
_TAGGED = re.compile(r"(<[^>]*>)")
_MOST = 6000


@functools.lru_cache(maxsize=8192)
def prose(text: str) -> Markup:
    """Text of a paper, a claim or a verdict as a line of a page."""
    safe = str(escape(plain(text, _MOST)))
    return Markup(_SIGN.sub(lambda found: _SIGNS[found[0]], _PIECE.sub(_set, safe)))


def _set(found: re.Match[str]) -> str:
    """A letter with what stands below and above it; words that only look like one stay."""
    name, below, above = found["name"], found["below"] or "", found["above"] or ""
    if name not in _GREEK and not below and not above:
        return found[0]
    is_letter = name in _GREEK or len(name) == 1
    if not is_letter and (below or not above):
        return found[0]
    letter = _GREEK.get(name, name)
    shown = f"<i>{letter}</i>" if letter.isalpha() and not letter.isupper() or len(letter) == 1 and letter.isascii() else letter
    shown = shown.replace("<i>)</i>", ")").replace("<i>}</i>", "}")
    return f"{shown}{_script('sub', below[1:])}{_script('sup', above[1:])}{found['primes']}"


def _script(tag: str, inner: str) -> str:
    if not inner:
        return ""
    if inner[0] == "{" and inner[-1] == "}":
        inner = inner[1:-1]
    inner = _PIECE.sub(_set, inner).replace("-", "−")
    return f"<{tag}>{inner}</{tag}>"
