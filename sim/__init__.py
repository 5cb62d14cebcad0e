"""What a machine measures. No sympy: a simulator that could see the formula under test would prove nothing."""
