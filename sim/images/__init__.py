"""Figures on images: data, constructions, networks, training, and the experiments that join them, a room each."""
