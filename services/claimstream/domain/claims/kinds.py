"""Which kind of statement a clause is, by rules in a fixed order; whatever no rule names is a claim."""

import re

from claimstream.contracts.messages import ClaimKind
from claimstream.domain.claims.clauses import Clause
from claimstream.domain.claims.phrases import TAG
from claimstream.domain.claims.tree import Tree


def _starts(*patterns: str) -> re.Pattern[str]:
    return re.compile(r"(?:" + "|".join(patterns) + r")", re.IGNORECASE)


_APOSTROPHE = str.maketrans("’‘", "''")

_BARE_ANSWER = _starts(r"(?:yes|no|yeah|yep|nope|maybe|correct|right|ok|okay|true|false)\W*$")

_SALUTATION = _starts(
    r"(?:hi|hello|hey|greetings|good (?:morning|afternoon|evening|day)|welcome|dear)\b(?:[\w ,'.-]{0,40}"
    r"|.*!)\W*$",
    r"(?:thanks|thank you|many thanks)\b(?!.*\band\b.*\b(?:is|are|can|cannot|will|must|may)\b)",
    r"(?:my |our )?(?:sincere )?apologies\b|sorry\b",
)
"""Only without a subject: a product may be called Hey, and what is said of it is a claim."""

_ANNOUNCEMENT = _starts(r"(?:please )?(?:let me|allow me to|let's)\b(?! know)")
"""As above: what follows "Let me be clear," has a subject and is a claim."""

_GREETING = _starts(
    r"(?:sure|certainly|absolutely|of course|great|perfect|awesome|no problem|no worries|you're welcome"
    r"|you are welcome|my pleasure|got it|understood|great question|good question)(?: thing| question)?\W*$",
    r"(?:that's|that is|what) a (?:great|good|excellent|very good) question\b",
    r"(?:i'm|i am|i'd be|i would be|we're|we are|we'd be) (?:\w+ )?(?:happy|glad|pleased|delighted"
    r"|here) to (?:help|assist)",
    r"(?:happy|glad) to help\b",
    r"(?:i|we) (?:\w+ )?(?:hope|trust) (?:this|that|you|your)\b",
    r"hope (?:this|that) helps",
    r"(?:i'm|i am|we're|we are|i|we) (?:\w+ )?(?:sorry|apologi[sz]e)\b",
    r"(?:best|kind|warm)?\s*regards\b|sincerely\b|cheers\b|take care\b",
    r"(?:have a|enjoy your) (?:\w+ )?(?:day|evening|weekend|one|trip|stay)\b",
    r"(?:i|we) (?:really )?(?:appreciate|understand) (?:your|how|that)\b",
)

_ABSTENTION = _starts(
    r"(?:.*\b)?i(?:'m| am| was)? (?:\w+ )?(?:could not|couldn't|cannot|can't|can not|was unable to|am unable to"
    r"|unable to"
    r"|not able to|wasn't able to|did not|didn't|do not|don't|have not|haven't|no longer)\b.*"
    r"\b(?:find|found|locate|see|seen|access|have|know|confirm|verify|provide|answer|determine|help|give|say"
    r"|tell)\b",
    r"i(?:'m| am) (?:not sure|unsure|not certain|not aware|afraid i)\b",
    r"we (?:could not|couldn't|cannot|can't|were unable to|did not|didn't) (?:find|locate|verify|determine"
    r"|confirm)\b",
    r"(?:we|i) (?:have no|do not have|don't have|lack)(?: any| enough| sufficient| further| more| specific| the)*"
    r" (?:information|details|data|record|records|knowledge|access|context)\b"
    r"(?= (?:about|on|regarding|concerning|for|that|which|to|in|of|available|here|at)\b|\W*$)",
    r"(?:unfortunately,? )?(?:there (?:is|was|are) )?no (?:\w+ )?(?:information|details|mention|answer"
    r"|results?)\b(?!.*\b(?:to|with) (?:third|any|other|outside|\w+ parties))"
    r".*"
    r"\b(?:available|found|provided|given|in the|about|on|regarding)\b",
    r"(?:the|your|these|this|my|our)? ?(?:\w+ )?(?:documents?|documentation|context|sources?|knowledge base"
    r"|help articles?|passages?"
    r"|information|text|search results?|materials?)(?: \w+)? (?:does not|do not|doesn't|don't|did not|didn't)"
    r" (?:\w+ )?(?:mention|contain|say|specify|include|provide|cover|state|address|indicate|answer|give)\b",
    r"(?:that|this) (?:is|falls) (?:outside|beyond) (?:of )?(?:my|the)\b",
    r"i don't know\b|i do not know\b",
)

