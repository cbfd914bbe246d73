"""spaCy: the dependency parser behind the claim rules."""
