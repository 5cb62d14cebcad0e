"""Searches for proofs and counterexamples, believed by nobody: `theory.checker` replays what they write.

Here stand the entries (`prove`, `certify`, `drawn_points`), the ladder (`search`) and what all speak of (`goal`,
`statement`). Rooms know one thing each: `typed` what people type, `expressions` what is known of an expression by
itself, `rungs` the steps of a proof, `counterexamples` points that refute, `existence` constants that may be chosen.
"""
