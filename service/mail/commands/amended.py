"""A choice of the letter with something else in it: "1, but take picking-fire instead"."""

from __future__ import annotations

import re
from collections.abc import Collection, Iterator, Sequence

import msgspec

from engine.play import Incomplete
from service.core.plain import tokens
from service.mail.commands.asked import Asked
from service.mail.commands.copied import SMALL, Printed, says_otherwise
from service.mail.commands.numbers import choice_of
from service.mail.commands.partly import naming_all, said_in

_LINK = (
    r"(?:but|only|with|except|instead|and|then|please|let['’]s|i|i'd|mais|avec|sauf|plutôt|et|puis"
    r"|en|je|j'|simplement)"
)
_HEAD = re.compile(
    rf"\s*(?P<head>.*?\d\S*?)\s*(?:[,;:.]\s*|\s+(?={_LINK}\b))(?P<rest>.*)", re.DOTALL
)
_LED = re.compile(rf"\A(?:[\s,;:]*{_LINK}\b)+\s*", re.IGNORECASE)
_RATHER = re.compile(
    r"\b(?:rather|plut[ôo]t)\b(?!\s+(?:than|que))\s*|\s+(?:rather\s+)?than\b[^,;.]*"
    r"|\s+(?:instead\s+of|plut[ôo]t\s+que?|au\s+lieu\s+de?|[àa]\s+la\s+place\s+de?)\b[^,;.]*",
    re.IGNORECASE,
)
"""What a change is preferred to."""
_FOR = re.compile(
    r"(?P<new>[^,;.]+?)\s+(?:(?:instead\s+of|(?:rather\s+)?than|plut[ôo]t\s+que)\s+"
    r"|(?:au\s+lieu|[àa]\s+la\s+place)\s+de\s+|(?:au\s+lieu|[àa]\s+la\s+place)\s+(?:du|d['’])\s*)(?P<old>[^,;.]+)",
    re.IGNORECASE,
)
"""One thing in the place of another: "take hunt-fire instead of feast-fight"."""
_TAIL = re.compile(
    r"[\s,]*(?:instead|rather|please|thanks|à la place|plutôt|merci|stp|svp)?[\s.!]*\Z",
    re.IGNORECASE,
)
_PARTED = (
    re.compile(r"\s*(?:[,;\n]|\.(?=\s|\Z))\s*"),
    re.compile(r"\s*(?:[,;\n]|[.:](?=\s|\Z))\s*"),
    re.compile(r"\s*(?:[,;\n]|[.:](?=\s|\Z)|\b(?:and|et|then|puis)\b)\s*", re.IGNORECASE),
)
"""Where changes are parted, each way tried where those before it make no turn: "and" may stand
between two things that are taken, a colon within one.
"""
_NOT_DONE = (
    r"\A(?:without|sans|keep|save|garde[r]?|(?:do\s+not|don['’]t|without|not|sans|ne(?:\s+pas)?)\s+"
    r"(?:play(?:ing)?|us(?:e|ing)|joue[r]?|utilise[r]?)(?:\s+pas)?)\s+"
)
_SET_ASIDE = re.compile(
    r"\A(?P<what>[^,;.]+?)\s*,?\s+(?:je\s+le\s+garde|i(?:['’]ll)?\s+keep\s+it)\b", re.IGNORECASE
)
"""The same the other way round: "le jeton je le garde"."""
_LEFT_OUT = re.compile(rf"{_NOT_DONE}(?P<what>(?:(?!\b(?:and|et)\b).)+)\Z", re.IGNORECASE)
"""What is not to be done: "without the token", "je garde le jeton Chasse pour plus tard"."""
_LEFT = re.compile(r"\b(?:leave|let\b(?!['’]s)|laisse[rz]?|laissant)\b", re.IGNORECASE)
"""What is not taken: "and leave feast-fire to Greedy", "let feast-fire stay"."""
_MEANT = re.compile(
    r"\A(?P<led>(?:(?:yes|ok|okay|no|sorry|oops|pardon|oui|non|d[ée]sol[ée]e?|ah|oh|hm+)\b[\s,.!:;-]*)*"
    r"(?:(?:i\s+(?:meant|mean)|je\s+voulais(?:\s+dire)?|rather|plut[ôo]t)\b[\s,:]*)?)(?P<rest>.*)\Z",
    re.IGNORECASE | re.DOTALL,
)
"""The words with which somebody corrects themselves: "Sorry, I meant ...", "Yes, but ..."."""

