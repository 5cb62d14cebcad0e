"""What is read off trainings of the shallow ViT; no training imports any of it."""
