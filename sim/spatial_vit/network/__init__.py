"""The data of [jelassi2022, section 2], the labelling, and the one-layer network with positional attention."""
