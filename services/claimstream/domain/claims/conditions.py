"""The conditions in a parsed sentence: what limits a statement to some cases, people or times."""

import re
from collections.abc import Iterator
from dataclasses import dataclass
from enum import StrEnum

from claimstream.domain.claims.tree import Tree
from claimstream.domain.claims.wordlist import words


class ConditionKind(StrEnum):
    """How a condition limits its statement."""

    CLAUSE = "clause"
    """if, unless, when, until, as long as, provided that."""
    GROUP = "group"
    """The people or things it holds for: "Enterprise customers", "for members"."""
    ONLY = "only"
    TIME = "time"
    """within, after, before, until: a window."""
    TERM = "term"
    """subject to approval, with a receipt, without damage."""


@dataclass(frozen=True, slots=True)
class Condition:
    """Indices of tokens in order, without the punctuation at the ends."""

    kind: ConditionKind
    tokens: tuple[int, ...]
    subject: bool = False
    """A group that is the subject itself, not an addition to it."""


_CLAUSE_OPENING = re.compile(
    r"(?:only |except |but only )?(?:if|unless|when|whenever|once|provided|providing|while|until|till"
    r"|before"
    r"|after|as long as|so long as|as soon as|in case|in the event|on condition|assuming|where)\b",
    re.IGNORECASE,
)
_TIME = words("within after before until till during by from since between")
_TERM = words("with without upon under except unlike subject on through via via")
_TERM_NOUNS = words(
    "approval permission consent authorisation authorization agreement notice receipt proof request note letter",
    "signature condition exception prescription referral evidence confirmation subscription membership purchase",
    "order registration verification deposit fee payment presentation production photograph",
)
_PEOPLE = words(
    "customer user member subscriber account plan order purchase item product employee team organisation",
    "organization business student teacher owner admin administrator resident guest passenger patient tenant",
    "seller buyer merchant partner visitor client company policyholder cardholder holder traveller traveler child",
    "adult senior trader agent tier ticket fare booking subscription parcel package device",
)
_OPENERS = words("provided unless if as")
_NARROWING = words("with without over under above below between aged")
_DEFINITE = words("the this that these those your our their its his her my")
_UNITS = words("day hour week month year minute second night quarter date deadline")


def conditions(tree: Tree, within: tuple[int, ...] | None = None) -> list[Condition]:
    """The conditions among the tokens of `within` (all by default), in text order, none inside another."""
    allowed = frozenset(range(len(tree.tokens)) if within is None else within)
    found = [
        condition
        for index in sorted(allowed)
        for condition in _at(tree, index)
        if condition.tokens and allowed.issuperset(condition.tokens)
    ]
    found.sort(key=lambda c: (-len(c.tokens), c.tokens[0]))
    kept: list[Condition] = []
    for condition in found:
        if not any(set(condition.tokens) & set(other.tokens) for other in kept):
            kept.append(condition)
    return sorted(kept, key=lambda c: c.tokens[0])


def _at(tree: Tree, index: int) -> Iterator[Condition]:
    """The condition that hangs on this token, if any."""
    token = tree[index]
    if token.dep in ("advcl", "pcomp", "ccomp") and _opens_condition(tree, index):
        yield _condition(tree, ConditionKind.CLAUSE, index)
    elif token.dep in ("prep", "mark", "advmod", "amod", "acomp", "advcl", "ROOT", "dep", "dative"):
        yield from _phrase(tree, index)
    if token.text.lower() in _OPENERS and _CLAUSE_OPENING.match(tree.parse.text, token.start):
        yield from _unattached(tree, index)
    if token.text.lower() == "only" and token.head != index:
        yield from _only(tree, index)
    if token.dep in ("nsubj", "nsubjpass"):
        yield from _subject_group(tree, index)


def _unattached(tree: Tree, index: int) -> Iterator[Condition]:
    """ "provided (that) …", "unless …" where the parser saw no clause: up to the next comma, or the end."""
    participle = tree[index].text.lower() == "provided" and (tree[index].dep != "prep" or tree.auxiliaries(index))
    if participle or (index > 0 and tree[index - 1].text.lower() == "even"):
        return
    last = index
    while last + 1 < len(tree.tokens) and tree[last + 1].text not in (",", ";", ".", ":", ")"):
        last += 1
    if last - index >= 2 and (tree[index].text.lower() != "as" or tree[index + 1].text.lower() in ("long", "soon")):
        yield Condition(ConditionKind.CLAUSE, tuple(range(index, last + 1)))


def _opens_condition(tree: Tree, index: int) -> bool:
    return _CLAUSE_OPENING.match(tree.text(tree.subtree(index)).lstrip(" ,")) is not None


