"""What compiled kernels of any simulator share: vectors, how arrays are laid out for them, where they are kept."""
