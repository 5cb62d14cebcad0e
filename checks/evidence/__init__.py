"""A claim and its trials become rows: kinds of evidence, hypotheses, roles, headlines."""
