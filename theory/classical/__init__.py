"""Statements of known truth: theorems of textbooks, and twins of each that are false by a little.

They put the whole chain to the test: a tool that has only met doubtful theorems has shown little. Every claim carries
its `truth`; `benchmarks/results/classical.md` sets it beside the verdict.
"""
