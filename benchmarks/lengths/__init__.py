"""Lemmas over n entries or n large enough: a corpus, what the prover says of it, and an oracle that does not know it."""
