"""Runs the trials that a store lacks: here, in processes, in threads, on a cluster."""