def _phrase(tree: Tree, index: int) -> Iterator[Condition]:
    """Prepositional conditions, and "subject to"."""
    word = tree[index].text.lower()
    if word == "subject" and any(tree[c].text.lower() == "to" for c in tree.children[index]):
        yield _condition(tree, ConditionKind.TERM, index, start=index)
    elif word in _TIME and tree[index].dep == "prep" and _is_window(tree, index):
        yield _condition(tree, ConditionKind.TIME, index)
    elif word in ("for", "to") and _restricts(tree, index):
        yield _condition(tree, ConditionKind.GROUP, index)
    elif word in _TERM and tree[index].dep == "prep" and (word == "except" or _names_a_term(tree, index)):
        yield _condition(tree, ConditionKind.TERM, index)


def _names_a_term(tree: Tree, index: int) -> bool:
    """Whether a phrase is about an approval, a receipt or their like: "with a receipt", "on written request"."""
    return any(
        tree[i].lemma.lower() in _TERM_NOUNS for i in tree.subtree(index) if tree[i].pos in ("NOUN", "PROPN")
    )


def _is_window(tree: Tree, index: int) -> bool:
    """ "within", "after", "before", "until" always; "by", "during", "from" only with a time behind them."""
    if tree[index].text.lower() in ("after", "before", "within", "until", "till"):
        return True
    return any(tree[c].lemma.lower() in _UNITS for c in tree.with_dep(index, ("pobj",)))


def _restricts(tree: Tree, index: int) -> bool:
    """ "for Enterprise customers", not "for 30 days" and not "for customers" at large."""
    for noun in tree.with_dep(index, ("pobj",)):
        if tree[noun].lemma.lower() in _PEOPLE and (_modifiers(tree, noun) or _bounded(tree, noun)):
            return True
        if tree[index].text.lower() == "for" and _narrowed(tree, noun):
            return True
    return False


def _bounded(tree: Tree, noun: int) -> bool:
    """ "orders over 50 EUR", however the parser hangs the amount."""
    following = noun + 1
    return following + 1 < len(tree.tokens) and tree[following].text.lower() in _NARROWING


def _only(tree: Tree, index: int) -> Iterator[Condition]:
    head = tree[index].head
    before = [i for i in range(index) if tree[i].dep == "prep" and tree.subtree(i)[-1] in (index - 1, index)]
    ends = index + 1 == len(tree.tokens) or tree[index + 1].pos == "PUNCT"
    if before and ends:  # "in the garden only"
        yield Condition(ConditionKind.ONLY, tuple(range(before[0], index + 1)))
        return
    if head > index and tree[head].pos not in ("VERB", "AUX"):
        yield Condition(ConditionKind.ONLY, tuple(i for i in tree.subtree(head) if i >= index))
        return
    following = index + 1
    if following < len(tree.tokens) and tree[following].pos not in ("AUX", "VERB", "PUNCT"):
        phrase = tree.subtree(following)
        yield Condition(ConditionKind.ONLY, (index, *(i for i in phrase if i > index)))


def _subject_group(tree: Tree, index: int) -> Iterator[Condition]:
    """The subject where it is a narrowed group: "Enterprise customers", "employees with a year of service"."""
    people = tree[index].lemma.lower() in _PEOPLE and _modifiers(tree, index)
    if people or _narrowed(tree, index):
        stop = frozenset(
            c for c in tree.children[index] if tree[c].dep in ("appos", "punct", "conj", "cc", "preconj")
        )
        yield Condition(ConditionKind.GROUP, tuple(tree.subtree(index, stop)), subject=True)


def _narrowed(tree: Tree, index: int) -> bool:
    """An indefinite noun with "with …", "who …", "aged …" behind it and no comma before that."""
    if tree[index].pos != "NOUN" or any(tree[c].text.lower() in _DEFINITE for c in tree.children[index]):
        return False
    return any(
        tree[c].dep in ("acl", "relcl") or (tree[c].dep == "prep" and tree[c].text.lower() in _NARROWING)
        for c in tree.children[index]
        if c > index and tree[min(tree.subtree(c)) - 1].text != ","
    )


def _modifiers(tree: Tree, index: int) -> list[int]:
    """What narrows a noun: a name, an adjective, a participle; not articles, not "all", "your"."""
    general = ("all", "any", "every", "each", "other", "own", "many", "most", "eligible")
    return [
        c
        for c in tree.with_dep(index, ("compound", "amod", "nmod", "acl", "relcl", "prep", "poss"))
        if tree[c].text.lower() not in general and tree[c].tag not in ("PRP$", "DT")
    ]


def _condition(tree: Tree, kind: ConditionKind, index: int, start: int = 0) -> Condition:
    tokens = [i for i in tree.subtree(index) if i >= start]
    while tokens and tree[tokens[-1]].text in (",", ";", ".", ":"):
        tokens.pop()
    while tokens and tree[tokens[0]].text in (",", ";", ".", ":"):
        tokens.pop(0)
    return Condition(kind, tuple(tokens))
