"""claimstream: a streaming verifier for the answers of retrieval-augmented bots."""

__version__ = "0.1.0"
