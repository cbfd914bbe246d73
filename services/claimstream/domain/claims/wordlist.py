"""Word lists written as running text."""


def words(*lines: str) -> frozenset[str]:
    """The set of the words in some lines, cut at white space."""
    return frozenset(word for line in lines for word in line.split())
