"""Which trials come next: rounds, and points placed where they tell most."""
