"""The calendar file that goes with a letter (RFC 5545, METHOD:PUBLISH of RFC 5546 §3.2.1).

One event for each decision that its reader is to make, from shortly before it is due until then.
The same UID each time it moves, with a higher SEQUENCE; CANCELLED once it is made or its clock
stands. What it says was settled when the letter was taken up to be sent
(`service.outgoing.calendars`), so that a letter sent again holds the same file.
"""

from __future__ import annotations

import datetime as dt
from typing import Any

from icalendar import Alarm, Calendar, Event
from sqlalchemy.orm import Session, lazyload

from service.access.links import Links
from service.core.context import Service
from service.core.letter_details import CalendarDate
from service.core.models import Letter, Match
from service.mail.render.letter_context import mail_environment, seat_names
from service.outgoing.identity import local_id

PRODUCT = "-//Paleopost//Paleopost//EN"
LASTS = dt.timedelta(minutes=30)
WARNS_BEFORE_END = dt.timedelta(hours=4)
_OF_AN_EPOCH = 1000


def file(service: Service, session: Session, letter: Letter, lang: str) -> bytes | None:
    """The calendar file of a letter, or None if it changes nothing in its reader's calendar."""
    dates = letter.notes.calendar
    if not dates:
        return None
    calendar = Calendar()
    calendar.add("prodid", PRODUCT)
    calendar.add("version", "2.0")
    calendar.add("method", "PUBLISH")
    for date in dates:
        calendar.add_component(_event(service, session, letter, date, lang))
    return bytes(calendar.to_ical())


def _event(
    service: Service, session: Session, letter: Letter, date: CalendarDate, lang: str
) -> Event:
    match = session.get_one(Match, date.match, options=[lazyload(Match.host)])
    seat, due = date.seat, date.at
    words: Any = mail_environment(lang).get_template("mail/_calendar.txt").module
    others = [name for at, name in enumerate(seat_names(match, lang)) if at != seat]
    # The link of who sits there now is nobody else's.
    own = match.seats[seat].player_id == letter.player_id
    page = Links(service).seat(match, seat) if own else None
    event = Event()
    domain = service.settings.mail_domain
    name = f"{match.code}.{seat}.{date.decision}"
    event.add("uid", f"{local_id(name)}@{domain}")
    # A restored database counts on from its copy: what it says is newer all the same.
    event.add("sequence", date.sequence + _OF_AN_EPOCH * ((letter.epoch or 1) - 1))
    event.add("dtstamp", letter.date)
    event.add("dtstart", due - LASTS)
    event.add("dtend", due)
    event.add("summary", words.summary(match.game, others).strip())
    if page is not None:
        event.add("description", words.description(page).strip())
        event.add("url", page)
    event.add("transp", "TRANSPARENT")
    event.add("class", "PRIVATE")
    event.add("status", "CANCELLED" if date.cancelled else "CONFIRMED")
    if not date.cancelled:
        alarm = Alarm()
        alarm.add("action", "DISPLAY")
        alarm.add("description", words.summary(match.game, others).strip())
        alarm.add("trigger", LASTS - WARNS_BEFORE_END)
        event.add_component(alarm)
    return event
