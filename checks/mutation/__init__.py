"""What the evidence misses: planted falsehoods, and which of them are found out."""
