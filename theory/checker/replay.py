"""Replay a record of `theory.prover.certify`: a second reader that believes nothing it has not recomputed.

It imports the standard library and python-flint, nothing else: no sympy, nothing of the prover. `limits` bounds what a
record may cost, `parser` reads its texts into `nodes`, `statement` says what is to be shown, `steps` replays a proof of
it. `goal` is what one step has to show; `hypotheses`, `moves` (with `infinity`) and `series` are further steps. They
rest on `enclosure`, `domain`, `calculus` and `zero` (with `lowering`), and on `bernstein` for polynomials. Statements
of two further kinds have folders of their own, which rest on all this: `constants` that may be chosen, and `lists`.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Callable
from typing import Any

from flint import ctx

from theory.checker.limits import RECORD_DEPTH, RECORD_LENGTH, RECORD_PARTS, InvalidRecord, metered, require
from theory.checker.statement import verify

__all__ = ["InvalidRecord", "replay", "require_plain", "verify"]

_BITS = 128
"""Working precision; the prover has half as many."""


def replay(record: Any) -> str:
    """What the record has shown: "proved", "vacuous" or "refuted". Raises InvalidRecord with the reason otherwise.

    Vacuous is a statement whose givens contradict each other: it holds, and says nothing. A record with `exists` speaks
    of constants that may be chosen: proved is that some choice serves, refuted that none does; with `before`, it may
    depend on what comes before. One with `length` speaks of all lists of entries, of any length; one with `sequence` of
    all that meet a recursion, one with `tables` of lists with several indices.
    """
    try:
        require_plain(record)
        body = {key: value for key, value in record.items() if key != "digest"}
        digest = hashlib.sha256(json.dumps(body, sort_keys=True).encode()).hexdigest()
        require(record.get("digest") == digest, "the certificate was changed after it was written")
        with ctx.workprec(_BITS), metered():
            return verify_by_kind(record)(record)
    except InvalidRecord:
        raise
    except Exception as error:  # whatever stops the reading, the record has not proved anything
        raise InvalidRecord(f"malformed: {type(error).__name__}: {' '.join(str(error).split())[:200]}") from None


def verify_by_kind(record: dict[str, Any]) -> Callable[[dict[str, Any]], str]:
    """What replays a record, by the first key that tells its kind.

    The folders `constants` and `lists` are read by nothing but this, and loaded when a record of theirs comes: of a
    proof of an ordinary statement they are no part.
    """
    if "length" in record:
        from theory.checker.lists.unbounded import verify_over_length

        return verify_over_length
    if "before" in record:
        from theory.checker.constants.uniform import verify_uniform

        return verify_uniform
    if "exists" in record:
        from theory.checker.constants.existence import verify_existence

        return verify_existence
    if "sequence" in record:
        from theory.checker.lists.sequences import verify_sequences

        return verify_sequences
    if "tables" in record:
        from theory.checker.lists.tables import verify_tables

        return verify_tables
    return verify


def require_plain(record: Any) -> None:
    """Raise InvalidRecord unless a record is an object of plain JSON of bounded size; walks it without recursion."""
    require(isinstance(record, dict), "a certificate is no object")
    stack, parts, length = [(record, 1)], 0, 0
    while stack:
        value, depth = stack.pop()
        parts += 1
        require(depth <= RECORD_DEPTH, "the certificate is nested deeper than {}", RECORD_DEPTH)
        require(parts <= RECORD_PARTS, "the certificate has more than {} parts", RECORD_PARTS)
        if isinstance(value, str):
            length += len(value)
            require(length <= RECORD_LENGTH, "the certificate has more than {} characters", RECORD_LENGTH)
        elif isinstance(value, dict):
            require(all(isinstance(key, str) for key in value), "a key of the certificate is no text")
            stack += [(key, depth) for key in value] + [(child, depth + 1) for child in value.values()]
        elif isinstance(value, list):
            stack += [(child, depth + 1) for child in value]
        else:
            is_small = value is None or isinstance(value, bool) or (type(value) is int and abs(value) < 2**31)
            require(is_small, "the certificate holds a number that is none of a proof")
