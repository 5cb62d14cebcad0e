"""Engines that train the shallow ViT: torch everywhere, compiled kernels where numba is installed, a GPU where asked.

- `torch`: closed-form gradients a batch at a time, chunked (`gradients`). The witness of the others.
- `fused`: one sample at a time in the first caches, the hidden layer never written out.
- `grouped`: the same, with one gate for all tokens of a pattern wherever it is certain.
- `collapsed`: identical tokens (no noise) taken together, and identical samples as well.
- `gpu`: steps of many trials at once, in Triton (`gpu_kernels`, `rendezvous`).

`choice` says which one and under which name results are kept; `start` builds it.
"""
