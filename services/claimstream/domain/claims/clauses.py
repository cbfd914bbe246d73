"""From a parsed sentence to its clauses: each with a subject of its own or the one it shares."""

from collections.abc import Iterator
from dataclasses import dataclass

from claimstream.domain.claims.tree import Tree
from claimstream.domain.claims.wordlist import words

REPORTING = words(
    "say state note mention explain tell confirm think believe add report claim write suggest indicate specify",
    "describe know see mean ensure guarantee find",
)
"""Verbs whose clause is what was said, not a claim of its own."""

CONTRASTS = words("so although though whereas while")
_NEED_COMMA = words("so while")
_FRONT_OPENERS = words("if unless when whenever once until as")
_EDGE = frozenset(",;:.!?–—-…")


@dataclass(frozen=True, slots=True)
class Clause:
    """Indices of tokens, in order. `carried`: words of another clause that stand before its own."""

    head: int
    own: tuple[int, ...]
    carried: tuple[int, ...] = ()
    subject: int | None = None
    """The subject's head, its own or the carried one."""

    @property
    def shares_subject(self) -> bool:
        """Whether the subject is another clause's."""
        return bool(self.carried) and self.subject in self.carried


def clauses(tree: Tree) -> list[Clause]:
    """The clauses of a sentence in text order; a sentence that cannot be split is one clause."""
    governors: dict[int, int | None] = {}
    for root in tree.roots():
        _collect(tree, root, None, governors)
    heads = frozenset(governors)
    found: list[Clause] = []
    for head in sorted(heads, key=lambda h: min(tree.subtree(h, heads - {h}))):
        own = _trimmed(tree, tree.subtree(head, heads - {head}))
        if not own:
            continue
        governor = governors[head]
        if governor is None and found and tree.subject(head) is None and not tree.finite(head):
            found[-1] = _with_fragment(tree, found[-1], own)
        else:
            found.append(_clause(tree, head, own, governors))
    return found


def _with_fragment(tree: Tree, clause: Clause, fragment: tuple[int, ...]) -> Clause:
    """A clause and the scrap that the parser took for a sentence of its own."""
    between = range(max(clause.own), min(fragment)) if max(clause.own) < min(fragment) else ()
    own = _trimmed(tree, sorted({*clause.own, *between, *fragment}))
    return Clause(clause.head, own, clause.carried, clause.subject)


def _collect(tree: Tree, head: int, governor: int | None, governors: dict[int, int | None]) -> None:
    governors[head] = governor
    for child in tree.children[head]:
        if _splits(tree, head, child, governors):
            _collect(tree, child, head, governors)


def _splits(tree: Tree, head: int, child: int, governors: dict[int, int | None]) -> bool:
    """Whether a dependent of a clause's head is a claim of its own."""
    token = tree[child]
    if not (token.tag.startswith("VB") or token.tag == "MD"):
        return False
    if token.dep == "conj":
        return _coordinated(tree, head, child, governors)
    if tree.subject(child) is None or not tree.finite(child):
        return False
    if token.dep == "advcl":
        return _contrasts(tree, child)
    return token.dep in ("ccomp", "parataxis") and _juxtaposed(tree, head, child)


def _coordinated(tree: Tree, head: int, child: int, governors: dict[int, int | None]) -> bool:
    alternatives = any(tree[c].text.lower() in ("or", "nor") for c in tree.with_dep(head, ("cc",)))
    if alternatives or tree.with_dep(head, ("preconj",)):
        return False
    if tree.subject(child) is not None:
        return True
    if _subject_of(tree, head, governors) is None:
        return False
    if tree.finite(child) and not _completes_modal(tree, head, child):
        return bool(tree.auxiliaries(child)) or not _adjacent(tree, head, child)
    shares_auxiliary = bool(tree.auxiliaries(head)) and tree[child].tag in ("VB", "VBP", "VBN", "VBG")
    return shares_auxiliary and not tree.negated(head) and not _adjacent(tree, head, child)


def _completes_modal(tree: Tree, head: int, child: int) -> bool:
    """ "must return the item and include the receipt": the parser takes many a bare form for a present tense."""
    modal = any(tree[a].tag == "MD" or tree[a].lemma == "do" for a in tree.auxiliaries(head))
    return modal and tree[child].tag == "VBP" and tree[child].pos == "VERB" and not tree.auxiliaries(child)


def _adjacent(tree: Tree, head: int, child: int) -> bool:
    """Whether only a conjunction stands between two verbs: their objects are shared."""
    between = range(head + 1, min(tree.subtree(child)))
    return all(tree[i].dep in ("cc", "punct") or i in tree.children[child] for i in between)