_ANSWERING = re.compile(
    r"\b(?:yes|ok|okay|no|oui|non|mean|meant|voulais|rather|plut[ôo]t)\b", re.IGNORECASE
)
"""One of them that answers a question: more than "sorry"."""

_WHOSE = re.compile(r"['’]s\b")

LONGEST = 200
"""Characters of a text that is a choice and a change, and not a turn of its own."""

MOST = 3
"""Turns to choose from that an answer shows."""


def number_amended(text: str, names: Collection[str] = ()) -> int | None:
    """The number of a choice that a text begins with and goes on from: 1 of "1, but ..."; None if
    it does not.
    """
    found = _HEAD.match(text) if len(text) <= LONGEST else None
    choice = choice_of(found["head"], names) if found and found["rest"].strip() else None
    sure = choice is not None and choice.sure and len(choice.numbers) == 1
    return choice.numbers[0] if choice is not None and sure else None


class Changed(msgspec.Struct, frozen=True, kw_only=True):
    """Legal `turns` that a change of one may mean, and the parts of it that could not be read."""

    turns: tuple[str, ...]
    unread: tuple[str, ...] = ()


NOTHING = Changed(turns=())


def amended(
    asked: Asked, offered: Sequence[Printed], text: str, names: Collection[str] = ()
) -> Changed:
    """The legal turns that a text may mean which begins with the number of one of those `offered`
    and names what is to be done instead of a part of it; none if it is no such text.
    """
    number = number_amended(text, names)
    found = _HEAD.match(text) if number in range(1, len(offered) + 1) else None
    if found is None or number is None:
        return NOTHING
    return changed(asked, offered[number - 1].text, found["rest"])


def confirmed(
    asked: Asked, offered: Sequence[Printed], text: str, names: Collection[str] = ()
) -> str:
    """The turn among those `offered` whose number a text begins with, if it goes on with words of
    one of its actions alone: "3, the camp and the feast"; "" otherwise.
    """
    number = number_amended(text, names)
    found = _HEAD.match(text)
    if found is None or number is None or number not in range(1, len(offered) + 1):
        return ""
    turn, said = offered[number - 1].text, said_in(asked, found["rest"])
    if not said or says_otherwise(found["rest"]):
        return ""
    return turn if any(said <= set(tokens(line)) for line in turn.split(", ")) else ""


def corrected(asked: Asked, turn: str, text: str) -> Changed | None:
    """The legal turns that a text may mean which corrects a `turn` that was asked about: "yes, but
    take X", "sorry, I meant X"; none if it cannot be read, None if it corrects nothing.
    """
    found = _MEANT.match(text.strip()) if len(text) <= LONGEST else None
    if found is None or not _ANSWERING.search(found["led"]) or not found["rest"]:
        return None
    return changed(asked, turn, found["rest"])


def refuses(text: str) -> bool:
    """True of a text that begins with a no: what follows may be all of another turn."""
    return re.match(r"\W*(?:no|non)\b", text, re.IGNORECASE) is not None


def changed(asked: Asked, turn: str, changes: str) -> Changed:
    """The legal turns that differ from one in what a text says of it, so far as it can be read."""
    actions = asked.tried(turn)
    if isinstance(actions, Exception):
        return NOTHING
    chosen = list(asked.spelled(actions, asked.lang))
    if exchanged := _exchanged(asked, chosen, changes):
        return Changed(turns=(", ".join(exchanged),))
    wanted = _RATHER.sub("", _TAIL.sub("", changes))
    best = NOTHING
    for parted in _PARTED:
        parts = _parts(asked, parted, wanted, {line.split()[0] for line in chosen})
        each = [_TAIL.sub("", _LED.sub("", part)) for part in parts]
        found, unread = _with_all(asked, chosen, each)
        turns = [turn for turn in found if turn != chosen]
        if turns and (not best.turns or len(unread) < len(best.unread)):
            written = asked.once_each([", ".join(turn) for turn in turns])
            best = Changed(turns=written[:MOST], unread=tuple(unread))
        if best.turns and not best.unread:
            break
    return best


