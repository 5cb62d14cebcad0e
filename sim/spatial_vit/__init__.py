"""Simulators of the positional-attention transformer of Jelassi, Sander and Li (NeurIPS 2022)."""