def _contrasts(tree: Tree, child: int) -> bool:
    """A clause opened by "so", "although", "whereas": not "so that"."""
    first = min(tree.subtree(child))
    word = tree[first].text.lower()
    if word not in CONTRASTS or word not in _NEED_COMMA:
        return word in CONTRASTS
    return first > 0 and tree[first - 1].text in ",;–—" and tree[first + 1].text.lower() != "that"


def _juxtaposed(tree: Tree, head: int, child: int) -> bool:
    """Two sentences joined by a comma, a semicolon or "so": neither reports the other."""
    subject = tree.subject(head)
    if subject is None or tree.with_dep(child, ("mark",)) or tree[head].lemma.lower() in REPORTING:
        return False
    inside = tree.subtree(child)
    if child < head:
        return subject > inside[-1]
    return inside[0] > 0 and tree[inside[0] - 1].text == ";"


def _clause(tree: Tree, head: int, own: tuple[int, ...], governors: dict[int, int | None]) -> Clause:
    subject = tree.subject(head)
    governor = governors[head]
    if governor is None:
        return Clause(head, own, (), subject)
    if subject is not None:
        return Clause(head, own, tuple(_front_condition(tree, governor, head, frozenset(governors))), subject)
    source = _subject_of(tree, governor, governors)
    if source is None:
        return Clause(head, own)
    holder, shared = source
    carried = [*_shared_front(tree, holder, shared, frozenset(governors))]
    if not tree.finite(head) or _completes_modal(tree, holder, head):
        carried += [a for a in tree.auxiliaries(holder) or tree.auxiliaries(governor) if _lacks(tree, head, a)]
    return Clause(head, own, tuple(carried), shared)


def _subject_of(tree: Tree, head: int, governors: dict[int, int | None]) -> tuple[int, int] | None:
    """The nearest clause up the chain of coordination that has a subject, and that subject."""
    current: int | None = head
    while current is not None:
        subject = tree.subject(current)
        if subject is not None:
            return current, subject
        current = governors[current]
    return None


def _front_condition(tree: Tree, governor: int, head: int, heads: frozenset[int]) -> Iterator[int]:
    """ "If …, A and B": the condition before A holds for B too; not so after "but"."""
    linking = [c for c in tree.with_dep(governor, ("cc",)) if c < head]
    if not linking or tree[linking[-1]].text.lower() != "and" or tree[head].dep != "conj":
        return
    for child in tree.with_dep(governor, ("advcl",)):
        condition = tree.subtree(child, heads)
        if condition[0] == 0 and tree[0].text.lower() in _FRONT_OPENERS:
            yield from condition
            yield from (c for c in tree.children[governor] if c == condition[-1] + 1 and tree[c].text == ",")


def _shared_front(tree: Tree, holder: int, subject: int, heads: frozenset[int]) -> Iterator[int]:
    """The subject with the conditions before it, which hold for every clause that shares it."""
    for child in tree.children[holder]:
        if child < subject and tree[child].dep in ("advcl", "prep", "npadvmod"):
            yield from tree.subtree(child, heads)
            yield from (c for c in tree.children[holder] if child < c < subject and tree[c].text == ",")
    yield from tree.subtree(subject, heads)


def _lacks(tree: Tree, head: int, auxiliary: int) -> bool:
    """Whether a verb form needs this auxiliary of the clause before it."""
    own = {tree[a].dep for a in tree.auxiliaries(head)}
    if tree[head].tag in ("VB", "VBP"):
        return tree[auxiliary].tag == "MD" or tree[auxiliary].lemma == "do"
    return tree[auxiliary].dep not in own


def _trimmed(tree: Tree, indices: list[int]) -> tuple[int, ...]:
    """Without the conjunctions, commas and stops at both ends."""
    first, last = 0, len(indices)
    while first < last and _edge(tree, indices[first]) and not _named_plus(tree, indices[first]):
        first += 1
    while last > first and _edge(tree, indices[last - 1]):
        last -= 1
    return tuple(indices[first:last])


def _edge(tree: Tree, index: int) -> bool:
    token = tree[index]
    return not token.text.strip() or token.dep == "cc" or all(c in _EDGE for c in token.text)


def _named_plus(tree: Tree, index: int) -> bool:
    """Whether this is a plan called Plus, which the parser takes for a conjunction."""
    return tree[index].text == "Plus" and index + 1 < len(tree.tokens) and tree[index + 1].text != ","
