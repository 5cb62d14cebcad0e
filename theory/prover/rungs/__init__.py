"""The steps that a search for a proof tries: each returns a node that the checker can replay, or None."""
