"""One neuron of [li2023] and two tokens x_1 (the query) and x_2 of dimension 1, active unit, active hinge.

The smallest network in which every factor of the four gradients occurs.
"""

from __future__ import annotations

import sympy as sp

# One neuron, two tokens x_1 (the query) and x_2 of dimension 1, active unit, active hinge: the smallest network in
# which every factor of the four gradients occurs.
x_1, x_2, w_O, w_V, w_K, w_Q, sign = sp.symbols("x_1 x_2 w_O w_V w_K w_Q a_i", real=True)

score = x_1 * w_K * w_Q

attention_1 = 1 / (1 + sp.exp((x_2 - x_1) * score))

attended = attention_1 * x_1 + (1 - attention_1) * x_2

spread = attention_1 * (1 - attention_1) * (x_1 - x_2) ** 2

output = sign * w_O * w_V * attended
