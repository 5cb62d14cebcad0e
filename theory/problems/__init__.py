"""Statements of others: read from their formats by closed grammars, split into cases, and settled by the prover."""
