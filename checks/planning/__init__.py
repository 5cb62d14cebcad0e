"""What would decide a claim, and at what price here."""