def _exchanged(asked: Asked, chosen: Sequence[str], changes: str) -> list[str]:
    """The legal turn with a thing in the place of another one, of which both are named in one word
    of the notation, if that is all that is said; none otherwise.
    """
    found = _FOR.fullmatch(_TAIL.sub("", changes))
    if found is None or says_otherwise(_LED.sub("", found["new"])):
        return []
    new, old = (
        [word for word in found[part].split() if said_in(asked, word)] for part in ("new", "old")
    )
    lines = [at for at, line in enumerate(chosen) if old and old[-1] in line.split()[1:]]
    if len(old) != 1 or not new or len(lines) != 1:
        return []
    at = lines[0]
    if len(new) > 1 and new[:-1] != chosen[at].split()[:1]:
        return []
    line = " ".join(new[-1] if word == old[0] else word for word in chosen[at].split())
    return _legal(asked, [*chosen[:at], line, *chosen[at + 1 :]])


def _parts(asked: Asked, parted: re.Pattern[str], text: str, verbs: Collection[str]) -> list[str]:
    """The parts of a text; "and" between two words of the game joins them ("the feast and fire
    one"), unless the second is one of the verbs.
    """
    words, found, start = asked.game.notation.words, list[str](), 0
    for gap in parted.finditer(text):
        before, behind = tokens(text[start : gap.start()]), tokens(text[gap.end() :])
        named = bool(before and behind) and words.issuperset((before[-1], behind[0]))
        if gap[0].strip().isalpha() and named and behind[0] not in verbs:
            continue
        found.append(text[start : gap.start()])
        start = gap.end()
    return [*found, text[start:]]


def _with_all(
    asked: Asked, chosen: list[str], changes: Sequence[str]
) -> tuple[list[list[str]], list[str]]:
    """The legal turns with all of these changes that can be read, and the others; what names
    nothing of the game is none.
    """
    verbs = {tokens(line)[0] for line in chosen}
    turns, unread = [chosen], list[str]()
    for change in changes:
        left_out = _LEFT_OUT.match(change) or _SET_ASIDE.match(change)
        if left_out is None and re.match(_NOT_DONE, change, re.IGNORECASE):
            return [], []  # and something else
        refused = says_otherwise(change) or _LEFT.search(change) is not None
        found = [
            turn
            for begun in turns
            for turn in (left_out and list(_without(asked, begun, left_out["what"])))
            or ([] if refused else _first_changed(asked, begun, change, named=left_out is None))
        ]
        # What is refused shows in the turn.
        said = said_in(asked, change)
        alone = said.issuperset(set(tokens(change)) - SMALL - {"my", "mon", "ma"})
        if not found and not (said <= verbs or refused or left_out or (alone and len(said) < 3)):
            unread.append(change)
        turns = found or turns
    return turns, unread


def _without(asked: Asked, turn: Sequence[str], what: str) -> Iterator[list[str]]:
    """The legal turns without an action of which every word is named here, the most words of all
    (of "the camp token" the token, and not the camp), or else its verb.
    """
    said = set(tokens(what))
    words = [{word for word in tokens(line) if word.isalpha()} for line in turn]
    most = max((len(each) for each in words if each <= said), default=0)
    for at, each in enumerate(words):
        meant = each <= said and len(each) == most if most else tokens(turn[at])[0] in said
        left = [*turn[:at], *turn[at + 1 :]]
        if meant and not isinstance(asked.tried(", ".join(left)), Exception):
            yield left


