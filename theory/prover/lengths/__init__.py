"""Statements over a length: x has n entries, and sums, products, greatest and least of them stand in the statement."""
