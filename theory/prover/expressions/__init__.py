"""What is known of an expression by itself: its normal form, its values at points, where it is defined, its samples."""
