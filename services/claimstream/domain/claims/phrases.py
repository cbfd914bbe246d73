"""Fixed phrases of support answers: openings that say nothing, announcements, lead-ins."""

import re

OPENING = re.compile(
    r"(?:"
    r"(?:hi|hello|hey|dear)\b[^,.!?:;]{0,30}[,!]"
    r"|(?:yes|yeah|yep|no|nope|sure|certainly|absolutely|definitely|indeed|of course|correct|right|ok|okay"
    r"|great|well"
    r"|thanks|thank you|sorry|good news|good question|great question|unfortunately|fortunately|luckily|however"
    r"|also|plus|additionally|moreover|furthermore|besides|therefore|thus|hence|consequently"
    r"|accordingly|in addition|as a result|in short|in summary|to summarize|to summarise|overall|in general"
    r"|generally speaking|finally"
    r"|lastly|first|firstly|second|secondly|third|thirdly|next|then|so|and|but|yet|still|instead|otherwise"
    r"|for example|for instance|e\.g\.|i\.e\.|that is|that said|in other words|in fact|specifically|importantly"
    r"|note|please note|important|tip|answer|short answer|nevertheless|nonetheless|meanwhile|on the other hand"
    r"|in that case|in this case|regarding your question|to answer your question)\s*[,:!–—]"
    r"|based on (?:the|your|our|my|these)(?: \w+)? (?:documents?|documentation|context|information|sources?"
    r"|knowledge base|materials?|text|passages?|search results)(?: (?:provided|available|given|above))?,"
    r"|(?:please\s+)?(?:note|remember|be aware|keep in mind|bear in mind)(?:\s+that\b|\s*[,:])"
    r"|(?:the good news is|the short answer is|the answer is|it is important to note|it's important to note"
    r"|it is worth noting|it's worth noting|it should be noted"
    r"|it (?:may|might) be worth noting|you (?:may|might) (?:also )?(?:want|like|wish) to (?:know|note)"
    r"|this means|that means|which means)(?:\s+that\b"
    r"|\s*[,:])"
    r"|(?:and|but|so|yet|however|therefore|thus|hence|although|though|whereas|while)\b"
    r"(?!\s+(?:far|long|much|many|as|that|to|long)\b)(?!\s*['’-])"
    r")\s*",
    re.IGNORECASE,
)
"""What a claim's text does without at its beginning; tried again after each hit."""

LEAD_IN_TAIL = re.compile(
    r"(?:[\s,]*\b(?:(?:any|one|all|each|either) of )?(?:the following|these)(?: \w+){0,2}|\s*\bas follows"
    r"|,?\s+in (?:\w+|the following|different) ways)$",
    re.IGNORECASE,
)
"""The end of a lead-in that points at its list: the items stand in its place."""

TAG = re.compile(r",\s*(?:right|ok|okay|correct|yes|no)\W*$", re.IGNORECASE)
"""What makes a statement a question that expects a yes: the statement is checked, without it."""

_ANNOUNCES = re.compile(
    r"(?:here (?:is|are|'s|’s)|here's|below (?:is|are)|let me|let's|in summary|to summari[sz]e|summary|overview"
    r"|note|notes|important|key (?:points|facts|details)|details|steps|example|examples|follow these"
    r"|to \w+.*\b(?:follow|steps)\b"
    r"|there (?:is|are)\b|the following|these are|i (?:can|will|found|have found)|i'll|we (?:found"
    r"|have the following))\b",
    re.IGNORECASE,
)
_COUNTED = re.compile(
    r"\b(?:two|three|four|five|six|seven|several|some|a few|\d+)\s+(?:\w+\s+)?\w+s\b[^:]*:?$", re.IGNORECASE
)


def announces(lead: str) -> bool:
    """Whether a lead-in only announces its list, so that the items stand alone."""
    return _ANNOUNCES.match(lead) is not None or _COUNTED.search(lead) is not None


LABEL = re.compile(
    r"(?P<label>(?!(?:you|we|i|it|this|that|here|there|if|when|to|they|please)\b)\w[\w'’&/()$€£%+-]*"
    r"(?: [\w'’&/()$€£%+-]+){0,4})\s*(?::|\s[–—-])\s+(?=\S)",
    re.IGNORECASE,
)
"""A short name before a colon or dash, as in "Pro plan: $20 a month"."""

STARTS_WITH_VERB = re.compile(
    r"(?:is|are|was|were|has|have|can|cannot|may|must|will|should|do|does|costs?|includes?|takes?|applies|apply"
    r"|gets?|requires?|allows?|covers?|offers?|comes?|provides?|supports?|lasts?|expires?|starts?|ends?|needs?"
    r"|gives?|lets?|runs?|works?|ships?|arrives?|opens?|closes?)\b",
    re.IGNORECASE,
)

DANGLING = re.compile(
    r"\b(?:can|may|must|should|will|could|would|cannot|not|to|is|are|be|by|for|with|in|on|of|from|and|or|if|when"
    r"|has|have|also|only|includes?|covers?|offers?|provides?|requires?|accepts?|need|get)\s*:?$",
    re.IGNORECASE,
)
"""A lead-in that no sentence can end in: its items always complete it."""
