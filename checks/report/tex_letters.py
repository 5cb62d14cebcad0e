"""Letters beyond ASCII in LaTeX, so that text compiles with pdflatex whatever it holds.

pdflatex stops at a letter that no font of the document has been declared for. Greek letters and signs of mathematics
become commands of the LaTeX kernel, accents are put on by the kernel as well, and what is left becomes its code point.
"""

from __future__ import annotations

import unicodedata

_GREEK = (
    "alpha", "beta", "gamma", "delta", "epsilon", "zeta", "eta", "theta", "iota", "kappa", "lambda", "mu", "nu", "xi",
    "pi", "rho", "sigma", "tau", "upsilon", "phi", "chi", "psi", "omega",
)  # fmt: skip
_LIKE_LATIN = dict(zip("ΑΒΕΖΗΙΚΜΝΟΡΤΧο", "ABEZHIKMNOPTXo", strict=True))
_MATHEMATICS = {
    "ϵ": "epsilon", "ϑ": "vartheta", "ϕ": "phi", "ς": "varsigma", "µ": "mu", "→": "rightarrow", "←": "leftarrow",
    "↔": "leftrightarrow", "⇒": "Rightarrow", "↦": "mapsto", "≤": "leq", "≥": "geq", "≠": "neq", "≈": "approx",
    "∼": "sim", "≡": "equiv", "∝": "propto", "≪": "ll", "≫": "gg", "∞": "infty", "×": "times", "÷": "div", "·": "cdot",
    "±": "pm", "∓": "mp", "√": "surd", "∈": "in", "∉": "notin", "⊂": "subset", "⊆": "subseteq", "∪": "cup", "∩": "cap",
    "∑": "sum", "∏": "prod", "∫": "int", "∂": "partial", "∇": "nabla", "∀": "forall", "∃": "exists", "∧": "wedge",
    "∨": "vee", "¬": "neg", "‖": "|", "⌊": "lfloor", "⌋": "rfloor", "⌈": "lceil", "⌉": "rceil", "⟨": "langle",
    "⟩": "rangle", "⋅": "cdot", "∅": "emptyset", "ℓ": "ell", "…": "ldots", "′": "prime", "°": "circ", "⊙": "odot",
    "⊕": "oplus", "⊗": "otimes", "⊤": "top", "⊥": "perp", "∥": "|",
}  # fmt: skip
_TEXT = {
    "\N{NO-BREAK SPACE}": "~", "\N{THIN SPACE}": r"\,", "–": "--", "—": "---", "‘": "`", "’": "'", "“": "``",
    "”": "''", "„": ",,", "−": "$-$", "‐": "-", "‑": "-", "§": r"\S{}", "ø": r"\o{}", "Ø": r"\O{}", "æ": r"\ae{}",
    "Æ": r"\AE{}", "œ": r"\oe{}", "Œ": r"\OE{}", "ß": r"\ss{}", "ł": r"\l{}", "Ł": r"\L{}", "•": r"\textbullet{}",
    "©": r"\copyright{}", "¡": "!`", "¿": "?`",
}  # fmt: skip
_ACCENTS = {
    "\u0300": "`", "\u0301": "'", "\u0302": "^", "\u0303": "~", "\u0304": "=", "\u0306": "u", "\u0307": ".",
    "\u0308": '"', "\u030a": "r", "\u030b": "H", "\u030c": "v", "\u0327": "c",
}  # fmt: skip


def letter(character: str) -> str:
    """One character that is not ASCII, in LaTeX text."""
    if character in _TEXT:
        return _TEXT[character]
    if command := _command(character):
        return rf"\ensuremath{{\{command}}}"
    if character in _LIKE_LATIN:
        return _LIKE_LATIN[character]
    plainly = unicodedata.normalize("NFKD", character)
    base, accents = plainly[:1], plainly[1:]
    if base.isascii() and base.isalpha() and len(accents) == 1 and accents in _ACCENTS:
        return rf"\{_ACCENTS[accents]}{{{base}}}"
    if plainly.isascii() and plainly.isalnum():
        raised, lowered = (f"<{way}>" in unicodedata.decomposition(character) for way in ("super", "sub"))
        return rf"\textsuperscript{{{plainly}}}" if raised else rf"\textsubscript{{{plainly}}}" if lowered else plainly
    return rf"\texttt{{U+{ord(character):04X}}}"


def _command(character: str) -> str:
    """The command for a sign of mathematics or a Greek letter; "" where there is none."""
    if character in _MATHEMATICS:
        return _MATHEMATICS[character]
    name = unicodedata.name(character, "").lower()
    for size in ("small", "capital"):
        word = name.removeprefix(f"greek {size} letter ").replace("lamda", "lambda")
        if word != name and word in _GREEK and character not in _LIKE_LATIN:
            return word if size == "small" else word.capitalize()
    return ""
