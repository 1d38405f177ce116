"""The letter that a reply answers, and what the reply means by it that says nothing by itself."""

from __future__ import annotations

import re
from collections.abc import Sequence

from service.core.letter_details import AnswerDetails
from service.core.models import Letter, SeatRow
from service.core.plain import plain, tokens
from service.core.results import NothingFound, NumberAsked, TurnWrong, WordMeant
from service.core.statuses import LetterKind
from service.mail.commands.copied import says_otherwise

_YES = frozenset(tokens("yes yep yeah oui ouais sure exactly right exactement ok okay"))
"""Words that a text begins with which says yes."""
_ANYWHERE = re.compile(
    r"\b(?:yes|oui|ouais|exactly|exactement|parfait|perfect|nickel|impeccable|d'accord|go ahead"
    r"|vas-y|allez-y|tu peux y aller|play (?:it|that)|joue(?:[- ]l[ea]| ca| ce coup| ce tour)"
    r"|that'?s (?:it|right|what i)|c'est (?:bien |tout a fait |exactement )?(?:ca|celui|celle))\b"
)
"""Words that say yes wherever they stand."""
_LONGEST_YES = 14
"""Words of a text that says yes and nothing else."""
_ORDINAL = {
    word: number
    for number, words in enumerate(
        ("first 1st premier premiere 1er", "second 2nd deuxieme seconde", "third 3rd troisieme"), 1
    )
    for word in words.split()
}
_ORDER = re.compile(rf"\b(?:the|le|la)\s+({'|'.join(_ORDINAL)})\b")
_HARDLY = frozenset(tokens("almost nearly presque non"))
"""Words of who says anything but yes."""


def is_of_messages(letters: Sequence[Letter], row: SeatRow) -> bool:
    """True if these letters, of which a mail answers the first, begin with one that told who sits
    there what others said to the table: prose in answer to it is said to the table as well.
    """
    return any(
        letter.kind == LetterKind.MESSAGE
        and (letter.match_id, letter.seat) == (row.match_id, row.seat)
        for letter in letters[:1]
    )


def turns_asked(letters: Sequence[Letter], row: SeatRow) -> tuple[str, ...]:
    """The turns that the letter which a mail answers asked about ("Did you mean turn 2?"), as they
    are written in a reply, in its order.
    """
    for letter in letters[:1]:
        details = letter.details
        if (letter.match_id, letter.seat) != (row.match_id, row.seat):
            return ()
        if isinstance(details, AnswerDetails):
            asked = (turn for result in details.results for turn in _asked(result))
            return tuple(dict.fromkeys(asked))
    return ()


def meant_of(turns: Sequence[str], paragraphs: Sequence[Sequence[str]]) -> str | None:
    """The one of several turns asked about that a text chooses: "the first one"."""
    text = " ".join(line for lines in paragraphs for line in lines)
    found = {_ORDINAL[word] for word in _ORDER.findall(plain(text))}
    number = found.pop() if len(found) == 1 else 0
    if len(tokens(text)) > _LONGEST_YES or says_otherwise(text):
        return None
    return turns[number - 1] if len(turns) > 1 and 0 < number <= len(turns) else None


def word_meant_by_yes(letters: Sequence[Letter], row: SeatRow) -> str | None:
    """The word that the letter which a mail answers asked about ("Did you mean pause 3 days?")."""
    for letter in letters[:1]:
        details = letter.details
        if (letter.match_id, letter.seat) == (row.match_id, row.seat) and isinstance(
            details, AnswerDetails
        ):
            return next((r.text for r in details.results if isinstance(r, WordMeant)), None)
    return None


def says_yes(paragraphs: Sequence[Sequence[str]]) -> bool:
    """True for a short text that says yes: "Yes please, that one.", "Perfect, go ahead!"; not for
    "Yes, but", nor for a question.
    """
    text = " ".join(line for lines in paragraphs for line in lines)
    said = tokens(text)
    if not 0 < len(said) <= _LONGEST_YES or "?" in text or not _HARDLY.isdisjoint(said):
        return False
    agrees = said[0] in _YES or _ANYWHERE.search(plain(text)) is not None
    return agrees and not says_otherwise(text)


def _asked(result: object) -> tuple[str, ...]:
    """The turns that a result asks about."""
    match result:
        case NumberAsked():
            return tuple(map(str, result.numbers))
        case TurnWrong() | NothingFound() if result.meant is not None:
            return () if result.meant.number is None else (str(result.meant.number),)
        case TurnWrong():
            return getattr(result.verdict, "possible", ())
    return ()
