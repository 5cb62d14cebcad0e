"""What is planted in statements, judged once for all tests of a process: half a minute."""

from __future__ import annotations

import functools

from checks.catalogue import discover
from checks.mutation.lemmas import of_lemmas
from checks.mutation.mutant import Mutant
from checks.mutation.statements import made_up_against


@functools.cache
def lemma_mutants() -> tuple[Mutant, ...]:
    return tuple(of_lemmas())


@functools.cache
def mutants(claim: str) -> tuple[Mutant, ...]:
    return tuple(made_up_against(discover()[claim]))
