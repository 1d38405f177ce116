"""Questions in prose, which no command word asks."""

from __future__ import annotations

import re
from collections.abc import Sequence
from itertools import dropwhile

from service.core.plain import plain, tokens

_OPENING = frozenset(
    tokens(
        """
        how what why which where who when can could may does is are should am
        comment combien pourquoi que quel quelle quels quelles qui quoi quand peut puis dois
        """
    )
)
"""Words that a question begins with, in either language."""
_WITHOUT_A_MARK = frozenset({"how", "why", "comment", "combien", "pourquoi"})
"""Those of them that ask even where the question mark is left out; behind a greeting all do."""
_GREETINGS = frozenset(tokens("hello hi hey bonjour bonsoir salut coucou"))
_OPENINGS = ("c'est quoi", "a quoi", "est-ce", "qu'est-ce", "y a-t-il")
_FEWEST = 3
"""Words of a question: "fire?" is none, but an order that is not sure of itself."""

_LEAVE = re.compile(
    r"\b(?:is (?:this|that|it)(?: \w+){0,2} (?:legal|allowed|possible|ok|okay)"
    r"|(?:can|may|could) i (?:do|play)|am i allowed"
    r"|est-ce(?: que c'est)? (?:legal|permis|possible|autorise)|c'est (?:legal|permis|possible)"
    r"|puis-je|est-ce que je peux|ai-je le droit)\b[^.!]*\?"
)
"""Questions whether a turn may be played."""


def asks_leave(paragraphs: Sequence[Sequence[str]]) -> bool:
    """True if some line asks whether what stands beside it may be played: it is only told."""
    return any(_LEAVE.search(plain(line)) for lines in paragraphs for line in lines)


def is_question(paragraphs: Sequence[Sequence[str]]) -> bool:
    """True if some line asks something: it has a question mark, or begins as only questions do."""
    return any(
        len(tokens(line)) >= _FEWEST and ("?" in line or _opens(line))
        for lines in paragraphs
        for line in lines
    )


def opens_like_a_question(paragraphs: Sequence[Sequence[str]]) -> bool:
    """True if the first line begins as questions do, which no order does."""
    return bool(paragraphs) and _opens(paragraphs[0][0])


def _opens(line: str) -> bool:
    written = list(dropwhile(_GREETINGS.__contains__, tokens(line)))
    greeted = len(written) < len(tokens(line))
    opening = _OPENING if "?" in line or greeted else _WITHOUT_A_MARK
    return bool(written) and (
        written[0] in opening or plain(line).lstrip(' «"').startswith(_OPENINGS)
    )
