"""State in small files."""
