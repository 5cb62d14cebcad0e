"""Statements over lists with constants that may be chosen: "exists c: forall n >= c: sum(1/i, i=1..n) <= c*log(n)".

Each choice of a few is put into the text, and the statement that then stands there is asked by itself. What proves it
for one choice proves that some choice serves: the record is that of the statement with the choice in it. That none
serves is never told, for more choices than are tried there always are.
"""

from __future__ import annotations

import itertools
import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

import sympy as sp

from theory.prover.decision import Decision, listed
from theory.prover.typed.formula import FormulaError
from theory.timeout import computed

_ABOVE = (3, 1, 15, 0, 63, 7)
"""How far beyond the least one choices of a half-line lie: constants that are all thresholds as well, 4 first."""
_SHARES = (sp.Rational(1, 2), sp.S.One, sp.S.Zero, sp.Rational(1, 4), sp.Rational(3, 4))
_MOST = 12
"""Choices of all constants together."""
_STAGES = (3.0, 12.0, 48.0)
"""Seconds for one choice, stage by stage."""
_FEWEST = 0.05
_SIDES = re.compile(r"([^<>!]+)(<=|>=)([^<>!]+)")
_LEAST = re.compile(r"\s*([A-Za-z_]\w*)\s*>=\s*(\d+)\s*")
_HALF_LINE = re.compile(r"\s*\[?\s*(\d+)\s*[:,]\s*\+?(?:oo|inf)\s*\)?\s*")
Ends = tuple[sp.Expr, sp.Expr, bool, bool]


@dataclass(frozen=True)
class ChosenConstants:
    """Constants that may be chosen, by name: the ends of their ranges and whether each is left out; whole ones.

    Attributes:
        ask: the answer to one relation with ranges, conditions and seconds.
    """

    ends: Mapping[str, Ends]
    whole: frozenset[str]
    ask: Callable[[str, list[tuple[Any, Any]], list[str], float], Decision]

    def decide(
        self, texts: Sequence[str], pairs: Sequence[tuple[Any, Any]], conditions: Sequence[str], seconds: float
    ) -> Decision:
        """The answer; its words are those of the last choice, for the caller to replace."""
        relation, end = as_one(texts), computed() + seconds
        choices, refuted, last = list(self.choices()), [], None
        for stage in _STAGES:
            for choice in [c for c in choices if c not in refuted]:
                left = end - computed()
                if left < _FEWEST and last is not None:  # one is asked at least, which tells what cannot be read
                    break
                given = [put_in(text, choice) for text in conditions]
                last = self.ask(put_in(relation, choice), *folded(pairs, given), min(stage, max(left, _FEWEST)))
                if last.verdict == "proved":
                    return replace(last, constants=choice, seconds=seconds - end + computed())
                refuted += [choice] if last.verdict == "refuted" else []
        fails = f"; it fails for {' and for '.join(map(listed, refuted))}" if refuted else ""
        reason = f"no choice that was tried is shown to serve{fails}"
        return Decision("unknown", "", {}, None, reason, None, seconds - end + computed())

    def choices(self) -> Iterator[dict[str, sp.Rational]]:
        """Values of all constants, likely ones first."""
        lists = [[(k, v) for k, v in enumerate(self._values(name))] for name in self.ends]
        rows = sorted(itertools.product(*lists), key=lambda row: sum(k for k, _ in row))
        for row in rows[:_MOST]:
            yield dict(zip(self.ends, (v for _, v in row), strict=True))

    def _values(self, name: str) -> list[sp.Rational]:
        low, high, open_low, open_high = self.ends[name]
        if low.is_finite and high.is_finite:
            found = [low + share * (high - low) for share in _SHARES]
        elif low.is_finite or high.is_finite:
            found = [low + k if low.is_finite else high - k for k in _ABOVE]
        else:
            found = [sp.Integer(sign * k) for k in _ABOVE for sign in (1, -1)]
        found = [sp.floor(v) if name in self.whole else v for v in found]
        left_out = [low] * open_low + [high] * open_high
        return list(dict.fromkeys(v for v in found if low <= v <= high and v not in left_out))


def put_in(text: str, choice: Mapping[str, sp.Rational]) -> str:
    """A text with numbers for the names of constants."""
    for name, value in choice.items():
        number = str(value) if value.is_Integer and value >= 0 else f"({value})"
        text = re.sub(rf"(?<![\w.]){name}(?![\w(\[])", number, text)
    return text


def as_one(texts: Sequence[str]) -> str:
    """Relations as one: l <= r and l' >= r' are max(l - r, r' - l') <= 0. Raises FormulaError on other relations."""
    if len(texts) == 1:
        return texts[0]
    gaps = []
    for text in texts:
        sides = _SIDES.fullmatch(text)
        if sides is None:
            said = text.strip()[:60]
            raise FormulaError(f"statement over lists must have <= or >= once in each relation, got {said!r}")
        low, high = (sides[1], sides[3]) if sides[2] == "<=" else (sides[3], sides[1])
        gaps.append(f"{low.strip()} - ({high.strip()})")
    return f"max({', '.join(gaps)}) <= 0"


def folded(pairs: Sequence[tuple[Any, Any]], given: Sequence[str]) -> tuple[list[tuple[Any, Any]], list[str]]:
    """Ranges "low:oo" with conditions such as n >= 3 in them, and the other conditions."""
    ranges, left = dict(pairs), []
    for text in given:
        found = _LEAST.fullmatch(text)
        name, value = (found[1], ranges.get(found[1])) if found else ("", None)
        value = ":".join(map(str, value)) if isinstance(value, tuple | list) and len(value) == 2 else value
        ends = _HALF_LINE.fullmatch(value) if isinstance(value, str) else None
        if found and ends:
            ranges[name] = f"{max(int(found[2]), int(ends[1]))}:oo"
        else:
            left.append(text)
    return list(ranges.items()), left
