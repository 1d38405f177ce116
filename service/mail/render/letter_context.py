"""The context every letter is written with: its reader's language and clock, the templates, the
links.
"""

from __future__ import annotations

import hashlib
import re
import textwrap
from collections.abc import Mapping
from functools import cache, cached_property
from typing import Any

import jinja2
from babel.lists import format_list
from markupsafe import Markup
from sqlalchemy.orm import Session, joinedload, lazyload

from service.access import reply_keys
from service.access.addresses import Addresses
from service.access.links import Links
from service.core.context import Service
from service.core.letter_details import AnswerDetails
from service.core.models import Letter, Match, SeatRow
from service.core.names import clean_name
from service.mail.parse.marks import LETTER_END, REPLY_ABOVE, SAMPLE
from service.mail.render.defused import defused
from service.mail.render.draft import Picture
from service.mail.render.style import SHEET, Sheet, StyledLoader
from service.outgoing import one_click
from service.outgoing.policies import policy_of
from service.render import templating
from service.render.bots import shown_name
from service.render.compiled import CompiledTemplates
from service.render.templating import TEMPLATES, environment
from service.time.display import Clock

COLUMNS = 72

# Letters name who sits at a table; the others' addresses are none of their business.
_NAMES_ONLY = (lazyload(Match.host), joinedload(Match.invitees).lazyload(SeatRow.player))

ORDER_MARK = SAMPLE
"""Begins every line of a sample order. No notation begins so: a quoted copy is no order."""

_EMPTY_LINES = re.compile(r"(?:[ \t]*\n){3,}")
_TRAILING = re.compile(r"[ \t]+$", re.MULTILINE)


class LetterLinks(Links):
    """The links of one letter: those of every letter, and the one that ends its like."""

    def __init__(self, service: Service, letter: Letter) -> None:
        super().__init__(service)
        self._stop = None
        if not policy_of(letter.kind).last:
            self._stop = one_click.address(service, letter.kind, letter.player_id, letter.match_id)

    def stop(self) -> str | None:
        """The page that ends letters like this one, by one press; None where none follow."""
        return self._stop


class LetterContext:
    """The writing of one letter to one reader. Match letters only: `match` and `seat` raise
    ValueError for a letter that has none. Not `drawn`, its boards have no picture: for its words.
    """

    def __init__(
        self, service: Service, session: Session, letter: Letter, lang: str, *, drawn: bool = True
    ) -> None:
        self.service = service
        self.session = session
        self.letter = letter
        self.lang = lang
        self.drawn = drawn
        self.clock = Clock(letter.player.zone, lang, letter.date)
        self.links = LetterLinks(service, letter)

    @cached_property
    def match(self) -> Match:
        """The match the letter is about."""
        if self.letter.match_id is None:
            raise ValueError(f"letter {self.letter.dedupe} is of no match")
        return self.session.get_one(Match, self.letter.match_id, options=_NAMES_ONLY)

    @property
    def seat(self) -> int:
        """The seat the letter is written to."""
        if self.letter.seat is None:
            raise ValueError(f"letter {self.letter.dedupe} is to no seat")
        return self.letter.seat

    @cached_property
    def reply_to(self) -> str | None:
        """The address that answers to this letter go to; None if it is about no table.

        A letter about a decision has an address of that decision, others of a running match one of
        the seat, and a question one of its own. Who has not begun to play answers as a guest; a
        host has nothing to answer.
        """
        letter, keys = self.letter, self.service.keys
        if letter.match_id is None:
            return None
        details = letter.details
        question = details.question if isinstance(details, AnswerDetails) else None
        if question is not None and letter.seat is not None:
            token = reply_keys.question_token(keys, self.match.seats[letter.seat], question)
        elif letter.entry is not None and letter.seat is not None:
            token = reply_keys.seat_token(
                keys, self.match.seats[letter.seat], letter.decision or ""
            )
        elif letter.player_id != self.match.host_id:
            token = reply_keys.guest_token(keys, letter.match_id, letter.player_id)
        else:
            return None
        return Addresses(self.service.settings).reply(token)

    def picture(self, name: str, png: bytes) -> Picture:
        """A picture of this letter; `name` tells it from the letter's others."""
        mark = hashlib.sha256(self.letter.dedupe.encode()).hexdigest()[:16]
        return Picture(f"{name}.{mark}@{self.service.settings.mail_domain}", f"{name}.png", png)

    def write(self, **values: Any) -> tuple[str, str, str]:
        """Subject, text and HTML from `templates/mail/<kind>/`."""
        env = mail_environment(self.lang)
        folder = f"mail/{self.letter.kind}"
        values = {
            "clock": self.clock,
            "links": self.links,
            "me": clean_name(self.letter.player.name),
            "written": self.letter.date,
            "reply_to": self.reply_to,
            "outage": self._outage(),
            "called": table_name(self.match) if self.letter.match_id is not None else None,
            **values,
        }
        values["you"] = you = self._you(values)
        subject = env.get_template(f"{folder}/subject.txt").render(values).strip()
        text = _tidy(env.get_template(f"{folder}/body.txt").render(values))
        if you:
            first, blank, rest = text.partition("\n\n")
            text = f"{first}{blank}{you}.\n\n{rest}"
        if values["outage"]:
            first, blank, rest = text.partition("\n\n")
            text = f"{first}\n\n{wrapped(values['outage'])}{blank}{rest}"
        if self.reply_to is not None:
            text = _replied_above(text, env.get_template("mail/_words.txt").module)
        html = env.get_template(f"{folder}/body.html").render(values, subject=subject)
        sheet: Any = env.globals["sheet"]
        return subject, text, sheet.worn(html)

    def _you(self, values: Mapping[str, Any]) -> str:
        """Whom the reader plays, in a game that says so (`letter.you`) at the head of letters."""
        if not values.get("view") or not isinstance(values["me"], int):
            return ""
        template = f"games/{values['game']}/letter.txt"
        words: Any = mail_environment(self.lang).get_template(template).module
        return str(words.you(values["names"], values["me"])) if hasattr(words, "you") else ""

    def _outage(self) -> str | None:
        """What the letter tells of an outage (`lost_time`), if it does."""
        told = self.letter.notes.outage
        if told is None:
            return None
        words: Any = mail_environment(self.lang).get_template("mail/_words.txt").module
        return str(words.outage(self.clock, told)).strip()


