"""What the papers state, as sympy objects. No torch, no simulator, no data."""
