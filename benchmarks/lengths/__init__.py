"""Lemmas over n entries or n large enough: a corpus, the prover on it, and an oracle that knows nothing of it."""
