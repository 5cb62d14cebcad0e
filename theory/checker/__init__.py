"""Replays records of proofs and believes nothing it has not recomputed; imports nothing else of theory."""
