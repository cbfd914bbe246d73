"""From NLI scores of a claim's passages to one label with reasons."""
