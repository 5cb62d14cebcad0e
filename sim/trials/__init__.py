"""What simulators, the store and runs share: what a trial is, its identity, what is read off it, what it costs."""
