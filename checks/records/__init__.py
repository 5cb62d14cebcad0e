"""What a line of the table is, and what it may show; what is on record about it."""
