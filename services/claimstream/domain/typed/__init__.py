"""Typed checks where NLI is blind; in this form: conditions of the passage that a claim leaves out."""
