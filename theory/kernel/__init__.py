"""Proofs for Rocq (Coq): records of proofs as files that `coqc` compiles; knows the checker, and no sympy."""
