"""What the core needs of the outside world, as Protocols; every one has a fake and a conformance suite."""