def _replied_above(text: str, words: Any) -> str:
    """The text with the mark that a reply stands above it, right below what it says first, and one
    at its end: where a quote is not marked as one, they tell what is ours.
    """
    first, blank, rest = text.partition("\n\n")
    return f"{first}\n{REPLY_ABOVE} {words.reply_above()}{blank}{rest}\n{LETTER_END}\n"


def seat_names(match: Match, lang: str) -> list[str]:
    """The names the table has for its seats, from seat 0 on, each one line of printable text."""
    return [seat_name(row, lang) for row in match.seats]


def seat_name(row: SeatRow, lang: str) -> str:
    """The name the table has for who sits there, for a reader of `lang`."""
    return defused(clean_name(shown_name(row.match.game, row.bot, row.name, lang), "?"))


def table_name(match: Match) -> str | None:
    """The name of the table; None for one of before they had names."""
    return defused(clean_name(match.name, "?")) if match.name is not None else None


def mail_environment(lang: str) -> jinja2.Environment:
    """The templates of letters: those of the product, with the house style in their tags."""
    return _styled(environment(lang), lang)


@cache
def _styled(env: jinja2.Environment, lang: str) -> jinja2.Environment:
    if env.loader is None:
        raise RuntimeError("the templates have no loader")
    source, _, _ = env.loader.get_source(env, SHEET)
    sheet = Sheet(source)
    ours = env.overlay(
        loader=StyledLoader(env.loader, sheet),
        bytecode_cache=CompiledTemplates(TEMPLATES, (templating.__file__, __file__), lang, "mail"),
    )
    # An overlay shares these two with the environment of the pages: ours are our own.
    ours.filters = {**env.filters, "wrapped": wrapped, "order": order, "listed": _listed(lang)}
    ours.filters["defused"] = defused
    ours.globals = {
        **env.globals,
        "sheet": sheet,
        "media": Markup(sheet.media),  # noqa: S704 (our own sheet)
        "mark": ORDER_MARK.strip(),
        "above": REPLY_ABOVE,
    }
    return ours


def wrapped(text: str, indent: str = "") -> str:
    """Sentences broken at 72 columns, `indent` before all but the first; addresses stay whole."""
    return textwrap.fill(
        text,
        COLUMNS,
        subsequent_indent=indent,
        break_long_words=False,
        break_on_hyphens=False,
    )


def order(text: str) -> str:
    """A sample order behind the mark that makes it none, on one line however long: one that
    is broken looks like several.
    """
    return ORDER_MARK + " ".join(text.split())


def _listed(lang: str) -> Any:
    return lambda names, style="standard": format_list(list(names), style, locale=lang)


def _tidy(text: str) -> str:
    return _EMPTY_LINES.sub("\n\n", _TRAILING.sub("", text)).strip() + "\n"
