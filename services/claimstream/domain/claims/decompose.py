"""From blocks and their parses to claims: clauses, kinds, conditions, pronouns, quotes."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field, replace

from claimstream.contracts.messages import ClaimKind
from claimstream.domain.claims.blocks import Block, Limits
from claimstream.domain.claims.claim import Claim, Decomposition
from claimstream.domain.claims.clauses import Clause, clauses
from claimstream.domain.claims.conditions import conditions
from claimstream.domain.claims.kinds import is_imperative, kind_of
from claimstream.domain.claims.lines import Shape
from claimstream.domain.claims.parse import Parse
from claimstream.domain.claims.phrases import DANGLING, OPENING, TAG
from claimstream.domain.claims.pronouns import Antecedent, antecedent, resolvable, unresolved
from claimstream.domain.claims.reading import Reading
from claimstream.domain.claims.tree import Tree

ELIDED = "(subject)"
"""The key in `Claim.resolved` under which a shared subject is recorded."""

MAX_CONTEXT = 300
"""Code points of left context: more would drown the claim in the query."""


@dataclass(slots=True)
class _Before:
    """What stands to the left: the antecedent a pronoun may take, and the sentence."""

    antecedent: Antecedent | None = None
    sentence: str = ""


@dataclass(frozen=True, slots=True)
class _Draft:
    """A claim without its number."""

    start: int
    end: int
    text: str
    kind: ClaimKind
    conditions: tuple[str, ...] = ()
    context: str = ""
    resolved: dict[str, str] = field(default_factory=dict)


def decompose(text: str, plan: Sequence[Block], parses: Sequence[Parse], limits: Limits) -> Decomposition:
    """All claims of a response, in text order.

    `plan` is `blocks(text, limits)`; `parses` has one parse for each text of each block, in that order.
    """
    drafts = list(_drafts(plan, iter(parses)))
    kept = drafts[: limits.max_claims]
    claims = tuple(_numbered(index, text, draft) for index, draft in enumerate(kept))
    return Decomposition(claims=claims, bound=_bound(text, len(drafts), limits))


def _numbered(index: int, text: str, draft: _Draft) -> Claim:
    return Claim(
        index=index,
        quote=text[draft.start : draft.end],
        start=draft.start,
        end=draft.end,
        text=draft.text,
        kind=draft.kind,
        conditions=draft.conditions,
        context=draft.context,
        resolved=draft.resolved,
    )


def _bound(text: str, found: int, limits: Limits) -> str:
    """What cut the text short, in words."""
    reasons = []
    cut = limits.cut(text)
    if cut < len(text):
        reasons.append(f"text over {limits.max_text_bytes} bytes: judged up to character {cut} of {len(text)}")
    if found > limits.max_claims:
        reasons.append(f"more than {limits.max_claims} claims: the first {limits.max_claims} are judged")
    return "; ".join(reasons)


def _drafts(plan: Sequence[Block], parses: Iterator[Parse]) -> Iterator[_Draft]:
    before = _Before()
    for block in plan:
        own = [next(parses) for _ in block.readings]
        if block.shape is Shape.CODE:
            yield _Draft(block.start, block.end, "", ClaimKind.CODE)
        elif block.stated:
            yield _Draft(block.start, block.end, sentence(block.stated), ClaimKind.CLAIM)
        else:
            yield from _of_prose(block, own, before)


def _of_prose(block: Block, parses: Sequence[Parse], before: _Before) -> Iterator[_Draft]:
    reading, tree = _chosen(block, parses)
    found = clauses(tree)
    if block.announced or (block.shape is Shape.HEADING and not _is_sentence(tree, found)):
        yield _Draft(block.start, block.end, sentence(reading.text), ClaimKind.META)
        return
    for clause in found:
        yield from _of_clause(reading, tree, clause, before.antecedent, before.sentence)
        now = antecedent(tree, clause)
        pronoun = clause.subject is not None and tree[clause.subject].pos == "PRON"
        before.antecedent = now or (before.antecedent if pronoun else None)
        before.sentence = reading.text[-MAX_CONTEXT:]


def _chosen(block: Block, parses: Sequence[Parse]) -> tuple[Reading, Tree]:
    """The reading that makes a sentence: an item alone where it is one, else after its lead-in or label."""
    alone = Tree(parses[0])
    if len(block.readings) == 1:
        return block.readings[0], alone
    found = clauses(alone)
    lead = block.readings[1]
    dangling = DANGLING.search(lead.text[: lead.own].rstrip())
    if found and found[0].subject is not None and alone.finite(found[0].head):
        return block.readings[0], alone
    if found and not dangling and is_imperative(alone, found[0], parses[0].text):
        return block.readings[0], alone
    return lead, Tree(parses[1])


def _is_sentence(tree: Tree, found: Sequence[Clause]) -> bool:
    return any(c.subject is not None and tree.finite(c.head) for c in found)


def _of_clause(
    reading: Reading, tree: Tree, clause: Clause, before: Antecedent | None, left: str
) -> Iterator[_Draft]:
    spoken = _without_opening(tree, clause)
    span = _quote(reading, tree, spoken)
    if span is None:
        return
    bare = tree.text((*spoken.carried, *spoken.own))
    kind = kind_of(bare, tree, spoken, question=_is_question(tree, spoken))
    if kind is not ClaimKind.CLAIM:
        yield _Draft(*span, sentence(bare, "?" if kind is ClaimKind.QUESTION else "."), kind)
        return
    resolved: dict[str, str] = {}
    if clause.shares_subject and clause.subject is not None:
        resolved[ELIDED] = tree.text(tree.subtree(clause.subject))
    pronoun = clause.subject if resolvable(tree, clause, before) else None
    if pronoun is not None and before is not None:
        resolved[tree[pronoun].text] = before.text
        bare = _replaced(tree, spoken, pronoun, before.text)
    context = left if pronoun is None and unresolved(tree, spoken) else ""
    stays = tuple(tree.text(c.tokens) for c in conditions(tree, (*spoken.carried, *spoken.own)) if not c.subject)
    yield _Draft(*span, sentence(bare), kind, stays, context, resolved)


def _replaced(tree: Tree, clause: Clause, pronoun: int, antecedent_text: str) -> str:
    indices = (*clause.carried, *clause.own)
    at = indices.index(pronoun) if pronoun in indices else 0
    before, after = tree.text(indices[:at]), tree.text(indices[at + 1 :])
    gap = "" if after.startswith(("'", "’")) else " "
    return f"{before} {antecedent_text}{gap}{after}".strip()


def _without_opening(tree: Tree, clause: Clause) -> Clause:
    """The clause without "Yes,", "However,", "so", "Please note that" and their like, where anything remains."""
    own = clause.own
    while own:
        start = tree[own[0]].start
        match = OPENING.match(tree.parse.text, start, tree[own[-1]].end)
        if not match or match.end() == start:
            break
        rest = tuple(i for i in own if tree[i].start >= match.end())
        if not any(tree[i].text.isalnum() for i in rest):
            break
        own = rest
    if clause.head in own:
        return replace(clause, own=own)
    head = next((i for i in own if tree[i].head not in own and tree[i].pos in ("VERB", "AUX")), own[0])
    return replace(clause, own=own, head=head, subject=tree.subject(head))


def _quote(reading: Reading, tree: Tree, clause: Clause) -> tuple[int, int] | None:
    """The clause in the response, with the stop that ends it."""
    start, end = tree[min(clause.own)].start, tree[max(clause.own)].end
    for index in range(max(clause.own) + 1, len(tree.tokens)):
        if tree[index].text[:1] not in ".!?…" or tree[index].start != end:
            break
        end = tree[index].end
    return reading.span(start, end)


def _is_question(tree: Tree, clause: Clause) -> bool:
    """Whether a question mark follows the clause, or the sentence it is part of ends in one."""
    return tree.parse.text.rstrip("\"'”’)] ").endswith("?") and max(clause.own) + 1 >= len(tree.tokens) - 3


def sentence(words: str, stop: str = ".") -> str:
    """Words as a stand-alone sentence: first letter upper-case, one stop at the end."""
    bare = TAG.sub("", words).strip(" \t,;:–—-").rstrip(".!?…,;: ")
    return bare[:1].upper() + bare[1:] + stop if bare else ""
