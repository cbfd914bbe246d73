"""Passages, their ids, the fusion of two ranked lists, and the relevance floor."""
