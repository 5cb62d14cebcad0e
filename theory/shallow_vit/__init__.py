"""What Li, Wang, Liu and Chen, "A theoretical understanding of shallow vision transformers" (ICLR 2023), state."""
