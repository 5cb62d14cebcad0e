"""Simulators of textbook facts: one module a subject, each trial the mean of many independent draws."""
