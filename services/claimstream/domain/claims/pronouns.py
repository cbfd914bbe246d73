"""Pronouns: put the antecedent in their place where it is certain, and say so."""

from dataclasses import dataclass

from claimstream.domain.claims.clauses import Clause
from claimstream.domain.claims.tree import Tree
from claimstream.domain.claims.wordlist import words

_SINGULAR, _PLURAL = "singular", "plural"
_NUMBER = {"it": _SINGULAR, "they": _PLURAL}
THIRD_PERSON = words(
    "it its itself they them their theirs themselves he him his himself she her hers herself this that these those"
)
_NO_REFERENTS = words("day hour week month year minute time percent % dollar euro pound case example")


@dataclass(frozen=True, slots=True)
class Antecedent:
    """The one noun phrase that a following pronoun can mean."""

    text: str
    number: str


def antecedent(tree: Tree, clause: Clause) -> Antecedent | None:
    """What "it" or "they" in the next clause means; None where the clause leaves a choice or has no noun."""
    if clause.subject is None or tree[clause.subject].pos not in ("NOUN", "PROPN"):
        return None
    number = _number(tree, clause.subject)
    rivals = [
        i
        for i in clause.own
        if i != clause.subject
        and tree[i].dep in ("dobj", "dative", "attr", "pobj", "nsubj", "nsubjpass", "conj")
        and tree[i].pos in ("NOUN", "PROPN")
        and tree[i].lemma.lower() not in _NO_REFERENTS
        and tree[i].dep != "pobj"
        and i not in tree.subtree(clause.subject)
        and _number(tree, i) == number
    ]
    if rivals:
        return None
    left_out = frozenset(c for c in tree.children[clause.subject] if tree[c].dep in ("relcl", "appos"))
    words = tree.subtree(clause.subject, left_out)
    text = tree.text(words).strip(" ,")
    first = tree[words[0]]
    return Antecedent(text[:1].lower() + text[1:] if first.pos in ("DET", "NOUN", "ADJ") else text, number)


def _number(tree: Tree, index: int) -> str:
    together = any(tree[c].text.lower() == "and" for c in tree.with_dep(index, ("cc",)))
    return _PLURAL if together or tree[index].tag in ("NNS", "NNPS") else _SINGULAR


def resolvable(tree: Tree, clause: Clause, before: Antecedent | None) -> bool:
    """Whether the clause's subject is a pronoun that `before` explains."""
    if clause.subject is None or before is None or is_empty_it(tree, clause):
        return False
    return _NUMBER.get(tree[clause.subject].text.lower()) == before.number


def unresolved(tree: Tree, clause: Clause) -> bool:
    """Whether a third-person pronoun in the clause points out of it."""
    if is_empty_it(tree, clause):
        return False
    for index in (*clause.carried, *clause.own):
        token = tree[index]
        if token.pos in ("NOUN", "PROPN"):
            return False
        if token.text.lower() in THIRD_PERSON and token.pos == "PRON" and token.dep not in ("mark", "expl", "det"):
            return True
    return False


def is_empty_it(tree: Tree, clause: Clause) -> bool:
    """ "It" that stands for a clause or for nothing: "it takes 5 days to process"."""
    if clause.subject is None or tree[clause.subject].text.lower() != "it":
        return False
    if tree[clause.subject].dep == "expl":
        return True
    below = [clause.head, *tree.children[clause.head]]
    return any(tree.with_dep(i, ("xcomp", "ccomp", "csubj")) for i in below) and tree[clause.head].lemma in (
        "be",
        "take",
        "seem",
        "appear",
        "cost",
    )
