"""Image data, constructions from them, and the networks that the papers train on images."""
