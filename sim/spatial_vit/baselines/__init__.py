"""Models without the positional attention: linear attacks, partition-free bounds, structure-free transformers."""
