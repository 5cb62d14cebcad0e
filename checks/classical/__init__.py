"""Checks of known truths: one module a subject; a claim and its false twins are judged on the same trials."""
