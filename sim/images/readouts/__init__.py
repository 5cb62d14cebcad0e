"""What is read off trainings on images; no training imports any of it."""
