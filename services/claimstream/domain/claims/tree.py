"""A parse as a tree: children, subtrees, subjects, auxiliaries."""

from collections.abc import Iterable, Iterator

from claimstream.domain.claims.parse import Parse, Token

SUBJECTS = frozenset({"nsubj", "nsubjpass", "csubj", "csubjpass", "expl"})
AUXILIARIES = frozenset({"aux", "auxpass"})
FINITE = frozenset({"VBZ", "VBP", "VBD", "MD"})


class Tree:
    """Look-ups over a parse; everything is an index of a token."""

    __slots__ = ("children", "parse", "tokens")

    def __init__(self, parse: Parse) -> None:
        self.parse = parse
        self.tokens = parse.tokens
        self.children: list[list[int]] = [[] for _ in parse.tokens]
        for index, token in enumerate(parse.tokens):
            if token.head != index:
                self.children[token.head].append(index)

    def __getitem__(self, index: int) -> Token:
        return self.tokens[index]

    def roots(self) -> list[int]:
        """The heads of the parser's sentences, in order."""
        return [index for index, token in enumerate(self.tokens) if token.head == index]

    def with_dep(self, index: int, labels: Iterable[str]) -> list[int]:
        """The children that carry one of these labels."""
        wanted = frozenset(labels)
        return [child for child in self.children[index] if self.tokens[child].dep in wanted]

    def subtree(self, index: int, without: frozenset[int] = frozenset()) -> list[int]:
        """A token and all below it in text order, leaving out the subtrees of `without`."""
        return sorted(self._below(index, without))

    def _below(self, index: int, without: frozenset[int]) -> Iterator[int]:
        pending = [index]
        while pending:
            current = pending.pop()
            yield current
            pending += [child for child in self.children[current] if child not in without]

    def subject(self, index: int) -> int | None:
        """The subject of a verb, or None."""
        found = self.with_dep(index, SUBJECTS)
        real = [child for child in found if self.tokens[child].dep != "expl"]
        return next(iter(real or found), None)

    def auxiliaries(self, index: int) -> list[int]:
        """The auxiliaries of a verb in order."""
        return self.with_dep(index, AUXILIARIES)

    def negated(self, index: int) -> bool:
        """Whether a verb carries a negation."""
        return bool(self.with_dep(index, ("neg",)))

    def finite(self, index: int) -> bool:
        """Whether a verb is finite, by itself or by an auxiliary."""
        return self.tokens[index].tag in FINITE or any(
            self.tokens[a].tag in FINITE for a in self.auxiliaries(index)
        )

    def text(self, indices: Iterable[int]) -> str:
        """The words in order with the white space between them; one space where words are left out."""
        pieces: list[str] = []
        last: int | None = None
        for index in indices:
            token = self.tokens[index]
            if last is not None:
                gap = self.parse.text[self.tokens[last].end : token.start] if index == last + 1 else None
                pieces.append(gap if gap is not None else "" if token.text in ",.;:!?)" else " ")
            pieces.append(token.text)
            last = index
        return "".join(pieces)
