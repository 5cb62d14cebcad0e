"""Image data: labelled sets by name, read from files of strangers, or small ones that stand in."""
