"""Searches for proofs and counterexamples, believed by nobody: `theory.checker` replays what they write."""