_META = _starts(
    r"(?:here (?:is|are|'s)\b|here's\b)(?!.*\s[-–—]\s)",
    r"below (?:is|are|you)\b|the following (?:is|are)\b[^:]*:?$",
    r"(?:as|i'm|i am) an (?:ai|assistant|virtual|automated)\b(?!.*\bthat\b)",
    r"i(?:'ll| will| can| have| 've|'ve|'d like to| would like to)? (?:\w+ )?(?:explain|walk|summari[sz]e"
    r"|outline|break|list|go through|found"
    r"|looked|checked|reviewed|searched|address|clarify)\b(?!(?: \w+){0,4} that\b)",
    r"(?:in summary|to summari[sz]e|summary|in short|overview|conclusion|answer|sources?|references?|note)\W*$",
    r"(?:this|the) (?:answer|response|summary|information|list) (?:above|below|is based|was generated|covers)\b",
    r"(?:see|as shown|as mentioned|as noted|as stated) (?:above|below|earlier)\W*$",
)

_HEDGE = _starts(
    r"it (?:may|might|could|would) be (?:\w+ )?(?:worth|best|good|wise|helpful|useful|possible|better|advisable"
    r"|that)\b",
    r"(?:i|we) (?:\w+ )?(?:think|believe|guess|suppose|suspect|assume|imagine|reckon|would guess|would assume"
    r"|expect)\b",
    r"(?:.*\b)?(?:probably|perhaps|maybe|possibly|presumably|conceivably|supposedly)\b",
    r".*\b(?:seems?|appears?) to (?:be|have|take|cost|include|require)\b",
    r"(?:it|this|that|there) (?:seems?|appears?|looks like)\b",
    r"it(?:'s| is) (?:(?!not)\w+ )?(?:possible that|likely|unlikely|probable|plausible|unclear|conceivable)\b",
    r"(?:as far as i (?:know|can tell|understand)|to (?:the best of )?my knowledge|if i(?:'m| am) not mistaken"
    r"|if i (?:recall|remember|understand)|my (?:guess|understanding|best guess|assumption) is)\b",
    r"(?:you|one) (?:may|might) (?:want|wish|like) to\b",
    r"i(?:'d| would) (?:guess|say|expect)\b",
    r"there (?:may|might|could) be\b|chances are\b",
)

_OPINION = _starts(
    r"in my (?:\w+ )?(?:opinion|view|experience|eyes)\b|personally,|from my (?:point of view|perspective)\b",
    r"(?:i|we) (?:\w+ )?(?:love|like|prefer|enjoy|dislike|hate|feel|find|recommend|suggest|advise|encourage)\b",
    r"(?:i|we)(?:'d| would) (?:\w+ )?(?:recommend|suggest|advise|love|prefer)\b",
    r"[^,]*\b(?:is|are|was|were|'s|'re|be|looks?|sounds?|seems?) (?:(?:a|an|the|our|truly|really|very|absolutely"
    r"|simply|quite|so|pretty"
    r"|just|one of the|by far) )*(?:great|amazing|excellent|wonderful|awesome|terrible|awful|fantastic"
    r"|brilliant|horrible"
    r"|beautiful|perfect|superb|lovely|incredible|outstanding|nice|delightful|disappointing|annoying"
    r"|frustrating|best"
    r"|worst|worth (?:it|every)|well worth|a bargain|no-brainer)\b(?! (?:before|by|effort|practice|price))",
)

