"""The wire contract: frozen message types, topics, and the codec between them and records."""
