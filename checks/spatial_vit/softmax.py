"""Section 4.1: the reduced softmax values, by symbols and rigorous arithmetic. [jelassi2022]"""

from __future__ import annotations

from checks.check import Check
from checks.proofs import proofs
from theory.spatial_vit.softmax import SOFTMAX

B_SOFTMAX = Check(SOFTMAX, proofs(SOFTMAX))