_INSTRUCTION = _starts(
    r"please\b(?! (?:note|be aware|remember|keep in mind))",
    r"(?:just|simply|first,?|then,?|next,?|finally,?)? ?(?:click|tap|go to|open|visit|contact|select|choose"
    r"|press|enter|type"
    r"|scroll|navigate|log in|sign in|log out|download|restart|reset|reach out|feel free|try|make sure|be sure"
    r"|do not"
    r"|don't|ensure|follow|check|call us|email us|write to|let (?:me|us) know|don't hesitate|see our|refer to"
    r"|head to)\b(?!-)",
)

_QUESTION_WORDS = _starts(
    r"(?:who|what|which|when|where|why|how|whose|is|are|do|does|did|can|could|would|will|should)\b"
)


def kind_of(text: str, tree: Tree, clause: Clause, *, question: bool) -> ClaimKind:
    """The kind of a clause. `text`: its words without discourse openings; `question`: whether "?" ends it."""
    plain = text.translate(_APOSTROPHE).strip()
    asks = question or plain.endswith("?")
    if asks and (_QUESTION_WORDS.match(plain) or (question and not TAG.search(plain))):
        return ClaimKind.QUESTION
    kind = _phrased(plain, clause)
    if kind is not None:
        return kind
    if is_imperative(tree, clause, plain):
        return ClaimKind.INSTRUCTION
    return ClaimKind.CLAIM if _says_something(tree, clause, plain) else ClaimKind.META


def _phrased(plain: str, clause: Clause) -> ClaimKind | None:
    """The kind that a fixed phrase gives away; a number in an opinion makes it worth checking."""
    for pattern, kind in (_WITHOUT_SUBJECT if clause.subject is None else ()) + _IN_ORDER:
        if pattern.match(plain) and not (kind is ClaimKind.OPINION and any(c.isdigit() for c in plain)):
            return kind
    return None


_WITHOUT_SUBJECT = (
    (_ABSTENTION, ClaimKind.ABSTENTION),
    (_SALUTATION, ClaimKind.GREETING),
    (_ANNOUNCEMENT, ClaimKind.META),
)
_IN_ORDER = (
    (_BARE_ANSWER, ClaimKind.META),
    (_ABSTENTION, ClaimKind.ABSTENTION),
    (_GREETING, ClaimKind.GREETING),
    (_META, ClaimKind.META),
    (_HEDGE, ClaimKind.HEDGE),
    (_OPINION, ClaimKind.OPINION),
)
"""An apology that goes on to an abstention is an abstention, so that one is asked first."""


def is_imperative(tree: Tree, clause: Clause, plain: str) -> bool:
    """A command: a bare verb without a subject, or a usual opening of one."""
    if clause.subject is not None:
        return False
    head = tree[clause.head]
    if _INSTRUCTION.match(plain):
        return True
    bare = (
        head.tag in ("VB", "VBP")
        and head.pos == "VERB"
        and not any(tree[a].tag in ("MD", "TO") for a in tree.auxiliaries(clause.head))
    )
    return bare and head.dep != "acl"


def _says_something(tree: Tree, clause: Clause, plain: str) -> bool:
    """Whether there is anything to check: a finite verb, or a fragment with a number, a negation or some length."""
    if plain.endswith(":") and clause.subject is None:
        return False
    if clause.subject is not None or tree.finite(clause.head):
        return True
    words = [i for i in clause.own if tree[i].pos not in ("PUNCT", "SPACE", "SYM", "X", "INTJ")]
    if any(c.isdigit() for c in plain) and len(words) > 1:
        return True
    return len(words) >= 3 or (
        len(words) > 1 and tree[clause.own[0]].text.lower() in ("no", "not", "never", "only")
    )
