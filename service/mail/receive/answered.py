"""The letter that a reply answers, and what the reply means by it that says nothing by itself."""

from __future__ import annotations

import re
from collections.abc import Sequence
from difflib import get_close_matches

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
_AROUND = frozenset(
    tokens(
        "a absolutely again ahead all alors and bon bien c ca ce celle celui cette comme cool coup "
        "dire do est et fait fine fois go good great hi hello i is it je joue jouer just la le les "
        "lui me meant merci moi mean much now on one please pls plait s salut so stp super svp "
        "thank thanks that the then this tour tout tres tu turn very vas voila voulais want was "
        "what y you aller allez peux please mine move chose choice"
    )
)
"""Words that stand around a yes and change nothing of it."""
_LIKE_IT = 0.8
"""How like one of these words its slip is, by `difflib`."""
_ORDINAL = {
    word: number
    for number, words in enumerate(
        ("first 1st premier premiere 1er", "second 2nd deuxieme seconde", "third 3rd troisieme"), 1
    )
    for word in words.split()
}
_ORDER = re.compile(
    rf"\W*(?:(?:yes|oui|ok|okay|then|alors|no|non)\W+)*(?:(?:i(?:'ll| mean| meant)?|je)\W+"
    rf"(?:(?:take|want|mean|prends|veux)\W+)?)?(?:the|le|la)\s+({'|'.join(_ORDINAL)})"
    r"(?:\s+(?:one|turn|choice|coup|tour|des deux|of the two|of them))?"
    r"(?:\W+(?:where|celui ou|celle ou|ou)\b[^?]*)?(?:\W+(?:please|thanks|merci|stp|svp))?\W*"
)
"""A text that chooses one of several turns by their order."""


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
    found = _ORDER.fullmatch(plain(text))
    if found is None or "?" in text or any(turn.isdecimal() for turn in turns):
        return None
    number = _ORDINAL[found[1]]
    return turns[number - 1] if len(turns) > 1 and number <= len(turns) else None


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
    if not 0 < len(said) <= _LONGEST_YES or "?" in text or says_otherwise(text):
        return False
    agrees = said[0] in _YES or _ANYWHERE.search(plain(text)) is not None
    rest = tokens(_ANYWHERE.sub(" ", plain(text)))
    return agrees and all(map(_changes_nothing, rest))


def _changes_nothing(word: str) -> bool:
    """True of a word around a yes, or its slip."""
    around = _YES | _AROUND
    return word in around or (len(word) > 3 and bool(get_close_matches(word, around, 1, _LIKE_IT)))


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