def _first_changed(
    asked: Asked, turn: Sequence[str], change: str, *, named: bool
) -> list[list[str]]:
    """As `_changed`, by all of what is said, or by the longest end of it that means one turn."""
    words = asked.game.notation.words
    best: list[list[str]] = []
    if any(_is_nothing(words, word) for word in change.split()):
        return []
    for start in (each.start() for each in re.finditer(r"(?<!\S)\S", change)):
        lost = set(tokens(change[:start])) & words - SMALL
        found = [] if lost else _changed(asked, turn, change[start:], named=named and start == 0)
        if len(found) == 1:
            return found
        best = best or found
    return best


def _is_nothing(words: Collection[str], word: str) -> bool:
    """True of what is joined with a word of the game, and there is not: "hunt-castle"."""
    run = tokens(_WHOSE.sub("", word))
    ours = [each for each in run if each in words]
    return len(run) > 1 and bool(ours) and (len(ours) < len(run) or len({*run}) < len(run))


def _changed(
    asked: Asked, turn: Sequence[str], change: str, *, named: bool = True
) -> list[list[str]]:
    """The legal turns with this besides; or else in place of the action that begins with the same
    verb, of any, or behind the verb of any; what comes after it is the game's where the turn's own
    no longer fits. Or else with the one action that has all that is `named`.
    """
    places = range(len(turn))
    verbs = [line.split()[0] for line in turn]
    for at in places:
        more = _legal(asked, [*turn[:at], change, *turn[at:]])
        if len(more) == len(turn) + 1 and more[at].split()[0] not in verbs:
            return [more]
    alike = [
        (at, change)
        for at in places
        if (read := _begun(asked, turn[:at], change)) and read.split()[0] == verbs[at]
    ]
    behind = [(at, f"{verbs[at]} {change}") for at in places]
    for slots in (alike, behind):
        found = [each for at, written in slots for each in _put(asked, turn, at, written)]
        if found:
            return found
        found = [
            each
            for at, written in slots or [(at, change) for at in places]
            for one in _naming(asked, turn, at, written)
            for each in _put(asked, turn, at, one)
        ]
        if found:
            return found
    said = said_in(asked, change) if named else set[str]()
    for at in places:
        one = naming_all(asked, "\n".join(turn[:at]), said) if at else ""
        if one and one not in turn and (whole := _legal(asked, [*turn[:at], one, *turn[at:]])):
            return [whole]
    return []


def _begun(asked: Asked, begun: Sequence[str], change: str) -> str:
    """The action that a change is behind these, as it is written; "" if it is none, or several."""
    tried = asked.tried(", ".join([*begun, change]))
    if isinstance(tried, Exception) and not isinstance(tried, Incomplete):
        return ""
    game, seat = asked.game, asked.seat
    read = game.notation.parse(asked.state, seat, ", ".join([*begun, change]), asked.lang)
    lines = asked.spelled(read, asked.lang)
    return lines[-1] if len(lines) == len(begun) + 1 else ""


def _legal(asked: Asked, lines: Sequence[str]) -> list[str]:
    """The actions of these lines, as they are written, if they are a legal turn."""
    read = asked.tried(", ".join(lines))
    return [] if isinstance(read, Exception) else list(asked.spelled(read, asked.lang))


def _put(asked: Asked, turn: Sequence[str], at: int, action: str) -> Iterator[list[str]]:
    """The legal turns with this action in that place."""
    begun = [*turn[:at], action]
    whole = _legal(asked, [*begun, *turn[at + 1 :]])
    if whole:
        yield whole
        return
    for text in asked.whole([", ".join(begun)]):
        if read := _legal(asked, [text]):
            yield read


def _naming(asked: Asked, turn: Sequence[str], at: int, written: str) -> list[str]:
    """The actions in that place with its verb that have what is named, "remove that with hunt"; of
    many those that have most in common with the action there: one half of a tile on another square.
    """
    verb = turn[at].split()[0]
    said = said_in(asked, written) - {verb}
    found = [
        each
        for each in asked.choices("\n".join(turn[:at]))
        if said and each.split()[0] == verb and said <= set(tokens(each))
    ]
    if len(found) <= MOST:
        return found
    there = set(tokens(turn[at])) - said
    common = {each: len(there & set(tokens(each))) for each in found}
    most = max(common.values())
    nearest = [each for each in found if common[each] == most]
    return nearest if len(nearest) <= MOST else []
