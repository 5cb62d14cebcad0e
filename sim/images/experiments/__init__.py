"""The simulators on images, which join data, constructions, networks and training."""
