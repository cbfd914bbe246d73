"""The indexer: documents in, a generation of passages in both legs out."""
