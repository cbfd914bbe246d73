"""Qdrant Edge: both legs and the catalogue in this process, their files under one folder that it owns."""
