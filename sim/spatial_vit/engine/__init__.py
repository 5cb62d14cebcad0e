"""Compiled descents of the spatial ViT on sampled patches: the same steps as the torch code, several times faster."""
