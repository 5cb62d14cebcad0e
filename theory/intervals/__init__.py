"""Rigorous arithmetic: values at a point and enclosures over boxes, with ends from Arb."""
