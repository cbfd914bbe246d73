"""Qdrant by qdrant-client: the dense leg on a server, and its aliases."""
