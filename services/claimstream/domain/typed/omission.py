"""The dropped condition: the passage grants something in some cases only, and the claim leaves the cases out.

Two steps, so that all parsing of a micro-batch is one call: `leans_on(claim.text, passage.text)` names the
sentence; the verifier parses the claim's text and that sentence, and hands both to `omitted`.
"""

from collections.abc import Iterable
from dataclasses import dataclass

from claimstream.domain.claims.clauses import Clause, clauses
from claimstream.domain.claims.conditions import Condition, ConditionKind, conditions
from claimstream.domain.claims.parse import Parse
from claimstream.domain.claims.tree import Tree
from claimstream.domain.claims.wordlist import words
from claimstream.domain.typed.vocabulary import carries, stem, weight

_GENERAL = words(
    "you we i it they everyone anyone everybody anybody one customer user member client person people",
    "account order purchase item product refund return plan subscriber subscription all",
)
"""Subjects that stand for anybody or anything: a claim about them is not about a group."""

_PARTIAL = words("some certain sometimes selected eligible qualifying depending condition")
"""Words by which a claim admits that it does not always hold; the modal "may" is none of them."""

_DENIALS = words("no not never none nobody nothing neither nor cannot")

LEAST_SAID = 0.5
"""The part of a condition's own words that the claim must have to have said it."""

LEAST_COVERAGE = 0.4
"""Less of the claim's weight in the clause, and the two may not speak of the same thing."""


@dataclass(frozen=True, slots=True)
class OmittedCondition:
    """A condition that the claim leaves out; `text == passage[start:end]`."""

    start: int
    end: int
    text: str


def omitted(claim: Parse, sentence: Parse, offset: int) -> tuple[OmittedCondition, ...]:
    """The conditions of the sentence that the claim leaves out, in text order; `offset`: the sentence's start.

    Careful rather than complete: a claim with a condition, a group or a time of its own that matches nothing in the
    sentence may well say the same in other words, so nothing is reported against it.
    """
    said, source = Tree(claim), Tree(sentence)
    granted = _aligned(said, source)
    if granted is None or _denied(said, range(len(said.tokens))) != _denied(source, granted.own):
        return ()
    words_said = _stems(said, range(len(said.tokens)))
    granted_words = _stems(source, (*granted.carried, *granted.own))
    if weight(words_said & granted_words) < LEAST_COVERAGE * weight(words_said):
        return ()
    left_out = [
        condition
        for condition in conditions(source, (*granted.carried, *granted.own))
        if not _covered(condition, source, granted, words_said) and not _paraphrased(condition, said, source)
    ]
    return tuple(_located(source, condition, offset) for condition in left_out)


def _aligned(said: Tree, source: Tree) -> Clause | None:
    """The clause of the sentence that shares most with the claim."""
    wanted = _stems(said, range(len(said.tokens)))
    found = clauses(source)
    if not found:
        return None
    return max(found, key=lambda c: len(wanted & _stems(source, (*c.carried, *c.own))))


def _denied(tree: Tree, indices: Iterable[int]) -> bool:
    """Whether the words outside conditions deny: a claim and a clause that differ in this do not say the same."""
    conditional = {i for condition in conditions(tree) for i in condition.tokens if not condition.subject}
    return any(tree[i].dep == "neg" or tree[i].text.lower() in _DENIALS for i in indices if i not in conditional)


def _stems(tree: Tree, indices: Iterable[int]) -> frozenset[str]:
    tokens = [tree[index] for index in indices]
    return frozenset(stem(t.lemma if t.pos != "PROPN" else t.text) for t in tokens if carries(t.text))


def _covered(condition: Condition, source: Tree, granted: Clause, said: frozenset[str]) -> bool:
    """Whether the claim has a word that is the condition's own: not one of the statement's or a general one."""
    inside = set(condition.tokens)
    rest = _stems(source, (i for i in (*granted.carried, *granted.own) if i not in inside))
    own = _stems(source, condition.tokens)
    if condition.kind is ConditionKind.GROUP:
        own -= {stem(word) for word in _GENERAL}
    special = own - rest
    return not special or len(special & said) > LEAST_SAID * len(special)


def _paraphrased(condition: Condition, said: Tree, source: Tree) -> bool:
    """Whether something in the claim may be this condition in other words."""
    if condition.kind is ConditionKind.TIME and _numbers(said) - _numbers(source):
        return True
    if (
        condition.kind is ConditionKind.GROUP
        and condition.subject
        and _names_another(said, _stems(source, condition.tokens))
    ):
        return True
    known = _stems(source, range(len(source.tokens)))
    timed = condition.kind is ConditionKind.TIME
    foreign = [
        c
        for c in conditions(said)
        if not c.subject and (c.kind is ConditionKind.TIME) == timed and not _stems(said, c.tokens) <= known
    ]
    return bool(foreign) or any(t.text.lower() in _PARTIAL for t in said.tokens)


def _numbers(tree: Tree) -> frozenset[str]:
    """The numbers, as they are written: one that the sentence lacks may be its time in other words."""
    return frozenset(t.text.lower() for t in tree.tokens if t.pos == "NUM" or t.text.isdigit())


def _names_another(said: Tree, group: frozenset[str]) -> bool:
    """Whether the claim's subject is a person or thing of its own, rather than anybody or the group at large."""
    found = clauses(said)
    if not found or found[0].subject is None:
        return False
    subject = found[0].subject
    if said[subject].lemma.lower() not in _GENERAL and not _stems(said, (subject,)) <= group:
        return said[subject].pos in ("NOUN", "PROPN")
    return any(said[c].dep in ("compound", "amod", "acl", "relcl", "prep") for c in said.children[subject])


def _located(source: Tree, condition: Condition, offset: int) -> OmittedCondition:
    start, end = source[condition.tokens[0]].start, source[condition.tokens[-1]].end
    return OmittedCondition(offset + start, offset + end, source.parse.text[start:end])
