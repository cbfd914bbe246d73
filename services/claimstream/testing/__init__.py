"""Public fakes that pass the same conformance suites as the real adapters."""
