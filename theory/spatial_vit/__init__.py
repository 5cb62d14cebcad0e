"""Claims of Jelassi, Sander and Li (NeurIPS 2022) on transformers that learn spatial structure."""
