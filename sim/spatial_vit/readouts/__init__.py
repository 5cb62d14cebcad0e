"""What is read off runs of the spatial ViT; no recipe imports any of it."""
