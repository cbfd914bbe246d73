"""Making model folders: export today, training and evaluation to come (extra `train`)."""
