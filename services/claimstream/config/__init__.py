"""Settings: one frozen block a dependency, read from the environment or a file once, printed once."""
