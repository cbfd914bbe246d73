"""From the text of a response to atomic claims, every one with its span in the original."""
